//! `prompts/<hash>.jsonl`: what was asked for each time an entry was built.

use serde::{Deserialize, Serialize};

/// One request that led to an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// What was asked for.
    pub prompt: String,
    /// When: UTC, RFC 3339.
    pub at: String,
}

/// The prompts in a file; a line that cannot be read is passed over.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<Prompt> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

pub(crate) fn to_line(prompt: &Prompt) -> String {
    let mut line = serde_json::to_string(prompt).expect("two words can be written");
    line.push('\n');
    line
}
