//! FC0001: a semicolon between the head of a procedure and its body.

use candor_al_syntax::ast::Method;
use candor_al_syntax::edit::{EditSet, remove_token};
use candor_al_syntax::{Node, NodeId, NodeKind, TokenRef, Tree};

use crate::context::Context;
use crate::facts::is_obsolete_method;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A semicolon directly behind the head of a procedure or trigger that has a body.

## Why

In AL such a semicolon ends a declaration without a body, as in an interface. Before a body it means nothing; it is left
over from C/AL and makes a reader look for the end of something.

## Example

```al
codeunit 50100 Greeter
{
    procedure Greet();
    begin
    end;
}
```

## Better

```al
codeunit 50100 Greeter
{
    procedure Greet()
    begin
    end;
}
```

## When to ignore it

Declarations without a body, in interfaces and control add-ins, need the semicolon and are not flagged; nor are obsolete
procedures and objects.

## Fix

Removes the semicolon. Safe, because it has no meaning. (The rule's origin has no fix; this one is Candor's own.)
";

const REMOVE: FixProvider = FixProvider::new(
    "SemicolonAfterMethodOrTriggerDeclarationCodeFixProvider",
    "ALCops: Remove semicolon after method or trigger declaration",
    Safety::Safe,
);

pub(crate) struct SemicolonAfterMethodOrTriggerDeclaration;

impl Rule for SemicolonAfterMethodOrTriggerDeclaration {
    const METADATA: Metadata = Metadata {
        id: "FC0001",
        name: "SemicolonAfterMethodOrTriggerDeclaration",
        title: "No semicolon after a procedure or trigger head",
        cop: Cop::Formatting,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("FC0001 of ALCops"),
        fixes: &[REMOVE],
        kinds: &[NodeKind::Procedure, NodeKind::Trigger],
        documentation: DOCUMENTATION,
    };

    /// The procedure or trigger.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(semicolon) = needless_semicolon(method) else {
            return;
        };
        if !is_obsolete_method(method, context) {
            report.at(semicolon.range(), node.id());
        }
    }

    fn message(&method: &Self::State, tree: &Tree) -> String {
        let is_trigger = Method::cast(tree.node(method)).is_some_and(Method::is_trigger);
        let kind = if is_trigger { "trigger" } else { "procedure" };
        format!("A semicolon behind the head of a {kind} with a body means nothing. Remove it.")
    }

    fn fix(&method: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let method = Method::cast(tree.node(method))?;
        Some(remove_token(needless_semicolon(method)?))
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "procedures and triggers with a body, on the semicolon",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()[|;|]
                    begin
                    end;

                    local procedure B(C: Integer; D: Text) E: Boolean[|;|]
                    var
                        F: Integer;
                    begin
                    end;

                    procedure G() // why
                    [|;|]
                    begin
                    end
                }
                ",
            )
            .silent(
                "heads without a semicolon, declarations without a body, obsolete ones",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                    end;

                    procedure B(C: Integer; D: Text) E: Boolean
                    var
                        F: Integer;
                    begin
                    end;

                    [Obsolete('gone', '25.0')]
                    procedure G();
                    begin
                    end;
                }
                interface H
                {
                    procedure I();
                    procedure J(): Boolean;
                }
                controladdin K
                {
                    procedure L();
                    event M();
                }
                codeunit 50101 N
                {
                    ObsoleteState = Pending;

                    procedure O();
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
                #pragma warning disable FC0001
                    procedure B()[|;|]
                #pragma warning restore FC0001
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
                    procedure B();
                    begin
                        x := ;
                    end;

                    procedure C()[|;|]
                    begin
                    end;
                }
                ",
            )
            .says(
                "procedure",
                r"
                codeunit 50100 A
                {
                    procedure B();
                    begin
                    end;
                }
                ",
                "A semicolon behind the head of a procedure with a body means nothing. Remove it.",
            )
            .says(
                "trigger",
                r"
                codeunit 50100 A
                {
                    trigger OnRun();
                    begin
                    end;
                }
                ",
                "A semicolon behind the head of a trigger with a body means nothing. Remove it.",
            )
            .fixes(
                "the semicolon goes, comments and directives stay",
                r"
                codeunit 50100 A
                {
                    procedure B(); // first
                    begin
                    end;

                    procedure C() /* second */ ; var
                        D: Integer;
                    begin
                    end;

                    procedure E()
                    ;
                #pragma warning disable AA0137
                    var
                        F: Integer;
                #pragma warning restore AA0137
                    begin
                    end;

                    procedure G(); begin end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    procedure B() // first
                    begin
                    end;

                    procedure C() /* second */ var
                        D: Integer;
                    begin
                    end;

                    procedure E()
                #pragma warning disable AA0137
                    var
                        F: Integer;
                #pragma warning restore AA0137
                    begin
                    end;

                    procedure G() begin end;
                }
                ",
            )
    }
}

/// The semicolon between the head and what follows it, if a body follows.
fn needless_semicolon(method: Method<'_>) -> Option<TokenRef<'_>> {
    let body = method.body()?.node().first_token()?;
    method
        .header_semicolon()
        .filter(|semicolon| semicolon.index() < body.index())
}
