//! DC0003: a statement that does nothing, and nobody says why.

use candor_al_syntax::ast::Method;
use candor_al_syntax::{Node, NodeKind, TokenKind, TokenRef, Tree};

use crate::context::{Context, method_of};
use crate::facts::{is_obsolete_method, leading_trivia, trailing_trivia};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A lone semicolon where a statement could stand, without a comment that explains it.

What explains it is a `//` comment above the statement around it (the `if`, the loop, the line of a `case`, the block) or
behind that statement on its last line. For a lone semicolon directly between `begin` and `end` that is the block, so a
comment beside the semicolon does not help there: leave the semicolon out.

## Why

`if Customer.Find() then;` is a way to ignore a result, and looks just like a line somebody forgot to write. A reader
cannot tell which it is.

## Example

```al
/// <summary>Finds customers.</summary>
codeunit 50100 Finder
{
    local procedure Find(var Customer: Record Customer)
    begin
        if Customer.FindFirst() then;
    end;
}
```

## Better

```al
/// <summary>Finds customers.</summary>
codeunit 50100 Finder
{
    local procedure Find(var Customer: Record Customer)
    begin
        if Customer.FindFirst() then; // no customer is as good as any
    end;
}
```

## When to ignore it

Where the empty statement is the usual idiom in the whole project; then better switch the rule off in a ruleset. Obsolete
procedures and objects are not flagged.
";

pub(crate) struct EmptyStatementRequiresComment;

impl Rule for EmptyStatementRequiresComment {
    const METADATA: Metadata = Metadata {
        id: "DC0003",
        name: "EmptyStatementRequiresComment",
        title: "Empty statements need a comment",
        cop: Cop::Documentation,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Same("DC0003 of ALCops"),
        fixes: &[],
        kinds: &[NodeKind::EmptyStatement],
        documentation: DOCUMENTATION,
    };

    type State = ();

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        if node.parent().is_none_or(is_explained) {
            return;
        }
        let Some(method) = method_of(node).and_then(Method::cast) else {
            return;
        };
        if !is_obsolete_method(method, context) {
            report.at(node.range(), ());
        }
    }

    fn message((): &Self::State, _tree: &Tree) -> String {
        "This semicolon is a statement that does nothing, and a reader cannot tell whether something is missing. \
         Explain it in a comment, or remove it."
            .to_owned()
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "lone semicolons, wherever a statement can stand",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then[|;|]
                        if B then
                            C()
                        else[|;|]
                        while B do [|;|]
                        case D of
                            1: [|;|]
                            else [|;|]
                        end;
                        C();[|;|]
                    end;
                }
                ",
            )
            .silent(
                "a comment behind the statement around it, or above it",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then; // ignore it
                        // ignore it
                        if B then
                            ;
                        case D of
                            1: ; // nothing to do
                            // nothing to do
                            2:
                                ;
                        end;
                    end;
                }
                ",
            )
            .flags(
                "a comment inside a block does not explain the block, nor do block comments explain anything",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        // why
                        [|;|] // why
                        if B then[|;|] /* why */
                        C(); // about C
                        if B then[|;|]
                        if B then // about B
                            [|;|]
                    end;
                }
                ",
            )
            .silent(
                "obsolete procedures and objects",
                r"
                codeunit 50100 A
                {
                    [Obsolete('gone', '25.0')]
                    procedure B()
                    begin
                        if C then;
                    end;
                }
                codeunit 50101 D
                {
                    ObsoleteState = Pending;

                    trigger OnRun()
                    begin
                        if C then;
                    end;
                }
                ",
            )
            .suppressed(
                "a pragma around the line",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                #pragma warning disable DC0003
                        if B then[|;|]
                #pragma warning restore DC0003
                    end;
                }
                ",
            )
            .flags_broken(
                "a broken procedure is not accused",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then;
                        x := ;
                    end;

                    procedure C()
                    begin
                        if B then[|;|]
                    end;
                }
                ",
            )
            .says(
                "what is missing",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then;
                    end;
                }
                ",
                "This semicolon is a statement that does nothing, and a reader cannot tell whether something is \
                 missing. Explain it in a comment, or remove it.",
            )
    }
}

/// Whether a line comment belongs to the node, from above or from behind.
fn is_explained(node: Node<'_>) -> bool {
    let is_comment = |token: TokenRef<'_>| token.kind() == TokenKind::LineComment;
    let is_above = || {
        node.first_token()
            .is_some_and(|first| leading_trivia(first).any(is_comment))
    };
    let is_behind = || {
        node.last_token()
            .is_some_and(|last| trailing_trivia(last).any(is_comment))
    };
    is_behind() || is_above()
}
