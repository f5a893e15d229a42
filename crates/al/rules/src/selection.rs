//! Which rules run, and how much their findings weigh.

use candor_al_syntax::{KindSet, NodeKind};

use crate::{Cop, RuleId, Severity};

/// Which rules run, and how much their findings weigh; prepared for [`crate::check`], so make it once for many files.
///
/// [`RuleId::CN0001`] is always part of it: a text that is not AL is never in order.
#[derive(Clone, Debug)]
pub struct RuleSelection {
    /// By number of the rule; none for a rule that does not run.
    severities: Vec<Option<Severity>>,
    /// By number of the node kind: who wants to see such nodes.
    by_kind: Vec<Vec<RuleId>>,
    kinds: KindSet,
}

impl RuleSelection {
    /// These rules, each with its own severity.
    pub fn of(rules: impl IntoIterator<Item = RuleId>) -> Self {
        Self::with_severities(rules.into_iter().map(|rule| (rule, rule.metadata().severity)))
    }

    /// These rules with these severities; the last one counts when a rule is named twice.
    pub fn with_severities(rules: impl IntoIterator<Item = (RuleId, Severity)>) -> Self {
        let mut severities = vec![None; RuleId::ALL.len()];
        severities[RuleId::CN0001 as usize] = Some(RuleId::CN0001.metadata().severity);
        for (rule, severity) in rules {
            severities[rule as usize] = Some(severity);
        }
        let mut by_kind = vec![Vec::new(); NodeKind::ALL.len()];
        let mut kinds = KindSet::default();
        for &rule in RuleId::ALL.iter().filter(|&&rule| severities[rule as usize].is_some()) {
            for &kind in rule.metadata().kinds {
                by_kind[kind as usize].push(rule);
                if kind != NodeKind::CompilationUnit {
                    kinds.insert(kind);
                }
            }
        }
        Self {
            severities,
            by_kind,
            kinds,
        }
    }

    /// Every rule, those that are off by default too.
    pub fn all() -> Self {
        Self::of(RuleId::ALL.iter().copied())
    }

    /// The rules of these cops that are on by default.
    pub fn of_cops(cops: &[Cop]) -> Self {
        let is_chosen = |rule: &RuleId| {
            let metadata = rule.metadata();
            metadata.enabled_by_default && cops.contains(&metadata.cop)
        };
        Self::of(RuleId::ALL.iter().copied().filter(is_chosen))
    }

    /// Whether the rule runs.
    pub fn contains(&self, rule: RuleId) -> bool {
        self.severity(rule).is_some()
    }

    /// Whether some rule asks what names mean, so that it is of use to know what is declared around a file.
    pub fn needs_meaning(&self) -> bool {
        self.rules().any(|rule| rule.metadata().needs == crate::Needs::Meaning)
    }

    /// The severity its findings get; none when the rule does not run.
    pub fn severity(&self, rule: RuleId) -> Option<Severity> {
        self.severities[rule as usize]
    }

    /// The rules that run, sorted by id.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> {
        RuleId::ALL.iter().copied().filter(|&rule| self.contains(rule))
    }

    /// The rules that want to see nodes of this kind.
    #[inline]
    pub(crate) fn interested_in(&self, kind: NodeKind) -> &[RuleId] {
        &self.by_kind[kind as usize]
    }

    /// Every kind of node that some rule wants to see, the root aside, which every file has.
    pub(crate) fn kinds(&self) -> KindSet {
        self.kinds
    }
}

impl Default for RuleSelection {
    /// The rules that are on by default.
    fn default() -> Self {
        Self::of_cops(Cop::ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_the_rules_run_that_are_on_by_default() {
        let selection = RuleSelection::default();
        for &rule in RuleId::ALL {
            assert_eq!(
                selection.contains(rule),
                rule.metadata().enabled_by_default,
                "{}",
                rule.id()
            );
        }
        assert!(RuleSelection::all().rules().eq(RuleId::ALL.iter().copied()));
    }

    #[test]
    fn a_selection_of_cops_has_their_rules_and_syntax_errors() {
        let selection = RuleSelection::of_cops(&[Cop::Linter]);
        for &rule in RuleId::ALL {
            let metadata = rule.metadata();
            let is_chosen = metadata.cop == Cop::Linter && metadata.enabled_by_default;
            let expected = is_chosen || rule == RuleId::CN0001;
            assert_eq!(selection.contains(rule), expected, "{}", rule.id());
        }
    }

    #[test]
    fn the_last_severity_counts() {
        let rules = [(RuleId::LC0020, Severity::Error), (RuleId::LC0020, Severity::Info)];
        let selection = RuleSelection::with_severities(rules);
        assert_eq!(selection.severity(RuleId::LC0020), Some(Severity::Info));
        assert_eq!(selection.severity(RuleId::LC0095), None);
    }
}
