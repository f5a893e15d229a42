//! What each kind of text looks like, in colour or without.

use std::fmt;

use anstyle::{AnsiColor, Style};
use candor_al_session::tools::Severity;

/// A style for each kind of text. Without colour all of them are empty, so
/// that rendering knows no difference.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Palette {
    pub(crate) error: Style,
    pub(crate) warning: Style,
    pub(crate) info: Style,
    pub(crate) heading: Style,
    pub(crate) name: Style,
    pub(crate) aside: Style,
    pub(crate) added: Style,
    pub(crate) removed: Style,
    pub(crate) place: Style,
}

impl Palette {
    /// The palette for a terminal with colours.
    pub(crate) const fn coloured() -> Self {
        Self {
            error: AnsiColor::BrightRed.on_default().bold(),
            warning: AnsiColor::Yellow.on_default().bold(),
            info: AnsiColor::Cyan.on_default().bold(),
            heading: Style::new().bold(),
            name: Style::new().bold(),
            aside: Style::new().dimmed(),
            added: AnsiColor::Green.on_default(),
            removed: AnsiColor::Red.on_default(),
            place: AnsiColor::Cyan.on_default(),
        }
    }

    /// The palette for everything else.
    pub(crate) const fn plain() -> Self {
        let nothing = Style::new();
        Self {
            error: nothing,
            warning: nothing,
            info: nothing,
            heading: nothing,
            name: nothing,
            aside: nothing,
            added: nothing,
            removed: nothing,
            place: nothing,
        }
    }

    /// One or the other.
    pub(crate) const fn new(colour: bool) -> Self {
        if colour { Self::coloured() } else { Self::plain() }
    }

    /// How a severity looks.
    pub(crate) const fn severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Info => self.info,
            Severity::Hidden => self.aside,
        }
    }
}

/// A value in a style.
pub(crate) struct Painted<T>(Style, T);

/// Puts a value into a style, and the style's end behind it.
pub(crate) fn paint<T: fmt::Display>(style: Style, value: T) -> Painted<T> {
    Painted(style, value)
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(style, value) = self;
        write!(formatter, "{style}{value}{style:#}")
    }
}
