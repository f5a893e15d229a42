//! Dates and times as ISO 8601 writes them; nothing depends on the machine's clock or zone.

use chrono::{Datelike, NaiveDate};

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeOfDay {
    /// Since midnight.
    pub(super) seconds: u32,
    pub(super) nanoseconds: u32,
    /// Digits of the fraction, without zeros at its end.
    pub(super) fraction: u8,
}

/// A date with a time, and perhaps an offset from UTC in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) date: NaiveDate,
    pub(super) time: TimeOfDay,
    pub(super) offset: Option<i32>,
}

impl Stamp {
    /// Seconds since 1970 as the clock shows them, the offset not applied.
    pub(super) fn wall_seconds(&self) -> i64 {
        days(self.date) * 86_400 + i64::from(self.time.seconds)
    }

    /// Nanoseconds since 1970, when 64 bits hold them (1677 to 2262).
    pub(super) fn nanoseconds(&self) -> Option<i64> {
        let seconds = self.wall_seconds() - i64::from(self.offset.unwrap_or(0));
        seconds
            .checked_mul(1_000_000_000)?
            .checked_add(i64::from(self.time.nanoseconds))
    }
}

/// Days since 1970.
pub(super) fn days(date: NaiveDate) -> i64 {
    i64::from(date.num_days_from_ce()) - 719_163
}

/// `2024-02-29`, and only days there are.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(&bytes[..4])?, number(&bytes[5..7])?, number(&bytes[8..])?);
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// `10:00`, `10:00:00`, `10:00:00.123456789`.
pub(super) fn time(text: &str) -> Option<TimeOfDay> {
    let bytes = text.as_bytes();
    if bytes.len() < 5 || bytes[2] != b':' {
        return None;
    }
    let (hour, minute) = (number(&bytes[..2])?, number(&bytes[3..5])?);
    let mut parsed = TimeOfDay {
        seconds: hour * 3600 + minute * 60,
        nanoseconds: 0,
        fraction: 0,
    };
    if hour > 23 || minute > 59 {
        return None;
    }
    if bytes.len() == 5 {
        return Some(parsed);
    }
    if bytes.len() < 8 || bytes[5] != b':' {
        return None;
    }
    let second = number(&bytes[6..8])?;
    if second > 59 {
        return None;
    }
    parsed.seconds += second;
    if bytes.len() == 8 {
        return Some(parsed);
    }
    if bytes[8] != b'.' || bytes.len() == 9 || !bytes[9..].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = bytes[9..].iter().rev().take_while(|digit| **digit == b'0').count();
    let digits = &bytes[9..bytes.len() - zeros];
    if digits.len() > 9 {
        return None;
    }
    parsed.fraction = digits.len() as u8;
    parsed.nanoseconds = digits
        .iter()
        .fold(0, |value, digit| value * 10 + u32::from(digit - b'0'))
        * 10_u32.pow(9 - digits.len() as u32);
    Some(parsed)
}

/// A date, `T` or a space, a time, and perhaps `Z`, `+02`, `+0200` or `+02:00`, a space before it or not.
pub(super) fn timestamp(text: &str) -> Option<Stamp> {
    let day = date(text.get(..10)?)?;
    let rest = text.get(10..)?;
    let rest = rest
        .strip_prefix('T')
        .or_else(|| rest.strip_prefix(' '))
        .or_else(|| rest.strip_prefix('t'))?;
    let end = rest.find(['Z', 'z', '+', '-', ' ']).unwrap_or(rest.len());
    let time = time(&rest[..end])?;
    let zone = rest[end..].strip_prefix(' ').unwrap_or(&rest[end..]);
    let offset = match zone {
        "" if end == rest.len() => None,
        "Z" | "z" => Some(0),
        _ => Some(offset(zone)?),
    };
    Some(Stamp {
        date: day,
        time,
        offset,
    })
}

fn offset(text: &str) -> Option<i32> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = &text.as_bytes()[1..];
    let (hours, minutes) = match digits.len() {
        2 => (number(digits)?, 0),
        4 => (number(&digits[..2])?, number(&digits[2..])?),
        5 if digits[2] == b':' => (number(&digits[..2])?, number(&digits[3..])?),
        _ => return None,
    };
    // No place on Earth is further away than 14 hours; zones of 18 are still read.
    (hours <= 18 && minutes < 60).then(|| sign * i32::try_from(hours * 3600 + minutes * 60).unwrap_or(0))
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |value, digit| {
        digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0'))
    })
}

/// An offset as a zone is named by it: `+05:30`, and `UTC` for none.
pub(super) fn offset_name(seconds: i32) -> String {
    if seconds == 0 {
        return "UTC".to_owned();
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(days(NaiveDate::from_ymd_opt(1970, 1, 1).expect("a day")), 0);
        assert_eq!(days(NaiveDate::from_ymd_opt(1969, 12, 31).expect("a day")), -1);
    }

    #[test]
    fn offsets_are_read_in_every_form() {
        let offset = |text: &str| timestamp(text).and_then(|stamp| stamp.offset);
        assert_eq!(offset("2024-01-01T10:00:00Z"), Some(0));
        assert_eq!(offset("2024-01-01T10:00:00+05:30"), Some(19_800));
        assert_eq!(offset("2024-01-01 10:00-0800"), Some(-28_800));
        assert_eq!(offset("2024-01-01 10:00:00.5 +02"), Some(7_200));
        assert_eq!(offset("2024-01-01 10:00:00"), None);
        for wrong in [
            "2024-01-01",
            "2024-01-01 ",
            "2024-01-01 10:00 ",
            "2024-01-01 10:00+2",
            "2024-01-01 10:00 CET",
        ] {
            assert_eq!(timestamp(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn fractions_are_exact() {
        let time = time("00:00:01.120000000000").expect("a time");
        assert_eq!((time.seconds, time.nanoseconds, time.fraction), (1, 120_000_000, 2));
        assert_eq!(super::time("00:00:00.0123456789"), None);
    }
}
