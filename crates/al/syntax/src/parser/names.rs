//! Names: declared ones and references.

use super::Parser;
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

/// A dotted name, or an object number in its place. Reports when there is none.
pub(crate) fn qualified_name(p: &mut Parser<'_>) -> bool {
    let start = p.start();
    if !p.kind().is_name() && !p.at(TokenKind::IntegerLiteral) {
        p.expected("a name");
        return false;
    }
    p.bump();
    while p.at(TokenKind::Dot) && p.peek(1).kind.is_name() {
        p.bump();
        p.bump();
    }
    p.finish(start, NodeKind::QualifiedName);
    true
}
