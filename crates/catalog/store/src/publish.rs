//! Changing a project: every change is a method of the lock.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::disk::read_optional;
use crate::entry::read_manifest;
use crate::layout::{MANIFEST, RECIPE, SCHEMA};
use crate::lock::FileLock;
use crate::time::{now, random_word};
use crate::{
    AliasBook, Config, EntryHash, EntrySchema, Manifest, Project, Prompt, Result, StagedFile, StoreError, aliases_file,
    index, prompts,
};

/// An entry that is about to be made.
#[derive(Debug, Clone)]
pub struct NewEntry {
    /// What is recorded about it. The store fills in its place in the sequence, the project and, when it is empty, the
    /// time.
    pub manifest: Manifest,
    /// Its columns.
    pub schema: EntrySchema,
    /// The text it is computed from; a source has none.
    pub recipe: Option<String>,
}

/// An entry that is written and not yet visible. Dropped without being published, it goes.
#[derive(Debug)]
pub struct StagedEntry {
    manifest: Manifest,
    folder: PathBuf,
}

impl StagedEntry {
    /// The entry it will be.
    pub fn hash(&self) -> &EntryHash {
        &self.manifest.content_hash
    }
}

impl Drop for StagedEntry {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What came of publishing an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// It is new.
    Created,
    /// It was there already, and stays as it was.
    Existing,
}

/// The lock of a project, and everything that may be changed while it is held. Held until dropped.
///
/// Take it for moments: publishing, moving heads, a checkpoint. Building needs no lock, since an entry is named by what
/// it is.
#[derive(Debug)]
pub struct ProjectLock<'a> {
    pub(crate) project: &'a Project,
    pub(crate) tool: String,
    _lock: FileLock,
}

impl Project {
    /// Takes the lock for a tool or command, waiting at most `wait` ([`LOCK_WAIT`](crate::LOCK_WAIT) is the usual time).
    /// A reset that a killed process left half done is finished first.
    ///
    /// # Errors
    /// [`StoreError::Busy`], which names the holder.
    pub fn lock(&self, tool: &str, wait: Duration) -> Result<ProjectLock<'_>> {
        let what = format!("Project `{}`", self.name());
        let lock = FileLock::take(&self.layout().lock(), &what, tool, wait)?;
        let lock = ProjectLock {
            project: self,
            tool: tool.into(),
            _lock: lock,
        };
        lock.finish_reset()?;
        Ok(lock)
    }

    /// Writes the parts of an entry that need no lock where nobody sees them.
    ///
    /// # Errors
    /// When they cannot be written; nothing is left of them then.
    pub fn stage(&self, entry: NewEntry) -> Result<StagedEntry> {
        let name = format!("{}.{}", entry.manifest.content_hash, random_word());
        let folder = self.layout().staging().join(name);
        self.disk().make_folder(&folder)?;
        let mut staged = StagedEntry {
            manifest: entry.manifest,
            folder,
        };
        let manifest = &mut staged.manifest;
        manifest.project = self.name().to_string();
        if manifest.created_at.is_empty() {
            manifest.created_at = now();
        }
        if let Some(recipe) = &entry.recipe {
            self.disk().write_new(&staged.folder.join(RECIPE), recipe.as_bytes())?;
        }
        let schema = serde_json::to_string_pretty(&entry.schema).expect("words and numbers can be written");
        self.disk().write_new(&staged.folder.join(SCHEMA), schema.as_bytes())?;
        Ok(staged)
    }
}

impl ProjectLock<'_> {
    /// The project.
    pub fn project(&self) -> &Project {
        self.project
    }

    /// Makes an entry visible, with its snapshot: from now on it exists, complete. One that exists already is kept; one
    /// whose record is damaged is replaced.
    ///
    /// # Errors
    /// When something cannot be written; the entry does not exist then.
    pub fn publish(&self, mut staged: StagedEntry, snapshot: Option<StagedFile>) -> Result<Published> {
        let project = self.project;
        let hash = staged.hash().clone();
        let target = project.layout().entry(&hash);
        if target.exists() {
            if read_manifest(&target.join(MANIFEST), &hash).is_ok() && target.join(SCHEMA).is_file() {
                return Ok(Published::Existing);
            }
            self.set_aside(&target)?;
        }
        if let Some(snapshot) = snapshot {
            // First: an entry that is visible has its rows. Without the entry the file is part of a cache.
            project.publish_snapshot(snapshot)?;
        }
        staged.manifest.sequence = project.last_sequence()? + 1;
        let path = staged.folder.join(MANIFEST);
        project.disk().write_new(&path, &text_of(&path, &staged.manifest)?)?;
        project.disk().sync_folder(&staged.folder)?;
        self.mark(&format!("entries/{hash}"))?;
        project.disk().make_folder(&project.layout().entries())?;
        project.disk().rename(&staged.folder, &target)?;
        index::append(project, staged.manifest.sequence, &hash);
        Ok(Published::Created)
    }

    /// Moves a folder out of sight. What was damaged is kept for whoever wants to know what happened.
    pub(crate) fn set_aside(&self, folder: &Path) -> Result<()> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let parent = self.project.layout().parked_entries();
        self.project.disk().make_folder(&parent)?;
        let aside = parent.join(format!("{name}.damaged.{}", random_word()));
        self.project.disk().rename(folder, &aside)
    }

    fn write_manifest(&self, path: &Path, manifest: &Manifest) -> Result<()> {
        let text = text_of(path, manifest)?;
        // Not in the entry's own folder: nobody looks through all of those for what killed processes left.
        let staging = self.project.layout().staging();
        self.project.disk().make_folder(&staging)?;
        let temporary = staging.join(format!("{}.manifest.{}", manifest.content_hash, random_word()));
        self.project.disk().replace_through(&temporary, path, &text)
    }

    /// Changes what is recorded about an entry after it was made: the facts that are found out later.
    ///
    /// # Errors
    /// As [`Project::entry`], and when it cannot be written.
    pub fn change_manifest(&self, hash: &EntryHash, change: impl FnOnce(&mut Manifest)) -> Result<Manifest> {
        let path = self.project.layout().entry(hash).join(MANIFEST);
        let before = read_manifest(&path, hash)?;
        let mut manifest = before.clone();
        change(&mut manifest);
        if manifest != before {
            self.mark(&format!("entries/{hash}"))?;
            self.write_manifest(&path, &manifest)?;
        }
        Ok(manifest)
    }

    /// Changes the aliases in one step: all changes of `change` appear at once, or, when it fails, none.
    ///
    /// # Errors
    /// What `change` says; [`StoreError::NoSuchEntry`] when an alias would lead to nothing.
    pub fn change_aliases<T>(&self, change: impl FnOnce(&mut AliasBook) -> Result<T>) -> Result<T> {
        let before = self.project.read_aliases()?;
        let mut book = before.clone();
        let result = change(&mut book)?;
        if book == before {
            return Ok(result);
        }
        for alias in book.iter() {
            let is_new = before
                .find(&alias.name)
                .is_none_or(|known| known.latest != alias.latest);
            if is_new && !self.project.has_entry(&alias.latest) {
                return Err(StoreError::NoSuchEntry {
                    hash: alias.latest.to_string(),
                });
            }
        }
        self.project.disk().replace(
            &self.project.layout().aliases(),
            aliases_file::to_text(&book).as_bytes(),
        )?;
        Ok(result)
    }

    /// Changes the switches.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn change_config(&self, change: impl FnOnce(&mut Config)) -> Result<Config> {
        let mut config = self.project.config();
        change(&mut config);
        self.project
            .disk()
            .replace(&self.project.layout().config(), config.to_text().as_bytes())?;
        Ok(config)
    }

    /// Adds what was asked for to the log of an entry. An empty prompt adds nothing.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn add_prompt(&self, hash: &EntryHash, prompt: &str) -> Result<()> {
        if prompt.trim().is_empty() {
            return Ok(());
        }
        let path = self.project.layout().prompts_of(hash);
        let mut bytes = read_optional(&path)?.unwrap_or_default();
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        let line = prompts::to_line(&Prompt {
            prompt: prompt.into(),
            at: now(),
        });
        bytes.extend_from_slice(line.as_bytes());
        self.mark(&format!("prompts/{hash}.jsonl"))?;
        self.project.disk().make_folder(&self.project.layout().prompts())?;
        self.project.disk().replace(&path, &bytes)
    }

    /// Notes that something (`entries/<hash>`, `prompts/<hash>.jsonl`) will differ from the last checkpoint. Noted
    /// before it is changed, so that the change of a process that is killed is part of the next checkpoint.
    pub(crate) fn mark(&self, tracked: &str) -> Result<()> {
        let folder = self.project.layout().unrecorded();
        let path = folder.join(tracked.replace('/', "%"));
        if path.exists() {
            return Ok(());
        }
        self.project.disk().make_folder(&folder)?;
        self.project.disk().append(&path, "")
    }
}

fn text_of(path: &Path, manifest: &Manifest) -> Result<Vec<u8>> {
    serde_json::to_vec_pretty(manifest).map_err(|error| StoreError::write("write", path, std::io::Error::other(error)))
}
