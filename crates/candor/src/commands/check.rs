//! `candor check`.

use std::io::Write;
use std::process::ExitCode;

use candor::Severity;
use candor::limits::Limits;
use candor::run::{Options, ProbeScope, RunError, run as run_checks};
use candor::transport::Target;

use crate::arguments::{CheckArguments, FailOn, Probe, ServerArguments};

pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    let mut errors = anstream::stderr();
    let target = match target(&arguments.server) {
        Ok(target) => target,
        Err(problem) => {
            let _ = writeln!(errors, "candor: {problem}");
            return ExitCode::from(2);
        }
    };
    let options = Options {
        slow_call: arguments.slow_call.clone(),
        ..options(&arguments.server, arguments.probe)
    };
    let report = match run_checks(&target, &options) {
        Ok(report) => report,
        Err(error) => {
            let _ = writeln!(errors, "candor: {error}");
            if let RunError::Handshake { stderr, .. } = &error
                && !stderr.is_empty()
            {
                let _ = writeln!(errors, "the end of the server's standard error:\n{stderr}");
            }
            return ExitCode::from(2);
        }
    };
    let mut out = anstream::stdout();
    for finding in &report.findings {
        let tool = finding.tool.as_deref().unwrap_or("server");
        let path = finding.path.as_deref().unwrap_or("");
        let _ = writeln!(
            out,
            "{} {} {tool} {path}: {}",
            finding.severity(),
            finding.id(),
            finding.message
        );
    }
    for note in &report.notes {
        let _ = writeln!(out, "{note}");
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

/// The server that is meant.
fn target(arguments: &ServerArguments) -> Result<Target, String> {
    if let Some(url) = &arguments.url {
        let headers = arguments
            .header
            .iter()
            .map(|header| {
                let (name, value) = header
                    .split_once(':')
                    .ok_or_else(|| format!("`{header}` is no header; it is written `Name: value`"))?;
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            })
            .collect::<Result<_, String>>()?;
        return Ok(Target::Url {
            url: url.clone(),
            headers,
        });
    }
    let (program, rest) = arguments
        .command
        .split_first()
        .ok_or_else(|| "a command or --url is needed".to_owned())?;
    Ok(Target::Command {
        program: program.clone(),
        arguments: rest.to_vec(),
        folder: None,
    })
}

fn options(arguments: &ServerArguments, probe: Probe) -> Options {
    Options {
        limits: Limits {
            start: arguments.start_timeout,
            reply: arguments.timeout,
            total: arguments.total_timeout,
        },
        revision: arguments.revision,
        probe: match probe {
            Probe::None => ProbeScope::None,
            Probe::ReadOnly => ProbeScope::ReadOnly,
            Probe::All => ProbeScope::All,
        },
        slow_call: None,
    }
}
