use std::fmt;
use std::sync::Arc;

use crate::directive::Directive;
use crate::error::SyntaxError;
use crate::keyword::Keyword;
use crate::kind::{KindSet, NodeKind};
use crate::range::TextRange;
use crate::token::{Token, TokenKind};

/// The syntax tree of one text.
///
/// Two flat arrays: tokens in text order (trivia included, so that together they are the text) and nodes in document
/// order, parents before children. A subtree is a contiguous run of the node array; walking it needs no recursion,
/// and neither nesting depth nor size can overflow a stack.
#[derive(Clone)]
pub struct Tree {
    text: Arc<str>,
    tokens: Vec<Token>,
    nodes: Vec<NodeData>,
    errors: Vec<SyntaxError>,
    directives: Vec<Directive>,
    kinds: KindSet,
}

/// The number of a node in its tree; stable for the life of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

#[derive(Clone, Copy)]
struct NodeData {
    kind: NodeKind,
    /// Index of the first token that is not trivia.
    first_token: u32,
    /// Index just behind the last token that is not trivia.
    end_token: u32,
    /// Index just behind the last node of the subtree.
    end_node: u32,
    parent: u32,
}

/// A node as the parser leaves it: children before parents.
#[derive(Clone, Copy)]
pub(crate) struct RawNode {
    pub(crate) kind: NodeKind,
    pub(crate) first_token: u32,
    pub(crate) end_token: u32,
    /// Number of nodes in the subtree, this one included.
    pub(crate) size: u32,
}

impl Tree {
    /// Turns the parser's children-first array, whose last node is the root, into document order.
    pub(crate) fn new(
        text: Arc<str>,
        tokens: Vec<Token>,
        raw: &[RawNode],
        errors: Vec<SyntaxError>,
        directives: Vec<Directive>,
    ) -> Self {
        let count = raw.len();
        let root = raw[count - 1];
        debug_assert_eq!(root.size as usize, count, "the root holds every node");
        let filler = NodeData {
            kind: root.kind,
            first_token: root.first_token,
            end_token: root.end_token,
            end_node: count as u32,
            parent: 0,
        };
        let mut nodes = vec![filler; count];
        let mut kinds = KindSet::default();
        kinds.insert(root.kind);
        // Walking backwards meets parents before children and later siblings before earlier ones. `open` holds, for
        // each ancestor, where its next (earlier) child has to end and how many raw nodes are still to come below it.
        let mut open: Vec<(u32, u32, u32)> = vec![(0, count as u32, root.size - 1)];
        for node in raw[..count - 1].iter().rev() {
            while open.last().is_some_and(|&(_, _, left)| left == 0) {
                open.pop();
            }
            let Some((parent, end, left)) = open.last_mut() else {
                break;
            };
            let index = *end - node.size;
            // An empty node begins at the token ahead of the parser, behind trivia that its parent may end before.
            let limit = nodes[*parent as usize].end_token;
            nodes[index as usize] = NodeData {
                kind: node.kind,
                first_token: node.first_token.min(limit),
                end_token: node.end_token.min(limit),
                end_node: *end,
                parent: *parent,
            };
            kinds.insert(node.kind);
            let child_end = *end;
            *end = index;
            *left -= node.size;
            if node.size > 1 {
                open.push((index, child_end, node.size - 1));
            }
        }
        Self {
            text,
            tokens,
            nodes,
            errors,
            directives,
            kinds,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole text, shared.
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// The root node, a [`NodeKind::CompilationUnit`].
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, index: 0 }
    }

    /// The node with this number.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        debug_assert!((id.0 as usize) < self.nodes.len());
        Node {
            tree: self,
            index: id.0,
        }
    }

    /// All nodes in document order, parents before children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(move |index| Node { tree: self, index })
    }

    /// All tokens in text order, trivia included.
    pub fn tokens(&self) -> impl ExactSizeIterator<Item = TokenRef<'_>> + DoubleEndedIterator {
        (0..self.tokens.len() as u32).map(move |index| TokenRef { tree: self, index })
    }

    /// The token with this index; trivia count.
    pub fn token(&self, index: u32) -> TokenRef<'_> {
        debug_assert!((index as usize) < self.tokens.len());
        TokenRef { tree: self, index }
    }

    /// The token that covers the byte at `offset`; the end of the file for an offset behind the text.
    pub fn token_at(&self, offset: u32) -> TokenRef<'_> {
        let behind = self.tokens.partition_point(|token| token.start <= offset);
        let mut index = behind.saturating_sub(1);
        // The end of the file starts where an empty rest would: prefer the token that has the byte.
        if offset as usize >= self.text.len() {
            index = self.tokens.len() - 1;
        }
        TokenRef {
            tree: self,
            index: index as u32,
        }
    }

    /// Every syntax error, in text order.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// Every directive, in text order.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }

    /// The stretches of text that the conditions switch off, in text order: whole lines between two directive lines.
    pub fn disabled_ranges(&self) -> impl Iterator<Item = TextRange> {
        self.tokens()
            .filter(|token| token.kind() == TokenKind::DisabledText)
            .map(TokenRef::range)
    }

    /// The kinds of node that occur.
    pub fn kinds(&self) -> KindSet {
        self.kinds
    }

    /// The text of a range.
    pub fn slice(&self, range: TextRange) -> &str {
        &self.text[range.as_usize()]
    }

    /// The smallest node that covers the whole range.
    pub fn covering_node(&self, range: TextRange) -> Node<'_> {
        // Nodes are sorted by their start, parents first: the last one that starts here or before is the innermost
        // around the place, or stands beside it below the one that is.
        let behind = self
            .nodes
            .partition_point(|node| self.tokens[node.first_token as usize].start <= range.start);
        let mut node = self.node(NodeId(behind.saturating_sub(1) as u32));
        while !node.range().contains_range(range) {
            let Some(parent) = node.parent() else { break };
            node = parent;
        }
        node
    }
}

impl fmt::Debug for Tree {
    /// The tree as an indented outline with the text of each token that is no trivia; tests compare it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends: Vec<(u32, u32)> = Vec::new();
        let mut next_token = 0;
        let token_lines = |formatter: &mut fmt::Formatter<'_>, from: u32, to: u32, depth: usize| -> fmt::Result {
            for token in (from..to).map(|index| self.token(index)) {
                if !token.kind().is_trivia() && token.kind() != TokenKind::EndOfFile {
                    writeln!(formatter, "{:depth$}{}", "", token.text(), depth = depth * 2)?;
                }
            }
            Ok(())
        };
        for (index, node) in self.nodes.iter().enumerate() {
            while let Some(&(end_node, end_token)) = ends.last() {
                if (index as u32) < end_node {
                    break;
                }
                token_lines(formatter, next_token, end_token, ends.len())?;
                next_token = next_token.max(end_token);
                ends.pop();
            }
            if index > 0 {
                token_lines(formatter, next_token, node.first_token, ends.len())?;
                next_token = next_token.max(node.first_token);
            }
            writeln!(formatter, "{:depth$}{:?}", "", node.kind, depth = ends.len() * 2)?;
            ends.push((node.end_node, node.end_token));
        }
        while let Some((_, end_token)) = ends.last().copied() {
            token_lines(formatter, next_token, end_token, ends.len())?;
            next_token = next_token.max(end_token);
            ends.pop();
        }
        for error in &self.errors {
            let found = self.token_at(error.range.start).text();
            writeln!(formatter, "error at {:?}: {}", error.range, error.kind.message(found))?;
        }
        Ok(())
    }
}

/// A node of a tree: a handle that is copied freely.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> Node<'t> {
    #[inline]
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.index as usize]
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Its number.
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// What it is.
    #[inline]
    pub fn kind(self) -> NodeKind {
        self.data().kind
    }

    /// From its first to its last token, trivia before and behind left out.
    pub fn range(self) -> TextRange {
        let data = self.data();
        let start = self.tree.tokens[data.first_token as usize].start;
        if data.end_token <= data.first_token {
            return TextRange::empty(start);
        }
        TextRange::new(start, self.tree.token(data.end_token - 1).range().end)
    }

    /// Its text, trivia inside included.
    pub fn text(self) -> &'t str {
        self.tree.slice(self.range())
    }

    /// The node it is a child of; none for the root.
    pub fn parent(self) -> Option<Self> {
        (self.index != 0).then(|| Self {
            tree: self.tree,
            index: self.data().parent,
        })
    }

    /// Its parent, the parent of that, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// Its child nodes in text order.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let end = self.data().end_node;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let child = Self {
                tree: self.tree,
                index: next,
            };
            next = child.data().end_node;
            Some(child)
        })
    }

    /// The first child of this kind.
    pub fn child(self, kind: NodeKind) -> Option<Self> {
        self.children().find(|child| child.kind() == kind)
    }

    /// The children of this kind.
    pub fn children_of(self, kind: NodeKind) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.kind() == kind)
    }

    /// The node itself and everything below it, in document order.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        (self.index..self.data().end_node).map(move |index| Self { tree: self.tree, index })
    }

    /// The numbers of the node itself and of everything below it.
    pub fn subtree(self) -> std::ops::Range<u32> {
        self.index..self.data().end_node
    }

    /// Everything below the node of this kind, in document order; the node itself too if it is one.
    pub fn descendants_of(self, kind: NodeKind) -> impl Iterator<Item = Self> {
        self.descendants().filter(move |node| node.kind() == kind)
    }

    /// Every token from the first to the last, trivia and tokens of children included.
    pub fn tokens(self) -> impl DoubleEndedIterator<Item = TokenRef<'t>> {
        let data = self.data();
        (data.first_token..data.end_token).map(move |index| TokenRef { tree: self.tree, index })
    }

    /// The tokens that belong to this node itself: no trivia, none of a child.
    pub fn own_tokens(self) -> impl Iterator<Item = TokenRef<'t>> {
        let data = self.data();
        let mut next = data.first_token;
        let mut children = self.children().peekable();
        std::iter::from_fn(move || {
            loop {
                while let Some(child) = children.peek() {
                    let child = child.data();
                    if next < child.first_token {
                        break;
                    }
                    next = next.max(child.end_token);
                    children.next();
                }
                if next >= data.end_token {
                    return None;
                }
                let token = TokenRef {
                    tree: self.tree,
                    index: next,
                };
                next += 1;
                if !token.kind().is_trivia() {
                    return Some(token);
                }
            }
        })
    }

    /// The first of its own tokens of this kind.
    pub fn own_token(self, kind: TokenKind) -> Option<TokenRef<'t>> {
        self.own_tokens().find(|token| token.kind() == kind)
    }

    /// The first of its own tokens that is this word.
    pub fn own_keyword(self, keyword: Keyword) -> Option<TokenRef<'t>> {
        self.own_tokens().find(|token| token.keyword() == keyword)
    }

    /// Its first token; none for an empty node.
    pub fn first_token(self) -> Option<TokenRef<'t>> {
        let data = self.data();
        (data.first_token < data.end_token).then_some(TokenRef {
            tree: self.tree,
            index: data.first_token,
        })
    }

    /// Its last token; none for an empty node.
    pub fn last_token(self) -> Option<TokenRef<'t>> {
        let data = self.data();
        (data.first_token < data.end_token).then(|| TokenRef {
            tree: self.tree,
            index: data.end_token - 1,
        })
    }

    /// The sibling that follows.
    pub fn next_sibling(self) -> Option<Self> {
        let parent = self.parent()?;
        let next = self.data().end_node;
        (next < parent.data().end_node).then_some(Self {
            tree: self.tree,
            index: next,
        })
    }

    /// Whether a syntax error lies in the node.
    pub fn has_error(self) -> bool {
        let range = self.range();
        let errors = &self.tree.errors;
        let first = errors.partition_point(|error| error.range.end < range.start);
        errors.get(first).is_some_and(|error| error.range.start <= range.end)
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}@{:?}", self.kind(), self.range())
    }
}

/// A token of a tree: a handle that is copied freely.
#[derive(Clone, Copy)]
pub struct TokenRef<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> TokenRef<'t> {
    #[inline]
    fn data(self) -> Token {
        self.tree.tokens[self.index as usize]
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Its index among all tokens of the tree.
    pub fn index(self) -> u32 {
        self.index
    }

    /// What it is.
    #[inline]
    pub fn kind(self) -> TokenKind {
        self.data().kind
    }

    /// Which word of the language it spells.
    #[inline]
    pub fn keyword(self) -> Keyword {
        self.data().keyword
    }

    /// Whether a line end lies between it and the significant token before it.
    pub fn first_on_line(self) -> bool {
        self.data().first_on_line
    }

    /// Where it stands.
    #[inline]
    pub fn range(self) -> TextRange {
        let end = self
            .tree
            .tokens
            .get(self.index as usize + 1)
            .map_or(self.tree.text.len() as u32, |next| next.start);
        TextRange::new(self.data().start, end)
    }

    /// Its text as written.
    pub fn text(self) -> &'t str {
        self.tree.slice(self.range())
    }

    /// The directive that a [`TokenKind::Directive`] token spells.
    pub fn directive(self) -> Option<&'t Directive> {
        let directives = &self.tree.directives;
        directives
            .binary_search_by_key(&self.index, |directive| directive.token)
            .ok()
            .map(|index| &directives[index])
    }

    /// The token before it, trivia included.
    pub fn previous(self) -> Option<Self> {
        (self.index > 0).then(|| Self {
            tree: self.tree,
            index: self.index - 1,
        })
    }

    /// The token behind it, trivia included.
    pub fn next(self) -> Option<Self> {
        (self.index as usize + 1 < self.tree.tokens.len()).then(|| Self {
            tree: self.tree,
            index: self.index + 1,
        })
    }

    /// The nearest token before it that is no trivia.
    pub fn previous_significant(self) -> Option<Self> {
        std::iter::successors(self.previous(), |token| token.previous()).find(|token| !token.kind().is_trivia())
    }

    /// The nearest token behind it that is no trivia (at last the end of the file).
    pub fn next_significant(self) -> Option<Self> {
        std::iter::successors(self.next(), |token| token.next()).find(|token| !token.kind().is_trivia())
    }
}

impl PartialEq for TokenRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl Eq for TokenRef<'_> {}

impl fmt::Debug for TokenRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}@{:?} {:?}", self.kind(), self.range(), self.text())
    }
}

#[cfg(test)]
mod tests;
