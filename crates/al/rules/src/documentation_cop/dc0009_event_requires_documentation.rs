//! DC0009: an integration or business event without documentation.

use candor_al_syntax::ast::Method;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{Audience, signature, undocumented_procedure};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r#"
## What it flags

An event (`IntegrationEvent`, `BusinessEvent`) without a documentation comment, whatever its access and that of its
object: whoever may raise it, everybody may subscribe to it. An `ExternalBusinessEvent` is treated as a procedure, see
DC0004.

A documentation comment is `/// …` or `/** … */` above the procedure, above or between its attributes. What it says does
not matter to this rule; DC0005 compares it with the procedure.

## Why

Subscribers cannot see when an event is raised and what happens to the parameters they change. The documentation comment
is the only place to tell them.

## Example

```al
/// <summary>Posts documents.</summary>
codeunit 50100 Posting
{
    [IntegrationEvent(false, false)]
    local procedure OnBeforePost(var IsHandled: Boolean)
    begin
    end;
}
```

## Better

```al
/// <summary>Posts documents.</summary>
codeunit 50100 Posting
{
    /// <summary>Raised when a document is about to be posted.</summary>
    /// <param name="IsHandled">Set it to skip the posting.</param>
    [IntegrationEvent(false, false)]
    local procedure OnBeforePost(var IsHandled: Boolean)
    begin
    end;
}
```

## When to ignore it

When nobody outside the extension will ever subscribe; an `InternalEvent` says so. Test codeunits and whatever is
obsolete are not flagged.
"#;

pub(crate) struct EventRequiresDocumentation;

impl Rule for EventRequiresDocumentation {
    const METADATA: Metadata = Metadata {
        id: "DC0009",
        name: "EventRequiresDocumentation",
        title: "Integration and business events need XML documentation",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0009 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The event.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if let Some(name) = undocumented_procedure(node, Audience::Event, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&event: &Self::State, tree: &Tree) -> String {
        let event = Method::cast(tree.node(event)).map(signature).unwrap_or_default();
        format!(
            "Other extensions subscribe to the event `{event}`, but nothing tells them when it is raised and what they \
             may change. Describe it in a `///` comment."
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "events of any access in any object, on their names",
                r#"
                codeunit 50100 A
                {
                    Access = Internal;

                    [IntegrationEvent(false, false)]
                    local procedure [|OnAfterB|]()
                    begin
                    end;

                    // not documentation
                    [BUSINESSEVENT(false)]
                    internal procedure [|"On after C"|]()
                    begin
                    end;
                }
                table 50101 D
                {
                    [IntegrationEvent(false, false)]
                    procedure [|OnAfterE|]()
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "documentation, other events, other procedures",
                r#"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    [IntegrationEvent(false, false)]
                    local procedure OnAfterB()
                    begin
                    end;

                    [BusinessEvent(false)]
                    /// <summary>C</summary>
                    local procedure OnAfterC()
                    begin
                    end;

                    [InternalEvent(false)]
                    local procedure OnAfterD()
                    begin
                    end;

                    [ExternalBusinessEvent('e', 'E', 'E', EventCategory::"F")]
                    local procedure OnAfterE()
                    begin
                    end;

                    procedure G()
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "test codeunits, obsolete events and objects",
                r"
                codeunit 50100 A
                {
                    Subtype = Test;

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterB()
                    begin
                    end;
                }
                codeunit 50101 C
                {
                    [Obsolete('gone', '25.0')]
                    [IntegrationEvent(false, false)]
                    local procedure OnAfterD()
                    begin
                    end;
                }
                codeunit 50102 E
                {
                    ObsoleteState = PendingMove;

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterF()
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
                #pragma warning disable DC0009
                    [IntegrationEvent(false, false)]
                    local procedure [|OnAfterB|]()
                #pragma warning restore DC0009
                    begin
                    end;
                }
                ",
            )
            .says(
                "the event with the types of its parameters",
                r"
                codeunit 50100 A
                {
                    [IntegrationEvent(false, false)]
                    local procedure OnAfterB(var C: Record Customer)
                    begin
                    end;
                }
                ",
                "Other extensions subscribe to the event `OnAfterB(Record Customer)`, but nothing tells them when it \
                 is raised and what they may change. Describe it in a `///` comment.",
            )
    }
}
