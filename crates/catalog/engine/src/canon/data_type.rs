//! Types. Every synonym keeps its own tag: an identity may split what is equal, never merge what differs.

use sqlparser::ast::{ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, StructBracketKind, TimezoneInfo};

use super::Walk;
use crate::error::Result;

impl Walk {
    pub(super) fn data_type(&mut self, data_type: &DataType) -> Result<()> {
        let plain = match data_type {
            DataType::Boolean => "boolean",
            DataType::Bool => "bool",
            DataType::Date => "date",
            DataType::Text => "text",
            DataType::Bytea => "bytea",
            DataType::Real => "real",
            DataType::Float4 => "float4",
            DataType::Float8 => "float8",
            DataType::DoublePrecision => "double-precision",
            DataType::Double(ExactNumberInfo::None) => "double",
            DataType::Float(ExactNumberInfo::None) => "float",
            DataType::TinyInt(None) => "tinyint",
            DataType::SmallInt(None) => "smallint",
            DataType::Int2(None) => "int2",
            DataType::Int(None) => "int",
            DataType::Integer(None) => "integer",
            DataType::Int4(None) => "int4",
            DataType::BigInt(None) => "bigint",
            DataType::Int8(None) => "int8",
            DataType::TinyIntUnsigned(None) => "tinyint-unsigned",
            DataType::SmallIntUnsigned(None) => "smallint-unsigned",
            DataType::Int2Unsigned(None) => "int2-unsigned",
            DataType::IntUnsigned(None) => "int-unsigned",
            DataType::IntegerUnsigned(None) => "integer-unsigned",
            DataType::Int4Unsigned(None) => "int4-unsigned",
            DataType::BigIntUnsigned(None) => "bigint-unsigned",
            DataType::Int8Unsigned(None) => "int8-unsigned",
            DataType::String(None) => "string",
            DataType::Time(None, TimezoneInfo::None) => "time",
            DataType::Interval {
                fields: None,
                precision: None,
            } => "interval",
            _ => return self.other_data_type(data_type),
        };
        self.leaf(plain);
        Ok(())
    }

    fn other_data_type(&mut self, data_type: &DataType) -> Result<()> {
        match data_type {
            DataType::Char(length) => self.character("char", length.as_ref()),
            DataType::Varchar(length) => self.character("varchar", length.as_ref()),
            DataType::Numeric(digits) => self.digits("numeric", digits),
            DataType::Decimal(digits) => self.digits("decimal", digits),
            DataType::Timestamp(precision, zone) => self.node("timestamp", |walk| {
                walk.optional(precision.as_ref(), |walk, precision| {
                    walk.number(*precision);
                    Ok(())
                })?;
                walk.leaf(match zone {
                    TimezoneInfo::None => "plain",
                    TimezoneInfo::WithTimeZone => "with-zone",
                    TimezoneInfo::WithoutTimeZone => "without-zone",
                    TimezoneInfo::Tz => "tz",
                });
                Ok(())
            }),
            DataType::Array(element) => match element {
                ArrayElemTypeDef::AngleBracket(inner) => self.node("array-of", |walk| walk.data_type(inner)),
                ArrayElemTypeDef::SquareBracket(inner, size) => self.node("list-of", |walk| {
                    walk.data_type(inner)?;
                    walk.optional(size.as_ref(), |walk, size| {
                        walk.number(*size);
                        Ok(())
                    })
                }),
                ArrayElemTypeDef::None | ArrayElemTypeDef::Parenthesis(_) => {
                    Err(self.unsupported("an array type without its element's type", "Write type[]"))
                }
            },
            DataType::Struct(fields, brackets) => self.node("struct-type", |walk| {
                walk.flag(matches!(brackets, StructBracketKind::AngleBrackets));
                walk.list(fields, Self::struct_field)
            }),
            other => Err(self.unsupported(
                &format!("the type {other}"),
                "Use BOOLEAN, TINYINT, SMALLINT, INT, BIGINT (UNSIGNED), REAL, DOUBLE, DECIMAL(p, s), VARCHAR, BYTEA, DATE, TIME, TIMESTAMP or INTERVAL",
            )),
        }
    }

    fn character(&mut self, tag: &'static str, length: Option<&CharacterLength>) -> Result<()> {
        self.refuse_if(
            matches!(length, Some(CharacterLength::Max)),
            "VARCHAR(MAX)",
            "Write VARCHAR",
        )?;
        self.node(tag, |walk| {
            walk.optional(length, |walk, length| {
                if let CharacterLength::IntegerLength { length, unit } = length {
                    walk.refuse_if(unit.is_some(), "units of a length", "Write VARCHAR")?;
                    walk.number(*length);
                }
                Ok(())
            })
        })
    }

    fn digits(&mut self, tag: &'static str, digits: &ExactNumberInfo) -> Result<()> {
        self.node(tag, |walk| {
            match digits {
                ExactNumberInfo::None => walk.absent(),
                ExactNumberInfo::Precision(precision) => walk.number(*precision),
                ExactNumberInfo::PrecisionAndScale(precision, scale) => {
                    walk.number(*precision);
                    walk.text(&scale.to_string());
                }
            }
            Ok(())
        })
    }
}
