//! The parser: hand-written recursive descent over the tokens that are no trivia.
//!
//! Every function consumes what it understands and leaves the rest to its caller; the ones that loop over members stop
//! at what cannot belong to them (see [`recovery`]), so that a damaged procedure never takes the next one with it.
//! Nodes are written children first; wrapping what was already parsed is therefore free: remember a [`Start`] and
//! finish it later.

use std::sync::Arc;

use crate::directive::Symbols;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::lexer::lex;
use crate::range::TextRange;
use crate::token::{Token, TokenKind};
use crate::tree::{RawNode, Tree};

mod expression;
mod guide;
mod label;
mod member;
mod names;
mod object;
mod property;
mod recovery;
mod source_file;
mod statement;
mod types;

pub(crate) use property::property_of;

/// No real program nests anywhere near this deep (BCApps: 31). Each level costs a few hundred bytes of stack, and the
/// smallest stack this runs on is a thread's 2 MiB.
const MAXIMUM_DEPTH: u32 = 200;

/// Parses a text. `symbols` are the preprocessor symbols defined from outside (by `app.json` or the command line).
///
/// Never fails: the tree of any text has all of its bytes, and what is wrong is in [`Tree::errors`].
pub fn parse(text: impl Into<Arc<str>>, symbols: &Symbols) -> Tree {
    let text = text.into();
    let lexed = lex(&text, symbols);
    let mut parser = Parser::new(&text, &lexed.tokens, &lexed.errors);
    source_file::compilation_unit(&mut parser);
    let Parser { nodes, mut errors, .. } = parser;
    errors.extend(lexed.errors);
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    Tree::new(text, lexed.tokens, &nodes, errors, lexed.directives)
}

/// Where a node begins. It may be finished any number of times: each finished node wraps the ones finished since.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    node: u32,
    token: u32,
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Index of the current token; never trivia.
    position: u32,
    /// Index just behind the last consumed token.
    consumed: u32,
    nodes: Vec<RawNode>,
    errors: Vec<SyntaxError>,
    /// What the lexer found wrong: a line that it has reported gets no second report.
    lexical_errors: &'a [SyntaxError],
    /// End of the last line for which it is settled that it gets no further report.
    reported_line_end: u32,
    depth: u32,
    /// Nodes begun in a loop instead of a recursion, to be finished by the same function, last one first.
    pending: Vec<Start>,
    open: recovery::Open,
    guide: guide::Guide,
    /// Whether anything was wrong since this was last reset, reported or not.
    trouble: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: &'a [Token], lexical_errors: &'a [SyntaxError]) -> Self {
        let mut parser = Parser {
            text,
            tokens,
            position: 0,
            consumed: 0,
            // Measured over BCApps: one node for every 2.1 tokens.
            nodes: Vec::with_capacity(tokens.len() / 2 + 1),
            errors: Vec::new(),
            lexical_errors,
            reported_line_end: 0,
            depth: 0,
            pending: Vec::new(),
            open: recovery::Open::default(),
            guide: guide::Guide::default(),
            trouble: false,
        };
        parser.skip_trivia();
        parser
    }

    #[inline]
    fn skip_trivia(&mut self) {
        while self.tokens[self.position as usize].kind.is_trivia() {
            self.position += 1;
        }
    }

    /// The current token.
    #[inline]
    pub(crate) fn current(&self) -> Token {
        self.tokens[self.position as usize]
    }

    /// The kind of the current token.
    #[inline]
    pub(crate) fn kind(&self) -> TokenKind {
        self.current().kind
    }

    /// The word the current token spells; [`Keyword::None`] if it is none.
    #[inline]
    pub(crate) fn keyword(&self) -> Keyword {
        self.current().keyword
    }

    /// The significant token `distance` behind the current one; 0 is the current one.
    #[inline]
    pub(crate) fn peek(&self, distance: u32) -> Token {
        let mut index = self.position as usize;
        let mut left = distance;
        while left > 0 && self.tokens[index].kind != TokenKind::EndOfFile {
            index += 1;
            while self.tokens[index].kind.is_trivia() {
                index += 1;
            }
            left -= 1;
        }
        self.tokens[index]
    }

    /// The text of the current token.
    #[inline]
    pub(crate) fn current_text(&self) -> &'a str {
        self.text_of(self.position)
    }

    fn text_of(&self, index: u32) -> &'a str {
        &self.text[self.tokens[index as usize].start as usize..self.end_of(index) as usize]
    }

    /// Whether nothing, not even a blank, stands before the current token on its line.
    pub(crate) fn at_column_zero(&self) -> bool {
        let start = self.current().start as usize;
        start == 0 || matches!(self.text.as_bytes()[start - 1], b'\n' | b'\r')
    }

    /// Whether the token consumed last is a string or quoted name that its line end cut off. The lexer has reported it,
    /// and what is missing behind it most likely stands inside it.
    pub(crate) fn is_behind_unterminated(&self) -> bool {
        let Some(index) = self.consumed.checked_sub(1) else {
            return false;
        };
        let quote = match self.tokens[index as usize].kind {
            TokenKind::StringLiteral => b'\'',
            TokenKind::QuotedIdentifier => b'"',
            _ => return false,
        };
        self.text_of(index).bytes().filter(|&byte| byte == quote).count() % 2 == 1
    }

    /// Whether the current token is of this kind.
    #[inline]
    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Whether the current token is this word.
    #[inline]
    pub(crate) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == keyword
    }

    /// Whether the token consumed last is of this kind.
    #[inline]
    pub(crate) fn is_behind(&self, kind: TokenKind) -> bool {
        self.consumed
            .checked_sub(1)
            .is_some_and(|index| self.tokens[index as usize].kind == kind)
    }

    /// The token at `index`, trivia included.
    #[inline]
    pub(crate) fn token_at(&self, index: u32) -> Token {
        self.tokens[index as usize]
    }

    /// Index of the significant token behind the one at `index`; that of the end of the file stays.
    #[inline]
    pub(crate) fn next_significant(&self, mut index: u32) -> u32 {
        while self.tokens[index as usize].kind != TokenKind::EndOfFile {
            index += 1;
            if !self.tokens[index as usize].kind.is_trivia() {
                break;
            }
        }
        index
    }

    /// Index of the significant token `distance` behind the current one.
    pub(crate) fn position_of(&self, distance: u32) -> u32 {
        (0..distance).fold(self.position, |index, _| self.next_significant(index))
    }

    /// Whether everything is consumed.
    #[inline]
    pub(crate) fn at_end(&self) -> bool {
        self.at(TokenKind::EndOfFile)
    }

    /// Consumes the current token. At the end of the file it does nothing.
    #[inline]
    pub(crate) fn bump(&mut self) {
        if self.at_end() {
            return;
        }
        self.position += 1;
        self.consumed = self.position;
        self.skip_trivia();
    }

    /// Consumes the current token if it is of this kind.
    #[inline]
    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes the current token if it is this word.
    #[inline]
    pub(crate) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes a token of this kind, or reports that `what` is missing behind the last consumed token.
    #[inline]
    pub(crate) fn expect(&mut self, kind: TokenKind, what: &'static str) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(what);
        }
        found
    }

    /// Consumes this word, or reports that `what` is missing.
    #[inline]
    pub(crate) fn expect_keyword(&mut self, keyword: Keyword, what: &'static str) -> bool {
        let found = self.eat_keyword(keyword);
        if !found {
            self.expected(what);
        }
        found
    }

    /// Begins a node at the current token.
    #[inline]
    pub(crate) fn start(&self) -> Start {
        Start {
            node: self.nodes.len() as u32,
            token: self.position,
        }
    }

    /// Ends a node behind the last consumed token.
    #[inline]
    pub(crate) fn finish(&mut self, start: Start, kind: NodeKind) {
        let size = self.nodes.len() as u32 - start.node + 1;
        let end_token = self.consumed.max(start.token);
        self.nodes.push(RawNode {
            kind,
            first_token: start.token,
            end_token,
            size,
        });
    }

    /// Ends the root, which covers every token, trivia at both ends and the end of the file included.
    pub(crate) fn finish_root(&mut self, start: Start, kind: NodeKind) {
        debug_assert_eq!(start.node, 0);
        let size = self.nodes.len() as u32 + 1;
        self.nodes.push(RawNode {
            kind,
            first_token: 0,
            end_token: self.tokens.len() as u32,
            size,
        });
    }

    /// Whether nothing was consumed since `start`.
    pub(crate) fn is_empty_since(&self, start: Start) -> bool {
        self.position == start.token
    }

    /// Goes back to `start`, dropping what was parsed since. For the few places where two tokens do not decide.
    pub(crate) fn rewind(&mut self, start: Start, consumed: u32, errors: usize) {
        self.position = start.token;
        self.consumed = consumed;
        self.nodes.truncate(start.node as usize);
        self.errors.truncate(errors);
        self.reported_line_end = 0;
    }

    /// Reports that `what` should stand here. One report a place: what follows from the first is noise, and so is what
    /// an unterminated string has swallowed.
    pub(crate) fn expected(&mut self, what: &'static str) {
        if self.is_behind_unterminated() {
            self.trouble = true;
            self.explain();
        } else {
            self.report(SyntaxErrorKind::Expected { what });
        }
    }

    /// Reports `kind` at the current token unless an error is on its line already: a second one is nearly always noise.
    pub(crate) fn report(&mut self, kind: SyntaxErrorKind) {
        self.trouble = true;
        self.explain();
        let from = self.current().start as usize;
        if self.current().start < self.reported_line_end {
            return;
        }
        let line_end =
            memchr::memchr2(b'\n', b'\r', &self.text.as_bytes()[from..]).map_or(self.text.len(), |at| from + at);
        self.reported_line_end = line_end as u32;
        let line = self.tokens[self.line_start(self.position) as usize].start;
        if self.errors.last().is_some_and(|last| last.range.start >= line) || self.is_lexically_broken(line) {
            return;
        }
        let range = TextRange::new(self.current().start, self.end_of(self.position));
        self.errors.push(SyntaxError { range, kind });
    }

    /// Whether the lexer has reported the line that begins at `line` and holds the current token, or, at the end of the
    /// file, a comment or string that runs up to it.
    fn is_lexically_broken(&self, line: u32) -> bool {
        let first = self.lexical_errors.partition_point(|error| error.range.start < line);
        let mut on_line = self.lexical_errors[first..]
            .iter()
            .filter(|error| error.kind.is_about_token());
        let from = self.current().start as usize;
        let line_end =
            memchr::memchr2(b'\n', b'\r', &self.text.as_bytes()[from..]).map_or(self.text.len(), |at| from + at);
        if on_line
            .next()
            .is_some_and(|error| error.range.start as usize <= line_end)
        {
            return true;
        }
        let last = self
            .lexical_errors
            .iter()
            .rev()
            .find(|error| error.kind.is_about_token());
        self.at_end() && last.is_some_and(|last| last.range.end as usize == self.text.len())
    }

    fn end_of(&self, index: u32) -> u32 {
        self.tokens
            .get(index as usize + 1)
            .map_or(self.tokens[index as usize].start, |next| next.start)
    }

    /// Consumes one token into an [`NodeKind::Error`] node and reports it.
    pub(crate) fn skip_unexpected(&mut self, place: &'static str) {
        self.skip_while(place, |_| false);
    }

    /// Consumes the current token and those behind it for which `more` holds into one [`NodeKind::Error`] node, with one report.
    pub(crate) fn skip_while(&mut self, place: &'static str, more: impl Fn(&Self) -> bool) {
        if self.at_end() {
            return;
        }
        self.report(SyntaxErrorKind::Unexpected { place });
        let start = self.start();
        self.bump();
        while !self.at_end() && more(self) {
            self.bump();
        }
        self.finish(start, NodeKind::Error);
    }

    /// Runs `body` one level deeper; past [`MAXIMUM_DEPTH`] it reports that once and skips the brackets that open here
    /// (or one token) instead, so that no input can exhaust the stack.
    pub(crate) fn nested(&mut self, body: impl FnOnce(&mut Self)) {
        if self.depth >= MAXIMUM_DEPTH {
            self.report(SyntaxErrorKind::NestedTooDeeply);
            recovery::skip_balanced(self);
            return;
        }
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests;
