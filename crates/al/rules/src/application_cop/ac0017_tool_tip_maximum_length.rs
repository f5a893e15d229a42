//! AC0017: a tooltip that is too long to be read.

use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{ToolTip, owner_name};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A `ToolTip` of more than 200 characters between its quotes, on a field of a table, or on a field, action or analysis view
of a page. A quote inside the text counts twice, as it is written. `ToolTipML` is left alone.

## Why

Users read a tooltip while they point at something. What does not fit into two short sentences belongs into the
documentation, where one can search for it.

## Example

```al
page 50100 Customers
{
    layout
    {
        area(Content)
        {
            field(Blocked; Rec.Blocked)
            {
                ToolTip = 'Specifies which transactions with the customer cannot be posted. Choose Ship if goods are still to be invoiced but not to be shipped, Invoice if neither is to be posted, and All if the customer is not to be used at all.';
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
            field(Blocked; Rec.Blocked)
            {
                ToolTip = 'Specifies which transactions with the customer cannot be posted.';
            }
        }
    }
}
```

## When to ignore it

When users have to know all of it at this very place. Obsolete elements and objects are not flagged.
";

/// The most characters of a tooltip.
const LIMIT: usize = 200;

pub(crate) struct ToolTipMaximumLength;

/// A tooltip and its length.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LongToolTip {
    /// What the tooltip explains.
    owner: NodeId,
    /// In UTF-16 code units, as the platform counts.
    length: usize,
}

impl Rule for ToolTipMaximumLength {
    const METADATA: Metadata = Metadata {
        id: "AC0017",
        name: "ToolTipMaximumLength",
        title: "ToolTip longer than 200 characters",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0017 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Property],
        documentation: DOCUMENTATION,
    };

    type State = LongToolTip;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(tool_tip) = ToolTip::of(node) else { return };
        let text = tool_tip.raw_text();
        // No text has more code units in UTF-16 than bytes in UTF-8.
        if text.len() <= LIMIT {
            return;
        }
        let length = text.encode_utf16().count();
        if length > LIMIT && !tool_tip.is_obsolete(context) {
            let owner = tool_tip.owner().node().id();
            report.at(tool_tip.label().range(), LongToolTip { owner, length });
        }
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        format!(
            "The tooltip of `{}` has {} characters, too many to be read in passing. Shorten it to {LIMIT} and leave \
             the rest to the documentation.",
            owner_name(state.owner, tree),
            state.length
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        let field = |text: &str| {
            format!(
                "table 50100 A {{ fields {{ field(1; \"B C\"; Integer) {{ ToolTip = {text}, Comment = 'x'; }} }} }}"
            )
        };
        let text_of = |length: usize| "x".repeat(length);
        tests
            .flags(
                "201 characters, on the text with what stands behind it",
                &format!(
                    "table 50100 A {{ fields {{ field(1; B; Integer) {{ ToolTip = [|'{}', Locked = true|]; }} }} }}",
                    text_of(201)
                ),
            )
            .flags(
                "an action; a quote counts twice",
                &format!(
                    "page 50100 A {{ actions {{ area(Processing) {{ action(B) {{ ToolTip = [|'''{}'|]; }} }} }} }}",
                    text_of(199)
                ),
            )
            .silent("200 characters", &field(&format!("'{}'", text_of(200))))
            .silent(
                "200 characters of more bytes",
                &field(&format!("'{}'", "ä".repeat(200))),
            )
            .silent(
                "a long text of a group, in another property, or by language",
                &format!(
                    "page 50100 A {{ layout {{ area(Content) {{ group(B) {{ ToolTip = '{text}'; field(C; Rec.C) {{ \
                     Caption = '{text}'; ToolTipML = ENU = '{text}'; }} }} }} }} }}",
                    text = text_of(300)
                ),
            )
            .silent(
                "an obsolete field, and a field of an obsolete table",
                &format!(
                    "table 50100 A {{ fields {{ field(1; B; Integer) {{ ObsoleteState = Pending; ToolTip = '{text}'; \
                     }} }} }} table 50101 C {{ ObsoleteState = Removed; fields {{ field(1; D; Integer) {{ ToolTip = \
                     '{text}'; }} }} }}",
                    text = text_of(300)
                ),
            )
            .suppressed(
                "a pragma at the top of the file",
                &format!(
                    "#pragma warning disable AC0017\ntable 50100 A {{ fields {{ field(1; B; Integer) {{ ToolTip = \
                     [|'{}'|]; }} }} }}",
                    text_of(201)
                ),
            )
            .says(
                "which tooltip, and how long it is",
                &field(&format!("'{}'", text_of(201))),
                "The tooltip of `B C` has 201 characters, too many to be read in passing. Shorten it to 200 and leave \
                 the rest to the documentation.",
            )
    }
}
