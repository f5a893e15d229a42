//! What an agent does: import, look, build, revise, meet an error, recover.

use serde_json::{Value, json};

use crate::client::{ORDERS, World};

const TOTALS: &str = "SELECT region, SUM(amount) AS total FROM orders GROUP BY region ORDER BY region";

#[test]
fn an_agent_imports_builds_revises_and_looks() {
    let world = World::new();
    let mut server = world.server();
    let none = server.fail("catalog_list", &json!({}), "NotFound", Some("NoSuchProject"));
    assert!(none["message"].as_str().unwrap().contains("project_new"), "{none}");

    let made = server.succeed("project_new", &json!({"name": "shop"}));
    assert_eq!((&made["active"], &made["project"]), (&json!("shop"), &json!("shop")));

    let path = world.file("orders.csv", ORDERS);
    let import = json!({"outside_path": path, "alias": "orders"});
    let imported = server.succeed("catalog_import_source", &import);
    assert_eq!(
        (
            &imported["alias"],
            &imported["version"],
            &imported["row_count"],
            &imported["created"]
        ),
        (&json!("orders"), &json!(1), &json!(3), &json!(true))
    );
    let again = server.succeed("catalog_import_source", &import);
    assert_eq!((&again["created"], &again["hash"]), (&json!(false), &imported["hash"]));

    let created = server.succeed("catalog_create", &json!({"name": "totals", "sql": TOTALS}));
    assert_eq!((&created["alias"], &created["version"]), (&json!("totals"), &json!(1)));
    let rows = server.succeed("catalog_peek", &json!({"ref": "totals"}));
    assert_eq!(
        rows["rows"],
        json!([{"region": "north", "total": "40"}, {"region": "south", "total": "20"}])
    );

    let follower = json!({"name": "best", "sql": "SELECT region FROM totals WHERE total > 30"});
    server.succeed("catalog_create", &follower);
    let dry = server.succeed("catalog_recalc", &json!({"roots": ["orders"]}));
    assert_eq!(dry["dry_run"], json!(true));

    // A new version of the file moves everything that follows it.
    world.file("orders.csv", &format!("{ORDERS}4,south,50\n"));
    let second = server.succeed("catalog_import_source", &import);
    assert_eq!(
        (&second["version"], &second["recalc"]["status"]),
        (&json!(2), &json!("ok"))
    );
    let rows = server.succeed("catalog_peek", &json!({"ref": "best"}));
    assert_eq!(rows["rows"], json!([{"region": "north"}, {"region": "south"}]));
    let old = server.succeed("catalog_peek", &json!({"ref": "best-v1"}));
    assert_eq!(old["rows"], json!([{"region": "north"}]));

    let revised = json!({"name": "totals", "sql": TOTALS.replace("SUM", "MAX")});
    let revised = server.succeed("catalog_revise", &revised);
    assert_eq!(
        (&revised["version"], &revised["recalc"]["status"]),
        (&json!(3), &json!("ok"))
    );

    let stale = server.succeed("catalog_scan_staleness", &json!({}));
    assert_eq!(stale["stale"], json!([]));
    let list = server.succeed("catalog_list", &json!({"limit": 2}));
    assert_eq!(
        (&list["truncated"], list["items"].as_array().unwrap().len()),
        (&json!(true), 2)
    );
    server.end();

    // Another process finds all of it.
    let mut server = world.server();
    let rows = server.succeed(
        "catalog_query",
        &json!({"sql": "SELECT COUNT(*) AS n FROM \"orders-v1\""}),
    );
    assert_eq!(rows["rows"], json!([{"n": "3"}]));
}

#[test]
fn mistakes_are_answered_with_what_would_be_right() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let wrong = server.fail(
        "catalog_run",
        &json!({"sql": "SELECT * FORM orders"}),
        "Invalid",
        Some("BadQuery"),
    );
    assert_eq!(wrong["project"], json!("p"));
    let wrong = server.fail(
        "catalog_run",
        &json!({"sql": "SELECT * FROM ordrs"}),
        "NotFound",
        Some("NoSuchAlias"),
    );
    assert_eq!(wrong["candidates"], json!(["orders"]));
    assert_eq!(wrong["error_id"].as_str().unwrap().len(), 12);
    let wrong = server.fail(
        "catalog_run",
        &json!({"sql": "SELECT amunt FROM orders"}),
        "NotFound",
        Some("NoSuchColumn"),
    );
    assert!(
        wrong["candidates"].as_array().unwrap().contains(&json!("amount")),
        "{wrong}"
    );
    let wrong = server.fail(
        "catalog_peek",
        &json!({"ref": "orders-v7"}),
        "NotFound",
        Some("NoSuchVersion"),
    );
    assert_eq!(wrong["ref"], json!("orders-v7"));
    server.fail(
        "catalog_create",
        &json!({"name": "a", "sql": "SELECT * FROM a"}),
        "Invalid",
        Some("SelfReference"),
    );
    server.fail(
        "catalog_create",
        &json!({"name": "orders", "sql": "SELECT 1 AS one"}),
        "Invalid",
        Some("NameTaken"),
    );
    let wrong = server.fail("catalog_run", &json!({"code": "SELECT 1"}), "Invalid", None);
    assert!(wrong["message"].as_str().unwrap().contains("code"), "{wrong}");
    server.fail(
        "catalog_peek",
        &json!({"ref": "orders", "limit": "many"}),
        "Invalid",
        None,
    );
    // And it goes on.
    server.succeed("catalog_run", &json!({"sql": "SELECT amount FROM orders"}));
}

#[test]
fn names_are_given_changed_and_taken_away() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let built = server.succeed("catalog_run", &json!({"sql": "SELECT amount FROM orders"}));
    let named = server.succeed("catalog_alias", &json!({"hash": built["hash"], "name": "amounts"}));
    assert_eq!(named["version"], json!(1));
    server.succeed(
        "catalog_create",
        &json!({"name": "sums", "sql": "SELECT SUM(amount) AS s FROM amounts"}),
    );
    let renamed = server.succeed("catalog_rename", &json!({"old_name": "amounts", "new_name": "money"}));
    assert_eq!(
        (&renamed["old_name"], &renamed["hash"]),
        (&json!("amounts"), &built["hash"])
    );
    let gone = json!({"sql": "SELECT * FROM amounts"});
    let gone = server.fail("catalog_query", &gone, "NotFound", Some("NoSuchAlias"));
    assert_eq!(gone["candidates"], json!(["money"]));
    assert_eq!(
        server.succeed("catalog_peek", &json!({"ref": "sums"}))["rows"],
        json!([{"s": "60"}])
    );
    server.succeed("catalog_unalias", &json!({"name": "money"}));
    server.fail(
        "catalog_unalias",
        &json!({"name": "money"}),
        "NotFound",
        Some("NoSuchAlias"),
    );
}

#[test]
fn a_switch_is_told_once_with_a_warning() {
    let world = World::new();
    let mut server = world.server();
    let first = server.succeed("project_new", &json!({"name": "one"}));
    assert_eq!(first.get("warning"), None);
    let second = server.succeed("project_new", &json!({"name": "two"}));
    let warning = second["warning"].as_str().unwrap();
    assert!(warning.contains("`one`") && warning.contains("`two`"), "{warning}");
    let after = server.succeed("project_list", &json!({}));
    assert_eq!(
        (&after["project"], &after["available"], after.get("warning")),
        (&json!("two"), &json!(["one", "two"]), None)
    );
    server.fail(
        "project_switch",
        &json!({"name": "tow"}),
        "NotFound",
        Some("NoSuchProject"),
    );
}

#[test]
fn every_tool_is_listed_and_a_prompt_teaches_the_workflow() {
    let world = World::new();
    let mut server = world.server();
    let listed = server.ask("tools/list", &json!({}));
    let tools = listed["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 15);
    for tool in tools {
        assert!(tool["title"].is_string() && tool["outputSchema"].is_object(), "{tool}");
        assert_eq!(tool["annotations"].as_object().unwrap().len(), 4, "{tool}");
    }
    let prompts = server.ask("prompts/list", &json!({}));
    assert_eq!(prompts["prompts"][0]["name"], json!("explore_data"));
    let arguments = json!({"name": "explore_data", "arguments": {"question": "Who buys boots?"}});
    let prompt = server.ask("prompts/get", &arguments);
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(
        text.contains("catalog_import_source") && text.contains("Who buys boots?"),
        "{text}"
    );
    let unknown = server.reply("prompts/get", &json!({"name": "explore"}));
    assert_eq!(unknown["error"]["code"], json!(-32602), "{unknown}");
    let unknown = server.reply("tools/call", &json!({"name": "catalog_rum", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], json!(-32602), "{unknown}");
}

#[test]
fn a_wide_and_a_long_result_stay_in_bounds() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let columns: Vec<String> = (0..1_500)
        .map(|number| format!("{number} AS a_rather_long_column_name_{number}"))
        .collect();
    let sql = format!("SELECT {} FROM orders", columns.join(", "));
    let wide = server.succeed("catalog_query", &json!({"sql": sql}));
    assert_eq!(
        (&wide["truncated"], &wide["totals"]["schema.fields"]),
        (&json!(true), &json!(1_500))
    );
    let sql = "SELECT a.id FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h";
    let long = server.succeed("catalog_query", &json!({"sql": sql, "limit": 1_000}));
    assert_eq!((&long["row_count"], &long["truncated"]), (&json!(6_561), &json!(true)));
    assert!(long["rows"].as_array().is_some_and(|rows| rows.len() == 1_000));
}

#[test]
fn a_server_that_is_killed_leaves_a_catalog_that_opens() {
    let world = World::new();
    let mut server = world.server_with_orders();
    server.succeed("catalog_create", &json!({"name": "totals", "sql": TOTALS}));
    for number in 0..3 {
        let sql = TOTALS.replace("amount)", &format!("amount + {number})"));
        server.begin("catalog_revise", &json!({"name": "totals", "sql": sql}));
        server.kill();
        server = world.server();
        let list = server.succeed("catalog_list", &json!({}));
        assert_eq!(list["damaged"], json!([]));
        let rows = server.succeed("catalog_peek", &json!({"ref": "totals"}));
        assert_eq!(rows["row_count"], json!(2));
        let recovered = server.succeed("catalog_revise", &json!({"name": "totals", "sql": sql}));
        assert!(recovered["version"].as_u64().is_some_and(|version| version > number));
    }
    let heads = server.succeed("catalog_list", &json!({}));
    let heads = heads["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["is_head"] == Value::Bool(true));
    assert_eq!(heads.count(), 2);
}
