//! Aliases and projects.

use candor_catalog_facade::{Call, ProjectArguments, Unobserved};
use serde_json::json;

use crate::fixture::{World, expect_rows, kind, scope};

#[test]
fn a_rename_moves_no_hash_and_recipes_still_find_what_they_follow() {
    let world = World::with_orders();
    let built = world
        .create("totals", "SELECT sum(amount) AS total FROM orders")
        .unwrap();
    world.rename("orders", "purchases").unwrap();
    assert!(world.stale().entries.is_empty(), "nothing is stale");
    let error = world.run("SELECT * FROM orders").unwrap_err();
    assert!(error.message().contains("`purchases`"), "{error}");
    assert_eq!(error.to_envelope().fields()["candidates"], json!(["purchases"]));
    assert_eq!(kind::<()>(Err(error)), "NotFound/NoSuchAlias");

    // Another alias takes the old name; the recorded recipe means the old one all the same.
    world.create("orders", "SELECT 1 AS amount").unwrap();
    let imported = world.import("purchases", "id,customer,amount\n1,ann,5\n").unwrap();
    assert_eq!(imported.version, 2);
    assert_eq!(imported.recalc.unwrap().status, "ok");
    expect_rows(&world.peek("totals").unwrap(), json!([["5"]]));
    assert_ne!(world.peek("totals").unwrap().hash.unwrap(), built.hash);
    expect_rows(&world.peek("totals-v1").unwrap(), json!([["60"]]));
}

#[test]
fn a_scratch_entry_gets_a_name_and_loses_it() {
    let world = World::with_orders();
    let built = world.run("SELECT count(*) AS n FROM orders").unwrap();
    assert_eq!(
        kind(world.run(&format!("SELECT * FROM \"{}\"", built.hash))),
        "Invalid/NotAReference"
    );
    world.alias(&built.hash, "counted").unwrap();
    expect_rows(&world.peek("counted").unwrap(), json!([["3"]]));
    assert_eq!(kind(world.alias(&built.hash, "orders")), "Invalid/NameTaken");
    assert_eq!(kind(world.alias("00000000000f", "other")), "NotFound/NoSuchEntry");
    assert_eq!(kind(world.alias("counted", "other")), "Invalid/BadName");
    let source = world.peek("orders").unwrap().hash.unwrap();
    assert_eq!(kind(world.alias(&source, "other")), "Invalid/WrongKind");
    world.unalias("counted").unwrap();
    assert_eq!(kind(world.peek("counted")), "NotFound/NoSuchAlias");
    assert_eq!(kind(world.unalias("counted")), "NotFound/NoSuchAlias");
    expect_rows(&world.peek(&built.hash).unwrap(), json!([["3"]]));
}

#[test]
fn what_follows_a_name_that_was_taken_away_says_so() {
    let world = World::with_orders();
    world
        .create("totals", "SELECT sum(amount) AS total FROM orders")
        .unwrap();
    world.unalias("orders").unwrap();
    let stale = world.stale();
    assert!(stale.stale.is_empty());
    assert_eq!(stale.entries.values().next().unwrap().unknown, ["orders"]);
    let report = world.recalc(Some(&["totals"]), false).unwrap();
    assert_eq!(report.status, "failed");
    expect_rows(&world.peek("totals").unwrap(), json!([["60"]]));
}

#[test]
fn references_that_mean_nothing_name_what_is_near() {
    let world = World::with_orders();
    for (reference, reason) in [
        ("ordres", "NotFound/NoSuchAlias"),
        ("Orders", "NotFound/NoSuchAlias"),
        ("orders-v9", "NotFound/NoSuchVersion"),
        ("00000000000f", "NotFound/NoSuchEntry"),
        ("../orders", "NotFound/NoSuchAlias"),
        ("größe", "NotFound/NoSuchAlias"),
        ("", "NotFound/NoSuchAlias"),
    ] {
        assert_eq!(kind(world.peek(reference)), reason, "{reference}");
    }
    let error = world.peek("Orders").unwrap_err();
    assert_eq!(error.to_envelope().fields()["candidates"], json!(["orders"]));
    assert_eq!(error.to_envelope().fields()["ref"], "Orders");
}

#[test]
fn a_process_stays_with_its_project() {
    let world = World::with_orders();
    let other = world.again();
    assert_eq!(other.project().unwrap().name().as_str(), "shop");
    let scope = scope("project_new");
    let call = Call::new(&scope, &Unobserved);
    let name = |name: &str| ProjectArguments { name: name.into() };
    let made = world.catalog.project_new(&call, &name("second")).unwrap();
    assert_eq!(
        (made.previous.as_deref(), made.active.as_str()),
        (Some("shop"), "second")
    );
    assert_eq!(world.list().total, 0);
    assert_eq!(
        other.project().unwrap().name().as_str(),
        "shop",
        "another process is not moved"
    );
    assert_eq!(
        world.again().project().unwrap().name().as_str(),
        "second",
        "a new one is"
    );
    assert_eq!(
        kind(world.catalog.project_new(&call, &name("shop"))),
        "Invalid/NameTaken"
    );
    assert_eq!(
        kind(world.catalog.project_switch(&call, &name("sho"))),
        "NotFound/NoSuchProject"
    );
    assert_eq!(
        kind(world.catalog.project_switch(&call, &name("../x"))),
        "Invalid/BadName"
    );
    world.catalog.project_switch(&call, &name("shop")).unwrap();
    assert_eq!(world.list().total, 1);
    let projects = world.catalog.project_list().unwrap();
    assert_eq!(projects.available, ["second", "shop"]);
    assert_eq!(projects.active.as_deref(), Some("shop"));
}
