//! Rows without the lines that are none.

use super::error::ImportError;
use super::records::{Dialect, Record, Records, SplitError};
use super::source::{TextEncoding, TextSource};
use std::path::Path;

/// How many lines are remembered for the note.
const LISTED: usize = 5;

/// The rows of a file. A blank line is none, except in a file of one column, where it is a row without a value: there
/// only blank lines at the start and the end are none.
pub(super) struct Rows {
    records: Records,
    /// Whether there is one column only; known with the first row.
    single: Option<bool>,
    started: bool,
    /// Blank lines that become rows once another row follows, and where the first of them is.
    waiting: u64,
    waiting_line: u64,
    /// The row that follows them.
    held: Option<Record>,
    /// Lines passed over: how many, and the first few.
    pub(super) blank_count: u64,
    pub(super) blank_lines: Vec<u64>,
}

impl Rows {
    pub(super) fn new(path: &Path, encoding: TextEncoding, dialect: Dialect) -> Result<Self, ImportError> {
        Ok(Self {
            records: Records::new(TextSource::open(path, encoding)?, dialect),
            single: dialect.delimiter.is_none().then_some(true),
            started: false,
            waiting: 0,
            waiting_line: 0,
            held: None,
            blank_count: 0,
            blank_lines: Vec::new(),
        })
    }

    /// Reads the next row; `false` at the end.
    pub(super) fn next(&mut self, record: &mut Record) -> Result<bool, SplitError> {
        if self.held.is_some() {
            if self.waiting > 0 {
                self.waiting -= 1;
                record.make_empty_line(self.waiting_line);
                self.waiting_line += 1;
            } else if let Some(held) = self.held.take() {
                *record = held;
            }
            return Ok(true);
        }
        loop {
            if !self.records.next(record)? {
                for line in 0..self.waiting {
                    self.pass_over(self.waiting_line + line);
                }
                self.waiting = 0;
                return Ok(false);
            }
            let waits = self.started && self.single == Some(true);
            if waits && record.is_empty_line() {
                if self.waiting == 0 {
                    self.waiting_line = record.line;
                }
                self.waiting += 1;
            } else if !waits && record.is_blank() {
                self.pass_over(record.line);
            } else {
                break;
            }
        }
        self.started = true;
        self.single.get_or_insert(record.len() == 1);
        if self.waiting > 0 {
            self.held = Some(std::mem::take(record));
            return self.next(record);
        }
        Ok(true)
    }

    fn pass_over(&mut self, line: u64) {
        self.blank_count += 1;
        if self.blank_lines.len() < LISTED {
            self.blank_lines.push(line);
        }
    }

    /// Size and BLAKE3 of what was read.
    pub(super) fn fingerprint(&self) -> (u64, String) {
        self.records.source().map(TextSource::fingerprint).unwrap_or_default()
    }

    pub(super) fn encoding(&self) -> &'static str {
        self.records.source().map_or("UTF-8", TextSource::encoding_name)
    }
}
