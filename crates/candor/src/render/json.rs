//! The report as one JSON object. Absent facts are left out; there is no null.

use std::io::{self, Write};

use candor::Report;
use candor::score::score;
use serde_json::{Map, Value, json};

use super::{outcome, page};

pub(crate) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &value(report))?;
    writeln!(out)
}

pub(crate) fn value(report: &Report) -> Value {
    let published = &report.published;
    let mut server = Map::new();
    for member in ["name", "version", "title"] {
        if let Some(text) = published.server_text(member) {
            server.insert(member.to_owned(), json!(text));
        }
    }
    let score = score(report);
    let mut root = Map::new();
    root.insert("target".to_owned(), json!(report.target));
    root.insert("server".to_owned(), Value::Object(server));
    if let Some(revision) = published.revision {
        root.insert("revision".to_owned(), json!(revision.as_str()));
    }
    root.insert(
        "summary".to_owned(),
        json!({
            "score": score.points,
            "errors": report.count(candor::Severity::Error),
            "warnings": report.count(candor::Severity::Warning),
            "notes": report.count(candor::Severity::Note),
            "tools": published.tools().count(),
            "toolBytes": published.tool_bytes(),
            "toolsProbed": report.probes.probed.len(),
            "messagesSentToFail": report.probes.sent,
            "speaksVocabulary": report.probes.speaks_vocabulary,
            "elapsedMilliseconds": u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
        }),
    );
    let costs: Vec<Value> = score
        .costs
        .iter()
        .map(|cost| {
            let mut entry = json!({"id": cost.check.id, "points": (cost.points * 100.0).round() / 100.0});
            if let Some(tools) = cost.tools {
                entry["tools"] = json!(tools);
            }
            entry
        })
        .collect();
    root.insert("costs".to_owned(), json!(costs));
    let tools: Vec<Value> = published
        .tools()
        .map(|tool| {
            let found = report
                .findings
                .iter()
                .filter(|finding| finding.tool.as_deref() == Some(tool.name))
                .count();
            json!({"name": tool.name, "bytes": tool.bytes(), "findings": found})
        })
        .collect();
    root.insert("tools".to_owned(), json!(tools));
    root.insert(
        "findings".to_owned(),
        Value::Array(report.findings.iter().map(finding).collect()),
    );
    root.insert("probes".to_owned(), probes(report));
    root.insert("notes".to_owned(), json!(report.notes));
    Value::Object(root)
}

fn finding(finding: &candor::Finding) -> Value {
    let check = finding.check;
    let mut entry = Map::new();
    entry.insert("id".to_owned(), json!(check.id));
    entry.insert("name".to_owned(), json!(check.name));
    entry.insert("severity".to_owned(), json!(check.severity));
    if let Some(tool) = &finding.tool {
        entry.insert("tool".to_owned(), json!(tool));
    }
    if let Some(path) = &finding.path {
        entry.insert("path".to_owned(), json!(path));
    }
    entry.insert("message".to_owned(), json!(finding.message));
    entry.insert("reason".to_owned(), json!(check.reason));
    entry.insert("advice".to_owned(), json!(finding.advice));
    entry.insert("page".to_owned(), json!(page(check.id)));
    Value::Object(entry)
}

fn probes(report: &Report) -> Value {
    let probed: Vec<Value> = report
        .probes
        .probed
        .iter()
        .map(|tool| {
            let calls: Vec<Value> = tool
                .calls
                .iter()
                .map(|call| {
                    json!({
                        "probe": call.probe,
                        "outcome": outcome(call.outcome),
                        "milliseconds": u64::try_from(call.elapsed.as_millis()).unwrap_or(u64::MAX),
                        "said": call.said,
                    })
                })
                .collect();
            json!({"tool": tool.name, "calls": calls})
        })
        .collect();
    let left_alone: Vec<Value> = report
        .probes
        .left_alone
        .iter()
        .map(|(tool, why)| json!({"tool": tool, "reason": why}))
        .collect();
    json!({"probed": probed, "leftAlone": left_alone})
}
