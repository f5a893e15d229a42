//! `candor-al`: analyse and fix AL code.
//!
//! This crate is what a person sees: the command line ([`arguments`]), one
//! file for each command ([`commands`]), and how results look ([`render`],
//! pure functions). It reads no AL itself; the session does.

mod arguments;
mod commands;
mod failure;
mod journal;
mod memory;
mod messages;
mod progress;
mod render;
mod terminal;
mod watcher;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::commands::{Outcome, Surroundings};
use crate::failure::Failure;
use crate::messages::Messages;
use crate::terminal::Terminal;

/// Bytes collected before they are written.
const OUTPUT_BYTES: usize = 1 << 16;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let terminal = Terminal::detect();
    let surroundings = Surroundings {
        terminal,
        messages: Messages::new(terminal.messages),
    };
    match run(arguments.command, &surroundings) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Incomplete) => ExitCode::from(2),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(failure) if failure.is_closed_output() => ExitCode::SUCCESS,
        Err(failure) => {
            surroundings.messages.failure(&failure);
            ExitCode::from(2)
        }
    }
}

fn run(command: Command, surroundings: &Surroundings) -> Result<Outcome, Failure> {
    let mut out = BufWriter::with_capacity(OUTPUT_BYTES, io::stdout());
    let outcome = match command {
        Command::Check(arguments) => commands::check::run(arguments, surroundings, &mut out)?,
        Command::Rules(arguments) => commands::rules::run(&arguments, surroundings, &mut out)?,
        Command::Rule(arguments) => commands::rule::run(&arguments, surroundings, &mut out)?,
        Command::Errors(arguments) => commands::errors::run(&arguments, surroundings, &mut out)?,
        // The server speaks on standard output itself.
        Command::Mcp(arguments) => return commands::mcp::run(arguments),
    };
    out.flush()?;
    Ok(outcome)
}
