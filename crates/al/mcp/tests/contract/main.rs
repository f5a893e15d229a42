//! The server as a process of its own, spoken to over its pipes: what an agent really gets.

mod client;
mod examples;
mod failures;
mod journal;
mod writes;
