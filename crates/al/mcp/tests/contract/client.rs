//! A server process and a project for it to work on.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use candor_contract::Journal;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Long enough for a slow machine; nothing waits for it unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page whose control repeats the page's application area in line 11, column 17: `LC0020`.
pub(crate) const PAGE: &str = "\
page 50100 \"My Page\"
{
    ApplicationArea = All;
    layout
    {
        area(Content)
        {
            field(Name; Name)
            {
                Caption = 'Name';
                ApplicationArea = All;
            }
        }
    }
}
";

/// An event publisher in an internal codeunit, in line 6, column 21: `AC0012`, for which there are two fixes.
pub(crate) const PUBLISHER: &str = "\
codeunit 50100 \"My Publisher\"
{
    Access = Internal;

    [IntegrationEvent(false, false)]
    local procedure OnAfterPost()
    begin
    end;
}
";

/// The page without the finding.
pub(crate) fn fixed_page() -> String {
    PAGE.replace("                ApplicationArea = All;\n", "")
}

/// The page with its finding suppressed in line 12, column 17.
pub(crate) fn suppressed_page() -> String {
    let line = "                ApplicationArea = All;\n";
    PAGE.replace(
        line,
        &format!("#pragma warning disable LC0020\n{line}#pragma warning restore LC0020\n"),
    )
}

/// A folder with a project and a home for the journal.
pub(crate) struct World {
    folder: TempDir,
}

/// The manifest of a project whose code, like that of all tests here, is not documented.
pub(crate) const MANIFEST: &str =
    r#"{"name": "App", "runtime": "14.0", "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]}"#;

impl World {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let world = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        world.write("app.json", MANIFEST);
        for (name, text) in files {
            world.write(name, text);
        }
        world
    }

    pub(crate) fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("app")
    }

    pub(crate) fn root_text(&self) -> String {
        self.root().display().to_string()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.root().join(name).display().to_string()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn journal(&self) -> Journal {
        Journal::at(self.home().join("al").join("errors.jsonl"))
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join("app").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.root().join(name)).unwrap()
    }

    /// A server started in the project's folder.
    pub(crate) fn server(&self) -> Client {
        self.server_with(&[])
    }

    pub(crate) fn server_with(&self, options: &[&str]) -> Client {
        Client::start(&self.root(), &self.home(), options)
    }

    /// Arguments that every fix tool takes, for the page.
    pub(crate) fn at_page(&self) -> Value {
        json!({
            "projectPath": self.root_text(),
            "filePath": self.path("page.al"),
            "diagnosticId": "LC0020",
            "line": 11,
            "column": 17
        })
    }
}

/// A server process, and what it answers.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    next_id: u64,
}

fn program() -> PathBuf {
    // Tests run in `deps`; examples are built beside it.
    let folder = env::current_exe()
        .unwrap()
        .ancestors()
        .nth(2)
        .map(Path::to_owned)
        .unwrap();
    let path = folder
        .join("examples")
        .join(format!("al_server{}", env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "run all tests of the package, which builds its examples: {}",
        path.display()
    );
    path
}

impl Client {
    fn start(folder: &Path, home: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(program())
            .args(options)
            .current_dir(folder)
            .env("CANDOR_HOME", home)
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
        assert_eq!(reply["serverInfo"]["name"], "candor-al");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// The result of a request.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}));
        let reply = self.lines.recv_timeout(PATIENCE).unwrap();
        assert_eq!(reply["id"], self.next_id, "{reply}");
        reply["result"].clone()
    }

    /// The answer of a tool, after the rules that hold for all: one text block; a success has the same as structured
    /// content, a failure has not.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let content = result["content"].as_array().unwrap();
        assert_eq!(content.len(), 1, "{result}");
        let text = content[0]["text"].as_str().unwrap();
        let answer: Value = serde_json::from_str(text).unwrap();
        assert_eq!(answer.to_string(), text, "compact");
        assert!(!text.contains(":null"), "{text}");
        let failed = result.get("isError") == Some(&json!(true));
        if failed {
            assert_eq!(result.get("structuredContent"), None);
        } else {
            assert_eq!(result.get("isError"), None);
            assert_eq!(result["structuredContent"].to_string(), text);
        }
        (answer, failed)
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

    /// The progress that a call tells, as (done, total), and its result.
    #[track_caller]
    pub(crate) fn call_with_progress(&mut self, tool: &str, arguments: &Value) -> (Vec<(f64, f64)>, Value) {
        self.next_id += 1;
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
        self.send(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": "tools/call", "params": params}));
        let mut told = Vec::new();
        loop {
            let message = self.lines.recv_timeout(PATIENCE).unwrap();
            if message["method"] == "notifications/progress" {
                assert_eq!(message["params"]["progressToken"], "p");
                let number = |name: &str| message["params"][name].as_f64().unwrap();
                told.push((number("progress"), number("total")));
            } else {
                return (told, message["result"].clone());
            }
        }
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

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Arguments with some of them replaced.
pub(crate) fn with(arguments: &Value, changes: &Value) -> Value {
    let mut arguments = arguments.clone();
    for (name, value) in changes.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    arguments
}
