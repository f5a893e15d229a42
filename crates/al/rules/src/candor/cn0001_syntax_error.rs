//! CN0001: the text is not AL.

use candor_al_syntax::{Node, NodeKind, Tree};

use crate::context::Context;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A place where the text stops being AL: something is missing, something fits nowhere, or a string, name, comment or
directive is never closed.

## Why

The compiler will refuse the file. Until then every other answer about it is a guess: rules stay silent about the
member or object that is broken, since a finding there could accuse you of what you never wrote.

## Example

```al
codeunit 50100 Greeter
{
    procedure Greet()
    begin
        Message('Hello'
    end;
}
```

## Better

```al
codeunit 50100 Greeter
{
    procedure Greet()
    begin
        Message('Hello');
    end;
}
```

## When to ignore it

Never: it can be neither suppressed nor switched off. If the compiler accepts the text, the parser is wrong; please
report it with the line.
";

pub(crate) struct SyntaxError;

impl Rule for SyntaxError {
    const METADATA: Metadata = Metadata {
        id: "CN0001",
        name: "SyntaxError",
        title: "The text is not AL",
        cop: Cop::Candor,
        category: Category::Syntax,
        severity: Severity::Error,
        enabled_by_default: true,
        needs: Needs::Syntax,
        settings: &[],
        origin: Origin::Own,
        fixes: &[],
        kinds: &[NodeKind::CompilationUnit],
        documentation: DOCUMENTATION,
    };

    /// Number of the error among those of the tree.
    type State = usize;

    fn find<'t>(_node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        for (number, error) in context.tree().errors().iter().enumerate() {
            report.at(error.range, number);
        }
    }

    fn message(&error: &Self::State, tree: &Tree) -> String {
        let error = &tree.errors()[error];
        error.kind.message(tree.slice(error.range))
    }

    #[cfg(test)]
    fn tests(tests: Tester) -> Tester {
        tests
            .flags_broken(
                "a missing parenthesis is reported where something else stands",
                r"
                codeunit 1 A
                {
                    procedure B()
                    begin
                        Message('Hello'[|;|]
                    end;
                }
                ",
            )
            .flags_broken(
                "a pragma does not suppress it",
                r"
                #pragma warning disable
                codeunit 1 A
                {
                    procedure B()
                    begin
                        Message('Hello'[|;|]
                    end;
                }
                ",
            )
            .says(
                "what was expected and what stands there instead",
                r"
                codeunit 1 A
                {
                    procedure B()
                    begin
                        x := ;
                    end;
                }
                ",
                "Expected an expression, found `;`",
            )
            .silent(
                "text that is AL",
                r"
                codeunit 1 A
                {
                }
                ",
            )
    }
}
