//! Interfaces: which procedures exist because an interface asks for them.

use candor_al_syntax::NodeKind;
use candor_al_syntax::ast::{CompilationUnit, Method, Object, QualifiedName, same_name};

use crate::context::Context;

/// Whether the procedure implements a method of an interface of its codeunit, or may do so: when one of the interfaces,
/// or one that they extend, is declared in another file, any procedure may.
pub(crate) fn implements_interface_method<'t>(
    codeunit: Object<'t>,
    procedure: Method<'t>,
    context: &Context<'t>,
) -> bool {
    let Some(name) = procedure.name() else { return false };
    let mut seen: Vec<Object<'_>> = Vec::new();
    let mut open: Vec<QualifiedName<'_>> = context.object_implements(codeunit);
    while let Some(reference) = open.pop() {
        let Some(interface) = interface_in_file(reference) else {
            return true;
        };
        if seen.contains(&interface) {
            continue;
        }
        if interface
            .methods()
            .filter_map(Method::name)
            .any(|method| same_name(&method, &name))
        {
            return true;
        }
        seen.push(interface);
        open.extend(interface.extends());
    }
    false
}

fn interface_in_file(reference: QualifiedName<'_>) -> Option<Object<'_>> {
    let name = reference.name()?;
    let objects = CompilationUnit::of(reference.node().tree()).objects();
    let is_meant = |object: &Object<'_>| {
        object.kind() == NodeKind::Interface && object.name().is_some_and(|other| same_name(&other, &name))
    };
    objects.into_iter().find(is_meant)
}
