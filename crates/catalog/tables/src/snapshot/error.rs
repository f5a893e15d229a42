//! What can go wrong with a snapshot.

use crate::digest::DigestError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a snapshot could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// There is no such file.
    #[error("{} does not exist", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file is there, but its content is not what was written.
    #[error("{} is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        why: String,
    },
    /// The system refused to read or write.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, such as `write`.
        action: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// A type that Parquet cannot hold.
    #[error(
        "column \"{column}\" has the type {data_type}, which a snapshot cannot hold; convert it, for example to text"
    )]
    UnsupportedType {
        /// The column.
        column: String,
        /// Its Arrow type.
        data_type: String,
    },
    /// Two columns of one name.
    #[error("there are two columns named \"{column}\"; give one of them another name")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A batch whose columns are not those of the snapshot.
    #[error("a batch has {found} where the snapshot has {expected}")]
    SchemaMismatch {
        /// Name and type.
        expected: String,
        /// Name and type.
        found: String,
    },
    /// A column was asked for that is not there.
    #[error("there is no column \"{column}\"; the columns are {}", known.join(", "))]
    NoSuchColumn {
        /// The name asked for.
        column: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The rows could not be encoded.
    #[error("the rows could not be written to {}: {why}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the writer said.
        why: String,
    },
    /// The rows could not be digested.
    #[error(transparent)]
    Digest(#[from] DigestError),
    /// The caller asked to stop.
    #[error("stopped as asked")]
    Cancelled,
}

impl SnapshotError {
    /// For `map_err`: the error of `action` on `path`.
    pub(crate) fn io<'a>(path: &'a Path, action: &'static str) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| match source.kind() {
            io::ErrorKind::NotFound if action == "read" => Self::Missing { path: path.to_owned() },
            _ => Self::Io {
                path: path.to_owned(),
                action,
                source,
            },
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "handed over by map_err")]
    pub(crate) fn damaged(path: &Path, why: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            why: why.to_string(),
        }
    }
}
