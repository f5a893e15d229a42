//! AC0020: a label that calls itself a token, and can be translated.

use candor_al_syntax::edit::{EditSet, set_label_attribute};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, label_variables};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A variable of type `Label` whose name ends with `Tok` (in exactly this spelling) without `Locked = true`.

## Why

By convention `Tok` marks a text that programs read: a format, a path, a key. If it is not locked, it goes into the
translation file, somebody translates it, and the program fails in that language.

## Example

```al
codeunit 50100 Urls
{
    var
        ServiceTok: Label 'https://example.com/%1';
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

When people read the text: rename the label instead (`Lbl`, `Msg`, `Err`). Labels of obsolete objects are not flagged.

## Fix

Adds `Locked = true`, or sets the `Locked` that is there to `true`. Unsafe, because where the label has been translated
its users see the original text afterwards. For a real token that is the repair.
";

const LOCK: FixProvider = FixProvider::new(
    "LabelWithTokSuffixMustBeLockedFixProvider",
    "ALCops: Set Locked property to true",
    Safety::Unsafe,
);

pub(crate) struct LabelWithTokSuffixMustBeLocked;

/// A label and one of the names it is declared under.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TokenLabel {
    /// The node of the name.
    name: NodeId,
    label: NodeId,
}

impl Rule for LabelWithTokSuffixMustBeLocked {
    const METADATA: Metadata = Metadata {
        id: "AC0020",
        name: "LabelWithTokSuffixMustBeLocked",
        title: "Labels ending in Tok must be locked",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0020 of ALCops"),
        fixes: &[LOCK],
        kinds: &[NodeKind::LabelType],
        documentation: DOCUMENTATION,
    };

    type State = TokenLabel;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some((declaration, label)) = label_variables(node) else {
            return;
        };
        if label.locked() == Some(true) {
            return;
        }
        for name in declaration.node().children_of(NodeKind::Name) {
            let is_token = candor_al_syntax::ast::unquoted(name.text()).ends_with("Tok");
            if is_token && !is_in_obsolete_object(node, context) {
                report.at(
                    name.range(),
                    TokenLabel {
                        name: name.id(),
                        label: label.node().id(),
                    },
                );
            }
        }
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let name = candor_al_syntax::ast::unquoted(tree.node(state.name).text());
        format!(
            "`{name}` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, \
             or rename it if people read it."
        )
    }

    fn fix(state: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        set_label_attribute(tree.node(state.label), "Locked", "true")
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
                        [|UrlTok|]: Label 'https://example.com';
                        [|"My Tok"|]: Label 'x', Locked = false, Comment = 'y';

                    procedure B()
                    var
                        [|PathTok|]: Label '/api';
                    begin
                    end;

                    [Obsolete('no exemption', '25.0')]
                    procedure C()
                    var
                        [|KeyTok|]: Label 'key';
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "locked labels, other names and spellings, other types, obsolete objects",
                r"
                codeunit 50100 A
                {
                    var
                        UrlTok: Label 'https://example.com', Locked = true;
                        PathTok: Label '/api', LOCKED = TRUE, Comment = 'x';
                        UrlTOK: Label 'x';
                        TokUrl: Label 'x';
                        CountTok: Integer;

                    procedure B(ParameterTok: Text)
                    begin
                    end;
                }
                codeunit 50101 B
                {
                    ObsoleteState = Pending;

                    var
                        UrlTok: Label 'https://example.com';
                }
                ",
            )
            .suppressed(
                "a pragma around the declaration",
                r"
                codeunit 50100 A
                {
                    var
                #pragma warning disable AC0020 // translated on purpose
                        [|UrlTok|]: Label 'https://example.com';
                #pragma warning restore AC0020
                        PathTok: Label '/api', Locked = true;
                }
                ",
            )
            .says(
                "which label",
                r"
                codeunit 50100 A
                {
                    var
                        UrlTok: Label 'https://example.com';
                }
                ",
                "`UrlTok` calls itself a token, a text that programs read, but it can be translated. \
                 Add `Locked = true`, or rename it if people read it.",
            )
            .fixes(
                "Locked is added behind the rest, or set",
                r"
                codeunit 50100 A
                {
                    var
                        UrlTok: Label 'https://example.com'; // home
                        PathTok: Label '/api', Locked = false, Comment = 'x';
                }
                ",
                r"
                codeunit 50100 A
                {
                    var
                        UrlTok: Label 'https://example.com', Locked = true; // home
                        PathTok: Label '/api', Locked = true, Comment = 'x';
                }
                ",
            )
    }
}
