//! The whole program, run as a process: exit code, standard output, standard
//! error, files.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod baseline;
mod check;
mod configurations;
mod documents;
mod errors;
mod fix;
mod formats;
mod help;
mod mcp;
mod place;
mod reports;
mod rules;
mod watch;
