//! Recipes that mean harm, through the real server: each is answered, nothing else happens.

use std::fs;

use serde_json::json;

use crate::client::World;

#[test]
fn nothing_but_one_query_over_aliases_is_run() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let secret = world.file("secret.csv", "word\nhidden\n");
    let target = world.home().join("stolen.csv");
    for sql in [
        format!("SELECT * FROM '{secret}'"),
        format!("SELECT * FROM \"{secret}\""),
        format!("SELECT * FROM read_csv('{secret}')"),
        format!("COPY (SELECT * FROM orders) TO '{}'", target.display()),
        format!("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{secret}'"),
        "SET datafusion.execution.target_partitions = 8".into(),
        "SELECT 1 AS a; SELECT 2 AS b".into(),
        "DROP TABLE orders".into(),
        "INSERT INTO orders VALUES (1, 'x', 2)".into(),
        "EXPLAIN SELECT * FROM orders".into(),
        "SELECT * FROM information_schema.tables".into(),
        String::new(),
        ";".into(),
        "SELECT".into(),
        "\u{0}SELECT * FROM orders".into(),
        format!("SELECT {}1{} AS x", "(".repeat(10_000), ")".repeat(10_000)),
        format!("SELECT '{}' AS x", "a".repeat(1 << 20)),
    ] {
        for tool in ["catalog_run", "catalog_query"] {
            let (answer, failed) = server.call(tool, &json!({"sql": sql}));
            let start: String = sql.chars().take(60).collect();
            assert!(failed, "{tool} {start}: {answer}");
            assert_ne!(answer["error"], json!("Faulted"), "{tool} {start}: {answer}");
            assert!(!answer.to_string().contains("hidden"), "{tool} {start}: {answer}");
        }
    }
    assert!(!target.exists());
    let entries = server.succeed("catalog_list", &json!({}));
    assert_eq!(entries["total"], json!(1), "nothing was built");
    server.succeed("catalog_query", &json!({"sql": "SELECT * FROM orders"}));
}

#[test]
fn names_lead_nowhere_else() {
    let world = World::new();
    let mut server = world.server_with_orders();
    for name in [
        "../x",
        "a/b",
        "a\\b",
        "..",
        "",
        "größe",
        "orders-v2",
        "A",
        "con\u{0}",
        &"a".repeat(500),
    ] {
        let arguments = json!({"name": name, "sql": "SELECT 1 AS one"});
        server.fail("catalog_create", &arguments, "Invalid", Some("BadName"));
        let path = world.file("more.csv", "a\n1\n");
        let arguments = json!({"outside_path": path, "alias": name});
        server.fail("catalog_import_source", &arguments, "Invalid", Some("BadName"));
    }
    for name in ["../x", "a/b", "..", "", "größe", "A"] {
        server.fail("project_new", &json!({"name": name}), "Invalid", Some("BadName"));
    }
    for path in ["/", "/nowhere/at/all.csv", "relative.csv", ""] {
        let (answer, failed) = server.call("catalog_import_source", &json!({"outside_path": path, "alias": "x"}));
        assert!(failed, "{answer}");
    }
    let projects = fs::read_dir(world.home().join("catalog/projects")).unwrap().count();
    assert_eq!(projects, 1);
}
