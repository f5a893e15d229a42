//! Failures that nobody asked about reach the agent.

use candor_contract::JournalDraft;
use serde_json::{Value, json};

use crate::client::{PAGE, World};

fn messages(answer: &Value) -> Vec<&str> {
    let items = answer.get("new_errors").and_then(Value::as_array);
    items
        .into_iter()
        .flatten()
        .map(|item| item["message"].as_str().unwrap())
        .collect()
}

#[test]
fn what_another_process_records_is_told_once_in_successes_and_failures() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut client = world.server();
    assert_eq!(messages(&client.succeed("analyze", &json!({}))), [""; 0]);
    let journal = world.journal();
    let draft = |message: &str| JournalDraft::new(message).code("write_failed").tool("candor-al check");
    journal
        .record(draft("the disk is full").project(world.root_text()))
        .unwrap();
    let answer = client.succeed("analyze", &json!({}));
    assert_eq!(messages(&answer), ["the disk is full"]);
    assert_eq!(
        answer.as_object().unwrap().keys().next_back().map(String::as_str),
        Some("new_errors")
    );
    assert_eq!(messages(&client.succeed("analyze", &json!({}))), [""; 0]);
    journal.record(draft("of everyone")).unwrap();
    journal
        .record(draft("of another project").project("/elsewhere"))
        .unwrap();
    let envelope = client.fail("analyze", &json!({"limit": 0}), "Invalid", None);
    assert_eq!(messages(&envelope), ["of everyone"]);
}

#[test]
fn what_is_recorded_between_two_servers_is_told_by_the_second() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut first = world.server();
    first.succeed("analyze", &json!({}));
    first.kill();
    world
        .journal()
        .record(JournalDraft::new("while nobody looked").project(world.root_text()))
        .unwrap();
    let mut second = world.server();
    assert_eq!(
        messages(&second.succeed("analyze", &json!({}))),
        ["while nobody looked"]
    );
}

#[test]
fn incidents_of_a_call_are_recorded_and_not_told_again() {
    let world = World::new(&[("page.al", PAGE)]);
    world.write("custom.ruleset.json", "{");
    let mut client = world.server();
    let answer = client.succeed("analyze", &json!({}));
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(messages(&answer), [""; 0]);
    client.succeed("analyze", &json!({}));
    let records = world.journal().list(10).unwrap();
    assert_eq!(records.len(), 1, "a broken ruleset is recorded once");
    assert_eq!(records[0].code.as_deref(), Some("invalid_json"));
    assert_eq!(records[0].tool.as_deref(), Some("analyze"));
    assert_eq!(records[0].project, Some(world.root_text()));
}
