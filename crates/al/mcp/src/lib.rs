//! The five AL tools as an MCP server.
//!
//! [`run`] is the whole program; [`server`] is the part of it that tests can call without a transport.

mod description;
mod options;
mod server;

pub use description::descriptions;
pub use options::ServerOptions;
pub use server::{reporter, run, server};
