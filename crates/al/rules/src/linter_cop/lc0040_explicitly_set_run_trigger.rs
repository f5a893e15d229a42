//! LC0040: a change of records that does not say whether triggers run.

use candor_al_model::Type;
use candor_al_syntax::ast::Expression;
use candor_al_syntax::{Node, NodeKind, TextRange, Tree};

use crate::context::Context;
use crate::facts::{arguments_of, built_in_call, is_in_obsolete_code, is_record_method, receiver_of};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

`Insert`, `Modify`, `ModifyAll`, `Delete` and `DeleteAll` of a record without the argument that says whether the triggers
of the table run. It does not matter whether the record is temporary, nor whether it stands in front of the call.

## Why

Without the argument no trigger runs. A reader cannot tell whether that was meant or forgotten; `false` says so.

## Example

```al
codeunit 50100 Posting
{
    procedure Post(var Customer: Record Customer)
    begin
        Customer.Modify();
    end;
}
```

## Better

```al
codeunit 50100 Posting
{
    procedure Post(var Customer: Record Customer)
    begin
        Customer.Modify(false);
    end;
}
```

## When to ignore it

Where triggers are never wanted, as with buffers; obsolete code is not flagged. A `RecordRef` is not flagged.
";

/// The methods with an argument called `RunTrigger`.
const METHODS: &[&str] = &["Insert", "Modify", "ModifyAll", "Delete", "DeleteAll"];

pub(crate) struct ExplicitlySetRunTrigger;

impl Rule for ExplicitlySetRunTrigger {
    const METADATA: Metadata = Metadata {
        id: "LC0040",
        name: "ExplicitlySetRunTrigger",
        title: "Say whether triggers run when records are changed",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Warning,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("LC0040 of ALCops"),
        fixes: &[],
        kinds: &[
            NodeKind::CallExpression,
            NodeKind::MemberAccess,
            NodeKind::NameExpression,
        ],
        documentation: DOCUMENTATION,
    };

    /// The name of the method.
    type State = TextRange;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(name) = Expression::cast(node).and_then(Expression::name_token) else {
            return;
        };
        if !METHODS.iter().any(|method| name.text().eq_ignore_ascii_case(method)) {
            return;
        }
        let Some(known) = context.meaning() else { return };
        let Some(method) = built_in_call(node, known).filter(|method| is_record_method(method, METHODS)) else {
            return;
        };
        // `Insert` has an overload for each number of arguments; the place is the same in all of them.
        let place = if method.name == "ModifyAll" { 2 } else { 0 };
        if arguments_of(node).len() > place || is_in_obsolete_code(node, context) {
            return;
        }
        let receiver = receiver_of(node, known);
        if receiver.is_some_and(|(_, of_type)| matches!(of_type, Type::Unknown(_))) {
            return;
        }
        let range = if receiver.is_some() { name.range() } else { node.range() };
        report.at(range, name.range());
    }

    fn message(&name: &Self::State, tree: &Tree) -> String {
        format!(
            "{} does not say whether the triggers of the table run. Pass true or false as its argument RunTrigger.",
            tree.slice(name)
        )
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "every method, with parentheses or without, temporary or not",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer; var T: Record Customer temporary)
                    begin
                        C.[|Insert|]();
                        if C.[|modify|] then;
                        C.[|ModifyAll|](Name, '');
                        T.[|Delete|]();
                        T.[|DeleteAll|];
                    end;
                }
                ",
            )
            .flags(
                "a record that needs no receiver, and this",
                r"
                table 50100 A
                {
                    fields { field(1; B; Code[10]) { } }
                    procedure P()
                    begin
                        [|Insert()|];
                        [|Modify|];
                        this.[|Delete|]();
                        Rec.[|Insert|]();
                    end;
                }
                ",
            )
            .silent(
                "an argument, other methods, other types, own procedures",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer; R: RecordRef; L: List of [Text]; U: DotNet Unknown)
                    begin
                        C.Insert(true);
                        C.Insert(false, true);
                        C.ModifyAll(Name, '', false);
                        C.Delete(this.Wanted());
                        R.Insert();
                        L.Insert(1, '');
                        U.Insert();
                        Insert();
                    end;

                    procedure Insert()
                    begin
                    end;

                    local procedure Wanted(): Boolean
                    begin
                    end;
                }
                codeunit 50101 B
                {
                    ObsoleteState = Pending;
                    procedure P(var C: Record Customer)
                    begin
                        C.Insert();
                    end;
                }
                ",
            )
            .says(
                "what is missing",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer)
                    begin
                        C.Insert();
                    end;
                }
                ",
                "Insert does not say whether the triggers of the table run. Pass true or false as its argument \
                 RunTrigger.",
            )
    }
}
