//! The rules that every published tool keeps, as a check for tests.

use std::fmt;

use serde_json::{Map, Value};

use crate::schema::{self, DocumentedDefault, NEW_ERRORS, NEW_ERRORS_OMITTED};
use crate::{ToolDescription, json_bytes};

/// One rule that a tool's description breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tool `{tool}`, {place}: {problem}")]
pub struct PolicyViolation {
    /// The tool.
    pub tool: String,
    /// Which part of its description, such as `inputSchema/properties/limit`.
    pub place: String,
    /// The rule that is broken.
    pub problem: PolicyProblem,
}

/// What can be wrong with a published tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyProblem {
    /// The name is not 1 to 128 of `A-Z a-z 0-9 _ - .`.
    BadName,
    /// A title, a description or a parameter's description is blank.
    Blank,
    /// The hints contradict each other.
    ContradictoryHints,
    /// The root is not an object schema.
    NotAnObject,
    /// An object that takes arguments would let unknown ones pass.
    Open,
    /// The root of an output schema is closed, so nothing can be added to it.
    Closed,
    /// A keyword that must not be published.
    Forbidden(&'static str),
    /// A type that may be null.
    Nullable,
    /// A list that does not say what it holds.
    UntypedList,
    /// A schema that says nothing at all.
    Empty,
    /// The two properties of every reply are not declared, or are required.
    NewErrorsUndeclared,
    /// A declared default is that of no optional parameter.
    DefaultOfNothing,
    /// A default does not stand beside the word "default" in its parameter's
    /// description.
    DefaultUnsaid(String),
    /// A description speaks of a default that nobody declared.
    DefaultUndeclared,
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName => formatter.write_str("a name is 1 to 128 of A-Z a-z 0-9 _ - ."),
            Self::Blank => formatter.write_str("says nothing"),
            Self::ContradictoryHints => formatter.write_str("what only reads does not destroy, and repeats safely"),
            Self::NotAnObject => formatter.write_str("the root must be an object schema"),
            Self::Open => formatter.write_str("needs `additionalProperties: false`"),
            Self::Closed => formatter.write_str("the root must stay open"),
            Self::Forbidden(keyword) => write!(formatter, "`{keyword}` must not be published"),
            Self::Nullable => formatter.write_str("an optional value is absent, never null"),
            Self::UntypedList => formatter.write_str("a list must say what it holds (`items`)"),
            Self::Empty => formatter.write_str("a schema must say something"),
            Self::NewErrorsUndeclared => write!(
                formatter,
                "`{NEW_ERRORS}` and `{NEW_ERRORS_OMITTED}` must be optional properties"
            ),
            Self::DefaultOfNothing => formatter.write_str("declares a default, but is no optional parameter"),
            Self::DefaultUnsaid(value) => write!(
                formatter,
                "its description must say the word default right beside {value}"
            ),
            Self::DefaultUndeclared => formatter.write_str("its description speaks of a default that is not declared"),
        }
    }
}

/// Everything that is wrong with a description; empty when it keeps the policy.
pub fn check_policy(tool: &ToolDescription) -> Vec<PolicyViolation> {
    let mut check = Check {
        tool: tool.name(),
        found: Vec::new(),
    };
    check.words(tool);
    check.input(tool.input_schema());
    check.output(tool.output_schema());
    check.defaults(tool);
    check.found
}

/// How many bytes the descriptions of some tools cost an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PublishedBytes {
    /// Names, descriptions and input schemas.
    pub input: usize,
    /// Output schemas.
    pub output: usize,
}

/// Counts what publishing `tools` costs, in bytes of compact JSON.
pub fn published_bytes<'a>(tools: impl IntoIterator<Item = &'a ToolDescription>) -> PublishedBytes {
    tools
        .into_iter()
        .fold(PublishedBytes::default(), |sum, tool| PublishedBytes {
            input: sum.input + tool.name().len() + tool.description().len() + json_bytes(tool.input_schema()),
            output: sum.output + json_bytes(tool.output_schema()),
        })
}

struct Check<'a> {
    tool: &'a str,
    found: Vec<PolicyViolation>,
}

impl Check<'_> {
    fn report(&mut self, place: &str, problem: PolicyProblem) {
        self.found.push(PolicyViolation {
            tool: self.tool.into(),
            place: place.into(),
            problem,
        });
    }

    fn words(&mut self, tool: &ToolDescription) {
        let name = tool.name();
        let is_good = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if name.is_empty() || name.len() > 128 || !name.chars().all(is_good) {
            self.report("name", PolicyProblem::BadName);
        }
        if tool.title().trim().is_empty() {
            self.report("title", PolicyProblem::Blank);
        }
        if tool.description().trim().is_empty() {
            self.report("description", PolicyProblem::Blank);
        }
        let hints = tool.hints();
        if hints.read_only && (hints.destructive || !hints.idempotent) {
            self.report("annotations", PolicyProblem::ContradictoryHints);
        }
    }

    fn input(&mut self, schema: &Map<String, Value>) {
        const PLACE: &str = "inputSchema";
        if schema.get("type") != Some(&"object".into()) {
            self.report(PLACE, PolicyProblem::NotAnObject);
        }
        if schema.get("additionalProperties") != Some(&false.into()) {
            self.report(PLACE, PolicyProblem::Open);
        }
        self.node(PLACE, schema, true);
    }

    fn output(&mut self, schema: &Map<String, Value>) {
        const PLACE: &str = "outputSchema";
        if schema.get("type") != Some(&"object".into()) {
            self.report(PLACE, PolicyProblem::NotAnObject);
        }
        if schema.get("additionalProperties") == Some(&false.into()) {
            self.report(PLACE, PolicyProblem::Closed);
        }
        let required = schema.get("required").and_then(Value::as_array);
        for name in [NEW_ERRORS, NEW_ERRORS_OMITTED] {
            let declared = schema
                .get("properties")
                .is_some_and(|properties| properties.get(name).is_some());
            if !declared || required.is_some_and(|names| names.iter().any(|known| known == name)) {
                self.report(PLACE, PolicyProblem::NewErrorsUndeclared);
                break;
            }
        }
        self.node(PLACE, schema, false);
    }

    fn node(&mut self, place: &str, schema: &Map<String, Value>, is_input: bool) {
        for keyword in [
            "$schema",
            "$ref",
            "$defs",
            "definitions",
            "default",
            "title",
            "nullable",
        ] {
            if schema.contains_key(keyword) {
                self.report(place, PolicyProblem::Forbidden(keyword));
            }
        }
        let is_kind = |kind: &str| match schema.get("type") {
            Some(Value::String(name)) => name == kind,
            Some(Value::Array(names)) => names.iter().any(|name| name == kind),
            _ => false,
        };
        if schema.contains_key("format") && (is_kind("integer") || is_kind("number")) {
            self.report(place, PolicyProblem::Forbidden("format"));
        }
        let has_null = schema
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|choices| choices.contains(&Value::Null));
        if is_kind("null") || has_null {
            self.report(place, PolicyProblem::Nullable);
        }
        if is_kind("array") && !schema.contains_key("items") && !schema.contains_key("prefixItems") {
            self.report(place, PolicyProblem::UntypedList);
        }
        if is_input && schema.contains_key("properties") && !schema.contains_key("additionalProperties") {
            self.report(place, PolicyProblem::Open);
        }
        if is_input && let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, property) in properties {
                let described = property
                    .get("description")
                    .and_then(Value::as_str)
                    .is_some_and(|text| !text.trim().is_empty());
                if !described {
                    self.report(&format!("{place}/properties/{name}"), PolicyProblem::Blank);
                }
            }
        }
        schema::children(schema, place, &mut |place, child| match child {
            Value::Object(child) if child.is_empty() && is_input => {
                self.report(place, PolicyProblem::Empty);
            }
            Value::Object(child) => self.node(place, child, is_input),
            Value::Bool(true) if !place.ends_with("additionalProperties") => {
                self.report(place, PolicyProblem::Empty);
            }
            _ => {}
        });
    }

    fn defaults(&mut self, tool: &ToolDescription) {
        for default in tool.defaults() {
            let place = format!("inputSchema, parameter {}", default.parameter);
            match parameter(tool.input_schema(), &default.parameter) {
                Some(Parameter {
                    required: false,
                    description,
                }) => {
                    if !says_default(description, default) {
                        self.report(&place, PolicyProblem::DefaultUnsaid(shown(&default.value)));
                    }
                }
                _ => self.report(&place, PolicyProblem::DefaultOfNothing),
            }
        }
        let properties = tool.input_schema().get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let description = property.get("description").and_then(Value::as_str).unwrap_or("");
            let speaks = words(description).any(|word| word.eq_ignore_ascii_case("default"));
            let is_declared = tool.defaults().iter().any(|default| default.parameter == *name);
            if speaks && !is_declared {
                self.report(
                    &format!("inputSchema/properties/{name}"),
                    PolicyProblem::DefaultUndeclared,
                );
            }
        }
    }
}

struct Parameter<'a> {
    required: bool,
    description: &'a str,
}

fn parameter<'a>(root: &'a Map<String, Value>, path: &str) -> Option<Parameter<'a>> {
    let mut schema = root;
    let mut found = None;
    for name in path.split('.') {
        let property = schema.get("properties")?.get(name)?.as_object()?;
        let required = schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|known| known == name));
        let description = property.get("description").and_then(Value::as_str).unwrap_or("");
        found = Some(Parameter { required, description });
        schema = property;
    }
    found
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || "_-.".contains(letter)))
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty())
}

/// Whether the value stands right beside the word: `default 500`,
/// `default: native`, `defaults to false`, `500 by default`.
fn says_default(description: &str, default: &DocumentedDefault) -> bool {
    const SMALL: [&str; 5] = ["to", "is", "by", "the", "value"];
    let value = shown(&default.value);
    let value: Vec<&str> = words(&value).collect();
    if value.is_empty() {
        return description.contains(&shown(&default.value));
    }
    let words: Vec<&str> = words(description)
        .filter(|word| !SMALL.contains(word) || value.contains(word))
        .collect();
    words.iter().enumerate().any(|(index, word)| {
        let is_word = word.eq_ignore_ascii_case("default") || word.eq_ignore_ascii_case("defaults");
        is_word && (words[index + 1..].starts_with(&value) || words[..index].ends_with(&value))
    })
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;
    use crate::Hints;

    const READS: Hints = Hints {
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
    };

    fn five_hundred() -> u32 {
        500
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// The most entries to return; default 500.
        #[serde(default = "five_hundred")]
        limit: u32,
        /// Where from: `native` (default) or `compiler`.
        source: Option<String>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Answer {
        names: Vec<String>,
    }

    fn good() -> ToolDescription {
        ToolDescription::new::<Arguments, Answer>("list", "List", "Lists.", READS).default_of("source", "native")
    }

    #[track_caller]
    fn expect(tool: &ToolDescription, problems: &[&str]) {
        let found: Vec<String> = check_policy(tool).iter().map(ToString::to_string).collect();
        assert_eq!(found, problems);
    }

    #[test]
    fn a_well_described_tool_passes() {
        expect(&good(), &[]);
    }

    #[test]
    fn names_titles_descriptions_and_hints_are_checked() {
        let hints = Hints {
            destructive: true,
            ..READS
        };
        expect(
            &ToolDescription::new::<(), Answer>("a b", " ", "", hints),
            &[
                "tool `a b`, name: a name is 1 to 128 of A-Z a-z 0-9 _ - .",
                "tool `a b`, title: says nothing",
                "tool `a b`, description: says nothing",
                "tool `a b`, annotations: what only reads does not destroy, and repeats safely",
            ],
        );
    }

    #[test]
    fn a_default_must_stand_beside_the_word() {
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Unsaid {
            /// By default few of the 500 entries.
            #[serde(default = "five_hundred")]
            limit: u32,
            /// The name.
            name: String,
            /// Whether; the default depends.
            deep: Option<bool>,
        }
        expect(
            &ToolDescription::new::<Unsaid, Answer>("list", "List", "Lists.", READS)
                .default_of("name", "x")
                .default_of("other", 1),
            &[
                "tool `list`, inputSchema, parameter limit: its description must say the word default right beside 500",
                "tool `list`, inputSchema, parameter name: declares a default, but is no optional parameter",
                "tool `list`, inputSchema, parameter other: declares a default, but is no optional parameter",
                "tool `list`, inputSchema/properties/deep: its description speaks of a default that is not declared",
            ],
        );
    }

    #[test]
    fn ways_of_saying_a_default() {
        let said = |text: &str, value: Value| {
            says_default(
                text,
                &DocumentedDefault {
                    parameter: "p".into(),
                    value,
                },
            )
        };
        for text in [
            "default 500",
            "Default: 500.",
            "defaults to 500",
            "the default is `500`",
            "500 by default",
            "500 (default)",
        ] {
            assert!(said(text, json!(500)), "{text}");
        }
        assert!(said("default false", json!(false)));
        assert!(said("default `by name`", json!("by name")));
        assert!(!said("default 5000", json!(500)));
        assert!(!said("500 entries. There is no default", json!(500)));
    }

    #[test]
    fn schemas_are_checked_at_every_schema_position_only() {
        let mut tool = good();
        let schema = json!({
            "$schema": "x",
            "type": "object",
            "properties": {
                "default": {"type": "string", "description": "A parameter named like a keyword."},
                "a": {"type": ["integer", "null"], "format": "int32", "default": 3, "description": "x"},
                "b": {"type": "array", "description": "x"},
                "c": {"type": "object", "properties": {"title": {"type": "string"}}, "description": "x"},
                "d": {"anyOf": [{"$ref": "#/$defs/D"}, {"type": "null"}], "description": "x"},
                "e": true
            }
        });
        tool = tool.with_input_schema_for_test(&schema);
        expect(
            &tool,
            &[
                "tool `list`, inputSchema: needs `additionalProperties: false`",
                "tool `list`, inputSchema: `$schema` must not be published",
                "tool `list`, inputSchema: needs `additionalProperties: false`",
                "tool `list`, inputSchema/properties/e: says nothing",
                "tool `list`, inputSchema/properties/a: `default` must not be published",
                "tool `list`, inputSchema/properties/a: `format` must not be published",
                "tool `list`, inputSchema/properties/a: an optional value is absent, never null",
                "tool `list`, inputSchema/properties/b: a list must say what it holds (`items`)",
                "tool `list`, inputSchema/properties/c: needs `additionalProperties: false`",
                "tool `list`, inputSchema/properties/c/properties/title: says nothing",
                "tool `list`, inputSchema/properties/d/anyOf/0: `$ref` must not be published",
                "tool `list`, inputSchema/properties/d/anyOf/1: an optional value is absent, never null",
                "tool `list`, inputSchema/properties/e: a schema must say something",
                "tool `list`, inputSchema, parameter limit: declares a default, but is no optional parameter",
                "tool `list`, inputSchema, parameter source: declares a default, but is no optional parameter",
            ],
        );
    }

    #[test]
    fn bytes_are_counted_as_published() {
        let tool = good();
        let bytes = published_bytes([&tool, &tool]);
        let input = serde_json::to_string(tool.input_schema()).unwrap().len() + "list".len() + "Lists.".len();
        let output = serde_json::to_string(tool.output_schema()).unwrap().len();
        assert_eq!(
            bytes,
            PublishedBytes {
                input: 2 * input,
                output: 2 * output
            }
        );
    }
}
