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
    let mut rules = rules::all();
    if !arguments.rules.is_empty() {
        let wanted = |word: &String| rules.iter().any(|rule| is_meant(word, rule));
        if let Some(word) = arguments.rules.iter().find(|word| !wanted(word)) {
            return Err(Failure::NoSuchRuleOrCop {
                word: word.clone(),
                nearest: nearest(word, &rules),
            });
        }
        rules.retain(|rule| arguments.rules.iter().any(|word| is_meant(word, rule)));
    }
    if arguments.fixable {
        rules.retain(|rule| !rule.fixes.is_empty());
    }
    match arguments.format {
        Format::Human => write_rules(out, &rules, &surroundings.terminal.output)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &rules).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(Outcome::Clean)
}

/// Whether a word is the id of a rule, or the long or short name of its cop.
fn is_meant(word: &str, rule: &RuleFacts) -> bool {
    [rule.id, rule.cop_name, short_name(rule)]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(word.trim()))
}

fn short_name(rule: &RuleFacts) -> &'static str {
    rule.cop_name.rsplit_once('.').map_or(rule.cop_name, |(_, name)| name)
}

fn nearest(word: &str, rules: &[RuleFacts]) -> Vec<&'static str> {
    let names = rules.iter().flat_map(|rule| [rule.id, short_name(rule)]);
    candor_contract::nearest_names(word, names)
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
