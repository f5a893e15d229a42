//! Repairs on the way.

use candor_al_session::FixSafety;
use candor_al_session::check::CheckOptions;
use candor_al_session::fix::FixOptions;

use crate::world::{MANIFEST, PAGE, PUBLISHER, UNUSED, World, run};

const WRITE: FixOptions = FixOptions {
    unsafe_fixes: false,
    write: true,
    diff: false,
};

fn world() -> World {
    World::new(&[
        ("app.json", MANIFEST),
        ("page.al", PAGE),
        ("publisher.al", PUBLISHER),
        ("unused.al", UNUSED),
    ])
}

fn fixed_page() -> String {
    PAGE.replace("                ApplicationArea = All;\n", "")
}

fn fixing(world: &World, fix: FixOptions) -> CheckOptions {
    CheckOptions {
        fix: Some(fix),
        ..world.options()
    }
}

#[test]
fn safe_fixes_are_made_and_what_is_left_is_reported() {
    let world = world();
    let (report, reports) = run(&fixing(&world, WRITE));
    assert_eq!(world.text("page.al"), fixed_page());
    assert_eq!(
        (world.text("publisher.al"), world.text("unused.al")),
        (PUBLISHER.to_owned(), UNUSED.to_owned())
    );
    let fix = reports[0].fix.as_ref().unwrap();
    assert!(fix.written && fix.conflict.is_none() && fix.problems.is_empty());
    let repair = &fix.repaired[0];
    assert_eq!(
        (repair.id.as_str(), repair.count, repair.safety),
        ("LC0020", 1, FixSafety::Safe)
    );
    assert!(reports[0].findings.is_empty());
    assert_eq!(report.total_count, 2);
    assert_eq!((report.fixable_count, report.unsafely_fixable_count), (0, 2));

    let (again, reports) = run(&fixing(&world, WRITE));
    assert_eq!(again.total_count, 2);
    assert!(
        reports.iter().all(|file| file.fix.is_none()),
        "nothing is repaired twice"
    );
}

#[test]
fn unsafe_fixes_are_made_when_allowed_but_none_is_chosen_of_several() {
    let world = world();
    let (report, _) = run(&fixing(
        &world,
        FixOptions {
            unsafe_fixes: true,
            ..WRITE
        },
    ));
    assert!(world.text("unused.al").contains("procedure Run()"));
    assert_eq!(world.text("publisher.al"), PUBLISHER);
    assert_eq!(report.total_count, 1);
}

#[test]
fn differences_are_told_without_writing() {
    let world = world();
    let (report, reports) = run(&fixing(
        &world,
        FixOptions {
            write: false,
            diff: true,
            ..WRITE
        },
    ));
    assert_eq!(world.text("page.al"), PAGE);
    let fix = reports[0].fix.as_ref().unwrap();
    assert!(!fix.written);
    assert!(
        fix.diff
            .as_ref()
            .unwrap()
            .starts_with("--- a/page.al\n+++ b/page.al\n@@ ")
    );
    assert_eq!(reports[0].findings.len(), 1, "the file still has its finding");
    assert_eq!(report.total_count, 3);
}

#[test]
fn a_file_in_another_encoding_is_a_conflict() {
    let world = world();
    let bytes: Vec<u8> = PAGE
        .replace("'Name'", "'N~me'")
        .bytes()
        .map(|byte| if byte == b'~' { 0xE4 } else { byte })
        .collect();
    world.write("page.al", &bytes);
    let (report, reports) = run(&fixing(&world, WRITE));
    let fix = reports[0].fix.as_ref().unwrap();
    assert!(!fix.written);
    assert!(fix.conflict.as_ref().unwrap().message.contains("UTF-8"));
    assert_eq!(reports[0].findings.len(), 1);
    assert_eq!(report.incidents[0].code, "unsupported_encoding");
}
