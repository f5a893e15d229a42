//! One directive line: its word and what stands behind it.

use crate::directive::{DirectiveKind, PragmaAction};
use crate::range::TextRange;

/// The word behind the `#`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DirectiveWord {
    If,
    ElseIf,
    Else,
    EndIf,
    Define,
    Undefine,
    Region,
    EndRegion,
    Pragma,
    Unknown,
}

const WORDS: [(&str, DirectiveWord); 9] = [
    ("if", DirectiveWord::If),
    ("elif", DirectiveWord::ElseIf),
    ("else", DirectiveWord::Else),
    ("endif", DirectiveWord::EndIf),
    ("define", DirectiveWord::Define),
    ("undef", DirectiveWord::Undefine),
    ("region", DirectiveWord::Region),
    ("endregion", DirectiveWord::EndRegion),
    ("pragma", DirectiveWord::Pragma),
];

/// A line that begins with `#`.
#[derive(Clone, Copy)]
pub(super) struct DirectiveLine<'a> {
    pub(super) word: DirectiveWord,
    /// What stands behind the word, without a comment and without blanks around it.
    pub(super) rest: &'a str,
    /// Offset of `rest` in the text.
    rest_start: usize,
    start: usize,
    end: usize,
}

impl<'a> DirectiveLine<'a> {
    /// Reads the line whose `#` stands at `start` and that ends at `end`.
    pub(super) fn new(text: &'a str, start: usize, end: usize) -> Self {
        let behind_hash = &text[start + 1..end];
        let from_word = behind_hash.trim_start();
        let word_end = from_word.find(|character: char| !character.is_alphanumeric() && character != '_');
        let (word, rest) = from_word.split_at(word_end.unwrap_or(from_word.len()));
        let word = WORDS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(word))
            .map_or(DirectiveWord::Unknown, |&(_, word)| word);
        let without_comment = rest.find("//").map_or(rest, |comment| &rest[..comment]);
        let trimmed = without_comment.trim_start();
        Self {
            word,
            rest: trimmed.trim_end(),
            rest_start: end - rest.len() + (without_comment.len() - trimmed.len()),
            start,
            end,
        }
    }

    /// Whether the word is one that AL knows.
    pub(super) fn is_known(&self) -> bool {
        self.word != DirectiveWord::Unknown
    }

    /// Offset just behind the line, before its line end.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// From the `#` to the line end.
    pub(super) fn range(&self) -> TextRange {
        TextRange::new(self.start as u32, self.end as u32)
    }

    /// The name behind `#define` or `#undef`, if it is exactly one.
    pub(super) fn symbol(&self) -> Option<&'a str> {
        let mut characters = self.rest.chars();
        let starts_well = characters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_');
        (starts_well && characters.all(|other| other.is_alphanumeric() || other == '_')).then_some(self.rest)
    }

    /// What a `#pragma` says, and whether it is well formed.
    pub(super) fn pragma(&self) -> (DirectiveKind, bool) {
        let mut words = Words {
            line: self.rest,
            offset: self.rest_start,
        };
        let subject = words.next().map_or("", |(_, word)| word);
        let is_warning = subject.eq_ignore_ascii_case("warning");
        if !is_warning && !subject.eq_ignore_ascii_case("implicitwith") {
            return (DirectiveKind::OtherPragma, !subject.is_empty());
        }
        let Some(action) = words.next().and_then(|(_, word)| action(word)) else {
            return (DirectiveKind::OtherPragma, false);
        };
        if !is_warning {
            let well_formed = words.next().is_none();
            return (DirectiveKind::PragmaImplicitWith { action }, well_formed);
        }
        let (line, offset) = (words.line, words.offset);
        let mut ids = Vec::new();
        let mut well_formed = true;
        let mut position = offset;
        for item in line.split(',') {
            let id = item.trim();
            if !id.is_empty() {
                let start = position + (item.len() - item.trim_start().len());
                ids.push(TextRange::new(start as u32, (start + id.len()) as u32));
                well_formed &= id
                    .chars()
                    .all(|character| character.is_alphanumeric() || character == '_');
            }
            position += item.len() + 1;
        }
        (DirectiveKind::PragmaWarning { action, ids }, well_formed)
    }
}

fn action(word: &str) -> Option<PragmaAction> {
    [
        ("disable", PragmaAction::Disable),
        ("restore", PragmaAction::Restore),
        ("enable", PragmaAction::Enable),
    ]
    .into_iter()
    .find(|(known, _)| known.eq_ignore_ascii_case(word))
    .map(|(_, action)| action)
}

/// The words of a line that blanks separate, each with its offset in the text.
struct Words<'a> {
    line: &'a str,
    offset: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let trimmed = self.line.trim_start();
        if trimmed.is_empty() {
            return None;
        }
        let start = self.offset + self.line.len() - trimmed.len();
        let length = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (word, rest) = trimmed.split_at(length);
        self.line = rest;
        self.offset = start + length;
        Some((start, word))
    }
}
