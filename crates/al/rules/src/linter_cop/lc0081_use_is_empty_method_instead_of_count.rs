//! LC0081: records that are counted only to see whether there are any.

use candor_al_syntax::{Node, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{Counting, counted_name, counting_at, is_in_obsolete_code};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

The number of records of a table compared with zero, or asked to be less than one: `Customer.Count() > 0`. Variables that
are declared `temporary` are left alone.

## Why

To count, the database visits every record in the filter. `IsEmpty` stops at the first.

## Example

```al
codeunit 50100 Check
{
    procedure HasAny(var Customer: Record Customer): Boolean
    begin
        exit(Customer.Count() > 0);
    end;
}
```

## Better

```al
codeunit 50100 Check
{
    procedure HasAny(var Customer: Record Customer): Boolean
    begin
        exit(not Customer.IsEmpty());
    end;
}
```

## When to ignore it

Never, as far as we know. Obsolete code is not flagged.
";

pub(crate) struct UseIsEmptyMethodInsteadOfCount;

impl Rule for UseIsEmptyMethodInsteadOfCount {
    const METADATA: Metadata = Metadata {
        id: "LC0081",
        name: "UseIsEmptyMethodInsteadOfCount",
        title: "Use IsEmpty instead of comparing Count with zero",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("LC0081 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::BinaryExpression],
        documentation: DOCUMENTATION,
    };

    /// The comparison.
    type State = Counting;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(counting) = counting_at(node, context).filter(|it| it.asks_for_any()) else {
            return;
        };
        if !is_in_obsolete_code(node, context) {
            report.at(node.range(), counting);
        }
    }

    fn message(counting: &Self::State, tree: &Tree) -> String {
        let name = counted_name(tree.node(counting.call));
        format!(
            "Count() {} visits every record of {name} to learn whether there is one. IsEmpty stops at the first.",
            counting.in_words()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "zero on either side, less than one, with parentheses or without",
                r"
                table 50100 A
                {
                    fields { field(1; B; Code[10]) { } }
                    procedure P(var C: Record Customer): Boolean
                    begin
                        if ([|C.Count() = 0|]) or ([|C.Count > 0|]) or ([|0 <> C.count()|]) or ([|C.Count < 1|]) or ([|1 > C.Count|]) then;
                        exit([|Count() = 0|]);
                    end;
                }
                ",
            )
            .silent(
                "other numbers, temporary records, other types",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer; var T: Record Customer temporary; L: List of [Text]; Count: Integer)
                    begin
                        if (C.Count() = 1) or (C.Count() >= 1) or (T.Count() = 0) or (L.Count() = 0) or (Count = 0) then;
                        if C.Count() > L.Count() then;
                    end;
                }
                ",
            )
            .says(
                "what is counted, and how it is compared",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer)
                    begin
                        if 0 < C.Count() then;
                    end;
                }
                ",
                "Count() > 0 visits every record of C to learn whether there is one. IsEmpty stops at the first.",
            )
    }
}
