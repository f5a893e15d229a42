//! What stands in `FROM`: references, subqueries, joins.

use sqlparser::ast::{
    Ident, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, TableAlias, TableAliasColumnDef, TableFactor,
};

use super::Walk;
use crate::error::{EngineError, ErrorKind, Result};
use crate::recipe::place;

impl Walk {
    pub(super) fn table_factor(&mut self, factor: &TableFactor) -> Result<()> {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args,
                with_hints,
                version,
                with_ordinality,
                partitions,
                json_path,
                sample,
                index_hints,
            } => {
                let ident = self.table_name(name)?.clone();
                self.last_place = place(ident.span.start).or(self.last_place);
                if args.is_some() {
                    return Err(Self::table_function(&ident));
                }
                self.refuse_if(
                    sample.is_some(),
                    "TABLESAMPLE",
                    "Write a filter that picks the rows, such as WHERE id % 100 = 0, or ORDER BY … LIMIT n",
                )?;
                self.refuse_if(
                    version.is_some(),
                    "time travel",
                    &format!("Pin a version by its name: \"{}-v1\"", ident.value),
                )?;
                self.refuse_if(
                    !with_hints.is_empty()
                        || *with_ordinality
                        || !partitions.is_empty()
                        || json_path.is_some()
                        || !index_hints.is_empty(),
                    "hints and options after a table name",
                    "Leave them out",
                )?;
                if self.is_in_scope(&ident.value) {
                    self.node("cte-name", |walk| {
                        walk.ident(&ident)?;
                        walk.optional(alias.as_ref(), Self::table_alias)
                    })
                } else {
                    let index = self.reference(&ident)?;
                    self.node("reference", |walk| {
                        walk.number(index as u64);
                        walk.optional(alias.as_ref(), Self::table_alias)
                    })
                }
            }
            TableFactor::Derived {
                lateral,
                subquery,
                alias,
                sample,
            } => {
                self.refuse_if(sample.is_some(), "TABLESAMPLE", "Write a filter that picks the rows")?;
                self.node("derived", |walk| {
                    walk.flag(*lateral);
                    walk.query(subquery)?;
                    walk.optional(alias.as_ref(), Self::table_alias)
                })
            }
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset,
                with_offset_alias,
                with_ordinality,
            } => {
                self.refuse_if(
                    *with_offset || with_offset_alias.is_some() || *with_ordinality,
                    "UNNEST WITH OFFSET or ORDINALITY",
                    "Leave it out",
                )?;
                self.node("unnest", |walk| {
                    walk.list(array_exprs, Self::expression)?;
                    walk.optional(alias.as_ref(), Self::table_alias)
                })
            }
            TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => self.node("nested-join", |walk| {
                walk.table_with_joins(table_with_joins)?;
                walk.optional(alias.as_ref(), Self::table_alias)
            }),
            TableFactor::Function { name, .. } => {
                let ident = self.table_name(name)?.clone();
                Err(Self::table_function(&ident))
            }
            TableFactor::TableFunction { .. } => Err(self.unsupported("TABLE(function)", "Only aliases can be read")),
            TableFactor::JsonTable { .. } | TableFactor::OpenJsonTable { .. } | TableFactor::XmlTable { .. } => {
                Err(self.unsupported(
                    "JSON_TABLE, OPENJSON and XMLTABLE",
                    "Bring the data in as a table with catalog_import_source",
                ))
            }
            TableFactor::Pivot { .. } => Err(self.unsupported(
                "PIVOT",
                "Write one aggregate per column: SELECT key, sum(value) FILTER (WHERE kind = 'a') AS a, … GROUP BY key",
            )),
            TableFactor::Unpivot { .. } => {
                Err(self.unsupported("UNPIVOT", "Write one SELECT per column and join them with UNION ALL"))
            }
            TableFactor::MatchRecognize { .. } => Err(self.unsupported("MATCH_RECOGNIZE", "Write window functions")),
            TableFactor::SemanticView { .. } => Err(self.unsupported("SEMANTIC_VIEW", "Only aliases can be read")),
        }
    }

    /// The one part of a table name.
    fn table_name<'a>(&self, name: &'a ObjectName) -> Result<&'a Ident> {
        let ObjectName(parts) = name;
        match parts.as_slice() {
            [ObjectNamePart::Identifier(ident)] => Ok(ident),
            [ObjectNamePart::Identifier(first), ..] => {
                let at = place(first.span.start);
                // `orders.csv` without quotes is a file too.
                crate::recipe::names::read_target(&name.to_string().replace(['"', '`'], ""), at)?;
                Err(EngineError::new(ErrorKind::ForbiddenReference, format!("`{name}` has a schema; aliases have none"))
                    .at(at)
                    .hint("Write the alias alone: FROM orders, or FROM \"orders-v2\" for a version. A name that holds a dot needs double quotes"))
            }
            _ => Err(self.unsupported("a computed table name", "Write the alias itself")),
        }
    }

    fn table_function(ident: &Ident) -> EngineError {
        let reads_a_file = [
            "read_", "scan_", "_scan", "parquet", "csv", "json", "glob", "file", "url", "s3",
        ]
        .iter()
        .any(|part| ident.value.to_ascii_lowercase().contains(part));
        let hint = if reads_a_file {
            "Call catalog_import_source(outside_path=\"<file>\", alias=\"<name>\") and write FROM <name>"
        } else {
            "Only aliases can be read. A list of numbers: SELECT unnest(range(1, 10)) AS n"
        };
        EngineError::new(
            ErrorKind::ForbiddenReference,
            format!("Recipes cannot read from the table function `{}`", ident.value),
        )
        .at(place(ident.span.start))
        .hint(hint)
    }

    pub(super) fn table_alias(&mut self, alias: &TableAlias) -> Result<()> {
        let TableAlias {
            explicit: _,
            name,
            columns,
            at,
        } = alias;
        self.refuse_if(at.is_some(), "AT after a table's name", "Leave it out")?;
        self.node("alias", |walk| {
            walk.ident(name)?;
            walk.list(columns, |walk, column| {
                let TableAliasColumnDef { name, data_type } = column;
                walk.refuse_if(
                    data_type.is_some(),
                    "types in a list of column names",
                    "Write CAST(column AS type)",
                )?;
                walk.ident(name)
            })
        })
    }

    pub(super) fn join(&mut self, join: &Join) -> Result<()> {
        let Join {
            relation,
            global,
            join_operator,
        } = join;
        self.refuse_if(*global, "GLOBAL joins", "Leave GLOBAL out")?;
        let (tag, constraint) = match join_operator {
            // `JOIN` is `INNER JOIN`, and `LEFT JOIN` is `LEFT OUTER JOIN`.
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => ("inner", constraint),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => ("left", constraint),
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => ("right", constraint),
            JoinOperator::FullOuter(constraint) => ("full", constraint),
            JoinOperator::CrossJoin(constraint) => ("cross", constraint),
            JoinOperator::LeftSemi(constraint) => ("left-semi", constraint),
            JoinOperator::RightSemi(constraint) => ("right-semi", constraint),
            JoinOperator::LeftAnti(constraint) => ("left-anti", constraint),
            JoinOperator::RightAnti(constraint) => ("right-anti", constraint),
            JoinOperator::Semi(_) | JoinOperator::Anti(_) => {
                return Err(self.unsupported(
                    "SEMI JOIN and ANTI JOIN without a side",
                    "Write LEFT SEMI JOIN or LEFT ANTI JOIN",
                ));
            }
            JoinOperator::CrossApply | JoinOperator::OuterApply => {
                return Err(self.unsupported("APPLY", "Write a join"));
            }
            JoinOperator::AsOf { .. } => {
                return Err(self.unsupported(
                    "ASOF JOIN",
                    "Join on <= and keep the last match: QUALIFY row_number() OVER (PARTITION BY left_key ORDER BY right_time DESC) = 1",
                ));
            }
            JoinOperator::StraightJoin(_) => return Err(self.unsupported("STRAIGHT_JOIN", "Write JOIN")),
            JoinOperator::ArrayJoin | JoinOperator::LeftArrayJoin | JoinOperator::InnerArrayJoin => {
                return Err(self.unsupported("ARRAY JOIN", "Write unnest(column)"));
            }
        };
        self.node(tag, |walk| {
            walk.table_factor(relation)?;
            match constraint {
                JoinConstraint::On(condition) => walk.node("on", |walk| walk.expression(condition)),
                JoinConstraint::Using(columns) => walk.node("using", |walk| walk.list(columns, Self::object_name)),
                JoinConstraint::Natural => {
                    walk.leaf("natural");
                    Ok(())
                }
                JoinConstraint::None => {
                    walk.leaf("none");
                    Ok(())
                }
            }
        })
    }
}
