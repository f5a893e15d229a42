//! Fixes: which there are, and which may be made without being asked for one by one.

use candor_al_rules::RuleId;
use candor_al_rules::{ChosenFix, FixProblem, FixProvider, Safety};
use candor_al_workspace::write;

use crate::FixSafety;
use crate::tools::{Conflict, ConflictKind};
use crate::vocabulary::{AlError, FixCandidate};

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

/// The fix of a rule that may be made unasked: the only safe one, or the only one at all. Between several nobody but a
/// person or an agent can choose.
pub(crate) fn automatic_fix(rule: RuleId, unsafe_fixes: bool) -> Option<ChosenFix> {
    let fixes = rule.metadata().fixes;
    let only = |mut allowed: Vec<&'static FixProvider>| match allowed.len() {
        1 => allowed.pop().map(|fix| ChosenFix { rule, fix }),
        _ => None,
    };
    let safe = only(fixes.iter().filter(|fix| fix.safety == Safety::Safe).collect());
    safe.or_else(|| unsafe_fixes.then(|| only(fixes.iter().collect())).flatten())
}

/// The fixes that were chosen by their keys, as `RULE=KEY`.
///
/// # Errors
/// `Invalid` for what is no such choice, and for an unsafe fix where only safe ones are wanted.
pub(crate) fn chosen_fixes(choices: &[String], unsafe_fixes: bool) -> Result<Vec<ChosenFix>, AlError> {
    choices.iter().map(|choice| chosen_fix(choice, unsafe_fixes)).collect()
}

fn chosen_fix(choice: &str, unsafe_fixes: bool) -> Result<ChosenFix, AlError> {
    let invalid = |message: String| AlError::invalid(message).detail("fix-with");
    let Some((id, key)) = choice.split_once('=') else {
        return Err(invalid(format!(
            "{choice:?} chooses no fix. Write the rule and the key of the fix, such as AC0012=KEY."
        )));
    };
    let Some(rule) = RuleId::from_id(id.trim()) else {
        let near = crate::rules::nearest(id);
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!(" Did you mean {}?", near.join(" or "))
        };
        return Err(invalid(format!("There is no rule {:?}.{hint}", id.trim())));
    };
    let fixes = rule.metadata().fixes;
    let Some(fix) = fixes.iter().find(|fix| fix.equivalence_key == key.trim()) else {
        let keys: Vec<_> = fixes.iter().map(|fix| fix.equivalence_key).collect();
        return Err(invalid(if keys.is_empty() {
            format!("Rule {} has no fix.", rule.id())
        } else {
            format!(
                "Rule {} has no fix with the key {:?}. Known are {}.",
                rule.id(),
                key.trim(),
                keys.join(", ")
            )
        }));
    };
    if fix.safety == Safety::Unsafe && !unsafe_fixes {
        return Err(invalid(format!(
            "The fix {} of rule {} is unsafe, and only made with `--unsafe-fixes`.",
            fix.equivalence_key,
            rule.id()
        )));
    }
    Ok(ChosenFix { rule, fix })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(choice: &str, unsafe_fixes: bool) -> String {
        chosen_fix(choice, unsafe_fixes).unwrap_err().message().to_owned()
    }

    #[test]
    fn a_choice_names_a_rule_and_one_of_its_fixes() {
        let fixes = RuleId::AC0012.metadata().fixes;
        for fix in fixes {
            let choice = format!("ac0012={}", fix.equivalence_key);
            let chosen = chosen_fix(&choice, true).unwrap();
            assert_eq!((chosen.rule, chosen.fix), (RuleId::AC0012, fix));
            assert!(refused(&choice, false).contains("--unsafe-fixes"));
        }
        assert!(refused("AC0012=Nonsense", true).contains(fixes[1].equivalence_key));
    }

    #[test]
    fn what_is_no_choice_is_refused_with_a_way_out() {
        assert!(refused("AC0012", true).contains("AC0012=KEY"));
        assert!(refused("AC0013x=Key", true).contains("Did you mean"));
        assert!(refused("CN0001=Key", true).contains("has no fix"));
    }
}
