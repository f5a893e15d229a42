//! How rules ask what names mean.
//!
//! Nothing is looked up before the first rule asks, and then once for the whole file. What is not known is unknown to
//! every rule alike: no symbol, no type, and so no finding.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use candor_al_model::{Binding, FileId, MethodFacts, Symbol, Type, Universe, bind, built_ins};
use candor_al_syntax::{Node, Tree};

/// A file among all that is declared around it.
#[derive(Clone)]
pub struct Workspace {
    universe: Arc<Universe>,
    file: FileId,
}

impl Workspace {
    /// The file with this number in a universe that knows its declarations.
    pub fn new(universe: Arc<Universe>, file: FileId) -> Self {
        Self { universe, file }
    }

    /// The number of the file.
    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    pub(crate) fn universe(&self) -> &Universe {
        &self.universe
    }

    /// What the names of a tree of the file mean.
    pub(crate) fn bind(&self, tree: &Tree) -> Option<Binding> {
        ((self.file.0 as usize) < self.universe.file_count()).then(|| bind(&self.universe, self.file, tree))
    }
}

impl PartialEq for Workspace {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.universe, &other.universe) && self.file == other.file
    }
}

impl Eq for Workspace {}

impl Hash for Workspace {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.file.hash(state);
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Workspace")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

/// What the names in a file mean.
#[derive(Clone, Copy)]
pub(crate) struct Known<'c> {
    pub(crate) universe: &'c Universe,
    pub(crate) binding: &'c Binding,
}

impl<'c> Known<'c> {
    pub(crate) fn new(universe: &'c Universe, binding: &'c Binding) -> Self {
        Self { universe, binding }
    }

    /// What the name, member, scope or call means.
    pub(crate) fn symbol(self, node: Node<'_>) -> Symbol {
        self.binding.symbol(node.id())
    }

    /// What the expression is.
    pub(crate) fn type_of(self, node: Node<'_>) -> Type {
        self.binding.type_of(node.id())
    }

    /// The method of AL itself that the name or call means.
    pub(crate) fn built_in(self, node: Node<'_>) -> Option<&'static MethodFacts> {
        match self.symbol(node) {
            Symbol::Method(method) => Some(built_ins().method(method)),
            _ => None,
        }
    }
}
