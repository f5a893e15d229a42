//! What changed between two contracts, and whom it hurts.

mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::lock::Contract;
use schema::Direction;

/// How much a difference matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// More is possible than before; whoever knew the old contract can go on.
    Additive,
    /// A model is told something else (descriptions, titles, hints, defaults):
    /// no call fails by it, but other calls may be made.
    Behavioural,
    /// A call that was right is refused, or a reply holds what its reader does
    /// not expect.
    Breaking,
}

impl Class {
    /// As it is written in every format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Behavioural => "behavioural",
            Self::Breaking => "breaking",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// How much it matters.
    pub class: Class,
    /// What it is about: `tools/NAME`, `prompts/NAME`, `resources/URI`,
    /// `resourceTemplates/URI` or `instructions`.
    pub subject: String,
    /// The place inside it, such as `inputSchema/properties/limit/maximum`;
    /// empty for the whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// What changed, in a few words.
    pub message: String,
    /// What stood there before, as compact JSON, when something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What stands there now, as compact JSON, when something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Everything that differs: the most harmful first, then by subject and path.
pub fn compare(before: &Contract, after: &Contract) -> Vec<Difference> {
    let mut found = Found::default();
    found.subject("instructions");
    if before.instructions != after.instructions {
        found.push(
            Class::Behavioural,
            "",
            "the instructions for the model changed",
            before.instructions.clone().map(Value::String).as_ref(),
            after.instructions.clone().map(Value::String).as_ref(),
        );
    }
    let groups: [(&str, &str, &Entries, &Entries); 4] = [
        ("tools", "tool", &before.tools, &after.tools),
        ("prompts", "prompt", &before.prompts, &after.prompts),
        ("resources", "resource", &before.resources, &after.resources),
        (
            "resourceTemplates",
            "resource template",
            &before.resource_templates,
            &after.resource_templates,
        ),
    ];
    for (group, kind, before, after) in groups {
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            found.subject(&format!("{group}/{name}"));
            match (before.get(name), after.get(name)) {
                (Some(_), None) => found.push(Class::Breaking, "", &format!("the {kind} is gone"), None, None),
                (None, Some(_)) => found.push(Class::Additive, "", &format!("the {kind} is new"), None, None),
                (Some(before), Some(after)) => entry(&mut found, before, after),
                (None, None) => {}
            }
        }
    }
    let mut differences = found.differences;
    differences
        .sort_by(|one, other| (other.class, &one.subject, &one.path).cmp(&(one.class, &other.subject, &other.path)));
    differences
}

type Entries = BTreeMap<String, Map<String, Value>>;

/// Compares the members of one tool, prompt or resource.
fn entry(found: &mut Found, before: &Map<String, Value>, after: &Map<String, Value>) {
    let members: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for member in members {
        let (old, new) = (before.get(member), after.get(member));
        if old == new {
            continue;
        }
        match member.as_str() {
            "inputSchema" => schema::compare_roots(found, member, old, new, Direction::Input),
            "outputSchema" => schema::compare_roots(found, member, old, new, Direction::Output),
            "annotations" => annotations(found, old, new),
            "arguments" => prompt_arguments(found, old, new),
            "mimeType" => found.push(Class::Breaking, member, "the media type changed", old, new),
            _ => found.push(
                Class::Behavioural,
                member,
                &format!("the {member} {}", did(old, new)),
                old,
                new,
            ),
        }
    }
}

/// Hints, one by one.
fn annotations(found: &mut Found, before: Option<&Value>, after: Option<&Value>) {
    let empty = Map::new();
    let of = |value: Option<&Value>| {
        value
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_else(|| empty.clone())
    };
    let (before, after) = (of(before), of(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        if old != new {
            let message = format!("the hint `{name}` {}", did(old, new));
            found.push(Class::Behavioural, &format!("annotations/{name}"), &message, old, new);
        }
    }
}

/// The arguments of a prompt: a list of names, some of them required.
fn prompt_arguments(found: &mut Found, before: Option<&Value>, after: Option<&Value>) {
    let by_name = |value: Option<&Value>| -> BTreeMap<String, Value> {
        let list = value.and_then(Value::as_array).cloned().unwrap_or_default();
        list.into_iter()
            .filter_map(|argument| Some((argument.get("name")?.as_str()?.to_owned(), argument)))
            .collect()
    };
    let is_required = |argument: &Value| argument.get("required").and_then(Value::as_bool).unwrap_or(false);
    let (before, after) = (by_name(before), by_name(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let path = format!("arguments/{name}");
        let (class, message) = match (before.get(name), after.get(name)) {
            (Some(_), None) => (Class::Breaking, "the argument is gone"),
            (None, Some(argument)) if is_required(argument) => (Class::Breaking, "a required argument is new"),
            (None, Some(_)) => (Class::Additive, "an optional argument is new"),
            (Some(old), Some(new)) if old == new => continue,
            (Some(old), Some(new)) => match (is_required(old), is_required(new)) {
                (false, true) => (Class::Breaking, "the argument is required now"),
                (true, false) => (Class::Additive, "the argument is optional now"),
                _ => (Class::Behavioural, "the argument is described otherwise"),
            },
            (None, None) => continue,
        };
        found.push(class, &path, message, before.get(name), after.get(name));
    }
}

/// What happened to a member.
fn did(before: Option<&Value>, after: Option<&Value>) -> &'static str {
    match (before, after) {
        (None, _) => "is new",
        (_, None) => "is gone",
        _ => "changed",
    }
}

/// Differences as they are found.
#[derive(Debug, Default)]
struct Found {
    subject: String,
    differences: Vec<Difference>,
}

impl Found {
    fn subject(&mut self, subject: &str) {
        subject.clone_into(&mut self.subject);
    }

    fn push(&mut self, class: Class, path: &str, message: &str, before: Option<&Value>, after: Option<&Value>) {
        self.differences.push(Difference {
            class,
            subject: self.subject.clone(),
            path: path.to_owned(),
            message: message.to_owned(),
            before: before.map(Value::to_string),
            after: after.map(Value::to_string),
        });
    }
}

#[cfg(test)]
mod tests;
