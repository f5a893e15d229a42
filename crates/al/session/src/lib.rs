//! The facade of candor-al: analyse, look up, fix, over an immutable snapshot per call.

mod safety;
pub mod tools;
mod vocabulary;

pub use safety::FixSafety;
pub use vocabulary::{AlError, AlFaulted, AlNotFound, AlPlace, AlUnavailable, AlVocabulary, FixCandidate};
