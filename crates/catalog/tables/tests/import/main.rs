//! Importing files: every odd thing a file can hold has one outcome, and no value is changed silently.

mod outcomes;
mod pathological;
mod pinned;
mod properties;
mod types;

use candor_catalog_tables::Unobserved;
use candor_catalog_tables::cells::{CellOptions, NotANumber, rows_to_json};
use candor_catalog_tables::import::{ImportError, ImportOptions, ImportOutcome, import_file};
use candor_catalog_tables::snapshot::SnapshotReader;
use serde_json::{Value, json};

/// An imported file: what the import said, and the rows as JSON.
struct Imported {
    outcome: ImportOutcome,
    rows: Vec<Value>,
}

impl Imported {
    /// `a: int64, b: string`
    fn types(&self) -> String {
        let columns = self.outcome.report.columns.iter();
        columns
            .map(|column| format!("{}: {}", column.name, column.data_type))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// One array of cells a row.
    fn cells(&self) -> Vec<Value> {
        let cells = |row: &Value| row.as_object().expect("an object").values().cloned().collect();
        self.rows.iter().map(cells).collect()
    }

    /// The cells of the only column.
    fn column(&self) -> Vec<Value> {
        self.cells().iter().map(|row| row[0].clone()).collect()
    }

    fn notes(&self) -> Vec<String> {
        let notes = self.outcome.report.notes.iter();
        notes
            .map(|note| format!("{}: {}", note.column.as_deref().unwrap_or("-"), note.text))
            .collect()
    }
}

fn import_named(name: &str, bytes: &[u8], options: &ImportOptions) -> Result<Imported, ImportError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("writable");
    let target = folder.path().join("snapshot.parquet");
    let imported = import_file(&path, &target, options, &Unobserved);
    let files = std::fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(
        files,
        if imported.is_ok() { 2 } else { 1 },
        "nothing but the snapshot is left, and that only on success"
    );
    let outcome = imported?;
    let reader = SnapshotReader::open(&target).expect("written");
    let page = reader.page(0, 10_000, None).expect("readable");
    assert_eq!(reader.rows(), outcome.facts.rows);
    let options = CellOptions {
        not_a_number: NotANumber::Text,
        ..CellOptions::default()
    };
    Ok(Imported {
        outcome,
        rows: rows_to_json(&page, &options).rows,
    })
}

fn try_csv(text: impl AsRef<[u8]>) -> Result<Imported, ImportError> {
    import_named("data.csv", text.as_ref(), &ImportOptions::default())
}

fn csv(text: impl AsRef<[u8]>) -> Imported {
    try_csv(text).expect("imported")
}

/// With options in their JSON forms.
#[expect(clippy::needless_pass_by_value, reason = "called with what was just made")]
fn try_csv_with(text: impl AsRef<[u8]>, schema: Value, reader: Value) -> Result<Imported, ImportError> {
    import_named(
        "data.csv",
        text.as_ref(),
        &ImportOptions::from_json(Some(&schema), Some(&reader))?,
    )
}

fn csv_with(text: impl AsRef<[u8]>, schema: Value, reader: Value) -> Imported {
    try_csv_with(text, schema, reader).expect("imported")
}

/// A file of one column `c` with these lines.
fn one_column(lines: &[&str]) -> Imported {
    csv(format!("c\n{}\n", lines.join("\n")))
}

/// The message of the failure.
fn failure(text: impl AsRef<[u8]>) -> String {
    try_csv(text).err().expect("refused").to_string()
}

/// Every cell is the text that stands in the file.
fn assert_text(imported: &Imported, lines: &[&str]) {
    assert_eq!(imported.types(), "c: string");
    assert_eq!(
        imported.column(),
        lines.iter().map(|line| json!(line)).collect::<Vec<_>>()
    );
}
