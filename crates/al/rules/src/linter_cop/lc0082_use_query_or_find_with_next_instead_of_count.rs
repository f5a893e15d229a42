//! LC0082: records of a large table that are counted only to see whether there is more than one.

use candor_al_model::{ObjectId, Universe};
use candor_al_syntax::{Node, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{Counting, counted_name, counting_at, is_in_obsolete_code};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

The number of records of a table that is likely to be large compared with one, or asked to be less than two. Tables are
taken to be large when their name holds Ledger, GL, G/L, Posted, Pstd, Log, Entry or Archive, or when a field of their
primary key is called `Entry No.`. Variables that are declared `temporary` are left alone.

## Why

To count, the database visits every record in the filter. Whether there is a second one is known after two.

## Example

```al
table 50100 "Work Entry"
{
    DataPerCompany = true;

    fields
    {
        field(1; "Entry No."; Integer) { }
    }
}
codeunit 50101 Check
{
    procedure HasSeveral(var WorkEntry: Record "Work Entry"): Boolean
    begin
        exit(WorkEntry.Count() > 1);
    end;
}
```

## Better

```al
table 50100 "Work Entry"
{
    DataPerCompany = true;

    fields
    {
        field(1; "Entry No."; Integer) { }
    }
}
codeunit 50101 Check
{
    procedure HasSeveral(var WorkEntry: Record "Work Entry"): Boolean
    begin
        exit(WorkEntry.FindSet() and (WorkEntry.Next() <> 0));
    end;
}
```

## When to ignore it

When the filter is narrow, so that few records are visited anyway. Obsolete code is not flagged.
"#;

/// What the names of tables hold that grow with every day.
const LARGE: &[&str] = &["ledger", "gl", "g/l", "posted", "pstd", "log", "entry", "archive"];

pub(crate) struct UseQueryOrFindWithNextInsteadOfCount;

impl Rule for UseQueryOrFindWithNextInsteadOfCount {
    const METADATA: Metadata = Metadata {
        id: "LC0082",
        name: "UseQueryOrFindWithNextInsteadOfCount",
        title: "Do not count a large table to see whether there is more than one record",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("LC0082 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::BinaryExpression],
        documentation: DOCUMENTATION,
    };

    /// The comparison.
    type State = Counting;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(counting) = counting_at(node, context).filter(|it| it.asks_for_more_than_one()) else {
            return;
        };
        let (Some(table), Some(known)) = (counting.table, context.meaning()) else {
            return;
        };
        if is_large(known.universe, table) && !is_in_obsolete_code(node, context) {
            report.at(node.range(), counting);
        }
    }

    fn message(counting: &Self::State, tree: &Tree) -> String {
        let name = counted_name(tree.node(counting.call));
        format!(
            "Count() {} visits every record of {name} to learn whether there is more than one. Use a query with \
             TopNumberOfRows, or FindSet and Next.",
            counting.in_words()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .with_file("table 1 \"G/L Account\" { fields { field(1; A; Integer) { } } }")
            .with_file("table 2 Work { fields { field(1; A; Integer) { } field(2; \"Entry No.\"; Integer) { } } keys { key(PK; A, \"Entry No.\") { } } }")
            .with_file("table 3 Small { fields { field(1; A; Integer) { } field(2; \"Entry No.\"; Integer) { } } keys { key(PK; A) { } } }")
            .flags(
                "tables that are large by their name or key",
                r#"
                codeunit 50100 A
                {
                    procedure P(var G: Record "G/L Account"; var W: Record Work)
                    begin
                        if ([|G.Count() = 1|]) or ([|W.Count > 1|]) or ([|1 < W.Count()|]) or ([|W.Count() < 2|]) or ([|2 > G.Count()|]) then;
                    end;
                }
                "#,
            )
            .silent(
                "small tables, temporary records, tables that are not known, other numbers",
                r#"
                codeunit 50100 A
                {
                    procedure P(var S: Record Small; var T: Record Work temporary; var U: Record "Unknown Entry"; var W: Record Work)
                    begin
                        if (S.Count() = 1) or (T.Count() > 1) or (U.Count() > 1) or (W.Count() = 2) or (W.Count() > 2) then;
                        if W.Count() + 1 > 5 then;
                    end;
                }
                "#,
            )
            .says(
                "what is counted, and what is better",
                r"
                codeunit 50100 A
                {
                    procedure P(var W: Record Work)
                    begin
                        if 1 < W.Count() then;
                    end;
                }
                ",
                "Count() > 1 visits every record of W to learn whether there is more than one. Use a query with \
                 TopNumberOfRows, or FindSet and Next.",
            )
    }
}

/// Whether a table is likely to be large.
fn is_large(universe: &Universe, table: ObjectId) -> bool {
    let name = universe.object_name(table).to_lowercase();
    LARGE.iter().any(|part| name.contains(part))
        || universe
            .primary_key(table)
            .iter()
            .any(|&field| universe.member_name(field).eq_ignore_ascii_case("Entry No."))
}
