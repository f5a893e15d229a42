//! The commands, as a person or a script runs them.

use serde_json::{Value, json};

use crate::client::{ORDERS, World};

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_project_from_nothing_to_a_table() {
    let world = World::new();
    assert!(world.prints(&["init", "sales"]).contains("`sales`"));
    let path = world.file("Orders.csv", ORDERS);
    assert!(
        world
            .prints(&["import", &path])
            .starts_with("Imported orders-v1: 3 rows")
    );
    assert!(
        world
            .prints(&["import", &path])
            .starts_with("This is orders-v1 already")
    );
    let sql = "SELECT region, SUM(amount) AS total FROM orders GROUP BY region ORDER BY region";
    let built = world.prints(&["run", sql, "--name", "totals"]);
    assert!(built.starts_with("Built totals-v1: 2 rows"), "{built}");
    assert!(
        built.ends_with("region  total\nnorth      40\nsouth      20\n"),
        "{built}"
    );
    assert_eq!(
        world.prints(&["peek", "totals", "--columns", "total", "--offset", "1"]),
        "total\n   20\n(rows 2 to 2 of 2)\n"
    );
    let revised = world.prints(&["run", &sql.replace("SUM", "MIN"), "--name", "totals"]);
    assert!(revised.starts_with("Built totals-v2"), "{revised}");
    let list = world.prints(&["list"]);
    assert!(list.contains("totals-v2 *") && list.contains("totals-v1 "), "{list}");
    assert_eq!(world.prints(&["errors"]), "Nothing went wrong\n");
}

#[test]
fn results_are_json_when_asked_for_and_failures_too() {
    let world = World::new();
    world.prints(&["init", "sales"]);
    let path = world.file("orders.csv", ORDERS);
    let imported = json_of(&world.prints(&["import", &path, "--format", "json"]));
    assert_eq!(
        (&imported["alias"], &imported["created"]),
        (&json!("orders"), &json!(true))
    );
    let rows = world.prints(&[
        "--format",
        "json",
        "run",
        "--query",
        "SELECT id FROM orders ORDER BY id DESC LIMIT 1",
    ]);
    assert_eq!(json_of(&rows)["rows"][0]["id"].to_string().trim_matches('"'), "3");
    let failed = world.run(&["--format", "json", "peek", "ordres"]);
    assert_eq!(failed.status.code(), Some(2));
    let envelope = json_of(&String::from_utf8(failed.stdout).unwrap());
    assert_eq!(
        (&envelope["reason"], &envelope["candidates"]),
        (&json!("NoSuchAlias"), &json!(["orders"]))
    );
}

#[test]
fn exit_codes_tell_a_failed_call_from_a_stale_catalog() {
    let world = World::new();
    assert_eq!(world.run(&["list"]).status.code(), Some(2), "there is no project");
    assert_eq!(world.run(&["no_such_command"]).status.code(), Some(2));
    world.prints(&["init", "sales"]);
    assert_eq!(
        world.run(&["init", "sales"]).status.code(),
        Some(2),
        "the name is taken"
    );
    assert_eq!(world.run(&["recalc", "--dry-run"]).status.code(), Some(0));
    let path = world.file("orders.csv", ORDERS);
    world.prints(&["import", &path]);
    world.prints(&["run", "SELECT id, amount FROM orders", "--name", "plain"]);
    world.prints(&["run", "SELECT SUM(amount) AS s FROM plain", "--name", "sums"]);
    // `sums` cannot follow: the column it reads is gone.
    let revised = world.run(&["run", "SELECT id FROM orders", "--name", "plain"]);
    assert_eq!(revised.status.code(), Some(1));
    assert_eq!(world.run(&["recalc", "--dry-run"]).status.code(), Some(1));
    assert!(world.prints(&["errors"]).contains("cli_run"));
}

#[test]
fn the_demonstration_ends_as_it_says() {
    let world = World::new();
    let said = world.prints(&["demo"]);
    assert!(said.contains("candor-catalog peek by_region"), "{said}");
    let list = json_of(&world.prints(&["list", "--format", "json"]));
    let heads: Vec<_> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["is_head"] == json!(true))
        .map(|item| format!("{}-v{}", item["alias"].as_str().unwrap(), item["version"]))
        .collect();
    for expected in ["orders-v2", "by_region-v3", "best_regions-v3"] {
        assert!(heads.iter().any(|head| head == expected), "{expected} in {heads:?}");
    }
    let peek = world.prints(&["peek", "orders", "--limit", "1"]);
    assert!(peek.contains("0001"), "leading zeros are kept: {peek}");
    assert_eq!(world.run(&["recalc", "--dry-run"]).status.code(), Some(0));
    assert_eq!(world.run(&["demo"]).status.code(), Some(2), "it is there already");
}

#[test]
fn a_project_may_be_named_for_one_command() {
    let world = World::new();
    world.prints(&["init", "one"]);
    world.prints(&["init", "two"]);
    let path = world.file("orders.csv", ORDERS);
    world.prints(&["--project", "one", "import", &path]);
    assert!(world.prints(&["list"]).contains("empty"));
    assert!(world.prints(&["list", "--project", "one"]).contains("orders-v1"));
    assert_eq!(world.run(&["list", "--project", "three"]).status.code(), Some(2));
}
