//! What a check remembers for the next one: files that are as they were are not read again.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use candor_al_workspace::file_system::{Entry, FileSystem, Metadata, Stamp};
use candor_al_workspace::source::Source;
use candor_al_workspace::translations::TranslationFiles;

use super::file::Outcome;
use super::prepare::Prepared;
use super::{CheckOptions, CheckReport, FileReport};

/// What is remembered from one check to the next. All checks that share it must have the same options.
#[derive(Default)]
pub struct CheckMemory {
    state: Mutex<State>,
}

impl std::fmt::Debug for CheckMemory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CheckMemory").finish_non_exhaustive()
    }
}

#[derive(Default)]
struct State {
    files: HashMap<PathBuf, Remembered>,
    places: BTreeSet<PathBuf>,
    answer: Option<u64>,
    /// By the folder of the project.
    translations: HashMap<PathBuf, Arc<TranslationFiles>>,
}

/// What came of a file, as long as neither it nor the way it is looked at changes.
struct Remembered {
    stamp: Stamp,
    content_hash: u64,
    /// That of the plan. Rules that ask for no meaning see one file and the plan and nothing else, so what is found
    /// depends on nothing more.
    fingerprint: u64,
    /// Whether a change could have happened that the stamp does not show.
    is_ambiguous: bool,
    outcome: Outcome,
}

impl CheckMemory {
    /// The files and folders that the last check has looked at or for: source files, settings, rulesets, and the places
    /// where settings could be. Another answer needs a change at one of these.
    pub fn places(&self) -> BTreeSet<PathBuf> {
        self.state().places.clone()
    }

    /// The translation files of the project in `root`, as far as they were read.
    pub(super) fn translations(&self, root: &Path) -> Arc<TranslationFiles> {
        Arc::clone(self.state().translations.entry(root.to_owned()).or_default())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One check with a memory, or without.
pub(super) struct Recall<'a> {
    memory: Option<&'a CheckMemory>,
    started: SystemTime,
    next: Mutex<HashMap<PathBuf, Remembered>>,
    /// The numbers of the files that have to be read; none when that is all of them.
    to_read: Option<Vec<usize>>,
}

impl<'a> Recall<'a> {
    pub(super) fn new(options: &'a CheckOptions, files: &dyn FileSystem) -> Self {
        Self {
            memory: options.memory.as_deref().filter(|_| options.fix.is_none()),
            started: files.now(),
            next: Mutex::default(),
            to_read: None,
        }
    }

    /// Whether something is remembered at all.
    pub(super) const fn is_on(&self) -> bool {
        self.memory.is_some()
    }

    /// The outcomes of files that are as they were, with their numbers. The others have to be read.
    ///
    /// Where a rule asks what names mean, a finding hangs on what other files declare too, and those are read again to
    /// know it: nothing is taken from memory then.
    pub(super) fn remembered(&mut self, prepared: &Prepared, files: &dyn FileSystem) -> Vec<(usize, Outcome)> {
        let Some(memory) = self.memory else { return Vec::new() };
        let mut before = std::mem::take(&mut memory.state().files);
        if asks_for_meaning(prepared) {
            before.clear();
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut known, mut to_read) = (Vec::new(), Vec::new());
        for (number, path) in prepared.files.iter().enumerate() {
            let fingerprint = fingerprint_of(prepared, number);
            let remembered = before.remove(path).filter(|remembered| {
                !remembered.is_ambiguous
                    && remembered.fingerprint == fingerprint
                    && files
                        .metadata(path)
                        .is_ok_and(|metadata| metadata.stamp == remembered.stamp)
            });
            match remembered {
                Some(remembered) => {
                    known.push((number, remembered.outcome.clone()));
                    next.insert(path.clone(), remembered);
                }
                None => to_read.push(number),
            }
        }
        drop(next);
        self.to_read = Some(to_read);
        known
    }

    /// The paths that have to be read; the number of the file at an index of it is [`Self::number`].
    pub(super) fn paths(&self, prepared: &Prepared) -> Option<Vec<PathBuf>> {
        let to_read = self.to_read.as_ref()?;
        Some(to_read.iter().map(|&number| prepared.files[number].clone()).collect())
    }

    /// The number of a file among all.
    pub(super) fn number(&self, index: usize) -> usize {
        self.to_read.as_ref().map_or(index, |to_read| to_read[index])
    }

    /// What identifies a source that was read, before it is used up.
    pub(super) fn identity(&self, source: Option<&Source>) -> Option<(Stamp, u64)> {
        self.memory?;
        source.map(|source| (source.stamp, source.content_hash))
    }

    /// Remembers what came of a file. One that could not be read has no identity, and is tried again.
    pub(super) fn keep(
        &self,
        path: &Path,
        identity: Option<(Stamp, u64)>,
        number: usize,
        prepared: &Prepared,
        outcome: &Outcome,
    ) {
        let Some((stamp, content_hash)) = identity else { return };
        let remembered = Remembered {
            stamp,
            content_hash,
            fingerprint: fingerprint_of(prepared, number),
            is_ambiguous: stamp.is_ambiguous_at(self.started),
            outcome: Outcome {
                // What was spent was spent then.
                parsing: std::time::Duration::ZERO,
                checking: std::time::Duration::ZERO,
                rule_times: Vec::new(),
                ..outcome.clone()
            },
        };
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.insert(path.to_owned(), remembered);
    }

    /// Remembers what was looked at, also by a check that came to nothing.
    pub(super) fn keep_places(&self, places: BTreeSet<PathBuf>) {
        if let Some(memory) = self.memory {
            memory.state().places = places;
        }
    }

    /// Ends a check: compares its answer with that of the one before.
    pub(super) fn finish(self, prepared: &Prepared, answer: Answer, report: &mut CheckReport) {
        let Some(memory) = self.memory else { return };
        let next = self.next.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut hasher = answer.hasher;
        for path in &prepared.files {
            path.hash(&mut hasher);
            if let Some(known) = next.get(path) {
                (known.content_hash, known.fingerprint).hash(&mut hasher);
            }
        }
        (&report.projects, &report.warnings).hash(&mut hasher);
        let answer = hasher.finish();
        let read = self.to_read.as_ref().map_or(0, Vec::len);
        report.remembered_files = prepared.files.len() - read;
        let mut state = memory.state();
        report.is_unchanged = state.answer == Some(answer);
        state.answer = Some(answer);
        state.places.extend(prepared.files.iter().cloned());
        if asks_for_meaning(prepared) {
            let others = prepared.units.iter().flat_map(|unit| &unit.others);
            state.places.extend(others.cloned());
        }
        state.files = next;
    }
}

/// Whether a rule that runs somewhere asks what names mean.
pub(super) fn asks_for_meaning(prepared: &Prepared) -> bool {
    prepared.units.iter().any(|unit| unit.plan.needs_meaning())
}

fn fingerprint_of(prepared: &Prepared, number: usize) -> u64 {
    prepared.units[prepared.unit_of_file[number] as usize].plan.fingerprint
}

/// Everything that is reported, as a number.
#[derive(Default)]
pub(super) struct Answer {
    hasher: DefaultHasher,
}

impl Answer {
    pub(super) fn add(&mut self, report: &FileReport) {
        for finding in &report.findings {
            let diagnostic = &finding.diagnostic;
            (
                &diagnostic.file_path,
                diagnostic.line,
                diagnostic.column,
                &diagnostic.id,
            )
                .hash(&mut self.hasher);
            (&diagnostic.message, diagnostic.severity.as_str()).hash(&mut self.hasher);
        }
    }
}

/// Files of which it is noted which were looked at or for.
#[derive(Debug)]
pub(super) struct Noted<'a> {
    files: &'a dyn FileSystem,
    places: Option<Mutex<BTreeSet<PathBuf>>>,
}

impl<'a> Noted<'a> {
    pub(super) fn new(files: &'a dyn FileSystem, is_noting: bool) -> Self {
        Self {
            files,
            places: is_noting.then(Mutex::default),
        }
    }

    pub(super) fn into_places(self) -> BTreeSet<PathBuf> {
        self.places
            .map(|places| places.into_inner().unwrap_or_else(PoisonError::into_inner))
            .unwrap_or_default()
    }

    fn note(&self, path: &Path) -> &'a dyn FileSystem {
        if let Some(places) = &self.places {
            places
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(path.to_owned());
        }
        self.files
    }
}

impl FileSystem for Noted<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(path).read(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.note(path).metadata(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        self.note(folder).list(folder)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn create_like(&self, path: &Path, content: &[u8], model: &Path) -> io::Result<()> {
        self.files.create_like(path, content, model)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.files.sync_folder(folder)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files.remove(path)
    }

    fn now(&self) -> SystemTime {
        self.files.now()
    }
}
