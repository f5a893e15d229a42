//! Checks of many files: what the command line builds on.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

mod memory;
mod order;
mod project_checks;
mod repair;
mod world;
