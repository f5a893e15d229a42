//! The result for people.

use std::io::{self, Write};

use candor_al_session::FixSafety;
use candor_al_session::check::{CheckReport, FileReport};
use candor_al_session::rules::{self, RuleFacts};
use candor_al_session::tools::Severity;

use super::Writer;
use super::settings::CheckSettings;
use crate::commands::Surroundings;
use crate::render::changes::{ChangedFile, write_diff, write_repairs};
use crate::render::findings::{FindingStyle, ShownFinding, SourceLines, write_file};
use crate::render::statistics::write_statistics;
use crate::render::summary::{FixChoice, Summary, write_summary};

/// Writes findings as they come; repairs, sizes and the summary at the end.
pub(super) struct Human {
    settings: CheckSettings,
    surroundings: Surroundings,
    files_with_findings: usize,
    known: Option<usize>,
    changed: Vec<ChangedFile>,
}

impl Human {
    pub(super) fn new(settings: CheckSettings, surroundings: &Surroundings) -> Self {
        Self {
            settings,
            surroundings: *surroundings,
            files_with_findings: 0,
            known: None,
            changed: Vec::new(),
        }
    }
}

impl Writer for Human {
    fn file(&mut self, out: &mut dyn Write, report: FileReport) -> io::Result<()> {
        let terminal = &self.surroundings.terminal;
        let path = self.settings.shown(&report.file_path);
        if let Some(fix) = report.fix {
            if let Some(diff) = &fix.diff {
                write_diff(out, &path, diff, &terminal.output)?;
            }
            self.changed.push(ChangedFile::new(&path, fix));
        }
        if !self.settings.shows_findings() {
            return Ok(());
        }
        let findings: Vec<ShownFinding<'_>> = report
            .findings
            .iter()
            // Hidden ones are for tools.
            .filter(|finding| finding.diagnostic.severity != Severity::Hidden)
            .map(|finding| ShownFinding {
                diagnostic: &finding.diagnostic,
                fix: finding.fix_safety,
                fixes: finding.fix_count,
                excerpt: finding.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceLines),
                occurrence: finding.occurrence.as_ref(),
            })
            .collect();
        if findings.is_empty() {
            return Ok(());
        }
        self.files_with_findings += 1;
        let style = FindingStyle {
            palette: &terminal.output,
            columns: terminal.columns,
            brief: self.settings.quiet,
        };
        write_file(out, &path, &findings, style)
    }

    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, peak_memory: Option<u64>) -> io::Result<()> {
        let palette = &self.surroundings.terminal.output;
        let messages = self.surroundings.messages;
        for file in &self.changed {
            file.problems().for_each(|problem| messages.warning(&problem));
        }
        if self.settings.statistics {
            write_statistics(out, &report.statistics, peak_memory, palette)?;
        }
        if self.settings.quiet {
            return Ok(());
        }
        let summary = Summary {
            report,
            files_with_findings: self.settings.shows_findings().then_some(self.files_with_findings),
            fixing: self.settings.fix,
            known: self.known,
            choices: &choices(report),
        };
        if self.settings.diff {
            // Standard output is a patch and nothing else.
            let mut text = Vec::new();
            write_repairs(&mut text, &self.changed, false, &self.surroundings.terminal.messages)?;
            return io::stderr().write_all(&text);
        }
        if self.settings.fix.is_some() {
            write_repairs(out, &self.changed, true, palette)?;
        }
        write_summary(out, &summary, palette)
    }

    fn known(&mut self, count: usize) {
        self.known = Some(count);
    }

    fn changes_pending(&self) -> bool {
        self.changed.iter().any(ChangedFile::has_repairs)
    }
}

/// The rules among the findings that offer several fixes, none of which is made unasked.
fn choices(report: &CheckReport) -> Vec<FixChoice> {
    let count = |id: &str| {
        let rules = &report.statistics.rules;
        rules.iter().find(|rule| rule.id == id).map_or(0, |rule| rule.findings)
    };
    let leaves_a_choice = |rule: &RuleFacts| {
        let safe = rule.fixes.iter().filter(|fix| fix.safety == FixSafety::Safe).count();
        rule.fixes.len() > 1 && safe != 1 && count(rule.id) > 0
    };
    rules::all()
        .into_iter()
        .filter(leaves_a_choice)
        .map(|rule| FixChoice {
            id: rule.id,
            count: count(rule.id),
            fixes: rule
                .fixes
                .into_iter()
                .map(|fix| (fix.equivalence_key, fix.title))
                .collect(),
        })
        .collect()
}
