//! Versions of a project's text that were told to callers, so that a later call can say which one it relies on.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// How many versions are remembered: more than an agent makes between looking and fixing.
const REMEMBERED: usize = 32;

/// What is remembered of a version: the content of each file by hashes, 16 bytes a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FileHashes(HashMap<u64, u64>);

impl FileHashes {
    /// Of files and their content hashes.
    pub(crate) fn of<'a>(files: impl IntoIterator<Item = (&'a Path, u64)>) -> Self {
        Self(
            files
                .into_iter()
                .map(|(path, content)| (path_hash(path), content))
                .collect(),
        )
    }

    /// The content a file had; none if there was no such file.
    pub(crate) fn content(&self, path: &Path) -> Option<u64> {
        self.0.get(&path_hash(path)).copied()
    }
}

fn path_hash(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

/// The versions of one project that were told last, the newest at the end.
#[derive(Debug, Default)]
pub(crate) struct VersionHistory(VecDeque<(String, Arc<FileHashes>)>);

impl VersionHistory {
    /// Remembers a version that is about to be told.
    pub(crate) fn remember(&mut self, version: &str, hashes: impl FnOnce() -> FileHashes) {
        if let Some(index) = self.0.iter().position(|(known, _)| known == version) {
            // Told again, so it may be relied on for as long as any other.
            let entry = self.0.remove(index);
            self.0.extend(entry);
            return;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((version.to_owned(), Arc::new(hashes())));
    }

    /// The files of a version; none when it is not remembered.
    pub(crate) fn files(&self, version: &str) -> Option<Arc<FileHashes>> {
        self.0
            .iter()
            .find(|(known, _)| known == version)
            .map(|(_, files)| Arc::clone(files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(content: u64) -> FileHashes {
        FileHashes::of([(Path::new("/app/a.al"), content)])
    }

    #[test]
    fn a_version_tells_what_each_file_held() {
        let mut history = VersionHistory::default();
        history.remember("v1", || hashes(1));
        history.remember("v2", || hashes(2));
        let content = |version: &str, path: &str| history.files(version).unwrap().content(Path::new(path));
        assert_eq!(content("v1", "/app/a.al"), Some(1));
        assert_eq!(content("v2", "/app/a.al"), Some(2));
        assert_eq!(content("v2", "/app/b.al"), None);
    }

    #[test]
    fn the_oldest_version_is_forgotten_and_one_told_again_is_young() {
        let mut history = VersionHistory::default();
        history.remember("first", || hashes(0));
        history.remember("second", || hashes(0));
        history.remember("first", || unreachable!("it is known"));
        for number in 0..REMEMBERED - 1 {
            history.remember(&number.to_string(), || hashes(0));
        }
        assert!(history.files("first").is_some());
        assert!(history.files("second").is_none());
    }
}
