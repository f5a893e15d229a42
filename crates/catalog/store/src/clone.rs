//! Copies of imported files, named by what is in them. They are records: nothing deletes them.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::disk::{Operation, Stamp, temporary_beside};
use crate::{Project, Result, StoreError};

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 20;

/// A copy of an imported file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloneFile {
    /// Where it is.
    pub path: PathBuf,
    /// BLAKE3 of its bytes, 64 hexadecimal digits.
    pub digest: String,
    /// The suffix of the original's name with its dot, in lower case; empty when there is none.
    pub suffix: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// Whether there was no intact copy before.
    pub is_new: bool,
}

/// In what state a copy is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloneState {
    /// It holds what its name says.
    Intact(PathBuf),
    /// It is not there.
    Missing(PathBuf),
    /// It holds something else.
    Damaged(PathBuf),
}

/// A file that was copied and not yet published. Dropped before that, it goes.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Project {
    /// Copies a file into the project and verifies the copy. Needs no lock: the name says what the content is. A copy
    /// that is there already is verified, and replaced when it is damaged.
    ///
    /// # Errors
    /// [`StoreError::NoSuchFile`], [`StoreError::UnusableFile`], [`StoreError::SourceChanged`] when the file was written
    /// to meanwhile, and failures to read or write.
    pub fn clone_file(&self, original: &Path) -> Result<CloneFile> {
        let before = look_at(original)?;
        let suffix = suffix_of(original);
        let folder = self.layout().clones();
        self.disk().make_folder(&folder)?;
        let temporary = Temporary(temporary_beside(&folder.join(format!("import{suffix}"))));
        let (digest, bytes) = self.copy(original, &temporary.0)?;
        if Stamp::of(original) != before {
            return Err(StoreError::SourceChanged { path: original.into() });
        }
        if digest_of(&temporary.0)? != digest {
            return Err(StoreError::damaged(
                &temporary.0,
                "the copy differs from the original",
                "The disk returned other bytes than were written; check it.",
            ));
        }
        let path = self.layout().clone_of(&digest, &suffix);
        // What holds the right bytes stays: somebody may be reading it.
        let is_new = !path.is_file() || digest_of(&path)? != digest;
        if is_new {
            self.disk().rename(&temporary.0, &path)?;
        }
        Ok(CloneFile {
            path,
            digest,
            suffix,
            bytes,
            is_new,
        })
    }

    /// Removes a copy that came to nothing: no entry names it, since the file could not be read as a table. What another
    /// process may be importing right now is copied again by it.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn discard_clone(&self, clone: &CloneFile) -> Result<()> {
        self.disk().remove_file(&clone.path)
    }

    /// Copies and syncs; returns the digest and the number of the bytes that were read.
    fn copy(&self, original: &Path, copy: &Path) -> Result<(String, u64)> {
        let reading = |source| StoreError::read(original, source);
        let writing = |source| StoreError::write("write", copy, source);
        let mut from = File::open(original).map_err(reading)?;
        self.disk().step(Operation::Copy, copy).map_err(writing)?;
        let mut to = File::create_new(copy).map_err(writing)?;
        let mut hasher = blake3::Hasher::new();
        let mut bytes = 0;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = read_some(&mut from, &mut chunk).map_err(reading)?;
            if read == 0 {
                break;
            }
            self.disk().step(Operation::Write, copy).map_err(writing)?;
            hasher.update(&chunk[..read]);
            to.write_all(&chunk[..read]).map_err(writing)?;
            bytes += read as u64;
        }
        self.disk().sync(&to, copy).map_err(writing)?;
        Ok((hasher.finalize().to_hex().to_string(), bytes))
    }

    /// Whether the copy of a file still holds what it must. Reads it whole.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn check_clone(&self, digest: &str, suffix: &str) -> Result<CloneState> {
        let path = self.layout().clone_of(digest, suffix);
        if !path.is_file() {
            return Ok(CloneState::Missing(path));
        }
        if digest_of(&path)? == digest {
            Ok(CloneState::Intact(path))
        } else {
            Ok(CloneState::Damaged(path))
        }
    }
}

fn look_at(path: &Path) -> Result<Option<Stamp>> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => StoreError::NoSuchFile { path: path.into() },
        _ => StoreError::read(path, error),
    })?;
    if metadata.is_dir() {
        return Err(StoreError::UnusableFile {
            path: path.into(),
            problem: "it is a folder",
        });
    }
    // A pipe or a device has no end, or another one each time.
    if !metadata.is_file() {
        return Err(StoreError::UnusableFile {
            path: path.into(),
            problem: "it is no regular file",
        });
    }
    Ok(Stamp::of(path))
}

/// The suffix as part of a file name: `.csv`. Anything but short and plain is left out.
fn suffix_of(path: &Path) -> String {
    let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
    let is_plain = !suffix.is_empty() && suffix.len() <= 16 && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain {
        format!(".{}", suffix.to_ascii_lowercase())
    } else {
        String::new()
    }
}

fn digest_of(path: &Path) -> Result<String> {
    let reading = |source| StoreError::read(path, source);
    let mut file = File::open(path).map_err(reading)?;
    let mut hasher = blake3::Hasher::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match read_some(&mut file, &mut chunk).map_err(reading)? {
            0 => return Ok(hasher.finalize().to_hex().to_string()),
            read => hasher.update(&chunk[..read]),
        };
    }
}

fn read_some(file: &mut File, chunk: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
