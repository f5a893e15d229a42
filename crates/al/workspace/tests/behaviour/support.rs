//! Small folders of files for tests.

use std::fs;
use std::path::{Path, PathBuf};

/// A temporary folder with files, removed at the end.
#[derive(Debug)]
pub(crate) struct Tree {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Tree {
    /// Creates files with their content; folders come into being as needed.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let tree = Self { folder, root };
        for (path, content) in files {
            tree.write(path, content);
        }
        tree
    }

    pub(crate) fn root(&self) -> &Path {
        assert!(self.folder.path().exists());
        &self.root
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, relative: &str) -> Vec<u8> {
        fs::read(self.path(relative)).unwrap()
    }

    /// Paths relative to the root, for comparing.
    pub(crate) fn relative(&self, paths: &[PathBuf]) -> Vec<String> {
        paths
            .iter()
            .map(|path| path.strip_prefix(&self.root).unwrap())
            .map(|path| path.to_str().unwrap().to_owned())
            .collect()
    }

    /// The text of a warning without the root, for comparing.
    pub(crate) fn plain(&self, text: &impl ToString) -> String {
        let root = format!("{}/", self.root.display());
        text.to_string().replace(&root, "")
    }

    /// The names of all files, for finding what should not be there.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut pending = vec![self.root.clone()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    pending.push(path);
                } else {
                    names.push(path);
                }
            }
        }
        names.sort();
        self.relative(&names)
    }
}
