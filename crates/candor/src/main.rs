//! `candor`: the command line. One file for each command; how results look is
//! in `render`.

mod arguments;
mod commands;
mod render;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    // Whoever ends us ends the server we started as well.
    let _ = ctrlc::set_handler(|| {
        candor::transport::end_all_processes();
        std::process::exit(130);
    });
    match Arguments::parse().command {
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Pin(arguments) => commands::pin::run(&arguments),
        Command::Diff(arguments) => commands::diff::run(&arguments),
    }
}
