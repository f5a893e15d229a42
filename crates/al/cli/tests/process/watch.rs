//! `--watch`: reports again whenever something changes.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::place::{CODEUNIT, MANIFEST, Place, TABLE};

/// Nothing takes so long; without it a fault would hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// A check that goes on, and its reports.
struct Watching {
    child: Child,
    reports: Receiver<Value>,
}

impl Watching {
    fn start(place: &Place, flags: &[&str]) -> Self {
        let mut arguments = vec!["check", "--watch", "--format", "json", "--select=AC0018,LC0095"];
        arguments.extend(flags);
        let mut child = place
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, reports) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let report = serde_json::from_str(&line).expect("each line is a report");
                if sender.send(report).is_err() {
                    break;
                }
            }
        });
        Self { child, reports }
    }

    /// The next report: how many findings there are, and how many files were read for it.
    fn next(&self) -> (u64, u64) {
        let report = self.reports.recv_timeout(PATIENCE).expect("a report");
        (
            report["totalCount"].as_u64().unwrap(),
            report["readCount"].as_u64().unwrap(),
        )
    }

    /// The findings of the next report.
    fn next_findings(&self) -> u64 {
        self.next().0
    }

    /// Ends it as Ctrl-C does, and tells its exit code.
    #[cfg(unix)]
    fn interrupt(mut self) -> i32 {
        let process = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &process])
                .status()
                .unwrap()
                .success()
        );
        self.child.wait().unwrap().code().expect("an exit code")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A project with two findings, written a while ago: a file that has just been written could be written again without
/// a trace, so it is read twice.
fn project() -> Place {
    let files = [("src/Tool.Table.al", TABLE), ("src/Lending.Codeunit.al", CODEUNIT)];
    let place = Place::project(&files);
    for (name, _) in files {
        let file = File::options().write(true).open(place.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    }
    place
}

#[test]
fn only_what_has_changed_is_read_again() {
    for flags in [[].as_slice(), ["--poll"].as_slice()] {
        let place = project();
        let watching = Watching::start(&place, flags);
        assert_eq!(watching.next(), (2, 2));
        place.write("src/Tool.Table.al", TABLE.replace("''", "'', Locked = true"));
        assert_eq!(watching.next(), (1, 1), "{flags:?}");
    }
}

#[test]
fn files_come_and_go_and_settings_count() {
    let place = project();
    let watching = Watching::start(&place, &["."]);
    assert_eq!(watching.next_findings(), 2);
    // What no check reads changes nothing: there is no report of it.
    place.write("notes.md", "Notes");
    place.write("src/More/Other.Table.al", TABLE);
    assert_eq!(watching.next_findings(), 3);
    fs::rename(place.path().join("src/More"), place.path().join("Elsewhere")).unwrap();
    assert_eq!(watching.next_findings(), 3);
    fs::remove_dir_all(place.path().join("Elsewhere")).unwrap();
    assert_eq!(watching.next_findings(), 2);
    // Half of a file: a syntax error more, and the finding behind it is gone.
    place.write("src/Lending.Codeunit.al", &CODEUNIT[..60]);
    assert!(watching.next_findings() >= 1);
    fs::remove_file(place.path().join("src/Lending.Codeunit.al")).unwrap();
    assert_eq!(watching.next_findings(), 1);
}

#[test]
fn a_ruleset_that_comes_is_read() {
    let place = project();
    let watching = Watching::start(&place, &["--ignore=CN0001"]);
    assert_eq!(watching.next_findings(), 2);
    drop(watching);

    let child = place
        .command(&["check", "--watch", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut child = child;
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut names_rule = || lines.next().unwrap().unwrap().contains("AC0018");
    assert!(names_rule());
    place.write("app.json", MANIFEST.replace("\"DC0003\"", "\"AC0018\", \"DC0003\""));
    assert!(!names_rule());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_the_code_of_the_last_report() {
    let place = project();
    let watching = Watching::start(&place, &[]);
    assert_eq!(watching.next_findings(), 2);
    assert_eq!(watching.interrupt(), 1);

    let watching = Watching::start(&place, &["--fail-on", "never"]);
    assert_eq!(watching.next_findings(), 2);
    assert_eq!(watching.interrupt(), 0);
}

#[test]
fn what_makes_no_sense_while_watching_is_refused() {
    let place = project();
    for flags in [
        ["--watch", "--fix"].as_slice(),
        &["--watch", "--diff"],
        &["--watch", "--format", "sarif"],
        &["--watch", "--baseline", "known.json", "--write-baseline"],
        &["--poll"],
        &["--watch", "nowhere"],
    ] {
        let arguments: Vec<_> = ["check"].iter().chain(flags).copied().collect();
        assert_eq!(place.exit_code(&arguments), 2, "{flags:?}");
    }
}
