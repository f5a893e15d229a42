//! AC0015: a tooltip of a field that begins in its own way.

use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{ToolTip, owner_name};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

The `ToolTip` of a field, of a table or of a page, that does not begin with `Specifies` (in exactly this spelling).
Actions and views are left alone, and so is `ToolTipML`.

## Why

Microsoft's tooltips of fields begin with this word. Beside them, one that begins differently looks foreign; and writing
behind `Specifies` leads to saying what the field means instead of repeating its caption.

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
                ToolTip = 'The name of the customer.';
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
                ToolTip = 'Specifies the name of the customer.';
            }
        }
    }
}
```

## When to ignore it

When the texts of the extension are written in another language than English, or when the field is a link or a tile that
does something on a click. Obsolete fields and objects are not flagged.
";

/// What the tooltip of a field begins with.
const OPENING: &str = "Specifies";

pub(crate) struct ToolTipShouldStartWithSpecifies;

impl Rule for ToolTipShouldStartWithSpecifies {
    const METADATA: Metadata = Metadata {
        id: "AC0015",
        name: "ToolTipShouldStartWithSpecifies",
        title: "Field ToolTip lacks the opening word Specifies",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0015 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Property],
        documentation: DOCUMENTATION,
    };

    /// What the tooltip explains.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(tool_tip) = ToolTip::of(node) else { return };
        let owner = tool_tip.owner().node();
        let is_of_field = matches!(owner.kind(), NodeKind::Field | NodeKind::PageField);
        if !is_of_field || tool_tip.raw_text().starts_with(OPENING) || tool_tip.is_obsolete(context) {
            return;
        }
        report.at(tool_tip.label().range(), owner.id());
    }

    fn message(&owner: &Self::State, tree: &Tree) -> String {
        format!(
            "Tooltips of fields begin with `{OPENING}`, but that of `{}` does not. Rewrite it: `{OPENING} the …`.",
            owner_name(owner, tree)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "fields of tables and pages, on the text with what stands behind it",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            ToolTip = [|'The number of B.'|];
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
                                ToolTip = [|'specifies D.', Locked = true|];
                            }
                            field(E; Rec.E)
                            {
                                ToolTip = [|' Specifies E.'|];
                            }
                            field(F; Rec.F)
                            {
                                ToolTip = [|''|];
                            }
                        }
                    }
                }
                ",
            )
            .silent(
                "the word in front, whatever follows; actions, views and other owners",
                r"
                page 50100 A
                {
                    layout
                    {
                        area(Content)
                        {
                            group(B)
                            {
                                ToolTip = 'Group.';
                                field(C; Rec.C)
                                {
                                    ToolTip = 'Specifies C.';
                                }
                                field(D; Rec.D)
                                {
                                    ToolTip = 'Specifies.';
                                }
                                field(E; Rec.E)
                                {
                                    ToolTipML = ENU = 'The E.';
                                }
                            }
                        }
                    }
                    actions
                    {
                        area(Processing)
                        {
                            action(F)
                            {
                                ToolTip = 'Opens F.';
                            }
                        }
                    }
                    views
                    {
                        analysisview(G)
                        {
                            ToolTip = 'Shows G.';
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
                            ToolTip = 'The number of B.';
                            ObsoleteState = Removed;
                        }
                    }
                }
                table 50101 C
                {
                    ObsoleteState = Moved;
                    fields
                    {
                        field(1; D; Integer)
                        {
                            ToolTip = 'The number of D.';
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
                #pragma warning disable AC0015
                            ToolTip = [|'The number of B.'|];
                #pragma warning restore AC0015
                        }
                    }
                }
                ",
            )
            .says(
                "which tooltip, and how to begin",
                r#"
                table 50100 A
                {
                    fields
                    {
                        field(1; "B C"; Integer)
                        {
                            ToolTip = 'The number of B.';
                        }
                    }
                }
                "#,
                "Tooltips of fields begin with `Specifies`, but that of `B C` does not. Rewrite it: `Specifies the …`.",
            )
    }
}
