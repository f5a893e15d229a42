//! AC0022: an enum value without a name that has a text to show.

use candor_al_syntax::ast::{EnumValue, LabelValue, Property};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, is_obsolete};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A value of an enum or enum extension whose name is empty (`""`) and whose `Caption` is not, be it locked or not. A name
of one blank is not empty.

## Why

A value with the empty name stands for "nothing chosen". Users are not offered it, so its caption is shown nowhere, and
translators work on it for nothing.

## Example

```al
enum 50100 Priority
{
    value(1; "")
    {
        Caption = 'Undecided';
    }
}
```

## Better

```al
enum 50100 Priority
{
    value(1; Undecided)
    {
        Caption = 'Undecided';
    }
}
```

## When to ignore it

When callers rely on the empty name. Obsolete values and objects are not flagged.
"#;

pub(crate) struct EnumEmptyValueHasCaption;

impl Rule for EnumEmptyValueHasCaption {
    const METADATA: Metadata = Metadata {
        id: "AC0022",
        name: "EnumEmptyValueHasCaption",
        title: "Empty enum value must not have a caption",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0022 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::EnumValue],
        documentation: DOCUMENTATION,
    };

    /// The caption's label.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(value) = EnumValue::cast(node) else { return };
        let Some(name) = value.name_token().filter(|name| name.text() == "\"\"") else {
            return;
        };
        let Some(caption) = value.property("Caption").and_then(Property::label) else {
            return;
        };
        if !caption.text().is_empty() && !is_obsolete(value.into()) && !is_in_obsolete_object(node, context) {
            report.at(name.range(), caption.node().id());
        }
    }

    fn message(&caption: &Self::State, tree: &Tree) -> String {
        let caption = LabelValue::cast(tree.node(caption)).map(LabelValue::text);
        format!(
            "Users are not offered a value without a name, so its caption `{}` is shown nowhere. Remove the caption, or \
             give the value a name.",
            caption.unwrap_or_default()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "enums and their extensions, locked or blank captions too, on the name",
                r#"
                enum 50100 A
                {
                    value(0; [|""|])
                    {
                        Caption = 'None';
                    }
                    value(1; [|""|])
                    {
                        Caption = ' ', Locked = true;
                    }
                }
                enumextension 50101 B extends A
                {
                    value(2; [|""|])
                    {
                        caption = 'Two', Locked = true;
                    }
                }
                "#,
            )
            .silent(
                "empty captions, none at all, names of one blank, named values",
                r#"
                enum 50100 A
                {
                    value(0; "")
                    {
                        Caption = '', Locked = true;
                    }
                    value(1; "")
                    {
                    }
                    value(2; " ")
                    {
                        Caption = 'None';
                    }
                    value(3; Three)
                    {
                        Caption = 'Three';
                    }
                    value(4; """")
                    {
                        Caption = 'Quote';
                    }
                    value(5; "")
                    {
                        CaptionML = ENU = 'Five';
                    }
                }
                "#,
            )
            .silent(
                "obsolete values and enums",
                r#"
                enum 50100 A
                {
                    value(0; "")
                    {
                        Caption = 'None';
                        ObsoleteState = Pending;
                    }
                }
                enum 50101 B
                {
                    ObsoleteState = Pending;
                    value(0; "") { Caption = 'None'; }
                }
                "#,
            )
            .suppressed(
                "a pragma around the value",
                r#"
                enum 50100 A
                {
                #pragma warning disable AC0022
                    value(0; [|""|]) { Caption = 'None'; }
                #pragma warning restore AC0022
                }
                "#,
            )
            .flags_broken(
                "a caption that is being typed",
                r#"
                enum 50100 A
                {
                    value(0; "")
                    {
                        Caption = ';
                    }
                }
                "#,
            )
            .says(
                "what users see",
                r#"
                enum 50100 A
                {
                    value(0; "") { Caption = 'It''s none'; }
                }
                "#,
                "Users are not offered a value without a name, so its caption `It's none` is shown nowhere. Remove the \
                 caption, or give the value a name.",
            )
    }
}
