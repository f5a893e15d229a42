//! What a project says about its own checks, as an agent sees it over the wire.

use serde_json::json;

use crate::client::{PAGE, World};

#[test]
fn a_long_analysis_tells_how_far_it_is() {
    let files: Vec<_> = (0..60).map(|number| format!("{number:03}.al")).collect();
    let files: Vec<_> = files.iter().map(|name| (name.as_str(), PAGE)).collect();
    let world = World::new(&files);
    let mut client = world.server();
    let (told, result) = client.call_with_progress("analyze", &json!({}));
    assert_eq!(result["structuredContent"]["totalCount"], 60);
    assert!(told.windows(2).all(|pair| pair[0].0 < pair[1].0), "{told:?}");
    assert_eq!(told.last(), Some(&(60.0, 60.0)));
    let (told, _) = client.call_with_progress("list_rules", &json!({}));
    assert_eq!(told, []);
}

#[test]
fn a_fault_in_the_settings_is_a_diagnostic_and_a_warning() {
    let world = World::new(&[("alcops.json", r#"{"Nothing": 1}"#)]);
    let mut client = world.server();
    let answer = client.succeed("analyze", &json!({"ruleIds": ["CM0001"]}));
    let diagnostic = &answer["diagnostics"][0];
    assert_eq!(diagnostic["filePath"], world.path("alcops.json"));
    assert_eq!((&diagnostic["line"], &diagnostic["column"]), (&json!(1), &json!(2)));
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
    let listed = client.succeed("list_rules", &json!({"copFilter": "Common"}));
    assert_eq!(listed["rules"][0]["id"], "CM0001");
    assert_eq!(listed["rules"][0]["cop"], "ALCops.Common");
    assert_eq!(listed["warnings"], answer["warnings"], "every tool tells it");
}

#[test]
fn analyzers_of_the_wrong_kind_are_invalid_in_every_tool() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut client = world.server();
    let mut at_page = world.at_page();
    for (value, detail) in [
        (json!("[\"LinterCop\"]"), "analyzers"),
        (json!([]), "analyzers"),
        (json!(["LinterCop", 1]), "analyzers[1]"),
        (json!([" "]), "analyzers[0]"),
        (json!(["Nope"]), "analyzers"),
    ] {
        at_page["analyzers"] = value.clone();
        let all = json!({"projectPath": world.root_text(), "diagnosticId": "LC0020", "analyzers": value});
        for (tool, arguments) in [
            ("analyze", &json!({ "analyzers": value })),
            ("list_rules", &json!({ "analyzers": value })),
            ("get_fixes", &at_page),
            ("apply_fix", &at_page),
            ("apply_fix_all", &all),
        ] {
            let answer = client.fail(tool, arguments, "Invalid", None);
            assert_eq!(answer["detail"], detail, "{tool} {value}");
        }
    }
    assert_eq!(world.read("page.al"), PAGE.as_bytes());
}
