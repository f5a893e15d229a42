//! LC0009: the cyclomatic complexity of every method.

use candor_al_syntax::ast::Method;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{cyclomatic_complexity, measured_body};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

Every procedure and trigger that has a statement, to tell its cyclomatic complexity: one, and one more for each `if`, each
line of a `case`, each `for`, `foreach`, `while` and `repeat`, each `and` and `or`, and each conditional expression.

`xor`, `else`, `exit`, the `case` itself and its `else` are free.

## Why

The number is about how many tests it takes to run every part of the method. Seeing it for all methods shows which
ones grow, before they reach the limit of LC0010.

## Example

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal; Percent: Decimal): Decimal
    begin
        if Percent <= 0 then
            exit(0);

        exit(Amount * Percent / 100);
    end;
}
```

## Better

There is no better form: the rule measures, and LC0010 judges.

## Settings

`CyclomaticComplexityThreshold` (8): the limit that the message mentions.

## When to ignore it

Always, unless somebody wants to see the numbers; that is why it is off by default. Obsolete procedures and objects are
not measured.
";

pub(crate) struct CyclomaticComplexityMetric;

/// A method and what was measured.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Complexity {
    method: NodeId,
    measured: u32,
    threshold: u32,
}

impl Rule for CyclomaticComplexityMetric {
    const METADATA: Metadata = Metadata {
        id: "LC0009",
        name: "CyclomaticComplexityMetric",
        title: "Reports the cyclomatic complexity of every method",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &["CyclomaticComplexityThreshold"],
        origin: Origin::Same("LC0009 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::Trigger],
        documentation: DOCUMENTATION,
    };

    type State = Complexity;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(body) = measured_body(method, context) else {
            return;
        };
        let Some(name) = method.name_token() else { return };
        let state = Complexity {
            method: node.id(),
            measured: cyclomatic_complexity(body),
            threshold: context.facts().cyclomatic_complexity_threshold,
        };
        report.at(name.range(), state);
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let name = Method::cast(tree.node(state.method))
            .and_then(Method::name)
            .unwrap_or_default();
        format!(
            "The cyclomatic complexity of `{name}` is {}; it is too complex from {} on.",
            state.measured, state.threshold
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "every method with a statement, on its name",
                r#"
                table 50100 A
                {
                    fields
                    {
                        field(1; B; Integer)
                        {
                            trigger [|OnValidate|]()
                            begin
                                C();
                            end;
                        }
                    }

                    local procedure [|"C d"|]()
                    begin
                        ;
                    end;
                }
                "#,
            )
            .silent(
                "declarations, empty bodies, obsolete methods and objects",
                r"
                interface A
                {
                    procedure B();
                }
                codeunit 50100 C
                {
                    procedure D()
                    begin
                        // later
                    end;

                    [Obsolete('gone', '25.0')]
                    procedure E()
                    begin
                        D();
                    end;
                }
                codeunit 50101 F
                {
                    ObsoleteState = Pending;

                    trigger OnRun()
                    begin
                        G();
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                codeunit 50100 A
                {
                #pragma warning disable LC0009
                    procedure [|B|]()
                #pragma warning restore LC0009
                    begin
                        exit;
                    end;
                }
                ",
            )
            .says(
                "the number and the limit",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B and C then
                            D();
                    end;
                }
                ",
                "The cyclomatic complexity of `OnRun` is 3; it is too complex from 8 on.",
            )
            .in_project(|file| file.cyclomatic_complexity_threshold = 12)
            .says(
                "the limit of the project",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                    end;
                }
                ",
                "The cyclomatic complexity of `OnRun` is 1; it is too complex from 12 on.",
            )
    }
}
