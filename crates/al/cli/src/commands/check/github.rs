//! The result as workflow commands of GitHub Actions, which puts them beside
//! the lines of a pull request.

use std::io::{self, Write};

use candor_al_session::check::{CheckReport, FileReport};
use candor_al_session::tools::{Diagnostic, Severity};

use super::Writer;
use super::settings::CheckSettings;
use crate::render::printable::one_line;
use crate::render::uri::shown_path;

/// Writes an annotation for each finding as it comes.
pub(super) struct Github {
    settings: CheckSettings,
    /// What went wrong with fixes.
    problems: Vec<String>,
}

impl Github {
    pub(super) fn new(settings: CheckSettings) -> Self {
        Self {
            settings,
            problems: Vec::new(),
        }
    }
}

impl Writer for Github {
    fn file(&mut self, out: &mut dyn Write, report: FileReport) -> io::Result<()> {
        let path = shown_path(&self.settings.repository, &report.file_path);
        for finding in &report.findings {
            write_annotation(out, &path, &finding.diagnostic)?;
        }
        self.problems
            .extend(report.fix.into_iter().flat_map(|fix| fix.problems));
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, _peak_memory: Option<u64>) -> io::Result<()> {
        for text in report.warnings.iter().chain(&self.problems) {
            writeln!(out, "::warning title=candor-al::{}", data(&one_line(text)))?;
        }
        Ok(())
    }

    fn changes_pending(&self) -> bool {
        false
    }
}

fn write_annotation(out: &mut dyn Write, path: &str, diagnostic: &Diagnostic) -> io::Result<()> {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
        // Hidden ones are for tools.
        Severity::Hidden => return Ok(()),
    };
    let Diagnostic {
        line,
        column,
        end_line,
        end_column,
        id,
        message,
        ..
    } = diagnostic;
    write!(
        out,
        "::{command} file={},line={line},endLine={end_line},",
        property(path)
    )?;
    // An annotation of several lines has no columns.
    if line == end_line {
        write!(out, "col={column},endColumn={end_column},")?;
    }
    // The log of a run shows only what is behind the second pair of colons.
    let text = format!("{path}:{line}:{column}: {id} {message}");
    writeln!(out, "title={}::{}", property(id), data(&one_line(&text)))
}

/// A text behind the second pair of colons.
fn data(text: &str) -> String {
    // Per cent signs first: they begin the others.
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a comma or a pair of colons would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(path: &str, diagnostic: &Diagnostic) -> String {
        let mut out = Vec::new();
        write_annotation(&mut out, path, diagnostic).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn diagnostic(severity: Severity, end_line: u32) -> Diagnostic {
        Diagnostic {
            file_path: "/app/A.al".to_owned(),
            line: 2,
            column: 5,
            end_line,
            end_column: 12,
            id: "AC0018".to_owned(),
            severity,
            message: "Wrong".to_owned(),
            analyzer: "ALCops.ApplicationCop".to_owned(),
            has_fix: true,
        }
    }

    #[test]
    fn severities_have_their_commands() {
        assert_eq!(
            written("A.al", &diagnostic(Severity::Error, 2)),
            "::error file=A.al,line=2,endLine=2,col=5,endColumn=12,title=AC0018::A.al:2:5: AC0018 Wrong\n"
        );
        assert!(written("A.al", &diagnostic(Severity::Warning, 2)).starts_with("::warning file="));
        assert!(written("A.al", &diagnostic(Severity::Info, 2)).starts_with("::notice file="));
        assert_eq!(written("A.al", &diagnostic(Severity::Hidden, 2)), "");
    }

    #[test]
    fn several_lines_have_no_columns() {
        assert_eq!(
            written("A.al", &diagnostic(Severity::Error, 3)),
            "::error file=A.al,line=2,endLine=3,title=AC0018::A.al:2:5: AC0018 Wrong\n"
        );
    }

    #[test]
    fn nothing_in_a_text_ends_the_command_or_begins_another() {
        assert_eq!(data("50%\r\n::error::a,b"), "50%25%0D%0A::error::a,b");
        assert_eq!(property("a,b:50%\n"), "a%2Cb%3A50%25%0A");
        let mut wrong = diagnostic(Severity::Error, 2);
        wrong.message = "One\n::set-env name=A::b".to_owned();
        assert_eq!(
            written("a,b::c\n.al", &wrong),
            "::error file=a%2Cb%3A%3Ac%0A.al,line=2,endLine=2,col=5,endColumn=12,title=AC0018::\
             a,b::c␊.al:2:5: AC0018 One␊::set-env name=A::b\n"
        );
    }
}
