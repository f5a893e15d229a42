//! AC0012: an integration event that nobody outside can see.

use candor_al_syntax::ast::{Method, Object};
use candor_al_syntax::edit::{EditSet, remove_property, replace_token};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::is_obsolete_method;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A procedure with the attribute `IntegrationEvent` in a codeunit with `Access = Internal`.

## Why

An integration event is a promise to other extensions, and an internal codeunit is one they cannot name: nobody outside
can ever subscribe. One of the two is a mistake.

## Example

```al
codeunit 50100 Posting
{
    Access = Internal;

    [IntegrationEvent(false, false)]
    local procedure OnAfterPost()
    begin
    end;
}
```

## Better

```al
codeunit 50100 Posting
{
    Access = Internal;

    [InternalEvent(false)]
    local procedure OnAfterPost()
    begin
    end;
}
```

## When to ignore it

When the codeunit is about to become public. Obsolete procedures and codeunits are not flagged.

## Fix

Two, for the two mistakes it may be; both unsafe.

* Remove `Access = Internal`: the codeunit and its public procedures can then be used by every other extension, which
  you have to keep up from then on.
* Make it an `InternalEvent`. The arguments stay as they are, but the second one means something else:
  `GlobalVarAccess` of an integration event, `Isolated` of an internal one. Not offered for three arguments, which an
  internal event does not take.
";

const REMOVE_ACCESS: &str = "IntegrationEventInInternalCodeunitRemoveAccessInternalFixProvider";
const CONVERT_EVENT: &str = "IntegrationEventInInternalCodeunitConvertToInternalEventFixProvider";

/// The most arguments that the attribute `InternalEvent` takes.
const INTERNAL_EVENT_ARGUMENTS: usize = 2;

pub(crate) struct IntegrationEventInInternalCodeunit;

impl Rule for IntegrationEventInInternalCodeunit {
    const METADATA: Metadata = Metadata {
        id: "AC0012",
        name: "IntegrationEventInInternalCodeunit",
        title: "No integration events in internal codeunits",
        cop: Cop::Application,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("AC0012 of ALCops"),
        fixes: &[
            FixProvider::new(
                REMOVE_ACCESS,
                "ALCops: Remove property Access = Internal",
                Safety::Unsafe,
            ),
            FixProvider::new(
                CONVERT_EVENT,
                "ALCops: Refactor from IntegrationEvent to InternalEvent",
                Safety::Unsafe,
            ),
        ],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The event.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(event) = Method::cast(node) else { return };
        if event.attribute("IntegrationEvent").is_none() {
            return;
        }
        let Some(codeunit) = Object::around(node).filter(|object| object.kind() == NodeKind::Codeunit) else {
            return;
        };
        let access = context.object_property(codeunit, "Access");
        if !access.is_some_and(|access| access.is_identifier("Internal")) {
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
            "Nobody outside this extension can subscribe to the integration event `{name}`, because its codeunit is \
             internal. Make it an `InternalEvent`, or the codeunit public."
        )
    }

    fn fix(&event: &Self::State, fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let event = Method::cast(tree.node(event))?;
        match fix.equivalence_key {
            REMOVE_ACCESS => remove_property(Object::around(event.node())?.property("Access")?.node()),
            CONVERT_EVENT => {
                let attribute = event.attribute("IntegrationEvent")?;
                let is_convertible = attribute.arguments().count() <= INTERNAL_EVENT_ARGUMENTS;
                is_convertible.then_some(replace_token(attribute.name_token()?, "InternalEvent"))
            }
            _ => None,
        }
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "every integration event of an internal codeunit, on its name",
                r#"
                codeunit 50100 A
                {
                    access = internal;

                    [INTEGRATIONEVENT(false, false)]
                    local procedure [|OnAfterPost|]()
                    begin
                    end;

                    [Scope('OnPrem')]
                    [IntegrationEvent(true, false)]
                    procedure [|"On Before Post"|](var IsHandled: Boolean)
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "other events, other procedures, public codeunits, other objects",
                r"
                codeunit 50100 A
                {
                    Access = Internal;

                    [InternalEvent(false)]
                    local procedure OnAfterPost()
                    begin
                    end;

                    [BusinessEvent(false)]
                    local procedure OnBeforePost()
                    begin
                    end;

                    procedure Post()
                    begin
                    end;
                }
                codeunit 50101 B
                {
                    [IntegrationEvent(false, false)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                table 50102 C
                {
                    Access = Internal;

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "obsolete events and codeunits",
                r"
                codeunit 50100 A
                {
                    Access = Internal;

                    [Obsolete('Use OnPost', '25.0')]
                    [IntegrationEvent(false, false)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                codeunit 50101 B
                {
                    Access = Internal;
                    ObsoleteState = Moved;

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma up to the end of the file",
                r"
                #pragma warning disable LC0095, ac0012
                codeunit 50100 A
                {
                    Access = Internal;

                    [IntegrationEvent(false, false)]
                    local procedure [|OnAfterPost|]()
                    begin
                    end;
                }
                ",
            )
            .says(
                "which event nobody can use",
                r#"
                codeunit 50100 A
                {
                    Access = Internal;

                    [IntegrationEvent(false, false)]
                    local procedure "On Post"()
                    begin
                    end;
                }
                "#,
                "Nobody outside this extension can subscribe to the integration event `On Post`, because its codeunit is \
                 internal. Make it an `InternalEvent`, or the codeunit public.",
            )
            .fixes_with(
                REMOVE_ACCESS,
                "the property goes with its line, the blank line behind it stays",
                r"
                codeunit 50100 A
                {
                    // Not for others
                    Access = Internal;

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterPost()
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    local procedure OnBeforePost()
                    begin
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    // Not for others

                    [IntegrationEvent(false, false)]
                    local procedure OnAfterPost()
                    begin
                    end;

                    [IntegrationEvent(false, false)]
                    local procedure OnBeforePost()
                    begin
                    end;
                }
                ",
            )
            .fixes_with(
                CONVERT_EVENT,
                "only the name of the attribute changes",
                r"
                codeunit 50100 A
                {
                    Access = Internal;

                    [IntegrationEvent(false, /* no globals */ false)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    Access = Internal;

                    [InternalEvent(false, /* no globals */ false)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                ",
            )
            .offers_no_fix(
                CONVERT_EVENT,
                "an internal event does not take three arguments",
                r"
                codeunit 50100 A
                {
                    Access = Internal;

                    [IntegrationEvent(false, false, true)]
                    local procedure OnAfterPost()
                    begin
                    end;
                }
                ",
            )
    }
}
