//! `candor diff`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use candor::difference::{Class, compare};
use candor::lock::Contract;
use candor::run::read_only;

use super::{failed, not_run, options, print, target};
use crate::arguments::{DEFAULT_LOCK, DiffArguments, DiffFormat, FailOnClass, Probe};
use crate::render::differences;

pub(crate) fn run(arguments: &DiffArguments) -> ExitCode {
    let lock = arguments
        .locks
        .first()
        .cloned()
        .unwrap_or_else(|| PathBuf::from(DEFAULT_LOCK));
    let before = match read(&lock) {
        Ok(contract) => contract,
        Err(problem) => return failed(problem),
    };
    let after = match arguments.locks.get(1) {
        Some(_) if !arguments.server.command.is_empty() || arguments.server.url.is_some() => {
            return failed("two lock files and a server were given; compare either two files, or one with a server");
        }
        Some(other) => match read(other) {
            Ok(contract) => contract,
            Err(problem) => return failed(problem),
        },
        None => match published(arguments) {
            Ok(contract) => contract,
            Err(code) => return code,
        },
    };
    let found = compare(&before, &after);
    let file = lock.to_string_lossy();
    let written = print(|out| match arguments.format {
        DiffFormat::Human => differences::human(&found, out),
        DiffFormat::Json => differences::json(&found, out),
        DiffFormat::Github => differences::github(&found, &file, out),
    });
    if let Err(code) = written {
        return code;
    }
    let threshold = match arguments.fail_on {
        FailOnClass::Breaking => Some(Class::Breaking),
        FailOnClass::Behavioural => Some(Class::Behavioural),
        FailOnClass::Additive => Some(Class::Additive),
        FailOnClass::Never => None,
    };
    let worst = found.iter().map(|found| found.class).max();
    if threshold.is_some_and(|threshold| worst.is_some_and(|worst| worst >= threshold)) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}

fn published(arguments: &DiffArguments) -> Result<Contract, ExitCode> {
    let target = target(&arguments.server).map_err(failed)?;
    let (published, _) =
        read_only(&target, &options(&arguments.server, Probe::None)).map_err(|error| not_run(&error))?;
    Contract::of(&published).map_err(|error| failed(format_args!("the server cannot be compared: {error}")))
}

fn read(path: &Path) -> Result<Contract, String> {
    let text = fs::read_to_string(path).map_err(|error| {
        let path = path.display();
        format!("`{path}` could not be read: {error}; `candor pin -o {path} -- COMMAND` writes it")
    })?;
    Contract::parse(&text).map_err(|error| format!("`{}` {error}", path.display()))
}
