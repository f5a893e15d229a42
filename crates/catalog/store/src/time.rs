//! The clock and chance: the only places that ask for them.

use std::time::SystemTime;

use jiff::Timestamp;

/// Now, UTC with microseconds, as in RFC 3339.
pub(crate) fn now() -> String {
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{now:.6}")
}

/// Seconds since 1970, for signatures; a clock before that counts as that.
pub(crate) fn now_seconds() -> i64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// Twelve random hexadecimal digits.
pub(crate) fn random_word() -> String {
    let mut bytes = [0_u8; 6];
    if getrandom::fill(&mut bytes).is_err() {
        // Names of temporary files and ids only have to differ; time and process make them.
        let nanoseconds = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos() as u64);
        let mixed = nanoseconds.rotate_left(23) ^ u64::from(std::process::id());
        bytes.copy_from_slice(&mixed.to_le_bytes()[..6]);
    }
    let number = bytes
        .iter()
        .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    format!("{number:012x}")
}
