//! The program as it is used: real processes, real exit codes.

#![expect(clippy::unwrap_used, reason = "a helper of tests may fail as a test may")]

mod checking;
mod explaining;
mod pinning;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// `candor`, to be given arguments.
fn candor() -> Command {
    Command::new(env!("CARGO_BIN_EXE_candor"))
}

/// A server that misbehaves in the manner its argument names.
fn stand_in() -> PathBuf {
    // Tests run in `deps`; examples are built beside it.
    let mut path = env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join("stand_in")
}

/// Runs a command of `candor` with options on a stand-in.
fn on_stand_in(command: &str, options: &[&str], manner: &str) -> Ended {
    let mut process = candor();
    process.arg(command).args(options).arg("--").arg(stand_in()).arg(manner);
    Ended::of(&process.output().unwrap())
}

/// How a run ended.
#[derive(Debug)]
struct Ended {
    code: i32,
    out: String,
    errors: String,
}

impl Ended {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            code: output.status.code().unwrap(),
            out: text(&output.stdout),
            errors: text(&output.stderr),
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The names of the checks that found something, each once, in order.
    fn found(&self) -> Vec<String> {
        let mut names: Vec<String> = self.json()["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["name"].as_str().unwrap().to_owned())
            .collect();
        names.dedup();
        names
    }
}

/// No process of this manner is left over, wherever it came from.
#[cfg(target_os = "linux")]
fn assert_none_left(marker: &str) {
    let processes = std::fs::read_dir("/proc").unwrap();
    for process in processes.filter_map(Result::ok) {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        assert!(!line.contains(marker), "still there: {line}");
    }
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}
