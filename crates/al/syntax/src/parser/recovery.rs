//! Where a damaged construct ends.
//!
//! Two things keep damage small. Words that begin a member end whatever statement stands before them. And a method whose
//! body has an error is parsed once more with the [`Guide`]: indentation, which people and formatters keep in order,
//! then tells which `begin`, `end`, `until` or `else` is the one that is missing. Sound code never comes here, so its
//! layout never matters.

use super::{Parser, Start};
use crate::error::SyntaxErrorKind;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// How many constructs of a kind are open around the current token.
#[derive(Clone, Copy, Default)]
pub(crate) struct Open {
    pub(crate) repeats: u32,
    pub(crate) cases: u32,
    /// Branches between `then` and `else`.
    pub(crate) thens: u32,
}

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
}

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
    for error in p
        .lexical_errors
        .iter()
        .filter(|error| error.range.start >= from && error.range.start < end)
    {
        let token = p
            .tokens
            .partition_point(|token| token.start <= error.range.start)
            .saturating_sub(1);
        p.guide.explained.push(p.line_column(token as u32));
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

/// Whether a statement begins at the current token although none may stand here: its method has lost the `begin`, or
/// ended too early.
pub(crate) fn at_lost_statement(p: &Parser<'_>) -> bool {
    if !p.kind().is_name() {
        return false;
    }
    match p.keyword() {
        Keyword::Begin | Keyword::End | Keyword::Until | Keyword::Else | Keyword::Exit => return true,
        Keyword::If | Keyword::Case | Keyword::For | Keyword::ForEach | Keyword::While | Keyword::With => {
            let next = p.peek(1).kind;
            return next.is_name() || next == TokenKind::LeftParenthesis && !p.peek(2).kind.is_literal();
        }
        Keyword::Repeat | Keyword::AssertError => return p.peek(1).first_on_line || p.peek(1).kind.is_name(),
        _ => {}
    }
    match p.peek(1).kind {
        TokenKind::Assign
        | TokenKind::PlusAssign
        | TokenKind::MinusAssign
        | TokenKind::Dot
        | TokenKind::ColonColon
        | TokenKind::Semicolon => true,
        TokenKind::LeftParenthesis | TokenKind::LeftBracket => {
            let behind = behind_brackets(p, p.position_of(1));
            matches!(
                p.tokens[behind as usize].kind,
                TokenKind::Semicolon | TokenKind::Dot | TokenKind::Assign
            )
        }
        _ => false,
    }
}

/// Whether a member begins at the current token, so that whatever stands before it has ended.
#[inline]
pub(crate) fn at_member_start(p: &Parser<'_>) -> bool {
    match p.keyword() {
        Keyword::Procedure => true,
        Keyword::Local | Keyword::Internal | Keyword::Protected => {
            matches!(
                p.peek(1).keyword,
                Keyword::Procedure | Keyword::Trigger | Keyword::Var | Keyword::Event
            )
        }
        Keyword::Var => true,
        Keyword::Trigger | Keyword::Event => p.peek(1).kind.is_name() && !p.peek(1).first_on_line,
        Keyword::None => p.at(TokenKind::LeftBracket) && at_attribute(p),
        _ => false,
    }
}

/// Whether the `[` at the current token begins an attribute of a method.
pub(crate) fn at_attribute(p: &Parser<'_>) -> bool {
    p.at(TokenKind::LeftBracket)
        && p.peek(1).kind == TokenKind::Identifier
        && matches!(p.peek(2).kind, TokenKind::RightBracket | TokenKind::LeftParenthesis)
        && {
            let behind = p.tokens[behind_attributes(p) as usize];
            matches!(
                behind.keyword,
                Keyword::Procedure
                    | Keyword::Local
                    | Keyword::Internal
                    | Keyword::Protected
                    | Keyword::Trigger
                    | Keyword::Event
                    | Keyword::Var
            )
        }
}

/// Index of the first token behind the attributes that begin at the current one.
pub(crate) fn behind_attributes(p: &Parser<'_>) -> u32 {
    let mut index = p.position;
    while p.tokens[index as usize].kind == TokenKind::LeftBracket {
        index = behind_brackets(p, index);
    }
    index
}

/// Index of the significant token behind the bracket at `index` and its partner. A bracket without a partner ends with
/// its line.
fn behind_brackets(p: &Parser<'_>, mut index: u32) -> u32 {
    let mut depth = 0u32;
    loop {
        let token = p.tokens[index as usize];
        match token.kind {
            TokenKind::LeftParenthesis | TokenKind::LeftBracket => depth += 1,
            TokenKind::RightParenthesis | TokenKind::RightBracket => depth = depth.saturating_sub(1),
            TokenKind::EndOfFile | TokenKind::RightBrace | TokenKind::LeftBrace => return index,
            _ if token.first_on_line && matches!(token.keyword, Keyword::Procedure | Keyword::Local) => return index,
            _ => {}
        }
        index = p.next_significant(index);
        if depth == 0 {
            return index;
        }
    }
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

/// Whether an error on another line of the current token's column explains why it stands here. Each explains once.
fn is_explained(p: &mut Parser<'_>) -> bool {
    if !p.guide.active || !p.current().first_on_line {
        return false;
    }
    let column = p.column(p.position);
    let found = p.guide.explained.iter().rposition(|&explained| explained == column);
    found.map(|index| p.guide.explained.remove(index)).is_some()
}

/// Skips an `end` that closes nothing.
pub(crate) fn stray_end(p: &mut Parser<'_>) {
    if !is_explained(p) {
        p.expected("the `begin` or `case` that this `end` closes");
    }
    skip_end(p);
}

/// Consumes an `end` that closes nothing into an error node, with an `else` that goes on from it.
pub(crate) fn skip_end(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    if p.at_keyword(Keyword::Else) && !p.current().first_on_line {
        p.bump();
    } else {
        p.eat(TokenKind::Semicolon);
    }
    p.finish(start, NodeKind::Error);
}

/// Skips an `until` that closes nothing, with its condition.
pub(crate) fn stray_until(p: &mut Parser<'_>) {
    if !is_explained(p) {
        p.expected("the `repeat` that this `until` closes");
    }
    let start = p.start();
    p.bump();
    super::expression::expression(p);
    p.eat(TokenKind::Semicolon);
    p.finish(start, NodeKind::Error);
}

/// Skips an `else` that belongs to no `if`; what stands behind it is read as a statement of its own.
pub(crate) fn stray_else(p: &mut Parser<'_>) {
    if !is_explained(p) {
        p.expected("the `if` of this `else` without a `;` between them");
    }
    let start = p.start();
    p.bump();
    p.finish(start, NodeKind::Error);
}

/// Reports a statement in a place that holds the labels of an arm, unless an error above explains it.
pub(crate) fn report_lost_statement(p: &mut Parser<'_>) {
    p.trouble = true;
    if !is_explained(p) {
        p.expected("the label of an arm");
    }
}

/// Consumes a word inside a statement. Where something else stands, reports that and looks for the word further on in
/// the same statement.
pub(crate) fn expect_word(p: &mut Parser<'_>, keyword: Keyword, what: &'static str) {
    if p.eat_keyword(keyword) {
        return;
    }
    p.expected(what);
    let start = p.start();
    let mut index = p.position;
    loop {
        let token = p.tokens[index as usize];
        if token.keyword == keyword {
            break;
        }
        let is_other = matches!(
            token.kind,
            TokenKind::Semicolon
                | TokenKind::Assign
                | TokenKind::LeftBrace
                | TokenKind::RightBrace
                | TokenKind::EndOfFile
        ) || is_statement_word(token.keyword)
            || matches!(token.keyword, Keyword::Then | Keyword::Do | Keyword::Of);
        if is_other {
            return;
        }
        index = p.next_significant(index);
    }
    while p.position < index {
        p.bump();
    }
    p.finish(start, NodeKind::Error);
    p.bump();
}

/// Skips what a broken statement that began in `column` has left over on its further lines.
pub(crate) fn skip_continuation(p: &mut Parser<'_>, column: u32) {
    if !p.guide.active {
        return;
    }
    let start = p.start();
    loop {
        let token = p.current();
        let ended = matches!(
            token.kind,
            TokenKind::EndOfFile | TokenKind::LeftBrace | TokenKind::RightBrace
        ) || is_statement_word(token.keyword)
            || token.first_on_line && (p.column(p.position) <= column || at_member_start(p));
        if ended {
            break;
        }
        p.bump();
        if p.is_behind(TokenKind::Semicolon) {
            break;
        }
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::Error);
    }
}

/// Whether a word begins or ends a statement and is never a name.
fn is_statement_word(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Begin
            | Keyword::End
            | Keyword::Else
            | Keyword::Until
            | Keyword::If
            | Keyword::Exit
            | Keyword::Case
            | Keyword::Repeat
            | Keyword::While
            | Keyword::For
            | Keyword::ForEach
            | Keyword::Procedure
    )
}

/// Skips what cannot begin a statement: up to a `;`, the end of the line or a word that begins or ends a statement.
pub(crate) fn skip_statement(p: &mut Parser<'_>) {
    p.report(SyntaxErrorKind::Unexpected { place: "a statement" });
    let start = p.start();
    loop {
        let ended = p.at(TokenKind::Semicolon);
        p.bump();
        let token = p.current();
        let stops = ended
            || token.first_on_line
            || matches!(token.kind, TokenKind::EndOfFile | TokenKind::RightBrace)
            || is_statement_word(token.keyword);
        if stops {
            break;
        }
    }
    p.finish(start, NodeKind::Error);
}

/// Consumes the construct at the current token into an error node, without recursion: a bracket with everything up to
/// its partner, a statement or declaration up to its `;` or the end of its block.
pub(crate) fn skip_balanced(p: &mut Parser<'_>) {
    let start = p.start();
    let only_brackets = matches!(p.kind(), TokenKind::LeftParenthesis | TokenKind::LeftBracket);
    let mut depth = 0u32;
    loop {
        if at_member_start(p) && !p.is_empty_since(start) {
            break;
        }
        let token = p.current();
        let mut closed = false;
        match token.kind {
            TokenKind::LeftParenthesis | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
            TokenKind::RightParenthesis | TokenKind::RightBracket => {
                depth = depth.saturating_sub(1);
                closed = only_brackets;
            }
            TokenKind::RightBrace => {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                closed = true;
            }
            TokenKind::EndOfFile => break,
            TokenKind::Semicolon => closed = !only_brackets,
            TokenKind::Identifier if !only_brackets => match token.keyword {
                Keyword::Begin | Keyword::Case | Keyword::Repeat => depth += 1,
                Keyword::End | Keyword::Until => {
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                    closed = token.keyword == Keyword::End;
                }
                _ => {}
            },
            _ => {}
        }
        p.bump();
        if depth == 0 && closed {
            break;
        }
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::Error);
    }
}

/// Layout.
impl Parser<'_> {
    /// Whether the lexer has reported something on the line of the current token.
    fn is_on_broken_line(&self) -> bool {
        self.is_lexically_broken(self.tokens[self.line_start(self.position) as usize].start)
    }

    /// Notes an error for the guide.
    pub(crate) fn explain(&mut self) {
        if self.guide.active {
            let line = self.line_column(self.position);
            let anchor = self.guide.anchor;
            self.guide.explained.push(line);
            if anchor != line {
                self.guide.explained.push(anchor);
            }
        }
    }

    /// Index of the first token on the line of the token at `index`.
    pub(crate) fn line_start(&self, mut index: u32) -> u32 {
        while index > 0 {
            let token = self.tokens[index as usize];
            if token.first_on_line && !token.kind.is_trivia() {
                break;
            }
            index -= 1;
        }
        index
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
