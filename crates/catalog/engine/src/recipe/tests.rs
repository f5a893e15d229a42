//! What a recipe is and is not.

use super::*;

/// The references of a recipe, in order.
fn references(sql: &str) -> String {
    let recipe = Recipe::parse(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    recipe
        .references()
        .iter()
        .map(|reference| reference.name.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn refused(sql: &str) -> EngineError {
    match Recipe::parse(sql) {
        Ok(recipe) => panic!("{sql}: accepted with references {:?}", recipe.references()),
        Err(error) => error,
    }
}

#[test]
fn every_table_name_that_is_no_common_table_expression_is_a_reference() {
    for (sql, expected) in [
        ("SELECT * FROM orders", "orders"),
        ("FROM orders", "orders"),
        (
            "SELECT * FROM \"orders-v2\" o JOIN customers c ON o.id = c.id",
            "orders-v2 customers",
        ),
        (
            "SELECT * FROM orders, orders o2, (orders CROSS JOIN items)",
            "orders items",
        ),
        ("SELECT 1", ""),
        ("SELECT * FROM (VALUES (1)) AS t(a)", ""),
        // Subqueries, wherever they stand.
        ("SELECT (SELECT max(x) FROM a) FROM b", "a b"),
        ("SELECT * FROM b WHERE EXISTS (SELECT 1 FROM a WHERE a.x = b.x)", "b a"),
        (
            "SELECT * FROM b WHERE x IN (SELECT x FROM a) AND y > ALL (SELECT y FROM c)",
            "b a c",
        ),
        ("SELECT * FROM b ORDER BY (SELECT max(x) FROM a)", "b a"),
        (
            "SELECT x FROM a UNION ALL SELECT x FROM b EXCEPT (SELECT x FROM c INTERSECT SELECT x FROM d)",
            "a b c d",
        ),
        (
            "SELECT count(*) FILTER (WHERE x IN (SELECT x FROM f)) FROM b GROUP BY y HAVING y > (SELECT min(y) FROM h)",
            "f b h",
        ),
        (
            "SELECT * FROM a JOIN b ON a.x = b.x AND b.y IN (SELECT y FROM c)",
            "a b c",
        ),
        (
            "SELECT sum(x) OVER (PARTITION BY (SELECT 1 FROM p) ORDER BY (SELECT 2 FROM o)) FROM b",
            "p o b",
        ),
        (
            "SELECT CASE WHEN x IN (SELECT x FROM a) THEN 1 ELSE (SELECT 2 FROM c) END FROM b",
            "a c b",
        ),
        ("SELECT * FROM b LIMIT (SELECT 1 FROM n)", "b n"),
        // Common table expressions.
        ("WITH t AS (SELECT * FROM a) SELECT * FROM t", "a"),
        (
            "WITH t AS (SELECT * FROM a), u AS (SELECT * FROM t) SELECT * FROM u, t",
            "a",
        ),
        ("WITH unused AS (SELECT * FROM a) SELECT * FROM b", "a b"),
        // The name of an alias, shadowed: inside its own definition it still is the alias, after it no more.
        ("WITH orders AS (SELECT * FROM orders) SELECT * FROM orders", "orders"),
        (
            "WITH t AS (SELECT * FROM orders), orders AS (SELECT 1 AS x) SELECT * FROM orders, t",
            "orders",
        ),
        ("WITH orders AS (SELECT 1 AS x) SELECT * FROM orders", ""),
        // Inner expressions end with their query.
        ("SELECT * FROM (WITH t AS (SELECT 1 AS x) SELECT * FROM t) q, t", "t"),
        (
            "WITH t AS (SELECT 1 AS x) SELECT * FROM b WHERE x IN (SELECT x FROM t)",
            "b",
        ),
        (
            "WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT * FROM n",
            "",
        ),
        (
            "WITH RECURSIVE n AS (SELECT x FROM n UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT * FROM n",
            "n",
        ),
        // Names count as written.
        ("SELECT * FROM Orders, orders", "Orders orders"),
        ("SELECT * FROM \"orders\", orders", "orders"),
    ] {
        assert_eq!(references(sql), expected, "{sql}");
    }
}

#[test]
fn a_reference_knows_its_place_and_what_it_asks_for() {
    let recipe = Recipe::parse("SELECT *\nFROM a,\n  \"orders-v12\"").expect("a recipe");
    assert_eq!(recipe.references()[1].place, Some(Place { line: 3, column: 3 }));
    assert_eq!(
        recipe.references()[1].target,
        Target::Pin {
            alias: "orders".to_owned(),
            version: 12
        }
    );
}

#[test]
fn what_is_not_one_query_is_refused_with_a_reason_a_place_and_a_way_out() {
    use ErrorKind::{BadSyntax, ForbiddenReference, NotOneQuery, TooLarge, Unsupported};
    for (sql, kind, message, hint) in [
        ("", NotOneQuery, "The recipe is empty", "SELECT"),
        (" -- nothing\n ;; ", NotOneQuery, "The recipe is empty", "SELECT"),
        (
            "SELECT 1; SELECT 2",
            NotOneQuery,
            "more than one statement",
            "one SELECT or WITH",
        ),
        (
            "SELECT 1; DROP TABLE orders;",
            NotOneQuery,
            "more than one statement",
            "one SELECT or WITH",
        ),
        (
            "COPY orders TO '/tmp/x.parquet'",
            NotOneQuery,
            "cannot write or read files",
            "catalog_import_source",
        ),
        (
            "CREATE TABLE x AS SELECT 1",
            NotOneQuery,
            "cannot create or drop",
            "catalog_create",
        ),
        (
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'",
            NotOneQuery,
            "cannot create or drop",
            "catalog_create",
        ),
        (
            "DROP TABLE orders",
            NotOneQuery,
            "cannot create or drop",
            "catalog_unalias",
        ),
        (
            "INSERT INTO orders VALUES (1)",
            NotOneQuery,
            "cannot change data",
            "SELECT",
        ),
        (
            "SET datafusion.execution.target_partitions = 8",
            NotOneQuery,
            "cannot change settings",
            "fixed settings",
        ),
        (
            "EXPLAIN SELECT 1",
            NotOneQuery,
            "not a question about it",
            "catalog_peek",
        ),
        ("SHOW TABLES", NotOneQuery, "not a question about it", "catalog_peek"),
        ("VALUES (1)", NotOneQuery, "VALUES alone", "FROM (VALUES"),
        ("hello", NotOneQuery, "starts with `hello`", "one SELECT or WITH"),
        (
            "WITH t AS (DELETE FROM orders) SELECT 1",
            Unsupported,
            "change data",
            "never change",
        ),
        (
            "SELECT * INTO x FROM orders",
            Unsupported,
            "SELECT INTO",
            "catalog_create",
        ),
        (
            "SELECT * FROM 'data.csv'",
            ForbiddenReference,
            "is a file",
            "catalog_import_source(outside_path=\"data.csv\", alias=\"data\")",
        ),
        (
            "SELECT * FROM \"/etc/passwd\"",
            ForbiddenReference,
            "is a file",
            "catalog_import_source",
        ),
        (
            "SELECT * FROM data.parquet",
            ForbiddenReference,
            "is a file",
            "catalog_import_source",
        ),
        (
            "SELECT * FROM \"https://x.org/a\"",
            ForbiddenReference,
            "is an address",
            "catalog_import_source",
        ),
        (
            "SELECT * FROM read_csv('x.csv')",
            ForbiddenReference,
            "table function `read_csv`",
            "catalog_import_source",
        ),
        (
            "SELECT * FROM range(1, 5)",
            ForbiddenReference,
            "table function `range`",
            "unnest(range",
        ),
        (
            "SELECT * FROM LATERAL read_parquet('x')",
            ForbiddenReference,
            "table function `read_parquet`",
            "catalog_import_source",
        ),
        (
            "SELECT * FROM \"0123456789ab\"",
            ForbiddenReference,
            "is a content hash",
            "catalog_alias(hash=\"0123456789ab\"",
        ),
        (
            "SELECT * FROM information_schema.tables",
            ForbiddenReference,
            "has a schema",
            "alias alone",
        ),
        ("SELECT $1 FROM orders", Unsupported, "placeholder `$1`", "value itself"),
        (
            "SELECT * FROM orders WHERE x = ?",
            Unsupported,
            "placeholder `?`",
            "value itself",
        ),
        (
            "SELECT __row_order FROM orders",
            Unsupported,
            "`__row_order` cannot be used",
            "row_number()",
        ),
        (
            "SELECT 1 AS __row_order FROM orders",
            Unsupported,
            "`__row_order` cannot be used",
            "row_number()",
        ),
        (
            "SELECT * FROM orders TABLESAMPLE (10)",
            Unsupported,
            "TABLESAMPLE",
            "filter",
        ),
        (
            "SELECT * FROM orders FETCH FIRST 5 ROWS ONLY",
            Unsupported,
            "FETCH",
            "LIMIT",
        ),
        ("SELECT TOP 5 * FROM orders", Unsupported, "TOP", "LIMIT"),
        (
            "SELECT * FROM a ASOF JOIN b MATCH_CONDITION (a.t >= b.t) ON a.k = b.k",
            Unsupported,
            "ASOF",
            "QUALIFY",
        ),
        ("SELECT Unit Price USD FROM orders", BadSyntax, "", "\"Order ID\""),
        ("SELECT 'open FROM orders", BadSyntax, "", "single quotes"),
        (
            &format!("SELECT {}1{}", "(".repeat(10_000), ")".repeat(10_000)),
            TooLarge,
            "nested more than",
            "Remove",
        ),
        (
            &format!("SELECT {}1{}", "[".repeat(10_000), "]".repeat(10_000)),
            TooLarge,
            "nested more than",
            "Remove",
        ),
        (
            &format!("SELECT {} x FROM orders", "NOT ".repeat(450)),
            BadSyntax,
            "",
            "",
        ),
        (
            &format!("SELECT {}", "CASE WHEN x THEN ".repeat(1_900)),
            TooLarge,
            "CASE, CAST and the like",
            "",
        ),
        (
            &format!("SELECT {} 1", "1 + ".repeat(200_000)),
            TooLarge,
            "chains more than",
            "IN (",
        ),
        (
            &format!("SELECT x {} FROM orders", "IS NULL ".repeat(1_500)),
            TooLarge,
            "",
            "",
        ),
        (
            &format!("{} SELECT 1", "SELECT 1 UNION ALL ".repeat(400)),
            TooLarge,
            "joins and set operations",
            "Split",
        ),
        (
            &format!("SELECT '{}'", "x".repeat(1_000_001)),
            TooLarge,
            "1000010 bytes",
            "catalog_import_source",
        ),
    ] {
        let error = refused(sql);
        let short: String = sql.chars().take(80).collect();
        assert_eq!(error.kind, kind, "{short}: {error}");
        assert!(error.message.contains(message), "{short}: {error}");
        assert!(
            error.hint.as_deref().unwrap_or_default().contains(hint),
            "{short}: {error}"
        );
    }
}

#[test]
fn a_refusal_names_line_and_column() {
    assert_eq!(
        refused("SELECT 1;\n  SELECT 2").place,
        Some(Place { line: 2, column: 3 })
    );
    assert_eq!(
        refused("SELECT *\nFROM \"x.csv\"").place,
        Some(Place { line: 2, column: 6 })
    );
    assert_eq!(refused("SELECT a,\n FROM, x").place.map(|place| place.line), Some(2));
}

/// The parser's work doubles with each level at an error inside; see the guard.
#[test]
fn mistakes_inside_deep_nests_are_found_in_time() {
    for (open, close) in [
        ("CASE WHEN x THEN ", " END"),
        ("CAST(", " AS INT)"),
        ("SUBSTRING(", " FROM 1)"),
        ("POSITION(", " IN x)"),
        ("FLOOR(", ")"),
        ("ARRAY[", "]"),
        ("coalesce(", ")"),
        ("(SELECT ", ")"),
        ("EXISTS (SELECT ", ")"),
        ("1 FROM (SELECT ", ")"),
    ] {
        for depth in [10, 90] {
            let sql = format!("SELECT {}1 1 1{}", open.repeat(depth), close.repeat(depth));
            assert!(
                matches!(refused(&sql).kind, ErrorKind::BadSyntax | ErrorKind::TooLarge),
                "{open} {depth}"
            );
        }
    }
}

#[test]
fn large_but_flat_is_fine() {
    let list = (0..100_000)
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    assert_eq!(
        references(&format!("SELECT * FROM orders WHERE id IN ({list})")),
        "orders"
    );
    assert_eq!(
        references(&format!(
            "SELECT * FROM orders WHERE {}id = 1",
            "id = 2 OR ".repeat(200)
        )),
        "orders"
    );
    assert_eq!(
        references(&format!("SELECT {}1{} FROM orders", "(".repeat(90), ")".repeat(90))),
        "orders"
    );
}

#[test]
fn a_recipe_may_not_follow_its_own_alias_but_may_pin_an_older_version() {
    let follows = Recipe::parse("SELECT * FROM x WHERE a IN (SELECT a FROM orders)").expect("a recipe");
    let error = follows.refuse_self_reference("orders").expect_err("follows itself");
    assert_eq!(error.kind, ErrorKind::SelfReference);
    assert!(error.hint.expect("a hint").contains("\"orders-v1\""));
    let pins = Recipe::parse("SELECT * FROM \"orders-v1\"").expect("a recipe");
    assert_eq!(pins.refuse_self_reference("orders"), Ok(()));
    let shadowed = Recipe::parse("WITH orders AS (SELECT 1 AS a) SELECT * FROM orders").expect("a recipe");
    assert_eq!(shadowed.refuse_self_reference("orders"), Ok(()));
}

#[test]
fn an_unknown_alias_lists_the_nearest() {
    let recipe = Recipe::parse("SELECT * FROM oders").expect("a recipe");
    let error = recipe.references()[0].unknown(["orders", "customers"]);
    assert_eq!(error.kind, ErrorKind::UnknownReference);
    assert_eq!(error.candidates, ["orders"]);
    assert_eq!(error.place, Some(Place { line: 1, column: 15 }));
}

#[test]
fn columns_that_need_quotes_are_found_in_the_text() {
    let columns = ["Order ID", "city", "unit-price", "Total"];
    assert_eq!(
        unquoted_columns("SELECT Order ID, unit-price FROM t", columns),
        ["\"Order ID\"", "\"unit-price\""]
    );
    assert!(unquoted_columns("SELECT \"Order ID\", city FROM t WHERE x = 'Order ID'", columns).is_empty());
    assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    assert_eq!(quoted("order"), "\"order\"");
    assert_eq!(quoted("amount"), "amount");
}
