//! `candor-al check`: look for findings, and fix them.

mod azure;
mod baseline;
mod content;
mod error_log;
mod github;
mod human;
mod json;
mod sarif;
mod settings;
mod watch;

use std::io::{self, Write};
use std::sync::Arc;

use candor_al_session::check::{CheckMemory, CheckReport, FileReport, ReportedFinding, check};
use candor_al_session::{Cancellation, Incident};

use self::azure::Azure;
use self::baseline::Baseline;
pub(crate) use self::baseline::BaselineError;
use self::error_log::ErrorLog;
use self::github::Github;
use self::human::Human;
use self::json::Json;
use self::sarif::Sarif;
use self::settings::CheckSettings;
use super::{Outcome, Surroundings};
use crate::arguments::{CheckArguments, CheckFormat, FailOn};
use crate::failure::Failure;
use crate::journal;
use crate::memory::peak_memory_bytes;
use crate::progress::Progress;
use crate::render::findings::{counted, occurrence_in_words};

/// Kinds of incidents after which the answer does not cover everything that
/// was asked for, or not everything was written.
const INCOMPLETE: [&str; 9] = [
    "unreadable_folder",
    "unreadable_file",
    "file_too_large",
    "stale_file",
    "unsupported_encoding",
    "read_failed",
    "write_failed",
    "rolled_back",
    "not_written",
];

/// How files and the end of a run are written, in one format.
trait Writer: Send {
    /// Writes what there is to say about a file.
    fn file(&mut self, out: &mut dyn Write, report: FileReport) -> io::Result<()>;

    /// Writes what is said at the end.
    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, peak_memory: Option<u64>) -> io::Result<()>;

    /// Takes the number of findings that are not written because they are known.
    fn known(&mut self, _count: usize) {}

    /// Whether the fixes would change, or have failed to change, something.
    fn changes_pending(&self) -> bool;
}

/// A check that has come to its end.
struct Checked {
    report: CheckReport,
    outcome: Outcome,
    /// What was written; empty when it was written to its place at once.
    output: Vec<u8>,
}

pub(crate) fn run(
    arguments: CheckArguments,
    surroundings: &Surroundings,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    let settings = CheckSettings::resolve(arguments)?;
    candor_al_session::install_panic_hook();
    if settings.watch {
        return watch::watch(&settings, surroundings, out);
    }
    let cancellation = Cancellation::default();
    let Checked { report, outcome, .. } = check_once(&settings, surroundings, &cancellation, None, out)?;
    if settings.format == CheckFormat::Human {
        report
            .warnings
            .iter()
            .for_each(|warning| surroundings.messages.warning(warning));
    }
    journal::record(&report.incidents, "check", surroundings.messages);
    Ok(outcome)
}

fn check_once(
    settings: &CheckSettings,
    surroundings: &Surroundings,
    cancellation: &Cancellation,
    memory: Option<Arc<CheckMemory>>,
    out: &mut (dyn Write + Send),
) -> Result<Checked, Failure> {
    let mut writer: Box<dyn Writer> = match settings.format {
        CheckFormat::Human => Box::new(Human::new(settings.clone(), surroundings)),
        CheckFormat::Json => Box::new(Json::new(settings.clone())),
        CheckFormat::Sarif => Box::new(Sarif::new(settings.clone())),
        CheckFormat::Github => Box::new(Github::new(settings.clone())),
        CheckFormat::Azure => Box::new(Azure::new(settings.clone())),
        CheckFormat::Errorlog => Box::new(ErrorLog::new(surroundings.messages)),
    };
    let mut baseline = settings.baseline.as_ref().map(Baseline::open).transpose()?;
    let progress = Progress::start(&surroundings.terminal, settings.quiet);
    let mut options = settings.options();
    options.progress = Some(progress.counter());
    options.memory = memory;
    let mut failed = None;
    let report = check(&options, cancellation, &mut |mut file| {
        if let Some(baseline) = &mut baseline {
            baseline.take_known(&mut file);
        }
        if !matches!(settings.format, CheckFormat::Human | CheckFormat::Json) {
            // These formats have no other place for it.
            file.findings.iter_mut().for_each(tell_occurrence);
        }
        if failed.is_none()
            && let Err(error) = progress.aside(|| writer.file(out, file).and_then(|()| progress.flush(out)))
        {
            // Nobody reads what would still be found.
            cancellation.cancel();
            failed = Some(error);
        }
    });
    progress.finish();
    if let Some(error) = failed {
        return Err(error.into());
    }
    let mut report = report.map_err(Failure::Refused)?;
    if let Some(baseline) = &baseline {
        baseline.recount(&mut report);
        writer.known(baseline.known_count());
    }
    writer.end(out, &report, settings.statistics.then(peak_memory_bytes).flatten())?;
    out.flush()?;
    if let Some(baseline) = baseline {
        write_baseline(baseline, &report, settings, surroundings)?;
    }
    let outcome = outcome(&report, settings.fail_on, settings.diff && writer.changes_pending());
    Ok(Checked {
        report,
        outcome,
        output: Vec::new(),
    })
}

/// Adds to the message in which configurations a finding is there.
fn tell_occurrence(finding: &mut ReportedFinding) {
    if let Some(occurrence) = &finding.occurrence {
        let words = occurrence_in_words(occurrence);
        let message = &mut finding.diagnostic.message;
        *message = format!("{message} ({words})");
    }
}

fn write_baseline(
    baseline: Baseline,
    report: &CheckReport,
    settings: &CheckSettings,
    surroundings: &Surroundings,
) -> Result<(), BaselineError> {
    let path = baseline.path().to_owned();
    if baseline.is_written() && !is_complete(report) {
        let error = BaselineError::Incomplete(path);
        surroundings.messages.error(&error.to_string());
        // What could not be read ends the run, once it is recorded.
        return Ok(());
    }
    if let Some(count) = baseline.write(report, &settings.paths)?
        && !settings.quiet
    {
        let findings = counted(count, "finding");
        surroundings
            .messages
            .hint(&format!("{} now knows {findings}", path.display()));
    }
    Ok(())
}

/// Whether everything that was asked for was looked at, and written.
fn is_complete(report: &CheckReport) -> bool {
    let is_incomplete = |incident: &Incident| INCOMPLETE.contains(&incident.code.as_str());
    !report.incidents.iter().any(is_incomplete)
}

fn outcome(report: &CheckReport, fail_on: FailOn, has_changes: bool) -> Outcome {
    if !is_complete(report) {
        return Outcome::Incomplete;
    }
    let severities: &[&str] = match fail_on {
        FailOn::Error => &["Error"],
        FailOn::Warning => &["Error", "Warning"],
        FailOn::Info => &["Error", "Warning", "Info"],
        FailOn::Never => return Outcome::Clean,
    };
    let counts = &report.summary.by_severity;
    if has_changes || severities.iter().any(|severity| counts.get(severity) > 0) {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}

#[cfg(test)]
mod tests {
    use candor_al_session::tools::Severity;

    use super::*;

    fn report(severities: &[Severity]) -> CheckReport {
        let mut report = CheckReport::default();
        for severity in severities {
            report.summary.add(*severity, "Candor");
        }
        report
    }

    #[test]
    fn the_exit_code_says_whether_something_is_bad_enough() {
        let warning = report(&[Severity::Hidden, Severity::Info, Severity::Warning]);
        assert_eq!(outcome(&warning, FailOn::Error, false), Outcome::Clean);
        assert_eq!(outcome(&warning, FailOn::Warning, false), Outcome::Findings);
        assert_eq!(outcome(&warning, FailOn::Never, true), Outcome::Clean);
        let info = report(&[Severity::Info]);
        assert_eq!(outcome(&info, FailOn::Warning, false), Outcome::Clean);
        assert_eq!(outcome(&info, FailOn::Info, false), Outcome::Findings);
        assert_eq!(
            outcome(&report(&[Severity::Hidden]), FailOn::Info, false),
            Outcome::Clean
        );
        assert_eq!(outcome(&report(&[]), FailOn::Warning, true), Outcome::Findings);
    }

    #[test]
    fn a_file_that_could_not_be_read_makes_the_answer_incomplete() {
        let mut report = report(&[Severity::Error]);
        report.incidents.push(Incident::new("rule_failed", "a rule failed"));
        assert_eq!(outcome(&report, FailOn::Never, false), Outcome::Clean);
        report.incidents.push(Incident::new("unreadable_file", "no permission"));
        assert_eq!(outcome(&report, FailOn::Never, false), Outcome::Incomplete);
    }
}
