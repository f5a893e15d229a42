//! `--all-configurations`: what other preprocessor symbols would bring to light.

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::Place;

/// Without symbols it is AL, and has two tokens that could be translated; with `CLEAN25` a parenthesis is missing, and one
/// of the tokens is gone.
const HALVES: &str = "\
codeunit 50100 Halves
{
    procedure Greet()
    begin
#if CLEAN25
        Message('Hello';
#endif
    end;

    var
        EmptyTok: Label '';
#if not CLEAN25
        OldTok: Label 'OLD';
#endif
}
";

const SELECT: &str = "--select=AC0020";

#[test]
fn a_fault_in_an_inactive_branch_is_found() {
    let place = Place::project(&[("Halves.Codeunit.al", HALVES)]);
    assert_snapshot!(place.run(&["check", SELECT, "--quiet"]), @r"
        exit code 1
        -- stdout
        Halves.Codeunit.al:11:9: warning AC0020: `EmptyTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
        Halves.Codeunit.al:13:9: warning AC0020: `OldTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
    ");
    assert_snapshot!(place.run(&["check", SELECT, "--quiet", "--all-configurations"]), @r"
        exit code 1
        -- stdout
        Halves.Codeunit.al:6:24: error CN0001: Expected `)` of these arguments, found `;` (only where `#if CLEAN25` holds)
        Halves.Codeunit.al:11:9: warning AC0020: `EmptyTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
        Halves.Codeunit.al:13:9: warning AC0020: `OldTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it. (only where `#if not CLEAN25` holds)
    ");
    // The symbols of the project make no difference to what is found.
    assert_eq!(
        place.run(&[
            "check",
            SELECT,
            "--quiet",
            "--all-configurations",
            "--symbols",
            "CLEAN25"
        ]),
        place.run(&["check", SELECT, "--quiet", "--all-configurations"])
    );
}

#[test]
fn json_tells_the_symbols() {
    let place = Place::project(&[("Halves.Codeunit.al", HALVES)]);
    let output = place.output(&["check", SELECT, "--all-configurations", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let at_line = |line: u32| {
        let diagnostics = report["diagnostics"].as_array().unwrap();
        let found = diagnostics.iter().find(|diagnostic| diagnostic["line"] == line);
        found.unwrap().get("configurations").cloned()
    };
    assert_eq!(report["totalCount"], 3);
    assert_eq!(
        at_line(6),
        Some(serde_json::json!({"count": 1, "of": 2, "condition": "CLEAN25", "symbols": ["CLEAN25"]}))
    );
    assert_eq!(
        at_line(13),
        Some(serde_json::json!({"count": 1, "of": 2, "condition": "not CLEAN25", "symbols": []}))
    );
    assert_eq!(at_line(11), None, "a finding of all configurations is as any other");
}

#[test]
fn every_format_tells_it() {
    let place = Place::project(&[("Halves.Codeunit.al", HALVES)]);
    for format in ["human", "sarif", "github", "azure", "errorlog"] {
        let output = place.output(&["check", SELECT, "--all-configurations", "--format", format]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("only where `#if CLEAN25` holds"), "{format}: {text}");
    }
}

#[test]
fn more_symbols_than_can_be_combined_are_said_to_be_so() {
    let branches = (0..9)
        .map(|number| format!("#if S{number}\n#endif\n"))
        .collect::<Vec<_>>()
        .concat();
    let place = Place::project(&[("A.al", &branches)]);
    let output = place.output(&["check", "--all-configurations", "--select=AC0018"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("mentions 9 preprocessor symbols, too many to try every combination; 20 were tried"),
        "{errors}"
    );
}

#[test]
fn fixes_are_made_for_one_configuration_only() {
    let place = Place::project(&[("Halves.Codeunit.al", HALVES)]);
    assert_eq!(place.exit_code(&["check", "--all-configurations", "--fix"]), 2);
    let text = place.run(&["check", SELECT, "--all-configurations", "--symbols=CLEAN25"]);
    assert!(
        text.contains("\n1 fixable with --unsafe-fixes\n"),
        "no fix reaches the other one: {text}"
    );
}
