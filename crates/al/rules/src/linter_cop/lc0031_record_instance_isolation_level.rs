//! LC0031: `LockTable`, where the record alone could ask for a lock.

use candor_al_model::well_known;
use candor_al_syntax::ast::Expression;
use candor_al_syntax::edit::{EditSet, TextEdit};
use candor_al_syntax::{Node, NodeId, NodeKind, Tree};

use crate::context::Context;
use crate::facts::{built_in_call, has_comment_or_directive, is_in_obsolete_code};
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, FixProvider, Metadata, Needs, Origin, RuntimeVersion, Safety, Severity};

const DOCUMENTATION: &str = r"
## What it flags

Every call of `LockTable` on a record or `RecordRef`, in projects with runtime 11.0 or later.

## Why

`LockTable` holds for every record of the table until the transaction ends, whoever reads it. `ReadIsolation` holds for the
one variable that needs it, so that others wait less.

## Example

```al
codeunit 50100 Numbers
{
    procedure Next(var Counter: Record Counter)
    begin
        Counter.LockTable();
    end;
}
```

## Better

```al
codeunit 50100 Numbers
{
    procedure Next(var Counter: Record Counter)
    begin
        Counter.ReadIsolation(IsolationLevel::UpdLock);
    end;
}
```

## When to ignore it

Where other code relies on the lock of the whole table. Obsolete code is not flagged.

## Fix

Writes `ReadIsolation(IsolationLevel::UpdLock)` in the place of the call; the receiver stays. Unsafe: what other variables
of the same table read is no longer locked.
";

const READ_ISOLATION: FixProvider = FixProvider::new(
    "RecordInstanceIsolationLevelCodeFixProvider",
    "ALCops: Replace LockTable() with ReadIsolation",
    Safety::Unsafe,
);

/// The first runtime with `ReadIsolation`.
const FIRST_RUNTIME: RuntimeVersion = RuntimeVersion::new(11, 0);

pub(crate) struct RecordInstanceIsolationLevel;

impl Rule for RecordInstanceIsolationLevel {
    const METADATA: Metadata = Metadata {
        id: "LC0031",
        name: "RecordInstanceIsolationLevel",
        title: "Prefer ReadIsolation to LockTable",
        cop: Cop::Linter,
        category: Category::Design,
        severity: Severity::Info,
        enabled_by_default: true,
        needs: Needs::Meaning,
        settings: &[],
        origin: Origin::Same("LC0031 of ALCops"),
        fixes: &[READ_ISOLATION],
        kinds: &[
            NodeKind::CallExpression,
            NodeKind::MemberAccess,
            NodeKind::NameExpression,
        ],
        documentation: DOCUMENTATION,
    };

    /// The call.
    type State = NodeId;

    fn find<'t>(node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let Some(name) = Expression::cast(node).and_then(Expression::name_token) else {
            return;
        };
        if !name.text().eq_ignore_ascii_case("LockTable") || !context.runtime_is_at_least(FIRST_RUNTIME) {
            return;
        }
        let Some(known) = context.meaning() else { return };
        let Some(method) = built_in_call(node, known) else {
            return;
        };
        let is_of_record = method.owner == well_known().record || method.owner == well_known().record_ref;
        if is_of_record && method.name == "LockTable" && !is_in_obsolete_code(node, context) {
            report.at(node.range(), node.id());
        }
    }

    fn message(_call: &Self::State, _tree: &Tree) -> String {
        "LockTable locks the table for everybody who reads it in this transaction. Let the one variable that needs it ask \
         for a lock: ReadIsolation(IsolationLevel::UpdLock)."
            .to_owned()
    }

    fn fix(&call: &Self::State, _fix: &'static FixProvider, tree: &Tree) -> Option<EditSet> {
        let call = tree.node(call);
        let name = Expression::cast(call)?.name_token()?;
        let range = candor_al_syntax::TextRange::new(name.range().start, call.range().end);
        if has_comment_or_directive(tree, range) {
            return None;
        }
        let mut edits = EditSet::new();
        edits
            .add(TextEdit::replace(range, "ReadIsolation(IsolationLevel::UpdLock)"))
            .ok()?;
        Some(edits)
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags(
                "records, references, and a record that needs no receiver",
                r"
                table 50100 A
                {
                    fields { field(1; B; Code[10]) { } }
                    procedure P(var C: Record Customer temporary; R: RecordRef)
                    begin
                        [|C.LockTable()|];
                        [|R.LockTable(true)|];
                        [|LockTable|];
                        [|this.LockTable()|];
                    end;
                }
                ",
            )
            .silent(
                "other methods, own procedures, obsolete code",
                r"
                codeunit 50100 A
                {
                    procedure LockTable()
                    begin
                        LockTable();
                        this.LockTable();
                    end;

                    [Obsolete('x')]
                    procedure Old(var C: Record Customer)
                    begin
                        C.LockTable();
                    end;
                }
                ",
            )
            .says(
                "what is better",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer)
                    begin
                        C.LockTable();
                    end;
                }
                ",
                "LockTable locks the table for everybody who reads it in this transaction. Let the one variable that \
                 needs it ask for a lock: ReadIsolation(IsolationLevel::UpdLock).",
            )
            .fixes(
                "the receiver stays, arguments go",
                r"
                table 50100 A
                {
                    fields { field(1; B; Code[10]) { } }
                    procedure P(var C: Record Customer)
                    begin
                        if true then C.LockTable(true, false) else this.LockTable();
                        LockTable;
                    end;
                }
                ",
                r"
                table 50100 A
                {
                    fields { field(1; B; Code[10]) { } }
                    procedure P(var C: Record Customer)
                    begin
                        if true then C.ReadIsolation(IsolationLevel::UpdLock) else this.ReadIsolation(IsolationLevel::UpdLock);
                        ReadIsolation(IsolationLevel::UpdLock);
                    end;
                }
                ",
            )
            .on_runtime(10, 0)
            .silent(
                "on a runtime without ReadIsolation",
                r"
                codeunit 50100 A
                {
                    procedure P(var C: Record Customer)
                    begin
                        C.LockTable();
                    end;
                }
                ",
            )
    }
}
