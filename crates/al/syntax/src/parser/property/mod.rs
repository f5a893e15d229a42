//! Properties: name, `=`, a value whose grammar the name decides, `;`.

mod list;
mod relation;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use list::identifier_list;
pub(crate) use table::property_of;

use super::object::at_element_line;
use super::{Parser, expression, label, names};
use crate::error::SyntaxErrorKind;
use crate::keyword::Keyword;
use crate::kind::NodeKind;
use crate::token::TokenKind;
use table::Grammar;

/// A property. The current token is its name.
pub(crate) fn property(p: &mut Parser<'_>) {
    let start = p.start();
    let grammar = property_of(p.current_text()).map(|(_, grammar)| grammar);
    p.bump();
    if p.expect(TokenKind::Equals, "`=`") || !p.current().first_on_line {
        match grammar {
            Some(grammar) => known_value(p, grammar),
            None => unknown_value(p),
        }
        end_of_value(p);
    }
    p.finish(start, NodeKind::Property);
}

/// Whether the current token is the name of a property.
pub(crate) fn at_known_name(p: &Parser<'_>) -> bool {
    p.at(TokenKind::Identifier) && property_of(p.current_text()).is_some()
}

/// The `;` of a value; what stands before it and is no part of the value becomes an error node.
pub(crate) fn end_of_value(p: &mut Parser<'_>) {
    if p.eat(TokenKind::Semicolon) {
        return;
    }
    p.expected("`;`");
    let start = p.start();
    while !at_end_of_value(p) {
        p.bump();
    }
    if !p.is_empty_since(start) {
        p.finish(start, NodeKind::Error);
    }
    p.eat(TokenKind::Semicolon);
}

fn at_end_of_value(p: &Parser<'_>) -> bool {
    matches!(
        p.kind(),
        TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::EndOfFile
    ) || at_element_line(p)
}

fn known_value(p: &mut Parser<'_>, grammar: Grammar) {
    match grammar {
        Grammar::Word => word(p),
        Grammar::Expression => expression_value(p),
        Grammar::Label => label::label_value(p),
        Grammar::MultiLanguage => label::multi_language_value(p),
        Grammar::List => {
            identifier_list(p);
        }
        Grammar::OptionList => list::option_list(p),
        Grammar::Object => object_reference(p),
        // Converted objects have `Permissions = ;`.
        Grammar::Permissions if p.at(TokenKind::Semicolon) => {}
        Grammar::Permissions => list::permission_list(p),
        Grammar::TableRelation => relation::table_relation(p),
        Grammar::CalcFormula => relation::calc_formula(p),
        Grammar::TableView => relation::table_view(p),
        Grammar::FilterList => relation::filter_list(p),
        Grammar::Implementations => list::implementation_list(p),
        Grammar::Namespaces => list::namespace_list(p),
        Grammar::Other => other_value(p),
    }
}

/// A value with one of the forms that many properties have, whatever the property is called.
fn unknown_value(p: &mut Parser<'_>) {
    let is_label = p.at(TokenKind::StringLiteral)
        && p.peek(1).kind == TokenKind::Comma
        && matches!(
            p.peek(2).keyword,
            Keyword::Comment | Keyword::Locked | Keyword::MaxLength
        )
        && p.peek(3).kind == TokenKind::Equals;
    if is_label {
        label::label_value(p);
    } else if !single_token(p) {
        other_value(p);
    }
}

/// A word, boolean, number or string; an expression if it is more than that.
fn word(p: &mut Parser<'_>) {
    if single_token(p) {
        return;
    }
    if p.kind().is_name() && !matches!(p.peek(1).kind, TokenKind::ColonColon | TokenKind::Dot) {
        // The `;` is missing. The words on the next line are no part of an expression.
        let start = p.start();
        leaf(p);
        p.finish(start, NodeKind::ExpressionValue);
        return;
    }
    expression_value(p);
}

fn expression_value(p: &mut Parser<'_>) {
    if single_token(p) {
        return;
    }
    let start = p.start();
    if at_end_of_value(p) {
        p.expected("a value");
    } else if expression::expression(p) {
        p.finish(start, NodeKind::ExpressionValue);
    }
}

/// Most values are one token and then `;`. Any word is a name there.
fn single_token(p: &mut Parser<'_>) -> bool {
    if !(p.kind().is_name() || p.kind().is_literal()) || p.peek(1).kind != TokenKind::Semicolon {
        return false;
    }
    let start = p.start();
    leaf(p);
    p.finish(start, NodeKind::ExpressionValue);
    true
}

/// One token as an expression.
pub(crate) fn leaf(p: &mut Parser<'_>) {
    let start = p.start();
    let is_literal = p.kind().is_literal() || matches!(p.keyword(), Keyword::True | Keyword::False);
    p.bump();
    p.finish(
        start,
        if is_literal {
            NodeKind::Literal
        } else {
            NodeKind::NameExpression
        },
    );
}

/// `Page "Customer Card"`, `"Customer Card"`, `Database::Customer` or `21`
fn object_reference(p: &mut Parser<'_>) {
    let start = p.start();
    if p.at(TokenKind::Identifier) {
        let next = p.peek(1);
        if next.kind == TokenKind::ColonColon {
            p.bump();
            p.bump();
        } else if (next.kind.is_name() || next.kind == TokenKind::IntegerLiteral) && !next.first_on_line {
            if !is_object_type(p.keyword()) {
                p.report(SyntaxErrorKind::Unexpected {
                    place: "a reference to an object",
                });
            }
            p.bump();
        }
    }
    if names::qualified_name(p) {
        p.finish(start, NodeKind::ObjectReference);
    }
}

fn is_object_type(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Page
            | Keyword::Report
            | Keyword::Codeunit
            | Keyword::XmlPort
            | Keyword::Query
            | Keyword::Table
            | Keyword::System
    )
}

/// Tokens up to the end of the value.
fn other_value(p: &mut Parser<'_>) {
    let start = p.start();
    while !at_end_of_value(p) {
        p.bump();
    }
    if p.is_empty_since(start) {
        p.expected("a value");
    } else {
        p.finish(start, NodeKind::OtherValue);
    }
}
