//! P: whether the conversation itself goes as the protocol says.

use super::{Check, Group};
use crate::reading::Trouble;
use crate::session::Observed;
use crate::{Finding, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'P',
    title: "The conversation",
    checks: &[&LIST_UNREADABLE, &STDOUT_NOISE, &CAPABILITY_UNDECLARED],
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

static STDOUT_NOISE: Check = Check {
    id: "P002",
    name: "output-noise",
    severity: Severity::Error,
    title: "standard output carries what is no message",
    reason: "over stdio nothing but messages may be written to standard output; clients report each other line as a fault",
    advice: "write logs to standard error",
    documentation: "\
Reads every line the server writes to its standard output during the whole run. A line that is no JSON is reported.",
    evidence: &["specification 2026-07-28, transports: stdio"],
};

static CAPABILITY_UNDECLARED: Check = Check {
    id: "P003",
    name: "capability-undeclared",
    severity: Severity::Error,
    title: "a list exists that no capability declares",
    reason: "clients ask only for what the capabilities declare, so nobody sees the list",
    advice: "declare the capability",
    documentation: "\
Asks for `tools/list` even if the capability `tools` is not declared.",
    evidence: &["specification 2026-07-28, server capabilities"],
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

/// What came in the course of a conversation and should not have.
pub(crate) fn check(observed: &Observed, findings: &mut Vec<Finding>) {
    if observed.noise.count > 0 {
        findings.push(Finding::new(
            &STDOUT_NOISE,
            format!(
                "{} lines, the first: `{}`",
                observed.noise.count, observed.noise.first[0]
            ),
        ));
    }
}
