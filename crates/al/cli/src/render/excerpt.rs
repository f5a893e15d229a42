//! The lines of source that a finding is about, with carets under the span.

use std::io::{self, Write};

use anstyle::Style;

use super::palette::{Palette, paint};
use super::printable::{Cell, cells};

/// Spans of up to so many lines are shown whole; of longer ones the first and
/// the last line.
const WHOLE_SPAN_LINES: u32 = 4;

/// Columns kept before a span when the beginning of its line is cut away.
const CONTEXT_COLUMNS: usize = 16;

/// Stands for what was cut away; one column wide.
const CUT: char = '…';

/// Where a finding lies: lines and columns from 1, columns in UTF-16 code
/// units, the end just behind the last character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
}

/// How an excerpt looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExcerptStyle<'a> {
    pub(crate) palette: &'a Palette,
    /// Of the carets.
    pub(crate) carets: Style,
    /// Columns there are, gutter included.
    pub(crate) columns: usize,
}

/// Writes the lines of `span`, taken from `line` by their number. A line that
/// is not there any more is left out.
pub(crate) fn write_excerpt<'t>(
    out: &mut dyn Write,
    span: Span,
    style: ExcerptStyle<'_>,
    line: impl Fn(u32) -> Option<&'t str>,
) -> io::Result<()> {
    let last = span.end_line.max(span.line);
    // A span that ends before the first character of a line ends with the line before.
    let last = if last > span.line && span.end_column <= 1 {
        last - 1
    } else {
        last
    };
    let number_columns = digits(last).max(3);
    let whole = last - span.line < WHOLE_SPAN_LINES;
    for number in span.line..=last {
        if !whole && number != span.line && number != last {
            if number == span.line + 1 {
                writeln!(out, "  {:>number_columns$} {}", "", paint(style.palette.aside, "⋮"))?;
            }
            continue;
        }
        let Some(text) = line(number) else { continue };
        let text = text.trim_end_matches(['\r', '\n']);
        let from = if number == span.line {
            span.column.saturating_sub(1) as usize
        } else {
            indentation(text)
        };
        let to = if number == span.end_line {
            span.end_column.saturating_sub(1) as usize
        } else {
            usize::MAX
        };
        write_line(out, number, number_columns, text, [from, to], style)?;
    }
    Ok(())
}

fn digits(number: u32) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

/// UTF-16 code units of the white space a line begins with.
fn indentation(line: &str) -> usize {
    line.chars()
        .take_while(|character| character.is_whitespace())
        .map(char::len_utf16)
        .sum()
}

fn write_line(
    out: &mut dyn Write,
    number: u32,
    number_columns: usize,
    text: &str,
    offsets: [usize; 2],
    style: ExcerptStyle<'_>,
) -> io::Result<()> {
    let (cells, [start, end]) = cells(text, offsets);
    let gutter = number_columns + 5;
    let window = Window::around(&cells, start, end, style.columns.saturating_sub(gutter).max(20));
    let aside = style.palette.aside;
    let bar = paint(aside, '│');
    writeln!(
        out,
        "  {} {bar} {}",
        paint(aside, format_args!("{number:>number_columns$}")),
        window.text
    )?;
    writeln!(
        out,
        "  {:>number_columns$} {bar} {:indent$}{}",
        "",
        "",
        paint(style.carets, "^".repeat(window.carets)),
        indent = window.indent
    )
}

/// The part of a line that is shown.
struct Window {
    text: String,
    /// Columns before the carets.
    indent: usize,
    /// Columns of the carets; at least one, so that a place between two
    /// characters, or behind the last one, is seen.
    carets: usize,
}

impl Window {
    /// The part of a line around the cells `start..end` that fits into
    /// `room` columns.
    fn around(cells: &[Cell], start: usize, end: usize, room: usize) -> Self {
        let end = end.max(start);
        let total = columns(cells);
        if total <= room {
            return Self {
                text: cells
                    .iter()
                    .map(|cell| cell.character)
                    .collect::<String>()
                    .trim_end()
                    .to_owned(),
                indent: columns(&cells[..start]),
                carets: columns(&cells[start..end]).max(1),
            };
        }

        // Cut at the left only when the span would not fit otherwise, and keep some of what is before it.
        let first = if columns(&cells[..end]) < room {
            0
        } else {
            let span = columns(&cells[start..end]).min(room);
            let context = CONTEXT_COLUMNS.min(room - span);
            let mut first = start;
            let mut kept = 1;
            // More of it when the rest of the line leaves room for it.
            let behind = columns(&cells[start..]);
            while first > 0 && {
                let wider = kept + cells[first - 1].columns;
                wider <= context || wider + behind <= room
            } {
                first -= 1;
                kept += cells[first].columns;
            }
            first
        };
        let mut text = String::new();
        let mut used = 0;
        if first > 0 {
            text.push(CUT);
            used = 1;
        }
        let (mut indent, mut carets, mut last) = (used, 0, first);
        for (index, cell) in cells.iter().enumerate().skip(first) {
            // The last column is kept for the mark of a cut.
            let ends_here = index + 1 == cells.len();
            if used + cell.columns + usize::from(!ends_here) > room {
                break;
            }
            text.push(cell.character);
            used += cell.columns;
            if index < start {
                indent += cell.columns;
            } else if index < end {
                carets += cell.columns;
            }
            last = index + 1;
        }
        if last < cells.len() {
            text.push(CUT);
            carets += usize::from(last < end);
        }
        Self {
            text: text.trim_end().to_owned(),
            indent,
            carets: carets.max(1),
        }
    }
}

fn columns(cells: &[Cell]) -> usize {
    cells.iter().map(|cell| cell.columns).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The excerpt of the text between `[|` and `|]`, in `columns` columns.
    fn excerpt_in(columns: usize, marked: &str) -> String {
        let start = marked.find("[|").expect("a mark for the start");
        let end = marked.find("|]").expect("a mark for the end") - 2;
        let text = marked.replace("[|", "").replace("|]", "");
        let position = |offset: usize| {
            let before = &text[..offset];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let line = before.matches('\n').count() + 1;
            let column = before[line_start..].encode_utf16().count() + 1;
            (u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
        };
        let ((line, column), (end_line, end_column)) = (position(start), position(end));
        let lines: Vec<&str> = text.split('\n').collect();
        let palette = Palette::plain();
        let mut out = Vec::new();
        write_excerpt(
            &mut out,
            Span {
                line,
                column,
                end_line,
                end_column,
            },
            ExcerptStyle {
                palette: &palette,
                carets: palette.error,
                columns,
            },
            |number| lines.get(number as usize - 1).copied(),
        )
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    fn check(marked: &str, expected: &str) {
        let expected = format!("{}\n", expected.trim_matches('\n'));
        assert_eq!(excerpt_in(120, marked), expected);
    }

    #[test]
    fn carets_stand_under_the_span() {
        check(
            "table 1 A\n{\n    [|Caption|] = '';\n}",
            "
    3 │     Caption = '';
      │     ^^^^^^^",
        );
    }

    #[test]
    fn carets_follow_tabs_and_wide_characters() {
        check(
            "\tMessage('尺寸', [|Größe|]);",
            "
    1 │     Message('尺寸', Größe);
      │                     ^^^^^",
        );
        check(
            "\tx := '[|尺寸|]';",
            "
    1 │     x := '尺寸';
      │           ^^^^",
        );
    }

    #[test]
    fn an_empty_span_is_one_caret_even_behind_the_end() {
        check(
            "exit(1)[||]",
            "
    1 │ exit(1)
      │        ^",
        );
    }

    #[test]
    fn a_span_of_a_few_lines_is_shown_whole() {
        check(
            "[|field(1; A; Code[20])\n{\n}|]\nfield",
            "
    1 │ field(1; A; Code[20])
      │ ^^^^^^^^^^^^^^^^^^^^^
    2 │ {
      │ ^
    3 │ }
      │ ^",
        );
    }

    #[test]
    fn of_a_long_span_the_first_and_last_line_are_shown() {
        check(
            "  [|begin\n    A;\n    B;\n    C;\n  end|];",
            "
    1 │   begin
      │   ^^^^^
      ⋮
    5 │   end;
      │   ^^^",
        );
    }

    #[test]
    fn a_span_that_ends_at_the_beginning_of_a_line_ends_with_the_line_before() {
        check(
            "[|begin\n|]end",
            "
    1 │ begin
      │ ^^^^^",
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_span() {
        let line = format!("Message('{}', [|Amount|], '{}');", "a".repeat(60), "b".repeat(60));
        assert_eq!(
            excerpt_in(48, &line),
            "    1 │ …aaaaaaaaaaaa', Amount, 'bbbbbbbbbbbbbb…\n      │                 ^^^^^^\n"
        );
    }

    #[test]
    fn at_the_end_of_a_long_line_all_the_room_is_used() {
        let line = format!("procedure P({}; [|Silent: Boolean|])", "a".repeat(60));
        assert_eq!(
            excerpt_in(48, &line),
            "    1 │ …aaaaaaaaaaaaaaaaaaaaa; Silent: Boolean)\n      │                         ^^^^^^^^^^^^^^^\n"
        );
    }

    #[test]
    fn a_span_longer_than_the_room_is_cut_itself() {
        let line = format!("x := [|'{}'|];", "a".repeat(100));
        assert_eq!(
            excerpt_in(40, &line),
            "    1 │ …'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa…\n      │  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        );
    }

    #[test]
    fn a_long_line_with_the_span_at_its_start_is_cut_at_the_end_only() {
        let line = format!("[|Message|]('{}');", "a".repeat(100));
        assert_eq!(
            excerpt_in(40, &line),
            "    1 │ Message('aaaaaaaaaaaaaaaaaaaaaa…\n      │ ^^^^^^^\n"
        );
    }

    #[test]
    fn a_line_that_is_gone_is_left_out() {
        let palette = Palette::plain();
        let mut out = Vec::new();
        let span = Span {
            line: 9,
            column: 1,
            end_line: 9,
            end_column: 4,
        };
        let style = ExcerptStyle {
            palette: &palette,
            carets: palette.error,
            columns: 80,
        };
        write_excerpt(&mut out, span, style, |_| None).unwrap();
        assert!(out.is_empty());
    }

    #[test]
    fn no_place_makes_it_fail() {
        for text in ["", "\t", "尺", "a\u{301}", "😀😀😀😀😀😀😀😀😀😀😀😀😀"] {
            for column in [0, 1, 2, 3, 900, u32::MAX] {
                for end_column in [0, 1, 2, 900, u32::MAX] {
                    for end_line in [0, 1, 2] {
                        let palette = Palette::plain();
                        let span = Span {
                            line: 1,
                            column,
                            end_line,
                            end_column,
                        };
                        let style = ExcerptStyle {
                            palette: &palette,
                            carets: palette.error,
                            columns: 10,
                        };
                        write_excerpt(&mut Vec::new(), span, style, |_| Some(text)).unwrap();
                    }
                }
            }
        }
    }
}
