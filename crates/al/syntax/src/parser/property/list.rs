//! Values that are lists: names, permissions, implementations.

use super::at_end_of_value;
use crate::kind::NodeKind;
use crate::parser::object::at_property_line;
use crate::parser::{Parser, names};
use crate::token::TokenKind;

/// Names, strings or numbers with commas between them. Reports an element that is missing.
pub(crate) fn identifier_list(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    let mut complete;
    loop {
        complete = !at_property_line(p) && item(p);
        if !complete {
            p.expected("a name");
        }
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::IdentifierList);
    }
    complete
}

/// As [`identifier_list`]; elements may be missing, as in `,A,,B`.
pub(super) fn option_list(p: &mut Parser<'_>) {
    let start = p.start();
    loop {
        item(p);
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.finish(start, NodeKind::IdentifierList);
}

fn item(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    match p.kind() {
        TokenKind::Hash => {
            p.bump();
            names::dotted_tokens(p);
        }
        TokenKind::Minus => {
            p.bump();
            p.eat(TokenKind::IntegerLiteral);
        }
        kind if kind.is_literal() => p.bump(),
        _ => {
            if !names::dotted_tokens(p) {
                return false;
            }
        }
    }
    p.finish(start, NodeKind::IdentifierListItem);
    true
}

/// `tabledata Customer = RIMD, codeunit "Sales-Post" = X`
pub(super) fn permission_list(p: &mut Parser<'_>) {
    elements(p, NodeKind::PermissionList, permission_entry);
}

fn permission_entry(p: &mut Parser<'_>) -> bool {
    if !p.at(TokenKind::Identifier) {
        p.expected("a kind of object, such as `tabledata`");
        return false;
    }
    let start = p.start();
    p.bump();
    let named = p.eat(TokenKind::Star) || names::qualified_name(p);
    if named && p.eat(TokenKind::Equals) && !p.eat(TokenKind::Identifier) {
        p.expected("the letters of the permission");
    }
    p.finish(start, NodeKind::PermissionEntry);
    named
}

/// `"Interface" = "Codeunit", …`
pub(super) fn implementation_list(p: &mut Parser<'_>) {
    elements(p, NodeKind::ImplementationList, implementation_entry);
}

fn implementation_entry(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if !names::qualified_name(p) {
        return false;
    }
    let complete = p.expect(TokenKind::Equals, "`=`") && names::qualified_name(p);
    p.finish(start, NodeKind::ImplementationEntry);
    complete
}

/// `"" = 'urn:x', cbc = 'urn:y'`; the prefixes may be called like properties.
pub(super) fn namespace_list(p: &mut Parser<'_>) {
    elements(p, NodeKind::OtherValue, |p| {
        if !p.kind().is_name() {
            p.expected("a prefix");
            return false;
        }
        p.bump();
        p.expect(TokenKind::Equals, "`=`") && p.expect(TokenKind::StringLiteral, "a text in single quotes")
    });
}

/// `element` with commas between. A broken element ends at the next comma, and one on a new line that has no comma
/// before it is still an element.
fn elements(p: &mut Parser<'_>, kind: NodeKind, element: fn(&mut Parser<'_>) -> bool) {
    let start = p.start();
    loop {
        if !element(p) {
            let broken = p.start();
            while !p.at(TokenKind::Comma) && !at_end_of_value(p) {
                p.bump();
            }
            if !p.is_empty_since(broken) {
                p.finish(broken, NodeKind::Error);
            }
        }
        if p.eat(TokenKind::Comma) {
            continue;
        }
        if p.current().first_on_line && p.kind().is_name() && !at_end_of_value(p) {
            p.expected("`,`");
            continue;
        }
        break;
    }
    if !p.is_empty_since(start) {
        p.finish(start, kind);
    }
}
