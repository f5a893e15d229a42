//! Records that are damaged, disks that are full, processes in each other's way.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use candor_catalog_facade::{Call, Catalog, CatalogOptions, Unobserved};
use candor_catalog_store::{Interference, Operation, StepHook};
use serde_json::json;

use crate::fixture::{World, catalog_at, expect_rows, kind, named, scope};

const TOTALS: &str = "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer ORDER BY customer";

#[test]
fn a_manifest_cut_in_half_is_told_and_mended_by_building_again() {
    let world = World::with_orders();
    let built = world.create("totals", TOTALS).unwrap();
    let path = Path::new(&built.entry_path).join("manifest.json");
    let text = fs::read(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let error = world.peek("totals").unwrap_err();
    assert!(error.message().contains("manifest.json"), "{error}");
    assert_eq!(kind::<()>(Err(error)), "Faulted/DataDamaged");
    assert_eq!(world.list().damaged, [built.hash.clone()]);
    assert!(world.stale().stale.is_empty(), "the others go on");
    let again = world.run(TOTALS).unwrap();
    assert_eq!((again.hash, again.created), (built.hash, true));
    expect_rows(&world.peek("totals").unwrap(), json!([["ann", "40"], ["bob", "20"]]));
}

/// Fails the step of a number, as a full disk does.
#[derive(Debug)]
struct FailAt {
    step: usize,
    seen: AtomicUsize,
}

impl StepHook for FailAt {
    fn before(&self, _operation: Operation, _path: &Path) -> Interference {
        if self.seen.fetch_add(1, Ordering::Relaxed) == self.step {
            Interference::Fail(io::ErrorKind::StorageFull.into())
        } else {
            Interference::SkipSync
        }
    }
}

#[test]
fn a_full_disk_costs_the_operation_and_nothing_else() {
    let world = World::with_orders();
    world.create("totals", TOTALS).unwrap();
    world.create("best", "SELECT max(total) AS best FROM totals").unwrap();
    for step in 0.. {
        let hook = Arc::new(FailAt {
            step,
            seen: AtomicUsize::new(0),
        });
        let catalog = catalog_at(world.folder.path(), hook.clone());
        let scope = scope("catalog_revise");
        let sql = format!("SELECT 'x' AS customer, {} AS total", 1_000 + step);
        let result = catalog.revise(&Call::new(&scope, &Unobserved), &named("totals", &sql));
        catalog.wait_for_background(Duration::from_secs(60));
        let fresh = world.again();
        let list = fresh.list(&candor_catalog_facade::ListArguments::default()).unwrap();
        assert_eq!(list.damaged, [] as [&str; 0], "step {step}");
        for reference in ["orders", "totals", "best", "totals-v1", "best-v1"] {
            crate::fixture::peek(&fresh, reference).unwrap();
        }
        if hook.seen.load(Ordering::Relaxed) <= step {
            assert_eq!(result.unwrap().recalc.unwrap().status, "ok");
            break;
        }
        if let Err(error) = result {
            let reason = error.reason().unwrap_or_default();
            assert!(["WriteFailed", "DataDamaged"].contains(&reason), "step {step}: {error}");
        }
    }
}

#[test]
fn a_busy_project_says_who_holds_it() {
    let world = World::with_orders();
    let impatient = Catalog::new(CatalogOptions {
        lock_wait: Duration::from_millis(10),
        ..CatalogOptions::at(world.folder.path())
    });
    let project = world.project();
    let _held = project.lock("catalog_recalc", Duration::from_secs(10)).unwrap();
    let scope = scope("catalog_create");
    let error = impatient
        .create(&Call::new(&scope, &Unobserved), &named("totals", TOTALS))
        .unwrap_err();
    assert!(error.message().contains("`catalog_recalc`"), "{error}");
    assert!(error.message().contains("try again in"), "{error}");
    assert_eq!(kind::<()>(Err(error)), "Unavailable/ProjectBusy");
    crate::fixture::peek(&impatient, "orders").unwrap();
}

#[test]
fn a_cancelled_call_leaves_nothing() {
    let world = World::with_orders();
    let scope = scope("catalog_create");
    let cancelled = || true;
    let result = world
        .catalog
        .create(&Call::new(&scope, &cancelled), &named("totals", TOTALS));
    assert_eq!(kind(result), "Unavailable/Cancelled");
    assert_eq!(world.list().total, 1);
    world.create("totals", TOTALS).unwrap();
}

#[test]
fn threads_of_one_catalog_lose_nothing() {
    let world = World::with_orders();
    world.create("totals", TOTALS).unwrap();
    std::thread::scope(|threads| {
        for first in [100, 200] {
            let catalog = world.catalog.clone();
            threads.spawn(move || {
                let scope = scope("catalog_revise");
                for number in first..first + 10 {
                    let sql = format!("SELECT 'x' AS customer, {number} AS total");
                    catalog
                        .revise(&Call::new(&scope, &Unobserved), &named("totals", &sql))
                        .unwrap();
                }
            });
        }
    });
    let rows = world.peek("totals-v21").unwrap();
    assert_eq!(rows.row_count, 1);
    assert_eq!(kind(world.peek("totals-v22")), "NotFound/NoSuchVersion");
}
