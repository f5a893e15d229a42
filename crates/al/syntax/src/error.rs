use crate::range::TextRange;

/// A place where the text is not AL. Reported under the id `CN0001`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where: the token that does not fit, or the empty range behind the last fitting token when something is missing.
    pub range: TextRange,
    /// What is wrong.
    pub kind: SyntaxErrorKind,
}

/// What is wrong with the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// Something has to stand here; `what` names it as a reader would say it: "`;`", "an expression", "`end` of this block".
    Expected {
        /// What was expected.
        what: &'static str,
    },
    /// The tokens of the range fit nowhere.
    Unexpected {
        /// What the parser was reading, as in "a statement" or "a property".
        place: &'static str,
    },
    /// A string without its closing quote on the same line.
    UnterminatedString,
    /// A quoted name without its closing quote on the same line.
    UnterminatedQuotedIdentifier,
    /// `/*` without `*/`.
    UnterminatedComment,
    /// A character AL has no use for.
    UnknownCharacter,
    /// `#elif`, `#else`, `#endif` or `#endregion` without its beginning.
    UnmatchedDirective,
    /// `#if` or `#region` without its end.
    UnterminatedDirective,
    /// A directive whose words make no sense.
    MalformedDirective,
    /// Deeper nesting than any real program has; the rest of the construct is skipped.
    NestedTooDeeply,
}

impl SyntaxErrorKind {
    /// Whether a single token is broken, so that what the parser makes of its line is guesswork.
    pub(crate) fn is_about_token(self) -> bool {
        matches!(
            self,
            Self::UnterminatedString
                | Self::UnterminatedQuotedIdentifier
                | Self::UnterminatedComment
                | Self::UnknownCharacter
        )
    }

    /// The error in words; `found` is the text of the token that stands there, empty at the end of the file.
    pub fn message(self, found: &str) -> String {
        let found = match found {
            "" => "the end of the file".to_owned(),
            text => {
                let line = text.lines().next().unwrap_or_default();
                let mut short: String = line.chars().take(40).collect();
                if short.len() < line.len() {
                    short.push('…');
                }
                format!("`{short}`")
            }
        };
        match self {
            Self::Expected { what } => format!("Expected {what}, found {found}"),
            Self::Unexpected { place } => format!("{found} does not fit here: the parser was reading {place}"),
            Self::UnterminatedString => "The closing `'` of this string is missing".to_owned(),
            Self::UnterminatedQuotedIdentifier => "The closing `\"` of this name is missing".to_owned(),
            Self::UnterminatedComment => "The closing `*/` of this comment is missing".to_owned(),
            Self::UnknownCharacter => format!("AL has no use for {found}"),
            Self::UnmatchedDirective => format!("{found} has no beginning that it could belong to"),
            Self::UnterminatedDirective => format!("{found} is never closed"),
            Self::MalformedDirective => format!("{found} is not a directive that AL knows"),
            Self::NestedTooDeeply => "This is nested too deeply to be analysed".to_owned(),
        }
    }
}
