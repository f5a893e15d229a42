//! Stored rows that are gone or damaged.

use std::fs;

use serde_json::json;

use crate::fixture::{ORDERS, World, expect_rows, kind, peek};

fn snapshot(world: &World, hash: &str) -> std::path::PathBuf {
    world.project().layout().snapshot(&hash.parse().unwrap())
}

#[test]
fn missing_rows_are_made_again_from_the_ground_up() {
    let world = World::with_orders();
    world
        .create(
            "totals",
            "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer",
        )
        .unwrap();
    world.create("best", "SELECT max(total) AS best FROM totals").unwrap();
    world.settle();
    let cache = world.project().layout().catalog().join("compute_cache");
    fs::remove_dir_all(cache).unwrap();
    expect_rows(&peek(&world.again(), "best").unwrap(), json!([["40"]]));
    expect_rows(
        &world.peek("orders").unwrap(),
        json!([["1", "ann", "10"], ["2", "bob", "20"], ["3", "ann", "30"]]),
    );
    assert_eq!(world.records(), [], "they came out as recorded");
    assert_eq!(world.list().total, 3);
}

#[test]
fn damaged_rows_are_never_served() {
    let world = World::with_orders();
    let built = world
        .create(
            "totals",
            "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer",
        )
        .unwrap();
    let path = snapshot(&world, &built.hash);
    let bytes = fs::read(&path).unwrap();
    for damage in [bytes[..bytes.len() / 2].to_vec(), Vec::new(), {
        let mut flipped = bytes.clone();
        flipped[20] ^= 1;
        flipped
    }] {
        fs::write(&path, damage).unwrap();
        expect_rows(
            &peek(&world.again(), "totals").unwrap(),
            json!([["ann", "40"], ["bob", "20"]]),
        );
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    assert_eq!(world.records(), []);
}

#[test]
fn rows_that_come_out_differently_are_served_recorded_and_pinned() {
    let world = World::with_orders();
    let built = world
        .create("stamped", "SELECT id, uuid() AS token FROM orders")
        .unwrap();
    world.settle();
    let before = world.records().len();
    let first = world.peek("stamped").unwrap();
    fs::remove_file(snapshot(&world, &built.hash)).unwrap();
    let second = world.peek("stamped").unwrap();
    assert_ne!(first.rows, second.rows);
    let records = world.records();
    assert_eq!(records.len(), before + 1);
    let record = &records[0];
    assert_eq!(record.code.as_deref(), Some("unfaithful_heal"));
    assert_eq!(record.tool, None, "a heal is not the reading call's own failure");
    assert_eq!(record.hash.as_deref(), Some(built.hash.as_str()));
    assert!(record.message.contains("uuid"), "{}", record.message);
    assert_eq!(
        world.peek("stamped").unwrap().rows,
        second.rows,
        "what was served is served again"
    );
    assert_eq!(world.records().len(), before + 1, "and told once");
    let listed = world.list();
    let item = listed.items.iter().find(|item| item.hash == built.hash).unwrap();
    assert!(item.pinned.as_deref().unwrap().contains("came out differently"));
}

#[test]
fn a_source_whose_rows_and_copy_are_gone_names_the_call_that_helps() {
    let world = World::with_orders();
    let imported = world.import("orders", ORDERS).unwrap();
    fs::write(&imported.path, "something else").unwrap();
    expect_rows(
        &world.peek("orders").unwrap(),
        json!([["1", "ann", "10"], ["2", "bob", "20"], ["3", "ann", "30"]]),
    );
    fs::remove_file(snapshot(&world, &imported.hash)).unwrap();
    let error = peek(&world.again(), "orders").unwrap_err();
    assert!(
        error.message().contains("holds other bytes than were imported"),
        "{error}"
    );
    assert!(
        error.message().contains("alias=\"orders\", pinned_version=1"),
        "{error}"
    );
    assert_eq!(kind::<()>(Err(error)), "Faulted/DataDamaged");
    // Doing so helps.
    let again = world.import("orders", ORDERS).unwrap();
    assert_eq!((again.version, again.created), (1, false));
    expect_rows(
        &world.peek("orders").unwrap(),
        json!([["1", "ann", "10"], ["2", "bob", "20"], ["3", "ann", "30"]]),
    );
}
