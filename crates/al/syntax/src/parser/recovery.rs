//! Where a damaged construct ends: words that begin a member end whatever statement stands before them, and what is left
//! over is skipped up to where something new begins. Which closing word is missing is for the guide to find out.

use super::Parser;
use super::guide::is_explained;
use crate::error::SyntaxErrorKind;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// How many tokens the parser looks ahead at most: more than people write, few enough to do it at each of many places.
pub(crate) const LOOKAHEAD: usize = 2_000;

/// What is open around the current token, by kind.
#[derive(Clone, Copy, Default)]
pub(crate) struct Open {
    pub(crate) repeats: u32,
    pub(crate) cases: u32,
    /// Branches between `then` and `else`.
    pub(crate) thens: u32,
    /// Whether the object around wants its methods to have bodies.
    pub(crate) needs_bodies: bool,
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
        Keyword::Local | Keyword::Internal | Keyword::Protected => {
            matches!(
                p.peek(1).keyword,
                Keyword::Procedure | Keyword::Trigger | Keyword::Var | Keyword::Event
            )
        }
        Keyword::Procedure | Keyword::Var => true,
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
    for _ in 0..LOOKAHEAD {
        if p.tokens[index as usize].kind != TokenKind::LeftBracket {
            break;
        }
        index = behind_brackets(p, index);
    }
    index
}

/// Index of the significant token behind the bracket at `index` and its partner; without a partner that of some token
/// where the search ended.
fn behind_brackets(p: &Parser<'_>, mut index: u32) -> u32 {
    let mut depth = 0u32;
    for _ in 0..LOOKAHEAD {
        let token = p.tokens[index as usize];
        match token.kind {
            TokenKind::LeftParenthesis | TokenKind::LeftBracket => depth += 1,
            TokenKind::RightParenthesis | TokenKind::RightBracket => depth = depth.saturating_sub(1),
            TokenKind::EndOfFile | TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => break,
            _ if token.first_on_line && matches!(token.keyword, Keyword::Procedure | Keyword::Local) => break,
            _ => {}
        }
        index = p.next_significant(index);
        if depth == 0 {
            break;
        }
    }
    index
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
    // On a line with a quote too few, words of a name look like words of the language.
    let mut is_guesswork = p.is_on_broken_line();
    let mut index = p.position;
    loop {
        let token = p.tokens[index as usize];
        is_guesswork &= !token.first_on_line || index == p.position;
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
        ) || is_statement_word(token.keyword);
        if is_other && !is_guesswork || token.kind == TokenKind::EndOfFile {
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
    if !p.guide.is_active() {
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
pub(crate) fn is_statement_word(keyword: Keyword) -> bool {
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
            | Keyword::With
            | Keyword::Procedure
    )
}

/// Whether a brace stands here that is none of the text of a string whose quote is missing.
#[inline]
pub(crate) fn at_brace(p: &Parser<'_>) -> bool {
    matches!(p.kind(), TokenKind::LeftBrace | TokenKind::RightBrace)
        && (p.current().first_on_line || !p.is_on_broken_line())
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
            || token.kind == TokenKind::EndOfFile
            || at_brace(p)
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
