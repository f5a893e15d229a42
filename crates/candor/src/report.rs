//! The result of a run: what was published, what was found, what was not
//! looked at.

use std::time::Duration;

use crate::{Finding, Published, Severity};

/// Everything a run found out. All formats are made of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// The command line or the address, as it was given.
    pub target: String,
    /// What the server publishes.
    pub published: Published,
    /// What is wrong, in the order of the checks' ids; for one check in the
    /// order in which the server lists its tools.
    pub findings: Vec<Finding>,
    /// What was tried with which tool.
    pub probes: Probes,
    /// What could not be looked at, and why; facts of the run.
    pub notes: Vec<String>,
    /// The wall time of the run.
    pub elapsed: Duration,
}

impl Report {
    /// The worst severity among the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(Finding::severity).max()
    }

    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity() == severity)
            .count()
    }
}

/// What was probed and what was not.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// Tools that got calls that must fail, in the order of the list.
    pub probed: Vec<ProbedTool>,
    /// Tools that got none, each with the reason.
    pub left_alone: Vec<(String, String)>,
    /// How many messages were sent on purpose to fail, those about no tool
    /// among them.
    pub sent: usize,
    /// Whether failures come in Candor's envelope, so that they were held to
    /// all of it.
    pub speaks_vocabulary: bool,
}

/// One tool that was probed.
#[derive(Debug, Clone)]
pub struct ProbedTool {
    /// Its name.
    pub name: String,
    /// The calls, by the name of the probe: `missing-argument` and so on.
    pub calls: Vec<ProbedCall>,
}

/// One call that had to fail.
#[derive(Debug, Clone)]
pub struct ProbedCall {
    /// The probe, such as `missing-argument`.
    pub probe: &'static str,
    /// What came back.
    pub outcome: Outcome,
    /// How long it took.
    pub elapsed: Duration,
    /// The text of the reply, shortened.
    pub said: String,
}

/// How a call that had to fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A result with `isError: true`.
    ToolError,
    /// A JSON-RPC error with this code.
    ProtocolError(i64),
    /// A result that is not flagged as an error.
    Success,
    /// Nothing within the time limit.
    NoReply,
    /// The server went away.
    Died,
}
