//! Documentation comments: what has one, and who would read it.

use candor_al_syntax::ast::{Access, Method, Object};
use candor_al_syntax::{Node, NodeKind, TokenKind, TokenRef};

use super::trivia::leading_trivia;
use super::{is_obsolete_method, is_obsolete_object};
use crate::context::Context;

/// Attributes of events that other apps subscribe to with a promise of stability.
const PUBLIC_EVENTS: &[&str] = &["IntegrationEvent", "BusinessEvent"];

/// For whom a procedure or object is made, and so who would read its documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Audience {
    /// Everybody who uses the app.
    Public,
    /// Those who work on the app, and the apps it names.
    Internal,
    /// Everybody who subscribes to the integration or business event.
    Event,
    /// Those who work on the app and subscribe to the internal event.
    InternalEvent,
}

/// Whether the comment is one that documentation is made of: `/// …` or `/** … */`.
pub(crate) fn is_documentation(token: TokenRef<'_>) -> bool {
    let starts_with = |mark: &str, others: &[char]| {
        let behind = token.text().strip_prefix(mark);
        behind.is_some_and(|behind| !behind.starts_with(others))
    };
    match token.kind() {
        TokenKind::LineComment => starts_with("///", &['/']),
        TokenKind::BlockComment => starts_with("/**", &['*', '/']),
        _ => false,
    }
}

/// Whether documentation stands above the node's first token.
fn is_documented(node: Node<'_>) -> bool {
    node.first_token()
        .is_some_and(|first| leading_trivia(first).any(is_documentation))
}

/// Whether documentation stands above the procedure, above its attributes or between them.
fn is_documented_method(method: Method<'_>) -> bool {
    let head = method.keyword_token().map_or(0, TokenRef::index);
    let mut in_head = method.node().tokens().take_while(|token| token.index() < head);
    is_documented(method.node()) || in_head.any(is_documentation)
}

/// The name of a procedure that has no documentation although this audience would read it. Local procedures have no
/// audience unless they are events; test codeunits and what is obsolete are nobody's to study.
pub(crate) fn undocumented_procedure<'t>(
    node: Node<'t>,
    audience: Audience,
    context: &Context<'t>,
) -> Option<TokenRef<'t>> {
    let method = Method::cast(node).filter(|method| !method.is_trigger())?;
    let object = Object::around(node)?;
    let name = method.name_token()?;
    let is_wanted = audience_of_procedure(method, object, context) == Some(audience)
        && !is_documented_method(method)
        && !is_test_codeunit(object, context)
        && !is_obsolete_method(method, context);
    is_wanted.then_some(name)
}

fn audience_of_procedure<'t>(method: Method<'t>, object: Object<'t>, context: &Context<'t>) -> Option<Audience> {
    let has_attribute = |name: &&str| method.attribute(name).is_some();
    if PUBLIC_EVENTS.iter().any(has_attribute) {
        return Some(Audience::Event);
    }
    if has_attribute(&"InternalEvent") {
        return Some(Audience::InternalEvent);
    }
    match method.access() {
        Access::Local => None,
        Access::Internal => Some(Audience::Internal),
        Access::Public | Access::Protected => Some(audience_of_object(object, context)),
    }
}

/// Whether the procedure is one of an interface or control add-in, which cannot be hidden from anybody.
pub(crate) fn has_fixed_access(method: Method<'_>) -> bool {
    let object = Object::around(method.node()).map(Object::kind);
    matches!(object, Some(NodeKind::Interface | NodeKind::ControlAddIn))
}

/// The name of an object that has no documentation although this audience would read it. Extension objects, test
/// codeunits and what is obsolete need none.
pub(crate) fn undocumented_object<'t>(
    node: Node<'t>,
    audience: Audience,
    context: &Context<'t>,
) -> Option<TokenRef<'t>> {
    let object = Object::cast(node)?;
    let name = object.name_token()?;
    let is_wanted = !is_documented(node)
        && audience_of_object(object, context) == audience
        && !is_test_codeunit(object, context)
        && !is_obsolete_object(object, context);
    is_wanted.then_some(name)
}

fn audience_of_object<'t>(object: Object<'t>, context: &Context<'t>) -> Audience {
    let access = context.object_property(object, "Access");
    if access.is_some_and(|access| access.is_identifier("Internal")) {
        Audience::Internal
    } else {
        Audience::Public
    }
}

fn is_test_codeunit<'t>(object: Object<'t>, context: &Context<'t>) -> bool {
    let subtype = || context.object_property(object, "Subtype");
    object.kind() == NodeKind::Codeunit && subtype().is_some_and(|subtype| subtype.is_identifier("Test"))
}

/// The kinds of object that documentation is written for.
pub(crate) const DOCUMENTED_OBJECTS: &[NodeKind] = &[
    NodeKind::Codeunit,
    NodeKind::ControlAddIn,
    NodeKind::Enum,
    NodeKind::Interface,
    NodeKind::Page,
    NodeKind::PermissionSet,
    NodeKind::Profile,
    NodeKind::Query,
    NodeKind::Report,
    NodeKind::Table,
    NodeKind::XmlPort,
];

/// How a procedure is called, for people: its name with the types of its parameters.
pub(crate) fn signature(method: Method<'_>) -> String {
    let types = method.parameters().map(|parameter| {
        let text = parameter
            .type_reference()
            .map_or("", |reference| reference.node().text());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let types = types.collect::<Vec<_>>().join(", ");
    format!("{}({types})", method.name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{Symbols, parse};

    use super::*;

    #[test]
    fn a_signature_is_the_name_with_the_types() {
        let head = "procedure \"B c\"(D: Record Customer temporary; var E: array[2] of\n Code[20])";
        let text = format!("codeunit 1 A {{ {head} begin end; }}");
        let tree = parse(text, &Symbols::none());
        let method = tree.nodes().find_map(Method::cast).unwrap();
        assert_eq!(
            signature(method),
            "B c(Record Customer temporary, array[2] of Code[20])"
        );
    }

    #[test]
    fn banners_and_ordinary_comments_are_no_documentation() {
        for (comment, expected) in [
            ("/// text", true),
            ("///", true),
            ("/** text */", true),
            ("// text", false),
            ("//////////", false),
            ("//// text", false),
            ("/* text */", false),
            ("/**/", false),
            ("/*** text ***/", false),
        ] {
            let tree = parse(comment, &Symbols::none());
            assert_eq!(is_documentation(tree.token(0)), expected, "{comment}");
        }
    }
}
