//! Edits that put something in the place of something else.

use crate::ast::same_name;
use crate::kind::NodeKind;
use crate::range::TextRange;
use crate::token::TokenKind;
use crate::tree::{Node, TokenRef};

use super::layout::{holds_more_than_blanks, trivia_between};
use super::{EditSet, TextEdit};

/// Puts `text` in the place of a token.
pub fn replace_token(token: TokenRef<'_>, text: &str) -> EditSet {
    TextEdit::replace(token.range(), text).into()
}

/// Puts `text` in the place of a property's value. None when the property has no value, or when a comment or
/// directive stands in it.
pub fn replace_property_value(property: Node<'_>, text: &str) -> Option<EditSet> {
    debug_assert_eq!(property.kind(), NodeKind::Property);
    let equals = property.own_token(TokenKind::Equals)?;
    let end = property
        .last_token()
        .filter(|token| token.kind() == TokenKind::Semicolon)?;
    let (first, last) = (equals.next_significant()?, end.previous_significant()?);
    if first.index() > last.index() {
        return None;
    }
    let is_plain = trivia_between(first, last).all(|token| token.kind() == TokenKind::Whitespace);
    let value = TextRange::new(first.range().start, last.range().end);
    is_plain.then(|| TextEdit::replace(value, text).into())
}

/// Gives an attribute of a label (`Locked`, `MaxLength`, `Comment`) a value: in its place if the label has the
/// attribute, else behind the last one.
pub fn set_label_attribute(label: Node<'_>, name: &str, value: &str) -> Option<EditSet> {
    debug_assert_eq!(label.kind(), NodeKind::LabelValue);
    let mut attributes = label.children_of(NodeKind::LabelAttribute);
    let is_named = |attribute: &Node<'_>| {
        attribute
            .first_token()
            .is_some_and(|token| same_name(token.text(), name))
    };
    if let Some(attribute) = attributes.find(is_named) {
        let equals = attribute.own_token(TokenKind::Equals)?;
        let last = attribute.last_token().filter(|token| token.index() > equals.index())?;
        let first = equals.next_significant()?;
        if holds_more_than_blanks(attribute) {
            return None;
        }
        return Some(TextEdit::replace(TextRange::new(first.range().start, last.range().end), value).into());
    }
    let last = label.last_token()?;
    Some(TextEdit::insert(last.range().end, format!(", {name} = {value}")).into())
}
