//! Which signs set the values of a text apart.

use super::note::{ImportNote, NoteKind};
use super::options::{ImportOptions, Quote};
use super::records::{Dialect, Record, Records, SplitError};
use super::shape::{NumberStyle, Shape};

/// Delimiters that are looked for, in the order of preference where nothing else decides.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];
/// Rows that are looked at.
const ROWS: usize = 1000;

/// What a text showed.
#[derive(Debug)]
pub(super) struct Detected {
    pub(super) dialect: Dialect,
    pub(super) notes: Vec<ImportNote>,
}

/// Finds what `options` leave open. `sample` is the beginning of the text, or all of it when `whole`.
pub(super) fn detect(sample: &[u8], whole: bool, tabs_first: bool, options: &ImportOptions) -> Detected {
    let ascii = |sign: char| u8::try_from(sign).ok();
    let quote = match options.quote {
        Quote::Detected => Some(b'"'),
        Quote::Never => None,
        Quote::Sign(sign) => ascii(sign),
    };
    let mut dialect = Dialect {
        delimiter: options.delimiter.and_then(ascii),
        quote,
        escape: options.escape.and_then(ascii),
        comment: options.comment.and_then(ascii),
        skip_rows: options.skip_rows.unwrap_or(0),
    };
    let mut notes = Vec::new();
    if let (Some(sign), None, None) = (named_by_excel(sample), options.delimiter, options.skip_rows) {
        dialect.delimiter = Some(sign);
        dialect.skip_rows = 1;
        let text = format!(
            "the first line names the delimiter {:?} and is no row",
            char::from(sign)
        );
        notes.push(ImportNote::new(NoteKind::SkippedLines, None, text));
    } else if options.skip_rows.is_none() && options.comment.is_none() {
        dialect.skip_rows = remarks(sample, whole, tabs_first, dialect);
        if dialect.skip_rows > 0 {
            let text = format!(
                "the first {} lines begin with # and have not the form of the rows: they are left out",
                dialect.skip_rows
            );
            notes.push(ImportNote::new(NoteKind::SkippedLines, None, text));
        }
    }
    let mut best = chosen(sample, whole, tabs_first, dialect);
    if options.quote == Quote::Detected && !best.double_quotes {
        let single = chosen(
            sample,
            whole,
            tabs_first,
            Dialect {
                quote: Some(b'\''),
                ..dialect
            },
        );
        if single.quoted_column && !single.malformed && single.share >= best.share {
            best = single;
        }
    }
    if best.malformed && options.escape.is_none() {
        let escaped = chosen(
            sample,
            whole,
            tabs_first,
            Dialect {
                escape: Some(b'\\'),
                ..dialect
            },
        );
        if !escaped.malformed {
            best = escaped;
        }
    }
    Detected {
        dialect: best.dialect,
        notes,
    }
}

/// `sep=;` in the first line, by which spreadsheet programs are told the delimiter.
fn named_by_excel(sample: &[u8]) -> Option<u8> {
    let end = sample.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let line = sample[..end]
        .strip_prefix(b"\"")
        .and_then(|line| line.strip_suffix(b"\""))
        .unwrap_or(&sample[..end]);
    match line.strip_prefix(b"sep=").or_else(|| line.strip_prefix(b"SEP="))? {
        [sign] if sign.is_ascii() && !sign.is_ascii_alphanumeric() => Some(*sign),
        _ => None,
    }
}

/// How many lines at the start begin with `#` and are no rows: their number of values is another one.
fn remarks(sample: &[u8], whole: bool, tabs_first: bool, dialect: Dialect) -> u64 {
    let lines: Vec<&[u8]> = sample
        .split(|byte| *byte == b'\n')
        .take_while(|line| line.starts_with(b"#"))
        .collect();
    if lines.is_empty() {
        return 0;
    }
    let count = lines.len() as u64;
    let trial = chosen(
        sample,
        whole,
        tabs_first,
        Dialect {
            skip_rows: count,
            ..dialect
        },
    );
    if trial.mode < 2 || trial.dialect.delimiter.is_none() {
        return 0;
    }
    let width = |line: &[u8]| {
        let mut record = Record::default();
        let mut records = Records::of_text(
            line,
            Dialect {
                skip_rows: 0,
                ..trial.dialect
            },
        );
        match records.next(&mut record) {
            Ok(true) => record.len(),
            _ => 0,
        }
    };
    lines
        .iter()
        .position(|line| width(line) == trial.mode)
        .map_or(count, |place| place as u64)
}

/// How a text looks when it is read in one dialect.
#[expect(clippy::struct_excessive_bools, reason = "observations, each on its own")]
struct Trial {
    dialect: Dialect,
    malformed: bool,
    /// Values in the first row.
    first: usize,
    /// The most frequent number of values.
    mode: usize,
    /// Rows that have it, in thousandths.
    share: usize,
    /// Rows behind the first all have the same number of values.
    even_behind_first: bool,
    /// Values that are numbers, dates and the like, in twentieths.
    typed: usize,
    /// Some value begins with a double quote.
    double_quotes: bool,
    /// Every value of some column, the first row perhaps left out, is in quotes.
    quoted_column: bool,
}

fn chosen(sample: &[u8], whole: bool, tabs_first: bool, dialect: Dialect) -> Trial {
    if dialect.delimiter.is_some() {
        return trial(sample, whole, dialect);
    }
    let mut signs = DELIMITERS;
    if tabs_first {
        signs.swap(0, 1);
    }
    let trials: Vec<Trial> = signs
        .iter()
        .map(|sign| {
            trial(
                sample,
                whole,
                Dialect {
                    delimiter: Some(*sign),
                    ..dialect
                },
            )
        })
        .collect();
    let key = |trial: &Trial| (!trial.malformed, trial.share, trial.typed, trial.mode);
    let mut best: Option<Trial> = None;
    let mut odd: Option<Trial> = None;
    for trial in trials {
        if trial.first >= 2 && trial.mode >= 2 {
            if best.as_ref().is_none_or(|best| key(&trial) > key(best)) {
                best = Some(trial);
            }
        } else if trial.mode >= 2 && trial.even_behind_first && odd.is_none() {
            // A title above the table, or a single column of text: the rows are then refused with advice.
            odd = Some(trial);
        }
    }
    best.or(odd).unwrap_or_else(|| trial(sample, whole, dialect))
}

fn trial(sample: &[u8], whole: bool, dialect: Dialect) -> Trial {
    let style = NumberStyle {
        decimal: None,
        thousands: None,
    };
    let mut records = Records::of_text(sample, dialect);
    let mut record = Record::default();
    let mut widths: Vec<usize> = Vec::new();
    let (mut typed, mut values, mut last_typed, mut last_values) = (0, 0, 0, 0);
    let mut malformed = false;
    let mut double_quotes = false;
    let mut columns: Vec<(bool, bool)> = Vec::new();
    let mut cut = false;
    while widths.len() < ROWS {
        match records.next(&mut record) {
            Ok(true) if record.is_blank() => continue,
            Ok(true) => {}
            Ok(false) => {
                cut = !whole;
                break;
            }
            Err(SplitError::OpenQuote { .. }) if !whole => break,
            Err(_) => {
                malformed = true;
                break;
            }
        }
        (last_typed, last_values) = (0, 0);
        for place in 0..record.len() {
            double_quotes |= record.is_quoted(place) && dialect.quote == Some(b'"');
            double_quotes |= record.field(place).trim_ascii_start().starts_with(b"\"");
            if widths.is_empty() {
                continue;
            }
            if columns.len() == place {
                columns.push((true, false));
            }
            columns[place].0 &= record.is_quoted(place) || record.is_missing(place);
            columns[place].1 |= record.is_quoted(place);
            let field = record.field(place);
            if !field.trim_ascii().is_empty() {
                last_values += 1;
                last_typed += usize::from(Shape::of(field, style) != Shape::Text);
            }
        }
        typed += last_typed;
        values += last_values;
        widths.push(record.len());
    }
    if cut && widths.len() > 1 {
        // The last row may be incomplete.
        widths.pop();
        typed -= last_typed;
        values -= last_values;
    }
    let count = |width: &usize| widths.iter().filter(|other| *other == width).count();
    let mode = widths
        .iter()
        .copied()
        .max_by_key(|width| (count(width), *width))
        .unwrap_or(0);
    Trial {
        dialect,
        malformed,
        first: widths.first().copied().unwrap_or(0),
        mode,
        share: count(&mode) * 1000 / widths.len().max(1),
        even_behind_first: widths.len() > 1 && widths[1..].iter().all(|width| *width == mode),
        typed: (typed * 20).checked_div(values).unwrap_or(0),
        double_quotes,
        quoted_column: widths.len() > 1 && columns.iter().any(|(all, any)| *all && *any),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(text: &str) -> Dialect {
        detect(text.as_bytes(), true, false, &ImportOptions::default()).dialect
    }

    #[test]
    fn delimiters_are_found() {
        for (text, delimiter) in [
            ("a,b\n1,2\n", Some(b',')),
            ("a;b\n1,5;2,5\n", Some(b';')),
            ("1,5;2,5\n3,5;4,5\n", Some(b';')),
            ("a\tb\n1\t2\n", Some(b'\t')),
            ("a|b|c\n1|x,y|3\n", Some(b'|')),
            ("a,b,c\n1,2,3\n4,5\n", Some(b',')),
            ("\"a;x\",\"b;y\"\n1,2\n", Some(b',')),
            ("id,text\n1,a;b;c\n2,d;e;f\n", Some(b',')),
            ("name\nx\ny\n", None),
            ("comment\nhello, world\nyes; no\n", None),
            ("sep=;\na;b\n1;2\n", Some(b';')),
        ] {
            assert_eq!(detected(text).delimiter, delimiter, "{text:?}");
        }
    }

    #[test]
    fn quotes_and_escapes_are_found() {
        assert_eq!(detected("'a','b'\n'1,5','x'\n").quote, Some(b'\''));
        assert_eq!(detected("a,b\nO'Neil,'tis\n").quote, Some(b'"'));
        assert_eq!(detected("a,b\n\"x \\\"y\\\" z\",1\n").escape, Some(b'\\'));
        assert_eq!(detected("a,b\n\"C:\\dir\\\",1\n").escape, None);
    }

    #[test]
    fn remarks_before_the_table_are_left_out() {
        assert_eq!(detected("# made today\n#id,name\n1,x\n").skip_rows, 1);
        assert_eq!(detected("#id,name\n1,x\n").skip_rows, 0);
        assert_eq!(detected("# a\n# b\nid,name\n1,x\n").skip_rows, 2);
    }
}
