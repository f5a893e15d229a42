//! What the workspace does, on small folders of files.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

mod alcops;
mod configuration;
#[cfg(unix)]
mod discovery;
#[cfg(unix)]
mod project;
mod ruleset;
mod source;
mod support;
mod translations;
#[cfg(unix)]
mod write;
#[cfg(unix)]
mod write_killed;
