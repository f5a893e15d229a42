//! The last lines: how much was found, and what can be done about it.

use std::io::{self, Write};

use candor_al_session::check::CheckReport;
use candor_al_session::fix::FixOptions;
use candor_al_session::tools::Severity;

use super::findings::counted;
use super::palette::{Palette, paint};
use super::quantities::{grouped, time};

/// What the last lines are about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary<'a> {
    pub(crate) report: &'a CheckReport,
    /// When it was counted.
    pub(crate) files_with_findings: Option<usize>,
    /// The repairs that were made in this run already.
    pub(crate) fixing: Option<FixOptions>,
    /// Findings that a baseline knows; none without one.
    pub(crate) known: Option<usize>,
    /// Rules among the findings that leave a choice between fixes.
    pub(crate) choices: &'a [FixChoice],
}

/// A rule with several fixes, none of which is made unasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FixChoice {
    pub(crate) id: &'static str,
    /// Findings of the rule.
    pub(crate) count: usize,
    /// Key and title of each fix.
    pub(crate) fixes: Vec<(String, String)>,
}

/// Writes the last lines.
pub(crate) fn write_summary(out: &mut dyn Write, summary: &Summary<'_>, palette: &Palette) -> io::Result<()> {
    let Summary {
        report,
        files_with_findings,
        fixing,
        known,
        choices,
    } = summary;
    let elapsed = time(report.statistics.wall);
    let suppressed = match report.suppressed_count {
        0 => String::new(),
        number => format!(", {} more suppressed by pragmas", grouped(number as u64)),
    };
    let known = match known {
        None | Some(0) => String::new(),
        Some(number) => format!(", {} more known from the baseline", grouped(*number as u64)),
    };
    let left = if fixing.is_some() { " left" } else { "" };
    if report.total_count == 0 {
        let files = counted(report.files, "file");
        return writeln!(
            out,
            "{} in {files}{suppressed}{known}, {elapsed}",
            paint(palette.added, format_args!("No findings{left}"))
        );
    }
    let files = match files_with_findings {
        // Files of the configuration are not counted among those that were looked at.
        Some(number) if *number > report.files => counted(*number, "file"),
        Some(number) => format!("{} of {}", grouped(*number as u64), counted(report.files, "file")),
        None => counted(report.files, "file"),
    };
    let found = paint(
        palette.heading,
        format!("{}{left}", counted(report.total_count, "finding")),
    );
    writeln!(
        out,
        "{found} ({}) in {files}{suppressed}{known}, {elapsed}",
        by_severity(report, palette)
    )?;

    // What leaves a choice is not made by `--unsafe-fixes`.
    let chosen: usize = choices.iter().map(|choice| choice.count).sum();
    let (safe, other) = (
        report.fixable_count,
        report.unsafely_fixable_count.saturating_sub(chosen),
    );
    let may_be_unsafe = fixing.is_some_and(|fixing| fixing.unsafe_fixes);
    if safe > 0 && fixing.is_none() {
        writeln!(
            out,
            "{} fixable with {}",
            grouped(safe as u64),
            paint(palette.name, "candor-al check --fix")
        )?;
    }
    if other > 0 && !may_be_unsafe {
        let more = if safe > 0 && fixing.is_none() { " more" } else { "" };
        writeln!(
            out,
            "{}{more} fixable with {}",
            grouped(other as u64),
            paint(palette.name, "--unsafe-fixes")
        )?;
    }
    for FixChoice { id, fixes, .. } in *choices {
        let flag = format!("--fix-with {id}=KEY");
        writeln!(
            out,
            "{id} has several fixes to choose from: {}, where KEY is one of",
            paint(palette.name, flag)
        )?;
        for (key, title) in fixes {
            writeln!(out, "  {key}: {title}")?;
        }
    }
    Ok(())
}

/// `1 error, 2 warnings, 3 info`.
fn by_severity(report: &CheckReport, palette: &Palette) -> String {
    [Severity::Error, Severity::Warning, Severity::Info, Severity::Hidden]
        .into_iter()
        .filter_map(|severity| {
            let number = report.summary.by_severity.get(severity.as_str());
            let words = match severity {
                Severity::Error => counted(number, "error"),
                Severity::Warning => counted(number, "warning"),
                Severity::Info => format!("{} info", grouped(number as u64)),
                Severity::Hidden => format!("{} hidden", grouped(number as u64)),
            };
            (number > 0).then(|| paint(palette.severity(severity), words).to_string())
        })
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn report(severities: &[Severity]) -> CheckReport {
        let mut report = CheckReport {
            files: 9,
            total_count: severities.len(),
            ..CheckReport::default()
        };
        report.statistics.wall = Duration::from_millis(12);
        for severity in severities {
            report.summary.add(*severity, "Candor");
        }
        report
    }

    fn written(report: &CheckReport, fixing: Option<FixOptions>) -> String {
        let mut out = Vec::new();
        let summary = Summary {
            report,
            files_with_findings: Some(2),
            fixing,
            known: None,
            choices: &[],
        };
        write_summary(&mut out, &summary, &Palette::plain()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_clean_run_says_how_much_was_looked_at() {
        assert_eq!(written(&report(&[]), None), "No findings in 9 files, 12 ms\n");
        assert_eq!(
            written(&report(&[]), Some(FixOptions::default())),
            "No findings left in 9 files, 12 ms\n"
        );
    }

    #[test]
    fn findings_are_counted_by_severity_and_by_what_can_be_done() {
        let mut report = report(&[Severity::Info, Severity::Warning, Severity::Error, Severity::Warning]);
        report.suppressed_count = 1;
        report.fixable_count = 2;
        report.unsafely_fixable_count = 1;
        assert_eq!(
            written(&report, None),
            "\
4 findings (1 error, 2 warnings, 1 info) in 2 of 9 files, 1 more suppressed by pragmas, 12 ms
2 fixable with candor-al check --fix
1 more fixable with --unsafe-fixes
"
        );
    }

    #[test]
    fn a_choice_between_fixes_is_told_with_the_keys() {
        let report = report(&[Severity::Warning]);
        let choice = FixChoice {
            id: "AC0012",
            count: 1,
            fixes: [("One", "Do this"), ("Other", "Do that")]
                .map(|(key, title)| (key.to_owned(), title.to_owned()))
                .into(),
        };
        let mut out = Vec::new();
        let summary = Summary {
            report: &report,
            files_with_findings: None,
            fixing: None,
            known: None,
            choices: &[choice],
        };
        write_summary(&mut out, &summary, &Palette::plain()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with(
                "\nAC0012 has several fixes to choose from: --fix-with AC0012=KEY, where KEY is one of\n  \
                 One: Do this\n  Other: Do that\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_fixes_says_what_is_left() {
        let mut report = report(&[Severity::Warning]);
        report.unsafely_fixable_count = 1;
        assert_eq!(
            written(
                &report,
                Some(FixOptions {
                    write: true,
                    ..FixOptions::default()
                })
            ),
            "\
1 finding left (1 warning) in 2 of 9 files, 12 ms
1 fixable with --unsafe-fixes
"
        );
        let all = FixOptions {
            write: true,
            unsafe_fixes: true,
            ..FixOptions::default()
        };
        assert_eq!(
            written(&report, Some(all)),
            "1 finding left (1 warning) in 2 of 9 files, 12 ms\n"
        );
    }
}
