//! The form of every success: bounded, and described together with what is added to all replies.

use std::borrow::Cow;

use candor_contract::{REPLY_BYTES, json_bytes};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Bytes that a reply keeps for what is added to it: the project, a warning, new errors.
const KEPT: usize = 6_000;

/// Lists shorter than this are not cut: cutting them frees nothing worth the loss.
const SHORT: usize = 8;

/// The answer of a tool, with lists cut so that hosts show all of it.
pub(crate) struct Reply<T>(pub(crate) T);

impl<T: Serialize> Serialize for Reply<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        if let Value::Object(members) = &mut value {
            bound(members, REPLY_BYTES - KEPT);
        }
        value.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Reply<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            for (name, property) in properties.iter_mut() {
                without_words(property);
                match name.as_str() {
                    // The answer of `catalog_recalc`, published there once; and what is seldom there.
                    "recalc" | "verify" => *property = json!({"type": "object"}),
                    "parents" | "orphan_stale" => *property = json!({"type": "array", "items": {"type": "object"}}),
                    _ => {}
                }
            }
            let mut add = |name: &str, schema: Value| {
                if !properties.contains_key(name) {
                    properties.insert(name.into(), schema);
                }
            };
            add("project", json!({"type": "string"}));
            add("warning", json!({"type": "string"}));
        }
        schema
    }
}

/// Takes out of a schema what costs an agent more than it tells: names say what the members are, and an agent reads the answer itself. What a
/// member's name does not say stands in the tool's description.
fn without_words(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    for keyword in ["description", "required", "format", "minimum"] {
        members.shift_remove(keyword);
    }
    for (keyword, value) in members.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    without_words(property);
                    if name == "reasons" {
                        *property = json!({"type": "array", "items": {"type": "object"}});
                    }
                }
            }
            ("items" | "additionalProperties", value) => without_words(value),
            ("anyOf" | "oneOf", Value::Array(alternatives)) => alternatives.iter_mut().for_each(without_words),
            _ => {}
        }
    }
}

/// Cuts the longest lists and maps of an answer until it has at most `limit` bytes. Says so: `truncated`, and in
/// `totals` how long each of them was.
fn bound(members: &mut Map<String, Value>, limit: usize) {
    let mut totals = Map::new();
    // Each round cuts one list for good, so a few suffice.
    for _ in 0..16 {
        let bytes = json_bytes(members);
        if bytes <= limit {
            break;
        }
        let Some(path) = longest(members) else { break };
        let Some(list) = at(members, &path) else { break };
        let size = json_bytes(list);
        let keep = size.saturating_sub(bytes - limit + 200);
        let count = cut(list, keep);
        totals.entry(path.join(".")).or_insert_with(|| count.into());
    }
    if !totals.is_empty() {
        members.insert("truncated".into(), true.into());
        members.insert("totals".into(), totals.into());
    }
}

/// The path of the list or map with the most bytes, two levels deep.
fn longest(members: &Map<String, Value>) -> Option<Vec<String>> {
    let mut found: Option<(usize, Vec<String>)> = None;
    let mut look = |path: Vec<String>, value: &Value| {
        let length = match value {
            Value::Array(list) => list.len(),
            Value::Object(map) => map.len(),
            _ => 0,
        };
        let bytes = json_bytes(value);
        if length > SHORT && found.as_ref().is_none_or(|(most, _)| bytes > *most) {
            found = Some((bytes, path));
        }
    };
    for (name, value) in members {
        look(vec![name.clone()], value);
        if let Value::Object(inner) = value
            && inner.len() <= SHORT + 6
        {
            for (below, value) in inner {
                look(vec![name.clone(), below.clone()], value);
            }
        }
    }
    found.map(|(_, path)| path)
}

fn at<'a>(members: &'a mut Map<String, Value>, path: &[String]) -> Option<&'a mut Value> {
    let (first, rest) = path.split_first()?;
    let value = members.get_mut(first)?;
    if rest.is_empty() {
        Some(value)
    } else {
        at(value.as_object_mut()?, rest)
    }
}

/// Keeps the first members that fit in `bytes`, at least a few. Says how many there were.
fn cut(value: &mut Value, bytes: usize) -> usize {
    let mut left = bytes;
    let mut fits = |needed: usize, index: usize| {
        let fits = index < SHORT || left >= needed;
        left = left.saturating_sub(needed);
        fits
    };
    match value {
        Value::Array(list) => {
            let count = list.len();
            let kept = list
                .iter()
                .enumerate()
                .take_while(|(index, item)| fits(json_bytes(*item) + 1, *index))
                .count();
            list.truncate(kept);
            count
        }
        Value::Object(map) => {
            let count = map.len();
            let kept = map
                .iter()
                .enumerate()
                .take_while(|(index, (name, item))| fits(name.len() + json_bytes(*item) + 4, *index))
                .count();
            *map = std::mem::take(map).into_iter().take(kept).collect();
            count
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(members) => members,
            other => panic!("no object: {other}"),
        }
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        let mut members = object(json!({"rows": [1, 2, 3], "project": "p"}));
        let before = members.clone();
        bound(&mut members, 1_000);
        assert_eq!(members, before);
    }

    #[test]
    fn the_longest_list_is_cut_and_its_length_told() {
        let columns: Vec<String> = (0..500).map(|number| format!("column_{number}")).collect();
        let mut members = object(json!({"schema": {"fields": columns}, "parents": ["a"], "hash": "h"}));
        bound(&mut members, 2_000);
        assert!(json_bytes(&members) <= 2_000);
        assert_eq!(members["truncated"], json!(true));
        assert_eq!(members["totals"], json!({"schema.fields": 500}));
        assert_eq!(members["schema"]["fields"][0], json!("column_0"));
        assert_eq!(members["parents"], json!(["a"]));
    }

    #[test]
    fn a_map_is_cut_as_a_list_is() {
        let results: Map<String, Value> = (0..300).map(|number| (format!("{number:012}"), true.into())).collect();
        let mut members = object(json!({"verify": {"results": results}, "entries": {}}));
        bound(&mut members, 1_000);
        assert!(json_bytes(&members) <= 1_000);
        assert_eq!(members["totals"], json!({"verify.results": 300}));
    }
}
