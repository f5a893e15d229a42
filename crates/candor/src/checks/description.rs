//! T: how a tool is named, described and hinted.

use super::{Check, Group};
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'T',
    title: "Names, titles, descriptions and hints",
    checks: &[&TITLE_MISSING],
};

static TITLE_MISSING: Check = Check {
    id: "T004",
    name: "title-missing",
    severity: Severity::Note,
    title: "a tool has no title",
    reason: "clients show people `title`, then `annotations.title`, then the bare `name`",
    advice: "publish a `title` of a few words",
    documentation: "\
Looks at `title` and `annotations.title` of every tool; one of them must say something.",
    evidence: &["specification 2026-07-28, tools: display name precedence"],
};

/// Looks at every tool.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    for tool in published.tools() {
        let says = |text: Option<&str>| text.is_some_and(|text| !text.trim().is_empty());
        let annotated = tool
            .raw
            .get("annotations")
            .and_then(|annotations| annotations.get("title"));
        if !says(tool.text("title")) && !says(annotated.and_then(|title| title.as_str())) {
            findings.push(Finding::new(&TITLE_MISSING, "has no title").tool(tool.name).at("title"));
        }
    }
}
