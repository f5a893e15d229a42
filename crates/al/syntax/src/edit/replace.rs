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

#[cfg(test)]
mod tests {
    use super::super::testing::{edited, nth_edited};
    use super::*;

    #[test]
    fn a_value_is_replaced_between_the_equals_sign_and_the_semicolon() {
        let with_value = |text: &str| {
            edited(text, NodeKind::Property, |node| {
                replace_property_value(node, "Internal")
            })
        };
        assert_eq!(
            with_value("codeunit 1 A { access=Public ; }").unwrap(),
            "codeunit 1 A { access=Internal ; }"
        );
        assert_eq!(
            with_value("codeunit 1 A { Access = /* a */ Public /* b */; // c\n}").unwrap(),
            "codeunit 1 A { Access = /* a */ Internal /* b */; // c\n}"
        );
    }

    #[test]
    fn a_value_with_a_comment_or_directive_inside_stays() {
        let text = "codeunit 1 A { Permissions = tabledata B = r, /* all */ tabledata C = r; }";
        let with_value = |node: Node<'_>| replace_property_value(node, "tabledata B = r");
        assert_eq!(edited(text, NodeKind::Property, with_value), None);
        let text = "codeunit 1 A { Permissions = tabledata B = r,\n#pragma warning disable X\ntabledata C = r; }";
        assert_eq!(edited(text, NodeKind::Property, with_value), None);
    }

    fn locked(label: &str) -> Option<String> {
        let (head, tail) = ("codeunit 1 A\n{\n    var\n        B: Label ", ";\n}\n");
        let text = format!("{head}{label}{tail}");
        let result = edited(&text, NodeKind::LabelValue, |node| {
            set_label_attribute(node, "Locked", "true")
        })?;
        let inner = result.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
        Some(inner.expect("nothing else changes").to_owned())
    }

    #[test]
    fn an_attribute_is_added_behind_the_others() {
        assert_eq!(locked("'x'").unwrap(), "'x', Locked = true");
        assert_eq!(
            locked("'x', Comment = 'y'").unwrap(),
            "'x', Comment = 'y', Locked = true"
        );
        assert_eq!(locked("'x' /* why */").unwrap(), "'x', Locked = true /* why */");
        assert_eq!(locked("'x' // why\n    ").unwrap(), "'x', Locked = true // why\n    ");
        assert_eq!(
            locked("'x',\n    Comment = 'y'").unwrap(),
            "'x',\n    Comment = 'y', Locked = true"
        );
    }

    #[test]
    fn an_attribute_that_is_there_gets_the_value_in_its_place() {
        assert_eq!(
            locked("'x', locked=FALSE, Comment = 'y'").unwrap(),
            "'x', locked=true, Comment = 'y'"
        );
        assert_eq!(
            locked("'x',\n// no\nLocked = false").unwrap(),
            "'x',\n// no\nLocked = true"
        );
        assert_eq!(
            locked("'x', Locked = /* no */ false"),
            None,
            "the comment speaks about the value that goes"
        );
    }

    #[test]
    fn a_label_is_a_label_in_a_property_too() {
        let text = "table 1 A { Caption = 'x'; fields { field(1; B; Integer) { Caption = 'y', MaxLength = 50; } } }";
        let bounded = nth_edited(text, NodeKind::LabelValue, 1, |node| {
            set_label_attribute(node, "MaxLength", "30")
        });
        assert_eq!(bounded.unwrap(), text.replace("50", "30"));
    }

    #[test]
    fn a_token_is_replaced_and_nothing_beside_it() {
        let renamed = |node: Node<'_>| {
            node.own_token(TokenKind::Identifier)
                .map(|token| replace_token(token, "Y"))
        };
        let text = "codeunit 1 A { [ /* a */ X /* b */ (1)] procedure B() begin end; }";
        assert_eq!(
            edited(text, NodeKind::Attribute, renamed).unwrap(),
            text.replace('X', "Y")
        );
    }
}
