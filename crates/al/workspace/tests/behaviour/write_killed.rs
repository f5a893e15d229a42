//! A process killed while it writes loses nothing.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use candor_al_workspace::Cancellation;
use candor_al_workspace::file_system::Disk;
use candor_al_workspace::write::{FileChange, sweep_temporary_files, write_files};

use crate::support::Tree;

/// Tells the test binary, started again, which folder to write in.
const FOLDER_VARIABLE: &str = "CANDOR_TEST_WRITE_FOLDER";
const NAMES: [&str; 3] = ["a.al", "b.al", "c.al"];

/// A text of some length that shows when a part of it is missing or from another one.
fn text(number: u64) -> String {
    format!("{number:08}").repeat(5_000)
}

/// The number of a text made by [`text`], if it is one.
fn number(content: &[u8]) -> Option<u64> {
    let content = std::str::from_utf8(content).ok()?;
    let number = content.get(..8)?.parse().ok()?;
    (content == text(number)).then_some(number)
}

/// The process to be killed. Does nothing unless the test below starts it.
#[test]
#[ignore = "started by the other test of this module"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from) else {
        return;
    };
    let paths = NAMES.map(|name| folder.join(name));
    let mut out = std::io::stdout();
    for round in 0_u64.. {
        let current = paths.each_ref().map(|path| std::fs::read(path).unwrap());
        let current = current.map(|bytes| number(&bytes).unwrap());
        let old = current.map(text);
        let new = text(current.iter().max().unwrap() + 1);
        let changes: Vec<_> = paths
            .iter()
            .zip(&old)
            .map(|(path, expected)| FileChange {
                path,
                expected,
                new_text: &new,
            })
            .collect();
        let outcome = write_files(&Disk, &changes, &Cancellation::new());
        assert!(outcome.conflicts.is_empty(), "{outcome:?}");
        if round == 0 {
            writeln!(out, "\nready").unwrap();
        }
    }
}

#[test]
fn a_killed_process_leaves_every_file_old_or_new() {
    let first = text(0);
    let tree = Tree::new(&NAMES.map(|name| (name, first.as_str())));
    for round in 0..25_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture"])
            .arg("write_killed::writes_until_it_is_killed")
            .env(FOLDER_VARIABLE, tree.root())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let is_ready = out.lines().any(|line| line.unwrap() == "ready");
        assert!(is_ready, "the writer ended by itself");
        std::thread::sleep(Duration::from_micros(round * 397));
        child.kill().unwrap();
        child.wait().unwrap();
        let numbers = NAMES.map(|name| number(&tree.read(name)).expect(name));
        let spread = numbers.iter().max().unwrap() - numbers.iter().min().unwrap();
        assert!(spread <= 1, "not of two batches: {numbers:?}");
        assert!(numbers[0] > round, "every round wrote at least one batch");
    }
    for name in tree.names() {
        let file = std::fs::File::options().write(true).open(tree.path(&name));
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        file.unwrap().set_modified(long_ago).unwrap();
    }
    sweep_temporary_files(&Disk, tree.root());
    assert_eq!(tree.names(), NAMES);
}
