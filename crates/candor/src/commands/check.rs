//! `candor check`.

use std::process::ExitCode;

use candor::Severity;
use candor::run::run as run_checks;

use super::{failed, not_run, options, print, target};
use crate::arguments::{CheckArguments, CheckFormat, FailOn};
use crate::render::{github, human, json, sarif};

pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    let target = match target(&arguments.server) {
        Ok(target) => target,
        Err(problem) => return failed(problem),
    };
    let mut options = options(&arguments.server, arguments.probe);
    options.slow_call.clone_from(&arguments.slow_call);
    let mut report = match run_checks(&target, &options) {
        Ok(report) => report,
        Err(error) => return not_run(&error),
    };
    report
        .findings
        .retain(|finding| !arguments.ignore.contains(&finding.check));
    if !arguments.ignore.is_empty() {
        let ids: Vec<_> = arguments.ignore.iter().map(|check| check.id).collect();
        report.notes.push(format!("left out as asked: {}", ids.join(", ")));
    }
    let file = arguments.file.as_deref();
    let written = print(|out| match arguments.format {
        CheckFormat::Human => human::write(&report, arguments.all, out),
        CheckFormat::Json => json::write(&report, out),
        CheckFormat::Sarif => sarif::write(&report, file, out),
        CheckFormat::Github => github::write(&report, file, out),
    });
    if let Err(code) = written {
        return code;
    }
    let threshold = match arguments.fail_on {
        FailOn::Error => Some(Severity::Error),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Note => Some(Severity::Note),
        FailOn::Never => None,
    };
    if threshold.is_some_and(|threshold| report.worst().is_some_and(|worst| worst >= threshold)) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}
