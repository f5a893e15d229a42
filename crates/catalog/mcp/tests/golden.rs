//! The published shapes: what tools say about themselves, byte for byte.
//!
//! When a change is meant, run the tests with `UPDATE_GOLDEN=1` and read the difference before committing it.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::PathBuf;

use candor_catalog_mcp::descriptions;
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
        bytes.input < 20_000,
        "names, descriptions and input schemas take {} bytes",
        bytes.input
    );
    assert!(bytes.output < 12_000, "output schemas take {} bytes", bytes.output);
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
            ["catalog_alias", "Name an entry", [false, false, false, false]],
            ["catalog_create", "Create a named result", [false, false, false, false]],
            ["catalog_import_source", "Import a file", [false, false, true, false]],
            ["catalog_list", "List entries", [true, false, true, false]],
            ["catalog_peek", "Look at rows", [true, false, true, false]],
            ["catalog_query", "Query without storing", [true, false, true, false]],
            ["catalog_recalc", "Recompute stale entries", [false, false, true, false]],
            ["catalog_rename", "Rename an alias", [false, false, false, false]],
            ["catalog_revise", "Revise a named result", [false, false, false, false]],
            ["catalog_run", "Run a recipe", [false, false, false, false]],
            [
                "catalog_scan_staleness",
                "Find stale entries",
                [true, false, true, false]
            ],
            ["catalog_unalias", "Remove an alias", [false, true, false, false]],
            ["project_list", "List projects", [true, false, true, false]],
            ["project_new", "Make a project", [false, false, false, false]],
            ["project_switch", "Switch project", [false, false, true, false]],
        ])
    );
}

#[test]
fn parameters_stand_in_their_order() {
    let rows: Vec<_> = descriptions()
        .iter()
        .map(|tool| {
            let schema = tool.input_schema();
            let properties: Vec<_> = schema
                .get("properties")
                .and_then(Value::as_object)
                .map(|properties| properties.keys().cloned().collect())
                .unwrap_or_default();
            let required = schema.get("required").cloned().unwrap_or(json!([]));
            json!([tool.name(), properties, required])
        })
        .collect();
    assert_eq!(
        Value::from(rows),
        json!([
            ["catalog_alias", ["hash", "name"], ["hash", "name"]],
            ["catalog_create", ["name", "sql", "prompt"], ["name", "sql"]],
            [
                "catalog_import_source",
                [
                    "outside_path",
                    "alias",
                    "pinned_version",
                    "prompt",
                    "schema",
                    "reader_options"
                ],
                ["outside_path", "alias"]
            ],
            ["catalog_list", ["limit", "offset"], []],
            ["catalog_peek", ["ref", "limit", "offset", "columns"], ["ref"]],
            ["catalog_query", ["sql", "limit"], ["sql"]],
            ["catalog_recalc", ["roots", "dry_run"], []],
            ["catalog_rename", ["old_name", "new_name"], ["old_name", "new_name"]],
            ["catalog_revise", ["name", "sql", "prompt"], ["name", "sql"]],
            ["catalog_run", ["sql", "prompt"], ["sql"]],
            ["catalog_scan_staleness", ["verify_results"], []],
            ["catalog_unalias", ["name"], ["name"]],
            ["project_list", [], []],
            ["project_new", ["name"], ["name"]],
            ["project_switch", ["name"], ["name"]],
        ])
    );
}

#[test]
fn descriptions_keep_their_promises() {
    let tools = descriptions();
    let run = tools.iter().find(|tool| tool.name() == "catalog_run").unwrap();
    for pinned in [
        "ONE SELECT or WITH",
        "\"orders-v2\"",
        "new_errors",
        "ORDER BY",
        "Refused",
        "catalog_import_source",
        "candidates",
    ] {
        assert!(run.description().contains(pinned), "catalog_run says {pinned}");
    }
    for tool in &tools {
        assert!(
            tool.name() == "project_list" || tool.description().contains("Errors:"),
            "{} says how it fails",
            tool.name()
        );
        let properties = tool.input_schema().get("properties").and_then(Value::as_object);
        for (parameter, schema) in properties.into_iter().flatten() {
            assert!(
                schema.get("description").is_some(),
                "{}.{parameter} is described",
                tool.name()
            );
        }
    }
}
