//! Fixes: which there are, and which may be made without being asked for one by one.

use candor_al_rules::RuleId;
use candor_al_rules::{ChosenFix, FixProblem, FixProvider, Safety};
use candor_al_workspace::write;

use crate::FixSafety;
use crate::tools::{Conflict, ConflictKind};
use crate::vocabulary::FixCandidate;

impl From<&FixProvider> for FixCandidate {
    fn from(fix: &FixProvider) -> Self {
        Self {
            equivalence_key: fix.equivalence_key.to_owned(),
            title: fix.title.to_owned(),
            provider_name: fix.provider_name.to_owned(),
            safety: fix.safety.into(),
        }
    }
}

/// The safety of a rule's fixes: that of the least safe one.
pub(crate) fn least_safe(rule: RuleId) -> Option<FixSafety> {
    rule.metadata()
        .fixes
        .iter()
        .map(|fix| FixSafety::from(fix.safety))
        .max()
}

/// The fix of a rule that may be made unasked: the only one that is safe enough. Between several nobody but a person or
/// an agent can choose.
pub(crate) fn automatic_fix(rule: RuleId, unsafe_fixes: bool) -> Option<ChosenFix> {
    let is_allowed = |fix: &&FixProvider| match fix.safety {
        Safety::Safe => true,
        Safety::Unsafe => unsafe_fixes,
    };
    let mut allowed = rule.metadata().fixes.iter().filter(is_allowed);
    match (allowed.next(), allowed.next()) {
        (Some(fix), None) => Some(ChosenFix { rule, fix }),
        _ => None,
    }
}

/// A fault of a fix, in words.
pub(crate) fn problem_in_words(problem: FixProblem) -> String {
    match problem {
        FixProblem::BrokeSyntax(choice) => format!(
            "the fix {:?} of rule {} would have broken the syntax and was taken back; this is a fault in Candor, please report it",
            choice.fix.title,
            choice.rule.id()
        ),
        FixProblem::DidNotConverge(choice) => format!(
            "the fix {:?} of rule {} came to no end and was stopped; this is a fault in Candor, please report it",
            choice.fix.title,
            choice.rule.id()
        ),
    }
}

impl From<write::ConflictKind> for ConflictKind {
    fn from(kind: write::ConflictKind) -> Self {
        match kind {
            write::ConflictKind::StaleFile => Self::StaleFile,
            write::ConflictKind::UnsupportedEncoding => Self::UnsupportedEncoding,
            write::ConflictKind::ReadFailed => Self::ReadFailed,
            write::ConflictKind::WriteFailed => Self::WriteFailed,
            write::ConflictKind::RolledBack => Self::RolledBack,
            write::ConflictKind::NotWritten => Self::NotWritten,
        }
    }
}

impl From<&write::Conflict> for Conflict {
    fn from(conflict: &write::Conflict) -> Self {
        Self {
            file_path: conflict.path.display().to_string(),
            message: conflict.message.clone(),
            kind: conflict.kind.into(),
        }
    }
}
