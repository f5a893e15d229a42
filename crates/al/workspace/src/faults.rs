//! A file system whose operations fail, or meet a neighbour's change, where a test says so.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::file_system::{Entry, FileSystem, Metadata};

/// An operation of [`FileSystem`] that a [`Fault`] can hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// [`FileSystem::read`]
    Read,
    /// [`FileSystem::metadata`]
    Metadata,
    /// [`FileSystem::list`]
    List,
    /// [`FileSystem::resolve`]
    Resolve,
    /// [`FileSystem::create_like`]; paths are those of the model.
    Create,
    /// [`FileSystem::rename`]; paths are those of the target.
    Rename,
    /// [`FileSystem::sync_folder`]
    SyncFolder,
    /// [`FileSystem::remove`]
    Remove,
}

/// What happens when a fault is due.
#[derive(Clone)]
pub enum Effect {
    /// The operation does nothing and fails.
    Fail(io::ErrorKind),
    /// A creation writes half of the content, then fails, as on a full disk.
    FailHalfway(io::ErrorKind),
    /// A rename takes place and reports failure nevertheless.
    FailAfterwards(io::ErrorKind),
    /// Something else happens first (another program edits a file), then the operation
    /// goes on.
    First(Arc<dyn Fn() + Send + Sync>),
}

impl std::fmt::Debug for Effect {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fail(kind) => write!(formatter, "Fail({kind:?})"),
            Self::FailHalfway(kind) => write!(formatter, "FailHalfway({kind:?})"),
            Self::FailAfterwards(kind) => write!(formatter, "FailAfterwards({kind:?})"),
            Self::First(_) => formatter.write_str("First(..)"),
        }
    }
}

/// One planned fault.
#[derive(Debug)]
pub struct Fault {
    operation: Operation,
    path_end: PathBuf,
    skip: AtomicUsize,
    times: AtomicUsize,
    effect: Effect,
}

impl Fault {
    /// A fault that hits the first such operation on a path that ends in `path_end`
    /// (whole components; an empty path means every one), once.
    pub fn new(operation: Operation, path_end: impl Into<PathBuf>, effect: Effect) -> Self {
        Self {
            operation,
            path_end: path_end.into(),
            skip: AtomicUsize::new(0),
            times: AtomicUsize::new(1),
            effect,
        }
    }

    /// Lets the first `count` matching operations pass.
    pub fn after(self, count: usize) -> Self {
        self.skip.store(count, Ordering::Relaxed);
        self
    }

    /// Hits every matching operation from the first on.
    pub fn always(self) -> Self {
        self.times.store(usize::MAX, Ordering::Relaxed);
        self
    }

    fn is_due(&self, operation: Operation, path: &Path) -> bool {
        operation == self.operation
            && (self.path_end.as_os_str().is_empty() || path.ends_with(&self.path_end))
            && !take_one(&self.skip)
            && take_one(&self.times)
    }
}

/// Takes one from a counter unless it is empty.
fn take_one(counter: &AtomicUsize) -> bool {
    counter
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
        .is_ok()
}

/// Another file system with faults in front of it, and a record of what was asked.
#[derive(Debug)]
pub struct FaultyFileSystem<F> {
    inner: F,
    faults: Vec<Fault>,
    calls: Mutex<Vec<(Operation, PathBuf)>>,
}

impl<F: FileSystem> FaultyFileSystem<F> {
    /// Puts `faults` in front of `inner`.
    pub fn new(inner: F, faults: impl IntoIterator<Item = Fault>) -> Self {
        Self {
            inner,
            faults: faults.into_iter().collect(),
            calls: Mutex::default(),
        }
    }

    /// The operations asked for so far, in order.
    pub fn calls(&self) -> Vec<(Operation, PathBuf)> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often `operation` was asked for.
    pub fn count(&self, operation: Operation) -> usize {
        let is_counted = |(called, _): &(Operation, PathBuf)| *called == operation;
        self.calls().into_iter().filter(is_counted).count()
    }

    fn effect(&self, operation: Operation, path: &Path) -> Option<&Effect> {
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((operation, path.to_owned()));
        let fault = self.faults.iter().find(|fault| fault.is_due(operation, path))?;
        if let Effect::First(event) = &fault.effect {
            event();
        }
        Some(&fault.effect)
    }

    fn run<T>(&self, operation: Operation, path: &Path, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.effect(operation, path) {
            None | Some(Effect::First(_)) => call(),
            Some(Effect::FailAfterwards(kind)) => {
                call()?;
                Err(injected(*kind))
            }
            Some(Effect::Fail(kind) | Effect::FailHalfway(kind)) => Err(injected(*kind)),
        }
    }
}

fn injected(kind: io::ErrorKind) -> io::Error {
    io::Error::new(kind, "injected fault")
}

impl<F: FileSystem> FileSystem for FaultyFileSystem<F> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.run(Operation::Read, path, || self.inner.read(path))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.run(Operation::Metadata, path, || self.inner.metadata(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        self.run(Operation::List, folder, || self.inner.list(folder))
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.run(Operation::Resolve, path, || self.inner.resolve(path))
    }

    fn create_like(&self, path: &Path, content: &[u8], model: &Path) -> io::Result<()> {
        if let Some(effect) = self.effect(Operation::Create, model) {
            match effect {
                Effect::Fail(kind) => return Err(injected(*kind)),
                Effect::FailHalfway(kind) => {
                    let half = &content[..content.len() / 2];
                    self.inner.create_like(path, half, model)?;
                    return Err(injected(*kind));
                }
                Effect::FailAfterwards(kind) => {
                    self.inner.create_like(path, content, model)?;
                    return Err(injected(*kind));
                }
                Effect::First(_) => {}
            }
        }
        self.inner.create_like(path, content, model)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.run(Operation::Rename, to, || self.inner.rename(from, to))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.run(Operation::SyncFolder, folder, || self.inner.sync_folder(folder))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.run(Operation::Remove, path, || self.inner.remove(path))
    }

    fn now(&self) -> SystemTime {
        self.inner.now()
    }
}
