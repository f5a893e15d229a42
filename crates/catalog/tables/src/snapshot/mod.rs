//! The Parquet files in which results and imported data are kept.
//!
//! A snapshot holds the rows of one table in one order and never changes. Its last column, `__row_order`, numbers them
//! from 0. Written with zstd at level 3, statistics and page index, in row groups of 1,048,576 rows (122,880 for
//! imported data), cut at the same rows whatever the size of the incoming batches. A file appears under its name only
//! when it is whole, synced, and read back.
//!
//! Every column may hold nulls, whatever the schema it came with says, and metadata of the schema as a whole is left
//! behind. Types are kept exactly; what Parquet cannot hold is refused with the column's name.

mod error;
mod read;
mod write;

pub use error::SnapshotError;
pub use read::{RowStream, SnapshotReader, file_blake3};
pub use write::{SnapshotKind, SnapshotWriter, StagedSnapshot};

use crate::digest::TableDigest;
use arrow::datatypes::SchemaRef;

/// What is known of a snapshot once it is written.
#[derive(Debug, Clone)]
pub struct SnapshotFacts {
    /// Number of rows.
    pub rows: u64,
    /// Size of the file.
    pub bytes: u64,
    /// BLAKE3 of the file's bytes, in hexadecimal: tells damage, never sameness of rows.
    pub blake3: String,
    /// Digest of the rows as they were read back from the file; `__row_order` is not part of it.
    pub digest: TableDigest,
    /// The columns as they were read back, without `__row_order`.
    pub schema: SchemaRef,
}
