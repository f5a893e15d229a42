//! Tables of text, each column as wide as its widest cell.

use std::io::{self, Write};

use anstyle::Style;

use super::palette::{Palette, paint};
use super::printable::columns;

/// On which side the cells of a column are filled up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A cell: a text and how it looks.
#[derive(Debug, Clone)]
pub(crate) struct TableCell {
    text: String,
    style: Style,
}

impl TableCell {
    /// A cell that looks like the text around it.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            style: Style::new(),
        }
    }

    /// A cell in a style.
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

/// Writes a table with a head line. Every row has a cell for each column.
pub(crate) fn write_table<const COLUMNS: usize>(
    out: &mut dyn Write,
    palette: &Palette,
    head: [(&str, Align); COLUMNS],
    rows: &[[TableCell; COLUMNS]],
) -> io::Result<()> {
    let mut widths = head.map(|(title, _)| columns(title));
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(columns(&cell.text));
        }
    }
    let titles = head.map(|(title, _)| TableCell::styled(title, palette.aside));
    for row in std::iter::once(&titles).chain(rows) {
        // Only what has something behind it is filled up: no line ends in spaces.
        let last = row.iter().rposition(|cell| !cell.text.is_empty()).unwrap_or(0);
        for (index, cell) in row.iter().enumerate().take(last + 1) {
            let fill = widths[index] - columns(&cell.text);
            let gap = if index == 0 { "" } else { "  " };
            let text = paint(cell.style, &cell.text);
            match head[index].1 {
                Align::Right => write!(out, "{gap}{:fill$}{text}", "")?,
                Align::Left if index == last => write!(out, "{gap}{text}")?,
                Align::Left => write!(out, "{gap}{text}{:fill$}", "")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [
            ["AC0007", "1", "尺寸"].map(TableCell::plain),
            ["CN0001", "1200", ""].map(TableCell::plain),
        ];
        let mut out = Vec::new();
        let head = [("rule", Align::Left), ("n", Align::Right), ("name", Align::Left)];
        write_table(&mut out, &Palette::plain(), head, &rows).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\
rule       n  name
AC0007     1  尺寸
CN0001  1200
"
        );
    }
}
