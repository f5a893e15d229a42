//! CN0001: the text is not AL.

use candor_al_syntax::{Node, NodeKind, TextRange, Tree};

use crate::context::Context;
use crate::rule::{Report, Rule};
#[cfg(test)]
use crate::testing::Tester;
use crate::{Category, Cop, Metadata, Needs, Origin, Severity};

const DOCUMENTATION: &str = r"
## What it flags

A place where the text stops being AL: something is missing, something fits nowhere, or a string, name, comment or
directive is never closed.

A file that is no text at all, such as a picture with the wrong name, has one finding. Of a text with more than 100
such places the first 100 are told, and how many more there are.

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

/// So many errors of a file are told one by one; nobody reads more.
const TOLD: usize = 100;

/// Of so many characters at most one may be none of any text, or the file is taken for something else.
const TEXT_SHARE: usize = 50;

/// What there is to say about a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The error with this number among those of the tree.
    Error(usize),
    /// The whole file is something else.
    NoText,
    /// Here and behind are so many more errors.
    More(usize),
}

/// Where the first character is that no text has, when there are many of them: control characters, and those that
/// stand for bytes that could not be read.
fn junk(text: &str) -> Option<TextRange> {
    let is_junk = |character: char| {
        character == char::REPLACEMENT_CHARACTER
            || (character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}'))
    };
    let (start, first) = text.char_indices().find(|(_, character)| is_junk(*character))?;
    let (mut all, mut junk) = (0, 0);
    for character in text.chars() {
        all += 1;
        junk += usize::from(is_junk(character));
    }
    (junk * TEXT_SHARE > all).then(|| TextRange::new(start as u32, (start + first.len_utf8()) as u32))
}

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

    type State = Trouble;

    fn find<'t>(_node: Node<'t>, context: &Context<'t>, report: &mut Report<'_, Self::State>) {
        let tree = context.tree();
        let errors = tree.errors();
        if !errors.is_empty()
            && let Some(junk) = junk(tree.text())
        {
            return report.at(junk, Trouble::NoText);
        }
        for (number, error) in errors.iter().enumerate().take(TOLD) {
            report.at(error.range, Trouble::Error(number));
        }
        if let Some(error) = errors.get(TOLD) {
            report.at(error.range, Trouble::More(errors.len() - TOLD));
        }
    }

    fn message(trouble: &Self::State, tree: &Tree) -> String {
        match *trouble {
            Trouble::Error(number) => {
                let error = &tree.errors()[number];
                error.kind.message(tree.slice(error.range))
            }
            Trouble::NoText => {
                "This file is not AL text: it holds bytes that no text has. If it is something else, give \
                                it another name; if it is AL, save it anew as UTF-8"
                    .to_owned()
            }
            Trouble::More(1) => "One more place from here on where the text is not AL is not told".to_owned(),
            Trouble::More(number) => {
                format!("{number} more places from here on where the text is not AL are not told one by one")
            }
        }
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
            .flags_broken("a file that is something else has one finding", "[|\u{0}|]\u{1}PNG;\u{2}\u{0};)(;\u{0}")
            .says(
                "that a file is no text",
                "\u{0}\u{1}PNG;\u{2}\u{0};",
                "This file is not AL text: it holds bytes that no text has. If it is something else, give it another name; if \
                 it is AL, save it anew as UTF-8",
            )
            .flags_broken(
                "a stray control character does not make a file something else",
                "codeunit 1 A\n{\n    procedure B()\n    begin\n        Message('A'[|\u{1}|], 'B', 'C', 'D', 'E');\n    end;\n}\n",
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
