//! What a run cost.

use std::time::Duration;

/// Sizes and times of a run. Times are CPU time summed over all threads (elapsed time where the system cannot tell),
/// except for `wall`; those of single rules are shares of the CPU time of each file, by elapsed time. Reading, parsing,
/// checking and rules need [`super::CheckOptions::timing`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    /// Files read.
    pub files: usize,
    /// Their bytes, as text.
    pub bytes: u64,
    /// Their lines.
    pub lines: u64,
    /// Findings, suppressed ones not counted.
    pub findings: usize,
    /// From start to end.
    pub wall: Duration,
    /// The whole process.
    pub cpu: Duration,
    /// Finding projects and files, reading settings and rulesets.
    pub preparing: Duration,
    /// Reading and decoding files.
    pub reading: Duration,
    /// Parsing.
    pub parsing: Duration,
    /// Running the rules.
    pub checking: Duration,
    /// Each rule that ran, sorted by id.
    pub rules: Vec<RuleStatistics>,
}

/// What one rule found and cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleStatistics {
    /// The rule.
    pub id: &'static str,
    /// Its findings, suppressed ones not counted.
    pub findings: usize,
    /// The time it took.
    pub time: Duration,
}
