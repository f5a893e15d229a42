//! `candor-al errors`: the journal.

use std::fs;

use insta::assert_snapshot;

use crate::place::Place;

const RECORDS: &str = r#"{"id":"000000000001","created_at":"2026-11-30T12:00:00.000001Z","code":"rule_failed","message":"rule AC0018 failed","tool":"check","filePath":"/app/A.al","line":3,"column":5}
[1,2]
{"id":"000000000002","created_at":"2026-11-30T12:00:01.000001Z","code":"unreadable_file","message":"cannot read it\nat all","project":"/app"}
{"id":"000000000003","created_at":"2026-11-30T12:00:02.000001Z","message":"bad \u001b[31mnews"}
"#;

fn place_with_records() -> Place {
    let place = Place::empty();
    fs::create_dir_all(place.journal().parent().unwrap()).unwrap();
    fs::write(place.journal(), RECORDS).unwrap();
    place
}

#[test]
fn an_empty_journal_is_good_news() {
    assert_snapshot!(Place::empty().run(&["errors"]), @r"
        exit code 0
        -- stdout
        Nothing went wrong
    ");
    assert_snapshot!(Place::empty().run(&["errors", "--format", "json"]), @r"
        exit code 0
        -- stdout
        []
    ");
}

#[test]
fn the_newest_comes_first() {
    assert_snapshot!(place_with_records().run(&["errors"]), @r"
        exit code 0
        -- stdout
        2026-11-30T12:00:02Z 000000000003
          bad ␛[31mnews

        2026-11-30T12:00:01Z unreadable_file 000000000002
          cannot read it
          at all
          /app

        2026-11-30T12:00:00Z rule_failed check 000000000001
          rule AC0018 failed
          /app/A.al:3:5
    ");
}

#[test]
fn the_limit_keeps_the_newest() {
    assert_snapshot!(place_with_records().run(&["errors", "--limit", "1", "--format", "json"]), @r#"
        exit code 0
        -- stdout
        [
          {
            "id": "000000000003",
            "created_at": "2026-11-30T12:00:02.000001Z",
            "message": "bad \u001b[31mnews"
          }
        ]
    "#);
}

#[test]
fn clear_removes_them_and_says_how_many() {
    let place = place_with_records();
    assert_snapshot!(place.run(&["errors", "--clear"]), @r"
        exit code 0
        -- stdout
        Removed 4 records from `[home]/al/errors.jsonl`
    ");
    assert_snapshot!(place.run(&["errors"]), @r"
        exit code 0
        -- stdout
        Nothing went wrong
    ");
    assert_snapshot!(place.run(&["errors", "--clear"]), @r"
        exit code 0
        -- stdout
        Removed 0 records from `[home]/al/errors.jsonl`
    ");
}
