//! The facade of candor-al: analyse, look up, fix, over an immutable snapshot per call.
//!
//! * [`tools`] is the data that goes into the five tools and comes out of them.
//! * [`check`] works through many files once, for the command line; [`fix`] repairs on the way.
//! * [`Incident`] is what went wrong beside an answer, for the journal.

pub mod check;
pub mod fix;
mod incident;
mod safety;
pub mod tools;
mod vocabulary;

pub use incident::Incident;
pub use safety::FixSafety;
pub use vocabulary::{AlError, AlFaulted, AlNotFound, AlPlace, AlUnavailable, AlVocabulary, FixCandidate};
