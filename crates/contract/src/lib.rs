//! The contract that all tools keep: how they fail, how they describe
//! themselves, and how failures that nobody asked about reach an agent.
//!
//! Knows no product and no transport.

mod code;
mod error;
mod reply;
mod vocabulary;

pub use code::ErrorCode;
pub use error::{Envelope, ToolError};
pub use reply::{REPLY_BYTES, ReplyBudget, drop_nulls, drop_nulls_in, json_bytes};
pub use vocabulary::{
    NoReason, Place, Reason, Vocabulary, VocabularyRow, vocabulary_json, vocabulary_markdown,
    vocabulary_rows,
};
