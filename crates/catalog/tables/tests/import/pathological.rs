//! Files that break readers.

use super::{csv, csv_with, import_named, try_csv};
use candor_catalog_tables::import::{ImportError, ImportOptions, import_file};
use candor_catalog_tables::{Progress, Stage};
use serde_json::{Value, json};
use std::cell::RefCell;

#[test]
fn a_thousand_columns_and_a_long_cell() {
    let header: Vec<String> = (0..1000).map(|n| format!("c{n}")).collect();
    let row: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
    let imported = csv(format!("{}\n{}\n", header.join(","), row.join(",")));
    assert_eq!(imported.outcome.report.columns.len(), 1000);
    let long = "x".repeat(3_000_000);
    let imported = csv(format!("a,b\n1,\"{long}\"\n2,{long}\n"));
    assert_eq!(imported.outcome.facts.rows, 2);
}

#[test]
fn a_character_or_line_end_cut_by_a_piece_is_whole() {
    // Lines of every length up to where the reader's pieces meet.
    for padding in 131_060..131_076 {
        let text = format!("a,b\r\n{},\"é\r\n€\"\r\n2,y\r\n", "x".repeat(padding));
        let imported = csv(&text);
        assert_eq!(imported.outcome.facts.rows, 2, "{padding}");
        assert_eq!(imported.cells()[0][1], json!("é\r\n€"), "{padding}");
    }
}

#[test]
fn zero_bytes_inside_text_are_kept() {
    assert_eq!(csv("a,b\n1,x\0y\n").cells(), [json!(["1", "x\0y"])]);
}

/// Enough short files of the signs that matter to meet most combinations of them.
#[test]
fn any_bytes_end_in_rows_or_an_error() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let alphabet = b"ab01,;\t|\"'\\\r\n .-+#eE/:TZ\xff\xc3\xa9\0";
    let common = b"a1,;\n\n,\"";
    let mut imported = 0;
    for round in 0..500 {
        let signs: &[u8] = if round % 2 == 0 { alphabet } else { common };
        let length = next() % 40;
        let bytes: Vec<u8> = (0..length)
            .map(|_| signs[(next() % signs.len() as u64) as usize])
            .collect();
        let Ok(first) = try_csv(&bytes) else {
            continue;
        };
        imported += 1;
        let options = ImportOptions {
            schema: first.outcome.report.schema.clone(),
            ..ImportOptions::default()
        };
        let second = import_named("data.csv", &bytes, &options).expect("what was found fits");
        assert_eq!(
            first.outcome.facts.digest,
            second.outcome.facts.digest,
            "{:?}",
            bytes.escape_ascii().to_string()
        );
    }
    assert!(imported > 50, "{imported}");
}

#[test]
fn a_quote_left_open_does_not_swallow_the_memory() {
    let text = format!("a,b\n1,\"{}", "x,y\n".repeat(17 << 20));
    assert!(matches!(
        try_csv(text),
        Err(ImportError::TooLong { line: 2 } | ImportError::BadQuote { line: 2, .. })
    ));
}

#[test]
fn a_damaged_parquet_file_is_an_error() {
    for bytes in [&b"PAR1"[..], b"PAR1xxxxPAR1", b"a,b\n1,2\n", b""] {
        let error = import_named("x.parquet", bytes, &ImportOptions::default())
            .err()
            .expect("refused");
        assert!(
            matches!(error, ImportError::Snapshot(_) | ImportError::Empty { .. }),
            "{error}"
        );
    }
}

struct Watch {
    heard: RefCell<Vec<(Stage, u64)>>,
    stop_at: Option<Stage>,
}

impl Progress for Watch {
    fn rows_done(&self, stage: Stage, rows: u64) {
        self.heard.borrow_mut().push((stage, rows));
    }

    fn is_cancelled(&self) -> bool {
        self.heard
            .borrow()
            .last()
            .is_some_and(|(stage, _)| Some(*stage) == self.stop_at)
    }
}

#[test]
fn long_work_is_told_and_can_be_stopped_at_every_stage() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.csv");
    let lines: Vec<String> = (0..200_000).map(|n| format!("{n},x")).collect();
    std::fs::write(&path, format!("a,b\n{}\n", lines.join("\n"))).expect("writable");
    let target = folder.path().join("t.parquet");
    for stop_at in [Stage::Scanning, Stage::Writing, Stage::Verifying] {
        let watch = Watch {
            heard: RefCell::default(),
            stop_at: Some(stop_at),
        };
        let error = import_file(&path, &target, &ImportOptions::default(), &watch).expect_err("stopped");
        assert!(matches!(error, ImportError::Cancelled), "{error}");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("readable").count(),
            1,
            "{stop_at:?}"
        );
    }
    let watch = Watch {
        heard: RefCell::default(),
        stop_at: None,
    };
    import_file(&path, &target, &ImportOptions::default(), &watch).expect("imported");
    for stage in [Stage::Scanning, Stage::Writing, Stage::Verifying] {
        let rows = watch
            .heard
            .borrow()
            .iter()
            .rev()
            .find(|(other, _)| *other == stage)
            .map(|(_, rows)| *rows);
        assert_eq!(rows, Some(200_000), "{stage:?}");
    }
}

#[test]
fn the_same_bytes_give_the_same_snapshot() {
    let text = "a,b\n1,x\n2,y\n";
    let (one, other) = (csv(text), csv(text));
    assert_eq!(one.outcome.facts.blake3, other.outcome.facts.blake3);
    assert_eq!(one.outcome.facts.digest, other.outcome.facts.digest);
    assert_eq!(one.outcome.report.source_bytes, text.len() as u64);
    let pasted = csv_with(text, one.outcome.report.schema.to_json(), Value::Null);
    assert_eq!(pasted.outcome.facts.digest, one.outcome.facts.digest);
}
