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
    pub fn in_text(tree: &'t Tree) -> Self {
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
        self.about(id).is_suppressed(offset)
    }

    /// What the pragmas say about one id, for those who ask about many places.
    pub(crate) fn about(&self, id: &str) -> SuppressionsOfId {
        let speaks_of_id = |pragma: &&Pragma<'t>| {
            pragma.ids.is_empty()
                || pragma
                    .ids
                    .iter()
                    .any(|&range| self.tree.slice(range).eq_ignore_ascii_case(id))
        };
        let switches = self
            .pragmas
            .iter()
            .filter(speaks_of_id)
            .map(|pragma| (pragma.start, pragma.disables));
        SuppressionsOfId {
            switches: switches.collect(),
        }
    }
}

/// Where one id is switched off and on.
pub(crate) struct SuppressionsOfId {
    /// In text order: where, and whether off.
    switches: Vec<(u32, bool)>,
}

impl SuppressionsOfId {
    /// Whether the id is switched off at `offset`.
    pub(crate) fn is_suppressed(&self, offset: u32) -> bool {
        let before = self.switches.partition_point(|&(start, _)| start <= offset);
        before > 0 && self.switches[before - 1].1
    }
}

#[cfg(test)]
mod tests {
    use candor_al_syntax::{Symbols, parse};

    use super::*;

    /// For each `?` in the text, in order: whether `LC0020` and `AC0007` are switched off there.
    fn suppressed_at_marks(text: &str) -> Vec<(bool, bool)> {
        let tree = parse(text, &Symbols::none());
        let suppressions = Suppressions::in_text(&tree);
        let is_suppressed = |id, offset| suppressions.is_suppressed(id, offset as u32);
        text.match_indices('?')
            .map(|(at, _)| (is_suppressed("LC0020", at), is_suppressed("AC0007", at)))
            .collect()
    }

    #[test]
    fn a_pragma_holds_from_its_line_until_it_is_restored() {
        let text = "// ?\n#pragma warning disable LC0020\n// ?\n#pragma warning restore LC0020\n// ?\n";
        assert_eq!(
            suppressed_at_marks(text),
            [(false, false), (true, false), (false, false)]
        );
    }

    #[test]
    fn a_pragma_that_is_never_restored_holds_to_the_end() {
        assert_eq!(
            suppressed_at_marks("#pragma warning disable lc0020, AC0007\n\n\n// ?"),
            [(true, true)]
        );
    }

    #[test]
    fn a_pragma_without_ids_speaks_of_all() {
        let text =
            "#pragma warning disable\n// ?\n#pragma warning restore AC0007\n// ?\n#pragma warning restore\n// ?\n";
        assert_eq!(suppressed_at_marks(text), [(true, true), (true, false), (false, false)]);
    }

    #[test]
    fn enable_switches_on_as_restore_does() {
        let text = "#pragma warning disable LC0020\n#pragma warning enable LC0020\n// ?\n";
        assert_eq!(suppressed_at_marks(text), [(false, false)]);
    }

    #[test]
    fn a_pragma_in_text_that_is_switched_off_has_no_effect() {
        let text = "#if OLD\n#pragma warning disable LC0020\n#endif\n// ?\n";
        assert_eq!(suppressed_at_marks(text), [(false, false)]);
    }
}
