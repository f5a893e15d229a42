//! What an import has to say beside its rows.

use serde::Serialize;

/// Something worth telling about an import that succeeded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportNote {
    /// What it is about.
    pub kind: NoteKind,
    /// The column, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// One sentence.
    pub text: String,
}

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// Lines that are no rows were left out.
    SkippedLines,
    /// How the header was found, when it could be doubted.
    Header,
    /// A column got another name than its header.
    Renamed,
    /// A column was left out: an empty one at the end, or an inherited `__row_order`.
    LeftOut,
    /// A column has no value.
    NoValues,
    /// A column was kept as text, and why; what to pass to get another type.
    KeptAsText,
    /// Instants were brought to UTC because their offsets differ.
    Offsets,
    /// A column is kept in another unit of time than usual, so that its values fit.
    Unit,
    /// Numbers were read with a comma before the fraction.
    DecimalComma,
    /// The encoding is another than UTF-8.
    Encoding,
}

impl ImportNote {
    pub(super) fn new(kind: NoteKind, column: Option<&str>, text: impl Into<String>) -> Self {
        Self {
            kind,
            column: column.map(str::to_owned),
            text: text.into(),
        }
    }
}
