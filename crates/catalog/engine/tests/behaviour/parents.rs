//! Edges are what the plan reads.

use crate::support::{Shop, integers};
use candor_catalog_engine::{Binding, ErrorKind, Recipe, RowsOf};

fn shop() -> Shop {
    let mut shop = Shop::new();
    for name in ["a", "b", "c", "d", "orders", "orders-v2"] {
        shop.table(name, &[("x", integers(&[1, 2, 3])), ("y", integers(&[3, 2, 1]))]);
    }
    shop
}

#[test]
fn every_scan_is_an_edge_wherever_it_stands() {
    let shop = shop();
    for (sql, parents) in [
        ("SELECT * FROM a", "a"),
        ("SELECT * FROM \"orders-v2\"", "orders-v2"),
        (
            "SELECT o.x FROM orders o JOIN \"orders-v2\" p ON o.x = p.x",
            "orders orders-v2",
        ),
        ("SELECT * FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = b.x)", "a b"),
        (
            "SELECT * FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.x = b.x)",
            "a b",
        ),
        ("SELECT * FROM b WHERE x IN (SELECT x FROM a)", "a b"),
        (
            "SELECT * FROM b WHERE x NOT IN (SELECT x FROM a WHERE y IN (SELECT y FROM c))",
            "a b c",
        ),
        ("SELECT x, (SELECT max(x) FROM a) AS m FROM b", "a b"),
        ("SELECT x, (SELECT max(a.x) FROM a WHERE a.y = b.y) AS m FROM b", "a b"),
        ("SELECT x FROM b ORDER BY (SELECT max(x) FROM a), x", "a b"),
        ("SELECT x FROM b GROUP BY x HAVING x > (SELECT min(x) FROM a)", "a b"),
        ("SELECT x FROM a UNION ALL SELECT x FROM b", "a b"),
        ("SELECT x FROM a UNION SELECT x FROM b EXCEPT SELECT x FROM c", "a b c"),
        ("SELECT x FROM a INTERSECT SELECT x FROM b", "a b"),
        (
            "SELECT x FROM a UNION ALL SELECT x FROM b WHERE x IN (SELECT x FROM c)",
            "a b c",
        ),
        (
            "WITH t AS (SELECT * FROM a WHERE x IN (SELECT x FROM c)) SELECT * FROM t",
            "a c",
        ),
        (
            "WITH t AS (SELECT * FROM a), u AS (SELECT * FROM t JOIN b USING (x)) SELECT x FROM u",
            "a b",
        ),
        ("SELECT sum(x) FILTER (WHERE x IN (SELECT x FROM a)) AS s FROM b", "a b"),
        (
            "SELECT CASE WHEN x > (SELECT avg(x) FROM a) THEN 1 END AS k FROM b",
            "a b",
        ),
        (
            "SELECT b.x FROM b, LATERAL (SELECT a.y FROM a WHERE a.x = b.x) AS l",
            "a b",
        ),
        (
            "WITH RECURSIVE n AS (SELECT x FROM a UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT * FROM n",
            "a",
        ),
    ] {
        match shop.try_facts(sql) {
            Ok(facts) => assert_eq!(facts.parents.join(" "), parents, "{sql}"),
            Err(error) => panic!("{sql}: {error}"),
        }
    }
}

#[test]
fn an_expression_nobody_uses_is_no_edge_but_has_to_be_bound() {
    let mut shop = shop();
    let sql = "WITH unused AS (SELECT * FROM a) SELECT x FROM b";
    assert_eq!(shop.facts(sql).parents, ["b"]);
    shop.bindings.remove("a");
    assert_eq!(shop.error(sql).kind, ErrorKind::UnknownReference);
}

#[test]
fn an_expression_that_shadows_an_alias_hides_it() {
    let shop = shop();
    assert_eq!(
        shop.facts("WITH a AS (SELECT x AS z FROM b) SELECT z FROM a").parents,
        ["b"]
    );
    assert_eq!(
        shop.facts("WITH a AS (SELECT x AS z FROM a) SELECT z FROM a").parents,
        ["a"]
    );
    assert_eq!(shop.rows("WITH a AS (SELECT 7 AS z) SELECT z FROM a"), ["7"]);
}

#[test]
fn names_count_as_they_are_written() {
    let mut shop = shop();
    shop.table("T", &[("X", integers(&[7])), ("x", integers(&[8]))]);
    assert_eq!(shop.rows("SELECT X, x FROM T"), ["7|8"]);
    assert_eq!(shop.error("SELECT x FROM t").kind, ErrorKind::UnknownReference);
    assert_eq!(shop.rows("SELECT \"X\" FROM \"T\""), ["7"]);
}

#[test]
fn what_is_not_bound_is_named_with_the_nearest() {
    let shop = shop();
    let error = shop.error("SELECT *\nFROM order");
    assert_eq!(error.kind, ErrorKind::UnknownReference);
    assert_eq!(error.candidates.first().map(String::as_str), Some("orders"));
    assert_eq!(error.place.map(|place| (place.line, place.column)), Some((2, 6)));
}

#[test]
fn volatility_is_inherited() {
    let mut shop = shop();
    let facts = shop.entry("noise", "SELECT x, random() AS r FROM a");
    assert!(facts.is_volatile());
    let child = shop.facts("SELECT sum(x) AS s FROM noise");
    assert_eq!(
        (child.volatile_functions.len(), child.volatile_parents),
        (0, vec!["noise".to_owned()])
    );
    assert!(!shop.facts("SELECT sum(x) AS s FROM a").is_volatile());
}

#[test]
fn a_path_may_hold_anything() {
    let mut shop = shop();
    let odd = shop.path("odd name [1] * ? % #ä");
    std::fs::copy(shop.path("a"), &odd).expect("copied");
    shop.bindings.insert(
        "odd".to_owned(),
        Binding {
            hash: "0".repeat(12),
            rows: RowsOf::Snapshot(odd),
            volatile: false,
        },
    );
    assert_eq!(shop.rows("SELECT x FROM odd"), ["1", "2", "3"]);
    assert!(Recipe::parse("SELECT x FROM odd").is_ok());
}
