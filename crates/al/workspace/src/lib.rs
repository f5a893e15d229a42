//! Files, settings, rulesets, refresh and guarded writes of AL projects.
//!
//! The only AL crate with files, clock and threads. It knows no rules (their ids are
//! texts here), no tools and no protocol: paths and settings go in, plain data comes out,
//! and every problem on the way is a [`Warning`] with its place.
//!
//! * [`file_system`] is the door to the disk, [`faults`] the same door for tests.
//! * [`discovery`] finds projects and their files, [`source`] reads them.
//! * [`configuration`] reads manifests, settings and rulesets.
//! * [`translations`] reads translation files, for those who ask.
//! * [`project`] keeps a project in memory and in step with the disk.
//! * [`mod@write`] changes files only while they are what a change was computed from.

mod cancellation;
pub mod configuration;
pub mod discovery;
pub mod faults;
pub mod file_system;
mod json;
pub mod path;
pub mod project;
pub mod source;
pub mod translations;
mod warning;
pub mod write;

pub use cancellation::{Cancellation, Cancelled};
pub use json::Located;
pub use path::{PathProblem, normalize_path};
pub use warning::{Problem, Warning};
