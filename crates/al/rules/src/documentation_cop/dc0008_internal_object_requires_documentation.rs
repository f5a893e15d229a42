//! DC0008: an internal object without documentation.

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

An object with `Access = Internal` and without a documentation comment.

A documentation comment is `/// …` or `/** … */` above the object; what it says does not matter. Objects are codeunits,
control add-ins, enums, interfaces, pages, permission sets, profiles, queries, reports, tables and XMLports; extensions
of objects need none.

## Why

Whoever has to change an extension looks through its objects first, and the name of an object alone rarely says what it
is for.

## Example

```al
codeunit 50100 Discounts
{
    Access = Internal;
}
```

## Better

```al
/// <summary>Calculates the discounts that customers get.</summary>
codeunit 50100 Discounts
{
    Access = Internal;
}
```

## When to ignore it

Unless a team has agreed on documenting everything; that is why it is off by default. Test codeunits and whatever is
obsolete are not flagged.
";

pub(crate) struct InternalObjectRequiresDocumentation;

impl Rule for InternalObjectRequiresDocumentation {
    const METADATA: Metadata = Metadata {
        id: "DC0008",
        name: "InternalObjectRequiresDocumentation",
        title: "Internal objects need XML documentation",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0008 of ALCops"),
        fixes: &[],
        kinds: DOCUMENTED_OBJECTS,
        documentation: DOCUMENTATION,
    };

    /// The object.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if let Some(name) = undocumented_object(node, Audience::Internal, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&object: &Self::State, tree: &Tree) -> String {
        let name = Object::cast(tree.node(object))
            .and_then(Object::name)
            .unwrap_or_default();
        format!(
            "Nothing tells those who work on this extension what `{name}` is for. Describe it in a `///` comment above \
             the object."
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "internal objects, on their names",
                r#"
                // not documentation
                codeunit 50100 [|A|] { Access = Internal; }
                enum 50101 [|"C d"|] { access = internal; }
                interface [|E|] { Access = Internal; }
                query 50104 [|I|] { Access = Internal; elements { } }
                table 50106 [|K|] { Access = Internal; }
                "#,
            )
            .silent(
                "documentation, public objects, test codeunits, obsolete objects",
                r"
                /// <summary>A</summary>
                codeunit 50100 A { Access = Internal; }
                codeunit 50101 B { }
                codeunit 50102 C { Access = Public; }
                codeunit 50103 D { Access = Internal; Subtype = Test; }
                table 50104 E { Access = Internal; ObsoleteState = Pending; }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                #pragma warning disable DC0008
                codeunit 50100 [|A|]
                #pragma warning restore DC0008
                {
                    Access = Internal;
                }
                ",
            )
            .says(
                "which object",
                r#"
                codeunit 50100 "A b" { Access = Internal; }
                "#,
                "Nothing tells those who work on this extension what `A b` is for. Describe it in a `///` comment \
                 above the object.",
            )
    }
}
