//! Reading settings files, and remembering which, so that nothing is parsed again
//! while none of them has changed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use crate::file_system::{FileKind, FileSystem, Metadata};
use crate::json::{self, Node};
use crate::source::read_bounded;
use crate::warning::Warning;

/// The most bytes a settings file may have, 4 MiB: a ruleset of every rule there is has
/// less than a tenth.
pub(crate) const SETTINGS_LIMIT: u64 = 4 * 1024 * 1024;

/// The name of the rules' own settings file; its case is free.
pub(crate) const ALCOPS_NAME: &str = "alcops.json";

/// How names of workspace files end.
pub(crate) const WORKSPACE_EXTENSION: &str = "code-workspace";

/// What was looked at to learn a configuration, and how it was.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Evidence(BTreeMap<PathBuf, Seen>);

/// How something was when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    /// A file whose content matters, or that there is none.
    File {
        metadata: Option<Metadata>,
        /// Whether a change could have happened that no stamp shows.
        is_ambiguous: bool,
    },
    /// What kind of thing is there, or that there is none.
    Kind(Option<FileKind>),
    /// The interesting names in a folder. The stamp of the folder alone would not do:
    /// folders such as the home folder change all the time.
    Names {
        metadata: Option<Metadata>,
        is_ambiguous: bool,
        names: Vec<OsString>,
    },
}

impl Evidence {
    /// Whether nothing that was looked at has changed.
    pub(crate) fn still_holds(&self, files: &dyn FileSystem) -> bool {
        self.0.iter().all(|(path, seen)| match seen {
            Seen::File { metadata, is_ambiguous } => !is_ambiguous && files.metadata(path).ok() == *metadata,
            Seen::Kind(kind) => kind_of(files, path) == *kind,
            Seen::Names {
                metadata,
                is_ambiguous,
                names,
            } => (!is_ambiguous && files.metadata(path).ok() == *metadata) || interesting_names(files, path) == *names,
        })
    }
}

fn kind_of(files: &dyn FileSystem, path: &Path) -> Option<FileKind> {
    files.metadata(path).ok().map(|metadata| metadata.kind)
}

/// The names in a folder that settings are found by; none if it cannot be listed.
fn interesting_names(files: &dyn FileSystem, folder: &Path) -> Vec<OsString> {
    let is_interesting = |name: &OsString| {
        let extension = Path::new(name).extension();
        name.eq_ignore_ascii_case(ALCOPS_NAME)
            || extension.is_some_and(|end| end.eq_ignore_ascii_case(WORKSPACE_EXTENSION))
    };
    let entries = files.list(folder).unwrap_or_default();
    let names = entries.into_iter().map(|entry| entry.name);
    names.filter(is_interesting).collect()
}

/// Reads settings files and collects what is wrong with them.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    files: &'a dyn FileSystem,
    started: SystemTime,
    evidence: Evidence,
    contents: BTreeMap<PathBuf, u64>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(files: &'a dyn FileSystem) -> Self {
        Self {
            started: files.now(),
            files,
            evidence: Evidence::default(),
            contents: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// What was looked at, the hashes of the files read, and the warnings.
    pub(crate) fn finish(self) -> (Evidence, BTreeMap<PathBuf, u64>, Vec<Warning>) {
        (self.evidence, self.contents, self.warnings)
    }

    fn look_at(&self, path: &Path) -> (Option<Metadata>, bool) {
        let metadata = self.files.metadata(path).ok();
        let is_ambiguous = metadata.is_some_and(|metadata| metadata.stamp.is_ambiguous_at(self.started));
        (metadata, is_ambiguous)
    }

    pub(crate) fn has_file(&mut self, path: &Path) -> bool {
        let (metadata, is_ambiguous) = self.look_at(path);
        let seen = Seen::File { metadata, is_ambiguous };
        self.evidence.0.insert(path.to_owned(), seen);
        metadata.is_some_and(|metadata| metadata.kind == FileKind::File)
    }

    pub(crate) fn has_anything(&mut self, path: &Path) -> bool {
        let kind = kind_of(self.files, path);
        self.evidence.0.insert(path.to_owned(), Seen::Kind(kind));
        kind.is_some()
    }

    /// The files in a folder that are workspace files or called `alcops.json` in any case,
    /// sorted.
    pub(crate) fn interesting_files(&mut self, folder: &Path) -> Vec<PathBuf> {
        if let Some(Seen::Names { names, .. }) = self.evidence.0.get(folder) {
            return names.iter().map(|name| folder.join(name)).collect();
        }
        let (metadata, is_ambiguous) = self.look_at(folder);
        let names = interesting_names(self.files, folder);
        let paths = names.iter().map(|name| folder.join(name)).collect();
        let seen = Seen::Names {
            metadata,
            is_ambiguous,
            names,
        };
        self.evidence.0.insert(folder.to_owned(), seen);
        paths
    }

    /// The bytes of a file; `None` if there is none.
    pub(crate) fn bytes(&mut self, path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Warning> {
        if !self.has_file(path) {
            return Ok(None);
        }
        let (_, bytes) = read_bounded(self.files, path, limit)?;
        self.contents.insert(path.to_owned(), xxh3_64(&bytes));
        Ok(Some(bytes))
    }

    /// The JSON of a file; `None` if there is no file or nothing in it.
    pub(crate) fn json(&mut self, path: &Path) -> Result<Option<Node>, Warning> {
        match self.bytes(path, SETTINGS_LIMIT)? {
            Some(bytes) => json::parse(path, &bytes),
            None => Ok(None),
        }
    }

    /// The JSON of a file, with a broken one reported and treated as absent.
    pub(crate) fn json_if_usable(&mut self, path: &Path) -> Option<Node> {
        self.json(path).unwrap_or_else(|warning| {
            self.warnings.push(warning);
            None
        })
    }

    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        self.files.resolve(path).unwrap_or_else(|_| path.to_owned())
    }
}
