//! AC0014: a tooltip without the mark that ends a sentence.

use std::sync::Arc;

use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::{Context, Punctuation};
use crate::facts::{ToolTip, owner_name};
use crate::rule::{Report, Rule};
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};
#[cfg(test)]
use crate::{FileContext, testing::Tester};

const DOCUMENTATION: &str = r#"
## What it flags

A `ToolTip` that does not end with a dot. The dot has to stand right before the closing quote: a blank behind it counts
as missing, and so does an empty text. It looks at fields of tables, and at fields, actions and analysis views of pages;
not at `ToolTipML`.

## Why

Tooltips are sentences, and users see those of many extensions side by side. One without its full stop looks as if its
end were missing.

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
                ToolTip = 'Specifies the name of the customer';
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

## Settings

`ToolTipAllowedPunctuations` in `alcops.json` names the marks that a tooltip may end with, each with its `Character` and
its `Name`. The default is the dot alone:

```json
{ "ToolTipAllowedPunctuations": [{ "Character": ".", "Name": "dot" }] }
```

## When to ignore it

When the tooltip ends with a text that takes no full stop, such as a web address. Obsolete elements and objects are not
flagged.
"#;

pub(crate) struct ToolTipMustEndWithPunctuation;

/// A tooltip, and what it may end with.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EndlessToolTip {
    /// What the tooltip explains.
    owner: NodeId,
    allowed: Arc<[Punctuation]>,
}

impl Rule for ToolTipMustEndWithPunctuation {
    const METADATA: Metadata = Metadata {
        id: "AC0014",
        name: "ToolTipMustEndWithPunctuation",
        title: "Full stop missing at the end of a ToolTip",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &["ToolTipAllowedPunctuations"],
        origin: Origin::Same("AC0014 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Property],
        documentation: DOCUMENTATION,
    };

    type State = EndlessToolTip;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(tool_tip) = ToolTip::of(node) else { return };
        let allowed = &context.facts().tool_tip_punctuations;
        let text = tool_tip.raw_text();
        if allowed.iter().any(|mark| text.ends_with(&mark.character)) || tool_tip.is_obsolete(context) {
            return;
        }
        let state = EndlessToolTip {
            owner: tool_tip.owner().node().id(),
            allowed: Arc::clone(allowed),
        };
        report.at(tool_tip.label().range(), state);
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let names: Vec<_> = state.allowed.iter().map(|mark| mark.name.as_str()).collect();
        format!(
            "The tooltip of `{}` does not end as a sentence does. Put one of these right before the closing quote: {}.",
            owner_name(state.owner, tree),
            names.join(", ")
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
                            ToolTip = [|'Specifies B'|];
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
                                tooltip = [|'Specifies D', Comment = 'A letter.'|];
                            }
                        }
                    }
                    actions
                    {
                        area(Processing)
                        {
                            action(E)
                            {
                                ToolTip = [|'Opens E'|];
                            }
                        }
                    }
                    views
                    {
                        analysisview(F)
                        {
                            ToolTip = [|'Shows F'|];
                        }
                    }
                }
                ",
            )
            .flags(
                "a dot with something behind it, an empty text, another mark",
                r"
                page 50100 A
                {
                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ToolTip = [|'Specifies B. '|];
                            }
                            field(C; Rec.C)
                            {
                                ToolTip = [|''|];
                            }
                            field(D; Rec.D)
                            {
                                ToolTip = [|'Specifies D!'|];
                            }
                            field(E; Rec.E)
                            {
                                ToolTip = [|'Specifies ''E.'''|];
                            }
                        }
                    }
                }
                ",
            )
            .silent(
                "a dot, other owners, other properties",
                r"
                page 50100 A
                {
                    layout
                    {
                        area(Content)
                        {
                            group(B)
                            {
                                ToolTip = 'Group';
                                field(C; Rec.C)
                                {
                                    Caption = 'C';
                                    ToolTip = 'Specifies ''C''.', Comment = 'C';
                                }
                            }
                            part(D; E)
                            {
                                ToolTip = 'Part';
                            }
                        }
                    }
                    actions
                    {
                        area(Processing)
                        {
                            customaction(F)
                            {
                                ToolTip = 'Custom';
                            }
                        }
                    }
                }
                pageextension 50101 G extends H
                {
                    layout
                    {
                        modify(I)
                        {
                            ToolTip = 'Specifies I';
                        }
                    }
                }
                ",
            )
            .silent(
                "texts by language",
                r"
                page 50100 A
                {
                    layout
                    {
                        area(Content)
                        {
                            field(B; Rec.B)
                            {
                                ToolTipML = ENU = 'Specifies B';
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
                            ToolTip = 'Specifies B';
                            ObsoleteState = Pending;
                        }
                    }
                }
                page 50101 C
                {
                    ObsoleteState = Pending;
                    layout
                    {
                        area(Content)
                        {
                            field(D; Rec.D)
                            {
                                ToolTip = 'Specifies D';
                            }
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
                #pragma warning disable AC0014
                            ToolTip = [|'Specifies B'|];
                #pragma warning restore AC0014
                        }
                    }
                }
                ",
            )
            .says(
                "which tooltip, and what it may end with",
                r#"
                table 50100 A
                {
                    fields
                    {
                        field(1; "B C"; Integer)
                        {
                            ToolTip = 'Specifies B';
                        }
                    }
                }
                "#,
                "The tooltip of `B C` does not end as a sentence does. Put one of these right before the closing quote: \
                 dot.",
            )
            .in_project(|file| {
 *file = FileContext::default().with_tool_tip_punctuations([
                Punctuation::new("!", "exclamation mark"),
                Punctuation::new("...", "ellipsis"),
            ]);
})
            .flags(
                "only the marks of the settings count",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            ToolTip = 'Specifies B!';
                        }
                        field(2; C; Integer)
                        {
                            ToolTip = 'Specifies C...';
                        }
                        field(3; D; Integer)
                        {
                            ToolTip = [|'Specifies D.'|];
                        }
                    }
                }
                ",
            )
            .says(
                "the names of the marks",
                r"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            ToolTip = 'Specifies B.';
                        }
                    }
                }
                ",
                "The tooltip of `B` does not end as a sentence does. Put one of these right before the closing quote: \
                 exclamation mark, ellipsis.",
            )
    }
}
