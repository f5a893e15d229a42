//! L: lists as a whole: order, pages, changes, size.

use std::collections::BTreeMap;

use super::{Check, Group};
use crate::published::{Handshake, Listing, Tool};
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'L',
    title: "Lists and their size",
    checks: &[
        &ORDER_UNSTABLE,
        &CONTENT_UNSTABLE,
        &CHANGE_UNDECLARED,
        &CURSOR_IGNORED,
        &RESULT_MEMBERS_MISSING,
        &TOOLS_MANY,
        &LIST_LARGE,
        &LIST_VERY_LARGE,
        &TOOL_LARGE,
        &INSTRUCTIONS_LONG,
        &NO_TOOLS,
    ],
};

static ORDER_UNSTABLE: Check = Check {
    id: "L001",
    name: "order-unstable",
    severity: Severity::Warning,
    title: "two listings give the tools in different order",
    reason: "a host puts the list at the beginning of the prompt; another order makes every prompt cache miss",
    advice: "sort the list, or keep the order in which the tools are registered",
    documentation: "Lists the tools twice over the same connection and compares the order of the names.",
    evidence: &["specification 2026-07-28, tools: order SHOULD be deterministic"],
};

static CONTENT_UNSTABLE: Check = Check {
    id: "L002",
    name: "content-unstable",
    severity: Severity::Warning,
    title: "two listings give different tools",
    reason: "clients keep the first list; what it lacks is never called, and what has gone fails",
    advice: "publish all tools from the start; what is not possible now says so when it is called",
    documentation: "\
Lists the tools twice over the same connection and compares names and contents. Since 2026-07-28 the tools must not
depend on the connection or on other requests. Not reported when the server declares `tools.listChanged` and announced
a change in between, or may have announced it where the checker does not listen (over HTTP).",
    evidence: &["specification 2026-07-28, tools", "mcpproxy-go#969"],
};

static CHANGE_UNDECLARED: Check = Check {
    id: "L003",
    name: "change-undeclared",
    severity: Severity::Warning,
    title: "changes are announced that no capability declares",
    reason: "clients listen to `list_changed` only if the capability says `listChanged`, and keep the old list",
    advice: "declare `listChanged`, or do not announce changes",
    documentation: "\
Reported when `notifications/tools/list_changed` (or that of prompts or resources) comes unasked and the capability
does not say `listChanged: true`. Since 2026-07-28 it may come only on a stream that asked for it.",
    evidence: &["specification 2026-07-28, tools: list changed"],
};

static CURSOR_IGNORED: Check = Check {
    id: "L004",
    name: "cursor-ignored",
    severity: Severity::Note,
    title: "a cursor that does not exist is taken",
    reason: "a client that resumes with a cursor of yesterday gets the first page again and takes it for the next",
    advice: "answer an unknown cursor with -32602",
    documentation: "\
Asks for `tools/list` with a cursor no server has given out. A result instead of an error is reported.",
    evidence: &["specification 2026-07-28, pagination: invalid cursors"],
};

static RESULT_MEMBERS_MISSING: Check = Check {
    id: "L005",
    name: "result-members-missing",
    severity: Severity::Warning,
    title: "a result lacks members that 2026-07-28 requires",
    reason: "clients of 2026-07-28 validate results and cannot tell how long a list may be kept",
    advice: "send `resultType`, `ttlMs` and `cacheScope` with every list",
    documentation: "\
Looks at the first page of `tools/list` in a conversation of 2026-07-28: `resultType` is a text, `ttlMs` a number and
`cacheScope` a text.",
    evidence: &["specification 2026-07-28, SEP-2549"],
};

static TOOLS_MANY: Check = Check {
    id: "L006",
    name: "tools-many",
    severity: Severity::Error,
    title: "there are more than 128 tools",
    reason: "GitHub Copilot in VS Code and JetBrains refuses every prompt (`You may not include more than 128 tools`)",
    advice: "offer groups of tools that can be switched on, or fewer tools with a parameter",
    documentation: "Counts the entries of `tools/list`. The limit holds for all servers of a client together.",
    evidence: &[
        "microsoft/copilot-intellij-feedback#1842",
        "microsoft/vscode-copilot-release#13065",
    ],
};

static LIST_LARGE: Check = Check {
    id: "L007",
    name: "list-large",
    severity: Severity::Note,
    title: "the list of tools has more than 40,000 bytes",
    reason: "that is about 10,000 tokens of every conversation, used or not",
    advice: "shorten descriptions, drop what generators add (`$schema`, titles), or split the server",
    documentation: "\
Counts the bytes of all tools as compact JSON, output schemas included. Four bytes count as a token.",
    evidence: &["lean-lsp-mcp#109"],
};

static LIST_VERY_LARGE: Check = Check {
    id: "L008",
    name: "list-very-large",
    severity: Severity::Warning,
    title: "the list of tools has more than 100,000 bytes",
    reason: "Claude Code warns of `Large MCP tools context` above 25,000 tokens, and models choose worse among so much",
    advice: "shorten descriptions, drop what generators add (`$schema`, titles), or split the server",
    documentation: "\
Counts the bytes of all tools as compact JSON, output schemas included. Four bytes count as a token.",
    evidence: &["anthropics/claude-code#12241", "getsentry/XcodeBuildMCP#153"],
};

static TOOL_LARGE: Check = Check {
    id: "L009",
    name: "tool-large",
    severity: Severity::Note,
    title: "one tool has more than 10,000 bytes",
    reason: "that is about 2,500 tokens of every conversation for a single tool",
    advice: "shorten its description and its schemas",
    documentation: "Counts the bytes of the tool as compact JSON, its output schema included.",
    evidence: &["lean-lsp-mcp#109"],
};

static INSTRUCTIONS_LONG: Check = Check {
    id: "L010",
    name: "instructions-long",
    severity: Severity::Warning,
    title: "the server's instructions are longer than Claude Code takes",
    reason: "Claude Code cuts instructions at 2,048 characters, so a model never reads the rest",
    advice: "say what matters in under 2,048 characters",
    documentation: "Counts the characters of `instructions` in the result of `initialize` or `server/discover`.",
    evidence: &["RedHatInsights/insights-mcp#340"],
};

static NO_TOOLS: Check = Check {
    id: "L011",
    name: "no-tools",
    severity: Severity::Note,
    title: "the capability `tools` is declared and there are none",
    reason: "an agent is told there are tools and finds none",
    advice: "declare the capability only with tools to list",
    documentation: "Reported when `tools/list` answers with an empty list and the capability `tools` is declared.",
    evidence: &[],
};

/// Looks at the lists.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    stability(published, findings);
    changes(published, findings);
    sizes(published, findings);
    if published.handshake == Handshake::Discover {
        members(published, findings);
    }
}

/// A cursor that nobody gave out was taken.
pub(crate) fn cursor_ignored() -> Finding {
    Finding::new(&CURSOR_IGNORED, "an unknown cursor is answered with a list").at("tools/list")
}

fn names(listing: &Listing) -> Vec<&str> {
    listing
        .entries
        .iter()
        .filter_map(|entry| Some(Tool::of(entry)?.name))
        .collect()
}

fn stability(published: &Published, findings: &mut Vec<Finding>) {
    let (first, Some(second)) = (&published.tools, &published.tools_again) else {
        return;
    };
    if first.cut.is_some() || first.entries == second.entries {
        return;
    }
    let (first_names, second_names) = (names(first), names(second));
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    };
    let is_announced = published.notifications.contains_key("notifications/tools/list_changed");
    if sorted(&first_names) != sorted(&second_names) {
        if !is_announced {
            let gone: Vec<_> = first_names.iter().filter(|name| !second_names.contains(name)).collect();
            let new: Vec<_> = second_names.iter().filter(|name| !first_names.contains(name)).collect();
            findings.push(
                Finding::new(
                    &CONTENT_UNSTABLE,
                    format!(
                        "{} tools, then {}; gone: {gone:?}, new: {new:?}",
                        first_names.len(),
                        second_names.len()
                    ),
                )
                .at("tools/list"),
            );
        }
        return;
    }
    if let Some(index) = (0..first_names.len()).find(|index| first_names[*index] != second_names[*index]) {
        findings.push(
            Finding::new(
                &ORDER_UNSTABLE,
                format!(
                    "place {} is `{}` in the first listing and `{}` in the second",
                    index + 1,
                    first_names[index],
                    second_names[index]
                ),
            )
            .at("tools/list"),
        );
    }
    let by_name: BTreeMap<&str, Tool<'_>> = second
        .entries
        .iter()
        .filter_map(Tool::of)
        .map(|tool| (tool.name, tool))
        .collect();
    let changed = first
        .entries
        .iter()
        .filter_map(Tool::of)
        .find(|tool| by_name.get(tool.name).is_some_and(|other| other.raw != tool.raw));
    if let Some(tool) = changed.filter(|_| !is_announced) {
        findings.push(
            Finding::new(&CONTENT_UNSTABLE, "is described in another way in the second listing")
                .tool(tool.name)
                .at("tools/list"),
        );
    }
}

fn changes(published: &Published, findings: &mut Vec<Finding>) {
    for kind in ["tools", "prompts", "resources"] {
        let method = format!("notifications/{kind}/list_changed");
        let is_declared = published
            .capability(kind)
            .and_then(|capability| capability.get("listChanged"))
            == Some(&true.into());
        if published.notifications.contains_key(&method) && !is_declared {
            findings.push(
                Finding::new(
                    &CHANGE_UNDECLARED,
                    format!("`{method}` came, `{kind}.listChanged` is not declared"),
                )
                .at(method),
            );
        }
    }
}

fn sizes(published: &Published, findings: &mut Vec<Finding>) {
    let count = published.tools.entries.len();
    if count == 0 && published.tools.cut.is_none() && published.capability("tools").is_some() {
        findings.push(Finding::new(&NO_TOOLS, "the list is empty").at("tools/list"));
    }
    if count > 128 {
        findings.push(Finding::new(&TOOLS_MANY, format!("{count} tools")).at("tools/list"));
    }
    let bytes = published.tool_bytes();
    let check = match bytes {
        100_001.. => Some(&LIST_VERY_LARGE),
        40_001.. => Some(&LIST_LARGE),
        _ => None,
    };
    if let Some(check) = check {
        findings.push(
            Finding::new(
                check,
                format!("{count} tools have {bytes} bytes, about {} tokens", bytes / 4),
            )
            .at("tools/list"),
        );
    }
    for tool in published.tools() {
        if tool.bytes() > 10_000 {
            findings.push(Finding::new(&TOOL_LARGE, format!("has {} bytes", tool.bytes())).tool(tool.name));
        }
    }
    let instructions = published
        .introduction
        .get("instructions")
        .and_then(|text| text.as_str())
        .map_or(0, |text| text.chars().count());
    if instructions > 2048 {
        findings.push(
            Finding::new(
                &INSTRUCTIONS_LONG,
                format!("the instructions have {instructions} characters"),
            )
            .at("instructions"),
        );
    }
}

fn members(published: &Published, findings: &mut Vec<Finding>) {
    let Some(result) = &published.tools.first_result else {
        return;
    };
    let mut missing = Vec::new();
    if !result.get("resultType").is_some_and(serde_json::Value::is_string) {
        missing.push("resultType");
    }
    if !result.get("ttlMs").is_some_and(serde_json::Value::is_number) {
        missing.push("ttlMs");
    }
    if !result.get("cacheScope").is_some_and(serde_json::Value::is_string) {
        missing.push("cacheScope");
    }
    if !missing.is_empty() {
        findings.push(
            Finding::new(
                &RESULT_MEMBERS_MISSING,
                format!("`tools/list` lacks {}", missing.join(", ")),
            )
            .at("tools/list"),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::checks::tests::shown;

    fn listing(tools: &[Value]) -> Listing {
        Listing {
            entries: tools.to_vec(),
            pages: 1,
            ..Listing::default()
        }
    }

    #[track_caller]
    fn expect(first: &[Value], second: &[Value], wanted: &[&str]) {
        let published = Published {
            tools: listing(first),
            tools_again: Some(listing(second)),
            ..Published::default()
        };
        let mut findings = Vec::new();
        check(&published, &mut findings);
        assert_eq!(shown(&findings), wanted);
    }

    #[test]
    fn two_listings() {
        let (a, b) = (json!({"name": "a"}), json!({"name": "b"}));
        let other_a = json!({"name": "a", "title": "A"});
        expect(&[a.clone(), b.clone()], &[a.clone(), b.clone()], &[]);
        expect(
            &[a.clone(), b.clone()],
            &[b.clone(), a.clone()],
            &["L001 - tools/list: place 1 is `a` in the first listing and `b` in the second"],
        );
        expect(
            &[a.clone(), b.clone()],
            std::slice::from_ref(&a),
            &["L002 - tools/list: 2 tools, then 1; gone: [\"b\"], new: []"],
        );
        expect(
            &[a],
            &[other_a],
            &["L002 a tools/list: is described in another way in the second listing"],
        );
    }

    #[test]
    fn sizes_are_counted() {
        let many: Vec<Value> = (0..129)
            .map(|index| json!({"name": format!("t{index}"), "d": "x".repeat(400)}))
            .collect();
        expect(
            &many,
            &many,
            &[
                "L006 - tools/list: 129 tools",
                "L007 - tools/list: 129 tools have 54328 bytes, about 13582 tokens",
            ],
        );
    }
}
