//! Expressions.

use sqlparser::ast::{
    AccessExpr, Array, CaseWhen, CastFormat, CastKind, CeilFloorKind, DateTimeField, DictionaryField,
    DollarQuotedString, Expr, ExtractSyntax, Interval, LambdaFunction, LambdaFunctionParameter, Map, MapEntry,
    StructField, Subscript, TrimWhereField, TypedString, Value, ValueWithSpan,
};

use super::Walk;
use crate::error::{EngineError, ErrorKind, Result};
use crate::recipe::place;

impl Walk {
    pub(super) fn expression(&mut self, expression: &Expr) -> Result<()> {
        match expression {
            Expr::Identifier(ident) => self.node("name", |walk| walk.ident(ident)),
            Expr::CompoundIdentifier(idents) => self.node("path", |walk| walk.idents(idents)),
            Expr::CompoundFieldAccess { root, access_chain } => self.node("access", |walk| {
                walk.expression_in_brackets(root)?;
                walk.list(access_chain, Self::access)
            }),
            Expr::IsFalse(inner) => self.unary("is-false", inner),
            Expr::IsNotFalse(inner) => self.unary("is-not-false", inner),
            Expr::IsTrue(inner) => self.unary("is-true", inner),
            Expr::IsNotTrue(inner) => self.unary("is-not-true", inner),
            Expr::IsNull(inner) => self.unary("is-null", inner),
            Expr::IsNotNull(inner) => self.unary("is-not-null", inner),
            Expr::IsUnknown(inner) => self.unary("is-unknown", inner),
            Expr::IsNotUnknown(inner) => self.unary("is-not-unknown", inner),
            Expr::IsDistinctFrom(left, right) => self.binary("is-distinct", left, right),
            Expr::IsNotDistinctFrom(left, right) => self.binary("is-not-distinct", left, right),
            Expr::InList { expr, list, negated } => self.node("in-list", |walk| {
                walk.flag(*negated);
                walk.expression(expr)?;
                walk.list(list, Self::expression)
            }),
            Expr::InSubquery {
                expr,
                subquery,
                negated,
            } => self.node("in-query", |walk| {
                walk.flag(*negated);
                walk.expression(expr)?;
                walk.query(subquery)
            }),
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => self.node("between", |walk| {
                walk.flag(*negated);
                walk.expression(expr)?;
                walk.expression(low)?;
                walk.expression(high)
            }),
            Expr::BinaryOp { .. } => self.chain(expression),
            Expr::Like {
                negated,
                any,
                expr,
                pattern,
                escape_char,
            } => self.like("like", *negated, *any, expr, pattern, escape_char.as_ref()),
            Expr::ILike {
                negated,
                any,
                expr,
                pattern,
                escape_char,
            } => self.like("ilike", *negated, *any, expr, pattern, escape_char.as_ref()),
            Expr::SimilarTo {
                negated,
                expr,
                pattern,
                escape_char,
            } => self.like("similar", *negated, false, expr, pattern, escape_char.as_ref()),
            Expr::AnyOp {
                left,
                compare_op,
                right,
                is_some: _,
            } => self.node("any", |walk| {
                walk.binary_operator(compare_op)?;
                walk.expression(left)?;
                walk.expression(right)
            }),
            Expr::AllOp {
                left,
                compare_op,
                right,
            } => self.node("every", |walk| {
                walk.binary_operator(compare_op)?;
                walk.expression(left)?;
                walk.expression(right)
            }),
            Expr::UnaryOp { op, expr } => self.node("unary", |walk| {
                walk.unary_operator(*op)?;
                walk.expression(expr)
            }),
            Expr::Cast {
                kind,
                expr,
                data_type,
                array,
                format,
            } => self.cast(kind, expr, data_type, *array, format.as_ref()),
            Expr::AtTimeZone { timestamp, time_zone } => self.binary("at-time-zone", timestamp, time_zone),
            Expr::Extract { field, syntax, expr } => self.node("extract", |walk| {
                walk.flag(matches!(syntax, ExtractSyntax::Comma));
                walk.date_time_field(field)?;
                walk.expression(expr)
            }),
            Expr::Ceil { expr, field } => self.rounding("ceil", expr, field),
            Expr::Floor { expr, field } => self.rounding("floor", expr, field),
            Expr::Position { expr, r#in } => self.binary("position", expr, r#in),
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                special,
                shorthand,
            } => self.node("substring", |walk| {
                walk.flag(*special);
                walk.flag(*shorthand);
                walk.expression(expr)?;
                walk.optional(substring_from.as_deref(), Self::expression)?;
                walk.optional(substring_for.as_deref(), Self::expression)
            }),
            Expr::Trim {
                trim_where,
                trim_what,
                expr,
                trim_characters,
            } => self.node("trim", |walk| {
                match trim_where {
                    None => walk.absent(),
                    Some(TrimWhereField::Both) => walk.leaf("both"),
                    Some(TrimWhereField::Leading) => walk.leaf("leading"),
                    Some(TrimWhereField::Trailing) => walk.leaf("trailing"),
                }
                walk.optional(trim_what.as_deref(), Self::expression)?;
                walk.expression(expr)?;
                walk.optional(trim_characters.as_ref(), |walk, characters| {
                    walk.list(characters, Self::expression)
                })
            }),
            Expr::Overlay {
                expr,
                overlay_what,
                overlay_from,
                overlay_for,
            } => self.node("overlay", |walk| {
                walk.expression(expr)?;
                walk.expression(overlay_what)?;
                walk.expression(overlay_from)?;
                walk.optional(overlay_for.as_deref(), Self::expression)
            }),
            Expr::Nested(inner) => {
                if brackets_only_group(inner) {
                    self.expression(inner)
                } else {
                    self.expression_in_brackets(expression)
                }
            }
            Expr::Value(value) => self.value(value),
            Expr::TypedString(TypedString {
                data_type,
                value,
                uses_odbc_syntax,
            }) => self.node("typed", |walk| {
                walk.flag(*uses_odbc_syntax);
                walk.data_type(data_type)?;
                walk.value(value)
            }),
            Expr::Function(function) => self.function(function),
            Expr::Case {
                case_token: _,
                end_token: _,
                operand,
                conditions,
                else_result,
            } => self.node("case", |walk| {
                walk.optional(operand.as_deref(), Self::expression)?;
                walk.list(conditions, |walk, when| {
                    let CaseWhen { condition, result } = when;
                    walk.expression(condition)?;
                    walk.expression(result)
                })?;
                walk.optional(else_result.as_deref(), Self::expression)
            }),
            Expr::Exists { subquery, negated } => self.node("exists", |walk| {
                walk.flag(*negated);
                walk.query(subquery)
            }),
            Expr::Subquery(subquery) => self.node("scalar", |walk| walk.query(subquery)),
            Expr::GroupingSets(sets) => self.sets("grouping-sets", sets),
            Expr::Cube(sets) => self.sets("cube", sets),
            Expr::Rollup(sets) => self.sets("rollup", sets),
            Expr::Tuple(items) => self.node("tuple", |walk| walk.list(items, Self::expression)),
            Expr::Struct { values, fields } => self.node("struct", |walk| {
                walk.list(values, Self::expression)?;
                walk.list(fields, Self::struct_field)
            }),
            Expr::Dictionary(fields) => self.node("dictionary", |walk| {
                walk.list(fields, |walk, field| {
                    let DictionaryField { key, value } = field;
                    walk.ident(key)?;
                    walk.expression(value)
                })
            }),
            Expr::Map(Map { entries }) => self.node("map", |walk| {
                walk.list(entries, |walk, entry| {
                    let MapEntry { key, value } = entry;
                    walk.expression(key)?;
                    walk.expression(value)
                })
            }),
            Expr::Array(Array { elem, named: _ }) => self.node("array", |walk| walk.list(elem, Self::expression)),
            Expr::Interval(interval) => self.interval(interval),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::JsonAccess { .. } => {
                Err(self.unsupported("the JSON path operator :", "Use a struct column and column['field']"))
            }
            Expr::IsNormalized { .. } => Err(self.unsupported("IS NORMALIZED", "")),
            Expr::InUnnest { .. } => Err(self.unsupported("IN UNNEST", "Write array_has(list, value)")),
            Expr::RLike { .. } => Err(self.unsupported("RLIKE and REGEXP", "Write value ~ 'pattern'")),
            Expr::Convert { .. } => Err(self.unsupported("CONVERT", "Write CAST(value AS type)")),
            Expr::Collate { .. } => Err(self.unsupported(
                "COLLATE",
                "Text compares by its code points; use lower(…) to ignore case",
            )),
            Expr::Prefixed { .. } => Err(self.unsupported("a prefix before a literal", "Write a plain literal")),
            Expr::Named { .. } => {
                Err(self.unsupported("names inside struct()", "Write named_struct('name', value, …)"))
            }
            Expr::MatchAgainst { .. } => Err(self.unsupported("MATCH … AGAINST", "Write LIKE or ~")),
            Expr::Wildcard(_) | Expr::QualifiedWildcard(..) => {
                Err(self.unsupported("* inside an expression", "Name the columns"))
            }
            Expr::OuterJoin(_) => Err(self.unsupported("the (+) outer join", "Write LEFT JOIN")),
            Expr::Prior(_) => Err(self.unsupported("PRIOR", "Write WITH RECURSIVE")),
            Expr::MemberOf(_) => Err(self.unsupported("MEMBER OF", "Write array_has(list, value)")),
        }
    }

    /// An expression whose outermost brackets are printed, where the planner looks at the form of the syntax tree.
    fn expression_in_brackets(&mut self, expression: &Expr) -> Result<()> {
        match expression {
            Expr::Nested(inner) => self.node("brackets", |walk| walk.expression_in_brackets(inner)),
            other => self.expression(other),
        }
    }

    fn unary(&mut self, tag: &'static str, inner: &Expr) -> Result<()> {
        self.node(tag, |walk| walk.expression(inner))
    }

    fn binary(&mut self, tag: &'static str, left: &Expr, right: &Expr) -> Result<()> {
        self.node(tag, |walk| {
            walk.expression_in_brackets(left)?;
            walk.expression_in_brackets(right)
        })
    }

    /// `a op b op c …` without recursion along the left side: a chain is as deep as it is long.
    fn chain(&mut self, expression: &Expr) -> Result<()> {
        let mut links = Vec::new();
        let mut current = expression;
        loop {
            match current {
                Expr::BinaryOp { left, op, right } => {
                    links.push((op, right));
                    current = left;
                }
                Expr::Nested(inner) if brackets_only_group(inner) => current = inner,
                _ => break,
            }
        }
        for (operator, _) in &links {
            self.out.push_str("(binary");
            self.binary_operator(operator)?;
        }
        self.node("left", |walk| walk.expression(current))?;
        for (_, right) in links.iter().rev() {
            self.node("right", |walk| walk.expression(right))?;
            self.out.push(')');
        }
        Ok(())
    }

    fn access(&mut self, access: &AccessExpr) -> Result<()> {
        match access {
            AccessExpr::Dot(inner) => self.node("dot", |walk| walk.expression_in_brackets(inner)),
            AccessExpr::Subscript(Subscript::Index { index }) => {
                self.node("index", |walk| walk.expression_in_brackets(index))
            }
            AccessExpr::Subscript(Subscript::Slice {
                lower_bound,
                upper_bound,
                stride,
            }) => self.node("slice", |walk| {
                walk.optional(lower_bound.as_ref(), Self::expression)?;
                walk.optional(upper_bound.as_ref(), Self::expression)?;
                walk.optional(stride.as_ref(), Self::expression)
            }),
        }
    }

    fn like(
        &mut self,
        tag: &'static str,
        negated: bool,
        any: bool,
        expression: &Expr,
        pattern: &Expr,
        escape: Option<&ValueWithSpan>,
    ) -> Result<()> {
        self.refuse_if(any, "LIKE ANY", "Join the conditions with OR")?;
        self.node(tag, |walk| {
            walk.flag(negated);
            walk.expression(expression)?;
            walk.expression(pattern)?;
            walk.optional(escape, Self::value)
        })
    }

    fn cast(
        &mut self,
        kind: &CastKind,
        expression: &Expr,
        data_type: &sqlparser::ast::DataType,
        array: bool,
        format: Option<&CastFormat>,
    ) -> Result<()> {
        self.refuse_if(array, "CAST(… AS … ARRAY)", "Write CAST(… AS type[])")?;
        self.refuse_if(
            format.is_some(),
            "CAST with FORMAT",
            "Write to_timestamp(text, '%Y-%m-%d') or to_char(value, '%Y-%m-%d')",
        )?;
        self.node("cast", |walk| {
            walk.leaf(match kind {
                CastKind::Cast => "cast",
                CastKind::TryCast => "try",
                CastKind::SafeCast => "safe",
                CastKind::DoubleColon => "colons",
            });
            walk.expression(expression)?;
            walk.data_type(data_type)
        })
    }

    fn rounding(&mut self, tag: &'static str, expression: &Expr, field: &CeilFloorKind) -> Result<()> {
        match field {
            CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) => {
                self.node(tag, |walk| walk.expression(expression))
            }
            CeilFloorKind::DateTimeField(_) => {
                Err(self.unsupported("ceil and floor to a unit of time", "Write date_trunc('day', value)"))
            }
            CeilFloorKind::Scale(_) => {
                Err(self.unsupported("ceil and floor with a scale", "Write round(value, digits)"))
            }
        }
    }

    fn sets(&mut self, tag: &'static str, sets: &[Vec<Expr>]) -> Result<()> {
        self.node(tag, |walk| {
            walk.list(sets, |walk, set| walk.list(set, Self::expression))
        })
    }

    pub(super) fn struct_field(&mut self, field: &StructField) -> Result<()> {
        let StructField {
            field_name,
            field_type,
            options,
        } = field;
        self.refuse_if(options.is_some(), "options of a struct's field", "Leave them out")?;
        self.node("field", |walk| {
            walk.optional_ident(field_name.as_ref())?;
            walk.data_type(field_type)
        })
    }

    fn interval(&mut self, interval: &Interval) -> Result<()> {
        let Interval {
            value,
            leading_field,
            leading_precision,
            last_field,
            fractional_seconds_precision,
        } = interval;
        self.node("interval", |walk| {
            walk.expression_in_brackets(value)?;
            walk.optional(leading_field.as_ref(), Self::date_time_field)?;
            walk.optional(leading_precision.as_ref(), |walk, number| {
                walk.number(*number);
                Ok(())
            })?;
            walk.optional(last_field.as_ref(), Self::date_time_field)?;
            walk.optional(fractional_seconds_precision.as_ref(), |walk, number| {
                walk.number(*number);
                Ok(())
            })
        })
    }

    fn lambda(&mut self, lambda: &LambdaFunction) -> Result<()> {
        let LambdaFunction {
            params,
            body,
            syntax: _,
        } = lambda;
        self.node("lambda", |walk| {
            walk.list(params.iter(), |walk, parameter| {
                let LambdaFunctionParameter { name, data_type } = parameter;
                walk.refuse_if(data_type.is_some(), "types of lambda parameters", "Leave them out")?;
                walk.ident(name)
            })?;
            walk.expression(body)
        })
    }

    pub(super) fn value(&mut self, value: &ValueWithSpan) -> Result<()> {
        let ValueWithSpan { value, span } = value;
        let at = place(span.start);
        self.last_place = at.or(self.last_place);
        match value {
            Value::Number(digits, long) => self.node("number", |walk| {
                walk.flag(*long);
                walk.text(digits);
                Ok(())
            }),
            Value::SingleQuotedString(text)
            | Value::DoubleQuotedString(text)
            | Value::EscapedStringLiteral(text)
            | Value::DollarQuotedString(DollarQuotedString { value: text, tag: _ }) => self.literal("text", text),
            Value::HexStringLiteral(text) => self.literal("hex", text),
            Value::Boolean(flag) => {
                self.leaf(if *flag { "true" } else { "false" });
                Ok(())
            }
            Value::Null => {
                self.leaf("null");
                Ok(())
            }
            Value::Placeholder(name) => Err(EngineError::new(
                ErrorKind::Unsupported,
                format!("The placeholder `{name}` has no value: recipes take no parameters"),
            )
            .at(at)
            .hint("Write the value itself")),
            _ => Err(self.unsupported("this form of literal", "Write 'text' in single quotes")),
        }
    }

    fn literal(&mut self, tag: &'static str, text: &str) -> Result<()> {
        self.node(tag, |walk| {
            walk.text(text);
            Ok(())
        })
    }

    /// A unit of time. Our own names, since the parser's may change.
    pub(super) fn date_time_field(&mut self, field: &DateTimeField) -> Result<()> {
        let tag = match field {
            DateTimeField::Year => "year",
            DateTimeField::Years => "years",
            DateTimeField::Month => "month",
            DateTimeField::Months => "months",
            DateTimeField::Week(None) => "week",
            DateTimeField::Weeks => "weeks",
            DateTimeField::Day => "day",
            DateTimeField::DayOfWeek => "dayofweek",
            DateTimeField::DayOfYear => "dayofyear",
            DateTimeField::Days => "days",
            DateTimeField::Date => "date",
            DateTimeField::Datetime => "datetime",
            DateTimeField::Hour => "hour",
            DateTimeField::Hours => "hours",
            DateTimeField::Minute => "minute",
            DateTimeField::Minutes => "minutes",
            DateTimeField::Second => "second",
            DateTimeField::Seconds => "seconds",
            DateTimeField::Century => "century",
            DateTimeField::Decade => "decade",
            DateTimeField::Dow => "dow",
            DateTimeField::Doy => "doy",
            DateTimeField::Epoch => "epoch",
            DateTimeField::Isodow => "isodow",
            DateTimeField::Isoyear => "isoyear",
            DateTimeField::IsoWeek => "isoweek",
            DateTimeField::Julian => "julian",
            DateTimeField::Microsecond => "microsecond",
            DateTimeField::Microseconds => "microseconds",
            DateTimeField::Millenium => "millenium",
            DateTimeField::Millennium => "millennium",
            DateTimeField::Millisecond => "millisecond",
            DateTimeField::Milliseconds => "milliseconds",
            DateTimeField::Nanosecond => "nanosecond",
            DateTimeField::Nanoseconds => "nanoseconds",
            DateTimeField::Quarter => "quarter",
            DateTimeField::Time => "time",
            DateTimeField::Custom(ident) => return self.node("custom", |walk| walk.ident(ident)),
            DateTimeField::Week(Some(_))
            | DateTimeField::Timezone
            | DateTimeField::TimezoneAbbr
            | DateTimeField::TimezoneHour
            | DateTimeField::TimezoneMinute
            | DateTimeField::TimezoneRegion
            | DateTimeField::NoDateTime => {
                return Err(self.unsupported("this unit of time", "Use year, month, day, hour, minute or second"));
            }
        };
        self.leaf(tag);
        Ok(())
    }
}

/// Whether brackets around the expression do nothing but group.
///
/// Around a literal they matter: `ORDER BY (1)` sorts by a constant, `ORDER BY 1` by the first column; and the planner
/// looks at the form of the syntax tree of literals, intervals and subqueries elsewhere too.
fn brackets_only_group(inner: &Expr) -> bool {
    let mut current = inner;
    while let Expr::Nested(inner) = current {
        current = inner;
    }
    matches!(
        current,
        Expr::BinaryOp { .. }
            | Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::Between { .. }
            | Expr::InList { .. }
            | Expr::InSubquery { .. }
            | Expr::Like { .. }
            | Expr::Case { .. }
            | Expr::Identifier(_)
            | Expr::CompoundIdentifier(_)
    )
}
