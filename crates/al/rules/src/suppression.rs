//! `#pragma warning`: where which rules are switched off.

use candor_al_syntax::directive::PragmaAction;
use candor_al_syntax::{DirectiveKind, TextRange, Tree};

/// Where the pragmas of a text switch which ids off.
///
/// Position decides: a finding is suppressed when the last active pragma before its start that speaks of its id (or of
/// all ids, by naming none) is `disable`. What is never restored stays off to the end of the file.
#[derive(Clone, Debug)]
pub struct Suppressions<'t> {
    tree: &'t Tree,
    pragmas: Vec<Pragma<'t>>,
}

#[derive(Clone, Debug)]
struct Pragma<'t> {
    start: u32,
    disables: bool,
    /// Where the ids stand; none names all.
    ids: &'t [TextRange],
}

impl<'t> Suppressions<'t> {
    /// The pragmas of a text.
    pub fn of(tree: &'t Tree) -> Self {
        let pragmas = tree
            .directives()
            .iter()
            .filter(|directive| directive.active)
            .filter_map(|directive| {
                let DirectiveKind::PragmaWarning { action, ids } = &directive.kind else {
                    return None;
                };
                let start = tree.token(directive.token).range().start;
                Some(Pragma {
                    start,
                    disables: *action == PragmaAction::Disable,
                    ids,
                })
            });
        Self {
            tree,
            pragmas: pragmas.collect(),
        }
    }

    /// Whether the text has no such pragma.
    pub fn is_empty(&self) -> bool {
        self.pragmas.is_empty()
    }

    /// Whether `id` is switched off at `offset`; case does not count.
    pub fn is_suppressed(&self, id: &str, offset: u32) -> bool {
        let before = self.pragmas.partition_point(|pragma| pragma.start <= offset);
        let speaks_of_id = |pragma: &&Pragma<'t>| {
            pragma.ids.is_empty()
                || pragma
                    .ids
                    .iter()
                    .any(|&range| self.tree.slice(range).eq_ignore_ascii_case(id))
        };
        self.pragmas[..before]
            .iter()
            .rev()
            .find(speaks_of_id)
            .is_some_and(|pragma| pragma.disables)
    }
}
