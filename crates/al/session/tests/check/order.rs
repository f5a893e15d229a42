//! What is checked, how it is counted, and in which order it is reported.

use candor_al_session::Cancellation;
use candor_al_session::check::{CheckOptions, Detail, check};
use candor_al_session::tools::Severity;

use crate::world::{MANIFEST, PAGE, PUBLISHER, UNUSED, World, counting, ignore, run, select, try_check};

fn two_projects() -> World {
    World::new(&[
        ("one/app.json", MANIFEST),
        ("one/b.al", PAGE),
        ("one/a.al", UNUSED),
        ("two/app.json", MANIFEST),
        ("two/src/c.al", PUBLISHER),
        ("two/inner/app.json", MANIFEST),
        ("two/inner/d.al", PAGE),
        ("two/readme.md", "no AL"),
    ])
}

#[test]
fn projects_and_files_are_reported_in_one_order() {
    let world = two_projects();
    let expected = [
        "one/a.al:3 LC0095",
        "one/b.al:11 LC0020",
        "two/src/c.al:6 AC0012",
        "two/inner/d.al:11 LC0020",
    ];
    for _ in 0..5 {
        assert_eq!(world.found(&world.options()), expected);
    }
    let (report, reports) = run(&world.options());
    assert_eq!(
        report.projects,
        ["one", "two", "two/inner"].map(|name| world.root().join(name))
    );
    assert_eq!((report.files, report.total_count), (4, 4));
    assert_eq!((report.fixable_count, report.unsafely_fixable_count), (2, 2));
    assert_eq!(
        reports[3].project.as_deref(),
        Some(world.root().join("two/inner").as_path())
    );
}

#[test]
fn counting_gives_the_same_numbers_without_reports() {
    let world = two_projects();
    let (told, _) = run(&world.options());
    let (counted, reports) = run(&counting(world.options()));
    assert!(reports.is_empty());
    assert_eq!(
        (counted.total_count, &counted.summary),
        (told.total_count, &told.summary)
    );
    let rules: Vec<_> = counted
        .statistics
        .rules
        .iter()
        .filter(|rule| rule.findings > 0)
        .collect();
    assert_eq!(
        rules.iter().map(|rule| (rule.id, rule.findings)).collect::<Vec<_>>(),
        [("AC0012", 1), ("LC0020", 2), ("LC0095", 1)]
    );
    assert_eq!(
        counted.statistics.bytes as usize,
        2 * PAGE.len() + UNUSED.len() + PUBLISHER.len()
    );
}

#[test]
fn a_path_may_be_a_project_a_part_of_one_or_a_file() {
    let world = two_projects();
    world.write("loose/e.al", PAGE);
    for (path, expected) in [
        ("one", vec!["one/a.al:3 LC0095", "one/b.al:11 LC0020"]),
        ("one/b.al", vec!["one/b.al:11 LC0020"]),
        ("two/src", vec!["two/src/c.al:6 AC0012"]),
        ("loose/e.al", vec!["loose/e.al:1 DC0007", "loose/e.al:11 LC0020"]),
        ("loose", vec!["loose/e.al:1 DC0007", "loose/e.al:11 LC0020"]),
    ] {
        let options = CheckOptions {
            paths: vec![world.root().join(path)],
            ..CheckOptions::default()
        };
        assert_eq!(world.found(&options), expected, "{path}");
    }
}

#[test]
fn a_path_at_which_nothing_can_be_checked_is_an_error() {
    let world = two_projects();
    world.write("empty/notes.txt", "");
    for (path, words) in [
        ("missing", "does not exist"),
        ("two/readme.md", "neither a folder nor"),
        ("empty", "no AL project"),
    ] {
        let options = CheckOptions {
            paths: vec![world.root().join(path)],
            ..CheckOptions::default()
        };
        let error = try_check(&options).unwrap_err();
        assert_eq!(error.code().as_str(), "NotFound", "{path}");
        assert!(error.message().contains(words), "{error}");
    }
}

#[test]
fn rules_are_chosen_by_id_by_cop_and_all() {
    let world = two_projects();
    for (choice, expected) in [
        (
            select(&["lc0020"]),
            vec!["one/b.al:11 LC0020", "two/inner/d.al:11 LC0020"],
        ),
        (
            select(&["ApplicationCop", "LC0095"]),
            vec!["one/a.al:3 LC0095", "two/src/c.al:6 AC0012"],
        ),
        (ignore(&["ALCops.LinterCop"]), vec!["two/src/c.al:6 AC0012"]),
        (ignore(&["ALL"]), vec![]),
    ] {
        let options = CheckOptions {
            choice: choice.clone(),
            ..world.options()
        };
        assert_eq!(world.found(&options), expected, "{choice:?}");
    }
    let options = CheckOptions {
        choice: select(&["LC0021"]),
        ..world.options()
    };
    let error = try_check(&options).unwrap_err();
    assert_eq!(error.code().as_str(), "Invalid");
    assert!(error.message().contains("LC0020"), "{error}");
}

#[test]
fn selecting_disregards_rulesets_and_the_project_does_not() {
    let world = World::new(&[("app.json", MANIFEST), ("a.al", PAGE)]);
    world.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0020", "action": "None"}]}"#,
    );
    assert_eq!(world.found(&world.options()), Vec::<String>::new());
    let selected = CheckOptions {
        choice: select(&["LC0020"]),
        ..world.options()
    };
    assert_eq!(world.found(&selected), ["a.al:11 LC0020"]);
    world.write(
        "custom.ruleset.json",
        r#"{"rules": [{"id": "LC0020", "action": "Error"}]}"#,
    );
    let (_, reports) = run(&world.options());
    assert_eq!(reports[0].findings[0].diagnostic.severity, Severity::Error);
}

#[test]
fn suppressed_findings_are_counted_apart() {
    let world = World::new(&[
        ("app.json", MANIFEST),
        ("a.al", &format!("#pragma warning disable LC0020\n{PAGE}")),
    ]);
    let (report, reports) = run(&world.options());
    assert_eq!((report.total_count, report.suppressed_count, reports.len()), (0, 1, 0));
}

#[test]
fn symbols_are_defined_besides_those_of_the_project() {
    let text = format!("#if EXTRA and OWN\n{PAGE}#endif\n");
    let world = World::new(&[
        (
            "app.json",
            r#"{"preprocessorSymbols": ["OWN"], "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]}"#,
        ),
        ("a.al", &text),
    ]);
    assert_eq!(world.found(&world.options()), Vec::<String>::new());
    let options = CheckOptions {
        symbols: vec!["EXTRA".into()],
        ..world.options()
    };
    assert_eq!(world.found(&options), ["a.al:12 LC0020"]);
}

#[test]
fn excerpts_hold_the_lines_of_a_finding() {
    let world = World::new(&[("app.json", MANIFEST), ("a.al", &PAGE.replace('\n', "\r\n"))]);
    let (_, reports) = run(&CheckOptions {
        detail: Detail::Excerpts,
        ..world.options()
    });
    let excerpt = reports[0].findings[0].excerpt.as_ref().unwrap();
    assert_eq!(excerpt.line(11), Some("                ApplicationArea = All;"));
    assert_eq!(excerpt.line(10), None);
}

#[test]
fn a_file_that_cannot_be_read_is_a_warning_and_an_incident() {
    let world = World::new(&[("app.json", MANIFEST), ("a.al", PAGE)]);
    world.write("b.al", vec![b' '; 17 * 1024 * 1024]);
    let (report, _) = run(&world.options());
    assert_eq!((report.files, report.total_count), (1, 1));
    assert!(report.warnings[0].contains("b.al"), "{:?}", report.warnings);
    assert_eq!(report.incidents[0].code, "file_too_large");
    assert_eq!(report.incidents[0].project, Some(world.root().display().to_string()));
}

#[test]
fn a_cancelled_check_says_so() {
    let world = two_projects();
    let cancellation = Cancellation::new();
    cancellation.cancel();
    let report = check(&world.options(), &cancellation, &mut |_| {}).unwrap();
    assert!(report.warnings.last().unwrap().contains("cancelled"));
}

#[test]
fn syntax_errors_are_findings_whatever_is_selected() {
    let world = World::new(&[
        ("app.json", MANIFEST),
        ("a.al", "codeunit 1 A\n{\n    procedure P(\n    begin\n    end;\n}\n"),
    ]);
    let (report, reports) = run(&CheckOptions {
        choice: select(&["LC0020"]),
        ..world.options()
    });
    assert!(report.total_count > 0);
    assert!(reports[0].findings.iter().all(|one| one.diagnostic.id == "CN0001"));
}
