//! Projects that stay open: read once, then kept in step with the disk.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use candor_al_syntax::text::SourceText;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use crate::cancellation::{Cancellation, Cancelled};
use crate::configuration::{Configuration, ConfigurationOptions, Evidence, load_manifest, load_with_evidence};
use crate::discovery::{KnownFolders, is_project, project_files_again};
use crate::file_system::{FileKind, FileSystem, Stamp};
use crate::path::{compare, relative_text};
use crate::source::read_source;
use crate::warning::{Problem, Warning};

/// A look at a file takes microseconds; handing over fewer to a thread costs more than it
/// gains.
const LOOKS_TOGETHER: usize = 32;

/// Why a folder cannot be opened as a project.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProjectProblem {
    /// Nothing is there.
    #[error("the project folder {} does not exist", path.display())]
    Missing {
        /// The folder asked for.
        path: PathBuf,
    },
    /// A file is there.
    #[error("{} is no folder; pass the folder that holds app.json", path.display())]
    NotAFolder {
        /// The path asked for.
        path: PathBuf,
    },
    /// The folder is no project.
    #[error("the folder {} holds no app.json, so it is no AL project", path.display())]
    NoManifest {
        /// The folder asked for.
        path: PathBuf,
    },
}

/// The state of a project's text, as 16 hexadecimal digits: equal states are equal on
/// every system, and a change of any file or setting changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentVersion(u64);

impl fmt::Display for ContentVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// An AL file of a project. As long as its text does not change, snapshots share it, so
/// what was computed from it can be kept by the identity of its [`Arc`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path, below the project's root.
    pub path: PathBuf,
    /// The path relative to the root, with `/`.
    pub relative_path: String,
    /// The text and its encoding.
    pub source: SourceText,
    /// XXH3 of the bytes.
    pub content_hash: u64,
}

impl SourceFile {
    /// The text.
    pub fn text(&self) -> &str {
        self.source.text()
    }
}

/// A project at one moment. Never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSnapshot {
    /// The project's folder.
    pub root: PathBuf,
    /// Its files, sorted by path.
    pub files: Vec<Arc<SourceFile>>,
    /// What settings say about it.
    pub configuration: Arc<Configuration>,
    /// What could not be read or used: of folders and files, then of settings.
    pub warnings: Vec<Warning>,
    /// The state of all of this but the warnings.
    pub content_version: ContentVersion,
}

impl ProjectSnapshot {
    /// The file at that path, if it belongs to the project.
    pub fn file(&self, path: &Path) -> Option<&Arc<SourceFile>> {
        let found = self.files.binary_search_by(|file| compare(&file.path, path));
        found.ok().map(|index| &self.files[index])
    }

    /// Why the AL file at that path, which is there, is none of the snapshot's: it, or a folder around it, could not be
    /// read.
    pub fn unreadable(&self, path: &Path) -> Option<&Warning> {
        self.warnings.iter().find(|warning| match warning.problem {
            Problem::UnreadableFile { .. } | Problem::TooLarge { .. } => warning.path == path,
            Problem::UnreadableFolder { .. } => path.starts_with(&warning.path),
            _ => false,
        })
    }
}

/// An open project.
#[derive(Debug)]
pub struct Project {
    files: Arc<dyn FileSystem>,
    root: PathBuf,
    options: ConfigurationOptions,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Counts refreshes as they begin.
    tickets: u64,
    /// The ticket of the refresh that made `knowledge`.
    made_by: u64,
    knowledge: Arc<Knowledge>,
}

/// What is known of the disk, never changed once it is shared.
#[derive(Debug, Clone, Default)]
struct Knowledge {
    /// Sorted by path.
    files: Vec<Known>,
    folders: KnownFolders,
    configuration: Option<(Arc<Configuration>, Arc<Evidence>)>,
    snapshot: Option<Arc<ProjectSnapshot>>,
}

#[derive(Debug, Clone)]
struct Known {
    file: Arc<SourceFile>,
    stamp: Stamp,
    /// Whether a change could have happened that the stamp does not show.
    is_ambiguous: bool,
}

impl Knowledge {
    fn known(&self, path: &Path) -> Option<&Known> {
        let found = self.files.binary_search_by(|known| compare(&known.file.path, path));
        found.ok().map(|index| &self.files[index])
    }

    fn clone_without_files(&self) -> Self {
        Self {
            files: Vec::new(),
            folders: KnownFolders::default(),
            configuration: self.configuration.clone(),
            snapshot: self.snapshot.clone(),
        }
    }
}

impl Project {
    /// Opens the project in `root`, an absolute path. Reads nothing yet.
    ///
    /// # Errors
    /// When there is no such folder, or no `app.json` in it.
    pub fn open(
        files: Arc<dyn FileSystem>,
        root: &Path,
        options: ConfigurationOptions,
    ) -> Result<Self, ProjectProblem> {
        let path = root.to_owned();
        match files.metadata(root).map(|metadata| metadata.kind) {
            Err(_) => return Err(ProjectProblem::Missing { path }),
            Ok(FileKind::Folder) => {}
            Ok(_) => return Err(ProjectProblem::NotAFolder { path }),
        }
        if !is_project(files.as_ref(), root) {
            return Err(ProjectProblem::NoManifest { path });
        }
        Ok(Self {
            files,
            root: path,
            options,
            state: Mutex::default(),
        })
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The snapshot of the last refresh, without a look at the disk.
    pub fn last_snapshot(&self) -> Option<Arc<ProjectSnapshot>> {
        self.state().knowledge.snapshot.clone()
    }

    /// The project as it is on the disk now. Every folder is looked at and listed only if its
    /// stamp has changed, and so is every file before it is read; if nothing has, the answer
    /// is the snapshot before.
    ///
    /// Concurrent calls each give a snapshot that was true while they ran. An edit in place that
    /// keeps length and modification time goes unseen; the guard of writes catches it.
    ///
    /// # Errors
    /// When cancelled; what was read until then need not be read again.
    pub fn refresh(&self, cancellation: &Cancellation) -> Result<Arc<ProjectSnapshot>, Cancelled> {
        // No lock is held while files are read: this thread may run another refresh of the
        // same project while it waits for the others of its pool.
        let (ticket, before) = {
            let mut state = self.state();
            state.tickets += 1;
            (state.tickets, Arc::clone(&state.knowledge))
        };
        let (after, result) = self.look(&before, cancellation);
        let mut state = self.state();
        if state.made_by < ticket {
            state.made_by = ticket;
            state.knowledge = Arc::new(after);
        }
        result
    }

    /// Has the next refresh read a file whatever its stamp says, because the file was found to hold another text than
    /// the last snapshot. Otherwise an edit that the stamp does not show would be refused by the guard of writes for ever.
    pub fn distrust(&self, path: &Path) {
        let mut state = self.state();
        let knowledge = Arc::make_mut(&mut state.knowledge);
        let found = knowledge
            .files
            .binary_search_by(|known| compare(&known.file.path, path));
        if let Ok(index) = found {
            knowledge.files[index].is_ambiguous = true;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(
        &self,
        before: &Knowledge,
        cancellation: &Cancellation,
    ) -> (Knowledge, Result<Arc<ProjectSnapshot>, Cancelled>) {
        if cancellation.is_cancelled() {
            return (before.clone(), Err(Cancelled));
        }
        let now = self.files.now();
        let (listed, folders) = project_files_again(self.files.as_ref(), &self.root, &before.folders, now);
        let mut warnings = listed.warnings;
        let looked_at: Vec<_> = listed
            .files
            .par_iter()
            .with_min_len(LOOKS_TOGETHER)
            .map(|path| {
                let known = before.known(path);
                if cancellation.is_cancelled() {
                    return known.cloned().map(Ok);
                }
                Some(self.look_at(path, known, now))
            })
            .collect();
        let mut after = Knowledge {
            files: Vec::with_capacity(looked_at.len()),
            folders,
            ..before.clone_without_files()
        };
        for looked_at in looked_at.into_iter().flatten() {
            match looked_at {
                Ok(known) => {
                    if !known.file.source.is_lossless() {
                        warnings.push(invalid_encoding(&known.file));
                    }
                    after.files.push(known);
                }
                Err(warning) => warnings.push(warning),
            }
        }
        if cancellation.is_cancelled() {
            return (after, Err(Cancelled));
        }
        let files: Vec<_> = after.files.iter().map(|known| Arc::clone(&known.file)).collect();
        let configuration = self.configuration(&mut after);
        warnings.extend(configuration.warnings.iter().cloned());
        let snapshot = ProjectSnapshot {
            root: self.root.clone(),
            content_version: version_of(&files, &configuration),
            files,
            configuration,
            warnings,
        };
        let snapshot = match &before.snapshot {
            Some(old) if is_same(old, &snapshot) => Arc::clone(old),
            _ => Arc::new(snapshot),
        };
        after.snapshot = Some(Arc::clone(&snapshot));
        (after, Ok(snapshot))
    }

    fn look_at(&self, path: &Path, known: Option<&Known>, now: SystemTime) -> Result<Known, Warning> {
        if let Some(known) = known.filter(|known| !known.is_ambiguous) {
            let metadata = self.files.metadata(path);
            if metadata.is_ok_and(|metadata| metadata.stamp == known.stamp) {
                return Ok(known.clone());
            }
        }
        let read = read_source(self.files.as_ref(), path)?;
        let is_ambiguous = read.stamp.is_ambiguous_at(now);
        let file = match known {
            Some(known) if known.file.source == read.text => Arc::clone(&known.file),
            _ => Arc::new(SourceFile {
                path: path.to_owned(),
                relative_path: relative_text(&self.root, path),
                source: read.text,
                content_hash: read.content_hash,
            }),
        };
        Ok(Known {
            file,
            stamp: read.stamp,
            is_ambiguous,
        })
    }

    /// The configuration, loaded again only if something it came from has changed.
    fn configuration(&self, knowledge: &mut Knowledge) -> Arc<Configuration> {
        let files = self.files.as_ref();
        let known = knowledge.configuration.take();
        let (configuration, evidence) = match known {
            Some(known) if known.1.still_holds(files) => known,
            known => {
                let (loaded, evidence) = load_with_evidence(files, &self.root, &self.options, load_manifest);
                let same = known
                    .map(|(configuration, _)| configuration)
                    .filter(|configuration| **configuration == loaded);
                (same.unwrap_or_else(|| Arc::new(loaded)), Arc::new(evidence))
            }
        };
        knowledge.configuration = Some((Arc::clone(&configuration), evidence));
        configuration
    }
}

fn invalid_encoding(file: &SourceFile) -> Warning {
    let encoding = file.source.encoding().to_string();
    Warning::new(&file.path, Problem::InvalidEncoding { encoding })
}

fn version_of(files: &[Arc<SourceFile>], configuration: &Configuration) -> ContentVersion {
    let mut hasher = Xxh3::new();
    hasher.update(&configuration.content_hash.to_le_bytes());
    for file in files {
        hasher.update(file.relative_path.as_bytes());
        hasher.update(&[0]);
        hasher.update(&file.content_hash.to_le_bytes());
    }
    ContentVersion(hasher.digest())
}

/// Whether a snapshot says nothing new. Files count by identity: equal text keeps it.
fn is_same(old: &ProjectSnapshot, new: &ProjectSnapshot) -> bool {
    let pairs = || old.files.iter().zip(&new.files);
    old.files.len() == new.files.len()
        && pairs().all(|(old, new)| Arc::ptr_eq(old, new))
        && Arc::ptr_eq(&old.configuration, &new.configuration)
        && old.warnings == new.warnings
}

/// Keeps the projects of a program open, each once.
#[derive(Debug)]
pub struct ProjectCache {
    files: Arc<dyn FileSystem>,
    options: ConfigurationOptions,
    projects: Mutex<HashMap<PathBuf, Arc<Project>>>,
}

impl ProjectCache {
    /// A cache without any project yet.
    pub fn new(files: Arc<dyn FileSystem>, options: ConfigurationOptions) -> Self {
        Self {
            files,
            options,
            projects: Mutex::default(),
        }
    }

    /// The door to the disk that the projects use.
    pub fn files(&self) -> &Arc<dyn FileSystem> {
        &self.files
    }

    /// The project in `root`, an absolute path, opened if it is not yet.
    ///
    /// # Errors
    /// When the folder is no project, also if it was one before.
    pub fn open(&self, root: &Path) -> Result<Arc<Project>, ProjectProblem> {
        let opened = Project::open(Arc::clone(&self.files), root, self.options.clone())?;
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        let project = projects.entry(root.to_owned()).or_insert_with(|| Arc::new(opened));
        Ok(Arc::clone(project))
    }
}
