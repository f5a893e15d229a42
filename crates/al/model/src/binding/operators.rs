//! Literals and operators: what they give.

use candor_al_syntax::ast::{BinaryExpression, string_value};
use candor_al_syntax::{Keyword, Node, TokenKind};

use super::{Binder, Symbol};
use crate::builtin::well_known;
use crate::types::Type;

/// The type of a literal. A text has its own length.
pub(super) fn literal(node: Node<'_>) -> Type {
    let known = well_known();
    let Some(token) = node.first_token() else {
        return Type::None;
    };
    match token.kind() {
        TokenKind::IntegerLiteral => Type::Simple(known.integer),
        TokenKind::BigIntegerLiteral => Type::Simple(known.big_integer),
        TokenKind::DecimalLiteral => Type::Simple(known.decimal),
        TokenKind::DateLiteral => Type::Simple(known.date),
        TokenKind::TimeLiteral => Type::Simple(known.time),
        TokenKind::DateTimeLiteral => Type::Simple(known.date_time),
        TokenKind::StringLiteral | TokenKind::VerbatimStringLiteral => {
            Type::Text(string_value(token.text()).chars().count() as u32)
        }
        _ if matches!(token.keyword(), Keyword::True | Keyword::False) => Type::Simple(known.boolean),
        _ => Type::None,
    }
}

impl<'t> Binder<'_, 't> {
    pub(super) fn unary(&mut self, node: Node<'t>) {
        let is_not = node.first_token().is_some_and(|token| token.keyword() == Keyword::Not);
        let operand = node
            .children()
            .next()
            .map_or(Type::None, |operand| self.type_at(operand));
        let of_type = if is_not {
            Type::Simple(well_known().boolean)
        } else {
            operand
        };
        self.set(node, Symbol::None, of_type);
    }

    pub(super) fn binary(&mut self, node: Node<'t>) {
        let known = well_known();
        let Some(view) = BinaryExpression::cast(node) else {
            return;
        };
        let Some(operator) = view.operator_token() else { return };
        let left = view.left().map_or(Type::None, |it| self.type_at(it.node()));
        let of_type = match (operator.kind(), operator.keyword()) {
            (
                TokenKind::Equals
                | TokenKind::NotEquals
                | TokenKind::Less
                | TokenKind::LessEquals
                | TokenKind::Greater
                | TokenKind::GreaterEquals,
                _,
            )
            | (_, Keyword::In | Keyword::Is | Keyword::And | Keyword::Or | Keyword::Xor) => Type::Simple(known.boolean),
            (_, Keyword::As) => self.written_type(view.type_reference()),
            (_, Keyword::Div) => {
                let right = view.right().map_or(Type::None, |it| self.type_at(it.node()));
                number(left, right)
            }
            (TokenKind::Slash, _) => Type::Simple(known.decimal),
            (kind, _) => {
                let right = view.right().map_or(Type::None, |it| self.type_at(it.node()));
                arithmetic(kind, left, right)
            }
        };
        self.set(node, Symbol::None, of_type);
    }
}

fn arithmetic(operator: TokenKind, left: Type, right: Type) -> Type {
    let known = well_known();
    let is = |of: Type, wanted| of == Type::Simple(wanted);
    match (left, right) {
        (Type::Unknown(cause), _) => Type::Unknown(cause),
        _ if left.is_text() => match (length(left), length(right)) {
            (Some(left), Some(right)) => Type::Text(left.saturating_add(right)),
            _ => Type::Text(0),
        },
        (_, Type::Unknown(cause)) if !left.is_text() => Type::Unknown(cause),
        _ if is(left, known.char) && right.is_text() => Type::Text(0),
        _ if is(left, known.date) && is(right, known.date) => Type::Simple(known.integer),
        _ if is(left, known.date_time) && is(right, known.date_time) && operator == TokenKind::Minus => {
            Type::Simple(known.duration)
        }
        _ if is(left, known.time) && is(right, known.time) => Type::Simple(known.integer),
        _ if is(left, known.date) || is(left, known.time) || is(left, known.date_time) || is(left, known.duration) => {
            left
        }
        _ => number(left, right),
    }
}

/// The number that two numbers make.
fn number(left: Type, right: Type) -> Type {
    let known = well_known();
    let has = |wanted| left == Type::Simple(wanted) || right == Type::Simple(wanted);
    if has(known.variant) {
        Type::Any
    } else if has(known.decimal) {
        Type::Simple(known.decimal)
    } else if has(known.duration) {
        Type::Simple(known.duration)
    } else if has(known.big_integer) {
        Type::Simple(known.big_integer)
    } else if left == Type::Any || right == Type::Any {
        Type::Any
    } else {
        Type::Simple(known.integer)
    }
}

/// The length of a text; none without a limit.
fn length(of_type: Type) -> Option<u32> {
    match of_type {
        Type::Text(length) | Type::Code(length) | Type::Label(length) if length > 0 => Some(length),
        Type::Simple(of) if of == well_known().char => Some(1),
        _ => None,
    }
}
