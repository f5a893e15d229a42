//! FC0002: a word or name that is spelled in another case than where it is declared.

use std::sync::Arc;

use candor_al_model::{NameKey, ObjectKind, Symbol, SystemVariable, built_ins};
use candor_al_syntax::ast::{
    Attribute, LabelAttribute, Method, Object, Property, QualifiedName, TypeReference, unquoted,
};
use candor_al_syntax::edit::{EditSet, replace_token};
use candor_al_syntax::{Keyword, Node, NodeKind, TokenKind, TokenRef, Tree};

use crate::context::Context;
use crate::facts::quoted_if_needed;
use crate::meaning::Known;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

Words of the language, and names of properties, types, triggers, attributes, variables, procedures, fields, objects and
built-in methods, that are written in other upper and lower case letters than where they are declared: `BEGIN`,
`customer.setrange`. Words of the language are in lower case; everything else is spelled as its declaration or Microsoft's
documentation spells it.

## Why

AL does not care, but people do: a name that is always spelled alike is read faster and found by every search.

## Example

```al
codeunit 50100 Greeting
{
    procedure Greet(Name: Text)
    begin
        Message(name);
    end;
}
```

## Better

```al
codeunit 50100 Greeting
{
    procedure Greet(Name: Text)
    begin
        Message(Name);
    end;
}
```

## When to ignore it

When the names of a project are about to be changed anyway. Names whose meaning is not known are not flagged, and neither
are `Rec` and values of options and enums.

## Fix

Writes the name as it is declared, in quotes if it needs them. Safe, since case says nothing.
";

const FIX_CASING: FixProvider = FixProvider::new("CasingMismatchCodeFix", "ALCops: Fix casing", Safety::Safe);

/// A token and how it should be spelled.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Misspelled {
    token: u32,
    canonical: Arc<str>,
}

pub(crate) struct CasingMismatch;

impl Rule for CasingMismatch {
    const METADATA: Metadata = Metadata {
        id: "FC0002",
        name: "CasingMismatch",
        title: "Spell words and names as they are declared",
        cop: Cop::Formatting,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("FC0002 of ALCops"),
        fixes: &[FIX_CASING],
        kinds: &[
            NodeKind::Table,
            NodeKind::TableExtension,
            NodeKind::Page,
            NodeKind::PageExtension,
            NodeKind::Report,
            NodeKind::ReportExtension,
            NodeKind::Codeunit,
            NodeKind::Query,
            NodeKind::XmlPort,
            NodeKind::Enum,
            NodeKind::EnumExtension,
            NodeKind::Interface,
            NodeKind::PermissionSet,
            NodeKind::PermissionSetExtension,
            NodeKind::Entitlement,
            NodeKind::Profile,
            NodeKind::ProfileExtension,
        ],
        documentation: DOCUMENTATION,
    };

    type State = Misspelled;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let known = context.meaning();
        for inner in node.descendants() {
            if context.is_intact(inner) {
                look(inner, known, context, report);
            }
        }
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        format!(
            "Write {} instead of {}.",
            state.canonical,
            tree.token(state.token).text()
        )
    }

    fn fix(state: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        Some(replace_token(tree.token(state.token), &state.canonical))
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .with_file(
                "table 18 Customer { fields { field(1; \"No.\"; Code[20]) { } field(2; Blocked; Option) { OptionMembers = No,Yes; } } \
                 procedure Check() begin end; }",
            )
            .with_file("codeunit 80 \"Sales-Post\" { }")
            .flags(
                "words of the language",
                r"
                [|CODEUNIT|] 50100 A
                {
                    [|Procedure|] P()
                    [|VAR|]
                        B: Boolean;
                    [|Begin|]
                        [|IF|] B [|Then|] [|exIT|];
                        B := [|TRUE|] [|AND|] [|Not|] B;
                    [|END|];
                }
                ",
            )
            .flags(
                "types, properties and their values, attributes, triggers, label attributes",
                r#"
                codeunit 50100 A
                {
                    [|tableno|] = [|customer|];
                    EventSubscriberInstance = [|manual|];

                    var
                        B: [|integer|];
                        C: [|RECORD|] [|CUSTOMER|] temporary;
                        D: Codeunit [|"sales-post"|];
                        E: Label 'x', [|locked|] = true;

                    trigger [|onrun|]()
                    begin
                    end;

                    [[|TRYFUNCTION|]]
                    procedure P(F: [|text|][10]): [|GUID|]
                    begin
                    end;
                }
                "#,
            )
            .flags(
                "variables, procedures, fields and built-in methods",
                r#"
                codeunit 50100 A
                {
                    var
                        Total: Integer;

                    procedure Run2(Amount: Integer; Customer: Record Customer) Result: Boolean
                    begin
                        [|total|] := [|AMOUNT|] + this.[|TOTAL|];
                        [|result|] := true;
                        [|run2|]([|today|]() - Today(), [|customer|]);
                        Customer.[|setrange|]([|"NO."|]);
                        Customer.[|"no."|] := [|copystr|](Customer."No.", 1, [|MAXSTRLEN|](Customer."No."));
                        Customer.[|CHECK|]();
                        [|CODEUNIT|].Run([|codeunit|]::"Sales-Post");
                    end;
                }
                "#,
            )
            .silent(
                "what is spelled as declared, members of options, names that are not known, Rec",
                r#"
                table 50100 A
                {
                    fields { field(1; B; Code[10]) { Caption = 'b'; } field(2; Type; Integer) { } }
                    keys { key(PK; B) { Clustered = true; } }

                    trigger OnInsert()
                    var
                        Customer: Record Customer;
                        U: Record Unknown;
                    begin
                        rec.B := 'x';
                        REC.Insert();
                        Customer.Blocked := Customer.Blocked::yes;
                        U.FOO := u2;
                        type := 1;
                        if not b2 then
                            Customer.Check();
                        Codeunit.Run(Codeunit::"SALES-POST");
                    end;
                }
                "#,
            )
            .suppressed(
                "by a pragma",
                r"
                codeunit 50100 A
                {
                #pragma warning disable FC0002
                    [|Procedure|] P()
                #pragma warning restore FC0002
                    begin
                    end;
                }
                ",
            )
            .says(
                "how it is spelled",
                r"
                codeunit 50100 A
                {
                    procedure P(Name: Text)
                    begin
                        Message(NAME);
                    end;
                }
                ",
                "Write Name instead of NAME.",
            )
            .fixes(
                "quotes come and go with the name",
                r#"
                codeunit 50100 A
                {
                    PROCEDURE P(Customer: Record Customer; D: codeunit "SALES-POST")
                    begin
                        "customer".setrange("NO."); // "customer"
                    end;
                }
                "#,
                r#"
                codeunit 50100 A
                {
                    procedure P(Customer: Record Customer; D: Codeunit "Sales-Post")
                    begin
                        Customer.SetRange("No."); // "customer"
                    end;
                }
                "#,
            )
    }
}

fn look<'t>(node: Node<'t>, known: Option<Known<'_>>, context: &Context<'t>, report: &mut Report<'_, Misspelled>) {
    match node.kind() {
        NodeKind::NameExpression => {
            if let (Some(token), Some(known)) = (node.first_token(), known) {
                name(node, token, known, report);
            }
        }
        NodeKind::MemberAccess => {
            let token = node.own_tokens().find(|token| token.kind().is_name());
            if let (Some(token), Some(known)) = (token, known) {
                bound(token, known.symbol(node), known, report);
            }
        }
        NodeKind::ScopeAccess => scope_member(node, known, report),
        NodeKind::Type | NodeKind::OptionType | NodeKind::DotNetTypeReference | NodeKind::LabelType => {
            of_type(node, known, context, report);
        }
        NodeKind::Property => property(node, report),
        NodeKind::Attribute => {
            if let Some(token) = Attribute::cast(node).and_then(Attribute::name_token) {
                let canonical = built_ins().attribute(NameKey::of(token.text()));
                compare(token, canonical, report);
            }
        }
        NodeKind::LabelAttribute => {
            if let Some(token) = LabelAttribute::cast(node).and_then(LabelAttribute::name_token) {
                let words = ["Comment", "Locked", "MaxLength"];
                compare(
                    token,
                    words.into_iter().find(|word| word.eq_ignore_ascii_case(token.text())),
                    report,
                );
            }
        }
        NodeKind::Trigger => {
            keywords(node, report);
            if let Some(token) = Method::cast(node)
                .filter(|it| it.event_source_token().is_none())
                .and_then(Method::name_token)
            {
                let canonical = built_ins().trigger(NameKey::of(token.text()));
                compare(token, canonical, report);
            }
        }
        NodeKind::QualifiedName | NodeKind::IdentifierListItem => {
            if let (Some(token), Some(known)) = (node.last_token(), known) {
                match known.symbol(node) {
                    Symbol::Object(object) => compare(token, Some(known.universe.object_name(object)), report),
                    symbol => bound(token, symbol, known, report),
                }
            }
        }
        // Names, values and types tell nothing about words of the language.
        NodeKind::Name
        | NodeKind::ObjectId
        | NodeKind::IdentifierList
        | NodeKind::OtherValue
        | NodeKind::FilterText
        | NodeKind::MultiLanguageValue
        | NodeKind::MultiLanguageText
        | NodeKind::GenericType
        | NodeKind::ArrayType
        | NodeKind::TextConstType
        | NodeKind::TypeLength
        | NodeKind::ObjectReference
        | NodeKind::PermissionEntry
        | NodeKind::FilterCondition
        | NodeKind::ReportLabel
        | NodeKind::Error => {}
        _ => keywords(node, report),
    }
}

/// The words of the language among a node's own tokens.
fn keywords(node: Node<'_>, report: &mut Report<'_, Misspelled>) {
    for token in node.own_tokens() {
        let keyword = token.keyword();
        if token.kind() == TokenKind::Identifier && keyword != Keyword::None && token.text() != keyword.text() {
            tell(token, keyword.text(), report);
        }
    }
}

/// A name on its own.
fn name<'t>(node: Node<'t>, token: TokenRef<'t>, known: Known<'_>, report: &mut Report<'_, Misspelled>) {
    let Some(parent) = node.parent() else { return };
    // What stands behind `not` is left alone, as the original does.
    if parent.kind() == NodeKind::UnaryExpression && parent.first_token().is_some_and(|it| it.keyword() == Keyword::Not)
    {
        return;
    }
    let symbol = known.symbol(node);
    let is_receiver =
        matches!(parent.kind(), NodeKind::MemberAccess | NodeKind::ScopeAccess) && parent.id().0 + 1 == node.id().0;
    if is_receiver && let Symbol::Kind(kind) = symbol {
        // How `Xmlport` is spelled hangs on the place.
        if kind != ObjectKind::XmlPort {
            compare(token, kind.code_word(), report);
        }
        return;
    }
    bound(token, symbol, known, report);
}

/// A name that means something.
fn bound(token: TokenRef<'_>, symbol: Symbol, known: Known<'_>, report: &mut Report<'_, Misspelled>) {
    // A word of the language as a name may be spelled either way.
    if token.kind() == TokenKind::Identifier && token.keyword() != Keyword::None {
        return;
    }
    let is_checked = match symbol {
        Symbol::Variable(_)
        | Symbol::Member(_)
        | Symbol::Method(_)
        | Symbol::SystemField(_)
        | Symbol::SystemTableField(..) => true,
        Symbol::System(variable) => !matches!(
            variable,
            SystemVariable::Rec | SystemVariable::This | SystemVariable::CurrXmlPort
        ),
        _ => false,
    };
    if is_checked {
        compare(token, known.binding.name_of(known.universe, symbol), report);
    }
}

/// `B` of `ObjectType::B`.
fn scope_member(node: Node<'_>, known: Option<Known<'_>>, report: &mut Report<'_, Misspelled>) {
    let Some(known) = known else { return };
    let Symbol::OptionMember(option, _) = known.symbol(node) else {
        return;
    };
    if built_ins().option(option).name != "ObjectType" {
        return;
    }
    if let Some(token) = node.own_tokens().find(|token| token.kind() == TokenKind::Identifier) {
        compare(token, known.binding.name_of(known.universe, known.symbol(node)), report);
    }
}

/// The words that make types out of objects, where a name follows.
const OBJECT_WORDS: &[(&str, ObjectKind)] = &[
    ("Record", ObjectKind::Table),
    ("Codeunit", ObjectKind::Codeunit),
    ("Page", ObjectKind::Page),
    ("Report", ObjectKind::Report),
    ("Query", ObjectKind::Query),
    ("Enum", ObjectKind::Enum),
    ("Interface", ObjectKind::Interface),
    ("TestPage", ObjectKind::Page),
    ("TestRequestPage", ObjectKind::Report),
];

fn of_type<'t>(node: Node<'t>, known: Option<Known<'_>>, context: &Context<'t>, report: &mut Report<'_, Misspelled>) {
    let Some(view) = TypeReference::cast(node) else { return };
    let Some(token) = view.name_token().filter(|token| token.kind() == TokenKind::Identifier) else {
        return;
    };
    let Some(subject) = node.child(NodeKind::QualifiedName).and_then(QualifiedName::cast) else {
        let key = NameKey::of(token.text());
        let built_ins = built_ins();
        let of_type = built_ins.type_named(key).map(|it| built_ins.type_name(it));
        let canonical = of_type.or_else(|| built_ins.option_named(key).map(|it| built_ins.option(it).name));
        // `XmlPort` and `Xmlport` are both found in the documentation.
        if token.keyword() != Keyword::XmlPort {
            compare(token, canonical, report);
        }
        return;
    };
    let word = OBJECT_WORDS
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(token.text()));
    let Some(&(word, kind)) = word else { return };
    compare(token, Some(word), report);
    object(subject, kind, known, context, report);
}

/// The name of an object, without its namespace.
fn object(
    name: QualifiedName<'_>,
    kind: ObjectKind,
    known: Option<Known<'_>>,
    context: &Context<'_>,
    report: &mut Report<'_, Misspelled>,
) {
    let (Some(known), Some(workspace)) = (known, context.facts().workspace.as_ref()) else {
        return;
    };
    let Some(token) = name.name_token().filter(|token| token.kind().is_name()) else {
        return;
    };
    if name.is_qualified() {
        return;
    }
    let viewpoint = known.universe.viewpoint(workspace.file());
    let found = known
        .universe
        .object_named(kind, None, NameKey::of(token.text()), viewpoint);
    compare(token, found.map(|object| known.universe.object_name(object)), report);
}

fn property(node: Node<'_>, report: &mut Report<'_, Misspelled>) {
    let Some(property) = Property::cast(node) else { return };
    let Some(name) = property.name_token() else { return };
    compare(name, property.canonical_name(), report);
    // The values of these are names of areas or images, of which there is no closed list.
    if property.is("ApplicationArea") || property.is("ValuesAllowed") || property.is("Image") {
        return;
    }
    let Some(value) = property
        .identifier()
        .filter(|token| token.kind() == TokenKind::Identifier)
    else {
        return;
    };
    let Some(facts) = built_ins().property(NameKey::of(name.text())) else {
        return;
    };
    let canonical = facts
        .values
        .iter()
        .copied()
        .find(|it| it.eq_ignore_ascii_case(value.text()));
    compare(value, canonical, report);
}

/// Reports a token that is spelled in another case.
fn compare(token: TokenRef<'_>, canonical: Option<&str>, report: &mut Report<'_, Misspelled>) {
    let Some(canonical) = canonical else { return };
    let written = unquoted(token.text());
    if written != canonical && written.to_lowercase() == canonical.to_lowercase() {
        tell(token, &quoted_if_needed(canonical), report);
    }
}

fn tell(token: TokenRef<'_>, canonical: &str, report: &mut Report<'_, Misspelled>) {
    // A name in a pragma or in an object's own head is no use of it; objects are looked at from inside.
    debug_assert!(Object::around(token.tree().covering_node(token.range())).is_some());
    report.at(
        token.range(),
        Misspelled {
            token: token.index(),
            canonical: canonical.into(),
        },
    );
}
