//! Building results from recipes, and looking at them.

use candor_catalog_facade::{Call, ListArguments, PeekArguments, Unobserved};
use serde_json::json;

use crate::fixture::{World, expect_rows, kind, scope, values};

const TOTALS: &str = "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer ORDER BY customer";

#[test]
fn a_recipe_becomes_an_entry_that_can_be_looked_at() {
    let world = World::with_orders();
    let built = world.create("totals", TOTALS).unwrap();
    assert_eq!(
        (built.alias.as_deref(), built.version, built.row_count),
        (Some("totals"), Some(1), 2)
    );
    assert!(built.created && built.stored);
    assert_eq!(built.parents.len(), 1);
    assert_eq!(
        (built.parents[0].reference.as_str(), built.parents[0].follow),
        ("orders", true)
    );
    assert_eq!(built.warnings, [] as [&str; 0]);
    let rows = world.peek("totals").unwrap();
    expect_rows(&rows, json!([["ann", "40"], ["bob", "20"]]));
    assert_eq!(rows.hash.as_deref(), Some(built.hash.as_str()));
    assert!(!rows.truncated);
    let columns: Vec<_> = rows.schema.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(columns, ["customer", "total"]);
    expect_rows(&world.peek("totals-v1").unwrap(), json!([["ann", "40"], ["bob", "20"]]));
    expect_rows(&world.peek(&built.hash).unwrap(), json!([["ann", "40"], ["bob", "20"]]));
}

#[test]
fn the_same_recipe_is_computed_once_however_it_is_written() {
    let world = World::with_orders();
    let first = world
        .run("SELECT customer, count(*) AS n FROM orders GROUP BY customer")
        .unwrap();
    let second = world
        .run("select customer,\n  COUNT(*) as n -- how many\nfrom orders group by customer")
        .unwrap();
    assert_eq!(first.hash, second.hash);
    assert!(first.created && !second.created);
    assert_eq!(world.list().total, 2, "the source and one entry");
}

#[test]
fn a_cheap_entry_has_no_file_and_reads_in_the_order_of_its_parent() {
    let world = World::with_orders();
    let built = world
        .create("large", "SELECT id, amount FROM orders WHERE amount > 10")
        .unwrap();
    assert!(!built.stored);
    assert_eq!(built.row_count, 2);
    let project = world.project();
    let hash = built.hash.parse().unwrap();
    assert!(!project.has_snapshot(&hash));
    expect_rows(&world.peek("large").unwrap(), json!([["2", "20"], ["3", "30"]]));
    let over = world
        .create("twice", "SELECT id, amount * 2 AS twice FROM large")
        .unwrap();
    assert!(!over.stored);
    expect_rows(&world.peek("twice").unwrap(), json!([["2", "40"], ["3", "60"]]));
}

#[test]
fn a_page_of_some_columns() {
    let world = World::with_orders();
    let scope = scope("catalog_peek");
    let peek = |offset, limit, columns: &[&str]| {
        let arguments = PeekArguments {
            reference: "orders".into(),
            limit: Some(limit),
            offset: Some(offset),
            columns: Some(columns.iter().map(ToString::to_string).collect()),
        };
        world.catalog.peek(&Call::new(&scope, &Unobserved), &arguments)
    };
    let page = peek(1, 1, &["amount", "id"]).unwrap();
    assert_eq!(values(&page), json!([["20", "2"]]));
    assert_eq!((page.row_count, page.truncated), (3, true));
    assert_eq!(values(&peek(5, 1, &["id"]).unwrap()), json!([]));
    let error = peek(0, 1, &["amout"]).unwrap_err();
    assert_eq!(kind::<()>(Err(error.clone())), "NotFound/NoSuchColumn");
    assert_eq!(error.to_envelope().fields()["candidates"], json!(["amount"]));
    assert!(error.message().contains("id, customer, amount"));
}

#[test]
fn a_query_stores_nothing_and_shows_what_the_entry_would_hold() {
    let world = World::with_orders();
    let before = world.list();
    let steps = world.project().revisions().unwrap().len();
    let rows = world.query(TOTALS).unwrap();
    assert_eq!(kind(world.query("SELECT nothing FROM orders")), "NotFound/NoSuchColumn");
    assert_eq!(kind(world.query("SELECT 1 FROM nowhere")), "NotFound/NoSuchAlias");
    assert_eq!(world.list(), before);
    assert_eq!(world.records(), []);
    assert_eq!(world.project().revisions().unwrap().len(), steps);
    world.create("totals", TOTALS).unwrap();
    assert_eq!(world.peek("totals").unwrap().rows, rows.rows);
}

#[test]
fn failures_say_what_is_wrong_and_have_a_record() {
    let world = World::with_orders();
    let reasons = [
        ("SELECT 1; SELECT 2", "Invalid/NotOneQuery"),
        ("DROP TABLE orders", "Invalid/NotOneQuery"),
        ("COPY orders TO '/tmp/x'", "Invalid/NotOneQuery"),
        ("SET datafusion.execution.batch_size = 1", "Invalid/NotOneQuery"),
        ("SELECT * FROM '/etc/passwd'", "Invalid/NotAReference"),
        ("SELECT * FROM ordres", "NotFound/NoSuchAlias"),
        ("SELECT * FROM \"orders-v7\"", "NotFound/NoSuchVersion"),
        ("SELECT amuont FROM orders", "NotFound/NoSuchColumn"),
        ("SELECT summ(amount) FROM orders", "NotFound/NoSuchFunction"),
        ("SELECT customer FROM orders GROUP BY amount", "Invalid/BadQuery"),
        ("SELECT amount / (id - 1) AS x FROM orders", "Faulted/BuildFailed"),
    ];
    for (sql, reason) in reasons {
        let error = world.run(sql).unwrap_err();
        let id = error.to_envelope().fields()["error_id"].clone();
        assert_eq!(kind::<()>(Err(error)), reason, "{sql}");
        let record = world.records().remove(0);
        assert_eq!(json!(record.id), id, "{sql}");
        assert_eq!(record.tool.as_deref(), Some("catalog_run"));
        assert_eq!(record.code.as_deref(), reason.split_once('/').map(|(_, reason)| reason));
    }
    assert_eq!(world.list().total, 1, "nothing was built");
    let error = world.run("SELECT * FROM ordres").unwrap_err();
    assert_eq!(error.to_envelope().fields()["candidates"], json!(["orders"]));
}

#[test]
fn hostile_texts_are_refused() {
    let world = World::with_orders();
    let deep = format!("SELECT {}1{} FROM orders", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(kind(world.run(&deep)), "Invalid/TooLarge");
    let long = format!("SELECT '{}' FROM orders", "x".repeat(1 << 20));
    assert_eq!(kind(world.run(&long)), "Invalid/TooLarge");
    assert!(world.run("").is_err());
    assert!(world.run("\0").is_err());
}

#[test]
fn names_are_refused_before_anything_is_built() {
    let world = World::with_orders();
    assert_eq!(kind(world.create("orders", TOTALS)), "Invalid/NameTaken");
    assert_eq!(kind(world.create("Totals", TOTALS)), "Invalid/BadName");
    assert_eq!(kind(world.create("../totals", TOTALS)), "Invalid/BadName");
    assert_eq!(kind(world.create("totals-v2", TOTALS)), "Invalid/BadName");
    assert_eq!(kind(world.revise("totals", TOTALS)), "NotFound/NoSuchAlias");
    assert_eq!(kind(world.revise("orders", TOTALS)), "Invalid/WrongKind");
    world.create("totals", TOTALS).unwrap();
    let error = world.create("totals", TOTALS).unwrap_err();
    assert!(error.message().contains("catalog_revise(name=\"totals\""), "{error}");
    assert_eq!(world.list().total, 2);
}

#[test]
fn what_depends_on_chance_is_flagged_at_once_and_so_is_what_reads_it() {
    let world = World::with_orders();
    let built = world
        .create("stamped", "SELECT id, random() AS chance FROM orders")
        .unwrap();
    assert!(built.stored, "it is kept as it was");
    assert!(built.warnings[0].contains("random()"), "{:?}", built.warnings);
    let child = world.create("later", "SELECT max(id) AS id FROM stamped").unwrap();
    assert!(child.warnings[0].contains("random()"), "{:?}", child.warnings);
    world.settle();
    let records = world.records();
    let bad: Vec<_> = records
        .iter()
        .filter(|record| record.code.as_deref() == Some("nonreproducible"))
        .collect();
    assert_eq!(bad.len(), 1);
    assert_eq!(bad[0].hash.as_deref(), Some(built.hash.as_str()));
    assert_eq!(bad[0].tool, None, "nobody's own: every agent hears of it");
    let listed = world.list();
    let item = listed.items.iter().find(|item| item.hash == built.hash).unwrap();
    assert_eq!(item.reproducible, Some(false));
    assert!(item.pinned.is_some());
}

#[test]
fn what_the_plan_proves_needs_no_second_run() {
    let world = World::with_orders();
    let built = world.run(TOTALS).unwrap();
    assert_eq!(built.reproducible, Some(true));
    let unproven = world.run("SELECT avg(amount) AS mean FROM orders").unwrap();
    assert_eq!(unproven.reproducible, None);
    world.settle();
    let project = world.project();
    let manifest = project.manifest(&unproven.hash.parse().unwrap()).unwrap();
    assert_eq!(manifest.reproducible, Some(true));
    assert_eq!(manifest.reproducible_by.as_deref(), Some("verified"));
}

#[test]
fn the_list_is_paged_and_names_kinds_and_versions() {
    let world = World::with_orders();
    world.create("totals", TOTALS).unwrap();
    world.run("SELECT 1 AS one").unwrap();
    let first = world
        .catalog
        .list(&ListArguments {
            limit: Some(2),
            offset: None,
        })
        .unwrap();
    let shown: Vec<_> = first
        .items
        .iter()
        .map(|item| (item.alias.as_deref(), item.version, item.kind.as_str(), item.is_head))
        .collect();
    assert_eq!(
        shown,
        [
            (None, None, "computed", false),
            (Some("totals"), Some(1), "computed", true)
        ]
    );
    assert_eq!((first.total, first.truncated, first.next_offset), (3, true, Some(2)));
    let rest = world
        .catalog
        .list(&ListArguments {
            limit: Some(2),
            offset: Some(2),
        })
        .unwrap();
    assert_eq!(rest.items[0].kind, "source");
    assert_eq!(rest.items[0].columns, "id:int64, customer:string, amount:int64");
    assert!(!rest.truncated);
}

#[test]
fn every_operation_is_one_checkpoint() {
    let world = World::with_orders();
    let step = |built: candor_catalog_facade::BuildResult| built.checkpoint_step.unwrap();
    assert_eq!(step(world.create("totals", TOTALS).unwrap()), 2);
    assert_eq!(
        step(world.revise("totals", "SELECT count(*) AS n FROM orders").unwrap()),
        3
    );
    assert_eq!(step(world.run("SELECT 1 AS one").unwrap()), 4);
    let messages: Vec<_> = world
        .project()
        .revisions()
        .unwrap()
        .into_iter()
        .map(|revision| revision.message)
        .collect();
    assert_eq!(
        messages,
        [
            "candor: catalog_run",
            "candor: catalog_revise",
            "candor: catalog_create",
            "candor: catalog_import_source",
            "genesis"
        ]
    );
}
