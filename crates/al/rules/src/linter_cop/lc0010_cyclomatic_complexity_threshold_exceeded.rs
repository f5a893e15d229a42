//! LC0010: a method with too many ways through it.

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

A procedure or trigger whose cyclomatic complexity has reached the limit. The complexity is one, and one more for each
`if`, each line of a `case`, each `for`, `foreach`, `while` and `repeat`, each `and` and `or`, and each conditional
expression.

`xor`, `else`, `exit`, the `case` itself and its `else` are free.

## Why

A reader has to keep every condition in mind that led to a line, and it takes about as many tests as the number says
to run every line once. Methods beyond the limit are where mistakes hide.

## Example

```al
codeunit 50100 Shipping
{
    procedure Cost(Weight: Decimal; Zone: Integer; Express: Boolean; Member: Boolean): Decimal
    begin
        if Member and not Express then
            exit(0);

        if Express then
            if Zone > 3 then
                exit(60)
            else
                exit(30);

        if (Weight <= 1) and (Zone = 1) then
            exit(5);

        if Zone > 3 then
            exit(25);

        exit(10);
    end;
}
```

## Better

```al
codeunit 50100 Shipping
{
    procedure Cost(Weight: Decimal; Zone: Integer; Express: Boolean; Member: Boolean): Decimal
    begin
        if Express then
            exit(ExpressCost(Zone));

        if Member then
            exit(0);

        exit(StandardCost(Weight, Zone));
    end;

    local procedure ExpressCost(Zone: Integer): Decimal
    begin
        if Zone > 3 then
            exit(60);

        exit(30);
    end;

    local procedure StandardCost(Weight: Decimal; Zone: Integer): Decimal
    begin
        if (Weight <= 1) and (Zone = 1) then
            exit(5);

        if Zone > 3 then
            exit(25);

        exit(10);
    end;
}
```

## Settings

`CyclomaticComplexityThreshold` (8): the complexity from which a method is flagged.

## When to ignore it

A long `case` that only maps one value to another is easy to read in spite of its number, and so is a plain chain of
checks. Splitting such a method only to please the rule makes it worse; suppress it there. Obsolete procedures and
objects are not flagged.
";

pub(crate) struct CyclomaticComplexityThresholdExceeded;

/// A method that is too complex.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TooComplex {
    method: NodeId,
    complexity: u32,
    threshold: u32,
}

impl Rule for CyclomaticComplexityThresholdExceeded {
    const METADATA: Metadata = Metadata {
        id: "LC0010",
        name: "CyclomaticComplexityThresholdExceeded",
        title: "Method's cyclomatic complexity reaches the limit",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &["CyclomaticComplexityThreshold"],
        origin: Origin::Same("LC0010 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::Procedure, NodeKind::Trigger],
        documentation: DOCUMENTATION,
    };

    type State = TooComplex;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(method) = Method::cast(node) else { return };
        let Some(body) = measured_body(method, context) else {
            return;
        };
        let complexity = cyclomatic_complexity(body);
        let threshold = context.facts().cyclomatic_complexity_threshold;
        if complexity < threshold {
            return;
        }
        let Some(name) = method.name_token() else { return };
        let state = TooComplex {
            method: node.id(),
            complexity,
            threshold,
        };
        report.at(name.range(), state);
    }

    fn message(state: &Self::State, tree: &Tree) -> String {
        let name = Method::cast(tree.node(state.method))
            .and_then(Method::name)
            .unwrap_or_default();
        format!(
            "`{name}` is hard to follow and to test: its cyclomatic complexity is {}, and the limit is {}. Move parts \
             that belong together into procedures of their own.",
            state.complexity, state.threshold
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "methods that reach the limit, on their names",
                r"
                codeunit 50100 A
                {
                    trigger [|OnRun|]()
                    begin
                        case B of
                            1, 2, 3:
                                C();
                            4:
                                D();
                            else
                                E();
                        end;
                        for I := 1 to 10 do
                            while F() do
                                G();
                        foreach H in J do
                            repeat
                                K := L ? M : N;
                            until O();
                    end;

                    local procedure [|P|](): Boolean
                    begin
                        exit(A and B and C and D or E or F or G or H);
                    end;
                }
                ",
            )
            .silent(
                "one less, and what does not count",
                r"
                codeunit 50100 A
                {
                    local procedure B(): Boolean
                    begin
                        if A xor B xor C xor not D then
                            exit(A and B and C and D or E or F)
                        else
                            exit(G);
                    end;

                    procedure C()
                    begin
                        case B of
                            1: C();
                            2: C();
                            3: C();
                            4: C();
                            5: C();
                            else
                                if D then;
                        end;
                #if NEVER
                        if D and E then;
                #endif
                    end;
                }
                ",
            )
            .silent(
                "obsolete methods and objects, bodies without a statement",
                r"
                codeunit 50100 A
                {
                    [Obsolete('gone', '25.0')]
                    procedure B(): Boolean
                    begin
                        exit(A and B and C and D or E or F or G or H);
                    end;

                    procedure C()
                    begin
                    end;
                }
                codeunit 50101 D
                {
                    ObsoleteState = Removed;

                    procedure B(): Boolean
                    begin
                        exit(A and B and C and D or E or F or G or H);
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the name",
                r"
                codeunit 50100 A
                {
                #pragma warning disable LC0010 // only a list
                    procedure [|B|](): Boolean
                #pragma warning restore LC0010
                    begin
                        exit(A and B and C and D or E or F or G or H);
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken method is not judged, the one beside it is",
                r"
                codeunit 50100 A
                {
                    procedure B(): Boolean
                    begin
                        exit(A and B and C and D or E or F or G or );
                    end;

                    procedure [|C|](): Boolean
                    begin
                        exit(A and B and C and D or E or F or G or H);
                    end;
                }
                ",
            )
            .says(
                "the number and the limit",
                r#"
                codeunit 50100 A
                {
                    procedure "B c"(): Boolean
                    begin
                        exit(A and B and C and D or E or F or G or H);
                    end;
                }
                "#,
                "`B c` is hard to follow and to test: its cyclomatic complexity is 8, and the limit is 8. Move parts \
                 that belong together into procedures of their own.",
            )
            .in_project(|file| file.cyclomatic_complexity_threshold = 3)
            .flags(
                "the limit of the project counts",
                r"
                codeunit 50100 A
                {
                    procedure [|B|](): Boolean
                    begin
                        exit(A and B and C);
                    end;

                    procedure C(): Boolean
                    begin
                        exit(A and B);
                    end;
                }
                ",
            )
    }
}
