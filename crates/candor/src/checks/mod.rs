//! The table of checks, and those that look at what is published.
//!
//! One file for each group. A file holds its part of the table (one entry for
//! each check, with its documentation) and the functions that look. The
//! entries of the checks that need to talk to the server (`protocol`,
//! `failure`, `vocabulary`) stand here too; [`crate::probe`] does the talking.

mod defaults;
pub(crate) mod description;
pub(crate) mod failure;
mod input;
pub(crate) mod listing;
mod output;
pub(crate) mod protocol;
mod refused;
pub(crate) mod vocabulary;

use crate::{Finding, Published, Severity};

/// One thing that is looked for.
#[derive(Debug)]
pub struct Check {
    /// A letter for the group and three digits; never used for another thing.
    pub id: &'static str,
    /// The same as words: `title-missing`.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Which client breaks and how, or who is misled by what: one line.
    pub reason: &'static str,
    /// What to do: one line.
    pub advice: &'static str,
    /// What exactly is looked at and what is not, with an example: Markdown.
    pub documentation: &'static str,
    /// Public threads and places in the specification that show it.
    pub evidence: &'static [&'static str],
}

impl PartialEq for Check {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Check {}

/// Checks about one subject.
#[derive(Debug)]
pub struct Group {
    /// The letter of its ids.
    pub letter: char,
    /// The subject.
    pub title: &'static str,
    /// Its checks, in the order of their ids.
    pub checks: &'static [&'static Check],
}

/// All groups, in the order of reports and documentation.
pub static GROUPS: &[&Group] = &[
    &protocol::GROUP,
    &listing::GROUP,
    &description::GROUP,
    &input::GROUP,
    &defaults::GROUP,
    &refused::GROUP,
    &output::GROUP,
    &failure::GROUP,
    &vocabulary::GROUP,
];

/// All checks, in the order of reports and documentation.
pub fn all() -> impl Iterator<Item = &'static Check> {
    GROUPS.iter().flat_map(|group| group.checks.iter().copied())
}

/// The check of this id or name, in any letter case.
pub fn find(id_or_name: &str) -> Option<&'static Check> {
    all().find(|check| check.id.eq_ignore_ascii_case(id_or_name) || check.name.eq_ignore_ascii_case(id_or_name))
}

/// The place of a check in the order of reports.
pub(crate) fn rank(check: &'static Check) -> usize {
    all().position(|other| other == check).unwrap_or(usize::MAX)
}

/// Everything that is wrong with what is published.
pub fn check_published(published: &Published) -> Vec<Finding> {
    let mut findings = Vec::new();
    protocol::check_published(published, &mut findings);
    listing::check(published, &mut findings);
    description::check(published, &mut findings);
    input::check(published, &mut findings);
    defaults::check(published, &mut findings);
    refused::check(published, &mut findings);
    output::check(published, &mut findings);
    findings
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::published::Listing;

    /// Findings as `id tool place: message`.
    pub(crate) fn shown(findings: &[Finding]) -> Vec<String> {
        findings
            .iter()
            .map(|finding| {
                let tool = finding.tool.as_deref().unwrap_or("-");
                let path = finding.path.as_deref().unwrap_or("-");
                format!("{} {tool} {path}: {}", finding.id(), finding.message)
            })
            .collect()
    }

    /// What one group finds in a server with these tools.
    pub(super) fn found(check: impl Fn(&Published, &mut Vec<Finding>), tools: &[Value]) -> Vec<String> {
        let published = Published {
            tools: Listing {
                entries: tools.to_vec(),
                pages: 1,
                ..Listing::default()
            },
            ..Published::default()
        };
        let mut findings = Vec::new();
        check(&published, &mut findings);
        shown(&findings)
    }

    /// What one group finds in a tool with this input schema, as `id place: message`.
    pub(super) fn found_in_input(check: impl Fn(&Published, &mut Vec<Finding>), schema: &Value) -> Vec<String> {
        found(check, &[json!({"name": "t", "inputSchema": schema})])
            .iter()
            .map(|line| line.replacen(" t ", " ", 1))
            .collect()
    }

    #[test]
    fn every_check_is_complete_and_named_once() {
        let mut names = BTreeSet::new();
        for group in GROUPS {
            for check in group.checks {
                assert!(
                    check.id.starts_with(group.letter) && check.id.len() == 4,
                    "{}",
                    check.id
                );
                assert!(names.insert(check.id) && names.insert(check.name), "{}", check.id);
                for text in [check.title, check.reason, check.advice, check.documentation] {
                    assert!(!text.trim().is_empty(), "{}", check.id);
                }
                for line in [check.title, check.reason, check.advice] {
                    assert!(!line.contains('\n') && !line.ends_with('.'), "{}: {line}", check.id);
                }
            }
        }
    }

    #[test]
    fn ids_stand_in_order() {
        for group in GROUPS {
            assert!(group.checks.is_sorted_by_key(|check| check.id), "{}", group.title);
        }
    }
}
