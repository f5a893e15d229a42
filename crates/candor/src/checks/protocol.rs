//! P: whether the conversation itself goes as the protocol says.

use serde_json::Value;

use super::{Check, Group};
use crate::limits::{FLOOD_BYTES, MESSAGE_BYTES};
use crate::published::{Handshake, Listing};
use crate::reading::Trouble;
use crate::session::{Observed, Samples, Silence};
use crate::transport::Closing;
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'P',
    title: "The conversation",
    checks: &[
        &LIST_UNREADABLE,
        &OUTPUT_NOISE,
        &CAPABILITY_UNDECLARED,
        &SERVER_ENDED,
        &FLOOD,
        &MESSAGE_STRANGE,
        &ID_RETYPED,
        &REPLY_UNASKED,
        &INTRODUCTION_INCOMPLETE,
        &REVISION_UNKNOWN,
        &IDENTITY_OF_LIBRARY,
        &REQUEST_UNASKED,
        &ENDED_BY_FORCE,
        &ENTRY_ILL_FORMED,
        &HANDSHAKE_CRASH,
    ],
};

static LIST_UNREADABLE: Check = Check {
    id: "P001",
    name: "list-unreadable",
    severity: Severity::Error,
    title: "a list could not be read to its end",
    reason: "no client gets to know what is in the part that could not be read",
    advice: "answer every list request the server declares, with cursors that come to an end",
    documentation: "\
Reads `tools/list`, `prompts/list`, `resources/list` and `resources/templates/list`, as far as the capabilities
declare them, page by page to the end. Reported are an error, no reply within the time limit, a result without the
list, a cursor that is no text or came before, and a list without end (200 pages or 10,000 entries).",
    evidence: &["specification 2026-07-28, pagination"],
};

static OUTPUT_NOISE: Check = Check {
    id: "P002",
    name: "output-noise",
    severity: Severity::Error,
    title: "standard output carries what is no message",
    reason: "Claude Desktop parses every line as JSON, shows people an error for each that is none, and may drop the connection",
    advice: "write logs and banners to standard error",
    documentation: "\
Reads every line the server writes to its standard output during the whole run. A line that is no JSON is reported;
blank lines are not.",
    evidence: &[
        "specification 2026-07-28, transports: stdio",
        "run-llama/mcp-server-llamacloud#5",
        "firecrawl/firecrawl-mcp-server#98",
    ],
};

static CAPABILITY_UNDECLARED: Check = Check {
    id: "P003",
    name: "capability-undeclared",
    severity: Severity::Error,
    title: "a list exists that no capability declares",
    reason: "the SDKs' clients ask only for what the capabilities declare, so nobody sees the list",
    advice: "declare the capability",
    documentation: "Asks for `tools/list` even if the capability `tools` is not declared.",
    evidence: &["specification 2026-07-28, server capabilities"],
};

static SERVER_ENDED: Check = Check {
    id: "P004",
    name: "server-ended",
    severity: Severity::Error,
    title: "the server ended while it was talked to",
    reason: "every call under way is lost, and most clients do not start a server again by themselves",
    advice: "catch what goes wrong in a request and answer it; the end of standard error below may tell the cause",
    documentation: "\
Reported when the process ends or the connection closes before the checker is done. A server that ends because of a
call that must fail has a check of its own. The server is started again, a few times, to look at the rest.",
    evidence: &["agentgateway#962", "fastmcp#4227"],
};

static FLOOD: Check = Check {
    id: "P005",
    name: "flood",
    severity: Severity::Error,
    title: "the server sends more than a client can take",
    reason: "clients that read without a bound run out of memory; rmcp drops a line of more than 16 MiB without a word",
    advice: "page long lists, bound results, and do not write to standard output what nobody asked for",
    documentation: "\
Reported for a message of more than 16 MiB, for one that is nested more than 128 levels deep, and for more than 48 MiB
between two replies; reading stops there.",
    evidence: &["measured with rmcp 3.11.0"],
};

static MESSAGE_STRANGE: Check = Check {
    id: "P006",
    name: "message-strange",
    severity: Severity::Error,
    title: "standard output carries JSON that is no JSON-RPC message",
    reason: "the SDKs' clients validate each message and raise an error for one that is none",
    advice: "send only requests, notifications, results and errors",
    documentation: "\
Reported for JSON that is neither an object with a `method`, nor one with a `result`, nor one whose `error` is an
object.",
    evidence: &["JSON-RPC 2.0"],
};

static ID_RETYPED: Check = Check {
    id: "P007",
    name: "id-retyped",
    severity: Severity::Error,
    title: "a reply has the id as another type",
    reason: "clients look the id up as it was sent: a reply to `1` with the id `\"1\"` is never found, and the call hangs",
    advice: "send the id back exactly as it came",
    documentation: "The checker's ids are numbers; a reply whose id is the same number as a text is reported.",
    evidence: &["JSON-RPC 2.0, response object"],
};

static REPLY_UNASKED: Check = Check {
    id: "P008",
    name: "reply-unasked",
    severity: Severity::Warning,
    title: "a reply came to nothing, or came twice",
    reason: "the SDKs' clients report an unknown id as an error of the connection",
    advice: "reply to each request exactly once and to nothing else",
    documentation: "\
Reported for a reply whose id was never sent, and for a second reply to the same request. A reply that came after the
time limit, or after the request was cancelled, is not reported.",
    evidence: &["JSON-RPC 2.0, response object"],
};

static INTRODUCTION_INCOMPLETE: Check = Check {
    id: "P009",
    name: "introduction-incomplete",
    severity: Severity::Error,
    title: "the server's introduction lacks required members",
    reason: "the SDKs' clients validate it and refuse to connect",
    advice: "send all members that the revision requires",
    documentation: "\
`initialize`: `protocolVersion`, `capabilities`, and `serverInfo` with `name` and `version`. `server/discover`:
`supportedVersions` and `capabilities`.",
    evidence: &["specification 2025-11-25 and 2026-07-28, lifecycle"],
};

static REVISION_UNKNOWN: Check = Check {
    id: "P010",
    name: "revision-unknown",
    severity: Severity::Error,
    title: "the server speaks a revision that does not exist",
    reason: "clients that do not know the revision a server names must disconnect",
    advice: "answer with the newest released revision the server knows",
    documentation: "Released are 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28.",
    evidence: &["specification 2025-11-25, lifecycle: version negotiation"],
};

static IDENTITY_OF_LIBRARY: Check = Check {
    id: "P011",
    name: "identity-of-library",
    severity: Severity::Warning,
    title: "the server introduces itself as the library it is made with",
    reason: "hosts, logs and permissions name it `rmcp`, like every other server that forgot to say its name",
    advice: "set `serverInfo` to the name and version of the server",
    documentation: "Reported when `serverInfo.name` is `rmcp`, which is what the Rust SDK says when nothing is set.",
    evidence: &["jdx/mise#11361", "bug-ops/mcp-execution#85", "agentgateway#1267"],
};

static REQUEST_UNASKED: Check = Check {
    id: "P012",
    name: "request-unasked",
    severity: Severity::Warning,
    title: "the server asks for what the client did not offer",
    reason: "a client without the capability answers with an error, and the call that needed it fails",
    advice: "look at the client's capabilities before asking",
    documentation: "\
The checker offers no capabilities. Every request of the server but `ping` is reported, with its method.",
    evidence: &["specification 2025-11-25, client capabilities"],
};

static ENDED_BY_FORCE: Check = Check {
    id: "P013",
    name: "ended-by-force",
    severity: Severity::Note,
    title: "the server did not end when its input ended",
    reason: "closing standard input is how clients end a server; one that goes on stays behind when its client crashes",
    advice: "end when standard input ends",
    documentation: "\
Closes the server's standard input and waits three seconds, or twice the time the server took to start if that is
longer, but no more than 20 seconds. A server that still runs is ended with SIGTERM, then
SIGKILL, together with all processes it started.",
    evidence: &["specification 2026-07-28, transports: stdio", "librefang#4052"],
};

static ENTRY_ILL_FORMED: Check = Check {
    id: "P014",
    name: "entry-ill-formed",
    severity: Severity::Error,
    title: "a prompt or resource is not formed as the protocol says",
    reason: "clients that validate throw the whole list away",
    advice: "send the members the protocol requires, as texts",
    documentation: "\
A prompt needs a `name`, a resource a `name` and a `uri`, a template a `name` and a `uriTemplate`; all are texts. The
arguments of a prompt are a list of objects with a `name`.",
    evidence: &["specification 2026-07-28, schema: Prompt, Resource, ResourceTemplate"],
};

static HANDSHAKE_CRASH: Check = Check {
    id: "P015",
    name: "handshake-crash",
    severity: Severity::Warning,
    title: "the server ended when it was asked for a newer revision",
    reason: "clients of 2026-07-28 ask `server/discover` first and give up when the connection is gone",
    advice: "answer a method that is not known with -32601",
    documentation: "\
The checker first asks `server/discover`, as clients of 2026-07-28 do. When the server ends instead of answering, it is
started again and asked `initialize`.",
    evidence: &["specification 2026-07-28, lifecycle: compatibility"],
};

/// A list that could not be read.
pub(crate) fn list_trouble(method: &str, trouble: &Trouble) -> Finding {
    Finding::new(&LIST_UNREADABLE, format!("`{method}`: {trouble}")).at(method)
}

/// A list that works although nothing declares it.
pub(crate) fn undeclared(capability: &str, method: &str) -> Finding {
    Finding::new(
        &CAPABILITY_UNDECLARED,
        format!("`{method}` answers, but the capability `{capability}` is not declared"),
    )
    .at(method)
}

/// The server ended when it was asked `server/discover`.
pub(crate) fn handshake_crash(why: &str) -> Finding {
    Finding::new(&HANDSHAKE_CRASH, format!("after `server/discover`: {why}")).at("server/discover")
}

/// The server ended while it was talked to. A flood, after which nothing more is
/// read, has a check of its own.
pub(crate) fn ended(silence: &Silence, during: &str, stderr: &str) -> Option<Finding> {
    (*silence != Silence::Flooded).then(|| {
        Finding::new(
            &SERVER_ENDED,
            format!("during {during}: {}", with_last_words(&silence.to_string(), stderr)),
        )
    })
}

/// What happened, and the last lines of standard error.
pub(crate) fn with_last_words(what: &str, stderr: &str) -> String {
    let mut lines: Vec<&str> = stderr
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(2)
        .collect();
    lines.reverse();
    if lines.is_empty() {
        return what.to_owned();
    }
    let words = lines.join(" | ");
    format!("{what}; its last words: `{}`", candor_contract::shortened(&words, 300))
}

/// What came in the course of a conversation and should not have.
pub(crate) fn check(observed: &Observed, findings: &mut Vec<Finding>) {
    let mut report = |check, samples: &Samples, what: &str| {
        if let Some(first) = samples.first.first() {
            let more = if samples.count > 1 {
                format!("{} {what}, the first", samples.count)
            } else {
                format!("one {}", what.trim_end_matches('s'))
            };
            findings.push(Finding::new(check, format!("{more}: `{first}`")));
        }
    };
    report(&OUTPUT_NOISE, &observed.noise, "lines");
    report(&MESSAGE_STRANGE, &observed.strangers, "messages");
    report(&ID_RETYPED, &observed.retyped_ids, "ids");
    report(&REPLY_UNASKED, &observed.unknown_ids, "replies to ids that nobody used");
    report(&REPLY_UNASKED, &observed.repeated, "second replies to the same ids");
    if observed.flooded {
        findings.push(Finding::new(
            &FLOOD,
            format!("more than {} MiB without a reply", FLOOD_BYTES >> 20),
        ));
    }
    if observed.oversized > 0 {
        findings.push(Finding::new(
            &FLOOD,
            format!(
                "{} messages of more than {} MiB",
                observed.oversized,
                MESSAGE_BYTES >> 20
            ),
        ));
    }
    if observed.too_deep > 0 {
        findings.push(Finding::new(
            &FLOOD,
            format!("{} messages nested more than 128 levels deep", observed.too_deep),
        ));
    }
    for (method, count) in &observed.requests {
        if method != "ping" {
            findings.push(Finding::new(&REQUEST_UNASKED, format!("asked for `{method}`, {count} times")).at(method));
        }
    }
}

/// How the server ended.
pub(crate) fn check_closing(closing: &Closing, findings: &mut Vec<Finding>) {
    if let Closing::ByForce(waited) = closing {
        findings.push(Finding::new(
            &ENDED_BY_FORCE,
            format!("still ran {} s after its standard input ended", waited.as_secs()),
        ));
    }
}

/// Looks at the introduction, the prompts and the resources.
pub(super) fn check_published(published: &Published, findings: &mut Vec<Finding>) {
    introduction(published, findings);
    let lists = [
        ("prompts", &published.prompts, &["name"] as &[&str]),
        ("resources", &published.resources, &["name", "uri"]),
        (
            "resourceTemplates",
            &published.resource_templates,
            &["name", "uriTemplate"],
        ),
    ];
    for (kind, listing, members) in lists {
        if let Some(listing) = listing {
            entries(kind, listing, members, findings);
        }
    }
}

fn introduction(published: &Published, findings: &mut Vec<Finding>) {
    let introduction = &published.introduction;
    let is_text = |value: Option<&Value>| value.is_some_and(Value::is_string);
    let mut missing = Vec::new();
    if !introduction.get("capabilities").is_some_and(Value::is_object) {
        missing.push("capabilities");
    }
    match published.handshake {
        Handshake::Initialize => {
            if !is_text(introduction.get("protocolVersion")) {
                missing.push("protocolVersion");
            }
            match introduction.get("serverInfo").and_then(Value::as_object) {
                None => missing.push("serverInfo"),
                Some(info) => {
                    if !is_text(info.get("name")) {
                        missing.push("serverInfo.name");
                    }
                    if !is_text(info.get("version")) {
                        missing.push("serverInfo.version");
                    }
                }
            }
        }
        Handshake::Discover => {
            if !introduction.get("supportedVersions").is_some_and(Value::is_array) {
                missing.push("supportedVersions");
            }
        }
    }
    if !missing.is_empty() {
        findings.push(Finding::new(
            &INTRODUCTION_INCOMPLETE,
            format!("lacks {}", missing.join(", ")),
        ));
    }
    if published.revision.is_none() {
        let named = match published.handshake {
            Handshake::Initialize => introduction.get("protocolVersion"),
            Handshake::Discover => introduction.get("supportedVersions"),
        };
        // What is missing altogether was said above.
        if let Some(named) = named {
            findings.push(Finding::new(&REVISION_UNKNOWN, format!("says {named}")));
        }
    }
    if published.server_text("name") == Some("rmcp") {
        findings.push(Finding::new(&IDENTITY_OF_LIBRARY, "says that it is `rmcp`").at("serverInfo"));
    }
}

fn entries(kind: &str, listing: &Listing, members: &[&str], findings: &mut Vec<Finding>) {
    for (index, entry) in listing.entries.iter().enumerate() {
        let name = entry.get("name").and_then(Value::as_str);
        let place = name.map_or_else(|| format!("{kind}/{index}"), |name| format!("{kind}/{name}"));
        for member in members {
            if !entry.get(member).is_some_and(Value::is_string) {
                findings.push(
                    Finding::new(
                        &ENTRY_ILL_FORMED,
                        format!("entry {index} of `{kind}` has no text `{member}`"),
                    )
                    .at(place.clone()),
                );
            }
        }
        let Some(arguments) = entry.get("arguments") else {
            continue;
        };
        let is_good = arguments.as_array().is_some_and(|arguments| {
            arguments
                .iter()
                .all(|argument| argument.get("name").is_some_and(Value::is_string))
        });
        if kind == "prompts" && !is_good {
            findings
                .push(Finding::new(&ENTRY_ILL_FORMED, "its arguments are no list of objects with a `name`").at(place));
        }
    }
}
