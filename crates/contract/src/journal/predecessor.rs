//! What a server leaves for the one that starts after it.
//!
//! Every server keeps its position in a small file of its own in the folder
//! `<journal>.readers`, and holds an advisory lock on it as long as it lives.
//! A file that nobody holds belongs to a server that is gone: one that starts
//! for the same audience takes it over, position and all. The position of a
//! living peer is never taken.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::Journal;
use super::position::{Position, hash};
use super::record::random_id;

/// Positions that were left longer ago are cleared away instead of taken over.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The size of the file; fixed, so that it is overwritten at one stroke and
/// never half there.
const BYTES: usize = 128;

/// The file in which this server keeps its position.
#[derive(Debug)]
pub(crate) struct OwnPosition {
    file: File,
    audience: u64,
}

impl OwnPosition {
    /// Takes over what a predecessor left for this audience, or begins anew.
    /// The position is `None` when there was no predecessor.
    pub(crate) fn take(journal: &Journal, audience: &str) -> io::Result<(Self, Option<Position>)> {
        let audience = hash(audience.as_bytes());
        let folder = journal.sibling(".readers");
        fs::create_dir_all(&folder)?;
        if let Some((file, position)) = newest_left(&folder, audience)? {
            return Ok((Self { file, audience }, Some(position)));
        }
        loop {
            let path = folder.join(format!("{}.json", random_id()));
            let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
            // A peer that starts at this moment may hold the empty file for
            // the blink it takes to see that there is nothing in it.
            if file.try_lock().is_ok() && path.exists() {
                return Ok((Self { file, audience }, None));
            }
        }
    }

    /// Keeps a position for a successor.
    pub(crate) fn keep(&mut self, position: Position) -> io::Result<()> {
        let mut content = json!({
            "audience": format!("{:016x}", self.audience),
            "offset": position.offset,
        });
        if let Some(first_line) = position.first_line {
            content["firstLine"] = format!("{first_line:016x}").into();
        }
        let line = format!("{:<width$}\n", content.to_string(), width = BYTES - 1);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(line.as_bytes())
    }
}

fn newest_left(folder: &Path, audience: u64) -> io::Result<Option<(File, Position)>> {
    let mut newest: Option<(SystemTime, File, Position)> = None;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Ok(mut file) = OpenOptions::new().read(true).write(true).open(&path) else {
            continue;
        };
        // Whoever cleared the file away held its lock; so once it is held
        // here and still has its name, it stays.
        if file.try_lock().is_err() || !path.exists() {
            continue;
        }
        let kept = file.metadata()?.modified()?;
        let is_old = kept.elapsed().is_ok_and(|age| age > KEPT);
        match read_left(&mut file) {
            _ if is_old => fs::remove_file(&path)?,
            // Empty: left by a server that ended before it had a position.
            None => fs::remove_file(&path)?,
            Some((left_for, position)) if left_for == audience => {
                if newest.as_ref().is_none_or(|(time, ..)| *time < kept) {
                    newest = Some((kept, file, position));
                }
            }
            Some(_) => {}
        }
    }
    Ok(newest.map(|(_, file, position)| (file, position)))
}

fn read_left(file: &mut File) -> Option<(u64, Position)> {
    let mut content = String::new();
    file.read_to_string(&mut content).ok()?;
    let content: Value = serde_json::from_str(&content).ok()?;
    let number = |name: &str| u64::from_str_radix(content.get(name)?.as_str()?, 16).ok();
    Some((
        number("audience")?,
        Position {
            first_line: number("firstLine"),
            offset: content.get("offset")?.as_u64()?,
        },
    ))
}
