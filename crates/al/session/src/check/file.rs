//! One file of a check: read, parsed, looked at, perhaps repaired, forgotten.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use candor_al_rules::{Checked, ChosenFix, FileContext, RuleId, RuleTimes, Severity};
use candor_al_syntax::Tree;
use candor_al_syntax::text::LineIndex;
use candor_al_workspace::file_system::FileSystem;
use candor_al_workspace::source::Source;
use candor_al_workspace::write::{FileChange, WriteError, write_file};
use candor_al_workspace::{Cancellation, Warning, path::relative_text};

use super::prepare::Unit;
use super::{CheckOptions, Detail, Excerpt, FileReport, ReportedFinding, SuppressedFinding};
use crate::analysis::{self, Found};
use crate::clock::{elapsed_time, thread_time};
use crate::fix::{FileFix, FixOptions, Repair};
use crate::notes::Notes;
use crate::tools::Conflict;
use crate::{difference, repair};

/// Spans of more lines are shown by their first and last line.
const WHOLE_SPAN_LINES: u32 = 4;

/// What one file contributes to the whole.
#[derive(Clone, Default)]
pub(super) struct Outcome {
    /// Absent when there is nothing to report.
    pub(super) report: Option<FileReport>,
    pub(super) was_read: bool,
    pub(super) bytes: u64,
    pub(super) lines: u64,
    /// Live findings of each rule.
    pub(super) counts: Vec<(RuleId, Severity, usize)>,
    /// How many of them are not there with the symbols of the project, so that no fix reaches them.
    pub(super) only_elsewhere: Vec<(RuleId, usize)>,
    pub(super) suppressed: usize,
    pub(super) notes: Notes,
    pub(super) parsing: Duration,
    pub(super) checking: Duration,
    pub(super) rule_times: Vec<(RuleId, Duration)>,
}

/// A file that is read and parsed.
pub(super) struct ReadFile {
    pub(super) tree: Tree,
    has_byte_order_mark: bool,
    outcome: Outcome,
}

/// What is the same for all files of a run.
pub(super) struct Worker<'a> {
    pub(super) files: &'a dyn FileSystem,
    pub(super) options: &'a CheckOptions,
    /// Fixes that were chosen among several.
    pub(super) chosen: Vec<ChosenFix>,
    pub(super) cancellation: &'a Cancellation,
}

impl Worker<'_> {
    /// Reads, looks at and perhaps repairs a file that stands for itself.
    pub(super) fn work(&self, path: &Path, source: Result<Source, Warning>, unit: &Unit) -> Outcome {
        match self.read(path, source, unit) {
            Ok(read) => self.finish(path, read, unit, &unit.plan.context),
            Err(outcome) => outcome,
        }
    }

    /// The tree of a file; what there is to say about it if it cannot be read.
    #[expect(
        clippy::result_large_err,
        reason = "an outcome is handed on by value either way, once for each file"
    )]
    pub(super) fn read(&self, path: &Path, source: Result<Source, Warning>, unit: &Unit) -> Result<ReadFile, Outcome> {
        let mut outcome = Outcome::default();
        let project = unit.root.as_deref();
        let source = match source {
            Ok(source) => source,
            Err(warning) => {
                outcome.notes.add_workspace(&[warning], project);
                return Err(outcome);
            }
        };
        outcome.was_read = true;
        outcome.notes.add_workspace(source.warning(path).as_slice(), project);
        let has_byte_order_mark = source.text.has_byte_order_mark();
        let text: Arc<str> = source.text.into_text().into();
        outcome.bytes = text.len() as u64;
        outcome.lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64 + 1;

        let started = self.options.timing.then(thread_time);
        let tree = candor_al_syntax::parse(text, &unit.plan.symbols);
        if let Some(started) = started {
            outcome.parsing = thread_time().saturating_sub(started);
        }
        Ok(ReadFile {
            tree,
            has_byte_order_mark,
            outcome,
        })
    }

    /// Looks at a file and perhaps repairs it, with all that is known around it.
    pub(super) fn finish(&self, path: &Path, read: ReadFile, unit: &Unit, context: &FileContext) -> Outcome {
        let ReadFile {
            mut tree,
            has_byte_order_mark,
            mut outcome,
        } = read;
        let started = self.options.timing.then(thread_time);
        let mut checked = self.look(&tree, unit, context, &mut outcome.rule_times);
        if let Some(started) = started {
            outcome.checking = thread_time().saturating_sub(started);
            without_waiting(&mut outcome.rule_times, outcome.checking);
        }

        if self.options.all_configurations && self.in_all_configurations(path, &tree, &checked, unit, &mut outcome) {
            return outcome;
        }
        let mut fix = None;
        if let Some(options) = self.options.fix
            && let Some((repaired_tree, mut file_fix)) =
                self.repair(path, &tree, &checked, options, unit, context, &mut outcome.notes)
        {
            if options.diff && !file_fix.repaired.is_empty() {
                let mark = if has_byte_order_mark { "\u{feff}" } else { "" };
                file_fix.diff = Some(unified_difference(path, mark, &tree, &repaired_tree, unit));
            }
            if file_fix.written {
                tree = repaired_tree;
                checked = candor_al_rules::check(&tree, context, &unit.plan.selection);
            }
            fix = Some(file_fix);
        }
        self.report(path, &tree, &checked, fix, unit, &mut outcome);
        outcome
    }

    fn look(&self, tree: &Tree, unit: &Unit, context: &FileContext, times: &mut Vec<(RuleId, Duration)>) -> Checked {
        let plan = &unit.plan;
        if !self.options.timing {
            return candor_al_rules::check(tree, context, &plan.selection);
        }
        let mut observer = RuleTimes::new(elapsed_time);
        let checked = candor_al_rules::check_observed(tree, context, &plan.selection, &mut observer);
        times.extend(plan.selection.rules().map(|rule| (rule, observer.of(rule))));
        checked
    }

    /// Repairs what may be repaired unasked; none when there is nothing.
    #[expect(clippy::too_many_arguments, reason = "each is a part of one file's state")]
    fn repair(
        &self,
        path: &Path,
        tree: &Tree,
        checked: &Checked,
        options: FixOptions,
        unit: &Unit,
        context: &FileContext,
        notes: &mut Notes,
    ) -> Option<(Tree, FileFix)> {
        let chosen: Vec<ChosenFix> = unit
            .plan
            .rules()
            .filter_map(|rule| {
                let chosen = self.chosen.iter().find(|choice| choice.rule == rule).copied();
                chosen.or_else(|| repair::automatic_fix(rule, options.unsafe_fixes))
            })
            .collect();
        let is_repairable = |finding: &candor_al_rules::Finding| {
            !finding.suppressed && chosen.iter().any(|choice| choice.rule == finding.rule)
        };
        if !checked.findings.iter().any(is_repairable) {
            return None;
        }
        let fixed = candor_al_rules::fix_all(tree, &unit.plan.symbols, context, &chosen);
        let lines = LineIndex::new(tree.text());
        let incidents = fixed
            .incidents
            .iter()
            .map(|incident| analysis::incident_in(incident, path, &lines));
        notes.add_incidents(incidents, unit.root.as_deref());
        let mut fix = FileFix {
            problems: fixed
                .problems
                .iter()
                .map(|&problem| repair::problem_in_words(problem))
                .collect(),
            ..FileFix::default()
        };
        if !fixed.is_changed() || fixed.tree.text() == tree.text() {
            return (!fix.problems.is_empty()).then(|| (tree.clone(), fix));
        }
        fix.repaired = fixed
            .repaired
            .iter()
            .map(|(choice, count)| Repair {
                id: choice.rule.id().to_owned(),
                title: choice.fix.title.to_owned(),
                safety: choice.fix.safety.into(),
                count: *count,
            })
            .collect();
        fix.repaired.sort_by(|one, other| one.id.cmp(&other.id));
        if options.write {
            self.write(path, tree, &fixed.tree, &mut fix, unit, notes);
        }
        Some((fixed.tree, fix))
    }

    fn write(&self, path: &Path, old: &Tree, new: &Tree, fix: &mut FileFix, unit: &Unit, notes: &mut Notes) {
        let change = FileChange {
            path,
            expected: old.text(),
            new_text: new.text(),
        };
        match write_file(self.files, change, self.cancellation) {
            Ok(written) => fix.written = written,
            Err(WriteError::Conflict(conflict)) => {
                let conflict = Conflict::from(&conflict);
                let incident = crate::Incident::of_conflict(conflict.kind, &conflict.message, path);
                notes.add_incidents(incident, unit.root.as_deref());
                fix.conflict = Some(conflict);
            }
            Err(WriteError::Cancelled(_)) => {}
        }
    }

    fn report(
        &self,
        path: &Path,
        tree: &Tree,
        checked: &Checked,
        fix: Option<FileFix>,
        unit: &Unit,
        outcome: &mut Outcome,
    ) {
        let project = unit.root.as_deref();
        for finding in checked
            .findings
            .iter()
            .filter(|finding| unit.plan.reports(finding.rule))
        {
            if finding.suppressed {
                outcome.suppressed += 1;
            } else {
                count(&mut outcome.counts, finding.rule, finding.severity);
            }
        }
        let wants_suppressed = self.options.suppressed && !checked.findings.is_empty();
        let is_wanted = self.options.detail != Detail::Counts && (wants_suppressed || !outcome.counts.is_empty());
        let (mut findings, mut suppressed) = (Vec::new(), Vec::new());
        if is_wanted || !checked.incidents.is_empty() {
            let lines = LineIndex::new(tree.text());
            outcome
                .notes
                .add_incidents(analysis::incidents(checked, path, &lines), project);
            if is_wanted {
                let mut reported = Reported::new(path, tree.text(), &lines, self.options.detail);
                let found = analysis::worded(checked, tree, &lines, &unit.plan);
                findings = found.iter().map(|found| reported.finding(found)).collect();
                if wants_suppressed {
                    let hushed = analysis::suppressed(checked, tree, &lines, &unit.plan);
                    let finding = |(found, by)| SuppressedFinding {
                        finding: reported.finding(&found),
                        by,
                    };
                    suppressed = hushed.into_iter().map(finding).collect();
                }
            }
        }
        if fix.is_some() || !findings.is_empty() || !suppressed.is_empty() {
            outcome.report = Some(FileReport {
                file_path: path.to_owned(),
                project: unit.root.clone(),
                findings,
                suppressed,
                fix,
            });
        }
    }
}

/// Makes elapsed times of rules add up to no more than the processor time they had together.
///
/// Asking for the processor time at every node would cost more than most rules. But whoever is at work when the system
/// gives the processor to somebody else is charged for the wait: on a busy machine a rule of 5 ms was told to take 3.9 s.
fn without_waiting(times: &mut [(RuleId, Duration)], processor_time: Duration) {
    let elapsed: Duration = times.iter().map(|(_, time)| *time).sum();
    if elapsed > processor_time {
        let share = processor_time.as_secs_f64() / elapsed.as_secs_f64();
        for (_, time) in times {
            *time = time.mul_f64(share);
        }
    }
}

/// Counts one finding of a rule.
pub(super) fn count(counts: &mut Vec<(RuleId, Severity, usize)>, rule: RuleId, severity: Severity) {
    match counts.iter_mut().find(|(known, _, _)| *known == rule) {
        Some((_, _, count)) => *count += 1,
        None => counts.push((rule, severity, 1)),
    }
}

/// Makes what is reported of what was found in a file; findings share the lines they show.
pub(super) struct Reported<'a> {
    file_path: String,
    text: &'a str,
    lines: &'a LineIndex,
    with_excerpt: bool,
    shared: HashMap<u32, Arc<str>>,
}

impl<'a> Reported<'a> {
    pub(super) fn new(path: &Path, text: &'a str, lines: &'a LineIndex, detail: Detail) -> Self {
        Self {
            file_path: path.display().to_string(),
            text,
            lines,
            with_excerpt: detail == Detail::Excerpts,
            shared: HashMap::new(),
        }
    }

    pub(super) fn finding(&mut self, found: &Found) -> ReportedFinding {
        ReportedFinding {
            diagnostic: found.diagnostic(&self.file_path),
            fix_safety: repair::least_safe(found.rule),
            fix_count: found.rule.metadata().fixes.len(),
            excerpt: self.with_excerpt.then(|| self.excerpt(found)),
            occurrence: None,
        }
    }

    fn excerpt(&mut self, found: &Found) -> Excerpt {
        let (first, last) = (found.start.line, found.end.line);
        let is_whole = last - first < WHOLE_SPAN_LINES;
        let numbers = (first..=last).filter(|&number| is_whole || number == first || number == last);
        Excerpt {
            lines: numbers.filter_map(|number| self.line(number)).collect(),
        }
    }

    fn line(&mut self, number: u32) -> Option<(u32, Arc<str>)> {
        let (start, end) = self.lines.line_range(number)?;
        let text = || self.text[start as usize..end as usize].into();
        Some((number, Arc::clone(self.shared.entry(number).or_insert_with(text))))
    }
}

/// What the repair changes, for those who apply it to the file: their first line begins with its byte order mark.
fn unified_difference(path: &Path, mark: &str, old: &Tree, new: &Tree, unit: &Unit) -> String {
    let name = unit
        .root
        .as_deref()
        .map_or_else(|| path.display().to_string(), |root| relative_text(root, path));
    let [old, new] = [old, new].map(|tree| format!("{mark}{}", tree.text()));
    difference::unified(&name, &old, &new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_not_charged_for_waiting() {
        let milliseconds = Duration::from_millis;
        let mut times = [(RuleId::LC0020, milliseconds(1)), (RuleId::DC0003, milliseconds(9))];
        without_waiting(&mut times, milliseconds(20));
        assert_eq!(times[1].1, milliseconds(9), "nobody waited");
        without_waiting(&mut times, milliseconds(5));
        assert_eq!(times.map(|(_, time)| time), [milliseconds(1) / 2, milliseconds(9) / 2]);
        without_waiting(&mut [], milliseconds(0));
    }
}
