//! What the five tools answer. The order of fields is the order of keys; a list is empty rather than absent, and an
//! absent fact is left out.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::schema;
use super::words::Severity;
use crate::safety::FixSafety;
use crate::vocabulary::FixCandidate;

/// Answer of `analyze`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::answer)]
pub struct AnalyzeResult {
    /// The project analysed.
    pub project: String,
    /// Entries in this reply.
    pub count: usize,
    /// Entries in all.
    pub total_count: usize,
    /// Whether entries follow.
    pub truncated: bool,
    /// The offset to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Numbers over all entries.
    pub summary: Summary,
    /// Sorted by file, line, column, id.
    pub diagnostics: Vec<Diagnostic>,
    /// What limits this answer.
    pub warnings: Vec<String>,
    /// Of the project's text.
    pub content_version: String,
}

/// How many diagnostics there are of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct Summary {
    /// By severity.
    pub by_severity: Counts,
    /// By cop.
    pub by_analyzer: Counts,
}

impl Summary {
    /// Counts one more diagnostic.
    pub fn add(&mut self, severity: Severity, analyzer: &str) {
        self.by_severity.add(severity.as_str());
        self.by_analyzer.add(analyzer);
    }
}

/// Numbers under names, in the order in which the names were first counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(Vec<(String, usize)>);

impl Counts {
    /// Counts one more under `name`.
    pub fn add(&mut self, name: &str) {
        self.add_many(name, 1);
    }

    /// Counts several more under `name`.
    pub fn add_many(&mut self, name: &str, number: usize) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += number,
            None => self.0.push((name.to_owned(), number)),
        }
    }

    /// How many were counted under `name`.
    pub fn get(&self, name: &str) -> usize {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map_or(0, |(_, count)| *count)
    }

    /// Names and numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(name, count)| (name.as_str(), *count))
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, count) in &self.0 {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}

impl JsonSchema for Counts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Counts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "additionalProperties": {"type": "integer"}})
    }
}

/// One diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct Diagnostic {
    /// Absolute.
    pub file_path: String,
    /// From 1.
    pub line: u32,
    /// From 1, UTF-16 units.
    pub column: u32,
    /// From 1.
    pub end_line: u32,
    /// Just behind the end.
    pub end_column: u32,
    /// The rule.
    pub id: String,
    /// As the ruleset has it.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The cop.
    pub analyzer: String,
    /// Whether the rule offers fixes.
    pub has_fix: bool,
}

/// Answer of `list_rules`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::answer)]
pub struct ListRulesResult {
    /// Sorted by id.
    pub rules: Vec<RuleEntry>,
    /// What limits this answer.
    pub warnings: Vec<String>,
    /// Of the project's text.
    pub content_version: String,
}

/// One rule: id, title and cop, or everything but `cop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct RuleEntry {
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Unless verbose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cop: Option<String>,
    /// Why and what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Before any ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Cop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cop_name: Option<String>,
    /// Whether it offers fixes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_code_fix: Option<bool>,
    /// Its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    /// Of its least safe fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix_safety: Option<FixSafety>,
}

/// Answer of `get_fixes`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::answer)]
pub struct GetFixesResult {
    /// As asked.
    pub diagnostic_id: String,
    /// Absolute.
    pub file_path: String,
    /// As asked.
    pub line: u32,
    /// As asked.
    pub column: u32,
    /// Where the diagnostic starts.
    pub matched_line: u32,
    /// Where it starts.
    pub matched_column: u32,
    /// Never empty.
    pub fixes: Vec<FixCandidate>,
    /// What limits this answer.
    pub warnings: Vec<String>,
    /// Of the project's text.
    pub content_version: String,
}

/// What a fix does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct FileChange {
    /// Absolute.
    pub file_path: String,
    /// Unified.
    pub diff: String,
    /// Whether the diff was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_truncated: Option<bool>,
}

/// Answer of `apply_fix`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::answer)]
pub struct ApplyFixResult {
    /// Whether anything was written.
    pub applied: bool,
    /// As asked.
    pub dry_run: bool,
    /// Absolute.
    pub file_path: String,
    /// What was done.
    pub fix_title: String,
    /// As asked.
    pub diagnostic_id: String,
    /// The key used.
    pub equivalence_key: String,
    /// Whether behaviour may change.
    pub safety: FixSafety,
    /// Written; in a dry run: would be.
    pub files_changed: Vec<String>,
    /// The diffs.
    pub changes: Vec<FileChange>,
    /// What limits this answer.
    pub warnings: Vec<String>,
    /// After the write.
    pub content_version: String,
}

/// Why a file that should have been written was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[schemars(transform = schema::choice)]
pub enum ConflictKind {
    /// It changed or vanished since the fix was computed.
    StaleFile,
    /// Its bytes are not valid in its encoding, or the new text does not fit it.
    UnsupportedEncoding,
    /// It could not be read.
    ReadFailed,
    /// It could not be written.
    WriteFailed,
    /// It was written, and restored when another write failed.
    RolledBack,
    /// It was not reached when another write failed.
    NotWritten,
}

impl ConflictKind {
    /// Whether something failed, other than that somebody was faster or that another file could not be written.
    pub(crate) const fn is_failure(self) -> bool {
        matches!(self, Self::UnsupportedEncoding | Self::ReadFailed | Self::WriteFailed)
    }

    /// The word that the journal uses.
    pub const fn code(self) -> &'static str {
        match self {
            Self::StaleFile => "stale_file",
            Self::UnsupportedEncoding => "unsupported_encoding",
            Self::ReadFailed => "read_failed",
            Self::WriteFailed => "write_failed",
            Self::RolledBack => "rolled_back",
            Self::NotWritten => "not_written",
        }
    }
}

/// A file that is as it was, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct Conflict {
    /// Absolute.
    pub file_path: String,
    /// Why.
    pub message: String,
    /// Why, in a word.
    pub kind: ConflictKind,
}

/// An occurrence that is still there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::entry)]
pub struct UnfixedDiagnostic {
    /// Absolute.
    pub file_path: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Answer of `apply_fix_all`; without an occurrence the optional parts but `message` are absent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = schema::answer)]
pub struct ApplyFixAllResult {
    /// Whether anything was written.
    pub applied: bool,
    /// As asked.
    pub dry_run: bool,
    /// As asked.
    pub diagnostic_id: String,
    /// What was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix_title: Option<String>,
    /// The key used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalence_key: Option<String>,
    /// Whether behaviour may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<FixSafety>,
    /// Before the fix.
    pub diagnostics_found: usize,
    /// Written; in a dry run: would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_changed: Option<Vec<String>>,
    /// Files left as they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<Vec<Conflict>>,
    /// What happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Still there afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfixed_diagnostics: Option<Vec<UnfixedDiagnostic>>,
    /// An argument that was ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// The diffs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<FileChange>>,
    /// What limits this answer.
    pub warnings: Vec<String>,
    /// After the write.
    pub content_version: String,
}
