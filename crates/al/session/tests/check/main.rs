//! Checks of many files: what the command line builds on.

mod order;
mod repair;
mod world;
