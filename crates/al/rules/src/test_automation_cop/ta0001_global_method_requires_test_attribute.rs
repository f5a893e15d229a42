//! TA0001: a procedure of a test codeunit that is open to all and no test.

use candor_al_syntax::ast::{Method, Object};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::is_test_handler;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A procedure of a codeunit with `Subtype = Test` that is not `local` and has neither the attribute `Test` nor that of a
handler (`ConfirmHandler`, `PageHandler` …). `internal` and `protected` ones count as well. Triggers do not, nor do
codeunits of subtype `TestRunner`.

## Why

A test that lost its attribute, or never got one, still compiles and looks like a test; it just never runs, and nobody
misses it. If all other procedures are `local`, one such procedure stands out.

## Example

```al
codeunit 50100 SalesTests
{
    Subtype = Test;

    procedure PostsInvoice()
    begin
    end;
}
```

## Better

```al
codeunit 50100 SalesTests
{
    Subtype = Test;

    [Test]
    procedure PostsInvoice()
    begin
        Initialize();
    end;

    local procedure Initialize()
    begin
    end;
}
```

## When to ignore it

When other test codeunits call the procedure. A library codeunit without a subtype is a better place for it.
";

pub(crate) struct GlobalMethodRequiresTestAttribute;

impl Rule for GlobalMethodRequiresTestAttribute {
    const METADATA: Metadata = Metadata {
        id: "TA0001",
        name: "GlobalMethodRequiresTestAttribute",
        title: "Global procedures of test codeunits must be tests",
        cop: Cop::TestAutomation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("TA0001 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure],
        documentation: DOCUMENTATION,
    };

    /// The procedure.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let codeunit = node.parent().filter(|parent| parent.kind() == NodeKind::Codeunit);
        let Some(codeunit) = codeunit.and_then(Object::cast) else {
            return;
        };
        let subtype = context.object_property(codeunit, "Subtype");
        if !subtype.is_some_and(|subtype| subtype.is_identifier("Test")) {
            return;
        }
        let Some(procedure) = Method::cast(node) else { return };
        let Some(name) = procedure.name_token() else { return };
        if !procedure.is_local() && procedure.attribute("Test").is_none() && !is_test_handler(procedure) {
            report.at(name.range(), node.id());
        }
    }

    fn message(&procedure: &Self::State, tree: &Tree) -> String {
        let name = Method::cast(tree.node(procedure)).and_then(Method::name);
        format!(
            "`{}` is open to all, as tests are, but without `[Test]` it never runs as one. Add the attribute, or make the \
             procedure `local`.",
            name.unwrap_or_default()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "public, internal and protected procedures, obsolete ones too, on the name",
                r#"
                codeunit 50100 A
                {
                    Subtype = TEST;

                    procedure [|B|]()
                    begin
                    end;

                    internal procedure [|"C D"|](E: Integer): Boolean
                    begin
                    end;

                    [Obsolete('no exemption', '25.0')]
                    protected procedure [|F|]()
                    begin
                    end;

                    [EventSubscriber(ObjectType::Codeunit, Codeunit::G, OnH, '', false, false)]
                    procedure [|I|]()
                    begin
                    end;
                }
                "#,
            )
            .silent(
                "tests, handlers, local procedures, triggers",
                r"
                codeunit 50100 A
                {
                    Subtype = Test;

                    trigger OnRun()
                    begin
                    end;

                    [Test]
                    [HandlerFunctions('D,E')]
                    procedure B()
                    begin
                    end;

                    [TransactionModel(TransactionModel::AutoRollback)]
                    [test]
                    internal procedure C()
                    begin
                    end;

                    [ConfirmHandler]
                    procedure D(Question: Text; var Reply: Boolean)
                    begin
                    end;

                    [HttpClientHandler]
                    procedure E(Request: TestHttpRequestMessage; var Response: TestHttpResponseMessage): Boolean
                    begin
                    end;

                    local procedure F()
                    begin
                    end;
                }
                ",
            )
            .silent(
                "codeunits of another subtype, and other objects",
                r"
                codeunit 50100 A
                {
                    Subtype = TestRunner;

                    procedure B()
                    begin
                    end;
                }
                codeunit 50101 C
                {
                    procedure D()
                    begin
                    end;
                }
                page 50102 E
                {
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
                    Subtype = Test;

                #pragma warning disable TA0001
                    procedure [|B|]()
                #pragma warning restore TA0001
                    begin
                    end;
                }
                ",
            )
            .says(
                "which procedure",
                r#"
                codeunit 50100 A
                {
                    Subtype = Test;

                    procedure "B C"()
                    begin
                    end;
                }
                "#,
                "`B C` is open to all, as tests are, but without `[Test]` it never runs as one. Add the attribute, or \
                 make the procedure `local`.",
            )
    }
}
