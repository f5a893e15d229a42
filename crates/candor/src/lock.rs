//! What a server publishes, as a file to keep in a repository.
//!
//! The file is JSON that a person can review: tools sorted by name, a member a
//! line, descriptions of several lines as lists of lines, nothing that changes
//! without the contract changing (no versions, no times, no order of lists).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::Published;
use crate::published::Listing;

/// The version of the file's form.
const FORM: u64 = 1;

/// The members of a tool that are part of the contract, in the order in which
/// they are written.
const TOOL_MEMBERS: &[&str] = &["title", "description", "annotations", "inputSchema", "outputSchema"];
const PROMPT_MEMBERS: &[&str] = &["title", "description", "arguments"];
const RESOURCE_MEMBERS: &[&str] = &["name", "title", "description", "mimeType"];

/// The published contract of a server.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contract {
    /// The name in `serverInfo`, empty when there is none.
    pub server: String,
    /// The instructions for the model.
    pub instructions: Option<String>,
    /// The tools by name.
    pub tools: BTreeMap<String, Map<String, Value>>,
    /// The prompts by name.
    pub prompts: BTreeMap<String, Map<String, Value>>,
    /// The resources by URI.
    pub resources: BTreeMap<String, Map<String, Value>>,
    /// The resource templates by URI template.
    pub resource_templates: BTreeMap<String, Map<String, Value>>,
}

/// Why a contract cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The text is no JSON.
    #[error("is no JSON: {0}; write it anew with `candor pin`")]
    NoJson(#[from] serde_json::Error),
    /// The text is JSON of another kind.
    #[error("is no lock file of candor: {0}; write it anew with `candor pin`")]
    NoLock(String),
    /// The file is of a newer form.
    #[error("has form {0}, and this program knows forms up to {FORM}; use a newer `candor`")]
    Newer(u64),
    /// A list was not read to its end, so that the contract would lack a part.
    #[error("`{list}` could not be read to its end: {why}; nothing is pinned that was not seen whole")]
    Incomplete {
        /// The list.
        list: &'static str,
        /// Why.
        why: String,
    },
    /// Two entries of one name; which of them counts is anybody's guess.
    #[error("`{list}` holds `{name}` twice; a contract needs names that mean one thing")]
    Twice {
        /// The list.
        list: &'static str,
        /// The name.
        name: String,
    },
    /// An entry without a name.
    #[error("`{list}` holds an entry without a `{member}`; `candor check` says where")]
    Nameless {
        /// The list.
        list: &'static str,
        /// The member that is missing.
        member: &'static str,
    },
}

impl Contract {
    /// The contract in what was read.
    ///
    /// # Errors
    /// When a list is not whole, or its entries cannot be told apart.
    pub fn of(published: &Published) -> Result<Self, LockError> {
        let listed = |list, listing: Option<&Listing>, key, members| match listing {
            Some(listing) => entries(list, listing, key, members),
            None => Ok(BTreeMap::new()),
        };
        Ok(Self {
            server: published.server_text("name").unwrap_or_default().to_owned(),
            instructions: published
                .introduction
                .get("instructions")
                .and_then(Value::as_str)
                .map(str::to_owned),
            tools: entries("tools/list", &published.tools, "name", TOOL_MEMBERS)?,
            prompts: listed("prompts/list", published.prompts.as_ref(), "name", PROMPT_MEMBERS)?,
            resources: listed("resources/list", published.resources.as_ref(), "uri", RESOURCE_MEMBERS)?,
            resource_templates: listed(
                "resources/templates/list",
                published.resource_templates.as_ref(),
                "uriTemplate",
                RESOURCE_MEMBERS,
            )?,
        })
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// When the text is no lock file, or one of a newer form.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let value: Value = serde_json::from_str(text)?;
        let root = value
            .as_object()
            .ok_or_else(|| LockError::NoLock("its root is no object".to_owned()))?;
        match root.get("candorLock").map(Value::as_u64) {
            Some(Some(form)) if form > FORM => return Err(LockError::Newer(form)),
            Some(Some(_)) => {}
            _ => return Err(LockError::NoLock("`candorLock` is missing".to_owned())),
        }
        let group = |name: &str| -> Result<BTreeMap<String, Map<String, Value>>, LockError> {
            let Some(group) = root.get(name) else {
                return Ok(BTreeMap::new());
            };
            let group = group
                .as_object()
                .ok_or_else(|| LockError::NoLock(format!("`{name}` is no object")))?;
            group
                .iter()
                .map(|(key, entry)| {
                    let entry = entry
                        .as_object()
                        .ok_or_else(|| LockError::NoLock(format!("`{name}/{key}` is no object")))?;
                    Ok((key.clone(), with_whole_texts(entry)))
                })
                .collect()
        };
        Ok(Self {
            server: root
                .get("server")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            instructions: root.get("instructions").and_then(whole_text),
            tools: group("tools")?,
            prompts: group("prompts")?,
            resources: group("resources")?,
            resource_templates: group("resourceTemplates")?,
        })
    }

    /// The text of the lock file, ending with a line end.
    pub fn to_text(&self) -> String {
        let mut root = Map::new();
        root.insert("candorLock".to_owned(), json!(FORM));
        root.insert("server".to_owned(), json!(self.server));
        if let Some(instructions) = &self.instructions {
            root.insert("instructions".to_owned(), in_lines(instructions));
        }
        let groups = [
            ("tools", &self.tools),
            ("prompts", &self.prompts),
            ("resources", &self.resources),
            ("resourceTemplates", &self.resource_templates),
        ];
        for (name, group) in groups {
            if name != "tools" && group.is_empty() {
                continue;
            }
            let group: Map<String, Value> = group
                .iter()
                .map(|(key, entry)| (key.clone(), Value::Object(with_texts_in_lines(entry))))
                .collect();
            root.insert(name.to_owned(), Value::Object(group));
        }
        let mut text = serde_json::to_string_pretty(&root).expect("JSON of texts and numbers can be written");
        let _ = writeln!(text);
        text
    }
}

fn entries(
    list: &'static str,
    listing: &Listing,
    key: &'static str,
    members: &[&str],
) -> Result<BTreeMap<String, Map<String, Value>>, LockError> {
    if let Some(why) = &listing.cut {
        return Err(LockError::Incomplete { list, why: why.clone() });
    }
    let mut found = BTreeMap::new();
    for entry in &listing.entries {
        let name = entry
            .get(key)
            .and_then(Value::as_str)
            .ok_or(LockError::Nameless { list, member: key })?;
        let kept: Map<String, Value> = members
            .iter()
            .filter_map(|&member| Some((member.to_owned(), entry.get(member)?.clone())))
            .collect();
        if found.insert(name.to_owned(), kept).is_some() {
            return Err(LockError::Twice {
                list,
                name: name.to_owned(),
            });
        }
    }
    Ok(found)
}

/// A text of several lines as a list of them: a change then shows as the line
/// that changed.
fn in_lines(text: &str) -> Value {
    if text.contains('\n') {
        Value::Array(text.split('\n').map(Value::from).collect())
    } else {
        Value::from(text)
    }
}

/// The text again.
fn whole_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => {
            let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
            Some(lines?.join("\n"))
        }
        _ => None,
    }
}

/// Only the description of the entry itself is broken into lines: inside a
/// schema a member named `description` may be anything.
fn with_texts_in_lines(entry: &Map<String, Value>) -> Map<String, Value> {
    let mut entry = entry.clone();
    if let Some(Value::String(text)) = entry.get("description") {
        let lines = in_lines(text);
        entry.insert("description".to_owned(), lines);
    }
    entry
}

fn with_whole_texts(entry: &Map<String, Value>) -> Map<String, Value> {
    let mut entry = entry.clone();
    if let Some(text) = entry.get("description").and_then(whole_text) {
        entry.insert("description".to_owned(), Value::String(text));
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(tools: &Value) -> Published {
        let mut published = Published::default();
        published
            .introduction
            .insert("serverInfo".to_owned(), json!({"name": "shop", "version": "9.9.9"}));
        published.tools.entries = tools.as_array().expect("a list").clone();
        published
    }

    #[test]
    fn a_lock_file_is_sorted_and_reads_back_as_it_was() {
        let published = published(&json!([
            {"name": "sell", "inputSchema": {"type": "object"}, "icons": [], "title": "Sell"},
            {"name": "buy", "description": "Buys.\nSlowly.", "inputSchema": {"type": "object"}},
        ]));
        let contract = Contract::of(&published).expect("can be pinned");
        let text = contract.to_text();
        insta::assert_snapshot!(text, @r#"
        {
          "candorLock": 1,
          "server": "shop",
          "tools": {
            "buy": {
              "description": [
                "Buys.",
                "Slowly."
              ],
              "inputSchema": {
                "type": "object"
              }
            },
            "sell": {
              "title": "Sell",
              "inputSchema": {
                "type": "object"
              }
            }
          }
        }
        "#);
        assert_eq!(Contract::parse(&text).expect("reads back"), contract);
    }

    #[test]
    fn what_was_not_seen_whole_is_not_pinned() {
        let mut cut = published(&json!([]));
        cut.tools.cut = Some("no reply".to_owned());
        assert!(matches!(
            Contract::of(&cut),
            Err(LockError::Incomplete { list: "tools/list", .. })
        ));
        let twice = published(&json!([{"name": "a"}, {"name": "a"}]));
        assert!(matches!(Contract::of(&twice), Err(LockError::Twice { .. })));
        let nameless = published(&json!([{"title": "a"}]));
        assert!(matches!(Contract::of(&nameless), Err(LockError::Nameless { .. })));
    }

    #[test]
    fn a_file_of_another_kind_is_refused_with_the_reason() {
        let said = |text: &str| Contract::parse(text).expect_err("is refused").to_string();
        assert!(said("{").starts_with("is no JSON"));
        assert!(said("[]").contains("root is no object"));
        assert!(said("{\"tools\":{}}").contains("`candorLock` is missing"));
        assert!(said("{\"candorLock\":2}").contains("newer"));
        assert!(said("{\"candorLock\":1,\"tools\":{\"a\":3}}").contains("`tools/a` is no object"));
    }
}
