//! AC0008: a table that leaves open whom its data belong to.

use candor_al_syntax::ast::Object;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_obsolete_object, owner_name};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A table without the property `DataPerCompany`. Temporary tables and table extensions are left alone.

## Why

Without the property each company has its own data, and nobody can tell whether the author wanted that or did not think
about it. Changing it later means moving data; writing it down makes one think in time.

## Example

```al
table 50100 Region
{
    fields
    {
        field(1; Code; Code[10]) { }
    }
}
```

## Better

```al
table 50100 Region
{
    DataPerCompany = true;

    fields
    {
        field(1; Code; Code[10]) { }
    }
}
```

## When to ignore it

When your team reads the missing property as `true`; the rule is off by default. Obsolete tables are not flagged.
";

pub(crate) struct TableDataPerCompanyDeclaration;

impl Rule for TableDataPerCompanyDeclaration {
    const METADATA: Metadata = Metadata {
        id: "AC0008",
        name: "TableDataPerCompanyDeclaration",
        title: "Tables should state DataPerCompany",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0008 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Table],
        documentation: DOCUMENTATION,
    };

    /// The table.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(table) = Object::cast(node) else { return };
        let Some(name) = table.name_token() else { return };
        let property = |name| context.object_property(table, name);
        let is_temporary = || property("TableType").is_some_and(|kind| kind.is_identifier("Temporary"));
        if property("DataPerCompany").is_none() && !is_temporary() && !is_obsolete_object(table, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&table: &Self::State, tree: &Tree) -> String {
        format!(
            "`{}` does not say whether its data belong to one company or to all. Write `DataPerCompany = true`, which \
             is what it means now, or `false`.",
            owner_name(table, tree)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "a table without the property, of any other type, on its name",
                r#"
                table 50100 [|A|]
                {
                }
                table 50101 [|"B C"|]
                {
                    TableType = CRM;
                    Caption = 'DataPerCompany';
                }
                "#,
            )
            .silent(
                "either value, temporary tables, extensions, obsolete tables, other objects",
                r"
                table 50100 A
                {
                    DataPerCompany = true;
                }
                table 50101 B
                {
                    Caption = 'B';
                    datapercompany = false;
                }
                table 50102 C
                {
                    TableType = temporary;
                }
                tableextension 50103 D extends Customer
                {
                }
                table 50104 E
                {
                    ObsoleteState = Pending;
                }
                page 50105 F
                {
                }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                #pragma warning disable AC0008
                table 50100 [|A|]
                #pragma warning restore AC0008
                {
                }
                ",
            )
            .flags_broken(
                "a broken property may be the one that is missed, a broken field is not",
                r"
                table 50100 A
                {
                    DataPerCompany true;
                }
                table 50101 [|B|]
                {
                    fields
                    {
                        field(1 C; Integer) { }
                    }
                }
                ",
            )
            .says(
                "which table, and what the property means",
                r#"
                table 50100 "A B"
                {
                }
                "#,
                "`A B` does not say whether its data belong to one company or to all. Write `DataPerCompany = true`, \
                 which is what it means now, or `false`.",
            )
    }
}
