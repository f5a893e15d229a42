//! LC0097: a procedure that returns its result in two ways.

use candor_al_syntax::ast::{AssignmentStatement, Method, NameExpression, ReturnValue, same_name};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::{Context, method_of};
use crate::facts::is_obsolete_method;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

Every `exit`, with or without a value, in a procedure or trigger that assigns to its named result as well. Procedures
with the attribute `TryFunction` are left alone.

## Why

An `exit` with a value throws away what the name held, and one without a value returns it. Who reads the procedure has to
follow every path to know which of the two counts.

## Example

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal) Percent: Decimal
    begin
        Percent := 5;

        if Amount > 1000 then
            exit(10);
    end;
}
```

## Better

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal) Percent: Decimal
    begin
        Percent := 5;

        if Amount > 1000 then
            Percent := 10;
    end;
}
```

## When to ignore it

When your team leaves procedures early with a bare `exit` once the result is set; the rule is off by default. Obsolete
procedures and objects are not flagged.
";

pub(crate) struct MixedExitAndNamedReturnAssignment;

impl Rule for MixedExitAndNamedReturnAssignment {
    const METADATA: Metadata = Metadata {
        id: "LC0097",
        name: "MixedExitAndNamedReturnAssignment",
        title: "Don't mix exit() and a named return value",
        cop: Cop::Linter,
        category: Category::Usage,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("LC0097 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::Trigger],
        documentation: DOCUMENTATION,
    };

    /// The `exit`.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(result) = method.return_value().and_then(ReturnValue::name_token) else {
            return;
        };
        let Some(body) = method.body() else { return };
        let exits = || body.node().descendants_of(NodeKind::ExitStatement);
        let mut assignments = body.node().descendants_of(NodeKind::AssignmentStatement);
        if exits().next().is_none() || !assignments.any(|it| assigns_to(it, result.text())) {
            return;
        }
        if method.attribute("TryFunction").is_some() || is_obsolete_method(method, context) {
            return;
        }
        for exit in exits() {
            report.at(exit.range(), exit.id());
        }
    }

    fn message(&exit: &Self::State, tree: &Tree) -> String {
        let method = method_of(tree.node(exit)).and_then(Method::cast);
        let kind = match method {
            Some(method) if method.is_trigger() => "Trigger",
            _ => "Procedure",
        };
        let name = method.and_then(Method::name).unwrap_or_default();
        let result = method.and_then(Method::return_value).and_then(ReturnValue::name);
        format!(
            "{kind} `{name}` assigns to its result `{}` and leaves with `exit` as well, so that two places tell what it \
             returns. Keep one of the two.",
            result.unwrap_or_default()
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "every exit, with or without a value, on the statement",
                r#"
                codeunit 50100 A
                {
                    procedure B() "Is Found": Boolean
                    begin
                        if C() then begin
                            "IS FOUND" := true;
                            [|exit;|]
                        end;
                        if D() then
                            [|exit(true)|]
                        else
                            [|EXIT(false);|]
                    end;

                    local procedure E() Total: Integer
                    begin
                        Total += 1;
                        [|exit(Total);|]
                    end;
                }
                "#,
            )
            .flags(
                "a trigger",
                r"
                page 50100 A
                {
                    trigger OnFindRecord(Which: Text) Found: Boolean
                    begin
                        Found := Rec.Find(Which);
                        [|exit(Found);|]
                    end;
                }
                ",
            )
            .silent(
                "one of the two alone, results without a name, other variables, members of the result",
                r"
                codeunit 50100 A
                {
                    procedure B() Found: Boolean
                    begin
                        Found := true;
                    end;

                    procedure C() Found: Boolean
                    begin
                        exit(true);
                    end;

                    procedure D(): Boolean
                    var
                        Found: Boolean;
                    begin
                        Found := true;
                        exit(Found);
                    end;

                    procedure E() Found: Boolean
                    begin
                        Rec.Found := true;
                        Other := Found;
                        exit(Found);
                    end;

                    procedure F() Customer: Record Customer
                    begin
                        Customer.Name := 'x';
                        exit;
                    end;
                }
                ",
            )
            .silent(
                "try functions, obsolete procedures and objects",
                r"
                codeunit 50100 A
                {
                    [TryFunction]
                    procedure B() Found: Boolean
                    begin
                        Found := true;
                        exit;
                    end;

                    [Obsolete('Use D', '25.0')]
                    procedure C() Found: Boolean
                    begin
                        Found := true;
                        exit;
                    end;
                }
                codeunit 50101 D
                {
                    ObsoleteState = Pending;

                    procedure E() Found: Boolean
                    begin
                        Found := true;
                        exit;
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the statement",
                r"
                codeunit 50100 A
                {
                    procedure B() Found: Boolean
                    begin
                        Found := true;
                #pragma warning disable LC0097
                        [|exit;|]
                #pragma warning restore LC0097
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken body is left alone",
                r"
                codeunit 50100 A
                {
                    procedure B() Found: Boolean
                    begin
                        Found := true;
                        exit(;
                    end;
                }
                ",
            )
            .says(
                "which procedure, and which result",
                r#"
                codeunit 50100 A
                {
                    procedure "B C"() Found: Boolean
                    begin
                        Found := true;
                        exit;
                    end;
                }
                "#,
                "Procedure `B C` assigns to its result `Found` and leaves with `exit` as well, so that two places tell \
                 what it returns. Keep one of the two.",
            )
            .says(
                "a trigger",
                r"
                page 50100 A
                {
                    trigger OnQueryClosePage(CloseAction: Action) Ok: Boolean
                    begin
                        Ok := true;
                        exit(true);
                    end;
                }
                ",
                "Trigger `OnQueryClosePage` assigns to its result `Ok` and leaves with `exit` as well, so that two \
                 places tell what it returns. Keep one of the two.",
            )
    }
}

/// Whether the statement assigns to the variable itself, not to something inside it.
fn assigns_to(statement: Node<'_>, variable: &str) -> bool {
    let target = AssignmentStatement::cast(statement).and_then(AssignmentStatement::target);
    let name = target.and_then(|target| NameExpression::cast(target.node())?.name_token());
    name.is_some_and(|name| same_name(name.text(), variable))
}
