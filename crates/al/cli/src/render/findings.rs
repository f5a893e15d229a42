//! Findings for people: file by file, each with its place, its message, the
//! source it is about, and what to do now.

use std::io::{self, Write};

use candor_al_session::FixSafety;
use candor_al_session::check::{Excerpt, Occurrence};
use candor_al_session::tools::{Diagnostic, Severity};

use super::excerpt::{ExcerptStyle, Span, write_excerpt};
use super::palette::{Palette, paint};
use super::printable::one_line;
use super::quantities::grouped;

/// How findings are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FindingStyle<'a> {
    pub(crate) palette: &'a Palette,
    /// Columns of the terminal.
    pub(crate) columns: usize,
    /// One line for each finding and nothing else.
    pub(crate) brief: bool,
}

/// Lines of a source text by their number, from 1.
pub(crate) trait SourceLines {
    /// A line, without its line end; none when it is not known.
    fn line(&self, number: u32) -> Option<&str>;
}

impl SourceLines for Excerpt {
    fn line(&self, number: u32) -> Option<&str> {
        self.line(number)
    }
}

/// A finding and what is shown beside it.
#[derive(Clone, Copy)]
pub(crate) struct ShownFinding<'a> {
    pub(crate) diagnostic: &'a Diagnostic,
    /// How safe the fix is that the rule offers.
    pub(crate) fix: Option<FixSafety>,
    /// How many fixes there are to choose from.
    pub(crate) fixes: usize,
    /// The lines it is about.
    pub(crate) excerpt: Option<&'a dyn SourceLines>,
    /// In which configurations it is there, when not in all.
    pub(crate) occurrence: Option<&'a Occurrence>,
}

/// In which configurations of its file a finding is there, in a few words.
pub(crate) fn occurrence_in_words(occurrence: &Occurrence) -> String {
    let Occurrence {
        count,
        of,
        condition,
        symbols,
    } = occurrence;
    if let Some(condition) = condition {
        return format!("only where `#if {condition}` holds");
    }
    let example = if symbols.is_empty() {
        "without any symbol".to_owned()
    } else {
        format!("with {}", symbols.join(", "))
    };
    format!("only in {count} of {of} configurations, such as the one {example}")
}

/// Writes the findings of one file. `path` is what the reader would type.
pub(crate) fn write_file(
    out: &mut dyn Write,
    path: &str,
    findings: &[ShownFinding<'_>],
    style: FindingStyle<'_>,
) -> io::Result<()> {
    let path = one_line(path);
    if style.brief {
        return findings
            .iter()
            .try_for_each(|finding| write_brief(out, &path, finding, style.palette));
    }
    let palette = style.palette;
    writeln!(
        out,
        "{} {} {}\n",
        paint(palette.aside, "──"),
        paint(palette.heading, &path),
        paint(palette.aside, format_args!("── {}", counted(findings.len(), "finding")))
    )?;
    for ShownFinding {
        diagnostic,
        fix,
        fixes,
        excerpt,
        occurrence,
    } in findings
    {
        let look = palette.severity(diagnostic.severity);
        writeln!(
            out,
            "{} {} {}",
            paint(
                palette.place,
                format_args!("{path}:{}:{}", diagnostic.line, diagnostic.column)
            ),
            paint(look, severity_word(diagnostic.severity)),
            paint(palette.name, &diagnostic.id)
        )?;
        writeln!(out, "  {}", one_line(&diagnostic.message))?;
        if let Some(occurrence) = occurrence {
            let words = occurrence_in_words(occurrence);
            writeln!(out, "  {}", paint(palette.aside, one_line(&words)))?;
        }
        let span = Span {
            line: diagnostic.line,
            column: diagnostic.column,
            end_line: diagnostic.end_line,
            end_column: diagnostic.end_column,
        };
        if let Some(lines) = excerpt {
            let style = ExcerptStyle {
                palette,
                carets: look,
                columns: style.columns,
            };
            write_excerpt(out, span, style, |number| lines.line(number))?;
        }
        let help = match (fix, fixes) {
            (Some(FixSafety::Safe | FixSafety::Unsafe), 2..) => {
                format!("{fixes} fixes: choose with --fix-with {}=KEY · ", diagnostic.id)
            }
            (Some(FixSafety::Safe), _) => "fix: candor-al check --fix · ".to_owned(),
            (Some(FixSafety::Unsafe), _) => "fix: candor-al check --fix --unsafe-fixes · ".to_owned(),
            (Some(FixSafety::Display) | None, _) => String::new(),
        };
        writeln!(
            out,
            "  {}\n",
            paint(
                palette.aside,
                format_args!("{help}page: candor-al rule {}", diagnostic.id)
            )
        )?;
    }
    Ok(())
}

/// `path:line:column: severity id: message`, as compilers write it.
fn write_brief(out: &mut dyn Write, path: &str, finding: &ShownFinding<'_>, palette: &Palette) -> io::Result<()> {
    let diagnostic = finding.diagnostic;
    let occurrence = finding
        .occurrence
        .map(|occurrence| format!(" ({})", occurrence_in_words(occurrence)))
        .unwrap_or_default();
    writeln!(
        out,
        "{}: {} {}: {}{}",
        paint(
            palette.place,
            format_args!("{path}:{}:{}", diagnostic.line, diagnostic.column)
        ),
        paint(
            palette.severity(diagnostic.severity),
            severity_word(diagnostic.severity)
        ),
        paint(palette.name, &diagnostic.id),
        one_line(&diagnostic.message),
        one_line(&occurrence)
    )
}

/// The word for a severity in running text.
pub(crate) const fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hidden => "hidden",
    }
}

/// `1 file`, `2 files`, `36,605 files`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(severity: Severity) -> Diagnostic {
        Diagnostic {
            file_path: "/app/src/Tool.Table.al".to_owned(),
            line: 2,
            column: 5,
            end_line: 2,
            end_column: 12,
            id: "AC0018".to_owned(),
            severity,
            message: "This caption is empty but not locked".to_owned(),
            analyzer: "ALCops.ApplicationCop".to_owned(),
            has_fix: true,
        }
    }

    /// Two lines of source, as a value with a size.
    struct TwoLines;

    impl SourceLines for TwoLines {
        fn line(&self, number: u32) -> Option<&str> {
            ["{", "    Caption = '';"].get(number as usize - 1).copied()
        }
    }

    fn written(path: &str, fix: Option<FixSafety>, palette: &Palette, brief: bool) -> String {
        let diagnostic = diagnostic(Severity::Warning);
        let finding = ShownFinding {
            diagnostic: &diagnostic,
            fix,
            fixes: 1,
            excerpt: Some(&TwoLines),
            occurrence: None,
        };
        let mut out = Vec::new();
        write_file(
            &mut out,
            path,
            &[finding],
            FindingStyle {
                palette,
                columns: 80,
                brief,
            },
        )
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_finding_says_where_what_and_what_now() {
        assert_eq!(
            written("src/Tool.Table.al", Some(FixSafety::Safe), &Palette::plain(), false),
            "\
── src/Tool.Table.al ── 1 finding

src/Tool.Table.al:2:5 warning AC0018
  This caption is empty but not locked
    2 │     Caption = '';
      │     ^^^^^^^
  fix: candor-al check --fix · page: candor-al rule AC0018

"
        );
    }

    #[test]
    fn an_unsafe_fix_names_the_flag_that_allows_it() {
        let text = written("A.al", Some(FixSafety::Unsafe), &Palette::plain(), false);
        assert!(
            text.contains("\n  fix: candor-al check --fix --unsafe-fixes · page:"),
            "{text}"
        );
        let text = written("A.al", None, &Palette::plain(), false);
        assert!(text.contains("\n  page: candor-al rule AC0018\n"), "{text}");
    }

    #[test]
    fn a_finding_that_is_not_in_all_configurations_says_in_which() {
        let mut occurrence = Occurrence {
            count: 1,
            of: 4,
            condition: Some("CLEAN25 and not CLEAN24".to_owned()),
            symbols: vec!["CLEAN25".to_owned()],
        };
        assert_eq!(
            occurrence_in_words(&occurrence),
            "only where `#if CLEAN25 and not CLEAN24` holds"
        );
        occurrence.condition = None;
        assert_eq!(
            occurrence_in_words(&occurrence),
            "only in 1 of 4 configurations, such as the one with CLEAN25"
        );
        occurrence.symbols.clear();
        assert!(occurrence_in_words(&occurrence).ends_with("such as the one without any symbol"));
    }

    #[test]
    fn a_brief_finding_is_one_line() {
        assert_eq!(
            written("A.al", Some(FixSafety::Safe), &Palette::plain(), true),
            "A.al:2:5: warning AC0018: This caption is empty but not locked\n"
        );
    }

    #[test]
    fn colours_change_nothing_but_the_colours() {
        let coloured = written("A.al", None, &Palette::coloured(), false);
        assert!(coloured.contains("\u{1b}["), "{coloured}");
        assert_eq!(
            anstream::adapter::strip_str(&coloured).to_string(),
            written("A.al", None, &Palette::plain(), false)
        );
    }

    #[test]
    fn a_name_with_an_escape_sequence_does_not_reach_the_terminal() {
        let text = written("src/\u{1b}[2J.al", None, &Palette::plain(), false);
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
