//! A whole check: many files at once, one order of reports.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant, SystemTime};

use candor_al_rules::{RuleId, Severity};
use candor_al_workspace::Cancellation;
use candor_al_workspace::file_system::{Disk, Entry, FileSystem, Metadata};
use candor_al_workspace::source::stream_sources;
use candor_al_workspace::write::sweep_temporary_files;

use super::file::{Outcome, Worker};
use super::groups::check_in_groups;
use super::memory::{Answer, Noted, Recall, asks_for_meaning};
use super::prepare::{Prepared, prepare};
use super::project::configuration_outcomes;
use super::{CheckOptions, CheckReport, FileReport, RuleStatistics};
use crate::clock::{process_time, thread_time};
use crate::notes::Notes;
use crate::repair::{automatic_fix, chosen_fixes};
use crate::vocabulary::AlError;

/// Results that may wait for their turn to be reported. Enough to keep all threads busy behind one slow file.
const RESULTS_AHEAD: usize = 4096;

/// Checks files on the disk; see [`check_with`].
///
/// # Errors
/// As [`check_with`].
pub fn check(
    options: &CheckOptions,
    cancellation: &Cancellation,
    report: &mut (dyn FnMut(FileReport) + Send),
) -> Result<CheckReport, AlError> {
    check_with(&Disk, options, cancellation, report)
}

/// Checks files, and repairs them if that is wanted. `report` is called, in order, for each file with something to
/// report, while later files are still being worked on. When cancelled, the files done so far are the answer.
///
/// # Errors
/// `Invalid` for a rule choice or a path that means nothing, `NotFound` for a path at which nothing can be checked.
pub fn check_with(
    files: &dyn FileSystem,
    options: &CheckOptions,
    cancellation: &Cancellation,
    report: &mut (dyn FnMut(FileReport) + Send),
) -> Result<CheckReport, AlError> {
    let (started, cpu_started) = (Instant::now(), process_time());
    let unsafe_fixes = options.fix.is_some_and(|fix| fix.unsafe_fixes);
    let chosen = chosen_fixes(&options.fix_with, unsafe_fixes)?;
    let mut recall = Recall::new(options, files);
    let noted = Noted::new(files, recall.is_on());
    let prepared = prepare(&noted, options);
    recall.keep_places(noted.into_places());
    let mut prepared = prepared?;
    if options.fix.is_some_and(|fix| fix.write) {
        for unit in &mut prepared.units {
            if let Some(root) = unit.root.clone() {
                let sweep = sweep_temporary_files(files, &root);
                unit.notes.add_workspace(&sweep.warnings, Some(&root));
            }
        }
    }
    let preparing = process_time().saturating_sub(cpu_started);
    if let Some(progress) = &options.progress {
        progress.begin(prepared.files.len());
    }
    let mut total = Total::new(&prepared);
    for unit in &prepared.units {
        let outcomes = configuration_outcomes(files, unit, options);
        total
            .waiting
            .extend(outcomes.into_iter().map(|one| (unit.first_file, one)));
    }
    let reading = TimedReading::new(files, options.timing);
    let worker = Worker {
        files,
        options,
        chosen,
        cancellation,
    };
    let remembered = recall.remembered(&prepared, files);
    let to_read = recall.paths(&prepared);
    let to_read = to_read.as_ref().unwrap_or(&prepared.files);
    let mut answer = Answer::default();
    let (sender, receiver) = mpsc::sync_channel(RESULTS_AHEAD);
    std::thread::scope(|scope| {
        let (total, answer) = (&mut total, &mut answer);
        let mut report = |file: FileReport| {
            answer.add(&file);
            report(file);
        };
        scope.spawn(move || {
            in_order(&receiver, |index, outcome| {
                total.reach(index, &mut report);
                total.add(outcome, &mut report);
            });
            total.reach(usize::MAX, &mut report);
        });
        let send = |number: usize, outcome: Outcome| {
            if let Some(progress) = &options.progress {
                progress.advance();
            }
            // The receiver lives as long as this scope.
            let _ = sender.send((number, outcome));
        };
        for (number, outcome) in remembered {
            send(number, outcome);
        }
        if asks_for_meaning(&prepared) {
            check_in_groups(&reading, &prepared, &worker, &recall, &send);
        } else {
            stream_sources(&reading, to_read, cancellation, |index, source| {
                let number = recall.number(index);
                let (path, unit) = (
                    &prepared.files[number],
                    &prepared.units[prepared.unit_of_file[number] as usize],
                );
                let identity = recall.identity(source.as_ref().ok());
                let outcome = worker.work(path, source, unit);
                recall.keep(path, identity, number, &prepared, &outcome);
                send(number, outcome);
            });
        }
        drop(sender);
    });
    let mut finished = total.finish(&prepared);
    if !cancellation.is_cancelled() {
        recall.finish(&prepared, answer, &mut finished);
    }
    if cancellation.is_cancelled() {
        finished
            .warnings
            .push("the check was cancelled before all files were looked at".to_owned());
    }
    let statistics = &mut finished.statistics;
    statistics.preparing = preparing;
    statistics.reading = reading.time();
    statistics.wall = started.elapsed();
    statistics.cpu = process_time().saturating_sub(cpu_started);
    Ok(finished)
}

/// Hands on the results in the order of their numbers.
fn in_order(receiver: &Receiver<(usize, Outcome)>, mut take: impl FnMut(usize, Outcome)) {
    let mut next = 0;
    let mut early = BTreeMap::new();
    for (index, outcome) in receiver {
        early.insert(index, outcome);
        while let Some(outcome) = early.remove(&next) {
            take(next, outcome);
            next += 1;
        }
    }
    // After a cancellation some numbers never come.
    for (index, outcome) in early {
        take(index, outcome);
    }
}

/// The sums over all files.
struct Total {
    report: CheckReport,
    notes: Notes,
    findings: Vec<usize>,
    times: Vec<Duration>,
    /// What is reported ahead of the file of this number: the configuration of a project stands before its files.
    waiting: VecDeque<(usize, Outcome)>,
}

impl Total {
    fn new(prepared: &Prepared) -> Self {
        let mut notes = prepared.notes.clone();
        for unit in &prepared.units {
            notes.warnings.extend(unit.notes.warnings.iter().cloned());
            notes.incidents.extend(unit.notes.incidents.iter().cloned());
        }
        Self {
            report: CheckReport::default(),
            notes,
            findings: vec![0; RuleId::ALL.len()],
            times: vec![Duration::ZERO; RuleId::ALL.len()],
            waiting: VecDeque::new(),
        }
    }

    /// Adds what comes ahead of the file of this number.
    fn reach(&mut self, file: usize, report: &mut (dyn FnMut(FileReport) + Send)) {
        while self.waiting.front().is_some_and(|(before, _)| *before <= file) {
            if let Some((_, outcome)) = self.waiting.pop_front() {
                self.add(outcome, report);
            }
        }
    }

    fn add(&mut self, outcome: Outcome, report: &mut (dyn FnMut(FileReport) + Send)) {
        let statistics = &mut self.report.statistics;
        statistics.files += usize::from(outcome.was_read);
        statistics.bytes += outcome.bytes;
        statistics.lines += outcome.lines;
        statistics.parsing += outcome.parsing;
        statistics.checking += outcome.checking;
        for (rule, time) in outcome.rule_times {
            self.times[rule as usize] += time;
        }
        for (rule, severity, count) in outcome.counts {
            self.count(rule, severity, count);
        }
        for (rule, count) in outcome.only_elsewhere {
            self.discount_fixes(rule, count);
        }
        self.report.suppressed_count += outcome.suppressed;
        self.notes.warnings.extend(outcome.notes.warnings);
        self.notes.incidents.extend(outcome.notes.incidents);
        if let Some(file) = outcome.report {
            report(file);
        }
    }

    fn count(&mut self, rule: RuleId, severity: Severity, count: usize) {
        let metadata = rule.metadata();
        let total = &mut self.report;
        total.total_count += count;
        total.statistics.findings += count;
        total.summary.by_severity.add_many(severity.name(), count);
        total.summary.by_analyzer.add_many(metadata.cop.name(), count);
        if automatic_fix(rule, false).is_some() {
            total.fixable_count += count;
        } else if !metadata.fixes.is_empty() {
            total.unsafely_fixable_count += count;
        }
        self.findings[rule as usize] += count;
    }

    /// Takes back findings that were counted as fixable.
    fn discount_fixes(&mut self, rule: RuleId, count: usize) {
        let total = &mut self.report;
        if automatic_fix(rule, false).is_some() {
            total.fixable_count -= count;
        } else if !rule.metadata().fixes.is_empty() {
            total.unsafely_fixable_count -= count;
        }
    }

    fn finish(mut self, prepared: &Prepared) -> CheckReport {
        let ran = |rule: &RuleId| prepared.units.iter().any(|unit| unit.plan.reports(*rule));
        let statistics = |rule: RuleId| RuleStatistics {
            id: rule.id(),
            findings: self.findings[rule as usize],
            time: self.times[rule as usize],
        };
        self.report.statistics.rules = RuleId::ALL.iter().copied().filter(ran).map(statistics).collect();
        self.report.files = self.report.statistics.files;
        self.report.projects = prepared
            .units
            .iter()
            .filter_map(|unit| unit.root.as_deref())
            .map(Path::to_owned)
            .collect();
        self.report.warnings = self.notes.shown();
        self.report.incidents = self.notes.incidents;
        self.report
    }
}

/// Files whose reading is timed: it happens on threads that this crate does not see.
#[derive(Debug)]
struct TimedReading<'a> {
    files: &'a dyn FileSystem,
    is_timed: bool,
    nanoseconds: AtomicU64,
}

impl<'a> TimedReading<'a> {
    fn new(files: &'a dyn FileSystem, is_timed: bool) -> Self {
        Self {
            files,
            is_timed,
            nanoseconds: AtomicU64::new(0),
        }
    }

    fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn timed<T>(&self, work: impl FnOnce(&dyn FileSystem) -> T) -> T {
        if !self.is_timed {
            return work(self.files);
        }
        let started = thread_time();
        let result = work(self.files);
        let spent = thread_time().saturating_sub(started);
        self.nanoseconds
            .fetch_add(u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        result
    }
}

impl FileSystem for TimedReading<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.timed(|files| files.read(path))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.timed(|files| files.metadata(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        self.files.list(folder)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn create_like(&self, path: &Path, content: &[u8], model: &Path) -> io::Result<()> {
        self.files.create_like(path, content, model)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.files.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.files.sync_folder(folder)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files.remove(path)
    }

    fn now(&self) -> SystemTime {
        self.files.now()
    }
}
