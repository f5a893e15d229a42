//! The released revisions of the protocol.

use std::fmt;

/// A released revision of the Model Context Protocol, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05
    November2024,
    /// 2025-03-26: streamable HTTP, tool annotations.
    March2025,
    /// 2025-06-18: structured content, titles.
    June2025,
    /// 2025-11-25: argument errors are tool errors; 2020-12 is the dialect.
    November2025,
    /// 2026-07-28: no `initialize`, no sessions.
    July2026,
}

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Self; 5] = [
        Self::November2024,
        Self::March2025,
        Self::June2025,
        Self::November2025,
        Self::July2026,
    ];

    /// The newest revision that begins with `initialize`.
    pub const NEWEST_WITH_INITIALIZE: Self = Self::November2025;

    /// As it is written on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::November2024 => "2024-11-05",
            Self::March2025 => "2025-03-26",
            Self::June2025 => "2025-06-18",
            Self::November2025 => "2025-11-25",
            Self::July2026 => "2026-07-28",
        }
    }

    /// The revision of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// Whether a conversation begins with `initialize`.
    pub fn has_initialize(self) -> bool {
        self <= Self::NEWEST_WITH_INITIALIZE
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
