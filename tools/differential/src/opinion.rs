//! What tree-sitter-al sees.

use candor_al_syntax::{TokenKind, Tree};
use tree_sitter::{Language, Parser, TreeCursor};

use crate::constructs::{CONSTRUCTS, Scope};

/// The other parser, ready to use.
pub struct Opinion {
    language: Language,
    /// For each kind of node, the constructs of [`CONSTRUCTS`] that it belongs to, as bits.
    constructs: Vec<u128>,
}

impl Opinion {
    pub fn new() -> Self {
        assert!(CONSTRUCTS.len() <= 128, "one bit for each construct");
        let language = Language::from(tree_sitter_al::LANGUAGE);
        let constructs = (0..language.node_kind_count() as u16)
            .map(|id| {
                let name = language.node_kind_for_id(id).unwrap_or_default();
                let named = language.node_kind_is_named(id);
                let bits = CONSTRUCTS
                    .iter()
                    .enumerate()
                    .map(|(index, construct)| u128::from(named && construct.theirs.contains(&name)) << index);
                bits.sum()
            })
            .collect();
        Self { language, constructs }
    }

    /// Names that [`CONSTRUCTS`] uses and the grammar does not.
    pub fn unknown_names(&self) -> impl Iterator<Item = &'static str> {
        let names = CONSTRUCTS.iter().flat_map(|construct| construct.theirs).copied();
        names.filter(|name| self.language.id_for_node_kind(name, true) == 0)
    }

    /// Where each construct stands in `text`, sorted; or the offset of the first place that tree-sitter-al rejects.
    pub fn places(&self, text: &[u8]) -> Result<Vec<Vec<(u32, u32)>>, u32> {
        let mut parser = Parser::new();
        parser
            .set_language(&self.language)
            .expect("runtime and grammar fit each other");
        let tree = parser
            .parse(text, None)
            .expect("neither a time limit nor a cancellation is set");
        let mut places = vec![Vec::new(); CONSTRUCTS.len()];
        let mut cursor = tree.walk();
        // Depth of the outermost block that encloses the cursor.
        let mut block_depth = None;
        loop {
            let node = cursor.node();
            let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
            if node.is_error() || node.is_missing() {
                return Err(start);
            }
            if block_depth.is_some_and(|depth| cursor.depth() <= depth) {
                block_depth = None;
            }
            if node.kind() == "code_block" && block_depth.is_none() {
                block_depth = Some(cursor.depth());
            }
            let mut bits = self.constructs[usize::from(node.kind_id())];
            while bits != 0 {
                let index = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                match CONSTRUCTS[index].scope {
                    Scope::Starts => places[index].push((start, start)),
                    Scope::SpansInCode if block_depth.is_some() => places[index].push((start, end)),
                    Scope::SpansInCode => {}
                }
            }
            if !advance(&mut cursor) {
                break;
            }
        }
        for places in &mut places {
            places.sort_unstable();
        }
        Ok(places)
    }
}

/// Goes to the next node in document order.
fn advance(cursor: &mut TreeCursor<'_>) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}

/// The text of our tree with directives and inactive text turned into blanks; line ends stay.
pub fn without_directives(tree: &Tree) -> Vec<u8> {
    let mut bytes = tree.text().as_bytes().to_vec();
    for token in tree.tokens() {
        if matches!(token.kind(), TokenKind::Directive | TokenKind::DisabledText) {
            for byte in &mut bytes[token.range().as_usize()] {
                if !matches!(*byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
        }
    }
    bytes
}
