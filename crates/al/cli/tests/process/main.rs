//! The whole program, run as a process: exit code, standard output, standard
//! error, files.

mod check;
mod errors;
mod fix;
mod formats;
mod help;
mod mcp;
mod place;
mod rules;
