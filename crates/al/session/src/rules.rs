//! What the rules are, for lists and pages. Nothing here depends on a project.

use candor_al_rules::{Cop, RuleId};
use serde::Serialize;

use crate::FixSafety;
use crate::tools::Severity;
use crate::vocabulary::FixCandidate;

/// What is known about a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleFacts {
    /// The public id.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// What it flags, in a sentence or two.
    pub description: String,
    /// Before any ruleset.
    pub severity: Severity,
    /// What it is about.
    pub category: &'static str,
    /// The full name of its cop.
    pub cop_name: &'static str,
    /// Whether it runs unless somebody switches it off.
    pub enabled_by_default: bool,
    /// The fixes it offers, in order.
    pub fixes: Vec<FixCandidate>,
    /// Its page at its origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
}

impl RuleFacts {
    /// How safe its least safe fix is; none without a fix.
    pub fn fix_safety(&self) -> Option<FixSafety> {
        self.fixes.iter().map(|fix| fix.safety).max()
    }

    fn of(rule: RuleId) -> Self {
        let metadata = rule.metadata();
        Self {
            id: metadata.id,
            title: metadata.title,
            description: metadata.description(),
            severity: metadata.severity.into(),
            category: metadata.category.name(),
            cop_name: metadata.cop.name(),
            enabled_by_default: metadata.enabled_by_default,
            fixes: metadata.fixes.iter().map(FixCandidate::from).collect(),
            help_uri: metadata.help_uri(),
        }
    }
}

/// Every rule, by cop, and within a cop by id.
pub fn all() -> Vec<RuleFacts> {
    Cop::ALL
        .iter()
        .flat_map(|&cop| RuleId::of_cop(cop))
        .map(RuleFacts::of)
        .collect()
}

/// The page of the rule with this id, in any case, as Markdown. `None` when there is no such rule.
pub fn page(id: &str) -> Option<String> {
    RuleId::from_id(id.trim()).map(candor_al_rules::page)
}

/// The ids that a mistaken id was probably meant to be, nearest first.
pub fn nearest(id: &str) -> Vec<&'static str> {
    candor_contract::nearest_names(id, RuleId::ALL.iter().map(|rule| rule.id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_facts_and_a_page() {
        let rules = all();
        assert_eq!(rules.len(), RuleId::ALL.len());
        for rule in &rules {
            let page = page(&rule.id.to_ascii_lowercase()).expect("a page");
            assert!(page.starts_with(&format!("# {}: {}", rule.id, rule.title)), "{page}");
        }
    }

    #[test]
    fn a_rule_that_does_not_exist_has_neighbours() {
        assert_eq!(page("CN0002"), None);
        assert_eq!(nearest("CN0002").first(), Some(&"CN0001"));
    }
}
