//! `candor explain`.

use std::io::{self, Write};
use std::process::ExitCode;

use candor::checks::GROUPS;
use candor::page::page;

use super::print;
use crate::arguments::ExplainArguments;
use crate::render::style::{self, STRONG, paint};

pub(crate) fn run(arguments: &ExplainArguments) -> ExitCode {
    let written = print(|out| match arguments.check {
        Some(check) => out.write_all(page(check).as_bytes()),
        None => list(out),
    });
    written.err().unwrap_or(ExitCode::SUCCESS)
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    for group in GROUPS {
        writeln!(out, "{}", paint(STRONG, group.title))?;
        for check in group.checks {
            writeln!(
                out,
                "  {} {} {}: {}",
                check.id,
                paint(style::severity(check.severity), format!("{:7}", check.severity)),
                check.name,
                check.title
            )?;
        }
    }
    Ok(())
}
