//! How far a call has come, for the client that waits for it.

use std::sync::atomic::{AtomicU64, Ordering};

use candor_catalog_facade::{Progress, Stage};
use candor_serve::CallContext;

/// Rows between two reports: often enough for a bar, seldom enough to cost nothing.
const ROWS: u64 = 100_000;

/// The call's side of long work.
pub(crate) struct Watched<'a> {
    context: &'a CallContext,
    /// Rows seen in all stages together: the protocol wants numbers that only grow.
    seen: AtomicU64,
    told: AtomicU64,
    stage_rows: AtomicU64,
}

impl<'a> Watched<'a> {
    pub(crate) fn new(context: &'a CallContext) -> Self {
        Self {
            context,
            seen: AtomicU64::new(0),
            told: AtomicU64::new(0),
            stage_rows: AtomicU64::new(0),
        }
    }
}

impl Progress for Watched<'_> {
    fn rows_done(&self, stage: Stage, rows: u64) {
        if !self.context.wants_progress() {
            return;
        }
        let before = self.stage_rows.swap(rows, Ordering::Relaxed);
        // A smaller number is the beginning of another stage.
        let more = if rows >= before { rows - before } else { rows };
        let seen = self.seen.fetch_add(more, Ordering::Relaxed) + more;
        if seen < self.told.load(Ordering::Relaxed) + ROWS {
            return;
        }
        self.told.store(seen, Ordering::Relaxed);
        let what = match stage {
            Stage::Scanning => "scanned",
            Stage::Writing => "written",
            Stage::Verifying => "verified",
        };
        #[expect(
            clippy::cast_precision_loss,
            reason = "the protocol counts in floating-point numbers"
        )]
        self.context.progress(candor_serve::Progress {
            done: seen as f64,
            total: None,
            message: Some(format!("{rows} rows {what}")),
        });
    }

    fn is_cancelled(&self) -> bool {
        self.context.is_cancelled()
    }
}
