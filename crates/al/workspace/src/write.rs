//! Guarded writes: a file changes only if it still is what the change was computed from,
//! and then wholly or not at all.

mod commit;
mod temporary;

pub use temporary::{Sweep, sweep_temporary_files};

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use candor_al_syntax::text::{Encoding, SourceText};

use crate::cancellation::{Cancellation, Cancelled};
use crate::file_system::FileSystem;
use commit::{Batch, Staged};

/// A change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileChange<'a> {
    /// The file; a link means the file it leads to.
    pub path: &'a Path,
    /// The text the change was computed from.
    pub expected: &'a str,
    /// The text the file should hold.
    pub new_text: &'a str,
}

/// Why a file of a batch does not hold its new text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConflictKind {
    /// It was changed or deleted since the change was computed.
    StaleFile,
    /// Its bytes are invalid in its encoding, or the new text cannot be encoded.
    UnsupportedEncoding,
    /// It could not be read.
    ReadFailed,
    /// It could not be written; it is as it was.
    WriteFailed,
    /// It was written and set back because another file could not be.
    RolledBack,
    /// Its turn never came because another file could not be written.
    NotWritten,
}

impl ConflictKind {
    /// The word that tools report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StaleFile => "StaleFile",
            Self::UnsupportedEncoding => "UnsupportedEncoding",
            Self::ReadFailed => "ReadFailed",
            Self::WriteFailed => "WriteFailed",
            Self::RolledBack => "RolledBack",
            Self::NotWritten => "NotWritten",
        }
    }
}

impl fmt::Display for ConflictKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A file that does not hold its new text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Conflict {
    /// The file as the change named it.
    pub path: PathBuf,
    /// The kind of reason.
    pub kind: ConflictKind,
    /// What happened and what now, with the path.
    pub message: String,
    /// The kind of the system's error, for `ReadFailed` and `WriteFailed`.
    pub cause: Option<io::ErrorKind>,
}

/// What became of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WriteOutcome {
    /// The files that now hold their new text, in the order given. After a failure these
    /// are the ones that could not be set back.
    pub changed: Vec<PathBuf>,
    /// The files that do not.
    pub conflicts: Vec<Conflict>,
    /// All of this in words; absent when there is no conflict.
    pub message: Option<String>,
    /// Whether the caller took the request back; everything was then set back.
    pub cancelled: bool,
}

/// Why a single file was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A conflict; its message says what the file holds now.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The caller took the request back; the file is as it was.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Keeps two writes of this process apart, which the check of the old text alone would
/// not: it looks before it replaces.
static WRITING: Mutex<()> = Mutex::new(());

/// Writes one file, guarded. Answers whether the file had to change.
///
/// # Errors
/// A [`Conflict`] when it is stale, not readable, not encodable or not writable; the file
/// is then as it was, unless the message says otherwise. Cancellation counts up to the rename.
pub fn write_file(
    files: &dyn FileSystem,
    change: FileChange<'_>,
    cancellation: &Cancellation,
) -> Result<bool, WriteError> {
    let mut outcome = write_files(files, &[change], cancellation);
    if outcome.cancelled {
        return Err(Cancelled.into());
    }
    match outcome.conflicts.pop() {
        Some(conflict) => Err(conflict.into()),
        None => match (outcome.changed.pop(), outcome.message) {
            // Written, then found to be unsafe on the disk, and not to be set back.
            (Some(path), Some(message)) => Err(Conflict {
                path,
                kind: ConflictKind::WriteFailed,
                message,
                cause: None,
            }
            .into()),
            (changed, _) => Ok(changed.is_some()),
        },
    }
}

/// Writes several files, guarded, all or none: files that are stale, unreadable or not
/// encodable drop out first; when one of the others cannot be written, those before it are
/// set back byte for byte unless somebody else has changed them meanwhile.
pub fn write_files(files: &dyn FileSystem, changes: &[FileChange<'_>], cancellation: &Cancellation) -> WriteOutcome {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut conflicts = Vec::new();
    let mut staged: Vec<Staged<'_>> = Vec::new();
    for change in changes {
        if cancellation.is_cancelled() {
            break;
        }
        match stage(files, change) {
            Ok(file) => match staged.iter().find(|other| other.target == file.target) {
                Some(first) => conflicts.push(appears_twice(change.path, first.path)),
                None => staged.push(file),
            },
            Err(conflict) => conflicts.push(conflict),
        }
    }
    staged.retain(Staged::changes_something);
    Batch::new(files, staged, conflicts).run(cancellation)
}

/// Reads a file and prepares the bytes it should hold.
fn stage<'a>(files: &dyn FileSystem, change: &FileChange<'a>) -> Result<Staged<'a>, Conflict> {
    let path = change.path;
    let target = files.resolve(path).map_err(|error| unreadable(path, &error))?;
    let original = files.read(&target).map_err(|error| unreadable(path, &error))?;
    let source = SourceText::decode(&original);
    let unsupported = |why: String| Conflict {
        path: path.to_owned(),
        kind: ConflictKind::UnsupportedEncoding,
        message: format!("{} was not changed: {why}.", path.display()),
        cause: None,
    };
    if !source.is_lossless() {
        let mark = match source.encoding() {
            Encoding::Utf8 if source.has_byte_order_mark() => " with BOM",
            _ => "",
        };
        return Err(unsupported(format!(
            "it was read as {}{mark} but holds bytes that are invalid there; convert the file to UTF-8 first",
            source.encoding()
        )));
    }
    if source.text() != change.expected {
        return Err(Conflict {
            path: path.to_owned(),
            kind: ConflictKind::StaleFile,
            message: format!(
                "{} was changed on disk since the fix was computed; nothing was written to it. Repeat the call.",
                path.display()
            ),
            cause: None,
        });
    }
    let content = source
        .encode(change.new_text)
        .map_err(|error| unsupported(error.to_string()))?;
    Ok(Staged {
        path,
        target,
        original,
        content,
    })
}

fn unreadable(path: &Path, error: &io::Error) -> Conflict {
    let is_gone = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    if is_gone {
        return Conflict {
            path: path.to_owned(),
            kind: ConflictKind::StaleFile,
            message: format!(
                "{} was deleted since the fix was computed; nothing was written to it. Repeat the call.",
                path.display()
            ),
            cause: None,
        };
    }
    Conflict {
        path: path.to_owned(),
        kind: ConflictKind::ReadFailed,
        message: format!(
            "{} could not be read ({error}); nothing was written to it.",
            path.display()
        ),
        cause: Some(error.kind()),
    }
}

fn appears_twice(path: &Path, first: &Path) -> Conflict {
    Conflict {
        path: path.to_owned(),
        kind: ConflictKind::StaleFile,
        message: format!(
            "{} is the same file as {}, which this batch changes already; nothing more was written to it. Repeat the call.",
            path.display(),
            first.display()
        ),
        cause: None,
    }
}
