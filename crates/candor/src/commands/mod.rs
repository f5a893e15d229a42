//! One file for each command, and what all of them need.

pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod pin;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use candor::limits::Limits;
use candor::run::{Options, ProbeScope, RunError};
use candor::transport::Target;

use crate::arguments::{Probe, ServerArguments};
use crate::render::printable;

/// A wrong command line, or a server that could not be started or initialised.
const FAILED: u8 = 2;

/// Says what went wrong, and gives the exit code for it.
fn failed(problem: impl Display) -> ExitCode {
    let _ = writeln!(anstream::stderr(), "candor: {problem}");
    ExitCode::from(FAILED)
}

/// Says why a server could not be talked to, with the last it said itself.
fn not_run(error: &RunError) -> ExitCode {
    let code = failed(error);
    if let RunError::Handshake { stderr, .. } = error
        && !stderr.is_empty()
    {
        let mut errors = anstream::stderr();
        let _ = writeln!(errors, "the end of the server's standard error:");
        for line in stderr.lines() {
            let _ = writeln!(errors, "  {}", printable(line));
        }
    }
    code
}

/// Writes to standard output; a reader that went away is no failure.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ExitCode> {
    let mut out = io::BufWriter::new(anstream::stdout());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(failed(format_args!("the report could not be written: {error}")))
        }
        _ => Ok(()),
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
    let (program, rest) = arguments.command.split_first().ok_or_else(|| {
        "which server? Give its command after `--` (candor check -- my-server --stdio) or its address with --url"
            .to_owned()
    })?;
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
