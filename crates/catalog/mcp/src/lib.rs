//! The catalog's tools as an MCP server.
//!
//! [`run`] is the whole program; [`server`] is the part of it that tests can call without a transport.

mod description;
mod progress;
mod prompt;
mod reply;
mod server;

pub use description::descriptions;
pub use server::{ServerOptions, run, server};
