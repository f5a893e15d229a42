//! How far a journal has been read.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::str::FromStr;
use std::time::SystemTime;

use jiff::Timestamp;

use super::{JournalRecord, for_each_whole_line};

/// How far one reader has read one journal.
///
/// The journal is known by its first line, which holds a random id: one that
/// was cleared and written anew has another, whatever its size and its place
/// on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    /// The hash of the first line; `None` as long as no line was whole.
    pub(crate) first_line: Option<u64>,
    /// The bytes that have been read.
    pub(crate) offset: u64,
}

/// What a single look at a file's metadata tells; the same stamp twice means
/// that nothing was written in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    created: Option<SystemTime>,
    identity: (u64, u64, i64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            created: metadata.created().ok(),
            identity: identity(metadata),
        }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64, i64) {
    (0, 0, 0)
}

impl Position {
    /// Where a reader begins that starts now and wants what was recorded since
    /// `started_at`: before the first such record, or behind the last line.
    pub(crate) fn at_start(file: &mut File, started_at: Timestamp) -> io::Result<Self> {
        // A process takes moments to start; records of that time are near the
        // end, and a long journal must not be read whole for them.
        const LOOK_BACK: u64 = 256 * 1024;
        let Some(first_line) = first_line(file)? else {
            return Ok(Self::default());
        };
        let length = file.metadata()?.len();
        let mut start = length.saturating_sub(LOOK_BACK);
        if start > 0 {
            file.seek(SeekFrom::Start(start))?;
            let mut cut = Vec::new();
            BufReader::new(&mut *file).read_until(b'\n', &mut cut)?;
            start = if cut.ends_with(b"\n") {
                start + cut.len() as u64
            } else {
                0
            };
        }
        file.seek(SeekFrom::Start(start))?;
        let mut line_start = start;
        let mut fresh = None;
        let read = for_each_whole_line(&mut BufReader::new(file), &mut |line, end| {
            let is_fresh = || {
                let record = JournalRecord::from_line(line)?;
                Some(record.created()? >= started_at)
            };
            if fresh.is_none() && is_fresh() == Some(true) {
                fresh = Some(line_start);
            }
            line_start = start + end;
        })?;
        Ok(Self {
            first_line: Some(first_line),
            offset: fresh.unwrap_or(start + read.bytes),
        })
    }

    /// Reads the whole lines behind this position and moves it behind them.
    /// Begins at the start when the journal is another one than before.
    pub(crate) fn read_on(&self, file: &mut File, visit: &mut dyn FnMut(&[u8], u64)) -> io::Result<Self> {
        let start = if self.fits(file)? { self.offset } else { 0 };
        file.seek(SeekFrom::Start(start))?;
        let mut first_line = self.first_line.filter(|_| start > 0);
        let read = for_each_whole_line(&mut BufReader::new(file), &mut |line, end| {
            first_line.get_or_insert_with(|| hash(line));
            visit(line, start + end);
        })?;
        Ok(Self {
            first_line,
            offset: start + read.bytes,
        })
    }

    /// Whether `file` is the journal in which this position was taken.
    fn fits(&self, file: &mut File) -> io::Result<bool> {
        let Some(first_line) = self.first_line else {
            return Ok(false);
        };
        if self.offset == 0 || file.metadata()?.len() < self.offset {
            // From the start it is either way.
            return Ok(false);
        }
        file.seek(SeekFrom::Start(self.offset - 1))?;
        let mut before = [0];
        file.read_exact(&mut before)?;
        if before != *b"\n" {
            return Ok(false);
        }
        Ok(self::first_line(file)? == Some(first_line))
    }
}

/// The hash of the first line, if it is whole.
fn first_line(file: &mut File) -> io::Result<Option<u64>> {
    file.seek(SeekFrom::Start(0))?;
    let mut line = Vec::new();
    BufReader::new(file).read_until(b'\n', &mut line)?;
    Ok(line.pop_if(|last| *last == b'\n').map(|_| hash(&line)))
}

/// FNV-1a: stable over releases and platforms, which a standard hasher is not.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A position that a client keeps for itself, for servers that several
/// conversations share. Opaque to the client; written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor(pub(crate) Position);

/// The text is no cursor that a server of this family has given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor of new errors; pass the one of the last reply unchanged, or none")]
pub struct CursorError;

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.first_line {
            Some(first_line) => write!(formatter, "{first_line:016x}-{:x}", self.0.offset),
            None => formatter.write_str("empty"),
        }
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        if text == "empty" {
            return Ok(Self(Position::default()));
        }
        let (first_line, offset) = text.split_once('-').ok_or(CursorError)?;
        let number = |digits: &str| u64::from_str_radix(digits, 16).map_err(|_| CursorError);
        if first_line.len() != 16 {
            return Err(CursorError);
        }
        Ok(Self(Position {
            first_line: Some(number(first_line)?),
            offset: number(offset)?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_being_written() {
        for position in [
            Position::default(),
            Position {
                first_line: Some(0xab),
                offset: 4096,
            },
        ] {
            let cursor = Cursor(position);
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        assert_eq!(
            Cursor(Position {
                first_line: Some(0xab),
                offset: 4096
            })
            .to_string(),
            "00000000000000ab-1000"
        );
    }

    #[test]
    fn other_texts_are_no_cursors() {
        for text in ["", "-", "12-12", "00000000000000ab", "00000000000000ab-x", "none"] {
            assert_eq!(text.parse::<Cursor>(), Err(CursorError), "{text}");
        }
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
