//! What is written as CSV comes back value for value.

use super::{csv_with, import_named};
use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray};
use candor_catalog_tables::Unobserved;
use candor_catalog_tables::digest::Comparison;
use candor_catalog_tables::import::ImportOptions;
use candor_catalog_tables::snapshot::{SnapshotKind, SnapshotWriter};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('"', "\"\""))
}

/// Text with the signs that matter to a reader of CSV.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c,;|\t\"'\\\\\r\n #0-9.é€-]{0,8}",
        any::<String>(),
        Just("NULL".to_owned()),
        Just("007".to_owned()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| n.to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn quoted_text_comes_back(rows in prop::collection::vec((cell(), cell()), 1..12), newline in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")]) {
        let header = [format!("a,b{newline}")].into_iter();
        let lines = rows.iter().map(|(a, b)| format!("{},{}{newline}", quoted(a), quoted(b)));
        let text: String = header.chain(lines).collect();
        let options = json!({"delimiter": ",", "quote": "\"", "has_header": true, "skip_rows": 0});
        let imported = csv_with(&text, json!({"&rest": "string"}), options);
        let expected: Vec<Value> = rows.iter().map(|(a, b)| json!([a, b])).collect();
        prop_assert_eq!(imported.cells(), expected);
    }

    #[test]
    fn found_types_change_no_value(values in prop::collection::vec(prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<u64>().prop_map(|n| n.to_string()),
        any::<i128>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| format!("{n:?}")),
        "-?[0-9]{1,25}\\.[0-9]{1,14}",
    ], 1..6)) {
        let text = format!("c\n{}\n", values.join("\n"));
        let imported = csv_with(&text, Value::Null, json!({"has_header": true, "delimiter": ","}));
        for (written, read) in values.iter().zip(imported.column()) {
            let read = match read {
                Value::String(text) => text,
                other => other.to_string(),
            };
            prop_assert_eq!(number(written), number(&read), "{} read as {} ({})", written, read, imported.types());
        }
    }

    #[test]
    fn parquet_comes_back_whole(rows in prop::collection::vec((any::<Option<i64>>(), any::<Option<String>>(), any::<Option<f64>>(), any::<Option<i64>>()), 0..50)) {
        let columns: Vec<(&str, ArrayRef, bool)> = vec![
            ("i", Arc::new(rows.iter().map(|row| row.0).collect::<Int64Array>()), true),
            ("s", Arc::new(rows.iter().map(|row| row.1.clone()).collect::<StringArray>()), true),
            ("f", Arc::new(rows.iter().map(|row| row.2).collect::<Float64Array>()), true),
            ("t", Arc::new(rows.iter().map(|row| row.3).collect::<TimestampMillisecondArray>().with_timezone("Asia/Tokyo")), true),
        ];
        let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.parquet");
        let mut writer = SnapshotWriter::create(&path, batch.schema_ref(), SnapshotKind::Computed).expect("begun");
        writer.write(&batch).expect("written");
        let written = writer.finish(&Unobserved).expect("written");
        let bytes = std::fs::read(&path).expect("readable");
        let imported = import_named("y.parquet", &bytes, &ImportOptions::default()).expect("imported");
        prop_assert_eq!(written.digest.compare(&imported.outcome.facts.digest), Comparison::Same);
        prop_assert_eq!(imported.notes(), vec!["__row_order: the column is left out: rows are numbered anew".to_owned()]);
    }
}

/// Sign, digits without zeros at the ends, and power of ten: equal for equal numbers.
fn number(text: &str) -> (bool, String, i64) {
    let lower = text.to_lowercase();
    if lower.contains("nan") || lower.contains("inf") {
        return (lower.starts_with('-'), lower.trim_start_matches('-').to_owned(), 0);
    }
    let (mantissa, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let mut power = exponent.parse::<i64>().expect("an exponent") - length(fraction);
    let digits = digits.trim_start_matches('0');
    let bare = digits.trim_end_matches('0');
    power += length(digits) - length(bare);
    if bare.is_empty() {
        (false, String::new(), 0)
    } else {
        (text.starts_with('-'), bare.to_owned(), power)
    }
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).expect("a short number")
}
