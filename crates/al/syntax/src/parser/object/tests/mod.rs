mod parts;
mod recovery;

use crate::parser::parse;
use crate::{NodeKind, Symbols, Tree};

fn tree_of(text: &str) -> Tree {
    let tree = parse(text, &Symbols::none());
    assert_eq!(
        tree.tokens().map(crate::TokenRef::text).collect::<String>(),
        text,
        "no byte is lost"
    );
    tree
}

/// Kind and name of all nodes that have a declared name, indented by depth among each other.
fn named_nodes(tree: &Tree) -> Vec<String> {
    tree.nodes()
        .filter(|node| node.child(NodeKind::Name).is_some() && node.kind() != NodeKind::VariableDeclaration)
        .map(|node| {
            let depth = node
                .ancestors()
                .filter(|outer| outer.child(NodeKind::Name).is_some())
                .count();
            let name = node.child(NodeKind::Name).map_or("", |name| name.text());
            format!("{}{:?} {name}", "  ".repeat(depth), node.kind())
        })
        .collect()
}
