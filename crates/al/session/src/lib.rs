//! The facade of candor-al: analyse, look up, fix, over an immutable snapshot per call.
//!
//! * [`Session`] answers the five tools; [`tools`] is the data that goes into them and comes out of them.
//! * [`check`] works through many files once, for the command line; [`fix`] repairs on the way.
//! * [`rules`] lists the rules for people.
//! * [`Incident`] is what went wrong beside an answer, for the journal.

mod analysis;
mod analyze;
pub mod check;
mod clock;
mod difference;
mod discover;
pub mod fix;
mod fix_all;
mod fixes;
mod incident;
mod list_rules;
mod lookup;
mod meaning;
mod message;
mod notes;
mod plan;
mod position;
mod project_checks;
mod repair;
pub mod rules;
mod safety;
mod session;
pub mod tools;
mod translations;
mod version;
mod vocabulary;

pub use candor_al_rules::install_panic_hook;
pub use candor_al_workspace::Cancellation;
pub use discover::{Discovered, discover_projects};
pub use incident::Incident;
pub use safety::FixSafety;
pub use session::{Answer, Session};
pub use vocabulary::{AlError, AlFaulted, AlNotFound, AlPlace, AlUnavailable, AlVocabulary, FixCandidate};
