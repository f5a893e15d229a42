//! LC0099: a parameter of an event subscriber that nobody reads.

use candor_al_syntax::ast::{Method, Object, Parameter};
use candor_al_syntax::edit::{EditSet, remove_list_item};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::{Context, method_of};
use crate::facts::{is_called_by_action, is_event_subscriber, is_obsolete_method, unused_parameters};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A parameter of an event subscriber, `local` or not, whose name does not occur in the body of the procedure. Any
occurrence counts, of whatever it may be the name, and so does one in text that an `#if` switches off. In a codeunit, the
lone `ErrorInfo` or `Notification` of a procedure that is not `local` is left alone: an action may call it. Parameters of
other procedures are a matter of `LC0095`.

## Why

A subscriber declares those parameters of the event that it needs, and no others: they are matched by name. One that it
does not need hides what the subscriber depends on, and ties it to a parameter that the event may lose.

## Example

```al
codeunit 50100 Subscribers
{
    [EventSubscriber(ObjectType::Codeunit, Codeunit::Posting, OnAfterPost, '', false, false)]
    local procedure NotifyOnAfterPost(DocumentNo: Code[20]; PostingDate: Date)
    begin
        Message(DocumentNo);
    end;
}
```

## Better

```al
codeunit 50100 Subscribers
{
    [EventSubscriber(ObjectType::Codeunit, Codeunit::Posting, OnAfterPost, '', false, false)]
    local procedure NotifyOnAfterPost(DocumentNo: Code[20])
    begin
        Message(DocumentNo);
    end;
}
```

## When to ignore it

When the subscriber is a template that others fill in. Obsolete procedures and objects are not flagged.

## Fix

Removes the parameter from the declaration; the event calls the subscriber as before. Unsafe only because code that calls
the subscriber itself is not changed: it has to drop its argument. Not offered when an `#if` or a comment stands in the
parameter's way.
";

const REMOVE: FixProvider = FixProvider::new(
    "EventSubscriberParameterNotReferencedCodeFixProvider",
    "ALCops: Remove unreferenced parameter",
    Safety::Unsafe,
);

pub(crate) struct EventSubscriberParameterNotReferenced;

impl Rule for EventSubscriberParameterNotReferenced {
    const METADATA: Metadata = Metadata {
        id: "LC0099",
        name: "EventSubscriberParameterNotReferenced",
        title: "Unused parameter of an event subscriber",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("LC0099 of ALCops"),
        fixes: &[REMOVE],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The parameter.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(subscriber) = Method::cast(node).filter(|method| is_event_subscriber(*method)) else {
            return;
        };
        let Some(body) = subscriber.body() else { return };
        let unused = unused_parameters(subscriber, body.node());
        if unused.is_empty() || is_obsolete_method(subscriber, context) {
            return;
        }
        let is_in_codeunit = || Object::around(node).is_some_and(|object| object.kind() == NodeKind::Codeunit);
        // An action calls no local procedure.
        if !subscriber.is_local() && is_called_by_action(subscriber) && is_in_codeunit() {
            return;
        }
        for parameter in unused {
            report.at(parameter.range(), parameter.node().id());
        }
    }

    fn message(&parameter: &Self::State, tree: &Tree) -> String {
        let node = tree.node(parameter);
        let parameter = Parameter::cast(node).and_then(Parameter::name);
        let subscriber = method_of(node).and_then(Method::cast).and_then(Method::name);
        format!(
            "The subscriber `{}` takes `{}` from its event and never uses it. Remove it: a subscriber declares only \
             what it needs.",
            subscriber.unwrap_or_default(),
            parameter.unwrap_or_default()
        )
    }

    fn fix(&parameter: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        remove_list_item(tree.node(parameter))
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "subscribers of any access, on the whole parameter",
                r#"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D([|var E: Record Customer|]; F: Integer; [|"G H": Text[10]|])
                    begin
                        Message('%1', f);
                    end;

                    [eventsubscriber(ObjectType::Codeunit, Codeunit::B, 'OnI', '', false, false)]
                    procedure J([|K: Integer|])
                    begin
                        // K is only mentioned
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnL, '', false, false)]
                    internal procedure M([|N: Notification|]; [|O: ErrorInfo|])
                    begin
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnP, '', false, false)]
                    local procedure Q([|R: Notification|])
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "any use of the name, also one that a condition switches off; no parameters; a lone notification",
                r#"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(E: Integer; "F": Integer; G: Integer)
                    begin
                        e := 1;
                        Rec.F := 2;
                #if OLD
                        Foo(G);
                #endif
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnH, '', false, false)]
                    local procedure I()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnJ, '', false, false)]
                    internal procedure K(L: Notification)
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "procedures that subscribe to nothing",
                r"
                codeunit 50100 A
                {
                    procedure B(C: Integer)
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    local procedure OnD(E: Integer)
                    begin
                    end;

                    [MessageHandler]
                    procedure F(G: Text)
                    begin
                    end;
                }
                ",
            )
            .silent(
                "obsolete subscribers and objects",
                r"
                codeunit 50100 A
                {
                    [Obsolete('gone', '25.0')]
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(E: Integer)
                    begin
                    end;
                }
                codeunit 50101 F
                {
                    ObsoleteState = Pending;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(E: Integer)
                    begin
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the parameter",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(
                #pragma warning disable LC0099
                        [|E: Integer|];
                #pragma warning restore LC0099
                        F: Integer)
                    begin
                        Foo(F);
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken body may have used it",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(E: Integer)
                    begin
                        Foo(;
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure F([|G: Integer|])
                    begin
                    end;
                }
                ",
            )
            .says(
                "which parameter of which subscriber",
                r#"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure "D E"("F G": Integer)
                    begin
                    end;
                }
                "#,
                "The subscriber `D E` takes `F G` from its event and never uses it. Remove it: a subscriber declares \
                 only what it needs.",
            )
            .fixes(
                "the parameter goes with the separator that becomes needless; pragmas around it stay",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(E: Integer; F: Integer; G: Integer)
                    begin
                        Foo(F);
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnH, '', false, false)]
                    local procedure I(
                #pragma warning disable AA0137
                        J: Integer;
                #pragma warning restore AA0137
                        K: Integer)
                    begin
                        Foo(K);
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(F: Integer)
                    begin
                        Foo(F);
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnH, '', false, false)]
                    local procedure I(
                #pragma warning disable AA0137
                #pragma warning restore AA0137
                        K: Integer)
                    begin
                        Foo(K);
                    end;
                }
                ",
            )
            .offers_no_fix(
                REMOVE.equivalence_key,
                "a condition decides about the parameter",
                r"
                codeunit 50100 A
                {
                    [EventSubscriber(ObjectType::Codeunit, Codeunit::B, OnC, '', false, false)]
                    local procedure D(
                #if not CLEAN
                        E: Integer;
                #endif
                        F: Integer)
                    begin
                        Foo(F);
                    end;
                }
                ",
            )
    }
}
