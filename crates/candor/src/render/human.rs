//! The report for people: what is wrong, once for each check, with the places
//! below it; then what it costs and what was not looked at.

use std::io::{self, Write};

use candor::checks::{self, Check};
use candor::score::{Score, most, score};
use candor::{Finding, Report, Severity};

use super::style::{self, ASIDE, GOOD, STRONG, paint};
use super::{bytes, counted, printable};

/// Places of one check that are shown unless all are asked for.
const PLACES: usize = 5;

/// Lines of the score that are shown.
const COSTS: usize = 5;

pub(crate) fn write(report: &Report, all_places: bool, out: &mut dyn Write) -> io::Result<()> {
    head(report, out)?;
    for check in checks::all() {
        let findings: Vec<&Finding> = report
            .findings
            .iter()
            .filter(|finding| finding.check == check)
            .collect();
        if !findings.is_empty() {
            block(check, &findings, all_places, out)?;
        }
    }
    writeln!(out)?;
    points(&score(report), out)?;
    tail(report, out)
}

fn head(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let published = &report.published;
    let name = published.server_text("name").unwrap_or("a server without a name");
    write!(out, "{}", paint(STRONG, printable(name)))?;
    if let Some(version) = published.server_text("version") {
        write!(out, " {}", printable(version))?;
    }
    let revision = published.revision.map_or_else(
        || "an unknown revision".to_owned(),
        |revision| revision.as_str().to_owned(),
    );
    let tools = published.tools().count();
    writeln!(
        out,
        " · MCP {revision} · {}, {} · {} probed · {:.1} s",
        counted(tools, "tool"),
        bytes(published.tool_bytes()),
        report.probes.probed.len(),
        report.elapsed.as_secs_f64()
    )
}

fn block(check: &Check, findings: &[&Finding], all_places: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\n{} {} {}{}",
        paint(style::severity(check.severity), format!("{:7}", check.severity)),
        paint(STRONG, check.id),
        check.title,
        paint(ASIDE, format!("  ({})", check.name)),
    )?;
    writeln!(out, "        {}", paint(ASIDE, check.reason))?;
    let shown = if all_places || findings.len() <= PLACES + 1 {
        findings.len()
    } else {
        PLACES
    };
    for finding in &findings[..shown] {
        let subject = finding.tool.as_deref().map_or_else(|| "server".to_owned(), printable);
        write!(out, "        {}", paint(STRONG, subject))?;
        if let Some(path) = &finding.path {
            write!(out, " {}", printable(path))?;
        }
        writeln!(out, ": {}", printable(&finding.message))?;
        if finding.advice != check.advice {
            writeln!(out, "          → {}", printable(&finding.advice))?;
        }
    }
    if shown < findings.len() {
        writeln!(out, "        … and {} more (--all shows them)", findings.len() - shown)?;
    }
    writeln!(out, "        → {}", check.advice)
}

fn points(score: &Score, out: &mut dyn Write) -> io::Result<()> {
    let style = match score.points {
        90.. => GOOD,
        60.. => style::severity(Severity::Warning),
        _ => style::severity(Severity::Error),
    };
    writeln!(out, "Score {} of 100", paint(style, score.points))?;
    for cost in score.costs.iter().take(COSTS) {
        let share = cost
            .tools
            .map_or_else(|| "the server".to_owned(), |tools| counted(tools, "tool"));
        writeln!(
            out,
            "  {:5.1}  {} {} ({share})",
            -cost.points, cost.check.id, cost.check.title
        )?;
    }
    if score.costs.len() > COSTS {
        let rest: f64 = score.costs[COSTS..].iter().map(|cost| cost.points).sum();
        writeln!(
            out,
            "  {:5.1}  {} more",
            -rest,
            counted(score.costs.len() - COSTS, "check")
        )?;
    }
    if !score.costs.is_empty() {
        writeln!(
            out,
            "  {}",
            paint(
                ASIDE,
                format!(
                    "an error costs up to {:.0}, a warning {:.0}, a note {:.0}, by the share of tools it concerns",
                    most(Severity::Error),
                    most(Severity::Warning),
                    most(Severity::Note)
                )
            )
        )?;
    }
    Ok(())
}

fn tail(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if !report.probes.left_alone.is_empty() {
        let names: Vec<String> = report
            .probes
            .left_alone
            .iter()
            .take(8)
            .map(|(tool, why)| format!("{} ({why})", printable(tool)))
            .collect();
        let more = report.probes.left_alone.len() - names.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        writeln!(out, "Not probed: {}{more}", names.join(", "))?;
    }
    for note in &report.notes {
        writeln!(out, "Note: {}", printable(note))?;
    }
    let said = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let word = if severity == Severity::Note {
            "note"
        } else {
            severity.as_str()
        };
        counted(report.count(severity), word)
    });
    if report.findings.is_empty() {
        writeln!(out, "{}", paint(GOOD, "Nothing found."))
    } else {
        writeln!(out, "{}; `candor explain ID` tells more", said.join(", "))
    }
}
