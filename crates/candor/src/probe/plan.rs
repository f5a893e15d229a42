//! Which calls a tool gets: all of them forbidden by its own schema.
//!
//! A call to a tool that may write is sent only if it lacks a required
//! argument or has one of the wrong type, so that even a server that checks
//! little has nothing to work on.

use serde_json::{Map, Value, json};

use crate::published::Tool;
use crate::schema::judge::{may_be_null, violation, violation_of_part};
use crate::schema::{has_type, resolve};

/// An argument that no tool has.
pub(super) const UNKNOWN_ARGUMENT: &str = "candor_unknown_argument";

/// What is wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Fault {
    /// A required argument is missing.
    Missing,
    /// An argument has the wrong type.
    WrongType,
    /// A required argument is null.
    Null,
    /// There is an argument that the tool does not have.
    Unknown,
}

impl Fault {
    /// As it is named in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing-argument",
            Self::WrongType => "wrong-type",
            Self::Null => "null-argument",
            Self::Unknown => "unknown-argument",
        }
    }
}

/// A call that must fail.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// What is wrong with it.
    pub(crate) fault: Fault,
    /// Its arguments.
    pub(crate) arguments: Map<String, Value>,
    /// The arguments that are to blame; a good failure names one of them.
    pub(crate) to_blame: Vec<String>,
}

/// The calls a tool gets. None when its schema gives no handle.
pub(crate) fn calls(tool: Tool<'_>, only_reads: bool) -> Vec<Call> {
    let Some(schema) = tool.raw.get("inputSchema").filter(|schema| schema.is_object()) else {
        return Vec::new();
    };
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|name| properties.contains_key(*name))
        .collect();
    let planner = Planner {
        schema,
        properties,
        required,
        only_reads,
    };
    [
        planner.missing(),
        planner.wrong_type(),
        planner.null(),
        planner.unknown(tool),
    ]
    .into_iter()
    .flatten()
    // What the schema allows after all is no probe.
    .filter(|call| call.fault == Fault::Unknown || violation(schema, &Value::Object(call.arguments.clone())).is_some())
    .collect()
}

struct Planner<'a> {
    schema: &'a Value,
    properties: &'a Map<String, Value>,
    required: Vec<&'a str>,
    only_reads: bool,
}

impl Planner<'_> {
    fn missing(&self) -> Option<Call> {
        (!self.required.is_empty()).then(|| Call {
            fault: Fault::Missing,
            arguments: Map::new(),
            to_blame: self.required.iter().map(ToString::to_string).collect(),
        })
    }

    fn wrong_type(&self) -> Option<Call> {
        let candidates = self.required.iter().copied();
        let optional = self
            .properties
            .keys()
            .map(String::as_str)
            .filter(|name| self.only_reads && self.required.is_empty() && !self.required.contains(name));
        candidates.chain(optional).find_map(|name| {
            let value = wrong_value(self.schema, &self.properties[name])?;
            Some(self.with_one(Fault::WrongType, name, value))
        })
    }

    fn null(&self) -> Option<Call> {
        // Alone, null may mean "all" to a careless tool that writes.
        if !self.only_reads && self.required.len() < 2 {
            return None;
        }
        let name = self
            .required
            .iter()
            .find(|name| !may_be_null(self.schema, &self.properties[**name]))?;
        Some(self.with_one(Fault::Null, name, Value::Null))
    }

    fn unknown(&self, tool: Tool<'_>) -> Option<Call> {
        let is_closed = self.schema.get("additionalProperties") == Some(&Value::Bool(false))
            || self.schema.get("unevaluatedProperties") == Some(&Value::Bool(false));
        // Anything else there, or a root in parts, may take any name on purpose.
        let is_undecided = [
            "additionalProperties",
            "patternProperties",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
        ]
        .iter()
        .any(|keyword| self.schema.get(keyword).is_some());
        let is_local = tool.hint("openWorldHint") == Some(false);
        if !self.only_reads || (!is_closed && (is_undecided || !is_local)) {
            return None;
        }
        let mut arguments = self.others("")?;
        arguments.insert(UNKNOWN_ARGUMENT.into(), true.into());
        Some(Call {
            fault: Fault::Unknown,
            arguments,
            to_blame: vec![UNKNOWN_ARGUMENT.to_owned()],
        })
    }

    /// A call with one bad argument. The other required ones are filled in
    /// where that can do no harm, so that the bad one is what is complained of.
    fn with_one(&self, fault: Fault, name: &str, value: Value) -> Call {
        let others = if self.only_reads { self.others(name) } else { None };
        let is_alone = others.is_some();
        let mut arguments = others.unwrap_or_default();
        arguments.insert(name.to_owned(), value);
        let to_blame = if is_alone {
            vec![name.to_owned()]
        } else {
            let all = self.required.iter().map(ToString::to_string);
            all.chain([name.to_owned()]).collect()
        };
        Call {
            fault,
            arguments,
            to_blame,
        }
    }

    /// Values for all required arguments but `name`, if that is possible.
    fn others(&self, name: &str) -> Option<Map<String, Value>> {
        self.required
            .iter()
            .filter(|required| **required != name)
            .map(|required| {
                let value = plausible(self.schema, &self.properties[*required])?;
                let is_good = violation_of_part(self.schema, &self.properties[*required], &value).is_none();
                is_good.then(|| ((*required).to_owned(), value))
            })
            .collect()
    }
}

/// A value that is certainly of the wrong type.
fn wrong_value(root: &Value, schema: &Value) -> Option<Value> {
    let candidates = [json!({"candor": "wrong type"}), json!("candor-wrong-type"), json!(7.5)];
    candidates.into_iter().find(|candidate| {
        violation_of_part(root, schema, candidate)
            .is_some_and(|violation| violation.place.is_empty() && violation.problem.contains(", not "))
    })
}

/// How many schemas are looked at to make up one value.
const STEPS: usize = 10_000;

/// A value of the right form that means nothing.
fn plausible(root: &Value, schema: &Value) -> Option<Value> {
    made_up(root, schema, 0, &mut 0)
}

fn made_up(root: &Value, schema: &Value, depth: usize, steps: &mut usize) -> Option<Value> {
    *steps += 1;
    if depth > 8 || *steps > STEPS {
        return None;
    }
    let members = match schema {
        Value::Bool(true) => return Some("candor-probe".into()),
        Value::Object(members) => members,
        _ => return None,
    };
    if let Some(constant) = members.get("const") {
        return Some(constant.clone());
    }
    if let Some(choices) = members.get("enum").and_then(Value::as_array) {
        return choices.iter().find(|choice| !choice.is_null()).cloned();
    }
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        return made_up(root, resolve(root, reference)?, depth + 1, steps);
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(parts) = members.get(keyword).and_then(Value::as_array) {
            if keyword == "allOf" && parts.len() > 1 {
                return None;
            }
            return parts
                .iter()
                .filter(|part| part.get("type") != Some(&"null".into()))
                .find_map(|part| made_up(root, part, depth + 1, steps));
        }
    }
    if members.contains_key("pattern") {
        return None;
    }
    let number = |keyword: &str| members.get(keyword).and_then(Value::as_f64);
    if has_type(members, "string") {
        return text(members);
    }
    if has_type(members, "integer") || has_type(members, "number") {
        let least = number("minimum").or_else(|| number("exclusiveMinimum").map(|bound| bound + 1.0));
        let most = number("maximum").or_else(|| number("exclusiveMaximum").map(|bound| bound - 1.0));
        let value = least.or_else(|| most.map(|most| most.min(1.0))).unwrap_or(1.0).ceil();
        return Some(json!(value as i64));
    }
    if has_type(members, "boolean") {
        return Some(false.into());
    }
    if has_type(members, "array") {
        let least = members.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        if least == 0 {
            return Some(json!([]));
        }
        let item = made_up(root, members.get("items")?, depth + 1, steps)?;
        return (least <= 8).then(|| Value::Array((0..least).map(|_| item.clone()).collect()));
    }
    if has_type(members, "object") || members.contains_key("properties") {
        let properties = members.get("properties").and_then(Value::as_object);
        let required = members.get("required").and_then(Value::as_array);
        let values: Option<Map<String, Value>> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(|name| {
                let value = made_up(root, properties?.get(name)?, depth + 1, steps)?;
                Some((name.to_owned(), value))
            })
            .collect();
        return values.map(Value::Object);
    }
    Some("candor-probe".into())
}

fn text(members: &Map<String, Value>) -> Option<Value> {
    // A host that by its name exists nowhere.
    let text = match members.get("format").and_then(Value::as_str) {
        None => "candor-probe",
        Some("uri" | "url" | "iri" | "uri-reference" | "iri-reference") => "https://candor-probe.invalid/",
        Some("email" | "idn-email") => "probe@candor-probe.invalid",
        Some("hostname" | "idn-hostname") => "candor-probe.invalid",
        Some("date-time") => "2000-01-01T00:00:00Z",
        Some("date") => "2000-01-01",
        Some("time") => "00:00:00Z",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        Some("ipv4") => "127.0.0.1",
        Some("ipv6") => "::1",
        Some(_) => return None,
    };
    let length = |keyword: &str| members.get(keyword).and_then(Value::as_u64);
    let letters = text.chars().count() as u64;
    if length("maxLength").is_some_and(|most| letters > most) {
        return None;
    }
    let missing = length("minLength").unwrap_or(0).saturating_sub(letters);
    (missing <= 1000).then(|| format!("{text}{}", "x".repeat(missing as usize)).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(tool: &Value, only_reads: bool) -> Vec<(&'static str, Value, Vec<String>)> {
        calls(Tool::of(tool).unwrap(), only_reads)
            .into_iter()
            .map(|call| (call.fault.name(), Value::Object(call.arguments), call.to_blame))
            .collect()
    }

    #[test]
    fn a_reading_tool_gets_one_fault_at_a_time() {
        let tool = json!({"name": "t", "annotations": {"openWorldHint": false}, "inputSchema": {"type": "object",
            "properties": {"path": {"type": "string"}, "count": {"type": "integer", "minimum": 5}}, "required": ["path", "count"]}});
        assert_eq!(
            planned(&tool, true),
            [
                (
                    "missing-argument",
                    json!({}),
                    vec!["path".to_owned(), "count".to_owned()]
                ),
                (
                    "wrong-type",
                    json!({"count": 5, "path": {"candor": "wrong type"}}),
                    vec!["path".to_owned()]
                ),
                (
                    "null-argument",
                    json!({"count": 5, "path": null}),
                    vec!["path".to_owned()]
                ),
                (
                    "unknown-argument",
                    json!({"path": "candor-probe", "count": 5, "candor_unknown_argument": true}),
                    vec!["candor_unknown_argument".to_owned()]
                ),
            ]
        );
    }

    #[test]
    fn a_writing_tool_gets_only_calls_it_cannot_carry_out() {
        let tool = json!({"name": "t", "inputSchema": {"type": "object", "additionalProperties": false,
            "properties": {"path": {"type": "string"}, "text": {"type": "string"}, "force": {"type": "boolean"}},
            "required": ["path", "text"]}});
        let both = vec!["path".to_owned(), "text".to_owned()];
        let path_first = vec!["path".to_owned(), "text".to_owned(), "path".to_owned()];
        assert_eq!(
            planned(&tool, false),
            [
                ("missing-argument", json!({}), both),
                (
                    "wrong-type",
                    json!({"path": {"candor": "wrong type"}}),
                    path_first.clone()
                ),
                ("null-argument", json!({"path": null}), path_first),
            ]
        );
        let without =
            json!({"name": "clear", "inputSchema": {"type": "object", "properties": {"force": {"type": "boolean"}}}});
        assert_eq!(planned(&without, false), []);
    }

    #[test]
    fn what_a_schema_allows_is_no_probe() {
        let tool = json!({"name": "t", "inputSchema": {"type": "object", "additionalProperties": true,
            "properties": {"any": {}, "text": {"type": ["string", "null"]}}, "required": ["any", "text"]}});
        let faults: Vec<_> = planned(&tool, true).into_iter().map(|call| call.0).collect();
        assert_eq!(faults, ["missing-argument", "wrong-type"]);
    }

    #[test]
    fn plausible_values_fit() {
        for schema in [
            json!({"type": "string", "minLength": 20}),
            json!({"type": "integer", "maximum": -3}),
            json!({"type": "array", "minItems": 2, "items": {"enum": [null, "a"]}}),
            json!({"anyOf": [{"type": "null"}, {"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean"}}}]}),
        ] {
            let value = plausible(&schema, &schema).unwrap();
            assert_eq!(violation(&schema, &value), None, "{schema} {value}");
        }
        let pattern = json!({"type": "string", "pattern": "^[a-z]{3}$"});
        assert_eq!(plausible(&pattern, &pattern), None);
    }
}
