//! Views over the code of methods, read from small texts.

use crate::directive::Symbols;
use crate::kind::NodeKind;
use crate::parser::parse;
use crate::tree::{Node, TokenRef, Tree};

mod expressions;
mod members;
mod statements;

/// The tree of a codeunit with these members.
fn members(text: &str) -> Tree {
    parse(format!("codeunit 1 A {{ {text} }}"), &Symbols::none())
}

/// The tree of a codeunit with one procedure that has these statements.
fn body(text: &str) -> Tree {
    members(&format!("procedure B() begin {text} end;"))
}

/// The first node of a kind.
#[track_caller]
fn first(tree: &Tree, kind: NodeKind) -> Node<'_> {
    tree.root().descendants_of(kind).next().expect("a node of this kind")
}

fn text(token: Option<TokenRef<'_>>) -> Option<&str> {
    token.map(TokenRef::text)
}
