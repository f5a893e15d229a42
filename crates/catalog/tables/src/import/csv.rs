//! A file of text into a snapshot: look at everything once, then read it with the types that fit.

use super::dialect::detect;
use super::error::{BadValue, ImportError, shown};
use super::note::ImportNote;
use super::options::{Format, ImportOptions};
use super::parse::{ColumnBuilder, builder};
use super::records::{Dialect, Record};
use super::rows::Rows;
use super::scan::Evidence;
use super::schema::{SchemaSpec, TypeSpec};
use super::shape::NumberStyle;
use super::source::{Piece, TextEncoding, TextSource};
use super::table::{STEP, Table, located, number_style, scan};
use super::{ImportReport, ImportedColumn, ReadAs, Staged};
use crate::snapshot::{SnapshotKind, SnapshotWriter};
use crate::types::type_name;
use crate::{Progress, Stage};
use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Field, Schema};
use std::path::Path;
use std::sync::Arc;

/// How much of the text is looked at to find the dialect.
const SAMPLE: usize = 1 << 18;
/// Bytes of values after which rows are handed on, however few they are.
const BATCH_BYTES: usize = 16 << 20;

/// A column to be read.
struct Plan {
    place: usize,
    name: String,
    data_type: DataType,
    builder: Box<dyn ColumnBuilder>,
}

pub(super) fn stage(
    path: &Path,
    target: &Path,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<Staged, ImportError> {
    options.check()?;
    let encoding = TextEncoding::of(path, options.encoding.as_deref())?;
    let (sample, whole) = sample(path, encoding)?;
    let tabs_first = path
        .extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("tsv"));
    let detected = detect(&sample, whole, tabs_first, options);
    drop(sample);
    let mut dialect = detected.dialect;
    let mut table = scan(path, encoding, dialect, options, progress);
    if matches!(table, Err(ImportError::BadQuote { .. })) && options.escape.is_none() && dialect.quote.is_some() {
        // The quotes end wrongly beyond the sample. When a backslash makes the whole file sound, that is how it is
        // written; else the first error stands.
        let other = Dialect {
            escape: if dialect.escape.is_none() { Some(b'\\') } else { None },
            ..dialect
        };
        let second = scan(path, encoding, other, options, progress);
        if second.is_ok() {
            (table, dialect) = (second, other);
        }
    }
    let table = table?;
    let mut notes = detected.notes;
    notes.extend(table.notes.iter().cloned());
    let (mut plans, suggestion) = plan(&table, options, &mut notes)?;
    let fields: Vec<Field> = plans
        .iter()
        .map(|plan| Field::new(&plan.name, plan.data_type.clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let mut writer = SnapshotWriter::create(target, &schema, SnapshotKind::Source)?;
    let fingerprint = fill(
        path,
        encoding,
        dialect,
        &table,
        options,
        &mut plans,
        &suggestion,
        &schema,
        &mut writer,
        progress,
    )?;
    if fingerprint != table.fingerprint {
        return Err(ImportError::Changed { path: path.to_owned() });
    }
    let columns = plans.iter().map(|plan| ImportedColumn {
        name: plan.name.clone(),
        data_type: type_name(&plan.data_type),
    });
    let report = ImportReport {
        format: Format::Csv,
        source_bytes: fingerprint.0,
        source_blake3: fingerprint.1,
        read_as: Some(read_as(dialect, table.has_header, encoding)),
        columns: columns.collect(),
        notes,
        schema: total(
            plans
                .iter()
                .map(|plan| (plan.name.clone(), TypeSpec::Pinned(plan.data_type.clone()))),
        ),
    };
    Ok(Staged {
        snapshot: writer.stage(progress)?,
        report,
    })
}

/// The beginning of the text, and whether it is all of it.
fn sample(path: &Path, encoding: TextEncoding) -> Result<(Vec<u8>, bool), ImportError> {
    let mut source = TextSource::open(path, encoding)?;
    let mut text = Vec::new();
    while text.len() < SAMPLE {
        match source.more(&mut text)? {
            Piece::Text => {}
            Piece::End => return Ok((text, true)),
            // The scan will meet it again and say where.
            Piece::Invalid(_) => return Ok((text, false)),
        }
    }
    Ok((text, false))
}

/// Name, type and builder of every column, and the types that were found, to be suggested should a value not fit.
fn plan(
    table: &Table,
    options: &ImportOptions,
    notes: &mut Vec<ImportNote>,
) -> Result<(Vec<Plan>, Vec<DataType>), ImportError> {
    let style = number_style(options);
    let scans: Vec<_> = table.columns.iter().map(|column| column.scan.clone()).collect();
    let evidence = Evidence::of(&scans);
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let found: Vec<_> = table
        .columns
        .iter()
        .map(|column| column.scan.resolve(&column.name, evidence, style))
        .collect();
    let suggestion = || {
        let pairs = header.iter().zip(&found);
        total(pairs.map(|(name, found)| (name.clone(), TypeSpec::Pinned(found.data_type.clone()))))
    };
    let specs = options.schema.applied(&header, table.has_header, suggestion)?;
    let mut plans = Vec::with_capacity(specs.len());
    let mut suggested = Vec::with_capacity(specs.len());
    for ((name, spec), (column, found)) in specs.into_iter().zip(table.columns.iter().zip(found)) {
        let data_type = match spec {
            TypeSpec::Infer => {
                notes.extend(found.notes.into_iter().map(|note| ImportNote {
                    column: Some(name.clone()),
                    ..note
                }));
                found.data_type.clone()
            }
            // A decimal without parameters takes as many digits behind the point as there are.
            TypeSpec::Pinned(DataType::Decimal128(0, _)) => {
                DataType::Decimal128(38, i8::try_from(column.scan.fraction().min(38)).unwrap_or(0))
            }
            TypeSpec::Pinned(data_type) => data_type,
        };
        let style = NumberStyle {
            decimal: Some(column.scan.point(evidence, style)),
            ..style
        };
        let builder = builder(&data_type, style).ok_or_else(|| {
            ImportError::option(
                "schema",
                format!("column \"{name}\": text cannot be read as {}", type_name(&data_type)),
            )
        })?;
        suggested.push(found.data_type);
        plans.push(Plan {
            place: column.place,
            name,
            data_type,
            builder,
        });
    }
    Ok((plans, suggested))
}

/// A schema that names every column: by name, which is always possible, for names are unique.
fn total(columns: impl Iterator<Item = (String, TypeSpec)>) -> SchemaSpec {
    SchemaSpec::ByName {
        columns: columns.collect(),
        rest: None,
    }
}

/// Second pass: reads every value and writes the rows.
#[expect(clippy::too_many_arguments, reason = "one loop over everything the first pass found")]
fn fill(
    path: &Path,
    encoding: TextEncoding,
    dialect: Dialect,
    table: &Table,
    options: &ImportOptions,
    plans: &mut [Plan],
    suggestion: &[DataType],
    schema: &Arc<Schema>,
    writer: &mut SnapshotWriter,
    progress: &dyn Progress,
) -> Result<(u64, String), ImportError> {
    let mut rows = Rows::new(path, encoding, dialect)?;
    let mut record = Record::default();
    let mut header = Record::default();
    let at = |error, header: &Record| located(error, header, options, encoding.encoding.name());
    if table.has_header {
        rows.next(&mut header).map_err(|error| at(error, &Record::default()))?;
    }
    let (mut row, mut pending, mut bytes) = (0_u64, 0_usize, 0_usize);
    while rows.next(&mut record).map_err(|error| at(error, &header))? {
        row += 1;
        for place in 0..plans.len() {
            let plan = &mut plans[place];
            if plan.place >= record.len() {
                // The first pass counted the values of every row: the file is no longer the one it read.
                return Err(ImportError::Changed { path: path.to_owned() });
            }
            let text = record.text(plan.place);
            let null = record.is_missing(plan.place)
                || !plan.builder.keeps_empty() && text.trim_ascii().is_empty()
                || options.null_values.iter().any(|word| word == text);
            if null {
                plan.builder.push_null();
            } else if let Err(why) = plan.builder.push(text) {
                return Err(bad_value(plans, place, &record, row, why, suggestion));
            }
            bytes += text.len();
        }
        pending += 1;
        if pending as u64 == STEP || bytes > BATCH_BYTES {
            flush(plans, pending, schema, writer)?;
            (pending, bytes) = (0, 0);
            progress.rows_done(Stage::Writing, row);
            if progress.is_cancelled() {
                return Err(ImportError::Cancelled);
            }
        }
    }
    flush(plans, pending, schema, writer)?;
    progress.rows_done(Stage::Writing, row);
    Ok(rows.fingerprint())
}

fn flush(
    plans: &mut [Plan],
    rows: usize,
    schema: &Arc<Schema>,
    writer: &mut SnapshotWriter,
) -> Result<(), ImportError> {
    let columns = plans.iter_mut().map(|plan| plan.builder.finish()).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| ImportError::Snapshot(crate::digest::DigestError::from(error).into()))?;
    Ok(writer.write(&batch)?)
}

fn bad_value(plans: &[Plan], place: usize, record: &Record, row: u64, why: String, found: &[DataType]) -> ImportError {
    let plan = &plans[place];
    let columns = plans.iter().zip(found).enumerate().map(|(other, (plan, found))| {
        let data_type = if other == place { found } else { &plan.data_type };
        (plan.name.clone(), TypeSpec::Pinned(data_type.clone()))
    });
    ImportError::BadValue(Box::new(BadValue {
        column: plan.name.clone(),
        line: record.line,
        row,
        value: shown(record.text(plan.place)),
        data_type: type_name(&plan.data_type),
        why,
        suggestion: total(columns),
    }))
}

fn read_as(dialect: Dialect, has_header: bool, encoding: TextEncoding) -> ReadAs {
    let sign = |byte: Option<u8>| byte.map(|byte| char::from(byte).to_string());
    ReadAs {
        delimiter: sign(dialect.delimiter),
        quote: sign(dialect.quote),
        escape: sign(dialect.escape),
        has_header,
        skip_rows: dialect.skip_rows,
        encoding: encoding.encoding.name().to_owned(),
    }
}
