//! What a check reports.

use std::fmt;

use serde::Serialize;

use crate::checks::Check;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Style: nothing breaks and nobody is misled, yet it could be better.
    Note,
    /// An agent is likely to be misled.
    Warning,
    /// A client that can be named breaks, or a failure cannot be seen.
    Error,
}

impl Severity {
    /// As it is written in every format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// One thing that is wrong with a server.
///
/// Its id, severity and reason are those of its [`Check`].
#[derive(Debug, Clone)]
pub struct Finding {
    /// The check that made it.
    pub check: &'static Check,
    /// The tool it is about; `None` when it is about the server, a prompt or a
    /// resource.
    pub tool: Option<String>,
    /// The place inside what is published (`inputSchema/properties/limit`,
    /// `prompts/greet`), or the probe that was sent (`probe/unknown-argument`).
    pub path: Option<String>,
    /// What was seen, in one or two sentences.
    pub message: String,
    /// What to do about it, in one sentence.
    pub advice: String,
}

impl Finding {
    /// A finding about the server, with the advice of its check.
    pub fn new(check: &'static Check, message: impl Into<String>) -> Self {
        Self {
            check,
            tool: None,
            path: None,
            message: message.into(),
            advice: check.advice.to_owned(),
        }
    }

    /// Says which tool it is about.
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.tool = Some(name.into());
        self
    }

    /// Says which place it is about.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Replaces the advice by one that fits this case better.
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    /// The id of its check.
    pub fn id(&self) -> &'static str {
        self.check.id
    }

    /// The severity of its check.
    pub fn severity(&self) -> Severity {
        self.check.severity
    }
}
