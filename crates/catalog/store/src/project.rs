//! One project: reading it needs no lock.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::aliases_file;
use crate::disk::{Disk, Stamp, read_optional};
use crate::index::EntryOrder;
use crate::{
    AliasBook, Config, EntryHash, Layout, Manifest, ProjectName, Prompt, Reference, Result, StoreError, cleaning,
    prompts,
};

/// A project of the catalog. Clones share what they remember.
#[derive(Debug, Clone)]
pub struct Project {
    name: ProjectName,
    layout: Layout,
    disk: Disk,
    memory: Arc<Memory>,
}

impl Project {
    /// A project that exists. Cleans up after dead processes.
    pub(crate) fn open(name: ProjectName, layout: Layout, disk: Disk) -> Self {
        cleaning::clean(&layout);
        Self::new(name, layout, disk)
    }

    pub(crate) fn new(name: ProjectName, layout: Layout, disk: Disk) -> Self {
        Self {
            name,
            layout,
            disk,
            memory: Arc::default(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &ProjectName {
        &self.name
    }

    /// Where everything is.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The aliases. Remembered until the file changes.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the file cannot be understood.
    pub fn aliases(&self) -> Result<Arc<AliasBook>> {
        let path = self.layout.aliases();
        self.memory.aliases(&path, || self.read_aliases())
    }

    pub(crate) fn read_aliases(&self) -> Result<AliasBook> {
        let path = self.layout.aliases();
        match read_optional(&path)? {
            Some(bytes) => aliases_file::from_text(&path, &bytes),
            None => Ok(AliasBook::default()),
        }
    }

    /// The switches.
    pub fn config(&self) -> Config {
        match read_optional(&self.layout.config()) {
            Ok(Some(bytes)) => Config::from_bytes(&bytes),
            _ => Config::default(),
        }
    }

    /// What was asked for each time an entry was built, the first request first.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn prompts(&self, hash: &EntryHash) -> Result<Vec<Prompt>> {
        let bytes = read_optional(&self.layout.prompts_of(hash))?;
        Ok(bytes.map(|bytes| prompts::from_bytes(&bytes)).unwrap_or_default())
    }

    /// The entry that a reference means now.
    ///
    /// # Errors
    /// [`StoreError::NoSuchAlias`], [`StoreError::NoSuchVersion`], [`StoreError::NoSuchEntry`].
    pub fn resolve(&self, reference: &Reference) -> Result<EntryHash> {
        match reference {
            Reference::Head(alias) => Ok(self.aliases()?.get(alias)?.latest.clone()),
            Reference::Version(alias, version) => Ok(self.aliases()?.get(alias)?.entry_of(*version)?.clone()),
            Reference::Hash(hash) if self.has_entry(hash) => Ok(hash.clone()),
            Reference::Hash(hash) => Err(StoreError::NoSuchEntry { hash: hash.to_string() }),
        }
    }
}

/// What has been read already, and the state of the file it was read from.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    aliases: Mutex<Option<(Stamp, Arc<AliasBook>)>>,
    manifests: Mutex<HashMap<EntryHash, (Stamp, Arc<Manifest>)>>,
    order: Mutex<Option<(Vec<String>, Arc<EntryOrder>)>>,
}

/// Manifests that are remembered at most; beyond that all are forgotten, which costs a reading each.
const MANIFESTS: usize = 50_000;

/// A file that was written this shortly ago may be written again without its stamp changing: file systems count time in
/// ticks. What is read from it is not remembered.
const SETTLED: Duration = Duration::from_millis(100);

fn settled(path: &Path) -> Option<Stamp> {
    let stamp = Stamp::of(path)?;
    let age = SystemTime::now().duration_since(stamp.modified?).ok()?;
    (age > SETTLED).then_some(stamp)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    fn aliases(&self, path: &Path, read: impl FnOnce() -> Result<AliasBook>) -> Result<Arc<AliasBook>> {
        let stamp = settled(path);
        let mut known = lock(&self.aliases);
        if let (Some(stamp), Some((of, book))) = (stamp, &*known)
            && stamp == *of
        {
            return Ok(book.clone());
        }
        let book = Arc::new(read()?);
        *known = stamp.map(|stamp| (stamp, book.clone()));
        Ok(book)
    }

    pub(crate) fn manifest(
        &self,
        hash: &EntryHash,
        path: &Path,
        read: impl FnOnce() -> Result<Manifest>,
    ) -> Result<Arc<Manifest>> {
        let stamp = settled(path);
        if let Some(stamp) = stamp
            && let Some((of, manifest)) = lock(&self.manifests).get(hash)
            && *of == stamp
        {
            return Ok(manifest.clone());
        }
        let manifest = Arc::new(read()?);
        let mut known = lock(&self.manifests);
        match stamp {
            Some(stamp) => {
                if known.len() >= MANIFESTS {
                    known.clear();
                }
                known.insert(hash.clone(), (stamp, manifest.clone()));
            }
            None => {
                known.remove(hash);
            }
        }
        Ok(manifest)
    }

    /// The order, if the same entries exist and all of them could be read.
    pub(crate) fn order(&self, names: &[String]) -> Option<Arc<EntryOrder>> {
        let known = lock(&self.order);
        let (of, order) = known.as_ref()?;
        (of == names && order.damaged.is_empty()).then(|| order.clone())
    }

    pub(crate) fn remember_order(&self, names: Vec<String>, order: &Arc<EntryOrder>) {
        *lock(&self.order) = Some((names, order.clone()));
    }
}
