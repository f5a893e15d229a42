//! Calls, written with parentheses or without, on a value or on the record that needs no receiver.

use candor_al_model::{MethodFacts, Type, well_known};
use candor_al_syntax::ast::{CallExpression, Expression};
use candor_al_syntax::{Node, NodeKind};

use crate::meaning::Known;

/// The method of AL itself that a node calls. A callee is no call of its own: its call is.
pub(crate) fn built_in_call(node: Node<'_>, known: Known<'_>) -> Option<&'static MethodFacts> {
    let is_callee = node
        .parent()
        .is_some_and(|parent| parent.kind() == NodeKind::CallExpression && parent.id().0 + 1 == node.id().0);
    if is_callee {
        return None;
    }
    known.built_in(node)
}

/// Whether a method is one of records, under one of these names.
pub(crate) fn is_record_method(method: &MethodFacts, names: &[&str]) -> bool {
    method.owner == well_known().record && names.contains(&method.name)
}

/// The arguments of a call; none for one without parentheses.
pub(crate) fn arguments_of(call: Node<'_>) -> Vec<Expression<'_>> {
    CallExpression::cast(call).map_or_else(Vec::new, |call| call.arguments().collect())
}

/// What a method is called on, with its type if one is written; a record that needs no receiver has no node.
pub(crate) fn receiver_of<'t>(call: Node<'t>, known: Known<'_>) -> Option<(Expression<'t>, Type)> {
    let receiver = Expression::cast(call)?.receiver()?;
    Some((receiver, known.type_of(receiver.node())))
}
