//! Labels: texts that are variables.

use candor_al_syntax::ast::{LabelValue, VariableDeclaration};
use candor_al_syntax::{Node, NodeKind};

/// The declaration of global or local variables that a `Label` type belongs to, with its text.
pub(crate) fn label_variables(label_type: Node<'_>) -> Option<(VariableDeclaration<'_>, LabelValue<'_>)> {
    let label = label_type.child(NodeKind::LabelValue).and_then(LabelValue::cast)?;
    let declaration = label_type.parent().and_then(VariableDeclaration::cast)?;
    Some((declaration, label))
}
