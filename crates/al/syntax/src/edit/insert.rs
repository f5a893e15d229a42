//! Edits that put something in.

use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use crate::tree::Node;

use super::layout::{deeper_indentation, indentation, line_end, trivia_between};
use super::{EditSet, TextEdit};

/// Puts a property (`Access = Internal;`) in front of everything else in the braces of an object, control or field:
/// on a line of its own, or behind the brace when the object stands on one line. A comment behind the brace stays
/// there. None when there is no opening brace.
pub fn insert_first_property(owner: Node<'_>, property: &str) -> Option<EditSet> {
    let tree = owner.tree();
    let brace = owner.own_token(TokenKind::LeftBrace)?;
    let next = brace.next_significant()?;
    if !next.first_on_line() {
        let closes = next.kind() == TokenKind::RightBrace;
        let has_blank = brace.next().is_some_and(|token| token.kind() == TokenKind::Whitespace);
        let behind = if closes && !has_blank { " " } else { "" };
        return Some(TextEdit::insert(brace.range().end, format!(" {property}{behind}")).into());
    }
    let line_end = line_end(tree);
    let starts_line = next.kind() != TokenKind::RightBrace && next.kind() != TokenKind::EndOfFile;
    let blanks = if starts_line {
        indentation(tree, next.range().start).to_owned()
    } else {
        deeper_indentation(tree, brace.range().start)
    };
    let first_child = owner.children().find(|child| child.range().start > brace.range().start);
    let is_property = |node: Node<'_>| node.kind() == NodeKind::Property;
    let gap = if starts_line && !first_child.is_some_and(is_property) {
        line_end
    } else {
        ""
    };
    // Comments that begin on the brace's line belong to the brace.
    let mut offset = brace.range().end;
    for trivia in trivia_between(brace, next) {
        if trivia.kind().is_comment() {
            offset = trivia.range().end;
        } else if trivia.kind() != TokenKind::Whitespace || trivia.text().contains(['\n', '\r']) {
            break;
        }
    }
    Some(TextEdit::insert(offset, format!("{line_end}{blanks}{property}{gap}")).into())
}

/// Makes a procedure `local`, `internal` or `protected`: in front of `procedure`, or in the place of the modifier it
/// has. None when it has that modifier already.
pub fn set_access_modifier(procedure: Node<'_>, modifier: Keyword) -> Option<EditSet> {
    debug_assert_eq!(procedure.kind(), NodeKind::Procedure);
    let is_modifier = |keyword| matches!(keyword, Keyword::Local | Keyword::Internal | Keyword::Protected);
    let keyword = procedure.own_keyword(Keyword::Procedure)?;
    let present = procedure
        .own_tokens()
        .take_while(|token| token.index() < keyword.index())
        .find(|token| is_modifier(token.keyword()));
    match present {
        Some(token) if token.keyword() == modifier => None,
        Some(token) => Some(super::replace_token(token, modifier.text())),
        None => Some(TextEdit::insert(keyword.range().start, format!("{} ", modifier.text())).into()),
    }
}
