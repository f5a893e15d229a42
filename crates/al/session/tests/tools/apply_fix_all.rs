//! What `apply_fix_all` promises.

use candor_al_session::tools::{ApplyFixAllArguments, ConflictKind, Scope};

use crate::fixture::{FIXED_PAGE, PAGE, PUBLISHER, Project, kind, suppressed_page};

#[test]
fn every_occurrence_in_the_project_is_fixed() {
    let project = Project::new(&[("a.al", PAGE), ("src/b.al", PAGE), ("c.al", FIXED_PAGE)]);
    let result = project.apply_fix_all(&project.all("LC0020")).unwrap();
    assert!(result.applied);
    assert_eq!(result.diagnostics_found, 2);
    assert_eq!(
        result.files_changed.unwrap(),
        [project.path("a.al"), project.path("src/b.al")]
    );
    assert_eq!(result.conflicts.unwrap(), []);
    assert_eq!(result.unfixed_diagnostics.unwrap(), []);
    assert_eq!(result.changes.unwrap().len(), 2);
    assert_eq!(result.message, None);
    assert_eq!(
        (project.text("a.al"), project.text("src/b.al")),
        (FIXED_PAGE.to_owned(), FIXED_PAGE.to_owned())
    );
    assert_eq!(result.content_version, project.version());
}

#[test]
fn a_dry_run_tells_what_would_change() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE)]);
    let arguments = ApplyFixAllArguments {
        dry_run: true,
        ..project.all("LC0020")
    };
    let result = project.apply_fix_all(&arguments).unwrap();
    assert!(!result.applied && result.dry_run);
    assert_eq!(result.files_changed.unwrap().len(), 2);
    assert_eq!(result.changes.unwrap().len(), 2);
    assert_eq!(project.text("a.al"), PAGE);
}

#[test]
fn one_document_leaves_the_others_alone() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE)]);
    let file_path = Some(project.path("b.al"));
    let arguments = ApplyFixAllArguments {
        scope: Scope::Document,
        file_path,
        ..project.all("LC0020")
    };
    let result = project.apply_fix_all(&arguments).unwrap();
    assert_eq!(result.diagnostics_found, 1);
    assert_eq!(
        (project.text("a.al"), project.text("b.al")),
        (PAGE.to_owned(), FIXED_PAGE.to_owned())
    );
}

#[test]
fn no_live_occurrence_is_a_short_success() {
    let project = Project::new(&[("a.al", &suppressed_page())]);
    let result = project.apply_fix_all(&project.all("LC0020")).unwrap();
    let keys: Vec<_> = serde_json::to_value(&result)
        .unwrap()
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let expected = [
        "applied",
        "dryRun",
        "diagnosticId",
        "diagnosticsFound",
        "message",
        "warnings",
        "contentVersion",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn a_file_in_project_scope_is_ignored_with_a_warning() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE)]);
    let arguments = ApplyFixAllArguments {
        file_path: Some(project.path("a.al")),
        ..project.all("LC0020")
    };
    let result = project.apply_fix_all(&arguments).unwrap();
    assert_eq!(result.diagnostics_found, 2);
    assert!(result.warning.unwrap().contains("filePath"));
}

#[test]
fn reasons_are_told_apart() {
    let project = Project::new(&[("a.al", PUBLISHER)]);
    let plain = |id: &str| project.all(id);
    let document = |path: Option<String>| ApplyFixAllArguments {
        scope: Scope::Document,
        file_path: path,
        ..plain("LC0020")
    };
    let other_cop = ApplyFixAllArguments {
        analyzers: Some(vec!["LinterCop".into()]),
        ..plain("AC0012")
    };
    let key = |key: &str| ApplyFixAllArguments {
        equivalence_key: Some(key.into()),
        ..plain("AC0012")
    };
    for (arguments, expected) in [
        (plain("XX0001"), "NotFound/NoFixProvider"),
        (other_cop, "NotFound/NoAnalyzerForRule"),
        (document(Some(project.path("missing.al"))), "NotFound/FileNotInProject"),
        (document(None), "Invalid"),
        (document(Some(" ".into())), "Invalid"),
        (document(Some("a\0".into())), "Invalid"),
        (plain("AC0012"), "Ambiguous"),
        (key("nope"), "NotFound/NoFixForEquivalenceKey"),
        (key(""), "NotFound/NoFixForEquivalenceKey"),
    ] {
        let result = project.apply_fix_all(&arguments);
        assert_eq!(kind(&result), expected, "{arguments:?}");
        let place = result.unwrap_err();
        assert_eq!(
            place.place_ref().file_path.is_some(),
            expected == "NotFound/FileNotInProject"
        );
    }
    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "AC0012", "action": "None"}]}"#,
    );
    assert_eq!(
        kind(&project.apply_fix_all(&plain("AC0012"))),
        "NotFound/SuppressedByRuleset"
    );
}

#[test]
fn a_file_of_unknown_encoding_is_a_conflict_and_the_rest_is_written() {
    let project = Project::new(&[("a.al", PAGE)]);
    let bytes: Vec<u8> = PAGE
        .replace("Name'", "N~me'")
        .bytes()
        .map(|byte| if byte == b'~' { 0xE4 } else { byte })
        .collect();
    project.write("b.al", &bytes);
    let answer = project.answer_fix_all(&project.all("LC0020"));
    let result = answer.result.unwrap();
    assert!(result.applied);
    assert_eq!(result.files_changed.unwrap(), [project.path("a.al")]);
    let conflicts = result.conflicts.unwrap();
    assert_eq!(
        (conflicts.len(), conflicts[0].kind),
        (1, ConflictKind::UnsupportedEncoding)
    );
    assert!(result.message.is_some());
    let unfixed = result.unfixed_diagnostics.unwrap();
    assert_eq!((unfixed.len(), unfixed[0].line, unfixed[0].column), (1, 11, 17));
    assert_eq!(unfixed[0].file_path, project.path("b.al"));
    assert_eq!(project.read("b.al"), bytes);
    assert!(
        answer
            .incidents
            .iter()
            .any(|incident| incident.code == "unsupported_encoding")
    );
}

#[test]
fn a_version_is_stale_only_for_files_to_be_written() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PUBLISHER)]);
    let version = Some(project.version());
    project.write("b.al", format!("// edited\n{PUBLISHER}"));
    let arguments = ApplyFixAllArguments {
        content_version: version,
        dry_run: true,
        ..project.all("LC0020")
    };
    assert!(project.apply_fix_all(&arguments).is_ok());
    project.write("a.al", format!("// edited\n{PAGE}"));
    let result = project.apply_fix_all(&arguments);
    assert_eq!(kind(&result), "Stale");
    assert!(result.unwrap_err().message().contains("a.al"));
    assert_eq!(project.text("a.al"), format!("// edited\n{PAGE}"));
}

#[test]
fn differences_that_do_not_fit_are_counted() {
    let long_line = format!("                Caption = '{}';\n", "x".repeat(1_000));
    let page = PAGE.replace("                Caption = 'Name';\n", &long_line);
    let names: Vec<String> = (0..120).map(|number| format!("{number:03}.al")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), page.as_str())).collect();
    let project = Project::new(&files);
    let arguments = ApplyFixAllArguments {
        dry_run: true,
        ..project.all("LC0020")
    };
    let result = project.apply_fix_all(&arguments).unwrap();
    assert!(candor_contract::json_bytes(&result) <= 60_000);
    let shown = result.changes.unwrap().len();
    assert!(shown > 10 && shown < 120, "{shown}");
    let note = result.warnings.last().unwrap();
    assert!(note.contains(&format!("{} more changed files", 120 - shown)), "{note}");
}
