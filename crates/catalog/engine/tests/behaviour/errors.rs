//! Failures say what, where, what is near, and what to do.

use crate::support::{Shop, integers, texts};
use candor_catalog_engine::ErrorKind;

#[test]
fn an_unknown_column_lists_the_columns_there_are() {
    let shop = Shop::small();
    let error = shop.error("SELECT id,\n  Price FROM orders");
    assert_eq!(error.kind, ErrorKind::UnknownColumn);
    assert_eq!(error.candidates, ["price"]);
    assert_eq!(error.place.map(|place| (place.line, place.column)), Some((2, 3)));
    let hint = error.hint.expect("a hint");
    assert!(
        hint.contains("id") && hint.contains("city") && hint.contains("price"),
        "{hint}"
    );
    assert!(!hint.contains("__"), "{hint}");
    assert_eq!(
        shop.error("SELECT o.nothing FROM orders o").message,
        "There is no column `o.nothing`"
    );
}

#[test]
fn names_over_headers_with_spaces_are_suggested_in_quotes() {
    let mut shop = Shop::new();
    shop.table(
        "sales",
        &[
            ("Order ID", integers(&[1])),
            ("Unit Price", integers(&[2])),
            ("city", texts(&["Oslo"])),
        ],
    );
    for sql in [
        "SELECT Order ID FROM sales",
        "SELECT Unit Price FROM sales",
        "SELECT sum(Unit Price) FROM sales",
    ] {
        let error = shop.error(sql);
        let text = error.to_string();
        assert!(
            text.contains("\"Order ID\"") || text.contains("\"Unit Price\""),
            "{sql}: {text}"
        );
    }
    assert_eq!(shop.rows("SELECT \"Order ID\", \"Unit Price\" FROM sales"), ["1|2"]);
}

#[test]
fn an_unknown_function_names_the_nearest_or_the_way_here() {
    let shop = Shop::small();
    let error = shop.error("SELECT uper(city) AS u FROM orders");
    assert_eq!(error.kind, ErrorKind::UnknownFunction, "{error}");
    assert!(error.candidates.contains(&"upper".to_owned()), "{error}");
    let error = shop.error("SELECT strftime(city) AS u FROM orders");
    assert!(
        error.hint.as_deref().is_some_and(|hint| hint.contains("to_char")),
        "{error}"
    );
}

#[test]
fn failures_on_the_data_say_how_to_avoid_them() {
    let mut shop = Shop::small();
    shop.table(
        "t",
        &[
            ("a", integers(&[1, 0, i64::MAX])),
            ("s", texts(&["12", "x9", "2024-13-01"])),
        ],
    );
    for (sql, message, hint) in [
        ("SELECT 10 / a AS q FROM t", "ivide by zero", "nullif"),
        ("SELECT 10 % a AS q FROM t", "ivide by zero", "nullif"),
        ("SELECT CAST(s AS BIGINT) AS n FROM t", "x9", "TRY_CAST"),
        (
            "SELECT CAST(s AS DATE) AS n FROM t WHERE s LIKE '20%'",
            "2024-13-01",
            "TRY_CAST",
        ),
        ("SELECT sum(CAST(s AS DOUBLE)) AS n FROM t", "x9", "TRY_CAST"),
        (
            "SELECT CAST(a AS TINYINT) AS n FROM t",
            "9223372036854775807",
            "TRY_CAST",
        ),
    ] {
        let error = shop.error(sql);
        assert_eq!(error.kind, ErrorKind::ExecutionFailed, "{sql}: {error}");
        assert!(error.message.contains(message), "{sql}: {error}");
        assert!(
            error.hint.as_deref().is_some_and(|text| text.contains(hint)),
            "{sql}: {error}"
        );
    }
}

#[test]
fn failures_of_planning_say_how_to_mend_them() {
    let shop = Shop::small();
    for (sql, hint) in [
        (
            "SELECT city, price, count(*) AS n FROM orders GROUP BY city",
            "GROUP BY",
        ),
        ("SELECT id FROM orders UNION ALL SELECT id, city FROM orders", "UNION"),
        ("SELECT o.id, c.id FROM orders o JOIN orders c ON o.id = c.id", "AS"),
        ("SELECT id FROM orders a JOIN orders b ON a.id = b.id", "table."),
        ("SELECT city + id AS x FROM orders WHERE city AND id", "CAST"),
        ("SELECT id, id FROM orders", "AS"),
        ("SELECT round(city, city, city) AS r FROM orders", "arguments"),
    ] {
        let error = shop.error(sql);
        assert!(error.kind.is_recipe_fault(), "{sql}: {error:?}");
        assert!(
            error.hint.as_deref().is_some_and(|text| text.contains(hint)),
            "{sql}: {error}"
        );
    }
}

#[test]
fn a_missing_or_damaged_snapshot_is_named() {
    let shop = Shop::small();
    let path = shop.path("orders");
    let whole = std::fs::read(&path).expect("read");
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("cut");
    let error = shop.error("SELECT * FROM orders");
    assert_eq!(error.kind, ErrorKind::DataDamaged, "{error}");
    assert!(error.message.contains("orders.parquet"), "{error}");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(shop.error("SELECT * FROM orders").kind, ErrorKind::DataDamaged);
}

#[test]
fn nothing_can_be_read_that_is_not_bound() {
    let shop = Shop::small();
    for sql in [
        "SELECT * FROM \"/etc/passwd\"",
        "SELECT * FROM 'x.parquet'",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM generate_series(1, 3)",
        "SELECT * FROM pg_catalog",
        "SELECT @@version",
    ] {
        assert!(shop.error(sql).kind.is_recipe_fault(), "{sql}");
    }
}
