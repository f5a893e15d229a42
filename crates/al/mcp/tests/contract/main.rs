//! The server as a process of its own, spoken to over its pipes: what an agent really gets.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

mod client;
mod configuration;
mod examples;
mod failures;
mod journal;
mod writes;
