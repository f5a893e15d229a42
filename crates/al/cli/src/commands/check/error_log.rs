//! The result as the error log of Microsoft's compiler (`/errorlog`), for
//! those who read that already, such as AL-Go.

use std::collections::HashMap;
use std::io::{self, Write};

use candor_al_session::check::{CheckReport, FileReport};
use candor_al_session::rules::{self, RuleFacts};
use candor_al_session::tools::{Diagnostic, Severity};
use serde::Serialize;

use super::Writer;
use crate::messages::Messages;

/// Writes an issue for each finding as it comes.
pub(super) struct ErrorLog {
    messages: Messages,
    issues: usize,
    /// What went wrong with fixes.
    problems: Vec<String>,
    rules: HashMap<&'static str, RuleFacts>,
}

impl ErrorLog {
    pub(super) fn new(messages: Messages) -> Self {
        Self {
            messages,
            issues: 0,
            problems: Vec::new(),
            rules: rules::all().into_iter().map(|rule| (rule.id, rule)).collect(),
        }
    }
}

fn begin(out: &mut dyn Write) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    write!(
        out,
        "{{\"version\":\"0.2\",\"toolInfo\":{{\"toolName\":\"candor-al\",\"productVersion\":\"{version}\",\
         \"fileVersion\":\"{version}\"}},\"issues\":["
    )
}

impl Writer for ErrorLog {
    fn file(&mut self, out: &mut dyn Write, report: FileReport) -> io::Result<()> {
        for finding in &report.findings {
            if self.issues == 0 {
                begin(out)?;
            }
            out.write_all(if self.issues == 0 { b"\n" } else { b",\n" })?;
            let diagnostic = &finding.diagnostic;
            serde_json::to_writer(
                &mut *out,
                &Issue::of(diagnostic, self.rules.get(diagnostic.id.as_str())),
            )?;
            self.issues += 1;
        }
        self.problems
            .extend(report.fix.into_iter().flat_map(|fix| fix.problems));
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, _peak_memory: Option<u64>) -> io::Result<()> {
        if self.issues == 0 {
            begin(out)?;
        } else {
            writeln!(out)?;
        }
        // The format has no place for what limits the result.
        for text in report.warnings.iter().chain(&self.problems) {
            self.messages.warning(text);
        }
        writeln!(out, "]}}")
    }

    fn changes_pending(&self) -> bool {
        false
    }
}

// The names of the format, in its order.

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Issue<'a> {
    rule_id: &'a str,
    locations: [Location<'a>; 1],
    short_message: &'a str,
    full_message: &'a str,
    properties: Properties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    analysis_target: [Target<'a>; 1],
}

#[derive(Serialize)]
struct Target<'a> {
    /// A path as the system writes it, and no URI, whatever its name says.
    uri: &'a str,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// Texts, all of them. Each is always there: its readers do not ask.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties<'a> {
    severity: &'static str,
    warning_level: &'static str,
    default_severity: &'static str,
    title: &'a str,
    category: &'a str,
    help_link: &'a str,
    is_enabled_by_default: &'static str,
    is_suppressed_in_source: &'static str,
}

impl<'a> Issue<'a> {
    /// `rule` is none for a rule that is in no list.
    fn of(diagnostic: &'a Diagnostic, rule: Option<&'a RuleFacts>) -> Self {
        let default_severity = rule.map_or(diagnostic.severity, |rule| rule.severity);
        Self {
            rule_id: &diagnostic.id,
            locations: [Location {
                analysis_target: [Target {
                    uri: &diagnostic.file_path,
                    region: Region {
                        start_line: diagnostic.line,
                        start_column: diagnostic.column,
                        end_line: diagnostic.end_line,
                        end_column: diagnostic.end_column,
                    },
                }],
            }],
            short_message: &diagnostic.message,
            full_message: rule.map_or(&diagnostic.message, |rule| &rule.description),
            properties: Properties {
                severity: diagnostic.severity.as_str(),
                warning_level: match diagnostic.severity {
                    Severity::Error => "0",
                    _ => "1",
                },
                default_severity: default_severity.as_str(),
                title: rule.map_or("", |rule| rule.title),
                category: rule.map_or("", |rule| rule.category),
                help_link: rule.and_then(|rule| rule.help_uri.as_deref()).unwrap_or_default(),
                is_enabled_by_default: match rule {
                    Some(rule) if !rule.enabled_by_default => "False",
                    _ => "True",
                },
                is_suppressed_in_source: "False",
            },
        }
    }
}
