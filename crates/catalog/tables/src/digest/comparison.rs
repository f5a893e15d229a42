//! How two tables differ, as far as their digests tell.

use super::{ColumnDigest, TableDigest};
use std::fmt;

/// What comparing two digests says. `Display` says it in one sentence, "before" being the one compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// The same rows in the same order, under the same names and types.
    Same,
    /// The same rows, names and types; whether in the same order is not known, since one side was merged from parts.
    SameRows,
    /// The same rows in another order.
    OtherOrder,
    /// Something differs.
    Different {
        /// Number of rows before and after, when it differs.
        row_count: Option<(u64, u64)>,
        /// Names and types that differ, in order.
        schema: Vec<SchemaDifference>,
        /// Columns of both whose values differ.
        columns: Vec<String>,
        /// Only types differ, and the order of the rows.
        other_order: bool,
        /// Every column holds the values it held, but the rows combine them differently.
        rearranged: bool,
    },
}

/// One difference between the columns of two tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaDifference {
    /// A column only the later table has.
    Added {
        /// Its name.
        name: String,
        /// Its type.
        data_type: String,
    },
    /// A column only the earlier table has.
    Removed {
        /// Its name.
        name: String,
        /// Its type.
        data_type: String,
    },
    /// A column of another type.
    Retyped {
        /// Its name.
        name: String,
        /// Its type before.
        before: String,
        /// Its type after.
        after: String,
    },
    /// The same columns stand in another order.
    Reordered,
}

impl TableDigest {
    /// How `after` differs from this table.
    pub fn compare(&self, after: &Self) -> Comparison {
        let same_schema = self.schema == after.schema;
        if same_schema && self.rows == after.rows && self.row_sum == after.row_sum {
            return match (self.sequence, after.sequence) {
                (Some(before), Some(after)) if before == after => Comparison::Same,
                (Some(_), Some(_)) => Comparison::OtherOrder,
                _ => Comparison::SameRows,
            };
        }
        let row_count = (self.rows != after.rows).then_some((self.rows, after.rows));
        let schema = if same_schema {
            Vec::new()
        } else {
            schema_differences(&self.columns, &after.columns)
        };
        let columns: Vec<String> = shared(&self.columns, &after.columns)
            .filter(|(before, after)| before.nulls != after.nulls || before.sum != after.sum)
            .map(|(before, _)| before.name.clone())
            .collect();
        let same_places = schema
            .iter()
            .all(|difference| matches!(difference, SchemaDifference::Retyped { .. }));
        let comparable = row_count.is_none() && columns.is_empty() && same_places;
        let same_rows = self.row_sum == after.row_sum;
        // One row has no other order, but its class is part of the sequence.
        let order_differs =
            self.rows > 1 && matches!((self.sequence, after.sequence), (Some(before), Some(after)) if before != after);
        Comparison::Different {
            row_count,
            schema,
            columns,
            other_order: comparable && same_rows && order_differs,
            rearranged: comparable && !same_rows,
        }
    }
}

/// Columns of the same name.
fn shared<'a>(
    before: &'a [ColumnDigest],
    after: &'a [ColumnDigest],
) -> impl Iterator<Item = (&'a ColumnDigest, &'a ColumnDigest)> {
    before
        .iter()
        .filter_map(|column| Some((column, after.iter().find(|other| other.name == column.name)?)))
}

fn schema_differences(before: &[ColumnDigest], after: &[ColumnDigest]) -> Vec<SchemaDifference> {
    let mut differences = Vec::new();
    for column in before {
        match after.iter().find(|other| other.name == column.name) {
            None => differences.push(SchemaDifference::Removed {
                name: column.name.clone(),
                data_type: column.data_type.clone(),
            }),
            Some(other) if other.data_type != column.data_type => differences.push(SchemaDifference::Retyped {
                name: column.name.clone(),
                before: column.data_type.clone(),
                after: other.data_type.clone(),
            }),
            Some(_) => {}
        }
    }
    for column in after {
        if !before.iter().any(|other| other.name == column.name) {
            differences.push(SchemaDifference::Added {
                name: column.name.clone(),
                data_type: column.data_type.clone(),
            });
        }
    }
    let names = |columns: &[ColumnDigest], others: &[ColumnDigest]| -> Vec<String> {
        let kept = columns
            .iter()
            .filter(|column| others.iter().any(|other| other.name == column.name));
        kept.map(|column| column.name.clone()).collect()
    };
    if names(before, after) != names(after, before) {
        differences.push(SchemaDifference::Reordered);
    }
    differences
}

impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => out.write_str("same rows in the same order"),
            Self::SameRows => out.write_str("same rows"),
            Self::OtherOrder => out.write_str("same rows in another order"),
            Self::Different {
                row_count,
                schema,
                columns,
                other_order,
                rearranged,
            } => {
                let mut said = Vec::new();
                if let Some((before, after)) = row_count {
                    said.push(format!("{before} rows became {after}"));
                }
                said.extend(schema.iter().map(ToString::to_string));
                match columns.as_slice() {
                    [] if *rearranged => said
                        .push("every column holds the same values, but the rows combine them differently".to_owned()),
                    [] if *other_order => said.push("the rows are the same in another order".to_owned()),
                    [] if row_count.is_none() => said.push("no value of a shared column differs".to_owned()),
                    [] => {}
                    [one] => said.push(format!("column {one} differs")),
                    many => said.push(format!("columns {} differ", many.join(", "))),
                }
                out.write_str(&said.join("; "))
            }
        }
    }
}

impl fmt::Display for SchemaDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { name, data_type } => write!(out, "column {name} ({data_type}) was added"),
            Self::Removed { name, data_type } => write!(out, "column {name} ({data_type}) was removed"),
            Self::Retyped { name, before, after } => write!(out, "column {name} was {before} and is {after}"),
            Self::Reordered => out.write_str("the columns stand in another order"),
        }
    }
}
