//! LC0003: an object that is named by its number.

use std::sync::Arc;

use candor_al_model::{ObjectKind, ObjectReference, Symbol, Type, built_ins, well_known};
use candor_al_syntax::ast::{Attribute, CallExpression, Expression, Literal, QualifiedName, TypeReference, same_name};
use candor_al_syntax::edit::{EditSet, TextEdit};
use candor_al_syntax::{Keyword, Node, NodeKind, TextRange, TokenKind, Tree};

use crate::context::Context;
use crate::facts::{arguments_of, is_in_obsolete_code, quoted_if_needed};
use crate::meaning::Known;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A number in the place of an object's name: in the type of a variable, parameter or result (`Codeunit 80`), the page of a
part, the table of a data item, in permissions and in properties that name an object; as the first argument of methods
such as `Page.Run(21)`; and as the object of an `EventSubscriber`.

## Why

A number says nothing to a reader, and it is not kept in step when objects are moved to other numbers.

## Example

```al
page 50100 "Work Card"
{
}
codeunit 50101 Starter
{
    procedure Start()
    begin
        Page.Run(50100);
    end;
}
```

## Better

```al
page 50100 "Work Card"
{
}
codeunit 50101 Starter
{
    procedure Start()
    begin
        Page.Run(Page::"Work Card");
    end;
}
```

## When to ignore it

When the object belongs to an app that is not a dependency. Obsolete code is not flagged.

## Fix

Writes the name of the object, with its namespace if that is another one; in calls and attributes with the kind of object
in front. Offered where the object is known. Safe, since the same object is meant.
"#;

const WRITE_NAME: FixProvider = FixProvider::new(
    "ObjectIdInDeclarationCodeFixProvider",
    "ALCops: Replace id with name",
    Safety::Safe,
);

/// A number in the place of a name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NumberedObject {
    /// The number.
    number: TextRange,
    /// The name that belongs there, if it is known: as the object is called, and as it is written.
    name: Option<(Arc<str>, Arc<str>)>,
}

pub(crate) struct ObjectIdInDeclaration;

impl Rule for ObjectIdInDeclaration {
    const METADATA: Metadata = Metadata {
        id: "LC0003",
        name: "ObjectIdInDeclaration",
        title: "Refer to objects by name, not by number",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("LC0003 of ALCops"),
        fixes: &[WRITE_NAME],
        kinds: &[NodeKind::QualifiedName, NodeKind::CallExpression, NodeKind::Attribute],
        documentation: DOCUMENTATION,
    };

    type State = NumberedObject;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some((number, kind, with_kind)) = numbered(node, context) else {
            return;
        };
        let Some(known) = context.meaning() else { return };
        if is_in_obsolete_code(node, context) {
            return;
        }
        let range = number.range();
        let name = kind.and_then(|kind| {
            let written = number.text().parse().ok()?;
            name_of(kind, written, with_kind, known, context)
        });
        report.at(range, NumberedObject { number: range, name });
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let number = tree.slice(state.number);
        match &state.name {
            Some((name, _)) => {
                format!("The number {number} says nothing to a reader. Write the name of the object: {name}.")
            }
            None => format!("The number {number} says nothing to a reader. Write the name of the object."),
        }
    }

    fn fix(state: &Self::State, _fix: &'static FixProvider, _tree: &Tree) -> Option<EditSet> {
        let (_, written) = state.name.as_ref()?;
        let mut edits = EditSet::new();
        edits.add(TextEdit::replace(state.number, &**written)).ok()?;
        Some(edits)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .with_file("table 18 Customer { fields { field(1; Name; Text[100]) { } } }")
            .with_file("codeunit 80 \"Sales-Post\" { [IntegrationEvent(false, false)] procedure OnPost() begin end; }")
            .with_file("page 21 \"Customer Card\" { }")
            .flags(
                "types, parts, data items, permissions, properties, calls, subscribers",
                r"
                page 50100 A
                {
                    SourceTable = [|18|];
                    Permissions = tabledata [|18|] = r, codeunit [|80|] = x;
                    layout { area(Content) { part(B; [|21|]) { } } }
                    procedure P(C: Record [|18|]; D: Codeunit [|80|] ): Record [|18|] temporary
                    var
                        E: Page [|21|];
                        RecordRef: RecordRef;
                    begin
                        Page.Run([|21|]);
                        PAGE.RunModal([|21|], C);
                        Codeunit.Run([|80|]);
                        RecordRef.Open([|18|]);
                    end;
                }
                report 50101 F
                {
                    dataset { dataitem(G; [|18|]) { } }
                }
                codeunit 50102 H
                {
                    [EventSubscriber(ObjectType::Codeunit, [|80|], OnPost, '', false, false)]
                    local procedure P()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "names, zero, numbers that mean something else, obsolete code",
                r#"
                codeunit 50100 A
                {
                    procedure P(C: Record Customer; N: Integer; Other: RecordRef)
                    begin
                        Page.Run(0);
                        Page.Run(Page::"Customer Card");
                        Page.Run(N);
                        Other.Open(18);
                        C.FilterGroup(2);
                        Message(Format(18));
                    end;

                    [Obsolete('x')]
                    procedure Old(C: Record 18)
                    begin
                    end;
                }
                "#,
            )
            .says(
                "the name, if it is known",
                r"
                codeunit 50100 A
                {
                    var
                        B: Codeunit 80;
                }
                ",
                "The number 80 says nothing to a reader. Write the name of the object: Sales-Post.",
            )
            .says(
                "no name, if it is not known",
                r"
                codeunit 50100 A
                {
                    var
                        B: Codeunit 81;
                }
                ",
                "The number 81 says nothing to a reader. Write the name of the object.",
            )
            .fixes(
                "names get quotes if they need them, and the kind of object in calls",
                r"
                codeunit 50100 A
                {
                    var
                        B: Codeunit 80;
                        C: Record 18 temporary;

                    procedure P(RecordRef: RecordRef)
                    begin
                        Page.Run(21, C);
                        RecordRef.Open(18);
                    end;

                    [EventSubscriber(ObjectType::Codeunit, 80, OnPost, '', false, false)]
                    local procedure Q()
                    begin
                    end;
                }
                ",
                r#"
                codeunit 50100 A
                {
                    var
                        B: Codeunit "Sales-Post";
                        C: Record Customer temporary;

                    procedure P(RecordRef: RecordRef)
                    begin
                        Page.Run(Page::"Customer Card", C);
                        RecordRef.Open(Database::Customer);
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::"Sales-Post", OnPost, '', false, false)]
                    local procedure Q()
                    begin
                    end;
                }
                "#,
            )
    }
}

/// The number that a node has in the place of an object, the kind of object if that is known, and whether the kind has to
/// be written in front of the name.
fn numbered<'t>(
    node: Node<'t>,
    context: &Context<'t>,
) -> Option<(candor_al_syntax::TokenRef<'t>, Option<ObjectKind>, bool)> {
    match node.kind() {
        NodeKind::QualifiedName => {
            let name = QualifiedName::cast(node)?;
            name.number()?;
            Some((name.name_token()?, kind_of_place(node), false))
        }
        NodeKind::CallExpression => {
            let first = arguments_of(node).into_iter().next()?;
            let number = integer_token(first)?;
            if Literal::cast(first.node())?.integer() == Some(0) {
                return None;
            }
            let kind = kind_of_call(CallExpression::cast(node)?, context.meaning()?)?;
            Some((number, Some(kind), true))
        }
        _ => {
            let attribute = Attribute::cast(node).filter(|it| it.is("EventSubscriber"))?;
            let mut arguments = attribute.arguments();
            let kind = arguments.next()?;
            let number = integer_token(arguments.next()?)?;
            let kind = kind.name().and_then(|name| kind_named(&name));
            Some((number, kind, true))
        }
    }
}

fn integer_token(expression: Expression<'_>) -> Option<candor_al_syntax::TokenRef<'_>> {
    let token = Literal::cast(expression.node())?.token()?;
    (token.kind() == TokenKind::IntegerLiteral).then_some(token)
}

fn kind_named(word: &str) -> Option<ObjectKind> {
    let kinds = [
        ("Table", ObjectKind::Table),
        ("Record", ObjectKind::Table),
        ("Database", ObjectKind::Table),
        ("Page", ObjectKind::Page),
        ("Report", ObjectKind::Report),
        ("Codeunit", ObjectKind::Codeunit),
        ("XmlPort", ObjectKind::XmlPort),
        ("Query", ObjectKind::Query),
        ("Enum", ObjectKind::Enum),
    ];
    kinds
        .iter()
        .find(|(name, _)| same_name(name, word))
        .map(|&(_, kind)| kind)
}

/// The kind of object that is named in the place of a name.
fn kind_of_place(name: Node<'_>) -> Option<ObjectKind> {
    let parent = name.parent()?;
    match parent.kind() {
        NodeKind::Type => kind_named(&TypeReference::cast(parent)?.name()),
        NodeKind::Part => Some(ObjectKind::Page),
        NodeKind::DataItem | NodeKind::QueryDataItem | NodeKind::TableElement => Some(ObjectKind::Table),
        NodeKind::PermissionEntry => {
            let word = parent.own_tokens().next()?;
            if word.keyword() == Keyword::TableData {
                return Some(ObjectKind::Table);
            }
            kind_named(word.text())
        }
        _ => None,
    }
}

/// The kind of object whose number a method takes first: that of `Page.Run`, a table for `RecordRef.Open`.
fn kind_of_call(call: CallExpression<'_>, known: Known<'_>) -> Option<ObjectKind> {
    let receiver = call.receiver()?;
    let Symbol::Method(method) = known.symbol(call.node()) else {
        return None;
    };
    let method = built_ins().method(method);
    let takes_number = method
        .parameters
        .first()
        .is_some_and(|parameter| parameter.of_type == candor_al_model::TypeFacts::Of(well_known().integer));
    if !takes_number {
        return None;
    }
    if let Symbol::Kind(kind) = known.symbol(receiver.node()) {
        Some(kind)
    } else {
        let is_reference = known.type_of(receiver.node()) == Type::Simple(well_known().record_ref)
            && receiver.node().text().eq_ignore_ascii_case("RecordRef");
        (is_reference && method.name == "Open").then_some(ObjectKind::Table)
    }
}

/// The name of the object with a number, as it is called and as it is written.
fn name_of(
    kind: ObjectKind,
    number: u32,
    with_kind: bool,
    known: Known<'_>,
    context: &Context<'_>,
) -> Option<(Arc<str>, Arc<str>)> {
    let universe = known.universe;
    let viewpoint = universe.viewpoint(context.facts().workspace.as_ref()?.file());
    let names = &viewpoint.declarations.names;
    let object = universe.resolve(kind, ObjectReference::Number(number), names, viewpoint)?;
    let name = universe.object_name(object);
    let namespace = universe.namespace_of(object);
    let own = viewpoint.declarations.namespace.map_or("", |own| names.text(own));
    let mut written = String::new();
    if with_kind {
        written.push_str(kind.code_word()?);
        written.push_str("::");
    }
    if !namespace.is_empty() && !same_name(namespace, own) {
        written.push_str(namespace);
        written.push('.');
    }
    written.push_str(&quoted_if_needed(name));
    Some((name.into(), written.into()))
}
