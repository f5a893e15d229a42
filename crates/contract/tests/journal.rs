//! The file of failures, alone and shared by processes.

#![expect(clippy::unwrap_used, reason = "a helper of tests may fail as a test may")]

use std::env;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use candor_contract::{Journal, JournalDraft, JournalRecord, OwnRecords, Reporter, ReporterOptions};
use serde_json::Map;

fn messages(records: &[JournalRecord]) -> Vec<&str> {
    records.iter().map(|record| record.message.as_str()).collect()
}

#[test]
fn records_are_listed_newest_first_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::at(folder.path().join("al/errors.jsonl"));
    assert!(journal.list(10).unwrap().is_empty());
    for message in ["one", "two", "three"] {
        journal.record(JournalDraft::new(message)).unwrap();
    }
    assert_eq!(messages(&journal.list(2).unwrap()), ["three", "two"]);
    assert_eq!(messages(&journal.list(10).unwrap()), ["three", "two", "one"]);
    assert!(journal.list(0).unwrap().is_empty());
}

#[test]
fn clearing_says_how_many_lines_there_were() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::at(folder.path().join("errors.jsonl"));
    assert_eq!(journal.clear().unwrap(), 0);
    journal.record(JournalDraft::new("one")).unwrap();
    let mut text = fs::read_to_string(journal.path()).unwrap();
    text.push_str("\n[1,2]\n  \ntorn");
    fs::write(journal.path(), text).unwrap();
    assert_eq!(journal.clear().unwrap(), 3);
    assert!(!journal.path().exists());
    assert_eq!(journal.clear().unwrap(), 0);
}

#[test]
fn a_record_is_one_line_whatever_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::at(folder.path().join("errors.jsonl"));
    let message = "two\nlines, \"quotes\", \u{2028} and \u{1f600}";
    let written = journal.record(JournalDraft::new(message)).unwrap();
    let text = fs::read_to_string(journal.path()).unwrap();
    assert_eq!(text.matches('\n').count(), 1);
    assert_eq!(journal.list(1).unwrap(), [written]);
}

const ROLE: &str = "CANDOR_TEST_ROLE";
const PLACE: &str = "CANDOR_TEST_JOURNAL";

/// Starts this test program as another process.
fn start(role: &str, journal: &Journal) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "another_process", "--ignored", "--nocapture"])
        .env(ROLE, role)
        .env(PLACE, journal.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_for(condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "started by the other tests as a process of its own"]
fn another_process() {
    let (Ok(role), Some(place)) = (env::var(ROLE), env::var_os(PLACE)) else {
        return;
    };
    let journal = Journal::at(place);
    match role.as_str() {
        "writer" => {
            for number in 0..200 {
                let message = format!("{number} {}", "x".repeat(number * 50));
                journal.record(JournalDraft::new(message)).unwrap();
            }
        }
        "server" => {
            let reporter = Reporter::start(journal.clone(), ReporterOptions::new());
            let own = OwnRecords::default();
            journal.record(JournalDraft::new("told by the first")).unwrap();
            let report = reporter.report(&own, &Map::new()).unwrap();
            assert_eq!(report.items.len(), 1);
            journal
                .record(JournalDraft::new("ready to die").tool("signal"))
                .unwrap();
            std::thread::sleep(Duration::from_secs(120));
        }
        other => panic!("no role is called {other}"),
    }
}

#[test]
fn processes_that_append_at_once_do_not_tear_lines() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::at(folder.path().join("errors.jsonl"));
    let reporter = Reporter::start(journal.clone(), ReporterOptions::new());
    let own = OwnRecords::default();
    let mut writers = [start("writer", &journal), start("writer", &journal)];
    let mut told = 0;
    let mut report = || {
        let report = reporter.report(&own, &Map::new()).unwrap();
        told += report.items.len() + report.omitted;
    };
    while writers.iter_mut().any(|writer| writer.try_wait().unwrap().is_none()) {
        report();
    }
    report();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    assert_eq!(told, 400, "each record once, while they were written");
    assert_eq!(journal.list(1000).unwrap().len(), 400);
    assert_eq!(fs::read_to_string(journal.path()).unwrap().lines().count(), 400);
}

#[test]
fn a_server_that_was_killed_leaves_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::at(folder.path().join("errors.jsonl"));
    let mut first = start("server", &journal);
    wait_for(|| {
        journal
            .list(1)
            .unwrap()
            .iter()
            .any(|record| record.tool.as_deref() == Some("signal"))
    });

    let peer = Reporter::start(journal.clone(), ReporterOptions::new());
    let own = OwnRecords::default();
    journal.record(JournalDraft::new("after its last reply")).unwrap();
    let report = peer.report(&own, &Map::new()).unwrap();
    assert_eq!(report.items.len(), 1, "a living server's position is its own");

    first.kill().unwrap();
    first.wait().unwrap();
    journal.record(JournalDraft::new("while it was dead")).unwrap();
    let second = Reporter::start(journal.clone(), ReporterOptions::new());
    journal.record(JournalDraft::new("before the first call")).unwrap();
    let report = second.report(&own, &Map::new()).unwrap();
    let told: Vec<&str> = report
        .items
        .iter()
        .filter_map(|item| item["message"].as_str())
        .collect();
    assert_eq!(
        told,
        [
            "before the first call",
            "while it was dead",
            "after its last reply",
            "ready to die"
        ]
    );
}
