//! The contract that all tools keep: how they fail, how they describe
//! themselves, and how failures that nobody asked about reach an agent.
//!
//! Knows no product and no transport.

mod arguments;
mod code;
mod error;
mod journal;
mod nearest;
mod policy;
mod reply;
mod schema;
mod tool;
mod vocabulary;

pub use arguments::{ArgumentError, ArgumentParser, parse_arguments};
pub use code::ErrorCode;
pub use error::{Envelope, ToolError};
pub use journal::{
    CallScope, Cursor, CursorError, Journal, JournalDraft, JournalError, JournalRecord, NewErrors, OwnRecords,
    RecordFilter, Reporter, ReporterOptions, candor_home,
};
pub use nearest::nearest_names;
pub use policy::{PolicyProblem, PolicyViolation, PublishedBytes, check_policy, published_bytes};
pub use reply::{REPLY_BYTES, ReplyBudget, drop_nulls, drop_nulls_in, json_bytes, shortened};
pub use schema::{DocumentedDefault, NEW_ERRORS, NEW_ERRORS_OMITTED, input_schema, output_schema};
pub use tool::{Hints, Tool, ToolDescription};
pub use vocabulary::{
    NoReason, Place, Reason, Vocabulary, VocabularyRow, vocabulary_json, vocabulary_markdown, vocabulary_rows,
};
