//! The file as a whole.

use super::Parser;
use crate::kind::NodeKind;

/// The root node.
pub(crate) fn compilation_unit(p: &mut Parser<'_>) {
    let start = p.start();
    while !p.at_end() {
        p.skip_unexpected("the declaration of an object");
    }
    p.finish_root(start, NodeKind::CompilationUnit);
}
