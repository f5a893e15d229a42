//! AC0023: an enum value with a name that shows nothing.

use candor_al_syntax::ast::{EnumValue, Property};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, is_obsolete, owner_name};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A value of an enum or enum extension that has a name, while its `Caption` is the empty text and is not locked. A caption
of one blank is accepted.

## Why

Lists show captions, not names: without a caption users are not shown the value, or find an empty line, and cannot choose
it. If the caption was left empty by mistake, the name would have been a better text than none.

## Example

```al
enum 50100 Priority
{
    value(1; High)
    {
        Caption = '';
    }
}
```

## Better

```al
enum 50100 Priority
{
    value(1; High)
    {
        Caption = 'High';
    }
}
```

## When to ignore it

When nothing is to be shown on purpose: then lock the caption, and the rule is silent. Obsolete values and objects are
not flagged.
";

pub(crate) struct EnumValueHasEmptyCaption;

impl Rule for EnumValueHasEmptyCaption {
    const METADATA: Metadata = Metadata {
        id: "AC0023",
        name: "EnumValueHasEmptyCaption",
        title: "Named enum value must not have an empty caption",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0023 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::EnumValue],
        documentation: DOCUMENTATION,
    };

    /// The value.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(value) = EnumValue::cast(node) else { return };
        let Some(caption) = value.property("Caption").and_then(Property::label) else {
            return;
        };
        let Some(text) = caption.text_token().filter(|_| caption.text().is_empty()) else {
            return;
        };
        let is_named = value.name().is_some_and(|name| !name.is_empty());
        if !is_named || caption.locked() == Some(true) {
            return;
        }
        if !is_obsolete(value.into()) && !is_in_obsolete_object(node, context) {
            report.at(text.range(), node.id());
        }
    }

    fn message(&value: &Self::State, tree: &Tree) -> String {
        format!(
            "Users cannot choose the value `{}`, because lists show captions and this one is empty. Give it a text, or \
             lock it if the value is to stay hidden.",
            owner_name(value, tree)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "enums and their extensions, on the text alone",
                r#"
                enum 50100 A
                {
                    value(0; None)
                    {
                        Caption = [|''|];
                    }
                    value(1; " ")
                    {
                        CAPTION = [|''|], Comment = 'nothing';
                    }
                }
                enumextension 50101 B extends A
                {
                    value(2; "Two")
                    {
                        Caption = [|''|], Locked = false;
                    }
                    value(3; Three)
                    {
                        Caption = [|@''|];
                    }
                }
                "#,
            )
            .silent(
                "locked captions, blanks, texts, none at all, values without a name",
                r#"
                enum 50100 A
                {
                    value(0; None)
                    {
                        Caption = '', Locked = true;
                    }
                    value(1; One)
                    {
                        Caption = ' ';
                    }
                    value(2; Two)
                    {
                        Caption = 'Two';
                    }
                    value(3; Three)
                    {
                    }
                    value(4; "")
                    {
                        Caption = '';
                    }
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
                        Caption = '';
                        ObsoleteState = Pending;
                    }
                }
                enum 50101 B
                {
                    ObsoleteState = Pending;
                    value(0; None) { Caption = ''; }
                }
                ",
            )
            .suppressed(
                "a pragma around the caption",
                r"
                enum 50100 A
                {
                    value(0; None)
                    {
                #pragma warning disable AC0023
                        Caption = [|''|];
                #pragma warning restore AC0023
                    }
                }
                ",
            )
            .says(
                "which value",
                r#"
                enum 50100 A
                {
                    value(1; "Number One") { Caption = ''; }
                }
                "#,
                "Users cannot choose the value `Number One`, because lists show captions and this one is empty. Give it a \
                 text, or lock it if the value is to stay hidden.",
            )
    }
}
