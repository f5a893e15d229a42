//! Every change of a file goes through here: written under a temporary name, synced, renamed, folder synced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::time::random_word;
use crate::{Result, StoreError};

/// One step of a change, as a [`StepHook`] sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// A folder is made.
    MakeFolder,
    /// A file of a temporary name is opened.
    Create,
    /// Its first half is written.
    Write,
    /// Its second half is written.
    WriteRest,
    /// A file is made to reach the disk.
    Sync,
    /// A file or folder gets its final name; the path is the new name.
    Rename,
    /// A folder's list of names is made to reach the disk.
    SyncFolder,
    /// A file or folder is removed.
    Remove,
    /// A file is copied; the path is the copy.
    Copy,
    /// A line is added to a file.
    Append,
    /// The history is written; the path is the repository.
    Commit,
}

/// What a [`StepHook`] does to a step.
#[derive(Debug)]
#[non_exhaustive]
pub enum Interference {
    /// Nothing: the step takes place.
    None,
    /// The step does not take place and fails.
    Fail(io::Error),
    /// A sync does not take place, and nobody notices: tests end processes, not the power. Other steps take place.
    SkipSync,
}

/// Looks at each step before it takes place, and may make it fail: how tests inject a full disk, or end the process
/// between any two steps. A program installs none.
pub trait StepHook: std::fmt::Debug + Send + Sync {
    /// Called before the step.
    fn before(&self, operation: Operation, path: &Path) -> Interference;
}

/// The disk, with the hook of a test, if any.
#[derive(Debug, Clone, Default)]
pub(crate) struct Disk {
    hook: Option<Arc<dyn StepHook>>,
}

impl Disk {
    pub(crate) fn with_hook(hook: Arc<dyn StepHook>) -> Self {
        Self { hook: Some(hook) }
    }

    pub(crate) fn step(&self, operation: Operation, path: &Path) -> io::Result<()> {
        self.ask(operation, path).map(|_| ())
    }

    /// Says whether the step, a sync, is to take place.
    fn ask(&self, operation: Operation, path: &Path) -> io::Result<bool> {
        match &self.hook {
            None => Ok(true),
            Some(hook) => match hook.before(operation, path) {
                Interference::None => Ok(true),
                Interference::Fail(error) => Err(error),
                Interference::SkipSync => Ok(false),
            },
        }
    }

    /// Makes what was written to an open file reach the disk.
    pub(crate) fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        if self.ask(Operation::Sync, path)? {
            file.sync_all()?;
        }
        Ok(())
    }

    /// Makes a folder and those above it.
    pub(crate) fn make_folder(&self, path: &Path) -> Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        self.step(Operation::MakeFolder, path)
            .and_then(|()| fs::create_dir_all(path))
            .map_err(|source| StoreError::write("make", path, source))
    }

    /// Replaces a file, or makes it: readers see the old text or the new one, nothing else.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.replace_through(&temporary_beside(path), path, bytes)
    }

    /// As [`replace`](Self::replace), with the temporary file where one that is left over will be found.
    pub(crate) fn replace_through(&self, temporary: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
        let written = self
            .write_new(temporary, bytes)
            .and_then(|()| self.rename(temporary, path));
        if written.is_err() {
            let _ = fs::remove_file(temporary);
        }
        written
    }

    /// Writes a file that nobody looks at yet, and syncs it.
    pub(crate) fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.try_write_new(path, bytes)
            .map_err(|source| StoreError::write("write", path, source))
    }

    fn try_write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step(Operation::Create, path)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        // In halves, so that a test can end the process with half a file.
        let (first, rest) = bytes.split_at(bytes.len() / 2);
        self.step(Operation::Write, path)?;
        file.write_all(first)?;
        self.step(Operation::WriteRest, path)?;
        file.write_all(rest)?;
        self.sync(&file, path)
    }

    /// Gives a file or folder its final name, and makes the name reach the disk.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.step(Operation::Rename, to)
            .and_then(|()| fs::rename(from, to))
            .map_err(|source| StoreError::write("rename", to, source))?;
        to.parent().map_or(Ok(()), |folder| self.sync_folder(folder))
    }

    /// Makes a folder's list of names reach the disk.
    pub(crate) fn sync_folder(&self, folder: &Path) -> Result<()> {
        self.ask(Operation::SyncFolder, folder)
            .and_then(|wanted| if wanted { sync_folder(folder) } else { Ok(()) })
            .map_err(|source| StoreError::write("sync", folder, source))
    }

    /// Makes a file that another crate wrote reach the disk.
    pub(crate) fn sync_file(&self, path: &Path) -> Result<()> {
        OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .and_then(|file| self.sync(&file, path))
            .map_err(|source| StoreError::write("sync", path, source))
    }

    /// Removes a file; one that is gone already is no error.
    pub(crate) fn remove_file(&self, path: &Path) -> Result<()> {
        let removed = self.step(Operation::Remove, path).and_then(|()| fs::remove_file(path));
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::write("remove", path, error)),
            _ => Ok(()),
        }
    }

    /// Removes a folder with what is in it; one that is gone already is no error.
    pub(crate) fn remove_folder(&self, path: &Path) -> Result<()> {
        let removed = self
            .step(Operation::Remove, path)
            .and_then(|()| fs::remove_dir_all(path));
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::write("remove", path, error)),
            _ => Ok(()),
        }
    }

    /// Adds whole lines to a file with a single write.
    pub(crate) fn append(&self, path: &Path, lines: &str) -> Result<()> {
        self.step(Operation::Append, path)
            .and_then(|()| OpenOptions::new().append(true).create(true).open(path))
            .and_then(|mut file| file.write_all(lines.as_bytes()))
            .map_err(|source| StoreError::write("write", path, source))
    }
}

/// A name in the same folder that nobody else uses and that [cleaning](crate::cleaning) knows as temporary.
pub(crate) fn temporary_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", random_word()))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Only Unix lets a folder be synced; elsewhere renames are as durable as the file system makes them.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// A file's bytes; `None` when there is no such file.
pub(crate) fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(StoreError::read(path, error)),
    }
}

/// The names in a folder, sorted; none when there is no such folder.
pub(crate) fn names_in(folder: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::read(folder, error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| StoreError::read(folder, error))?;
        // A name that is no Unicode is none of ours.
        if let Ok(name) = entry.file_name().into_string() {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// What tells one state of a file from another without reading it. Every change replaces the file, so the file's
/// number changes even where its time is too coarse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    pub(crate) modified: Option<std::time::SystemTime>,
    number: u64,
}

impl Stamp {
    /// The state of a file; `None` when it cannot be looked at.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            number: file_number(&metadata),
        })
    }
}

#[cfg(unix)]
fn file_number(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn file_number(_metadata: &fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct FailAt(Operation);

    impl StepHook for FailAt {
        fn before(&self, operation: Operation, _path: &Path) -> Interference {
            if operation == self.0 {
                Interference::Fail(io::ErrorKind::StorageFull.into())
            } else {
                Interference::None
            }
        }
    }

    #[test]
    fn a_replacement_that_fails_leaves_the_old_text_and_no_litter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        Disk::default().replace(&path, b"old").unwrap();
        for operation in [
            Operation::Create,
            Operation::Write,
            Operation::WriteRest,
            Operation::Sync,
            Operation::Rename,
        ] {
            let disk = Disk::with_hook(Arc::new(FailAt(operation)));
            let error = disk.replace(&path, b"new").unwrap_err();
            assert!(
                matches!(error, StoreError::WriteFailed { .. }),
                "{operation:?}: {error}"
            );
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(names_in(folder.path()).unwrap(), ["a.json"]);
        }
    }

    #[test]
    fn a_stamp_tells_two_texts_of_equal_length_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        assert_eq!(Stamp::of(&path), None);
        Disk::default().replace(&path, b"one").unwrap();
        let first = Stamp::of(&path);
        Disk::default().replace(&path, b"two").unwrap();
        assert_ne!(Stamp::of(&path), first);
    }
}
