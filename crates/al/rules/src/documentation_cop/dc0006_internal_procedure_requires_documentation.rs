//! DC0006: an internal procedure without documentation.

use candor_al_syntax::ast::Method;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{Audience, has_fixed_access, signature, undocumented_procedure};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

An `internal` procedure without a documentation comment, and any other procedure without one that is not `local`, in an
object with `Access = Internal`, interfaces included. Events have rules of their own, DC0009 and DC0010.

A documentation comment is `/// …` or `/** … */` above the procedure, above or between its attributes. What it says does
not matter to this rule; DC0005 compares it with the procedure.

## Why

An internal procedure is called by colleagues who do not want to read its code first. The documentation comment is what
they see in the editor when they call it.

## Example

```al
/// <summary>Calculates discounts.</summary>
codeunit 50100 Discounts
{
    internal procedure Discount(Amount: Decimal): Decimal
    begin
        exit(Amount * 0.1);
    end;
}
```

## Better

```al
/// <summary>Calculates discounts.</summary>
codeunit 50100 Discounts
{
    /// <summary>Calculates the discount of every order.</summary>
    /// <param name="Amount">The amount before the discount.</param>
    /// <returns>The part of the amount that the customer does not pay.</returns>
    internal procedure Discount(Amount: Decimal): Decimal
    begin
        exit(Amount * 0.1);
    end;
}
```

## When to ignore it

Unless a team has agreed on documenting everything; that is why it is off by default. Test codeunits and whatever is
obsolete are not flagged.
"#;

pub(crate) struct InternalProcedureRequiresDocumentation;

impl Rule for InternalProcedureRequiresDocumentation {
    const METADATA: Metadata = Metadata {
        id: "DC0006",
        name: "InternalProcedureRequiresDocumentation",
        title: "Internal procedures need XML documentation",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0006 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::EventDeclaration],
        documentation: DOCUMENTATION,
    };

    /// The procedure, or event of a control add-in.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if let Some(name) = undocumented_procedure(node, Audience::Internal, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&procedure: &Self::State, tree: &Tree) -> String {
        let procedure = Method::cast(tree.node(procedure));
        let or_else = match procedure {
            Some(procedure) if has_fixed_access(procedure) => "",
            _ => ", or make it `local`",
        };
        format!(
            "`{}` can be called from the whole extension, but nothing tells its callers what it does. Describe it in a \
             `///` comment{or_else}.",
            procedure.map(signature).unwrap_or_default()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "internal procedures, and all but local ones of internal objects, on their names",
                r#"
                codeunit 50100 A
                {
                    internal procedure [|B|]()
                    begin
                    end;
                }
                codeunit 50101 C
                {
                    Access = Internal;

                    procedure [|D|]()
                    begin
                    end;

                    internal procedure [|"E f"|]()
                    begin
                    end;

                    protected procedure [|G|]()
                    begin
                    end;

                    local procedure H()
                    begin
                    end;
                }
                interface I
                {
                    Access = Internal;

                    procedure [|J|]()
                }
                "#,
            )
            .silent(
                "documentation, other access, events",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    [Scope('OnPrem')]
                    internal procedure B()
                    begin
                    end;

                    procedure C()
                    begin
                    end;

                    local procedure D()
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    internal procedure E()
                    begin
                    end;

                    [InternalEvent(false)]
                    internal procedure F()
                    begin
                    end;
                }
                controladdin G
                {
                    procedure H();
                }
                ",
            )
            .silent(
                "test codeunits, obsolete procedures and objects",
                r"
                codeunit 50100 A
                {
                    Subtype = Test;

                    internal procedure B()
                    begin
                    end;
                }
                codeunit 50101 C
                {
                    [Obsolete('gone', '25.0')]
                    internal procedure D()
                    begin
                    end;
                }
                codeunit 50102 E
                {
                    ObsoleteState = Removed;

                    internal procedure F()
                    begin
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                codeunit 50100 A
                {
                #pragma warning disable DC0006
                    internal procedure [|B|]()
                #pragma warning restore DC0006
                    begin
                    end;
                }
                ",
            )
            .says(
                "the procedure with the types of its parameters",
                r"
                codeunit 50100 A
                {
                    internal procedure B(C: Integer)
                    begin
                    end;
                }
                ",
                "`B(Integer)` can be called from the whole extension, but nothing tells its callers what it does. \
                 Describe it in a `///` comment, or make it `local`.",
            )
            .says(
                "nothing about access where there is no choice",
                r"
                interface A
                {
                    Access = Internal;

                    procedure B()
                }
                ",
                "`B()` can be called from the whole extension, but nothing tells its callers what it does. Describe it \
                 in a `///` comment.",
            )
    }
}
