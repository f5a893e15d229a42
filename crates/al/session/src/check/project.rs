//! The part of a check that is about no AL file: what is wrong in the configuration of a project.

use std::path::Path;

use candor_al_syntax::text::{LineIndex, SourceText};
use candor_al_workspace::file_system::FileSystem;

use super::file::{Outcome, Reported, count};
use super::prepare::Unit;
use super::{CheckOptions, Detail, FileReport, SuppressedFinding};
use crate::project_checks::FoundInFile;

/// What each file of a project's configuration contributes to the whole, in order.
pub(super) fn configuration_outcomes(files: &dyn FileSystem, unit: &Unit, options: &CheckOptions) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = unit
        .configuration
        .chunk_by(|one, other| one.path == other.path)
        .map(|found| outcome(files, found, unit, options))
        .collect();
    if options.timing && !unit.rule_times.is_empty() {
        outcomes.push(Outcome {
            rule_times: unit.rule_times.clone(),
            ..Outcome::default()
        });
    }
    outcomes
}

fn outcome(files: &dyn FileSystem, found: &[FoundInFile], unit: &Unit, options: &CheckOptions) -> Outcome {
    let mut outcome = Outcome::default();
    let path = &found[0].path;
    for FoundInFile { found, .. } in found {
        if unit.plan.reports(found.rule) {
            count(&mut outcome.counts, found.rule, found.severity);
        }
    }
    if options.detail == Detail::Counts {
        return outcome;
    }
    let text = match options.detail {
        Detail::Excerpts => text_of(files, path),
        Detail::Counts | Detail::Diagnostics => String::new(),
    };
    let lines = LineIndex::new(&text);
    let mut reported = Reported::new(path, &text, &lines, options.detail);
    let mut report = FileReport {
        file_path: path.clone(),
        project: unit.root.clone(),
        findings: Vec::new(),
        suppressed: Vec::new(),
        fix: None,
    };
    for FoundInFile { found, .. } in found {
        let finding = reported.finding(found);
        match unit.plan.silenced_by(found.rule) {
            None => report.findings.push(finding),
            Some(by) => report.suppressed.push(SuppressedFinding { finding, by }),
        }
    }
    outcome.report = Some(report);
    outcome
}

/// The text of a settings file; empty if it cannot be read, which then is what the finding is about.
fn text_of(files: &dyn FileSystem, path: &Path) -> String {
    let bytes = files.read(path).unwrap_or_default();
    SourceText::decode_vec(bytes).text().to_owned()
}
