//! AC0018: an empty caption that translators are asked to translate.

use candor_al_syntax::ast::{Property, PropertyOwner};
use candor_al_syntax::edit::{EditSet, set_label_attribute};
use candor_al_syntax::{KindSet, Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_in_obsolete_object, is_obsolete};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

A `Caption` that is empty, or holds nothing but blanks, without `Locked = true`. It looks at objects, fields, controls,
actions, views, columns, filters, report layouts and values of enums; not at `CaptionML`.

## Why

Every caption that is not locked goes into the translation file. An empty one gives translators nothing to translate,
and stays open in every language for ever.

## Example

```al
enum 50100 Priority
{
    value(0; " ")
    {
        Caption = ' ';
    }
}
```

## Better

```al
enum 50100 Priority
{
    value(0; " ")
    {
        Caption = ' ', Locked = true;
    }
}
```

## When to ignore it

When some language is to show a text where the others show none. Obsolete elements and objects are not flagged.

## Fix

Adds `Locked = true`, or sets the `Locked` that is there to `true`. Safe, because there is no text that could be shown
in another language.
"#;

const LOCK: FixProvider = FixProvider::new(
    "EmptyCaptionLockedCodeFixProvider",
    "ALCops: Set Locked property to true",
    Safety::Safe,
);

/// What has a caption that the rule looks at.
const OWNERS: KindSet = KindSet::of(&[
    NodeKind::Table,
    NodeKind::TableExtension,
    NodeKind::Field,
    NodeKind::Page,
    NodeKind::PageExtension,
    NodeKind::RequestPage,
    NodeKind::PageField,
    NodeKind::Group,
    NodeKind::CueGroup,
    NodeKind::Repeater,
    NodeKind::Grid,
    NodeKind::Fixed,
    NodeKind::PageLabel,
    NodeKind::Part,
    NodeKind::SystemPart,
    NodeKind::Action,
    NodeKind::ActionSeparator,
    NodeKind::ActionGroup,
    NodeKind::CustomAction,
    NodeKind::SystemAction,
    NodeKind::View,
    NodeKind::AnalysisView,
    NodeKind::XmlPort,
    NodeKind::Report,
    NodeKind::ReportColumn,
    NodeKind::RenderingLayout,
    NodeKind::Query,
    NodeKind::QueryColumn,
    NodeKind::QueryFilter,
    NodeKind::Enum,
    NodeKind::EnumValue,
    NodeKind::Profile,
    NodeKind::PermissionSet,
]);

pub(crate) struct EmptyCaptionLocked;

impl Rule for EmptyCaptionLocked {
    const METADATA: Metadata = Metadata {
        id: "AC0018",
        name: "EmptyCaptionLocked",
        title: "Empty captions must be locked",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0018 of ALCops"),
        fixes: &[LOCK],
        kinds: &[NodeKind::Property],
        documentation: DOCUMENTATION,
    };

    /// The label.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(caption) = Property::cast(node).filter(|property| property.is("Caption")) else {
            return;
        };
        let Some(label) = caption.label() else { return };
        if !label.text().trim().is_empty() || label.locked() == Some(true) {
            return;
        }
        let Some(owner) = caption.owner().filter(|owner| OWNERS.contains(owner.node().kind())) else {
            return;
        };
        let Some(name) = caption.name_token() else { return };
        if !is_obsolete(owner) && !is_in_obsolete_object(node, context) {
            report.at(name.range(), label.node().id());
        }
    }

    fn message(&label: &Self::State, tree: &Tree) -> String {
        let owner = tree.node(label).ancestors().find_map(PropertyOwner::cast);
        let of_what = match owner.and_then(PropertyOwner::name_token) {
            Some(name) => format!(" of `{}`", candor_al_syntax::ast::unquoted(name.text())),
            None => String::new(),
        };
        format!(
            "The caption{of_what} is empty, yet translators are asked to translate it. Add `Locked = true`, or give it \
             a text."
        )
    }

    fn fix(&label: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        set_label_attribute(tree.node(label), "Locked", "true")
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "empty and blank captions, on the word Caption",
                r"
                table 50100 A
                {
                    [|Caption|] = '';

                    fields
                    {
                        field(1; B; Integer)
                        {
                            [|CAPTION|] = '  ', Comment = 'nothing';
                        }
                    }
                }
                enum 50101 C
                {
                    value(0; D)
                    {
                        [|Caption|] = ' ', Locked = false;
                    }
                }
                enumextension 50102 E extends C
                {
                    value(1; F)
                    {
                        [|Caption|] = '';
                    }
                }
                ",
            )
            .flags(
                "controls, actions and views of pages",
                r"
                page 50100 A
                {
                    layout
                    {
                        area(Content)
                        {
                            repeater(B)
                            {
                                [|Caption|] = '';
                                field(C; Rec.C)
                                {
                                    [|Caption|] = '';
                                }
                            }
                            part(D; E)
                            {
                                [|Caption|] = '';
                            }
                        }
                    }
                    actions
                    {
                        area(Processing)
                        {
                            action(F)
                            {
                                [|Caption|] = '';
                            }
                        }
                    }
                    views
                    {
                        view(G)
                        {
                            [|Caption|] = '';
                        }
                    }
                }
                ",
            )
            .silent(
                "locked ones, texts, other properties, owners that are not looked at",
                r"
                page 50100 A
                {
                    Caption = '', Locked = true;

                    layout
                    {
                        area(Content)
                        {
                            group(B)
                            {
                                Caption = 'B';
                                ToolTip = '';
                            }
                            usercontrol(C; D)
                            {
                                Caption = '';
                            }
                        }
                    }
                }
                pageextension 50101 E extends F
                {
                    layout
                    {
                        modify(G)
                        {
                            Caption = '';
                        }
                    }
                }
                ",
            )
            .silent(
                "obsolete fields, and fields of obsolete tables",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            Caption = '';
                            ObsoleteState = Removed;
                        }
                    }
                }
                table 50101 C
                {
                    ObsoleteState = Pending;

                    fields
                    {
                        field(1; D; Integer)
                        {
                            Caption = '';
                        }
                    }
                }
                ",
            )
            .suppressed(
                "a pragma between properties",
                r"
                page 50100 A
                {
                #pragma warning disable AC0018
                    [|Caption|] = '';
                #pragma warning restore AC0018
                    PageType = Card;
                }
                ",
            )
            .flags_broken(
                "a broken control is left alone, the page around it is not",
                r"
                page 50100 A
                {
                    [|Caption|] = '';

                    layout
                    {
                        area(Content)
                        {
                            field(C Rec.C)
                            {
                                Caption = '';
                            }
                        }
                    }
                }
                ",
            )
            .says(
                "which caption",
                r#"
                enum 50100 A
                {
                    value(0; "B C")
                    {
                        Caption = ' ';
                    }
                }
                "#,
                "The caption of `B C` is empty, yet translators are asked to translate it. Add `Locked = true`, or give \
                 it a text.",
            )
            .fixes(
                "Locked is added behind the rest, or set",
                r"
                enum 50100 A
                {
                    value(0; B)
                    {
                        Caption = ' ';
                    }
                    value(1; C)
                    {
                        Caption = '', Comment = 'x', // nothing to see
                            locked = FALSE;
                    }
                    value(2; D) { Caption = '', Comment = 'y' ; }
                }
                ",
                r"
                enum 50100 A
                {
                    value(0; B)
                    {
                        Caption = ' ', Locked = true;
                    }
                    value(1; C)
                    {
                        Caption = '', Comment = 'x', // nothing to see
                            locked = true;
                    }
                    value(2; D) { Caption = '', Comment = 'y', Locked = true ; }
                }
                ",
            )
    }
}
