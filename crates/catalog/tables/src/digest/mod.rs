//! What a table holds, in a few hundred bits.
//!
//! One pass over the rows gives
//!
//! * **`rows1`**: the sum modulo 2^128 of a 128-bit hash (XXH3) of each row. It does not depend on the order of the
//!   rows, and the digests of the parts of a table add up to that of the table;
//! * **`cols1`**: the same per column, which names the column that differs;
//! * **`seq1`**: BLAKE3 over each column's values in the order of the rows;
//! * **`schema1`**: BLAKE3 over the names and types of the columns, in order.
//!
//! Everything else is left out: the size of batches, slices, encodings (dictionary, run-end, views), what stands behind
//! a null, nullability, metadata, and the column `__row_order`. These rules decide what "the same value" is:
//!
//! | values | rule |
//! |---|---|
//! | null | itself only: not 0, not the empty text, not NaN |
//! | integers of every width | equal when the number is |
//! | floating point | `-0.0` is `0.0`; every NaN is the same; 32 bits equal 64 bits of the same number; nothing is rounded |
//! | decimals of every width | equal when the number is: `1.50` is `1.5` |
//! | text, bytes | their bytes; no Unicode normalisation |
//! | dates, times, durations, timestamps | equal in every unit; a timestamp with a zone is its instant, and never equal to one without |
//! | intervals | months, days and nanoseconds, each on its own |
//! | lists, structs | item by item; a null list is not an empty one, a null struct not one of nulls |
//! | maps | the set of their entries |
//!
//! Types count in `schema1`, so a column that only became wider differs there and nowhere else. A column of another
//! class (text instead of integer) differs everywhere.
//!
//! XXH3 resists accidents, not adversaries: whoever can choose rows freely could make two tables with one `rows1`.
//! `seq1` is as strong as BLAKE3, except over maps and unions, which enter it through their XXH3 hashes.

mod canonical;
mod comparison;
mod logical;
mod rows;
mod sequence;
mod text;

use crate::ROW_ORDER;
use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use canonical::Column;
pub use comparison::{Comparison, SchemaDifference};
use logical::{class_of, describe};
use rows::{cell_hashes, column_seed, finish, fold, seed};
use sequence::Streams;
pub use text::{DigestTextError, WrongPrefix};

/// Why a table could not be digested.
#[derive(Debug, thiserror::Error)]
pub enum DigestError {
    /// Rows were added whose columns are not those the digest was begun with.
    #[error("column {position} is {found} where the digest was begun with {expected}")]
    SchemaMismatch {
        /// 1-based; one beyond the last when there are too few or too many columns.
        position: usize,
        /// Name and type.
        expected: String,
        /// Name and type.
        found: String,
    },
    /// The rows themselves are unsound, such as a dictionary key outside its dictionary.
    #[error("the rows could not be read: {0}")]
    Arrow(#[from] ArrowError),
}

/// The digest of a table, and everything needed to say how another one differs.
///
/// It is kept as JSON (`serde`), or as the one line that `Display` writes, which leaves out the columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDigest {
    /// How many rows there are.
    pub rows: u64,
    /// `rows1`.
    pub row_sum: u128,
    /// `seq1`; absent when parts were merged, for they came in no order.
    pub sequence: Option<[u8; 32]>,
    /// `schema1`.
    pub schema: [u8; 32],
    /// The columns in order.
    pub columns: Vec<ColumnDigest>,
}

/// What is known of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDigest {
    /// Its name.
    pub name: String,
    /// Its type, apart from its encoding, such as `decimal(10,2)`.
    pub data_type: String,
    /// How many of its cells are null.
    pub nulls: u64,
    /// `cols1`.
    pub sum: u128,
}

struct ColumnState {
    name: String,
    class: &'static str,
    data_type: String,
    /// Depends on the column's place: rows are read from left to right.
    seed: u128,
    /// Does not, so that a column that moved is still known.
    sum_seed: u128,
    nulls: u64,
    sum: u128,
}

/// Digests a table batch by batch.
///
/// ```
/// use arrow::array::{Int64Array, RecordBatch};
/// use candor_catalog_tables::digest::{Comparison, Digester};
/// use std::sync::Arc;
///
/// let table = |values: Vec<i64>| RecordBatch::try_from_iter([("n", Arc::new(Int64Array::from(values)) as _)]);
/// let mut one = Digester::new(&table(vec![])?.schema());
/// one.update(&table(vec![1, 2])?)?;
/// one.update(&table(vec![3])?)?;
/// let mut other = Digester::new(&table(vec![])?.schema());
/// other.update(&table(vec![3, 2, 1])?)?;
/// assert_eq!(one.finish().compare(&other.finish()), Comparison::OtherOrder);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Digester {
    rows: u64,
    row_sum: u128,
    columns: Vec<ColumnState>,
    streams: Option<Vec<Streams>>,
}

impl Digester {
    /// Begins the digest of a table with these columns; `__row_order` is not one of them.
    pub fn new(schema: &Schema) -> Self {
        let mut digester = Self::unordered(schema);
        digester.streams = Some(
            digester
                .columns
                .iter()
                .map(|column| Streams::new(column.class))
                .collect(),
        );
        digester
    }

    /// Begins one that leaves `seq1` out: for parts of a table, which come in no order.
    pub fn unordered(schema: &Schema) -> Self {
        let fields = schema.fields().iter().filter(|field| field.name() != ROW_ORDER);
        let columns = fields
            .enumerate()
            .map(|(position, field)| {
                let class = class_of(field.data_type());
                ColumnState {
                    name: field.name().clone(),
                    class,
                    data_type: describe(field.data_type()),
                    seed: column_seed(position, class),
                    sum_seed: seed(class),
                    nulls: 0,
                    sum: 0,
                }
            })
            .collect();
        Self {
            rows: 0,
            row_sum: 0,
            columns,
            streams: None,
        }
    }

    /// Takes in the rows of `batch`, in order.
    ///
    /// # Errors
    /// When its columns are not those the digest was begun with, or its arrays are unsound.
    pub fn update(&mut self, batch: &RecordBatch) -> Result<(), DigestError> {
        let arrays = self.matched(batch)?;
        let mut hashes = vec![seed("row"); batch.num_rows()];
        for (place, array) in arrays.into_iter().enumerate() {
            let column = Column::new(array)?;
            let state = &mut self.columns[place];
            state.nulls += column.null_count() as u64;
            let mut sum = state.sum;
            for (hash, cell) in hashes.iter_mut().zip(cell_hashes(&column)) {
                sum = sum.wrapping_add(finish(cell.wrapping_add(state.sum_seed)));
                *hash = fold(*hash, cell, state.seed);
            }
            state.sum = sum;
            if let Some(streams) = &mut self.streams {
                streams[place].update(&column);
            }
        }
        self.row_sum = hashes
            .into_iter()
            .fold(self.row_sum, |sum, hash| sum.wrapping_add(finish(hash)));
        self.rows += batch.num_rows() as u64;
        Ok(())
    }

    /// Adds what another digester saw of the same table. `seq1` is then absent.
    ///
    /// # Errors
    /// When the two were begun with different columns.
    pub fn merge(&mut self, other: &Self) -> Result<(), DigestError> {
        let theirs = other
            .columns
            .iter()
            .map(|column| (column.name.as_str(), column.data_type.as_str()));
        self.match_columns(theirs)?;
        for (ours, theirs) in self.columns.iter_mut().zip(&other.columns) {
            ours.sum = ours.sum.wrapping_add(theirs.sum);
            ours.nulls += theirs.nulls;
        }
        self.row_sum = self.row_sum.wrapping_add(other.row_sum);
        self.rows += other.rows;
        self.streams = None;
        Ok(())
    }

    /// The digest of everything taken in.
    pub fn finish(self) -> TableDigest {
        let sequence = self.streams.map(|streams| {
            let mut whole = blake3::Hasher::new();
            whole.update(b"candor seq1\0");
            whole.update(&self.rows.to_le_bytes());
            whole.update(&(streams.len() as u64).to_le_bytes());
            for column in &streams {
                whole.update(column.finish().as_bytes());
            }
            *whole.finalize().as_bytes()
        });
        let mut schema = blake3::Hasher::new();
        schema.update(b"candor schema1\0");
        for column in &self.columns {
            // Lengths first: a name may hold anything.
            for part in [&column.name, &column.data_type] {
                schema.update(&(part.len() as u64).to_le_bytes());
                schema.update(part.as_bytes());
            }
        }
        TableDigest {
            rows: self.rows,
            row_sum: self.row_sum,
            sequence,
            schema: *schema.finalize().as_bytes(),
            columns: self
                .columns
                .into_iter()
                .map(|column| ColumnDigest {
                    name: column.name,
                    data_type: column.data_type,
                    nulls: column.nulls,
                    sum: column.sum,
                })
                .collect(),
        }
    }

    fn matched<'b>(&self, batch: &'b RecordBatch) -> Result<Vec<&'b arrow::array::ArrayRef>, DigestError> {
        let schema = batch.schema_ref();
        let kept: Vec<usize> = (0..batch.num_columns())
            .filter(|place| schema.field(*place).name() != ROW_ORDER)
            .collect();
        let types: Vec<String> = kept
            .iter()
            .map(|place| describe(schema.field(*place).data_type()))
            .collect();
        let names = kept.iter().map(|place| schema.field(*place).name().as_str());
        self.match_columns(names.zip(types.iter().map(String::as_str)))?;
        Ok(kept.into_iter().map(|place| batch.column(place)).collect())
    }

    fn match_columns<'a>(&self, others: impl Iterator<Item = (&'a str, &'a str)>) -> Result<(), DigestError> {
        let name = |column: Option<(&str, &str)>| match column {
            Some((name, data_type)) => format!("\"{name}\" of type {data_type}"),
            None => "no column".to_owned(),
        };
        let mut ours = self
            .columns
            .iter()
            .map(|column| (column.name.as_str(), column.data_type.as_str()));
        let mut others = others;
        let mut position = 1;
        loop {
            let (expected, found) = (ours.next(), others.next());
            if expected != found {
                return Err(DigestError::SchemaMismatch {
                    position,
                    expected: name(expected),
                    found: name(found),
                });
            }
            if expected.is_none() {
                return Ok(());
            }
            position += 1;
        }
    }
}
