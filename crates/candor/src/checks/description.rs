//! T: how a tool is named, described and hinted.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Check, Group};
use crate::published::Tool;
use crate::schema::judge::kind_of;
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'T',
    title: "Names, titles, descriptions and hints",
    checks: &[
        &TOOL_ILL_FORMED,
        &NAME_INVALID,
        &NAME_WITH_DOT,
        &NAME_LONG,
        &NAME_REPEATED,
        &TITLE_MISSING,
        &TITLE_IN_ANNOTATIONS,
        &DESCRIPTION_MISSING,
        &DESCRIPTION_LONG,
        &HINTS_MISSING,
        &IDEMPOTENT_HINT_MISSING,
        &HINTS_CONTRADICT,
        &IDEMPOTENT_CONTRADICTS,
        &READ_ONLY_DOUBTFUL,
        &HIDDEN_CHARACTERS,
    ],
};

static TOOL_ILL_FORMED: Check = Check {
    id: "T001",
    name: "tool-ill-formed",
    severity: Severity::Error,
    title: "a tool is not formed as the protocol says",
    reason: "clients that validate (all TypeScript SDK clients) throw the whole list away, so that no tool is left",
    advice: "send members of the type the protocol gives them, and leave out what is not known",
    documentation: "\
Looks at the types of an entry of `tools/list`: the entry is an object, `name` a non-empty text, `title` and
`description` texts if present, `annotations` an object whose hints are truth values and whose title is a text,
`inputSchema` present and an object, `outputSchema` an object if present. `null` is no text: what is not known is left
out.",
    evidence: &["specification 2026-07-28, schema: Tool", "opentokenz/mcpx#28"],
};

static NAME_INVALID: Check = Check {
    id: "T002",
    name: "name-invalid",
    severity: Severity::Error,
    title: "a tool's name has letters other than A-Z a-z 0-9, underscore, hyphen and dot",
    reason: "the Anthropic and OpenAI APIs answer 400 to the whole request, so Claude Code and Codex stop working",
    advice: "use only A-Z a-z 0-9 _ and - in names",
    documentation: "\
A name is 1 to 128 of `A-Z a-z 0-9 _ - .` in the specification. Spaces, slashes and letters with accents are reported
here; dots have a check of their own, and so has the length.",
    evidence: &[
        "specification 2026-07-28, tools: names",
        "modelcontextprotocol#1345",
        "NetApp/netapp-dataops-toolkit#38",
    ],
};

static NAME_WITH_DOT: Check = Check {
    id: "T003",
    name: "name-with-dot",
    severity: Severity::Error,
    title: "a tool's name has a dot",
    reason: "the specification allows dots, but Claude Desktop refuses the tool, and Copilot CLI and Codex get a 400 from the model's API",
    advice: "use an underscore where the dot is",
    documentation: "\
`calendar.read` is a name the specification allows and that several clients pass on unchanged to APIs that accept
`A-Z a-z 0-9 _ -` only.",
    evidence: &["openai/codex#8174", "github/copilot-cli#2581", "l22-io/orchard-mcp#14"],
};

static NAME_LONG: Check = Check {
    id: "T004",
    name: "name-long",
    severity: Severity::Error,
    title: "a tool's name has more than 64 letters",
    reason: "Claude Desktop and the OpenAI API refuse names of more than 64 letters; clients put the server's name before it",
    advice: "shorten the name, to about 40 letters if it can be",
    documentation: "\
The specification allows 128 letters. 64 is what the narrower APIs take, and clients add a prefix such as
`mcp__server__` to it.",
    evidence: &["mims-harvard/ToolUniverse#3", "nanbingxyz/5ire#403"],
};

static NAME_REPEATED: Check = Check {
    id: "T005",
    name: "name-repeated",
    severity: Severity::Error,
    title: "two tools have the same name",
    reason: "a call names its tool, so one of the two can never be called; model APIs refuse lists with repeated names",
    advice: "give every tool a name of its own",
    documentation: "Compares the names of all tools of the list, letter for letter.",
    evidence: &["specification 2026-07-28, tools: names"],
};

static TITLE_MISSING: Check = Check {
    id: "T006",
    name: "title-missing",
    severity: Severity::Note,
    title: "a tool has no title",
    reason: "clients show people `title`, then `annotations.title`, then the bare `name`",
    advice: "publish a `title` of a few words",
    documentation: "\
Looks at `title` and `annotations.title`; one of them must say something. A title given in `annotations` only has a
check of its own.",
    evidence: &["specification 2026-07-28, tools: display name precedence"],
};

static TITLE_IN_ANNOTATIONS: Check = Check {
    id: "T007",
    name: "title-in-annotations",
    severity: Severity::Note,
    title: "a tool's title stands in its annotations only",
    reason: "since 2025-06-18 a title is a member of the tool itself; `annotations.title` is only looked at when that is missing",
    advice: "publish the title as `title` of the tool as well",
    documentation: "Reported when `title` is missing or blank and `annotations.title` is not.",
    evidence: &["specification 2026-07-28, tools: display name precedence"],
};

static DESCRIPTION_MISSING: Check = Check {
    id: "T008",
    name: "description-missing",
    severity: Severity::Warning,
    title: "a tool has no description",
    reason: "the description is all that a model knows of a tool when it chooses one; without it, it guesses from the name",
    advice: "say what the tool does, what it returns, and how it fails",
    documentation: "Reported when `description` is missing or blank.",
    evidence: &["specification 2026-07-28, schema: Tool"],
};

static DESCRIPTION_LONG: Check = Check {
    id: "T009",
    name: "description-long",
    severity: Severity::Warning,
    title: "a tool's description is longer than clients take",
    reason: "the OpenAI and Azure OpenAI APIs answer 400 above 1,024 characters with some models, and Claude Code cuts at 2,048",
    advice: "put what matters first and say the rest in under 1,024 characters",
    documentation: "\
Counts the characters of `description`. What Claude Code cuts off is invisible to the model, which then invents it.",
    evidence: &[
        "modelcontextprotocol/servers#799",
        "probelabs/probe#9",
        "anthropics/claude-code#41593",
    ],
};

static HINTS_MISSING: Check = Check {
    id: "T010",
    name: "hints-missing",
    severity: Severity::Warning,
    title: "a tool leaves out hints",
    reason: "a missing hint counts as the worst case (it writes, destroys, reaches out), so hosts ask before every call; OpenAI's portal refuses a tool without destructiveHint",
    advice: "publish readOnlyHint, destructiveHint, idempotentHint and openWorldHint on every tool",
    documentation: "\
Looks for the four hints in `annotations`. Absent means readOnlyHint false, destructiveHint true, idempotentHint false,
openWorldHint true. A missing `idempotentHint` of a tool that only reads has a check of its own, since it means nothing
there.",
    evidence: &[
        "specification 2026-07-28, schema: ToolAnnotations",
        "HelpCode-ai/anythingmcp#579",
        "apollographql/apollo-mcp-server#510",
        "quern#269",
    ],
};

static IDEMPOTENT_HINT_MISSING: Check = Check {
    id: "T011",
    name: "idempotent-hint-missing",
    severity: Severity::Note,
    title: "a tool that only reads leaves out idempotentHint",
    reason: "it means nothing for a tool that only reads, yet clients that look at one hint at a time take it for false",
    advice: "publish `idempotentHint: true` beside `readOnlyHint: true`",
    documentation: "Reported for tools with `readOnlyHint: true` and no `idempotentHint`.",
    evidence: &["specification 2026-07-28, schema: ToolAnnotations"],
};

static HINTS_CONTRADICT: Check = Check {
    id: "T012",
    name: "hints-contradict",
    severity: Severity::Warning,
    title: "a tool claims to only read and to destroy",
    reason: "clients that look at one hint either run it unasked or warn of a loss that cannot happen",
    advice: "set the hint that is wrong right",
    documentation: "Reported when `readOnlyHint` and `destructiveHint` are both true.",
    evidence: &["specification 2026-07-28, schema: ToolAnnotations"],
};

static IDEMPOTENT_CONTRADICTS: Check = Check {
    id: "T013",
    name: "idempotent-contradicts",
    severity: Severity::Note,
    title: "a tool claims to only read and not to be repeatable",
    reason: "what changes nothing can be repeated; the hint means nothing here and puts off clients that look at it alone",
    advice: "publish `idempotentHint: true`, or `readOnlyHint: false` if repeating it does change something",
    documentation: "\
Reported when `readOnlyHint` is true and `idempotentHint` is false. Idempotent means that a second call has no further
effect on the world, not that it gives the same answer.",
    evidence: &["specification 2026-07-28, schema: ToolAnnotations"],
};

static READ_ONLY_DOUBTFUL: Check = Check {
    id: "T014",
    name: "read-only-doubtful",
    severity: Severity::Warning,
    title: "a tool whose name destroys claims to only read",
    reason: "hosts run tools with readOnlyHint without asking",
    advice: "set `readOnlyHint: false` and `destructiveHint: true`, or choose another name",
    documentation: "\
Reported when `readOnlyHint` is true and the name begins with delete, erase, destroy, wipe, purge, truncate or uninstall.
Other verbs (remove, drop, clear, create, add) also name pure computations and are not judged.",
    evidence: &["codebase-memory-mcp#2118"],
};

static HIDDEN_CHARACTERS: Check = Check {
    id: "T015",
    name: "hidden-characters",
    severity: Severity::Warning,
    title: "a tool's text has characters that people do not see",
    reason: "models read what people reviewing the text cannot see; scanners take it for an attack",
    advice: "remove the characters",
    documentation: "\
Looks in the whole published tool for Unicode tag characters outside of flags (U+E0000 to U+E007F) and for characters
that reverse or embed the direction of text (U+202A to U+202E, U+2066 to U+2069).",
    evidence: &["specification 2026-07-28, tools: security considerations"],
};

const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/// Looks at every tool.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    for (index, entry) in published.tools.entries.iter().enumerate() {
        well_formed(index, entry, findings);
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in published.tools() {
        *seen.entry(tool.name).or_default() += 1;
        if seen[tool.name] == 2 {
            findings.push(
                Finding::new(&NAME_REPEATED, "is listed more than once")
                    .tool(tool.name)
                    .at("name"),
            );
        }
        name(tool, findings);
        title(tool, findings);
        description(tool, findings);
        hints(tool, findings);
        hidden(tool, findings);
    }
}

fn well_formed(index: usize, entry: &Value, findings: &mut Vec<Finding>) {
    let name = entry.get("name").and_then(Value::as_str);
    let mut report = |path: &str, message: String| {
        let place = if path.is_empty() {
            format!("tools/{index}")
        } else {
            path.to_owned()
        };
        let finding = Finding::new(&TOOL_ILL_FORMED, message).at(place);
        findings.push(match name {
            Some(name) => finding.tool(name),
            None => finding,
        });
    };
    let Some(members) = entry.as_object() else {
        report("", format!("entry {index} of the list is {}", kind_of(entry)));
        return;
    };
    match members.get("name") {
        None => report("", format!("entry {index} of the list has no `name`")),
        Some(Value::String(name)) if name.is_empty() => report("name", "the name is empty".to_owned()),
        Some(Value::String(_)) => {}
        Some(other) => report("", format!("the name of entry {index} is {}", kind_of(other))),
    }
    for member in ["title", "description"] {
        if let Some(value) = members.get(member).filter(|value| !value.is_string()) {
            report(member, format!("`{member}` is {}", kind_of(value)));
        }
    }
    match members.get("annotations") {
        None => {}
        Some(Value::Object(annotations)) => {
            for hint in HINTS {
                if let Some(value) = annotations.get(hint).filter(|value| !value.is_boolean()) {
                    report(
                        &format!("annotations/{hint}"),
                        format!("`{hint}` is {}", kind_of(value)),
                    );
                }
            }
            if let Some(value) = annotations.get("title").filter(|value| !value.is_string()) {
                report(
                    "annotations/title",
                    format!("`annotations.title` is {}", kind_of(value)),
                );
            }
        }
        Some(other) => report("annotations", format!("`annotations` is {}", kind_of(other))),
    }
    match members.get("inputSchema") {
        None => report("inputSchema", "has no `inputSchema`".to_owned()),
        Some(Value::Object(_)) => {}
        Some(other) => report("inputSchema", format!("`inputSchema` is {}", kind_of(other))),
    }
    if let Some(value) = members.get("outputSchema").filter(|value| !value.is_object()) {
        report("outputSchema", format!("`outputSchema` is {}", kind_of(value)));
    }
}

fn name(tool: Tool<'_>, findings: &mut Vec<Finding>) {
    let is_good = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let bad: Vec<char> = tool
        .name
        .chars()
        .filter(|letter| !is_good(*letter) && *letter != '.')
        .collect();
    if let Some(first) = bad.first() {
        findings.push(
            Finding::new(&NAME_INVALID, format!("the name has {first:?}"))
                .tool(tool.name)
                .at("name"),
        );
    }
    if tool.name.contains('.') {
        findings.push(
            Finding::new(&NAME_WITH_DOT, "the name has a dot")
                .tool(tool.name)
                .at("name"),
        );
    }
    let letters = tool.name.chars().count();
    if letters > 64 {
        findings.push(
            Finding::new(&NAME_LONG, format!("the name has {letters} letters"))
                .tool(tool.name)
                .at("name"),
        );
    }
}

fn says(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}

fn title(tool: Tool<'_>, findings: &mut Vec<Finding>) {
    if says(tool.text("title")) {
        return;
    }
    let annotated = tool
        .raw
        .get("annotations")
        .and_then(|annotations| annotations.get("title"));
    let finding = if says(annotated.and_then(Value::as_str)) {
        Finding::new(&TITLE_IN_ANNOTATIONS, "has its title in `annotations` only")
    } else {
        Finding::new(&TITLE_MISSING, "has no title")
    };
    findings.push(finding.tool(tool.name).at("title"));
}

fn description(tool: Tool<'_>, findings: &mut Vec<Finding>) {
    if !says(tool.text("description")) {
        findings.push(
            Finding::new(&DESCRIPTION_MISSING, "has no description")
                .tool(tool.name)
                .at("description"),
        );
    }
    let characters = tool.description().chars().count();
    if characters > 1024 {
        let loss = if characters > 2048 {
            "; Claude Code shows a model the first 2,048"
        } else {
            ""
        };
        findings.push(
            Finding::new(
                &DESCRIPTION_LONG,
                format!("the description has {characters} characters{loss}"),
            )
            .tool(tool.name)
            .at("description"),
        );
    }
}

fn hints(tool: Tool<'_>, findings: &mut Vec<Finding>) {
    let is_there = |name: &str| {
        tool.raw
            .get("annotations")
            .and_then(|annotations| annotations.get(name))
            .is_some()
    };
    let only_reads = tool.hint("readOnlyHint") == Some(true);
    let missing: Vec<&str> = HINTS
        .into_iter()
        .filter(|name| !is_there(name) && (!only_reads || *name != "idempotentHint"))
        .collect();
    if missing.len() == 4 {
        findings.push(
            Finding::new(&HINTS_MISSING, "has no hints at all")
                .tool(tool.name)
                .at("annotations"),
        );
    } else if !missing.is_empty() {
        findings.push(
            Finding::new(&HINTS_MISSING, format!("leaves out {}", missing.join(", ")))
                .tool(tool.name)
                .at("annotations"),
        );
    }
    if !only_reads {
        return;
    }
    if !is_there("idempotentHint") {
        findings.push(
            Finding::new(&IDEMPOTENT_HINT_MISSING, "leaves out idempotentHint")
                .tool(tool.name)
                .at("annotations"),
        );
    }
    if tool.hint("destructiveHint") == Some(true) {
        findings.push(
            Finding::new(&HINTS_CONTRADICT, "readOnlyHint and destructiveHint are both true")
                .tool(tool.name)
                .at("annotations"),
        );
    }
    if tool.hint("idempotentHint") == Some(false) {
        findings.push(
            Finding::new(&IDEMPOTENT_CONTRADICTS, "readOnlyHint is true and idempotentHint false")
                .tool(tool.name)
                .at("annotations"),
        );
    }
    if let Some(verb) = destroying_verb(tool.name) {
        findings.push(
            Finding::new(
                &READ_ONLY_DOUBTFUL,
                format!("the name begins with `{verb}`, readOnlyHint is true"),
            )
            .tool(tool.name)
            .at("annotations/readOnlyHint"),
        );
    }
}

/// Whether a tool says that it only reads, and nothing else it says speaks
/// against it.
pub(crate) fn only_reads(tool: Tool<'_>) -> bool {
    tool.hint("readOnlyHint") == Some(true)
        && tool.hint("destructiveHint") != Some(true)
        && destroying_verb(tool.name).is_none()
}

fn destroying_verb(name: &str) -> Option<&'static str> {
    const VERBS: [&str; 7] = ["delete", "erase", "destroy", "wipe", "purge", "truncate", "uninstall"];
    VERBS.into_iter().find(|verb| {
        let Some(start) = name.get(..verb.len()) else {
            return false;
        };
        // `delete`, `delete_file`, `deleteFile`, but not `deleted_files`.
        let next = name[verb.len()..].chars().next();
        start.eq_ignore_ascii_case(verb) && next.is_none_or(|letter| !letter.is_ascii_lowercase())
    })
}

fn hidden(tool: Tool<'_>, findings: &mut Vec<Finding>) {
    let mut found = None;
    texts(&Value::Object(tool.raw.clone()), "", &mut |path, text| {
        if found.is_none()
            && let Some(letter) = hidden_character(text)
        {
            found = Some((path.to_owned(), letter));
        }
    });
    if let Some((path, letter)) = found {
        findings.push(
            Finding::new(&HIDDEN_CHARACTERS, format!("has U+{:04X}", letter as u32))
                .tool(tool.name)
                .at(path.trim_start_matches('/')),
        );
    }
}

fn texts(value: &Value, path: &str, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => visit(path, text),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                texts(element, &format!("{path}/{index}"), visit);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                visit(path, name);
                texts(member, &format!("{path}/{name}"), visit);
            }
        }
        _ => {}
    }
}

fn hidden_character(text: &str) -> Option<char> {
    let mut is_flag = false;
    text.chars().find(|letter| match letter {
        '\u{1F3F4}' => {
            is_flag = true;
            false
        }
        '\u{E0000}'..='\u{E007F}' => !is_flag,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        _ => {
            is_flag = false;
            false
        }
    })
}

#[cfg(test)]
mod tests;
