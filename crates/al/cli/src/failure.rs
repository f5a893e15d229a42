//! Why a command could not do what it was asked to.

use std::io;

use candor_al_session::AlError;
use candor_contract::JournalError;

use crate::commands::check::BaselineError;

/// Why a command could not do what it was asked to. All but a closed output
/// end the process with exit code 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The current folder is gone or closed to us.
    #[error("cannot tell the current folder: {0}")]
    NoCurrentFolder(io::Error),
    /// Flags that mean nothing together.
    #[error("{0}")]
    Usage(&'static str),
    /// A preprocessor symbol that no condition can name.
    #[error("{0:?} is no preprocessor symbol: those begin with a letter or `_` and have letters, digits and `_` only")]
    NoSymbol(String),
    /// Arguments that the session refuses.
    #[error("{}", .0.message())]
    Refused(AlError),
    /// No rule has this id.
    #[error("there is no rule `{id}`")]
    NoSuchRule { id: String, nearest: Vec<&'static str> },
    /// No rule and no cop is called so.
    #[error("`{word}` is neither a rule nor a cop")]
    NoSuchRuleOrCop { word: String, nearest: Vec<&'static str> },
    /// The baseline cannot be used.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// The journal has no place.
    #[error("there is no journal: neither CANDOR_HOME nor a home folder is known")]
    NoJournal,
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// The server ended with an error.
    #[error("the server stopped: {0}")]
    Server(String),
}

impl Failure {
    /// Whether the reader of our output has gone away, as `head` does.
    pub(crate) fn is_closed_output(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What to do about it, in one sentence.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchRule { nearest, .. } | Self::NoSuchRuleOrCop { nearest, .. } => {
                let near: Vec<_> = nearest.iter().map(|id| format!("`{id}`")).collect();
                let guess = if near.is_empty() {
                    String::new()
                } else {
                    format!("did you mean {}? ", near.join(" or "))
                };
                Some(format!("{guess}`candor-al rules` lists all rules"))
            }
            Self::Baseline(error) => error.hint(),
            Self::NoJournal => Some("set CANDOR_HOME to a folder".to_owned()),
            _ => None,
        }
    }
}
