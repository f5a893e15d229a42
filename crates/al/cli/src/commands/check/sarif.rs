//! The result as SARIF 2.1.0, for code scanning and for viewers.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use candor_al_session::check::{CheckReport, FileReport, ReportedFinding, SuppressedBy, SuppressedFinding};
use candor_al_session::rules::{self, RuleFacts};
use candor_al_session::tools::Severity;
use serde::Serialize;
use serde_json::json;

use super::content::Fingerprints;
use super::settings::CheckSettings;
use super::{Writer, is_complete};
use crate::render::uri::{file_uri, folder_uri, relative_uri};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What relative URIs are relative to: the usual name for the root of a repository.
const ROOT: &str = "%SRCROOT%";

/// Writes a result for each finding as it comes, and the rules that found
/// something at the end.
pub(super) struct Sarif {
    settings: CheckSettings,
    /// Results written.
    results: usize,
    /// The rules that found something, in the order of their first result.
    rules: Vec<String>,
    index_of_rule: HashMap<String, usize>,
    /// What went wrong with fixes.
    problems: Vec<String>,
}

impl Sarif {
    pub(super) fn new(settings: CheckSettings) -> Self {
        Self {
            settings,
            results: 0,
            rules: Vec::new(),
            index_of_rule: HashMap::new(),
            problems: Vec::new(),
        }
    }

    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{")?;
        write!(out, "\"columnKind\":\"utf16CodeUnits\",\"originalUriBaseIds\":")?;
        serde_json::to_writer(
            &mut *out,
            &json!({ ROOT: { "uri": folder_uri(&self.settings.repository) } }),
        )?;
        write!(out, ",\"results\":[")
    }

    fn index_of(&mut self, id: &str) -> usize {
        if let Some(index) = self.index_of_rule.get(id) {
            return *index;
        }
        let index = self.rules.len();
        self.rules.push(id.to_owned());
        self.index_of_rule.insert(id.to_owned(), index);
        index
    }

    fn result<'a>(
        &mut self,
        finding: &'a ReportedFinding,
        place: &'a ArtifactLocation,
        fingerprint: String,
    ) -> SarifResult<'a> {
        let diagnostic = &finding.diagnostic;
        SarifResult {
            rule_id: &diagnostic.id,
            rule_index: self.index_of(&diagnostic.id),
            // A result without a level is none that a program fails.
            kind: (diagnostic.severity == Severity::Hidden).then_some("informational"),
            level: level(diagnostic.severity),
            message: Text {
                text: &diagnostic.message,
            },
            locations: [Location {
                physical_location: PhysicalLocation {
                    artifact_location: place,
                    region: Region {
                        start_line: diagnostic.line,
                        start_column: diagnostic.column,
                        end_line: diagnostic.end_line,
                        end_column: diagnostic.end_column,
                    },
                },
            }],
            partial_fingerprints: PartialFingerprints {
                rule_and_line: fingerprint,
            },
            suppressions: None,
        }
    }

    fn write(&mut self, out: &mut dyn Write, result: &SarifResult<'_>) -> io::Result<()> {
        if self.results == 0 {
            self.begin(out)?;
        }
        out.write_all(if self.results == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, result)?;
        self.results += 1;
        Ok(())
    }
}

impl Writer for Sarif {
    fn file(&mut self, out: &mut dyn Write, report: FileReport) -> io::Result<()> {
        let place = ArtifactLocation::of(&report.file_path, &self.settings.repository);
        let mut fingerprints = Fingerprints::default();
        for finding in &report.findings {
            let result = self.result(finding, &place, fingerprints.of(finding));
            self.write(out, &result)?;
        }
        // Behind the others, so that these have the same fingerprints whether suppressed ones are shown or not.
        for SuppressedFinding { finding, by } in &report.suppressed {
            let result = self.result(finding, &place, fingerprints.of(finding));
            let result = SarifResult {
                suppressions: Some([Suppression::of(by)]),
                ..result
            };
            self.write(out, &result)?;
        }
        self.problems
            .extend(report.fix.into_iter().flat_map(|fix| fix.problems));
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &CheckReport, _peak_memory: Option<u64>) -> io::Result<()> {
        if self.results == 0 {
            self.begin(out)?;
        } else {
            writeln!(out)?;
        }
        let version = env!("CARGO_PKG_VERSION");
        write!(
            out,
            "],\"tool\":{{\"driver\":{{\"name\":\"candor-al\",\"version\":\"{version}\",\"semanticVersion\":\"{version}\",\"rules\":["
        )?;
        let facts: HashMap<&str, RuleFacts> = rules::all().into_iter().map(|rule| (rule.id, rule)).collect();
        for (index, id) in self.rules.iter().enumerate() {
            out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, &descriptor(id, facts.get(id.as_str())))?;
        }
        let line_end = if self.rules.is_empty() { "" } else { "\n" };
        write!(out, "{line_end}]}}}},\"invocations\":")?;
        let notifications: Vec<_> = report
            .warnings
            .iter()
            .chain(&self.problems)
            .map(|text| json!({ "level": "warning", "message": { "text": text } }))
            .collect();
        serde_json::to_writer(
            &mut *out,
            &json!([{ "executionSuccessful": is_complete(report), "toolExecutionNotifications": notifications }]),
        )?;
        writeln!(out, "}}]}}")
    }

    fn changes_pending(&self) -> bool {
        false
    }
}

/// What is known about a rule. A rule that is in no list has only its id.
fn descriptor(id: &str, facts: Option<&RuleFacts>) -> serde_json::Value {
    let Some(facts) = facts else {
        return json!({ "id": id });
    };
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": facts.title },
        "fullDescription": { "text": facts.description },
        "help": {
            "text": format!("{}\n\n`candor-al rule {id}` shows the whole page.", facts.description),
        },
        "defaultConfiguration": { "enabled": facts.enabled_by_default, "level": level(facts.severity) },
        "properties": {
            "tags": [facts.cop_name, facts.category],
            // GitHub's word for how serious it is.
            "problem.severity": match facts.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info | Severity::Hidden => "recommendation",
            },
        },
    });
    // The format knows no null.
    if let Some(page) = rules::page(id) {
        rule["help"]["markdown"] = json!(page);
    }
    if let Some(uri) = &facts.help_uri {
        rule["helpUri"] = json!(uri);
    }
    rule
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
        Severity::Hidden => "none",
    }
}

// The names of the format, in its order.

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    level: &'static str,
    message: Text<'a>,
    locations: [Location<'a>; 1],
    partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Suppression<'a>; 1]>,
}

#[derive(Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'a str>,
}

impl<'a> Suppression<'a> {
    fn of(by: &'a SuppressedBy) -> Self {
        match by {
            SuppressedBy::Pragma => Self {
                kind: "inSource",
                justification: None,
            },
            SuppressedBy::Project(why) => Self {
                kind: "external",
                justification: Some(why),
            },
        }
    }
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: &'a ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    /// None for a file outside of the root, whose URI is absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

impl ArtifactLocation {
    fn of(path: &Path, root: &Path) -> Self {
        match relative_uri(root, path) {
            Some(uri) => Self {
                uri,
                uri_base_id: Some(ROOT),
            },
            None => Self {
                uri: file_uri(path),
                uri_base_id: None,
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct PartialFingerprints {
    /// The number counts the ways this was computed in.
    #[serde(rename = "candorRuleAndLine/v1")]
    rule_and_line: String,
}
