//! The result for programs: one JSON document.

use std::io::{self, Write};

use candor_al_session::FixSafety;
use candor_al_session::check::{CheckReport, FileReport, ReportedFinding};
use candor_al_session::fix::FileFix;
use candor_al_session::tools::Diagnostic;
use serde::Serialize;

use super::Writer;
use super::settings::CheckSettings;
use crate::render::statistics::StatisticsEntry;

/// Keeps entries as text until their number is known: it is told before them.
/// As text, half a million of them take a fraction of what they would as data.
pub(super) struct Json {
    settings: CheckSettings,
    diagnostics: Entries,
    fixes: Entries,
    has_changes: bool,
    known: Option<usize>,
}

impl Json {
    pub(super) fn new(settings: CheckSettings) -> Self {
        // Report after report, each is a line.
        let separator = if settings.watch { "" } else { "\n" };
        Self {
            settings,
            diagnostics: Entries::new(separator),
            fixes: Entries::new(separator),
            has_changes: false,
            known: None,
        }
    }
}

impl Writer for Json {
    fn file(&mut self, _out: &mut dyn Write, report: FileReport) -> io::Result<()> {
        for finding in &report.findings {
            self.diagnostics.add(&DiagnosticEntry::of(finding))?;
        }
        if let Some(fix) = &report.fix {
            self.has_changes |= !fix.repaired.is_empty();
            self.fixes
                .add(&FixEntry::of(&report.file_path.to_string_lossy(), fix))?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, peak_memory: Option<u64>) -> io::Result<()> {
        let projects: Vec<_> = report
            .projects
            .iter()
            .map(|project| project.to_string_lossy())
            .collect();
        write!(out, "{{\"projects\":")?;
        serde_json::to_writer(&mut *out, &projects)?;
        write!(
            out,
            ",\"count\":{},\"totalCount\":{},\"summary\":",
            self.diagnostics.number, report.total_count
        )?;
        serde_json::to_writer(&mut *out, &report.summary)?;
        self.diagnostics.write(out, "diagnostics")?;
        if let Some(known) = self.known {
            write!(out, ",\"knownCount\":{known}")?;
        }
        write!(out, ",\"warnings\":")?;
        serde_json::to_writer(&mut *out, &report.warnings)?;
        if self.settings.watch {
            write!(out, ",\"readCount\":{}", report.files - report.remembered_files)?;
        }
        if self.settings.fix.is_some() {
            self.fixes.write(out, "fixes")?;
        }
        if self.settings.statistics {
            write!(out, ",\"statistics\":")?;
            serde_json::to_writer(&mut *out, &StatisticsEntry::of(&report.statistics, peak_memory))?;
        }
        writeln!(out, "}}")
    }

    fn known(&mut self, count: usize) {
        self.known = Some(count);
    }

    fn changes_pending(&self) -> bool {
        self.has_changes
    }
}

/// Entries of a list, each on a line of its own unless all are to be on one, so that a document can be compared with
/// another and searched line by line.
struct Entries {
    text: Vec<u8>,
    number: usize,
    line_end: &'static str,
}

impl Entries {
    const fn new(line_end: &'static str) -> Self {
        Self {
            text: Vec::new(),
            number: 0,
            line_end,
        }
    }

    fn add(&mut self, entry: &impl Serialize) -> io::Result<()> {
        if self.number > 0 {
            self.text.push(b',');
        }
        self.text.extend_from_slice(self.line_end.as_bytes());
        serde_json::to_writer(&mut self.text, entry)?;
        self.number += 1;
        Ok(())
    }

    fn write(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        write!(out, ",\"{name}\":[")?;
        out.write_all(&self.text)?;
        write!(out, "{}]", if self.number == 0 { "" } else { self.line_end })
    }
}

/// A finding, as `analyze` tells it, and in which configurations it is there.
#[derive(Serialize)]
struct DiagnosticEntry<'a> {
    #[serde(flatten)]
    diagnostic: &'a Diagnostic,
    #[serde(skip_serializing_if = "Option::is_none")]
    configurations: Option<OccurrenceEntry<'a>>,
}

/// In which of a file's configurations a finding is there, when not in all.
#[derive(Serialize)]
struct OccurrenceEntry<'a> {
    count: usize,
    of: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'a str>,
    symbols: &'a [String],
}

impl<'a> DiagnosticEntry<'a> {
    fn of(finding: &'a ReportedFinding) -> Self {
        let configurations = finding.occurrence.as_ref().map(|occurrence| OccurrenceEntry {
            count: occurrence.count,
            of: occurrence.of,
            condition: occurrence.condition.as_deref(),
            symbols: &occurrence.symbols,
        });
        Self {
            diagnostic: &finding.diagnostic,
            configurations,
        }
    }
}

/// What was done to a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixEntry<'a> {
    file_path: &'a str,
    written: bool,
    repaired: Vec<RepairEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict: Option<&'a candor_al_session::tools::Conflict>,
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

/// What one fix did to a file.
#[derive(Serialize)]
struct RepairEntry<'a> {
    id: &'a str,
    title: &'a str,
    safety: FixSafety,
    count: usize,
}

impl<'a> FixEntry<'a> {
    fn of(file_path: &'a str, fix: &'a FileFix) -> Self {
        let repaired = fix.repaired.iter();
        Self {
            file_path,
            written: fix.written,
            repaired: repaired
                .map(|repair| RepairEntry {
                    id: &repair.id,
                    title: &repair.title,
                    safety: repair.safety,
                    count: repair.count,
                })
                .collect(),
            conflict: fix.conflict.as_ref(),
            problems: &fix.problems,
            diff: fix.diff.as_deref(),
        }
    }
}
