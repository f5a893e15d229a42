//! A Parquet file into a snapshot: the same types, the same order, new row numbers.

use super::error::ImportError;
use super::note::{ImportNote, NoteKind};
use super::options::{Format, ImportOptions};
use super::schema::SchemaSpec;
use super::{ImportReport, ImportedColumn, Staged};
use crate::cells::column_types;
use crate::snapshot::{SnapshotError, SnapshotKind, SnapshotReader, SnapshotWriter, file_blake3};
use crate::{Progress, ROW_ORDER, Stage};
use arrow::datatypes::Schema;
use std::path::Path;

/// Rows read at once.
const BATCH: usize = 8192;

pub(super) fn stage(
    path: &Path,
    target: &Path,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<Staged, ImportError> {
    if options.schema != SchemaSpec::Infer {
        return Err(ImportError::option(
            "schema",
            "a Parquet file has its own types; convert them in a query",
        ));
    }
    if options.has_reader_options() {
        return Err(ImportError::option("reader_options", "a Parquet file takes none"));
    }
    let (bytes, blake3) = file_blake3(path)?;
    if bytes == 0 {
        return Err(ImportError::Empty { path: path.to_owned() });
    }
    let reader = SnapshotReader::open(path)?;
    let schema = reader.schema().clone();
    let mut notes = Vec::new();
    if reader.has_row_order() {
        let text = "the column is left out: rows are numbered anew";
        notes.push(ImportNote::new(NoteKind::LeftOut, Some(ROW_ORDER), text));
    }
    let mut writer = SnapshotWriter::create(target, &schema, SnapshotKind::Source).map_err(refused)?;
    let mut done = 0;
    for batch in reader.stream(None, BATCH)? {
        let batch = batch?;
        writer.write(&batch)?;
        done += batch.num_rows() as u64;
        progress.rows_done(Stage::Writing, done);
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
    }
    if done != reader.rows() || std::fs::metadata(path).map_err(ImportError::io(path))?.len() != bytes {
        return Err(ImportError::Changed { path: path.to_owned() });
    }
    let report = ImportReport {
        format: Format::Parquet,
        source_bytes: bytes,
        source_blake3: blake3,
        read_as: None,
        columns: imported(&schema),
        notes,
        schema: SchemaSpec::Infer,
    };
    Ok(Staged {
        snapshot: writer.stage(progress)?,
        report,
    })
}

fn imported(schema: &Schema) -> Vec<ImportedColumn> {
    column_types(schema)
        .into_iter()
        .map(|column| ImportedColumn {
            name: column.name,
            data_type: column.data_type,
        })
        .collect()
}

fn refused(error: SnapshotError) -> ImportError {
    match error {
        SnapshotError::UnsupportedType { column, data_type } => ImportError::UnsupportedColumn {
            column,
            data_type,
            why: "which the catalog cannot hold; nothing is imported, for no column is dropped silently: leave it out \
                  or convert it where the file is made"
                .to_owned(),
        },
        SnapshotError::DuplicateColumn { column } => ImportError::UnsupportedColumn {
            data_type: "of another column as well".to_owned(),
            why: "for two columns have this name; rename one where the file is made".to_owned(),
            column,
        },
        other => other.into(),
    }
}
