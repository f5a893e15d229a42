//! The one door to the disk: everything this crate, the command line and the
//! protocols do with files goes through [`FileSystem`], so tests can put faults behind it.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link; only [`FileSystem::list`] answers this, since everything else
    /// follows links.
    Link,
    /// A device, a pipe, a socket.
    Other,
}

/// What tells, without reading it, whether a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Length in bytes.
    pub length: u64,
    /// Last modification in nanoseconds since 1970; 0 where the system keeps none.
    pub modified_nanoseconds: i128,
    /// The number the file system knows it by, which differs when another file or folder has taken its place; 0 where
    /// there is none.
    pub identity: u64,
}

impl Stamp {
    /// Whether a change made right after `moment` could carry this very stamp, because
    /// the clock of the file system may not have ticked in between.
    ///
    /// A stamp of whole seconds may come from a file system that knows no others (FAT counts
    /// in steps of two), so it has to be older before it is trusted. A drive whose clock
    /// is behind ours by more than that can still hide a change; the guard of writes meets it.
    pub fn is_ambiguous_at(&self, moment: SystemTime) -> bool {
        /// Kernels stamp files with a clock of at most 10 ms; network drives with coarser ones.
        const FINE_TICK_NANOSECONDS: i128 = 50_000_000;
        const COARSE_TICK_NANOSECONDS: i128 = 2_000_000_000 + FINE_TICK_NANOSECONDS;
        let is_whole_second = self.modified_nanoseconds % 1_000_000_000 == 0;
        let tick = if is_whole_second {
            COARSE_TICK_NANOSECONDS
        } else {
            FINE_TICK_NANOSECONDS
        };
        nanoseconds_since_epoch(moment) - self.modified_nanoseconds < tick
    }
}

/// Kind and stamp of what stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata {
    /// Never [`FileKind::Link`]: links are followed.
    pub kind: FileKind,
    /// Length and time of the last modification.
    pub stamp: Stamp,
}

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name alone.
    pub name: OsString,
    /// What it is; links are not followed.
    pub kind: FileKind,
}

/// The operations on files and folders this workspace needs.
///
/// Errors are those of the operating system; callers add path and advice.
pub trait FileSystem: fmt::Debug + Send + Sync {
    /// The whole content of a file.
    ///
    /// # Errors
    /// When it does not exist, is no file or must not be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Kind and stamp of what `path` leads to.
    ///
    /// # Errors
    /// When nothing is there (a broken link included) or must not be looked at.
    fn metadata(&self, path: &Path) -> io::Result<Metadata>;

    /// The entries of a folder, sorted by name.
    ///
    /// # Errors
    /// When it does not exist, is no folder or must not be read.
    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>>;

    /// The path without links, `.` and `..`.
    ///
    /// # Errors
    /// When nothing is there.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// Creates `path`, which must not exist, with `content` and with the mode (and,
    /// where permitted, the owner) of `model`, and waits until it is on the disk.
    ///
    /// # Errors
    /// When `path` exists, `model` must not be written, or writing fails; a part of the
    /// file may then be left for the caller to remove.
    fn create_like(&self, path: &Path, content: &[u8], model: &Path) -> io::Result<()>;

    /// Moves `from` over `to` in one step.
    ///
    /// # Errors
    /// When it could not be moved; `to` is then unchanged.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Waits until renames in `folder` are on the disk.
    ///
    /// # Errors
    /// When the system reports that it could not write them.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// When it does not exist or must not be removed.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The time that stamps are compared with.
    fn now(&self) -> SystemTime;
}

/// The disk itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let metadata = fs::metadata(path)?;
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Ok(Metadata {
            kind: kind_of(metadata.file_type()),
            stamp: Stamp {
                length: metadata.len(),
                modified_nanoseconds: nanoseconds_since_epoch(modified),
                identity: identity(&metadata),
            },
        })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // An entry removed since it was listed is not there.
            if let Ok(file_type) = entry.file_type() {
                entries.push(Entry {
                    name: entry.file_name(),
                    kind: kind_of(file_type),
                });
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn create_like(&self, path: &Path, content: &[u8], model: &Path) -> io::Result<()> {
        // Opening the model for writing asks the system whether its owner allows changes:
        // renaming over a write-protected file would succeed without asking.
        let model = OpenOptions::new().write(true).open(model)?.metadata()?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        // The rights come before the content: nobody may read it who could not before.
        keep_owner(&file, &model);
        file.set_permissions(model.permissions())?;
        file.write_all(content)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Other systems cannot open a folder as a file; their renames are journaled.
        if cfg!(unix) {
            fs::File::open(folder)?.sync_all()?;
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Gives a new file the owner of the one it replaces. Only a privileged user can, and
/// for anybody else the file was their own in the first place, so failure is no fault.
#[cfg(unix)]
fn keep_owner(file: &fs::File, model: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let _ = fchown(file, Some(model.uid()), Some(model.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &fs::File, _model: &fs::Metadata) {}

#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn identity(_metadata: &fs::Metadata) -> u64 {
    0
}

fn kind_of(file_type: fs::FileType) -> FileKind {
    if file_type.is_file() {
        FileKind::File
    } else if file_type.is_dir() {
        FileKind::Folder
    } else if file_type.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}

pub(crate) fn nanoseconds_since_epoch(moment: SystemTime) -> i128 {
    let nanoseconds = |duration: std::time::Duration| duration.as_nanos().cast_signed();
    match moment.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => nanoseconds(after),
        Err(error) => -nanoseconds(error.duration()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stamp_is_trusted_once_its_clock_must_have_ticked() {
        let stamp = |milliseconds: i128| Stamp {
            length: 1,
            modified_nanoseconds: milliseconds * 1_000_000,
            identity: 1,
        };
        let at = |milliseconds| SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
        for (modified, now, is_ambiguous) in [
            (10_004, 10_004, true),
            (10_004, 10_053, true),
            (10_004, 10_054, false),
            (10_004, 9_000, true),
            (10_000, 10_054, true),
            (10_000, 12_049, true),
            (10_000, 12_050, false),
        ] {
            assert_eq!(
                stamp(modified).is_ambiguous_at(at(now)),
                is_ambiguous,
                "{modified} at {now}"
            );
        }
    }
}
