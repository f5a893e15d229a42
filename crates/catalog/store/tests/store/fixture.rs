//! Homes in temporary folders, entries that say nothing, and what must hold of every project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use candor_catalog_store::{
    AliasKind, AliasName, EntryHash, EntryKind, EntrySchema, Field, Home, Interference, LOCK_WAIT, Manifest, NewEntry,
    Operation, Parent, Project, ProjectLock, ProjectName, Provenance, Published, StagedEntry, StepHook,
};
use serde_json::json;
use tempfile::TempDir;

/// Tests end processes, not the power: what is written need not reach the disk.
#[derive(Debug)]
pub(crate) struct NoSync;

impl StepHook for NoSync {
    fn before(&self, _operation: Operation, _path: &Path) -> Interference {
        Interference::SkipSync
    }
}

pub(crate) struct TestHome {
    pub(crate) folder: TempDir,
    pub(crate) home: Home,
}

impl TestHome {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::with_hook(folder.path(), Arc::new(NoSync));
        Self { folder, home }
    }

    /// A home with the project `shop`.
    pub(crate) fn with_shop() -> (Self, Project) {
        let home = Self::new();
        let project = home.home.create(&project_name("shop"), "test", LOCK_WAIT).unwrap();
        (home, project)
    }

    /// The project once more, as another process would open it.
    pub(crate) fn shop(&self) -> Project {
        self.home.project(&project_name("shop")).unwrap()
    }

    /// The project with a hook on every step.
    pub(crate) fn shop_with(&self, hook: Arc<dyn StepHook>) -> Project {
        Home::with_hook(self.folder.path(), hook)
            .project(&project_name("shop"))
            .unwrap()
    }
}

pub(crate) fn project_name(name: &str) -> ProjectName {
    ProjectName::new(name).unwrap()
}

pub(crate) fn alias(name: &str) -> AliasName {
    AliasName::new(name).unwrap()
}

/// The hash that ends in a number.
pub(crate) fn hash(number: u64) -> EntryHash {
    EntryHash::new(&format!("{number:012x}")).unwrap()
}

/// A computed entry with this hash.
pub(crate) fn computed(number: u64, parents: &[u64]) -> NewEntry {
    let mut manifest = Manifest::new(hash(number), EntryKind::Computed);
    manifest.cache_worthy_why = "ops:Aggregate".into();
    manifest.row_count = number;
    manifest.parents = parents
        .iter()
        .map(|parent| Parent {
            hash: hash(*parent),
            reference: "orders".into(),
            follow: true,
            alias_id: "000000000000".into(),
            version: None,
        })
        .collect();
    NewEntry {
        manifest,
        schema: EntrySchema {
            fields: vec![Field {
                name: "total".into(),
                data_type: "Int64".into(),
            }],
            row_count: number,
        },
        recipe: Some(format!("SELECT {number} AS total FROM orders")),
    }
}

/// A source entry over a copy of a file.
pub(crate) fn source(number: u64, digest: &str, suffix: &str) -> NewEntry {
    let mut entry = computed(number, &[]);
    entry.recipe = None;
    entry.manifest.kind = EntryKind::Source;
    entry.manifest.provenance = Some(Provenance {
        alias: "orders".into(),
        version: 1,
        path: "somewhere/orders.csv".into(),
        digest: digest.into(),
        suffix: suffix.into(),
        bytes: 7,
        reader: json!({"schema": "infer"}),
        imported_at: "2026-11-30T00:00:00.000000Z".into(),
    });
    entry
}

/// Publishes a computed entry with a snapshot.
pub(crate) fn publish(lock: &ProjectLock<'_>, number: u64, parents: &[u64]) -> Published {
    let project = lock.project();
    let staged = project.stage(computed(number, parents)).unwrap();
    publish_staged(lock, staged).unwrap()
}

pub(crate) fn publish_staged(lock: &ProjectLock<'_>, staged: StagedEntry) -> candor_catalog_store::Result<Published> {
    let snapshot = lock.project().stage_snapshot(staged.hash())?;
    fs::write(snapshot.path(), format!("rows of {}", staged.hash())).unwrap();
    lock.publish(staged, Some(snapshot))
}

/// What `catalog_create` does with an entry that is built.
pub(crate) fn create(project: &Project, name: &str, number: u64) {
    let lock = project.lock("catalog_create", LOCK_WAIT).unwrap();
    publish(&lock, number, &[]);
    lock.change_aliases(|book| book.create(alias(name), AliasKind::Catalog, hash(number)).map(|_| ()))
        .unwrap();
    lock.add_prompt(&hash(number), "make it").unwrap();
    lock.checkpoint("candor: catalog_create").unwrap();
}

/// What `catalog_revise` does with an entry that is built; returns the version.
pub(crate) fn revise(project: &Project, name: &str, number: u64) -> u64 {
    let lock = project.lock("catalog_revise", LOCK_WAIT).unwrap();
    publish(&lock, number, &[]);
    let version = lock
        .change_aliases(|book| {
            let alias = book.advance(&alias(name), AliasKind::Catalog, hash(number), None)?;
            Ok(alias.version())
        })
        .unwrap();
    lock.checkpoint("candor: catalog_revise").unwrap();
    version
}

/// Every file of the history as it stands on the disk, with its text.
pub(crate) fn tracked(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let catalog = project.layout().catalog();
    let mut files = BTreeMap::new();
    for name in [".gitignore", "aliases.jsonl", "config.json"] {
        if let Ok(bytes) = fs::read(catalog.join(name)) {
            files.insert(name.into(), bytes);
        }
    }
    for folder in ["entries", "prompts"] {
        collect(&catalog, &catalog.join(folder), &mut files);
    }
    files
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|suffix| suffix == "tmp") {
            // Left by a killed process, and cleaned up when it is old.
        } else if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// Every file of the newest checkpoint, with its text.
pub(crate) fn recorded(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let repository = git2::Repository::open(project.layout().catalog()).unwrap();
    let tree = repository.head().unwrap().peel_to_tree().unwrap();
    let mut files = BTreeMap::new();
    tree.walk(git2::TreeWalkMode::PreOrder, |folder, entry| {
        if entry.kind() == Some(git2::ObjectType::Blob) {
            let blob = repository.find_blob(entry.id()).unwrap();
            files.insert(format!("{folder}{}", entry.name().unwrap()), blob.content().to_vec());
        }
        git2::TreeWalkResult::Ok
    })
    .unwrap();
    files
}

/// What holds of a project at any time, whatever happened to the processes that worked on it.
pub(crate) fn assert_sound(project: &Project) {
    let page = project.entries(0, usize::MAX).unwrap();
    assert_eq!(page.damaged, [], "no entry is half made");
    for hash in &page.hashes {
        let entry = project.entry(hash).unwrap();
        assert!(
            entry.manifest.kind == EntryKind::Source || entry.recipe.is_some(),
            "{hash} has its recipe"
        );
    }
    for alias in project.aliases().unwrap().iter() {
        for hash in &alias.history {
            project.entry(hash).unwrap();
        }
    }
    project.revisions().unwrap();
}

/// [`assert_sound`], and that the newest checkpoint holds the project exactly as it is.
pub(crate) fn assert_recorded(project: &Project) {
    assert_sound(project);
    let (on_disk, in_history) = (tracked(project), recorded(project));
    assert_eq!(
        on_disk.keys().collect::<Vec<_>>(),
        in_history.keys().collect::<Vec<_>>(),
        "the checkpoint holds every file"
    );
    assert!(on_disk == in_history, "the checkpoint holds every file as it is");
}

/// The numbers of the versions of an alias.
pub(crate) fn versions(project: &Project, name: &str) -> Vec<u64> {
    let book = project.aliases().unwrap();
    let Some(alias) = book.find(&alias(name)) else {
        return Vec::new();
    };
    alias
        .history
        .iter()
        .map(|hash| u64::from_str_radix(hash.as_str(), 16).unwrap())
        .collect()
}

/// Copies a folder with everything in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Writes a file into the home and returns its path.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}
