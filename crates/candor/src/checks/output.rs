//! O: output schemas.

use serde_json::Value;

use super::{Check, Group, input, refused};
use crate::published::Handshake;
use crate::schema::{nodes, resolve};
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'O',
    title: "Output schemas",
    checks: &[
        &OUTPUT_NOT_OBJECT,
        &OUTPUT_CLOSED,
        &OUTPUT_OLD_DIALECT,
        &OUTPUT_DIALECT,
        &OUTPUT_INVALID,
        &OUTPUT_REFERENCE_UNRESOLVED,
        &OUTPUT_DEFAULT,
        &OUTPUT_UNKNOWN_FORMAT,
    ],
};

static OUTPUT_NOT_OBJECT: Check = Check {
    id: "O001",
    name: "output-not-object",
    severity: Severity::Error,
    title: "an output schema's root is not `type: object`",
    reason: "until 2026-07-28 the root must be an object; the TypeScript SDK's v1 clients throw the whole list away",
    advice: "put the value into an object, and begin the schema with `\"type\": \"object\"`",
    documentation: "\
Reported when a conversation that began with `initialize` (every revision before 2026-07-28) publishes an
`outputSchema` whose `type` is not the text `object`. Since 2026-07-28 any root is allowed.",
    evidence: &["specification 2025-11-25, schema: Tool", "opentokenz/mcpx#28"],
};

static OUTPUT_CLOSED: Check = Check {
    id: "O002",
    name: "output-closed",
    severity: Severity::Note,
    title: "an output schema's root is closed",
    reason: "a field added to every reply later (a warning, a cursor) breaks all validating clients: TypeScript v1 and v2, fastmcp, mcp, Inspector",
    advice: "leave `additionalProperties: false` out of the root of output schemas",
    documentation: "\
Reported when the root of `outputSchema` has `additionalProperties: false`. Nothing breaks as long as the server's
replies keep to it; clients that cached the list break as soon as a newer server adds a field.",
    evidence: &["measured with five clients, November 2026"],
};

static OUTPUT_OLD_DIALECT: Check = Check {
    id: "O003",
    name: "output-old-dialect",
    severity: Severity::Error,
    title: "an output schema names a dialect other than 2020-12",
    reason: "clients built on the TypeScript SDK v2 compile output schemas as 2020-12 and refuse the tool",
    advice: "leave `$schema` out: 2020-12 is what it means then",
    documentation: "Reported when the root of `outputSchema` has a `$schema` that is not 2020-12.",
    evidence: &[
        "anthropics/claude-code#90549",
        "kintone/mcp-server#550",
        "obsidian-local-rest-api#328",
        "sap-mcp-servers#52",
    ],
};

static OUTPUT_DIALECT: Check = Check {
    id: "O004",
    name: "output-dialect",
    severity: Severity::Note,
    title: "an output schema names its dialect",
    reason: "validators of draft-07 refuse a schema that says 2020-12 (`no schema with key or ref`); without `$schema` all take it as theirs",
    advice: "leave `$schema` out",
    documentation: "Reported when the root of `outputSchema` has a `$schema` that is 2020-12.",
    evidence: &["pi-mcp-adapter#2"],
};

static OUTPUT_INVALID: Check = Check {
    id: "O005",
    name: "output-invalid",
    severity: Severity::Error,
    title: "an output schema is no valid JSON Schema",
    reason: "the TypeScript SDK's clients compile all output schemas when they list tools, and lose the list",
    advice: "correct the keyword",
    documentation: "The same as for input schemas, for `outputSchema`.",
    evidence: &["anthropics/claude-code#76040"],
};

static OUTPUT_REFERENCE_UNRESOLVED: Check = Check {
    id: "O006",
    name: "output-reference-unresolved",
    severity: Severity::Error,
    title: "a `$ref` in an output schema leads nowhere",
    reason: "Claude Code, Kiro, OpenCode and Cursor compile output schemas when they list tools and lose the whole list (`can't resolve reference`)",
    advice: "define the target in the same schema, or write it where it is used",
    documentation: "\
Follows every `$ref` inside `outputSchema`. A `$defs` that stands in a part of the schema is not where a pointer from
the root looks for it.",
    evidence: &[
        "anthropics/claude-code#76040",
        "kirodotdev/Kiro#10040",
        "davideast/stitch-mcp#184",
    ],
};

static OUTPUT_DEFAULT: Check = Check {
    id: "O007",
    name: "output-default",
    severity: Severity::Note,
    title: "an output schema has the keyword `default`",
    reason: "nobody fills in results; it comes from a generator and costs every client its tokens",
    advice: "leave it out",
    documentation: "Reported once for a tool.",
    evidence: &["3 of 38 output schemas of 13 public servers have it"],
};

static OUTPUT_UNKNOWN_FORMAT: Check = Check {
    id: "O008",
    name: "output-unknown-format",
    severity: Severity::Warning,
    title: "an output schema has a format that validators do not know",
    reason: "the TypeScript SDK's clients print a warning for each when they list tools, which makes OpenCode's screen unusable",
    advice: "leave `format` out",
    documentation: "The same formats as for input schemas. Reported once for a tool.",
    evidence: &["anomalyco/opencode#31002", "Piebald-AI/splitrail#113"],
};

/// Looks at every tool's output schema.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    for tool in published.tools() {
        let Some(schema) = tool.raw.get("outputSchema").filter(|schema| schema.is_object()) else {
            continue;
        };
        let mut report = |check, path: &str, message: String| {
            findings.push(Finding::new(check, message).tool(tool.name).at(path));
        };
        if published.handshake == Handshake::Initialize && schema.get("type") != Some(&"object".into()) {
            let what = schema.get("type").map_or_else(
                || "the root has no `type`".to_owned(),
                |kind| format!("the root's `type` is {kind}"),
            );
            report(&OUTPUT_NOT_OBJECT, "outputSchema", what);
        }
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            report(&OUTPUT_CLOSED, "outputSchema", "the root is closed".to_owned());
        }
        match input::dialect(schema) {
            input::Dialect::None => {}
            input::Dialect::Known(name) if name.contains("2020-12") => {
                report(&OUTPUT_DIALECT, "outputSchema/$schema", format!("says {name}"));
            }
            input::Dialect::Known(name) | input::Dialect::Unknown(name) => {
                report(&OUTPUT_OLD_DIALECT, "outputSchema/$schema", format!("says {name}"));
            }
        }
        let nodes = nodes(schema, "outputSchema");
        for (path, problem) in input::invalid(&nodes, false) {
            report(&OUTPUT_INVALID, &path, problem);
        }
        for (path, reference) in input::references(&nodes) {
            if resolve(schema, reference).is_none() {
                report(
                    &OUTPUT_REFERENCE_UNRESOLVED,
                    &path,
                    format!("`{reference}` leads nowhere"),
                );
            }
        }
        let places = |keyword: &str, test: &dyn Fn(&Value) -> bool| -> Vec<String> {
            nodes
                .iter()
                .filter(|node| {
                    node.members()
                        .and_then(|members| members.get(keyword))
                        .is_some_and(test)
                })
                .map(|node| format!("{}/{keyword}", node.path))
                .collect()
        };
        let defaults = places("default", &|_| true);
        if let Some(first) = defaults.first() {
            report(
                &OUTPUT_DEFAULT,
                first,
                format!("has `default`{}", input::and_more(defaults.len())),
            );
        }
        let formats = places("format", &|format| {
            format.as_str().is_some_and(refused::is_unknown_format)
        });
        if let Some(first) = formats.first() {
            report(
                &OUTPUT_UNKNOWN_FORMAT,
                first,
                format!("has a format nobody knows{}", input::and_more(formats.len())),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::checks::tests::found;

    #[test]
    fn output_schemas() {
        let tools = [
            json!({"name": "good", "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}),
            json!({"name": "bad", "outputSchema": {
                "$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "additionalProperties": false,
                "items": {"$ref": "#/$defs/X", "$defs": {"X": {"type": "integer", "format": "uint8", "default": 1}}}
            }}),
        ];
        assert_eq!(
            found(check, &tools),
            [
                "O001 bad outputSchema: the root's `type` is \"array\"",
                "O002 bad outputSchema: the root is closed",
                "O003 bad outputSchema/$schema: says http://json-schema.org/draft-07/schema#",
                "O006 bad outputSchema/items/$ref: `#/$defs/X` leads nowhere",
                "O007 bad outputSchema/items/$defs/X/default: has `default`",
                "O008 bad outputSchema/items/$defs/X/format: has a format nobody knows",
            ]
        );
    }
}
