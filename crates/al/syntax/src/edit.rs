//! Changes to a text.
//!
//! [`TextEdit`] and [`EditSet`] say what to change. The functions below them build the changes that rules need, from
//! nodes and tokens, so that no rule does arithmetic on text. They share three promises:
//!
//! * a comment is never dropped: where one stands inside what has to go, there is no edit;
//! * nothing moves across a directive, and no directive is dropped;
//! * indentation and line ends are those of the file.

mod arrange;
mod insert;
mod layout;
mod remove;
mod replace;
#[cfg(test)]
mod testing;

use std::fmt;

use crate::range::TextRange;

pub use arrange::rearrange;
pub use insert::{insert_first_property, set_access_modifier};
pub use remove::{remove_list_item, remove_property, remove_token};
pub use replace::{replace_property_value, replace_token, set_label_attribute};

/// A replacement of one range of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// What goes; empty for an insertion.
    pub range: TextRange,
    /// What comes; empty for a deletion.
    pub text: String,
}

impl TextEdit {
    /// Puts `text` in the place of `range`.
    pub fn replace(range: TextRange, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
    }

    /// Puts `text` in front of the byte at `offset`.
    pub fn insert(offset: u32, text: impl Into<String>) -> Self {
        Self::replace(TextRange::empty(offset), text)
    }

    /// Takes `range` out.
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, String::new())
    }

    /// Whether both cannot be made: they share a byte, one inserts inside the other, or both insert at one place.
    fn conflicts_with(&self, other: &Self) -> bool {
        let (left, right) = (self.range, other.range);
        if left.is_empty() && right.is_empty() {
            return left.start == right.start;
        }
        left.start < right.end && right.start < left.end
    }
}

/// Changes to one text that can be made together: sorted, and no two in each other's way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditSet {
    edits: Vec<TextEdit>,
}

/// Two changes that cannot be made together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditConflict {
    /// The change that was there first.
    pub present: TextEdit,
    /// The change that was refused.
    pub refused: TextEdit,
}

impl fmt::Display for EditConflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the change at {:?} overlaps the change at {:?}",
            self.refused.range, self.present.range
        )
    }
}

impl std::error::Error for EditConflict {}

impl EditSet {
    /// No change at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// The changes in text order.
    pub fn edits(&self) -> &[TextEdit] {
        &self.edits
    }

    /// Whether there is no change.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Adds a change; one that is there already is not added twice.
    ///
    /// # Errors
    /// When it cannot be made together with one that is there; the set is then as before.
    pub fn add(&mut self, edit: TextEdit) -> Result<(), EditConflict> {
        if let Some(index) = self.place_for(&edit)? {
            self.edits.insert(index, edit);
        }
        Ok(())
    }

    /// Adds all changes of another set, or none.
    ///
    /// # Errors
    /// When one of them cannot be made together with one that is there; the set is then as before.
    pub fn add_all(&mut self, other: &Self) -> Result<(), EditConflict> {
        // The changes of the other set are not in each other's way, so it is enough to look at those present now.
        for edit in &other.edits {
            self.place_for(edit)?;
        }
        other.edits.iter().try_for_each(|edit| self.add(edit.clone()))
    }

    /// Where a change belongs; none when it is there already.
    fn place_for(&self, edit: &TextEdit) -> Result<Option<usize>, EditConflict> {
        let key = |edit: &TextEdit| (edit.range.start, edit.range.end);
        let index = self.edits.partition_point(|present| key(present) < key(edit));
        if self.edits.get(index) == Some(edit) {
            return Ok(None);
        }
        // Sorted and free of overlaps: only the neighbours can be in the way.
        let neighbours = index.saturating_sub(1)..(index + 1).min(self.edits.len());
        match self.edits[neighbours]
            .iter()
            .find(|present| present.conflicts_with(edit))
        {
            Some(present) => Err(EditConflict {
                present: present.clone(),
                refused: edit.clone(),
            }),
            None => Ok(Some(index)),
        }
    }

    /// The text with the changes made. `text` is the text they were computed for.
    pub fn apply(&self, text: &str) -> String {
        let added: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut result = String::with_capacity(text.len() + added);
        let mut copied = 0;
        for edit in &self.edits {
            let range = edit.range.as_usize();
            result.push_str(&text[copied..range.start]);
            result.push_str(&edit.text);
            copied = range.end;
        }
        result.push_str(&text[copied..]);
        result
    }

    /// Where the byte at `offset` is once the changes are made. What stands inside a replaced range comes to its
    /// start; an insertion at the very offset goes in front of it.
    pub fn map_offset(&self, offset: u32) -> u32 {
        let (mut added, mut removed) = (0, 0);
        for edit in &self.edits {
            if edit.range.start > offset || (edit.range.start == offset && !edit.range.is_empty()) {
                break;
            }
            if offset < edit.range.end {
                return edit.range.start + added - removed;
            }
            added += edit.text.len() as u32;
            removed += edit.range.len();
        }
        offset + added - removed
    }
}

impl From<TextEdit> for EditSet {
    fn from(edit: TextEdit) -> Self {
        Self { edits: vec![edit] }
    }
}

/// The set of these changes; none when two of them are in each other's way.
fn set_of(edits: impl IntoIterator<Item = TextEdit>) -> Option<EditSet> {
    let mut set = EditSet::new();
    for edit in edits {
        set.add(edit).ok()?;
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(edits: &[(u32, u32, &str)]) -> Result<EditSet, EditConflict> {
        let mut set = EditSet::new();
        for &(start, end, text) in edits {
            set.add(TextEdit::replace(TextRange::new(start, end), text))?;
        }
        Ok(set)
    }

    #[test]
    fn changes_are_made_in_text_order_however_they_were_added() {
        let set = set(&[(4, 5, "E"), (0, 1, "A"), (2, 2, "-")]).unwrap();
        assert_eq!(set.apply("abcdef"), "Ab-cdEf");
    }

    #[test]
    fn changes_that_touch_are_no_conflict_and_changes_that_overlap_are() {
        assert_eq!(
            set(&[(0, 2, ""), (2, 4, "x"), (4, 4, "y")]).unwrap().apply("abcdef"),
            "xyef"
        );
        assert_eq!(set(&[(2, 4, "x"), (2, 2, "y")]).unwrap().apply("abcdef"), "abyxef");
        for edits in [
            [(0, 3, ""), (2, 4, "")],
            [(2, 4, ""), (0, 3, "")],
            [(1, 5, ""), (2, 3, "x")],
            [(2, 3, "x"), (1, 5, "")],
            [(1, 5, ""), (3, 3, "x")],
            [(3, 3, "x"), (1, 5, "")],
            [(3, 3, "x"), (3, 3, "y")],
            [(1, 3, "x"), (1, 3, "y")],
        ] {
            assert!(set(&edits).is_err(), "{edits:?}");
        }
    }

    #[test]
    fn a_change_that_is_there_already_is_made_once() {
        assert_eq!(set(&[(3, 3, "x"), (3, 3, "x")]).unwrap().apply("abcdef"), "abcxdef");
    }

    #[test]
    fn a_set_is_added_whole_or_not_at_all() {
        let mut present = set(&[(0, 1, "A")]).unwrap();
        let conflicting = set(&[(0, 1, "B"), (4, 5, "E")]).unwrap();
        let conflict = present.add_all(&conflicting).unwrap_err();
        assert_eq!(conflict.refused.text, "B");
        assert_eq!(conflict.to_string(), "the change at 0..1 overlaps the change at 0..1");
        assert_eq!(present.apply("abcdef"), "Abcdef");
        present.add_all(&set(&[(4, 5, "E")]).unwrap()).unwrap();
        assert_eq!(present.apply("abcdef"), "AbcdEf");
    }

    #[test]
    fn an_offset_is_mapped_through_the_changes() {
        // abcdef -> XYbef: `a` replaced, `cd` deleted.
        let set = set(&[(0, 1, "XY"), (2, 4, "")]).unwrap();
        let mapped: Vec<u32> = (0..=6).map(|offset| set.map_offset(offset)).collect();
        assert_eq!(mapped, [0, 2, 3, 3, 3, 4, 5]);
        let insertion = EditSet::from(TextEdit::insert(2, "--"));
        assert_eq!((insertion.map_offset(1), insertion.map_offset(2)), (1, 4));
    }
}
