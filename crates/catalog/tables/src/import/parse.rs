//! Values of text into a column of one type, or the reason why not.

use super::moment;
use super::shape::{NumberStyle, float_word, parts, to_float, without_groups};
use arrow::array::timezone::Tz;
use arrow::array::{ArrayRef, ArrowPrimitiveType, BooleanBuilder, PrimitiveBuilder, StringBuilder};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use chrono::{LocalResult, Offset, TimeZone};
use std::str::FromStr;
use std::sync::Arc;

/// A column being filled.
pub(super) trait ColumnBuilder {
    /// Appends the value that `text` stands for.
    fn push(&mut self, text: &str) -> Result<(), String>;
    /// Appends a null.
    fn push_null(&mut self);
    /// The rows appended since the last call.
    fn finish(&mut self) -> ArrayRef;
    /// Whether empty text is a value.
    fn keeps_empty(&self) -> bool {
        false
    }
}

/// A builder of `data_type`; `None` for types that no text is read as.
pub(super) fn builder(data_type: &DataType, style: NumberStyle) -> Option<Box<dyn ColumnBuilder>> {
    Some(match data_type {
        DataType::Utf8 => Box::new(Text(StringBuilder::new())),
        DataType::Boolean => Box::new(Truth(BooleanBuilder::new())),
        DataType::Int8 => integers::<Int8Type>(style),
        DataType::Int16 => integers::<Int16Type>(style),
        DataType::Int32 => integers::<Int32Type>(style),
        DataType::Int64 => integers::<Int64Type>(style),
        DataType::UInt8 => integers::<UInt8Type>(style),
        DataType::UInt16 => integers::<UInt16Type>(style),
        DataType::UInt32 => integers::<UInt32Type>(style),
        DataType::UInt64 => integers::<UInt64Type>(style),
        DataType::Float32 => values::<Float32Type>(data_type, move |text| {
            let value = float(text, style)?;
            // Parsed as 32 bits at once: rounding twice may end at another number.
            let narrow = if value.is_finite() {
                narrow(text, style)?
            } else {
                value as f32
            };
            if narrow.is_infinite() && value.is_finite() {
                Err(beyond("float32"))
            } else {
                Ok(narrow)
            }
        }),
        DataType::Float64 => values::<Float64Type>(data_type, move |text| float(text, style)),
        DataType::Decimal128(precision, scale) => {
            let (precision, scale) = (*precision, *scale);
            values::<Decimal128Type>(data_type, move |text| decimal(text, style, precision, scale))
        }
        DataType::Date32 => values::<Date32Type>(data_type, |text| {
            let date = moment::date(text).ok_or("a date is written year-month-day, such as 2024-02-29")?;
            i32::try_from(moment::days(date)).map_err(|_| beyond("date"))
        }),
        DataType::Time32(TimeUnit::Second) => {
            values::<Time32SecondType>(data_type, |text| time(text, 0).map(|time| time as i32))
        }
        DataType::Time32(_) => values::<Time32MillisecondType>(data_type, |text| time(text, 3).map(|time| time as i32)),
        DataType::Time64(TimeUnit::Microsecond) => values::<Time64MicrosecondType>(data_type, |text| time(text, 6)),
        DataType::Time64(_) => values::<Time64NanosecondType>(data_type, |text| time(text, 9)),
        DataType::Timestamp(unit, zone) => {
            let zone = match zone {
                Some(zone) => Some(Tz::from_str(zone).ok()?),
                None => None,
            };
            match unit {
                TimeUnit::Second => {
                    values::<TimestampSecondType>(data_type, move |text| timestamp(text, 0, zone.as_ref()))
                }
                TimeUnit::Millisecond => {
                    values::<TimestampMillisecondType>(data_type, move |text| timestamp(text, 3, zone.as_ref()))
                }
                TimeUnit::Microsecond => {
                    values::<TimestampMicrosecondType>(data_type, move |text| timestamp(text, 6, zone.as_ref()))
                }
                TimeUnit::Nanosecond => {
                    values::<TimestampNanosecondType>(data_type, move |text| timestamp(text, 9, zone.as_ref()))
                }
            }
        }
        _ => return None,
    })
}

struct Text(StringBuilder);

impl ColumnBuilder for Text {
    fn push(&mut self, text: &str) -> Result<(), String> {
        self.0.append_value(text);
        Ok(())
    }

    fn push_null(&mut self) {
        self.0.append_null();
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }

    fn keeps_empty(&self) -> bool {
        true
    }
}

struct Truth(BooleanBuilder);

impl ColumnBuilder for Truth {
    fn push(&mut self, text: &str) -> Result<(), String> {
        let word = text.trim_ascii().to_ascii_lowercase();
        let value = match word.as_str() {
            "true" | "t" | "yes" | "y" | "1" => true,
            "false" | "f" | "no" | "n" | "0" => false,
            _ => return Err("a boolean is true or false, yes or no, 1 or 0".to_owned()),
        };
        self.0.append_value(value);
        Ok(())
    }

    fn push_null(&mut self) {
        self.0.append_null();
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

struct Values<T: ArrowPrimitiveType, F> {
    values: PrimitiveBuilder<T>,
    parse: F,
}

impl<T: ArrowPrimitiveType, F: Fn(&str) -> Result<T::Native, String>> ColumnBuilder for Values<T, F> {
    fn push(&mut self, text: &str) -> Result<(), String> {
        self.values.append_value((self.parse)(text.trim_ascii())?);
        Ok(())
    }

    fn push_null(&mut self) {
        self.values.append_null();
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.values.finish())
    }
}

fn values<T: ArrowPrimitiveType>(
    data_type: &DataType,
    parse: impl Fn(&str) -> Result<T::Native, String> + 'static,
) -> Box<dyn ColumnBuilder> {
    Box::new(Values {
        values: PrimitiveBuilder::<T>::new().with_data_type(data_type.clone()),
        parse,
    })
}

fn integers<T: ArrowPrimitiveType>(style: NumberStyle) -> Box<dyn ColumnBuilder>
where
    T::Native: FromStr,
{
    values::<T>(&T::DATA_TYPE, move |text| {
        // The common case first: plain digits.
        if let Ok(value) = text.parse() {
            return Ok(value);
        }
        let bare = without_groups(text.as_bytes(), style).ok_or_else(|| not_a_number(text))?;
        let parsed = parts(&bare).ok_or_else(|| not_a_number(text))?;
        if parsed.fraction.is_some() || parsed.exponent.is_some() {
            return Err("it is not a whole number".to_owned());
        }
        let digits = std::str::from_utf8(&bare).unwrap_or_default();
        digits
            .parse()
            .map_err(|_| beyond(&crate::types::type_name(&T::DATA_TYPE)))
    })
}

fn beyond(name: &str) -> String {
    format!("it is beyond what {name} can hold")
}

fn not_a_number(text: &str) -> String {
    if text.contains(|sign: char| sign.is_ascii_digit()) && text.contains([',', '.', '\'', ' ']) {
        return "it is not a number as they are written here; the reader options decimal and thousands say how"
            .to_owned();
    }
    "it is not a number".to_owned()
}

/// The bare number, checked to be one, with a point before its fraction.
fn plain(text: &str, style: NumberStyle) -> Result<String, String> {
    let bare = without_groups(text.as_bytes(), style).ok_or_else(|| not_a_number(text))?;
    let parsed = parts(&bare).ok_or_else(|| not_a_number(text))?;
    if let Some((point, _)) = parsed.fraction
        && point != style.decimal.unwrap_or(b'.')
    {
        return Err(not_a_number(text));
    }
    Ok(String::from_utf8_lossy(&bare).replace(',', "."))
}

fn float(text: &str, style: NumberStyle) -> Result<f64, String> {
    if float_word(text.as_bytes()) {
        return to_float(text.to_ascii_lowercase().as_bytes()).ok_or_else(|| not_a_number(text));
    }
    let value: f64 = plain(text, style)?.parse().map_err(|_| not_a_number(text))?;
    if value.is_infinite() {
        Err(beyond("float64"))
    } else {
        Ok(value)
    }
}

fn narrow(text: &str, style: NumberStyle) -> Result<f32, String> {
    plain(text, style)?.parse().map_err(|_| not_a_number(text))
}

fn decimal(text: &str, style: NumberStyle, precision: u8, scale: i8) -> Result<i128, String> {
    let bare = plain(text, style)?;
    let parsed = parts(bare.as_bytes()).ok_or_else(|| not_a_number(text))?;
    if parsed.exponent.is_some() {
        return Err("a decimal is written without an exponent".to_owned());
    }
    let scale = usize::from(scale.unsigned_abs());
    let fraction = parsed.fraction.map_or(&b""[..], |(_, digits)| digits);
    let kept = fraction
        .iter()
        .rposition(|digit| *digit != b'0')
        .map_or(0, |place| place + 1);
    if kept > scale {
        return Err(format!(
            "it has {kept} digits behind the point and would be rounded to {scale}"
        ));
    }
    let zeros = std::iter::repeat_n(b'0', scale - kept);
    let digits = parsed.whole.iter().chain(&fraction[..kept]).copied().chain(zeros);
    let digits: Vec<u8> = digits.skip_while(|digit| *digit == b'0').collect();
    if digits.len() > usize::from(precision) {
        return Err(beyond(&format!("decimal({precision}, {scale})")));
    }
    let value = digits
        .iter()
        .fold(0_i128, |value, digit| value * 10 + i128::from(digit - b'0'));
    Ok(if parsed.sign == Some(b'-') { -value } else { value })
}

fn time(text: &str, digits: u8) -> Result<i64, String> {
    let time = moment::time(text).ok_or("a time is written hours:minutes:seconds, such as 23:59:59.5")?;
    units(i64::from(time.seconds), time, digits)
}

/// Seconds with the fraction of `time` as a number of units with `digits` digits behind the second.
fn units(seconds: i64, time: moment::TimeOfDay, digits: u8) -> Result<i64, String> {
    if time.fraction > digits {
        let keeps = if digits == 0 {
            "no fraction".to_owned()
        } else {
            format!("{digits} digits")
        };
        return Err(format!(
            "its second has {} digits behind the point, the type keeps {keeps}",
            time.fraction
        ));
    }
    let factor = 10_i64.pow(u32::from(digits));
    let fraction = i64::from(time.nanoseconds) / 10_i64.pow(u32::from(9 - digits));
    seconds
        .checked_mul(factor)
        .and_then(|value| value.checked_add(fraction))
        .ok_or_else(|| "it is beyond what 64 bits of this unit can hold; take fewer digits".to_owned())
}

fn timestamp(text: &str, digits: u8, zone: Option<&Tz>) -> Result<i64, String> {
    let stamp = moment::timestamp(text)
        .ok_or("a timestamp is written year-month-day hours:minutes:seconds, perhaps with an offset behind it")?;
    let Some(zone) = zone else {
        if stamp.offset.is_some() {
            return Err("it has an offset, which a timestamp without a zone would lose; name a zone".to_owned());
        }
        return units(stamp.wall_seconds(), stamp.time, digits);
    };
    if let Some(offset) = stamp.offset {
        return units(stamp.wall_seconds() - i64::from(offset), stamp.time, digits);
    }
    // Without an offset it is what the clocks of the zone showed.
    let seconds = stamp.time.seconds;
    let wall = stamp.date.and_hms_opt(seconds / 3600, seconds / 60 % 60, seconds % 60);
    let wall = wall.ok_or("it is no time of day")?;
    let offset = match zone.offset_from_local_datetime(&wall) {
        LocalResult::Single(offset) => offset.fix().local_minus_utc(),
        LocalResult::None => return Err("the clocks of the zone skipped it; write the offset behind it".to_owned()),
        LocalResult::Ambiguous(..) => {
            return Err("the clocks of the zone showed it twice; write the offset behind it".to_owned());
        }
    };
    units(stamp.wall_seconds() - i64::from(offset), stamp.time, digits)
}
