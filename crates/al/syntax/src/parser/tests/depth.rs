//! Nothing may exhaust the stack, however deep the text nests: every test runs on the smallest stack there is.

use crate::directive::Symbols;
use crate::kind::NodeKind;
use crate::parser::parse;
use crate::tree::{TokenRef, Tree};

const MANY: usize = 100_000;

/// Parses a body of a method on a thread with 2 MiB of stack; the tree has to keep the whole text.
fn parse_body(statements: &str) -> Tree {
    let text = format!(
        "codeunit 1 A\n{{\n  procedure B()\n  begin\n    {statements}\n  end;\n\n  procedure C()\n  begin\n  end;\n}}\n"
    );
    let parse_it = move || {
        let tree = parse(text.as_str(), &Symbols::none());
        let whole: String = tree.tokens().map(TokenRef::text).collect();
        assert_eq!(whole, text);
        tree
    };
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(parse_it)
        .expect("a thread");
    let tree = thread.join().expect("no overflow");
    assert_eq!(
        tree.root().descendants_of(NodeKind::Procedure).count(),
        2,
        "the next procedure is still there"
    );
    tree
}

#[test]
fn nested_brackets_and_blocks_are_cut_off_with_one_error() {
    let many = |text: &str| text.repeat(MANY);
    let texts = [
        format!("x := {}1{};", many("("), many(")")),
        format!("x := {}1;", many("(")),
        format!("{}x{};", many("f("), many(")")),
        format!("x := {}1{};", many("a["), many("]")),
        format!("b := a in {}1{};", many("["), many("]")),
        format!("b := a in {};", many("[")),
        format!("{} {}", many("begin "), many("end; ")),
        format!("{} {}", many("repeat "), many("until a; ")),
        format!("{} {}", many("case a of 1: "), many("end; ")),
        format!("{} x;", many("if a then ")),
        format!("{} x;", many("while a do ")),
        format!("{} x;", many("asserterror ")),
    ];
    for text in texts {
        let tree = parse_body(&text);
        let errors = tree.errors().len();
        assert!((1..=2).contains(&errors), "{} errors for {}…", errors, &text[..20]);
    }
}

#[test]
fn an_unclosed_begin_at_each_level_is_cut_off_too() {
    let tree = parse_body(&"begin ".repeat(MANY));
    assert!(!tree.errors().is_empty());
}

#[test]
fn what_is_long_but_not_deep_has_no_limit() {
    let many = |text: &str, count: usize| text.repeat(count);
    let texts = [
        format!("x := a{};", many(" + a", MANY)),
        format!("x := a{};", many(".b", MANY)),
        format!("x := a{};", many("::b", MANY)),
        format!("x := {}a;", many("- ", MANY)),
        format!("x := {}a;", many("not ", MANY)),
        format!("x := a{};", many("[1]", MANY)),
        format!("a{};", many("(1)", MANY)),
        format!("x := {}d;", many("a ? b : ", MANY)),
        format!("{} c;", many("if a then b else ", 5_000)),
        format!("{} begin c; end;", many("if a then begin b; end else ", 5_000)),
        many("a; ", MANY),
        format!("f(a{});", many(", a", MANY)),
        format!("case a of 1{}: b; end;", many(", 1..2", MANY)),
    ];
    for text in texts {
        assert_eq!(parse_body(&text).errors(), [], "{}…", &text[..20]);
    }
}

#[test]
fn nested_types_are_cut_off() {
    let tree = parse_body(&format!("x := a is {}Text;", "List of [".repeat(MANY)));
    assert!(!tree.errors().is_empty());
    let tree = parse_body(&format!("x := a is {}Text;", "array[1] of ".repeat(MANY)));
    assert!(!tree.errors().is_empty());
}
