//! Memory, time and other bounds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use candor_catalog_engine::{EngineOptions, ErrorKind, Recipe};
use candor_catalog_tables::Unobserved;

use crate::support::{Shop, lines};

/// `rows` rows with a wide text, in no order.
fn wide(options: &EngineOptions, rows: i64) -> Shop {
    let mut shop = Shop::with(options);
    let mut batches = Vec::new();
    for start in (0..rows).step_by(10_000) {
        let keys: Vec<i64> = (start..(start + 10_000).min(rows))
            .map(|row| row.wrapping_mul(7_919) % rows)
            .collect();
        let texts: Vec<String> = keys.iter().map(|key| format!("{key:0>60}")).collect();
        let columns: [(&str, ArrayRef); 2] = [
            ("k", Arc::new(Int64Array::from(keys))),
            ("s", Arc::new(StringArray::from(texts))),
        ];
        batches.push(RecordBatch::try_from_iter(columns).expect("a batch"));
    }
    shop.batches("t", &batches);
    shop
}

fn tight(memory_limit: usize) -> EngineOptions {
    EngineOptions {
        memory_limit,
        ..EngineOptions::default()
    }
}

#[test]
fn a_sort_larger_than_memory_spills() {
    let shop = wide(&tight(32 << 20), 600_000);
    let facts = shop.store("SELECT * FROM t ORDER BY s DESC", &shop.path("sorted"));
    assert_eq!(facts.rows, 600_000);
}

#[test]
fn a_join_and_its_sort_under_a_tight_limit_are_done() {
    let shop = wide(&tight(40 << 20), 700_000);
    let recipe = Recipe::parse("SELECT a.k, b.s FROM t a JOIN t b ON a.k = b.k").expect("a recipe");
    let done = shop
        .engine
        .materialise(&recipe, &shop.bindings, &shop.path("joined"), &Unobserved)
        .expect("joined");
    assert_eq!(done.snapshot.facts().rows, 700_000);
}

#[test]
fn what_cannot_spill_ends_with_advice_and_no_file() {
    let shop = wide(&tight(4 << 20), 100_000);
    let path = shop.path("never");
    let error = shop
        .try_store("SELECT a.k, b.s FROM t a CROSS JOIN t b WHERE a.s || b.s = 'x'", &path)
        .expect_err("too large");
    assert_eq!(error.kind, ErrorKind::LimitExceeded, "{error}");
    assert!(error.hint.is_some());
    let left: Vec<_> = std::fs::read_dir(path.parent().expect("a folder"))
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn work_stops_when_it_is_asked_to() {
    let shop = wide(&EngineOptions::default(), 20_000);
    let looks = AtomicUsize::new(0);
    let stop = || looks.fetch_add(1, Ordering::Relaxed) > 2;
    let recipe = Recipe::parse("SELECT k FROM t").expect("a recipe");
    let error = shop
        .engine
        .query(&recipe, &shop.bindings, 1, &stop)
        .expect_err("stopped");
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

#[test]
fn a_query_keeps_the_first_rows_and_counts_all() {
    let shop = wide(&EngineOptions::default(), 30_000);
    let recipe = Recipe::parse("SELECT k FROM t ORDER BY k").expect("a recipe");
    let result = shop
        .engine
        .query(&recipe, &shop.bindings, 3, &Unobserved)
        .expect("rows");
    assert_eq!(
        (lines(&result.rows), result.row_count),
        (vec!["0".to_owned(), "1".to_owned(), "2".to_owned()], 30_000)
    );
    assert!(result.is_truncated());
    let none = shop
        .engine
        .query(&recipe, &shop.bindings, 0, &Unobserved)
        .expect("rows");
    assert_eq!((none.rows.num_rows(), none.row_count), (0, 30_000));
}

#[test]
fn a_long_sum_is_planned() {
    let shop = Shop::small();
    let sum = vec!["id"; 200].join(" + ");
    assert_eq!(
        shop.rows(&format!("SELECT {sum} AS s FROM orders WHERE id = 1")),
        ["200"]
    );
}

#[test]
fn deep_calls_are_planned() {
    let shop = Shop::small();
    let nested = format!(
        "SELECT {}id{} AS s FROM orders WHERE id = 1",
        "abs(".repeat(20),
        ")".repeat(20)
    );
    assert_eq!(shop.rows(&nested), ["1"]);
}

#[test]
fn many_arms_are_planned() {
    let shop = Shop::small();
    let arms = vec!["SELECT id FROM orders WHERE id = 1"; 60].join(" UNION ALL ");
    assert_eq!(shop.rows(&arms).len(), 60);
}

#[test]
fn a_long_list_is_planned() {
    let shop = Shop::small();
    let list = (0..20_000)
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(",");
    assert_eq!(
        shop.rows(&format!("SELECT id FROM orders WHERE id IN ({list})")).len(),
        6
    );
}

#[test]
fn deep_subqueries_are_planned() {
    let shop = Shop::small();
    let mut query = "SELECT id FROM orders".to_owned();
    for _ in 0..40 {
        query = format!("SELECT id FROM ({query}) t WHERE id > 0");
    }
    assert_eq!(shop.rows(&query).len(), 6);
}
