//! One file in every configuration of the preprocessor symbols that it mentions.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use candor_al_rules::{Checked, Needs, RuleId, Severity};
use candor_al_syntax::text::LineIndex;
use candor_al_syntax::{Configurations, Tree};

use super::file::{Outcome, Reported, Worker};
use super::prepare::Unit;
use super::{Detail, FileReport, ReportedFinding};
use crate::analysis::{self, Found};

/// In which configurations of a file a finding is there, when it is not in all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// In how many configurations.
    pub count: usize,
    /// How many there are.
    pub of: usize,
    /// A condition that holds in just those, as it would stand behind `#if`. None when there is no short one.
    pub condition: Option<String>,
    /// The symbols that are defined in the first of those.
    pub symbols: Vec<String>,
}

/// A finding, and the numbers of the configurations it is in.
struct Seen {
    found: Found,
    numbers: Vec<usize>,
}

impl Worker<'_> {
    /// The findings of a file in all its configurations, each once. None for a file that has only one, which is as good
    /// as any.
    ///
    /// `tree` and `checked` are those of the symbols of the project.
    pub(super) fn in_all_configurations(
        &self,
        path: &Path,
        tree: &Tree,
        checked: &Checked,
        unit: &Unit,
        outcome: &mut Outcome,
    ) -> bool {
        let configurations = Configurations::of(tree.text(), &unit.plan.symbols);
        if configurations.list().len() == 1 {
            return false;
        }
        let lines = LineIndex::new(tree.text());
        let mut all = Merged::default();
        all.add(0, checked, tree, &lines, unit);
        let mut incidents = analysis::incidents(checked, path, &lines);
        for (number, symbols) in configurations.list().iter().enumerate().skip(1) {
            let tree = candor_al_syntax::parse(tree.shared_text(), symbols);
            // What is declared is known for the configuration of the project alone: rules that ask for it are silent here.
            let checked = candor_al_rules::check(&tree, &unit.plan.context, &unit.plan.selection);
            all.add(number, &checked, &tree, &lines, unit);
            for incident in analysis::incidents(&checked, path, &lines) {
                if !incidents.contains(&incident) {
                    incidents.push(incident);
                }
            }
        }
        outcome.notes.add_incidents(incidents, unit.root.as_deref());
        if !configurations.is_complete() {
            outcome.notes.warn(format!(
                "{}: it mentions {} preprocessor symbols, too many to try every combination; {} were tried",
                path.display(),
                configurations.symbol_count(),
                configurations.list().len()
            ));
        }
        outcome.suppressed = all.suppressed.len();
        let mut seen = all.seen;
        // A stable order of places; findings at one place stay in the order in which they were met.
        seen.sort_by_key(|seen| (seen.found.start, seen.found.end, seen.found.rule as usize));
        outcome.counts = counts(&seen);
        outcome.only_elsewhere = only_elsewhere(&seen);
        if self.options.detail == Detail::Counts || seen.is_empty() {
            return true;
        }
        let (found, numbers): (Vec<_>, Vec<_>) = seen.into_iter().map(|seen| (seen.found, seen.numbers)).unzip();
        let mut reported = Reported::new(path, tree.text(), &lines, self.options.detail);
        let findings = found.iter().zip(&numbers).map(|(found, numbers)| ReportedFinding {
            occurrence: (found.rule.metadata().needs != Needs::Meaning)
                .then(|| occurrence(&configurations, numbers))
                .flatten(),
            ..reported.finding(found)
        });
        let findings = findings.collect();
        outcome.report = Some(report(path, unit, findings));
        true
    }
}

fn report(path: &Path, unit: &Unit, findings: Vec<ReportedFinding>) -> FileReport {
    FileReport {
        file_path: path.to_owned(),
        project: unit.root.as_ref().map(Arc::clone),
        findings,
        suppressed: Vec::new(),
        fix: None,
    }
}

fn occurrence(configurations: &Configurations, numbers: &[usize]) -> Option<Occurrence> {
    let list = configurations.list();
    let &first = numbers.first()?;
    (numbers.len() < list.len()).then(|| Occurrence {
        count: numbers.len(),
        of: list.len(),
        condition: configurations.condition(numbers),
        symbols: list[first].iter().map(str::to_owned).collect(),
    })
}

fn counts(seen: &[Seen]) -> Vec<(RuleId, Severity, usize)> {
    let mut counts: Vec<(RuleId, Severity, usize)> = Vec::new();
    for Seen { found, .. } in seen {
        match counts.iter_mut().find(|(rule, _, _)| *rule == found.rule) {
            Some((_, _, count)) => *count += 1,
            None => counts.push((found.rule, found.severity, 1)),
        }
    }
    counts
}

/// Findings that are not there with the symbols of the project, so that no fix reaches them.
fn only_elsewhere(seen: &[Seen]) -> Vec<(RuleId, usize)> {
    let mut counts: Vec<(RuleId, usize)> = Vec::new();
    for Seen { found, numbers } in seen {
        if numbers.first() == Some(&0) {
            continue;
        }
        match counts.iter_mut().find(|(rule, _)| *rule == found.rule) {
            Some((_, count)) => *count += 1,
            None => counts.push((found.rule, 1)),
        }
    }
    counts
}

/// The findings of all configurations so far.
#[derive(Default)]
struct Merged {
    seen: Vec<Seen>,
    number_of: HashMap<Found, usize>,
    /// Rule and place of the suppressed ones.
    suppressed: HashSet<(RuleId, u32)>,
}

impl Merged {
    fn add(&mut self, configuration: usize, checked: &Checked, tree: &Tree, lines: &LineIndex, unit: &Unit) {
        for found in analysis::worded(checked, tree, lines, &unit.plan) {
            // What is said may differ: with one branch a procedure may be more complex than with another.
            if let Some(&number) = self.number_of.get(&found) {
                let numbers = &mut self.seen[number].numbers;
                // Two findings that are alike in every respect stay one.
                if numbers.last() != Some(&configuration) {
                    numbers.push(configuration);
                }
            } else {
                self.number_of.insert(found.clone(), self.seen.len());
                self.seen.push(Seen {
                    found,
                    numbers: vec![configuration],
                });
            }
        }
        for finding in &checked.findings {
            if finding.suppressed && unit.plan.reports(finding.rule) {
                self.suppressed.insert((finding.rule, finding.range.start));
            }
        }
    }
}
