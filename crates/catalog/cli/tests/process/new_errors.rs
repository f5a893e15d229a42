//! Failures met elsewhere reach the agent on its next call, each once.

use std::fs;

use candor_contract::JournalDraft;
use serde_json::{Value, json};

use crate::client::{Client, World, answer_of};

fn record(world: &World, project: &str, message: &str) -> String {
    world.journal(project).record(JournalDraft::new(message)).unwrap().id
}

/// The messages of the new errors that the next reply tells.
#[track_caller]
fn told(server: &mut Client) -> Vec<String> {
    messages(&server.succeed("project_list", &json!({})))
}

fn messages(answer: &Value) -> Vec<String> {
    let items = answer["new_errors"].as_array().cloned().unwrap_or_default();
    items
        .iter()
        .map(|item| item["message"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_another_process_records_is_told_once() {
    let world = World::new();
    let mut server = world.server_with_orders();
    assert_eq!(told(&mut server), Vec::<String>::new());
    let failed = world.run(&["run", "SELECT nothing FROM orders"]);
    assert_eq!(failed.status.code(), Some(2));
    let reply = server.succeed("catalog_list", &json!({}));
    let items = reply["new_errors"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{reply}");
    assert_eq!(
        (&items[0]["tool"], &items[0]["code"]),
        (&json!("cli_run"), &json!("NoSuchColumn"))
    );
    assert_eq!(items[0].get("prompt"), None);
    assert_eq!(told(&mut server), Vec::<String>::new());
}

#[test]
fn a_failure_of_the_call_itself_is_not_repeated_to_anyone_here() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let failed = server.fail(
        "catalog_run",
        &json!({"sql": "SELECT x FROM orders"}),
        "NotFound",
        Some("NoSuchColumn"),
    );
    assert_eq!(failed.get("new_errors"), None);
    assert_eq!(told(&mut server), Vec::<String>::new());
    // Another server on the same project hears of it: it is no failure of its own.
    let mut other = world.server();
    assert_eq!(told(&mut other), Vec::<String>::new(), "it was before its start");
    server.fail(
        "catalog_run",
        &json!({"sql": "SELECT y FROM orders"}),
        "NotFound",
        Some("NoSuchColumn"),
    );
    assert_eq!(told(&mut other).len(), 1);
    assert_eq!(told(&mut server), Vec::<String>::new());
}

#[test]
fn calls_at_once_do_not_tell_one_anothers_failures() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let mut expected = Vec::new();
    for number in 0..6 {
        expected.push(server.begin(
            "catalog_run",
            &json!({"sql": format!("SELECT wrong_{number} FROM orders")}),
        ));
        expected.push(server.begin("catalog_list", &json!({})));
    }
    for _ in 0..expected.len() {
        let reply = server.next();
        let (answer, _) = answer_of(&reply["result"]);
        assert_eq!(answer.get("new_errors"), None, "{answer}");
    }
}

#[test]
fn the_failures_of_a_cascade_belong_to_the_call_that_caused_them() {
    let world = World::new();
    let mut server = world.server_with_orders();
    server.succeed(
        "catalog_create",
        &json!({"name": "plain", "sql": "SELECT id, amount FROM orders"}),
    );
    server.succeed(
        "catalog_create",
        &json!({"name": "sums", "sql": "SELECT SUM(amount) AS s FROM plain"}),
    );
    let revised = server.succeed(
        "catalog_revise",
        &json!({"name": "plain", "sql": "SELECT id FROM orders"}),
    );
    assert_eq!(revised["recalc"]["status"], json!("failed"), "{revised}");
    assert_eq!(revised.get("new_errors"), None, "{revised}");
    assert_eq!(told(&mut server), Vec::<String>::new());
    let records = world.journal("p").list(10).unwrap();
    assert_eq!(records[0].tool.as_deref(), Some("catalog_revise"));
    // Why it is stale is explained with that record.
    let stale = server.succeed("catalog_scan_staleness", &json!({}));
    let explanation = stale["orphan_stale"][0]["explanation"].as_str().unwrap();
    assert!(explanation.contains(&records[0].id), "{explanation}");
}

#[test]
fn of_thirteen_records_ten_are_shown_and_three_counted() {
    let world = World::new();
    let mut server = world.server_with_orders();
    for number in 1..=13 {
        record(&world, "p", &format!("failure {number}"));
    }
    let reply = server.succeed("catalog_list", &json!({}));
    let shown = messages(&reply);
    assert_eq!((shown.len(), &reply["new_errors_omitted"]), (10, &json!(3)));
    assert_eq!((shown[0].as_str(), shown[9].as_str()), ("failure 13", "failure 4"));
    assert_eq!(told(&mut server), Vec::<String>::new());
}

#[test]
fn lines_that_are_no_records_do_no_harm() {
    let world = World::new();
    let mut server = world.server_with_orders();
    record(&world, "p", "before");
    let path = world.journal("p").path().to_owned();
    let mut text = fs::read_to_string(&path).unwrap();
    text += "{\"torn\n[1, 2]\n";
    text += "{\"id\":\"0123456789ab\",\"message\":\"half";
    fs::write(&path, &text).unwrap();
    assert_eq!(told(&mut server), ["before"]);
    text += " and whole\"}\n";
    fs::write(&path, &text).unwrap();
    assert_eq!(told(&mut server), ["half and whole"]);
}

#[test]
fn a_journal_that_was_cleared_and_has_grown_again_is_told() {
    let world = World::new();
    let mut server = world.server_with_orders();
    record(&world, "p", "old");
    assert_eq!(told(&mut server), ["old"]);
    assert!(world.prints(&["errors", "--clear"]).contains("Removed 1"));
    for number in 0..5 {
        record(&world, "p", &format!("new {number}, longer than what was there before"));
    }
    assert_eq!(told(&mut server).len(), 5);
}

#[test]
fn what_is_recorded_between_two_servers_is_told_by_the_second() {
    let world = World::new();
    let mut server = world.server_with_orders();
    record(&world, "p", "seen");
    assert_eq!(told(&mut server), ["seen"]);
    server.kill();
    record(&world, "p", "in between");
    let mut server = world.server();
    assert_eq!(told(&mut server), ["in between"]);
}

#[test]
fn each_project_has_its_own_position() {
    let world = World::new();
    let mut server = world.server_with_orders();
    server.succeed("project_new", &json!({"name": "q"}));
    record(&world, "p", "in p");
    record(&world, "q", "in q");
    assert_eq!(told(&mut server), ["in q"]);
    let back = server.succeed("project_switch", &json!({"name": "p"}));
    assert_eq!(messages(&back), ["in p"]);
    let again = server.succeed("project_switch", &json!({"name": "q"}));
    assert_eq!(messages(&again), Vec::<String>::new());
}

#[test]
fn two_servers_on_one_project_each_tell_once() {
    let world = World::new();
    let mut one = world.server_with_orders();
    let mut two = world.server();
    assert_eq!(told(&mut two), Vec::<String>::new());
    record(&world, "p", "for both");
    for server in [&mut one, &mut two] {
        assert_eq!(told(server), ["for both"]);
        assert_eq!(told(server), Vec::<String>::new());
    }
}

#[test]
fn a_heal_that_comes_out_differently_while_a_tool_reads_is_told_with_its_name() {
    let world = World::new();
    let mut server = world.server_with_orders();
    let sql = "SELECT id, random() AS r FROM orders ORDER BY r";
    let built = server.succeed("catalog_create", &json!({"name": "dice", "sql": sql}));
    server.end();
    let hash = built["hash"].as_str().unwrap();
    let project = world.home().join("catalog/projects/p");
    let removed = remove_snapshot(&project, hash);
    assert!(
        removed,
        "the snapshot of {hash} is somewhere below {}",
        project.display()
    );
    let mut server = world.server();
    let peeked = server.succeed("catalog_peek", &json!({"ref": "dice"}));
    let heals: Vec<&Value> = peeked["new_errors"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["code"] == "unfaithful_heal")
        .collect();
    assert_eq!(heals.len(), 1, "{peeked}");
    assert_eq!(
        (&heals[0]["hash"], &heals[0]["alias"], &heals[0]["version"]),
        (&built["hash"], &json!("dice"), &json!(1))
    );
}

/// Removes the file of rows that is named by a hash, wherever it is.
fn remove_snapshot(folder: &std::path::Path, hash: &str) -> bool {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if remove_snapshot(&path, hash) {
                return true;
            }
        } else if path.file_name().unwrap().to_string_lossy() == format!("{hash}.parquet") {
            fs::remove_file(path).unwrap();
            return true;
        }
    }
    false
}
