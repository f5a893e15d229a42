//! What a handler knows about the call it answers.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use candor_contract::{CallScope, Journal, JournalDraft, JournalError, JournalRecord};

/// Tells a handler that nobody waits for its answer any more. Clones watch the
/// same call, so that it can be handed to other threads.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Whether the call was cancelled. Cheap enough to ask in a loop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Cancels the call.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for code that knows nothing of this crate.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// How far a call has come, as told to the client.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What has been done; grows with every report.
    pub done: f64,
    /// What there is to do, if that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

pub(crate) type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// The call that a handler answers.
#[derive(Clone)]
pub struct CallContext {
    scope: CallScope,
    cancellation: Cancellation,
    progress: Option<ProgressSink>,
    journal: Option<Journal>,
}

impl CallContext {
    /// A call that reports no progress; [`Server`](crate::Server) makes those
    /// of real calls, tests make their own.
    pub fn new(scope: CallScope, cancellation: Cancellation) -> Self {
        Self {
            scope,
            cancellation,
            progress: None,
            journal: None,
        }
    }

    pub(crate) fn with_progress(mut self, progress: Option<ProgressSink>) -> Self {
        self.progress = progress;
        self
    }

    pub(crate) fn with_journal(mut self, journal: Option<Journal>) -> Self {
        self.journal = journal;
        self
    }

    /// The tool that is called.
    pub fn tool(&self) -> &str {
        self.scope.tool()
    }

    /// The scope to record failures in, for other threads and other journals.
    pub fn scope(&self) -> &CallScope {
        &self.scope
    }

    /// Whether the client still waits.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// The same, to be handed on.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Whether the client wants to hear how far the call has come.
    pub fn wants_progress(&self) -> bool {
        self.progress.is_some()
    }

    /// Tells the client how far the call has come, if it wants to know. Does
    /// not wait.
    pub fn progress(&self, progress: Progress) {
        if let Some(sink) = &self.progress {
            sink(progress);
        }
    }

    /// Records a failure in the server's journal; see [`CallScope::record`].
    /// `None` when the server has no journal.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn record(&self, draft: JournalDraft) -> Result<Option<JournalRecord>, JournalError> {
        self.journal
            .as_ref()
            .map(|journal| self.scope.record(journal, draft))
            .transpose()
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CallContext")
            .field("scope", &self.scope)
            .field("cancellation", &self.cancellation)
            .finish_non_exhaustive()
    }
}
