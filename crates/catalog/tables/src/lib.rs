//! Arrow tables in files: import, snapshots, digests, pages, cells as JSON.
//!
//! Everything the catalog does with rows that needs no query engine, so that this crate builds in seconds:
//!
//! * [`import`] reads a CSV or Parquet file into a snapshot without changing a value silently;
//! * [`snapshot`] writes and reads the Parquet files in which results are kept;
//! * [`digest`] says whether two tables hold the same rows, and if not, what differs;
//! * [`cells`] turns rows into JSON for tools.
//!
//! Nothing here knows of entries, projects or aliases: a path and rows in, facts out. Long work takes a
//! [`Progress`], through which its caller watches it and stops it.

pub mod cells;
pub mod digest;
pub mod import;
mod progress;
pub mod snapshot;
pub mod types;

pub use progress::{Progress, Stage, Unobserved};

/// Name of the column every snapshot ends with: the row's place, 0 to N-1, as a 64-bit integer.
pub const ROW_ORDER: &str = "__row_order";
