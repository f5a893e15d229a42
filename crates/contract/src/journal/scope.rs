//! Which records a server wrote itself while it answered a call.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Journal, JournalDraft, JournalError, JournalRecord};

/// How many own records are remembered at most. A record is forgotten earlier,
/// as soon as the reporter has passed it.
const REMEMBERED: usize = 1024;

/// The ids of the records that are answered by the very call that wrote them,
/// so that no reply of this server repeats them. Clones share one memory.
#[derive(Debug, Clone, Default)]
pub struct OwnRecords {
    ids: Arc<Mutex<Ids>>,
}

#[derive(Debug, Default)]
struct Ids {
    known: HashSet<String>,
    oldest_first: VecDeque<String>,
}

impl OwnRecords {
    fn add(&self, id: &str) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.known.insert(id.into()) {
            ids.oldest_first.push_back(id.into());
        }
        while ids.oldest_first.len() > REMEMBERED {
            if let Some(oldest) = ids.oldest_first.pop_front() {
                ids.known.remove(&oldest);
            }
        }
    }

    pub(crate) fn forget(&self, id: &str) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.known.remove(id) {
            ids.oldest_first.retain(|known| known != id);
        }
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.known.contains(id)
    }

    /// How many ids are remembered.
    pub fn len(&self) -> usize {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.known.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The call that is being answered. Handed to whoever may record a failure on
/// its behalf, on whichever thread; clones stand for the same call.
#[derive(Debug, Clone)]
pub struct CallScope {
    tool: Arc<str>,
    own: OwnRecords,
}

impl CallScope {
    /// A call of `tool`, whose own records go to `own`.
    pub fn new(tool: &str, own: OwnRecords) -> Self {
        Self { tool: tool.into(), own }
    }

    /// The tool that is called.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Records a failure met during this call. Its `tool` is the one that is
    /// called unless the draft says otherwise; with that tool it is answered by
    /// this call and appears in no reply's `new_errors`.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn record(&self, journal: &Journal, draft: JournalDraft) -> Result<JournalRecord, JournalError> {
        let record = draft.tool_or(&self.tool).finish();
        let is_own = record.tool.as_deref() == Some(&self.tool);
        if is_own {
            // Before the write: another call may read the record at once.
            self.own.add(&record.id);
        }
        let written = journal.append(&record);
        if written.is_err() && is_own {
            self.own.forget(&record.id);
        }
        written.map(|()| record)
    }
}
