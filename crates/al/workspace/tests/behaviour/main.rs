//! What the workspace does, on small folders of files.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

#[cfg(unix)]
mod discovery;
mod source;
mod support;
#[cfg(unix)]
mod write;
#[cfg(unix)]
mod write_killed;
