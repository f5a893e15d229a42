//! Going back, or forward, to a checkpoint.
//!
//! Entries and copies that the checkpoint does not know are parked in the bullpen, from which a reset forward takes
//! them again. A reset that has begun is noted, and whoever takes the lock next finishes it: every step can be repeated.
//! At each moment the aliases lead to entries that exist: what is missing comes first, what is too much goes last.

use std::collections::BTreeSet;
use std::path::Path;

use git2::{Oid, Repository, Tree};

use crate::checkpoint::{FOLDERS, ROOT_FILES, find_step, find_stranger, show_as_clean, subtree};
use crate::disk::{Operation, names_in, read_optional};
use crate::entry::read_manifest;
use crate::layout::{IGNORE, MANIFEST};
use crate::time::random_word;
use crate::{EntryHash, Event, Manifest, ProjectLock, Result, StepReference, StoreError};

/// What a reset did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResetReport {
    /// The commit the project stands at now.
    pub commit: String,
    /// Entries that came back.
    pub restored: Vec<EntryHash>,
    /// Entries that were parked.
    pub parked: Vec<EntryHash>,
    /// Copies of files that are parked, or came back.
    pub moved_clones: usize,
}

impl ProjectLock<'_> {
    /// Brings the project to the state of a checkpoint. Caches, logs and what was found out about entries stay. What is in
    /// no checkpoint yet gets one first, so that nothing is lost.
    ///
    /// # Errors
    /// [`StoreError::NoSuchStep`]; [`StoreError::History`]; failures to write. A reset that failed half way is finished
    /// by whoever takes the lock next.
    pub fn reset(&self, to: &StepReference) -> Result<ResetReport> {
        let project = self.project;
        let reading = |error: git2::Error| project.history_error("read", &error);
        let repository = project.repository().map_err(reading)?;
        let commit = find_step(&repository, to)?;
        let tree = repository
            .find_commit(commit)
            .and_then(|commit| commit.tree())
            .map_err(reading)?;
        if let Some(stranger) = find_stranger(&tree) {
            return Err(project.history_error(
                "read",
                &git2::Error::from_str(&format!(
                    "the checkpoint holds `{stranger}`, which is none of the catalog's"
                )),
            ));
        }
        if self.has_unrecorded_changes(&repository)? {
            self.checkpoint("candor: before reset")?;
        }
        let intent = project.layout().reset_intent();
        project.disk().replace(&intent, commit.to_string().as_bytes())?;
        let report = self.carry_out(&repository, commit)?;
        project.disk().remove_file(&intent)?;
        project.log(
            &Event::new("project_reset")
                .with("step", to.tag())
                .with("tool", self.tool.as_str()),
        );
        Ok(report)
    }

    /// Finishes a reset that a killed process began.
    pub(crate) fn finish_reset(&self) -> Result<()> {
        let intent = self.project.layout().reset_intent();
        let Some(text) = read_optional(&intent)? else {
            return Ok(());
        };
        let commit = std::str::from_utf8(&text)
            .ok()
            .and_then(|text| Oid::from_str(text.trim()).ok());
        // The note is written in one step; one that says nothing was made by someone else.
        if let Some(commit) = commit {
            let repository = self
                .project
                .repository()
                .map_err(|error| self.project.history_error("read", &error))?;
            self.carry_out(&repository, commit)?;
        }
        self.project.disk().remove_file(&intent)
    }

    fn has_unrecorded_changes(&self, repository: &Repository) -> Result<bool> {
        let project = self.project;
        if !names_in(&project.layout().unrecorded())?.is_empty() {
            return Ok(true);
        }
        let head = repository.head().and_then(|head| head.peel_to_tree()).ok();
        for name in ROOT_FILES {
            let recorded = head.as_ref().and_then(|tree| blob(repository, tree, name));
            if recorded != read_optional(&project.layout().catalog().join(name))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn carry_out(&self, repository: &Repository, commit: Oid) -> Result<ResetReport> {
        let project = self.project;
        let reading = |error: git2::Error| project.history_error("read", &error);
        let tree = repository
            .find_commit(commit)
            .and_then(|commit| commit.tree())
            .map_err(reading)?;
        let wanted = entries_of(repository, &tree);
        let mut report = ResetReport {
            commit: commit.to_string(),
            ..ResetReport::default()
        };
        let entries = subtree(repository, &tree, "entries");
        let mut manifests = Vec::new();
        for hash in &wanted {
            let (manifest, came_back) = self.restore(repository, entries.as_ref(), hash)?;
            if came_back {
                report.restored.push(hash.clone());
            }
            manifests.push(manifest);
        }
        report.moved_clones += self.restore_clones(&manifests)?;
        self.write_documents(repository, &tree)?;
        for name in names_in(&project.layout().entries())? {
            let Ok(hash) = EntryHash::new(&name) else { continue };
            if !wanted.contains(&hash) && self.park(&hash)? {
                report.parked.push(hash);
            }
        }
        report.moved_clones += self.park_clones(&manifests)?;
        self.move_head(repository, commit, &tree)?;
        for name in names_in(&project.layout().unrecorded())? {
            project.disk().remove_file(&project.layout().unrecorded().join(name))?;
        }
        // What was found out about an entry since then is not forgotten, so it differs from the checkpoint.
        for manifest in manifests.into_iter().flatten() {
            if recorded_manifest(repository, entries.as_ref(), &manifest.content_hash).as_ref() != Some(&manifest) {
                self.mark(&format!("entries/{}", manifest.content_hash))?;
            }
        }
        project.disk().remove_file(&project.layout().index())?;
        Ok(report)
    }

    /// Sees to it that an entry of the checkpoint exists: as it is, from the bullpen, or from the history.
    fn restore(
        &self,
        repository: &Repository,
        entries: Option<&Tree<'_>>,
        hash: &EntryHash,
    ) -> Result<(Option<Manifest>, bool)> {
        let project = self.project;
        let live = project.layout().entry(hash);
        if let Ok(manifest) = read_manifest(&live.join(MANIFEST), hash) {
            return Ok((Some(manifest), false));
        }
        if live.exists() {
            self.set_aside(&live)?;
        }
        project.disk().make_folder(&project.layout().entries())?;
        let parked = project.layout().parked_entries().join(hash.as_str());
        if let Ok(manifest) = read_manifest(&parked.join(MANIFEST), hash) {
            project.disk().rename(&parked, &live)?;
            return Ok((Some(manifest), true));
        }
        let Some(files) = entries.and_then(|entries| subtree(repository, entries, hash.as_str())) else {
            return Ok((None, false));
        };
        let staging = project.layout().staging().join(format!("{hash}.{}", random_word()));
        project.disk().make_folder(&staging)?;
        for file in &files {
            if let (Ok(name), Ok(blob)) = (file.name(), repository.find_blob(file.id())) {
                project.disk().write_new(&staging.join(name), blob.content())?;
            }
        }
        project.disk().rename(&staging, &live)?;
        Ok((read_manifest(&live.join(MANIFEST), hash).ok(), true))
    }

    /// Files of the checkpoint that are no entries: aliases, switches, prompts.
    fn write_documents(&self, repository: &Repository, tree: &Tree<'_>) -> Result<()> {
        let catalog = self.project.layout().catalog();
        for folder in FOLDERS.into_iter().filter(|folder| *folder != "entries") {
            let recorded = subtree(repository, tree, folder);
            let mut wanted = BTreeSet::new();
            for entry in recorded.iter().flat_map(Tree::iter) {
                let (Ok(name), Ok(blob)) = (entry.name(), repository.find_blob(entry.id())) else {
                    continue;
                };
                self.project.disk().make_folder(&catalog.join(folder))?;
                self.write_if_different(&catalog.join(folder).join(name), blob.content())?;
                wanted.insert(name.to_string());
            }
            for name in names_in(&catalog.join(folder))? {
                if !wanted.contains(&name) && !name.starts_with('.') {
                    self.project.disk().remove_file(&catalog.join(folder).join(name))?;
                }
            }
        }
        for name in ROOT_FILES {
            let path = catalog.join(name);
            match blob(repository, tree, name) {
                Some(bytes) => self.write_if_different(&path, &bytes)?,
                None if name == IGNORE => {}
                None => self.project.disk().remove_file(&path)?,
            }
        }
        Ok(())
    }

    fn write_if_different(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        if read_optional(path)?.as_deref() == Some(bytes) {
            return Ok(());
        }
        self.project.disk().replace(path, bytes)
    }

    /// Moves an entry to the bullpen, where it replaces an older state of itself. What has no record is dropped.
    fn park(&self, hash: &EntryHash) -> Result<bool> {
        let project = self.project;
        let live = project.layout().entry(hash);
        if !live.join(MANIFEST).is_file() {
            project.disk().remove_folder(&live)?;
            return Ok(false);
        }
        let parked = project.layout().parked_entries().join(hash.as_str());
        project.disk().make_folder(&project.layout().parked_entries())?;
        if parked.exists() {
            let aside = project.layout().staging().join(format!("{hash}.{}", random_word()));
            project.disk().make_folder(&project.layout().staging())?;
            project.disk().rename(&parked, &aside)?;
            project.disk().remove_folder(&aside)?;
        }
        project.disk().rename(&live, &parked)?;
        Ok(true)
    }

    fn restore_clones(&self, manifests: &[Option<Manifest>]) -> Result<usize> {
        let layout = self.project.layout();
        let mut moved = 0;
        for name in clone_names(manifests) {
            let (live, parked) = (layout.clones().join(&name), layout.parked_clones().join(&name));
            if !live.exists() && parked.is_file() {
                self.project.disk().make_folder(&layout.clones())?;
                self.project.disk().rename(&parked, &live)?;
                moved += 1;
            }
        }
        Ok(moved)
    }

    /// Parks the copies that no surviving entry names; none when a record cannot be read, since it might name any.
    fn park_clones(&self, manifests: &[Option<Manifest>]) -> Result<usize> {
        let layout = self.project.layout();
        if manifests.contains(&None) {
            return Ok(0);
        }
        let wanted: BTreeSet<String> = clone_names(manifests).collect();
        let mut moved = 0;
        for name in names_in(&layout.clones())? {
            if wanted.contains(&name) || name.starts_with('.') {
                continue;
            }
            self.project.disk().make_folder(&layout.parked_clones())?;
            self.project
                .disk()
                .rename(&layout.clones().join(&name), &layout.parked_clones().join(&name))?;
            moved += 1;
        }
        Ok(moved)
    }

    fn move_head(&self, repository: &Repository, commit: Oid, tree: &Tree<'_>) -> Result<()> {
        let catalog = self.project.layout().catalog();
        self.project
            .disk()
            .step(Operation::Commit, &catalog)
            .map_err(|source| StoreError::write("write", &catalog, source))?;
        repository
            .reference("refs/heads/main", commit, true, "reset")
            .and_then(|_| repository.set_head("refs/heads/main"))
            .map_err(|error| self.project.history_error("written", &error))?;
        show_as_clean(repository, tree);
        Ok(())
    }
}

fn clone_names(manifests: &[Option<Manifest>]) -> impl Iterator<Item = String> {
    manifests
        .iter()
        .flatten()
        .filter_map(|manifest| manifest.provenance.as_ref())
        .map(|provenance| format!("{}{}", provenance.digest, provenance.suffix))
}

fn entries_of(repository: &Repository, tree: &Tree<'_>) -> BTreeSet<EntryHash> {
    let entries = subtree(repository, tree, "entries");
    let names = entries.iter().flat_map(Tree::iter);
    names
        .filter_map(|entry| EntryHash::new(entry.name().ok()?).ok())
        .collect()
}

fn blob(repository: &Repository, tree: &Tree<'_>, name: &str) -> Option<Vec<u8>> {
    let entry = tree.get_name(name)?;
    Some(repository.find_blob(entry.id()).ok()?.content().to_vec())
}

fn recorded_manifest(repository: &Repository, entries: Option<&Tree<'_>>, hash: &EntryHash) -> Option<Manifest> {
    let files = subtree(repository, entries?, hash.as_str())?;
    serde_json::from_slice(&blob(repository, &files, MANIFEST)?).ok()
}
