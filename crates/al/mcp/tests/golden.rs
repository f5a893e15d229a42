//! The published shapes: what tools say about themselves, byte for byte.
//!
//! When a change is meant, run the tests with `UPDATE_GOLDEN=1` and read the difference before committing it.

use std::fs;
use std::path::PathBuf;

use candor_al_mcp::descriptions;
use candor_contract::{ToolDescription, check_policy, published_bytes};
use serde_json::{Value, json};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
}

#[test]
fn tools_are_published_as_frozen() {
    let published: Value = descriptions().iter().map(ToolDescription::to_json).collect();
    let text = format!("{}\n", serde_json::to_string_pretty(&published).unwrap());
    let path = golden("tools.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let frozen = fs::read_to_string(&path).unwrap();
    assert_eq!(text, frozen, "the published tools changed");
}

#[test]
fn what_is_published_stays_small() {
    let tools = descriptions();
    let bytes = published_bytes(&tools);
    assert!(
        bytes.input < 6_500,
        "names, descriptions and input schemas take {} bytes",
        bytes.input
    );
    assert!(bytes.output < 5_000, "output schemas take {} bytes", bytes.output);
}

#[test]
fn the_policy_of_the_contract_is_kept() {
    for tool in descriptions() {
        assert_eq!(check_policy(&tool), []);
    }
}

/// Name, title, and the hints read-only, destructive, idempotent, open world.
#[test]
fn titles_and_hints_are_as_agents_know_them() {
    let rows: Vec<_> = descriptions()
        .iter()
        .map(|tool| {
            let hints = tool.hints();
            json!([
                tool.name(),
                tool.title(),
                [hints.read_only, hints.destructive, hints.idempotent, hints.open_world]
            ])
        })
        .collect();
    assert_eq!(
        Value::from(rows),
        json!([
            ["analyze", "Analyze AL project", [true, false, true, false]],
            ["apply_fix", "Apply code fix", [false, false, false, false]],
            [
                "apply_fix_all",
                "Apply fix to all occurrences",
                [false, false, false, false]
            ],
            ["get_fixes", "Get code fixes", [true, false, true, false]],
            ["list_rules", "List analyzer rules", [true, false, true, false]],
        ])
    );
}

#[test]
fn parameters_stand_in_their_order() {
    let rows: Vec<_> = descriptions()
        .iter()
        .map(|tool| {
            let schema = tool.input_schema();
            let properties: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
            let required = schema.get("required").cloned().unwrap_or(json!([]));
            json!([tool.name(), properties, required])
        })
        .collect();
    assert_eq!(
        Value::from(rows),
        json!([
            [
                "analyze",
                [
                    "filePath",
                    "folderPath",
                    "projectPath",
                    "severities",
                    "analyzers",
                    "ruleIds",
                    "limit",
                    "offset",
                    "source"
                ],
                []
            ],
            [
                "apply_fix",
                [
                    "projectPath",
                    "filePath",
                    "diagnosticId",
                    "line",
                    "column",
                    "equivalenceKey",
                    "analyzers",
                    "contentVersion",
                    "dryRun"
                ],
                ["projectPath", "filePath", "diagnosticId", "line", "column"]
            ],
            [
                "apply_fix_all",
                [
                    "projectPath",
                    "diagnosticId",
                    "scope",
                    "filePath",
                    "equivalenceKey",
                    "analyzers",
                    "contentVersion",
                    "dryRun"
                ],
                ["projectPath", "diagnosticId"]
            ],
            [
                "get_fixes",
                ["projectPath", "filePath", "diagnosticId", "line", "column", "analyzers"],
                ["projectPath", "filePath", "diagnosticId", "line", "column"]
            ],
            ["list_rules", ["projectPath", "copFilter", "analyzers", "verbose"], []],
        ])
    );
}

#[test]
fn descriptions_keep_their_promises() {
    let tools = descriptions();
    let words = |name: &str| tools.iter().find(|tool| tool.name() == name).unwrap().description();
    for pinned in [
        "al_compile",
        "onlyErrors is false",
        "al_getdiagnostics",
        "does not run analyzers",
    ] {
        assert!(words("analyze").contains(pinned), "analyze says {pinned}");
    }
    for name in ["apply_fix", "apply_fix_all"] {
        for pinned in ["verify with analyze", "al_compile", "options.onlyErrors: false"] {
            assert!(words(name).contains(pinned), "{name} says {pinned}");
        }
    }
    for tool in &tools {
        for part in ["Returns", "Errors:", "Next:"] {
            let says = tool.description().contains(part) || (part == "Returns" && tool.name() == "get_fixes");
            assert!(says, "{} says {part}", tool.name());
        }
        for (parameter, schema) in tool.input_schema()["properties"].as_object().unwrap() {
            assert!(
                schema.get("description").is_some(),
                "{}.{parameter} is described",
                tool.name()
            );
        }
    }
}
