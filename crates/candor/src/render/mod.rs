//! How results look. One file for each format; none of them knows how a
//! server is talked to.

pub(crate) mod differences;
pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod sarif;
pub(crate) mod style;

use candor::report::Outcome;

/// Where the documentation of a check stands in the repository.
pub(crate) fn page(id: &str) -> String {
    format!("docs/checks/{}.md", id.to_ascii_lowercase())
}

/// The end of a call in a few words.
pub(crate) fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::ToolError => "flagged as an error".to_owned(),
        Outcome::ProtocolError(code) => format!("protocol error {code}"),
        Outcome::Success => "answered as a success".to_owned(),
        Outcome::NoReply => "no reply".to_owned(),
        Outcome::Died => "the server went away".to_owned(),
    }
}

/// `1 tool`, `2 tools`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Bytes for a reader: `812 B`, `12.3 kB`.
pub(crate) fn bytes(bytes: usize) -> String {
    if bytes < 1000 {
        format!("{bytes} B")
    } else {
        #[expect(clippy::cast_precision_loss, reason = "a size to read, not to calculate with")]
        let kilobytes = bytes as f64 / 1000.0;
        format!("{kilobytes:.1} kB")
    }
}

/// A server's text, made safe for a terminal: a name or a message may hold
/// escape sequences or marks that reorder what is read.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\t' => ' ',
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            character if character.is_control() => '\u{fffd}',
            character => character,
        })
        .collect()
}
