//! Tables of text, each column as wide as its widest cell.

use std::io::{self, Write};

use serde_json::Value;
use unicode_width::UnicodeWidthChar;

/// Columns of the terminal that a cell takes at most.
const CELL: usize = 48;

/// Writes a table with a head line. Numbers stand on the right.
pub(crate) fn write_table(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let head: Vec<String> = head.iter().map(|title| printable(title)).collect();
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| printable(cell)).collect())
        .collect();
    let mut widths: Vec<usize> = head.iter().map(|title| width(title)).collect();
    let mut numbers = vec![!rows.is_empty(); head.len()];
    for row in &rows {
        for (index, cell) in row.iter().enumerate().take(widths.len()) {
            widths[index] = widths[index].max(width(cell));
            numbers[index] &= cell.is_empty() || cell.parse::<f64>().is_ok();
        }
    }
    for row in std::iter::once(&head).chain(&rows) {
        let mut line = String::new();
        for (index, cell) in row.iter().enumerate().take(widths.len()) {
            let fill = " ".repeat(widths[index] - width(cell));
            let gap = if index == 0 { "" } else { "  " };
            line += gap;
            line += &if numbers[index] {
                fill + cell
            } else {
                format!("{cell}{fill}")
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A value as a cell shows it.
pub(crate) fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// A text on one line, without anything that a terminal would obey, cut when it is long.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::new();
    let mut columns = 0;
    for character in text.chars() {
        let character = match character {
            '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
            '\x7f'..='\u{9f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => '\u{fffd}',
            other => other,
        };
        columns += character.width().unwrap_or(0);
        if columns > CELL {
            shown.push('…');
            break;
        }
        shown.push(character);
    }
    shown
}

fn width(text: &str) -> usize {
    text.chars().map(|character| character.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_on_the_right_and_wide_characters_count_twice() {
        let rows = [vec!["尺寸".to_string(), "7".into()], vec!["a".into(), "1200".into()]];
        let mut out = Vec::new();
        write_table(&mut out, &["name", "rows"], &rows).expect("a vector can be written to");
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "\
name  rows
尺寸     7
a     1200
"
        );
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        assert_eq!(printable("a\u{1b}[31m\nb\u{202e}"), "a␛[31m␊b\u{fffd}");
        assert_eq!(printable(&"x".repeat(60)), "x".repeat(48) + "…");
    }
}
