//! What the process has used.

use std::fs;

/// Peak resident memory in bytes; `None` where the system does not tell.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kibibytes| kibibytes * 1024)
}

/// `bytes` in millions, for showing.
#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
