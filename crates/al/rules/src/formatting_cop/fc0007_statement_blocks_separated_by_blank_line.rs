//! FC0007: statements that stand too close to see where a thought ends.

use std::borrow::Cow;

use candor_al_syntax::ast::{CallExpression, Expression, ExpressionStatement, IfStatement, Method, Object, same_name};
use candor_al_syntax::{Node, NodeKind, TokenKind, TokenRef, Tree};

#[cfg(test)]
use crate::ScopeLeaving;
use crate::context::{Context, method_of};
use crate::facts::{is_obsolete_method, line_ends};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity, StatementBlockSpacing};

const DOCUMENTATION: &str = r"
## What it flags

A missing blank line

* before an `if`, `case`, `for`, `foreach`, `while` or `repeat` that is not the first statement beside others,
* behind one of these,
* before an `exit` or a call of `Error` that is not the first statement beside others,
* before an `else` at the start of a line, if the settings ask for it.

A statement that is the only one behind `then` or `else` needs no blank line, and an `if`, `case` or loop on one line does
not unless the settings ask for it. A line with a comment or directive is not blank. A place where both what is before it
and what comes need a blank line is flagged once, for what comes.

## Why

A blank line shows where a thought ends. Branches, loops and exits are where the reader has to stop and think.

## Example

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal; Percent: Decimal) Result: Decimal
    begin
        Result := Amount * Percent / 100;
        if Result > Amount then
            Result := Amount;
    end;
}
```

## Better

```al
codeunit 50100 Discounts
{
    procedure Discount(Amount: Decimal; Percent: Decimal) Result: Decimal
    begin
        Result := Amount * Percent / 100;

        if Result > Amount then
            Result := Amount;
    end;
}
```

## Settings

In `StatementBlockSpacing`: `ControlFlowBefore` (true) and `ControlFlowAfter` (true) for the first two kinds,
`ScopeLeavingMode` (`ExitAndError`; also `ExitOnly`, `ErrorOnly`, `Off`) for the third, `ElseChainBeforeMode` (`Off`;
also `RequireBlank`) for the fourth, and `OneLinerMode` (`None`; also `All`).

## When to ignore it

Unless a team has agreed on it; that is why it is off by default. Obsolete procedures and objects are not flagged.
";

pub(crate) struct StatementBlocksSeparatedByBlankLine;

/// What is missing.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum BlankLine {
    /// Before this kind of branch or loop.
    Before(NodeKind),
    /// Behind this kind of branch or loop.
    Behind(NodeKind),
    /// Before an `exit`.
    BeforeExit,
    /// Before a call of `Error`.
    BeforeError,
    /// Before an `else`.
    BeforeElse,
}

impl Rule for StatementBlocksSeparatedByBlankLine {
    const METADATA: Metadata = Metadata {
        id: "FC0007",
        name: "StatementBlocksSeparatedByBlankLine",
        title: "Blank lines around statement blocks",
        cop: Cop::Formatting,
        category: Category::Style,
        severity: Severity::Info,
        enabled_by_default: false,
        needs: Needs::Syntax,
        settings: &["StatementBlockSpacing"],
        origin: Origin::Same("FC0007 of ALCops"),
        fixes: &[],
        kinds: &[
            NodeKind::Block,
            NodeKind::RepeatStatement,
            NodeKind::CaseElse,
            NodeKind::IfStatement,
        ],
        documentation: DOCUMENTATION,
    };

    type State = BlankLine;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let spacing = context.facts().statement_block_spacing;
        let mut found = Vec::new();
        if node.kind() == NodeKind::IfStatement {
            found.extend(else_too_close(node, spacing));
        } else {
            let is_statement = |child: &Node<'_>| child.kind().is_statement();
            let mut statements = node.children().filter(is_statement);
            let Some(mut earlier) = statements.next() else { return };
            for later in statements {
                between(earlier, later, spacing, &mut found);
                earlier = later;
            }
        }
        let Some(method) = method_of(node).and_then(Method::cast) else {
            return;
        };
        if !found.is_empty() && !is_obsolete_method(method, context) {
            for (token, missing) in found {
                report.at(token.range(), missing);
            }
        }
    }

    fn message(missing: &Self::State, _tree: &Tree) -> String {
        let place = match missing {
            BlankLine::Before(kind) => format!("before this `{}`", word(*kind)),
            BlankLine::Behind(kind) => format!("behind the `{}` that ends here", word(*kind)),
            BlankLine::BeforeExit => "before this `exit`".to_owned(),
            BlankLine::BeforeError => "before this `Error()`".to_owned(),
            BlankLine::BeforeElse => "before this `else`".to_owned(),
        };
        format!("Nothing shows that a thought ends {place}. Put a blank line there.")
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "before branches and loops, and behind them",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        [|if|] C then
                            D();
                        [|B|]();
                        [|case|] E of
                            1:
                                begin
                                    B();
                                    [|for|] I := 1 to 2 do
                                        D();
                                end;
                            else
                                B();
                                [|while|] C do
                                    D();
                        end;
                        [|x|] := 1;
                        [|repeat|]
                            B();
                            [|foreach|] C in D do
                                B();
                        until E;
                        [|B|]();
                    end;
                }
                ",
            )
            .silent(
                "first and last statements, blank lines, neighbours, branches of an `if`, one line",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then
                            C();

                        D();

                        while E do
                            if F then
                                G()
                            else
                                repeat
                                    H();
                                until I;

                        P();
                        if M then N();
                        O();
                    end;
                }
                ",
            )
            .flags(
                "comments and directives are no blank lines",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        // about C
                        [|if|] C then
                            D();
                        /* about B

                        at length */
                        [|B|]();
                #pragma warning disable AA0001
                        [|if|] C then
                            D();
                    end;
                }
                ",
            )
            .silent(
                "text that is switched off",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                #if C

                        D();
                #endif
                        if C then
                            D();
                    end;
                }
                ",
            )
            .flags(
                "before statements that leave the method",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then begin
                            C();
                            [|exit|];
                        end;

                        if D then
                            exit
                        else
                            Error('no');

                        C();
                        [|Error|]('no');
                        Rec.Error('no');
                        E.Error;

                        exit;
                    end;
                }
                ",
            )
            .flags(
                "once where both what is before and what comes need it",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then
                            C();
                        [|while|] D do
                            C();
                        [|exit|];
                    end;
                }
                ",
            )
            .flags(
                "behind a block, though what comes is on one line and needs none itself",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then begin
                            C();
                        end;
                        [|if|] D then C();
                        repeat C(); until E;
                        C();
                    end;
                }
                ",
            )
            .says(
                "for what comes",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if B then
                            C();
                        Error('no');
                    end;
                }
                ",
                "Nothing shows that a thought ends before this `Error()`. Put a blank line there.",
            )
            .silent(
                "a procedure of that name",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        Error('no');
                    end;

                    local procedure Error(Text: Text)
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
                    [Obsolete('gone', '25.0')]
                    procedure B()
                    begin
                        B();
                        exit;
                    end;
                }
                codeunit 50101 C
                {
                    ObsoleteState = Pending;

                    trigger OnRun()
                    begin
                        B();
                        exit;
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
                        B();
                #pragma warning disable FC0007
                        [|exit|];
                #pragma warning restore FC0007
                    end;
                }
                ",
            )
            .says(
                "before what",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        foreach C in D do
                            B();
                    end;
                }
                ",
                "Nothing shows that a thought ends before this `foreach`. Put a blank line there.",
            )
            .says(
                "behind what",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        repeat
                            B();
                        until C;
                        B();
                    end;
                }
                ",
                "Nothing shows that a thought ends behind the `repeat` that ends here. Put a blank line there.",
            )
            .in_project(|file| {
                file.statement_block_spacing = StatementBlockSpacing {
                    control_flow_before: false,
                    control_flow_after: false,
                    scope_leaving: ScopeLeaving::ErrorOnly,
                    else_chain_before: true,
                    one_liners: false,
                }
            })
            .flags(
                "what the project asks for, and nothing else",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        if C then
                            D()
                        [|else|]
                            E();
                        if C then begin
                            D();
                        end else
                            E();
                        if C then D() else E();
                        B();
                        [|Error|]('no');
                        exit;
                    end;
                }
                ",
            )
            .silent(
                "a blank line before `else`",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        if C then
                            D()

                        else
                            E();
                    end;
                }
                ",
            )
            .in_project(|file| {
                file.statement_block_spacing = StatementBlockSpacing {
                    control_flow_before: false,
                    scope_leaving: ScopeLeaving::Off,
                    ..StatementBlockSpacing::default()
                }
            })
            .flags(
                "behind a block, if the project asks for nothing before what comes",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        if C then
                            D();
                        [|while|] E do
                            D();
                        [|exit|];
                    end;
                }
                ",
            )
            .in_project(|file| {
                file.statement_block_spacing = StatementBlockSpacing {
                    one_liners: true,
                    scope_leaving: ScopeLeaving::Off,
                    ..StatementBlockSpacing::default()
                }
            })
            .flags(
                "statements on one line if the project asks for it",
                r"
                codeunit 50100 A
                {
                    trigger OnRun()
                    begin
                        B();
                        [|if|] C then D();
                        [|B|]();
                        exit;
                    end;
                }
                ",
            )
    }
}

/// A place that lacks a blank line, and why it needs one.
type Missing<'t> = (TokenRef<'t>, BlankLine);

/// What is missing between two neighbours.
fn between<'t>(earlier: Node<'t>, later: Node<'t>, spacing: StatementBlockSpacing, found: &mut Vec<Missing<'t>>) {
    let (earlier_is_block, later_is_block) = (is_control_flow(earlier), is_control_flow(later));
    let may_leave = matches!(later.kind(), NodeKind::ExitStatement | NodeKind::ExpressionStatement);
    if !(earlier_is_block || later_is_block || may_leave) || later.kind() == NodeKind::EmptyStatement {
        return;
    }
    let (Some(last), Some(first)) = (earlier.last_token(), later.first_token()) else {
        return;
    };
    if has_blank_line(last, first) {
        return;
    }
    let counts = |block: Node<'_>| spacing.one_liners || line_ends(block.text()) > 0;
    // What comes speaks for the place; what is before it does so only where nothing else asks for the blank line.
    let missing = if spacing.control_flow_before && later_is_block && counts(later) {
        BlankLine::Before(later.kind())
    } else if spacing.scope_leaving.includes_exit() && later.kind() == NodeKind::ExitStatement {
        BlankLine::BeforeExit
    } else if spacing.scope_leaving.includes_error() && is_error(later) {
        BlankLine::BeforeError
    } else if spacing.control_flow_after && earlier_is_block && counts(earlier) {
        BlankLine::Behind(earlier.kind())
    } else {
        return;
    };
    found.push((first, missing));
}

fn is_control_flow(statement: Node<'_>) -> bool {
    matches!(
        statement.kind(),
        NodeKind::IfStatement
            | NodeKind::CaseStatement
            | NodeKind::ForStatement
            | NodeKind::ForEachStatement
            | NodeKind::WhileStatement
            | NodeKind::RepeatStatement
    )
}

/// Whether the statement is a call of the `Error` that AL brings, not of a procedure of that name.
fn is_error(statement: Node<'_>) -> bool {
    let call = ExpressionStatement::cast(statement)
        .and_then(ExpressionStatement::expression)
        .and_then(|expression| CallExpression::cast(expression.node()));
    let callee = call.and_then(CallExpression::callee);
    let Some(callee) = callee.filter(|callee| callee.kind() == NodeKind::NameExpression) else {
        return false;
    };
    let is_named = |name: Option<Cow<'_, str>>| name.is_some_and(|name| same_name(&name, "Error"));
    let is_own = |object: Object<'_>| object.methods().any(|method| is_named(method.name()));
    is_named(Expression::name(callee)) && !Object::around(statement).is_some_and(is_own)
}

/// The `else` of an `if` that begins a line without a blank one before it.
fn else_too_close(statement: Node<'_>, spacing: StatementBlockSpacing) -> Option<Missing<'_>> {
    if !spacing.else_chain_before {
        return None;
    }
    let word = IfStatement::cast(statement)?.else_token()?;
    let is_close = word.first_on_line() && !has_blank_line(word.previous_significant()?, word);
    is_close.then_some((word, BlankLine::BeforeElse))
}

/// Whether a line with nothing on it lies between two tokens. Where text is switched off nobody can tell.
fn has_blank_line(from: TokenRef<'_>, to: TokenRef<'_>) -> bool {
    let tree = from.tree();
    let mut ends = 0;
    (from.index() + 1..to.index()).any(|index| {
        let token = tree.token(index);
        ends = match token.kind() {
            TokenKind::Whitespace => ends + line_ends(token.text()),
            TokenKind::DisabledText => return true,
            _ => 0,
        };
        ends > 1
    })
}

/// The word that a branch or loop begins with.
fn word(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::CaseStatement => "case",
        NodeKind::ForStatement => "for",
        NodeKind::ForEachStatement => "foreach",
        NodeKind::WhileStatement => "while",
        NodeKind::RepeatStatement => "repeat",
        _ => "if",
    }
}
