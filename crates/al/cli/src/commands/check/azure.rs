//! The result as logging commands of Azure Pipelines, which lists them as the
//! issues of a run.

use std::io::{self, Write};

use candor_al_session::check::{CheckReport, FileReport};
use candor_al_session::tools::{Diagnostic, Severity};

use super::Writer;
use super::settings::CheckSettings;
use crate::render::printable::one_line;
use crate::render::uri::shown_path;

/// Writes an issue for each finding as it comes.
pub(super) struct Azure {
    settings: CheckSettings,
    /// What went wrong with fixes.
    problems: Vec<String>,
}

impl Azure {
    pub(super) fn new(settings: CheckSettings) -> Self {
        Self {
            settings,
            problems: Vec::new(),
        }
    }
}

impl Writer for Azure {
    fn file(&mut self, out: &mut dyn Write, report: FileReport) -> io::Result<()> {
        let path = shown_path(&self.settings.repository, &report.file_path);
        for finding in &report.findings {
            write_issue(out, &path, &finding.diagnostic)?;
        }
        self.problems
            .extend(report.fix.into_iter().flat_map(|fix| fix.problems));
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, _peak_memory: Option<u64>) -> io::Result<()> {
        for text in report.warnings.iter().chain(&self.problems) {
            writeln!(out, "##vso[task.logissue type=warning;]{}", data(&one_line(text)))?;
        }
        Ok(())
    }

    fn changes_pending(&self) -> bool {
        false
    }
}

fn write_issue(out: &mut dyn Write, path: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    let Diagnostic {
        line,
        column,
        id,
        message,
        ..
    } = diagnostic;
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        // There are issues of these two types only: the rest is for the log.
        Severity::Info => {
            let text = format!("{path}:{line}:{column}: info {id}: {message}");
            return writeln!(out, "{}", plain(&one_line(&text)));
        }
        // Hidden ones are for tools.
        Severity::Hidden => return Ok(()),
    };
    writeln!(
        out,
        "##vso[task.logissue type={kind};sourcepath={};linenumber={line};columnnumber={column};code={};]{}",
        property(path),
        property(id),
        data(&one_line(message))
    )
}

/// A text behind the bracket.
fn data(text: &str) -> String {
    // Per cent signs first: they begin the others.
    text.replace('%', "%AZP25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a semicolon or a bracket would end.
fn property(text: &str) -> String {
    data(text).replace(';', "%3B").replace(']', "%5D")
}

/// A line that is no command, whatever it holds: they are looked for anywhere in a line.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for character in line.chars() {
        if character == '#' && text.ends_with('#') {
            text.push(' ');
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &str, severity: Severity, message: &str) -> String {
        let diagnostic = Diagnostic {
            file_path: "/app/A.al".to_owned(),
            line: 2,
            column: 5,
            end_line: 2,
            end_column: 12,
            id: "AC0018".to_owned(),
            severity,
            message: message.to_owned(),
            analyzer: "ALCops.ApplicationCop".to_owned(),
            has_fix: true,
        };
        let mut out = Vec::new();
        write_issue(&mut out, path, &diagnostic).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn errors_and_warnings_are_issues_and_the_rest_is_not() {
        assert_eq!(
            written("A.al", Severity::Error, "Wrong"),
            "##vso[task.logissue type=error;sourcepath=A.al;linenumber=2;columnnumber=5;code=AC0018;]Wrong\n"
        );
        assert!(written("A.al", Severity::Warning, "Wrong").starts_with("##vso[task.logissue type=warning;"));
        assert_eq!(
            written("A.al", Severity::Info, "Wrong"),
            "A.al:2:5: info AC0018: Wrong\n"
        );
        assert_eq!(written("A.al", Severity::Hidden, "Wrong"), "");
    }

    #[test]
    fn nothing_in_a_text_ends_the_command_or_begins_another() {
        assert_eq!(data("50%\r\n]a;b"), "50%AZP25%0D%0A]a;b");
        assert_eq!(
            written("a]b;50%\n.al", Severity::Error, "One\n##vso[task.complete]"),
            "##vso[task.logissue type=error;sourcepath=a%5Db%3B50%AZP25%0A.al;linenumber=2;columnnumber=5;\
             code=AC0018;]One␊##vso[task.complete]\n"
        );
        assert_eq!(
            written("A.al", Severity::Info, "###vso[task.complete]"),
            "A.al:2:5: info AC0018: # # #vso[task.complete]\n"
        );
    }
}
