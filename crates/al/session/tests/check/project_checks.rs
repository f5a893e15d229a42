//! Findings in files that are no AL, and findings that are suppressed.

use candor_al_session::check::{CheckOptions, Detail, SuppressedBy};

use crate::world::{PAGE, UNUSED, World, counting, ignore, run, select};

/// A manifest whose runtime, in line 3, is behind.
const BEHIND: &str = r#"{
  "platform": "26.0.0.0",
  "runtime": "14.0",
  "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]
}"#;

/// Two projects below settings with a name that does not exist, in line 1.
fn world() -> World {
    World::new(&[
        ("alcops.json", r#"{"Nothing": 1}"#),
        ("a/app.json", BEHIND),
        ("a/a.al", PAGE),
        ("b/app.json", BEHIND),
        ("b/b.al", PAGE),
    ])
}

#[test]
fn what_is_wrong_with_a_project_stands_before_its_files() {
    let world = world();
    assert_eq!(
        world.found(&world.options()),
        [
            "a/app.json:3 LC0033",
            "alcops.json:1 CM0001",
            "a/a.al:11 LC0020",
            "b/app.json:3 LC0033",
            "b/b.al:11 LC0020"
        ]
    );
    let (report, reports) = run(&CheckOptions {
        detail: Detail::Excerpts,
        ..world.options()
    });
    assert_eq!((report.total_count, report.files), (5, 2), "files are AL files");
    let finding = &reports[0].findings[0];
    assert_eq!(
        finding.excerpt.as_ref().unwrap().line(3),
        Some(r#"  "runtime": "14.0","#)
    );
    let (report, reports) = run(&counting(world.options()));
    assert_eq!((report.total_count, reports.len()), (5, 0));
    let counts = report.statistics.rules.iter();
    let of_rule: Vec<_> = counts
        .filter(|rule| ["CM0001", "LC0033"].contains(&rule.id))
        .map(|rule| rule.findings)
        .collect();
    assert_eq!(of_rule, [1, 2]);
}

#[test]
fn it_is_chosen_as_every_rule_is() {
    let world = world();
    let chosen = |choice| {
        world.found(&CheckOptions {
            choice,
            ..world.options()
        })
    };
    assert_eq!(chosen(select(&["CM0001"])), ["alcops.json:1 CM0001"]);
    assert_eq!(chosen(select(&["Common"])), ["alcops.json:1 CM0001"]);
    assert_eq!(
        chosen(ignore(&["CM0001", "LC0020"])),
        ["a/app.json:3 LC0033", "b/app.json:3 LC0033"]
    );
}

#[test]
fn a_part_of_a_project_is_not_its_configuration() {
    let world = world();
    world.write("a/src/c.al", UNUSED);
    let part = |name: &str| {
        world.found(&CheckOptions {
            paths: vec![world.root().join(name)],
            ..world.options()
        })
    };
    assert_eq!(part("a/src"), ["a/src/c.al:3 LC0095"]);
    assert_eq!(part("a/a.al"), ["a/a.al:11 LC0020"]);
    assert_eq!(part("a").len(), 4, "the project itself with its settings");
}

#[test]
fn suppressed_findings_are_told_on_request_with_who_suppresses_them() {
    let world = World::new(&[
        ("app.json", &BEHIND.replace("\"DC0003\"", "\"LC0033\", \"DC0003\"")),
        ("a.al", &format!("#pragma warning disable LC0020\n{PAGE}")),
        ("b.al", UNUSED),
        (
            "custom.ruleset.json",
            r#"{"rules": [{"id": "LC0095", "action": "None"}, {"id": "LC0009", "action": "None"}]}"#,
        ),
    ]);
    let (report, reports) = run(&world.options());
    assert_eq!((report.total_count, reports.len()), (0, 0), "not unasked");
    let (report, reports) = run(&CheckOptions {
        suppressed: true,
        ..world.options()
    });
    assert_eq!(
        (report.total_count, report.suppressed_count),
        (0, 1),
        "what is counted does not change"
    );
    let told: Vec<_> = reports
        .iter()
        .flat_map(|file| &file.suppressed)
        .map(|one| {
            let by = match &one.by {
                SuppressedBy::Pragma => "pragma",
                SuppressedBy::Project(why) if why.contains("custom.ruleset.json") => "ruleset",
                SuppressedBy::Project(why) if why.contains("app.json") => "manifest",
                SuppressedBy::Project(why) => why,
            };
            (one.finding.diagnostic.id.as_str(), one.finding.diagnostic.line, by)
        })
        .filter(|(id, ..)| !id.starts_with("DC"))
        .collect();
    assert_eq!(
        told,
        [
            ("LC0033", 3, "manifest"),
            ("LC0020", 12, "pragma"),
            ("LC0095", 3, "ruleset")
        ],
        "a rule that is off by default suppresses nothing"
    );
    assert!(reports.iter().all(|file| file.findings.is_empty()));
}
