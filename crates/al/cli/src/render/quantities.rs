//! Numbers with units, short enough to read.

use std::time::Duration;

/// `12.3 MB`, in powers of ten as disks and networks are measured.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    for (size, unit) in UNITS {
        if number >= size {
            let tenths = number / (size / 10);
            return format!("{}.{} {unit}", tenths / 10, tenths % 10);
        }
    }
    format!("{number} B")
}

/// `15 600 000` is hard to read without its spaces: `15,600,000`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1.23 s`, `45 ms`, `3.2 ms`, `320 µs`.
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 0.01 {
        format!("{:.0} ms", seconds * 1_000.0)
    } else if seconds >= 0.001 {
        format!("{:.1} ms", seconds * 1_000.0)
    } else {
        format!("{:.0} µs", seconds * 1_000_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_short() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_000), "1.0 kB");
        assert_eq!(bytes(715_200_000), "715.2 MB");
        assert_eq!(bytes(u64::MAX), "18446744073.7 GB");
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(15_600_000), "15,600,000");
        assert_eq!(time(Duration::from_micros(320)), "320 µs");
        assert_eq!(time(Duration::from_micros(3_210)), "3.2 ms");
        assert_eq!(time(Duration::from_millis(45)), "45 ms");
        assert_eq!(time(Duration::from_millis(12_345)), "12.35 s");
    }
}
