//! What a server publishes, as it was sent.

use std::collections::BTreeMap;

use candor_contract::json_bytes;
use serde_json::{Map, Value};

use crate::revision::Revision;

/// Everything a server publishes.
///
/// JSON is kept as it was sent, its members in order. Nothing in it can be
/// relied on: a server may send anything, and what is not as it should be is
/// what the checks look for.
#[derive(Debug, Clone, Default)]
pub struct Published {
    /// The revision that is spoken; `None` when the server named one that
    /// nobody knows.
    pub revision: Option<Revision>,
    /// How the revision was found.
    pub handshake: Handshake,
    /// The result of `initialize`, or that of `server/discover`.
    pub introduction: Map<String, Value>,
    /// The tools, read twice.
    pub tools: Listing,
    /// The tools as they were listed the second time; `None` when it was not
    /// possible.
    pub tools_again: Option<Listing>,
    /// The prompts; `None` when the server has no such capability.
    pub prompts: Option<Listing>,
    /// The resources; `None` when the server has no such capability.
    pub resources: Option<Listing>,
    /// The resource templates; `None` when the server has no such capability.
    pub resource_templates: Option<Listing>,
    /// Notifications that came unasked, by method: how many.
    pub notifications: BTreeMap<String, usize>,
}

/// How a conversation was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Handshake {
    /// With `initialize` (all revisions before 2026-07-28).
    #[default]
    Initialize,
    /// With `server/discover`; every request carries its own metadata.
    Discover,
}

impl Published {
    /// The published tools that are objects with a name.
    pub fn tools(&self) -> impl Iterator<Item = Tool<'_>> {
        self.tools.entries.iter().filter_map(Tool::of)
    }

    /// `serverInfo`, wherever the revision puts it.
    pub fn server_info(&self) -> Option<&Map<String, Value>> {
        let info = match self.handshake {
            Handshake::Initialize => self.introduction.get("serverInfo")?,
            Handshake::Discover => self
                .introduction
                .get("_meta")?
                .get("io.modelcontextprotocol/serverInfo")?,
        };
        info.as_object()
    }

    /// A member of `serverInfo` that is a text.
    pub fn server_text(&self, member: &str) -> Option<&str> {
        self.server_info()?.get(member)?.as_str()
    }

    /// A capability such as `tools`.
    pub fn capability(&self, name: &str) -> Option<&Value> {
        self.introduction.get("capabilities")?.get(name)
    }

    /// The bytes of all tools as compact JSON.
    pub fn tool_bytes(&self) -> usize {
        self.tools.entries.iter().map(json_bytes).sum()
    }
}

/// One list, read to its end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// The entries of all pages, as they were sent.
    pub entries: Vec<Value>,
    /// How many pages there were.
    pub pages: usize,
    /// The result that was the first page, without the list itself.
    pub first_result: Option<Map<String, Value>>,
    /// Why it is not the whole list, if it is not.
    pub cut: Option<String>,
}

/// A view of one published tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a> {
    /// Its name, of any form.
    pub name: &'a str,
    /// All that was sent.
    pub raw: &'a Map<String, Value>,
}

impl<'a> Tool<'a> {
    /// The tool, when the entry is an object with a name.
    pub fn of(entry: &'a Value) -> Option<Self> {
        let raw = entry.as_object()?;
        let name = raw.get("name")?.as_str()?;
        Some(Self { name, raw })
    }

    /// A member that is a text.
    pub fn text(&self, member: &str) -> Option<&'a str> {
        self.raw.get(member)?.as_str()
    }

    /// The description, or an empty text.
    pub fn description(&self) -> &'a str {
        self.text("description").unwrap_or_default()
    }

    /// A hint such as `readOnlyHint`, when it is a truth value.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.raw.get("annotations")?.get(name)?.as_bool()
    }

    /// The input schema, when it is an object.
    pub fn input_schema(&self) -> Option<&'a Map<String, Value>> {
        self.raw.get("inputSchema")?.as_object()
    }

    /// The output schema, when it is an object.
    pub fn output_schema(&self) -> Option<&'a Map<String, Value>> {
        self.raw.get("outputSchema")?.as_object()
    }

    /// Its bytes as compact JSON.
    pub fn bytes(&self) -> usize {
        json_bytes(self.raw)
    }
}
