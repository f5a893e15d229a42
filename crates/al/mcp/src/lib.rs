//! The five AL tools as an MCP server.

mod description;

pub use description::descriptions;
