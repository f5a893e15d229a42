//! The registry as the library's server handler: the one place where answers
//! take their form on the wire.

use std::sync::Arc;

use candor_contract::{CallScope, Cursor, ToolDescription, shortened};
use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::{Map, Value};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use crate::call::{CallContext, Cancellation, Progress, ProgressSink};
use crate::forward::ForwardedCall;
use crate::prompt;
use crate::registry::{Registry, Reply, Reporting};
use crate::server::ServerInfo;

/// The key in a request's and a result's `_meta` that carries the cursor of a
/// client which keeps its own position in the new errors. In a request an
/// empty text asks for a first cursor.
pub const NEW_ERRORS_CURSOR: &str = "candor/newErrorsCursor";

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

pub(crate) struct Handler {
    registry: Arc<Registry>,
    tools: Vec<Tool>,
    config: ServerConfig,
    structured: bool,
}

impl Handler {
    pub(crate) fn new(registry: Registry, info: &ServerInfo, structured: bool) -> Self {
        let tools = registry
            .descriptions()
            .map(|description| published(description, structured))
            .collect();
        let capabilities = ServerCapabilities::builder().enable_tools();
        let mut config = ServerConfig::new(if registry.prompts().is_empty() {
            capabilities.build()
        } else {
            capabilities.enable_prompts().build()
        });
        config.server_info = Implementation::new(&info.name, &info.version);
        config.server_info.title.clone_from(&info.title);
        config.instructions.clone_from(&info.instructions);
        Self {
            registry: Arc::new(registry),
            tools,
            config,
            structured,
        }
    }

    /// The tools of the other server, if there is one. Asking it may take time.
    async fn forwarded(&self) -> Vec<Tool> {
        let Some(forward) = self.registry.forward().cloned() else {
            return Vec::new();
        };
        let tools = tokio::task::spawn_blocking(move || forward.tools()).await;
        tools
            .unwrap_or_default()
            .into_iter()
            .filter_map(|tool| serde_json::from_value::<Tool>(tool).ok())
            .filter(|tool| !self.registry.knows(&tool.name))
            .collect()
    }

    fn encode(&self, reply: Reply, is_stateless: bool) -> CallToolResult {
        let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
        if reply.is_error {
            // No structured half: two widespread clients check it against the
            // schema of a success and lose the envelope.
            result.is_error = Some(true);
        } else {
            result.is_error = None;
            result.structured_content = self.structured.then(|| Value::Object(reply.members));
        }
        let mut meta = Map::new();
        if let Some(cursor) = reply.cursor {
            meta.insert(NEW_ERRORS_CURSOR.into(), cursor.to_string().into());
        }
        if is_stateless && let Ok(info) = serde_json::to_value(&self.config.server_info) {
            meta.insert(SERVER_INFO.into(), info);
        }
        result.meta = (!meta.is_empty()).then_some(MetaObject(meta));
        result
    }
}

/// What came of a call.
enum Finished {
    Here(Reply),
    Elsewhere(Value),
}

fn without_progress(mut meta: Map<String, Value>) -> Map<String, Value> {
    meta.shift_remove("progressToken");
    meta
}

fn published(description: &ToolDescription, structured: bool) -> Tool {
    let hints = description.hints();
    let tool = Tool::new(
        description.name().to_owned(),
        description.description().to_owned(),
        Arc::new(description.input_schema().clone()),
    )
    .with_title(description.title())
    .with_annotations(ToolAnnotations::from_raw(
        None,
        Some(hints.read_only),
        Some(hints.destructive),
        Some(hints.idempotent),
        Some(hints.open_world),
    ));
    if structured {
        tool.with_raw_output_schema(Arc::new(description.output_schema().clone()))
    } else {
        tool
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.config.clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        match request.and_then(|request| request.cursor) {
            None => {
                let mut tools = self.tools.clone();
                tools.extend(self.forwarded().await);
                Ok(ListToolsResult::with_all_items(tools))
            }
            Some(cursor) => Err(ErrorData::invalid_params(
                format!(
                    "tools/list: unknown cursor `{}`; all tools come on the first page",
                    shortened(&cursor, 60)
                ),
                None,
            )),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        let is_own = self.registry.knows(&name);
        if !is_own && !self.forwarded().await.iter().any(|tool| tool.name == name) {
            return Err(ErrorData::invalid_params(self.registry.unknown(&name), None));
        }
        let reporting = reporting(&context.meta.0.0)?;
        let cancellation = Cancellation::default();
        let (progress, mut reports) = progress(context.meta.get_progress_token());
        let call = CallContext::new(CallScope::new(&name, self.registry.own().clone()), cancellation.clone())
            .with_progress(progress)
            .with_journal(self.registry.journal());
        let registry = Arc::clone(&self.registry);
        let arguments = request.arguments.unwrap_or_default();
        let meta = context.meta.0.0.clone();
        let mut running = tokio::task::spawn_blocking(move || {
            let result = if is_own {
                registry.run(&name, arguments, &call)
            } else {
                let passed = ForwardedCall {
                    name: name.clone(),
                    arguments,
                    meta: without_progress(meta),
                };
                match registry.pass_on(&passed, &call) {
                    Ok(result) => return Some(Finished::Elsewhere(result)),
                    Err(envelope) => Err(envelope),
                }
            };
            // Nobody would read the reply of a cancelled call, so it must not
            // take new errors with it.
            (!call.is_cancelled()).then(|| Finished::Here(registry.reply(&name, result, reporting)))
        });
        let reply = loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    cancellation.cancel();
                    return Err(cancelled());
                }
                Some(report) = reports.next() => reports.send(&context.peer, report).await,
                finished = &mut running => break finished,
            }
        };
        if let Some(report) = reports.last() {
            reports.send(&context.peer, report).await;
        }
        let reply = reply
            .map_err(|error| ErrorData::internal_error(format!("tools/call: {error}"), None))?
            .ok_or_else(cancelled)?;
        let is_stateless = context
            .protocol_version()
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        match reply {
            Finished::Here(reply) => Ok(self.encode(reply, is_stateless).into()),
            Finished::Elsewhere(result) => serde_json::from_value::<CallToolResult>(result)
                .map(Into::into)
                .map_err(|error| {
                    let problem = format!("tools/call: the other server's result: {error}");
                    ErrorData::internal_error(problem, None)
                }),
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        if self.registry.prompts().is_empty() {
            return Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                "unknown method `prompts/list`",
                None,
            ));
        }
        let prompts = self.registry.prompts().iter().map(prompt::published).collect();
        Ok(ListPromptsResult::with_all_items(prompts))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompt::answer(self.registry.prompts(), &request.name, request.arguments.as_ref()).map(Into::into)
    }

    /// Requests arrive here when their parameters do not fit their method, or
    /// when nobody knows the method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        let problem = match method.as_str() {
            "tools/call" => misfit_of_call(params.as_ref()),
            "initialize" | "ping" | "server/discover" | "tools/list" | "prompts/list" | "prompts/get" => {
                "the parameters do not fit".into()
            }
            _ => {
                return Err(ErrorData::new(
                    ErrorCode::METHOD_NOT_FOUND,
                    format!("unknown method `{}`", shortened(&method, 60)),
                    None,
                ));
            }
        };
        Err(ErrorData::invalid_params(format!("{method}: {problem}"), None))
    }
}

fn cancelled() -> ErrorData {
    ErrorData::internal_error("tools/call: cancelled by the client", None)
}

fn reporting(meta: &Map<String, Value>) -> Result<Reporting, ErrorData> {
    let refused = |problem: &str| ErrorData::invalid_params(format!("_meta `{NEW_ERRORS_CURSOR}`: {problem}"), None);
    match meta.get(NEW_ERRORS_CURSOR) {
        None => Ok(Reporting::ByServer),
        Some(Value::String(text)) if text.is_empty() => Ok(Reporting::ByCursor(None)),
        Some(Value::String(text)) => text
            .parse::<Cursor>()
            .map(|cursor| Reporting::ByCursor(Some(cursor)))
            .map_err(|error| refused(&error.to_string())),
        Some(_) => Err(refused("must be a string")),
    }
}

fn misfit_of_call(params: Option<&Value>) -> String {
    let Some(params) = params else {
        return "`params` is missing; it must be an object with `name`".into();
    };
    let Value::Object(params) = params else {
        return format!("`params` must be an object, but is {}", kind(params));
    };
    let name = match params.get("name") {
        None => return "`name` is missing; it must be the name of a tool".into(),
        Some(Value::String(name)) => shortened(name, 60),
        Some(other) => return format!("`name` must be a string, but is {}", kind(other)),
    };
    match params.get("arguments") {
        None | Some(Value::Object(_) | Value::Null) => {}
        Some(other) => return format!("`arguments` of `{name}` must be an object, but is {}", kind(other)),
    }
    match serde_json::from_value::<CallToolRequestParams>(Value::Object(params.clone())) {
        Err(error) => error.to_string(),
        Ok(_) => "the parameters do not fit".into(),
    }
}

pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Reports of progress on their way from a handler's thread to the client.
struct Reports {
    waiting: Option<(UnboundedReceiver<Progress>, ProgressToken)>,
}

fn progress(token: Option<ProgressToken>) -> (Option<ProgressSink>, Reports) {
    let Some(token) = token else {
        return (None, Reports { waiting: None });
    };
    let (sender, receiver) = mpsc::unbounded_channel();
    let sink: ProgressSink = Arc::new(move |report| {
        // The call may be over for the client already.
        let _ = sender.send(report);
    });
    (
        Some(sink),
        Reports {
            waiting: Some((receiver, token)),
        },
    )
}

impl Reports {
    /// The next report; `None` at once when there will be no more.
    async fn next(&mut self) -> Option<Progress> {
        let (receiver, _) = self.waiting.as_mut()?;
        let next = receiver.recv().await?;
        // Only the newest matters to somebody who has not seen the others.
        Some(self.last().unwrap_or(next))
    }

    /// The newest of the reports that are waiting.
    fn last(&mut self) -> Option<Progress> {
        let (receiver, _) = self.waiting.as_mut()?;
        let mut newest = None;
        while let Ok(report) = receiver.try_recv() {
            newest = Some(report);
        }
        newest
    }

    async fn send(&self, peer: &Peer<RoleServer>, report: Progress) {
        if let Some((_, token)) = &self.waiting {
            let mut notification = ProgressNotificationParam::new(token.clone(), report.done);
            notification.total = report.total;
            notification.message = report.message;
            // A client that is gone needs no progress.
            let _ = peer.notify_progress(notification).await;
        }
    }
}
