//! What a change does to a file, as a unified difference that fits into a reply.

use std::fmt::Write as _;

use similar::TextDiff;

/// Lines around a change that are shown with it.
const CONTEXT_LINES: usize = 3;

/// A unified difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) text: String,
    /// Whether hunks at the end were left out, or a hunk was cut.
    pub(crate) truncated: bool,
}

/// The unified difference between two texts of the file `name`, without a bound.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    difference(name, old, new, usize::MAX).text
}

/// The unified difference between two texts of the file `name`, of at most `limit` bytes. Cut between hunks, or, when
/// the first one is too large by itself, between lines.
pub(crate) fn difference(name: &str, old: &str, new: &str, limit: usize) -> Difference {
    let (old, new) = (lines(old), lines(new));
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
    let mut unified = diff.unified_diff();
    unified.context_radius(CONTEXT_LINES);
    let mut text = format!("--- a/{name}\n+++ b/{name}\n");
    let mut hunk_text = String::new();
    for (index, hunk) in unified.iter_hunks().enumerate() {
        hunk_text.clear();
        // Writing to a `String` does not fail.
        let _ = write!(hunk_text, "{hunk}");
        let left = limit.saturating_sub(text.len());
        if hunk_text.len() > left {
            if index == 0 {
                text.push_str(whole_lines(&hunk_text, left));
            }
            return Difference { text, truncated: true };
        }
        text.push_str(&hunk_text);
    }
    Difference { text, truncated: false }
}

/// The lines of a text, with their ends. Only a line feed ends a line for those who apply a difference.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// As many whole lines of `text` as fit into `bytes`.
fn whole_lines(text: &str, bytes: usize) -> &str {
    let end = text
        .match_indices('\n')
        .map(|(index, _)| index + 1)
        .take_while(|&end| end <= bytes)
        .last()
        .unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_its_surroundings() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            unified("src/a.al", old, &old.replace('5', "five")),
            "--- a/src/a.al\n+++ b/src/a.al\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn line_ends_are_kept_and_a_missing_last_one_is_told() {
        assert_eq!(
            unified("a.al", "1\r\n2", "1\r\n3"),
            "--- a/a.al\n+++ b/a.al\n@@ -1,2 +1,2 @@\n 1\r\n-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn a_carriage_return_alone_does_not_end_a_line() {
        assert_eq!(
            unified("a.al", "1\r2\n3\n", "1\r2\nx\r3\n"),
            "--- a/a.al\n+++ b/a.al\n@@ -1,2 +1,2 @@\n 1\r2\n-3\n+x\r3\n"
        );
    }

    #[test]
    fn whole_hunks_are_left_out_when_they_do_not_fit() {
        let lines: Vec<String> = (0..40).map(|number| format!("line {number}\n")).collect();
        let old = lines.concat();
        let new = old.replace("line 2\n", "").replace("line 30\n", "");
        let whole = difference("a.al", &old, &new, usize::MAX);
        assert!(!whole.truncated);
        let cut = difference("a.al", &old, &new, whole.text.len() - 1);
        assert!(cut.truncated);
        assert!(whole.text.starts_with(&cut.text));
        assert!(cut.text.contains("-line 2\n") && !cut.text.contains("line 30"));
    }

    #[test]
    fn a_first_hunk_that_does_not_fit_is_cut_between_lines() {
        let old = "a\nb\nc\n";
        let cut = difference("a.al", old, "x\ny\nz\n", 48);
        assert!(cut.truncated);
        assert_eq!(cut.text, "--- a/a.al\n+++ b/a.al\n@@ -1,3 +1,3 @@\n-a\n-b\n-c\n");
    }
}
