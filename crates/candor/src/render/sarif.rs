//! The report as SARIF 2.1.0.
//!
//! A tool of a server has no file that we know; it is a logical location. With
//! `--file` the results also carry that file, which code scanning needs.

use std::io::{self, Write};

use candor::checks::{self, Check};
use candor::{Report, Severity};
use serde_json::{Map, Value, json};

use super::page;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(crate) fn write(report: &Report, file: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &value(report, file))?;
    writeln!(out)
}

fn value(report: &Report, file: Option<&str>) -> Value {
    let rules: Vec<&Check> = checks::all()
        .filter(|&check| report.findings.iter().any(|finding| finding.check == check))
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let index = rules.iter().position(|&check| check == finding.check);
            let tool = finding.tool.as_deref().unwrap_or("server");
            let place = match &finding.path {
                Some(path) => format!("{tool}/{path}"),
                None => tool.to_owned(),
            };
            let mut location = Map::new();
            if let Some(file) = file {
                location.insert(
                    "physicalLocation".to_owned(),
                    json!({"artifactLocation": {"uri": file, "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 1}}),
                );
            }
            location.insert(
                "logicalLocations".to_owned(),
                json!([{"name": tool, "fullyQualifiedName": place, "kind": "function"}]),
            );
            json!({
                "ruleId": finding.id(),
                "ruleIndex": index,
                "level": level(finding.severity()),
                "message": {"text": format!("{place}: {}\n{}", finding.message, finding.advice)},
                "locations": [location],
            })
        })
        .collect();
    let rules: Vec<Value> = rules
        .iter()
        .map(|check| {
            json!({
                "id": check.id,
                "name": check.name,
                "shortDescription": {"text": check.title},
                "fullDescription": {"text": check.reason},
                "help": {"text": format!("{}. See {}.", check.advice, page(check.id))},
                "defaultConfiguration": {"level": level(check.severity)},
            })
        })
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "candor",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{"executionSuccessful": true}],
            "results": results,
        }],
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
