//! Cheap entries: planned again at each read, order and all.

use crate::support::{Shop, lines};
use candor_catalog_engine::{ErrorKind, FrozenRecipe, RowsOf, Worth};
use candor_catalog_tables::Unobserved;

fn chained() -> Shop {
    let mut shop = Shop::small();
    assert_eq!(
        shop.entry(
            "dear",
            "SELECT id, city, price * 10 AS cents FROM orders WHERE price > 2"
        )
        .worth,
        Worth::Cheap
    );
    assert_eq!(
        shop.entry("dearer", "SELECT id AS number, city FROM dear WHERE cents > 30")
            .worth,
        Worth::Cheap
    );
    assert_eq!(
        shop.entry("loud", "SELECT number, upper(city) AS place FROM dearer AS d")
            .worth,
        Worth::Cheap
    );
    shop
}

fn frozen(shop: &Shop, name: &str) -> FrozenRecipe {
    match &shop.bindings[name].rows {
        RowsOf::Recipe(frozen) => frozen.as_ref().clone(),
        RowsOf::Snapshot(path) => panic!("{} is stored", path.display()),
    }
}

fn page(shop: &Shop, name: &str, offset: u64, limit: usize, columns: Option<&[&str]>) -> Vec<String> {
    lines(
        &shop
            .engine
            .page(&frozen(shop, name), offset, limit, columns, &Unobserved)
            .expect("a page"),
    )
}

#[test]
fn a_chain_of_cheap_entries_keeps_the_order_of_the_stored_rows_at_its_end() {
    let shop = chained();
    assert_eq!(
        shop.rows("SELECT * FROM loud"),
        ["6|OSLO", "1|ROME", "5|BERN", "3|OSLO"]
    );
    assert_eq!(
        shop.rows("SELECT number FROM loud ORDER BY place"),
        ["5", "6", "3", "1"]
    );
    assert_eq!(
        shop.rows("SELECT l.number, o.price FROM loud l JOIN orders o ON l.number = o.id"),
        ["6|3.5", "1|4.5", "5|5.5", "3|6.5"]
    );
    assert_eq!(
        shop.rows("SELECT number FROM loud WHERE number IN (SELECT number FROM dearer ORDER BY city LIMIT 2)"),
        ["6", "5"]
    );
}

#[test]
fn a_page_is_part_of_the_same_order() {
    let shop = chained();
    assert_eq!(
        page(&shop, "loud", 0, 10, None),
        ["6|OSLO", "1|ROME", "5|BERN", "3|OSLO"]
    );
    assert_eq!(page(&shop, "loud", 1, 2, None), ["1|ROME", "5|BERN"]);
    assert_eq!(page(&shop, "loud", 3, 2, Some(&["place"])), ["OSLO"]);
    assert!(page(&shop, "loud", 9, 2, None).is_empty());
    let error = shop
        .engine
        .page(&frozen(&shop, "loud"), 0, 1, Some(&["plaice"]), &Unobserved)
        .expect_err("no such column");
    assert_eq!(
        (error.kind, error.candidates),
        (ErrorKind::UnknownColumn, vec!["place".to_owned()])
    );
}

#[test]
fn a_frozen_recipe_resolves_no_name_again() {
    let mut shop = chained();
    let before = page(&shop, "loud", 0, 10, None);
    // The names now mean something else; what was frozen does not.
    shop.entry("orders", "SELECT id, city, price FROM orders WHERE false");
    shop.entry("dearer", "SELECT 0 AS number, '' AS city");
    assert_eq!(page(&shop, "loud", 0, 10, None), before);
}

#[test]
fn a_stream_ends_when_its_reader_has_enough() {
    let shop = chained();
    let mut batches = 0;
    shop.engine
        .stream(&frozen(&shop, "loud"), &Unobserved, &mut |_| {
            batches += 1;
            Ok(false)
        })
        .expect("streamed");
    assert_eq!(batches, 1);
}

#[test]
fn a_cast_that_fails_on_some_row_fails_when_the_entry_is_made() {
    let shop = chained();
    let recipe = candor_catalog_engine::Recipe::parse("SELECT CAST(city AS BIGINT) AS n FROM dear").expect("a recipe");
    let error = shop
        .engine
        .check(&recipe, &shop.bindings, &Unobserved)
        .expect_err("no number");
    assert_eq!(error.kind, ErrorKind::ExecutionFailed);
    assert!(error.message.contains("Bern"), "{error}");
}

#[test]
fn a_long_chain_is_stored_in_the_end() {
    let mut shop = Shop::small();
    let mut name = "orders".to_owned();
    let mut stored = None;
    for step in 0..20 {
        let next = format!("step{step}");
        let facts = shop.entry(&next, &format!("SELECT id, city FROM {name} WHERE id > 0"));
        if let Worth::Worthy { why } = facts.worth {
            stored = Some((step, why));
            break;
        }
        name = next;
    }
    assert_eq!(stored, Some((16, "chain:17".to_owned())));
}
