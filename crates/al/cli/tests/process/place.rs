//! A folder of its own to run the program in.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder with a few files, and a home for Candor beside it.
pub(crate) struct Place {
    folder: TempDir,
    home: TempDir,
}

/// The manifest of a project that needs nothing.
pub(crate) const MANIFEST: &str = r#"{
  "id": "0d2a5e0e-7d0c-4f6e-9c56-7c1c8f3f0b11",
  "name": "App",
  "publisher": "Candor",
  "version": "1.0.0.0",
  "runtime": "15.0",
  "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]
}
"#;

/// A table with one finding: `AC0018`, at 5:5, with a safe fix.
pub(crate) const TABLE: &str = "\
table 50100 Tool
{
    DataClassification = CustomerContent;
    // A name for the table is missing.
    Caption = '';

    fields
    {
        field(1; \"No.\"; Code[20])
        {
            Caption = 'No.';
        }
    }
}
";

/// A codeunit with one finding: `LC0095`, at 3:22, with an unsafe fix.
pub(crate) const CODEUNIT: &str = "\
codeunit 50100 Lending
{
    procedure Remind(Silent: Boolean)
    begin
    end;
}
";

impl Place {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            home: TempDir::new().unwrap(),
        }
    }

    /// A project with these files.
    pub(crate) fn project(files: &[(&str, &str)]) -> Self {
        let place = Self::empty();
        place.write("app.json", MANIFEST);
        for (path, text) in files {
            place.write(path, text);
        }
        place
    }

    /// A copy of the example app.
    pub(crate) fn example() -> Self {
        let place = Self::empty();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/al-app");
        copy_folder(&example, place.path());
        place
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The journal.
    pub(crate) fn journal(&self) -> PathBuf {
        self.home.path().join("al").join("errors.jsonl")
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.path().join(path)).unwrap()
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    /// The program, ready to run in the folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_candor-al"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env("CANDOR_HOME", self.home.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program and keeps everything.
    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the program and tells its exit code.
    pub(crate) fn exit_code(&self, arguments: &[&str]) -> i32 {
        self.output(arguments).status.code().unwrap()
    }

    /// Runs the program and tells everything it did, without what differs
    /// from run to run.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.told(&self.output(arguments))
    }

    /// The same with a standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn told(&self, output: &Output) -> String {
        let mut text = format!("exit code {}\n", output.status.code().unwrap());
        for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            if !bytes.is_empty() {
                text.extend(["-- ", name, "\n", &self.steady(&String::from_utf8_lossy(bytes))]);
            }
        }
        text
    }

    /// A text without what differs from run to run: folders and times.
    pub(crate) fn steady(&self, text: &str) -> String {
        let real = |path: &Path| fs::canonicalize(path).unwrap().display().to_string();
        let text = text
            .replace(&real(self.path()), "[folder]")
            .replace(&self.path().display().to_string(), "[folder]")
            .replace(&real(self.home.path()), "[home]")
            .replace(&self.home.path().display().to_string(), "[home]");
        without_times(&text)
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Puts `[time]` in the place of `12 ms`, `1.23 s` and the like.
fn without_times(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let number = rest[start..]
            .find(|character: char| !character.is_ascii_digit() && character != '.')
            .map_or(rest.len(), |length| start + length);
        result.push_str(&rest[..start]);
        let behind = &rest[number..];
        let unit = [" ms", " µs", " s"].into_iter().find(|unit| {
            behind
                .strip_prefix(unit)
                .is_some_and(|after| !after.starts_with(|next: char| next.is_alphanumeric()))
        });
        if let Some(unit) = unit {
            result.push_str("[time]");
            rest = &behind[unit.len()..];
        } else {
            result.push_str(&rest[start..number]);
            rest = behind;
        }
    }
    result + rest
}

#[test]
fn times_are_taken_out_and_nothing_else() {
    assert_eq!(without_times("8 files, 12 ms, 1.50 s."), "8 files, [time], [time].");
    assert_eq!(without_times("3 states, a1 sum, 7.2 MB"), "3 states, a1 sum, 7.2 MB");
}
