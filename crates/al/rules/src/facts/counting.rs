//! Numbers of records that are compared with a small number.

use candor_al_model::{ObjectId, Type};
use candor_al_syntax::ast::{BinaryExpression, Expression, Literal};
use candor_al_syntax::{Node, NodeId, NodeKind, TokenKind};

use super::calls::{built_in_call, is_record_method, receiver_of};
use crate::context::Context;

/// `Record.Count` as one operand, a small number as the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Counting {
    /// The operator, turned around if the number stands on the left: `Count > 1` for `1 < Count`.
    pub(crate) operator: TokenKind,
    /// The number.
    pub(crate) number: i64,
    /// The call of `Count`.
    pub(crate) call: NodeId,
    /// The table, if it is known.
    pub(crate) table: Option<ObjectId>,
}

/// The comparison of a number of records that are not temporary with 0, 1 or 2 that a binary expression is.
pub(crate) fn counting_at<'t>(node: Node<'t>, context: &Context<'t>) -> Option<Counting> {
    let binary = BinaryExpression::cast(node)?;
    let (left, right) = (binary.left()?, binary.right()?);
    let small = |side: Expression<'t>| {
        let number = Literal::cast(side.node())?.integer()?;
        (0..=2).contains(&number).then_some(number)
    };
    let (number, counted, is_turned) = match (small(left), small(right)) {
        (None, Some(number)) => (number, left, false),
        (Some(number), None) => (number, right, true),
        _ => return None,
    };
    let call = counted.node();
    if !matches!(
        call.kind(),
        NodeKind::CallExpression | NodeKind::MemberAccess | NodeKind::NameExpression
    ) {
        return None;
    }
    // The word first: only then it is worth knowing what it means.
    let is_named_count = counted
        .name_token()
        .is_some_and(|token| token.text().eq_ignore_ascii_case("Count"));
    let known = context.meaning().filter(|_| is_named_count)?;
    if !built_in_call(call, known).is_some_and(|method| is_record_method(method, &["Count"])) {
        return None;
    }
    let table = match receiver_of(call, known) {
        Some((_, receiver)) if !receiver.is_record() || receiver.is_temporary_record() => return None,
        Some((_, Type::Record { table, .. })) => Some(table),
        _ => None,
    };
    let operator = binary.operator_token()?.kind();
    Some(Counting {
        operator: if is_turned { turned(operator) } else { operator },
        number,
        call: call.id(),
        table,
    })
}

fn turned(operator: TokenKind) -> TokenKind {
    match operator {
        TokenKind::Less => TokenKind::Greater,
        TokenKind::LessEquals => TokenKind::GreaterEquals,
        TokenKind::Greater => TokenKind::Less,
        TokenKind::GreaterEquals => TokenKind::LessEquals,
        other => other,
    }
}

impl Counting {
    /// Whether it only asks whether there is any record.
    pub(crate) fn asks_for_any(self) -> bool {
        self.number == 0 || self.number == 1 && self.operator == TokenKind::Less
    }

    /// Whether it only asks whether there is one record or more than one.
    pub(crate) fn asks_for_more_than_one(self) -> bool {
        let is_comparison = matches!(
            self.operator,
            TokenKind::Equals
                | TokenKind::NotEquals
                | TokenKind::Less
                | TokenKind::LessEquals
                | TokenKind::Greater
                | TokenKind::GreaterEquals
        );
        !self.asks_for_any()
            && (self.number == 1 && is_comparison || self.number == 2 && self.operator == TokenKind::Less)
    }

    /// The comparison with the number on the right: `> 1`.
    pub(crate) fn in_words(self) -> String {
        let operator = match self.operator {
            TokenKind::Equals => "=",
            TokenKind::NotEquals => "<>",
            TokenKind::Less => "<",
            TokenKind::LessEquals => "<=",
            TokenKind::Greater => ">",
            TokenKind::GreaterEquals => ">=",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Star => "*",
            TokenKind::Slash => "/",
            _ => "…",
        };
        format!("{operator} {}", self.number)
    }
}

/// What stands before `.Count`, for messages; `this record` where nothing does.
pub(crate) fn counted_name(call: Node<'_>) -> String {
    let receiver = Expression::cast(call).and_then(Expression::receiver);
    receiver.map_or_else(|| "the record".to_owned(), |receiver| receiver.node().text().to_owned())
}
