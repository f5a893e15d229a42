//! Text from files, made safe and measurable for a terminal.
//!
//! A source line or a file's name may hold anything: escape sequences that
//! would repaint the terminal, marks that reorder what is read, characters
//! that take two columns or none. What is printed here takes exactly the
//! columns that are counted for it.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Columns of a tab: AL's own formatter indents by four.
const TAB_COLUMNS: usize = 4;

/// A character as it is printed, and the columns it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) character: char,
    pub(crate) columns: usize,
}

/// What stands for a character that a terminal would obey rather than print.
fn printable(character: char) -> char {
    match character {
        // The pictures of control characters.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        // Marks that reorder or hide text, but not the joiner of emoji.
        | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// The cells of one line, and where in them two offsets in UTF-16 code units
/// lie. An offset behind the end lies behind the last cell.
pub(crate) fn cells(line: &str, offsets: [usize; 2]) -> (Vec<Cell>, [usize; 2]) {
    let mut cells = Vec::with_capacity(line.len());
    let mut found = [None; 2];
    let mut units = 0;
    for character in line.chars() {
        for (index, offset) in offsets.iter().enumerate() {
            if units >= *offset && found[index].is_none() {
                found[index] = Some(cells.len());
            }
        }
        units += character.len_utf16();
        if character == '\t' {
            cells.extend(
                [Cell {
                    character: ' ',
                    columns: 1,
                }; TAB_COLUMNS],
            );
        } else {
            let character = printable(character);
            cells.push(Cell {
                character,
                columns: character.width().unwrap_or(0),
            });
        }
    }
    let end = cells.len();
    (cells, found.map(|position| position.unwrap_or(end)))
}

/// A one-line text without anything a terminal would obey.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| printable(character) == character) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(printable).collect())
    }
}

/// Columns a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|character| character.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        cells(line, [0, 0]).0.iter().map(|cell| cell.character).collect()
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        assert_eq!(shown("a\u{1b}[31mb"), "a␛[31mb");
        assert_eq!(shown("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(one_line("two\nlines"), "two␊lines");
        assert!(matches!(one_line("Größe 尺寸"), Cow::Borrowed(_)));
    }

    #[test]
    fn offsets_are_utf16_units_and_a_tab_takes_four_cells() {
        // The emoji takes two units and two columns; the tab one unit and four cells.
        let (cells, [start, end]) = cells("\t'😀' x", [2, 4]);
        assert_eq!((start, end), (5, 6));
        assert_eq!(
            cells[5],
            Cell {
                character: '😀',
                columns: 2
            }
        );
    }

    #[test]
    fn an_offset_behind_the_end_is_the_end() {
        assert_eq!(cells("ab", [2, 9]).1, [2, 2]);
    }
}
