//! The six ways a call can fail.

use std::fmt;

use serde::Serialize;

/// What kind of failure a call met; the value of `error` in an envelope.
///
/// The six codes are the same for every product. What tells failures of one
/// code apart is the `reason`, which each product defines for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum ErrorCode {
    /// The arguments are unusable as given.
    Invalid,
    /// Nothing matched.
    NotFound,
    /// Several things matched; the candidates list them.
    Ambiguous,
    /// The world changed since the answer was computed; nothing was written.
    Stale,
    /// Something the call depends on is down or busy.
    Unavailable,
    /// An unexpected failure, or a write that was refused or failed.
    Faulted,
}

impl ErrorCode {
    /// Every code, in the order in which documentation lists them.
    pub const ALL: [Self; 6] = [
        Self::Invalid,
        Self::NotFound,
        Self::Ambiguous,
        Self::Stale,
        Self::Unavailable,
        Self::Faulted,
    ];

    /// The code as it is written in an envelope.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "Invalid",
            Self::NotFound => "NotFound",
            Self::Ambiguous => "Ambiguous",
            Self::Stale => "Stale",
            Self::Unavailable => "Unavailable",
            Self::Faulted => "Faulted",
        }
    }

    /// What the code says, in one line.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Invalid => "the arguments are unusable as given",
            Self::NotFound => "nothing matched",
            Self::Ambiguous => "several things matched; `candidates` lists them",
            Self::Stale => "the world changed since the answer was computed; nothing was written",
            Self::Unavailable => "something the call depends on is down or busy",
            Self::Faulted => "an unexpected failure, or a write that was refused or failed",
        }
    }

    /// What an agent does about it, in one line.
    pub const fn reaction(self) -> &'static str {
        match self {
            Self::Invalid => "fix the call",
            Self::NotFound => "by `reason`: look again, pick from `candidates`, or stop",
            Self::Ambiguous => "pass one candidate verbatim, or ask",
            Self::Stale => "repeat the call",
            Self::Unavailable => "report it, do not loop",
            Self::Faulted => "report it, quoting `message`",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
