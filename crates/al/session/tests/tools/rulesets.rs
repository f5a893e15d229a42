//! What a ruleset does to an answer, and that a server notices when it changes.

use std::fs;

use candor_al_session::tools::{AnalyzeArguments, Severity};

use crate::fixture::{PAGE, PUBLISHER, Project, kind};

/// A project in which LC0020 and AC0012 find one place each, both of severity Warning.
fn project() -> Project {
    Project::new(&[("a.al", PAGE), ("b.al", PUBLISHER)])
}

/// `id Severity` of every diagnostic.
fn found(project: &Project) -> Vec<String> {
    let result = project.analyze(&AnalyzeArguments::default()).unwrap();
    let entries = result.diagnostics.iter();
    entries
        .map(|one| format!("{} {}", one.id, one.severity.as_str()))
        .collect()
}

fn rule(id: &str, action: &str) -> String {
    format!(r#"{{"rules": [{{"id": "{id}", "action": "{action}"}}]}}"#)
}

#[test]
fn the_table_of_actions() {
    let project = project();
    for (action, expected) in [
        ("Error", Some("LC0020 Error")),
        ("Warning", Some("LC0020 Warning")),
        ("Info", Some("LC0020 Info")),
        ("Hidden", Some("LC0020 Hidden")),
        ("Default", Some("LC0020 Warning")),
        ("None", None),
        ("error", Some("LC0020 Error")),
        // A word that is none changes nothing.
        ("Loud", Some("LC0020 Warning")),
    ] {
        project.write("custom.ruleset.json", rule("lc0020", action));
        let mut all = vec!["AC0012 Warning".to_owned()];
        all.extend(expected.map(str::to_owned));
        let mut given = found(&project);
        given.sort();
        assert_eq!(given, all, "{action}");
    }
}

#[test]
fn the_table_of_general_actions() {
    let project = project();
    let own = r#""rules": [{"id": "LC0020", "action": "Info"}]"#;
    let defaulted = r#""rules": [{"id": "LC0020", "action": "Default"}]"#;
    for (general, rules, expected) in [
        ("Error", own, &["LC0020 Info", "AC0012 Error"][..]),
        ("Hidden", own, &["LC0020 Info", "AC0012 Hidden"]),
        ("None", own, &["LC0020 Info"]),
        ("Default", own, &["LC0020 Info", "AC0012 Warning"]),
        ("Error", defaulted, &["LC0020 Error", "AC0012 Error"]),
        ("None", defaulted, &[]),
    ] {
        project.write(
            "custom.ruleset.json",
            format!(r#"{{"generalAction": "{general}", {rules}}}"#),
        );
        assert_eq!(found(&project), expected, "{general} {rules}");
    }
}

#[test]
fn severities_and_suppressions_are_read_again_when_a_file_changes() {
    let project = project();
    project.write(
        "custom.ruleset.json",
        r#"{"includedRuleSets": [{"path": "base.ruleset.json", "action": "Default"}]}"#,
    );
    project.write("base.ruleset.json", rule("LC0020", "Error"));
    let version = project.version();
    assert_eq!(found(&project), ["LC0020 Error", "AC0012 Warning"]);
    // An included file, of the same length as before.
    project.write("base.ruleset.json", rule("AC0012", "Error"));
    assert_eq!(found(&project), ["LC0020 Warning", "AC0012 Error"]);
    assert_ne!(project.version(), version, "the answer is another one");
    project.write("base.ruleset.json", rule("LC0020", "None"));
    assert_eq!(found(&project), ["AC0012 Warning"]);
    assert_eq!(
        kind(&project.get_fixes("a.al", "LC0020", 11, 17)),
        "NotFound/SuppressedByRuleset"
    );
    // The included file goes, and comes back.
    fs::remove_file(project.root().join("base.ruleset.json")).unwrap();
    let result = project.analyze(&AnalyzeArguments::default()).unwrap();
    assert_eq!(result.total_count, 2);
    assert!(
        result.warnings[0].contains("base.ruleset.json does not exist"),
        "{:?}",
        result.warnings
    );
    project.write("base.ruleset.json", rule("LC0020", "Error"));
    assert_eq!(found(&project), ["LC0020 Error", "AC0012 Warning"]);
    assert_eq!(project.version(), version, "everything is as it was");
    // The ruleset that settings name takes the place of the one with a usual name.
    project.write("mine.json", rule("AC0012", "None"));
    project.write(".vscode/settings.json", r#"{"al.ruleSetPath": "./mine.json"}"#);
    assert_eq!(found(&project), ["LC0020 Warning"]);
    fs::remove_file(project.root().join("mine.json")).unwrap();
    let result = project.analyze(&AnalyzeArguments::default()).unwrap();
    assert_eq!(result.total_count, 2, "a missing ruleset is no ruleset");
    assert!(
        result.warnings[0].contains("settings.json:1:20: the ruleset") && result.warnings[0].contains("does not exist"),
        "{:?}",
        result.warnings
    );
}

/// A method that no threshold calls maintainable, and one below it.
const CODE: &str =
    "codeunit 50100 A\n{\n    local procedure B()\n    begin\n        C();\n        C();\n        C();\n    end;\n}\n";

#[test]
fn the_two_rules_about_the_maintainability_index_are_switched_off_together() {
    let project = Project::new(&[("a.al", CODE)]);
    project.write("alcops.json", r#"{"MaintainabilityIndexThreshold": 100}"#);
    assert_eq!(found(&project), ["LC0008 Warning"]);
    project.write("custom.ruleset.json", rule("LC0007", "Info"));
    assert_eq!(found(&project), ["LC0007 Info", "LC0008 Warning"]);
    for id in ["LC0007", "LC0008"] {
        project.write("custom.ruleset.json", rule(id, "None"));
        assert_eq!(found(&project), Vec::<String>::new(), "{id}");
    }
    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0007", "action": "None"}, {"id": "LC0008", "action": "Error"}]}"#,
    );
    let asked = AnalyzeArguments {
        rule_ids: Some(vec!["LC0008".into()]),
        ..AnalyzeArguments::default()
    };
    let result = project.analyze(&asked).unwrap();
    assert_eq!(result.total_count, 0);
    assert!(
        result.warnings[0].contains("gives LC0007 the action None, which switches off both"),
        "{:?}",
        result.warnings
    );
    // A general action names neither of them.
    project.write(
        "custom.ruleset.json",
        r#"{"generalAction": "None", "rules": [{"id": "LC0008", "action": "Error"}]}"#,
    );
    assert_eq!(found(&project), ["LC0008 Error"]);
    assert_eq!(
        project.analyze(&asked).unwrap().diagnostics[0].severity,
        Severity::Error
    );
}
