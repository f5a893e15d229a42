//! The session: the projects a program works on, kept between calls and refreshed at the start of each.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use candor_al_rules::{Cop, FileContext};
use candor_al_workspace::file_system::{Disk, FileSystem};
use candor_al_workspace::project::{Project, ProjectSnapshot};
use candor_al_workspace::translations::TranslationFiles;
use candor_al_workspace::{Cancellation, Cancelled, normalize_path};

use crate::analysis::FileAnalysis;
use crate::meaning::{MeaningCache, Meanings};
use crate::message;
use crate::notes::Notes;
use crate::plan::{Plan, configuration_options, cops_of_argument};
use crate::translations::with_translations;
use crate::version::{FileHashes, VersionHistory};
use crate::vocabulary::AlError;
use crate::{Incident, tools};

/// What a call answers, and what went wrong beside it.
#[derive(Debug, Clone)]
pub struct Answer<T> {
    /// The answer itself.
    pub result: Result<T, AlError>,
    /// For the journal; each is told once for as long as it lasts.
    pub incidents: Vec<Incident>,
}

/// The projects a program works on.
///
/// Every call looks at the disk first and then works on one snapshot of it, so that its answer is of one piece; calls may
/// be made from several threads at once.
pub struct Session {
    pub(crate) files: Arc<dyn FileSystem>,
    projects: Vec<PathBuf>,
    entries: Mutex<HashMap<PathBuf, Arc<ProjectEntry>>>,
    told: Mutex<HashSet<u64>>,
    meanings: MeaningCache,
}

/// What is kept of a project between calls.
pub(crate) struct ProjectEntry {
    project: Project,
    history: Mutex<VersionHistory>,
    analyses: Mutex<HashMap<PathBuf, CachedAnalysis>>,
    translations: TranslationFiles,
}

/// What was found in a file under a plan, as long as neither changes.
struct CachedAnalysis {
    content_hash: u64,
    fingerprint: u64,
    analysis: Arc<FileAnalysis>,
}

/// One call: what it works on and what it has to say beside its answer.
pub(crate) struct Call<'a> {
    pub(crate) session: &'a Session,
    pub(crate) cancellation: &'a Cancellation,
    /// Takes how far the call is, if somebody wants to hear it.
    pub(crate) progress: Option<&'a TellProgress<'a>>,
    pub(crate) notes: Notes,
}

/// Takes the files done and the files there are; the first number grows from call to call.
pub(crate) type TellProgress<'a> = dyn Fn(usize, usize) + Send + Sync + 'a;

/// A project as it was when the call began.
pub(crate) struct View {
    pub(crate) entry: Arc<ProjectEntry>,
    pub(crate) snapshot: Arc<ProjectSnapshot>,
    pub(crate) plan: Plan,
    /// What is declared around its files, if a rule of the plan wants to know.
    pub(crate) meanings: Option<Arc<Meanings>>,
}

/// The cops that an `analyzers` argument asks for.
pub(crate) type ChosenCops = Option<Vec<Cop>>;

impl Session {
    /// A session over the projects in these folders, the first of them being the one that is meant when none is named.
    pub fn new(projects: Vec<PathBuf>) -> Self {
        Self::with_files(Arc::new(Disk), projects)
    }

    /// The same over other files than those on the disk, for tests.
    pub fn with_files(files: Arc<dyn FileSystem>, projects: Vec<PathBuf>) -> Self {
        Self {
            files,
            projects,
            entries: Mutex::default(),
            told: Mutex::default(),
            meanings: MeaningCache::default(),
        }
    }

    /// The projects it was made for.
    pub fn projects(&self) -> &[PathBuf] {
        &self.projects
    }

    /// The projects it was made for, as messages list them.
    pub(crate) fn known(&self) -> Vec<&Path> {
        self.projects.iter().map(PathBuf::as_path).collect()
    }

    /// Runs a call and keeps what it has to say beside its answer.
    pub(crate) fn answer<T>(
        &self,
        cancellation: &Cancellation,
        run: impl FnOnce(&mut Call<'_>) -> Result<T, AlError>,
    ) -> Answer<T> {
        self.answer_telling(cancellation, None, run)
    }

    fn answer_telling<'a, T>(
        &'a self,
        cancellation: &'a Cancellation,
        progress: Option<&'a TellProgress<'a>>,
        run: impl FnOnce(&mut Call<'a>) -> Result<T, AlError>,
    ) -> Answer<T> {
        let mut call = Call {
            session: self,
            cancellation,
            progress,
            notes: Notes::default(),
        };
        let result = run(&mut call);
        let incidents = call.notes.incidents;
        Answer {
            result,
            incidents: self.not_told_yet(incidents),
        }
    }

    /// A ruleset that is broken stays broken in every call; the journal wants to know it once.
    fn not_told_yet(&self, incidents: Vec<Incident>) -> Vec<Incident> {
        let mut told = lock(&self.told);
        let is_new = |incident: &Incident| {
            let mut hasher = DefaultHasher::new();
            (&incident.code, &incident.message, &incident.project).hash(&mut hasher);
            incident.happened_now || told.insert(hasher.finish())
        };
        incidents.into_iter().filter(is_new).collect()
    }

    /// # Errors
    /// `Invalid` when the folder is no project (any more).
    fn entry(&self, root: &Path) -> Result<Arc<ProjectEntry>, AlError> {
        let opened = Project::open(Arc::clone(&self.files), root, configuration_options())
            .map_err(|problem| message::not_a_project(&problem))?;
        let mut entries = lock(&self.entries);
        let entry = entries.entry(root.to_owned()).or_insert_with(|| {
            Arc::new(ProjectEntry {
                project: opened,
                history: Mutex::default(),
                analyses: Mutex::default(),
                translations: TranslationFiles::new(),
            })
        });
        Ok(Arc::clone(entry))
    }

    /// The folder that `projectPath` of a fix tool names: any project.
    ///
    /// # Errors
    /// `Invalid` when it is blank, does not exist or has no `app.json`.
    pub(crate) fn any_project(&self, given: &str) -> Result<PathBuf, AlError> {
        let path = path_argument("projectPath", given)?;
        self.entry(&path).map(|_| path)
    }

    /// The folder that `projectPath` of `analyze` and `list_rules` names: a project of this session, the first if none is
    /// named.
    ///
    /// # Errors
    /// `Invalid` for one that is none of them, and when there is none at all.
    pub(crate) fn known_project(&self, given: Option<&str>) -> Result<PathBuf, AlError> {
        let Some(given) = given else {
            return self.projects.first().cloned().ok_or_else(message::no_project);
        };
        let path = path_argument("projectPath", given)?;
        let known = self.projects.iter().find(|project| **project == path);
        known
            .cloned()
            .ok_or_else(|| message::unknown_project(given, &self.known()))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("projects", &self.projects)
            .finish_non_exhaustive()
    }
}

impl Call<'_> {
    /// The cops that an `analyzers` argument asks for; those that do not exist are warnings.
    ///
    /// # Errors
    /// `Invalid` for an empty list and for blank entries.
    pub(crate) fn cops(&mut self, analyzers: Option<&[String]>) -> Result<ChosenCops, AlError> {
        let Some(analyzers) = analyzers else { return Ok(None) };
        let (cops, warnings) = cops_of_argument(analyzers)?;
        self.notes.warnings.extend(warnings);
        Ok(Some(cops))
    }

    /// The project as it is on the disk now. Remembers its version, since the answer will tell it.
    ///
    /// # Errors
    /// `Invalid` when the folder is no project, `Faulted` when the call is cancelled.
    pub(crate) fn view(&mut self, root: &Path, cops: Option<&[Cop]>) -> Result<View, AlError> {
        let entry = self.session.entry(root)?;
        let snapshot = entry.project.refresh(self.cancellation).map_err(cancelled)?;
        self.notes.add_workspace(&snapshot.warnings, Some(root));
        entry.remember(&snapshot);
        let plan = Plan::of_project(&snapshot.configuration, cops);
        Ok(View {
            entry,
            snapshot,
            plan,
            meanings: None,
        })
    }

    /// The same, with what is declared around its files if a rule of the plan wants to know.
    ///
    /// # Errors
    /// As [`Self::view`].
    pub(crate) fn view_with_meaning(&mut self, root: &Path, cops: Option<&[Cop]>) -> Result<View, AlError> {
        let mut view = self.view(root, cops)?;
        if !view.plan.needs_meaning() {
            return Ok(view);
        }
        let mut snapshots = vec![Arc::clone(&view.snapshot)];
        for other in self.session.projects() {
            if other != root
                && let Ok(entry) = self.session.entry(other)
            {
                snapshots.push(entry.project.refresh(self.cancellation).map_err(cancelled)?);
            }
        }
        let meanings = self.session.meanings.of(&snapshots);
        view.plan.depend_on(meanings.version());
        view.meanings = Some(meanings);
        Ok(view)
    }

    /// The same, with what is translated in the project, if one of its rules asks for that.
    ///
    /// # Errors
    /// As [`Self::view`].
    pub(crate) fn view_with_translations(&mut self, root: &Path, cops: Option<&[Cop]>) -> Result<View, AlError> {
        let mut view = self.view_with_meaning(root, cops)?;
        let files = self.session.files.as_ref();
        let (configuration, known) = (&view.snapshot.configuration, &view.entry.translations);
        view.plan = with_translations(view.plan, configuration, known, files, root, &mut self.notes);
        Ok(view)
    }

    /// The warnings for the answer.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.notes.shown()
    }
}

impl View {
    /// What the rules may know about a file of the project.
    pub(crate) fn context(&self, path: &Path) -> FileContext {
        let context = self.plan.context.clone();
        match self.meanings.as_ref().and_then(|meanings| meanings.workspace(path)) {
            Some(workspace) => context.in_workspace(workspace),
            None => context,
        }
    }
}

impl ProjectEntry {
    fn remember(&self, snapshot: &ProjectSnapshot) {
        let hashes = || {
            FileHashes::of(
                snapshot
                    .files
                    .iter()
                    .map(|file| (file.path.as_path(), file.content_hash)),
            )
        };
        lock(&self.history).remember(&snapshot.content_version.to_string(), hashes);
    }

    /// Has a file read by the next call whatever its stamp says; see [`Project::distrust`].
    pub(crate) fn distrust(&self, path: &Path) {
        self.project.distrust(path);
    }

    /// The version of the project's text after a write, which no cancellation takes back.
    pub(crate) fn version_now(&self) -> Option<String> {
        let snapshot = self.project.refresh(&Cancellation::new()).ok()?;
        self.remember(&snapshot);
        Some(snapshot.content_version.to_string())
    }

    /// The files of a version that was told; none when it is not remembered.
    pub(crate) fn files_of_version(&self, version: &str) -> Option<Arc<FileHashes>> {
        lock(&self.history).files(version)
    }

    /// What is in a file, looked at again only if it or the plan changed.
    pub(crate) fn analysis(
        &self,
        path: &Path,
        content_hash: u64,
        plan: &Plan,
        analyse: impl FnOnce() -> FileAnalysis,
    ) -> Arc<FileAnalysis> {
        if let Some(known) = lock(&self.analyses).get(path)
            && known.content_hash == content_hash
            && known.fingerprint == plan.fingerprint
        {
            return Arc::clone(&known.analysis);
        }
        let analysis = Arc::new(analyse());
        let cached = CachedAnalysis {
            content_hash,
            fingerprint: plan.fingerprint,
            analysis: Arc::clone(&analysis),
        };
        lock(&self.analyses).insert(path.to_owned(), cached);
        analysis
    }
}

/// What nobody waits for any more is not answered by anybody; this only ends the call.
pub(crate) fn cancelled(_: Cancelled) -> AlError {
    AlError::faulted("The call was cancelled.")
}

/// A path that was given as an argument, made absolute and plain.
pub(crate) fn path_argument(argument: &str, given: &str) -> Result<PathBuf, AlError> {
    normalize_path(given).map_err(|problem| message::bad_path(argument, given, &problem))
}

/// A panic while a lock was held leaves nothing half done here: what it guards is only ever replaced whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes that a list in a reply may take, when the rest of the reply takes `rest` bytes.
pub(crate) fn room_beside(rest: usize) -> usize {
    /// New errors are added behind our back: ten of them, 300 characters of message each.
    const NEW_ERRORS: usize = 6_000;
    candor_contract::REPLY_BYTES.saturating_sub(NEW_ERRORS + rest)
}

impl Session {
    /// `analyze`: what is wrong in a project, a folder or a file.
    pub fn analyze(
        &self,
        arguments: &tools::AnalyzeArguments,
        cancellation: &Cancellation,
    ) -> Answer<tools::AnalyzeResult> {
        self.answer(cancellation, |call| call.analyze(arguments))
    }

    /// As [`Self::analyze`], telling how far it is: the files done, which grow, and the files there are.
    pub fn analyze_telling(
        &self,
        arguments: &tools::AnalyzeArguments,
        cancellation: &Cancellation,
        progress: &(dyn Fn(usize, usize) + Send + Sync),
    ) -> Answer<tools::AnalyzeResult> {
        self.answer_telling(cancellation, Some(progress), |call| call.analyze(arguments))
    }

    /// `list_rules`: the rules of the cops that run in a project.
    pub fn list_rules(
        &self,
        arguments: &tools::ListRulesArguments,
        cancellation: &Cancellation,
    ) -> Answer<tools::ListRulesResult> {
        self.answer(cancellation, |call| call.list_rules(arguments))
    }

    /// `get_fixes`: the fixes for one diagnostic.
    pub fn get_fixes(
        &self,
        arguments: &tools::GetFixesArguments,
        cancellation: &Cancellation,
    ) -> Answer<tools::GetFixesResult> {
        self.answer(cancellation, |call| call.get_fixes(arguments))
    }

    /// `apply_fix`: one fix, for one diagnostic.
    pub fn apply_fix(
        &self,
        arguments: &tools::ApplyFixArguments,
        cancellation: &Cancellation,
    ) -> Answer<tools::ApplyFixResult> {
        self.answer(cancellation, |call| call.apply_fix(arguments))
    }

    /// `apply_fix_all`: one fix, wherever its rule finds something.
    pub fn apply_fix_all(
        &self,
        arguments: &tools::ApplyFixAllArguments,
        cancellation: &Cancellation,
    ) -> Answer<tools::ApplyFixAllResult> {
        self.answer(cancellation, |call| call.apply_fix_all(arguments))
    }
}
