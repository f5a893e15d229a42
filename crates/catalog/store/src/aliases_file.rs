//! `aliases.jsonl`: one alias a line, by name, and a last line that says how many there are, so that a file that
//! lost its end is not taken for one with fewer aliases.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Alias, AliasBook, Result, StoreError};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    count: usize,
}

pub(crate) fn to_text(book: &AliasBook) -> String {
    let mut text = String::new();
    for alias in book.iter() {
        push_line(&mut text, alias);
    }
    push_line(&mut text, &Count { count: book.len() });
    text
}

fn push_line<T: Serialize>(text: &mut String, value: &T) {
    text.push_str(&serde_json::to_string(value).expect("these records hold words and lists of words only"));
    text.push('\n');
}

/// Reads the text of the file at `path`; no text at all means no aliases.
pub(crate) fn from_text(path: &Path, bytes: &[u8]) -> Result<AliasBook> {
    let damaged = |problem: String| {
        StoreError::damaged(
            path,
            problem,
            "Go back to the last checkpoint (`reset`), or repair the file by hand.",
        )
    };
    let mut aliases: Vec<Alias> = Vec::new();
    let mut count = None;
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if let Ok(last) = serde_json::from_slice::<Count>(line) {
            count = Some(last.count);
            continue;
        }
        let alias: Alias = serde_json::from_slice(line)
            .map_err(|error| damaged(format!("line {} is no alias ({error})", index + 1)))?;
        if alias.history.last() != Some(&alias.latest) {
            return Err(damaged(format!(
                "line {}: `latest` is not the last of `history`",
                index + 1
            )));
        }
        aliases.push(alias);
    }
    let found = aliases.len();
    let book = AliasBook::from_aliases(aliases);
    match count {
        None if found == 0 => Ok(book),
        Some(count) if count == found && book.len() == found => Ok(book),
        Some(count) => Err(damaged(format!(
            "it should hold {count} aliases and holds {}",
            book.len()
        ))),
        None => Err(damaged("its end is missing".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AliasKind, AliasName, EntryHash};

    fn book() -> AliasBook {
        let mut book = AliasBook::default();
        for (name, kind, digit) in [("sales", AliasKind::Catalog, "a"), ("orders", AliasKind::Source, "b")] {
            let hash = EntryHash::new(&digit.repeat(12)).unwrap();
            book.create(AliasName::new(name).unwrap(), kind, hash).unwrap();
        }
        book.rename(&AliasName::new("sales").unwrap(), AliasName::new("turnover").unwrap())
            .unwrap();
        book
    }

    #[test]
    fn what_is_written_is_read() {
        let book = book();
        let text = to_text(&book);
        assert_eq!(text.lines().last(), Some(r#"{"count":2}"#));
        assert_eq!(from_text(Path::new("a"), text.as_bytes()).unwrap(), book);
        assert!(from_text(Path::new("a"), b"").unwrap().is_empty());
    }

    #[test]
    fn a_file_cut_anywhere_is_damaged_and_never_a_smaller_book() {
        let text = to_text(&book());
        // Without its last line feed it is still whole.
        for length in 1..text.len() - 1 {
            let error = from_text(Path::new("a"), &text.as_bytes()[..length]).unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "{length}: {error}");
        }
    }

    #[test]
    fn a_file_without_kinds_holds_catalog_aliases() {
        let text = "{\"alias\":\"a\",\"id\":\"1\",\"latest\":\"aaaaaaaaaaaa\",\"history\":[\"aaaaaaaaaaaa\"]}\n{\"count\":1}\n";
        let book = from_text(Path::new("a"), text.as_bytes()).unwrap();
        assert_eq!(book.iter().next().unwrap().kind, AliasKind::Catalog);
    }
}
