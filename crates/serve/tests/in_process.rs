//! Servers called without a transport: what handlers and replies may rely on.

#![expect(clippy::unnecessary_wraps, reason = "handlers return results")]

use std::sync::Arc;

use candor_contract::{Envelope, Hints, Journal, JournalDraft, Reporter, ReporterOptions, Tool, check_policy};
use candor_serve::{CallContext, Forward, ForwardedCall, Server, ServerInfo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const READS: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
struct Answer {
    name: Option<String>,
    parts: Vec<Part>,
}

#[derive(Serialize, JsonSchema)]
struct Part {
    place: Option<u32>,
}

fn server() -> Server {
    Server::new(ServerInfo {
        name: "test".into(),
        title: None,
        version: "0".into(),
        instructions: None,
    })
}

fn tool<Output: JsonSchema>(name: &str) -> Tool<Nothing, Output> {
    Tool::new(name, "Title", "Description.", READS)
}

fn answer(_: Nothing, _: &CallContext) -> Result<Answer, Envelope> {
    Ok(Answer {
        name: None,
        parts: vec![Part { place: Some(1) }, Part { place: None }],
    })
}

#[test]
fn no_null_is_sent_at_any_depth() {
    let server = server().tool(tool("answer"), answer);
    let (reply, is_error) = server.call("answer", Map::new());
    assert_eq!(Value::Object(reply), json!({"parts": [{"place": 1}, {}]}));
    assert!(!is_error);
}

#[test]
fn a_reply_fits_the_schema_that_is_published_for_it() {
    let server = server().tool(tool("answer"), answer);
    let description = server.descriptions().next().unwrap();
    assert_eq!(check_policy(description), []);
    assert_eq!(description.output_schema()["required"], json!(["parts"]));
    let part = &description.output_schema()["properties"]["parts"]["items"];
    assert_eq!(part.get("required"), None);
}

#[test]
fn an_answer_that_is_no_object_is_a_fault() {
    let server = server().tool(tool("list"), |_: Nothing, _: &CallContext| {
        Ok::<_, Envelope>(vec![1, 2])
    });
    let (reply, is_error) = server.call("list", Map::new());
    assert_eq!((reply["error"].as_str(), is_error), (Some("Faulted"), true));
}

#[test]
#[should_panic(expected = "two tools are called `answer`")]
fn two_tools_of_one_name_are_refused() {
    let _ = server().tool(tool("answer"), answer).tool(tool("answer"), answer);
}

#[test]
fn the_journal_may_change_during_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let reporter = |name: &str| {
        let journal = Journal::at(folder.path().join(name));
        Arc::new(Reporter::start(journal, ReporterOptions::new()))
    };
    let reporters = [reporter("first.jsonl"), reporter("second.jsonl")];
    let current = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let (source, switch) = (Arc::clone(&current), Arc::clone(&current));
    let (first, second) = (reporters[0].journal().clone(), reporters[1].journal().clone());
    let server = server()
        .reporter_from(move || {
            let index = source.load(std::sync::atomic::Ordering::Relaxed);
            Some(Arc::clone(&reporters[index]))
        })
        .tool(tool("answer"), answer)
        .tool(tool("switch"), move |_: Nothing, _: &CallContext| {
            switch.store(1, std::sync::atomic::Ordering::Relaxed);
            Ok::<_, Envelope>(Part { place: None })
        });
    let told = |tool: &str| {
        let (reply, _) = server.call(tool, Map::new());
        reply.get("new_errors").map(|errors| errors[0]["message"].clone())
    };
    first.record(JournalDraft::new("in the first")).unwrap();
    second.record(JournalDraft::new("in the second")).unwrap();
    assert_eq!(told("answer"), Some("in the first".into()));
    assert_eq!(told("switch"), Some("in the second".into()));
    assert_eq!(told("answer"), None);
}

#[test]
fn a_journal_that_cannot_be_read_does_not_fail_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("errors.jsonl");
    std::fs::create_dir(&path).unwrap();
    let reporter = Reporter::start(Journal::at(path), ReporterOptions::new());
    let server = server().reporter(Arc::new(reporter)).tool(tool("answer"), answer).tool(
        tool("break"),
        |_: Nothing, _: &CallContext| -> Result<Answer, Envelope> { panic!("and it cannot even be recorded") },
    );
    let (reply, is_error) = server.call("answer", Map::new());
    assert_eq!((reply.contains_key("parts"), is_error), (true, false));
    let (reply, is_error) = server.call("break", Map::new());
    assert_eq!((reply["error"].as_str(), is_error), (Some("Faulted"), true));
}

/// Another server with one tool of its own and one whose name is taken.
struct Other;

impl Forward for Other {
    fn tools(&self) -> Vec<Value> {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        vec![tool("far"), tool("answer"), json!("no tool")]
    }

    fn call(&self, call: &ForwardedCall, _: &CallContext) -> Result<Value, Envelope> {
        match call.arguments.get("down") {
            Some(_) => Err(Envelope::faulted("The other server is gone.", None)),
            None => Ok(json!({"content": [{"type": "text", "text": call.name}], "isError": true})),
        }
    }
}

#[test]
fn forwarded_tools_stand_behind_own_ones_and_do_not_replace_them() {
    let server = server().tool(tool("answer"), answer).forward(Arc::new(Other));
    let (reply, _) = server.call("answer", Map::new());
    assert!(reply.contains_key("parts"));
    assert_eq!(server.descriptions().count(), 1);
}

#[test]
fn cursors_work_without_a_transport() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::at(folder.path().join("errors.jsonl"));
    let reporter = Reporter::start(journal.clone(), ReporterOptions::new());
    let server = server().reporter(Arc::new(reporter)).tool(tool("answer"), answer);
    let (_, _, cursor) = server.call_with_cursor("answer", Map::new(), None);
    journal.record(JournalDraft::new("elsewhere")).unwrap();
    let (reply, _, _) = server.call_with_cursor("answer", Map::new(), cursor);
    assert_eq!(reply["new_errors"][0]["message"], "elsewhere");
}

#[test]
fn tags_go_to_every_reply_and_a_panic_in_them_takes_nothing_away() {
    let tagged = |tag: fn(&mut Map<String, Value>)| server().tool(tool("t"), answer).tags(tag);
    let project: fn(&mut Map<String, Value>) = |members| {
        members.insert("project".into(), "p".into());
    };
    let (success, is_error) = tagged(project).call("t", Map::new());
    assert!(!is_error);
    assert_eq!(success["project"], "p");
    let (failure, is_error) = tagged(project).call("t", Map::from_iter([("unknown".to_owned(), json!(1))]));
    assert!(is_error);
    assert_eq!(failure["project"], "p");
    let (success, is_error) = tagged(|_| panic!("as planned")).call("t", Map::new());
    assert!(!is_error && success.contains_key("parts"));
}
