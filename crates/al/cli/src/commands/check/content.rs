//! What a finding is about, told in a way that stays the same when other
//! lines come and go.

use std::collections::HashMap;

use candor_al_session::check::ReportedFinding;
use xxhash_rust::xxh3::xxh3_64;

/// The line a finding begins on, without its indentation, and with one blank
/// for each run of blanks: laying out code anew does not make it another line.
/// Empty for a finding without source.
pub(super) fn line_of(finding: &ReportedFinding) -> String {
    let line = finding
        .excerpt
        .as_ref()
        .and_then(|excerpt| excerpt.line(finding.diagnostic.line));
    normalised(line.unwrap_or_default())
}

fn normalised(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for word in line.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// Fingerprints of the findings of one file.
#[derive(Default)]
pub(super) struct Fingerprints {
    seen: HashMap<u64, u32>,
}

impl Fingerprints {
    /// The fingerprint of the next finding of the file: a hash of its rule and
    /// its line, and how many with the same came before.
    pub(super) fn of(&mut self, finding: &ReportedFinding) -> String {
        self.next(&finding.diagnostic.id, &line_of(finding))
    }

    fn next(&mut self, id: &str, line: &str) -> String {
        let hash = xxh3_64([id, line].join("\0").as_bytes());
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        format!("{hash:016x}:{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_do_not_make_another_line() {
        assert_eq!(normalised("\t Caption  =\t'';  "), "Caption = '';");
        assert_eq!(normalised("  "), "");
    }

    #[test]
    fn a_fingerprint_is_the_same_for_ever() {
        // They are kept by others: a change here makes every known finding a new one.
        let mut fingerprints = Fingerprints::default();
        assert_eq!(fingerprints.next("AC0018", "Caption = '';"), "fe258175e124fb7a:1");
        assert_eq!(fingerprints.next("AC0018", "Caption = '';"), "fe258175e124fb7a:2");
    }

    #[test]
    fn rule_and_line_are_told_apart() {
        let mut fingerprints = Fingerprints::default();
        let mut all: Vec<_> = [("AC0018", "a"), ("AC0018", "b"), ("AC0020", "a"), ("AC001", "8a")]
            .into_iter()
            .map(|(id, line)| fingerprints.next(id, line))
            .collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 4);
    }
}
