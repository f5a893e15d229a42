//! How results look to a person.

use std::io::{self, Write};

use candor_catalog_facade::{BuildResult, ImportResult, ListResult, RecalcReport, RowsResult};
use candor_contract::JournalRecord;

use crate::table::{cell, printable, write_table};

fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn warnings(out: &mut dyn Write, warnings: &[String]) -> io::Result<()> {
    warnings.iter().try_for_each(|warning| writeln!(out, "Note: {warning}"))
}

/// A file that was brought in.
pub(crate) fn import(out: &mut dyn Write, imported: &ImportResult) -> io::Result<()> {
    let version = format!("{}-v{}", imported.alias, imported.version);
    let rows = counted(imported.row_count, "row");
    if imported.created {
        writeln!(out, "Imported {version}: {rows} ({})", imported.hash)?;
    } else {
        writeln!(out, "This is {version} already: {rows} ({})", imported.hash)?;
    }
    let columns: Vec<_> = imported
        .schema
        .fields
        .iter()
        .map(|field| vec![field.name.clone(), field.data_type.clone()])
        .collect();
    write_table(out, &["column", "type"], &columns)?;
    for note in &imported.notes {
        writeln!(out, "Note: {}", note.text)?;
    }
    warnings(out, &imported.warnings)?;
    imported.recalc.as_ref().map_or(Ok(()), |report| recalc(out, report))
}

/// A result that was built.
pub(crate) fn build(out: &mut dyn Write, built: &BuildResult) -> io::Result<()> {
    let name = match (&built.alias, built.version) {
        (Some(alias), Some(version)) => format!("{alias}-v{version}"),
        _ => "scratch result".to_owned(),
    };
    let what = if built.created { "Built" } else { "Was built before:" };
    writeln!(
        out,
        "{what} {name}: {} ({})",
        counted(built.row_count, "row"),
        built.hash
    )?;
    if built.reproducible == Some(false) {
        writeln!(out, "Note: a second run gives other rows.")?;
    }
    warnings(out, &built.warnings)?;
    built.recalc.as_ref().map_or(Ok(()), |report| recalc(out, report))
}

/// Rows.
pub(crate) fn rows(out: &mut dyn Write, shown: &RowsResult) -> io::Result<()> {
    let names: Vec<&str> = shown.schema.fields.iter().map(|field| field.name.as_str()).collect();
    let cells: Vec<Vec<String>> = shown
        .rows
        .iter()
        .map(|row| names.iter().map(|name| cell(row.get(*name))).collect())
        .collect();
    write_table(out, &names, &cells)?;
    if shown.truncated || shown.offset > 0 {
        let last = shown.offset + shown.rows.len() as u64;
        writeln!(out, "(rows {} to {last} of {})", shown.offset + 1, shown.row_count)?;
    }
    warnings(out, &shown.warnings)
}

/// A page of entries.
pub(crate) fn list(out: &mut dyn Write, page: &ListResult) -> io::Result<()> {
    if page.total == 0 {
        return writeln!(
            out,
            "Project `{}` is empty. Next: candor-catalog import FILE",
            page.project
        );
    }
    let lines: Vec<_> = page
        .items
        .iter()
        .map(|item| {
            let name = match (&item.alias, item.version) {
                (Some(alias), Some(version)) => format!("{alias}-v{version}{}", if item.is_head { " *" } else { "" }),
                _ => "(scratch)".to_owned(),
            };
            let parents: Vec<&str> = item.parents.iter().map(|parent| parent.reference.as_str()).collect();
            vec![
                name,
                item.kind.clone(),
                item.row_count.to_string(),
                item.hash.clone(),
                parents.join(", "),
                item.columns.clone(),
            ]
        })
        .collect();
    write_table(out, &["name", "kind", "rows", "hash", "from", "columns"], &lines)?;
    if let Some(next) = page.next_offset {
        writeln!(
            out,
            "({} of {}; more with --offset {next})",
            page.items.len(),
            page.total
        )?;
    }
    for hash in &page.damaged {
        writeln!(
            out,
            "Note: the record of entry {hash} is damaged; build or import it again."
        )?;
    }
    Ok(())
}

/// What was recomputed, or would be.
pub(crate) fn recalc(out: &mut dyn Write, report: &RecalcReport) -> io::Result<()> {
    if !report.entries.is_empty() {
        let lines: Vec<_> = report
            .entries
            .iter()
            .map(|entry| {
                vec![
                    entry.alias.clone().unwrap_or_default(),
                    entry.action.clone(),
                    entry.content_hash.clone(),
                    entry.new_hash.clone().unwrap_or_default(),
                    entry.error.clone().unwrap_or_default(),
                ]
            })
            .collect();
        write_table(out, &["follower", "action", "was", "is", "error"], &lines)?;
    }
    if report.status != "ok" {
        writeln!(out, "Recomputing ended as: {}", report.status)?;
    }
    warnings(out, &report.warnings)
}

/// The journal, newest first.
pub(crate) fn errors(out: &mut dyn Write, records: &[JournalRecord]) -> io::Result<()> {
    if records.is_empty() {
        return writeln!(out, "Nothing went wrong");
    }
    for record in records {
        write!(
            out,
            "{}",
            printable(record.created_at.as_deref().unwrap_or("unknown time"))
        )?;
        for part in [&record.code, &record.tool, &record.hash].into_iter().flatten() {
            write!(out, " {}", printable(part))?;
        }
        writeln!(out, " {}", printable(&record.id))?;
        for line in record.message.lines() {
            let safe: String = line
                .chars()
                .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter })
                .collect();
            writeln!(out, "  {safe}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
