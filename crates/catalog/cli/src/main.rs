//! `candor-catalog`: data sets and results, from the command line or served to an agent.
//!
//! This crate is what a person sees: the command line ([`arguments`]), the commands ([`commands`]) and how results look
//! ([`show`], [`table`]). It computes nothing itself; the catalog does.

mod arguments;
mod commands;
mod demo;
mod failure;
mod progress;
mod show;
mod table;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Format};
use crate::failure::Failure;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let format = arguments.format;
    match commands::run(arguments) {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(failure) if failure.is_closed_output() => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&failure, format);
            ExitCode::from(2)
        }
    }
}

/// Says why; a program that asked for JSON gets the envelope, as an agent does.
fn tell(failure: &Failure, format: Format) {
    // Nobody is left to be told when the streams are gone.
    if let (Failure::Catalog(error), Format::Json) = (failure, format) {
        let mut out = BufWriter::new(io::stdout());
        let _ = writeln!(out, "{}", error.to_json());
        let _ = out.flush();
    } else {
        let _ = writeln!(io::stderr(), "error: {failure}");
        if let Failure::Catalog(error) = failure
            && let Some(id) = &error.place_ref().error_id
        {
            let _ = writeln!(io::stderr(), "recorded as {id}; see `candor-catalog errors`");
        }
    }
}
