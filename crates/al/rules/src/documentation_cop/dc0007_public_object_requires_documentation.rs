//! DC0007: a public object without documentation.

use candor_al_syntax::ast::Object;
use candor_al_syntax::{Node, NodeId, Tree};

use crate::context::Context;
use crate::facts::{Audience, DOCUMENTED_OBJECTS, undocumented_object};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

An object without a documentation comment that is not internal.

A documentation comment is `/// …` or `/** … */` above the object; what it says does not matter. Objects are codeunits,
control add-ins, enums, interfaces, pages, permission sets, profiles, queries, reports, tables and XMLports; extensions
of objects need none.

## Why

Whoever builds on an extension looks through its objects first, and the name of an object alone rarely says what it is
for.

## Example

```al
codeunit 50100 Discounts
{
}
```

## Better

```al
/// <summary>Calculates the discounts that customers get.</summary>
codeunit 50100 Discounts
{
}
```

## When to ignore it

When nobody outside the extension will ever use its objects; then better make them internal, or switch the rule off in a
ruleset. Test codeunits and whatever is obsolete are not flagged.
";

pub(crate) struct PublicObjectRequiresDocumentation;

impl Rule for PublicObjectRequiresDocumentation {
    const METADATA: Metadata = Metadata {
        id: "DC0007",
        name: "PublicObjectRequiresDocumentation",
        title: "Public objects need XML documentation",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0007 of ALCops"),
        fixes: &[],
        kinds: DOCUMENTED_OBJECTS,
        documentation: DOCUMENTATION,
    };

    /// The object.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if let Some(name) = undocumented_object(node, Audience::Public, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&object: &Self::State, tree: &Tree) -> String {
        let name = Object::cast(tree.node(object))
            .and_then(Object::name)
            .unwrap_or_default();
        format!(
            "Every extension can use `{name}`, but nothing tells what it is for. Describe it in a `///` comment above \
             the object, or give it `Access = Internal`."
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "public objects of all kinds, on their names",
                r#"
                // not documentation
                codeunit 50100 [|A|] { }
                controladdin [|B|] { }
                enum 50101 [|"C d"|] { }
                interface [|E|] { }
                page 50102 [|F|] { }
                permissionset 50103 [|G|] { }
                profile [|H|] { Caption = 'H'; RoleCenter = F; }
                query 50104 [|I|] { elements { } }
                report 50105 [|J|] { }
                table 50106 [|K|] { Access = Public; }
                xmlport 50107 [|L|] { }
                "#,
            )
            .silent(
                "documentation, also behind usings and above directives",
                r"
                namespace A.B;
                using C.D;

                /// <summary>E</summary>
                #pragma warning disable AA0001
                codeunit 50100 E { }
                /** F */
                table 50101 F { }

                /// G
                enum 50102 G { }
                ",
            )
            .silent(
                "internal objects, extensions, test codeunits, obsolete objects",
                r#"
                codeunit 50100 A { Access = Internal; }
                tableextension 50101 B extends Customer { }
                pageextension 50102 C extends "Customer Card" { }
                enumextension 50103 D extends E { }
                codeunit 50104 F { Subtype = Test; }
                table 50105 G { ObsoleteState = Removed; }
                "#,
            )
            .suppressed(
                "a pragma around the head",
                r"
                #pragma warning disable DC0007
                codeunit 50100 [|A|]
                #pragma warning restore DC0007
                {
                }
                ",
            )
            .flags_broken(
                "a broken member does not change its object, a broken head makes everything doubtful",
                r"
                codeunit 50100 [|A|]
                {
                    procedure B()
                    begin
                        x := ;
                    end;
                }
                ",
            )
            .says(
                "which object",
                r#"
                codeunit 50100 "A b" { }
                "#,
                "Every extension can use `A b`, but nothing tells what it is for. Describe it in a `///` comment above \
                 the object, or give it `Access = Internal`.",
            )
    }
}
