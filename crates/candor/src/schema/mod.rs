//! JSON Schema as far as the checks need it: a walk over schema positions,
//! references, and a judgement of values that errs on the silent side.

pub(crate) mod judge;

use candor_contract::shortened;
use serde_json::{Map, Value};

/// How deep a schema is followed. Deeper ones do not exist outside attacks.
const DEPTH: usize = 100;

/// How many characters of a name stand in a place. Every place below repeats
/// it, so that a name of megabytes would fill the memory.
const NAME_CHARACTERS: usize = 80;

/// Which part of its parent a schema is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role<'a> {
    /// The whole schema.
    Root,
    /// A named property of an object.
    Property {
        /// Its name.
        name: &'a str,
        /// Whether the object must have it.
        is_required: bool,
        /// Whether the object is the root.
        is_top: bool,
    },
    /// An entry of `$defs` or `definitions`.
    Definition,
    /// One of several alternatives or conditions (`anyOf`, `not`, …).
    Branch,
    /// What an array holds.
    Item,
    /// What further properties are (`additionalProperties`, …).
    Additional,
}

/// One schema inside another.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a> {
    /// The schema: an object, `true` or `false` if it is well-formed.
    pub(crate) schema: &'a Value,
    /// Where it is: `inputSchema/properties/limit`.
    pub(crate) path: String,
    /// Which part it is.
    pub(crate) role: Role<'a>,
}

impl<'a> Node<'a> {
    /// Its members, when it is an object.
    pub(crate) fn members(&self) -> Option<&'a Map<String, Value>> {
        self.schema.as_object()
    }
}

const LISTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];
const SINGLES: [&str; 12] = [
    "items",
    "contains",
    "additionalItems",
    "unevaluatedItems",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];

/// All schemas inside `schema`, itself first, each before what is inside it.
/// Only schema positions are followed: a property named `default` is a
/// property.
pub(crate) fn nodes<'a>(schema: &'a Value, path: &str) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    collect(schema, path, Role::Root, 0, &mut found);
    found
}

fn collect<'a>(schema: &'a Value, path: &str, role: Role<'a>, depth: usize, found: &mut Vec<Node<'a>>) {
    found.push(Node {
        schema,
        path: path.to_owned(),
        role,
    });
    let Some(members) = schema.as_object() else { return };
    if depth >= DEPTH {
        return;
    }
    let required = members.get("required").and_then(Value::as_array);
    for (keyword, value) in members {
        let keyword = keyword.as_str();
        let below = format!("{path}/{keyword}");
        if MAPS.contains(&keyword) {
            for (name, inner) in value.as_object().into_iter().flatten() {
                let role = match keyword {
                    "properties" => Role::Property {
                        name,
                        is_required: required.is_some_and(|names| names.iter().any(|known| known == name)),
                        is_top: role == Role::Root,
                    },
                    "$defs" | "definitions" => Role::Definition,
                    "patternProperties" => Role::Additional,
                    _ => Role::Branch,
                };
                collect(
                    inner,
                    &format!("{below}/{}", shortened(name, NAME_CHARACTERS)),
                    role,
                    depth + 1,
                    found,
                );
            }
        } else if LISTS.contains(&keyword) || (keyword == "items" && value.is_array()) {
            let role = match keyword {
                "prefixItems" | "items" => Role::Item,
                _ => Role::Branch,
            };
            for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
                collect(inner, &format!("{below}/{index}"), role, depth + 1, found);
            }
        } else if SINGLES.contains(&keyword) {
            let role = match keyword {
                "items" | "contains" | "additionalItems" | "unevaluatedItems" => Role::Item,
                "additionalProperties" | "unevaluatedProperties" => Role::Additional,
                _ => Role::Branch,
            };
            collect(value, &below, role, depth + 1, found);
        }
    }
}

/// Whether the schema's `type` is or contains `kind`.
pub(crate) fn has_type(members: &Map<String, Value>, kind: &str) -> bool {
    match members.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => false,
    }
}

/// Follows a reference inside `root`: `#`, `#/$defs/Name`, or the `$anchor` or
/// `$id` of a schema inside it.
pub(crate) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    if let Some(fragment) = reference.strip_prefix('#') {
        if fragment.is_empty() || fragment.starts_with('/') {
            return root.pointer(&percent_decoded(fragment));
        }
        return nodes(root, "")
            .into_iter()
            .find(|node| {
                let anchor = |keyword: &str| node.schema.get(keyword).and_then(Value::as_str) == Some(fragment);
                anchor("$anchor") || anchor("$dynamicAnchor")
            })
            .map(|node| node.schema);
    }
    nodes(root, "")
        .into_iter()
        .find(|node| node.schema.get("$id").and_then(Value::as_str) == Some(reference))
        .map(|node| node.schema)
}

/// A JSON pointer in a fragment may have its letters percent-encoded.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let decoded = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_schema_positions_are_walked() {
        let schema = json!({
            "properties": {"default": {"type": "string"}, "a": {"items": {"type": "integer"}}},
            "required": ["a"],
            "default": {"properties": {"not": {"a": "schema"}}},
            "enum": [{"type": "x"}]
        });
        let found: Vec<String> = nodes(&schema, "s").into_iter().map(|node| node.path).collect();
        assert_eq!(
            found,
            ["s", "s/properties/default", "s/properties/a", "s/properties/a/items"]
        );
    }

    #[test]
    fn references_are_followed_inside_only() {
        let schema = json!({"$defs": {"a b": {"$anchor": "here", "type": "string"}}});
        let inner = &schema["$defs"]["a b"];
        assert_eq!(resolve(&schema, "#/$defs/a%20b"), Some(inner));
        assert_eq!(resolve(&schema, "#here"), Some(inner));
        assert_eq!(resolve(&schema, "#"), Some(&schema));
        assert_eq!(resolve(&schema, "#/$defs/b"), None);
        assert_eq!(resolve(&schema, "https://example.com/schema"), None);
    }
}
