//! Any bytes as a CSV file: rows or an error, never a panic, and twice the same.
#![no_main]

use candor_catalog_tables::Unobserved;
use candor_catalog_tables::import::{ImportOptions, import_file};
use candor_catalog_tables::snapshot::SnapshotReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.csv");
    std::fs::write(&path, bytes).expect("writable");
    let target = folder.path().join("data.parquet");
    let import = |options: &ImportOptions| import_file(&path, &target, options, &Unobserved);
    let Ok(first) = import(&ImportOptions::default()) else {
        assert!(!target.exists(), "a failed import leaves nothing behind");
        return;
    };
    // The schema it prints, pasted back, gives the same rows.
    let pasted = ImportOptions { schema: first.report.schema.clone(), ..ImportOptions::default() };
    let second = import(&pasted).expect("what was found fits");
    assert_eq!(first.facts.digest, second.facts.digest);
    let reader = SnapshotReader::open(&target).expect("written");
    assert_eq!(reader.rows(), first.facts.rows);
});
