//! Repairs as part of a check, for the command line.

use crate::FixSafety;
use crate::tools::Conflict;

/// Which repairs to make, and whether to keep them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FixOptions {
    /// Whether fixes that may change behaviour are made too.
    pub unsafe_fixes: bool,
    /// Whether the files are written; otherwise only the differences are told.
    pub write: bool,
    /// Whether the differences are told.
    pub diff: bool,
}

/// What was repaired in one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileFix {
    /// What was done, sorted by rule.
    pub repaired: Vec<Repair>,
    /// The unified difference, with [`FixOptions::diff`].
    pub diff: Option<String>,
    /// Whether the file now holds the repaired text.
    pub written: bool,
    /// Why it does not, although it should.
    pub conflict: Option<Conflict>,
    /// Faults of our own on the way: a rule that did not come to an end, a fix that would have broken the file.
    pub problems: Vec<String>,
}

/// What one fix repaired in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The rule.
    pub id: String,
    /// What the fix does.
    pub title: String,
    /// How safe it is.
    pub safety: FixSafety,
    /// How many findings it repaired.
    pub count: usize,
}
