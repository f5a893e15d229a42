//! Where code has to name its record: `NoImplicitWith` for an app, `#pragma implicitwith` for a part of a file.

use crate::declaration::ObjectKind;

/// The parts of a file in which pages and codeunits name their record.
#[derive(Debug, Default)]
pub(super) struct ExplicitRecords {
    /// What holds where no pragma says otherwise.
    app: bool,
    /// From each of these places on, in order, something else holds.
    changes: Vec<(u32, bool)>,
}

impl ExplicitRecords {
    pub(super) fn of(app: bool, text: &str) -> Self {
        let mut changes = Vec::new();
        for (start, pragma) in text.match_indices("#pragma") {
            let line = text[start + pragma.len()..].lines().next().unwrap_or_default();
            let mut words = line.split_whitespace();
            if !words
                .next()
                .is_some_and(|word| word.eq_ignore_ascii_case("implicitwith"))
            {
                continue;
            }
            let is_explicit = match words.next() {
                Some(word) if word.eq_ignore_ascii_case("disable") => true,
                Some(word) if word.eq_ignore_ascii_case("enable") => false,
                _ => app,
            };
            changes.push((start as u32, is_explicit));
        }
        Self { app, changes }
    }

    /// Whether a name at this place in an object of this kind means nothing of the record by itself. In tables, fields
    /// are members of the object; data items of reports and nodes of `XMLports` stay as they are.
    pub(super) fn at(&self, offset: u32, kind: ObjectKind) -> bool {
        let is_concerned = matches!(
            kind,
            ObjectKind::Page
                | ObjectKind::PageExtension
                | ObjectKind::PageCustomization
                | ObjectKind::RequestPage
                | ObjectKind::Codeunit
        );
        let before = self.changes.partition_point(|(start, _)| *start <= offset);
        let last = before.checked_sub(1).map(|index| self.changes[index].1);
        is_concerned && last.unwrap_or(self.app)
    }
}
