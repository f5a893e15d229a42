//! What is known about where our output goes.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};

use crate::render::palette::Palette;

/// Columns of lines for readers who are no terminal.
const COLUMNS_WITHOUT_TERMINAL: usize = 120;

/// Facts about standard output and standard error, found out once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    /// Styles for standard output.
    pub(crate) output: Palette,
    /// Styles for standard error.
    pub(crate) messages: Palette,
    /// Columns of standard output.
    pub(crate) columns: usize,
    /// Whether someone watches standard error.
    pub(crate) watched: bool,
}

impl Terminal {
    /// Asks the system and the environment: `NO_COLOR`, `CLICOLOR`,
    /// `CLICOLOR_FORCE` and `TERM` decide about colours.
    pub(crate) fn detect() -> Self {
        let (output, messages) = (io::stdout(), io::stderr());
        let columns = if output.is_terminal() {
            terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
        } else {
            None
        };
        Self {
            output: Palette::new(AutoStream::choice(&output) != ColorChoice::Never),
            messages: Palette::new(AutoStream::choice(&messages) != ColorChoice::Never),
            columns: columns.unwrap_or(COLUMNS_WITHOUT_TERMINAL),
            watched: messages.is_terminal(),
        }
    }
}
