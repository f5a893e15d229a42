//! A server: what it is called, its tools, and how it is run.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use candor_contract::{CallScope, Cursor, Envelope, Reporter, Tool, ToolDescription};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::call::Cancellation;
use crate::handler::Handler;
use crate::registry::{Registry, Reporting};
use crate::transport::LineTransport;
use crate::{CallContext, Forward, Prompt};

/// How long calls that nobody waits for any more may take to notice, when the
/// server ends.
const ENDING: Duration = Duration::from_millis(500);

/// What a server says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// The name by which programs know it.
    pub name: String,
    /// The name for people, if it differs.
    pub title: Option<String>,
    /// Its version.
    pub version: String,
    /// What a model should know before it uses the tools.
    pub instructions: Option<String>,
}

/// Why a server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system gave no threads or no event loop.
    #[error("cannot start serving: {0}")]
    Runtime(#[source] io::Error),
    /// The client and the server did not come together.
    #[error("the client did not begin as the protocol wants it: {0}")]
    Beginning(#[source] Box<ServerInitializeError>),
    /// The serving task broke.
    #[error("serving ended unexpectedly: {0}")]
    Broken(#[source] tokio::task::JoinError),
}

/// Tools, served over MCP such that every call keeps the contract.
///
/// Handlers are plain blocking closures; each call runs on a thread of its
/// own, so that a slow one holds up no other. Whatever a handler does, the call
/// is answered: a mistake in the arguments, an error it returns and a panic all
/// become envelopes, and every reply carries the new errors of the journal.
#[derive(Debug)]
pub struct Server {
    info: ServerInfo,
    registry: Registry,
    structured: bool,
}

impl Server {
    /// A server without tools.
    pub fn new(info: ServerInfo) -> Self {
        Self {
            info,
            registry: Registry::new(),
            structured: true,
        }
    }

    /// Adds a tool.
    ///
    /// # Panics
    /// When there is a tool of that name already.
    pub fn tool<Arguments, Output, Error>(
        mut self,
        tool: Tool<Arguments, Output>,
        handler: impl Fn(Arguments, &CallContext) -> Result<Output, Error> + Send + Sync + 'static,
    ) -> Self
    where
        Arguments: DeserializeOwned + JsonSchema + 'static,
        Output: Serialize + JsonSchema + 'static,
        Error: Into<Envelope>,
    {
        self.registry.add(tool, handler);
        self
    }

    /// Adds to every reply what `reporter` has not told yet.
    pub fn reporter(self, reporter: Arc<Reporter>) -> Self {
        self.reporter_from(move || Some(Arc::clone(&reporter)))
    }

    /// As [`reporter`](Self::reporter), for servers whose journal changes: the
    /// source is asked when a call begins (where to record) and again when its
    /// reply is made (what to tell).
    pub fn reporter_from(mut self, source: impl Fn() -> Option<Arc<Reporter>> + Send + Sync + 'static) -> Self {
        self.registry.set_reporter(source);
        self
    }

    /// Adds to every reply, success or failure, what holds for all of them: which project was worked on, say. Called
    /// when the reply is made, before what the journal has to tell.
    pub fn tags(mut self, tags: impl Fn(&mut Map<String, Value>) + Send + Sync + 'static) -> Self {
        self.registry.set_tags(tags);
        self
    }

    /// Adds a prompt: a text that a person can have their agent read.
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.registry.add_prompt(prompt);
        self
    }

    /// Shows the tools of another server behind the own ones, and passes their
    /// calls on.
    pub fn forward(mut self, forward: Arc<dyn Forward>) -> Self {
        self.registry.set_forward(forward);
        self
    }

    /// Whether output schemas are published and successes carry their JSON a
    /// second time as `structuredContent`; default true. Hosts differ in which
    /// of the two they show a model.
    pub fn structured_content(mut self, on: bool) -> Self {
        self.structured = on;
        self
    }

    /// The bytes above which an answer is not sent but replaced by a `Faulted`
    /// envelope that says so; default [`HARD_REPLY_BYTES`](crate::HARD_REPLY_BYTES).
    pub fn hard_limit(mut self, bytes: usize) -> Self {
        self.registry.set_hard_limit(bytes);
        self
    }

    /// What is published about the tools, sorted by name. For tests of the
    /// policy and for documentation.
    pub fn descriptions(&self) -> impl Iterator<Item = &ToolDescription> {
        self.registry.descriptions()
    }

    /// Calls a tool as a client would, without a transport. Returns the JSON
    /// of the reply and whether it is an envelope.
    pub fn call(&self, name: &str, arguments: Map<String, Value>) -> (Map<String, Value>, bool) {
        let call = CallContext::new(
            CallScope::new(name, self.registry.own().clone()),
            Cancellation::default(),
        )
        .with_journal(self.registry.journal());
        let result = self.registry.run(name, arguments, &call);
        let reply = self.registry.reply(name, result, Reporting::ByServer);
        (reply.members, reply.is_error)
    }

    /// As [`call`](Self::call), for a client that keeps its own position in
    /// the new errors; also returns the cursor for its next call.
    pub fn call_with_cursor(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        cursor: Option<Cursor>,
    ) -> (Map<String, Value>, bool, Option<Cursor>) {
        let call = CallContext::new(
            CallScope::new(name, self.registry.own().clone()),
            Cancellation::default(),
        )
        .with_journal(self.registry.journal());
        let result = self.registry.run(name, arguments, &call);
        let reply = self.registry.reply(name, result, Reporting::ByCursor(cursor));
        (reply.members, reply.is_error, reply.cursor)
    }

    /// Serves on standard input and output until the input ends.
    ///
    /// Calls in flight then have half a minute to finish.
    ///
    /// # Errors
    /// When serving cannot start or breaks. A client that leaves without
    /// having said anything is no error.
    pub fn serve_stdio(self) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ServeError::Runtime)?;
        let served = runtime.block_on(async {
            let (reader, writer) = rmcp::transport::stdio_pipes();
            self.serve(reader, writer).await
        });
        runtime.shutdown_timeout(ENDING);
        served
    }

    /// Serves on any pair of streams until the input ends. Needs a tokio
    /// runtime with time enabled.
    ///
    /// # Errors
    /// As [`serve_stdio`](Self::serve_stdio).
    pub async fn serve<R, W>(self, reader: R, writer: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let handler = Handler::new(self.registry, &self.info, self.structured);
        let running = match handler.serve(LineTransport::new(reader, writer)).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return Ok(());
            }
            Err(error) => return Err(ServeError::Beginning(Box::new(error))),
        };
        running.waiting().await.map_err(ServeError::Broken)?;
        Ok(())
    }
}
