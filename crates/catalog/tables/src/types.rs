//! The names of types: the ones shown beside rows are the ones a schema is written with.
//!
//! `int64`, `string`, `decimal(10, 2)`, `timestamp(6, 'Europe/Berlin')`: lower case, one name a type, whatever the
//! layout in memory. Digits behind the second are given as a number: 0, 3, 6 or 9.

use arrow::datatypes::{DataType, IntervalUnit, TimeUnit};

/// The name of a type, as replies show it.
///
/// ```
/// use arrow::datatypes::{DataType, TimeUnit};
/// use candor_catalog_tables::types::type_name;
///
/// assert_eq!(type_name(&DataType::Utf8View), "string");
/// assert_eq!(type_name(&DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))), "timestamp(6, 'UTC')");
/// ```
pub fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Null => "null".to_owned(),
        DataType::Boolean => "boolean".to_owned(),
        DataType::Int8 => "int8".to_owned(),
        DataType::Int16 => "int16".to_owned(),
        DataType::Int32 => "int32".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::UInt8 => "uint8".to_owned(),
        DataType::UInt16 => "uint16".to_owned(),
        DataType::UInt32 => "uint32".to_owned(),
        DataType::UInt64 => "uint64".to_owned(),
        DataType::Float16 => "float16".to_owned(),
        DataType::Float32 => "float32".to_owned(),
        DataType::Float64 => "float64".to_owned(),
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => format!("decimal({precision}, {scale})"),
        DataType::Date32 => "date".to_owned(),
        DataType::Date64 => "date64".to_owned(),
        DataType::Time32(unit) | DataType::Time64(unit) => format!("time({})", digits(*unit)),
        DataType::Timestamp(unit, None) => format!("timestamp({})", digits(*unit)),
        DataType::Timestamp(unit, Some(zone)) => format!("timestamp({}, '{zone}')", digits(*unit)),
        DataType::Duration(unit) => format!("duration({})", digits(*unit)),
        DataType::Interval(IntervalUnit::YearMonth) => "interval(month)".to_owned(),
        DataType::Interval(IntervalUnit::DayTime) => "interval(day)".to_owned(),
        DataType::Interval(IntervalUnit::MonthDayNano) => "interval".to_owned(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "string".to_owned(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "binary".to_owned(),
        DataType::FixedSizeBinary(size) => format!("binary({size})"),
        DataType::List(item) | DataType::LargeList(item) | DataType::ListView(item) | DataType::LargeListView(item) => {
            format!("list<{}>", type_name(item.data_type()))
        }
        DataType::FixedSizeList(item, size) => format!("list<{}, {size}>", type_name(item.data_type())),
        DataType::Struct(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{}: {}", field.name(), type_name(field.data_type())))
                .collect();
            format!("struct<{}>", fields.join(", "))
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) => {
                let parts: Vec<String> = fields.iter().map(|field| type_name(field.data_type())).collect();
                format!("map<{}>", parts.join(", "))
            }
            other => format!("map<{}>", type_name(other)),
        },
        DataType::Union(fields, _) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(_, field)| format!("{}: {}", field.name(), type_name(field.data_type())))
                .collect();
            format!("union<{}>", fields.join(", "))
        }
        DataType::Dictionary(_, values) => type_name(values),
        DataType::RunEndEncoded(_, values) => type_name(values.data_type()),
    }
}

fn digits(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}
