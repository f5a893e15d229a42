//! The five AL tools as an MCP server.
