//! Edits that take something out.

use crate::directive::DirectiveKind;
use crate::kind::NodeKind;
use crate::range::TextRange;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

use super::layout::{delete_tidily, holds_more_than_blanks, trivia_between};
use super::{EditSet, set_of};

/// Takes a property out, with its line if it has one to itself. A blank line behind it stays, and so do comments
/// around it, one behind it on the same line too. None when a comment or directive stands inside the property.
pub fn remove_property(property: Node<'_>) -> Option<EditSet> {
    debug_assert_eq!(property.kind(), NodeKind::Property);
    (!holds_more_than_blanks(property)).then(|| delete_tidily(property.tree(), property.range()).into())
}

/// Takes a single token out, such as a needless semicolon, with its line if it has one to itself.
pub fn remove_token(token: TokenRef<'_>) -> EditSet {
    delete_tidily(token.tree(), token.range()).into()
}

/// Takes an item out of a list (a parameter, an argument, a member of an option), with the separator that becomes
/// needless: the one behind it, or for the last item the one before it.
///
/// None when a comment or directive stands inside the item, or when an `#if` decides about the item, its separator
/// or what is beside them: then the list is another one in another configuration. A `#pragma` around the item stays.
pub fn remove_list_item(item: Node<'_>) -> Option<EditSet> {
    if holds_more_than_blanks(item) {
        return None;
    }
    let tree = item.tree();
    let (first, last) = (item.first_token()?, item.last_token()?);
    let (before, behind) = (first.previous_significant()?, last.next_significant()?);
    let is_separator = |token: TokenRef<'_>| matches!(token.kind(), TokenKind::Comma | TokenKind::Semicolon);
    let beside = |token: TokenRef<'_>| holds_condition(before, token);
    if is_separator(behind) {
        let next = behind.next_significant()?;
        if beside(next) {
            return None;
        }
        if only_blanks_between(last, next) {
            return Some(EditSet::from(super::TextEdit::delete(TextRange::new(
                first.range().start,
                next.range().start,
            ))));
        }
        if only_blanks_between(last, behind) {
            let both = TextRange::new(first.range().start, behind.range().end);
            return Some(delete_tidily(tree, both).into());
        }
        return set_of([delete_tidily(tree, item.range()), delete_tidily(tree, behind.range())]);
    }
    if beside(behind) {
        return None;
    }
    if is_separator(before) {
        if only_blanks_between(before, first) {
            let both = TextRange::new(before.range().start, last.range().end);
            return Some(EditSet::from(super::TextEdit::delete(both)));
        }
        // A comment that runs to the line end stands between the two: the line end behind it has to stay.
        return set_of([
            super::TextEdit::delete(before.range()),
            delete_tidily(tree, item.range()),
        ]);
    }
    Some(delete_tidily(tree, item.range()).into())
}

fn only_blanks_between(from: TokenRef<'_>, to: TokenRef<'_>) -> bool {
    trivia_between(from, to).all(|token| token.kind() == TokenKind::Whitespace)
}

/// Whether a directive between the two tokens decides what is part of the program.
fn holds_condition(from: TokenRef<'_>, to: TokenRef<'_>) -> bool {
    trivia_between(from, to).any(|token| {
        let is_plain = |kind: &DirectiveKind| {
            matches!(
                kind,
                DirectiveKind::PragmaWarning { .. }
                    | DirectiveKind::PragmaImplicitWith { .. }
                    | DirectiveKind::OtherPragma
                    | DirectiveKind::Region
                    | DirectiveKind::EndRegion
            )
        };
        match token.kind() {
            TokenKind::DisabledText => true,
            TokenKind::Directive => !token.directive().is_some_and(|directive| is_plain(&directive.kind)),
            _ => false,
        }
    })
}
