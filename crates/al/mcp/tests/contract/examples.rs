//! Every shape that an answer can have, frozen as an example.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Client, PAGE, PUBLISHER, World, suppressed_page, with};

/// Calls tools and remembers what they answer, with what differs from run to run replaced.
struct Recorder {
    world: World,
    client: Client,
    examples: Vec<Value>,
}

impl Recorder {
    fn record(&mut self, what: &str, tool: &str, arguments: &Value) {
        let (answer, failed) = self.client.call(tool, arguments);
        self.examples.push(json!({
            "what": what,
            "tool": tool,
            "arguments": self.plain(arguments.clone(), None),
            "isError": failed,
            "answer": self.plain(answer, None),
        }));
    }

    /// Without the temporary folder, the content version, and all rules but one.
    fn plain(&self, value: Value, key: Option<&str>) -> Value {
        match value {
            Value::String(_) if key == Some("contentVersion") => "<VERSION>".into(),
            Value::String(text) => text.replace(&self.world.root_text(), "<ROOT>").into(),
            // The list grows with every rule, the shape of an entry does not.
            Value::Array(values) if key == Some("rules") => {
                let shown = values.into_iter().filter(|rule| rule["id"] == "LC0020");
                shown.map(|value| self.plain(value, None)).collect()
            }
            Value::Array(values) => values.into_iter().map(|value| self.plain(value, None)).collect(),
            Value::Object(members) => members
                .into_iter()
                .map(|(name, value)| {
                    let value = self.plain(value, Some(&name));
                    (name, value)
                })
                .collect(),
            other => other,
        }
    }
}

#[test]
fn every_shape_of_an_answer_is_as_frozen() {
    let world = World::new(&[
        ("page.al", PAGE),
        ("publisher.al", PUBLISHER),
        ("off.al", &suppressed_page()),
    ]);
    let client = world.server();
    let mut recorder = Recorder {
        world,
        client,
        examples: Vec::new(),
    };
    let page = recorder.world.at_page();
    let publisher = with(
        &page,
        &json!({"filePath": recorder.world.path("publisher.al"), "diagnosticId": "AC0012", "line": 6, "column": 21}),
    );
    let all = |id: &str| json!({"projectPath": page["projectPath"], "diagnosticId": id});
    let key = "ApplicationAreaRedundancyCodeFixProvider";

    recorder.record("diagnostics", "analyze", &json!({}));
    recorder.record("a page of them", "analyze", &json!({"limit": 1}));
    recorder.record("a number out of range", "analyze", &json!({"limit": 0}));
    recorder.record("an unknown argument", "analyze", &json!({"path": "a.al"}));
    recorder.record(
        "a scope outside every project",
        "analyze",
        &json!({"filePath": "/nowhere/a.al"}),
    );
    recorder.record("the compiler's diagnostics", "analyze", &json!({"source": "compiler"}));
    recorder.record("rules", "list_rules", &json!({"copFilter": "LinterCop"}));
    recorder.record(
        "rules with all facts",
        "list_rules",
        &json!({"copFilter": "LinterCop", "verbose": true}),
    );
    recorder.record(
        "an unknown project",
        "list_rules",
        &json!({"projectPath": "/elsewhere"}),
    );
    recorder.record("fixes", "get_fixes", &page);
    recorder.record(
        "no fix provider",
        "get_fixes",
        &with(&page, &json!({"diagnosticId": "LC0021"})),
    );
    let missing = recorder.world.path("missing.al");
    recorder.record(
        "no file of the project",
        "get_fixes",
        &with(&page, &json!({"filePath": missing})),
    );
    let other_cop = json!({"analyzers": ["FormattingCop"]});
    recorder.record("the cop does not run", "get_fixes", &with(&page, &other_cop));
    recorder.record(
        "nothing there",
        "get_fixes",
        &with(&page, &json!({"line": 1, "column": 1})),
    );
    let off = recorder.world.path("off.al");
    recorder.record(
        "a pragma",
        "get_fixes",
        &with(&page, &json!({"filePath": off, "line": 12})),
    );
    recorder.record(
        "an unknown key",
        "apply_fix",
        &with(&page, &json!({"equivalenceKey": "Other"})),
    );
    recorder.record("several fixes", "apply_fix", &publisher);
    let stale = json!({"contentVersion": "0000000000000000"});
    recorder.record("an unknown version", "apply_fix", &with(&page, &stale));
    recorder.record(
        "a preview",
        "apply_fix",
        &with(&page, &json!({"equivalenceKey": key, "dryRun": true})),
    );
    recorder.record("several fixes for all", "apply_fix_all", &all("AC0012"));
    recorder.record(
        "a preview for all",
        "apply_fix_all",
        &with(&all("LC0020"), &json!({"dryRun": true})),
    );
    recorder.record("a fix for all", "apply_fix_all", &all("LC0020"));
    recorder.record("nothing to fix", "apply_fix_all", &all("LC0020"));
    recorder.world.write("page.al", PAGE);
    recorder.record("a fix", "apply_fix", &page);
    let broken: Vec<u8> = PAGE
        .replace("'Name'", "'N~me'")
        .bytes()
        .map(|byte| if byte == b'~' { 0xE4 } else { byte })
        .collect();
    recorder.world.write("page.al", broken);
    recorder.record("a file in another encoding", "apply_fix", &page);
    recorder.record("a conflict", "apply_fix_all", &all("LC0020"));
    recorder.world.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0020", "action": "None"}]}"#,
    );
    recorder.record("a ruleset", "get_fixes", &page);

    let text = format!("{}\n", serde_json::to_string_pretty(&recorder.examples).unwrap());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/examples.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let frozen = fs::read_to_string(&path).unwrap();
    assert_eq!(
        text, frozen,
        "an answer changed; run with UPDATE_GOLDEN=1 and read the difference"
    );
}
