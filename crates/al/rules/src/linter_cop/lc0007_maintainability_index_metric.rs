//! LC0007: the maintainability index of every method.

use candor_al_syntax::ast::Method;
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{maintainability_index, measured_body};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

Every procedure and trigger that has a statement on a line of its own, to tell its maintainability index: a number from 0
(hopeless) to 100 that falls with the number of lines, the number of words and signs, and the cyclomatic complexity.

Empty lines and comments do not count. A method of one or two lines has no index.

## Why

The index tells which methods will be hard to change. Seeing it for all methods shows which ones get worse, before they
reach the limit of LC0008.

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

There is no better form: the rule measures, and LC0008 judges.

## Settings

`MaintainabilityIndexThreshold` (20): the limit that the message mentions.

## When to ignore it

Always, unless somebody wants to see the numbers; that is why it is off by default. Obsolete procedures and objects are
not measured.
";

pub(crate) struct MaintainabilityIndexMetric;

/// A method and what was measured.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Index {
    method: NodeId,
    measured: u32,
    threshold: u32,
}

impl Rule for MaintainabilityIndexMetric {
    const METADATA: Metadata = Metadata {
        id: "LC0007",
        name: "MaintainabilityIndexMetric",
        title: "Reports the maintainability index of every method",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &["MaintainabilityIndexThreshold"],
        origin: Origin::Same("LC0007 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::Trigger],
        documentation: DOCUMENTATION,
    };

    type State = Index;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(body) = measured_body(method, context) else {
            return;
        };
        let Some(measured) = maintainability_index(body) else {
            return;
        };
        let Some(name) = method.name_token() else { return };
        let state = Index {
            method: node.id(),
            measured,
            threshold: context.facts().maintainability_index_threshold,
        };
        report.at(name.range(), state);
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let name = Method::cast(tree.node(state.method))
            .and_then(Method::name)
            .unwrap_or_default();
        format!(
            "The maintainability index of `{name}` is {} of 100; it is hard to maintain from {} downwards.",
            state.measured, state.threshold
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "every method with a line of its own, on its name",
                r#"
                page 50100 A
                {
                    trigger [|OnOpenPage|]()
                    begin
                        "B c"();
                    end;

                    local procedure [|"B c"|]()
                    begin
                        exit;
                    end;
                }
                "#,
            )
            .silent(
                "declarations, bodies without a statement or a line, obsolete methods and objects",
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

                    procedure E() begin D(); end;

                    [Obsolete('gone', '25.0')]
                    procedure F()
                    begin
                        D();
                    end;
                }
                codeunit 50101 G
                {
                    ObsoleteState = Pending;

                    trigger OnRun()
                    begin
                        H();
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the head",
                r"
                codeunit 50100 A
                {
                #pragma warning disable LC0007
                    procedure [|B|]()
                #pragma warning restore LC0007
                    begin
                        exit;
                    end;
                }
                ",
            )
            .in_project(|file| file.maintainability_index_threshold = 25)
            .says(
                "the number and the limit",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then
                            C();
                    end;
                }
                ",
                "The maintainability index of `OnRun` is 83 of 100; it is hard to maintain from 25 downwards.",
            )
    }
}
