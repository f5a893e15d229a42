//! Obsolete code: most rules leave it alone, since it is on its way out.

use candor_al_syntax::Node;
use candor_al_syntax::ast::{Method, Object, PropertyOwner};

/// The values of `ObsoleteState` that mark something as on its way out.
const OBSOLETE_STATES: &[&str] = &["Pending", "Removed", "PendingMove", "Moved"];

/// Whether the object, field, control … is marked obsolete itself.
pub(crate) fn is_obsolete(owner: PropertyOwner<'_>) -> bool {
    let state = owner.property("ObsoleteState");
    state.is_some_and(|state| OBSOLETE_STATES.iter().any(|word| state.is_identifier(word)))
}

/// Whether the node's object is marked obsolete. What lies between the two does not count: a trigger of an obsolete
/// field is not obsolete, just as the compiler sees it.
pub(crate) fn is_in_obsolete_object(node: Node<'_>) -> bool {
    Object::around(node).is_some_and(|object| is_obsolete(object.into()))
}

/// Whether the procedure or its object is marked obsolete.
pub(crate) fn is_obsolete_method(method: Method<'_>) -> bool {
    method.attributes().any(|attribute| attribute.is("Obsolete")) || is_in_obsolete_object(method.node())
}
