//! First pass over a text: its header, its widths and what its columns hold.

use super::error::{ImportError, shown};
use super::note::{ImportNote, NoteKind};
use super::options::ImportOptions;
use super::records::{Dialect, Record, SplitError};
use super::rows::Rows;
use super::scan::ColumnScan;
use super::shape::{NumberStyle, Shape};
use super::source::{TextEncoding, as_windows_1252};
use crate::{Progress, ROW_ORDER, Stage};
use std::path::Path;

/// Rows between two looks at whether to stop.
pub(super) const STEP: u64 = 8192;

/// What the first pass found.
pub(super) struct Table {
    pub(super) has_header: bool,
    /// The columns that are kept.
    pub(super) columns: Vec<TableColumn>,
    pub(super) notes: Vec<ImportNote>,
    /// Size and BLAKE3 of the file.
    pub(super) fingerprint: (u64, String),
}

/// A column as the first pass sees it.
pub(super) struct TableColumn {
    /// Its place in a row.
    pub(super) place: usize,
    /// Its name, unique in the table.
    pub(super) name: String,
    pub(super) scan: ColumnScan,
}

/// Widths of rows that are not the one of the first row.
#[derive(Default)]
struct Widths {
    first_other: Option<(u64, usize, String)>,
    others: u64,
    /// Rows with one value more, which is nothing at all.
    one_empty_more: u64,
    /// Rows with one value less.
    one_less: u64,
}

/// Reads all of the file.
pub(super) fn scan(
    path: &Path,
    encoding: TextEncoding,
    dialect: Dialect,
    options: &ImportOptions,
    progress: &dyn Progress,
) -> Result<Table, ImportError> {
    let style = number_style(options);
    let mut rows = Rows::new(path, encoding, dialect)?;
    let mut first = Record::default();
    let place_error = |error: SplitError, names: &Record| located(error, names, options, encoding.encoding.name());
    if !rows
        .next(&mut first)
        .map_err(|error| place_error(error, &Record::default()))?
    {
        return Err(ImportError::Empty { path: path.to_owned() });
    }
    let width = first.len();
    let mut scans = vec![ColumnScan::default(); width];
    let mut widths = Widths::default();
    let mut record = Record::default();
    let mut count = 0_u64;
    while rows.next(&mut record).map_err(|error| place_error(error, &first))? {
        count += 1;
        if count.is_multiple_of(STEP) {
            progress.rows_done(Stage::Scanning, count);
            if progress.is_cancelled() {
                return Err(ImportError::Cancelled);
            }
        }
        if record.len() != width {
            widths.add(&record, width, dialect);
        }
        for (place, scan) in scans.iter_mut().enumerate().take(record.len()) {
            scan.add(
                record.field(place),
                record.is_quoted(place),
                record.line,
                style,
                &options.null_values,
            );
        }
    }
    progress.rows_done(Stage::Scanning, count);
    let mut notes = Vec::new();
    let has_header = match options.has_header {
        Some(given) => given,
        None => guessed_header(&first, &scans, count, style, &mut notes),
    };
    let kept = kept_width(&first, &scans, &widths, count, has_header, options, dialect, &mut notes)?;
    if !has_header {
        for (place, scan) in scans.iter_mut().enumerate() {
            scan.add(
                first.field(place),
                first.is_quoted(place),
                first.line,
                style,
                &options.null_values,
            );
        }
    }
    if rows.blank_count > 0 {
        let lines: Vec<String> = rows.blank_lines.iter().map(ToString::to_string).collect();
        let more = if rows.blank_count > lines.len() as u64 {
            ", …"
        } else {
            ""
        };
        let text = format!(
            "{} blank lines are no rows: {}{more}",
            rows.blank_count,
            lines.join(", ")
        );
        notes.push(ImportNote::new(NoteKind::SkippedLines, None, text));
    }
    if rows.encoding() != "UTF-8" {
        notes.push(ImportNote::new(
            NoteKind::Encoding,
            None,
            format!("the file is {}", rows.encoding()),
        ));
    }
    let names = names(&first, kept, has_header, &mut notes);
    let mut columns: Vec<TableColumn> = names
        .into_iter()
        .zip(scans)
        .enumerate()
        .map(|(place, (name, scan))| TableColumn { place, name, scan })
        .collect();
    if let Some(place) = columns.iter().position(|column| column.name == ROW_ORDER) {
        columns.remove(place);
        let text = "the column is left out: rows are numbered anew";
        notes.push(ImportNote::new(NoteKind::LeftOut, Some(ROW_ORDER), text));
    }
    Ok(Table {
        has_header,
        columns,
        notes,
        fingerprint: rows.fingerprint(),
    })
}

pub(super) fn number_style(options: &ImportOptions) -> NumberStyle {
    let byte = |sign: Option<char>| sign.and_then(|sign| u8::try_from(sign).ok());
    let thousands = byte(options.thousands);
    // A comma between groups says what the point is for.
    let decimal = byte(options.decimal).or_else(|| thousands.map(|sign| if sign == b'.' { b',' } else { b'.' }));
    NumberStyle { decimal, thousands }
}

impl Widths {
    fn add(&mut self, record: &Record, width: usize, dialect: Dialect) {
        self.others += 1;
        if self.first_other.is_none() {
            self.first_other = Some((record.line, record.len(), shown(&record.joined(dialect.delimiter))));
        }
        self.one_empty_more += u64::from(record.len() == width + 1 && record.is_missing(width));
        self.one_less += u64::from(record.len() + 1 == width);
    }
}

/// How many of the columns are kept: all, or one less when the lines merely end with a delimiter.
#[expect(clippy::too_many_arguments, reason = "the facts of one pass, looked at once")]
fn kept_width(
    first: &Record,
    scans: &[ColumnScan],
    widths: &Widths,
    count: u64,
    has_header: bool,
    options: &ImportOptions,
    dialect: Dialect,
    notes: &mut Vec<ImportNote>,
) -> Result<usize, ImportError> {
    let width = first.len();
    let last_is_nothing = width > 1 && first.is_missing(width - 1);
    let mut left_out = |text: &str| notes.push(ImportNote::new(NoteKind::LeftOut, None, text));
    if let Some((line, found, text)) = &widths.first_other {
        if widths.one_empty_more == count {
            left_out("every row ends with a delimiter, the header does not: nothing stands behind it");
            return Ok(width);
        }
        if has_header && last_is_nothing && widths.one_less == count {
            left_out("the header ends with a delimiter, the rows do not: there is no column behind it");
            return Ok(width - 1);
        }
        return Err(ImportError::Ragged {
            line: *line,
            expected: width,
            found: *found,
            text: text.clone(),
            count: widths.others,
            hint: ragged_hint(first, text, widths, count, options, dialect),
        });
    }
    if last_is_nothing && scans[width - 1].is_bare() {
        left_out("every line ends with a delimiter: nothing stands behind it");
        return Ok(width - 1);
    }
    Ok(width)
}

fn ragged_hint(
    first: &Record,
    text: &str,
    widths: &Widths,
    count: u64,
    options: &ImportOptions,
    dialect: Dialect,
) -> String {
    if text.starts_with("\"#") && options.comment.is_none() {
        return ", or pass the reader option comment \"#\" when such lines are no rows".to_owned();
    }
    if widths.others == count && count > 0 {
        let line = first.line;
        let skip = options.skip_rows.unwrap_or(0) + 1;
        let mut hint = format!(
            ". Every row but the first, in line {line}, has another number of values: when it is a title, pass the \
             reader option skip_rows {skip}"
        );
        if first.len() == 1 {
            hint.push_str("; when the file has one column, pass a delimiter that does not occur in it");
        }
        return hint;
    }
    if options.delimiter.is_none() && count < 3 {
        let sign = dialect.delimiter.map_or(',', char::from);
        return format!(", or pass the reader option delimiter when it is not {sign:?}");
    }
    String::new()
}

/// Whether the first row holds names. It does when some column has values of a kind that its first row has not; it does
/// not when the first row has the kinds of the columns; and when nothing tells, names are taken for granted.
fn guessed_header(
    first: &Record,
    scans: &[ColumnScan],
    count: u64,
    style: NumberStyle,
    notes: &mut Vec<ImportNote>,
) -> bool {
    let kind = |place: usize| {
        let mut alone = ColumnScan::default();
        alone.add(first.field(place), false, 0, style, &[]);
        alone.single_kind()
    };
    let text = Shape::Text.kind();
    if count == 0 {
        let data = (0..first.len()).any(|place| kind(place).is_some_and(|kind| kind != text));
        if data {
            notes.push(ImportNote::new(
                NoteKind::Header,
                None,
                "the only line has values, no names",
            ));
        }
        return !data;
    }
    let (mut names, mut values) = (false, Vec::new());
    for (place, scan) in scans.iter().enumerate() {
        // Text below says nothing of what stands above: a number there may be a name or one more text.
        match (kind(place), scan.main_kind()) {
            (Some(own), Some(others)) if others != text && own == others => values.push(place),
            (Some(_), Some(others)) if others != text => names = true,
            _ => {}
        }
    }
    let years = |place: usize| {
        let year = std::str::from_utf8(first.field(place))
            .ok()
            .and_then(|text| text.trim().parse::<i64>().ok());
        let below = scans[place]
            .range
            .is_some_and(|(low, high)| (1800..=2200).contains(&low) && high <= 2200);
        year.is_some_and(|year| (1800..=2200).contains(&year)) && !below
    };
    if names {
        return true;
    }
    if values.is_empty() {
        let text = "no column tells the first line from the others: it is taken for the header; pass has_header false \
                    when it is a row";
        notes.push(ImportNote::new(NoteKind::Header, None, text));
        return true;
    }
    if values.iter().all(|place| years(*place)) {
        notes.push(ImportNote::new(
            NoteKind::Header,
            None,
            "the years in the first line are taken for names",
        ));
        return true;
    }
    let text = "the first line has the same kinds of values as the others: it is a row, and columns are named by their \
                place; pass has_header true when it is the header";
    notes.push(ImportNote::new(NoteKind::Header, None, text));
    false
}

/// The names of the columns: those of the header without spaces around them, `column_N` where there is none, and `_2`
/// and so on behind a name that occurs before.
fn names(first: &Record, kept: usize, has_header: bool, notes: &mut Vec<ImportNote>) -> Vec<String> {
    let bare = |text: &str| text.trim_matches([' ', '\t', '\u{feff}', '\n', '\r']).to_owned();
    let given: Vec<String> = (0..kept)
        .map(|place| {
            if has_header {
                bare(first.text(place))
            } else {
                String::new()
            }
        })
        .collect();
    let mut names: Vec<String> = Vec::with_capacity(kept);
    let mut used: std::collections::HashSet<String> = given.iter().cloned().collect();
    let mut seen = std::collections::HashSet::new();
    for (place, header) in given.iter().enumerate() {
        let wanted = if header.is_empty() {
            format!("column_{}", place + 1)
        } else {
            header.clone()
        };
        let free = if header.is_empty() {
            !used.contains(&wanted)
        } else {
            !seen.contains(&wanted)
        };
        let name = if free {
            wanted
        } else {
            // One of them is free: there are more than names in use.
            let mut numbers = (2..=used.len() + 2).map(|number| format!("{wanted}_{number}"));
            let next = numbers.find(|name| !used.contains(name));
            next.unwrap_or(wanted)
        };
        if has_header && name != *header {
            let why = if header.is_empty() {
                "its header is blank".to_owned()
            } else {
                format!("\"{header}\" occurs before it")
            };
            let text = format!("column {} is named {name}: {why}", place + 1);
            notes.push(ImportNote::new(NoteKind::Renamed, Some(&name), text));
        }
        seen.insert(name.clone());
        used.insert(name.clone());
        names.push(name);
    }
    names
}

/// An error of the splitter with the name of the column.
pub(super) fn located(
    error: SplitError,
    header: &Record,
    options: &ImportOptions,
    encoding: &'static str,
) -> ImportError {
    let column = |field: usize| {
        if field < header.len() && options.has_header != Some(false) && !header.text(field).trim().is_empty() {
            shown(header.text(field).trim())
        } else {
            (field + 1).to_string()
        }
    };
    match error {
        SplitError::Import(error) => error,
        SplitError::TooLong { line } => ImportError::TooLong { line },
        SplitError::TextBehindQuote { line, field } => ImportError::BadQuote {
            line,
            column: column(field),
            problem: "there is text behind the closing quote; a quote inside quotes is written twice, or pass the \
                      reader option escape \"\\\\\", or quote \"\" when quotes are part of the values"
                .to_owned(),
        },
        SplitError::OpenQuote { line, field } => ImportError::BadQuote {
            line,
            column: column(field),
            problem: "the quote opened here is never closed; pass the reader option quote \"\" when quotes are part \
                      of the values"
                .to_owned(),
        },
        SplitError::NotText {
            line,
            field,
            bytes,
            before,
        } => {
            let shown_bytes: Vec<String> = bytes.iter().take(4).map(|byte| format!("0x{byte:02X}")).collect();
            let hint = if encoding == "UTF-8" {
                let read = format!("{}{}", String::from_utf8_lossy(&before), as_windows_1252(&bytes));
                format!(
                    "; if the file is windows-1252, the value begins {}: then pass the reader option encoding \
                     \"windows-1252\"",
                    shown(&read)
                )
            } else {
                "; pass the reader option encoding".to_owned()
            };
            ImportError::BadEncoding {
                encoding,
                line,
                column: column(field),
                bytes: shown_bytes.join(" "),
                hint,
            }
        }
    }
}
