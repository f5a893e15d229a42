//! Where something new begins, seen from inside something broken.

use super::part::Body;
use crate::keyword::Keyword;
use crate::parser::{Parser, property, source_file};
use crate::token::TokenKind;

/// Whether the member at the current token is a trigger, seen through its attributes and modifiers.
pub(super) fn begins_trigger(p: &Parser<'_>) -> bool {
    let mut distance = 0;
    let mut token = p.current();
    while token.kind == TokenKind::LeftBracket {
        while !matches!(
            token.kind,
            TokenKind::RightBracket | TokenKind::EndOfFile | TokenKind::LeftBrace
        ) {
            distance += 1;
            token = p.peek(distance);
        }
        distance += 1;
        token = p.peek(distance);
    }
    token.keyword == Keyword::Trigger
}

/// Whether the current token stands first on its line and begins a property, part, section, member or object, so that
/// a broken value or list has to end before it.
pub(crate) fn at_element_line(p: &Parser<'_>) -> bool {
    if !p.current().first_on_line {
        return false;
    }
    match p.kind() {
        TokenKind::RightBrace => true,
        TokenKind::LeftBracket => p.peek(1).kind == TokenKind::Identifier,
        TokenKind::Identifier => match p.peek(1).kind {
            TokenKind::Equals => property::at_known_name(p) && !at_condition_value(p),
            TokenKind::LeftParenthesis => Body::somewhere(p.keyword()).is_some() && looks_like_part(p),
            TokenKind::LeftBrace => true,
            behind => begins_member(p, behind) || source_file::at_object_start(p),
        },
        _ => false,
    }
}

/// Whether the word at the current token begins a member; `behind` is the kind of the token behind it. Strict, since
/// options and fields may be called `Event` or `Local` as well.
fn begins_member(p: &Parser<'_>, behind: TokenKind) -> bool {
    if !behind.is_name() {
        return false;
    }
    match p.keyword() {
        Keyword::Procedure | Keyword::Trigger | Keyword::Event => true,
        Keyword::Local | Keyword::Internal | Keyword::Protected => {
            matches!(
                p.peek(1).keyword,
                Keyword::Procedure | Keyword::Trigger | Keyword::Event | Keyword::Var
            )
        }
        Keyword::Var => matches!(p.peek(2).kind, TokenKind::Colon | TokenKind::Comma),
        _ => false,
    }
}

/// Whether the current token stands first on its line and begins a property.
pub(crate) fn at_property_line(p: &Parser<'_>) -> bool {
    p.current().first_on_line
        && p.at(TokenKind::Identifier)
        && p.peek(1).kind == TokenKind::Equals
        && property::at_known_name(p)
}

/// `=` and then `const(`, `field(` …: the condition of a filter, whatever its field is called.
fn at_condition_value(p: &Parser<'_>) -> bool {
    matches!(
        p.peek(2).keyword,
        Keyword::Const | Keyword::Field | Keyword::Filter | Keyword::UpperLimit
    ) && p.peek(3).kind == TokenKind::LeftParenthesis
}

/// `(x;` or `(x) {`: a part, not a call such as `field("No.")` in a filter.
fn looks_like_part(p: &Parser<'_>) -> bool {
    match p.peek(3).kind {
        TokenKind::Semicolon => true,
        TokenKind::RightParenthesis => p.peek(4).kind == TokenKind::LeftBrace,
        _ => false,
    }
}
