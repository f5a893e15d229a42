//! Differences between two contracts, in every format.

use std::io::{self, Write};

use candor::difference::{Class, Difference};
use serde_json::json;

use super::style::{self, ASIDE, GOOD, STRONG, paint};
use super::{counted, github, printable};

/// Characters of a value that are shown to people.
const SHOWN: usize = 200;

pub(crate) fn human(differences: &[Difference], out: &mut dyn Write) -> io::Result<()> {
    for found in differences {
        write!(
            out,
            "{} {}",
            paint(style::class(found.class), format!("{:11}", found.class)),
            paint(STRONG, printable(&found.subject))
        )?;
        if !found.path.is_empty() {
            write!(out, " {}", printable(&found.path))?;
        }
        writeln!(out, ": {}", printable(&found.message))?;
        for (sign, value) in [("-", &found.before), ("+", &found.after)] {
            if let Some(value) = value {
                writeln!(out, "            {sign} {}", paint(ASIDE, shortened(value)))?;
            }
        }
    }
    if differences.is_empty() {
        return writeln!(out, "{}", paint(GOOD, "The contract is as it was pinned."));
    }
    let count = |class| differences.iter().filter(|found| found.class == class).count();
    writeln!(
        out,
        "{}: {} breaking, {} behavioural, {} additive; `candor pin` accepts them",
        counted(differences.len(), "difference"),
        count(Class::Breaking),
        count(Class::Behavioural),
        count(Class::Additive)
    )
}

pub(crate) fn json(differences: &[Difference], out: &mut dyn Write) -> io::Result<()> {
    let count = |class| differences.iter().filter(|found| found.class == class).count();
    let value = json!({
        "count": differences.len(),
        "breaking": count(Class::Breaking),
        "behavioural": count(Class::Behavioural),
        "additive": count(Class::Additive),
        "differences": differences,
    });
    serde_json::to_writer(&mut *out, &value)?;
    writeln!(out)
}

pub(crate) fn github(differences: &[Difference], file: &str, out: &mut dyn Write) -> io::Result<()> {
    for found in differences {
        let command = match found.class {
            Class::Breaking => "error",
            Class::Behavioural => "warning",
            Class::Additive => "notice",
        };
        let title = format!("{} difference", found.class);
        let message = format!("{} {}: {}", found.subject, found.path, found.message);
        github::annotate(command, Some(file), &title, &message, out)?;
    }
    Ok(())
}

fn shortened(value: &str) -> String {
    let value = printable(value);
    if value.chars().count() <= SHOWN {
        return value;
    }
    let start: String = value.chars().take(SHOWN).collect();
    format!("{start}…")
}
