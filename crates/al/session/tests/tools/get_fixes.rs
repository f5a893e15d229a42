//! What `get_fixes` promises.

use candor_al_session::tools::GetFixesArguments;
use candor_al_session::{Cancellation, FixSafety};

use crate::fixture::{PAGE, PUBLISHER, Project, kind, suppressed_page};

#[test]
fn the_fixes_of_a_diagnostic_are_listed() {
    let project = Project::new(&[("a.al", PAGE)]);
    let result = project.get_fixes("a.al", "LC0020", 11, 17).unwrap();
    assert_eq!(result.file_path, project.path("a.al"));
    assert_eq!((result.matched_line, result.matched_column), (11, 17));
    let fix = &result.fixes[0];
    assert_eq!(fix.equivalence_key, "ApplicationAreaRedundancyCodeFixProvider");
    assert_eq!(fix.title, "ALCops: Remove redundant ApplicationArea");
    assert_eq!(fix.safety, FixSafety::Safe);
}

#[test]
fn several_fixes_are_listed_in_the_order_of_the_rule() {
    let project = Project::new(&[("a.al", PUBLISHER)]);
    let keys: Vec<_> = project.get_fixes("a.al", "AC0012", 6, 21).unwrap().fixes;
    assert_eq!(keys.len(), 2);
    assert!(keys[0].equivalence_key.contains("RemoveAccessInternal"));
}

#[test]
fn the_id_is_free_in_case_and_echoed_and_a_wrong_column_finds_the_line() {
    let project = Project::new(&[("a.al", PAGE)]);
    let result = project.get_fixes("a.al", "lc0020", 11, 1).unwrap();
    assert_eq!(
        (result.diagnostic_id.as_str(), result.line, result.column),
        ("lc0020", 11, 1)
    );
    assert_eq!((result.matched_line, result.matched_column), (11, 17));
}

#[test]
fn reasons_are_told_apart() {
    let project = Project::new(&[
        ("a.al", PAGE),
        ("off.al", &suppressed_page()),
        ("bad.al", "codeunit 1 A { procedure }"),
    ]);
    for (name, id, line, column, expected) in [
        ("a.al", "XX0001", 11, 17, "NotFound/NoFixProvider"),
        ("bad.al", "CN0001", 1, 1, "NotFound/NoFixProvider"),
        ("missing.al", "LC0020", 11, 17, "NotFound/FileNotInProject"),
        ("a.al", "LC0020", 1, 1, "NotFound/NoDiagnosticAtPosition"),
        ("a.al", "LC0020", 5_000_000_000, 1, "NotFound/NoDiagnosticAtPosition"),
        ("off.al", "LC0020", 12, 17, "NotFound/SuppressedByPragma"),
        ("off.al", "LC0020", 12, 1, "NotFound/SuppressedByPragma"),
        ("a.al", "LC0020", 0, 17, "Invalid"),
        ("a.al", "LC0020", 11, -3, "Invalid"),
        ("a.al", " ", 11, 17, "Invalid"),
    ] {
        let result = project.get_fixes(name, id, line, column);
        assert_eq!(kind(&result), expected, "{name} {id} {line}:{column}");
        let error = result.unwrap_err();
        if error.reason().is_some() {
            assert_eq!(error.place_ref().file_path, Some(project.path(name)));
            assert_eq!(error.place_ref().diagnostic_id.as_deref(), Some(id));
        }
    }
    let nothing = project.get_fixes("a.al", "LC0020", 1, 1).unwrap_err();
    assert!(
        nothing.message().contains("re-run analyze") && nothing.message().contains(":1:1"),
        "{nothing}"
    );
}

#[test]
fn an_occurrence_that_a_directive_protects_has_no_fix() {
    let text = "codeunit 1 A\n{\n    procedure Run(\n#if not CLEAN\n        Unused: Integer\n#endif\n        )\n    begin\n    end;\n}\n";
    let project = Project::new(&[("a.al", text)]);
    let result = project.get_fixes("a.al", "LC0095", 5, 9);
    assert_eq!(kind(&result), "NotFound/NoFixForDiagnostic");
    assert_eq!(
        kind(&project.apply_fix_all(&project.all("LC0095"))),
        "NotFound/NoFixForDiagnostic"
    );
}

#[test]
fn a_rule_that_does_not_run_says_why() {
    let project = Project::new(&[("a.al", PAGE)]);
    let analyzers = Some(vec!["FormattingCop".to_owned()]);
    let other_cop = GetFixesArguments {
        analyzers,
        ..project.get("a.al", "LC0020", 11, 17)
    };
    let result = project.session.get_fixes(&other_cop, &Cancellation::new()).result;
    assert_eq!(kind(&result), "NotFound/NoAnalyzerForRule");
    assert!(result.unwrap_err().message().contains("al.codeAnalyzers"));

    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "lc0020", "action": "None"}]}"#,
    );
    let result = project.get_fixes("a.al", "LC0020", 11, 17);
    assert_eq!(kind(&result), "NotFound/SuppressedByRuleset");
    assert!(result.unwrap_err().message().contains("None"));
}

#[test]
fn the_project_must_be_one_but_need_not_be_known() {
    let project = Project::new(&[("a.al", PAGE)]);
    let other = Project::new(&[("a.al", PAGE)]);
    let arguments = other.get("a.al", "LC0020", 11, 17);
    assert!(
        project
            .session
            .get_fixes(&arguments, &Cancellation::new())
            .result
            .is_ok()
    );
    for (path, words) in [
        (String::new(), "blank"),
        ("/nowhere/at/all".to_owned(), "does not exist"),
        (project.outside().display().to_string(), "app.json"),
    ] {
        let arguments = GetFixesArguments {
            project_path: path,
            ..arguments.clone()
        };
        let result = project.session.get_fixes(&arguments, &Cancellation::new()).result;
        assert_eq!(kind(&result), "Invalid");
        let message = result.unwrap_err().message().to_owned();
        assert!(message.contains(words), "{message}");
    }
}
