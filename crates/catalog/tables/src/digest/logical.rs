//! What a type means, apart from how Arrow lays it out.

use arrow::datatypes::{DataType, IntervalUnit, TimeUnit};

/// The class of a type: types of one class can hold equal values. `int` is every width of integer.
pub(super) fn class_of(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Null => "null",
        DataType::Boolean => "bool",
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64 => "int",
        DataType::Float16 | DataType::Float32 | DataType::Float64 => "float",
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            "decimal"
        }
        DataType::Date32 | DataType::Date64 => "date",
        DataType::Time32(_) | DataType::Time64(_) => "time",
        DataType::Timestamp(_, None) => "timestamp",
        DataType::Timestamp(_, Some(_)) => "instant",
        DataType::Duration(_) => "duration",
        DataType::Interval(_) => "interval",
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text",
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => "bytes",
        DataType::List(_)
        | DataType::LargeList(_)
        | DataType::ListView(_)
        | DataType::LargeListView(_)
        | DataType::FixedSizeList(..) => "list",
        DataType::Struct(_) => "struct",
        DataType::Map(..) => "map",
        DataType::Union(..) => "union",
        DataType::Dictionary(_, values) => class_of(values),
        DataType::RunEndEncoded(_, values) => class_of(values.data_type()),
    }
}

/// The type in full, as the schema digest sees it: width, precision, unit and zone count; encoding and layout do not,
/// nor do nullability and the names Arrow gives to the items of lists and maps.
pub(super) fn describe(data_type: &DataType) -> String {
    match data_type {
        DataType::Dictionary(_, values) => describe(values),
        DataType::RunEndEncoded(_, values) => describe(values.data_type()),
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => format!("decimal({precision},{scale})"),
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
        DataType::Date64 => "date64".to_owned(),
        DataType::Time32(unit) | DataType::Time64(unit) => format!("time({})", unit_name(*unit)),
        DataType::Timestamp(unit, None) => format!("timestamp({})", unit_name(*unit)),
        // A zone's name holds no quote; were it to, doubling keeps the text unambiguous.
        DataType::Timestamp(unit, Some(zone)) => {
            format!("timestamp({},'{}')", unit_name(*unit), zone.replace('\'', "''"))
        }
        DataType::Duration(unit) => format!("duration({})", unit_name(*unit)),
        DataType::Interval(IntervalUnit::YearMonth) => "interval(months)".to_owned(),
        DataType::Interval(IntervalUnit::DayTime) => "interval(days)".to_owned(),
        DataType::Interval(IntervalUnit::MonthDayNano) => "interval".to_owned(),
        DataType::FixedSizeBinary(size) => format!("bytes({size})"),
        DataType::List(item) | DataType::LargeList(item) | DataType::ListView(item) | DataType::LargeListView(item) => {
            format!("list<{}>", describe(item.data_type()))
        }
        DataType::FixedSizeList(item, size) => format!("list<{},{size}>", describe(item.data_type())),
        DataType::Struct(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{}:{}", counted(field.name()), describe(field.data_type())))
                .collect();
            format!("struct<{}>", fields.join(","))
        }
        DataType::Map(entries, _) => {
            let parts: Vec<String> = match entries.data_type() {
                DataType::Struct(fields) => fields.iter().map(|field| describe(field.data_type())).collect(),
                other => vec![describe(other)],
            };
            format!("map<{}>", parts.join(","))
        }
        DataType::Union(fields, _) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(kind, field)| format!("{kind}:{}:{}", counted(field.name()), describe(field.data_type())))
                .collect();
            format!("union<{}>", fields.join(","))
        }
        other => class_of(other).to_owned(),
    }
}

/// A name that cannot be mistaken for the text around it: its length goes before it.
fn counted(name: &str) -> String {
    format!("{}'{name}'", name.len())
}

fn unit_name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}
