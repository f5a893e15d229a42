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

/// A name that stands for no type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is no type{problem}; the types are {SUPPORTED}")]
pub struct UnknownType {
    /// The name as given.
    pub name: String,
    /// What is wrong with it, when more is known; begins with `: `.
    pub problem: String,
}

/// What a column of text can be read as.
pub const SUPPORTED: &str = "int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, \
    decimal(precision, scale), string, boolean, date, time(digits), timestamp(digits), timestamp(digits, 'zone')";

/// Reads the name of a type that a column of text can be given. Letter case does not count, except in zones; the names
/// of SQL and those Arrow prints (`bigint`, `Utf8`, `timestamp[us, tz=UTC]`) are understood, and a `!` before a name,
/// which elsewhere forbids nulls, is ignored. `decimal` without parameters comes back as
/// `Decimal128(0, 0)`: precision and scale are then found in the values.
///
/// # Errors
/// When the name stands for no such type; the error lists those there are.
///
/// ```
/// use arrow::datatypes::{DataType, TimeUnit};
/// use candor_catalog_tables::types::parse_type;
///
/// assert_eq!(parse_type("bigint")?, DataType::Int64);
/// let berlin = DataType::Timestamp(TimeUnit::Microsecond, Some("Europe/Berlin".into()));
/// assert_eq!(parse_type("timestamp(6, 'Europe/Berlin')")?, berlin);
/// # Ok::<(), candor_catalog_tables::types::UnknownType>(())
/// ```
pub fn parse_type(name: &str) -> Result<DataType, UnknownType> {
    let unknown = |problem: &str| UnknownType {
        name: name.to_owned(),
        problem: problem.to_owned(),
    };
    let text = name.trim().trim_start_matches('!').trim();
    let (word, arguments) = match text.find(['(', '[']) {
        Some(place) => {
            let inner = text[place + 1..].trim_end();
            let inner = inner
                .strip_suffix([')', ']'])
                .ok_or_else(|| unknown(": its parenthesis is not closed"))?;
            (
                text[..place].trim(),
                inner
                    .split(',')
                    .map(unquoted)
                    .filter(|argument| !argument.is_empty())
                    .collect(),
            )
        }
        None => (text, Vec::new()),
    };
    let word = word.to_ascii_lowercase();
    let bare = |data_type| match arguments.as_slice() {
        [] => Ok(data_type),
        _ => Err(unknown(": it takes no parameters")),
    };
    match word.as_str() {
        "int8" | "tinyint" => bare(DataType::Int8),
        "int16" | "smallint" => bare(DataType::Int16),
        "int32" | "int" | "integer" => bare(DataType::Int32),
        "int64" | "bigint" | "long" => bare(DataType::Int64),
        "uint8" => bare(DataType::UInt8),
        "uint16" => bare(DataType::UInt16),
        "uint32" => bare(DataType::UInt32),
        "uint64" => bare(DataType::UInt64),
        "float32" | "real" | "float" => bare(DataType::Float32),
        "float64" | "double" | "double precision" => bare(DataType::Float64),
        "string" | "text" | "utf8" | "str" | "varchar" | "char" | "large_string" | "largeutf8" | "utf8view" => {
            // The length of a varchar limits nothing here: no value is cut.
            Ok(DataType::Utf8)
        }
        "boolean" | "bool" => bare(DataType::Boolean),
        "date" | "date32" => Ok(DataType::Date32),
        "decimal" | "numeric" | "decimal128" => match arguments.as_slice() {
            [] => Ok(DataType::Decimal128(0, 0)),
            [precision] => decimal(precision, "0").ok_or_else(|| unknown(": the precision is 1 to 38")),
            [precision, scale] => decimal(precision, scale)
                .ok_or_else(|| unknown(": the precision is 1 to 38 and the scale 0 to the precision")),
            _ => Err(unknown(": it takes a precision and a scale")),
        },
        "time" | "time32" | "time64" => match arguments.as_slice() {
            [] => Ok(DataType::Time64(TimeUnit::Microsecond)),
            [unit] => match unit_of(unit).ok_or_else(|| unknown(": the digits are 0 to 9"))? {
                unit @ (TimeUnit::Second | TimeUnit::Millisecond) => Ok(DataType::Time32(unit)),
                unit => Ok(DataType::Time64(unit)),
            },
            _ => Err(unknown(": it takes the digits behind the second")),
        },
        "timestamp" | "datetime" | "timestamptz" => {
            let mut unit = TimeUnit::Microsecond;
            let mut zone = (word == "timestamptz").then(|| "UTC".to_owned());
            for argument in &arguments {
                let named = argument.strip_prefix("tz=").map(str::trim);
                match (named, unit_of(argument)) {
                    (None, Some(found)) => unit = found,
                    (None, None) if argument.eq_ignore_ascii_case("none") => {}
                    _ => zone = Some(unquoted(named.unwrap_or(argument)).to_owned()),
                }
            }
            if let Some(zone) = &zone
                && zone.parse::<arrow::array::timezone::Tz>().is_err()
            {
                return Err(unknown(&format!(
                    ": \"{zone}\" is no time zone; write Europe/Berlin, UTC or +02:00"
                )));
            }
            Ok(DataType::Timestamp(unit, zone.map(Into::into)))
        }
        _ => Err(unknown("")),
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['\'', '"']).trim()
}

fn decimal(precision: &str, scale: &str) -> Option<DataType> {
    let (precision, scale): (u8, i8) = (precision.parse().ok()?, scale.parse().ok()?);
    let fits = (1..=38).contains(&precision) && scale >= 0 && scale.unsigned_abs() <= precision;
    fits.then_some(DataType::Decimal128(precision, scale))
}

/// Up to 0, 3, 6 or 9 digits behind the second; or the unit's name, as Arrow prints it.
fn unit_of(text: &str) -> Option<TimeUnit> {
    match text {
        "0" | "s" | "Second" => Some(TimeUnit::Second),
        "1" | "2" | "3" | "ms" | "Millisecond" => Some(TimeUnit::Millisecond),
        "4" | "5" | "6" | "us" | "µs" | "Microsecond" => Some(TimeUnit::Microsecond),
        "7" | "8" | "9" | "ns" | "Nanosecond" => Some(TimeUnit::Nanosecond),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_shown_can_be_given_back() {
        for name in [
            "int8",
            "uint64",
            "float32",
            "decimal(38, 9)",
            "string",
            "boolean",
            "date",
            "time(0)",
            "time(9)",
            "timestamp(0)",
            "timestamp(3)",
            "timestamp(6, 'Europe/Berlin')",
            "timestamp(9, '+05:30')",
        ] {
            assert_eq!(type_name(&parse_type(name).expect("a type")), name);
        }
    }

    #[test]
    fn names_of_others_are_understood() {
        for (given, name) in [
            ("BIGINT", "int64"),
            ("!string", "string"),
            ("Varchar(20)", "string"),
            ("Utf8", "string"),
            ("date32[day]", "date"),
            ("timestamp[us, tz=UTC]", "timestamp(6, 'UTC')"),
            ("Timestamp(ns)", "timestamp(9)"),
            ("timestamp('Asia/Tokyo')", "timestamp(6, 'Asia/Tokyo')"),
            ("numeric(10,2)", "decimal(10, 2)"),
            ("double", "float64"),
            ("timestamp(2)", "timestamp(3)"),
            ("Timestamp(Microsecond, None)", "timestamp(6)"),
        ] {
            assert_eq!(type_name(&parse_type(given).expect("a type")), name, "{given}");
        }
    }

    #[test]
    fn a_name_that_is_none_is_told_with_those_that_are() {
        let error = parse_type("strng").expect_err("no type").to_string();
        assert!(
            error.starts_with("\"strng\" is no type; the types are int8, "),
            "{error}"
        );
        let error = parse_type("timestamp(6, 'Europe/Berln')")
            .expect_err("no zone")
            .to_string();
        assert!(error.contains("\"Europe/Berln\" is no time zone"), "{error}");
        assert!(parse_type("decimal(40, 2)").is_err());
        assert!(parse_type("int64(3)").is_err());
        assert!(parse_type("list<int64>").is_err());
    }
}
