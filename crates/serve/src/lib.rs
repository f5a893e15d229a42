//! Serves tools that keep the contract over MCP; the only crate that knows
//! rmcp.
//!
//! ```no_run
//! use candor_contract::{Hints, Tool};
//! use candor_serve::{CallContext, Server, ServerInfo};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Numbers {
//!     /// The first number.
//!     a: i64,
//!     /// The second number.
//!     b: i64,
//! }
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Sum {
//!     sum: i64,
//! }
//!
//! # candor_contract::vocabulary! {
//! #     /// No product's errors.
//! #     pub struct NoVocabulary {
//! #         candidate: String,
//! #         place: NoPlace {},
//! #         Invalid => NoReason {},
//! #         NotFound => NoReason {},
//! #         Ambiguous => NoReason {},
//! #         Stale => NoReason {},
//! #         Unavailable => NoReason {},
//! #         Faulted => NoReason {},
//! #     }
//! # }
//! let hints = Hints { read_only: true, destructive: false, idempotent: true, open_world: false };
//! let add = Tool::new("add", "Add two numbers", "Returns their sum.", hints);
//! let info = ServerInfo { name: "adder".into(), title: None, version: "1.0.0".into(), instructions: None };
//! Server::new(info)
//!     .tool(add, |numbers: Numbers, _: &CallContext| {
//!         let sum = numbers.a.checked_add(numbers.b);
//!         sum.map(|sum| Sum { sum })
//!             .ok_or_else(|| candor_contract::ToolError::<NoVocabulary>::invalid("The sum is too large."))
//!     })
//!     .serve_stdio()?;
//! # Ok::<(), candor_serve::ServeError>(())
//! ```

mod call;
mod forward;
mod handler;
mod panic;
mod prompt;
mod registry;
mod server;
mod transport;

pub use call::{CallContext, Cancellation, Progress};
pub use forward::{Forward, ForwardedCall};
pub use handler::NEW_ERRORS_CURSOR;
pub use prompt::{Prompt, PromptArgument};
pub use registry::HARD_REPLY_BYTES;
pub use server::{ServeError, Server, ServerInfo};
