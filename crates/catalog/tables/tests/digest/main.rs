//! What a digest promises: the same value for the same rows, another one for anything else.

mod golden;
mod rules;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{Field, Schema};
use candor_catalog_tables::digest::{Digester, TableDigest};
use std::sync::Arc;

/// A table of one column called `c`.
fn column(values: ArrayRef) -> RecordBatch {
    table(vec![("c", values)])
}

fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, values)| Field::new(*name, values.data_type().clone(), true))
        .collect();
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let arrays = columns.into_iter().map(|(_, values)| values).collect();
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options).expect("columns of one length")
}

fn digest(batch: &RecordBatch) -> TableDigest {
    in_batches(batch, usize::MAX)
}

/// The digest of the same rows, handed over in slices of `size` rows.
fn in_batches(batch: &RecordBatch, size: usize) -> TableDigest {
    let mut digester = Digester::new(batch.schema_ref());
    let mut start = 0;
    while start < batch.num_rows() {
        let count = size.min(batch.num_rows() - start);
        digester.update(&batch.slice(start, count)).expect("the same columns");
        start += count;
    }
    digester.finish()
}
