//! A client that writes lines by hand and reads what comes back.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use candor_contract::Journal;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Long enough for a busy machine; reached only when a reply is missing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Client {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) lines: Receiver<Value>,
    pub(crate) journal: Journal,
    /// Removed when the client ends.
    pub(crate) folder: Option<TempDir>,
}

pub(crate) fn shop() -> PathBuf {
    // Tests run in `deps`; examples are built beside it.
    let mut path = env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join("shop")
}

impl Client {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut client = Self::start_at(&folder.path().join("errors.jsonl"), arguments);
        client.folder = Some(folder);
        client
    }

    pub(crate) fn start_at(journal: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(shop())
            .arg(journal)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let lines = read(child.stdout.take().unwrap());
        Self {
            child,
            input,
            lines,
            journal: Journal::at(journal),
            folder: None,
        }
    }

    /// Begins a session of a revision that has one.
    pub(crate) fn initialized(mut self) -> Self {
        let reply = self.initialize("2025-11-25");
        assert_eq!(reply["result"]["protocolVersion"], "2025-11-25");
        self
    }

    pub(crate) fn initialize(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        });
        let reply = self.ask(0, "initialize", params);
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        reply
    }

    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    pub(crate) fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
    }

    #[track_caller]
    pub(crate) fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.request(id, method, params);
        let reply = self.receive();
        assert_eq!(reply["id"], id, "{reply}");
        reply
    }

    /// The result of a call.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(1, "tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// The text of a successful call, after the rules of every success.
    #[track_caller]
    pub(crate) fn succeed(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result.get("isError"), None, "{result}");
        let text = only_text(&result);
        let parsed: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(result["structuredContent"], parsed);
        assert_eq!(result["structuredContent"].to_string(), text, "same order, compact");
        text
    }

    /// The text of a failing call, after the rules of every failure.
    #[track_caller]
    pub(crate) fn fail(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result.get("structuredContent"), None);
        only_text(&result)
    }

    #[track_caller]
    pub(crate) fn expect_error(&mut self, line: &str, code: i64, words: &str) {
        self.send(line);
        let reply = self.receive();
        assert_eq!(reply["error"]["code"], code, "{reply}");
        let message = reply["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{message}");
    }

    /// Ends the input and returns what still came.
    pub(crate) fn end(mut self) -> Vec<Value> {
        drop(self.input.take());
        let rest = self.lines.iter().collect();
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn read(output: ChildStdout) -> Receiver<Value> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let line = line.unwrap();
            let message = serde_json::from_str(&line).unwrap();
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    receiver
}

#[track_caller]
pub(crate) fn only_text(result: &Value) -> String {
    let blocks = result["content"].as_array().unwrap();
    assert_eq!(blocks.len(), 1, "{result}");
    assert_eq!(blocks[0]["type"], "text");
    blocks[0]["text"].as_str().unwrap().to_owned()
}

/// The `_meta` of a request of the revision without sessions.
pub(crate) fn stateless(mut params: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({"name": "test", "version": "0"});
    params
}
