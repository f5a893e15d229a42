//! Snapshots: the rows of an entry in a file of the cache. The store decides where they are and when they appear; what
//! is in them is the engine's business.

use std::fs;
use std::path::{Path, PathBuf};

use crate::disk::temporary_beside;
use crate::{EntryHash, Project, Result};

/// A snapshot that is being written under a temporary name. Dropped without being published, it goes.
#[derive(Debug)]
pub struct StagedFile {
    path: PathBuf,
    target: PathBuf,
}

impl StagedFile {
    /// Where to write.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Project {
    /// A temporary name for the snapshot of an entry, in the folder where it will stand.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn stage_snapshot(&self, hash: &EntryHash) -> Result<StagedFile> {
        self.disk().make_folder(&self.layout().snapshots())?;
        let target = self.layout().snapshot(hash);
        Ok(StagedFile {
            path: temporary_beside(&target),
            target,
        })
    }

    /// Gives a snapshot its name, replacing what is there. Needs no lock: the name says what the content must be.
    ///
    /// # Errors
    /// When it cannot be synced or renamed; the file that was there stays.
    pub fn publish_snapshot(&self, staged: StagedFile) -> Result<PathBuf> {
        self.disk().sync_file(&staged.path)?;
        self.disk().rename(&staged.path, &staged.target)?;
        Ok(staged.target.clone())
    }

    /// Whether an entry has a snapshot, in whatever state.
    pub fn has_snapshot(&self, hash: &EntryHash) -> bool {
        self.layout().snapshot(hash).is_file()
    }

    /// Puts a snapshot aside that turned out to be damaged, so that nobody reads it again; it stays in the cache for
    /// whoever wants to know what happened. Returns where it is.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn set_snapshot_aside(&self, hash: &EntryHash) -> Result<PathBuf> {
        let aside = self.layout().snapshots().join(format!("{hash}.damaged"));
        self.disk().rename(&self.layout().snapshot(hash), &aside)?;
        Ok(aside)
    }
}
