//! `candor-al errors`: the journal, newest first.

use std::io::{self, Write};

use candor_contract::JournalRecord;
use serde_json::Value;

use super::{Outcome, Surroundings};
use crate::arguments::{ErrorsArguments, Format};
use crate::failure::Failure;
use crate::journal::journal;
use crate::render::findings::counted;
use crate::render::palette::{Palette, paint};
use crate::render::printable::one_line;

pub(crate) fn run(
    arguments: &ErrorsArguments,
    surroundings: &Surroundings,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let journal = journal()?;
    if arguments.clear {
        let number = journal.clear()?;
        writeln!(
            out,
            "Removed {} from `{}`",
            counted(number, "record"),
            journal.path().display()
        )?;
        return Ok(Outcome::Clean);
    }
    let records = journal.list(arguments.limit)?;
    match arguments.format {
        Format::Json => {
            let records: Vec<_> = records.iter().map(|record| Value::Object(record.to_map())).collect();
            serde_json::to_writer_pretty(&mut *out, &records).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Human if records.is_empty() => writeln!(out, "Nothing went wrong")?,
        Format::Human => {
            for record in &records {
                write_record(out, record, &surroundings.terminal.output)?;
            }
        }
    }
    Ok(Outcome::Clean)
}

fn write_record(out: &mut dyn Write, record: &JournalRecord, palette: &Palette) -> io::Result<()> {
    let time = record
        .created_at
        .as_deref()
        .map_or_else(|| "unknown time".to_owned(), seconds);
    write!(out, "{}", paint(palette.aside, one_line(&time)))?;
    for part in [&record.code, &record.tool].into_iter().flatten() {
        write!(out, " {}", paint(palette.name, one_line(part)))?;
    }
    writeln!(out, " {}", paint(palette.aside, one_line(&record.id)))?;
    for line in record.message.lines() {
        writeln!(out, "  {}", one_line(line))?;
    }
    if let Some(path) = &record.file_path {
        let place = match (record.line, record.column) {
            (Some(line), Some(column)) => format!("{path}:{line}:{column}"),
            (Some(line), None) => format!("{path}:{line}"),
            _ => path.clone(),
        };
        writeln!(out, "  {}", paint(palette.place, one_line(&place)))?;
    } else if let Some(project) = &record.project {
        writeln!(out, "  {}", paint(palette.place, one_line(project)))?;
    }
    writeln!(out)
}

/// A time in RFC 3339 without its fraction, which nobody reads.
fn seconds(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, rest)) => format!(
            "{seconds}{}",
            rest.trim_start_matches(|digit: char| digit.is_ascii_digit())
        ),
        None => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_loses_its_fraction_and_keeps_its_zone() {
        assert_eq!(seconds("2026-11-30T12:00:00.000001Z"), "2026-11-30T12:00:00Z");
        assert_eq!(seconds("2026-11-30T12:00:00.5+01:00"), "2026-11-30T12:00:00+01:00");
        assert_eq!(seconds("2026-11-30T12:00:00Z"), "2026-11-30T12:00:00Z");
    }
}
