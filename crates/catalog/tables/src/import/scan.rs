//! What all values of a column have in common: its type.

use super::error::shown;
use super::moment::offset_name;
use super::note::{ImportNote, NoteKind};
use super::shape::{Number, NumberStyle, Shape};
use arrow::datatypes::{DataType, TimeUnit};

/// Digits a decimal can hold.
const DECIMAL_DIGITS: u32 = 38;
/// Offsets that are remembered for the message.
const OFFSETS: usize = 4;

const NAMES: [&str; Shape::KINDS] = [
    "whole numbers",
    "numbers with a comma",
    "numbers",
    "words for numbers",
    "true and false",
    "dates",
    "times",
    "timestamps",
    "digits behind a leading zero",
    "numbers with a plus before them",
    "numbers in groups of three digits",
    "dates in another order than year-month-day",
    "text",
];
const INTEGER: usize = 0;
const COMMA: usize = 1;
const POINT: usize = 2;
const WORD: usize = 3;
const DATE: usize = 5;
const LEADING_ZERO: usize = 8;
const PLUS: usize = 9;
const GROUPED: usize = 10;
const OTHER_DATE: usize = 11;
const TEXT: usize = 12;

/// All that is known of the values of one column.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "observations, each on its own")]
pub(super) struct ColumnScan {
    counts: [u64; Shape::KINDS],
    first: [Option<(u64, String)>; Shape::KINDS],
    /// Rows where nothing stands, not even quotes.
    pub(super) missing: u64,
    /// Quotes with nothing in them, or only spaces.
    empty: u64,
    negative: bool,
    beyond_signed: bool,
    beyond_unsigned: bool,
    /// Smallest and largest of the integers that fit 64 bits.
    pub(super) range: Option<(i64, i64)>,
    inexact: Option<(u64, String)>,
    scientific: bool,
    whole: u32,
    fraction: u32,
    certain_comma: bool,
    certain_point: bool,
    time_fraction: u8,
    offsets: Vec<i32>,
    naive: Option<(u64, String)>,
    zoned: Option<(u64, String)>,
    far: Option<(u64, String)>,
}

/// The type of a column, and what is worth telling about it.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    pub(super) data_type: DataType,
    pub(super) notes: Vec<ImportNote>,
}

/// What the columns together say about how numbers are written in this file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Evidence {
    comma: bool,
    point: bool,
}

impl Evidence {
    pub(super) fn of(columns: &[ColumnScan]) -> Self {
        Self {
            comma: columns
                .iter()
                .any(|column| column.certain_comma && column.only(&[INTEGER, COMMA, WORD])),
            point: columns
                .iter()
                .any(|column| column.certain_point && column.only(&[INTEGER, POINT, WORD])),
        }
    }
}

impl ColumnScan {
    /// Takes in one value.
    pub(super) fn add(&mut self, text: &[u8], quoted: bool, line: u64, style: NumberStyle, null_values: &[String]) {
        if text.is_empty() && !quoted || null_values.iter().any(|word| word.as_bytes() == text) {
            self.missing += 1;
            return;
        }
        if text.trim_ascii().is_empty() {
            self.empty += 1;
            return;
        }
        let shape = Shape::of(text, style);
        let kind = shape.kind();
        let example = || (line, shown(&String::from_utf8_lossy(text)));
        self.counts[kind] += 1;
        if self.first[kind].is_none() {
            self.first[kind] = Some(example());
        }
        match shape {
            Shape::Integer {
                negative,
                digits,
                exact,
            } => {
                self.negative |= negative;
                self.whole = self.whole.max(digits);
                if digits >= 18 {
                    self.note_range(text, negative);
                } else if let Some(value) = small_integer(text) {
                    self.widen(value);
                }
                if !exact && self.inexact.is_none() {
                    self.inexact = Some(example());
                }
            }
            Shape::Number(Number {
                whole,
                fraction,
                scientific,
                exact,
                comma,
                ambiguous,
            }) => {
                self.whole = self.whole.max(whole);
                self.fraction = self.fraction.max(fraction);
                self.scientific |= scientific;
                self.certain_comma |= comma && !ambiguous;
                self.certain_point |= !comma && !ambiguous;
                if !exact && self.inexact.is_none() {
                    self.inexact = Some(example());
                }
            }
            Shape::Time { fraction } => self.time_fraction = self.time_fraction.max(fraction),
            Shape::Timestamp { fraction, offset, near } => {
                self.time_fraction = self.time_fraction.max(fraction);
                if !near && self.far.is_none() {
                    self.far = Some(example());
                }
                match offset {
                    None if self.naive.is_none() => self.naive = Some(example()),
                    None => {}
                    Some(offset) => {
                        if self.zoned.is_none() {
                            self.zoned = Some(example());
                        }
                        if !self.offsets.contains(&offset) && self.offsets.len() < OFFSETS {
                            self.offsets.push(offset);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Rows with a value.
    pub(super) fn values(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether nothing at all stands in the column, not even quotes.
    pub(super) fn is_bare(&self) -> bool {
        self.values() == 0 && self.empty == 0
    }

    /// The one kind all values have, numbers with and without a fraction being one.
    pub(super) fn single_kind(&self) -> Option<usize> {
        let kind = self.counts.iter().position(|count| *count > 0)?;
        let numbers = [INTEGER, COMMA, POINT, WORD];
        let alike = if numbers.contains(&kind) {
            &numbers[..]
        } else {
            std::slice::from_ref(&kind)
        };
        self.only(alike)
            .then(|| if numbers.contains(&kind) { INTEGER } else { kind })
    }

    /// The kind more than half of the values have.
    pub(super) fn main_kind(&self) -> Option<usize> {
        let numbers: u64 = self.counts[..=WORD].iter().sum();
        let half = self.values() / 2;
        if numbers > half {
            return Some(INTEGER);
        }
        self.counts.iter().rposition(|count| *count > half)
    }

    fn only(&self, kinds: &[usize]) -> bool {
        self.counts
            .iter()
            .enumerate()
            .all(|(kind, count)| *count == 0 || kinds.contains(&kind))
    }

    fn note_range(&mut self, text: &[u8], negative: bool) {
        let digits = text.iter().filter(|byte| byte.is_ascii_digit() || **byte == b'-');
        let digits: String = digits.map(|byte| char::from(*byte)).collect();
        if let Ok(value) = digits.parse() {
            self.widen(value);
        } else {
            self.beyond_signed = true;
            self.beyond_unsigned |= negative || digits.parse::<u64>().is_err();
        }
    }

    fn widen(&mut self, value: i64) {
        let (low, high) = self.range.unwrap_or((value, value));
        self.range = Some((low.min(value), high.max(value)));
    }

    /// The most digits behind the point.
    pub(super) fn fraction(&self) -> u32 {
        self.fraction
    }

    /// The sign before the fraction that a column of numbers is read with.
    pub(super) fn point(&self, evidence: Evidence, style: NumberStyle) -> u8 {
        style.decimal.unwrap_or_else(|| {
            let comma = self.counts[POINT] == 0 && self.counts[COMMA] > 0;
            if comma && (self.certain_comma || evidence.comma && !evidence.point) {
                b','
            } else {
                b'.'
            }
        })
    }

    /// The type every value of the column has without losing anything.
    pub(super) fn resolve(&self, name: &str, evidence: Evidence, style: NumberStyle) -> Resolved {
        let mut notes = Vec::new();
        let decimal = self.point(evidence, style);
        let data_type = self.data_type(name, evidence, style, decimal, &mut notes);
        Resolved { data_type, notes }
    }

    fn data_type(
        &self,
        name: &str,
        evidence: Evidence,
        style: NumberStyle,
        decimal: u8,
        notes: &mut Vec<ImportNote>,
    ) -> DataType {
        if self.values() == 0 {
            notes.push(ImportNote::new(
                NoteKind::NoValues,
                Some(name),
                "the column has no value; it is text",
            ));
            return DataType::Utf8;
        }
        let mut text = |why: String| {
            notes.push(ImportNote::new(NoteKind::KeptAsText, Some(name), why));
            DataType::Utf8
        };
        let Some(kind) = self.single_kind().or_else(|| self.telling_kind()) else {
            return match self.odd_one() {
                Some(why) => text(why),
                None => DataType::Utf8,
            };
        };
        let example = |kind: usize| self.first[kind].as_ref().map_or("", |(_, value)| value);
        match kind {
            INTEGER => {
                let commas = self.counts[COMMA] > 0;
                let points = self.counts[POINT] > 0;
                if commas && points {
                    return text(format!(
                        "some numbers have a comma ({}) and some a point ({}); pass the reader options decimal and \
                         thousands to read them as numbers",
                        example(COMMA),
                        example(POINT)
                    ));
                }
                let certain = style.decimal.is_some()
                    || if commas {
                        decimal == b','
                    } else {
                        self.certain_point || !evidence.comma
                    };
                if (commas || points) && !certain {
                    let sign = if commas { COMMA } else { POINT };
                    return text(format!(
                        "{} may be a fraction or a group of three digits; pass the reader option decimal, or thousands",
                        example(sign)
                    ));
                }
                self.number(commas || points, decimal, name, notes)
            }
            4 => DataType::Boolean,
            DATE => DataType::Date32,
            6 => DataType::Time64(self.unit()),
            7 => self.timestamp(name, notes),
            LEADING_ZERO => text(format!(
                "{} and others begin with a zero that a number would lose",
                example(LEADING_ZERO)
            )),
            PLUS => text(format!(
                "{} and others begin with a plus that a number would lose",
                example(PLUS)
            )),
            GROUPED => text(format!(
                "{} and others have digits in groups; pass the reader option thousands to read them as numbers",
                example(GROUPED)
            )),
            OTHER_DATE => text(format!(
                "{} and others are no dates in the order year-month-day; convert them in a query, where their order \
                 can be stated",
                example(OTHER_DATE)
            )),
            _ => DataType::Utf8,
        }
    }

    fn number(&self, fractions: bool, decimal: u8, name: &str, notes: &mut Vec<ImportNote>) -> DataType {
        let words = self.counts[WORD] > 0;
        if words && self.only(&[WORD]) {
            return DataType::Utf8;
        }
        if !fractions && !words {
            return match (self.beyond_signed, self.beyond_unsigned || self.negative) {
                (false, _) => DataType::Int64,
                (true, false) => DataType::UInt64,
                (true, true) if self.whole <= DECIMAL_DIGITS => DataType::Decimal128(38, 0),
                (true, true) => {
                    let text = format!(
                        "a number has {} digits; no type of numbers holds more than 38",
                        self.whole
                    );
                    notes.push(ImportNote::new(NoteKind::KeptAsText, Some(name), text));
                    DataType::Utf8
                }
            };
        }
        if fractions && decimal == b',' {
            let text = "the comma in its numbers is the sign before the fraction";
            notes.push(ImportNote::new(NoteKind::DecimalComma, Some(name), text));
        }
        let Some((line, value)) = &self.inexact else {
            return DataType::Float64;
        };
        let fits = self.whole + self.fraction <= DECIMAL_DIGITS;
        if fits && !self.scientific && !words {
            return DataType::Decimal128(38, i8::try_from(self.fraction).unwrap_or(0));
        }
        let text = format!("{value} in line {line} would be rounded by floating point and fits no decimal");
        notes.push(ImportNote::new(NoteKind::KeptAsText, Some(name), text));
        DataType::Utf8
    }

    fn unit(&self) -> TimeUnit {
        if self.time_fraction > 6 {
            TimeUnit::Nanosecond
        } else {
            TimeUnit::Microsecond
        }
    }

    fn timestamp(&self, name: &str, notes: &mut Vec<ImportNote>) -> DataType {
        let unit = self.unit();
        if let (Some((line, value)), TimeUnit::Nanosecond) = (&self.far, unit) {
            let text = format!("{value} in line {line} is beyond what nanoseconds in 64 bits can hold (1677 to 2262)");
            notes.push(ImportNote::new(NoteKind::KeptAsText, Some(name), text));
            return DataType::Utf8;
        }
        match (&self.naive, &self.zoned) {
            (Some((line, naive)), Some((other, zoned))) => {
                let text = format!(
                    "{zoned} in line {other} has an offset and {naive} in line {line} has none: they are not on one clock"
                );
                notes.push(ImportNote::new(NoteKind::KeptAsText, Some(name), text));
                DataType::Utf8
            }
            (_, None) => DataType::Timestamp(unit, None),
            (None, Some(_)) => {
                if let [offset] = self.offsets.as_slice() {
                    return DataType::Timestamp(unit, Some(offset_name(*offset).into()));
                }
                let names: Vec<String> = self.offsets.iter().map(|offset| offset_name(*offset)).collect();
                let text = format!(
                    "its offsets differ ({}), so it holds the instants in UTC; pin \"timestamp(6, 'Area/City')\" to see \
                     them on the clock of a place, or \"string\" to keep the text",
                    names.join(", ")
                );
                notes.push(ImportNote::new(NoteKind::Offsets, Some(name), text));
                DataType::Timestamp(unit, Some("UTC".into()))
            }
        }
    }

    /// Among values of several kinds, the one that says why they are not one type: `007` beside 42, `1,234,567` beside
    /// 1,234, `31/12/2023` beside `2023-12-31`.
    fn telling_kind(&self) -> Option<usize> {
        let numbers = |kind: usize| self.only(&[INTEGER, COMMA, POINT, kind]) && self.counts[kind] > 0;
        [LEADING_ZERO, PLUS, GROUPED]
            .into_iter()
            .find(|kind| numbers(*kind))
            .or_else(|| self.only(&[DATE, OTHER_DATE]).then_some(OTHER_DATE))
    }

    /// When nearly all values are of one kind: which one is not. Columns that are simply text need no word.
    fn odd_one(&self) -> Option<String> {
        let number = |kind: usize| kind <= WORD;
        let total = self.values();
        let numbers: u64 = self.counts[..=WORD].iter().sum();
        let (main, count) = if numbers > 0 && numbers >= self.counts[4..].iter().copied().max().unwrap_or(0) {
            (INTEGER, numbers)
        } else {
            let kind = (4..Shape::KINDS).max_by_key(|kind| self.counts[*kind])?;
            (kind, self.counts[kind])
        };
        if main == TEXT || count * 2 < total {
            return None;
        }
        let other = (0..Shape::KINDS)
            .filter(|kind| self.counts[*kind] > 0 && !(*kind == main || number(main) && number(*kind)))
            .min_by_key(|kind| self.first[*kind].as_ref().map_or(u64::MAX, |(line, _)| *line))?;
        let (line, value) = self.first[other].as_ref()?;
        let main = if main == INTEGER { "numbers" } else { NAMES[main] };
        let rest = total - count;
        let more = if rest > 1 {
            format!(" (nor {} more)", rest - 1)
        } else {
            String::new()
        };
        let advice = if other == TEXT {
            "; if it means that there is no value, pass it in the reader option null_values"
        } else {
            ""
        };
        Some(format!(
            "{count} of {total} values are {main}, but {value} in line {line} is not{more}{advice}"
        ))
    }
}

/// An integer of at most 17 digits, spaces and groups left out.
fn small_integer(text: &[u8]) -> Option<i64> {
    let mut value = 0_i64;
    let mut negative = false;
    for byte in text {
        match byte {
            b'0'..=b'9' => value = value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?,
            b'-' => negative = true,
            _ => {}
        }
    }
    Some(if negative { -value } else { value })
}
