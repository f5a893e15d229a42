//! How long work is watched and stopped.

/// What a piece of long work is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Looking at every value of a file to find the types of its columns.
    Scanning,
    /// Writing rows to a snapshot.
    Writing,
    /// Reading back what was written, to prove and to digest it.
    Verifying,
}

/// The caller's side of long work: hears how far it is, says when to stop.
///
/// A closure `Fn() -> bool` is one as well: it says whether to stop.
pub trait Progress {
    /// `rows` rows are behind `stage`. Called about once per batch.
    fn rows_done(&self, stage: Stage, rows: u64) {
        let _ = (stage, rows);
    }

    /// Whether to stop now. The work then ends with its error `Cancelled` and leaves no file behind.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Nobody watches and nobody stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Progress for Unobserved {}

impl<F: Fn() -> bool> Progress for F {
    fn is_cancelled(&self) -> bool {
        self()
    }
}
