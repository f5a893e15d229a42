//! Obsolete code: most rules leave it alone, since it is on its way out.

use candor_al_syntax::Node;
use candor_al_syntax::ast::{Method, Object, Property, PropertyOwner};

use crate::context::{Context, method_of};

/// The values of `ObsoleteState` that mark something as on its way out.
const OBSOLETE_STATES: &[&str] = &["Pending", "Removed", "PendingMove", "Moved"];

/// Whether the field, control, value … is marked obsolete itself.
pub(crate) fn is_obsolete(owner: PropertyOwner<'_>) -> bool {
    owner.property("ObsoleteState").is_some_and(says_obsolete)
}

/// Whether the object is marked obsolete.
pub(crate) fn is_obsolete_object<'t>(object: Object<'t>, context: &Context<'t>) -> bool {
    context
        .object_property(object, "ObsoleteState")
        .is_some_and(says_obsolete)
}

/// Whether the node's object is marked obsolete. What lies between the two does not count: a trigger of an obsolete
/// field is not obsolete, just as the compiler sees it.
pub(crate) fn is_in_obsolete_object<'t>(node: Node<'t>, context: &Context<'t>) -> bool {
    Object::around(node).is_some_and(|object| is_obsolete_object(object, context))
}

/// Whether the procedure or its object is marked obsolete.
pub(crate) fn is_obsolete_method<'t>(method: Method<'t>, context: &Context<'t>) -> bool {
    method.attributes().any(|attribute| attribute.is("Obsolete")) || is_in_obsolete_object(method.node(), context)
}

fn says_obsolete(state: Property<'_>) -> bool {
    OBSOLETE_STATES.iter().any(|word| state.is_identifier(word))
}

/// Whether code is on its way out: the procedure around it, or the object.
pub(crate) fn is_in_obsolete_code<'t>(node: Node<'t>, context: &Context<'t>) -> bool {
    match method_of(node).and_then(Method::cast) {
        Some(method) => is_obsolete_method(method, context),
        None => is_in_obsolete_object(node, context),
    }
}
