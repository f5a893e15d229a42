//! FC0005: a method that is called by assigning to it.

use candor_al_model::{MemberKind, Symbol, built_ins};
use candor_al_syntax::ast::{AssignmentStatement, Expression};
use candor_al_syntax::edit::{EditSet, TextEdit};
use candor_al_syntax::{Node, NodeId, NodeKind, TextRange, TokenKind, Tree};

use crate::context::Context;
use crate::facts::{has_comment_or_directive, is_in_obsolete_code};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

`Method := Value`, where `Method` is a procedure or built-in method with one parameter. The compiler takes it for
`Method(Value)`. Fields, variables and what the documentation calls properties of values (`FieldRef.Value`) are fine.

## Why

It reads as if something were kept, while in truth something is called.

## Example

```al
codeunit 50100 Setup
{
    procedure Prepare()
    begin
        SetMode := 1;
    end;

    procedure SetMode(NewMode: Integer)
    begin
        Message(Format(NewMode));
    end;
}
```

## Better

```al
codeunit 50100 Setup
{
    procedure Prepare()
    begin
        SetMode(1);
    end;

    procedure SetMode(NewMode: Integer)
    begin
        Message(Format(NewMode));
    end;
}
```

## When to ignore it

Never, as far as we know. Obsolete code is not flagged.

## Fix

Writes the assignment as a call. Safe, since the compiler makes the same of it; where a comment stands between the parts,
nothing is offered.
";

const WRITE_CALL: FixProvider = FixProvider::new(
    "UseParenthesisForMethodAssignmentCodeFix",
    "ALCops: Write the assignment as a call",
    Safety::Safe,
);

pub(crate) struct UseParenthesisForMethodAssignment;

impl Rule for UseParenthesisForMethodAssignment {
    const METADATA: Metadata = Metadata {
        id: "FC0005",
        name: "UseParenthesisForMethodAssignment",
        title: "Call a method instead of assigning to it",
        cop: Cop::Formatting,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("FC0005 of ALCops"),
        fixes: &[WRITE_CALL],
        kinds: &[NodeKind::AssignmentStatement],
        documentation: DOCUMENTATION,
    };

    /// The statement.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(assignment) = AssignmentStatement::cast(node) else {
            return;
        };
        let (Some(target), Some(operator)) = (assignment.target(), assignment.operator_token()) else {
            return;
        };
        let is_name = matches!(target.kind(), NodeKind::NameExpression | NodeKind::MemberAccess);
        if !is_name || operator.kind() != TokenKind::Assign {
            return;
        }
        let Some(known) = context.meaning() else { return };
        let is_call = match known.symbol(target.node()) {
            Symbol::Method(method) => {
                let facts = built_ins().method(method);
                !facts.is_property && facts.takes(1)
            }
            Symbol::Member(member) => {
                let universe = known.universe;
                let declared = universe.member(member);
                let parameters = universe
                    .declarations(universe.file_of(member.object))
                    .parameters(declared);
                declared.kind == MemberKind::Procedure && parameters.len() == 1
            }
            _ => false,
        };
        if is_call && !is_in_obsolete_code(node, context) {
            report.at(node.range(), node.id());
        }
    }

    fn message(&statement: &Self::State, tree: &Tree) -> String {
        let target = AssignmentStatement::cast(tree.node(statement)).and_then(AssignmentStatement::target);
        let name = target.and_then(Expression::name).unwrap_or_default();
        format!("{name} is a method, and this assignment calls it. Write it as a call: {name}(…).")
    }

    fn fix(&statement: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let assignment = AssignmentStatement::cast(tree.node(statement))?;
        let (target, value) = (assignment.target()?.range(), assignment.value()?.range());
        let between = TextRange::new(target.end, value.start);
        if has_comment_or_directive(tree, between) {
            return None;
        }
        let mut edits = EditSet::new();
        edits.add(TextEdit::replace(between, "(")).ok()?;
        edits.add(TextEdit::insert(value.end, ")")).ok()?;
        Some(edits)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .with_file(
                "table 18 Customer { fields { field(1; Name; Text[100]) { } } procedure SetName(N: Text) begin end; }",
            )
            .flags(
                "procedures and built-in methods, on the whole statement",
                r"
                codeunit 50100 A
                {
                    procedure P(C: Record Customer)
                    begin
                        [|C.SetName := 'x';|]
                        [|C.SetView := '';|]
                        if true then
                            [|Q := 1|]
                        else
                            [|this.Q := 1;|]
                    end;

                    procedure Q(N: Integer)
                    begin
                    end;
                }
                ",
            )
            .silent(
                "fields, variables, named results, properties of values, calls",
                r"
                codeunit 50100 A
                {
                    procedure P(C: Record Customer; F: FieldRef; E: ErrorInfo) Q: Integer
                    begin
                        C.Name := 'x';
                        C.SetName('x');
                        F.Value := 1;
                        E.Message := 'x';
                        C.Ascending := false;
                        Q := 1;
                    end;

                    procedure Q(N: Integer)
                    begin
                    end;

                    [Obsolete('x')]
                    procedure R()
                    begin
                        Q := 1;
                    end;
                }
                ",
            )
            .says(
                "what it is",
                r"
                codeunit 50100 A
                {
                    procedure P(C: Record Customer)
                    begin
                        C.SetView := '';
                    end;
                }
                ",
                "SetView is a method, and this assignment calls it. Write it as a call: SetView(…).",
            )
            .fixes(
                "the value becomes the argument",
                r"
                codeunit 50100 A
                {
                    procedure P(C: Record Customer)
                    begin
                        C.SetView := 'a' + 'b'; // view
                        if true then C.SetName := 'x' else C.SetName:='y';
                    end;
                }
                ",
                r"
                codeunit 50100 A
                {
                    procedure P(C: Record Customer)
                    begin
                        C.SetView('a' + 'b'); // view
                        if true then C.SetName('x') else C.SetName('y');
                    end;
                }
                ",
            )
    }
}
