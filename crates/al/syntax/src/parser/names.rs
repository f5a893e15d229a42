//! Names: declared ones and references.

use super::{Parser, object, source_file};
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// A declared name. Reports when there is none.
pub(crate) fn name(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if p.kind().is_name() {
        p.bump();
        p.finish(start, NodeKind::Name);
        return true;
    }
    p.expected("a name");
    false
}

/// The name of a control, action, data item …: also a number, as in controls that C/AL left without a name.
pub(crate) fn part_name(p: &mut Parser<'_>) -> bool {
    if p.at(TokenKind::IntegerLiteral) {
        let start = p.start();
        p.bump();
        p.finish(start, NodeKind::Name);
        return true;
    }
    name(p)
}

/// The name of a .NET assembly or type: dotted without quotes as well.
pub(crate) fn dotted_name(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if !dotted_tokens(p) {
        p.expected("a name");
        return false;
    }
    p.finish(start, NodeKind::Name);
    true
}

/// A dotted name, or an object number in its place. Reports when there is none.
pub(crate) fn qualified_name(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if !p.eat(TokenKind::IntegerLiteral) && !dotted_tokens(p) {
        p.expected("a name");
        return false;
    }
    p.finish(start, NodeKind::QualifiedName);
    true
}

/// Names separated by commas, each a node of its own.
pub(crate) fn qualified_names(p: &mut Parser<'_>) {
    while qualified_name(p) && p.eat(TokenKind::Comma) {}
}

/// Consumes name (`.` name)*.
pub(crate) fn dotted_tokens(p: &mut Parser<'_>) -> bool {
    if !p.kind().is_name() {
        return false;
    }
    p.bump();
    while p.at(TokenKind::Dot) && p.peek(1).kind.is_name() {
        p.bump();
        if source_file::at_declaration_line(p) || object::at_element_line(p) {
            p.expected("a name");
            break;
        }
        p.bump();
    }
    true
}
