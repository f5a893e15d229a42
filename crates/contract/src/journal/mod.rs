//! The journal: failures that were met, one JSON object a line.

mod home;
mod position;
mod predecessor;
mod record;
mod report;
mod scope;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use home::candor_home;
pub use position::{Cursor, CursorError};
pub use record::{JournalDraft, JournalRecord};
pub use report::{NewErrors, RecordFilter, Reporter, ReporterOptions};
pub use scope::{CallScope, OwnRecords};

/// Why the journal could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} the journal `{}`: {source}", path.display())]
pub struct JournalError {
    /// What was tried.
    pub action: &'static str,
    /// The file it was tried on.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// An append-only file of failures, shared by all processes of a product.
///
/// Every record is one line, written at once while an advisory lock is held on
/// a file beside it (`<name>.lock`; the journal itself stays unlocked, so that
/// readers never wait). A reader skips lines that are no JSON objects and
/// leaves a line that has no end yet for the next time.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal at `path`. The file is made when the first record is.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record and returns it as it was written.
    ///
    /// # Errors
    /// When the folder or the file cannot be made or written.
    pub fn record(&self, draft: JournalDraft) -> Result<JournalRecord, JournalError> {
        let record = draft.finish();
        self.append(&record)?;
        Ok(record)
    }

    pub(crate) fn append(&self, record: &JournalRecord) -> Result<(), JournalError> {
        self.append_line(record.to_line().as_bytes())
            .map_err(|source| self.error("write", source))
    }

    fn append_line(&self, line: &[u8]) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let _lock = self.lock()?;
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&self.path)?;
        let mut bytes = Vec::with_capacity(line.len() + 2);
        if ends_inside_a_line(&mut file)? {
            // Left by a writer that died; what follows must not join it.
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
        file.write_all(&bytes)
    }

    /// The newest records, newest first, at most `limit`.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn list(&self, limit: usize) -> Result<Vec<JournalRecord>, JournalError> {
        let mut newest = std::collections::VecDeque::new();
        self.for_each_line(&mut |line| {
            if let Some(record) = JournalRecord::from_line(line) {
                if newest.len() == limit {
                    newest.pop_back();
                }
                if limit > 0 {
                    newest.push_front(record);
                }
            }
        })
        .map_err(|source| self.error("read", source))?;
        Ok(newest.into())
    }

    /// Removes all records and says how many lines there were.
    ///
    /// # Errors
    /// When the file cannot be read or removed.
    pub fn clear(&self) -> Result<usize, JournalError> {
        self.try_clear().map_err(|source| self.error("clear", source))
    }

    fn try_clear(&self) -> io::Result<usize> {
        if !self.path.exists() {
            return Ok(0);
        }
        let _lock = self.lock()?;
        let mut lines = 0;
        let mut tail_is_blank = true;
        self.for_each_line_and_tail(&mut |line| lines += usize::from(!is_blank(line)), &mut |tail| {
            tail_is_blank = is_blank(tail);
        })?;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(lines + usize::from(!tail_is_blank)),
        }
    }

    fn lock(&self) -> io::Result<File> {
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.sibling(".lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    /// The path of something that belongs to the journal and stands beside it.
    pub(crate) fn sibling(&self, suffix: &str) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(suffix);
        self.path.with_file_name(name)
    }

    fn for_each_line(&self, visit: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        self.for_each_line_and_tail(visit, &mut |_| {})
    }

    fn for_each_line_and_tail(&self, visit: &mut dyn FnMut(&[u8]), tail: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let rest = for_each_whole_line(&mut BufReader::new(file), &mut |line, _| visit(line))?;
        tail(&rest.unfinished);
        Ok(())
    }

    pub(crate) fn error(&self, action: &'static str, source: io::Error) -> JournalError {
        JournalError {
            action,
            path: self.path.clone(),
            source,
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

fn ends_inside_a_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// What reading lines came to.
struct LinesRead {
    /// How many bytes the whole lines took.
    bytes: u64,
    /// What came after the last of them.
    unfinished: Vec<u8>,
}

/// Reads whole lines, without their line feed; `visit` also gets the number of
/// bytes read up to and including the line.
fn for_each_whole_line(reader: &mut dyn BufRead, visit: &mut dyn FnMut(&[u8], u64)) -> io::Result<LinesRead> {
    let mut bytes = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        if line.pop_if(|last| *last == b'\n').is_none() {
            return Ok(LinesRead {
                bytes,
                unfinished: line,
            });
        }
        bytes += read as u64;
        visit(&line, bytes);
    }
}
