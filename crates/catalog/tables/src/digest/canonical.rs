//! The one form every array is brought into before it is hashed.
//!
//! Encodings (dictionary, run-end, view, 32- or 64-bit offsets), slicing, unit of time and width of integers do not
//! reach the hash functions: they see values only, never the bytes behind a null.

use super::logical::class_of;
use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, FixedSizeListArray, OffsetSizeTrait, PrimitiveArray, UInt64Array,
    UnionArray, make_array,
};
use arrow::buffer::{Buffer, NullBuffer};
use arrow::compute::take;
use arrow::datatypes::{
    ArrowNativeType, DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalDayTimeType, IntervalMonthDayNanoType,
    IntervalUnit, IntervalYearMonthType, RunEndIndexType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type, i256,
};
use arrow::error::ArrowError;

/// A column in canonical form.
pub(super) struct Column {
    pub(super) rows: usize,
    /// Which rows are null; `None` when none is.
    pub(super) nulls: Option<NullBuffer>,
    /// Names the class of the type, such as `int` for every width of integer.
    pub(super) class: &'static str,
    pub(super) values: Values,
}

pub(super) enum Values {
    /// A column of the Null type.
    Nothing,
    /// `width` bytes a row, little-endian; what stands in a null row is arbitrary.
    Fixed { width: usize, bytes: Buffer },
    /// Unsigned 64-bit integers: the only ones that may not fit the canonical `i64`.
    Unsigned(Buffer),
    /// Strings and byte strings of every layout.
    Bytes(ArrayRef),
    /// Row `i` holds the items `offsets[i]..offsets[i + 1]`.
    List { offsets: Vec<usize>, items: Box<Column> },
    /// A null row of the struct is a null row in every field.
    Struct(Vec<Column>),
    /// Like a list of pairs, but their order within a row does not count.
    Map {
        offsets: Vec<usize>,
        keys: Box<Column>,
        values: Box<Column>,
    },
    /// Row `i` is row `places[i]` of the field with the identifier `kinds[i]`.
    Union {
        kinds: Vec<i8>,
        places: Vec<usize>,
        fields: Vec<(i8, Column)>,
    },
}

impl Column {
    /// # Errors
    /// Only what Arrow's own kernels refuse, such as a dictionary key outside its dictionary.
    pub(super) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        let array = expanded(array)?;
        let rows = array.len();
        let class = class_of(array.data_type());
        let values = values_of(&array)?;
        let nulls = match values {
            Values::Nothing => Some(NullBuffer::new_null(rows)),
            _ => array.nulls().filter(|nulls| nulls.null_count() > 0).cloned(),
        };
        Ok(Self {
            rows,
            nulls,
            class,
            values,
        })
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    pub(super) fn null_count(&self) -> usize {
        self.nulls.as_ref().map_or(0, NullBuffer::null_count)
    }
}

/// Replaces dictionary and run-end encoding by the values they stand for.
fn expanded(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            expanded(&take(dictionary.values(), dictionary.keys(), None)?)
        }
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => expanded_runs::<Int16Type>(array),
            DataType::Int32 => expanded_runs::<Int32Type>(array),
            _ => expanded_runs::<Int64Type>(array),
        },
        _ => Ok(array.clone()),
    }
}

fn expanded_runs<R: RunEndIndexType>(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let runs = array.as_run::<R>();
    let places: UInt64Array = (0..runs.len())
        .map(|row| Some(runs.get_physical_index(row) as u64))
        .collect();
    expanded(&take(runs.values(), &places, None)?)
}

fn values_of(array: &ArrayRef) -> Result<Values, ArrowError> {
    Ok(match array.data_type() {
        DataType::Null => Values::Nothing,
        DataType::Boolean => {
            let values = array.as_boolean().values();
            fixed(1, values.iter().map(u8::from).collect())
        }
        DataType::Int8 => integers::<Int8Type>(array),
        DataType::Int16 => integers::<Int16Type>(array),
        DataType::Int32 => integers::<Int32Type>(array),
        DataType::Int64 => Values::Fixed {
            width: 8,
            bytes: raw(array.as_primitive::<Int64Type>()),
        },
        DataType::UInt8 => integers::<UInt8Type>(array),
        DataType::UInt16 => integers::<UInt16Type>(array),
        DataType::UInt32 => integers::<UInt32Type>(array),
        DataType::UInt64 => Values::Unsigned(raw(array.as_primitive::<UInt64Type>())),
        DataType::Float16 => floats(array.as_primitive::<Float16Type>(), |value| f64::from(value.to_f32())),
        DataType::Float32 => floats(array.as_primitive::<Float32Type>(), f64::from),
        DataType::Float64 => floats(array.as_primitive::<Float64Type>(), |value| value),
        DataType::Date32 => {
            // In milliseconds, so that a Date64 that is not at midnight keeps its own value.
            eight(array.as_primitive::<Date32Type>(), |days| i64::from(days) * 86_400_000)
        }
        DataType::Date64 => Values::Fixed {
            width: 8,
            bytes: raw(array.as_primitive::<Date64Type>()),
        },
        DataType::Time32(TimeUnit::Second) => eight(array.as_primitive::<Time32SecondType>(), |time| {
            i64::from(time) * 1_000_000_000
        }),
        DataType::Time32(_) => eight(array.as_primitive::<Time32MillisecondType>(), |time| {
            i64::from(time) * 1_000_000
        }),
        DataType::Time64(TimeUnit::Microsecond) => {
            // A time of day fits; what does not is no time and only has to stay distinct.
            eight(array.as_primitive::<Time64MicrosecondType>(), |time| {
                time.wrapping_mul(1_000)
            })
        }
        DataType::Time64(_) => Values::Fixed {
            width: 8,
            bytes: raw(array.as_primitive::<Time64NanosecondType>()),
        },
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => nanoseconds(array.as_primitive::<TimestampSecondType>(), 1_000_000_000),
            TimeUnit::Millisecond => nanoseconds(array.as_primitive::<TimestampMillisecondType>(), 1_000_000),
            TimeUnit::Microsecond => nanoseconds(array.as_primitive::<TimestampMicrosecondType>(), 1_000),
            TimeUnit::Nanosecond => nanoseconds(array.as_primitive::<TimestampNanosecondType>(), 1),
        },
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => nanoseconds(array.as_primitive::<DurationSecondType>(), 1_000_000_000),
            TimeUnit::Millisecond => nanoseconds(array.as_primitive::<DurationMillisecondType>(), 1_000_000),
            TimeUnit::Microsecond => nanoseconds(array.as_primitive::<DurationMicrosecondType>(), 1_000),
            TimeUnit::Nanosecond => nanoseconds(array.as_primitive::<DurationNanosecondType>(), 1),
        },
        DataType::Interval(unit) => match unit {
            IntervalUnit::YearMonth => interval(array.as_primitive::<IntervalYearMonthType>(), |months| (months, 0, 0)),
            IntervalUnit::DayTime => interval(array.as_primitive::<IntervalDayTimeType>(), |value| {
                (0, value.days, i64::from(value.milliseconds) * 1_000_000)
            }),
            IntervalUnit::MonthDayNano => interval(array.as_primitive::<IntervalMonthDayNanoType>(), |value| {
                (value.months, value.days, value.nanoseconds)
            }),
        },
        DataType::Decimal32(_, scale) => {
            let scale = *scale;
            decimals(array.as_primitive::<Decimal32Type>(), move |value| {
                small_decimal(i128::from(value), scale)
            })
        }
        DataType::Decimal64(_, scale) => {
            let scale = *scale;
            decimals(array.as_primitive::<Decimal64Type>(), move |value| {
                small_decimal(i128::from(value), scale)
            })
        }
        DataType::Decimal128(_, scale) => {
            let scale = *scale;
            decimals(array.as_primitive::<Decimal128Type>(), move |value| {
                small_decimal(value, scale)
            })
        }
        DataType::Decimal256(_, scale) => {
            let scale = *scale;
            decimals(array.as_primitive::<Decimal256Type>(), move |value| {
                decimal(value, scale)
            })
        }
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => Values::Bytes(array.clone()),
        DataType::List(_) => offset_list::<i32>(array)?,
        DataType::LargeList(_) => offset_list::<i64>(array)?,
        DataType::ListView(_) => view_list::<i32>(array)?,
        DataType::LargeListView(_) => view_list::<i64>(array)?,
        DataType::FixedSizeList(..) => fixed_list(array.as_fixed_size_list())?,
        DataType::Struct(_) => {
            let fields = array.as_struct().columns().iter();
            Values::Struct(
                fields
                    .map(|field| masked(field, array.nulls()))
                    .collect::<Result<_, _>>()?,
            )
        }
        DataType::Map(..) => {
            let map = array.as_map();
            let offsets = map.value_offsets();
            let spans = (0..map.len()).map(|row| (offsets[row].as_usize(), offsets[row + 1].as_usize()));
            let entries: ArrayRef = std::sync::Arc::new(map.entries().clone());
            let (offsets, entries) = flattened(spans, array.nulls(), &entries)?;
            let entries = entries.as_struct();
            Values::Map {
                offsets,
                keys: Box::new(Column::new(entries.column(0))?),
                values: Box::new(Column::new(entries.column(1))?),
            }
        }
        DataType::Union(..) => union(array.as_union())?,
        // Both were replaced before.
        DataType::Dictionary(..) | DataType::RunEndEncoded(..) => values_of(&expanded(array)?)?,
    })
}

fn fixed(width: usize, bytes: Vec<u8>) -> Values {
    Values::Fixed {
        width,
        bytes: Buffer::from_vec(bytes),
    }
}

/// The bytes of eight-byte values in little-endian order; without a copy where the machine keeps them so.
fn raw<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>) -> Buffer {
    let buffer = array.values().inner().clone();
    if cfg!(target_endian = "little") {
        return buffer;
    }
    Buffer::from_vec(
        buffer
            .chunks_exact(8)
            .flat_map(|value| value.iter().rev().copied())
            .collect::<Vec<u8>>(),
    )
}

fn integers<T: ArrowPrimitiveType>(array: &ArrayRef) -> Values
where
    i64: From<T::Native>,
{
    eight(array.as_primitive::<T>(), i64::from)
}

fn eight<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, canonical: impl Fn(T::Native) -> i64) -> Values {
    let mut bytes = Vec::with_capacity(array.len() * 8);
    for value in array.values() {
        bytes.extend_from_slice(&canonical(*value).to_le_bytes());
    }
    fixed(8, bytes)
}

fn floats<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, widen: impl Fn(T::Native) -> f64) -> Values {
    let mut bytes = Vec::with_capacity(array.len() * 8);
    for value in array.values() {
        let value = widen(*value);
        // One zero and one NaN: SQL finds both equal to themselves, whatever their sign or payload.
        let value = if value == 0.0 {
            0.0
        } else if value.is_nan() {
            f64::from_bits(0x7ff8_0000_0000_0000)
        } else {
            value
        };
        bytes.extend_from_slice(&value.to_bits().to_le_bytes());
    }
    fixed(8, bytes)
}

fn nanoseconds<T: ArrowPrimitiveType<Native = i64>>(array: &PrimitiveArray<T>, factor: i128) -> Values {
    let mut bytes = Vec::with_capacity(array.len() * 16);
    for value in array.values() {
        bytes.extend_from_slice(&(i128::from(*value) * factor).to_le_bytes());
    }
    fixed(16, bytes)
}

fn interval<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, parts: impl Fn(T::Native) -> (i32, i32, i64)) -> Values {
    let mut bytes = Vec::with_capacity(array.len() * 16);
    for value in array.values() {
        let (months, days, nanoseconds) = parts(*value);
        bytes.extend_from_slice(&months.to_le_bytes());
        bytes.extend_from_slice(&days.to_le_bytes());
        bytes.extend_from_slice(&nanoseconds.to_le_bytes());
    }
    fixed(16, bytes)
}

fn decimals<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, normalised: impl Fn(T::Native) -> (i256, i32)) -> Values {
    let mut bytes = Vec::with_capacity(array.len() * 36);
    for (row, value) in array.values().iter().enumerate() {
        // What stands behind a null may be anything; dividing it would be wasted.
        let (digits, exponent) = if array.is_null(row) {
            (i256::ZERO, 0)
        } else {
            normalised(*value)
        };
        bytes.extend_from_slice(&digits.to_le_bytes());
        bytes.extend_from_slice(&exponent.to_le_bytes());
    }
    fixed(36, bytes)
}

/// A decimal as digits without trailing zeros and a power of ten, so that `1.50` is `1.5`.
fn small_decimal(mut digits: i128, scale: i8) -> (i256, i32) {
    if digits == 0 {
        return (i256::ZERO, 0);
    }
    let mut exponent = -i32::from(scale);
    // Nearly every decimal fits 64 bits, where a division costs a tenth.
    if let Ok(mut narrow) = i64::try_from(digits) {
        while narrow % 10 == 0 {
            narrow /= 10;
            exponent += 1;
        }
        return (i256::from_i128(i128::from(narrow)), exponent);
    }
    while digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    (i256::from_i128(digits), exponent)
}

fn decimal(mut digits: i256, scale: i8) -> (i256, i32) {
    if let Some(small) = digits.to_i128() {
        return small_decimal(small, scale);
    }
    let ten = i256::from_i128(10);
    let mut exponent = -i32::from(scale);
    while digits.wrapping_rem(ten) == i256::ZERO {
        digits = digits.wrapping_div(ten);
        exponent += 1;
    }
    (digits, exponent)
}

fn offset_list<O: OffsetSizeTrait>(array: &ArrayRef) -> Result<Values, ArrowError> {
    let list = array.as_list::<O>();
    let offsets = list.value_offsets();
    let spans = (0..list.len()).map(|row| (offsets[row].as_usize(), offsets[row + 1].as_usize()));
    list_of(spans, array.nulls(), list.values())
}

fn view_list<O: OffsetSizeTrait>(array: &ArrayRef) -> Result<Values, ArrowError> {
    let list = array.as_list_view::<O>();
    let spans = (0..list.len()).map(|row| {
        let start = list.value_offsets()[row].as_usize();
        (start, start + list.value_sizes()[row].as_usize())
    });
    list_of(spans, array.nulls(), list.values())
}

fn fixed_list(list: &FixedSizeListArray) -> Result<Values, ArrowError> {
    let size = usize::try_from(list.value_length()).unwrap_or(0);
    let spans = (0..list.len()).map(|row| (row * size, (row + 1) * size));
    list_of(spans, list.nulls(), list.values())
}

fn list_of(
    spans: impl Iterator<Item = (usize, usize)>,
    nulls: Option<&NullBuffer>,
    items: &ArrayRef,
) -> Result<Values, ArrowError> {
    let (offsets, items) = flattened(spans, nulls, items)?;
    Ok(Values::List {
        offsets,
        items: Box::new(Column::new(&items)?),
    })
}

/// The items of all rows one after the other, without those that stand behind a null row or belong to no row.
fn flattened(
    spans: impl Iterator<Item = (usize, usize)>,
    nulls: Option<&NullBuffer>,
    items: &ArrayRef,
) -> Result<(Vec<usize>, ArrayRef), ArrowError> {
    let mut offsets = vec![0];
    let mut total = 0;
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (row, (start, end)) in spans.enumerate() {
        if end > start && !nulls.is_some_and(|nulls| nulls.is_null(row)) {
            total += end - start;
            match kept.last_mut() {
                Some(last) if last.1 == start => last.1 = end,
                _ => kept.push((start, end)),
            }
        }
        offsets.push(total);
    }
    let items = match kept.as_slice() {
        [] => items.slice(0, 0),
        [(start, end)] => items.slice(*start, end - start),
        _ => {
            let places: UInt64Array = kept
                .iter()
                .flat_map(|(start, end)| *start..*end)
                .map(|place| Some(place as u64))
                .collect();
            take(items, &places, None)?
        }
    };
    Ok((offsets, items))
}

/// A field of a struct, null wherever the struct is.
fn masked(field: &ArrayRef, outer: Option<&NullBuffer>) -> Result<Column, ArrowError> {
    let field = expanded(field)?;
    let Some(outer) = outer.filter(|outer| outer.null_count() > 0) else {
        return Column::new(&field);
    };
    if matches!(field.data_type(), DataType::Null | DataType::Union(..)) {
        let mut column = Column::new(&field)?;
        column.nulls = NullBuffer::union(column.nulls.as_ref(), Some(outer));
        return Ok(column);
    }
    let nulls = NullBuffer::union(field.nulls(), Some(outer));
    let data = field.to_data().into_builder().nulls(nulls).build()?;
    Column::new(&make_array(data))
}

fn union(array: &UnionArray) -> Result<Values, ArrowError> {
    let DataType::Union(fields, _) = array.data_type() else {
        return Ok(Values::Nothing);
    };
    Ok(Values::Union {
        kinds: array.type_ids().to_vec(),
        places: (0..array.len()).map(|row| array.value_offset(row)).collect(),
        fields: fields
            .iter()
            .map(|(kind, _)| Ok((kind, Column::new(array.child(kind))?)))
            .collect::<Result<_, ArrowError>>()?,
    })
}
