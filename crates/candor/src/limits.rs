//! How long and how much the checker bears.

use std::time::Duration;

/// The longest line or HTTP body that is taken as one message.
pub const MESSAGE_BYTES: usize = 16 << 20;

/// How many bytes a server may send between two replies that were asked for.
pub const FLOOD_BYTES: usize = 48 << 20;

/// How many bytes of a server's standard error are kept, from its end.
pub const STDERR_TAIL_BYTES: usize = 4 << 10;

/// How many pages of a list are read.
pub const PAGES: usize = 200;

/// How many entries of a list are looked at.
pub const ENTRIES: usize = 10_000;

/// Limits in time. Every wait of the checker ends by one of them.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For the first reply: a server may have to be downloaded and unpacked.
    pub start: Duration,
    /// For every other reply.
    pub reply: Duration,
    /// For the whole run; what is not done by then is left out and said.
    pub total: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            reply: Duration::from_secs(10),
            total: Duration::from_secs(600),
        }
    }
}
