//! DC0010: an internal event without documentation.

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

An `InternalEvent` without a documentation comment, whatever its access.

A documentation comment is `/// …` or `/** … */` above the procedure, above or between its attributes. What it says does
not matter to this rule; DC0005 compares it with the procedure.

## Why

Subscribers cannot see when an event is raised and what happens to the parameters they change, not even in their own
extension.

## Example

```al
/// <summary>Posts documents.</summary>
codeunit 50100 Posting
{
    [InternalEvent(false)]
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
    [InternalEvent(false)]
    local procedure OnBeforePost(var IsHandled: Boolean)
    begin
    end;
}
```

## When to ignore it

Unless a team has agreed on documenting everything; that is why it is off by default. Test codeunits and whatever is
obsolete are not flagged.
"#;

pub(crate) struct InternalEventRequiresDocumentation;

impl Rule for InternalEventRequiresDocumentation {
    const METADATA: Metadata = Metadata {
        id: "DC0010",
        name: "InternalEventRequiresDocumentation",
        title: "Internal events need XML documentation",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0010 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The event.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if let Some(name) = undocumented_procedure(node, Audience::InternalEvent, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&event: &Self::State, tree: &Tree) -> String {
        let event = Method::cast(tree.node(event)).map(signature).unwrap_or_default();
        format!(
            "Nothing tells the subscribers of the internal event `{event}` when it is raised and what they may change. \
             Describe it in a `///` comment."
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "internal events of any access, on their names",
                r#"
                codeunit 50100 A
                {
                    [InternalEvent(false)]
                    local procedure [|OnAfterB|]()
                    begin
                    end;

                    // not documentation
                    [internalevent(false, true)]
                    procedure [|"On after C"|]()
                    begin
                    end;
                }
                codeunit 50101 D
                {
                    Access = Internal;

                    [InternalEvent(false)]
                    internal procedure [|OnAfterE|]()
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "documentation, other events, other procedures",
                r"
                codeunit 50100 A
                {
                    /// <summary>B</summary>
                    [InternalEvent(false)]
                    local procedure OnAfterB()
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterC()
                    begin
                    end;

                    internal procedure D()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "test codeunits, obsolete events and objects",
                r"
                codeunit 50100 A
                {
                    Subtype = Test;

                    [InternalEvent(false)]
                    local procedure OnAfterB()
                    begin
                    end;
                }
                codeunit 50101 C
                {
                    [Obsolete('gone', '25.0')]
                    [InternalEvent(false)]
                    local procedure OnAfterD()
                    begin
                    end;
                }
                codeunit 50102 E
                {
                    ObsoleteState = Pending;

                    [InternalEvent(false)]
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
                #pragma warning disable DC0010
                    [InternalEvent(false)]
                    local procedure [|OnAfterB|]()
                #pragma warning restore DC0010
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
                    [InternalEvent(false)]
                    local procedure OnAfterB(C: Integer; D: Text)
                    begin
                    end;
                }
                ",
                "Nothing tells the subscribers of the internal event `OnAfterB(Integer, Text)` when it is raised and \
                 what they may change. Describe it in a `///` comment.",
            )
    }
}
