//! Offsets of a text as lines and columns, and back.

use std::fmt;

/// A place in a text as people and protocols name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, counted from 1. CR, LF and CRLF each end one.
    pub line: u32,
    /// The column, counted from 1 in UTF-16 code units.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// The index between byte offsets of a text and its lines and columns.
///
/// It owns what it needs, so it can outlive the text; a text of ASCII costs four
/// bytes a line. Texts must be smaller than 4 GiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    /// Offset of the first byte of every line; the first is 0.
    starts: Vec<u32>,
    /// Offset just behind the last character of every line, before its line end.
    ends: LineEnds,
    /// Every character beyond ASCII, in order.
    wide: Vec<WideCharacter>,
    length: u32,
}

/// Most files use one kind of line end throughout, which needs no list.
#[derive(Debug, Clone, PartialEq, Eq)]
enum LineEnds {
    /// Every line end has this many bytes.
    Uniform(u32),
    /// The length of the line end of each line but the last.
    Mixed(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WideCharacter {
    start: u32,
    /// Length in UTF-8 (2 to 4); its length in UTF-16 follows from it.
    length: u32,
    /// UTF-8 bytes minus UTF-16 units over this and all earlier wide characters.
    surplus: u32,
}

impl WideCharacter {
    const fn utf16_length(self) -> u32 {
        if self.length == 4 { 2 } else { 1 }
    }
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut end_lengths = Vec::new();
        let mut uniform = None;
        let mut is_uniform = true;
        let mut end_seen = 0;
        for found in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            // The LF of a CRLF was counted with its CR.
            if found < end_seen {
                continue;
            }
            let length = if bytes[found] == b'\r' && bytes.get(found + 1) == Some(&b'\n') {
                2
            } else {
                1
            };
            end_seen = found + length;
            starts.push(end_seen as u32);
            if is_uniform && *uniform.get_or_insert(length) != length {
                is_uniform = false;
                end_lengths = vec![uniform.unwrap_or(length) as u8; starts.len() - 2];
            }
            if !is_uniform {
                end_lengths.push(length as u8);
            }
        }
        starts.shrink_to_fit();
        Self {
            starts,
            ends: if is_uniform {
                LineEnds::Uniform(uniform.unwrap_or(1) as u32)
            } else {
                LineEnds::Mixed(end_lengths)
            },
            wide: wide_characters(text),
            length: text.len() as u32,
        }
    }

    /// The number of lines; an empty text has one, and a text that ends in a line
    /// end has an empty last line.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line, counted from 1, in which `offset` lies. A line end belongs to the
    /// line it ends; an offset beyond the text counts as its end.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// The place of `offset`. An offset inside a character means that character; one
    /// beyond the text means its end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.length);
        let line = self.line(offset);
        let start = self.starts[line as usize - 1];
        let bytes = offset - start;
        let column = if self.wide.is_empty() {
            bytes
        } else {
            bytes - (self.surplus_before(offset) - self.surplus_before(start))
        };
        Position {
            line,
            column: column + 1,
        }
    }

    /// The offset of a place, or `None` if the text has no such line or the line no
    /// such column. The column just behind the last character exists.
    pub fn offset(&self, position: Position) -> Option<u32> {
        let (start, end) = self.line_range(position.line)?;
        let units = position.column.checked_sub(1)?;
        let wide = &self.wide[self.wide.partition_point(|wide| wide.start < start)..];
        let mut offset = start;
        let mut units_left = units;
        for character in wide.iter().take_while(|wide| wide.start < end) {
            let plain = character.start - offset;
            if units_left <= plain {
                break;
            }
            units_left -= plain;
            offset = character.start;
            if units_left < character.utf16_length() {
                return Some(offset);
            }
            units_left -= character.utf16_length();
            offset += character.length;
        }
        let offset = offset.checked_add(units_left)?;
        (offset <= end).then_some(offset)
    }

    /// First and last offset (exclusive) of a line, counted from 1, without its line
    /// end; `None` if there is no such line.
    pub fn line_range(&self, line: u32) -> Option<(u32, u32)> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = match self.starts.get(index + 1) {
            None => self.length,
            Some(next) => {
                next - match &self.ends {
                    LineEnds::Uniform(length) => *length,
                    LineEnds::Mixed(lengths) => u32::from(lengths[index]),
                }
            }
        };
        Some((start, end))
    }

    /// UTF-8 bytes minus UTF-16 units of the text before `offset`; what an offset
    /// inside a character exceeds its start by is surplus too.
    fn surplus_before(&self, offset: u32) -> u32 {
        let index = self.wide.partition_point(|wide| wide.start < offset);
        let Some(last) = index.checked_sub(1).map(|index| self.wide[index]) else {
            return 0;
        };
        if offset >= last.start + last.length {
            last.surplus
        } else {
            last.surplus - (last.length - last.utf16_length()) + (offset - last.start)
        }
    }
}

fn wide_characters(text: &str) -> Vec<WideCharacter> {
    let mut wide = Vec::new();
    let mut surplus = 0;
    let mut offset = 0;
    while let Some(skipped) = first_beyond_ascii(&text.as_bytes()[offset..]) {
        offset += skipped;
        let Some(character) = text[offset..].chars().next() else {
            break;
        };
        let length = character.len_utf8();
        surplus += (length - character.len_utf16()) as u32;
        wide.push(WideCharacter {
            start: offset as u32,
            length: length as u32,
            surplus,
        });
        offset += length;
    }
    wide
}

/// Index of the first byte that is not ASCII. Whole blocks are tested at once, since
/// nearly all source text is ASCII.
fn first_beyond_ascii(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let plain = blocks.iter().take_while(|block| block.is_ascii()).count() * BLOCK;
    let found = bytes[plain..].iter().position(|byte| !byte.is_ascii())?;
    Some(plain + found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cr_lf_and_crlf_each_end_a_line() {
        let index = LineIndex::new("a\r\nbc\rd\n\ne");
        //                          0 1 2 34 5 67 8 9
        assert_eq!(index.line_count(), 5);
        let lines = |offset| index.position(offset).to_string();
        assert_eq!(lines(0), "1:1");
        assert_eq!(lines(1), "1:2", "the CR belongs to the line it ends");
        assert_eq!(lines(2), "1:3", "and so does the LF behind it");
        assert_eq!(lines(3), "2:1");
        assert_eq!(lines(6), "3:1");
        assert_eq!(lines(8), "4:1");
        assert_eq!(lines(9), "5:1");
        assert_eq!(lines(10), "5:2");
        assert_eq!(lines(999), "5:2", "beyond the text means its end");
        let ranges: Vec<_> = (1..=6).map(|line| index.line_range(line)).collect();
        assert_eq!(
            ranges,
            [
                Some((0, 1)),
                Some((3, 5)),
                Some((6, 7)),
                Some((8, 8)),
                Some((9, 10)),
                None
            ]
        );
    }

    #[test]
    fn columns_count_utf_16_code_units() {
        let index = LineIndex::new("aé€😀b\nß c");
        //  bytes: a0 é1 €3 😀6 b10 \n11 ß12 ' '14 c15
        let place = |offset| index.position(offset).to_string();
        assert_eq!(place(1), "1:2");
        assert_eq!(place(2), "1:2", "inside é");
        assert_eq!(place(3), "1:3");
        assert_eq!(place(6), "1:4");
        assert_eq!(place(8), "1:4", "inside 😀");
        assert_eq!(place(10), "1:6", "😀 takes two units");
        assert_eq!(place(14), "2:2");
        let offset = |line, column| index.offset(Position { line, column });
        assert_eq!(offset(1, 4), Some(6));
        assert_eq!(offset(1, 5), Some(6), "the second half of 😀");
        assert_eq!(offset(1, 6), Some(10));
        assert_eq!(offset(1, 7), Some(11), "just behind the last character");
        assert_eq!(offset(1, 8), None);
        assert_eq!(offset(2, 3), Some(15));
        assert_eq!(offset(0, 1), None);
        assert_eq!(offset(1, 0), None);
        assert_eq!(offset(3, 1), None);
        assert_eq!(offset(2, u32::MAX), None);
    }

    #[test]
    fn an_empty_text_has_one_empty_line() {
        let index = LineIndex::new("");
        assert_eq!(index.line_count(), 1);
        assert_eq!(index.position(0).to_string(), "1:1");
        assert_eq!(index.line_range(1), Some((0, 0)));
    }

    fn tricky_text() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![
                Just("\r"),
                Just("\n"),
                Just("\r\n"),
                Just("abc"),
                Just("é"),
                Just("€"),
                Just("😀"),
                Just("\u{FEFF}"),
                Just("\0"),
                Just("0123456789012345678901234567890123456789012345678901234567890123456789"),
            ],
            0..40,
        )
        .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn places_agree_with_counting_character_by_character(text in tricky_text()) {
            let index = LineIndex::new(&text);
            let mut place = Position { line: 1, column: 1 };
            let mut previous = ' ';
            for (offset, character) in text.char_indices() {
                if previous == '\n' || (previous == '\r' && character != '\n') {
                    place = Position { line: place.line + 1, column: 1 };
                }
                prop_assert_eq!(index.position(offset as u32), place);
                let is_inside_line_end = previous == '\r' && character == '\n';
                let expected = (!is_inside_line_end).then_some(offset as u32);
                prop_assert_eq!(index.offset(place), expected);
                place.column += character.len_utf16() as u32;
                previous = character;
            }
        }
    }
}
