//! Serves tools that keep the contract over MCP; the only crate that knows rmcp.
