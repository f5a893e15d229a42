//! LC0095: a parameter that callers have to fill and nobody reads.

use candor_al_syntax::ast::{Method, Object, Parameter};
use candor_al_syntax::edit::{EditSet, remove_list_item};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{
    has_fixed_signature, implements_interface_method, is_called_by_action, is_obsolete_method, unused_parameters,
};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A parameter of a public, protected or internal procedure whose name does not occur in the body of the procedure. Any
occurrence counts, of whatever it may be the name, and so does one in text that an `#if` switches off.

## Why

Callers have to find a value for it and will believe that it matters. Usually the parameter was forgotten when the
procedure changed, or the line that should use it is missing.

## Example

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal; Percent: Decimal): Decimal
    begin
        exit(Amount * 0.1);
    end;
}
```

## Better

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal; Percent: Decimal): Decimal
    begin
        exit(Amount * Percent / 100);
    end;
}
```

## When to ignore it

When other extensions call the procedure: removing the parameter breaks them, so make a new procedure and mark this one
obsolete. Where somebody else decides about the parameters, the rule is silent: triggers, events and subscribers, handlers
of tests, implementations of an interface (in a codeunit that implements an interface of another file, every procedure
might be one), and the lone `ErrorInfo` or `Notification` of an action's procedure. Local and obsolete procedures are not
flagged either.

## Fix

Removes the parameter from the declaration. Unsafe, because calls are not changed: each has to drop its argument, here and
in extensions that depend on this one. Not offered when an `#if` or a comment stands in the parameter's way.
";

const REMOVE: FixProvider = FixProvider::new(
    "ParameterNotReferencedCodeFixProvider",
    "ALCops: Remove unreferenced parameter",
    Safety::Unsafe,
);

pub(crate) struct ParameterNotReferenced;

impl Rule for ParameterNotReferenced {
    const METADATA: Metadata = Metadata {
        id: "LC0095",
        name: "ParameterNotReferenced",
        title: "Unused parameter of a non-local procedure",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("LC0095 of ALCops"),
        fixes: &[REMOVE],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The parameter.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(procedure) = Method::cast(node) else { return };
        if procedure.is_local() || procedure.parameters().next().is_none() {
            return;
        }
        let Some(body) = procedure.body() else { return };
        let unused = unused_parameters(procedure, body.node());
        if unused.is_empty() || somebody_else_decides(procedure, context) || is_obsolete_method(procedure, context) {
            return;
        }
        for parameter in unused {
            report.at(parameter.range(), parameter.node().id());
        }
    }

    fn message(&parameter: &Self::State, tree: &Tree) -> String {
        let node = tree.node(parameter);
        let parameter = Parameter::cast(node).and_then(Parameter::name).unwrap_or_default();
        let procedure = node
            .ancestors()
            .find_map(Method::cast)
            .and_then(Method::name)
            .unwrap_or_default();
        format!(
            "Callers of `{procedure}` have to pass `{parameter}`, but its body never uses it. Use it or remove it; \
             keep it if other extensions call the procedure."
        )
    }

    fn fix(&parameter: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        remove_list_item(tree.node(parameter))
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "public, internal and protected procedures, on the whole parameter",
                r#"
                codeunit 50100 A
                {
                    procedure B([|var C: Record Customer temporary|]; D: Integer; [|"E F": Text[10]|]): Boolean
                    begin
                        exit(D = 1);
                    end;

                    internal procedure G([|H: Integer|])
                    var
                        I: Integer;
                    begin
                    end;

                    protected procedure J([|K: Integer|])
                    begin
                        // K is only mentioned
                        Message('K');
                    end;
                }
                "#,
            )
            .silent(
                "any use of the name counts, in any case and with or without quotes",
                r#"
                codeunit 50100 A
                {
                    procedure B(C: Integer; "D E": Integer; F: Integer; G: Integer; "H": Integer)
                    begin
                        c := 1;
                        Foo("d e");
                        Rec.F := 2;
                        Rec.SetRange("G");
                        exit(H);
                    end;
                }
                "#,
            )
            .silent(
                "a use that a condition switches off",
                r"
                codeunit 50100 A
                {
                    procedure B(C: Integer)
                    begin
                #if OLD
                        Foo(C);
                #endif
                    end;
                }
                ",
            )
            .silent(
                "local procedures, triggers, declarations without a body, procedures without parameters",
                r"
                page 50100 A
                {
                    trigger OnFindRecord(Which: Text): Boolean
                    begin
                    end;

                    local procedure B(C: Integer)
                    begin
                    end;

                    procedure D()
                    begin
                    end;
                }
                interface E
                {
                    procedure F(G: Integer);
                }
                ",
            )
            .silent(
                "events, subscribers and handlers",
                r"
                codeunit 50100 A
                {
                    [IntegrationEvent(false, false)]
                    procedure OnB(C: Integer)
                    begin
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::A, OnB, '', false, false)]
                    internal procedure D(C: Integer)
                    begin
                    end;

                    [ConfirmHandler]
                    procedure E(Question: Text; var Reply: Boolean)
                    begin
                        Reply := true;
                    end;
                }
                ",
            )
            .flags(
                "a lone ErrorInfo or Notification in a codeunit is an action's procedure, any other is not",
                r"
                codeunit 50100 A
                {
                    procedure B(C: ErrorInfo)
                    begin
                    end;

                    procedure D(var E: notification)
                    begin
                    end;

                    procedure F([|G: ErrorInfo|]; [|H: Integer|])
                    begin
                    end;
                }
                page 50101 I
                {
                    procedure J([|K: ErrorInfo|])
                    begin
                    end;
                }
                ",
            )
            .flags(
                "with all interfaces at hand, only their methods are left alone",
                r"
                interface A
                {
                    procedure B(C: Integer);
                }
                interface D extends A
                {
                    procedure E(C: Integer);
                }
                codeunit 50100 F implements D
                {
                    procedure B(C: Integer)
                    begin
                    end;

                    procedure e(C: Integer)
                    begin
                    end;

                    procedure G([|C: Integer|])
                    begin
                    end;
                }
                ",
            )
            .silent(
                "an interface of another file may ask for any procedure",
                r"
                interface A extends Elsewhere
                {
                    procedure B(C: Integer);
                }
                codeunit 50100 D implements A
                {
                    procedure E(C: Integer)
                    begin
                    end;
                }
                codeunit 50101 F implements Elsewhere
                {
                    procedure G(C: Integer)
                    begin
                    end;
                }
                ",
            )
            .silent(
                "obsolete procedures and objects",
                r"
                codeunit 50100 A
                {
                    [Obsolete('Use C', '25.0')]
                    procedure B(C: Integer)
                    begin
                    end;
                }
                codeunit 50101 D
                {
                    ObsoleteState = Pending;

                    procedure E(F: Integer)
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
                    procedure B(
                #pragma warning disable LC0095
                        [|C: Integer|];
                #pragma warning restore LC0095
                        D: Integer)
                    begin
                        Foo(D);
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken body may have used it",
                r"
                codeunit 50100 A
                {
                    procedure B(C: Integer)
                    begin
                        Foo(;
                    end;

                    procedure D([|E: Integer|])
                    begin
                    end;
                }
                ",
            )
            .says(
                "which parameter of which procedure, and when to keep it",
                r#"
                codeunit 50100 A
                {
                    procedure "B C"("D E": Integer)
                    begin
                    end;
                }
                "#,
                "Callers of `B C` have to pass `D E`, but its body never uses it. Use it or remove it; keep it if other \
                 extensions call the procedure.",
            )
            .fixes(
                "a parameter goes with the separator that becomes needless",
                r"
                codeunit 50100 A
                {
                    procedure Only(C: Integer)
                    begin
                    end;

                    procedure First(C: Integer; D: Integer)
                    begin
                        Foo(D);
                    end;

                    procedure Last(C: Integer; D: Integer)
                    begin
                        Foo(C);
                    end;

                    procedure Middle(C: Integer; D: Integer; E: Integer)
                    begin
                        Foo(C, E);
                    end;

                    procedure AllOfThem(C: Integer; D: Integer; E: Integer; F: Integer): Boolean
                    begin
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    procedure Only()
                    begin
                    end;

                    procedure First(D: Integer)
                    begin
                        Foo(D);
                    end;

                    procedure Last(C: Integer)
                    begin
                        Foo(C);
                    end;

                    procedure Middle(C: Integer; E: Integer)
                    begin
                        Foo(C, E);
                    end;

                    procedure AllOfThem(): Boolean
                    begin
                    end;
                }
                ",
            )
            .fixes(
                "comments and pragmas around a parameter stay",
                r"
                codeunit 50100 A
                {
                    procedure B(
                        C: Integer; // the first
                #pragma warning disable AA0137
                        D: Integer;
                #pragma warning restore AA0137
                        E: Integer)
                    begin
                        Foo(E);
                    end;

                    procedure F(
                        G: Integer; // the first
                #pragma warning disable AA0137
                        H: Integer
                #pragma warning restore AA0137
                    )
                    begin
                        Foo(G);
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    procedure B(
                        // the first
                #pragma warning disable AA0137
                #pragma warning restore AA0137
                        E: Integer)
                    begin
                        Foo(E);
                    end;

                    procedure F(
                        G: Integer // the first
                #pragma warning disable AA0137
                #pragma warning restore AA0137
                    )
                    begin
                        Foo(G);
                    end;
                }
                ",
            )
            .offers_no_fix(
                REMOVE.equivalence_key,
                "a condition decides about the parameter, or a comment stands in it",
                r"
                codeunit 50100 A
                {
                    procedure B(
                #if not CLEAN
                        C: Integer;
                #endif
                        D: Integer)
                    begin
                        Foo(D);
                    end;

                    procedure E(F: /* whole */ Integer)
                    begin
                    end;
                }
                ",
            )
    }
}

/// Whether the procedure has its parameters because a caller outside of AL code, or an interface, asks for them.
fn somebody_else_decides<'t>(procedure: Method<'t>, context: &Context<'t>) -> bool {
    if has_fixed_signature(procedure) {
        return true;
    }
    let codeunit = Object::around(procedure.node()).filter(|object| object.kind() == NodeKind::Codeunit);
    codeunit.is_some_and(|codeunit| {
        is_called_by_action(procedure) || implements_interface_method(codeunit, procedure, context)
    })
}
