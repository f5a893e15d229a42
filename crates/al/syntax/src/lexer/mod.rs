//! The lexer: text to tokens, each byte in exactly one of them.

mod condition;
mod conditional;
mod line;

#[cfg(test)]
mod tests;

use memchr::{memchr2, memmem};

use crate::directive::{Directive, DirectiveKind, Symbols};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::keyword::Keyword;
use crate::range::TextRange;
use crate::token::{Token, TokenKind};

pub(crate) use condition::mentioned_symbols;
use conditional::Conditional;
use line::DirectiveLine;

/// What the lexer finds.
pub(crate) struct Lexed {
    /// In text order; the last one is [`TokenKind::EndOfFile`].
    pub(crate) tokens: Vec<Token>,
    pub(crate) directives: Vec<Directive>,
    /// In text order.
    pub(crate) errors: Vec<SyntaxError>,
}

impl Lexed {
    /// The conditions of all `#if` and `#elif` of the text that was lexed, without comments.
    pub(crate) fn conditions<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        self.directives
            .iter()
            .filter(|directive| matches!(directive.kind, DirectiveKind::If { .. } | DirectiveKind::ElseIf { .. }))
            .map(move |directive| {
                let token = directive.token as usize;
                let (start, end) = (self.tokens[token].start as usize, self.tokens[token + 1].start as usize);
                DirectiveLine::new(text, start, end).rest
            })
    }
}

/// Turns a text into tokens. Conditions are evaluated with `symbols` and what the text itself defines.
pub(crate) fn lex(text: &str, symbols: &Symbols) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        position: 0,
        // Measured over BCApps: one token for every 5.7 bytes.
        tokens: Vec::with_capacity(text.len() / 5 + 8),
        line_end_before: true,
        at_line_start: true,
        last_significant: TokenKind::EndOfFile,
        conditional: Conditional::new(symbols),
        errors: Vec::new(),
    };
    lexer.run();
    let Lexer {
        tokens,
        conditional,
        mut errors,
        ..
    } = lexer;
    let (directives, conditional_errors) = conditional.finish();
    errors.extend(conditional_errors);
    errors.sort_unstable_by_key(|error| (error.range.start, error.range.end));
    Lexed {
        tokens,
        directives,
        errors,
    }
}

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Blank,
    Letter,
    Digit,
    Mark,
    Other,
}

const STARTS: [Start; 256] = {
    let mut table = [Start::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        let character = byte as u8;
        table[byte] = if is_blank(character) {
            Start::Blank
        } else if character.is_ascii_alphabetic() || character == b'_' {
            Start::Letter
        } else if character.is_ascii_digit() {
            Start::Digit
        } else if character.is_ascii_punctuation() {
            Start::Mark
        } else {
            Start::Other
        };
        byte += 1;
    }
    table
};

/// Whether an ASCII byte can stand inside a name.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    tokens: Vec<Token>,
    /// Whether a line end lies between the last significant token and the position.
    line_end_before: bool,
    /// Whether only blanks lie between the last line end and the position.
    at_line_start: bool,
    last_significant: TokenKind,
    conditional: Conditional,
    errors: Vec<SyntaxError>,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match STARTS[byte as usize] {
                Start::Blank => self.blanks(),
                Start::Letter => self.word(),
                Start::Digit => self.number(),
                Start::Mark => self.mark(byte),
                Start::Other => self.other(),
            }
        }
        self.tokens.push(Token {
            start: self.position as u32,
            kind: TokenKind::EndOfFile,
            keyword: Keyword::None,
            first_on_line: self.line_end_before,
        });
    }

    #[inline]
    fn peek(&self, distance: usize) -> u8 {
        self.bytes.get(self.position + distance).copied().unwrap_or(0)
    }

    /// Adds a token that means something and ends at `end`.
    #[inline]
    fn significant(&mut self, kind: TokenKind, keyword: Keyword, end: usize) {
        self.tokens.push(Token {
            start: self.position as u32,
            kind,
            keyword,
            first_on_line: self.line_end_before,
        });
        self.line_end_before = false;
        self.at_line_start = false;
        self.last_significant = kind;
        self.position = end;
    }

    /// Adds a token the grammar skips.
    #[inline]
    fn trivia(&mut self, kind: TokenKind, end: usize) {
        self.tokens.push(Token {
            start: self.position as u32,
            kind,
            keyword: Keyword::None,
            first_on_line: self.line_end_before,
        });
        self.position = end;
    }

    fn error(&mut self, kind: SyntaxErrorKind, end: usize) {
        self.errors.push(SyntaxError {
            range: TextRange::new(self.position as u32, end as u32),
            kind,
        });
    }

    #[inline]
    fn blanks(&mut self) {
        let mut end = self.position;
        let mut line_end = false;
        loop {
            match self.bytes.get(end) {
                Some(b' ' | b'\t' | 0x0B | 0x0C) => end += 1,
                Some(b'\n' | b'\r') => {
                    line_end = true;
                    end += 1;
                }
                Some(byte) if !byte.is_ascii() => match self.text[end..].chars().next() {
                    Some(blank) if is_unicode_blank(blank) => end += blank.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.trivia(TokenKind::Whitespace, end);
        self.line_end_before |= line_end;
        self.at_line_start |= line_end;
    }

    #[inline]
    fn word(&mut self) {
        let mut end = self.position + 1;
        while self.bytes.get(end).is_some_and(|&byte| IN_NAME[byte as usize]) {
            end += 1;
        }
        if self.bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
            end = self.end_of_name(end);
        }
        let keyword = Keyword::of(&self.bytes[self.position..end]);
        self.significant(TokenKind::Identifier, keyword, end);
    }

    /// The end of a name that goes on at `from`, where characters beyond ASCII may stand.
    #[cold]
    fn end_of_name(&self, from: usize) -> usize {
        let rest = &self.text[from..];
        let length = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
        length.map_or(self.bytes.len(), |length| from + length)
    }

    fn number(&mut self) {
        let end = self.end_of_digits(self.position);
        let (kind, end) = match (self.byte(end), self.byte(end + 1)) {
            (b'.', b'0'..=b'9') => {
                let end = self.end_of_digits(end + 1);
                if matches!(self.byte(end), b't' | b'T') && !self.goes_on_at(end + 1) {
                    (TokenKind::TimeLiteral, end + 1)
                } else {
                    (TokenKind::DecimalLiteral, end)
                }
            }
            (b'd' | b'D', b't' | b'T') if !self.goes_on_at(end + 2) => (TokenKind::DateTimeLiteral, end + 2),
            (b'd' | b'D', _) if !self.goes_on_at(end + 1) => (TokenKind::DateLiteral, end + 1),
            (b't' | b'T', _) if !self.goes_on_at(end + 1) => (TokenKind::TimeLiteral, end + 1),
            (b'l' | b'L', _) if !self.goes_on_at(end + 1) => (TokenKind::BigIntegerLiteral, end + 1),
            _ => (TokenKind::IntegerLiteral, end),
        };
        self.significant(kind, Keyword::None, end);
    }

    fn byte(&self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or(0)
    }

    fn end_of_digits(&self, from: usize) -> usize {
        let mut end = from;
        while self.byte(end).is_ascii_digit() {
            end += 1;
        }
        end
    }

    /// Whether a character that continues a name stands at `index`.
    fn goes_on_at(&self, index: usize) -> bool {
        match self.byte(index) {
            byte if byte.is_ascii() => IN_NAME[byte as usize],
            _ => self.text[index..].chars().next().is_some_and(char::is_alphanumeric),
        }
    }

    #[inline]
    fn mark(&mut self, byte: u8) {
        let next = self.peek(1);
        let (kind, length) = match (byte, next) {
            (b'/', b'/') => return self.line_comment(),
            (b'/', b'*') => return self.block_comment(),
            (b'\'', _) => return self.string(),
            (b'"', _) => return self.quoted_identifier(),
            (b'@', b'\'') => return self.verbatim_string(),
            (b'#', _) => return self.hash(),
            (b';', _) => (TokenKind::Semicolon, 1),
            (b'.', b'.') => (TokenKind::DotDot, 2),
            (b'.', _) => (TokenKind::Dot, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b'(', _) => (TokenKind::LeftParenthesis, 1),
            (b')', _) => (TokenKind::RightParenthesis, 1),
            (b':', b'=') => (TokenKind::Assign, 2),
            (b':', b':') => (TokenKind::ColonColon, 2),
            (b':', _) => (TokenKind::Colon, 1),
            (b'[', _) => (TokenKind::LeftBracket, 1),
            (b']', _) => (TokenKind::RightBracket, 1),
            (b'{', _) => (TokenKind::LeftBrace, 1),
            (b'}', _) => (TokenKind::RightBrace, 1),
            (b'=', _) => (TokenKind::Equals, 1),
            (b'<', b'>') => (TokenKind::NotEquals, 2),
            (b'<', b'=') => (TokenKind::LessEquals, 2),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', b'=') => (TokenKind::GreaterEquals, 2),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'+', b'=') => (TokenKind::PlusAssign, 2),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', b'=') => (TokenKind::MinusAssign, 2),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'*', b'=') => (TokenKind::StarAssign, 2),
            (b'*', _) => (TokenKind::Star, 1),
            (b'/', b'=') => (TokenKind::SlashAssign, 2),
            (b'/', _) => (TokenKind::Slash, 1),
            (b'?', _) => (TokenKind::Question, 1),
            _ => (TokenKind::Unknown, 1),
        };
        self.significant(kind, Keyword::None, self.position + length);
    }

    /// The next line end at or behind `from`, or the end of the text.
    fn line_end(&self, from: usize) -> usize {
        memchr2(b'\n', b'\r', &self.bytes[from..]).map_or(self.bytes.len(), |length| from + length)
    }

    fn line_comment(&mut self) {
        let end = self.line_end(self.position + 2);
        self.trivia(TokenKind::LineComment, end);
        self.at_line_start = false;
    }

    fn block_comment(&mut self) {
        let from = self.position + 2;
        let end = if let Some(length) = memmem::find(&self.bytes[from..], b"*/") {
            from + length + 2
        } else {
            self.error(SyntaxErrorKind::UnterminatedComment, self.line_end(self.position));
            self.bytes.len()
        };
        let line_end = memchr2(b'\n', b'\r', &self.bytes[self.position..end]).is_some();
        self.trivia(TokenKind::BlockComment, end);
        self.line_end_before |= line_end;
        self.at_line_start = false;
    }

    fn string(&mut self) {
        let end = self.end_of_quoted(b'\'', SyntaxErrorKind::UnterminatedString);
        self.significant(TokenKind::StringLiteral, Keyword::None, end);
    }

    fn quoted_identifier(&mut self) {
        let end = self.end_of_quoted(b'"', SyntaxErrorKind::UnterminatedQuotedIdentifier);
        self.significant(TokenKind::QuotedIdentifier, Keyword::None, end);
    }

    /// The end of what `quote` delimits from the current position; at the latest the end of the line.
    #[inline]
    fn end_of_quoted(&mut self, quote: u8, unterminated: SyntaxErrorKind) -> usize {
        let mut end = self.position + 1;
        loop {
            match self.bytes.get(end) {
                Some(&byte) if byte == quote => {
                    end += 1;
                    if self.bytes.get(end) != Some(&quote) {
                        return end;
                    }
                    end += 1;
                }
                None | Some(b'\n' | b'\r') => {
                    self.error(unterminated, end);
                    return end;
                }
                Some(_) => end += 1,
            }
        }
    }

    /// `@'…'`. One that is never closed ends with its line, lest it swallow the rest of the file.
    fn verbatim_string(&mut self) {
        let mut end = self.position + 2;
        loop {
            match memchr::memchr(b'\'', &self.bytes[end..]) {
                Some(length) if self.byte(end + length + 1) == b'\'' => end += length + 2,
                Some(length) => {
                    end += length + 1;
                    break;
                }
                None => {
                    end = self.line_end(self.position);
                    self.error(SyntaxErrorKind::UnterminatedString, end);
                    break;
                }
            }
        }
        self.significant(TokenKind::VerbatimStringLiteral, Keyword::None, end);
    }

    #[cold]
    fn hash(&mut self) {
        if self.at_line_start {
            let line = DirectiveLine::new(self.text, self.position, self.line_end(self.position));
            // A list of application areas may go on in a new line: `ApplicationArea = #Basic,` and below it `#Suite`.
            let list_goes_on = matches!(self.last_significant, TokenKind::Comma | TokenKind::Equals);
            if line.is_known() || !list_goes_on {
                return self.directive(line);
            }
        }
        self.significant(TokenKind::Hash, Keyword::None, self.position + 1);
    }

    /// A directive, and when it switches the text behind it off, all up to the one that ends that.
    fn directive(&mut self, mut line: DirectiveLine<'a>) {
        loop {
            self.conditional.enter(&line, self.tokens.len() as u32);
            self.trivia(TokenKind::Directive, line.end());
            self.line_end_before = true;
            self.at_line_start = false;
            if self.conditional.is_active() || self.position == self.bytes.len() {
                return;
            }
            let first_line = self.behind_line_end(self.position);
            self.trivia(TokenKind::Whitespace, first_line);
            self.at_line_start = true;
            let found = self.next_directive(first_line);
            let (disabled_end, hash) = found.unwrap_or((self.bytes.len(), self.bytes.len()));
            if disabled_end > self.position {
                self.trivia(TokenKind::DisabledText, disabled_end);
            }
            if hash > self.position {
                self.trivia(TokenKind::Whitespace, hash);
            }
            if found.is_none() {
                return;
            }
            line = DirectiveLine::new(self.text, hash, self.line_end(hash));
        }
    }

    /// The start of the line that the line end at `position` leads to.
    fn behind_line_end(&self, position: usize) -> usize {
        match (self.byte(position), self.byte(position + 1)) {
            (b'\r', b'\n') => position + 2,
            _ => (position + 1).min(self.bytes.len()),
        }
    }

    /// The first line at or behind `line_start` with a directive: its start and where its `#` stands.
    fn next_directive(&self, mut line_start: usize) -> Option<(usize, usize)> {
        while line_start < self.bytes.len() {
            let mut hash = line_start;
            loop {
                match self.byte(hash) {
                    b' ' | b'\t' | 0x0B | 0x0C => hash += 1,
                    0xEF if self.bytes[hash..].starts_with(BYTE_ORDER_MARK) => hash += BYTE_ORDER_MARK.len(),
                    _ => break,
                }
            }
            let line_end = self.line_end(hash);
            if self.byte(hash) == b'#' && DirectiveLine::new(self.text, hash, line_end).is_known() {
                return Some((line_start, hash));
            }
            line_start = self.behind_line_end(line_end);
        }
        None
    }

    /// A character beyond ASCII, or a control character. Those that no AL text has use for are reported here; marks
    /// such as `&` and `|` are [`TokenKind::Unknown`] too, but have a meaning in filters, so that only the parser can tell.
    #[cold]
    fn other(&mut self) {
        let rest = &self.text[self.position..];
        let Some(first) = rest.chars().next() else { return };
        if is_unicode_blank(first) {
            self.blanks();
        } else if first.is_alphabetic() {
            let end = self.end_of_name(self.position);
            self.significant(TokenKind::Identifier, Keyword::None, end);
        } else {
            let is_used = |character: char| {
                let is_ascii_start = character.is_ascii() && STARTS[character as usize] != Start::Other;
                is_ascii_start || character.is_alphabetic() || is_unicode_blank(character)
            };
            let length: usize = rest.chars().take_while(|&it| !is_used(it)).map(char::len_utf8).sum();
            let end = self.position + length;
            self.error(SyntaxErrorKind::UnknownCharacter, end);
            self.significant(TokenKind::Unknown, Keyword::None, end);
        }
    }
}

/// Blanks beyond ASCII, as they come with text pasted from web pages (Microsoft's own documentation has them between
/// tokens), and a byte order mark in the middle of a text.
fn is_unicode_blank(character: char) -> bool {
    matches!(character, '\u{FEFF}' | '\u{200B}') || (!character.is_ascii() && character.is_whitespace())
}
