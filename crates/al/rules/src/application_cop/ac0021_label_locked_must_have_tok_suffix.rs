//! AC0021: a locked label whose name does not say so.

use candor_al_syntax::ast::unquoted;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, label_variables};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A variable of type `Label` with `Locked = true` whose name does not end with `Tok` (in exactly this spelling).

## Why

By convention `Tok` marks a text that programs read. Whoever meets a locked label under another name in the code expects
a text for people, and wonders why it is never translated.

## Example

```al
codeunit 50100 Urls
{
    var
        ServiceLbl: Label 'https://example.com/%1', Locked = true;
}
```

## Better

```al
codeunit 50100 Urls
{
    var
        ServiceTok: Label 'https://example.com/%1', Locked = true;
}
```

## When to ignore it

When people read the text, and it is locked because it is the same in all languages: then another suffix fits better. The
rule is off by default. Labels of obsolete objects are not flagged.
";

pub(crate) struct LabelLockedMustHaveTokSuffix;

impl Rule for LabelLockedMustHaveTokSuffix {
    const METADATA: Metadata = Metadata {
        id: "AC0021",
        name: "LabelLockedMustHaveTokSuffix",
        title: "Locked labels must end in Tok",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0021 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::LabelType],
        documentation: DOCUMENTATION,
    };

    /// The name.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some((declaration, label)) = label_variables(node) else {
            return;
        };
        if label.locked() != Some(true) {
            return;
        }
        for name in declaration.node().children_of(NodeKind::Name) {
            if !unquoted(name.text()).ends_with("Tok") && !is_in_obsolete_object(node, context) {
                report.at(name.range(), name.id());
            }
        }
    }

    fn message(&name: &Self::State, tree: &Tree) -> String {
        format!(
            "`{}` is locked, as texts are that programs read, but its name does not tell. Let the name end with `Tok`, \
             or unlock the label if people read it.",
            unquoted(tree.node(name).text())
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "global and local labels, on the name",
                r#"
                codeunit 50100 A
                {
                    var
                        [|UrlLbl|]: Label 'https://example.com', Locked = true;
                        [|"My Text"|], PathTok, [|PathTOK|]: Label 'x', LOCKED = TRUE, Comment = 'y';

                    [Obsolete('no exemption', '25.0')]
                    procedure B()
                    var
                        [|TokenErr|]: Label '/api', Locked = true;
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "the suffix, labels that are not locked, other types, obsolete objects",
                r"
                codeunit 50100 A
                {
                    var
                        UrlTok: Label 'https://example.com', Locked = true;
                        OpenLbl: Label 'Open';
                        ClosedLbl: Label 'Closed', Locked = false;
                        Count: Integer;
                }
                codeunit 50101 B
                {
                    ObsoleteState = Pending;

                    var
                        UrlLbl: Label 'https://example.com', Locked = true;
                }
                ",
            )
            .suppressed(
                "a pragma around the declaration",
                r"
                codeunit 50100 A
                {
                    var
                #pragma warning disable AC0021
                        [|UrlLbl|]: Label 'https://example.com', Locked = true;
                #pragma warning restore AC0021
                }
                ",
            )
            .says(
                "which label",
                r#"
                codeunit 50100 A
                {
                    var
                        "My Url": Label 'https://example.com', Locked = true;
                }
                "#,
                "`My Url` is locked, as texts are that programs read, but its name does not tell. Let the name end with \
                 `Tok`, or unlock the label if people read it.",
            )
    }
}
