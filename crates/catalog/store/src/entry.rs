//! Reading entries.

use std::path::Path;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::disk::read_optional;
use crate::layout::{MANIFEST, RECIPE, SCHEMA};
use crate::manifest::MANIFEST_VERSION;
use crate::{EntryHash, EntryKind, EntrySchema, Manifest, Project, Result, StoreError};

/// An entry as it is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What is recorded about it.
    pub manifest: Manifest,
    /// Its columns.
    pub schema: EntrySchema,
    /// The text it was computed from, as its author wrote it; a source has none.
    pub recipe: Option<String>,
}

const ADVICE: &str = "Build the same recipe, or import the same file, again: that writes the entry anew.";

impl Project {
    /// Whether there is a complete entry of this hash.
    pub fn has_entry(&self, hash: &EntryHash) -> bool {
        self.layout().entry(hash).join(MANIFEST).is_file()
    }

    /// An entry, whole.
    ///
    /// # Errors
    /// [`StoreError::NoSuchEntry`]; [`StoreError::Damaged`] when one of its files cannot be understood.
    pub fn entry(&self, hash: &EntryHash) -> Result<Entry> {
        let manifest = Manifest::clone(&*self.manifest(hash)?);
        let folder = self.layout().entry(hash);
        let schema = parse(&folder.join(SCHEMA), read_optional(&folder.join(SCHEMA))?.as_deref())?;
        let recipe = self.recipe(&manifest)?;
        Ok(Entry {
            manifest,
            schema,
            recipe,
        })
    }

    /// What is recorded about an entry. Remembered until the file changes.
    ///
    /// # Errors
    /// As [`entry`](Self::entry).
    pub fn manifest(&self, hash: &EntryHash) -> Result<Arc<Manifest>> {
        let path = self.layout().entry(hash).join(MANIFEST);
        self.memory().manifest(hash, &path, || read_manifest(&path, hash))
    }

    /// The columns of an entry.
    ///
    /// # Errors
    /// As [`entry`](Self::entry).
    pub fn schema(&self, hash: &EntryHash) -> Result<EntrySchema> {
        let path = self.layout().entry(hash).join(SCHEMA);
        let Some(bytes) = read_optional(&path)? else {
            self.manifest(hash)?;
            return Err(StoreError::damaged(&path, "it is missing", ADVICE));
        };
        parse(&path, Some(&bytes))
    }

    fn recipe(&self, manifest: &Manifest) -> Result<Option<String>> {
        if manifest.kind == EntryKind::Source {
            return Ok(None);
        }
        let path = self.layout().entry(&manifest.content_hash).join(RECIPE);
        let Some(bytes) = read_optional(&path)? else {
            return Err(StoreError::damaged(&path, "it is missing", ADVICE));
        };
        String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| StoreError::damaged(&path, "it is no UTF-8 text", ADVICE))
    }
}

pub(crate) fn read_manifest(path: &Path, hash: &EntryHash) -> Result<Manifest> {
    let Some(bytes) = read_optional(path)? else {
        return Err(StoreError::NoSuchEntry { hash: hash.to_string() });
    };
    let manifest: Manifest = parse(path, Some(&bytes))?;
    if manifest.manifest_version > MANIFEST_VERSION {
        return Err(StoreError::damaged(
            path,
            format!("it was written by a newer version ({})", manifest.manifest_version),
            "Update this program.",
        ));
    }
    if manifest.content_hash != *hash {
        return Err(StoreError::damaged(
            path,
            format!("it belongs to the entry {}", manifest.content_hash),
            ADVICE,
        ));
    }
    Ok(manifest)
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: Option<&[u8]>) -> Result<T> {
    let Some(bytes) = bytes else {
        return Err(StoreError::damaged(path, "it is missing", ADVICE));
    };
    serde_json::from_slice(bytes)
        .map_err(|error| StoreError::damaged(path, format!("it cannot be read ({error})"), ADVICE))
}
