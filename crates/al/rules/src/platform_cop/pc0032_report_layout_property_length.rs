//! PC0032: the caption or summary of a report layout that does not fit.

use candor_al_syntax::ast::{Property, RenderingLayout};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

The `Caption` or `Summary` of a layout in the `rendering` section of a report, if its text is longer than 250 characters.

## Why

The platform keeps both in fields of 250 characters, and the compiler does not check that a text fits. A longer one makes
the page *Report Layout Selection* fail for everybody who opens it.

## Example

```al
report 50100 Statement
{
    rendering
    {
        layout(Excel)
        {
            Type = Excel;
            LayoutFile = 'Statement.xlsx';
            Summary = 'Use this layout to analyze what your customers owe you. It has a sheet with all open entries, a sheet that sums them up by customer and due date, and a sheet with a diagram. Change the sheets as you like, add your own columns, and save the file as a new layout afterwards.';
        }
    }
}
```

## Better

```al
report 50100 Statement
{
    rendering
    {
        layout(Excel)
        {
            Type = Excel;
            LayoutFile = 'Statement.xlsx';
            Summary = 'Use this layout to analyze what your customers owe you.';
        }
    }
}
```
";

/// The most characters of a caption or summary.
const LIMIT: usize = 250;

pub(crate) struct ReportLayoutPropertyLength;

/// A property and the length of its text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LongProperty {
    property: NodeId,
    /// In UTF-16 code units, as the platform counts.
    length: usize,
}

impl Rule for ReportLayoutPropertyLength {
    const METADATA: Metadata = Metadata {
        id: "PC0032",
        name: "ReportLayoutPropertyLength",
        title: "Report layout caption/summary too long",
        cop: Cop::Platform,
        category: Category::Design,
        severity: Severity::Error,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("PC0032 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::RenderingLayout],
        documentation: DOCUMENTATION,
    };

    type State = LongProperty;

    fn find<'t>(node: Node<'t>, _context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(layout) = RenderingLayout::cast(node) else {
            return;
        };
        for property in layout.properties() {
            if !property.is("Caption") && !property.is("Summary") {
                continue;
            }
            let (Some(name), Some(label)) = (property.name_token(), property.label()) else {
                continue;
            };
            let length = label.text().encode_utf16().count();
            if length > LIMIT {
                let property = property.node().id();
                report.at(name.range(), LongProperty { property, length });
            }
        }
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let property = Property::cast(tree.node(state.property));
        let name = property.map(|property| property.canonical_name().unwrap_or(property.name()));
        format!(
            "This {} has {} characters, and the platform has room for {LIMIT}. Shorten it.",
            name.unwrap_or_default(),
            state.length
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        let layout = |properties: &str| {
            format!("report 50100 A {{ rendering {{ layout(B) {{ Type = RDLC; {properties} }} }} }}")
        };
        let text_of = |length: usize| "x".repeat(length);
        tests
            .flags(
                "251 characters, on the name of the property",
                &layout(&format!(
                    "[|Caption|] = '{text}', Locked = true; [|summary|] = '{text}';",
                    text = text_of(251)
                )),
            )
            .flags(
                "layouts of report extensions and of obsolete reports",
                &format!(
                    "reportextension 50100 A extends B {{ rendering {{ layout(C) {{ [|Caption|] = '{text}'; }} }} }} \
                     report 50101 D {{ ObsoleteState = Pending; rendering {{ layout(E) {{ [|Summary|] = '{text}'; }} }} }}",
                    text = text_of(300)
                ),
            )
            .silent(
                "250 characters, of more bytes too; a quote inside is one",
                &layout(&format!(
                    "Caption = '{}'; Summary = '{}''';",
                    "ä".repeat(250),
                    text_of(249)
                )),
            )
            .silent(
                "other properties, and captions of other elements",
                &format!(
                    "report 50100 A {{ Caption = '{text}'; rendering {{ layout(B) {{ LayoutFile = '{text}'; }} }} }}",
                    text = text_of(300)
                ),
            )
            .suppressed(
                "a pragma at the top of the file",
                &format!(
                    "#pragma warning disable PC0032\n{}",
                    layout(&format!("[|Caption|] = '{}';", text_of(251)))
                ),
            )
            .says(
                "which property, and how long it is",
                &layout(&format!("summary = '{}';", text_of(260))),
                "This Summary has 260 characters, and the platform has room for 250. Shorten it.",
            )
    }
}
