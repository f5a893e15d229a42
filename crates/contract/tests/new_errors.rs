//! What replies say about failures that nobody asked about.

#![expect(clippy::unwrap_used, reason = "a helper of tests may fail as a test may")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use candor_contract::{
    CallScope, Journal, JournalDraft, NewErrors, OwnRecords, RecordFilter, Reporter, ReporterOptions,
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

struct Fixture {
    folder: TempDir,
    journal: Journal,
    own: OwnRecords,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::at(folder.path().join("errors.jsonl"));
        Self {
            folder,
            journal,
            own: OwnRecords::default(),
        }
    }

    fn reporter(&self) -> Reporter {
        self.reporter_with(ReporterOptions::new())
    }

    fn reporter_with(&self, options: ReporterOptions) -> Reporter {
        Reporter::start(self.journal.clone(), options)
    }

    fn path(&self) -> PathBuf {
        self.journal.path().to_owned()
    }

    fn record(&self, message: &str) -> String {
        self.journal.record(JournalDraft::new(message)).unwrap().id
    }

    /// Writes bytes as they are, as another program would.
    fn write(&self, text: impl AsRef<[u8]>) {
        let mut file = OpenOptions::new().create(true).append(true).open(self.path()).unwrap();
        file.write_all(text.as_ref()).unwrap();
    }

    fn report(&self, reporter: &Reporter) -> NewErrors {
        reporter.report(&self.own, &Map::new()).unwrap()
    }

    /// The messages of the next report, newest first.
    #[track_caller]
    fn expect(&self, reporter: &Reporter, messages: &[&str]) {
        assert_eq!(told(&self.report(reporter)), messages);
    }
}

fn told(report: &NewErrors) -> Vec<&str> {
    report
        .items
        .iter()
        .filter_map(|item| item["message"].as_str())
        .collect()
}

fn object(mut value: Value) -> Map<String, Value> {
    std::mem::take(value.as_object_mut().unwrap())
}

#[test]
fn a_record_is_told_once_newest_first() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.record("first");
    fixture.record("second");
    fixture.expect(&reporter, &["second", "first"]);
    fixture.expect(&reporter, &[]);
    fixture.record("third");
    fixture.expect(&reporter, &["third"]);
}

#[test]
fn nothing_new_adds_nothing_to_a_reply() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    let mut reply = object(json!({"answer": 42}));
    fixture.report(&reporter).add_to(&mut reply);
    assert_eq!(Value::Object(reply), json!({"answer": 42}));
}

#[test]
fn the_two_members_come_last() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    for number in 0..13 {
        fixture.record(&number.to_string());
    }
    let mut reply = object(json!({"z": 1, "a": 2}));
    fixture.report(&reporter).add_to(&mut reply);
    let names: Vec<&str> = reply.keys().map(String::as_str).collect();
    assert_eq!(names, ["z", "a", "new_errors", "new_errors_omitted"]);
    assert_eq!(reply["new_errors_omitted"], 3);
}

#[test]
fn what_was_recorded_before_the_start_is_not_told() {
    let fixture = Fixture::new();
    fixture.record("before");
    std::thread::sleep(Duration::from_millis(2));
    let reporter = fixture.reporter();
    fixture.record("after");
    fixture.expect(&reporter, &["after"]);
}

#[test]
fn what_was_recorded_while_the_process_started_is_told() {
    let fixture = Fixture::new();
    fixture.write("{\"id\":\"a\",\"created_at\":\"2000-01-01T00:00:00+00:00\",\"message\":\"long ago\"}\n");
    let started = SystemTime::now();
    fixture.record("while starting");
    let reporter = fixture.reporter_with(ReporterOptions::new().started_at(started));
    fixture.record("after");
    fixture.expect(&reporter, &["after", "while starting"]);
}

#[test]
fn an_old_record_that_appears_before_the_first_call_is_not_told() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.write("{\"id\":\"a\",\"created_at\":\"2000-01-01T00:00:00+00:00\",\"message\":\"long ago\"}\n");
    fixture.record("fresh");
    fixture.expect(&reporter, &["fresh"]);
}

#[test]
fn a_clock_is_not_asked_after_the_first_call() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.record("fresh");
    fixture.expect(&reporter, &["fresh"]);
    fixture.write("{\"id\":\"a\",\"created_at\":\"2000-01-01T00:00:00+00:00\",\"message\":\"skewed\"}\n");
    fixture.expect(&reporter, &["skewed"]);
}

#[test]
fn a_long_journal_is_not_read_whole_at_the_start() {
    let fixture = Fixture::new();
    for _ in 0..20 {
        fixture.write(format!("{{\"id\":\"a\",\"message\":\"{}\"}}\n", "x".repeat(30_000)));
    }
    let started = SystemTime::now();
    fixture.record("while starting");
    let reporter = fixture.reporter_with(ReporterOptions::new().started_at(started));
    fixture.expect(&reporter, &["while starting"]);
}

#[test]
fn an_item_is_compact_and_keeps_its_order() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter_with(ReporterOptions::new().decoration(|record| {
        object(json!({"alias": record.hash.as_deref().map(|hash| format!("alias of {hash}")), "version": null}))
    }));
    let draft = JournalDraft::new("m".repeat(2000))
        .code("unfaithful_heal")
        .tool("catalog_peek")
        .hash("abc")
        .project("/p")
        .file_path("/p/a.al")
        .position(3, 7)
        .prompt("please")
        .traceback("deep");
    let record = fixture.journal.record(draft).unwrap();
    let report = fixture.report(&reporter);
    let expected = json!({
        "id": record.id, "created_at": record.created_at, "code": "unfaithful_heal", "hash": "abc",
        "alias": "alias of abc", "tool": "catalog_peek", "message": "m".repeat(300) + "…",
        "project": "/p", "filePath": "/p/a.al", "line": 3, "column": 7,
    });
    assert_eq!(Value::Object(report.items[0].clone()).to_string(), expected.to_string());
}

#[test]
fn a_recipe_is_no_code() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    for code in ["SELECT 1", "", "from x import y"] {
        fixture.journal.record(JournalDraft::new("m").code(code)).unwrap();
    }
    let report = fixture.report(&reporter);
    assert_eq!(report.items.len(), 3);
    assert!(report.items.iter().all(|item| !item.contains_key("code")));
}

#[test]
fn filtering_comes_before_the_cap() {
    let fixture = Fixture::new();
    let reporter =
        fixture.reporter_with(ReporterOptions::new().filter(RecordFilter::for_projects(["/mine", "/also/"])));
    let record = |message: String, project: Option<&str>| {
        let mut draft = JournalDraft::new(message);
        if let Some(project) = project {
            draft = draft.project(project);
        }
        fixture.journal.record(draft).unwrap();
    };
    for number in 0..4 {
        record(format!("mine {number}"), Some("/mine/"));
        record(format!("other {number}"), Some("/mine2"));
        record(format!("everyone {number}"), None);
        record(format!("also {number}"), Some("/also"));
        record(format!("other {number}"), Some("/other"));
    }
    let report = fixture.report(&reporter);
    assert_eq!(
        told(&report),
        [
            "also 3",
            "everyone 3",
            "mine 3",
            "also 2",
            "everyone 2",
            "mine 2",
            "also 1",
            "everyone 1",
            "mine 1",
            "also 0"
        ]
    );
    assert_eq!(report.omitted, 2);
    fixture.expect(&reporter, &[]);
}

#[test]
fn a_record_of_the_running_call_is_answered_by_it_and_told_by_no_reply() {
    let fixture = Fixture::new();
    let (reporter, peer) = (fixture.reporter(), fixture.reporter());
    let scope = CallScope::new("catalog_run", fixture.own.clone());
    scope.record(&fixture.journal, JournalDraft::new("own")).unwrap();
    scope
        .record(
            &fixture.journal,
            JournalDraft::new("of another surface").tool("chart_render"),
        )
        .unwrap();
    assert_eq!(fixture.own.len(), 1);
    fixture.expect(&reporter, &["of another surface"]);
    assert_eq!(fixture.own.len(), 0, "what was passed is forgotten");
    let elsewhere = OwnRecords::default();
    let report = peer.report(&elsewhere, &Map::new()).unwrap();
    assert_eq!(told(&report), ["of another surface", "own"], "another server tells it");
}

#[test]
fn the_memory_of_own_records_is_bounded() {
    let fixture = Fixture::new();
    let scope = CallScope::new("tool", fixture.own.clone());
    for _ in 0..1100 {
        scope.record(&fixture.journal, JournalDraft::new("own")).unwrap();
    }
    assert_eq!(fixture.own.len(), 1024);
}

#[test]
fn a_record_that_could_not_be_written_is_not_remembered() {
    let fixture = Fixture::new();
    let nowhere = Journal::at(fixture.folder.path().join("file/errors.jsonl"));
    fs::write(fixture.folder.path().join("file"), "in the way").unwrap();
    let scope = CallScope::new("tool", fixture.own.clone());
    let error = scope.record(&nowhere, JournalDraft::new("lost")).unwrap_err();
    assert!(error.to_string().contains("errors.jsonl"), "{error}");
    assert!(fixture.own.is_empty());
}

#[test]
fn a_record_that_the_reply_shows_is_not_repeated_in_it() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    let (first, second) = (fixture.record("first"), fixture.record("second"));
    fixture.record("third");
    let reply = object(json!({"errors": [{"deep": {"id": first}}], "error_id": second, "name": "id"}));
    let report = reporter.report(&fixture.own, &reply).unwrap();
    assert_eq!(told(&report), ["third"]);
}

#[test]
fn lines_that_are_no_objects_are_passed_over() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.write("[1,2]\n{\"id\":\nnull\n\n\"text\"\n");
    fixture.write(b"{\"message\":\"\xff\xfe\"}\n");
    fixture.record("good");
    fixture.expect(&reporter, &["good"]);
}

#[test]
fn a_line_without_an_end_waits() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.write("{\"id\":\"a\",\"message\":\"whole\"}\n{\"id\":\"b\",\"mess");
    fixture.expect(&reporter, &["whole"]);
    fixture.write("age\":\"half\"}\n");
    fixture.expect(&reporter, &["half"]);
}

#[test]
fn a_record_after_a_torn_line_stands_on_its_own_line() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.write("{\"id\":\"a\",\"mess");
    fixture.record("good");
    fixture.expect(&reporter, &["good"]);
}

#[test]
fn lines_may_end_in_carriage_return_and_line_feed() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.write("{\"id\":\"a\",\"message\":\"one\"}\r\n{\"id\":\"b\",\"message\":\"two\"}\r\n");
    fixture.expect(&reporter, &["two", "one"]);
    fixture.write("{\"id\":\"c\",\"message\":\"three\"}\r\n");
    fixture.expect(&reporter, &["three"]);
}

#[test]
fn an_unchanged_journal_is_not_opened() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.expect(&reporter, &[]);
    assert_eq!(reporter.times_opened(), 0, "no journal yet");
    fixture.record("one");
    fixture.expect(&reporter, &["one"]);
    assert_eq!(reporter.times_opened(), 1);
    for _ in 0..5 {
        fixture.expect(&reporter, &[]);
    }
    assert_eq!(reporter.times_opened(), 1);
}

#[test]
fn a_cleared_journal_that_grew_again_is_told_from_its_start() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.record("old");
    fixture.expect(&reporter, &["old"]);
    assert_eq!(fixture.journal.clear().unwrap(), 1);
    fixture.expect(&reporter, &[]);
    fixture.record("new");
    fixture.record("newer, and longer than everything before");
    fixture.expect(&reporter, &["newer, and longer than everything before", "new"]);
}

#[test]
fn a_journal_that_was_cleared_in_place_and_has_the_old_size_is_told() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    let line = |id: char| format!("{{\"id\":\"{id}\",\"message\":\"{id}\"}}\n");
    fixture.write(line('a') + &line('b'));
    fixture.expect(&reporter, &["b", "a"]);
    std::thread::sleep(Duration::from_millis(20));
    fs::write(fixture.path(), line('c') + &line('d')).unwrap();
    fixture.expect(&reporter, &["d", "c"]);
}

#[test]
fn a_journal_that_was_replaced_by_a_copy_of_itself_is_not_told_again() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.record("one");
    fixture.expect(&reporter, &["one"]);
    let copy = fixture.folder.path().join("copy");
    fs::copy(fixture.path(), &copy).unwrap();
    fs::rename(&copy, fixture.path()).unwrap();
    fixture.record("two");
    fixture.expect(&reporter, &["two"]);
}

#[test]
fn a_journal_that_was_replaced_by_another_is_told_from_its_start() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fixture.record("one");
    fixture.expect(&reporter, &["one"]);
    let other = fixture.folder.path().join("other");
    fs::write(&other, "{\"id\":\"x\",\"message\":\"x\"}\n".repeat(20)).unwrap();
    fs::rename(&other, fixture.path()).unwrap();
    let report = fixture.report(&reporter);
    assert_eq!((report.items.len(), report.omitted), (10, 10));
}

#[test]
fn a_restart_goes_on_where_the_predecessor_stopped() {
    let fixture = Fixture::new();
    let before = fixture.reporter();
    fixture.record("told");
    fixture.expect(&before, &["told"]);
    fixture.record("after the last reply");
    drop(before);
    fixture.record("while nobody ran");
    let after = fixture.reporter();
    fixture.record("before the first call");
    fixture.expect(
        &after,
        &["before the first call", "while nobody ran", "after the last reply"],
    );
    fixture.expect(&after, &[]);
}

#[test]
fn a_restart_before_any_reply_loses_nothing() {
    let fixture = Fixture::new();
    drop(fixture.reporter());
    fixture.record("while nobody ran");
    fixture.expect(&fixture.reporter(), &["while nobody ran"]);
}

#[test]
fn a_restart_notices_that_the_journal_was_cleared_meanwhile() {
    let fixture = Fixture::new();
    let before = fixture.reporter();
    fixture.record("told");
    fixture.expect(&before, &["told"]);
    drop(before);
    fixture.journal.clear().unwrap();
    for number in 0..3 {
        fixture.record(&format!("new {number}"));
    }
    fixture.expect(&fixture.reporter(), &["new 2", "new 1", "new 0"]);
}

#[test]
fn the_position_of_a_living_peer_is_not_taken() {
    let fixture = Fixture::new();
    let peer = fixture.reporter();
    fixture.record("before the second server");
    std::thread::sleep(Duration::from_millis(2));
    let second = fixture.reporter();
    fixture.record("for both");
    fixture.expect(&second, &["for both"]);
    fixture.expect(&peer, &["for both", "before the second server"]);
}

#[test]
fn each_of_several_dead_servers_has_one_successor() {
    let fixture = Fixture::new();
    let (first, second) = (fixture.reporter(), fixture.reporter());
    drop((first, second));
    fixture.record("while nobody ran");
    let (first, second) = (fixture.reporter(), fixture.reporter());
    std::thread::sleep(Duration::from_millis(2));
    let third = fixture.reporter();
    fixture.expect(&first, &["while nobody ran"]);
    fixture.expect(&second, &["while nobody ran"]);
    fixture.expect(&third, &[]);
}

#[test]
fn a_position_is_taken_over_only_for_the_same_audience() {
    let fixture = Fixture::new();
    let options = |audience: &str| ReporterOptions::new().audience(audience);
    drop(fixture.reporter_with(options("/a")));
    fixture.record("while nobody ran");
    std::thread::sleep(Duration::from_millis(2));
    fixture.expect(&fixture.reporter_with(options("/b")), &[]);
    fixture.expect(&fixture.reporter_with(options("/a")), &["while nobody ran"]);
}

#[test]
fn positions_do_not_pile_up() {
    let fixture = Fixture::new();
    for _ in 0..5 {
        drop(fixture.reporter());
    }
    let folder = fixture.folder.path().join("errors.jsonl.readers");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::write(folder.join("garbage.json"), "not a position").unwrap();
    drop(fixture.reporter());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_journal_in_a_place_that_cannot_be_written_is_still_followed() {
    let fixture = Fixture::new();
    fs::write(fixture.folder.path().join("errors.jsonl.readers"), "in the way").unwrap();
    let reporter = fixture.reporter();
    fixture.record("one");
    fixture.expect(&reporter, &["one"]);
    fixture.expect(&reporter, &[]);
}

#[test]
fn a_journal_that_cannot_be_read_is_an_error_and_nothing_counts_as_told() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    fs::create_dir(fixture.path()).unwrap();
    let error = reporter.report(&fixture.own, &Map::new()).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the journal"), "{error}");
    fs::remove_dir(fixture.path()).unwrap();
    fixture.record("one");
    fixture.expect(&reporter, &["one"]);
}

#[test]
fn separate_journals_have_separate_positions() {
    let (here, there) = (Fixture::new(), Fixture::new());
    let (mine, other) = (here.reporter(), there.reporter());
    here.record("here");
    there.record("there");
    here.expect(&mine, &["here"]);
    there.expect(&other, &["there"]);
    here.expect(&mine, &[]);
}

#[test]
fn concurrent_replies_of_one_server_share_what_is_new() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    for number in 0..8 {
        fixture.record(&number.to_string());
    }
    let told: usize = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| fixture.report(&reporter).items.len()))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).sum()
    });
    assert_eq!(told, 8);
}

#[test]
fn a_client_that_keeps_a_cursor_reads_on_from_it() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    let since = |cursor| reporter.report_since(cursor, &fixture.own, &Map::new()).unwrap();
    fixture.record("one");
    let (report, first) = since(None);
    assert_eq!(told(&report), ["one"]);
    fixture.record("two");
    let (report, second) = since(Some(first));
    assert_eq!(told(&report), ["two"]);
    let again = since(Some(first));
    assert_eq!(told(&again.0), ["two"], "the cursor decides, not the server");
    assert_eq!(again.1, second);
    let (report, third) = since(Some(second));
    assert!(report.is_empty());
    assert_eq!(third, second);
    fixture.expect(&reporter, &["two"]);
}

#[test]
fn two_conversations_with_cursors_are_both_told_but_not_of_own_records() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    let since = |cursor| reporter.report_since(cursor, &fixture.own, &Map::new()).unwrap();
    let (left, right) = (since(None).1, since(None).1);
    CallScope::new("tool", fixture.own.clone())
        .record(&fixture.journal, JournalDraft::new("own"))
        .unwrap();
    fixture.record("for both");
    assert_eq!(told(&since(Some(left)).0), ["for both"]);
    assert_eq!(told(&since(Some(right)).0), ["for both"]);
}

#[test]
fn a_cursor_of_a_cleared_journal_reads_the_new_one_from_its_start() {
    let fixture = Fixture::new();
    let reporter = fixture.reporter();
    let since = |cursor| reporter.report_since(cursor, &fixture.own, &Map::new()).unwrap();
    fixture.record("old");
    let (_, cursor) = since(None);
    fixture.journal.clear().unwrap();
    let (report, cursor) = since(Some(cursor));
    assert!(report.is_empty());
    fixture.record("new");
    fixture.record("newer");
    assert_eq!(told(&since(Some(cursor)).0), ["newer", "new"]);
}
