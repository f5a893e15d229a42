//! AC0024: an event that others can raise.

use candor_al_syntax::ast::Method;
use candor_al_syntax::edit::{EditSet, set_access_modifier};
use candor_al_syntax::{Keyword, Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{is_event_publisher, is_obsolete_method};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

An event (`IntegrationEvent`, `BusinessEvent`, `InternalEvent`, `ExternalBusinessEvent`) that is neither `local` nor
`internal`. `protected` counts as public.

## Why

The access of an event says who may raise it, not who may subscribe to it. A public event can be raised by every
extension, at moments its subscribers never expect.

## Example

```al
codeunit 50100 Posting
{
    [IntegrationEvent(false, false)]
    procedure OnAfterPost()
    begin
    end;
}
```

## Better

```al
codeunit 50100 Posting
{
    [IntegrationEvent(false, false)]
    local procedure OnAfterPost()
    begin
    end;
}
```

## When to ignore it

When another extension raises the event on purpose. Obsolete events and objects are not flagged.

## Fix

Makes the event `local`. Unsafe, because code in other objects that raises the event no longer compiles; where only this
extension does, `internal` is enough.
";

const MAKE_LOCAL: FixProvider = FixProvider::new(
    "PublicEventPublisherCodeFixProvider",
    "ALCops: Make event publisher method local",
    Safety::Unsafe,
);

pub(crate) struct PublicEventPublisher;

impl Rule for PublicEventPublisher {
    const METADATA: Metadata = Metadata {
        id: "AC0024",
        name: "PublicEventPublisher",
        title: "Event publishers should be local or internal",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0024 of ALCops"),
        fixes: &[MAKE_LOCAL],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The event.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(event) = Method::cast(node) else { return };
        if event.is_local() || event.is_internal() || !is_event_publisher(event) {
            return;
        }
        let Some(name) = event.name_token() else { return };
        if !is_obsolete_method(event, context) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&event: &Self::State, tree: &Tree) -> String {
        let name = Method::cast(tree.node(event))
            .and_then(Method::name)
            .unwrap_or_default();
        format!(
            "Other extensions can raise the event `{name}` themselves, when its subscribers do not expect it. \
             Make it `local`, or `internal` if other objects of this extension raise it; anybody can still subscribe."
        )
    }

    fn fix(&event: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        set_access_modifier(tree.node(event), Keyword::Local)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "public and protected events of every kind and object, on the name",
                r"
                codeunit 50100 A
                {
                    Access = Internal;

                    [IntegrationEvent(false, false)]
                    procedure [|OnA|]()
                    begin
                    end;

                    [businessevent(false)]
                    protected procedure [|OnB|]()
                    begin
                    end;

                    [InternalEvent(false)]
                    procedure [|OnC|]()
                    begin
                    end;
                }
                table 50101 B
                {
                    [Scope('OnPrem')]
                    [ExternalBusinessEvent('x', 'y', 'z', EventCategory::Sales)]
                    procedure [|OnD|]()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "local and internal events, procedures that are no events, obsolete ones",
                r"
                codeunit 50100 A
                {
                    [IntegrationEvent(false, false)]
                    local procedure OnA()
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    internal procedure OnB()
                    begin
                    end;

                    procedure C()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::A, OnA, '', false, false)]
                    procedure D()
                    begin
                    end;

                    [Obsolete('gone', '25.0')]
                    [IntegrationEvent(false, false)]
                    procedure OnE()
                    begin
                    end;
                }
                codeunit 50101 B
                {
                    ObsoleteState = PendingMove;

                    [IntegrationEvent(false, false)]
                    procedure OnF()
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
                    [IntegrationEvent(false, false)]
                #pragma warning disable AC0024
                    procedure [|OnA|]()
                #pragma warning restore AC0024
                    begin
                    end;
                }
                ",
            )
            .says(
                "which event, and that subscribing stays possible",
                r"
                codeunit 50100 A
                {
                    [IntegrationEvent(false, false)]
                    procedure OnA()
                    begin
                    end;
                }
                ",
                "Other extensions can raise the event `OnA` themselves, when its subscribers do not expect it. \
                 Make it `local`, or `internal` if other objects of this extension raise it; anybody can still subscribe.",
            )
            .fixes(
                "the modifier goes in front of procedure, or in the place of protected",
                r"
                codeunit 50100 A
                {
                    /// <summary>After it.</summary>
                    [IntegrationEvent(false, false)]
                #pragma warning disable AA0137
                    PROCEDURE OnA() // raised in B
                #pragma warning restore AA0137
                    begin
                    end;

                    [BusinessEvent(false)]
                    protected /* yes */ procedure OnB()
                    begin
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    /// <summary>After it.</summary>
                    [IntegrationEvent(false, false)]
                #pragma warning disable AA0137
                    local PROCEDURE OnA() // raised in B
                #pragma warning restore AA0137
                    begin
                    end;

                    [BusinessEvent(false)]
                    local /* yes */ procedure OnB()
                    begin
                    end;
                }
                ",
            )
    }
}
