//! What went wrong beside an answer, as data. Whoever called writes it to the journal.

use std::path::Path;

use candor_contract::JournalDraft;

use crate::tools::ConflictKind;

/// Something that failed and stopped nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// The kind: `rule_failed`, or the kind of a workspace problem.
    pub code: String,
    /// What failed, where, and what follows from it.
    pub message: String,
    /// The project it happened in.
    pub project: Option<String>,
    /// The file it is about.
    pub file_path: Option<String>,
    /// Line and column in that file, from 1.
    pub position: Option<(u32, u32)>,
    /// The place in our own source.
    pub traceback: Option<String>,
    /// Whether it was an event. Otherwise it is a state that lasts, and the next call meets it again.
    pub(crate) happened_now: bool,
}

impl Incident {
    /// An incident that nothing more is known about.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            project: None,
            file_path: None,
            position: None,
            traceback: None,
            happened_now: false,
        }
    }

    /// The same, in a file.
    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        self.file_path = Some(path.display().to_string());
        self
    }

    /// The same, in a project.
    pub(crate) fn in_project(mut self, project: &Path) -> Self {
        self.project = Some(project.display().to_string());
        self
    }

    /// A file that could not be read or written; none when somebody else was faster, or when it is as it was because
    /// another file could not be written.
    pub(crate) fn of_conflict(kind: ConflictKind, message: &str, path: &Path) -> Option<Self> {
        let incident = || Self {
            happened_now: true,
            ..Self::new(kind.code(), message).in_file(path)
        };
        kind.is_failure().then(incident)
    }

    /// The record to be written to the journal; the tool is added by whoever writes it.
    pub fn draft(&self) -> JournalDraft {
        let mut draft = JournalDraft::new(self.message.as_str()).code(self.code.as_str());
        if let Some(project) = &self.project {
            draft = draft.project(project.as_str());
        }
        if let Some(path) = &self.file_path {
            draft = draft.file_path(path.as_str());
        }
        if let Some((line, column)) = self.position {
            draft = draft.position(line.into(), column.into());
        }
        if let Some(traceback) = &self.traceback {
            draft = draft.traceback(traceback.as_str());
        }
        draft
    }
}
