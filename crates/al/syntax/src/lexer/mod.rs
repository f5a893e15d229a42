//! The lexer: text to tokens, each byte in exactly one of them.

use crate::directive::{Directive, Symbols};
use crate::error::SyntaxError;
use crate::keyword::Keyword;
use crate::token::{Token, TokenKind};

/// What the lexer finds.
pub(crate) struct Lexed {
    /// In text order; the last one is [`TokenKind::EndOfFile`].
    pub(crate) tokens: Vec<Token>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) errors: Vec<SyntaxError>,
}

pub(crate) fn lex(text: &str, _symbols: &Symbols) -> Lexed {
    let end = Token { start: text.len() as u32, kind: TokenKind::EndOfFile, keyword: Keyword::None, first_on_line: true };
    Lexed { tokens: vec![end], directives: Vec::new(), errors: Vec::new() }
}
