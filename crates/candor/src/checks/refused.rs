//! C: forms of input schemas that clients or model APIs refuse.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Check, Group, input};
use crate::schema::{Node, Role, has_type, nodes};
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'C',
    title: "What clients refuse in input schemas",
    checks: &[
        &TYPE_LIST,
        &NULLABLE,
        &UNKNOWN_FORMAT,
        &TEXT_FORMAT,
        &KEYWORD_REFUSED,
        &ARRAY_WITHOUT_ITEMS,
        &ROOT_IN_PARTS,
        &PROPERTY_NAME,
    ],
};

static TYPE_LIST: Check = Check {
    id: "C001",
    name: "type-list",
    severity: Severity::Error,
    title: "a parameter has a list of types",
    reason: "Copilot CLI with Gemini gets a 400 for the whole request, Google's ADK crashed on it, and the Kuadrant gateway drops the tool",
    advice: "give it one type; what is optional is simply not required",
    documentation: "\
Reported for `\"type\": [\"string\", \"null\"]` and every other list with more than one type, at any depth, once for each
place.",
    evidence: &[
        "github/copilot-cli#4623",
        "google/adk-js#199",
        "aoci-code#61",
        "paperless-mcp#138",
    ],
};

static NULLABLE: Check = Check {
    id: "C002",
    name: "nullable",
    severity: Severity::Note,
    title: "an optional parameter may be null",
    reason: "an optional parameter is simply not required; with null a model has two ways to say nothing, and some APIs have no null",
    advice: "leave null out of the schema, and accept it all the same",
    documentation: "\
Reported for a property that is not required and has `anyOf` or `oneOf` with a branch of type null, `enum` with null, or
`\"nullable\": true`, once for each tool. Null in a list, or for a required property, may mean something and is not
reported. A list of types has a check of its own.",
    evidence: &["aoci-code#61", "cyanheads/mcp-ts-core"],
};

static UNKNOWN_FORMAT: Check = Check {
    id: "C003",
    name: "unknown-format",
    severity: Severity::Error,
    title: "a parameter has a format that validators do not know",
    reason: "Genkit refuses the tool (`unknown format`), and OpenCode, Kimi and CodeBuddy fill the terminal with warnings",
    advice: "leave `format` out; say bounds with `minimum` and `maximum`",
    documentation: "\
Known are the formats of JSON Schema and, for numbers, int32, int64, float and double. What schemars writes for Rust's
integers (`uint`, `uint8`, `uint32`, `uint64`, …) is not. Reported once for a tool.",
    evidence: &[
        "apollographql/apollo-mcp-server#245",
        "anomalyco/opencode#31002",
        "longbridge/developers#1264",
    ],
};

static TEXT_FORMAT: Check = Check {
    id: "C004",
    name: "text-format",
    severity: Severity::Warning,
    title: "a parameter has a text format that the Gemini API refuses",
    reason: "the Gemini API accepts only `enum` and `date-time` and answers 400 to the whole request unless the client strips the rest",
    advice: "say the form in the description and leave `format` out",
    documentation: "\
Reported once for a tool for texts with a format that JSON Schema knows, other than `date-time`: `uri`, `email`, `uuid`,
`date` and so on.",
    evidence: &["google-gemini/gemini-cli#2237", "hideya/langchain-mcp-tools-ts#36"],
};

static KEYWORD_REFUSED: Check = Check {
    id: "C005",
    name: "keyword-refused",
    severity: Severity::Warning,
    title: "an input schema has keywords that the Gemini API refuses",
    reason: "the Gemini API has no field for them and answers 400 (`Unknown name`) to the whole request unless the client strips them",
    advice: "use the plainer form (minimum for exclusiveMinimum, enum for const), or say it in the description",
    documentation: "\
Looks for exclusiveMinimum, exclusiveMaximum, const, multipleOf, uniqueItems, contains, prefixItems, additionalItems,
propertyNames, patternProperties, unevaluatedProperties, unevaluatedItems, dependencies, dependentRequired,
dependentSchemas, contentEncoding, contentMediaType, contentSchema, not, if, then, else, examples, readOnly, writeOnly,
deprecated and $comment. Reported once for a tool with all of them. `additionalProperties`, `$schema` and `$ref` are
stripped by every client that talks to Gemini and are not reported here.",
    evidence: &[
        "danny-avila/LibreChat#13850",
        "zendev-sh/goai#108",
        "pizza-bot-app/pizza-bot#62",
        "fazer-ai/agents#64",
    ],
};

static ARRAY_WITHOUT_ITEMS: Check = Check {
    id: "C006",
    name: "array-without-items",
    severity: Severity::Error,
    title: "a list does not say what it holds",
    reason: "VS Code loses the whole session (`array without items`), and the Gemini API answers 400 (`items: missing field`)",
    advice: "add `items`",
    documentation: "Reported for `type: array` without `items` and without `prefixItems`, once for each place.",
    evidence: &[
        "microsoft/vscode#284536",
        "microsoft/vscode#325618",
        "boshyxd/robloxstudio-mcp#72",
    ],
};

static ROOT_IN_PARTS: Check = Check {
    id: "C007",
    name: "root-in-parts",
    severity: Severity::Error,
    title: "an input schema has anyOf, oneOf or allOf at its root",
    reason: "the Anthropic API answers 400 to the whole request, and Claude Code drops the tool without a word",
    advice: "list all properties at the root and say in the description which belong together",
    documentation: "Reported when the root of `inputSchema` has `anyOf`, `oneOf` or `allOf`.",
    evidence: &[
        "anthropics/claude-code#5973",
        "makenotion/notion-mcp-server#341",
        "opentokenz/mcpx#28",
    ],
};

static PROPERTY_NAME: Check = Check {
    id: "C008",
    name: "property-name",
    severity: Severity::Error,
    title: "a parameter's name has letters that model APIs refuse",
    reason: "the Anthropic API answers 400 (`Property keys should match pattern`) to the whole request; Claude Code drops the tool without a word",
    advice: "name parameters with at most 64 of A-Z a-z 0-9 _ . -",
    documentation: "Looks at the names of the root's properties, which are what the API checks.",
    evidence: &[
        "anthropics/claude-code#92648",
        "freee/freee-mcp#15",
        "twilio-labs/mcp#49",
    ],
};

/// Formats that JSON Schema knows.
const TEXT_FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Further formats that common validators (Ajv's) know.
const COMMON_FORMATS: [&str; 12] = [
    "int32",
    "int64",
    "float",
    "double",
    "enum",
    "url",
    "byte",
    "binary",
    "password",
    "iso-time",
    "iso-date-time",
    "json-pointer-uri-fragment",
];

const REFUSED: [&str; 27] = [
    "exclusiveMinimum",
    "exclusiveMaximum",
    "const",
    "multipleOf",
    "uniqueItems",
    "contains",
    "prefixItems",
    "additionalItems",
    "propertyNames",
    "patternProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
    "examples",
    "readOnly",
    "writeOnly",
    "deprecated",
    "$comment",
];

/// Looks at every tool's input schema.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    for tool in published.tools() {
        let Some(schema) = tool.raw.get("inputSchema").filter(|schema| schema.is_object()) else {
            continue;
        };
        let nodes = nodes(schema, "inputSchema");
        let mut report = |check, path: &str, message: String| {
            findings.push(Finding::new(check, message).tool(tool.name).at(path));
        };
        for node in &nodes {
            let Some(members) = node.members() else { continue };
            if let Some(Value::Array(names)) = members.get("type")
                && names.len() > 1
            {
                report(
                    &TYPE_LIST,
                    &format!("{}/type", node.path),
                    format!("the type is {}", members["type"]),
                );
            }
            if input::is_array(members) && !members.contains_key("items") && !members.contains_key("prefixItems") {
                report(
                    &ARRAY_WITHOUT_ITEMS,
                    &node.path,
                    "is an array without `items`".to_owned(),
                );
            }
            if let Role::Property { name, is_top: true, .. } = node.role
                && !is_accepted_name(name)
            {
                report(&PROPERTY_NAME, &node.path, format!("the name is {name:?}"));
            }
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            if schema.get(keyword).is_some() {
                report(&ROOT_IN_PARTS, "inputSchema", format!("the root has `{keyword}`"));
            }
        }
        let places = |test: &dyn Fn(&Map<String, Value>) -> bool| -> Vec<String> {
            nodes
                .iter()
                .filter(|node| node.members().is_some_and(test))
                .map(|node| node.path.clone())
                .collect()
        };
        let nullable: Vec<String> = nodes
            .iter()
            .filter(|node| matches!(node.role, Role::Property { is_required: false, .. }))
            .filter(|node| node.members().is_some_and(is_nullable))
            .map(|node| node.path.clone())
            .collect();
        if let Some(first) = nullable.first() {
            report(
                &NULLABLE,
                first,
                format!("may be null{}", input::and_more(nullable.len())),
            );
        }
        for (check, test) in [
            (&UNKNOWN_FORMAT, &is_unknown_format as &dyn Fn(&str) -> bool),
            (&TEXT_FORMAT, &is_refused_text_format),
        ] {
            let found = places(&|members| members.get("format").and_then(Value::as_str).is_some_and(test));
            if let Some(first) = found.first() {
                let format = pointed(&nodes, first);
                report(
                    check,
                    &format!("{first}/format"),
                    format!("the format is {format}{}", input::and_more(found.len())),
                );
            }
        }
        if let Some((first, all)) = refused(&nodes) {
            report(&KEYWORD_REFUSED, &first, format!("has {all}"));
        }
    }
}

fn pointed(nodes: &[Node<'_>], path: &str) -> String {
    nodes
        .iter()
        .find(|node| node.path == path)
        .and_then(|node| Some(format!("`{}`", node.members()?.get("format")?.as_str()?)))
        .unwrap_or_default()
}

fn is_nullable(members: &Map<String, Value>) -> bool {
    let is_null = |branch: &Value| {
        branch
            .as_object()
            .is_some_and(|members| members.get("type") == Some(&"null".into()))
    };
    let has_branch = |keyword: &str| {
        members
            .get(keyword)
            .and_then(Value::as_array)
            .is_some_and(|branches| branches.iter().any(is_null))
    };
    let has_choice = members
        .get("enum")
        .and_then(Value::as_array)
        .is_some_and(|choices| choices.contains(&Value::Null))
        // With a list of types this is said there.
        && !has_type(members, "null");
    has_branch("anyOf") || has_branch("oneOf") || has_choice || members.get("nullable") == Some(&Value::Bool(true))
}

pub(super) fn is_unknown_format(format: &str) -> bool {
    !TEXT_FORMATS.contains(&format) && !COMMON_FORMATS.contains(&format)
}

fn is_refused_text_format(format: &str) -> bool {
    TEXT_FORMATS.contains(&format) && format != "date-time"
}

fn is_accepted_name(name: &str) -> bool {
    let is_accepted = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    !name.is_empty() && name.len() <= 64 && name.chars().all(is_accepted)
}

fn refused(nodes: &[Node<'_>]) -> Option<(String, String)> {
    let mut first = None;
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for node in nodes {
        for keyword in node.members().into_iter().flat_map(Map::keys) {
            if let Some(index) = REFUSED.iter().position(|refused| refused == keyword) {
                first.get_or_insert_with(|| format!("{}/{keyword}", node.path));
                *counts.entry(index).or_default() += 1;
            }
        }
    }
    let all: Vec<String> = counts
        .into_iter()
        .map(|(index, count)| match count {
            1 => format!("`{}`", REFUSED[index]),
            count => format!("`{}` ({count} times)", REFUSED[index]),
        })
        .collect();
    Some((first?, all.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::checks::tests::found_in_input;

    #[track_caller]
    fn expect(schema: &Value, wanted: &[&str]) {
        assert_eq!(found_in_input(check, schema), wanted);
    }

    #[test]
    fn plain_schemas_are_accepted() {
        expect(
            &json!({"type": "object", "properties": {
                "const": {"type": "string"}, "when": {"type": "string", "format": "date-time"},
                "n": {"type": ["integer"], "format": "int32"}, "list": {"type": "array", "items": {"type": "string"}},
                "pair": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
                "cell": {"anyOf": [{"type": "string"}, {"type": "null"}]}
            }, "required": ["cell"]}),
            &[],
        );
    }

    #[test]
    fn what_is_refused() {
        expect(
            &json!({"type": "object", "oneOf": [{"required": ["a"]}], "properties": {
                "a": {"type": ["string", "null"], "enum": ["x", null]},
                "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "c": {"type": "integer", "format": "uint32", "exclusiveMinimum": 0},
                "d": {"type": "integer", "format": "uint32", "exclusiveMinimum": 0, "const": 3},
                "e": {"type": "string", "format": "uri"},
                "f": {"type": "array"},
                "g[]": {"type": "string"}
            }}),
            &[
                "C001 inputSchema/properties/a/type: the type is [\"string\",\"null\"]",
                "C006 inputSchema/properties/f: is an array without `items`",
                "C008 inputSchema/properties/g[]: the name is \"g[]\"",
                "C007 inputSchema: the root has `oneOf`",
                "C002 inputSchema/properties/b: may be null",
                "C003 inputSchema/properties/c/format: the format is `uint32` (and one more place in this tool)",
                "C004 inputSchema/properties/e/format: the format is `uri`",
                "C005 inputSchema/properties/c/exclusiveMinimum: has `exclusiveMinimum` (2 times), `const`",
            ],
        );
    }
}
