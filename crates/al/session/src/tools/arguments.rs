//! The arguments of the five tools. The documentation of each field is published as the description of the parameter, so
//! it is short, names a default beside the word "default", and has no Markdown.
#![expect(clippy::doc_markdown, reason = "these texts are published as they stand")]

use schemars::JsonSchema;
use serde::Deserialize;

use super::words::{Scope, Severity, Source};

const fn default_limit() -> i64 {
    500
}

/// Arguments of `analyze`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalyzeArguments {
    /// Only this file.
    pub file_path: Option<String>,
    /// Only files below this folder.
    pub folder_path: Option<String>,
    /// A project this server knows; absent: by filePath or folderPath, else the first.
    pub project_path: Option<String>,
    /// Only these.
    pub severities: Option<Vec<Severity>>,
    /// Cops to run (LinterCop, ALCops.LinterCop); absent: the project's choice.
    pub analyzers: Option<Vec<String>>,
    /// Only these rule ids.
    pub rule_ids: Option<Vec<String>>,
    /// Most entries to return; default 500.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1))]
    pub limit: i64,
    /// Entries to skip; default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub offset: i64,
    /// Who analyses; default native (compiler: Microsoft's AL server).
    #[serde(default)]
    pub source: Source,
}

impl Default for AnalyzeArguments {
    fn default() -> Self {
        Self {
            file_path: None,
            folder_path: None,
            project_path: None,
            severities: None,
            analyzers: None,
            rule_ids: None,
            limit: default_limit(),
            offset: 0,
            source: Source::Native,
        }
    }
}

/// Arguments of `list_rules`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListRulesArguments {
    /// A project this server knows; absent: the first.
    pub project_path: Option<String>,
    /// Only rules of this cop (LinterCop, ALCops.LinterCop).
    pub cop_filter: Option<String>,
    /// Cops to list; absent: the project's choice.
    pub analyzers: Option<Vec<String>>,
    /// All facts of each rule; default false.
    #[serde(default)]
    pub verbose: bool,
}

/// Arguments of `get_fixes`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetFixesArguments {
    /// Folder with app.json.
    pub project_path: String,
    /// The file.
    pub file_path: String,
    /// Rule id, as in analyze.
    pub diagnostic_id: String,
    /// Line, as in analyze.
    #[schemars(range(min = 1))]
    pub line: i64,
    /// Column, as in analyze.
    #[schemars(range(min = 1))]
    pub column: i64,
    /// Cops to run; absent: the project's choice.
    pub analyzers: Option<Vec<String>>,
}

/// Arguments of `apply_fix`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyFixArguments {
    /// Folder with app.json.
    pub project_path: String,
    /// The file.
    pub file_path: String,
    /// Rule id, as in analyze.
    pub diagnostic_id: String,
    /// Line, as in analyze.
    #[schemars(range(min = 1))]
    pub line: i64,
    /// Column, as in analyze.
    #[schemars(range(min = 1))]
    pub column: i64,
    /// Which fix, verbatim from get_fixes; absent: the only one.
    pub equivalence_key: Option<String>,
    /// Cops to run; absent: the project's choice.
    pub analyzers: Option<Vec<String>>,
    /// contentVersion the call relies on; Stale if the file changed since.
    pub content_version: Option<String>,
    /// Return the diff, write nothing; default false.
    #[serde(default)]
    pub dry_run: bool,
}

/// Arguments of `apply_fix_all`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyFixAllArguments {
    /// Folder with app.json.
    pub project_path: String,
    /// Rule id, as in analyze.
    pub diagnostic_id: String,
    /// Whole project or the document filePath; default project.
    #[serde(default)]
    pub scope: Scope,
    /// The file of scope document.
    pub file_path: Option<String>,
    /// Which fix, verbatim from candidates; absent: the only one.
    pub equivalence_key: Option<String>,
    /// Cops to run; absent: the project's choice.
    pub analyzers: Option<Vec<String>>,
    /// contentVersion the call relies on; Stale if a file to be written changed since.
    pub content_version: Option<String>,
    /// Return the diffs, write nothing; default false.
    #[serde(default)]
    pub dry_run: bool,
}
