//! Folders as they were listed, so that a folder that has not changed is not listed again.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{MANIFEST_NAME, is_excluded, is_source_name};
use crate::file_system::{Entry, FileKind, FileSystem, Stamp};

/// What is known of the folders of a project.
///
/// A file that is added, removed or renamed changes the stamp of its folder, and so does a folder that becomes a project.
/// By their real paths, since what a link leads to may change without its folder knowing. A stamp that could hide a change
/// ([`Stamp::is_ambiguous_at`]) is not trusted.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownFolders(HashMap<PathBuf, Arc<KnownFolder>>);

#[derive(Debug)]
struct KnownFolder {
    stamp: Stamp,
    /// Whether a change could have happened that the stamp does not show.
    is_ambiguous: bool,
    entries: Arc<[Entry]>,
}

/// What a walk knows from the one before it, and what it leaves to the next.
#[derive(Debug)]
pub(super) struct Memory<'a> {
    pub(super) before: &'a KnownFolders,
    pub(super) after: KnownFolders,
    /// When the walk began.
    pub(super) now: SystemTime,
}

impl Memory<'_> {
    /// Those entries of a folder that matter to a project; listed only if the folder has changed.
    pub(super) fn entries(&mut self, files: &dyn FileSystem, folder: &Path, real: &Path) -> io::Result<Arc<[Entry]>> {
        // Before it is listed: a change in between shows as another stamp.
        let stamp = files.metadata(folder).ok().map(|metadata| metadata.stamp);
        if let Some(known) = self.before.0.get(real)
            && !known.is_ambiguous
            && stamp == Some(known.stamp)
        {
            self.after.0.insert(real.to_owned(), Arc::clone(known));
            return Ok(Arc::clone(&known.entries));
        }
        let mut entries = files.list(folder)?;
        entries.retain(matters);
        let entries: Arc<[Entry]> = entries.into();
        if let Some(stamp) = stamp {
            let known = KnownFolder {
                stamp,
                is_ambiguous: stamp.is_ambiguous_at(self.now),
                entries: Arc::clone(&entries),
            };
            self.after.0.insert(real.to_owned(), Arc::new(known));
        }
        Ok(entries)
    }
}

fn matters(entry: &Entry) -> bool {
    match entry.kind {
        FileKind::Folder => !is_excluded(&entry.name),
        FileKind::Link => true,
        FileKind::File => entry.name == MANIFEST_NAME || is_source_name(Path::new(&entry.name)),
        FileKind::Other => false,
    }
}
