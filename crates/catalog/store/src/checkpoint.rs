//! Checkpoints: one commit for each operation, in a repository of the project's own.
//!
//! Trees are made from what is on the disk without git's filters or the user's settings. Only what was marked as changed
//! is read, so that a checkpoint does not get slower as entries come.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use git2::{
    Commit, FileMode, IndexEntry, IndexTime, ObjectType, Oid, Repository, RepositoryInitOptions, RepositoryOpenFlags,
    Signature, Time, Tree, TreeBuilder,
};
use serde::{Deserialize, Serialize};

use crate::disk::{Operation, names_in, read_optional};
use crate::layout::{ALIASES, CONFIG, IGNORE, MANIFEST, RECIPE, SCHEMA};
use crate::name::{check_label, step_tag};
use crate::time::now_seconds;
use crate::{Project, ProjectLock, Result, StepReference, StoreError};

/// A checkpoint that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Its number, from 0.
    pub step: u64,
    /// The commit, 40 hexadecimal digits.
    pub commit: String,
}

/// A checkpoint in the list of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// Its number, from 0.
    pub step: u64,
    /// The commit, 40 hexadecimal digits.
    pub commit: String,
    /// What was done.
    pub message: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The labels it was given.
    pub labels: Vec<String>,
    /// Whether the project stands here.
    pub is_current: bool,
}

/// The files at the root of the repository that are part of every checkpoint.
pub(crate) const ROOT_FILES: [&str; 3] = [IGNORE, ALIASES, CONFIG];

/// The folders whose changes are marked.
pub(crate) const FOLDERS: [&str; 2] = ["entries", "prompts"];

/// Holds the number of the last step, so that it need not be looked for among all tags.
const COUNTER: &str = "candor-step";

/// Up to so many changes git's index is changed in place; removing from it takes time with its size.
const FEW: usize = 100;

const AUTHOR: &str = "Candor";
const ADDRESS: &str = "candor@localhost";

impl Project {
    pub(crate) fn history_error(&self, action: &'static str, error: &git2::Error) -> StoreError {
        StoreError::History {
            project: self.name().to_string(),
            action,
            problem: error.message().into(),
        }
    }

    pub(crate) fn repository(&self) -> std::result::Result<Repository, git2::Error> {
        let nothing: [&Path; 0] = [];
        // Without searching: a project inside someone's repository must never write to theirs.
        Repository::open_ext(self.layout().catalog(), RepositoryOpenFlags::NO_SEARCH, nothing)
    }

    /// All checkpoints, the newest first.
    ///
    /// # Errors
    /// [`StoreError::History`].
    pub fn revisions(&self) -> Result<Vec<Revision>> {
        self.read_revisions()
            .map_err(|error| self.history_error("read", &error))
    }

    fn read_revisions(&self) -> std::result::Result<Vec<Revision>, git2::Error> {
        let repository = self.repository()?;
        let head = repository.head().ok().and_then(|head| head.target());
        let mut steps: Vec<(u64, Oid)> = Vec::new();
        let mut labels: HashMap<Oid, Vec<String>> = HashMap::new();
        for reference in repository.references_glob("refs/tags/*")? {
            let reference = reference?;
            let Ok(commit) = reference.peel_to_commit() else {
                continue;
            };
            let Ok(name) = reference.shorthand() else { continue };
            match step_of(name) {
                Some(step) => steps.push((step, commit.id())),
                None => labels.entry(commit.id()).or_default().push(name.into()),
            }
        }
        steps.sort_unstable_by(|left, right| right.cmp(left));
        let revision = |(step, id): (u64, Oid)| {
            let commit = repository.find_commit(id)?;
            let mut labels = labels.get(&id).cloned().unwrap_or_default();
            labels.sort_unstable();
            Ok(Revision {
                step,
                commit: id.to_string(),
                message: commit.message().unwrap_or_default().trim_end().into(),
                at: commit.time().seconds(),
                labels,
                is_current: head == Some(id),
            })
        };
        steps.into_iter().map(revision).collect()
    }

    /// The repository of a new project.
    pub(crate) fn init_repository(&self) -> Result<()> {
        let init = || -> std::result::Result<(), git2::Error> {
            let mut options = RepositoryInitOptions::new();
            // No template: the user's hooks and settings are none of the catalog's.
            options.initial_head("main").external_template(false).no_reinit(true);
            Repository::init_opts(self.layout().catalog(), &options).map(|_| ())
        };
        init().map_err(|error| self.history_error("written", &error))
    }
}

fn step_of(tag: &str) -> Option<u64> {
    let digits = tag.strip_prefix("step-")?;
    (digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| digits.parse().ok())
        .flatten()
}

impl ProjectLock<'_> {
    /// Takes a checkpoint of the project as it is: a commit with this message, and its tag. Also without any change,
    /// since an operation that changed nothing is part of the history, too.
    ///
    /// # Errors
    /// [`StoreError::History`]. The operation has taken place nevertheless; what it changed becomes part of the next
    /// checkpoint.
    pub fn checkpoint(&self, message: &str) -> Result<Checkpoint> {
        let project = self.project;
        let marked = names_in(&project.layout().unrecorded())?;
        let checkpoint = self
            .write_checkpoint(message, &marked)
            .map_err(|error| project.history_error("written", &error))?;
        for name in marked {
            project.disk().remove_file(&project.layout().unrecorded().join(name))?;
        }
        Ok(checkpoint)
    }

    fn commit_step(&self) -> std::result::Result<(), git2::Error> {
        let catalog = self.project.layout().catalog();
        self.project
            .disk()
            .step(Operation::Commit, &catalog)
            .map_err(|error| git2::Error::from_str(&error.to_string()))
    }

    fn write_checkpoint(&self, message: &str, marked: &[String]) -> std::result::Result<Checkpoint, git2::Error> {
        let repository = self.project.repository()?;
        let (parent, before) = last_checkpoint(&repository)?;
        self.commit_step()?;
        let tree = self.write_tree(&repository, before.as_ref(), marked)?;
        let tree = repository.find_tree(tree)?;
        self.commit_step()?;
        let signature = Signature::new(AUTHOR, ADDRESS, &Time::new(now_seconds(), 0))?;
        let parents: Vec<&Commit<'_>> = parent.iter().collect();
        let commit = repository.commit(Some("HEAD"), &signature, &signature, message, &tree, &parents)?;
        self.commit_step()?;
        let step = tag_next_step(&repository, commit)?;
        self.commit_step()?;
        match &before {
            Some(_) if marked.len() <= FEW => show_changes_as_clean(&repository, &tree, marked),
            _ => show_as_clean(&repository, &tree),
        }
        Ok(Checkpoint {
            step,
            commit: commit.to_string(),
        })
    }

    /// The tree of the project as it is: that of the last checkpoint, with what was marked read anew. Without one,
    /// everything is read.
    fn write_tree(
        &self,
        repository: &Repository,
        before: Option<&Tree<'_>>,
        marked: &[String],
    ) -> std::result::Result<Oid, git2::Error> {
        let mut changed: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for folder in FOLDERS {
            let names = if before.is_some() {
                let prefix = format!("{folder}%");
                marked
                    .iter()
                    .filter_map(|name| name.strip_prefix(&prefix))
                    .map(String::from)
                    .collect()
            } else {
                read(names_in(&self.project.layout().catalog().join(folder)))?
                    .into_iter()
                    .collect()
            };
            changed.insert(folder, names);
        }
        let mut root = repository.treebuilder(before)?;
        for name in ROOT_FILES {
            put_file(repository, &mut root, &self.project.layout().catalog().join(name), name)?;
        }
        for (folder, names) in changed {
            if names.is_empty() {
                continue;
            }
            let known = before.and_then(|tree| subtree(repository, tree, folder));
            let mut builder = repository.treebuilder(known.as_ref())?;
            for name in names {
                let path = self.project.layout().catalog().join(folder).join(&name);
                if folder == "entries" {
                    put_entry(repository, &mut builder, &path, &name)?;
                } else {
                    put_file(repository, &mut builder, &path, &name)?;
                }
            }
            if builder.is_empty() {
                remove(&mut root, folder)?;
            } else {
                root.insert(folder, builder.write()?, FileMode::Tree.into())?;
            }
        }
        root.write()
    }

    /// Gives the checkpoint of a step a label.
    ///
    /// # Errors
    /// [`StoreError::BadName`], [`StoreError::NoSuchStep`], [`StoreError::History`].
    pub fn label(&self, step: &StepReference, label: &str) -> Result<()> {
        check_label(label)?;
        let project = self.project;
        let repository = project
            .repository()
            .map_err(|error| project.history_error("read", &error))?;
        let commit = find_step(&repository, step)?;
        repository
            .reference(&format!("refs/tags/{label}"), commit, true, "label")
            .map(|_| ())
            .map_err(|error| project.history_error("written", &error))
    }
}

/// The commit to go on from, and its tree.
///
/// As git does by default, objects are not synced one by one: that was two thirds of the time of an operation, and the
/// files themselves are synced. A power cut can so take the last commits. Then the history goes on from the last one
/// that is whole, and its tree is not trusted to tell what is new.
fn last_checkpoint(
    repository: &Repository,
) -> std::result::Result<(Option<Commit<'_>>, Option<Tree<'_>>), git2::Error> {
    let head = match repository.head() {
        Ok(head) => head.peel_to_commit(),
        Err(error) if error.code() == git2::ErrorCode::UnbornBranch => return Ok((None, None)),
        Err(error) => Err(error),
    };
    if let Some((commit, tree)) = head.ok().and_then(|commit| whole(repository, commit)) {
        return Ok((Some(commit), Some(tree)));
    }
    let mut steps = Vec::new();
    for name in repository.references_glob("refs/tags/step-*")?.names() {
        steps.extend(name?.strip_prefix("refs/tags/").and_then(step_of));
    }
    steps.sort_unstable_by(|left, right| right.cmp(left));
    let last = steps.into_iter().find_map(|step| {
        let commit = find_step(repository, &StepReference::Step(step)).ok()?;
        whole(repository, repository.find_commit(commit).ok()?)
    });
    if let Some((commit, _)) = &last {
        repository.reference("refs/heads/main", commit.id(), true, "repair")?;
    }
    Ok((last.map(|(commit, _)| commit), None))
}

/// A commit and its tree, if the tree and its folders can be read.
fn whole<'a>(repository: &'a Repository, commit: Commit<'a>) -> Option<(Commit<'a>, Tree<'a>)> {
    let tree = commit.tree().ok()?;
    let is_whole = FOLDERS
        .into_iter()
        .all(|folder| tree.get_name(folder).is_none() || subtree(repository, &tree, folder).is_some());
    is_whole.then_some((commit, tree))
}

/// The commit of a step or label.
pub(crate) fn find_step(repository: &Repository, step: &StepReference) -> Result<Oid> {
    repository
        .find_reference(&format!("refs/tags/{}", step.tag()))
        .and_then(|reference| reference.peel_to_commit())
        .map(|commit| commit.id())
        .map_err(|_| StoreError::NoSuchStep { name: step.tag() })
}

/// The tree of a folder in a tree.
pub(crate) fn subtree<'a>(repository: &'a Repository, tree: &Tree<'_>, folder: &str) -> Option<Tree<'a>> {
    let entry = tree.get_name(folder)?;
    repository.find_tree(entry.id()).ok()
}

/// A failure to read a file, as the git library would report it.
fn read<T>(result: Result<T>) -> std::result::Result<T, git2::Error> {
    result.map_err(|error| git2::Error::from_str(&error.to_string()))
}

fn remove(builder: &mut TreeBuilder<'_>, name: &str) -> std::result::Result<(), git2::Error> {
    if builder.get(name)?.is_some() {
        builder.remove(name)?;
    }
    Ok(())
}

/// Records a file as it is; one that is gone is taken out.
fn put_file(
    repository: &Repository,
    builder: &mut TreeBuilder<'_>,
    path: &Path,
    name: &str,
) -> std::result::Result<(), git2::Error> {
    match read(read_optional(path))? {
        Some(bytes) => {
            let blob = repository.blob(&bytes)?;
            builder.insert(name, blob, FileMode::Blob.into()).map(|_| ())
        }
        None => remove(builder, name),
    }
}

fn put_entry(
    repository: &Repository,
    builder: &mut TreeBuilder<'_>,
    folder: &Path,
    name: &str,
) -> std::result::Result<(), git2::Error> {
    if !folder.join(MANIFEST).is_file() {
        return remove(builder, name);
    }
    let mut files = repository.treebuilder(None)?;
    for file in [RECIPE, SCHEMA, MANIFEST] {
        put_file(repository, &mut files, &folder.join(file), file)?;
    }
    builder.insert(name, files.write()?, FileMode::Tree.into()).map(|_| ())
}

fn tag_next_step(repository: &Repository, commit: Oid) -> std::result::Result<u64, git2::Error> {
    let counter = repository.path().join(COUNTER);
    let last: Option<u64> = fs::read_to_string(&counter)
        .ok()
        .and_then(|text| text.trim().parse().ok());
    let mut step = match last {
        Some(last) => last.saturating_add(1),
        None => last_step(repository)?.map_or(0, |last| last + 1),
    };
    loop {
        match repository.reference(&format!("refs/tags/{}", step_tag(step)), commit, false, "step") {
            Ok(_) => break,
            // The counter fell behind: a process was killed between tag and counter.
            Err(error) if error.code() == git2::ErrorCode::Exists => step += 1,
            Err(error) => return Err(error),
        }
    }
    // A counter that cannot be written costs a look at all tags.
    if fs::write(&counter, step.to_string()).is_err() {
        let _ = fs::remove_file(&counter);
    }
    Ok(step)
}

fn last_step(repository: &Repository) -> std::result::Result<Option<u64>, git2::Error> {
    let mut last = None;
    let mut references = repository.references_glob("refs/tags/step-*")?;
    for name in references.names() {
        let step = name?.strip_prefix("refs/tags/").and_then(step_of);
        last = last.max(step);
    }
    Ok(last)
}

/// Lets `git status` find nothing to do. The catalog itself never looks at git's index.
pub(crate) fn show_as_clean(repository: &Repository, tree: &Tree<'_>) {
    if let Ok(mut index) = repository.index() {
        let _ = index.read_tree(tree).and_then(|()| index.write());
    }
}

/// As [`show_as_clean`], when only what was marked changed: reading ten thousand trees anew takes most of a second.
fn show_changes_as_clean(repository: &Repository, tree: &Tree<'_>, marked: &[String]) {
    let Ok(mut index) = repository.index() else { return };
    let paths = marked.iter().map(|name| name.replacen('%', "/", 1));
    for path in ROOT_FILES.into_iter().map(String::from).chain(paths) {
        let _ = index.remove_dir(Path::new(&path), 0);
        let _ = index.remove_path(Path::new(&path));
        let Ok(entry) = tree.get_path(Path::new(&path)) else {
            continue;
        };
        match entry.kind() {
            Some(ObjectType::Tree) => {
                for file in repository.find_tree(entry.id()).iter().flat_map(Tree::iter) {
                    let name = file.name().unwrap_or_default();
                    let _ = index.add(&index_entry(&format!("{path}/{name}"), file.id()));
                }
            }
            _ => {
                let _ = index.add(&index_entry(&path, entry.id()));
            }
        }
    }
    let _ = index.write();
}

/// A file of the index of which git knows the content only, and so looks at it.
fn index_entry(path: &str, id: Oid) -> IndexEntry {
    let never = IndexTime::new(0, 0);
    IndexEntry {
        ctime: never,
        mtime: never,
        dev: 0,
        ino: 0,
        mode: 0o100_644,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    }
}

/// Whether everything in a tree is something this program tracks.
pub(crate) fn find_stranger(tree: &Tree<'_>) -> Option<String> {
    tree.iter().find_map(|entry| {
        let name = entry.name().unwrap_or_default().to_string();
        let is_known = match entry.kind() {
            Some(ObjectType::Blob) => ROOT_FILES.contains(&name.as_str()),
            Some(ObjectType::Tree) => FOLDERS.contains(&name.as_str()),
            _ => false,
        };
        (!is_known).then_some(name)
    })
}
