//! The same rows each time. With several partitions sums of floating-point numbers depend on which partition is ready
//! first; that they do is shown here, so that nobody believes one partition is a habit.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use candor_catalog_engine::{EngineOptions, Recipe};
use candor_catalog_tables::Unobserved;
use candor_catalog_tables::digest::Comparison;

use crate::support::Shop;

/// 200,000 rows whose sums depend on the order of addition.
fn noisy(options: &EngineOptions) -> Shop {
    let mut shop = Shop::with(options);
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut batches = Vec::new();
    for part in 0..25 {
        let mut keys = Vec::new();
        let mut values = Vec::new();
        for row in 0..8_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            keys.push((part * 8_000 + row) % 7);
            let exponent = i32::try_from(seed % 41).expect("small") - 20;
            #[expect(clippy::cast_precision_loss, reason = "any value will do")]
            values.push((seed >> 12) as f64 * 2.0_f64.powi(exponent));
        }
        let columns: [(&str, ArrayRef); 2] = [
            ("k", Arc::new(Int64Array::from(keys))),
            ("v", Arc::new(Float64Array::from(values))),
        ];
        batches.push(RecordBatch::try_from_iter(columns).expect("a batch"));
    }
    shop.batches("t", &batches);
    shop
}

const SUMS: &str = "SELECT k, sum(v) AS s, avg(v) AS a, stddev(v) AS d FROM t GROUP BY k";

#[test]
fn one_partition_gives_one_result() {
    let shop = noisy(&EngineOptions::default());
    let first = shop.store(SUMS, &shop.path("first"));
    for _ in 0..4 {
        let verdict = shop
            .engine
            .verify(
                &Recipe::parse(SUMS).expect("a recipe"),
                &shop.bindings,
                &first.digest,
                &Unobserved,
            )
            .expect("verified");
        assert_eq!(verdict.comparison, Comparison::Same);
        assert!(verdict.is_reproducible() && verdict.columns.is_empty());
    }
}

#[test]
fn eight_partitions_do_not() {
    let shop = noisy(&EngineOptions {
        partitions: 8,
        ..EngineOptions::default()
    });
    let mut seen = BTreeSet::new();
    for _ in 0..60 {
        seen.insert(shop.rows(SUMS));
        if seen.len() > 1 {
            return;
        }
    }
    panic!("sixty runs on eight partitions gave one result; the contrast no longer shows anything");
}

#[test]
fn a_second_run_names_the_columns_that_differ() {
    let shop = Shop::small();
    let sql = "SELECT id, random() AS r FROM orders";
    let stored = shop.store(sql, &shop.path("random"));
    let verdict = shop
        .engine
        .verify(
            &Recipe::parse(sql).expect("a recipe"),
            &shop.bindings,
            &stored.digest,
            &Unobserved,
        )
        .expect("verified");
    assert!(!verdict.is_reproducible());
    assert_eq!(verdict.columns, ["r"]);
}

#[test]
fn every_proven_plan_verifies() {
    let shop = Shop::small();
    for sql in [
        "SELECT city, count(*) AS n FROM orders GROUP BY city",
        "SELECT * FROM orders ORDER BY city LIMIT 2",
        "SELECT o.*, c.country FROM orders o JOIN cities c ON o.city = c.name",
        "SELECT city FROM orders UNION SELECT name FROM cities",
    ] {
        assert!(shop.facts(sql).is_proven(), "{sql}");
        let stored = shop.store(sql, &shop.path("proven"));
        let verdict = shop
            .engine
            .verify(
                &Recipe::parse(sql).expect("a recipe"),
                &shop.bindings,
                &stored.digest,
                &Unobserved,
            )
            .expect("verified");
        assert_eq!(verdict.comparison, Comparison::Same, "{sql}");
    }
}

#[test]
fn all_that_asks_for_the_time_is_told_the_same_moment() {
    let shop = Shop::small();
    let sql = "SELECT DISTINCT now() = current_timestamp() AS same, now() > TIMESTAMP '2020-01-01T00:00:00Z' AS late FROM orders";
    assert_eq!(shop.rows(sql), ["true|true"]);
}
