//! Why a command could not do what it was asked to.

use std::io;
use std::path::PathBuf;

use candor_catalog_facade::CatalogError;
use candor_contract::JournalError;

/// Why a command could not do what it was asked to. All but a closed output end the process with exit code 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The catalog has no place.
    #[error(
        "there is no place for a catalog: neither CANDOR_HOME nor a home folder is known; set CANDOR_HOME to a folder"
    )]
    NoHome,
    /// The catalog refused or failed.
    #[error("{}", .0.message())]
    Catalog(#[from] CatalogError),
    /// A text of the command line is not what it should be.
    #[error("{0}")]
    Usage(String),
    /// A file of the command line cannot be read, or one of the demonstration not written.
    #[error("cannot use `{}`: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Standard input or output does not work.
    #[error("cannot use standard input or output: {0}")]
    Stream(#[from] io::Error),
    /// The server ended with an error.
    #[error("the server stopped: {0}")]
    Server(String),
}

impl Failure {
    /// Whether the reader of our output has gone away, as `head` does.
    pub(crate) fn is_closed_output(&self) -> bool {
        matches!(self, Self::Stream(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
