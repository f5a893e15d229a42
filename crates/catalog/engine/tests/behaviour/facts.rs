//! Worth, volatility and proof, read off the plan.

use crate::support::Shop;
use candor_catalog_engine::Worth;

#[test]
fn only_filters_and_computed_columns_over_one_entry_are_cheap() {
    let shop = Shop::small();
    for (sql, expected) in [
        ("SELECT * FROM orders", "cheap"),
        (
            "SELECT id, price * 2 AS double, upper(city) AS city FROM orders WHERE price > 2",
            "cheap",
        ),
        (
            "SELECT * EXCLUDE (price) FROM orders AS o WHERE o.id IN (1, 2) AND city IS NOT NULL",
            "cheap",
        ),
        (
            "WITH o AS (SELECT * FROM orders WHERE price > 1) SELECT id FROM o WHERE id > 1",
            "cheap",
        ),
        (
            "SELECT CAST(id AS VARCHAR) AS id, coalesce(city, '?') AS city FROM orders",
            "cheap",
        ),
        ("SELECT city, count(*) AS n FROM orders GROUP BY city", "ops:Aggregate"),
        ("SELECT DISTINCT city FROM orders", "ops:Distinct"),
        ("SELECT * FROM orders ORDER BY id", "ops:Sort"),
        ("SELECT * FROM orders LIMIT 2", "ops:Limit"),
        ("SELECT id, rank() OVER (ORDER BY price) AS r FROM orders", "ops:Window"),
        ("SELECT o.id FROM orders o JOIN cities c ON o.city = c.name", "ops:Join"),
        ("SELECT id FROM orders UNION ALL SELECT id FROM orders", "ops:Union"),
        (
            "SELECT id FROM orders WHERE city IN (SELECT name FROM cities)",
            "ops:Subquery",
        ),
        ("SELECT id, unnest([1, 2]) AS k FROM orders", "ops:Unnest"),
        ("SELECT 1 AS one", "ops:Values"),
        ("SELECT id, now() AS t FROM orders", "volatile:now"),
        ("SELECT id, random() AS r FROM orders", "volatile:random"),
        (
            "SELECT city, max(price) AS m FROM orders GROUP BY city ORDER BY m DESC LIMIT 2",
            "ops:Aggregate,Limit,Sort",
        ),
    ] {
        let worth = match shop.facts(sql).worth {
            Worth::Cheap => "cheap".to_owned(),
            Worth::Worthy { why } => why,
        };
        assert_eq!(worth, expected, "{sql}");
    }
}

#[test]
fn volatile_functions_are_named_at_once() {
    let shop = Shop::small();
    for (sql, expected) in [
        ("SELECT id FROM orders", ""),
        ("SELECT now() AS t FROM orders", "now"),
        ("SELECT current_date AS d FROM orders", "current_date"),
        ("SELECT id FROM orders WHERE price > random()", "random!"),
        ("SELECT uuid() AS u, now() AS t FROM orders", "now uuid!"),
        (
            "SELECT id FROM orders WHERE id IN (SELECT CAST(random() * 5 AS BIGINT) FROM cities)",
            "random!",
        ),
    ] {
        let facts = shop.facts(sql);
        let named: Vec<String> = facts
            .volatile_functions
            .iter()
            .map(|function| format!("{}{}", function.name, if function.per_row { "!" } else { "" }))
            .collect();
        assert_eq!(named.join(" "), expected, "{sql}");
        assert_eq!(facts.is_proven(), expected.is_empty(), "{sql}: {:?}", facts.unproven);
    }
}

#[test]
fn what_cannot_be_shown_to_be_reproducible_says_why() {
    let shop = Shop::small();
    for (sql, why) in [
        (
            "SELECT city, count(*) AS n, sum(id) AS s, max(price) AS m FROM orders GROUP BY city",
            "",
        ),
        ("SELECT sum(CAST(price AS DECIMAL(18, 4))) AS s FROM orders", ""),
        ("SELECT * FROM orders ORDER BY city LIMIT 2", ""),
        (
            "SELECT o.id, c.country FROM orders o JOIN cities c ON o.city = c.name",
            "",
        ),
        ("SELECT id, rank() OVER (ORDER BY city) AS r FROM orders", ""),
        ("SELECT sum(price) AS s FROM orders", "sum() of floating-point numbers"),
        ("SELECT avg(id) AS a FROM orders", "avg() of floating-point numbers"),
        ("SELECT array_agg(id) AS a FROM orders", "array_agg() without ORDER BY"),
        (
            "SELECT string_agg(city, ',' ORDER BY city) AS a FROM orders",
            "may meet ties",
        ),
        (
            "SELECT id, row_number() OVER (ORDER BY city) AS r FROM orders",
            "row_number() depends on the order of ties",
        ),
        (
            "SELECT id, sum(id) OVER (ORDER BY city ROWS 1 PRECEDING) AS r FROM orders",
            "over ROWS",
        ),
        ("SELECT DISTINCT ON (city) city, id FROM orders", "DISTINCT ON"),
    ] {
        let facts = shop.facts(sql);
        if why.is_empty() {
            assert!(facts.is_proven(), "{sql}: {:?}", facts.unproven);
        } else {
            assert!(
                facts.unproven.iter().any(|reason| reason.contains(why)),
                "{sql}: {:?}",
                facts.unproven
            );
        }
    }
}

#[test]
fn columns_have_the_types_they_are_stored_with() {
    let shop = Shop::small();
    let sql = "SELECT city, upper(city) AS loud, id, price, CAST(id AS DECIMAL(9, 2)) AS d FROM orders ORDER BY id";
    let planned: Vec<String> = shop
        .facts(sql)
        .columns
        .iter()
        .map(|column| format!("{}:{}", column.name, column.data_type))
        .collect();
    assert_eq!(
        planned,
        [
            "city:Utf8",
            "loud:Utf8",
            "id:Int64",
            "price:Float64",
            "d:Decimal128(9, 2)"
        ]
    );
    let stored = shop.store(sql, &shop.path("typed"));
    let stored: Vec<String> = stored
        .schema
        .fields()
        .iter()
        .map(|field| format!("{}:{}", field.name(), field.data_type()))
        .collect();
    assert_eq!(stored, planned);
}
