//! Words of the language in any order: the parser has to take all of them, keep the text, and come to an end.

use proptest::prelude::*;

use crate::directive::Symbols;
use crate::parser::parse;
use crate::tree::TokenRef;

const WORDS: &[&str] = &[
    "begin",
    "end",
    "end;",
    "if",
    "then",
    "else",
    "case",
    "of",
    "repeat",
    "until",
    "for",
    "to",
    "do",
    "foreach",
    "in",
    "while",
    "with",
    "exit",
    "break",
    "continue",
    "asserterror",
    "not",
    "and",
    "or",
    "div",
    "is",
    "as",
    "var",
    "procedure",
    "trigger",
    "local",
    "internal",
    "protected",
    "event",
    "[Test]",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    ":",
    "::",
    ",",
    ".",
    "..",
    ":=",
    "+=",
    "=",
    "<>",
    "<",
    "+",
    "-",
    "*",
    "?",
    "#",
    "1",
    "'s'",
    "'open",
    "\"q\"",
    "\"open",
    "@'v'",
    "/* c */",
    "// c\n",
    "a",
    "Foo",
    "Record",
    "Option",
    "List",
    "array",
    "Label",
    "DotNet",
    "Code",
    "temporary",
    "codeunit",
    "table",
    "page",
    "interface",
    "fields",
    "field",
    "Caption",
    "Permissions",
    "tabledata",
    "where",
    "true",
    "this",
    "#if A\n",
    "\n#else\n",
    "\n#endif\n",
];

fn soup() -> impl Strategy<Value = String> {
    let blanks = prop::sample::select(vec![" ", " ", " ", "\n", "\n  ", "\n    ", "\n        ", "\r\n\t", ""]);
    let piece = (prop::sample::select(WORDS), blanks).prop_map(|(word, blank)| format!("{word}{blank}"));
    prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

fn keeps_its_text(text: &str) {
    let tree = parse(text, &Symbols::none());
    assert_eq!(tree.tokens().map(TokenRef::text).collect::<String>(), text);
    // Every child lies inside its parent, behind the sibling before it.
    for node in tree.nodes() {
        let mut from = node.range().start;
        for child in node.children() {
            assert!(
                from <= child.range().start && child.range().end <= node.range().end,
                "{text:?}\n{tree:?}"
            );
            from = child.range().end;
        }
    }
    assert!(tree.errors().is_sorted_by_key(|error| error.range.start));
}

proptest! {
    #[test]
    fn any_words(text in soup()) {
        keeps_its_text(&text);
    }

    #[test]
    fn any_words_in_a_body(text in soup()) {
        keeps_its_text(&format!("codeunit 1 A\n{{\n    procedure B()\n    begin\n        {text}\n    end;\n}}\n"));
    }
}
