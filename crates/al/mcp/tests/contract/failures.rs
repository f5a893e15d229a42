//! Every row of the error table, provoked.

use std::collections::BTreeSet;

use candor_al_session::AlVocabulary;
use candor_contract::vocabulary_rows;
use serde_json::{Value, json};

use crate::client::{MANIFEST, PAGE, PUBLISHER, World, suppressed_page, with};

#[test]
fn tools_are_listed_as_frozen() {
    let world = World::new(&[]);
    let mut client = world.server();
    let listed = client.ask("tools/list", &json!({}))["tools"].clone();
    let frozen: Value = serde_json::from_str(include_str!("../golden/tools.json")).unwrap();
    let names = |tools: &Value| {
        tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&listed), names(&frozen));
    for (listed, frozen) in listed.as_array().unwrap().iter().zip(frozen.as_array().unwrap()) {
        for part in ["title", "description", "inputSchema", "outputSchema"] {
            assert_eq!(
                listed[part].to_string(),
                frozen[part].to_string(),
                "{} {part}",
                frozen["name"]
            );
        }
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert_eq!(
                listed["annotations"][hint], frozen["annotations"][hint],
                "{} {hint}",
                frozen["name"]
            );
        }
    }
}

/// A call and the failure it meets.
type Row = (&'static str, Value, &'static str, Option<&'static str>);

#[test]
fn every_reason_that_a_call_can_meet_is_met() {
    let world = World::new(&[
        ("page.al", PAGE),
        ("publisher.al", PUBLISHER),
        ("off.al", &suppressed_page()),
    ]);
    let page = world.at_page();
    let at_page = |changes: Value| with(&page, &changes);
    let publisher = json!({"projectPath": world.root_text(), "diagnosticId": "AC0012"});
    let in_publisher = json!({
        "projectPath": world.root_text(), "filePath": world.path("publisher.al"), "diagnosticId": "AC0012", "line": 6, "column": 21
    });
    let not_utf8: Vec<u8> = PAGE.bytes().chain([b'/', b'/', 0xE4]).collect();
    world.write("ansi.al", &not_utf8);
    let rows: Vec<Row> = vec![
        ("analyze", json!({"limit": "many"}), "Invalid", None),
        ("analyze", json!({"limits": 5}), "Invalid", None),
        ("analyze", json!({"limit": 0}), "Invalid", None),
        ("analyze", json!({"severities": ["Fatal"]}), "Invalid", None),
        ("analyze", json!({"analyzers": []}), "Invalid", None),
        ("analyze", json!({"filePath": "a\u{0}b"}), "Invalid", None),
        ("analyze", json!({"projectPath": "/elsewhere"}), "Invalid", None),
        (
            "analyze",
            json!({"folderPath": "/elsewhere"}),
            "NotFound",
            Some("FileNotInProject"),
        ),
        ("analyze", json!({"source": "all"}), "Unavailable", Some("NoProxy")),
        ("list_rules", json!({"verbose": "yes"}), "Invalid", None),
        ("get_fixes", json!({}), "Invalid", None),
        ("get_fixes", at_page(json!({"line": 0})), "Invalid", None),
        (
            "get_fixes",
            at_page(json!({"projectPath": "/elsewhere"})),
            "Invalid",
            None,
        ),
        (
            "get_fixes",
            at_page(json!({"diagnosticId": "XX0001"})),
            "NotFound",
            Some("NoFixProvider"),
        ),
        (
            "get_fixes",
            at_page(json!({"filePath": "missing.al"})),
            "NotFound",
            Some("FileNotInProject"),
        ),
        (
            "get_fixes",
            at_page(json!({"analyzers": ["CodeCop"]})),
            "NotFound",
            Some("NoAnalyzerForRule"),
        ),
        (
            "get_fixes",
            at_page(json!({"line": 1})),
            "NotFound",
            Some("NoDiagnosticAtPosition"),
        ),
        (
            "get_fixes",
            at_page(json!({"filePath": world.path("off.al"), "line": 12})),
            "NotFound",
            Some("SuppressedByPragma"),
        ),
        (
            "apply_fix",
            at_page(json!({"equivalenceKey": ""})),
            "NotFound",
            Some("NoFixForEquivalenceKey"),
        ),
        ("apply_fix", in_publisher, "Ambiguous", None),
        ("apply_fix", at_page(json!({"contentVersion": "?"})), "Stale", None),
        (
            "apply_fix",
            at_page(json!({"filePath": world.path("ansi.al")})),
            "Faulted",
            Some("UnsupportedEncoding"),
        ),
        ("apply_fix_all", publisher, "Ambiguous", None),
        (
            "apply_fix_all",
            json!({"projectPath": world.root_text(), "diagnosticId": "LC0020", "scope": "file"}),
            "Invalid",
            None,
        ),
        (
            "apply_fix_all",
            json!({"projectPath": world.root_text(), "diagnosticId": "LC0020", "scope": "document"}),
            "Invalid",
            None,
        ),
    ];
    let mut client = world.server();
    let mut met = BTreeSet::new();
    for (tool, arguments, code, reason) in rows {
        let envelope = client.fail(tool, &arguments, code, reason);
        let keys: Vec<&String> = envelope
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| !key.starts_with("new_errors"))
            .collect();
        let order = [
            "error",
            "message",
            "reason",
            "candidates",
            "filePath",
            "diagnosticId",
            "detail",
        ];
        let expected: Vec<_> = order.iter().filter(|key| envelope.get(**key).is_some()).collect();
        assert_eq!(keys, expected);
        met.insert((code.to_owned(), reason.map(str::to_owned)));
    }
    world.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0020", "action": "None"}]}"#,
    );
    client.fail("get_fixes", &page, "NotFound", Some("SuppressedByRuleset"));
    met.insert(("NotFound".to_owned(), Some("SuppressedByRuleset".to_owned())));

    // These need a proxy, a disk that fails in the right moment, or a rule whose fix a directive stands in the way of;
    // the tests of the session meet them.
    let elsewhere = [
        "AlmcpNotFound",
        "AlmcpNotReady",
        "AlmcpCallFailed",
        "ReadFailed",
        "WriteFailed",
        "NoFixForDiagnostic",
    ];
    for row in vocabulary_rows::<AlVocabulary>() {
        let Some(reason) = row.reason else { continue };
        let key = (row.error.to_string(), Some(reason.to_owned()));
        assert_ne!(met.contains(&key), elsewhere.contains(&reason), "{reason}");
    }
}

#[test]
fn words_are_free_in_case() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut client = world.server();
    let result = client.succeed(
        "analyze",
        &json!({"severities": ["WARNING"], "source": "Native", "limit": 1.0}),
    );
    assert_eq!(result["totalCount"], 1);
    let all = json!({"projectPath": world.root_text(), "diagnosticId": "lc0020", "scope": "PROJECT", "dryRun": true});
    assert_eq!(client.succeed("apply_fix_all", &all)["diagnosticsFound"], 1);
}

#[test]
fn an_argument_error_names_the_argument() {
    let world = World::new(&[]);
    let mut client = world.server();
    let envelope = client.fail("analyze", &json!({"ruleId": ["LC0020"]}), "Invalid", None);
    assert_eq!(envelope["detail"], "ruleId");
    assert!(envelope["message"].as_str().unwrap().contains("ruleIds"), "{envelope}");
    let envelope = client.fail("analyze", &json!({"ruleIds": ["LC0020", 7]}), "Invalid", None);
    assert_eq!(envelope["detail"], "ruleIds[1]");
}

#[test]
fn text_alone_can_be_had() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut client = world.server_with(&["--text-only", "--no-proxy", "--nolog"]);
    let listed = client.ask("tools/list", &json!({}));
    assert_eq!(listed["tools"][0].get("outputSchema"), None);
    let result = client.ask("tools/call", &json!({"name": "analyze", "arguments": {}}));
    assert_eq!(result.get("structuredContent"), None);
}

#[test]
fn projects_may_be_named_at_the_start() {
    let world = World::new(&[
        ("page.al", PAGE),
        ("deep/1/2/3/4/5/app.json", MANIFEST),
        ("deep/1/2/3/4/5/page.al", PAGE),
    ]);
    let folder = format!("{};/nowhere", world.root_text());
    let mut client = world.server_with(&["--Projects", &folder]);
    let named = json!({"projectPath": world.path("deep/1/2/3/4/5")});
    assert_eq!(client.succeed("analyze", &named)["totalCount"], 1);
    assert_eq!(client.succeed("analyze", &json!({}))["project"], world.root_text());
}

#[test]
fn without_a_project_the_fix_tools_still_work() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut client = world.server_with(&["--projects", "/nowhere"]);
    let envelope = client.fail("list_rules", &json!({}), "Invalid", None);
    assert!(
        envelope["message"]
            .as_str()
            .unwrap()
            .starts_with("No AL project available"),
        "{envelope}"
    );
    assert_eq!(client.succeed("get_fixes", &world.at_page())["matchedColumn"], 17);
}
