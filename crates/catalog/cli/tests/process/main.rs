//! The whole program, run as a process: the commands, and the server as an agent meets it over plain pipes.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod client;
mod commands;
mod conversation;
mod hostile;
mod new_errors;
