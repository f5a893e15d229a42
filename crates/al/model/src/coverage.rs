//! How much of a program is understood: the names in bodies, bound or not, and why not.

use candor_al_syntax::{NodeId, NodeKind, Tree};

use crate::binding::{Binding, Symbol};
use crate::types::Cause;

/// Counts of names in bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Names whose meaning is known.
    pub bound: u64,
    /// Names whose meaning is not known, by the index of their cause in [`Cause::ALL`].
    pub unbound: [u64; Cause::ALL.len()],
}

impl Coverage {
    /// Adds the counts of another part of the program.
    pub fn add(&mut self, other: &Self) {
        self.bound += other.bound;
        for (mine, theirs) in self.unbound.iter_mut().zip(other.unbound) {
            *mine += theirs;
        }
    }

    /// The names whose meaning is not known for this cause.
    pub fn unbound_by(&self, cause: Cause) -> u64 {
        let index = Cause::ALL.iter().position(|it| *it == cause);
        index.map_or(0, |index| self.unbound[index])
    }

    /// All names.
    pub fn total(&self) -> u64 {
        self.bound + self.unbound.iter().sum::<u64>()
    }
}

/// A name whose meaning is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnboundName {
    /// The node that holds it: a name, a member access or a scope access.
    pub node: NodeId,
    /// Why.
    pub cause: Cause,
}

/// Counts the names in the bodies of a file, and shows each that is not bound to `see`.
pub fn coverage_of(tree: &Tree, binding: &Binding, see: &mut dyn FnMut(UnboundName)) -> Coverage {
    let mut coverage = Coverage::default();
    let mut index = 0;
    let count = tree.nodes().len() as u32;
    while index < count {
        let node = tree.node(NodeId(index));
        index += 1;
        // Outside of methods there are no blocks.
        if node.kind() != NodeKind::Block {
            continue;
        }
        let range = node.subtree();
        for inner in range.clone() {
            let id = NodeId(inner);
            let kind = tree.node(id).kind();
            if !matches!(
                kind,
                NodeKind::NameExpression | NodeKind::MemberAccess | NodeKind::ScopeAccess
            ) {
                continue;
            }
            match binding.symbol(id) {
                Symbol::Unbound(cause) => {
                    if let Some(index) = Cause::ALL.iter().position(|it| *it == cause) {
                        coverage.unbound[index] += 1;
                    }
                    see(UnboundName { node: id, cause });
                }
                _ => coverage.bound += 1,
            }
        }
        index = range.end;
    }
    coverage
}
