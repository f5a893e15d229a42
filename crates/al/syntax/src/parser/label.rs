//! Labels and texts in several languages.

use super::Parser;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// `'text', Comment = '…', Locked = true, MaxLength = 30`. Reports when there is no text.
pub(crate) fn label_value(p: &mut Parser<'_>) {
    let start = p.start();
    if !eat_string(p) {
        p.expected("a text in single quotes");
        if !at_pair(p) {
            return;
        }
        label_attribute(p);
    }
    while p.eat(TokenKind::Comma) {
        // The compiler lets a comma stand at the end.
        if p.at(TokenKind::Semicolon) || !label_attribute(p) {
            break;
        }
    }
    p.finish(start, NodeKind::LabelValue);
}

/// `Comment = '…'`
fn label_attribute(p: &mut Parser<'_>) -> bool {
    pair(p, "`Comment`, `Locked` or `MaxLength`", NodeKind::LabelAttribute, |p| {
        let is_value = p.kind().is_literal() || p.kind() == TokenKind::Identifier && !p.current().first_on_line;
        if is_value {
            p.bump();
        }
        is_value
    })
}

/// `ENU = 'text', DAN = 'tekst'`. Reports when there is no language.
pub(crate) fn multi_language_value(p: &mut Parser<'_>) {
    let start = p.start();
    loop {
        let found = pair(p, "a language such as `ENU`", NodeKind::MultiLanguageText, |p| {
            eat_string(p) || p.eat(TokenKind::Identifier) || p.eat(TokenKind::IntegerLiteral)
        });
        if !found || !p.eat(TokenKind::Comma) {
            break;
        }
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::MultiLanguageValue);
    }
}

fn eat_string(p: &mut Parser<'_>) -> bool {
    p.eat(TokenKind::StringLiteral) || p.eat(TokenKind::VerbatimStringLiteral)
}

fn at_pair(p: &Parser<'_>) -> bool {
    p.kind().is_name() && p.peek(1).kind == TokenKind::Equals
}

/// A name, `=` and what `value` consumes.
fn pair(p: &mut Parser<'_>, name: &'static str, kind: NodeKind, value: impl FnOnce(&mut Parser<'_>) -> bool) -> bool {
    if !p.kind().is_name() {
        p.expected(name);
        return false;
    }
    let start = p.start();
    p.bump();
    if p.expect(TokenKind::Equals, "`=`") && !value(p) {
        p.expected("a value");
    }
    p.finish(start, kind);
    true
}
