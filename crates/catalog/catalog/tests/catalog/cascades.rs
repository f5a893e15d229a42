//! Versions, what follows them, and bringing that up to date.

use serde_json::json;

use crate::fixture::{ORDERS, World, expect_rows, kind};

const TOTALS: &str = "SELECT customer, sum(amount) AS total FROM orders GROUP BY customer ORDER BY customer";
const BEST: &str = "SELECT max(total) AS best FROM totals";

fn world() -> World {
    let world = World::with_orders();
    world.create("totals", TOTALS).unwrap();
    world.create("best", BEST).unwrap();
    world
}

#[test]
fn a_revision_takes_its_followers_along_in_one_step() {
    let world = world();
    world
        .create("pinned", "SELECT max(total) AS best FROM \"totals-v1\"")
        .unwrap();
    let steps = world.project().revisions().unwrap().len();
    let revised = world
        .revise(
            "totals",
            "SELECT customer, sum(amount) * 10 AS total FROM orders GROUP BY customer ORDER BY customer",
        )
        .unwrap();
    assert_eq!(revised.version, Some(2));
    let recalc = revised.recalc.unwrap();
    assert_eq!(
        (recalc.status.as_str(), recalc.remap.len(), recalc.dry_run),
        ("ok", 1, false)
    );
    assert_eq!(recalc.entries[0].alias.as_deref(), Some("best"));
    assert_eq!(recalc.entries[0].action, "rebuilt");
    assert_eq!(recalc.checkpoint_step, revised.checkpoint_step);
    assert_eq!(world.project().revisions().unwrap().len(), steps + 1);
    expect_rows(&world.peek("best").unwrap(), json!([["400"]]));
    expect_rows(&world.peek("best-v1").unwrap(), json!([["40"]]));
    expect_rows(&world.peek("pinned").unwrap(), json!([["40"]]));
    assert_eq!(kind(world.peek("pinned-v2")), "NotFound/NoSuchVersion");
    let stale = world.stale();
    assert!(stale.stale.is_empty() && stale.entries.is_empty() && stale.orphan_stale.is_empty());
}

#[test]
fn a_new_file_takes_the_whole_cone_along() {
    let world = world();
    let imported = world.import("orders", &format!("{ORDERS}4,cleo,100\n")).unwrap();
    assert_eq!((imported.version, imported.created), (2, true));
    let recalc = imported.recalc.unwrap();
    let aliases: Vec<_> = recalc
        .entries
        .iter()
        .map(|entry| entry.alias.as_deref().unwrap())
        .collect();
    assert_eq!(aliases, ["totals", "best"], "each after what it follows");
    assert_eq!((recalc.entries[0].stale, recalc.entries[1].stale), (true, false));
    expect_rows(&world.peek("best").unwrap(), json!([["100"]]));
    expect_rows(
        &world.peek("totals").unwrap(),
        json!([["ann", "40"], ["bob", "20"], ["cleo", "100"]]),
    );
}

#[test]
fn the_same_recipe_makes_no_new_version() {
    let world = world();
    let again = world.revise("totals", &TOTALS.to_lowercase()).unwrap();
    assert_eq!((again.version, again.created), (Some(1), false));
    assert!(again.recalc.is_none());
}

#[test]
fn a_failing_follower_belongs_to_the_call_that_caused_it_and_stops_the_rest() {
    let world = world();
    world.create("ratio", "SELECT best / 40 AS ratio FROM best").unwrap();
    world
        .create("inverse", "SELECT 40 / (best - 20) AS inverse FROM best")
        .unwrap();
    let revised = world
        .revise(
            "totals",
            "SELECT customer, sum(amount) / 2 AS total FROM orders GROUP BY customer",
        )
        .unwrap();
    assert_eq!(revised.version, Some(2), "the version itself is made");
    let recalc = revised.recalc.unwrap();
    assert_eq!(recalc.status, "failed");
    let failed = recalc.entries.iter().find(|entry| entry.action == "failed").unwrap();
    assert_eq!(failed.alias.as_deref(), Some("inverse"));
    let records = world.records();
    let record = records
        .iter()
        .find(|record| Some(&record.id) == failed.error_id.as_ref())
        .unwrap();
    assert_eq!(record.tool.as_deref(), Some("catalog_revise"));
    assert_eq!(record.hash.as_deref(), Some(failed.content_hash.as_str()));
    let stale = world.stale();
    let orphan = stale
        .orphan_stale
        .iter()
        .find(|orphan| orphan.alias == "inverse")
        .unwrap();
    assert!(orphan.explanation.contains(&record.id), "{}", orphan.explanation);
    // The agent corrects the recipe, and everything is up to date again.
    world
        .revise(
            "inverse",
            "SELECT CASE WHEN best = 20 THEN 0 ELSE 40 / (best - 20) END AS inverse FROM best",
        )
        .unwrap();
    world.recalc(None, false).unwrap();
    assert!(world.stale().stale.is_empty());
}

#[test]
fn without_automatic_recomputing_followers_wait_for_recalc() {
    let world = world();
    world.switch_followers_off();
    let imported = world.import("orders", &format!("{ORDERS}4,cleo,100\n")).unwrap();
    assert!(imported.recalc.is_none());
    expect_rows(&world.peek("best").unwrap(), json!([["40"]]));
    let stale = world.stale();
    assert_eq!((stale.stale.len(), stale.transitively_stale.len()), (1, 1));
    let reason = &stale.entries[&stale.stale[0]].reasons[0];
    assert_eq!((reason.axis.as_str(), reason.reference.as_str()), ("alias", "orders"));
    assert_eq!(reason.now, imported.hash);
    let total = world.list().total;

    let dry = world.recalc(None, true).unwrap();
    let actions: Vec<_> = dry.entries.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!((actions, dry.dry_run), (vec!["rebuild", "cascade"], true));
    assert_eq!(world.list().total, total, "a dry run builds nothing");

    let done = world.recalc(None, false).unwrap();
    assert_eq!((done.status.as_str(), done.remap.len()), ("ok", 2));
    assert!(done.checkpoint_step.is_some());
    expect_rows(&world.peek("best").unwrap(), json!([["100"]]));
    let nothing = world.recalc(None, false).unwrap();
    assert_eq!(nothing.warnings, ["Nothing is stale."]);
    assert_eq!(nothing.checkpoint_step, None);
}

#[test]
fn an_old_child_keeps_its_rows_whatever_becomes_of_its_parent() {
    let world = world();
    let before = world.peek("best-v1").unwrap();
    world.revise("totals", "SELECT 'x' AS customer, 7 AS total").unwrap();
    assert_eq!(world.peek("best-v1").unwrap().rows, before.rows);
    assert_eq!(world.peek(before.hash.as_deref().unwrap()).unwrap().rows, before.rows);
}

#[test]
fn nothing_may_follow_itself() {
    let world = world();
    let error = world.revise("totals", "SELECT * FROM totals").unwrap_err();
    assert_eq!(kind::<()>(Err(error)), "Invalid/SelfReference");
    let error = world
        .revise("totals", "SELECT 'x' AS customer, best AS total FROM best")
        .unwrap_err();
    assert!(
        error.message().contains("it reads `best`, which reads `totals`"),
        "{error}"
    );
    assert_eq!(kind::<()>(Err(error)), "Invalid/SelfReference");
    assert_eq!(world.list().total, 3, "nothing was built");
    let pinned = world
        .revise("totals", "SELECT * FROM \"totals-v1\" WHERE total > 20")
        .unwrap();
    assert_eq!(pinned.version, Some(2));
}

#[test]
fn following_and_pinning_are_different_entries() {
    let world = world();
    let follows = world.run("SELECT count(*) AS n FROM totals").unwrap();
    let pins = world.run("SELECT count(*) AS n FROM \"totals-v1\"").unwrap();
    assert_ne!(follows.hash, pins.hash);
    assert_eq!((follows.parents[0].follow, pins.parents[0].follow), (true, false));
}

#[test]
fn parents_in_subqueries_are_followed_too() {
    let world = world();
    world
        .create(
            "above",
            "SELECT id FROM orders WHERE amount >= (SELECT max(total) FROM totals) OR id IN (SELECT 1)",
        )
        .unwrap();
    let revised = world.revise("totals", "SELECT 'x' AS customer, 20 AS total").unwrap();
    let recalc = revised.recalc.unwrap();
    let mut aliases: Vec<_> = recalc.entries.iter().filter_map(|entry| entry.alias.clone()).collect();
    aliases.sort();
    assert_eq!(aliases, ["above", "best"]);
    expect_rows(&world.peek("above").unwrap(), json!([["1"], ["2"], ["3"]]));
}
