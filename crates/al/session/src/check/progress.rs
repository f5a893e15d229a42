//! How far a check is, for whoever watches it from another thread.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How far a check is. Shared: the check counts, and any thread may look.
#[derive(Debug, Default)]
pub struct CheckProgress {
    total: AtomicUsize,
    done: AtomicUsize,
}

impl CheckProgress {
    /// Files to be looked at; 0 until that is known.
    pub fn total(&self) -> usize {
        self.total.load(Ordering::Relaxed)
    }

    /// Files that have been looked at.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    pub(super) fn begin(&self, total: usize) {
        self.total.store(total, Ordering::Relaxed);
    }

    pub(super) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
