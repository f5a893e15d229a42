//! How safe a fix is.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::tools::schema;

/// What applying a fix can do to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(transform = schema::choice)]
pub enum FixSafety {
    /// The program means the same afterwards, and no comment is lost.
    Safe,
    /// Behaviour may change, a caller may break, or a comment may be dropped.
    Unsafe,
    /// A suggestion to look at; never applied without being asked for.
    Display,
}

impl FixSafety {
    /// The word that replies use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::Display => "display",
        }
    }
}

impl From<candor_al_rules::Safety> for FixSafety {
    fn from(safety: candor_al_rules::Safety) -> Self {
        match safety {
            candor_al_rules::Safety::Safe => Self::Safe,
            candor_al_rules::Safety::Unsafe => Self::Unsafe,
        }
    }
}

impl fmt::Display for FixSafety {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
