//! How much memory this process has needed.

use std::fs;

/// The most memory this process has held at once, in bytes. `None` where the
/// system does not tell.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    peak_in_status(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Linux writes it as `VmHWM:     1234 kB`, in units of 1,024 bytes.
fn peak_in_status(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_linux_own_words() {
        assert_eq!(peak_in_status("VmPeak:\t9 kB\nVmHWM:\t    1234 kB\n"), Some(1_263_616));
        assert_eq!(peak_in_status("VmPeak:\t9 kB\n"), None);
    }
}
