//! The file as a whole: namespace, usings, objects.

use super::object::{self, Body};
use super::{Parser, member, names};
use crate::error::SyntaxErrorKind;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// The root node.
pub(crate) fn compilation_unit(p: &mut Parser<'_>) {
    let start = p.start();
    while !p.at_end() {
        if object_kind(p).is_some() {
            object::object(p);
        } else if at_named_line(p) {
            named_line(p);
        } else {
            stray(p);
        }
    }
    p.finish_root(start, NodeKind::CompilationUnit);
}

/// What stands outside every object. If it has braces or members, as the rest of an object has whose head is damaged,
/// it is read to the end of those.
fn stray(p: &mut Parser<'_>) {
    p.report(SyntaxErrorKind::Unexpected {
        place: "the declaration of an object",
    });
    let start = p.start();
    let at_rest = |p: &Parser<'_>| p.at(TokenKind::LeftBrace) || (p.current().first_on_line && member::at_member(p));
    if !at_rest(p) {
        p.bump();
        while !p.at_end() && !at_rest(p) && !at_declaration_line(p) {
            p.bump();
        }
    }
    if at_rest(p) {
        object::rest_of_object(p);
    }
    p.finish(start, NodeKind::Error);
}

fn at_named_line(p: &Parser<'_>) -> bool {
    matches!(p.keyword(), Keyword::Using | Keyword::Namespace) && p.peek(1).kind.is_name()
}

/// Whether the current token begins a line with a namespace, a using or an object.
pub(crate) fn at_declaration_line(p: &Parser<'_>) -> bool {
    p.current().first_on_line && (at_named_line(p) || object_kind(p).is_some())
}

/// `namespace A.B;` or `using A.B;`
fn named_line(p: &mut Parser<'_>) {
    let start = p.start();
    let is_namespace = p.at_keyword(Keyword::Namespace);
    p.bump();
    names::qualified_name(p);
    p.expect(TokenKind::Semicolon, "`;`");
    p.finish(
        start,
        if is_namespace {
            NodeKind::NamespaceDeclaration
        } else {
            NodeKind::UsingDirective
        },
    );
}

/// Which kind of object the current token begins, if what follows looks like the head of one.
pub(crate) fn object_kind(p: &Parser<'_>) -> Option<(NodeKind, Body)> {
    let (kind, body) = object_of(p.keyword())?;
    let next = p.peek(1).kind;
    let fits = match kind {
        NodeKind::DotNetPackage => next.is_name() || next == TokenKind::LeftBrace,
        _ => next.is_name() || next == TokenKind::IntegerLiteral,
    };
    fits.then_some((kind, body))
}

/// Whether the current token begins an object although the one before it is still open: the word in column 0, a number
/// or name, then what only the head of an object goes on with. Nothing inside an object looks like that.
pub(crate) fn at_object_start(p: &Parser<'_>) -> bool {
    if !p.current().first_on_line || object_of(p.keyword()).is_none() || !p.at_column_zero() {
        return false;
    }
    let next = p.peek(1);
    let behind = p.peek(2);
    match next.kind {
        TokenKind::LeftBrace => p.at_keyword(Keyword::DotNet),
        TokenKind::IntegerLiteral => behind.kind.is_name(),
        _ if next.kind.is_name() => {
            behind.kind == TokenKind::LeftBrace
                || matches!(
                    behind.keyword,
                    Keyword::Extends | Keyword::Implements | Keyword::Customizes
                )
        }
        _ => false,
    }
}

#[inline]
fn object_of(keyword: Keyword) -> Option<(NodeKind, Body)> {
    Some(match keyword {
        Keyword::Table => (NodeKind::Table, Body::Table),
        Keyword::TableExtension => (NodeKind::TableExtension, Body::Table),
        Keyword::Page => (NodeKind::Page, Body::Page),
        Keyword::PageExtension => (NodeKind::PageExtension, Body::Page),
        Keyword::PageCustomization => (NodeKind::PageCustomization, Body::Page),
        Keyword::Report => (NodeKind::Report, Body::Report),
        Keyword::ReportExtension => (NodeKind::ReportExtension, Body::Report),
        Keyword::Codeunit => (NodeKind::Codeunit, Body::Code),
        Keyword::Query => (NodeKind::Query, Body::Query),
        Keyword::XmlPort => (NodeKind::XmlPort, Body::XmlPort),
        Keyword::Enum => (NodeKind::Enum, Body::Enum),
        Keyword::EnumExtension => (NodeKind::EnumExtension, Body::Enum),
        Keyword::Interface => (NodeKind::Interface, Body::Code),
        Keyword::PermissionSet => (NodeKind::PermissionSet, Body::Plain),
        Keyword::PermissionSetExtension => (NodeKind::PermissionSetExtension, Body::Plain),
        Keyword::Entitlement => (NodeKind::Entitlement, Body::Plain),
        Keyword::Profile => (NodeKind::Profile, Body::Plain),
        Keyword::ProfileExtension => (NodeKind::ProfileExtension, Body::Plain),
        Keyword::ControlAddIn => (NodeKind::ControlAddIn, Body::Code),
        Keyword::DotNet => (NodeKind::DotNetPackage, Body::DotNet),
        _ => return None,
    })
}
