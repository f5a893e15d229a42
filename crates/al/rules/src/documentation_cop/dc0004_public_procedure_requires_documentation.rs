//! DC0004: a public procedure without documentation.

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

A procedure without a documentation comment that is neither `local` nor `internal`, in an object that is not internal;
`protected` counts as public. Also procedures of interfaces, and procedures and events of control add-ins. Integration
and business events are the matter of DC0009, internal events that of DC0010.

A documentation comment is `/// …` or `/** … */` above the procedure, above or between its attributes. What it says does
not matter to this rule; DC0005 compares it with the procedure.

## Why

A public procedure is a promise to people who do not read its code. The documentation comment is what they see in the
editor when they call it.

## Example

```al
/// <summary>Calculates discounts.</summary>
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal): Decimal
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
    procedure Discount(Amount: Decimal): Decimal
    begin
        exit(Amount * 0.1);
    end;
}
```

## When to ignore it

When nobody outside the extension will ever call its procedures; then better make them `internal`, or switch the rule
off in a ruleset. Test codeunits and whatever is obsolete are not flagged.
"#;

pub(crate) struct PublicProcedureRequiresDocumentation;

impl Rule for PublicProcedureRequiresDocumentation {
    const METADATA: Metadata = Metadata {
        id: "DC0004",
        name: "PublicProcedureRequiresDocumentation",
        title: "Public procedures need XML documentation",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0004 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::EventDeclaration],
        documentation: DOCUMENTATION,
    };

    /// The procedure, or event of a control add-in.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if let Some(name) = undocumented_procedure(node, Audience::Public, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&procedure: &Self::State, tree: &Tree) -> String {
        let procedure = Method::cast(tree.node(procedure));
        let or_else = match procedure {
            Some(procedure) if has_fixed_access(procedure) => "",
            _ => ", or make it `local` or `internal`",
        };
        format!(
            "`{}` can be called from everywhere, but nothing tells its callers what it does. Describe it in a `///` \
             comment{or_else}.",
            procedure.map(signature).unwrap_or_default()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "public and protected procedures, on their names",
                r#"
                codeunit 50100 A
                {
                    procedure [|B|]()
                    begin
                    end;

                    // not documentation
                    protected procedure [|"C d"|]()
                    begin
                    end;

                    //// nor this
                    [Scope('OnPrem')]
                    procedure [|E|]()
                    begin
                    end; /// nor this

                    [ExternalBusinessEvent('f', 'F', 'F', EventCategory::"G")]
                    procedure [|F|]()
                    begin
                    end;
                }
                interface H
                {
                    procedure [|I|]()
                    procedure [|J|](): Boolean;
                }
                controladdin K
                {
                    procedure [|L|]();
                    event [|M|]();
                }
                "#,
            )
            .silent(
                "documentation above the procedure, above its attributes or between them",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    procedure B()
                    begin
                    end;

                    ///
                    #pragma warning disable AA0001
                    [Scope('OnPrem')]
                    #pragma warning restore AA0001
                    procedure C()
                    begin
                    end;

                    [Scope('OnPrem')]
                    /// <summary>D</summary>
                    [NonDebuggable]
                    procedure D()
                    begin
                    end;

                    /** <summary>E</summary> */
                    procedure E()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "other access, events, triggers",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                    end;

                    local procedure B()
                    begin
                    end;

                    internal procedure C()
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    procedure D()
                    begin
                    end;

                    [BusinessEvent(false)]
                    procedure E()
                    begin
                    end;

                    [InternalEvent(false)]
                    procedure F()
                    begin
                    end;
                }
                codeunit 50101 G
                {
                    Access = Internal;

                    procedure H()
                    begin
                    end;
                }
                interface I
                {
                    Access = Internal;

                    procedure J()
                }
                ",
            )
            .silent(
                "test codeunits, obsolete procedures and objects",
                r"
                codeunit 50100 A
                {
                    Subtype = Test;

                    [Test]
                    procedure B()
                    begin
                    end;
                }
                codeunit 50101 C
                {
                    [Obsolete('gone', '25.0')]
                    procedure D()
                    begin
                    end;
                }
                codeunit 50102 E
                {
                    ObsoleteState = Pending;

                    procedure F()
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
                #pragma warning disable DC0004
                    procedure [|B|]()
                #pragma warning restore DC0004
                    begin
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken procedure is not accused, the one beside it is",
                r"
                codeunit 50100 A
                {
                    procedure B()
                    begin
                        x := ;
                    end;

                    procedure [|C|]()
                    begin
                    end;
                }
                ",
            )
            .says(
                "the procedure with the types of its parameters",
                r#"
                codeunit 50100 A
                {
                    procedure "B c"(D: Record Customer; var E: Code[20]): Boolean
                    begin
                    end;
                }
                "#,
                "`B c(Record Customer, Code[20])` can be called from everywhere, but nothing tells its callers what it \
                 does. Describe it in a `///` comment, or make it `local` or `internal`.",
            )
            .says(
                "nothing about access where there is no choice",
                r"
                interface A
                {
                    procedure B(C: Integer)
                }
                ",
                "`B(Integer)` can be called from everywhere, but nothing tells its callers what it does. Describe it in \
                 a `///` comment.",
            )
    }
}
