//! The words that arguments may be.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = super::schema::choice)]
pub enum Severity {
    /// The code is wrong.
    Error,
    /// The code is probably not what its author wants.
    Warning,
    /// The code could be better.
    Info,
    /// For tools only.
    Hidden,
}

impl Severity {
    /// The word that replies use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Info => "Info",
            Self::Hidden => "Hidden",
        }
    }
}

impl From<candor_al_rules::Severity> for Severity {
    fn from(severity: candor_al_rules::Severity) -> Self {
        match severity {
            candor_al_rules::Severity::Error => Self::Error,
            candor_al_rules::Severity::Warning => Self::Warning,
            candor_al_rules::Severity::Info => Self::Info,
            candor_al_rules::Severity::Hidden => Self::Hidden,
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Who analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Candor itself.
    #[default]
    Native,
    /// Microsoft's compiler, through its AL server.
    Compiler,
    /// Both.
    All,
}

/// How far a fix of all occurrences reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Every file of the project.
    #[default]
    Project,
    /// One file.
    Document,
}
