//! FC0003: a call of a built-in method without parentheses.

use candor_al_model::{MethodFacts, well_known};
use candor_al_syntax::ast::Expression;
use candor_al_syntax::edit::{EditSet, TextEdit};
use candor_al_syntax::{Node, NodeId, NodeKind, TokenKind, Tree};

use crate::context::Context;
use crate::facts::built_in_call;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A call of a method of AL itself that has no arguments and no parentheses: `Customer.Count`, `Today`. Calls of procedures
that a project declares are left to the compiler's own analyzers, and what the documentation calls properties of values
(`JsonToken.IsObject`, `FieldRef.Value`) is no call.

## Why

With parentheses a reader sees that something happens here; without, it looks like a variable or field.

## Example

```al
codeunit 50100 Check
{
    procedure IsOld(DueDate: Date): Boolean
    begin
        exit(DueDate < Today);
    end;
}
```

## Better

```al
codeunit 50100 Check
{
    procedure IsOld(DueDate: Date): Boolean
    begin
        exit(DueDate < Today());
    end;
}
```

## When to ignore it

Never, as far as we know; obsolete code is flagged as well.

## Fix

Appends `()`. Safe, since the same method is called.
";

const ADD_PARENTHESES: FixProvider =
    FixProvider::new("UseParenthesisForFunctionCallCodeFix", "Add parenthesis", Safety::Safe);

pub(crate) struct UseParenthesisForFunctionCall;

impl Rule for UseParenthesisForFunctionCall {
    const METADATA: Metadata = Metadata {
        id: "FC0003",
        name: "UseParenthesisForFunctionCall",
        title: "Built-in calls without arguments need parentheses",
        cop: Cop::Formatting,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("FC0003 of ALCops"),
        fixes: &[ADD_PARENTHESES],
        kinds: &[NodeKind::NameExpression, NodeKind::MemberAccess],
        documentation: DOCUMENTATION,
    };

    /// The expression.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(parent) = node.parent() else { return };
        let is_first = parent.id().0 + 1 == node.id().0;
        // The callee of a call, the scope of `::`, and what a value is assigned to are something else.
        let is_other = match parent.kind() {
            NodeKind::CallExpression
            | NodeKind::ScopeAccess
            | NodeKind::AssignmentStatement
            | NodeKind::ForStatement
            | NodeKind::ForEachStatement => is_first,
            NodeKind::ArgumentList => parent.parent().is_some_and(|call| call.kind() == NodeKind::Attribute),
            _ => false,
        };
        let is_quoted = Expression::cast(node)
            .and_then(Expression::name_token)
            .is_none_or(|token| token.kind() == TokenKind::QuotedIdentifier);
        if is_other || is_quoted {
            return;
        }
        let Some(known) = context.meaning() else { return };
        if built_in_call(node, known).is_some_and(|method| method.takes(0) && is_call(method)) {
            report.at(node.range(), node.id());
        }
    }

    fn message(&call: &Self::State, tree: &Tree) -> String {
        let name = Expression::cast(tree.node(call)).and_then(Expression::name);
        format!(
            "{} is a call. Write it with parentheses, so that it does not look like a variable or field.",
            name.unwrap_or_default()
        )
    }

    fn fix(&call: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let mut edits = EditSet::new();
        edits.add(TextEdit::insert(tree.node(call).range().end, "()")).ok()?;
        Some(edits)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "functions and methods of records, wherever they stand",
                r"
                table 50100 A
                {
                    fields { field(1; B; Date) { InitValue = 20200101D; } }
                    procedure P(var C: Record Customer): Integer
                    begin
                        B := [|Today|];
                        if [|C.FindSet|] then
                            repeat
                                [|Modify|];
                            until [|C.Next|] = 0;
                        [|C.DeleteAll|];
                        Message([|UserId|]);
                        exit([|C.Count|] + [|System.Today|].Day());
                    end;
                }
                ",
            )
            .silent(
                "parentheses, own procedures, fields, properties of values, option types, assignments",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer; F: FieldRef; T: JsonToken; Count: Integer)
                    begin
                        C.SetRange(Count);
                        Own;
                        if C.FindSet() and T.IsObject then
                            F.Value := C.Count() + Count;
                        C.ReadIsolation := IsolationLevel::UpdLock;
                        C.ReadIsolation(IsolationLevel::UpdLock);
                        Message(Format(TextEncoding::UTF8));
                    end;

                    [InherentPermissions(PermissionObjectType::TableData, Database::Customer, 'r')]
                    local procedure Own()
                    begin
                    end;
                }
                ",
            )
            .says(
                "that it is a call",
                r"
                codeunit 50100 A
                {
                    procedure P(): Date
                    begin
                        exit(WorkDate);
                    end;
                }
                ",
                "WorkDate is a call. Write it with parentheses, so that it does not look like a variable or field.",
            )
            .fixes(
                "parentheses come right behind the name",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer)
                    begin
                        if C.FindFirst /* first */ then // yes
                            C.Delete;
                        if C.Count=1 then C.Find else C.Init
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer)
                    begin
                        if C.FindFirst() /* first */ then // yes
                            C.Delete();
                        if C.Count()=1 then C.Find() else C.Init()
                    end;
                }
                ",
            )
    }
}

/// Whether a method without parentheses is a call rather than a property of a value. The documentation says of some
/// methods that they may be read like properties; of records, sessions and the system that only means that parentheses
/// may be left out.
fn is_call(method: &MethodFacts) -> bool {
    let known = well_known();
    let owners = [known.record, known.record_ref, known.system, known.database];
    !method.is_property || owners.contains(&method.owner)
}
