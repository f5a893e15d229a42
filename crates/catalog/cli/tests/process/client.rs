//! A home for a catalog, the program in it, and a plain client of its server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use candor_contract::Journal;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Long enough for a slow machine; nothing waits for it unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const ORDERS: &str = "\
id,region,amount
1,north,10
2,south,20
3,north,30
";

/// A folder for files, and a home for the catalog.
pub(crate) struct World {
    folder: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Writes a file outside the catalog, and returns its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub(crate) fn journal(&self, project: &str) -> Journal {
        let project = self.home().join("catalog/projects").join(project);
        Journal::at(project.join("artifacts/errors.jsonl"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_candor-catalog"));
        command
            .env("CANDOR_HOME", self.home())
            .env_remove("CANDOR_PROJECT")
            .env_remove("CANDOR_AUTO_RECALC")
            .current_dir(self.folder.path());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).stdin(Stdio::null()).output().unwrap()
    }

    /// What a command that must succeed prints.
    #[track_caller]
    pub(crate) fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A server without a project.
    pub(crate) fn server(&self) -> Client {
        Client::start(self.command().arg("mcp"))
    }

    /// A server with a project `p` in which `orders` is imported.
    pub(crate) fn server_with_orders(&self) -> Client {
        let mut server = self.server();
        server.succeed("project_new", &json!({"name": "p"}));
        let path = self.file("orders.csv", ORDERS);
        server.succeed(
            "catalog_import_source",
            &json!({"outside_path": path, "alias": "orders"}),
        );
        server
    }
}

/// A server process, and what it answers.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    next_id: u64,
}

impl Client {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                // Standard output carries the protocol and nothing else.
                let message = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Self {
            child,
            input,
            lines,
            next_id: 0,
        };
        let info = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"}
        });
        let reply = client.ask("initialize", &info);
        assert_eq!(reply["serverInfo"]["name"], "candor-catalog");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request and returns its id, without waiting.
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.next_id += 1;
        let params = json!({"name": tool, "arguments": arguments});
        self.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": "tools/call", "params": params}));
        self.next_id
    }

    /// The next reply, whichever request it belongs to.
    pub(crate) fn next(&mut self) -> Value {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// The result of a request.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let reply = self.reply(method, params);
        assert!(reply.get("error").is_none(), "{reply}");
        reply["result"].clone()
    }

    #[track_caller]
    pub(crate) fn reply(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}));
        let reply = self.next();
        assert_eq!(reply["id"], self.next_id, "{reply}");
        reply
    }

    /// The answer of a tool, after the rules that hold for all: one text block; a success has the same as structured
    /// content, a failure has not.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer_of(&result)
    }

    #[track_caller]
    pub(crate) fn succeed(&mut self, tool: &str, arguments: &Value) -> Value {
        let (answer, failed) = self.call(tool, arguments);
        assert!(!failed, "{answer}");
        answer
    }

    /// The envelope of a failure, whose code and reason must be these.
    #[track_caller]
    pub(crate) fn fail(&mut self, tool: &str, arguments: &Value, code: &str, reason: Option<&str>) -> Value {
        let (answer, failed) = self.call(tool, arguments);
        assert!(failed, "{answer}");
        assert_eq!(
            (&answer["error"], answer.get("reason").and_then(Value::as_str)),
            (&json!(code), reason),
            "{answer}"
        );
        answer
    }

    /// Ends the input and waits for the process.
    pub(crate) fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }

    /// Ends the process without a warning.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[track_caller]
pub(crate) fn answer_of(result: &Value) -> (Value, bool) {
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{result}");
    let text = content[0]["text"].as_str().unwrap();
    let answer: Value = serde_json::from_str(text).unwrap();
    assert_eq!(answer.to_string(), text, "compact");
    assert!(text.len() < 60_000, "bounded");
    let failed = result.get("isError") == Some(&json!(true));
    if failed {
        assert_eq!(result.get("structuredContent"), None);
    } else {
        assert_eq!(result.get("isError"), None);
        assert_eq!(result["structuredContent"].to_string(), text);
    }
    (answer, failed)
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
