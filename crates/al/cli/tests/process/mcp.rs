//! `candor-al mcp`: the server answers, and nothing else is on its output.

use serde_json::{Value, json};

use crate::place::{Place, TABLE};

#[test]
fn a_session_over_standard_input_and_output() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}
        }}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "analyze", "arguments": {}}}),
    ];
    let input = messages.map(|message| message.to_string() + "\n").concat();
    let output = place.run_with_input(&["mcp"], &input);
    assert_eq!(output.status.code(), Some(0));

    let mut answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is a message"))
        .collect();
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "candor-al");
    let tools = answers[1]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["analyze", "apply_fix", "apply_fix_all", "get_fixes", "list_rules"]
    );
    assert_eq!(
        answers[2]["result"]["structuredContent"]["diagnostics"][0]["id"],
        "AC0018"
    );
}
