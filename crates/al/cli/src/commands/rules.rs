//! `candor-al rules`: what there is to look for.

use std::io::{self, Write};

use candor_al_session::FixSafety;
use candor_al_session::rules::{self, RuleFacts};

use super::{Outcome, Surroundings};
use crate::arguments::{Format, RulesArguments};
use crate::failure::Failure;
use crate::render::findings::{counted, severity_word};
use crate::render::palette::{Palette, paint};
use crate::render::table::{Align, TableCell, write_table};

pub(crate) fn run(
    arguments: &RulesArguments,
    surroundings: &Surroundings,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let rules = rules::all();
    match arguments.format {
        Format::Human => write_rules(out, &rules, &surroundings.terminal.output)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &rules).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(Outcome::Clean)
}

/// A table for each cop.
fn write_rules(out: &mut dyn Write, rules: &[RuleFacts], palette: &Palette) -> io::Result<()> {
    for of_cop in rules.chunk_by(|left, right| left.cop_name == right.cop_name) {
        writeln!(
            out,
            "{} {}",
            paint(palette.heading, of_cop[0].cop_name),
            paint(palette.aside, format_args!("── {}", counted(of_cop.len(), "rule")))
        )?;
        let rows: Vec<_> = of_cop.iter().map(|rule| row(rule, palette)).collect();
        let head = [
            ("id", Align::Left),
            ("severity", Align::Left),
            ("default", Align::Left),
            ("fix", Align::Left),
            ("title", Align::Left),
        ];
        write_table(out, palette, head, &rows)?;
        writeln!(out)?;
    }
    let help = "candor-al rule ID shows what a rule flags, why, and what its fix does.";
    writeln!(out, "{}", paint(palette.aside, help))
}

fn row(rule: &RuleFacts, palette: &Palette) -> [TableCell; 5] {
    [
        TableCell::styled(rule.id, palette.name),
        // Filled up, so that the tables of all cops line up.
        TableCell::styled(
            format!("{:<8}", severity_word(rule.severity)),
            palette.severity(rule.severity),
        ),
        TableCell::plain(if rule.enabled_by_default { "on" } else { "off" }),
        TableCell::plain(format!("{:<6}", rule.fix_safety().map_or("", FixSafety::as_str))),
        TableCell::plain(rule.title),
    ]
}
