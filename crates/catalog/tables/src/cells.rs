//! Rows as JSON that no reader can misunderstand.
//!
//! JSON has one kind of number and most readers keep it in 64 bits of floating point. So:
//!
//! | type | in JSON |
//! |---|---|
//! | null of any type | `null`: a cell without a value is data, and the key is there |
//! | boolean | `true`, `false` |
//! | integers up to 32 bits | a number |
//! | 64-bit integers, decimals | a string of digits, `"9007199254740993"`, `"1.50"` |
//! | floating point | the shortest number that reads back the same; `NaN` is `null`, infinities are `"inf"`, `"-inf"` |
//! | date, time | `"2024-02-29"`, `"23:59:59.5"` |
//! | timestamp | `"2024-02-29T23:59:59.5"`; with a zone, its wall clock there and the offset, `"…+02:00"`, UTC `"…Z"` |
//! | duration, interval | ISO 8601, `"PT1H30M"`, `"P1M2DT3S"` |
//! | text | itself |
//! | bytes | their text when they are printable UTF-8, else `"<16 bytes>"` |
//! | list | an array |
//! | struct | an object |
//! | map | an array of `{"key", "value"}` |
//!
//! That `NaN` and null look alike is the price of plain JSON; a query that asks for `isnan` tells them apart, and
//! [`NotANumber::Text`] does. A cell larger than the limit is cut, says so itself, and is counted.

use crate::types::type_name;
use arrow::array::timezone::Tz;
use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DecimalType, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalDayTimeType,
    IntervalMonthDayNanoType, IntervalUnit, IntervalYearMonthType, Schema, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::temporal_conversions::{as_date, as_datetime, as_time};
use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// How cells are written.
#[derive(Debug, Clone)]
pub struct CellOptions {
    /// The most bytes of text one cell takes; longer ones are cut.
    pub max_bytes: usize,
    /// What a NaN becomes.
    pub not_a_number: NotANumber,
}

impl Default for CellOptions {
    fn default() -> Self {
        Self {
            max_bytes: 4096,
            not_a_number: NotANumber::Null,
        }
    }
}

/// What a NaN becomes in JSON, which has no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotANumber {
    /// `null`.
    Null,
    /// `"NaN"`.
    Text,
}

/// Rows as JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonRows {
    /// One object a row, its keys in the order of the columns.
    pub rows: Vec<Value>,
    /// How many cells were cut.
    pub cut: usize,
}

/// A column as replies show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnType {
    /// Its name.
    pub name: String,
    /// The name of its type, see [`types`](crate::types).
    #[serde(rename = "type")]
    pub data_type: String,
}

/// The columns of a schema as replies show them.
pub fn column_types(schema: &Schema) -> Vec<ColumnType> {
    let column = |field: &std::sync::Arc<arrow::datatypes::Field>| ColumnType {
        name: field.name().clone(),
        data_type: type_name(field.data_type()),
    };
    schema.fields().iter().map(column).collect()
}

/// The rows of `batch`, one object each.
pub fn rows_to_json(batch: &RecordBatch, options: &CellOptions) -> JsonRows {
    let mut writer = CellWriter { options, cut: 0 };
    let mut rows: Vec<Map<String, Value>> = vec![Map::new(); batch.num_rows()];
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        // Expanded once: looking every cell up on its own would take time in the square of the rows.
        let column = match column.as_any_dictionary_opt() {
            Some(dictionary) => arrow::compute::take(dictionary.values(), dictionary.keys(), None),
            None => Ok(column.clone()),
        };
        for (place, row) in rows.iter_mut().enumerate() {
            let cell = column.as_ref().map_or(Value::Null, |column| writer.cell(column, place));
            row.insert(field.name().clone(), cell);
        }
    }
    JsonRows {
        rows: rows.into_iter().map(Value::Object).collect(),
        cut: writer.cut,
    }
}

struct CellWriter<'o> {
    options: &'o CellOptions,
    cut: usize,
}

impl CellWriter<'_> {
    fn cell(&mut self, array: &dyn Array, row: usize) -> Value {
        let mut left = self.options.max_bytes;
        let mut cut = false;
        let value = self.value(array, row, &mut left, &mut cut);
        self.cut += usize::from(cut);
        value
    }

    /// `left` is how many bytes this cell may still take.
    fn value(&self, array: &dyn Array, row: usize, left: &mut usize, cut: &mut bool) -> Value {
        if array.is_null(row) {
            return Value::Null;
        }
        match array.data_type() {
            DataType::Null => Value::Null,
            DataType::Boolean => json!(array.as_boolean().value(row)),
            DataType::Int8 => json!(at::<Int8Type>(array, row)),
            DataType::Int16 => json!(at::<Int16Type>(array, row)),
            DataType::Int32 => json!(at::<Int32Type>(array, row)),
            DataType::UInt8 => json!(at::<UInt8Type>(array, row)),
            DataType::UInt16 => json!(at::<UInt16Type>(array, row)),
            DataType::UInt32 => json!(at::<UInt32Type>(array, row)),
            DataType::Int64 => json!(at::<Int64Type>(array, row).to_string()),
            DataType::UInt64 => json!(at::<UInt64Type>(array, row).to_string()),
            DataType::Float16 => self.float(f64::from(at::<Float16Type>(array, row).to_f32())),
            DataType::Float32 => {
                let value = at::<Float32Type>(array, row);
                // Widening 0.1 would show 0.10000000149011612, which nobody wrote.
                self.float(if value.is_finite() {
                    value.to_string().parse().unwrap_or(f64::NAN)
                } else {
                    value.into()
                })
            }
            DataType::Float64 => self.float(at::<Float64Type>(array, row)),
            DataType::Decimal32(precision, scale) => decimal::<Decimal32Type>(array, row, *precision, *scale),
            DataType::Decimal64(precision, scale) => decimal::<Decimal64Type>(array, row, *precision, *scale),
            DataType::Decimal128(precision, scale) => decimal::<Decimal128Type>(array, row, *precision, *scale),
            DataType::Decimal256(precision, scale) => decimal::<Decimal256Type>(array, row, *precision, *scale),
            DataType::Date32
            | DataType::Date64
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Timestamp(..)
            | DataType::Duration(_)
            | DataType::Interval(_) => json!(temporal(array, row)),
            DataType::Utf8 => Self::text(array.as_string::<i32>().value(row), left, cut),
            DataType::LargeUtf8 => Self::text(array.as_string::<i64>().value(row), left, cut),
            DataType::Utf8View => Self::text(array.as_string_view().value(row), left, cut),
            DataType::Binary => Self::bytes(array.as_binary::<i32>().value(row), left, cut),
            DataType::LargeBinary => Self::bytes(array.as_binary::<i64>().value(row), left, cut),
            DataType::BinaryView => Self::bytes(array.as_binary_view().value(row), left, cut),
            DataType::FixedSizeBinary(_) => Self::bytes(array.as_fixed_size_binary().value(row), left, cut),
            DataType::List(_) => self.list(&array.as_list::<i32>().value(row), left, cut),
            DataType::LargeList(_) => self.list(&array.as_list::<i64>().value(row), left, cut),
            DataType::ListView(_) => self.list(&array.as_list_view::<i32>().value(row), left, cut),
            DataType::LargeListView(_) => self.list(&array.as_list_view::<i64>().value(row), left, cut),
            DataType::FixedSizeList(..) => self.list(&array.as_fixed_size_list().value(row), left, cut),
            DataType::Struct(fields) => {
                let columns = array.as_struct().columns();
                let mut object = Map::new();
                for (field, column) in fields.iter().zip(columns) {
                    take(left, field.name().len());
                    object.insert(field.name().clone(), self.value(column, row, left, cut));
                }
                Value::Object(object)
            }
            DataType::Map(..) => {
                let entries = array.as_map().value(row);
                let (keys, values) = (entries.column(0), entries.column(1));
                Self::items(entries.len(), left, cut, |place, left, cut| {
                    let key = self.value(keys, place, left, cut);
                    json!({ "key": key, "value": self.value(values, place, left, cut) })
                })
            }
            DataType::Union(..) => {
                let union = array.as_union();
                self.value(&union.value(row), 0, left, cut)
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let place = dictionary.normalized_keys()[row];
                self.value(dictionary.values(), place, left, cut)
            }
            DataType::RunEndEncoded(ends, _) => match ends.data_type() {
                DataType::Int16 => {
                    let runs = array.as_run::<Int16Type>();
                    self.value(runs.values(), runs.get_physical_index(row), left, cut)
                }
                DataType::Int32 => {
                    let runs = array.as_run::<Int32Type>();
                    self.value(runs.values(), runs.get_physical_index(row), left, cut)
                }
                _ => {
                    let runs = array.as_run::<Int64Type>();
                    self.value(runs.values(), runs.get_physical_index(row), left, cut)
                }
            },
        }
    }

    fn float(&self, value: f64) -> Value {
        if value.is_nan() {
            return match self.options.not_a_number {
                NotANumber::Null => Value::Null,
                NotANumber::Text => json!("NaN"),
            };
        }
        if value.is_infinite() {
            json!(value.to_string())
        } else {
            json!(value)
        }
    }

    fn text(text: &str, left: &mut usize, cut: &mut bool) -> Value {
        if text.len() <= *left {
            take(left, text.len());
            return json!(text);
        }
        *cut = true;
        let mut end = *left;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        *left = 0;
        json!(format!("{}… ({} bytes)", &text[..end], text.len()))
    }

    fn bytes(bytes: &[u8], left: &mut usize, cut: &mut bool) -> Value {
        match std::str::from_utf8(bytes) {
            Ok(text)
                if !text
                    .chars()
                    .any(|sign| sign.is_control() && !matches!(sign, '\n' | '\r' | '\t')) =>
            {
                Self::text(text, left, cut)
            }
            _ => json!(format!("<{} bytes>", bytes.len())),
        }
    }

    fn list(&self, items: &dyn Array, left: &mut usize, cut: &mut bool) -> Value {
        Self::items(items.len(), left, cut, |place, left, cut| {
            self.value(items, place, left, cut)
        })
    }

    fn items(
        count: usize,
        left: &mut usize,
        cut: &mut bool,
        item: impl Fn(usize, &mut usize, &mut bool) -> Value,
    ) -> Value {
        let mut items = Vec::new();
        for place in 0..count {
            if *left == 0 {
                *cut = true;
                items.push(json!(format!("… ({} more)", count - place)));
                break;
            }
            // Whatever an item is, it takes some room: a million nulls have to end as well.
            take(left, 4);
            items.push(item(place, left, cut));
        }
        Value::Array(items)
    }
}

fn take(left: &mut usize, bytes: usize) {
    *left = left.saturating_sub(bytes);
}

fn at<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> T::Native {
    array.as_primitive::<T>().value(row)
}

fn decimal<T: DecimalType>(array: &dyn Array, row: usize, precision: u8, scale: i8) -> Value {
    json!(T::format_decimal(at::<T>(array, row), precision, scale))
}

/// Dates, times and spans as ISO 8601. A value beyond the calendar is given as its bare number and unit.
fn temporal(array: &dyn Array, row: usize) -> String {
    match array.data_type() {
        DataType::Date32 => {
            let days = at::<Date32Type>(array, row);
            as_date::<Date32Type>(days.into()).map_or_else(|| format!("{days} days"), |date| date.to_string())
        }
        DataType::Date64 => {
            let value = at::<Date64Type>(array, row);
            match as_datetime::<Date64Type>(value) {
                Some(time) if value % 86_400_000 == 0 => time.date().to_string(),
                Some(time) => naive(time),
                None => format!("{value} ms"),
            }
        }
        DataType::Time32(TimeUnit::Second) => time::<Time32SecondType>(at::<Time32SecondType>(array, row).into(), "s"),
        DataType::Time32(_) => time::<Time32MillisecondType>(at::<Time32MillisecondType>(array, row).into(), "ms"),
        DataType::Time64(TimeUnit::Microsecond) => {
            time::<Time64MicrosecondType>(at::<Time64MicrosecondType>(array, row), "us")
        }
        DataType::Time64(_) => time::<Time64NanosecondType>(at::<Time64NanosecondType>(array, row), "ns"),
        DataType::Timestamp(unit, zone) => {
            let zone = zone.as_deref();
            match unit {
                TimeUnit::Second => timestamp::<TimestampSecondType>(at::<TimestampSecondType>(array, row), zone, "s"),
                TimeUnit::Millisecond => {
                    timestamp::<TimestampMillisecondType>(at::<TimestampMillisecondType>(array, row), zone, "ms")
                }
                TimeUnit::Microsecond => {
                    timestamp::<TimestampMicrosecondType>(at::<TimestampMicrosecondType>(array, row), zone, "us")
                }
                TimeUnit::Nanosecond => {
                    timestamp::<TimestampNanosecondType>(at::<TimestampNanosecondType>(array, row), zone, "ns")
                }
            }
        }
        DataType::Duration(unit) => {
            let (count, factor) = match unit {
                TimeUnit::Second => (at::<DurationSecondType>(array, row), 1_000_000_000),
                TimeUnit::Millisecond => (at::<DurationMillisecondType>(array, row), 1_000_000),
                TimeUnit::Microsecond => (at::<DurationMicrosecondType>(array, row), 1_000),
                TimeUnit::Nanosecond => (at::<DurationNanosecondType>(array, row), 1),
            };
            let nanoseconds = i128::from(count) * factor;
            let sign = if nanoseconds < 0 { "-" } else { "" };
            match clock(nanoseconds.unsigned_abs(), "") {
                span if span.is_empty() => "PT0S".to_owned(),
                span => format!("{sign}PT{span}"),
            }
        }
        DataType::Interval(unit) => {
            let (months, days, nanoseconds) = match unit {
                IntervalUnit::YearMonth => (at::<IntervalYearMonthType>(array, row), 0, 0),
                IntervalUnit::DayTime => {
                    let value = at::<IntervalDayTimeType>(array, row);
                    (0, value.days, i64::from(value.milliseconds) * 1_000_000)
                }
                IntervalUnit::MonthDayNano => {
                    let value = at::<IntervalMonthDayNanoType>(array, row);
                    (value.months, value.days, value.nanoseconds)
                }
            };
            interval(months, days, nanoseconds)
        }
        _ => String::new(),
    }
}

fn time<T: ArrowPrimitiveType>(value: i64, unit: &str) -> String {
    as_time::<T>(value).map_or_else(
        || format!("{value} {unit}"),
        |time| time.format("%H:%M:%S%.f").to_string(),
    )
}

fn timestamp<T: ArrowPrimitiveType>(value: i64, zone: Option<&str>, unit: &str) -> String {
    let Some(moment) = as_datetime::<T>(value) else {
        return format!("{value} {unit}");
    };
    let Some(zone) = zone else {
        return naive(moment);
    };
    let instant: DateTime<Utc> = moment.and_utc();
    if matches!(zone, "UTC" | "Z" | "+00:00" | "Etc/UTC") {
        return format!("{}Z", naive(moment));
    }
    match zone.parse::<Tz>() {
        Ok(zone) => instant
            .with_timezone(&zone)
            .format("%Y-%m-%dT%H:%M:%S%.f%:z")
            .to_string(),
        // An unknown zone still has its instants.
        Err(_) => format!("{}Z", naive(moment)),
    }
}

fn naive(moment: NaiveDateTime) -> String {
    moment.format("%Y-%m-%dT%H:%M:%S%.f").to_string()
}

/// Hours, minutes and seconds of a span, those that are not zero, each with `sign` before it.
fn clock(nanoseconds: u128, sign: &str) -> String {
    let seconds = nanoseconds / 1_000_000_000;
    let fraction = format!(".{:09}", nanoseconds % 1_000_000_000);
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    let part = |amount: u128, fraction: &str, letter: char| {
        if amount == 0 && fraction.is_empty() {
            String::new()
        } else {
            format!("{sign}{amount}{fraction}{letter}")
        }
    };
    part(seconds / 3600, "", 'H') + &part(seconds / 60 % 60, "", 'M') + &part(seconds % 60, fraction, 'S')
}

fn interval(months: i32, days: i32, nanoseconds: i64) -> String {
    let part = |amount: i32, letter: char| {
        if amount == 0 {
            String::new()
        } else {
            format!("{amount}{letter}")
        }
    };
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let clock = clock(u128::from(nanoseconds.unsigned_abs()), sign);
    let mark = if clock.is_empty() { "" } else { "T" };
    match format!("P{}{}{mark}{clock}", part(months, 'M'), part(days, 'D')) {
        nothing if nothing == "P" => "PT0S".to_owned(),
        span => span,
    }
}
