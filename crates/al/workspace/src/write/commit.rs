//! The second phase of a write: replacing files one by one, and setting them back.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use super::temporary::temporary_path;
use super::{Conflict, ConflictKind, WriteOutcome};
use crate::cancellation::Cancellation;
use crate::file_system::FileSystem;

/// A file that is ready to be replaced.
pub(super) struct Staged<'a> {
    /// The path as the caller named it.
    pub(super) path: &'a Path,
    /// The file itself, behind any links.
    pub(super) target: PathBuf,
    pub(super) original: Vec<u8>,
    pub(super) content: Vec<u8>,
}

impl Staged<'_> {
    pub(super) fn changes_something(&self) -> bool {
        self.original != self.content
    }
}

/// What became of a staged file.
enum Fate {
    Waiting,
    Committed,
    /// Somebody else changed it after it was staged.
    Stale,
    Failed,
    Restored,
    /// It still holds the new content, or somebody else's; the text says why.
    NotRestored(String),
}

/// Why the batch stops.
enum Stop {
    Cancelled,
    Failed { path: PathBuf, error: io::Error },
}

/// Why one file was not replaced.
enum CommitError {
    Stale,
    Cancelled,
    Failed(io::Error),
}

impl From<io::Error> for CommitError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

pub(super) struct Batch<'a> {
    files: &'a dyn FileSystem,
    staged: Vec<(Staged<'a>, Fate)>,
    conflicts: Vec<Conflict>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(files: &'a dyn FileSystem, staged: Vec<Staged<'a>>, conflicts: Vec<Conflict>) -> Self {
        Self {
            files,
            staged: staged.into_iter().map(|file| (file, Fate::Waiting)).collect(),
            conflicts,
        }
    }

    pub(super) fn run(mut self, cancellation: &Cancellation) -> WriteOutcome {
        let stop = self.commit_all(cancellation).err();
        if stop.is_some() {
            self.restore_all();
        }
        self.outcome(stop.as_ref())
    }

    fn commit_all(&mut self, cancellation: &Cancellation) -> Result<(), Stop> {
        if cancellation.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        for (file, fate) in &mut self.staged {
            match replace(
                self.files,
                &file.target,
                &file.original,
                &file.content,
                Some(cancellation),
            ) {
                Ok(()) => *fate = Fate::Committed,
                Err(CommitError::Stale) => *fate = Fate::Stale,
                Err(CommitError::Cancelled) => return Err(Stop::Cancelled),
                Err(CommitError::Failed(error)) => {
                    // A rename over a network may succeed and be reported as failed; only
                    // the old bytes prove that it did not happen.
                    let before = self.files.read(&file.target);
                    let is_untouched = before.is_ok_and(|bytes| bytes == file.original);
                    *fate = if is_untouched { Fate::Failed } else { Fate::Committed };
                    let path = file.path.to_owned();
                    return Err(Stop::Failed { path, error });
                }
            }
        }
        self.sync_folders()
    }

    /// Makes the renames last. Once for each folder at the end: until then a crash leaves
    /// the old file or the new one, never neither.
    fn sync_folders(&self) -> Result<(), Stop> {
        let mut folders = BTreeSet::new();
        for (file, fate) in &self.staged {
            let Some(folder) = file.target.parent() else {
                continue;
            };
            if !matches!(fate, Fate::Stale) && folders.insert(folder) {
                self.files.sync_folder(folder).map_err(|error| Stop::Failed {
                    path: file.path.to_owned(),
                    error,
                })?;
            }
        }
        Ok(())
    }

    /// Sets back what was written, as far as it still is what was written.
    fn restore_all(&mut self) {
        for (file, fate) in &mut self.staged {
            if !matches!(fate, Fate::Committed) {
                continue;
            }
            *fate = restore(self.files, file);
        }
        // The failure is reported already; that old content may reappear late changes nothing.
        let _ = self.sync_folders();
    }

    fn outcome(self, stop: Option<&Stop>) -> WriteOutcome {
        let mut outcome = WriteOutcome {
            cancelled: matches!(stop, Some(Stop::Cancelled)),
            conflicts: self.conflicts,
            ..WriteOutcome::default()
        };
        for (file, _) in self.staged.iter().filter(|(_, fate)| matches!(fate, Fate::Stale)) {
            outcome.conflicts.push(Conflict {
                path: file.path.to_owned(),
                kind: ConflictKind::StaleFile,
                message: format!(
                    "{} was changed on disk just before it would have been written; nothing was written to it. Repeat the call.",
                    file.path.display()
                ),
                cause: None,
            });
        }
        let skipped = outcome.conflicts.len();
        outcome.message = match stop {
            None if skipped == 0 => None,
            None => Some(format!(
                "{} skipped: changed on disk, unreadable or not in a supported encoding; see conflicts. Repeat the call to fix what is left.",
                counted(skipped, "file was", "files were")
            )),
            Some(stop) => Some(failure_text(stop, &self.staged, skipped)),
        };
        for (file, fate) in self.staged {
            let path = file.path.display();
            let failed_here = matches!(stop, Some(Stop::Failed { path, .. }) if path == file.path);
            let (kind, message) = match fate {
                Fate::Stale => continue,
                Fate::Committed | Fate::NotRestored(_) => {
                    outcome.changed.push(file.path.to_owned());
                    continue;
                }
                Fate::Failed | Fate::Restored if failed_here => {
                    (ConflictKind::WriteFailed, write_failed_text(stop, &path.to_string()))
                }
                Fate::Restored | Fate::Failed => (
                    ConflictKind::RolledBack,
                    format!(
                        "{path} was written and then restored byte for byte, because the batch could not be completed."
                    ),
                ),
                Fate::Waiting => (
                    ConflictKind::NotWritten,
                    format!("{path} was not written, because the batch stopped before it."),
                ),
            };
            let cause = match stop {
                Some(Stop::Failed { error, .. }) if failed_here => Some(error.kind()),
                _ => None,
            };
            outcome.conflicts.push(Conflict {
                path: file.path.to_owned(),
                kind,
                message,
                cause,
            });
        }
        outcome
    }
}

/// Sets a file back to its old bytes unless somebody else has changed it.
fn restore(files: &dyn FileSystem, file: &Staged<'_>) -> Fate {
    let is_original = || files.read(&file.target).is_ok_and(|bytes| bytes == file.original);
    if is_original() {
        return Fate::Restored;
    }
    let path = file.path.display();
    match replace(files, &file.target, &file.content, &file.original, None) {
        Ok(()) => Fate::Restored,
        Err(CommitError::Failed(_)) if is_original() => Fate::Restored,
        Err(CommitError::Failed(error)) => {
            Fate::NotRestored(format!("Rollback failed for {path} ({error}); it holds the new text"))
        }
        Err(CommitError::Stale | CommitError::Cancelled) => Fate::NotRestored(format!(
            "{path} was modified afterwards by somebody else and was left alone"
        )),
    }
}

/// Replaces `target` by `content` in one step if it holds `expected`. Without a
/// cancellation it cannot be taken back.
fn replace(
    files: &dyn FileSystem,
    target: &Path,
    expected: &[u8],
    content: &[u8],
    cancellation: Option<&Cancellation>,
) -> Result<(), CommitError> {
    let temporary = temporary_path(target);
    let replaced = (|| {
        let is_cancelled = || cancellation.is_some_and(Cancellation::is_cancelled);
        if is_cancelled() {
            return Err(CommitError::Cancelled);
        }
        // Looking before writing spares a vanished file the model it no longer is, looking
        // after writing keeps the moment between look and rename short.
        still_holds(files, target, expected)?;
        files.create_like(&temporary, content, target)?;
        still_holds(files, target, expected)?;
        if is_cancelled() {
            return Err(CommitError::Cancelled);
        }
        files.rename(&temporary, target)?;
        Ok(())
    })();
    if replaced.is_err() {
        // It may never have come into being; a later sweep takes what stays.
        let _ = files.remove(&temporary);
    }
    replaced
}

fn still_holds(files: &dyn FileSystem, target: &Path, expected: &[u8]) -> Result<(), CommitError> {
    match files.read(target) {
        Ok(bytes) if bytes == expected => Ok(()),
        Ok(_) => Err(CommitError::Stale),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(CommitError::Stale),
        Err(error) => Err(error.into()),
    }
}

fn failure_text(stop: &Stop, staged: &[(Staged<'_>, Fate)], skipped: usize) -> String {
    let mut text = match stop {
        Stop::Cancelled => "The request was cancelled.".to_owned(),
        Stop::Failed { path, error } => {
            format!("{} could not be written ({:?}: {error}).", path.display(), error.kind())
        }
    };
    let restored = staged.iter().filter(|(_, fate)| matches!(fate, Fate::Restored));
    let restored = restored.count();
    let reasons: Vec<_> = staged
        .iter()
        .filter_map(|(_, fate)| match fate {
            Fate::NotRestored(reason) => Some(reason.as_str()),
            _ => None,
        })
        .collect();
    if restored == 0 && reasons.is_empty() {
        text.push_str(" Nothing was written.");
    } else {
        let files = counted(restored, "file was", "files were");
        let _ = write!(text, " {files} restored to the original bytes.");
    }
    for reason in reasons {
        let _ = write!(text, " {reason}.");
    }
    if skipped > 0 {
        let files = counted(skipped, "other file was", "other files were");
        let _ = write!(text, " {files} skipped before; see conflicts.");
    }
    text
}

fn write_failed_text(stop: Option<&Stop>, path: &str) -> String {
    match stop {
        Some(Stop::Failed { error, .. }) => {
            format!("{path} could not be written ({error}); the file is unchanged.")
        }
        _ => format!("{path} could not be written; the file is unchanged."),
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
