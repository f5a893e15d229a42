//! The second reading of a damaged body, by indentation.
//!
//! A method whose body has an error is parsed once more with the [`Guide`]: indentation, which people and formatters keep
//! in order, then tells which `begin`, `end`, `until` or `else` is the one that is missing. Sound code never comes here,
//! so its layout never matters.

use std::cell::Cell;

use super::recovery::{at_lost_statement, at_member_start, is_statement_word};
use super::{Parser, Start};

/// What the second pass over a damaged body knows.
#[derive(Default)]
pub(crate) struct Guide {
    active: bool,
    /// Column of the line on which the innermost statement begins.
    anchor: u32,
    /// Column of the line on which the method begins.
    method: u32,
    /// Columns of lines with an error. An `end` too many in such a column most likely belongs to a `begin` that the
    /// error hides.
    explained: Vec<u32>,
    /// The line asked for last, as its first token and a token on it: without this, a text of one long line would be
    /// walked back at each of its errors.
    line: Cell<(u32, u32)>,
}

/// How many errors the guide remembers.
const EXPLAINED: usize = 64;

impl Guide {
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }
}

/// Where a closing word stands, compared with the construct it may close.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// Further to the right: it closes something inside, whose beginning is lost.
    Inside,
    /// Where it should.
    Level,
    /// Further to the left: it closes something outside, and the end of this construct is lost.
    Outside,
}

/// The columns in which the end of a construct may stand: that of its own line and that of its statement's line.
#[derive(Clone, Copy)]
pub(crate) struct Indentation {
    low: u32,
    high: u32,
}

impl Indentation {
    /// Of the construct that begins at the current token.
    #[inline]
    pub(crate) fn here(p: &Parser<'_>) -> Self {
        if !p.guide.active {
            return Self { low: 0, high: 0 };
        }
        let line = p.line_column(p.position);
        let anchor = if p.current().first_on_line {
            line
        } else {
            p.guide.anchor
        };
        Self {
            low: line.min(anchor),
            high: line.max(anchor),
        }
    }

    /// Of a method's block whose `begin` is lost.
    pub(crate) fn of_method(p: &Parser<'_>) -> Self {
        Self {
            low: p.guide.method,
            high: p.guide.method,
        }
    }

    /// Where the current token stands.
    #[inline]
    pub(crate) fn placement(self, p: &Parser<'_>) -> Placement {
        if !p.guide.active {
            return Placement::Level;
        }
        if !p.current().first_on_line {
            // Behind a quote that went missing, words of a name look like words of the language.
            return if p.is_on_broken_line() {
                Placement::Inside
            } else {
                Placement::Level
            };
        }
        let column = p.column(p.position);
        if column < self.low {
            Placement::Outside
        } else if column > self.high + 1 {
            // One blank is no indentation, but what is left where a word was deleted.
            Placement::Inside
        } else {
            Placement::Level
        }
    }

    /// Whether the current token stands so far to the left that it follows the construct.
    #[inline]
    pub(crate) fn has_ended(self, p: &Parser<'_>) -> bool {
        p.guide.active && p.current().first_on_line && p.column(p.position) <= self.low
    }

    /// The layout of a `case` whose first arm begins at the current token.
    #[inline]
    pub(crate) fn of_arms(self, p: &Parser<'_>) -> Arms {
        let known = p.guide.active && p.current().first_on_line;
        Arms {
            low: self.low,
            column: known.then(|| p.column(p.position)),
        }
    }
}

/// The layout of the arms of a `case`.
pub(crate) struct Arms {
    low: u32,
    column: Option<u32>,
}

impl Arms {
    /// Whether the current token stands left of the arms, so that it follows the `case`.
    #[inline]
    pub(crate) fn have_ended(&self, p: &Parser<'_>) -> bool {
        self.column.is_some_and(|arms| {
            p.current().first_on_line && p.column(p.position) <= self.low && p.column(p.position) < arms
        })
    }

    /// Whether the current token stands right of the arms, as a statement does whose `begin` is lost.
    #[inline]
    pub(crate) fn is_lost_statement(&self, p: &Parser<'_>) -> bool {
        self.column
            .is_some_and(|arms| p.current().first_on_line && p.column(p.position) > arms)
    }
}

/// Runs `body`, which parses a statement or an arm, with its line as the anchor.
#[inline]
pub(crate) fn anchored(p: &mut Parser<'_>, body: impl FnOnce(&mut Parser<'_>)) {
    if !p.guide.active || !p.current().first_on_line {
        body(p);
        return;
    }
    let outer = p.guide.anchor;
    p.guide.anchor = p.column(p.position);
    body(p);
    p.guide.anchor = outer;
}

/// The column of the current token's line; 0 without the guide.
#[inline]
pub(crate) fn guided_column(p: &Parser<'_>) -> u32 {
    if p.guide.active { p.line_column(p.position) } else { 0 }
}

/// How many errors it is worth to keep the end of a body in the body.
const ENDED_EARLY: usize = 10;

/// Parses the body of a method with `body`; if that finds an error, once more by indentation, and keeps the reading
/// that needs fewer errors. `method` is where the method began.
pub(crate) fn guided(p: &mut Parser<'_>, method: Start, body: impl Fn(&mut Parser<'_>)) {
    let start = p.start();
    let (consumed, errors) = (p.consumed, p.errors.len());
    let trouble_before = std::mem::replace(&mut p.trouble, false);
    body(p);
    let follows = at_lost_statement(p);
    if !p.trouble && !follows {
        p.trouble = trouble_before;
        return;
    }
    let plain = p.errors.len() - errors + if follows { ENDED_EARLY } else { 0 };
    let end = p.current().start;

    p.rewind(start, consumed, errors);
    p.guide.active = true;
    p.guide.method = p.line_column(method.token);
    p.guide.anchor = p.guide.method;
    p.guide.explained.clear();
    let from = p.current().start;
    let first = p.lexical_errors.partition_point(|error| error.range.start < from);
    for error in p.lexical_errors[first..]
        .iter()
        .take_while(|error| error.range.start < end)
        .take(EXPLAINED)
    {
        let token = p
            .tokens
            .partition_point(|token| token.start <= error.range.start)
            .saturating_sub(1);
        let column = p.line_column(token as u32);
        p.guide.explained.push(column);
    }
    body(p);
    let by_indentation = p.errors.len() - errors + if at_lost_statement(p) { ENDED_EARLY } else { 0 };
    p.guide.active = false;
    if by_indentation > plain {
        p.rewind(start, consumed, errors);
        body(p);
    }
    p.trouble = true;
}

/// Whether an error on another line of the current token's column explains why it stands here. Each explains once.
pub(crate) fn is_explained(p: &mut Parser<'_>) -> bool {
    if !p.guide.active || !p.current().first_on_line {
        return false;
    }
    let column = p.column(p.position);
    let found = p.guide.explained.iter().rposition(|&explained| explained == column);
    found.map(|index| p.guide.explained.remove(index)).is_some()
}

/// Whether the word behind a `.` at a line end is the next statement rather than the member's name.
pub(crate) fn is_lost_member_name(p: &Parser<'_>) -> bool {
    at_member_start(p) || p.guide.active && (p.column(p.position) <= p.guide.anchor || is_statement_word(p.keyword()))
}

/// Whether the `else` at the current token stands left of the `if` that was just read.
#[inline]
pub(crate) fn is_else_of_outer(p: &Parser<'_>) -> bool {
    p.guide.active && p.current().first_on_line && p.column(p.position) < p.guide.anchor
}

/// Layout.
impl Parser<'_> {
    /// Whether the lexer has reported something on the line of the current token.
    pub(crate) fn is_on_broken_line(&self) -> bool {
        self.is_lexically_broken(self.tokens[self.line_start(self.position) as usize].start)
    }

    /// Notes an error for the guide.
    pub(crate) fn explain(&mut self) {
        if !self.guide.active {
            return;
        }
        let line = self.line_column(self.position);
        let anchor = self.guide.anchor;
        if self.guide.explained.len() + 2 > EXPLAINED {
            self.guide.explained.drain(..2);
        }
        self.guide.explained.push(line);
        if anchor != line {
            self.guide.explained.push(anchor);
        }
    }

    /// Index of the first token on the line of the token at `index`.
    pub(crate) fn line_start(&self, index: u32) -> u32 {
        let (known_start, known) = self.guide.line.get();
        let mut start = index;
        while start > 0 {
            if (known_start..=known).contains(&start) {
                start = known_start;
                break;
            }
            let token = self.tokens[start as usize];
            if token.first_on_line && !token.kind.is_trivia() {
                break;
            }
            start -= 1;
        }
        self.guide.line.set((start, index));
        start
    }

    /// How many bytes stand before the token at `index` on its line.
    pub(crate) fn column(&self, index: u32) -> u32 {
        let start = self.tokens[index as usize].start as usize;
        let line = memchr::memrchr2(b'\n', b'\r', &self.text.as_bytes()[..start]).map_or(0, |end| end + 1);
        (start - line) as u32
    }

    /// The column of the first token on the line of the token at `index`.
    pub(crate) fn line_column(&self, index: u32) -> u32 {
        self.column(self.line_start(index))
    }
}
