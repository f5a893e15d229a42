//! Why a file could not be imported: where, what stands there, and what to do.

use super::schema::SchemaSpec;
use crate::snapshot::SnapshotError;
use std::io;
use std::path::PathBuf;

/// How much of a value or line an error repeats.
const SHOWN: usize = 80;

/// Why a file could not be imported. Nothing is left behind.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is no such file.
    #[error("{} does not exist", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// It is a folder.
    #[error("{} is a folder; name one file", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The system refused to read it.
    #[error("could not read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Its name does not say what it is.
    #[error("{} ends in none of .csv, .tsv, .txt, .parquet, .pq", path.display())]
    UnknownSuffix {
        /// The file.
        path: PathBuf,
    },
    /// A schema or reader option that cannot be understood, or does not go with the file.
    #[error("{option}: {problem}")]
    BadOption {
        /// Its name, such as `delimiter`, or `schema`.
        option: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// A schema that does not fit the columns of the file.
    #[error(
        "the schema does not fit the file: {problem}; its columns are {}. A schema to paste: {suggestion}",
        quoted(header)
    )]
    SchemaMismatch {
        /// The columns of the file, in order.
        header: Vec<String>,
        /// What is wrong.
        problem: String,
        /// A schema that fits.
        suggestion: SchemaSpec,
    },
    /// There is not a single line in it.
    #[error("{} is empty: it has no header and no rows", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is a file of another kind.
    #[error("{} is no text: it looks like {kind}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Such as `a ZIP archive (an Excel workbook is one)`.
        kind: &'static str,
    },
    /// Bytes that are no text in the encoding the file is read in.
    #[error("line {line}, column {column}: {bytes} is not {encoding}{hint}")]
    BadEncoding {
        /// Name of the encoding.
        encoding: &'static str,
        /// 1-based line of the file.
        line: u64,
        /// Name of the column, or its number.
        column: String,
        /// The first offending bytes, such as `0xE9`.
        bytes: String,
        /// What to pass instead, with what the value would then be; may be empty.
        hint: String,
    },
    /// A quoted value that does not end, or goes on behind its end.
    #[error("line {line}, column {column}: {problem}")]
    BadQuote {
        /// 1-based line of the file.
        line: u64,
        /// Name of the column, or its number.
        column: String,
        /// What is wrong, and which option would help.
        problem: String,
    },
    /// Lines with fewer or more values than there are columns.
    #[error(
        "line {line} has {found} values where the header has {expected}: {text}{}. No value is made up or dropped: \
         correct the line{hint}",
        others(*count)
    )]
    Ragged {
        /// 1-based line of the first such row.
        line: u64,
        /// Number of columns.
        expected: usize,
        /// Number of values in that line.
        found: usize,
        /// The line.
        text: String,
        /// How many lines are like that.
        count: u64,
        /// An option that may help; may be empty.
        hint: String,
    },
    /// A line of more than 64 MiB, most likely an opened quote that is never closed.
    #[error("the row that begins in line {line} is longer than 64 MiB; is a quote left open?")]
    TooLong {
        /// 1-based line where it begins.
        line: u64,
    },
    /// A value that is none of the type asked for.
    #[error(transparent)]
    BadValue(Box<BadValue>),
    /// A column of a Parquet file that cannot be kept as it is.
    #[error("column \"{column}\" has the type {data_type}, {why}")]
    UnsupportedColumn {
        /// The column.
        column: String,
        /// Its type.
        data_type: String,
        /// What the matter is, and what to do.
        why: String,
    },
    /// The file changed while it was read.
    #[error("{} changed while it was being read; import it again when nobody writes to it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The file's content is unsound, or the snapshot could not be written.
    #[error(transparent)]
    Snapshot(SnapshotError),
    /// The caller asked to stop.
    #[error("stopped as asked")]
    Cancelled,
}

/// A value that is none of the type asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column \"{column}\": {value} is no {data_type}: {why}. A schema to paste: {suggestion}")]
pub struct BadValue {
    /// The column.
    pub column: String,
    /// 1-based line of the file.
    pub line: u64,
    /// 1-based row of data.
    pub row: u64,
    /// The value in quotes, cut when long.
    pub value: String,
    /// The type asked for.
    pub data_type: String,
    /// Why it does not fit.
    pub why: String,
    /// A schema every value of the file fits.
    pub suggestion: SchemaSpec,
}

impl From<SnapshotError> for ImportError {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Cancelled => Self::Cancelled,
            other => Self::Snapshot(other),
        }
    }
}

impl ImportError {
    pub(super) fn option(option: &str, problem: impl Into<String>) -> Self {
        Self::BadOption {
            option: option.to_owned(),
            problem: problem.into(),
        }
    }

    pub(super) fn io(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path: path.to_owned() },
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }
}

/// A value as an error shows it: in quotes, on one line, cut when long.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        format!("{short:?}…")
    } else {
        format!("{short:?}")
    }
}

fn quoted(names: &[String]) -> String {
    names
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

fn others(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " (and one more line)".to_owned(),
        many => format!(" (and {} more lines)", many - 1),
    }
}
