//! Text into rows of values: the splitter.
//!
//! Strict where a lenient one would change a value without a word: text behind a closing quote and a quote that never
//! closes are errors with their line. Outside quotes LF, CR LF and CR each end a line; inside, they belong to the value.
//! Spaces between a delimiter and a quote belong to no value.

use super::error::ImportError;
use super::source::{Piece, TextSource};
use memchr::{memchr2, memchr3};

/// The most bytes of one row.
const LONGEST: usize = 64 << 20;

/// How values are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// `None`: every line is one value.
    pub(super) delimiter: Option<u8>,
    /// `None`: quotes are like any other sign.
    pub(super) quote: Option<u8>,
    /// `None`: a quote inside quotes is written twice.
    pub(super) escape: Option<u8>,
    /// Lines that begin with this are no rows.
    pub(super) comment: Option<u8>,
    /// Lines to leave out at the start.
    pub(super) skip_rows: u64,
}

/// One row: its values one after the other, without quotes and delimiters.
#[derive(Debug, Default)]
pub(super) struct Record {
    data: Vec<u8>,
    ends: Vec<usize>,
    quoted: Vec<bool>,
    /// 1-based line of the file where it begins.
    pub(super) line: u64,
}

impl Record {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn field(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.data[start..self.ends[place]]
    }

    pub(super) fn text(&self, place: usize) -> &str {
        // The source gives UTF-8 only and rows are cut at ASCII signs.
        std::str::from_utf8(self.field(place)).unwrap_or_default()
    }

    pub(super) fn is_quoted(&self, place: usize) -> bool {
        self.quoted[place]
    }

    /// Nothing at all is written there, not even quotes.
    pub(super) fn is_missing(&self, place: usize) -> bool {
        !self.quoted[place] && self.field(place).is_empty()
    }

    /// A line without anything on it but spaces.
    pub(super) fn is_blank(&self) -> bool {
        self.len() == 1 && !self.quoted[0] && self.data.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// A line with nothing on it at all.
    pub(super) fn is_empty_line(&self) -> bool {
        self.len() == 1 && self.is_missing(0)
    }

    /// Makes it the row of an empty line.
    pub(super) fn make_empty_line(&mut self, line: u64) {
        self.clear(line);
        self.end_field(false);
    }

    /// The row roughly as it was written, for messages.
    pub(super) fn joined(&self, delimiter: Option<u8>) -> String {
        let texts: Vec<&str> = (0..self.len()).map(|place| self.text(place)).collect();
        texts.join(&delimiter.map_or(',', char::from).to_string())
    }

    fn clear(&mut self, line: u64) {
        self.data.clear();
        self.ends.clear();
        self.quoted.clear();
        self.line = line;
    }

    fn start_of_field(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn end_field(&mut self, quoted: bool) {
        self.ends.push(self.data.len());
        self.quoted.push(quoted);
    }
}

/// Why text could not be split.
#[derive(Debug)]
pub(super) enum SplitError {
    /// `field` is 0-based, here and below.
    TextBehindQuote {
        line: u64,
        field: usize,
    },
    /// `line` is where the quote was opened.
    OpenQuote {
        line: u64,
        field: usize,
    },
    NotText {
        line: u64,
        field: usize,
        bytes: Vec<u8>,
        before: Vec<u8>,
    },
    TooLong {
        line: u64,
    },
    /// What the source said.
    Import(ImportError),
}

impl From<ImportError> for SplitError {
    fn from(error: ImportError) -> Self {
        Self::Import(error)
    }
}

/// Where the text comes from.
pub(super) enum Text {
    File(Box<TextSource>),
    /// All of it is in the buffer already.
    Whole,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Spaces,
    Plain,
    Quoted,
    /// Behind a quote inside quotes: the first of two, or the closing one.
    Quote,
    Escape,
    Behind,
    /// In a line that is left out.
    Skipped,
}

/// The rows of a text.
pub(super) struct Records {
    source: Text,
    dialect: Dialect,
    text: Vec<u8>,
    at: usize,
    line: u64,
    /// The last sign was a CR: an LF now belongs to it.
    after_return: bool,
    skip: u64,
}

impl Records {
    pub(super) fn new(source: TextSource, dialect: Dialect) -> Self {
        Self::with(Text::File(Box::new(source)), Vec::new(), dialect)
    }

    pub(super) fn of_text(text: &[u8], dialect: Dialect) -> Self {
        Self::with(Text::Whole, text.to_vec(), dialect)
    }

    fn with(source: Text, text: Vec<u8>, dialect: Dialect) -> Self {
        Self {
            source,
            dialect,
            text,
            at: 0,
            line: 1,
            after_return: false,
            skip: dialect.skip_rows,
        }
    }

    pub(super) fn source(&self) -> Option<&TextSource> {
        match &self.source {
            Text::File(source) => Some(source),
            Text::Whole => None,
        }
    }

    /// Reads the next row into `record`; `false` at the end of the text.
    pub(super) fn next(&mut self, record: &mut Record) -> Result<bool, SplitError> {
        record.clear(self.line);
        let Dialect {
            delimiter,
            quote,
            escape,
            comment,
            ..
        } = self.dialect;
        let spaces_may_go = delimiter != Some(b' ') && quote.is_some();
        // Where there is no delimiter, looking for LF twice finds nothing else.
        let between = delimiter.unwrap_or(b'\n');
        let mut state = if self.skip > 0 { State::Skipped } else { State::Start };
        let mut opened = self.line;
        loop {
            if self.at == self.text.len() && !self.fill(record)? {
                return end(record, state, opened);
            }
            let byte = self.text[self.at];
            if self.after_return {
                self.after_return = false;
                if byte == b'\n' {
                    self.at += 1;
                    if state == State::Quoted {
                        record.data.push(byte);
                    }
                    continue;
                }
            }
            match state {
                State::Start if record.ends.is_empty() && Some(byte) == comment => state = State::Skipped,
                State::Start if Some(byte) == quote => {
                    opened = self.line;
                    self.at += 1;
                    state = State::Quoted;
                }
                State::Start | State::Spaces if byte == b' ' && spaces_may_go => {
                    record.data.push(byte);
                    self.at += 1;
                    state = State::Spaces;
                }
                State::Spaces if Some(byte) == quote => {
                    record.data.truncate(record.start_of_field());
                    opened = self.line;
                    self.at += 1;
                    state = State::Quoted;
                }
                State::Start | State::Spaces | State::Plain => {
                    let rest = &self.text[self.at..];
                    let length = memchr3(between, b'\n', b'\r', rest).unwrap_or(rest.len());
                    record.data.extend_from_slice(&rest[..length]);
                    self.at += length;
                    state = State::Plain;
                    if self.at < self.text.len() {
                        record.end_field(false);
                        if self.pass_end_of_line() {
                            return Ok(true);
                        }
                        self.at += 1;
                        state = State::Start;
                    }
                }
                State::Quoted => {
                    let rest = &self.text[self.at..];
                    let quote = quote.unwrap_or(b'"');
                    let length = match escape {
                        Some(escape) => memchr2(quote, escape, rest),
                        None => memchr::memchr(quote, rest),
                    }
                    .unwrap_or(rest.len());
                    let inside = &rest[..length];
                    record.data.extend_from_slice(inside);
                    let (lines, ends_in_return) = count_lines(inside);
                    self.line += lines;
                    self.at += length;
                    if self.at < self.text.len() {
                        state = if self.text[self.at] == quote {
                            State::Quote
                        } else {
                            State::Escape
                        };
                        self.at += 1;
                    } else {
                        // A CR that ends the piece: its LF, when there is one, must not count as another line.
                        self.after_return = ends_in_return;
                    }
                    if record.data.len() > LONGEST {
                        return Err(SplitError::TooLong { line: record.line });
                    }
                }
                State::Escape => {
                    // Only a quote and the escape itself are escaped; anything else keeps the sign before it.
                    if Some(byte) != quote && Some(byte) != escape {
                        record.data.extend(escape);
                        state = State::Quoted;
                    } else {
                        record.data.push(byte);
                        self.at += 1;
                        state = State::Quoted;
                    }
                }
                State::Quote if Some(byte) == quote && escape.is_none() => {
                    record.data.push(byte);
                    self.at += 1;
                    state = State::Quoted;
                }
                State::Quote | State::Behind => {
                    if Some(byte) == delimiter {
                        record.end_field(true);
                        self.at += 1;
                        state = State::Start;
                    } else if matches!(byte, b'\n' | b'\r') {
                        record.end_field(true);
                        self.pass_end_of_line();
                        return Ok(true);
                    } else if byte == b' ' && spaces_may_go {
                        self.at += 1;
                        state = State::Behind;
                    } else {
                        return Err(SplitError::TextBehindQuote {
                            line: self.line,
                            field: record.len(),
                        });
                    }
                }
                State::Skipped => {
                    let rest = &self.text[self.at..];
                    self.at += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                    if self.at < self.text.len() {
                        self.pass_end_of_line();
                        self.skip = self.skip.saturating_sub(1);
                        record.clear(self.line);
                        state = if self.skip > 0 { State::Skipped } else { State::Start };
                    }
                }
            }
            if record.data.len() > LONGEST {
                return Err(SplitError::TooLong { line: record.line });
            }
        }
    }

    /// Steps over the LF or CR at the cursor, if there is one. The LF of a CR LF is stepped over by whoever comes next.
    fn pass_end_of_line(&mut self) -> bool {
        match self.text[self.at] {
            b'\n' => {}
            b'\r' => self.after_return = true,
            _ => return false,
        }
        self.at += 1;
        self.line += 1;
        true
    }

    fn fill(&mut self, record: &Record) -> Result<bool, SplitError> {
        let Text::File(source) = &mut self.source else {
            return Ok(false);
        };
        let before = tail(&self.text);
        self.text.clear();
        self.at = 0;
        match source.more(&mut self.text)? {
            Piece::Text => Ok(true),
            Piece::End => Ok(false),
            Piece::Invalid(bytes) => Err(SplitError::NotText {
                line: self.line,
                field: record.len(),
                bytes,
                before,
            }),
        }
    }
}

/// The last row, when it does not end with a line.
fn end(record: &mut Record, state: State, opened: u64) -> Result<bool, SplitError> {
    match state {
        State::Skipped => Ok(false),
        State::Start if record.ends.is_empty() => Ok(false),
        State::Start | State::Spaces | State::Plain => {
            record.end_field(false);
            Ok(true)
        }
        State::Quote | State::Behind => {
            record.end_field(true);
            Ok(true)
        }
        State::Quoted | State::Escape => Err(SplitError::OpenQuote {
            line: opened,
            field: record.len(),
        }),
    }
}

/// The end of the text before a place that is no text, for the message.
fn tail(text: &[u8]) -> Vec<u8> {
    let start = text
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r' | b',' | b';' | b'\t' | b'"'));
    let start = start.map_or(0, |place| place + 1).max(text.len().saturating_sub(40));
    text[start..].to_vec()
}

/// Ends of lines inside quotes, CR LF being one, and whether the text ends in a CR.
fn count_lines(text: &[u8]) -> (u64, bool) {
    if memchr2(b'\n', b'\r', text).is_none() {
        return (0, false);
    }
    let mut lines = 0;
    let mut after_return = false;
    for byte in text {
        match byte {
            b'\n' if after_return => after_return = false,
            b'\n' => lines += 1,
            b'\r' => {
                lines += 1;
                after_return = true;
            }
            _ => after_return = false,
        }
    }
    (lines, after_return)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Dialect = Dialect {
        delimiter: Some(b','),
        quote: Some(b'"'),
        escape: None,
        comment: None,
        skip_rows: 0,
    };

    fn split(text: &str, dialect: Dialect) -> Result<Vec<(u64, Vec<String>)>, SplitError> {
        let mut records = Records::of_text(text.as_bytes(), dialect);
        let mut record = Record::default();
        let mut all = Vec::new();
        while records.next(&mut record)? {
            all.push((
                record.line,
                (0..record.len()).map(|place| record.text(place).to_owned()).collect(),
            ));
        }
        Ok(all)
    }

    fn values(text: &str) -> Vec<Vec<String>> {
        split(text, PLAIN)
            .expect("well formed")
            .into_iter()
            .map(|(_, values)| values)
            .collect()
    }

    #[test]
    fn every_end_of_line_ends_a_row_and_stays_inside_quotes() {
        assert_eq!(
            values("a,b\r\nc,d\ne,f\rg,h"),
            [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]
        );
        assert_eq!(values("\"x\r\ny\",\"\n\"\n"), [["x\r\ny", "\n"]]);
        let lines = split("\"x\r\ny\rz\n\",1\r\n\r\nnext,2\n", PLAIN).expect("well formed");
        assert_eq!(lines.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 5, 6]);
    }

    #[test]
    fn quotes_are_doubled_and_spaces_around_them_go() {
        assert_eq!(
            values("\"a\"\"b\",  \"c\"  , d ,5\" x\n"),
            [["a\"b", "c", " d ", "5\" x"]]
        );
        assert_eq!(values("\"\",,\"\"\n"), [["", "", ""]]);
    }

    #[test]
    fn an_escape_makes_a_quote_plain_and_nothing_else() {
        let dialect = Dialect {
            escape: Some(b'\\'),
            ..PLAIN
        };
        let rows = split(r#""a\"b","c\\d","e\nf""#, dialect).expect("well formed");
        assert_eq!(rows[0].1, ["a\"b", "c\\d", "e\\nf"]);
    }

    #[test]
    fn what_a_lenient_reader_would_change_is_an_error() {
        assert!(matches!(
            split("a,\"b\"c\n", PLAIN),
            Err(SplitError::TextBehindQuote { line: 1, field: 1 })
        ));
        assert!(matches!(
            split("a\nb,\"c\n\n", PLAIN),
            Err(SplitError::OpenQuote { line: 2, field: 1 })
        ));
    }

    #[test]
    fn comments_and_first_lines_are_left_out() {
        let dialect = Dialect {
            comment: Some(b'#'),
            skip_rows: 2,
            ..PLAIN
        };
        let rows = split("title \"\n\n#x,y\na,#b\n# end", dialect).expect("well formed");
        assert_eq!(rows, [(4, vec!["a".to_owned(), "#b".to_owned()])]);
    }

    #[test]
    fn without_a_delimiter_a_line_is_a_value() {
        let dialect = Dialect {
            delimiter: None,
            ..PLAIN
        };
        assert_eq!(split("a,b;c\n\"d\"\n\n", dialect).expect("well formed").len(), 3);
    }

    #[test]
    fn a_delimiter_at_the_end_is_one_more_value() {
        assert_eq!(values("a,\nb,"), [["a", ""], ["b", ""]]);
    }
}
