//! What the tests of the parser share.

use super::*;

mod depth;
mod expressions;
mod members;
mod recovery;
mod soup;
mod statements;
mod types;

/// The tree that `rule` makes of a text, below a root; what it leaves over is outside every node but the root.
pub(super) fn parse_with(text: &str, rule: impl FnOnce(&mut Parser<'_>)) -> Tree {
    let text: Arc<str> = text.into();
    let lexed = lex(&text, &Symbols::none());
    let mut parser = Parser::new(&text, &lexed.tokens, &lexed.errors);
    let start = parser.start();
    rule(&mut parser);
    parser.finish_root(start, NodeKind::CompilationUnit);
    let Parser { nodes, mut errors, .. } = parser;
    errors.extend(lexed.errors.iter().cloned());
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    Tree::new(Arc::clone(&text), lexed.tokens, &nodes, errors, lexed.directives)
}

/// The errors of a tree as `line:column message`, both from 1.
pub(super) fn errors_of(tree: &Tree) -> Vec<String> {
    tree.errors()
        .iter()
        .map(|error| {
            let before = &tree.text()[..error.range.start as usize];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            format!(
                "{line}:{column} {}",
                error.kind.message(tree.token_at(error.range.start).text())
            )
        })
        .collect()
}

/// The tree as nested kinds on one line: `Kind(child, child)`, with the text of nodes that have no children.
pub(super) fn shape(node: crate::tree::Node<'_>) -> String {
    let children: Vec<String> = node.children().map(shape).collect();
    if children.is_empty() {
        format!("{:?} `{}`", node.kind(), node.text())
    } else {
        format!("{:?}({})", node.kind(), children.join(", "))
    }
}
