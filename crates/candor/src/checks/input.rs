//! S: input schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Check, Group};
use crate::published::Tool;
use crate::schema::judge::kind_of;
use crate::schema::{Node, Role, has_type, nodes, resolve};
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'S',
    title: "Input schemas",
    checks: &[
        &INPUT_NOT_OBJECT,
        &INPUT_OPEN,
        &INPUT_OPEN_BELOW,
        &SCHEMA_INVALID,
        &REQUIRED_UNKNOWN,
        &REFERENCE,
        &REFERENCE_UNRESOLVED,
        &REFERENCE_RECURSIVE,
        &DIALECT,
        &DIALECT_UNKNOWN,
        &PARAMETER_UNDESCRIBED,
        &MEMBER_UNDESCRIBED,
        &PARAMETER_UNTYPED,
        &BOOLEAN_SCHEMA,
    ],
};

static INPUT_NOT_OBJECT: Check = Check {
    id: "S001",
    name: "input-not-object",
    severity: Severity::Error,
    title: "an input schema's root is not `type: object`",
    reason: "the TypeScript SDK's clients demand the literal `object` and throw the whole list away",
    advice: "begin every input schema with `\"type\": \"object\"`",
    documentation: "Reported when `inputSchema` is an object whose `type` is missing or anything but the text `object`.",
    evidence: &["specification 2026-07-28, schema: Tool", "opentokenz/mcpx#28"],
};

static INPUT_OPEN: Check = Check {
    id: "S002",
    name: "input-open",
    severity: Severity::Warning,
    title: "an input schema lets unknown arguments pass",
    reason: "a misspelt optional argument passes validation and is dropped, and the agent takes the default's answer for its own; OpenAI's strict mode refuses open objects",
    advice: "publish `\"additionalProperties\": false`, and refuse unknown arguments",
    documentation: "\
Reported when the root of `inputSchema` neither has `additionalProperties: false` nor `unevaluatedProperties: false`. A
schema as value of `additionalProperties` is a decision (a map) and is not reported; nor is a root made of `$ref`,
`anyOf`, `oneOf` or `allOf`, whose branches may close it. A tool without parameters is best published as
`{\"type\": \"object\", \"additionalProperties\": false}`.",
    evidence: &[
        "specification 2026-07-28, tools: inputSchema",
        "chatlas#255",
        "kilocode#4426",
    ],
};

static INPUT_OPEN_BELOW: Check = Check {
    id: "S003",
    name: "input-open-below",
    severity: Severity::Note,
    title: "an object inside an input schema lets unknown members pass",
    reason: "a misspelt member passes validation and is dropped; OpenAI's strict mode refuses open objects at any depth",
    advice: "publish `\"additionalProperties\": false` on every object that lists its properties",
    documentation: "\
Looks at objects below the root that list `properties` and say nothing about others. Branches of `anyOf`, `oneOf` and
`allOf` are not judged.",
    evidence: &["openai-agents-python#404"],
};

static SCHEMA_INVALID: Check = Check {
    id: "S004",
    name: "schema-invalid",
    severity: Severity::Error,
    title: "an input schema is no valid JSON Schema",
    reason: "validators refuse to compile it, and the model's API answers 400 to the whole request",
    advice: "correct the keyword",
    documentation: "\
Looks at the values of the keywords of JSON Schema at every schema position: types that exist, `properties` an object,
`required` a list of names (not `true`), `enum` a list with something in it, numbers where numbers belong, and so on. A
keyword that JSON Schema does not know is not judged.",
    evidence: &["JSON Schema 2020-12, validation", "claude-code#92648"],
};

static REQUIRED_UNKNOWN: Check = Check {
    id: "S005",
    name: "required-unknown",
    severity: Severity::Error,
    title: "a required parameter is not among the properties",
    reason: "the Gemini API answers 400 (`property is not defined`) to the whole request; a closed schema cannot be satisfied at all",
    advice: "add the property, or take the name out of `required`",
    documentation: "\
Compares `required` with `properties` of the same object. Branches of `anyOf`, `oneOf` and `allOf` may require what
their parent lists and are not judged, nor are objects with `$ref`, `allOf` or `patternProperties`.",
    evidence: &["anomalyco/opencode#3140", "MarkusPfundstein/mcp-obsidian#105"],
};

static REFERENCE: Check = Check {
    id: "S006",
    name: "reference",
    severity: Severity::Warning,
    title: "an input schema uses `$ref`",
    reason: "VS Code Copilot, Copilot CLI and Qwen-Agent drop or never resolve `$defs`, so the model sees a parameter without a shape",
    advice: "write the definition where it is used",
    documentation: "\
Reported once for a tool, with the number of references. References that lead nowhere or back to themselves have checks
of their own.",
    evidence: &[
        "github/copilot-cli#1876",
        "PrefectHQ/fastmcp#2808",
        "QwenLM/Qwen-Agent#873",
        "google-gemini/gemini-cli#13326",
    ],
};

static REFERENCE_UNRESOLVED: Check = Check {
    id: "S007",
    name: "reference-unresolved",
    severity: Severity::Error,
    title: "a `$ref` in an input schema leads nowhere",
    reason: "validators refuse to compile the schema; nobody fetches references over the network, and the model sees a parameter without a shape",
    advice: "define the target in the same schema, or write it where it is used",
    documentation: "\
Follows every `$ref` inside the same schema: a JSON pointer (`#/$defs/Name`), an `$anchor` or an `$id`. A reference to
another document is reported too, since the specification forbids clients to fetch it on their own.",
    evidence: &[
        "specification 2026-07-28, tools: SEP-2106",
        "anthropics/claude-code#76881",
    ],
};

static REFERENCE_RECURSIVE: Check = Check {
    id: "S008",
    name: "reference-recursive",
    severity: Severity::Warning,
    title: "an input schema contains itself",
    reason: "clients that write references out cannot, and pass the dangling rest on to the model (FastMCP falls back, Gemini has no references)",
    advice: "bound the depth, or take the nested part as a text",
    documentation: "Reported when a definition reaches itself over one or more references.",
    evidence: &["PrefectHQ/fastmcp#2808", "specification 2026-07-28, tools: SEP-2106"],
};

static DIALECT: Check = Check {
    id: "S009",
    name: "dialect",
    severity: Severity::Note,
    title: "an input schema names its dialect",
    reason: "validators that know another dialect refuse it (`no schema with key or ref`); without `$schema` all take it as theirs",
    advice: "leave `$schema` out: 2020-12 is what it means then",
    documentation: "\
Reported when the root has a `$schema` of a dialect that exists. Since 2025-11-25 a schema without it is one of 2020-12.",
    evidence: &["pi-mcp-adapter#2", "specification 2025-11-25, SEP-1613"],
};

static DIALECT_UNKNOWN: Check = Check {
    id: "S010",
    name: "dialect-unknown",
    severity: Severity::Error,
    title: "an input schema names a dialect that does not exist",
    reason: "clients must refuse a dialect they do not support, and validators do",
    advice: "leave `$schema` out",
    documentation: "Known are draft-03, -04, -06, -07, 2019-09 and 2020-12, over http or https, with or without `#` at the end.",
    evidence: &["specification 2026-07-28, tools: dialects"],
};

static PARAMETER_UNDESCRIBED: Check = Check {
    id: "S011",
    name: "parameter-undescribed",
    severity: Severity::Warning,
    title: "a parameter has no description",
    reason: "the model has to guess from the name what is wanted, in which unit and form",
    advice: "say in the parameter's `description` what it means",
    documentation: "\
Looks at the properties of the root. A description of the definition that a `$ref` leads to counts; a `title` does not.",
    evidence: &["350 of 510 parameters of 13 public servers are described"],
};

static MEMBER_UNDESCRIBED: Check = Check {
    id: "S012",
    name: "member-undescribed",
    severity: Severity::Note,
    title: "a member of a parameter has no description",
    reason: "the model has to guess from the name what is wanted",
    advice: "say in the member's `description` what it means",
    documentation: "The same as for parameters, for properties of objects inside them. Reported once for a tool.",
    evidence: &[],
};

static PARAMETER_UNTYPED: Check = Check {
    id: "S013",
    name: "parameter-untyped",
    severity: Severity::Warning,
    title: "a parameter says nothing about its type",
    reason: "the model has to guess; Gemini's schema form has no untyped value",
    advice: "give it a `type`",
    documentation: "\
Reported for a property or an item without any keyword that restricts the value (`type`, `enum`, `const`, `anyOf`,
`oneOf`, `allOf`, `not`, `if`, `$ref`, `properties`, `items`).",
    evidence: &["zereight/gitlab-mcp#166"],
};

static BOOLEAN_SCHEMA: Check = Check {
    id: "S014",
    name: "boolean-schema",
    severity: Severity::Warning,
    title: "a parameter's schema is a bare `true`",
    reason: "Gemini models behind Copilot CLI fail on it with 400, and the Inspector's strict mode calls it an error",
    advice: "give it a `type`, or `{}` if it may really be anything",
    documentation: "Reported for a property or an item that is `true` instead of an object.",
    evidence: &["github/copilot-cli#4623"],
};

/// Looks at every tool's input schema.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    for tool in published.tools() {
        let Some(schema) = tool.raw.get("inputSchema").filter(|schema| schema.is_object()) else {
            continue;
        };
        let mut tool_findings = Input { tool, schema, findings };
        tool_findings.root();
        let nodes = nodes(schema, "inputSchema");
        tool_findings.openness_below(&nodes);
        for problem in invalid(&nodes, is_draft_04(schema)) {
            tool_findings.report(&SCHEMA_INVALID, &problem.0, problem.1);
        }
        tool_findings.required(&nodes);
        tool_findings.references(&nodes);
        tool_findings.descriptions(&nodes);
        tool_findings.types(&nodes);
    }
}

struct Input<'a, 'b> {
    tool: Tool<'a>,
    schema: &'a Value,
    findings: &'b mut Vec<Finding>,
}

impl<'a> Input<'a, '_> {
    fn report(&mut self, check: &'static Check, path: &str, message: impl Into<String>) {
        self.findings
            .push(Finding::new(check, message).tool(self.tool.name).at(path));
    }

    fn root(&mut self) {
        match self.schema.get("type") {
            Some(Value::String(kind)) if kind == "object" => {}
            None => self.report(&INPUT_NOT_OBJECT, "inputSchema", "the root has no `type`"),
            Some(other) => self.report(
                &INPUT_NOT_OBJECT,
                "inputSchema",
                format!("the root's `type` is {other}"),
            ),
        }
        if let Some(members) = self.schema.as_object()
            && is_open(members)
        {
            self.report(&INPUT_OPEN, "inputSchema", "unknown arguments pass");
        }
        match dialect(self.schema) {
            Dialect::None => {}
            Dialect::Known(name) => self.report(&DIALECT, "inputSchema/$schema", format!("says {name}")),
            Dialect::Unknown(name) => self.report(&DIALECT_UNKNOWN, "inputSchema/$schema", format!("says {name}")),
        }
    }

    fn openness_below(&mut self, nodes: &[Node<'a>]) {
        let open: Vec<&Node<'_>> = nodes
            .iter()
            .filter(|node| !matches!(node.role, Role::Root | Role::Branch | Role::Definition))
            .filter(|node| {
                node.members().is_some_and(|members| {
                    members.contains_key("properties")
                        && !members.contains_key("additionalProperties")
                        && is_open(members)
                })
            })
            .collect();
        if let Some(first) = open.first() {
            let path = first.path.clone();
            self.report(
                &INPUT_OPEN_BELOW,
                &path,
                format!("unknown members pass{}", and_more(open.len())),
            );
        }
    }

    fn required(&mut self, nodes: &[Node<'a>]) {
        for node in nodes {
            let Some(members) = node.members() else { continue };
            let is_other = ["$ref", "allOf", "anyOf", "oneOf", "patternProperties"]
                .iter()
                .any(|keyword| members.contains_key(*keyword));
            if node.role == Role::Branch || is_other {
                continue;
            }
            let properties = members.get("properties").and_then(Value::as_object);
            for name in members.get("required").and_then(Value::as_array).into_iter().flatten() {
                if let Some(name) = name.as_str()
                    && !properties.is_some_and(|properties| properties.contains_key(name))
                {
                    self.report(
                        &REQUIRED_UNKNOWN,
                        &node.path,
                        format!("requires `{name}`, which it does not list"),
                    );
                }
            }
        }
    }

    fn references(&mut self, nodes: &[Node<'a>]) {
        let references = references(nodes);
        let mut count = 0;
        let mut first = None;
        for (path, reference) in &references {
            if resolve(self.schema, reference).is_none() {
                self.report(&REFERENCE_UNRESOLVED, path, format!("`{reference}` leads nowhere"));
            } else {
                count += 1;
                first.get_or_insert(path);
            }
        }
        if let Some(path) = first {
            self.report(&REFERENCE, path, format!("refers to a definition{}", and_more(count)));
        }
        if let Some(reference) = recursive(self.schema, &references) {
            self.report(
                &REFERENCE_RECURSIVE,
                "inputSchema",
                format!("`{reference}` contains itself"),
            );
        }
    }

    fn descriptions(&mut self, nodes: &[Node<'a>]) {
        let mut members = Vec::new();
        for node in nodes {
            let Role::Property { name, is_top, .. } = node.role else {
                continue;
            };
            if is_described(self.schema, node.schema) || !node.schema.is_object() {
                continue;
            }
            if is_top {
                self.report(
                    &PARAMETER_UNDESCRIBED,
                    &node.path,
                    format!("`{name}` has no description"),
                );
            } else {
                members.push(node.path.clone());
            }
        }
        if let Some(first) = members.first() {
            self.report(
                &MEMBER_UNDESCRIBED,
                first,
                format!("has no description{}", and_more(members.len())),
            );
        }
    }

    fn types(&mut self, nodes: &[Node<'a>]) {
        const SAYING: [&str; 16] = [
            "type",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
            "not",
            "if",
            "$ref",
            "$dynamicRef",
            "$recursiveRef",
            "properties",
            "items",
            "prefixItems",
            "required",
            "patternProperties",
        ];
        for node in nodes {
            if !matches!(node.role, Role::Property { .. } | Role::Item) {
                continue;
            }
            match node.schema {
                Value::Bool(true) => self.report(&BOOLEAN_SCHEMA, &node.path, "is a bare `true`"),
                Value::Object(members) if !SAYING.iter().any(|keyword| members.contains_key(*keyword)) => {
                    self.report(&PARAMETER_UNTYPED, &node.path, "says nothing about its type");
                }
                _ => {}
            }
        }
    }
}

/// ` (and n more places in this tool)`, or nothing.
pub(super) fn and_more(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " (and one more place in this tool)".to_owned(),
        count => format!(" (and {} more places in this tool)", count - 1),
    }
}

/// Whether an object certainly lets members pass that it does not list.
fn is_open(members: &Map<String, Value>) -> bool {
    let is_made_of_parts = ["$ref", "allOf", "anyOf", "oneOf", "if"]
        .iter()
        .any(|keyword| members.contains_key(*keyword));
    if members.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
        return false;
    }
    match members.get("additionalProperties") {
        Some(Value::Bool(is_open)) => *is_open,
        Some(Value::Object(schema)) => schema.is_empty(),
        Some(_) => false,
        None => !is_made_of_parts && !members.contains_key("patternProperties"),
    }
}

pub(super) enum Dialect {
    None,
    Known(String),
    Unknown(String),
}

pub(super) fn dialect(schema: &Value) -> Dialect {
    const KNOWN: [&str; 6] = [
        "json-schema.org/draft-03/schema",
        "json-schema.org/draft-04/schema",
        "json-schema.org/draft-06/schema",
        "json-schema.org/draft-07/schema",
        "json-schema.org/draft/2019-09/schema",
        "json-schema.org/draft/2020-12/schema",
    ];
    match schema.get("$schema") {
        None => Dialect::None,
        Some(Value::String(name)) => {
            let bare = name
                .trim_start_matches("http://")
                .trim_start_matches("https://")
                .trim_end_matches('#');
            if KNOWN.contains(&bare) {
                Dialect::Known(name.clone())
            } else {
                Dialect::Unknown(name.clone())
            }
        }
        Some(other) => Dialect::Unknown(other.to_string()),
    }
}

fn is_draft_04(schema: &Value) -> bool {
    matches!(dialect(schema), Dialect::Known(name) if name.contains("draft-04") || name.contains("draft-03"))
}

fn is_described(root: &Value, schema: &Value) -> bool {
    let says = |schema: &Value| {
        schema
            .get("description")
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty())
    };
    let target = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| resolve(root, reference));
    let only_part = schema
        .get("allOf")
        .and_then(Value::as_array)
        .filter(|parts| parts.len() == 1)
        .map(|parts| &parts[0])
        .and_then(|part| {
            part.get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| resolve(root, reference))
        });
    says(schema) || target.is_some_and(says) || only_part.is_some_and(says)
}

/// Every `$ref`, with its place.
pub(super) fn references<'a>(nodes: &[Node<'a>]) -> Vec<(String, &'a str)> {
    nodes
        .iter()
        .filter_map(|node| {
            let reference = node.members()?.get("$ref")?.as_str()?;
            Some((format!("{}/$ref", node.path), reference))
        })
        .collect()
}

/// How many references are followed to find one that comes back to itself.
const REFERENCES: usize = 500;

/// A reference whose target reaches itself again.
fn recursive<'a>(root: &'a Value, references: &[(String, &'a str)]) -> Option<&'a str> {
    let mut inside: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (_, reference) in references.iter().take(REFERENCES) {
        if !inside.contains_key(reference)
            && let Some(target) = resolve(root, reference)
        {
            let targets = nodes(target, "");
            inside.insert(
                reference,
                self::references(&targets).into_iter().map(|(_, name)| name).collect(),
            );
        }
    }
    inside.keys().copied().find(|start| {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = inside[start].iter().copied().collect();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(inside.get(next).into_iter().flatten().copied());
            }
        }
        reached.contains(start)
    })
}

/// Keywords whose values JSON Schema does not allow: place and problem.
pub(super) fn invalid(nodes: &[Node<'_>], is_draft_04: bool) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for node in nodes {
        let members = match node.schema {
            Value::Bool(_) => continue,
            Value::Object(members) => members,
            other => {
                found.push((
                    node.path.clone(),
                    format!("a schema is an object, not {}", kind_of(other)),
                ));
                continue;
            }
        };
        for (keyword, value) in members {
            if let Some(problem) = keyword_problem(keyword, value, is_draft_04) {
                found.push((format!("{}/{keyword}", node.path), problem));
            }
        }
    }
    found
}

fn keyword_problem(keyword: &str, value: &Value, is_draft_04: bool) -> Option<String> {
    const TYPES: [&str; 7] = ["null", "boolean", "string", "number", "integer", "array", "object"];
    let is_count = || value.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0);
    let unless = |is_good: bool, wanted: &str| {
        (!is_good).then(|| format!("`{keyword}` must be {wanted}, not {}", kind_of(value)))
    };
    match keyword {
        "type" => match value {
            Value::String(name) if TYPES.contains(&name.as_str()) => None,
            Value::String(name) => Some(format!("`{name}` is no type")),
            Value::Array(names) => match names.iter().find(|name| !TYPES.iter().any(|kind| *name == kind)) {
                Some(other) => Some(format!("{other} is no type")),
                None if names.is_empty() => Some("`type` is an empty list".to_owned()),
                None => None,
            },
            _ => unless(false, "a text or a list of texts"),
        },
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            unless(value.is_object(), "an object")
        }
        // Drafts up to 04 put `required: true` on a property.
        "required" => {
            let is_list = value.as_array().is_some_and(|names| names.iter().all(Value::is_string));
            unless(is_list, "a list of names")
        }
        "enum" => match value.as_array() {
            Some(choices) if choices.is_empty() => Some("`enum` is empty, so that no value fits".to_owned()),
            Some(_) => None,
            None => unless(false, "a list"),
        },
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => match value.as_array() {
            Some(parts) if parts.is_empty() => Some(format!("`{keyword}` is empty")),
            Some(_) => None,
            None => unless(false, "a list of schemas"),
        },
        "exclusiveMinimum" | "exclusiveMaximum" => {
            unless(value.is_number() || is_draft_04 && value.is_boolean(), "a number")
        }
        "minimum" | "maximum" | "multipleOf" => unless(value.is_number(), "a number"),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            unless(is_count(), "a whole number from 0")
        }
        "uniqueItems" => unless(value.is_boolean(), "true or false"),
        "pattern" | "format" | "$ref" | "description" | "title" | "$schema" | "$id" => {
            unless(value.is_string(), "a text")
        }
        _ => None,
    }
}

/// Whether a schema is that of an array, for other groups.
pub(super) fn is_array(members: &Map<String, Value>) -> bool {
    has_type(members, "array")
}

#[cfg(test)]
mod tests;
