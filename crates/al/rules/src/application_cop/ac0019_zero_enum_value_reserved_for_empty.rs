//! AC0019: an enum that has no value for "nothing chosen".

use candor_al_syntax::ast::{EnumValue, LabelValue, Object, Property};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, is_obsolete, owner_name};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

The value 0 of an enum whose name is not blank, or whose name is blank but whose `Caption` is not. Enums that implement
an interface are left alone, and so are enum extensions.

## Why

Every new record, and every record that was there before the field, holds the value 0. If it means something, nobody can
tell those who chose it from those who chose nothing.

## Example

```al
enum 50100 Priority
{
    value(0; Low) { }
    value(1; High) { }
}
```

## Better

```al
enum 50100 Priority
{
    value(0; " ") { }
    value(1; Low) { }
    value(2; High) { }
}
```

## When to ignore it

When the value 0 is meant to be the default, or when the enum is in use: its numbers are stored in the database and must
not change. Obsolete values and enums are not flagged.
"#;

pub(crate) struct ZeroEnumValueReservedForEmpty;

/// What is not blank about the value 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Zero {
    /// The name of this value.
    Named(NodeId),
    /// The caption of this value.
    Captioned(NodeId),
}

impl Rule for ZeroEnumValueReservedForEmpty {
    const METADATA: Metadata = Metadata {
        id: "AC0019",
        name: "ZeroEnumValueReservedForEmpty",
        title: "Enum value 0 should be the empty value",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0019 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::EnumValue],
        documentation: DOCUMENTATION,
    };

    type State = Zero;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(value) = EnumValue::cast(node).filter(|value| value.number() == Some(0)) else {
            return;
        };
        let Some(object) = node.parent().and_then(Object::cast) else {
            return;
        };
        let Some(name) = value.name_token() else { return };
        let (range, state) = if value.name().is_some_and(|name| !name.trim().is_empty()) {
            (name.range(), Zero::Named(node.id()))
        } else {
            let caption = value.property("Caption").and_then(Property::label);
            let Some(caption) = caption.filter(says_something) else {
                return;
            };
            (caption.range(), Zero::Captioned(node.id()))
        };
        let is_meant = object.kind() == NodeKind::Enum && context.object_implements(object).is_empty();
        if is_meant && !is_obsolete(value.into()) && !is_in_obsolete_object(node, context) {
            report.at(range, state);
        }
    }

    fn message(zero: &Self::State, tree: &Tree) -> String {
        let what = match *zero {
            Zero::Named(value) => format!("the name `{}`", owner_name(value, tree)),
            Zero::Captioned(value) => {
                let caption = EnumValue::cast(tree.node(value))
                    .and_then(|value| value.property("Caption"))
                    .and_then(Property::label);
                format!("the caption `{}`", caption.map(LabelValue::text).unwrap_or_default())
            }
        };
        format!(
            "Records in which nobody has chosen anything hold the value 0, and here it has {what}. Leave 0 to a blank \
             value and begin with 1, unless the enum is in use already."
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "a value 0 with a name, on the name, whatever its caption",
                r#"
                enum 50100 A
                {
                    value(0; [|None|])
                    {
                        Caption = ' ', Locked = true;
                    }
                    value(1; One)
                    {
                    }
                }
                enum 50101 B
                {
                    value(2; Two) { }
                    value(00; [|"Not chosen"|]) { Caption = 'Not chosen'; }
                }
                "#,
            )
            .flags(
                "a blank value 0 with a caption, on the caption",
                r#"
                enum 50100 A
                {
                    value(0; " ")
                    {
                        Caption = [|'None', Comment = 'nothing chosen'|];
                    }
                }
                enum 50101 B
                {
                    value(0; "")
                    {
                        Caption = [|'None'|];
                    }
                }
                "#,
            )
            .silent(
                "a blank value, no value 0, an interface, an extension",
                r#"
                enum 50100 A
                {
                    value(0; " ") { }
                }
                enum 50101 B
                {
                    value(0; "") { Caption = ' ', Locked = true; }
                    value(1; One) { }
                }
                enum 50102 C
                {
                    value(1; One) { }
                    value(10; Ten) { }
                }
                enum 50103 D implements E
                {
                    value(0; Default) { Implementation = E = F; }
                }
                enumextension 50104 G extends A
                {
                    value(0; Zero) { }
                }
                enum 50105 H
                {
                    value(0; " ") { CaptionML = ENU = 'None'; }
                }
                "#,
            )
            .silent(
                "obsolete values and enums",
                r"
                enum 50100 A
                {
                    value(0; None)
                    {
                        ObsoleteState = Pending;
                    }
                }
                enum 50101 B
                {
                    ObsoleteState = Removed;
                    value(0; None) { }
                }
                ",
            )
            .suppressed(
                "a pragma around the value",
                r"
                enum 50100 A
                {
                #pragma warning disable AC0019 // stored since version 1
                    value(0; [|None|]) { }
                #pragma warning restore AC0019
                }
                ",
            )
            .says(
                "which name",
                r#"
                enum 50100 A
                {
                    value(0; "Not chosen") { }
                }
                "#,
                "Records in which nobody has chosen anything hold the value 0, and here it has the name `Not chosen`. \
                 Leave 0 to a blank value and begin with 1, unless the enum is in use already.",
            )
            .says(
                "which caption",
                r#"
                enum 50100 A
                {
                    value(0; " ") { Caption = 'None'; }
                }
                "#,
                "Records in which nobody has chosen anything hold the value 0, and here it has the caption `None`. \
                 Leave 0 to a blank value and begin with 1, unless the enum is in use already.",
            )
    }
}

fn says_something(caption: &LabelValue<'_>) -> bool {
    !caption.text().trim().is_empty()
}
