//! Types.

use super::Parser;
use super::{label, names, recovery};
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;

/// A type, as it stands behind the `:` of a declaration or right of `is` and `as`. Reports when there is none.
pub(crate) fn type_reference(p: &mut Parser<'_>) {
    if !p.kind().is_name() || recovery::at_member_start(p) {
        p.expected("a type");
        return;
    }
    let start = p.start();
    let word = p.keyword();
    let next = p.peek(1);
    match word {
        Keyword::Array if next.kind == TokenKind::LeftBracket => {
            p.nested(array_type);
            return;
        }
        Keyword::List | Keyword::Dictionary if next.keyword == Keyword::Of => {
            p.nested(generic_type);
            return;
        }
        Keyword::Label if matches!(next.kind, TokenKind::StringLiteral | TokenKind::VerbatimStringLiteral) => {
            p.bump();
            label::label_value(p);
            p.finish(start, NodeKind::LabelType);
            return;
        }
        Keyword::TextConst if next.kind.is_name() => {
            p.bump();
            label::multi_language_value(p);
            p.finish(start, NodeKind::TextConstType);
            return;
        }
        Keyword::Option => {
            p.bump();
            option_members(p);
            p.finish(start, NodeKind::OptionType);
            return;
        }
        Keyword::DotNet => {
            p.bump();
            if names_object(p) {
                names::qualified_name(p);
            } else {
                p.expected("the name of a .NET type");
            }
            modifiers(p);
            p.finish(start, NodeKind::DotNetTypeReference);
            return;
        }
        _ => {}
    }
    p.bump();
    if is_object_word(word) {
        if names_object(p) {
            names::qualified_name(p);
        }
        modifiers(p);
    } else if p.at(TokenKind::LeftBracket) && !p.current().first_on_line {
        type_length(p);
    } else {
        // The type right of `is` and `as` is the name of an interface, possibly with its namespace.
        while p.at(TokenKind::Dot) && p.peek(1).kind.is_name() {
            p.bump();
            p.bump();
        }
        modifiers(p);
    }
    p.finish(start, NodeKind::Type);
}

/// Whether the name of an object follows such a word.
pub(crate) fn is_object_word(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Record
            | Keyword::Codeunit
            | Keyword::Page
            | Keyword::Report
            | Keyword::Query
            | Keyword::XmlPort
            | Keyword::Enum
            | Keyword::Interface
            | Keyword::ControlAddIn
            | Keyword::RequestPage
            | Keyword::TestPage
            | Keyword::TestRequestPage
            | Keyword::TestPart
    )
}

/// Whether the current token names (or numbers) an object rather than beginning the next line.
fn names_object(p: &Parser<'_>) -> bool {
    let token = p.current();
    match token.kind {
        TokenKind::IntegerLiteral | TokenKind::QuotedIdentifier => true,
        TokenKind::Identifier => {
            !token.first_on_line
                || !matches!(token.keyword, Keyword::Begin | Keyword::Var) && !recovery::at_member_start(p)
        }
        _ => false,
    }
}

/// The words behind the name of a type.
fn modifiers(p: &mut Parser<'_>) {
    loop {
        match p.keyword() {
            Keyword::Temporary | Keyword::WithEvents | Keyword::RunOnClient | Keyword::SuppressDispose => p.bump(),
            Keyword::SecurityFiltering if p.peek(1).kind == TokenKind::LeftParenthesis => {
                p.bump();
                p.bump();
                if p.kind().is_name() {
                    p.bump();
                } else {
                    p.expected("a security filter mode");
                }
                p.expect(TokenKind::RightParenthesis, "`)`");
            }
            _ => return,
        }
    }
}

/// `[20]` of `Code[20]`.
fn type_length(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    p.expect(TokenKind::IntegerLiteral, "a length");
    p.expect(TokenKind::RightBracket, "`]`");
    p.finish(start, NodeKind::TypeLength);
}

fn array_type(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    p.bump();
    loop {
        p.expect(TokenKind::IntegerLiteral, "the number of elements");
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.expect(TokenKind::RightBracket, "`]`");
    p.expect_keyword(Keyword::Of, "`of`");
    type_reference(p);
    p.finish(start, NodeKind::ArrayType);
}

fn generic_type(p: &mut Parser<'_>) {
    let start = p.start();
    p.bump();
    p.bump();
    if p.expect(TokenKind::LeftBracket, "`[`") {
        loop {
            type_reference(p);
            if !p.eat(TokenKind::Comma) {
                break;
            }
        }
        p.expect(TokenKind::RightBracket, "`]`");
    }
    p.finish(start, NodeKind::GenericType);
}

/// The members of an `Option`: names with commas between them; a member may be empty. A result may be an `Option`
/// without members, so a word on the next line is none.
fn option_members(p: &mut Parser<'_>) {
    let start = p.start();
    let at_member = |p: &Parser<'_>| match p.kind() {
        TokenKind::QuotedIdentifier | TokenKind::IntegerLiteral => true,
        TokenKind::Identifier => {
            !p.current().first_on_line || p.is_behind(TokenKind::Comma) && !recovery::at_member_start(p)
        }
        _ => false,
    };
    if !p.at(TokenKind::Comma) && (p.current().first_on_line || !at_member(p)) {
        return;
    }
    loop {
        if at_member(p) {
            let item = p.start();
            p.bump();
            p.finish(item, NodeKind::IdentifierListItem);
        }
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.finish(start, NodeKind::IdentifierList);
}
