//! Broken code: which parts of a tree can be relied on.
//!
//! The parser always gives a tree, but next to a syntax error it had to guess, and a rule that trusts the guess accuses
//! people of what they never wrote. A false finding is worse than a missed one, all the more while somebody is typing.
//!
//! * An error inside a procedure or trigger makes that member unreliable, and nothing else: the members around it and
//!   the properties of its object are still what they were.
//! * An error elsewhere in an object (a property, a control, a stray brace) makes the whole object unreliable: what
//!   the parser lost there may be the very property that a rule misses.
//! * An error outside every object makes the whole file unreliable: the object before it may have ended too early.

use candor_al_syntax::ast::Object;
use candor_al_syntax::{Node, NodeKind, TextRange, TokenRef, Tree};

use crate::context::method_of;

/// The unreliable parts of a tree, in text order.
pub(crate) struct Damage<'t> {
    parts: Vec<Node<'t>>,
}

impl<'t> Damage<'t> {
    pub(crate) fn of(tree: &'t Tree) -> Self {
        let mut parts: Vec<Node<'t>> = Vec::new();
        for error in tree.errors() {
            // An error about something missing stands behind the last token that fits, or at the next one: the token
            // before it belongs to the broken part just as well.
            let before = tree.token_at(error.range.start).previous_significant();
            let places = [Some(error.range), before.map(TokenRef::range)];
            for place in places.into_iter().flatten() {
                let part = unreliable_part(tree.covering_node(place));
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        Self { parts }
    }

    /// Whether nothing unreliable overlaps the node, apart from broken members further down in an object.
    pub(crate) fn spares(&self, node: Node<'_>) -> bool {
        let range = node.range();
        let touches = |part: TextRange| part.start <= range.end && range.start <= part.end;
        !self.parts.iter().any(|part| {
            let is_member = matches!(part.kind(), NodeKind::Procedure | NodeKind::Trigger);
            let is_around_member = is_member && node != *part && range.contains_range(part.range());
            touches(part.range()) && !is_around_member
        })
    }
}

fn unreliable_part(node: Node<'_>) -> Node<'_> {
    method_of(node)
        .or_else(|| Object::around(node).map(Object::node))
        .unwrap_or_else(|| node.tree().root())
}
