//! `candor pin`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use candor::lock::Contract;
use candor::run::read_only;

use super::{failed, not_run, options, print, target};
use crate::arguments::{PinArguments, Probe};
use crate::render::counted;

pub(crate) fn run(arguments: &PinArguments) -> ExitCode {
    let target = match target(&arguments.server) {
        Ok(target) => target,
        Err(problem) => return failed(problem),
    };
    let (published, _) = match read_only(&target, &options(&arguments.server, Probe::None)) {
        Ok(read) => read,
        Err(error) => return not_run(&error),
    };
    let contract = match Contract::of(&published) {
        Ok(contract) => contract,
        Err(error) => return failed(format_args!("the server cannot be pinned: {error}")),
    };
    let path = &arguments.output;
    let text = contract.to_text();
    let is_same = fs::read_to_string(path).is_ok_and(|old| old == text);
    if !is_same && let Err(error) = replace(path, &text) {
        return failed(format_args!("`{}` could not be written: {error}", path.display()));
    }
    let tools = counted(contract.tools.len(), "tool");
    let written = print(|out| {
        if is_same {
            writeln!(out, "{} is as it was: {tools}", path.display())
        } else {
            writeln!(out, "{} written: {tools}", path.display())
        }
    });
    written.err().unwrap_or(ExitCode::SUCCESS)
}

/// Writes beside the file and renames, so that a lock file is never half one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.candor-tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = fs::File::create(&temporary)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
