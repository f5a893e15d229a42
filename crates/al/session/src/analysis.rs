//! One file, looked at.

use std::path::Path;

use candor_al_rules::{Checked, FileContext, Finding, IncidentWork, RuleId, Severity};
use candor_al_syntax::Tree;
use candor_al_syntax::text::{LineIndex, Position};

use crate::check::SuppressedBy;
use crate::tools::Diagnostic;
use crate::{Incident, plan::Plan};

/// Something a rule found, with everything that replies say about it. Suppressed findings are not among them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Found {
    pub(crate) rule: RuleId,
    pub(crate) severity: Severity,
    pub(crate) start: Position,
    pub(crate) end: Position,
    pub(crate) message: String,
}

impl Found {
    /// The entry of a reply.
    pub(crate) fn diagnostic(&self, file_path: &str) -> Diagnostic {
        let metadata = self.rule.metadata();
        Diagnostic {
            file_path: file_path.to_owned(),
            line: self.start.line,
            column: self.start.column,
            end_line: self.end.line,
            end_column: self.end.column,
            id: metadata.id.to_owned(),
            severity: self.severity.into(),
            message: self.message.clone(),
            analyzer: metadata.cop.name().to_owned(),
            has_fix: !metadata.fixes.is_empty(),
        }
    }
}

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FileAnalysis {
    /// In the order of the text.
    pub(crate) found: Vec<Found>,
    /// Rules that failed.
    pub(crate) incidents: Vec<Incident>,
}

/// Parses a file and runs the rules of the plan.
pub(crate) fn analyse(path: &Path, text: &str, plan: &Plan, context: &FileContext) -> FileAnalysis {
    let tree = candor_al_syntax::parse(text, &plan.symbols);
    let checked = candor_al_rules::check(&tree, context, &plan.selection);
    if checked.findings.is_empty() && checked.incidents.is_empty() {
        return FileAnalysis::default();
    }
    let lines = LineIndex::new(text);
    FileAnalysis {
        found: worded(&checked, &tree, &lines, plan),
        incidents: incidents(&checked, path, &lines),
    }
}

/// The live findings that the plan wants, in words.
pub(crate) fn worded(checked: &Checked, tree: &Tree, lines: &LineIndex, plan: &Plan) -> Vec<Found> {
    let live = checked
        .findings
        .iter()
        .filter(|finding| !finding.suppressed && plan.reports(finding.rule));
    live.map(|finding| in_words(finding, tree, lines)).collect()
}

/// The findings that the plan would report if nobody had suppressed them, in words, and who did.
pub(crate) fn suppressed(checked: &Checked, tree: &Tree, lines: &LineIndex, plan: &Plan) -> Vec<(Found, SuppressedBy)> {
    let by = |finding: &Finding| {
        let by_project = plan.silenced_by(finding.rule);
        by_project.or_else(|| finding.suppressed.then_some(SuppressedBy::Pragma))
    };
    checked
        .findings
        .iter()
        .filter_map(|finding| Some((in_words(finding, tree, lines), by(finding)?)))
        .collect()
}

fn in_words(finding: &Finding, tree: &Tree, lines: &LineIndex) -> Found {
    Found {
        rule: finding.rule,
        severity: finding.severity,
        start: lines.position(finding.range.start),
        end: lines.position(finding.range.end),
        message: finding.message(tree),
    }
}

/// The rules that failed in a file.
pub(crate) fn incidents(checked: &Checked, path: &Path, lines: &LineIndex) -> Vec<Incident> {
    checked
        .incidents
        .iter()
        .map(|incident| incident_in(incident, path, lines))
        .collect()
}

/// A rule that failed in a file.
pub(crate) fn incident_in(incident: &candor_al_rules::Incident, path: &Path, lines: &LineIndex) -> Incident {
    let id = incident.rule.id();
    let position = lines.position(incident.range.start);
    let (doing, effect) = match incident.work {
        IncidentWork::Find => ("looking at", "its findings in this file are missing"),
        IncidentWork::Fix => ("repairing", "the fix is not offered"),
    };
    let message = format!(
        "Rule {id} failed while {doing} {}:{position}: {}; {effect}. This is a fault in Candor, please report it.",
        path.display(),
        incident.message
    );
    Incident {
        position: Some((position.line, position.column)),
        traceback: incident.location.clone(),
        ..Incident::new("rule_failed", message).in_file(path)
    }
}
