//! One file for each command.

pub(crate) mod check;
pub(crate) mod errors;
pub(crate) mod mcp;
pub(crate) mod rule;
pub(crate) mod rules;

use crate::messages::Messages;
use crate::terminal::Terminal;

/// What every command needs to know about its surroundings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) terminal: Terminal,
    pub(crate) messages: Messages,
}

/// How a command that did its work ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit code 0.
    Clean,
    /// Exit code 1: it found what it looks for.
    Findings,
    /// Exit code 2: part of the work could not be done.
    Incomplete,
    /// Exit code 130: somebody ended it before there was an answer.
    Interrupted,
}
