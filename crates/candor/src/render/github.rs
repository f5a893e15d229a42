//! Findings as annotations of GitHub Actions (workflow commands).

use std::io::{self, Write};

use candor::{Report, Severity};

pub(crate) fn write(report: &Report, file: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    for finding in &report.findings {
        let subject = finding.tool.as_deref().unwrap_or("server");
        let path = finding
            .path
            .as_deref()
            .map(|path| format!(" {path}"))
            .unwrap_or_default();
        annotate(
            command(finding.severity()),
            file,
            &format!("{} {}", finding.id(), finding.check.title),
            &format!("{subject}{path}: {}\n{}", finding.message, finding.advice),
            out,
        )?;
    }
    Ok(())
}

/// Writes one annotation.
pub(crate) fn annotate(
    command: &str,
    file: Option<&str>,
    title: &str,
    message: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = file.map(|file| format!("file={},", property(file))).unwrap_or_default();
    writeln!(out, "::{command} {place}title={}::{}", property(title), data(message))
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
