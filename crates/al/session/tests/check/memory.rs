//! Checks that remember: what has not changed is not read again, and the answers are those of checks that forget.

use std::fs::{self, File};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use candor_al_session::check::{CheckMemory, CheckOptions};

use crate::world::{MANIFEST, PAGE, PUBLISHER, UNUSED, World, run, select};

/// A project whose files were written long enough ago that their stamps can be trusted.
fn world() -> World {
    let files = [("app.json", MANIFEST), ("a.al", PAGE), ("src/b.al", UNUSED)];
    let world = World::new(&files);
    for (name, _) in files {
        let file = File::options().write(true).open(world.root().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    }
    world
}

/// A check by rules that look at one file alone.
fn remembering(world: &World) -> CheckOptions {
    CheckOptions {
        choice: select(&["AC0012", "LC0020", "LC0095"]),
        memory: Some(Arc::new(CheckMemory::default())),
        ..world.options()
    }
}

#[test]
fn files_that_are_as_they_were_are_not_read_again() {
    let world = world();
    let options = remembering(&world);
    let (first, first_reports) = run(&options);
    assert_eq!((first.files, first.remembered_files), (2, 0));
    let (second, second_reports) = run(&options);
    assert_eq!((second.files, second.remembered_files), (2, 2));
    assert!(!first.is_unchanged && second.is_unchanged);
    assert_eq!(first_reports, second_reports);
    assert_eq!(
        (first.total_count, first.summary, first.fixable_count),
        (second.total_count, second.summary, second.fixable_count)
    );
}

#[test]
fn what_changes_comes_and_goes_is_noticed() {
    let world = world();
    let options = remembering(&world);
    assert_eq!(world.found(&options), ["a.al:11 LC0020", "src/b.al:3 LC0095"]);
    world.write("c.al", PUBLISHER);
    assert_eq!(
        world.found(&options),
        ["a.al:11 LC0020", "c.al:6 AC0012", "src/b.al:3 LC0095"]
    );
    world.write("src/b.al", format!("\n{UNUSED}"));
    fs::remove_file(world.root().join("a.al")).unwrap();
    assert_eq!(world.found(&options), ["c.al:6 AC0012", "src/b.al:4 LC0095"]);
}

#[test]
fn another_setting_is_another_check() {
    let world = world();
    let options = CheckOptions {
        choice: candor_al_session::check::RuleChoice::default(),
        ..remembering(&world)
    };
    run(&options);
    world.write("app.json", MANIFEST.replace("\"DC0003\"", "\"LC0020\", \"DC0003\""));
    let (report, _) = run(&options);
    assert_eq!((report.total_count, report.remembered_files), (1, 0));
    assert!(!report.is_unchanged);
}

#[test]
fn places_are_the_files_and_where_settings_could_be() {
    let world = world();
    let options = remembering(&world);
    run(&options);
    let places = options.memory.unwrap().places();
    for name in [
        "a.al",
        "src/b.al",
        "app.json",
        "alcops.json",
        ".vscode/settings.json",
        "custom.ruleset.json",
    ] {
        assert!(places.contains(&world.root().join(name)), "{name}: {places:?}");
    }
}

#[test]
fn what_another_file_declares_is_not_remembered() {
    let caller = "codeunit 50100 Caller { procedure Run() var Helper: Codeunit Helper; begin Helper.Post(); end; }\n";
    let helper = |name: &str| format!("codeunit 50101 Helper {{ procedure {name}() begin end; }}\n");
    let world = World::new(&[("app.json", MANIFEST), ("a.al", caller), ("b.al", &helper("Post"))]);
    let file = File::options().write(true).open(world.root().join("a.al")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    let options = CheckOptions {
        choice: select(&["FC0002"]),
        ..remembering(&world)
    };
    assert!(world.found(&options).is_empty());
    let (again, _) = run(&options);
    assert!(again.is_unchanged);
    world.write("b.al", helper("POST"));
    assert_eq!(world.found(&options), ["a.al:1 FC0002"]);
    world.write("b.al", helper("Post"));
    assert!(world.found(&options).is_empty());
}
