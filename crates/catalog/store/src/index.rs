//! The order of the entries, so that a page of ten thousand needs no look into ten thousand folders.
//!
//! The index is a cache: a line `<sequence> <hash>` for each entry. It is believed for what it says about an entry
//! that exists; entries it does not know are looked at and added.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use crate::disk::{names_in, read_optional};
use crate::{EntryHash, Project, Result};

const HEADER: &str = "candor-entries 1";

/// A part of the list of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPage {
    /// The hashes, the newest entry first.
    pub hashes: Vec<EntryHash>,
    /// How many entries there are.
    pub total: usize,
    /// Folders whose record cannot be read; they are in no page.
    pub damaged: Vec<EntryHash>,
}

/// All entries, the newest first.
#[derive(Debug, Default)]
pub(crate) struct EntryOrder {
    pub(crate) newest_first: Vec<(u64, EntryHash)>,
    pub(crate) damaged: Vec<EntryHash>,
}

/// How many bytes of the index's end hold its last line for certain.
const TAIL: u64 = 64;

/// The sequence in the last line of the index; `None` when there is no whole last line.
fn last_line(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut tail = String::new();
    file.read_to_string(&mut tail).ok()?;
    let (sequence, hash) = tail.strip_suffix('\n')?.lines().next_back()?.split_once(' ')?;
    EntryHash::new(hash).ok()?;
    sequence.parse().ok()
}

fn parse(bytes: &[u8]) -> HashMap<EntryHash, u64> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return HashMap::new();
    }
    lines
        .filter_map(|line| {
            let (sequence, hash) = line.split_once(' ')?;
            Some((EntryHash::new(hash).ok()?, sequence.parse().ok()?))
        })
        .collect()
}

pub(crate) fn line(sequence: u64, hash: &EntryHash) -> String {
    format!("{sequence} {hash}\n")
}

impl Project {
    /// A page of the entries, the newest first.
    ///
    /// # Errors
    /// When the folder of entries cannot be read. A missing or damaged index is made anew.
    pub fn entries(&self, offset: usize, limit: usize) -> Result<EntryPage> {
        let order = self.order()?;
        let hashes = order.newest_first.iter().skip(offset).take(limit);
        Ok(EntryPage {
            hashes: hashes.map(|(_, hash)| hash.clone()).collect(),
            total: order.newest_first.len(),
            damaged: order.damaged.clone(),
        })
    }

    /// The highest place in the sequence. The end of the index says it, since entries are added in their order; only
    /// without one all entries are looked at.
    pub(crate) fn last_sequence(&self) -> Result<u64> {
        if let Some(last) = last_line(&self.layout().index()) {
            return Ok(last);
        }
        let order = self.order()?;
        Ok(order.newest_first.first().map_or(0, |(sequence, _)| *sequence))
    }

    /// The entries in the order in which they appeared, the newest first. The folder's names decide what exists.
    pub(crate) fn order(&self) -> Result<Arc<EntryOrder>> {
        let folder = self.layout().entries();
        let names = names_in(&folder)?;
        if let Some(order) = self.memory().order(&names) {
            return Ok(order);
        }
        let known = parse(&read_optional(&self.layout().index())?.unwrap_or_default());
        let mut order = EntryOrder::default();
        let mut missing = false;
        for name in &names {
            // A folder of another name is none of ours.
            let Ok(hash) = EntryHash::new(name) else { continue };
            if let Some(sequence) = known.get(&hash) {
                order.newest_first.push((*sequence, hash));
                continue;
            }
            missing = true;
            match self.manifest(&hash) {
                Ok(manifest) => order.newest_first.push((manifest.sequence, hash)),
                Err(crate::StoreError::NoSuchEntry { .. }) => {}
                Err(_) => order.damaged.push(hash),
            }
        }
        order.newest_first.sort_unstable_by(|left, right| right.cmp(left));
        if missing {
            self.write_index(&order);
        }
        let order = Arc::new(order);
        self.memory().remember_order(names, &order);
        Ok(order)
    }

    /// Best effort: without an index the next list takes longer.
    fn write_index(&self, order: &EntryOrder) {
        let mut text = format!("{HEADER}\n");
        for (sequence, hash) in order.newest_first.iter().rev() {
            // Writing to a text cannot fail.
            let _ = write!(text, "{}", line(*sequence, hash));
        }
        let path = self.layout().index();
        if let Some(cache) = path.parent()
            && self.disk().make_folder(cache).is_ok()
        {
            let _ = self.disk().replace(&path, text.as_bytes());
        }
    }
}

/// Adds an entry that was just published. Best effort, as [`Project::write_index`].
pub(crate) fn append(project: &Project, sequence: u64, hash: &EntryHash) {
    let path = project.layout().index();
    if path.is_file() {
        let _ = project.disk().append(&path, &line(sequence, hash));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_make_no_sense_are_passed_over() {
        let hash = EntryHash::new("0123456789ab").unwrap();
        let known = parse(b"candor-entries 1\n7 0123456789ab\n8 xyz\nx 0123456789ac\n\xff\n9");
        assert_eq!(known, HashMap::from([(hash, 7)]));
        assert!(parse(b"something else\n7 0123456789ab\n").is_empty());
        assert!(parse(b"").is_empty());
    }
}
