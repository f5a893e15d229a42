//! Advisory locks with a time limit and a named holder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::time::now;
use crate::{Result, StoreError};

/// How long to wait for a lock unless the caller says otherwise. Locks are held for moments, so whoever waits longer
/// waits for something that hangs.
pub const LOCK_WAIT: Duration = Duration::from_secs(10);

/// Pauses between two attempts: short at first, since locks are held for moments.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(25);

/// Who holds a lock. Believed only while the lock really is held: the system releases the lock of a process that
/// died, whatever this record says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// The machine it runs on.
    pub host: String,
    /// What it does: the name of a tool or command.
    pub tool: String,
    /// Since when: UTC, RFC 3339.
    pub since: String,
}

impl Holder {
    fn me(tool: &str) -> Self {
        Self {
            pid: std::process::id(),
            host: host(),
            tool: tool.into(),
            since: now(),
        }
    }
}

fn host() -> String {
    let from_system = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = from_system
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok());
    match name.as_deref().map(str::trim) {
        Some(name) if !name.is_empty() => name.into(),
        _ => "this machine".into(),
    }
}

/// A lock that is held until this is dropped, or the process ends.
#[derive(Debug)]
pub(crate) struct FileLock {
    // Closing the file releases the lock.
    _file: File,
    holder: PathBuf,
}

impl FileLock {
    /// Takes the lock on `path`, which stands for `what` in errors, waiting at most `wait`.
    ///
    /// Whoever waits for the lock holds a second one, the turnstile, which everybody has to pass: so a process that
    /// takes the lock again and again cannot keep out one that waits.
    pub(crate) fn take(path: &Path, what: &str, tool: &str, wait: Duration) -> Result<Self> {
        let started = Instant::now();
        let holder = beside(path, ".holder");
        let busy = |waited| StoreError::Busy {
            what: what.into(),
            holder: read_holder(&holder),
            waited,
            retry_after: wait.max(Duration::from_secs(1)),
        };
        let turnstile = wait_for(&beside(path, ".turnstile"), started, wait)?.map_err(busy)?;
        let file = wait_for(path, started, wait)?.map_err(busy)?;
        drop(turnstile);
        // Who holds the lock is a courtesy to those who wait: a disk too full for it must not stop a release of space.
        if let Ok(record) = serde_json::to_vec(&Holder::me(tool)) {
            let _ = fs::write(&holder, record);
        }
        Ok(Self { _file: file, holder })
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Before the file closes, so that it is never the record of the next holder that goes.
        let _ = fs::remove_file(&self.holder);
    }
}

/// Takes the system's lock on a file. The inner error says how long that was tried in vain.
fn wait_for(path: &Path, started: Instant, wait: Duration) -> Result<std::result::Result<File, Duration>> {
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|source| StoreError::write("open", path, source))?;
    let mut pause = FIRST_PAUSE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Ok(file)),
            Err(TryLockError::Error(source)) => return Err(StoreError::write("lock", path, source)),
            Err(TryLockError::WouldBlock) => {}
        }
        let waited = started.elapsed();
        let Some(left) = wait.checked_sub(waited).filter(|left| !left.is_zero()) else {
            return Ok(Err(waited));
        };
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// The path of something that belongs to a lock and stands beside it.
fn beside(lock: &Path, suffix: &str) -> PathBuf {
    let mut name = lock.file_name().unwrap_or_default().to_os_string();
    name.push(suffix);
    lock.with_file_name(name)
}

fn read_holder(path: &Path) -> Option<Holder> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_names_its_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = FileLock::take(&path, "project `a`", "catalog_revise", LOCK_WAIT).unwrap();
        let error = FileLock::take(&path, "project `a`", "catalog_list", Duration::from_millis(5)).unwrap_err();
        let StoreError::Busy {
            holder: Some(holder),
            retry_after,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(
            (holder.pid, holder.tool.as_str()),
            (std::process::id(), "catalog_revise")
        );
        assert!(*retry_after >= Duration::from_secs(1));
        assert!(
            error.to_string().starts_with("project `a` is in use by process "),
            "{error}"
        );
        drop(held);
        FileLock::take(&path, "project `a`", "catalog_list", Duration::ZERO).unwrap();
    }

    #[test]
    fn the_record_of_a_dead_holder_blocks_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let dead = Holder {
            pid: 1,
            host: "elsewhere".into(),
            tool: "catalog_revise".into(),
            since: now(),
        };
        fs::write(beside(&path, ".holder"), serde_json::to_vec(&dead).unwrap()).unwrap();
        FileLock::take(&path, "project `a`", "catalog_list", Duration::ZERO).unwrap();
    }
}
