//! `--baseline`: only new findings count.

use insta::assert_snapshot;

use crate::place::{CODEUNIT, Place, TABLE};

/// The rules that the files of these tests break, and no rule to come.
const SELECT: &str = "--select=AC0018,LC0095";
const WRITE: [&str; 5] = ["check", SELECT, "--baseline", "known.json", "--write-baseline"];
const CHECK: [&str; 5] = ["check", SELECT, "--baseline", "known.json", "--quiet"];

/// A project whose findings are known.
fn known() -> Place {
    let place = Place::project(&[("src/Tool.Table.al", TABLE), ("src/Lending.Codeunit.al", CODEUNIT)]);
    assert_eq!(place.exit_code(&WRITE), 0);
    place
}

#[test]
fn a_baseline_is_written_with_a_line_for_each_finding() {
    let place = Place::project(&[("src/Tool.Table.al", TABLE), ("src/Lending.Codeunit.al", CODEUNIT)]);
    assert_snapshot!(place.run(&WRITE), @r"
        exit code 0
        -- stdout
        No findings in 2 files, 2 more known from the baseline, [time]
        -- stderr
        hint: known.json now knows 2 findings
    ");
    assert_snapshot!(place.text("known.json"), @r#"
        {"version":1,"findings":[
        {"file":"src/Lending.Codeunit.al","rule":"LC0095","line":"procedure Remind(Silent: Boolean)","count":1},
        {"file":"src/Tool.Table.al","rule":"AC0018","line":"Caption = '';","count":1}
        ]}
    "#);
}

#[test]
fn known_findings_do_not_count() {
    let place = known();
    assert_snapshot!(place.run(&["check", SELECT, "--baseline", "known.json"]), @r"
        exit code 0
        -- stdout
        No findings in 2 files, 2 more known from the baseline, [time]
    ");
    assert_snapshot!(place.run(&["check", SELECT, "--baseline", "known.json", "--format", "json"]), @r#"
        exit code 0
        -- stdout
        {"projects":["[folder]"],"count":0,"totalCount":0,"summary":{"bySeverity":{},"byAnalyzer":{}},"diagnostics":[],"knownCount":2,"warnings":[]}
    "#);
}

#[test]
fn every_format_leaves_known_findings_out() {
    let place = known();
    for format in ["sarif", "github", "azure", "errorlog"] {
        let output = place.output(&["check", SELECT, "--baseline", "known.json", "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("AC0018"), "{format}");
    }
}

#[test]
fn lines_that_move_stay_known_and_lines_that_change_do_not() {
    let place = known();
    place.write(
        "src/Tool.Table.al",
        format!("// Moved.\n\n{}", TABLE.replace("    Caption = ''", "\tCaption =  ''")),
    );
    assert_eq!(place.exit_code(&CHECK), 0);
    place.write("src/Tool.Table.al", TABLE.replace("Caption = '';", "Caption = ' ';"));
    assert_snapshot!(place.run(&CHECK), @r"
        exit code 1
        -- stdout
        src/Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
    ");
}

#[test]
fn of_findings_alike_only_as_many_as_before_are_known() {
    let place = known();
    let field = "field(2; A; Code[20])\n        {\n            Caption = '';\n        }\n        ";
    place.write(
        "src/Tool.Table.al",
        TABLE.replace("field(1;", &format!("{field}field(1;")),
    );
    assert_snapshot!(place.run(&["check", SELECT, "--baseline", "known.json"]), @r"
        exit code 1
        -- stdout
        ── src/Tool.Table.al ── 1 finding

        src/Tool.Table.al:11:13 warning AC0018
          The caption of `A` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
           11 │             Caption = '';
              │             ^^^^^^^
          fix: candor-al check --fix · page: candor-al rule AC0018

        1 finding (1 warning) in 1 of 2 files, 2 more known from the baseline, [time]
        1 fixable with candor-al check --fix
    ");
}

#[test]
fn a_baseline_works_from_every_folder() {
    let place = known();
    let output = place
        .command(&["check", SELECT, "..", "--baseline", "../known.json", "--quiet"])
        .current_dir(place.path().join("src"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn writing_keeps_what_was_not_looked_at_and_forgets_files_that_are_gone() {
    let place = known();
    place.write("src/Tool.Table.al", TABLE.replace("Caption = '';", "Caption = 'Tool';"));
    // Another file, and another rule: what is known of the table stays.
    let before = place.text("known.json");
    place.run(&[
        "check",
        SELECT,
        "src/Lending.Codeunit.al",
        "--baseline",
        "known.json",
        "--write-baseline",
    ]);
    assert_eq!(place.text("known.json"), before);
    place.run(&[
        "check",
        "--select",
        "FC0001",
        "--baseline",
        "known.json",
        "--write-baseline",
    ]);
    assert_eq!(place.text("known.json"), before);

    std::fs::remove_file(place.path().join("src/Lending.Codeunit.al")).unwrap();
    // A run that only reads leaves the file as it is.
    assert_eq!(place.exit_code(&CHECK), 0);
    assert_eq!(place.text("known.json"), before);
    place.run(&WRITE);
    assert_snapshot!(place.text("known.json"), @r#"
        {"version":1,"findings":[
        ]}
    "#);
}

#[test]
fn a_baseline_that_is_missing_or_broken_ends_with_two() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    assert_snapshot!(place.run(&CHECK), @r"
        exit code 2
        -- stderr
        error: there is no baseline at known.json
        hint: write one that knows all findings of today: `candor-al check --baseline known.json --write-baseline`
    ");
    place.write("known.json", "{\"version\":1,\"findings\":[\n{\"file\":1}]}");
    assert_snapshot!(place.run(&CHECK), @r"
        exit code 2
        -- stderr
        error: known.json is no baseline: invalid type: integer `1`, expected a string at line 2 column 9
        hint: restore it from version control, or delete it and write it anew with `--write-baseline`
    ");
    // Nor is it written over: it may be a file of somebody else.
    assert_eq!(place.exit_code(&WRITE), 2);
    assert!(place.text("known.json").contains("\"file\":1"));
    place.write("known.json", "{\"version\":2,\"entries\":{}}");
    assert_snapshot!(place.run(&CHECK), @r"
        exit code 2
        -- stderr
        error: the baseline known.json has version 2, and this program knows version 1 only
        hint: restore it from version control, or delete it and write it anew with `--write-baseline`
    ");
}

#[test]
fn numbers_of_rules_are_those_of_new_findings() {
    let place = known();
    place.write("src/New.Table.al", TABLE.replace("50100 Tool", "50101 New"));
    let output = place.output(&[
        "check",
        SELECT,
        "--baseline",
        "known.json",
        "--format",
        "json",
        "--statistics",
    ]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["count"], 1);
    assert_eq!(document["totalCount"], 1);
    assert_eq!(document["knownCount"], 2);
    assert_eq!(document["summary"]["bySeverity"]["Warning"], 1);
    let of = |id: &str| {
        let rules = document["statistics"]["rules"].as_array().unwrap();
        rules.iter().find(|rule| rule["id"] == id).unwrap()["findings"].clone()
    };
    assert_eq!((of("AC0018"), of("LC0095")), (1.into(), 0.into()));
}

#[test]
fn a_baseline_has_nothing_to_do_with_differences() {
    assert_eq!(known().exit_code(&["check", "--baseline", "known.json", "--diff"]), 2);
    assert_eq!(known().exit_code(&["check", "--write-baseline"]), 2);
}
