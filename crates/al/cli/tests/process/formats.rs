//! Results for programs, and numbers.

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::{CODEUNIT, Place, TABLE};

fn json(place: &Place, arguments: &[&str]) -> Value {
    let output = place.output(arguments);
    serde_json::from_slice(&output.stdout).expect("one JSON document on standard output")
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn json_is_one_document_with_an_entry_on_each_line() {
    let place = Place::project(&[("Tool.Table.al", TABLE), ("Lending.Codeunit.al", CODEUNIT)]);
    assert_snapshot!(place.run(&["check", "--format", "json"]), @r#"
        exit code 1
        -- stdout
        {"projects":["[folder]"],"count":2,"totalCount":2,"summary":{"bySeverity":{"Warning":2},"byAnalyzer":{"ALCops.LinterCop":1,"ALCops.ApplicationCop":1}},"diagnostics":[
        {"filePath":"[folder]/Lending.Codeunit.al","line":3,"column":22,"endLine":3,"endColumn":37,"id":"LC0095","severity":"Warning","message":"Callers of `Remind` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.","analyzer":"ALCops.LinterCop","hasFix":true},
        {"filePath":"[folder]/Tool.Table.al","line":5,"column":5,"endLine":5,"endColumn":12,"id":"AC0018","severity":"Warning","message":"The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.","analyzer":"ALCops.ApplicationCop","hasFix":true}
        ],"warnings":[]}
    "#);
}

#[test]
fn json_of_a_clean_project_has_empty_lists() {
    let place = Place::project(&[("A.Codeunit.al", "codeunit 50100 A\n{\n}\n")]);
    assert_snapshot!(place.run(&["check", "--format", "json"]), @r#"
        exit code 0
        -- stdout
        {"projects":["[folder]"],"count":0,"totalCount":0,"summary":{"bySeverity":{},"byAnalyzer":{}},"diagnostics":[],"warnings":[]}
    "#);
}

#[test]
fn json_has_the_warnings_and_nothing_is_on_standard_error() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    place.write(".vscode/settings.json", r#"{ "al.codeAnalyzers": ["${CodeCop}"] }"#);
    let output = place.output(&["check", "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        document["warnings"][0].as_str().unwrap().contains("CodeCop"),
        "{document}"
    );
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn json_with_fixes_tells_what_was_done() {
    let place = Place::project(&[("Tool.Table.al", TABLE), ("Lending.Codeunit.al", CODEUNIT)]);
    assert_snapshot!(place.run(&["check", "--format", "json", "--diff"]), @r#"
        exit code 1
        -- stdout
        {"projects":["[folder]"],"count":2,"totalCount":2,"summary":{"bySeverity":{"Warning":2},"byAnalyzer":{"ALCops.LinterCop":1,"ALCops.ApplicationCop":1}},"diagnostics":[
        {"filePath":"[folder]/Lending.Codeunit.al","line":3,"column":22,"endLine":3,"endColumn":37,"id":"LC0095","severity":"Warning","message":"Callers of `Remind` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.","analyzer":"ALCops.LinterCop","hasFix":true},
        {"filePath":"[folder]/Tool.Table.al","line":5,"column":5,"endLine":5,"endColumn":12,"id":"AC0018","severity":"Warning","message":"The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.","analyzer":"ALCops.ApplicationCop","hasFix":true}
        ],"warnings":[],"fixes":[
        {"filePath":"[folder]/Tool.Table.al","written":false,"repaired":[{"id":"AC0018","title":"ALCops: Set Locked property to true","safety":"safe","count":1}],"problems":[],"diff":"--- a/Tool.Table.al\n+++ b/Tool.Table.al\n@@ -2,7 +2,7 @@\n {\n     DataClassification = CustomerContent;\n     // A name for the table is missing.\n-    Caption = '';\n+    Caption = '', Locked = true;\n \n     fields\n     {\n"}
        ]}
    "#);
    assert_snapshot!(place.run(&["check", "--format", "json", "--fix"]), @r#"
        exit code 1
        -- stdout
        {"projects":["[folder]"],"count":1,"totalCount":1,"summary":{"bySeverity":{"Warning":1},"byAnalyzer":{"ALCops.LinterCop":1}},"diagnostics":[
        {"filePath":"[folder]/Lending.Codeunit.al","line":3,"column":22,"endLine":3,"endColumn":37,"id":"LC0095","severity":"Warning","message":"Callers of `Remind` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.","analyzer":"ALCops.LinterCop","hasFix":true}
        ],"warnings":[],"fixes":[
        {"filePath":"[folder]/Tool.Table.al","written":true,"repaired":[{"id":"AC0018","title":"ALCops: Set Locked property to true","safety":"safe","count":1}],"problems":[]}
        ]}
    "#);
}

#[test]
fn statistics_come_instead_of_the_findings_for_people() {
    let place = Place::project(&[("Tool.Table.al", TABLE), ("Lending.Codeunit.al", CODEUNIT)]);
    let told = place.run(&["check", "--statistics", "--select", "AC0018,LC0095,FC0001"]);
    let lines: Vec<String> = told
        .lines()
        // How much memory it took is known on Linux only.
        .filter(|line| !line.starts_with("memory"))
        // How wide the column of times is depends on the times.
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_snapshot!(lines.join("\n"), @r"
        exit code 1
        -- stdout
        rule findings time
        AC0018 1 [time]
        LC0095 1 [time]
        CN0001 0 [time]
        FC0001 0 [time]

        read 2 files, 312 B, 22 lines
        found 2 findings
        time [time], [time] on all processors
        of these preparing [time], reading [time], parsing [time], checking [time]

        2 findings (2 warnings) in 2 files, [time]
        1 fixable with candor-al check --fix
        1 more fixable with --unsafe-fixes
    ");
}

#[test]
fn statistics_come_beside_the_findings_for_programs() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    let document = json(
        &place,
        &["check", "--statistics", "--format", "json", "--select", "AC0018"],
    );
    assert_eq!(
        keys(&document),
        [
            "projects",
            "count",
            "totalCount",
            "summary",
            "diagnostics",
            "warnings",
            "statistics"
        ]
    );
    let mut statistics = document["statistics"].clone();
    statistics.as_object_mut().unwrap().remove("peakMemoryBytes");
    assert_eq!(
        keys(&statistics),
        [
            "files",
            "bytes",
            "lines",
            "findings",
            "wallSeconds",
            "cpuSeconds",
            "preparingSeconds",
            "readingSeconds",
            "parsingSeconds",
            "checkingSeconds",
            "rules"
        ]
    );
    assert_eq!(statistics["files"], 1);
    assert_eq!(statistics["bytes"], TABLE.len());
    assert_eq!(statistics["findings"], 1);
    assert_eq!(statistics["rules"][0]["id"], "AC0018");
    assert_eq!(statistics["rules"][0]["findings"], 1);
    assert!(statistics["wallSeconds"].as_f64().unwrap() > 0.0);
}
