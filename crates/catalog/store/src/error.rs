//! Why the store refused or failed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{AliasKind, Holder};

/// What the operations of the store return.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why the store refused or failed. Nothing was changed, unless a variant says otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A name that cannot be used.
    #[error("`{name}` cannot be the name of {what}: {problem}.")]
    BadName {
        /// What was to be named: "a project", "an alias", "an entry", "a label".
        what: &'static str,
        /// The name as given, shortened when it is long.
        name: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// No project has this name.
    #[error("There is no project `{name}`.")]
    NoSuchProject {
        /// The name that was looked for.
        name: String,
        /// The projects that exist.
        known: Vec<String>,
    },
    /// No project is active.
    #[error("No project is active. Make one with `project_new`.")]
    NoActiveProject,
    /// A project has this name already.
    #[error("There is a project `{name}` already.")]
    ProjectExists {
        /// The name.
        name: String,
    },
    /// No entry has this hash.
    #[error("There is no entry `{hash}`.")]
    NoSuchEntry {
        /// The hash that was looked for.
        hash: String,
    },
    /// No alias has this name.
    #[error("There is no alias `{name}`{}.", renamed(now.as_deref()))]
    NoSuchAlias {
        /// The name that was looked for.
        name: String,
        /// What an alias of this name is called now.
        now: Option<String>,
        /// The aliases that exist.
        known: Vec<String>,
    },
    /// The alias has no such version.
    #[error("`{alias}` has no version {version}: it has v1..v{count}.")]
    NoSuchVersion {
        /// The alias.
        alias: String,
        /// The version that was asked for.
        version: u64,
        /// How many versions there are.
        count: u64,
    },
    /// No step or label of this name.
    #[error("There is no step or label `{name}`.")]
    NoSuchStep {
        /// What was looked for.
        name: String,
    },
    /// An alias has this name already.
    #[error("`{name}` is taken: it is the name of a {} alias.", kind.as_str())]
    NameTaken {
        /// The name.
        name: String,
        /// What kind of alias has it.
        kind: AliasKind,
    },
    /// An alias of the other kind has this name.
    #[error("`{name}` is a {} alias: {}.", kind.as_str(), way(*kind))]
    WrongKind {
        /// The name.
        name: String,
        /// What kind of alias it is.
        kind: AliasKind,
    },
    /// The head of an alias is no longer the one the operation was based on.
    #[error("`{alias}` has moved on from {expected} to {found} in the meantime.")]
    VersionMoved {
        /// The alias.
        alias: String,
        /// The head that was expected.
        expected: String,
        /// The head that was found.
        found: String,
    },
    /// Someone else holds the lock, and did not release it in time.
    #[error("{}", busy(what, holder.as_ref(), *waited, *retry_after))]
    Busy {
        /// What is locked: "project `sales`", "the list of projects".
        what: String,
        /// Who holds the lock, as far as is known.
        holder: Option<Holder>,
        /// How long this process waited.
        waited: Duration,
        /// When it makes sense to try again.
        retry_after: Duration,
    },
    /// A file is not what it must be.
    #[error("`{}` is damaged: {problem}. {advice}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        advice: String,
    },
    /// There is no file at this path.
    #[error("There is no file `{}`.", path.display())]
    NoSuchFile {
        /// The path.
        path: PathBuf,
    },
    /// The path cannot be brought in as a file.
    #[error("`{}` cannot be brought in: {problem}.", path.display())]
    UnusableFile {
        /// The path.
        path: PathBuf,
        /// What it is instead.
        problem: &'static str,
    },
    /// A file was changed while it was being read.
    #[error("`{}` was changed while it was being copied.", path.display())]
    SourceChanged {
        /// The file.
        path: PathBuf,
    },
    /// Something could not be read.
    #[error("Cannot read `{}`: {source}.", path.display())]
    ReadFailed {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something could not be written. What was there before is still there.
    #[error("Cannot {action} `{}`: {source}.", path.display())]
    WriteFailed {
        /// What was tried: "write", "rename", "remove", "sync", "make".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The history could not be read or written. The operation itself has taken place.
    #[error("The history of project `{project}` cannot be {action}: {problem}.")]
    History {
        /// The project.
        project: String,
        /// "read" or "written".
        action: &'static str,
        /// What the git library said.
        problem: String,
    },
}

fn renamed(now: Option<&str>) -> String {
    now.map_or_else(String::new, |now| format!(": it is called `{now}` now"))
}

fn way(kind: AliasKind) -> &'static str {
    match kind {
        AliasKind::Source => "its versions come from imported files only",
        AliasKind::Catalog => "its versions come from recipes only",
    }
}

fn busy(what: &str, holder: Option<&Holder>, waited: Duration, retry_after: Duration) -> String {
    let by = holder.map_or_else(
        || "by another process".into(),
        |holder| {
            format!(
                "by process {} on {} for `{}` since {}",
                holder.pid, holder.host, holder.tool, holder.since
            )
        },
    );
    format!(
        "{what} is in use {by}. Waited {:.1} s; try again in {:.0} s.",
        waited.as_secs_f64(),
        retry_after.as_secs_f64().max(1.0)
    )
}

impl StoreError {
    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::ReadFailed {
            path: path.into(),
            source,
        }
    }

    pub(crate) fn write(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::WriteFailed {
            action,
            path: path.into(),
            source,
        }
    }

    pub(crate) fn damaged(path: &Path, problem: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.into(),
            problem: problem.into(),
            advice: advice.into(),
        }
    }
}
