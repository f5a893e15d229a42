//! What `analyze` promises.

use candor_al_session::tools::{AnalyzeArguments, Severity, Source};
use candor_contract::json_bytes;

use crate::fixture::{PAGE, PUBLISHER, Project, kind, suppressed_page};

fn all() -> AnalyzeArguments {
    AnalyzeArguments::default()
}

#[test]
fn diagnostics_are_counted_and_sorted_by_file_and_place() {
    let project = Project::new(&[("src/b.al", PUBLISHER), ("src/a.al", PAGE)]);
    assert_eq!(project.found(&all()), ["src/a.al:11:17 LC0020", "src/b.al:6:21 AC0012"]);
    let result = project.analyze(&all()).unwrap();
    assert_eq!(result.project, project.root().display().to_string());
    assert_eq!(
        (result.count, result.total_count, result.truncated, result.next_offset),
        (2, 2, false, None)
    );
    assert_eq!(
        serde_json::to_string(&result.summary).unwrap(),
        r#"{"bySeverity":{"Warning":2},"byAnalyzer":{"ALCops.LinterCop":1,"ALCops.ApplicationCop":1}}"#
    );
    let first = &result.diagnostics[0];
    assert_eq!((first.end_line, first.end_column, first.has_fix), (11, 39, true));
    assert_eq!(first.analyzer, "ALCops.LinterCop");
    assert_eq!(result.content_version.len(), 16);
    assert_eq!(result.warnings, Vec::<String>::new());
}

#[test]
fn suppressed_diagnostics_are_not_told() {
    let project = Project::new(&[("a.al", &suppressed_page())]);
    assert_eq!(project.found(&all()), Vec::<String>::new());
}

#[test]
fn arguments_narrow_the_answer() {
    let project = Project::new(&[
        ("src/a.al", PAGE),
        ("src/deep/b.al", PUBLISHER),
        ("src2/c.al", PUBLISHER),
    ]);
    let rows: [(AnalyzeArguments, &[&str]); 7] = [
        (
            AnalyzeArguments {
                file_path: Some(project.path("src/a.al")),
                ..all()
            },
            &["src/a.al:11:17 LC0020"],
        ),
        (
            AnalyzeArguments {
                folder_path: Some(project.path("src/")),
                ..all()
            },
            &["src/a.al:11:17 LC0020", "src/deep/b.al:6:21 AC0012"],
        ),
        (
            AnalyzeArguments {
                folder_path: Some(project.path("src/deep")),
                ..all()
            },
            &["src/deep/b.al:6:21 AC0012"],
        ),
        (
            AnalyzeArguments {
                rule_ids: Some(vec!["lc0020".into()]),
                ..all()
            },
            &["src/a.al:11:17 LC0020"],
        ),
        (
            AnalyzeArguments {
                analyzers: Some(vec!["lintercop".into()]),
                ..all()
            },
            &["src/a.al:11:17 LC0020"],
        ),
        (
            AnalyzeArguments {
                analyzers: Some(vec!["${analyzerFolder}ALCops.LinterCop.dll".into()]),
                ..all()
            },
            &["src/a.al:11:17 LC0020"],
        ),
        (
            AnalyzeArguments {
                severities: Some(vec![Severity::Error, Severity::Hidden]),
                ..all()
            },
            &[],
        ),
    ];
    for (arguments, expected) in rows {
        assert_eq!(project.found(&arguments), expected, "{arguments:?}");
    }
    let empty = AnalyzeArguments {
        severities: Some(Vec::new()),
        rule_ids: Some(Vec::new()),
        ..all()
    };
    assert_eq!(project.found(&empty).len(), 3, "an empty list is no filter");
}

#[test]
fn entries_are_paged() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PAGE), ("c.al", PAGE)]);
    let first = project.analyze(&AnalyzeArguments { limit: 2, ..all() }).unwrap();
    assert_eq!(
        (first.count, first.total_count, first.truncated, first.next_offset),
        (2, 3, true, Some(2))
    );
    let last = project
        .analyze(&AnalyzeArguments {
            limit: 2,
            offset: 2,
            ..all()
        })
        .unwrap();
    assert_eq!(
        (last.count, last.total_count, last.truncated, last.next_offset),
        (1, 3, false, None)
    );
    assert_eq!(last.diagnostics[0].file_path, project.path("c.al"));
    let beyond = project.analyze(&AnalyzeArguments { offset: 99, ..all() }).unwrap();
    assert_eq!((beyond.count, beyond.truncated), (0, false));
}

#[test]
fn a_reply_stays_below_its_bound_and_pages_reach_everything() {
    let control = |number: usize| format!("field(F{number}; F) {{ ApplicationArea = All; }}\n");
    let controls: String = (0..700).map(control).collect();
    let page = format!("page 50100 P\n{{\nApplicationArea = All;\nlayout {{ area(Content) {{\n{controls}}} }}\n}}\n");
    let project = Project::new(&[("a.al", &page)]);
    let mut offset = 0;
    let mut seen = 0;
    loop {
        let arguments = AnalyzeArguments {
            limit: 10_000,
            offset,
            ..all()
        };
        let result = project.analyze(&arguments).unwrap();
        assert!(json_bytes(&result) <= 60_000);
        assert_eq!(result.total_count, 700);
        seen += result.count;
        match result.next_offset {
            Some(next) => offset = i64::try_from(next).unwrap(),
            None => break,
        }
    }
    assert_eq!(seen, 700);
}

#[test]
fn numbers_that_make_no_sense_are_invalid() {
    let project = Project::new(&[("a.al", PAGE)]);
    for arguments in [
        AnalyzeArguments { limit: 0, ..all() },
        AnalyzeArguments {
            limit: -1,
            source: Source::Compiler,
            ..all()
        },
        AnalyzeArguments { offset: -1, ..all() },
        AnalyzeArguments {
            file_path: Some("a\0b".into()),
            source: Source::Compiler,
            ..all()
        },
        AnalyzeArguments {
            folder_path: Some(" ".into()),
            ..all()
        },
        AnalyzeArguments {
            analyzers: Some(Vec::new()),
            ..all()
        },
        AnalyzeArguments {
            analyzers: Some(vec![" ".into()]),
            ..all()
        },
    ] {
        assert_eq!(kind(&project.analyze(&arguments)), "Invalid", "{arguments:?}");
    }
}

#[test]
fn the_compiler_is_not_available() {
    let project = Project::new(&[]);
    for source in [Source::Compiler, Source::All] {
        let result = project.analyze(&AnalyzeArguments { source, ..all() });
        assert_eq!(kind(&result), "Unavailable/NoProxy");
        assert!(result.unwrap_err().message().contains("--no-proxy"));
    }
}

#[test]
fn a_scope_outside_every_project_is_not_found() {
    let project = Project::new(&[("src/a.al", PAGE)]);
    for (file, folder) in [
        (Some("/nowhere/a.al".to_owned()), None),
        (Some(project.path("src/missing.al")), None),
        (None, Some("/nowhere".to_owned())),
        (None, Some(project.path("other"))),
        (Some(project.path("src/a.al")), Some(project.path("other"))),
    ] {
        let result = project.analyze(&AnalyzeArguments {
            file_path: file,
            folder_path: folder,
            ..all()
        });
        assert_eq!(kind(&result), "NotFound/FileNotInProject");
        assert!(result.unwrap_err().place_ref().file_path.is_some());
    }
}

#[test]
fn a_folder_above_projects_means_all_of_them() {
    let project = Project::new(&[("a.al", PAGE)]);
    let arguments = AnalyzeArguments {
        folder_path: Some(project.outside().display().to_string()),
        ..all()
    };
    assert_eq!(project.found(&arguments), ["a.al:11:17 LC0020"]);
}

#[test]
fn an_unknown_project_is_invalid() {
    let project = Project::new(&[]);
    let arguments = AnalyzeArguments {
        project_path: Some("/elsewhere".into()),
        ..all()
    };
    let error = project.analyze(&arguments).unwrap_err();
    assert_eq!(error.code().as_str(), "Invalid");
    assert!(error.message().contains("/elsewhere") && error.message().contains(&project.path("")[..8]));
    let trailing = AnalyzeArguments {
        project_path: Some(project.path("") + "/"),
        ..all()
    };
    assert!(
        project.analyze(&trailing).is_ok(),
        "a separator at the end does not count"
    );
}

#[test]
fn the_ruleset_and_the_manifest_decide() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PUBLISHER)]);
    project.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0020", "action": "Error"}, {"id": "AC0012", "action": "None"}]}"#,
    );
    let result = project.analyze(&all()).unwrap();
    assert_eq!(result.diagnostics.len(), 1);
    assert_eq!(result.diagnostics[0].severity, Severity::Error);
    project.write("custom.ruleset.json", r#"{"generalAction": "None"}"#);
    assert_eq!(project.found(&all()), Vec::<String>::new());
    std::fs::remove_file(project.root().join("custom.ruleset.json")).unwrap();
    project.write(
        "app.json",
        r#"{"name": "App", "suppressWarnings": ["lc0020", "DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]}"#,
    );
    assert_eq!(project.found(&all()), ["b.al:6:21 AC0012"]);
    let asked = AnalyzeArguments {
        rule_ids: Some(vec!["LC0020".into(), "LC9999".into()]),
        ..all()
    };
    let warnings = project.analyze(&asked).unwrap().warnings;
    assert!(warnings[0].contains("rule LC0020 is switched off"), "{warnings:?}");
    assert!(warnings[1].contains("there is no rule LC9999"), "{warnings:?}");
}

#[test]
fn the_project_chooses_its_cops_and_only_microsofts_mean_all_of_ours() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PUBLISHER)]);
    project.write(
        ".vscode/settings.json",
        r#"{"al.codeAnalyzers": ["${CodeCop}", "${analyzerFolder}ALCops.ApplicationCop.dll"]}"#,
    );
    let result = project.analyze(&all()).unwrap();
    assert_eq!(
        result.diagnostics.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(),
        ["AC0012"]
    );
    assert!(result.warnings[0].contains("CodeCop"), "{:?}", result.warnings);
    project.write(".vscode/settings.json", r#"{"al.codeAnalyzers": ["${CodeCop}"]}"#);
    assert_eq!(project.found(&all()).len(), 2);
}

#[test]
fn syntax_errors_are_diagnostics_that_nothing_suppresses() {
    let project = Project::new(&[(
        "a.al",
        "#pragma warning disable\ncodeunit 1 A\n{\n    procedure P(\n    begin\n    end;\n}\n",
    )]);
    project.write("custom.ruleset.json", r#"{"generalAction": "None"}"#);
    let result = project.analyze(&all()).unwrap();
    let first = &result.diagnostics[0];
    assert_eq!(
        (first.id.as_str(), first.severity, first.analyzer.as_str()),
        ("CN0001", Severity::Error, "Candor")
    );
    assert!(!first.has_fix);
    let narrowed = project
        .analyze(&AnalyzeArguments {
            analyzers: Some(vec!["LinterCop".into()]),
            ..all()
        })
        .unwrap();
    assert_eq!(narrowed.total_count, 0);
    assert!(
        narrowed.warnings[0].contains("syntax errors (CN0001) are left out"),
        "{:?}",
        narrowed.warnings
    );
}

#[test]
fn edits_additions_and_deletions_between_calls_are_seen() {
    let project = Project::new(&[("a.al", PAGE)]);
    let before = project.version();
    project.write("b.al", PUBLISHER);
    assert_eq!(project.found(&all()), ["a.al:11:17 LC0020", "b.al:6:21 AC0012"]);
    project.write("a.al", format!("// moved\n{PAGE}"));
    assert_eq!(project.found(&all()), ["a.al:12:17 LC0020", "b.al:6:21 AC0012"]);
    std::fs::remove_file(project.root().join("b.al")).unwrap();
    project.write("a.al", PAGE);
    assert_eq!(project.found(&all()), ["a.al:11:17 LC0020"]);
    assert_eq!(project.version(), before, "the same text is the same version");
}

#[test]
fn a_broken_ruleset_is_a_warning_each_time_and_an_incident_once() {
    let project = Project::new(&[("a.al", PAGE)]);
    project.write("custom.ruleset.json", "{");
    let cancellation = candor_al_session::Cancellation::new();
    let first = project.session.analyze(&all(), &cancellation);
    assert_eq!(first.incidents.len(), 1);
    assert_eq!(first.incidents[0].code, "invalid_json");
    assert_eq!(
        first.incidents[0].project.as_deref(),
        Some(project.path("").trim_end_matches('/'))
    );
    assert_eq!(first.result.unwrap().warnings.len(), 1);
    let second = project.session.analyze(&all(), &cancellation);
    assert_eq!(second.incidents, []);
    assert_eq!(second.result.unwrap().warnings.len(), 1);
}

#[test]
fn a_folder_that_is_there_and_holds_no_al_file_is_no_failure() {
    let project = Project::new(&[("src/a.al", PAGE)]);
    project.write("docs/readme.md", "nothing here");
    let result = project
        .analyze(&AnalyzeArguments {
            folder_path: Some(project.path("docs")),
            ..all()
        })
        .unwrap();
    assert_eq!(result.total_count, 0);
    assert!(
        result.warnings[0].contains("there is no AL file of") && result.warnings[0].contains("docs"),
        "{:?}",
        result.warnings
    );
}

#[test]
fn a_nested_project_is_one_of_its_own_and_that_is_told() {
    let project = Project::new(&[("a.al", PAGE), ("test/app.json", "{}"), ("test/b.al", PAGE)]);
    let nested = project.root().join("test");
    let session = candor_al_session::Session::new(vec![project.root(), nested.clone()]);
    let ask = |arguments: &AnalyzeArguments| {
        let answer = session.analyze(arguments, &candor_al_session::Cancellation::new());
        let result = answer.result.unwrap();
        let of_page = result.diagnostics.iter().filter(|one| one.id == "LC0020").count();
        (of_page, result.warnings.join("\n"))
    };
    let (found, warnings) = ask(&all());
    assert_eq!(found, 1);
    assert!(
        warnings.contains("pass projectPath") && warnings.contains(&nested.display().to_string()),
        "{warnings}"
    );
    let folder = AnalyzeArguments {
        folder_path: Some(project.path("")),
        ..all()
    };
    assert_eq!(ask(&folder).0, 2, "a folder means all that is below it");
    let inner = AnalyzeArguments {
        project_path: Some(nested.display().to_string()),
        ..all()
    };
    assert_eq!(ask(&inner), (1, String::new()));
}

#[test]
fn analyzers_that_name_nothing_there_is_are_invalid_and_the_known_ones_are_named() {
    let project = Project::new(&[("a.al", PAGE)]);
    let ask = |names: &[&str]| {
        project.analyze(&AnalyzeArguments {
            analyzers: Some(names.iter().map(|&name| name.into()).collect()),
            ..all()
        })
    };
    for names in [&["Nope"][..], &["Nope", "CodeCop"], &[]] {
        let error = ask(names).unwrap_err();
        assert_eq!(error.code().as_str(), "Invalid", "{names:?}");
    }
    let others = ask(&["CodeCop", "${UICop}", "./cops/My.Cop.dll", "Compiler"]).unwrap();
    assert_eq!(
        (others.total_count, others.warnings.len()),
        (0, 4),
        "they exist, though not here"
    );
    assert!(
        others.warnings[0].contains("known are ALCops.ApplicationCop"),
        "{others:?}"
    );
    let message = ask(&["LintCop"]).unwrap_err().message().to_owned();
    assert!(
        message.contains("Did you mean LinterCop?") && message.contains("ALCops.FormattingCop"),
        "{message}"
    );
    let result = ask(&["Nope", "LinterCop"]).unwrap();
    assert_eq!(result.total_count, 1);
    assert!(
        result.warnings[0].contains("Nope") && result.warnings[0].contains("ALCops.LinterCop"),
        "{:?}",
        result.warnings
    );
}

#[test]
fn a_caller_hears_how_far_the_analysis_is() {
    let files: Vec<_> = (0..250).map(|number| (format!("{number:03}.al"), PAGE)).collect();
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let project = Project::new(&files);
    let told = std::sync::Mutex::new(Vec::new());
    let answer = project
        .session
        .analyze_telling(&all(), &candor_al_session::Cancellation::new(), &|done, total| {
            told.lock().unwrap().push((done, total));
        });
    assert_eq!(answer.result.unwrap().total_count, 250);
    let told = told.into_inner().unwrap();
    assert!(told.windows(2).all(|pair| pair[0].0 < pair[1].0), "{told:?}");
    assert_eq!(told.last(), Some(&(250, 250)));
    assert!(told.len() > 10 && told.len() <= 126, "{}", told.len());
}
