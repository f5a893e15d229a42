//! Whether a value certainly violates a schema.
//!
//! Says `Violation` only for what is beyond doubt; whatever it does not
//! understand (formats, patterns, unknown keywords, remote references) counts
//! as kept. A finding must not hang on a validator's reading of a corner.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::{has_type, resolve};

/// How many references and levels are followed.
const DEPTH: usize = 60;

/// How many schemas are looked at for one value. A schema whose branches refer
/// to themselves would take for ever.
const STEPS: usize = 100_000;

/// What is certainly wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Where in the value: `/items/0`, or an empty text for the whole.
    pub(crate) place: String,
    /// What is wrong.
    pub(crate) problem: String,
}

/// The first thing that is certainly wrong with `value`.
pub(crate) fn violation(root: &Value, value: &Value) -> Option<Violation> {
    Judge::of(root).check(root, value, "", 0)
}

/// The first thing that is certainly wrong with `value` under `schema`, a part
/// of `root`.
pub(crate) fn violation_of_part(root: &Value, schema: &Value, value: &Value) -> Option<Violation> {
    Judge::of(root).check(schema, value, "", 0)
}

struct Judge<'a> {
    root: &'a Value,
    steps: Cell<usize>,
}

impl<'a> Judge<'a> {
    fn of(root: &'a Value) -> Self {
        Self {
            root,
            steps: Cell::new(0),
        }
    }

    fn check(&self, schema: &Value, value: &Value, place: &str, depth: usize) -> Option<Violation> {
        let wrong = |problem: String| {
            Some(Violation {
                place: place.to_owned(),
                problem,
            })
        };
        self.steps.set(self.steps.get() + 1);
        if depth > DEPTH || self.steps.get() > STEPS {
            return None;
        }
        let members = match schema {
            Value::Bool(false) => return wrong("nothing is allowed here".to_owned()),
            Value::Object(members) => members,
            _ => return None,
        };
        if let Some(reference) = members.get("$ref").and_then(Value::as_str)
            && let Some(target) = resolve(self.root, reference)
            && let Some(violation) = self.check(target, value, place, depth + 1)
        {
            return Some(violation);
        }
        if !is_of_type(members, value) {
            return wrong(format!("is {}, not {}", kind_of(value), members["type"]));
        }
        if let Some(Value::Array(choices)) = members.get("enum")
            && !choices.iter().any(|choice| same(choice, value))
        {
            return wrong("is none of the allowed values".to_owned());
        }
        if let Some(constant) = members.get("const")
            && !same(constant, value)
        {
            return wrong(format!("is not {constant}"));
        }
        self.check_number(members, value, place)
            .or_else(|| self.check_object(members, value, place, depth))
            .or_else(|| self.check_array(members, value, place, depth))
            .or_else(|| self.check_branches(members, value, place, depth))
    }

    #[expect(clippy::unused_self, reason = "one of four parts of a check")]
    fn check_number(&self, members: &Map<String, Value>, value: &Value, place: &str) -> Option<Violation> {
        let number = value.as_f64()?;
        let bound = |keyword: &str| members.get(keyword).and_then(Value::as_f64);
        let is_out = bound("minimum").is_some_and(|least| number < least)
            || bound("maximum").is_some_and(|most| number > most)
            || bound("exclusiveMinimum").is_some_and(|least| number <= least)
            || bound("exclusiveMaximum").is_some_and(|most| number >= most);
        is_out.then(|| Violation {
            place: place.to_owned(),
            problem: format!("{value} is out of bounds"),
        })
    }

    fn check_object(
        &self,
        members: &Map<String, Value>,
        value: &Value,
        place: &str,
        depth: usize,
    ) -> Option<Violation> {
        let object = value.as_object()?;
        for name in members.get("required").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str()
                && !object.contains_key(name)
            {
                return Some(Violation {
                    place: place.to_owned(),
                    problem: format!("must have `{name}`"),
                });
            }
        }
        let properties = members.get("properties").and_then(Value::as_object);
        for (name, inner) in object {
            let below = format!("{place}/{name}");
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                if let Some(violation) = self.check(schema, inner, &below, depth + 1) {
                    return Some(violation);
                }
            } else if !members.contains_key("patternProperties") {
                match members.get("additionalProperties") {
                    Some(Value::Bool(false)) => {
                        return Some(Violation {
                            place: below,
                            problem: "is not allowed".to_owned(),
                        });
                    }
                    Some(schema @ Value::Object(_)) => {
                        if let Some(violation) = self.check(schema, inner, &below, depth + 1) {
                            return Some(violation);
                        }
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn check_array(&self, members: &Map<String, Value>, value: &Value, place: &str, depth: usize) -> Option<Violation> {
        let elements = value.as_array()?;
        // With `prefixItems`, `items` means only the rest.
        if members.contains_key("prefixItems") {
            return None;
        }
        let schema = members.get("items").filter(|schema| schema.is_object())?;
        elements
            .iter()
            .enumerate()
            .find_map(|(index, element)| self.check(schema, element, &format!("{place}/{index}"), depth + 1))
    }

    fn check_branches(
        &self,
        members: &Map<String, Value>,
        value: &Value,
        place: &str,
        depth: usize,
    ) -> Option<Violation> {
        let branches = |keyword: &str| members.get(keyword).and_then(Value::as_array);
        for branch in branches("allOf").into_iter().flatten() {
            if let Some(violation) = self.check(branch, value, place, depth + 1) {
                return Some(violation);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(alternatives) = branches(keyword) else {
                continue;
            };
            let mut first = None;
            for branch in alternatives {
                match self.check(branch, value, place, depth + 1) {
                    None => {
                        first = None;
                        break;
                    }
                    Some(violation) => first = first.or(Some(violation)),
                }
            }
            if first.is_some() {
                return first.map(|violation| Violation {
                    problem: format!("fits none of `{keyword}` ({})", violation.problem),
                    ..violation
                });
            }
        }
        None
    }
}

fn is_of_type(members: &Map<String, Value>, value: &Value) -> bool {
    let fits = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        // 1.0 is an integer.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    };
    match members.get("type") {
        // `nullable` is OpenAPI's way to allow null.
        Some(_) if value.is_null() && members.get("nullable") == Some(&Value::Bool(true)) => true,
        Some(Value::String(kind)) => fits(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(fits),
        _ => true,
    }
}

/// Equal as JSON values: `1` and `1.0` are the same number.
#[expect(clippy::float_cmp, reason = "the same digits give the same number")]
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// What a value is, in JSON's words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Whether null is certainly allowed, or nothing is known about it.
pub(crate) fn may_be_null(root: &Value, schema: &Value) -> bool {
    let is_typed = schema
        .as_object()
        .is_some_and(|members| !has_type(members, "null") || members.contains_key("$ref"));
    !is_typed || violation_of_part(root, schema, &Value::Null).is_none()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn expect(schema: &Value, value: &Value, wanted: Option<(&str, &str)>) {
        let found = violation(schema, value);
        let found = found
            .as_ref()
            .map(|violation| (violation.place.as_str(), violation.problem.as_str()));
        assert_eq!(found, wanted, "{schema} {value}");
    }

    #[test]
    fn what_is_certain_is_said() {
        let schema = json!({
            "type": "object",
            "properties": {"n": {"type": "integer", "minimum": 1}, "list": {"items": {"$ref": "#/$defs/S"}}},
            "required": ["n"],
            "additionalProperties": false,
            "$defs": {"S": {"type": "string"}}
        });
        expect(&schema, &json!({"n": 1.0, "list": ["a"]}), None);
        expect(&schema, &json!({}), Some(("", "must have `n`")));
        expect(
            &schema,
            &json!({"n": "1"}),
            Some(("/n", "is a string, not \"integer\"")),
        );
        expect(&schema, &json!({"n": 0}), Some(("/n", "0 is out of bounds")));
        expect(
            &schema,
            &json!({"n": 1, "list": [1]}),
            Some(("/list/0", "is a number, not \"string\"")),
        );
        expect(&schema, &json!({"n": 1, "x": 1}), Some(("/x", "is not allowed")));
        expect(
            &json!({"anyOf": [{"required": ["ok"]}, {"required": ["error"]}]}),
            &json!({"error": 1}),
            None,
        );
    }

    #[test]
    fn what_is_not_understood_counts_as_kept() {
        expect(
            &json!({"$ref": "https://example.com/x", "format": "email", "pattern": "^a"}),
            &json!("b"),
            None,
        );
        expect(&json!({"type": "file"}), &json!(1), None);
        let endless = json!({"$ref": "#"});
        expect(&endless, &json!(1), None);
        let branching = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]});
        expect(&branching, &json!(1), None);
    }
}
