//! The example server as a client sees it: lines in, lines out.

#![expect(clippy::unwrap_used, reason = "a helper of tests may fail as a test may")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "JSON reads best when it stands in the call"
)]

mod client;

use std::io::Write as _;
use std::time::Duration;

use candor_contract::{Journal, JournalDraft};
use serde_json::{Value, json};

use client::{Client, PATIENCE, only_text, stateless};

#[test]
fn the_server_says_who_it_is_in_every_revision_with_a_session() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::start();
        let result = client.initialize(version)["result"].clone();
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "shop");
        assert_eq!(result["serverInfo"]["version"], "1.2.3");
        assert_eq!(result["instructions"], "Ask for prices.");
        assert_eq!(
            client.succeed("price", json!({"item": "apple"})),
            r#"{"totalCents":30}"#
        );
    }
}

#[test]
fn the_revision_without_sessions_is_served() {
    let mut client = Client::start();
    let discovered = client.ask(1, "server/discover", stateless(json!({})));
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert_eq!(versions.len(), 5, "{discovered}");
    let listed = client.ask(2, "tools/list", stateless(json!({})));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 5);
    let called = client.ask(
        3,
        "tools/call",
        stateless(json!({"name": "price", "arguments": {"item": "pear"}})),
    );
    let result = &called["result"];
    assert_eq!(result["structuredContent"], json!({"totalCents": 40}));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "shop");
    let failed = client.ask(4, "tools/call", stateless(json!({"name": "price", "arguments": {}})));
    assert_eq!(failed["result"]["isError"], true);
    let unknown = client.ask(5, "tools/call", stateless(json!({"name": "prize"})));
    assert_eq!(unknown["error"]["code"], -32602);
}

#[test]
fn all_that_is_published_is_published_sorted() {
    let mut client = Client::start().initialized();
    let listed = client.ask(1, "tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["break", "complain", "price", "text", "wait"]);
    assert_eq!(
        tools[2],
        json!({
            "name": "price",
            "title": "Price",
            "description": "Returns what some items cost. `NotFound`/`NoSuchItem`: pick a candidate.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "item": {"type": "string", "description": "The name of the item."},
                    "count": {"type": "integer", "minimum": 1, "description": "How many; default 1."}
                },
                "required": ["item"],
                "additionalProperties": false
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "totalCents": {"type": "integer", "minimum": 0, "description": "In cents."},
                    "note": {"type": "string"},
                    "new_errors": {"type": "array", "description": "Failures met elsewhere since the last reply, newest first", "items": {"type": "object"}},
                    "new_errors_omitted": {"type": "integer", "minimum": 1}
                },
                "required": ["totalCents"]
            },
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
        })
    );
    assert_eq!(client.ask(2, "tools/list", json!({}))["result"], listed["result"]);
}

#[test]
fn there_is_one_page_of_tools() {
    let mut client = Client::start().initialized();
    client.expect_error(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"bogus"}}"#,
        -32602,
        "unknown cursor `bogus`",
    );
    client.expect_error(
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":7}}"#,
        -32602,
        "`cursor` must be a string, but is a number",
    );
}

#[test]
fn bad_arguments_are_invalid_and_name_the_argument() {
    let mut client = Client::start().initialized();
    for (arguments, envelope) in [
        (
            json!({}),
            r#"{"error":"Invalid","message":"Argument `item` is missing: it must be a string.","detail":"item"}"#,
        ),
        (
            json!({"item": 7}),
            r#"{"error":"Invalid","message":"Argument `item` must be a string, but is the number 7.","detail":"item"}"#,
        ),
        (
            json!({"item": "apple", "count": 0}),
            r#"{"error":"Invalid","message":"Argument `count` must be an integer of at least 1, but is the number 0.","detail":"count"}"#,
        ),
        (
            json!({"item": "apple", "counts": 2}),
            r#"{"error":"Invalid","message":"Unknown argument `counts`. Did you mean `count`? Known are `item`, `count`.","detail":"counts"}"#,
        ),
    ] {
        assert_eq!(client.fail("price", arguments), envelope);
    }
}

#[test]
fn absent_and_null_arguments_are_none() {
    let mut client = Client::start().initialized();
    for params in [json!({"name": "price"}), json!({"name": "price", "arguments": null})] {
        let reply = client.ask(1, "tools/call", params);
        assert!(only_text(&reply["result"]).contains("`item` is missing"), "{reply}");
    }
}

#[test]
fn a_whole_number_with_a_point_and_a_null_are_accepted() {
    let mut client = Client::start().initialized();
    assert_eq!(
        client.succeed("price", json!({"item": "apple", "count": 2.0})),
        r#"{"totalCents":60}"#
    );
    assert_eq!(
        client.succeed("price", json!({"item": "apple", "count": null})),
        r#"{"totalCents":30}"#
    );
}

#[test]
fn an_error_of_a_tool_is_its_envelope() {
    let mut client = Client::start().initialized();
    assert_eq!(
        client.fail("price", json!({"item": "peer"})),
        r#"{"error":"NotFound","message":"There is no item `peer`.","reason":"NoSuchItem","candidates":["pear"],"item":"peer"}"#
    );
}

#[test]
fn calls_that_do_not_fit_are_protocol_errors_that_say_what_is_wrong() {
    let mut client = Client::start().initialized();
    for (params, words) in [
        (
            r#"{"name":"prise","arguments":{}}"#,
            "Unknown tool `prise`. Did you mean `price`?",
        ),
        (r#"{"name":"xyz"}"#, "Unknown tool `xyz`. Known are `break`, `complain`"),
        (
            r#"{"name":"price","arguments":"x"}"#,
            "tools/call: `arguments` of `price` must be an object, but is a string",
        ),
        (
            r#"{"name":"price","arguments":[1]}"#,
            "tools/call: `arguments` of `price` must be an object, but is an array",
        ),
        (r#"{"arguments":{}}"#, "tools/call: `name` is missing"),
        (r#"{"name":7}"#, "tools/call: `name` must be a string, but is a number"),
        (r#""price""#, "tools/call: `params` must be an object, but is a string"),
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{params}}}"#);
        client.expect_error(&line, -32602, words);
    }
    client.expect_error(
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call"}"#,
        -32602,
        "`params` is missing",
    );
    client.expect_error(
        r#"{"jsonrpc":"2.0","id":6,"method":"tools/cal","params":{}}"#,
        -32601,
        "unknown method `tools/cal`",
    );
}

#[test]
fn lines_that_are_no_requests_are_answered_and_harm_nothing() {
    let mut client = Client::start().initialized();
    client.expect_error("hello", -32700, "not JSON");
    client.expect_error(r#"{"jsonrpc":"2.0","id":7}"#, -32600, "`method` is missing");
    client.expect_error(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, "`id`");
    client.expect_error(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, "batches");
    client.expect_error(
        &format!("{{\"x\":\"{}\"}}", "y".repeat(17 << 20)),
        -32600,
        "longer than",
    );
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/unheard_of"}"#);
    assert_eq!(client.ask(8, "ping", json!({}))["result"], json!({}));
}

#[test]
fn a_line_that_is_no_request_has_the_id_it_could_be_told_by_or_null() {
    let mut client = Client::start().initialized();
    client.send("hello");
    assert_eq!(client.receive().get("id"), Some(&Value::Null));
    client.send(r#"{"jsonrpc":"2.0","id":"a"}"#);
    assert_eq!(client.receive()["id"], "a");
}

#[test]
fn what_comes_before_the_beginning_harms_nothing() {
    let mut client = Client::start();
    client.expect_error("hello", -32700, "not JSON");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.send(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#);
    let early = client.ask(
        1,
        "tools/call",
        json!({"name": "price", "arguments": {"item": "apple"}}),
    );
    assert!(early.get("error").is_some(), "{early}");
    let mut client = client.initialized();
    assert_eq!(
        client.succeed("price", json!({"item": "apple"})),
        r#"{"totalCents":30}"#
    );
}

#[test]
fn a_panic_is_answered_and_recorded_and_the_server_goes_on() {
    let mut client = Client::start().initialized();
    let envelope: Value = serde_json::from_str(&client.fail("break", json!({}))).unwrap();
    assert_eq!(envelope["error"], "Faulted");
    assert_eq!(
        envelope["message"],
        "Tool `break` failed unexpectedly: the shelf fell. The server goes on."
    );
    assert!(envelope["detail"].as_str().unwrap().contains("shop.rs:"), "{envelope}");
    assert_eq!(envelope.get("new_errors"), None, "answered by this call");
    let record = client.journal.list(1).unwrap().remove(0);
    assert_eq!(record.message, envelope["message"].as_str().unwrap());
    assert_eq!(
        (record.code.as_deref(), record.tool.as_deref()),
        (Some("Panicked"), Some("break"))
    );
    assert!(record.traceback.unwrap().contains("shop.rs"));
    assert_eq!(
        client.succeed("price", json!({"item": "apple"})),
        r#"{"totalCents":30}"#
    );
}

#[test]
fn new_errors_come_last_with_successes_and_failures_and_only_once() {
    let mut client = Client::start().initialized();
    let journal = client.journal.clone();
    let record = |message: &str| {
        journal
            .record(JournalDraft::new(message).code("unfaithful_heal"))
            .unwrap()
    };
    let written = record("elsewhere");
    let told = |id: &str, at: &str, message: &str| {
        format!(r#"[{{"id":"{id}","created_at":"{at}","code":"unfaithful_heal","message":"{message}"}}]"#)
    };
    assert_eq!(
        client.succeed("price", json!({"item": "apple"})),
        format!(
            r#"{{"totalCents":30,"new_errors":{}}}"#,
            told(&written.id, written.created_at.as_deref().unwrap(), "elsewhere")
        )
    );
    assert_eq!(
        client.succeed("price", json!({"item": "apple"})),
        r#"{"totalCents":30}"#
    );
    let written = record("again");
    assert_eq!(
        client.fail("price", json!({"item": "x"})),
        format!(
            r#"{{"error":"NotFound","message":"There is no item `x`.","reason":"NoSuchItem","item":"x","new_errors":{}}}"#,
            told(&written.id, written.created_at.as_deref().unwrap(), "again")
        )
    );
    record("with a bad argument");
    assert!(client.fail("price", json!({})).contains("with a bad argument"));
}

#[test]
fn a_record_of_the_call_itself_is_not_told_but_one_of_another_surface_is() {
    let mut client = Client::start().initialized();
    let text = client.succeed("complain", json!({"message": "own"}));
    assert!(!text.contains("new_errors"), "{text}");
    let text = client.succeed("complain", json!({"message": "other", "surface": "browser"}));
    assert!(text.contains(r#""tool":"browser","message":"other"}]"#), "{text}");
}

#[test]
fn a_client_may_keep_its_own_position() {
    let mut client = Client::start().initialized();
    let ask = |client: &mut Client, cursor: &str| {
        let params =
            json!({"name": "price", "arguments": {"item": "apple"}, "_meta": {"candor/newErrorsCursor": cursor}});
        client.ask(1, "tools/call", params)
    };
    let first = ask(&mut client, "")["result"].clone();
    let cursor = first["_meta"]["candor/newErrorsCursor"].as_str().unwrap().to_owned();
    client.journal.record(JournalDraft::new("elsewhere")).unwrap();
    for _ in 0..2 {
        let again = ask(&mut client, &cursor)["result"].clone();
        assert_eq!(again["structuredContent"]["new_errors"][0]["message"], "elsewhere");
    }
    let refused = ask(&mut client, "bogus");
    assert_eq!(refused["error"]["code"], -32602);
}

#[test]
fn a_restarted_server_tells_what_happened_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("errors.jsonl");
    let mut first = Client::start_at(&journal, &[]).initialized();
    first.succeed("price", json!({"item": "apple"}));
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    Journal::at(&journal).record(JournalDraft::new("meanwhile")).unwrap();
    let mut second = Client::start_at(&journal, &[]).initialized();
    assert!(second.succeed("price", json!({"item": "apple"})).contains("meanwhile"));
}

#[test]
fn the_switch_turns_both_structured_halves_off() {
    let mut client = Client::start_with(&["--no-structured-content"]).initialized();
    let listed = client.ask(1, "tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        assert_eq!(tool.get("outputSchema"), None);
    }
    let result = client.call("price", json!({"item": "apple"}));
    assert_eq!(result.get("structuredContent"), None);
    assert_eq!(only_text(&result), r#"{"totalCents":30}"#);
}

#[test]
fn tools_of_another_server_are_listed_last_and_their_replies_pass_untouched() {
    let mut client = Client::start_with(&["--with-warehouse"]).initialized();
    let listed = client.ask(1, "tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["break", "complain", "price", "text", "wait", "stock"]);
    assert_eq!(tools[5], json!({"name": "stock", "inputSchema": {"type": "object"}}));
    client.journal.record(JournalDraft::new("elsewhere")).unwrap();
    assert_eq!(
        client.call("stock", json!({"of": "pears"})),
        json!({"content": [{"type": "text", "text": "asked for {\"of\":\"pears\"}"}], "isError": true})
    );
    let envelope = client.fail("stock", json!({"closed": true}));
    assert!(
        envelope.starts_with(r#"{"error":"Faulted","message":"The warehouse is closed.","new_errors":[{"#),
        "{envelope}"
    );
    client.expect_error(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stok"}}"#,
        -32602,
        "Unknown tool `stok`",
    );
}

#[test]
fn an_answer_above_the_bound_is_not_sent_but_said() {
    let mut client = Client::start().initialized();
    assert_eq!(client.succeed("text", json!({"bytes": 19_000})).len(), 19_011);
    let envelope = client.fail("text", json!({"bytes": 20_000}));
    assert!(
        envelope
            .starts_with(r#"{"error":"Faulted","message":"The answer of `text` has 20011 bytes, more than the 20000"#),
        "{envelope}"
    );
}

#[test]
fn a_slow_call_holds_up_no_other() {
    let mut client = Client::start().initialized();
    client.request(
        1,
        "tools/call",
        json!({"name": "wait", "arguments": {"milliseconds": 3000}}),
    );
    client.request(
        2,
        "tools/call",
        json!({"name": "price", "arguments": {"item": "apple"}}),
    );
    assert_eq!(client.receive()["id"], 2);
    assert_eq!(client.receive()["id"], 1);
}

#[test]
fn an_id_that_is_in_use_is_refused_and_free_again_after_the_reply() {
    let mut client = Client::start().initialized();
    let wait = json!({"name": "wait", "arguments": {"milliseconds": 1000}});
    client.request(1, "tools/call", wait.clone());
    client.request(1, "tools/call", wait);
    let refused = client.receive();
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert_eq!(refused["id"], 1);
    assert!(client.receive().get("result").is_some());
    assert_eq!(
        client.succeed("price", json!({"item": "apple"})),
        r#"{"totalCents":30}"#
    );
}

#[test]
fn many_calls_at_once_are_all_answered() {
    let mut client = Client::start().initialized();
    for id in 1..=200 {
        client.request(
            id,
            "tools/call",
            json!({"name": "price", "arguments": {"item": "apple", "count": id}}),
        );
    }
    let mut seen = vec![false; 201];
    for _ in 0..200 {
        let reply = client.receive();
        let id = reply["id"].as_u64().unwrap();
        assert_eq!(reply["result"]["structuredContent"]["totalCents"], 30 * id);
        assert!(!std::mem::replace(&mut seen[usize::try_from(id).unwrap()], true));
    }
}

#[test]
fn progress_comes_before_the_reply_and_grows() {
    let mut client = Client::start().initialized();
    client.request(
        1,
        "tools/call",
        json!({"name": "wait", "arguments": {"milliseconds": 60}, "_meta": {"progressToken": "p"}}),
    );
    let mut done = Vec::new();
    let reply = loop {
        let message = client.receive();
        if message.get("id").is_some() {
            break message;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p");
        assert_eq!(message["params"]["message"], "waiting");
        done.push(message["params"]["progress"].as_f64().unwrap());
    };
    let steps = reply["result"]["structuredContent"]["steps"].as_f64().unwrap();
    assert_eq!(done.last(), Some(&steps));
    assert!(done.is_sorted_by(|left, right| left < right), "{done:?}");
}

#[test]
fn a_cancelled_call_stops_unanswered_and_takes_no_records_with_it() {
    let mut client = Client::start().initialized();
    client.request(
        1,
        "tools/call",
        json!({"name": "wait", "arguments": {"milliseconds": 60_000}}),
    );
    client.journal.record(JournalDraft::new("elsewhere")).unwrap();
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}"#);
    let begun = std::time::Instant::now();
    while client.journal.list(1).unwrap()[0].message != "stopped waiting" {
        assert!(begun.elapsed() < PATIENCE, "the handler did not notice");
        std::thread::sleep(Duration::from_millis(5));
    }
    let reply = client.ask(
        2,
        "tools/call",
        json!({"name": "price", "arguments": {"item": "apple"}}),
    );
    let told: Vec<&Value> = reply["result"]["structuredContent"]["new_errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["message"])
        .collect();
    assert_eq!(told, ["stopped waiting", "elsewhere"]);
    assert!(client.end().is_empty(), "no reply to the cancelled call");
}

#[test]
fn calls_in_flight_are_answered_after_the_input_has_ended() {
    let mut client = Client::start().initialized();
    // Longer than the library itself would wait.
    client.request(
        1,
        "tools/call",
        json!({"name": "wait", "arguments": {"milliseconds": 6000}}),
    );
    client.request(
        2,
        "tools/call",
        json!({"name": "price", "arguments": {"item": "apple"}}),
    );
    client.send("hello");
    let mut ids: Vec<Value> = client.end().iter().map(|reply| reply["id"].clone()).collect();
    ids.sort_by_key(|id| id.as_u64().unwrap_or_default());
    assert_eq!(ids, [json!(null), json!(1), json!(2)]);
}

#[test]
fn a_last_line_without_an_end_is_answered_too() {
    let mut client = Client::start().initialized();
    let input = client.input.as_mut().unwrap();
    input.write_all(br#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#).unwrap();
    let replies = client.end();
    assert_eq!(replies.len(), 1, "{replies:?}");
    assert_eq!((&replies[0]["id"], &replies[0]["result"]), (&json!(3), &json!({})));
}

#[test]
fn a_client_that_leaves_without_a_word_is_no_failure() {
    assert!(Client::start().end().is_empty());
}
