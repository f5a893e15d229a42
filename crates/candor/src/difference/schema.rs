//! Two versions of a JSON Schema: does it accept less, more, or the same?
//!
//! A schema of arguments may only come to accept more; one of results may only
//! come to promise more, which is to accept less. So the same comparison
//! serves both: it says *narrower* or *wider*, and [`Direction`] says which of
//! them breaks somebody. What cannot be compared member by member (`allOf`,
//! `not`, `$ref`, ...) and changed counts as both.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Class, Found};

/// Who writes what the schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The client: arguments.
    Input,
    /// The server: results.
    Output,
}

impl Direction {
    const fn narrower(self) -> Class {
        match self {
            Self::Input => Class::Breaking,
            Self::Output => Class::Additive,
        }
    }

    const fn wider(self) -> Class {
        match self {
            Self::Input => Class::Additive,
            Self::Output => Class::Breaking,
        }
    }
}

/// Keywords that only say something to a reader.
const SAYINGS: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$id",
];

/// Numbers that narrow a schema as they grow.
const LOWER_BOUNDS: &[&str] = &["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

/// Numbers that narrow a schema as they shrink.
const UPPER_BOUNDS: &[&str] = &["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/// Deeper than this two schemas are compared as wholes: nobody reads a schema
/// that deep, and a hostile server must not exhaust the stack.
const DEPTH: usize = 64;

/// Compares whole schemas, either of which may be missing.
pub(super) fn compare_roots(
    found: &mut Found,
    path: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    direction: Direction,
) {
    match (before, after) {
        (Some(before), Some(after)) => compare(found, path, before, after, direction, 0),
        // Without an output schema a client reads the text alone.
        (None, Some(_)) => found.push(direction.narrower(), path, "the schema is new", None, None),
        (Some(_), None) => found.push(direction.wider(), path, "the schema is gone", None, None),
        (None, None) => {}
    }
}

fn compare(found: &mut Found, path: &str, before: &Value, after: &Value, direction: Direction, depth: usize) {
    if before == after {
        return;
    }
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        // `true` and `false` are schemas too.
        let class = match (before, after) {
            (_, Value::Bool(true)) | (Value::Bool(false), _) => direction.wider(),
            (_, Value::Bool(false)) | (Value::Bool(true), _) => direction.narrower(),
            _ => Class::Breaking,
        };
        found.push(class, path, "the schema is another one", Some(before), Some(after));
        return;
    };
    if depth >= DEPTH {
        found.push(
            Class::Breaking,
            path,
            "the schema changed, too deep inside to say how",
            None,
            None,
        );
        return;
    }
    let keywords: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for keyword in keywords {
        let (one, other) = (old.get(keyword), new.get(keyword));
        if one == other {
            continue;
        }
        let here = format!("{path}/{keyword}");
        match keyword.as_str() {
            name if SAYINGS.contains(&name) => {
                let message = format!("`{name}` {}", super::did(one, other));
                found.push(Class::Behavioural, &here, &message, one, other);
            }
            "type" => types(found, &here, one, other, direction),
            "enum" | "const" => values(found, &here, keyword, one, other, direction),
            "required" => required(found, path, old, new, direction),
            "properties" => properties(found, path, old, new, direction, depth),
            "additionalProperties" | "items" | "unevaluatedProperties" => {
                let anything = Value::Bool(true);
                compare(
                    found,
                    &here,
                    one.unwrap_or(&anything),
                    other.unwrap_or(&anything),
                    direction,
                    depth + 1,
                );
            }
            "anyOf" | "oneOf" => alternatives(found, &here, one, other, direction, depth),
            name if LOWER_BOUNDS.contains(&name) => bounds(found, &here, name, one, other, direction, false),
            name if UPPER_BOUNDS.contains(&name) => bounds(found, &here, name, one, other, direction, true),
            "pattern" | "format" | "multipleOf" | "uniqueItems" | "contentEncoding" | "contentMediaType" => {
                let class = match (one, other) {
                    (None, _) => direction.narrower(),
                    (_, None) => direction.wider(),
                    _ => Class::Breaking,
                };
                let message = format!("`{keyword}` {}", super::did(one, other));
                found.push(class, &here, &message, one, other);
            }
            // Members that start with `x-` are nobody's constraint.
            name if name.starts_with("x-") => {
                let message = format!("`{name}` {}", super::did(one, other));
                found.push(Class::Behavioural, &here, &message, one, other);
            }
            "$defs" | "definitions" => definitions(found, &here, one, other, direction, depth),
            name => {
                let message = format!(
                    "`{name}` {}; what that means for a call cannot be told",
                    super::did(one, other)
                );
                found.push(Class::Breaking, &here, &message, one, other);
            }
        }
    }
}

/// The set of types, `None` for any.
fn type_set(value: Option<&Value>) -> Option<BTreeSet<String>> {
    let names: BTreeSet<String> = match value? {
        Value::String(name) => BTreeSet::from([name.clone()]),
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return None,
    };
    // Every integer is a number.
    let integers = names.contains("number").then(|| "integer".to_owned());
    Some(names.into_iter().chain(integers).collect())
}

fn types(found: &mut Found, path: &str, before: Option<&Value>, after: Option<&Value>, direction: Direction) {
    let class = match (type_set(before), type_set(after)) {
        (Some(old), Some(new)) if old == new => return,
        (_, None) => direction.wider(),
        (None, _) => direction.narrower(),
        (Some(old), Some(new)) if new.is_superset(&old) => direction.wider(),
        (Some(old), Some(new)) if new.is_subset(&old) => direction.narrower(),
        _ => Class::Breaking,
    };
    found.push(class, path, "the type changed", before, after);
}

fn values(
    found: &mut Found,
    path: &str,
    keyword: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    direction: Direction,
) {
    let list = |value: Option<&Value>| -> Option<Vec<Value>> {
        Some(match value? {
            Value::Array(values) if keyword == "enum" => values.clone(),
            value => vec![value.clone()],
        })
    };
    let (Some(old), Some(new)) = (list(before), list(after)) else {
        let (class, message) = if before.is_none() {
            (direction.narrower(), "only certain values are possible now")
        } else {
            (direction.wider(), "all values are possible now")
        };
        found.push(class, path, message, before, after);
        return;
    };
    let missing = |from: &[Value], other: &[Value]| -> Vec<String> {
        from.iter()
            .filter(|value| !other.contains(value))
            .map(Value::to_string)
            .collect()
    };
    let gone = missing(&old, &new);
    if !gone.is_empty() {
        let message = format!("no longer a value: {}", gone.join(", "));
        found.push(direction.narrower(), path, &message, before, after);
    }
    let added = missing(&new, &old);
    if !added.is_empty() {
        let message = format!("a value now: {}", added.join(", "));
        found.push(direction.wider(), path, &message, before, after);
    }
}

fn names(value: Option<&Value>) -> BTreeSet<&str> {
    value
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

/// Whether a property is there; one that is named in `required` alone counts.
fn required(found: &mut Found, path: &str, old: &Map<String, Value>, new: &Map<String, Value>, direction: Direction) {
    let (before, after) = (names(old.get("required")), names(new.get("required")));
    for name in after.difference(&before) {
        // A new property that is required is told of once, where it appears.
        if has_property(old, name) || !has_property(new, name) {
            let here = format!("{path}/properties/{name}");
            found.push(direction.narrower(), &here, "is required now", None, None);
        }
    }
    for name in before.difference(&after) {
        if has_property(new, name) || !has_property(old, name) {
            let here = format!("{path}/properties/{name}");
            found.push(direction.wider(), &here, "is optional now", None, None);
        }
    }
}

fn has_property(schema: &Map<String, Value>, name: &str) -> bool {
    schema
        .get("properties")
        .and_then(|properties| properties.get(name))
        .is_some()
}

fn properties(
    found: &mut Found,
    path: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    direction: Direction,
    depth: usize,
) {
    let empty = Map::new();
    let of = |schema: &Map<String, Value>| {
        schema
            .get("properties")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_else(|| empty.clone())
    };
    let (before, after) = (of(old), of(new));
    let required = names(new.get("required"));
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in all {
        let here = format!("{path}/properties/{name}");
        match (before.get(name), after.get(name)) {
            (Some(one), Some(other)) => compare(found, &here, one, other, direction, depth + 1),
            (Some(one), None) => {
                // An argument that is ignored from now on is as bad as one
                // that is refused; a result that is missing as well.
                found.push(Class::Breaking, &here, "is gone", Some(one), None);
            }
            (None, Some(other)) => {
                let (class, message) = if direction == Direction::Input && required.contains(name.as_str()) {
                    (Class::Breaking, "is new and required")
                } else {
                    (Class::Additive, "is new")
                };
                found.push(class, &here, message, None, Some(other));
            }
            (None, None) => {}
        }
    }
}

fn bounds(
    found: &mut Found,
    path: &str,
    keyword: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    direction: Direction,
    is_upper: bool,
) {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64);
    let class = match (number(before), number(after)) {
        (Some(_), None) => direction.wider(),
        (Some(old), Some(new)) if (new > old) == is_upper => direction.wider(),
        (_, Some(_)) => direction.narrower(),
        (None, None) => Class::Breaking,
    };
    let message = format!("`{keyword}` {}", super::did(before, after));
    found.push(class, path, &message, before, after);
}

/// Alternatives: those in both are no difference, wherever they stand.
fn alternatives(
    found: &mut Found,
    path: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    direction: Direction,
    depth: usize,
) {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned();
    let (Some(old), Some(new)) = (list(before), list(after)) else {
        let class = if before.is_none() {
            direction.narrower()
        } else {
            direction.wider()
        };
        found.push(class, path, "the alternatives changed", before, after);
        return;
    };
    let gone: Vec<&Value> = old.iter().filter(|one| !new.contains(one)).collect();
    let added: Vec<&Value> = new.iter().filter(|one| !old.contains(one)).collect();
    if gone.len() == 1 && added.len() == 1 {
        compare(found, path, gone[0], added[0], direction, depth + 1);
        return;
    }
    for one in gone {
        found.push(direction.narrower(), path, "an alternative is gone", Some(one), None);
    }
    for one in added {
        found.push(direction.wider(), path, "an alternative is new", None, Some(one));
    }
}

/// Definitions matter where they are referred to; one that is new or gone does
/// nothing by itself.
fn definitions(
    found: &mut Found,
    path: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    direction: Direction,
    depth: usize,
) {
    let of = |value: Option<&Value>| value.and_then(Value::as_object).cloned().unwrap_or_default();
    let (old, new) = (of(before), of(after));
    for (name, one) in &old {
        if let Some(other) = new.get(name) {
            compare(found, &format!("{path}/{name}"), one, other, direction, depth + 1);
        }
    }
}
