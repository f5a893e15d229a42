//! The rows of an entry, wherever they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use candor_catalog_store::{EntryHash, Manifest, Project};
use candor_catalog_tables::cells::{CellOptions, rows_to_json};
use candor_catalog_tables::snapshot::{SnapshotReader, file_blake3};
use candor_contract::ReplyBudget;
use serde_json::Value;

use crate::catalog::{Call, Catalog, lock};
use crate::failure::Explained;
use crate::vocabulary::Result;

/// How many bytes the rows of a reply may take; the rest of it stays well under what hosts cut at.
const ROW_BYTES: usize = 48_000;

/// What tells whether a file is the one that was looked at before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileState {
    length: u64,
    modified: Option<SystemTime>,
    number: u64,
}

impl FileState {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = 0;
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            number,
        })
    }
}

/// In what state the snapshot of an entry is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SnapshotState {
    Ready(PathBuf),
    Missing,
    Damaged,
}

/// Some rows of an entry, as a reply shows them.
#[derive(Debug, Default)]
pub(crate) struct ShownRows {
    pub(crate) rows: Vec<Value>,
    /// Whether some did not fit.
    pub(crate) cut: bool,
    /// How many cells were shortened.
    pub(crate) cells_cut: usize,
}

/// Takes rows as long as they fit in a reply.
pub(crate) fn fitting(rows: Vec<Value>, cells_cut: usize) -> ShownRows {
    let mut budget = ReplyBudget::new(ROW_BYTES);
    let count = rows.len();
    let rows: Vec<Value> = rows.into_iter().take_while(|row| budget.take(row)).collect();
    ShownRows {
        cut: rows.len() < count,
        rows,
        cells_cut,
    }
}

impl Catalog {
    /// The snapshot of an entry as it is now. The whole file is read once in the life of this process, and again when it
    /// changed.
    pub(crate) fn snapshot_state(&self, project: &Project, manifest: &Manifest) -> SnapshotState {
        let path = project.layout().snapshot(&manifest.content_hash);
        let Some(state) = FileState::of(&path) else {
            return SnapshotState::Missing;
        };
        if lock(&self.inner.intact).get(&path) == Some(&state) {
            return SnapshotState::Ready(path);
        }
        let found = file_blake3(&path).ok().map(|(_, found)| found);
        let is_intact = match &manifest.snapshot_blake3 {
            Some(recorded) => found.as_ref() == Some(recorded),
            None => found.is_some() && SnapshotReader::open(&path).is_ok(),
        };
        if !is_intact {
            return SnapshotState::Damaged;
        }
        lock(&self.inner.intact).insert(path.clone(), state);
        SnapshotState::Ready(path)
    }

    /// Notes that a snapshot was just written by this process, and so need not be read to be believed.
    pub(crate) fn believe_snapshot(&self, project: &Project, hash: &EntryHash) {
        let path = project.layout().snapshot(hash);
        if let Some(state) = FileState::of(&path) {
            lock(&self.inner.intact).insert(path, state);
        }
    }

    /// Rows `offset..offset + limit` of an entry in its order, healing what has to be healed.
    pub(crate) fn page(
        &self,
        project: &Project,
        call: &Call<'_>,
        hash: &EntryHash,
        offset: u64,
        limit: usize,
        columns: Option<&[&str]>,
    ) -> Result<ShownRows> {
        let manifest = project.manifest(hash).explained()?;
        let batch = if manifest.cache_worthy {
            let path = self.ensure_snapshot(project, call, &manifest)?;
            let reader = SnapshotReader::open(&path).explained()?;
            reader.page(offset, limit, columns).explained()?
        } else {
            let frozen = self.frozen(project, call, hash)?;
            self.engine()?
                .page(&frozen, offset, limit, columns, call.progress)
                .explained()?
        };
        let shown = rows_to_json(&batch, &CellOptions::default());
        Ok(fitting(shown.rows, shown.cut))
    }
}
