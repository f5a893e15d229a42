//! What is declared in the projects of a session, kept in step with their files.
//!
//! Declarations are taken out of a file again only when its text has changed, and they are put together again only when
//! some file declares something else than before: an edit of a body costs its own file alone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use candor_al_model::{AppId, AppIdentity, FileDeclarations, FileId, Universe, arrange, declarations_of};
use candor_al_rules::Workspace;
use candor_al_syntax::Symbols;
use candor_al_workspace::configuration::Manifest;
use candor_al_workspace::project::{ProjectSnapshot, SourceFile};
use rayon::prelude::*;

/// What the projects of a session declare.
#[derive(Debug)]
pub(crate) struct Meanings {
    universe: Arc<Universe>,
    files: HashMap<PathBuf, FileId>,
    version: u64,
}

impl Meanings {
    /// The file at that path among all that is declared.
    pub(crate) fn workspace(&self, path: &Path) -> Option<Workspace> {
        let file = *self.files.get(path)?;
        Some(Workspace::new(Arc::clone(&self.universe), file))
    }

    /// Changes when something is declared otherwise.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }
}

/// Keeps what was found out.
#[derive(Debug, Default)]
pub(crate) struct MeaningCache(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    files: HashMap<PathBuf, KnownFile>,
    meanings: Option<(Vec<PathBuf>, Arc<Meanings>)>,
    versions: u64,
}

#[derive(Debug, Clone)]
struct KnownFile {
    source: Arc<SourceFile>,
    symbols: Symbols,
    declarations: Arc<FileDeclarations>,
}

impl MeaningCache {
    /// What these projects declare.
    pub(crate) fn of(&self, snapshots: &[Arc<ProjectSnapshot>]) -> Arc<Meanings> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut has_changed = false;
        for snapshot in snapshots {
            has_changed |= known.take_in(snapshot);
        }
        let roots: Vec<PathBuf> = snapshots.iter().map(|snapshot| snapshot.root.clone()).collect();
        if let Some((old_roots, meanings)) = &known.meanings
            && !has_changed
            && *old_roots == roots
        {
            return Arc::clone(meanings);
        }
        known.versions += 1;
        let meanings = Arc::new(known.put_together(snapshots));
        known.meanings = Some((roots, Arc::clone(&meanings)));
        meanings
    }
}

impl Known {
    /// Looks at the files of a project; tells whether one declares something else than before.
    fn take_in(&mut self, snapshot: &ProjectSnapshot) -> bool {
        let symbols = symbols_of(&snapshot.configuration.manifest);
        let is_known = |file: &Arc<SourceFile>| {
            let known = self.files.get(&file.path);
            known.is_some_and(|known| Arc::ptr_eq(&known.source, file) && known.symbols == symbols)
        };
        let changed: Vec<&Arc<SourceFile>> = snapshot.files.iter().filter(|file| !is_known(file)).collect();
        let looked: Vec<(&Arc<SourceFile>, FileDeclarations)> = changed
            .into_par_iter()
            .map(|file| (file, declarations_of(&candor_al_syntax::parse(file.text(), &symbols)).0))
            .collect();
        let mut has_changed = false;
        for (file, declarations) in looked {
            let old = self.files.get(&file.path).map(|known| &known.declarations);
            let declarations = match old {
                Some(old) if **old == declarations => Arc::clone(old),
                _ => {
                    has_changed = true;
                    Arc::new(declarations)
                }
            };
            let known = KnownFile {
                source: Arc::clone(file),
                symbols: symbols.clone(),
                declarations,
            };
            self.files.insert(file.path.clone(), known);
        }
        // A file that is gone declares nothing any more.
        let is_there = |path: &Path| !path.starts_with(&snapshot.root) || snapshot.file(path).is_some();
        let before = self.files.len();
        let gone: Vec<PathBuf> = self
            .files
            .keys()
            .filter(|path| !is_there(path) && belongs_to(path, snapshot, self.meanings.as_ref()))
            .cloned()
            .collect();
        for path in gone {
            self.files.remove(&path);
        }
        has_changed || self.files.len() != before
    }

    fn put_together(&self, snapshots: &[Arc<ProjectSnapshot>]) -> Meanings {
        let identities: Vec<AppIdentity> = snapshots
            .iter()
            .map(|snapshot| snapshot.configuration.manifest.identity(&snapshot.root))
            .collect();
        let mut universe = Universe::new();
        let mut files = HashMap::new();
        let mut ids: HashMap<usize, AppId> = HashMap::new();
        for group in arrange(&identities) {
            let dependencies: Vec<AppId> = group
                .dependencies
                .iter()
                .filter_map(|it| ids.get(it).copied())
                .collect();
            let mut next = universe.file_count() as u32;
            let mut added = Vec::with_capacity(group.apps.len());
            for &app in &group.apps {
                let mut declarations = Vec::new();
                for file in &snapshots[app].files {
                    let Some(known) = self.files.get(&file.path) else {
                        continue;
                    };
                    files.insert(file.path.clone(), FileId(next));
                    next += 1;
                    declarations.push(Arc::clone(&known.declarations));
                }
                added.push((
                    identities[app].description(&dependencies, group.has_missing_dependencies),
                    declarations,
                ));
            }
            for (&app, id) in group.apps.iter().zip(universe.add_apps(added)) {
                ids.insert(app, id);
            }
        }
        Meanings {
            universe: Arc::new(universe),
            files,
            version: self.versions,
        }
    }
}

/// Whether a file that is no longer there was one of this project rather than of a project inside its folder.
fn belongs_to(path: &Path, snapshot: &ProjectSnapshot, known: Option<&(Vec<PathBuf>, Arc<Meanings>)>) -> bool {
    let Some((roots, _)) = known else { return true };
    let inner = roots
        .iter()
        .filter(|root| root.starts_with(&snapshot.root) && **root != snapshot.root);
    !inner.into_iter().any(|root| path.starts_with(root))
}

fn symbols_of(manifest: &Manifest) -> Symbols {
    manifest
        .preprocessor_symbols
        .iter()
        .map(|symbol| symbol.value.as_str())
        .collect()
}
