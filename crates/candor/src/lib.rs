//! Holds an MCP server to a contract: what it publishes, and how it fails.
//!
//! The checker speaks JSON-RPC itself, over standard input and output or over
//! streamable HTTP, since it must also send what no library would send. Data
//! walks one way: [`transport`] → [`session`] → [`Published`] → findings →
//! [`Report`] → a format. Nothing here knows how a report looks.

pub mod checks;
pub mod difference;
pub mod finding;
pub mod handshake;
pub mod limits;
pub mod lock;
pub mod page;
mod probe;
pub mod published;
pub mod reading;
pub mod report;
pub mod revision;
pub mod run;
mod schema;
pub mod score;
pub mod session;
pub mod transport;

pub use finding::{Finding, Severity};
pub use published::Published;
pub use report::Report;
