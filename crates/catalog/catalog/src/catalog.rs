//! The catalog of a process: its home, its engine, and the project it works on.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use candor_catalog_engine::{Engine, EngineError, EngineOptions};
use candor_catalog_store::{
    AliasName, EntryHash, Home, LOCK_WAIT, Project, ProjectLock, ProjectName, Reference, StepHook, StoreError,
};
use candor_catalog_tables::Progress;
use candor_contract::{CallScope, Journal, JournalDraft, candor_home};

use crate::background::Background;
use crate::failure::{Explain, Explained, about, recorded};
use crate::rows::FileState;
use crate::vocabulary::{CatalogError, CatalogNotFound, Result};

/// How a catalog is set up.
#[derive(Debug, Clone)]
pub struct CatalogOptions {
    /// The folder that holds all projects.
    pub home: PathBuf,
    /// The limits of the engine.
    pub engine: EngineOptions,
    /// The project to begin with when nobody has chosen one yet.
    pub project_seed: Option<String>,
    /// What the environment says about recomputing followers: `1`, `true`, `yes`, `on`, `0`, `false`, `no`, `off`.
    pub auto_recalc: Option<String>,
    /// How long to wait for a lock that another process holds.
    pub lock_wait: Duration,
    /// Whether results are computed a second time, after the reply, to see whether they are reproducible.
    pub verify_in_background: bool,
    /// For tests: sees each step of every change of a file.
    pub hook: Option<Arc<dyn StepHook>>,
}

impl CatalogOptions {
    /// A catalog in this folder, with everything else as usual.
    pub fn at(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            engine: EngineOptions::default(),
            project_seed: None,
            auto_recalc: None,
            lock_wait: LOCK_WAIT,
            verify_in_background: true,
            hook: None,
        }
    }

    /// The user's catalog: `catalog` in `CANDOR_HOME` or `~/.candor`; with `CANDOR_PROJECT` as the project to begin
    /// with and `CANDOR_AUTO_RECALC`. `None` when there is neither variable nor home folder.
    pub fn from_environment() -> Option<Self> {
        let word = |name| std::env::var(name).ok().filter(|word| !word.is_empty());
        Some(Self {
            project_seed: word("CANDOR_PROJECT"),
            auto_recalc: word("CANDOR_AUTO_RECALC"),
            ..Self::at(candor_home()?.join("catalog"))
        })
    }
}

/// The call that is being answered: who asks, and who watches and may stop it.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The tool that is called; failures recorded through it are its own.
    pub scope: &'a CallScope,
    /// Hears how far long work is, and says when to stop.
    pub progress: &'a (dyn Progress + Sync),
}

impl<'a> Call<'a> {
    /// A call.
    pub fn new(scope: &'a CallScope, progress: &'a (dyn Progress + Sync)) -> Self {
        Self { scope, progress }
    }

    pub(crate) fn tool(&self) -> &str {
        self.scope.tool()
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Call")
            .field("tool", &self.tool())
            .finish_non_exhaustive()
    }
}

/// The catalog. Every operation stands once, as a method; all may be called from several threads at once. Clones are
/// the same catalog.
#[derive(Clone)]
pub struct Catalog {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) home: Home,
    pub(crate) options: CatalogOptions,
    engine: OnceLock<std::result::Result<Engine, EngineError>>,
    active: Mutex<Option<ProjectName>>,
    open: Mutex<HashMap<ProjectName, Project>>,
    pub(crate) intact: Mutex<HashMap<PathBuf, FileState>>,
    pub(crate) background: Background,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Catalog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Catalog")
            .field("home", &self.inner.options.home)
            .finish_non_exhaustive()
    }
}

impl Catalog {
    /// A catalog. Touches nothing until it is used; the engine is set up by the first call that needs it.
    pub fn new(options: CatalogOptions) -> Self {
        let home = match &options.hook {
            Some(hook) => Home::with_hook(&options.home, hook.clone()),
            None => Home::at(&options.home),
        };
        Self {
            inner: Arc::new(Inner {
                home,
                options,
                engine: OnceLock::new(),
                active: Mutex::new(None),
                open: Mutex::default(),
                intact: Mutex::default(),
                background: Background::default(),
            }),
        }
    }

    /// The project of this process, if there is one: the one that was switched to last, else the active one.
    ///
    /// # Errors
    /// `NotFound/NoSuchProject` when none is active, or the active one is gone.
    pub fn project(&self) -> Result<Project> {
        let mut active = lock(&self.inner.active);
        let name = match &*active {
            Some(name) => name.clone(),
            None => {
                let seed = self.inner.options.project_seed.as_deref();
                let found = self.inner.home.active(seed).explained()?;
                found.ok_or(StoreError::NoActiveProject).explained()?
            }
        };
        let project = self.open(&name)?;
        *active = Some(name);
        Ok(project)
    }

    /// Makes this process work on a project, whichever is active for others.
    pub(crate) fn stick_to(&self, name: ProjectName) -> Option<ProjectName> {
        lock(&self.inner.active).replace(name)
    }

    /// A project by name, as it was opened before, so that it keeps what it remembers.
    pub(crate) fn open(&self, name: &ProjectName) -> Result<Project> {
        let mut open = lock(&self.inner.open);
        if let Some(project) = open.get(name)
            && project.layout().catalog().is_dir()
        {
            return Ok(project.clone());
        }
        open.remove(name);
        let project = self.inner.home.project(name).explained()?;
        open.insert(name.clone(), project.clone());
        Ok(project)
    }

    /// The journal of a project.
    pub fn journal(&self, project: &Project) -> Journal {
        Journal::at(project.layout().errors())
    }

    /// Waits until everything that goes on after replies is done, at most so long. Says whether it is.
    pub fn wait_for_background(&self, limit: Duration) -> bool {
        self.inner.background.wait(limit)
    }

    pub(crate) fn engine(&self) -> Result<&Engine> {
        let engine = self
            .inner
            .engine
            .get_or_init(|| Engine::new(&self.inner.options.engine));
        engine.as_ref().map_err(|error| error.clone().explain())
    }

    pub(crate) fn lock<'a>(&self, project: &'a Project, tool: &str) -> Result<ProjectLock<'a>> {
        project.lock(tool, self.inner.options.lock_wait).explained()
    }

    pub(crate) fn recomputes_followers(&self, project: &Project) -> bool {
        project
            .config()
            .auto_recalc_unless(self.inner.options.auto_recalc.as_deref())
    }

    /// Records a failure of the call in the journal, and names the record in the error.
    pub(crate) fn record(
        &self,
        project: &Project,
        call: &Call<'_>,
        error: CatalogError,
        draft: JournalDraft,
    ) -> CatalogError {
        let code = error.reason().unwrap_or_else(|| error.code().as_str());
        match call.scope.record(&self.journal(project), draft.code(code)) {
            Ok(record) => recorded(error, &record.id),
            // The caller gets the failure itself; that it could not be kept for others is the lesser trouble.
            Err(_) => error,
        }
    }
}

/// The entry that a reference in a call means: `sales`, `sales-v2` or a hash.
pub(crate) fn resolve(project: &Project, text: &str) -> Result<EntryHash> {
    let reference = Reference::parse(text).map_err(|error| no_such_reference(project, text, &error))?;
    project
        .resolve(&reference)
        .explained()
        .map_err(|error| about(error, text))
}

/// What cannot be a reference is no alias either; the nearest names help more than the rule for names.
fn no_such_reference(project: &Project, text: &str, error: &StoreError) -> CatalogError {
    let book = project.aliases().unwrap_or_default();
    let known = book.iter().map(|alias| alias.name.as_str());
    let near: Vec<String> = candor_contract::nearest_names(text, known)
        .into_iter()
        .map(String::from)
        .collect();
    let message = format!(
        "`{}` is no alias, version or hash: {error}",
        candor_contract::shortened(text, 80)
    );
    about(
        CatalogError::not_found(CatalogNotFound::NoSuchAlias, message).candidates(near),
        &candor_contract::shortened(text, 80),
    )
}

/// The name of an alias in a call.
pub(crate) fn alias_name(text: &str) -> Result<AliasName> {
    AliasName::new(text).explained()
}
