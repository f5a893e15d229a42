//! `events.jsonl`: what happened, for whoever shows it.

use std::fs::{self, OpenOptions};
use std::io::Write;

use serde_json::{Map, Value};

use crate::time::now;
use crate::{Layout, Project};

/// Something that happened. Known kinds are `build_ok`, `build_error`, `after_import_error`, `alias_set`,
/// `alias_renamed`, `alias_removed`, `recalc`, `unfaithful_heal` and `project_reset`.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    kind: String,
    fields: Map<String, Value>,
}

impl Event {
    /// An event of a kind.
    pub fn new(kind: &str) -> Self {
        Self {
            kind: kind.into(),
            fields: Map::new(),
        }
    }

    /// Adds a fact; a null is left out.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        if !value.is_null() {
            self.fields.insert(name.into(), value);
        }
        self
    }

    fn category(&self) -> &'static str {
        match self.kind.as_str() {
            "build_ok" | "build_error" | "after_import_error" => "mcp",
            "alias_set" | "alias_renamed" | "alias_removed" => "alias",
            _ => "other",
        }
    }

    fn to_line(&self) -> String {
        let mut line = Map::new();
        line.insert("ts".into(), now().into());
        line.insert("kind".into(), self.kind.as_str().into());
        line.insert("category".into(), self.category().into());
        line.extend(self.fields.clone());
        format!("{}\n", Value::Object(line))
    }
}

impl Project {
    /// Adds an event to the log of the project, with one write. Best effort: what happened has happened, whether it
    /// can be told or not.
    pub fn log(&self, event: &Event) {
        append(self.layout(), &event.to_line());
    }
}

fn append(layout: &Layout, line: &str) {
    let path = layout.events();
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
        let _ = file.write_all(line.as_bytes());
    }
}
