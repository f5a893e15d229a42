//! The tools of a server and the one way in which each call of one is
//! answered. Knows no transport.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use candor_contract::{
    ArgumentParser, Cursor, Envelope, Journal, JournalDraft, NewErrors, OwnRecords, Reporter, Tool, ToolDescription,
    drop_nulls, nearest_names, shortened,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::panic::{self, Panic};
use crate::{CallContext, Forward, ForwardedCall, Prompt};

/// What a reply may have at most, in bytes of its text.
///
/// Products keep theirs under [`candor_contract::REPLY_BYTES`] by paging; this
/// is the bound behind which a reply is not sent but answered as `Faulted`.
pub const HARD_REPLY_BYTES: usize = 400_000;

type Handler = Box<dyn Fn(Map<String, Value>, &CallContext) -> Result<Value, Envelope> + Send + Sync>;

type Tags = Box<dyn Fn(&mut Map<String, Value>) + Send + Sync>;

type ReporterSource = Box<dyn Fn() -> Option<Arc<Reporter>> + Send + Sync>;

struct Registered {
    description: ToolDescription,
    handler: Handler,
}

/// The tools of a server.
pub(crate) struct Registry {
    tools: BTreeMap<String, Registered>,
    forward: Option<Arc<dyn Forward>>,
    reporter: ReporterSource,
    tags: Option<Tags>,
    prompts: Vec<Prompt>,
    own: OwnRecords,
    hard_limit: usize,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The members of the one JSON object that is the answer.
    pub(crate) members: Map<String, Value>,
    /// The same as compact JSON.
    pub(crate) text: String,
    /// Whether it is an envelope.
    pub(crate) is_error: bool,
    /// Where the client goes on reading new errors, if it keeps that itself.
    pub(crate) cursor: Option<Cursor>,
}

/// How a client wants to hear of new errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reporting {
    /// The server keeps the position.
    ByServer,
    /// The client keeps it, and has or has not one already.
    ByCursor(Option<Cursor>),
}

impl Registry {
    pub(crate) fn new() -> Self {
        Self {
            tools: BTreeMap::new(),
            forward: None,
            reporter: Box::new(|| None),
            tags: None,
            prompts: Vec::new(),
            own: OwnRecords::default(),
            hard_limit: HARD_REPLY_BYTES,
        }
    }

    pub(crate) fn add<Arguments, Output, Error>(
        &mut self,
        tool: Tool<Arguments, Output>,
        handler: impl Fn(Arguments, &CallContext) -> Result<Output, Error> + Send + Sync + 'static,
    ) where
        Arguments: DeserializeOwned + JsonSchema + 'static,
        Output: Serialize + JsonSchema + 'static,
        Error: Into<Envelope>,
    {
        let parser = ArgumentParser::<Arguments>::new();
        let handler: Handler = Box::new(move |arguments, context| {
            let arguments = parser.parse(arguments).map_err(Envelope::from)?;
            let output = handler(arguments, context).map_err(Into::into)?;
            serde_json::to_value(output)
                .map_err(|error| Envelope::faulted(&format!("The answer cannot be written as JSON: {error}."), None))
        });
        let description = tool.into_description();
        let name = description.name().to_owned();
        let previous = self.tools.insert(name.clone(), Registered { description, handler });
        assert!(previous.is_none(), "two tools are called `{name}`");
    }

    pub(crate) fn set_reporter(&mut self, source: impl Fn() -> Option<Arc<Reporter>> + Send + Sync + 'static) {
        self.reporter = Box::new(source);
    }

    pub(crate) fn set_forward(&mut self, forward: Arc<dyn Forward>) {
        self.forward = Some(forward);
    }

    pub(crate) fn set_tags(&mut self, tags: impl Fn(&mut Map<String, Value>) + Send + Sync + 'static) {
        self.tags = Some(Box::new(tags));
    }

    pub(crate) fn add_prompt(&mut self, prompt: Prompt) {
        self.prompts.push(prompt);
    }

    pub(crate) fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    pub(crate) fn forward(&self) -> Option<&Arc<dyn Forward>> {
        self.forward.as_ref()
    }

    pub(crate) fn set_hard_limit(&mut self, bytes: usize) {
        self.hard_limit = bytes;
    }

    pub(crate) fn own(&self) -> &OwnRecords {
        &self.own
    }

    pub(crate) fn journal(&self) -> Option<Journal> {
        (self.reporter)().map(|reporter| reporter.journal().clone())
    }

    /// The tools, sorted by name.
    pub(crate) fn descriptions(&self) -> impl Iterator<Item = &ToolDescription> {
        self.tools.values().map(|tool| &tool.description)
    }

    pub(crate) fn knows(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// What to say about a tool that does not exist.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let known = || self.tools.keys().map(String::as_str);
        let quoted = |names: Vec<&str>| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let near = nearest_names(name, known());
        let name = shortened(name, 60);
        if near.is_empty() {
            format!("Unknown tool `{name}`. Known are {}.", quoted(known().collect()))
        } else {
            format!("Unknown tool `{name}`. Did you mean {}?", quoted(near))
        }
    }

    /// Passes a call on to another server. A panic on the way is answered as
    /// one in a tool is.
    pub(crate) fn pass_on(&self, call: &ForwardedCall, context: &CallContext) -> Result<Value, Envelope> {
        let Some(forward) = &self.forward else {
            return Err(Envelope::invalid(&self.unknown(&call.name), Some("name")));
        };
        match panic::catch(|| forward.call(call, context)) {
            Ok(result) => result,
            Err(panic) => Err(panicked(&call.name, &panic, context)),
        }
    }

    /// Runs a tool. A panic in it is recorded and becomes a `Faulted` envelope.
    /// Nothing about new errors is decided here; see [`Registry::reply`].
    pub(crate) fn run(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<Map<String, Value>, Envelope> {
        let Some(tool) = self.tools.get(name) else {
            return Err(Envelope::invalid(&self.unknown(name), Some("name")));
        };
        match panic::catch(|| (tool.handler)(arguments, context)) {
            Ok(Ok(mut answer)) => {
                drop_nulls(&mut answer);
                match answer {
                    Value::Object(members) => Ok(members),
                    _ => Err(Envelope::faulted(
                        &format!("Tool `{name}` gave an answer that is no JSON object."),
                        None,
                    )),
                }
            }
            Ok(Err(envelope)) => Err(envelope),
            Err(panic) => Err(panicked(name, &panic, context)),
        }
    }

    /// Makes the reply: adds what went wrong elsewhere, and keeps the bound.
    /// To be called when the reply is about to be sent and not before, because
    /// what it tells counts as told.
    pub(crate) fn reply(
        &self,
        name: &str,
        result: Result<Map<String, Value>, Envelope>,
        reporting: Reporting,
    ) -> Reply {
        let (mut members, mut is_error) = match result {
            Ok(members) => (members, false),
            Err(envelope) => (envelope.into_fields(), true),
        };
        let bytes = candor_contract::json_bytes(&members);
        if bytes > self.hard_limit {
            let envelope = Envelope::faulted(
                &format!(
                    "The answer of `{name}` has {bytes} bytes, more than the {} that may be sent. \
                     What the call did is done; ask for less of it.",
                    self.hard_limit
                ),
                None,
            );
            (members, is_error) = (envelope.into_fields(), true);
        }
        if let Some(tags) = &self.tags {
            // Tags are a courtesy: a panic in them must not take the answer away.
            let mut tagged = members.clone();
            if panic::catch(|| tags(&mut tagged)).is_ok() {
                members = tagged;
            }
        }
        let cursor = match self.new_errors(&members, reporting) {
            Some((new_errors, cursor)) => {
                new_errors.add_to(&mut members);
                cursor
            }
            None => None,
        };
        let text = serde_json::to_string(&members).unwrap_or_default();
        Reply {
            members,
            text,
            is_error,
            cursor,
        }
    }

    /// `None` when there is no journal or it cannot be read: then the reply
    /// goes out without, for it must not fail for something else's failure.
    fn new_errors(&self, members: &Map<String, Value>, reporting: Reporting) -> Option<(NewErrors, Option<Cursor>)> {
        let reporter = (self.reporter)()?;
        match reporting {
            Reporting::ByServer => reporter
                .report(&self.own, members)
                .map(|new_errors| (new_errors, None))
                .ok(),
            Reporting::ByCursor(cursor) => reporter
                .report_since(cursor, &self.own, members)
                .map(|(new_errors, cursor)| (new_errors, Some(cursor)))
                .ok(),
        }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Registry")
            .field("tools", &self.tools.keys())
            .finish_non_exhaustive()
    }
}

fn panicked(name: &str, panic: &Panic, context: &CallContext) -> Envelope {
    let message = format!(
        "Tool `{name}` failed unexpectedly: {}. The server goes on.",
        panic.message
    );
    let mut draft = JournalDraft::new(message.as_str()).code("Panicked");
    if let Some(trace) = panic.backtrace.as_ref().or(panic.place.as_ref()) {
        draft = draft.traceback(trace);
    }
    // The envelope tells the same; a journal that cannot be written is not
    // allowed to take that away as well.
    let _ = context.record(draft);
    Envelope::faulted(&message, panic.place.as_deref())
}
