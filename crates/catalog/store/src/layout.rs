//! Where everything of a project is.

use std::path::{Path, PathBuf};

use crate::EntryHash;

/// The paths of one project. Only documentation and logs are meant to be read around the store; whatever is changed
/// is changed through it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Failures, one JSON object a line.
    pub fn errors(&self) -> PathBuf {
        self.artifacts().join("errors.jsonl")
    }

    /// What happened, one JSON object a line.
    pub fn events(&self) -> PathBuf {
        self.artifacts().join("events.jsonl")
    }

    /// The repository of the project's history.
    pub fn catalog(&self) -> PathBuf {
        self.artifacts().join("catalog")
    }

    /// The folder of an entry.
    pub fn entry(&self, hash: &EntryHash) -> PathBuf {
        self.entries().join(hash.as_str())
    }

    /// The recipe of a computed entry.
    pub fn recipe(&self, hash: &EntryHash) -> PathBuf {
        self.entry(hash).join(RECIPE)
    }

    /// The snapshot of an entry, whether it exists or not.
    pub fn snapshot(&self, hash: &EntryHash) -> PathBuf {
        self.snapshots().join(format!("{hash}.parquet"))
    }

    /// A copy of an imported file, whether it exists or not.
    pub fn clone_of(&self, digest: &str, suffix: &str) -> PathBuf {
        self.clones().join(format!("{digest}{suffix}"))
    }

    pub(crate) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    pub(crate) fn entries(&self) -> PathBuf {
        self.catalog().join("entries")
    }

    pub(crate) fn prompts(&self) -> PathBuf {
        self.catalog().join("prompts")
    }

    pub(crate) fn prompts_of(&self, hash: &EntryHash) -> PathBuf {
        self.prompts().join(format!("{hash}.jsonl"))
    }

    pub(crate) fn aliases(&self) -> PathBuf {
        self.catalog().join(ALIASES)
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.catalog().join(CONFIG)
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.catalog().join("compute_cache")
    }

    pub(crate) fn snapshots(&self) -> PathBuf {
        self.cache().join("result_cache")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.cache().join("entries.index")
    }

    pub(crate) fn clones(&self) -> PathBuf {
        self.root.join("data").join(".cas")
    }

    pub(crate) fn parked_entries(&self) -> PathBuf {
        self.catalog().join("bullpen").join("entries")
    }

    pub(crate) fn parked_clones(&self) -> PathBuf {
        self.catalog().join("bullpen").join("cas")
    }

    /// Entries on their way in, and what is on its way out.
    pub(crate) fn staging(&self) -> PathBuf {
        self.catalog().join(".staging")
    }

    /// A file for each entry whose newest state is in no checkpoint yet.
    pub(crate) fn unrecorded(&self) -> PathBuf {
        self.catalog().join(".unrecorded")
    }

    /// What a reset that has begun was going to do.
    pub(crate) fn reset_intent(&self) -> PathBuf {
        self.catalog().join(".reset_intent")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.catalog().join(".checkpoint.lock")
    }
}

pub(crate) const RECIPE: &str = "recipe.sql";
pub(crate) const SCHEMA: &str = "schema.json";
pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const ALIASES: &str = "aliases.jsonl";
pub(crate) const CONFIG: &str = "config.json";
pub(crate) const IGNORE: &str = ".gitignore";

/// What stays outside the history. Someone who uses git by hand must not add it by accident.
pub(crate) const IGNORED: &str = "\
/bullpen/
/compute_cache/
/.staging/
/.unrecorded/
/.reset_intent
/.checkpoint.lock*
*.tmp
";
