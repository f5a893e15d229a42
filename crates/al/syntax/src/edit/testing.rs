//! How edits are tested: texts before and after, with both kinds of line end.

use super::EditSet;
use crate::directive::Symbols;
use crate::kind::NodeKind;
use crate::parser::parse;
use crate::tree::{Node, Tree};

/// Makes the edits that `edit` builds for the first node of a kind. The text must be AL before and after, and must come
/// out the same, line ends aside, when its lines end with CR and LF.
pub(super) fn edited(text: &str, kind: NodeKind, edit: impl Fn(Node<'_>) -> Option<EditSet>) -> Option<String> {
    nth_edited(text, kind, 0, edit)
}

/// As [`edited`], for the node with this number among those of its kind.
pub(super) fn nth_edited(
    text: &str,
    kind: NodeKind,
    number: usize,
    edit: impl Fn(Node<'_>) -> Option<EditSet>,
) -> Option<String> {
    let run = |text: &str| {
        let tree = parsed(text);
        let node = tree
            .root()
            .descendants_of(kind)
            .nth(number)
            .expect("the text has such a node");
        let result = edit(node).map(|edits| edits.apply(tree.text()));
        if let Some(result) = &result {
            parsed(result);
        }
        result
    };
    let result = run(text);
    let with_carriage_returns = run(&text.replace('\n', "\r\n"));
    let expected = result.as_ref().map(|result| result.replace('\n', "\r\n"));
    assert_eq!(with_carriage_returns, expected, "line ends are those of the file");
    result
}

fn parsed(text: &str) -> Tree {
    let tree = parse(text, &Symbols::none());
    assert_eq!(tree.errors(), [], "{tree:?}");
    tree
}
