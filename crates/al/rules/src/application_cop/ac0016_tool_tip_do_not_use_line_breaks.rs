//! AC0016: a tooltip of several lines.

use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{ToolTip, owner_name};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A backslash in a `ToolTip` of a field of a table, or of a field, action or analysis view of a page. `ToolTipML` is left
alone.

## Why

Elsewhere a backslash begins a new line, but a tooltip has no line breaks: users see the backslash itself. Microsoft's
guidelines ask for one short paragraph.

## Example

```al
page 50100 Customers
{
    layout
    {
        area(Content)
        {
            field(Name; Rec.Name)
            {
                ToolTip = 'Specifies the name.\It is printed on invoices.';
            }
        }
    }
}
```

## Better

```al
page 50100 Customers
{
    layout
    {
        area(Content)
        {
            field(Name; Rec.Name)
            {
                ToolTip = 'Specifies the name. It is printed on invoices.';
            }
        }
    }
}
```

## When to ignore it

When the backslash is meant to be seen, as in the path of a file. Obsolete elements and objects are not flagged.
";

pub(crate) struct ToolTipDoNotUseLineBreaks;

impl Rule for ToolTipDoNotUseLineBreaks {
    const METADATA: Metadata = Metadata {
        id: "AC0016",
        name: "ToolTipDoNotUseLineBreaks",
        title: "No line breaks in ToolTips",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0016 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Property],
        documentation: DOCUMENTATION,
    };

    /// What the tooltip explains.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(tool_tip) = ToolTip::of(node) else { return };
        if tool_tip.raw_text().contains('\\') && !tool_tip.is_obsolete(context) {
            report.at(tool_tip.label().range(), tool_tip.owner().node().id());
        }
    }

    fn message(&owner: &Self::State, tree: &Tree) -> String {
        format!(
            "The tooltip of `{}` holds a backslash. Tooltips have no line breaks, so users see the backslash itself. \
             Write one paragraph.",
            owner_name(owner, tree)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "fields, actions and analysis views, on the text with what stands behind it",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            ToolTip = [|'Specifies B.\Or not.'|];
                        }
                    }
                }
                page 50101 C
                {
                    layout
                    {
                        area(Content)
                        {
                            field(D; Rec.D)
                            {
                                ToolTip = [|'Specifies D.\\Or not.', Comment = 'D'|];
                            }
                        }
                    }
                    actions
                    {
                        area(Processing)
                        {
                            action(E)
                            {
                                ToolTip = [|'\Opens E.'|];
                            }
                        }
                    }
                    views
                    {
                        analysisview(F)
                        {
                            ToolTip = [|'Shows F.\'|];
                        }
                    }
                }
                ",
            )
            .silent(
                "a slash, a backslash for translators only, other owners and properties",
                r"
                page 50100 A
                {
                    layout
                    {
                        area(Content)
                        {
                            group(B)
                            {
                                ToolTip = 'Group.\Really.';
                                field(C; Rec.C)
                                {
                                    Caption = 'C\D';
                                    ToolTip = 'Specifies C and/or D.', Comment = 'C\D';
                                }
                                field(E; Rec.E)
                                {
                                    ToolTipML = ENU = 'Specifies E.\Or not.';
                                }
                            }
                        }
                    }
                }
                ",
            )
            .silent(
                "obsolete fields, and fields of obsolete objects",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            ToolTip = 'Specifies B.\Or not.';
                            ObsoleteState = PendingMove;
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
                            ToolTip = 'Specifies D.\Or not.';
                        }
                    }
                }
                ",
            )
            .suppressed(
                "a pragma around the property",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                #pragma warning disable AC0016
                            ToolTip = [|'Specifies B.\Or not.'|];
                #pragma warning restore AC0016
                        }
                    }
                }
                ",
            )
            .says(
                "which tooltip",
                r#"
                table 50100 A
                {
                    fields
                    {
                        field(1; "B C"; Integer)
                        {
                            ToolTip = 'Specifies B.\Or not.';
                        }
                    }
                }
                "#,
                "The tooltip of `B C` holds a backslash. Tooltips have no line breaks, so users see the backslash itself. \
                 Write one paragraph.",
            )
    }
}
