use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::*;

/// A server that says what it was told to say.
struct Script {
    sent: Rc<RefCell<Vec<String>>>,
    incoming: VecDeque<Incoming>,
}

impl Transport for Script {
    fn send(&mut self, message: &Outgoing) {
        self.sent.borrow_mut().push(message.text.clone());
    }

    fn receive(&mut self, _deadline: Instant) -> Option<Incoming> {
        self.incoming.pop_front()
    }

    fn hears_notifications(&self) -> bool {
        true
    }

    fn replied(&mut self) {}

    fn stderr_tail(&self) -> String {
        String::new()
    }

    fn close(&mut self) -> Closing {
        Closing::Gracefully
    }

    fn abort(&mut self) {}
}

fn message(line: &str) -> Incoming {
    Incoming::Message {
        text: line.as_bytes().to_vec(),
        to: None,
    }
}

pub(crate) fn session(lines: &[&str]) -> (Session, Rc<RefCell<Vec<String>>>) {
    let sent = Rc::new(RefCell::new(Vec::new()));
    let script = Script {
        sent: Rc::clone(&sent),
        incoming: lines.iter().map(|line| message(line)).collect(),
    };
    (Session::new(Box::new(script)), sent)
}

const TIME: Duration = Duration::from_secs(5);

#[test]
fn a_reply_is_found_among_what_nobody_asked_for() {
    let (mut session, sent) = session(&[
        "Starting…",
        "",
        "7",
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":"s1","method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":"s2","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"ok":true}}"#,
    ]);
    let answer = session.request("tools/list", json!({}), TIME);
    assert_eq!(answer, Ok(Answer::Result(json!({"ok": true}))));

    let observed = session.observed();
    assert_eq!(observed.noise.first, ["Starting…"]);
    assert_eq!(observed.strangers.first, ["7"]);
    assert_eq!(observed.unknown_ids.first, ["99"]);
    assert_eq!(observed.notifications["notifications/message"], 1);
    assert_eq!(observed.requests["roots/list"], 1);
    // Even a server that asks in vain gets an answer.
    let replies = &sent.borrow()[1..];
    assert!(
        replies[0].contains("-32601") && replies[0].contains("\"s1\""),
        "{replies:?}"
    );
    assert_eq!(replies[1], r#"{"jsonrpc":"2.0","id":"s2","result":{}}"#);
}

#[test]
fn errors_come_with_code_and_message() {
    let (mut session, _) = session(&[r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":[1]}}"#]);
    let error = RpcError {
        code: -32602,
        message: "no".to_owned(),
        data: Some(json!([1])),
    };
    assert_eq!(session.request("x", json!({}), TIME), Ok(Answer::Error(error)));
}

#[test]
fn ids_that_change_their_type_are_noticed() {
    let (mut session, _) = session(&[r#"{"jsonrpc":"2.0","id":"1","result":{}}"#]);
    assert_eq!(session.request("x", json!({}), TIME), Ok(Answer::Result(json!({}))));
    assert_eq!(session.observed().retyped_ids.first, ["1"]);
}

#[test]
fn late_and_second_replies_are_told_apart() {
    let (mut session, _) = session(&[]);
    assert_eq!(session.request("x", json!({}), TIME), Err(Silence::TimedOut(TIME)));
    session.transport = Box::new(Script {
        sent: Rc::default(),
        incoming: [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
        ]
        .iter()
        .map(|line| message(line))
        .collect(),
    });
    assert!(session.request("y", json!({}), TIME).is_ok());
    assert_eq!(session.observed().late, 1);
    assert_eq!(session.observed().repeated.first, ["1"]);
    assert_eq!(session.observed().unknown_ids.count, 0);
}

#[test]
fn a_message_that_cannot_be_read_is_answered_without_an_id() {
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}"#;
    let (mut asked, _) = session(&[error]);
    asked.send_text("no json", None, None);
    assert!(asked.wait_nameless(TIME).is_ok());

    // Nobody asked for this one.
    let (mut unasked, _) = session(&[error]);
    unasked.listen(TIME);
    assert_eq!(unasked.observed().unknown_ids.first, ["null"]);
}

#[test]
fn requests_of_the_newest_revision_carry_their_metadata() {
    let (mut session, sent) = session(&[]);
    session.speak(Revision::July2026);
    session.send_request("tools/list", json!({"cursor": "a"}));
    let message: Value = serde_json::from_str(&sent.borrow()[0]).unwrap();
    assert_eq!(message["params"]["cursor"], "a");
    assert_eq!(
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"],
        "2026-07-28"
    );
}

#[test]
fn json_that_is_nested_too_deep_is_json_all_the_same() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let (mut session, _) = session(&[&deep, "[1"]);
    session.listen(TIME);
    assert_eq!(session.observed().too_deep, 1);
    assert_eq!(session.observed().noise.first, ["[1"]);
}
