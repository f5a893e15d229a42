//! CSV and Parquet files into snapshots, without changing a value silently.
//!
//! A file of text is read twice: once to see every value of every column, then with the types all of them fit. So a
//! type never depends on how many rows were looked at, memory does not grow with the file, and what does not fit is
//! known with its line. Nothing depends on the machine's clock, time zone or locale.
//!
//! Each of these has one outcome:
//!
//! | in the file | outcome |
//! |---|---|
//! | nothing, or only blank lines | error `Empty` |
//! | only a header | no rows; every column is text |
//! | whole numbers | `int64`; beyond it `uint64`, then `decimal(38, 0)`, then text |
//! | numbers with a fraction or an exponent | `float64` when each one survives it unchanged; else `decimal(38, s)`; else text |
//! | `nan`, `inf`, `-Infinity`, any letter case | beside numbers `float64`; alone text |
//! | a leading zero (`007`), a plus (`+49`) | text: a number would lose it |
//! | digits in groups (`1,234,567`) | text, with a note; numbers with the reader option `thousands` |
//! | a comma before the fraction (`1,5`) | a number, when some value of the column cannot be a group of thousands; `1,234` alone is text, with a note |
//! | `true`, `false`, any letter case | `boolean`; yes, no, 0, 1 only when pinned |
//! | `2024-02-29` | `date`; other orders and days that do not exist are text, with a note |
//! | `10:00:00.5` | `time`; without seconds text |
//! | `2024-02-29T10:00`, a space instead of `T` | `timestamp(6)`, `timestamp(9)` when the digits need it |
//! | … with an offset | an instant: in that offset when all are the same, else in UTC, with a note |
//! | … some with, some without | text, with a note |
//! | values of several kinds | text, with a note that names the odd one |
//! | no value in a column | text, with a note |
//! | nothing between delimiters | null; `""` is the empty text in a column of text, null in others |
//! | spaces around a value | ignored for numbers, dates and the like, kept in text |
//! | NA, NULL, - and the like | values, unless named in `null_values` |
//! | a row with too few or too many values | error `Ragged` with its line |
//! | every row ends with a delimiter | nothing stands behind it, with a note |
//! | the same header twice | the second gets `_2`, with a note |
//! | a blank header | `column_N`, with a note |
//! | spaces around a header | not part of the name; anything else is, Unicode included |
//! | no header | found out when the first row has the kinds of the others; columns are `column_N`, with a note |
//! | LF, CR LF, CR, mixed | each ends a row outside quotes and is kept inside |
//! | blank lines | no rows, with a note; in a file of one column null, except at its start and end |
//! | text behind a closing quote, a quote never closed | error `BadQuote` with its line; a backslash as escape is tried before |
//! | a byte order mark | decides the encoding and is no text |
//! | UTF-16, marked or plain to see | read |
//! | any other bytes that are not UTF-8 | error `BadEncoding` with line and column, and what to pass |
//! | a file of another kind (ZIP, gzip, …) | error `NotText` |
//! | `sep=;` in the first line, remarks with `#` above the header | left out, with a note |
//! | a column `__row_order` | left out, with a note: rows are numbered anew |
//!
//! A type that is pinned in the schema is kept to: a value that is none of it is the error `BadValue`, with column,
//! line, value and a schema to paste. Pinned `float32` and `float64` take the nearest number.

mod csv;
mod dialect;
mod error;
mod moment;
mod note;
mod options;
mod parquet;
mod parse;
mod records;
mod rows;
mod scan;
mod schema;
mod shape;
mod source;
mod table;

pub use error::{BadValue, ImportError};
pub use note::{ImportNote, NoteKind};
pub use options::{Format, ImportOptions, Quote, READER_OPTIONS};
pub use schema::{SchemaSpec, TypeSpec};

use crate::Progress;
use crate::snapshot::{SnapshotFacts, StagedSnapshot};
use serde::Serialize;
use std::path::Path;

/// What an import came to.
#[derive(Debug, Clone)]
pub struct ImportOutcome {
    /// The snapshot.
    pub facts: SnapshotFacts,
    /// What was found in the file.
    pub report: ImportReport,
}

/// An import that is whole but not yet under its name.
#[derive(Debug)]
pub struct Staged {
    /// To be published.
    pub snapshot: StagedSnapshot,
    /// What was found in the file.
    pub report: ImportReport,
}

/// What was found in a file.
#[derive(Debug, Clone)]
pub struct ImportReport {
    /// Its kind.
    pub format: Format,
    /// Its size.
    pub source_bytes: u64,
    /// BLAKE3 of its bytes, in hexadecimal.
    pub source_blake3: String,
    /// How its text was read; `None` for Parquet.
    pub read_as: Option<ReadAs>,
    /// Its columns in order.
    pub columns: Vec<ImportedColumn>,
    /// What is worth telling.
    pub notes: Vec<ImportNote>,
    /// A schema that pins every type as it was found, to be pasted; `Infer` for Parquet.
    pub schema: SchemaSpec,
}

/// How a file of text was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadAs {
    /// The sign between values; `None` when every line is one value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    /// The sign around values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The sign before a quote inside quotes; `None` when it is doubled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escape: Option<String>,
    /// Whether the first row holds names.
    pub has_header: bool,
    /// Lines left out at the start.
    pub skip_rows: u64,
    /// The encoding, by its name on the web.
    pub encoding: String,
}

/// A column of an imported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportedColumn {
    /// Its name.
    pub name: String,
    /// The name of its type, see [`types`](crate::types).
    #[serde(rename = "type")]
    pub data_type: String,
}

/// Imports the file at `path` into the snapshot `target`.
///
/// # Errors
/// [`ImportError`] says what is wrong where, and what to do. Nothing is left at `target` then.
pub fn import_file(
    path: &Path,
    target: &Path,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<ImportOutcome, ImportError> {
    let Staged { snapshot, report } = stage_file(path, target, options, progress)?;
    Ok(ImportOutcome {
        facts: snapshot.publish()?,
        report,
    })
}

/// Like [`import_file`], but leaves the last step, giving the snapshot its name, to the caller.
///
/// # Errors
/// As for [`import_file`].
pub fn stage_file(
    path: &Path,
    target: &Path,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<Staged, ImportError> {
    let metadata = std::fs::metadata(path).map_err(ImportError::io(path))?;
    if metadata.is_dir() {
        return Err(ImportError::Folder { path: path.to_owned() });
    }
    match options.format.or_else(|| Format::of(path)) {
        Some(Format::Csv) => csv::stage(path, target, options, progress),
        Some(Format::Parquet) => parquet::stage(path, target, options, progress),
        None => Err(ImportError::UnknownSuffix { path: path.to_owned() }),
    }
}
