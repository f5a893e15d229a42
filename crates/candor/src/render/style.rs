//! What each kind of text looks like on a terminal. `anstream` takes the
//! colours out where none are wanted.

use std::fmt;

use anstyle::{AnsiColor, Style};
use candor::Severity;
use candor::difference::Class;

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const ASIDE: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

pub(crate) const fn severity(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Note => NOTE,
    }
}

pub(crate) const fn class(class: Class) -> Style {
    match class {
        Class::Breaking => ERROR,
        Class::Behavioural => WARNING,
        Class::Additive => NOTE,
    }
}

/// A value in a style.
pub(crate) struct Painted<T>(Style, T);

pub(crate) fn paint<T: fmt::Display>(style: Style, value: T) -> Painted<T> {
    Painted(style, value)
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(style, value) = self;
        write!(formatter, "{style}{value}{style:#}")
    }
}
