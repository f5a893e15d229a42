//! What stands in the parentheses of a part.

use super::part::Arguments;
use super::{at_element_line, number};
use crate::kind::NodeKind;
use crate::parser::{Parser, expression, label, names, property, types};
use crate::token::TokenKind;

/// `(` … `)`, also where the first parenthesis is missing. What is left over before the parenthesis, or before the line ends, becomes an error node.
pub(super) fn arguments(p: &mut Parser<'_>, shape: Arguments) {
    if !p.expect(TokenKind::LeftParenthesis, "`(`") && p.current().first_on_line {
        return;
    }
    let complete = content(p, shape);
    if p.eat(TokenKind::RightParenthesis) {
        return;
    }
    if complete {
        p.expected("`)`");
    }
    skip_rest(p);
}

fn content(p: &mut Parser<'_>, shape: Arguments) -> bool {
    match shape {
        Arguments::Name => names::part_name(p),
        Arguments::Field => {
            number(p) && semicolon(p) && names::name(p) && semicolon(p) && {
                types::type_reference(p);
                true
            }
        }
        Arguments::Value => number(p) && semicolon(p) && names::part_name(p),
        Arguments::Fields => names::part_name(p) && semicolon(p) && property::identifier_list(p),
        Arguments::Expression => names::part_name(p) && semicolon(p) && argument_expression(p),
        Arguments::OptionalExpression => {
            names::part_name(p) && (!p.eat(TokenKind::Semicolon) || argument_expression(p))
        }
        Arguments::Object => names::part_name(p) && semicolon(p) && names::qualified_name(p),
        Arguments::Reference => names::part_name(p) && semicolon(p) && names::part_name(p),
        Arguments::Change => {
            names::part_name(p)
                && (!p.eat(TokenKind::Semicolon) || {
                    while names::part_name(p) && p.eat(TokenKind::Comma) {}
                    true
                })
        }
        Arguments::Assembly => names::dotted_name(p),
        Arguments::DotNetType => names::dotted_name(p) && semicolon(p) && names::name(p),
        Arguments::Label => {
            names::name(p) && semicolon(p) && {
                label::label_value(p);
                true
            }
        }
    }
}

fn semicolon(p: &mut Parser<'_>) -> bool {
    p.expect(TokenKind::Semicolon, "`;`")
}

/// The source of a control or column. A single word is a name there, whatever else it means: there are fields called
/// `Div` and `Mod`.
fn argument_expression(p: &mut Parser<'_>) -> bool {
    if p.kind().is_name() && p.peek(1).kind == TokenKind::RightParenthesis {
        property::leaf(p);
        return true;
    }
    expression::expression(p)
}

fn skip_rest(p: &mut Parser<'_>) {
    let at_stop = |p: &Parser<'_>| {
        p.at_end()
            || matches!(
                p.kind(),
                TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::RightParenthesis
            )
            || at_element_line(p)
    };
    if !at_stop(p) {
        let start = p.start();
        while !at_stop(p) {
            p.bump();
        }
        p.finish(start, NodeKind::Error);
    }
    p.eat(TokenKind::RightParenthesis);
}
