//! A Parquet file into a snapshot: the same types, the same order, new row numbers.

use super::error::ImportError;
use super::note::{ImportNote, NoteKind};
use super::options::{Format, ImportOptions};
use super::schema::SchemaSpec;
use super::{ImportReport, ImportedColumn, Staged};
use crate::cells::column_types;
use crate::snapshot::{SnapshotError, SnapshotKind, SnapshotReader, SnapshotWriter, file_blake3};
use crate::{Progress, ROW_ORDER, Stage};
use arrow::array::{Array, AsArray};
use arrow::datatypes::{
    DataType, Schema, SchemaRef, TimeUnit, TimestampMicrosecondType, TimestampNanosecondType, TimestampSecondType,
};
use std::path::Path;
use std::sync::Arc;

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
    let mut reader = SnapshotReader::open(path)?;
    let mut notes = Vec::new();
    if let Some(schema) = readable_times(&reader, path, &mut notes)? {
        reader = SnapshotReader::open_as(path, Some(schema))?;
    }
    let schema = reader.schema().clone();
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

/// The schema in which time stamps of 96 bits keep their values, when it is not the usual one.
///
/// Such a stamp is a day and a number of nanoseconds; read as nanoseconds in 64 bits, what lies beyond the years 1677 to
/// 2262 wraps without a word. Then microseconds are taken, provided that no value has a finer fraction.
fn readable_times(
    reader: &SnapshotReader,
    path: &Path,
    notes: &mut Vec<ImportNote>,
) -> Result<Option<SchemaRef>, ImportError> {
    let old = reader.old_timestamps();
    if old.is_empty() {
        return Ok(None);
    }
    let unsupported = |column: &str, why: &str| ImportError::UnsupportedColumn {
        column: column.to_owned(),
        data_type: "timestamp of 96 bits".to_owned(),
        why: why.to_owned(),
    };
    if let Some((column, _)) = old.iter().find(|(_, whole)| !whole) {
        return Err(unsupported(
            column,
            "inside a nested column; write it with 64 bits where the file is made",
        ));
    }
    let names: Vec<&str> = old.iter().map(|(column, _)| column.as_str()).collect();
    let in_unit = |names: &[&str], unit: TimeUnit| {
        let fields = reader.file_schema().fields().iter().map(|field| {
            let changed = names.contains(&field.name().as_str());
            let data_type = if changed {
                DataType::Timestamp(unit, None)
            } else {
                field.data_type().clone()
            };
            field.as_ref().clone().with_data_type(data_type)
        });
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    };
    let read = |unit| SnapshotReader::open_as(path, Some(in_unit(&names, unit)))?.stream(Some(&names), BATCH);
    let streams = read(TimeUnit::Second)?
        .zip(read(TimeUnit::Microsecond)?)
        .zip(read(TimeUnit::Nanosecond)?);
    let (mut beyond, mut fine) = (vec![false; names.len()], vec![false; names.len()]);
    for ((seconds, micros), nanos) in streams {
        let (seconds, micros, nanos) = (seconds?, micros?, nanos?);
        for column in 0..names.len() {
            let seconds = seconds.column(column).as_primitive::<TimestampSecondType>();
            let micros = micros.column(column).as_primitive::<TimestampMicrosecondType>();
            let nanos = nanos.column(column).as_primitive::<TimestampNanosecondType>();
            for row in (0..nanos.len()).filter(|row| nanos.is_valid(*row)) {
                let (second, micro, nano) = (seconds.value(row), micros.value(row), nanos.value(row));
                beyond[column] |= nano.div_euclid(1_000_000_000) != second;
                // Both wrap at 64 bits alike, so they differ only by the fraction that is lost.
                fine[column] |= micro.wrapping_mul(1_000) != nano;
            }
        }
    }
    let wide: Vec<&str> = (0..names.len())
        .filter(|column| beyond[*column])
        .map(|column| names[column])
        .collect();
    for (column, name) in names.iter().enumerate() {
        if beyond[column] && fine[column] {
            let why = "with days beyond the years 1677 to 2262 beside fractions of nanoseconds, for which there is no \
                       type of 64 bits; write it otherwise where the file is made";
            return Err(unsupported(name, why));
        }
        if beyond[column] {
            let text = "its days reach beyond the years 1677 to 2262, so it is read in microseconds";
            notes.push(ImportNote::new(NoteKind::Unit, Some(name), text));
        }
    }
    Ok((!wide.is_empty()).then(|| in_unit(&wide, TimeUnit::Microsecond)))
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
