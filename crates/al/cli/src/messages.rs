//! What is said beside the result: on standard error, one line each.

use std::fmt::Display;
use std::io::{self, Write};

use crate::failure::Failure;
use crate::render::palette::{Palette, paint};
use crate::render::printable::one_line;

/// Writes messages to standard error. Nobody can be told when that fails, so
/// nothing is done about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Messages {
    palette: Palette,
}

impl Messages {
    pub(crate) const fn new(palette: Palette) -> Self {
        Self { palette }
    }

    /// Something limits the result.
    pub(crate) fn warning(&self, text: &str) {
        write(&format_args!(
            "{}: {}",
            paint(self.palette.warning, "warning"),
            one_line(text)
        ));
    }

    /// Something to do, or to know.
    pub(crate) fn hint(&self, text: &str) {
        write(&format_args!(
            "{}: {}",
            paint(self.palette.info, "hint"),
            one_line(text)
        ));
    }

    /// There is no result, or it is not whole.
    pub(crate) fn error(&self, text: &str) {
        write(&format_args!(
            "{}: {}",
            paint(self.palette.error, "error"),
            one_line(text)
        ));
    }

    /// Why a command failed, and what to do about it.
    pub(crate) fn failure(&self, failure: &Failure) {
        self.error(&failure.to_string());
        if let Some(hint) = failure.hint() {
            self.hint(&hint);
        }
    }
}

fn write(text: &dyn Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
