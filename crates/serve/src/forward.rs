//! Tools of another server, shown beside one's own.

use candor_contract::Envelope;
use serde_json::{Map, Value};

use crate::CallContext;

/// A call that is passed on.
#[derive(Debug, Clone, PartialEq)]
pub struct ForwardedCall {
    /// The tool.
    pub name: String,
    /// Its arguments, as they came.
    pub arguments: Map<String, Value>,
    /// The `_meta` of the request, as it came, without its progress token: the
    /// other server would need one of its own.
    pub meta: Map<String, Value>,
}

/// Another server whose tools are shown beside one's own and whose replies
/// pass untouched.
pub trait Forward: Send + Sync {
    /// The tools, each as the other server's `tools/list` shows it; none while
    /// it cannot be asked. A tool that has the name of an own one, or that is
    /// no tool by the protocol's schema, is not shown.
    fn tools(&self) -> Vec<Value>;

    /// Passes a call on and returns the result of `tools/call` as it came.
    ///
    /// # Errors
    /// When the other server cannot answer: this server's own envelope is sent
    /// instead, with what is new in the journal.
    fn call(&self, call: &ForwardedCall, context: &CallContext) -> Result<Value, Envelope>;
}
