//! What a single value looks like.

use super::moment;

/// What is known of how numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberStyle {
    /// The sign before the fraction, when it was given; else both are looked for.
    pub(super) decimal: Option<u8>,
    /// The sign between groups of three digits, when it was given; else such numbers are text.
    pub(super) thousands: Option<u8>,
}

/// The form of one value that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Integer {
        negative: bool,
        digits: u32,
        /// Exactly kept by 64-bit floating point.
        exact: bool,
    },
    /// A number with a fraction or an exponent.
    Number(Number),
    /// `nan`, `inf`, `-Infinity`.
    FloatWord,
    Boolean,
    Date,
    Time {
        fraction: u8,
    },
    Timestamp {
        fraction: u8,
        offset: Option<i32>,
        /// Within the years 64 bits of nanoseconds can hold.
        near: bool,
    },
    /// Digits behind a leading zero: most likely not a number but a code.
    LeadingZero,
    /// A number with a plus before it: perhaps a telephone number.
    PlusSign,
    /// Digits in groups of three.
    Grouped,
    /// Day, month and year in another order, or not of four digits.
    OtherDate,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "observations, each on its own")]
pub(super) struct Number {
    pub(super) whole: u32,
    pub(super) fraction: u32,
    pub(super) scientific: bool,
    pub(super) exact: bool,
    /// The fraction is behind a comma.
    pub(super) comma: bool,
    /// One group of three digits behind the sign: it may be a thousands separator.
    pub(super) ambiguous: bool,
}

impl Shape {
    /// How many kinds there are, for tables indexed by [`kind`](Self::kind).
    pub(super) const KINDS: usize = 13;

    pub(super) fn kind(self) -> usize {
        match self {
            Self::Integer { .. } => 0,
            Self::Number(number) if number.comma => 1,
            Self::Number(_) => 2,
            Self::FloatWord => 3,
            Self::Boolean => 4,
            Self::Date => 5,
            Self::Time { .. } => 6,
            Self::Timestamp { .. } => 7,
            Self::LeadingZero => 8,
            Self::PlusSign => 9,
            Self::Grouped => 10,
            Self::OtherDate => 11,
            Self::Text => 12,
        }
    }

    /// The shape of `text`, which is neither empty nor only spaces.
    pub(super) fn of(text: &[u8], style: NumberStyle) -> Self {
        let text = text.trim_ascii();
        let Some(first) = text.first() else {
            return Self::Text;
        };
        match first {
            b'0'..=b'9' | b'-' | b'+' | b'.' | b',' => of_number(text, style)
                .or_else(|| of_time(text))
                .or_else(|| grouped(text).then_some(Self::Grouped))
                .or_else(|| other_date(text).then_some(Self::OtherDate))
                .or_else(|| float_word(text).then_some(Self::FloatWord))
                .unwrap_or(Self::Text),
            b'n' | b'N' | b'i' | b'I' if float_word(text) => Self::FloatWord,
            b't' | b'T' | b'f' | b'F' if text.eq_ignore_ascii_case(b"true") || text.eq_ignore_ascii_case(b"false") => {
                Self::Boolean
            }
            _ => Self::Text,
        }
    }
}

/// A number without its groups, when they are sound; borrowed when it has none.
pub(super) fn without_groups(text: &[u8], style: NumberStyle) -> Option<std::borrow::Cow<'_, [u8]>> {
    let Some(sign) = style.thousands.filter(|sign| text.contains(sign)) else {
        return Some(text.into());
    };
    let point = style.decimal.unwrap_or(b'.');
    let end = text
        .iter()
        .position(|byte| *byte == point || byte.eq_ignore_ascii_case(&b'e'))
        .unwrap_or(text.len());
    let start = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let whole = text.get(start..end)?;
    let mut groups = whole.split(|byte| *byte == sign);
    let first = groups.next()?;
    let digits = |group: &[u8]| group.iter().all(u8::is_ascii_digit);
    let sound =
        (1..=3).contains(&first.len()) && digits(first) && groups.all(|group| group.len() == 3 && digits(group));
    sound.then(|| {
        text.iter()
            .copied()
            .filter(|byte| *byte != sign)
            .collect::<Vec<u8>>()
            .into()
    })
}

/// The parts of a number: sign, digits, digits of the fraction, exponent.
pub(super) struct Parts<'t> {
    pub(super) sign: Option<u8>,
    pub(super) whole: &'t [u8],
    /// With the sign before it.
    pub(super) fraction: Option<(u8, &'t [u8])>,
    pub(super) exponent: Option<&'t [u8]>,
}

/// `-12.5e+3`: at least one digit; the sign of the fraction is a point or a comma.
pub(super) fn parts(text: &[u8]) -> Option<Parts<'_>> {
    let sign = text.first().copied().filter(|byte| matches!(byte, b'-' | b'+'));
    let mut rest = &text[usize::from(sign.is_some())..];
    let whole = leading_digits(rest);
    rest = &rest[whole.len()..];
    let mut fraction = None;
    if let Some(point @ (b'.' | b',')) = rest.first() {
        let digits = leading_digits(&rest[1..]);
        fraction = Some((*point, digits));
        rest = &rest[1 + digits.len()..];
    }
    if whole.is_empty() && fraction.is_none_or(|(_, digits)| digits.is_empty()) {
        return None;
    }
    let mut exponent = None;
    if let Some(b'e' | b'E') = rest.first() {
        let signed = &rest[1..];
        let sign_length = usize::from(matches!(signed.first(), Some(b'-' | b'+')));
        let digits = leading_digits(&signed[sign_length..]);
        if digits.is_empty() {
            return None;
        }
        exponent = Some(&signed[..sign_length + digits.len()]);
        rest = &signed[sign_length + digits.len()..];
    }
    rest.is_empty().then_some(Parts {
        sign,
        whole,
        fraction,
        exponent,
    })
}

fn leading_digits(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

fn of_number(text: &[u8], style: NumberStyle) -> Option<Shape> {
    let text = without_groups(text, style)?;
    let Parts {
        sign,
        whole,
        fraction,
        exponent,
    } = parts(&text)?;
    if let (Some((point, _)), Some(decimal)) = (fraction, style.decimal)
        && point != decimal
    {
        return None;
    }
    if whole.len() > 1 && whole[0] == b'0' {
        return Some(Shape::LeadingZero);
    }
    if sign == Some(b'+') {
        return Some(Shape::PlusSign);
    }
    let negative = sign == Some(b'-');
    let digits = whole.len() as u32;
    if fraction.is_none() && exponent.is_none() {
        if negative && whole == b"0" {
            // Only floating point has a negative zero.
            let zero = Number {
                whole: 1,
                fraction: 0,
                scientific: false,
                exact: true,
                comma: false,
                ambiguous: false,
            };
            return Some(Shape::Number(zero));
        }
        return Some(Shape::Integer {
            negative,
            digits,
            exact: digits <= 15 || is_exact(&text),
        });
    }
    let (point, after) = fraction.unwrap_or((b'.', b""));
    let comma = point == b',';
    // Fifteen digits always survive; beyond, and at the ends of the range, it is tried.
    let short = whole.len() + after.len() <= 15 && exponent.is_none_or(is_moderate);
    let exact = short || is_exact(&text);
    Some(Shape::Number(Number {
        whole: digits,
        fraction: after.len() as u32,
        scientific: exponent.is_some(),
        exact,
        comma,
        ambiguous: style.decimal.is_none()
            && exponent.is_none()
            && after.len() == 3
            && (1..=3).contains(&whole.len())
            && whole[0] != b'0',
    }))
}

/// Far from the ends of the range of floating point, where fifteen digits do not survive.
fn is_moderate(exponent: &[u8]) -> bool {
    let value = std::str::from_utf8(exponent)
        .ok()
        .and_then(|text| text.parse::<i32>().ok());
    value.is_some_and(|value| value.abs() <= 250)
}

/// The number as 64-bit floating point; the fraction may be behind a comma.
pub(super) fn to_float(text: &[u8]) -> Option<f64> {
    let text: Vec<u8> = text
        .iter()
        .map(|byte| if *byte == b',' { b'.' } else { *byte })
        .collect();
    std::str::from_utf8(&text).ok()?.parse().ok()
}

/// Whether 64-bit floating point gives the number back: its shortest form has the same digits.
fn is_exact(text: &[u8]) -> bool {
    let Some(value) = to_float(text).filter(|value| value.is_finite()) else {
        return false;
    };
    significant(text).is_some_and(|wanted| significant(format!("{value:e}").as_bytes()) == Some(wanted))
}

/// Digits without zeros at either end, and the power of ten of the last one.
fn significant(text: &[u8]) -> Option<(Vec<u8>, i64)> {
    let Parts {
        whole,
        fraction,
        exponent,
        ..
    } = parts(text)?;
    let after = fraction.map_or(&b""[..], |(_, digits)| digits);
    let exponent: i64 = match exponent {
        Some(text) => std::str::from_utf8(text).ok()?.parse().ok()?,
        None => 0,
    };
    let mut digits: Vec<u8> = whole
        .iter()
        .chain(after)
        .copied()
        .skip_while(|digit| *digit == b'0')
        .collect();
    let mut power = exponent.checked_sub(i64::try_from(after.len()).ok()?)?;
    while digits.last() == Some(&b'0') {
        digits.pop();
        power = power.checked_add(1)?;
    }
    Some(if digits.is_empty() {
        (digits, 0)
    } else {
        (digits, power)
    })
}

/// `nan`, `inf` and `infinity` in any letter case, the last two with a sign.
pub(super) fn float_word(text: &[u8]) -> bool {
    let unsigned = match text.first() {
        Some(b'-' | b'+') => &text[1..],
        _ => text,
    };
    unsigned.eq_ignore_ascii_case(b"inf")
        || unsigned.eq_ignore_ascii_case(b"infinity")
        || text.eq_ignore_ascii_case(b"nan")
}

fn of_time(text: &[u8]) -> Option<Shape> {
    // Every form begins with two digits; nothing else needs a closer look.
    if text.len() < 8 || !text[..2].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    if text.as_bytes()[2] == b':' {
        let time = moment::time(text).filter(|_| text.len() >= 8)?;
        return Some(Shape::Time {
            fraction: time.fraction,
        });
    }
    if moment::date(text).is_some() {
        return Some(Shape::Date);
    }
    let stamp = moment::timestamp(text)?;
    Some(Shape::Timestamp {
        fraction: stamp.time.fraction,
        offset: stamp.offset,
        near: stamp.nanoseconds().is_some(),
    })
}

/// `1,234,567`, `1.234.567,89`, `1 234`, `1'234.50`: more than one sign, or one that is no point or comma.
fn grouped(text: &[u8]) -> bool {
    let text = match text.first() {
        Some(b'-' | b'+') => &text[1..],
        _ => text,
    };
    // A no-break space takes two bytes, a narrow one three.
    let text = String::from_utf8_lossy(text).replace(['\u{a0}', '\u{202f}'], " ");
    let Some(sign) = text
        .chars()
        .find(|sign| !sign.is_ascii_digit())
        .filter(|sign| matches!(sign, ',' | '.' | ' ' | '\''))
    else {
        return false;
    };
    let (whole, fraction) = match text.rfind(|other: char| !other.is_ascii_digit() && other != sign) {
        Some(place) if matches!(text.as_bytes()[place], b'.' | b',') => (&text[..place], Some(&text[place + 1..])),
        Some(_) => return false,
        None => (text.as_str(), None),
    };
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(sign);
    groups.next().is_some_and(|first| digits(first) && first.len() <= 3)
        && groups.all(|group| digits(group) && group.len() == 3)
        && fraction.is_none_or(digits)
}

/// `31.12.2023`, `12/31/23 10:00`: three numbers between equal signs, perhaps with a time.
fn other_date(text: &[u8]) -> bool {
    let end = text
        .iter()
        .position(|byte| matches!(byte, b' ' | b'T'))
        .unwrap_or(text.len());
    let date = &text[..end];
    let Some(sign) = date.iter().find(|byte| matches!(byte, b'/' | b'.' | b'-')) else {
        return false;
    };
    let parts: Vec<&[u8]> = date.split(|byte| byte == sign).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    parts.iter().all(|part| part.iter().all(u8::is_ascii_digit))
        && matches!(lengths.as_slice(), [1 | 2, 1 | 2, 2 | 4] | [4, 1 | 2, 1 | 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: NumberStyle = NumberStyle {
        decimal: None,
        thousands: None,
    };

    fn kinds(texts: &[&str]) -> Vec<usize> {
        texts
            .iter()
            .map(|text| Shape::of(text.as_bytes(), OPEN).kind())
            .collect()
    }

    #[test]
    fn numbers_are_told_from_codes() {
        assert_eq!(kinds(&["0", "-7", " 42 ", "9223372036854775808"]), [0; 4]);
        assert_eq!(kinds(&["1.5", "-.5", "5.", "1e5", "-0", "1E-3", "-0.0"]), [2; 7]);
        assert_eq!(kinds(&["1,5", "-0,25"]), [1; 2]);
        assert_eq!(kinds(&["007", "00", "-01", "00.5", "01e3"]), [8; 5]);
        assert_eq!(kinds(&["+49151", "+1.5"]), [9; 2]);
        assert_eq!(
            kinds(&["1,234,567", "1.234,56", "1 234", "1'234.50", "1\u{a0}234"]),
            [10; 5]
        );
        assert_eq!(
            kinds(&[
                "1.2.3",
                "1e",
                "e5",
                ".",
                "-",
                "1_000",
                "0x1F",
                "12%",
                "$5",
                "1d5",
                "\u{2212}5",
                "٣"
            ]),
            [12; 12]
        );
        assert_eq!(kinds(&["nan", "-inf", "Infinity", "NaN"]), [3; 4]);
        assert_eq!(kinds(&["-nan", "infinite", "nano"]), [12; 3]);
    }

    #[test]
    fn dates_are_real_and_written_from_the_year_down() {
        assert_eq!(kinds(&["2024-02-29", "0001-01-01"]), [5; 2]);
        assert_eq!(
            kinds(&["2023-02-29", "31/12/2023", "1.2.23", "2023/12/31", "12-31-2023 10:00"]),
            [11; 5]
        );
        assert_eq!(kinds(&["10:00:00", "23:59:59.123"]), [6; 2]);
        assert_eq!(
            kinds(&[
                "2024-01-01T10:00",
                "2024-01-01 10:00:00Z",
                "2024-01-01T10:00:00.5+02:00"
            ]),
            [7; 3]
        );
        assert_eq!(kinds(&["24:00:00", "10:00", "10:60:00"]), [12; 3]);
    }

    #[test]
    fn floating_point_that_would_round_is_noticed() {
        let exact = |text: &str| match Shape::of(text.as_bytes(), OPEN) {
            Shape::Number(number) => number.exact,
            Shape::Integer { exact, .. } => exact,
            other => panic!("{other:?}"),
        };
        assert!(
            [
                "0.1",
                "1e300",
                "0.30000000000000004",
                "1234567890.123456",
                "9007199254740992",
                "1e22"
            ]
            .map(exact)
            .iter()
            .all(|exact| *exact)
        );
        assert!(
            [
                "0.1234567890123456789",
                "1e400",
                "1e-400",
                "9007199254740993",
                "12345678901234567.5"
            ]
            .map(exact)
            .iter()
            .all(|exact| !exact)
        );
    }

    #[test]
    fn groups_count_only_when_their_sign_is_known() {
        let style = NumberStyle {
            decimal: Some(b','),
            thousands: Some(b'.'),
        };
        assert!(matches!(Shape::of(b"1.234", style), Shape::Integer { digits: 4, .. }));
        assert!(matches!(
            Shape::of(b"1.234,5", style),
            Shape::Number(Number {
                whole: 4,
                fraction: 1,
                ..
            })
        ));
        assert_eq!(Shape::of(b"1.23", style), Shape::Text);
        assert_eq!(Shape::of(b"1234.567", style).kind(), 12);
    }
}
