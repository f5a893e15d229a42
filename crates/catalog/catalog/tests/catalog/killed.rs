//! A real process is ended between any two steps of each operation; what it leaves is whole, and the operation can be
//! done again. Two real processes revise one alias.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use candor_catalog_facade::{Call, Catalog, ImportArguments, ListArguments, RecalcArguments, Unobserved};
use candor_catalog_store::{Interference, Operation, StepHook};

use crate::fixture::{NoSync, ORDERS, World, catalog_at, named, peek, scope};

#[derive(Debug)]
struct KillAt {
    step: usize,
    seen: AtomicUsize,
}

impl StepHook for KillAt {
    fn before(&self, _operation: Operation, _path: &Path) -> Interference {
        if self.seen.fetch_add(1, Ordering::Relaxed) == self.step {
            std::process::abort();
        }
        Interference::SkipSync
    }
}

fn operate(catalog: &Catalog, home: &Path, operation: &str) {
    let call_scope = scope(operation);
    let call = Call::new(&call_scope, &Unobserved);
    match operation {
        "catalog_create" => {
            // Done already, when the process was killed after it.
            let _ = catalog.create(&call, &named("made", "SELECT count(*) AS n FROM orders"));
        }
        "catalog_revise" => {
            let sql = "SELECT customer, sum(amount) * 2 AS total FROM orders GROUP BY customer";
            catalog.revise(&call, &named("totals", sql)).unwrap();
        }
        "catalog_import_source" => {
            let arguments = ImportArguments {
                outside_path: home.join("new.csv").display().to_string(),
                alias: "orders".into(),
                ..ImportArguments::default()
            };
            catalog.import_source(&call, &arguments).unwrap();
        }
        "catalog_recalc" => {
            let arguments = RecalcArguments {
                roots: None,
                dry_run: Some(false),
            };
            let report = catalog.recalc(&call, &arguments).unwrap();
            assert_eq!(report.status, "ok");
        }
        other => panic!("{other}"),
    }
}

/// Runs one of the ignored tests in a process of its own.
fn child(test: &str, home: &Path, variables: &[(&str, String)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("CATALOG_TEST_HOME", home)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .spawn()
        .unwrap()
}

fn variable(name: &str) -> String {
    std::env::var(name).expect("run by another test")
}

#[test]
#[ignore = "run by the tests below"]
fn child_is_killed() {
    let home = variable("CATALOG_TEST_HOME");
    let hook = KillAt {
        step: variable("CATALOG_TEST_STEP").parse().unwrap(),
        seen: AtomicUsize::new(0),
    };
    let catalog = catalog_at(Path::new(&home), Arc::new(hook));
    operate(&catalog, Path::new(&home), &variable("CATALOG_TEST_OPERATION"));
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn prepared() -> World {
    let world = World::with_orders();
    world
        .create(
            "totals",
            "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer",
        )
        .unwrap();
    world.create("best", "SELECT max(total) AS best FROM totals").unwrap();
    world.settle();
    world.file("new.csv", &format!("{ORDERS}4,cleo,100\n"));
    world
}

/// Kills the operation before every step in turn.
fn run(operation: &str, prepared: &World, expected: &[(&str, &str)]) {
    for step in 0.. {
        let folder = tempfile::tempdir().unwrap();
        copy_folder(prepared.folder.path(), folder.path());
        let variables = [
            ("CATALOG_TEST_STEP", step.to_string()),
            ("CATALOG_TEST_OPERATION", operation.to_string()),
        ];
        let killed = !child("killed::child_is_killed", folder.path(), &variables)
            .wait()
            .unwrap()
            .success();
        let catalog = catalog_at(folder.path(), Arc::new(NoSync));
        let list = catalog.list(&ListArguments::default()).unwrap();
        assert_eq!(list.damaged, [] as [&str; 0], "{operation} killed at step {step}");
        for item in &list.items {
            peek(&catalog, &item.hash).unwrap();
        }
        for reference in ["orders-v1", "totals-v1", "best-v1"] {
            peek(&catalog, reference).unwrap();
        }
        // Either all heads have moved, or none.
        let moved = |name: &str| peek(&catalog, &format!("{name}-v2")).is_ok();
        if operation == "catalog_import_source" {
            assert_eq!(moved("orders"), moved("best"), "killed at step {step}");
        }
        if operation != "catalog_create" {
            assert_eq!(moved("totals"), moved("best"), "{operation} killed at step {step}");
        }
        operate(&catalog, folder.path(), operation);
        for (reference, rows) in expected {
            let found = peek(&catalog, reference).unwrap();
            let found = serde_json::to_string(&crate::fixture::values(&found)).unwrap();
            assert_eq!(found, *rows, "{operation} killed at step {step}: {reference}");
        }
        if !killed {
            assert!(step >= 8, "{operation}: only {step} steps");
            return;
        }
    }
}

#[test]
fn create_killed_anywhere() {
    run("catalog_create", &prepared(), &[("made", "[[\"3\"]]")]);
}

#[test]
fn revise_killed_anywhere() {
    run("catalog_revise", &prepared(), &[("best", "[[\"80\"]]")]);
}

#[test]
fn import_killed_anywhere() {
    run("catalog_import_source", &prepared(), &[("best", "[[\"100\"]]")]);
}

#[test]
fn recalc_killed_anywhere() {
    let world = prepared();
    world.switch_followers_off();
    world.import("orders", &format!("{ORDERS}4,cleo,100\n")).unwrap();
    run("catalog_recalc", &world, &[("best", "[[\"100\"]]")]);
}

#[test]
#[ignore = "run by two_processes_revise_one_alias"]
fn child_revises() {
    let home = variable("CATALOG_TEST_HOME");
    let first: u64 = variable("CATALOG_TEST_FIRST").parse().unwrap();
    let catalog = catalog_at(Path::new(&home), Arc::new(NoSync));
    let scope = scope("catalog_revise");
    for number in first..first + 100 {
        let sql = format!("SELECT 'x' AS customer, {number} AS total");
        catalog
            .revise(&Call::new(&scope, &Unobserved), &named("totals", &sql))
            .unwrap();
    }
}

#[test]
fn two_processes_revise_one_alias() {
    let world = World::with_orders();
    world.create("totals", "SELECT 'x' AS customer, 1 AS total").unwrap();
    let children = ["1000", "2000"].map(|first| {
        child(
            "killed::child_revises",
            world.folder.path(),
            &[("CATALOG_TEST_FIRST", first.to_string())],
        )
    });
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let project = world.project();
    let book = project.aliases().unwrap();
    let alias = book.iter().find(|alias| alias.name.as_str() == "totals").unwrap();
    assert_eq!(alias.version(), 201);
    for hash in &alias.history {
        project.entry(hash).unwrap();
    }
    peek(&world.catalog, "totals-v201").unwrap();
}
