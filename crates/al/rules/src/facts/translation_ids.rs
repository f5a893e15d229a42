//! The ids under which texts stand in translation files.
//!
//! An id is the way from the object to the text: `Page 2931038265 - Control 1692444235 - Property 2879900210`. What stands
//! between the two is not the nesting of the source: a control in a group in an area is a child of the page, and so is one
//! of a report's request page. Where public files do not show how an id is made, there is none here.

use std::borrow::Cow;

use candor_al_syntax::ast::{CompilationUnit, Object, Property, PropertyOwner, QualifiedName, same_name};
use candor_al_syntax::{KindSet, Node, NodeKind};

use crate::context::{Context, RuntimeVersion};
use crate::translations::IdKey;

/// The keys of the ids a text may have; none when it cannot be told. One is usual, two are possible: see [`objects`].
pub(crate) type IdKeys = Vec<u64>;

/// The ids of the value of a property.
pub(crate) fn property_ids(property: Property<'_>, owner: PropertyOwner<'_>, context: &Context<'_>) -> IdKeys {
    let hashes_canonical_names = context
        .facts()
        .runtime
        .is_none_or(|runtime| runtime > RuntimeVersion::new(5, 1));
    let name = if hashes_canonical_names {
        property.canonical_name().unwrap_or(property.name())
    } else {
        property.name()
    };
    ids_below(owner.node(), context, |id| id.then("Property", name))
}

/// The ids of a label that is a variable of this name. `section` is what its declaration stands in.
pub(crate) fn label_ids(name: &str, section: Node<'_>, context: &Context<'_>) -> IdKeys {
    let Some(owner) = section.parent() else {
        return IdKeys::new();
    };
    match owner.kind() {
        NodeKind::Procedure | NodeKind::Trigger => {
            let Some((owner, method)) = owner.parent().zip(method_name(owner)) else {
                return IdKeys::new();
            };
            ids_below(owner, context, |id| id.then("Method", &method).then("NamedType", name))
        }
        kind if kind.is_object() => ids_below(owner, context, |id| id.then("NamedType", name)),
        _ => IdKeys::new(),
    }
}

/// The ids of a label of a report.
pub(crate) fn report_label_ids(name: &str, label: Node<'_>, context: &Context<'_>) -> IdKeys {
    Object::around(label).map_or_else(IdKeys::new, |object| {
        ids_below(object.node(), context, |id| id.then("ReportLabel", name))
    })
}

/// Whether a segment stands for the control in ids.
pub(crate) const CONTROLS: KindSet = KindSet::of(&[
    NodeKind::Group,
    NodeKind::CueGroup,
    NodeKind::Repeater,
    NodeKind::Grid,
    NodeKind::Fixed,
    NodeKind::PageField,
    NodeKind::Part,
    NodeKind::SystemPart,
    NodeKind::ChartPart,
    NodeKind::UserControl,
    NodeKind::PageLabel,
]);

/// Whether a segment stands for the action in ids.
pub(crate) const ACTIONS: KindSet = KindSet::of(&[
    NodeKind::ActionGroup,
    NodeKind::Action,
    NodeKind::ActionSeparator,
    NodeKind::CustomAction,
    NodeKind::FileUploadAction,
]);

/// The name of a method in ids. Triggers of a subscriber or a control add-in have two names; which of them counts is not
/// known.
fn method_name(method: Node<'_>) -> Option<Cow<'_, str>> {
    let names = method.children_of(NodeKind::Name).count();
    (names == 1).then(|| candor_al_syntax::ast::Method::cast(method)?.name())?
}

/// The ids that end in what `end` adds to the id of `owner`.
fn ids_below(owner: Node<'_>, context: &Context<'_>, end: impl Fn(IdKey) -> IdKey) -> IdKeys {
    let Some(object) = Object::around(owner) else {
        return IdKeys::new();
    };
    let name = || PropertyOwner::cast(owner).and_then(PropertyOwner::name_token);
    let unquoted = candor_al_syntax::ast::unquoted;
    let segment = match owner.kind() {
        kind if kind.is_object() => None,
        NodeKind::RequestPage => Some(("RequestPage", Cow::Borrowed("RequestOptionsPage"))),
        kind => {
            let word = match kind {
                NodeKind::Field => "Field",
                NodeKind::EnumValue => "EnumValue",
                // Of nested ones no public file shows the id.
                NodeKind::DataItem if is_outermost(owner) => "ReportDataItem",
                kind if CONTROLS.contains(kind) => "Control",
                kind if ACTIONS.contains(kind) => "Action",
                _ => return IdKeys::new(),
            };
            let Some(name) = name() else { return IdKeys::new() };
            Some((word, unquoted(name.text())))
        }
    };
    let below = |id: IdKey| match &segment {
        Some((kind, name)) => end(id.then(kind, name)).number(),
        None => end(id).number(),
    };
    objects(object, context).into_iter().map(below).collect()
}

fn is_outermost(item: Node<'_>) -> bool {
    item.parent()
        .is_some_and(|parent| parent.kind() == NodeKind::DataSetSection)
}

/// The first segments that ids of texts in an object begin with.
///
/// Texts of an extension stand under its own name, unless it extends an object of the same app: then they stand under the
/// name of that. And of several extensions of one object of another app only one gives its name to all. A tree does not
/// tell which of these is the case, but the translation files do: the object under whose name they know texts is the one.
fn objects(object: Object<'_>, context: &Context<'_>) -> Vec<IdKey> {
    let Some((kind, extended_kind)) = words_of(object.kind()) else {
        return Vec::new();
    };
    let Some(name) = object.name() else { return Vec::new() };
    let own = IdKey::object(kind, &name);
    let Some((extended_word, extended_kind)) = extended_kind else {
        return vec![own];
    };
    let Some(target) = object.extends().next().and_then(QualifiedName::name_token) else {
        return Vec::new();
    };
    let declared = CompilationUnit::of(object.node().tree())
        .objects()
        .filter(|other| other.kind() == extended_kind)
        .filter_map(Object::name)
        .find(|declared| same_name(declared, target.text()));
    if let Some(declared) = declared {
        return vec![IdKey::object(extended_word, &declared)];
    }
    let Some(translations) = &context.facts().translations else {
        return Vec::new();
    };
    let extended = IdKey::object(extended_word, &candor_al_syntax::ast::unquoted(target.text()));
    [own, extended]
        .into_iter()
        .filter(|key| translations.knows_object(key.number()))
        .collect()
}

/// The word for a kind of object in ids; for an extension, also word and kind of what it extends.
fn words_of(kind: NodeKind) -> Option<(&'static str, Option<(&'static str, NodeKind)>)> {
    Some(match kind {
        NodeKind::Table => ("Table", None),
        NodeKind::TableExtension => ("TableExtension", Some(("Table", NodeKind::Table))),
        NodeKind::Page => ("Page", None),
        NodeKind::PageExtension => ("PageExtension", Some(("Page", NodeKind::Page))),
        NodeKind::Report => ("Report", None),
        NodeKind::ReportExtension => ("ReportExtension", Some(("Report", NodeKind::Report))),
        NodeKind::Codeunit => ("Codeunit", None),
        NodeKind::Query => ("Query", None),
        NodeKind::XmlPort => ("XmlPort", None),
        NodeKind::Enum => ("Enum", None),
        NodeKind::EnumExtension => ("EnumExtension", Some(("Enum", NodeKind::Enum))),
        NodeKind::Profile => ("Profile", None),
        NodeKind::PermissionSet => ("PermissionSet", None),
        _ => return None,
    })
}
