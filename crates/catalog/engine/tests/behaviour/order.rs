//! The order of rows. `orders` is stored in the order of ids 4, 2, 6, 1, 5, 3.

use crate::support::{Shop, integers, texts};

#[test]
fn rows_come_in_the_order_of_what_they_were_read_from() {
    let shop = Shop::small();
    for (sql, expected) in [
        // Filters and projections keep the order.
        ("SELECT id FROM orders", "4 2 6 1 5 3"),
        ("SELECT id FROM orders WHERE price > 2", "2 6 1 5 3"),
        (
            "SELECT id FROM (SELECT id, price FROM orders WHERE price > 2) t WHERE id < 6",
            "2 1 5 3",
        ),
        ("SELECT id FROM orders LIMIT 2", "4 2"),
        ("SELECT id FROM orders LIMIT 2 OFFSET 3", "1 5"),
        // A sort leads, ties keep the order there was.
        ("SELECT id FROM orders ORDER BY city", "2 5 4 6 3 1"),
        ("SELECT id FROM orders ORDER BY city DESC", "1 4 6 3 2 5"),
        ("SELECT id FROM orders ORDER BY city LIMIT 3", "2 5 4"),
        ("SELECT id FROM orders ORDER BY length(city)", "4 2 6 1 5 3"),
        ("SELECT id FROM orders ORDER BY upper(city), id DESC", "5 2 6 4 3 1"),
        ("SELECT id FROM orders ORDER BY 1", "1 2 3 4 5 6"),
        ("SELECT id + 0 AS k FROM orders ORDER BY price DESC", "3 5 1 6 2 4"),
        // A sort below what keeps the order counts; a later one leads.
        (
            "SELECT id FROM (SELECT * FROM orders ORDER BY city) t WHERE price > 2",
            "2 5 6 3 1",
        ),
        (
            "SELECT id FROM (SELECT * FROM orders ORDER BY id DESC) t ORDER BY city",
            "5 2 6 4 3 1",
        ),
        (
            "SELECT id FROM (SELECT * FROM orders ORDER BY city, id LIMIT 4) t ORDER BY id",
            "2 3 4 5",
        ),
        (
            "WITH t AS (SELECT * FROM orders ORDER BY price DESC LIMIT 3) SELECT id FROM t",
            "3 5 1",
        ),
        (
            "SELECT id FROM (SELECT * FROM orders ORDER BY city LIMIT 5) t LIMIT 2 OFFSET 2",
            "4 6",
        ),
    ] {
        assert_eq!(shop.rows(sql).join(" "), expected, "{sql}");
    }
}

#[test]
fn results_without_an_order_of_their_own_get_one() {
    let shop = Shop::small();
    for (sql, expected) in [
        (
            "SELECT city, count(*) AS n FROM orders GROUP BY city",
            "Bern|2 Oslo|3 Rome|1",
        ),
        (
            "SELECT count(*) AS n, city FROM orders GROUP BY city",
            "2|Bern 3|Oslo 1|Rome",
        ),
        ("SELECT count(*) AS n FROM orders GROUP BY city", "2 3 1"),
        (
            "SELECT city, count(*) AS n FROM orders GROUP BY city ORDER BY n DESC",
            "Oslo|3 Bern|2 Rome|1",
        ),
        ("SELECT city FROM orders GROUP BY city LIMIT 2", "Bern Oslo"),
        ("SELECT DISTINCT city FROM orders", "Bern Oslo Rome"),
        ("SELECT DISTINCT city FROM orders ORDER BY city DESC", "Rome Oslo Bern"),
        (
            "SELECT city FROM orders UNION SELECT name FROM cities",
            "Bern Oslo Rome",
        ),
        (
            "SELECT id FROM orders WHERE id < 3 UNION ALL SELECT id FROM orders WHERE id < 2",
            "1 1 2",
        ),
        ("SELECT count(*) AS n FROM orders", "6"),
        (
            "SELECT city, count(*) AS n FROM orders GROUP BY ROLLUP (city)",
            "Bern|2 Oslo|3 Rome|1 null|6",
        ),
        ("SELECT * FROM (VALUES (2, 'b'), (1, 'a')) AS t(k, v)", "2|b 1|a"),
        // A join: first the order of the left side, then of the right.
        (
            "SELECT o.id, c.country FROM orders o JOIN cities c ON o.city = c.name",
            "4|NO 2|CH 6|NO 1|IT 5|CH 3|NO",
        ),
        (
            "SELECT c.country, o.id FROM cities c JOIN orders o ON o.city = c.name",
            "IT|1 NO|4 NO|6 NO|3 CH|2 CH|5",
        ),
        (
            "SELECT c.country, o.id FROM cities c LEFT JOIN orders o ON o.city = c.name AND o.id > 3",
            "IT|null NO|4 NO|6 CH|5",
        ),
        (
            "SELECT id FROM orders WHERE city IN (SELECT name FROM cities WHERE country <> 'NO')",
            "2 1 5",
        ),
        (
            "SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM cities c WHERE c.name = o.city AND c.country = 'NO')",
            "2 1 5",
        ),
        (
            "SELECT a.id, b.id AS other FROM orders a JOIN orders b ON a.id = b.id + 4",
            "6|2 5|1",
        ),
        (
            "SELECT n, country FROM (SELECT city, count(*) AS n FROM orders GROUP BY city) g JOIN cities ON city = name",
            "2|CH 3|NO 1|IT",
        ),
        // Windows keep the order of their input.
        (
            "SELECT id, rank() OVER (ORDER BY price DESC) AS r FROM orders",
            "4|6 2|5 6|4 1|3 5|2 3|1",
        ),
        (
            "SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY city ORDER BY id) = 1",
            "2 1 3",
        ),
        // Lists open in their order.
        (
            "SELECT id, unnest([3, 1, 2]) AS k FROM orders WHERE id < 3",
            "2|3 2|1 2|2 1|3 1|1 1|2",
        ),
        (
            "SELECT DISTINCT ON (city) city, id FROM orders ORDER BY city, id DESC",
            "Bern|5 Oslo|6 Rome|1",
        ),
    ] {
        assert_eq!(shop.rows(sql).join(" "), expected, "{sql}");
    }
}

#[test]
fn ties_at_a_limit_are_the_same_rows_in_subqueries_too() {
    let shop = Shop::small();
    for (sql, expected) in [
        (
            "SELECT id FROM orders WHERE id IN (SELECT id FROM orders ORDER BY city LIMIT 3)",
            "4 2 5",
        ),
        (
            "SELECT max(id) AS m FROM (SELECT id FROM orders ORDER BY city LIMIT 1) t",
            "2",
        ),
        (
            "SELECT (SELECT id FROM orders ORDER BY city DESC LIMIT 1) AS first",
            "1",
        ),
        (
            "(SELECT id FROM orders ORDER BY city LIMIT 1) UNION ALL (SELECT id FROM orders ORDER BY city DESC LIMIT 2)",
            "1 2 4",
        ),
    ] {
        assert_eq!(shop.rows(sql).join(" "), expected, "{sql}");
    }
}

#[test]
fn a_stored_result_has_the_rows_and_the_order_of_the_query() {
    let shop = Shop::small();
    for sql in [
        "SELECT * FROM orders ORDER BY city",
        "SELECT city, sum(price) AS s FROM orders GROUP BY city",
        "SELECT o.*, c.country FROM orders o JOIN cities c ON o.city = c.name",
        "SELECT id, lag(id) OVER (PARTITION BY city ORDER BY id) AS before FROM orders",
    ] {
        let path = shop.path("stored");
        let facts = shop.store(sql, &path);
        assert_eq!(shop.stored_rows(&path), shop.rows(sql), "{sql}");
        assert_eq!(facts.rows, 6.min(facts.rows));
    }
}

#[test]
fn hidden_columns_never_show() {
    let shop = Shop::small();
    for sql in [
        "SELECT * FROM orders",
        "SELECT * FROM orders ORDER BY upper(city)",
        "SELECT * FROM (SELECT * FROM orders o, cities c LIMIT 2) t",
    ] {
        let names: Vec<String> = shop.facts(sql).columns.into_iter().map(|column| column.name).collect();
        assert!(names.iter().all(|name| !name.starts_with("__")), "{sql}: {names:?}");
    }
    assert_eq!(
        shop.rows("SELECT count(*) AS n FROM (SELECT DISTINCT * FROM orders) t"),
        ["6"]
    );
}

#[test]
fn equal_rows_stay_and_values_that_cannot_be_sorted_do_not_disturb() {
    let mut shop = Shop::new();
    shop.table(
        "t",
        &[("k", integers(&[2, 1, 2, 1])), ("v", texts(&["b", "a", "b", "a"]))],
    );
    assert_eq!(
        shop.rows("SELECT k, v FROM t UNION ALL SELECT k, v FROM t WHERE k = 1")
            .len(),
        6
    );
    assert_eq!(
        shop.rows("SELECT k, array_agg(v) AS vs FROM t GROUP BY k"),
        ["1|[a, a]", "2|[b, b]"]
    );
    assert_eq!(shop.rows("SELECT DISTINCT [k] AS l, k FROM t"), ["[1]|1", "[2]|2"]);
}
