//! What the operations are asked.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `catalog_run`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunArguments {
    /// The recipe: one SELECT or WITH query over aliases.
    pub sql: String,
    /// What the user asked for, in their words.
    #[serde(default)]
    pub prompt: Option<String>,
}

/// `catalog_create`, `catalog_revise`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedRecipeArguments {
    /// The alias: a-z, 0-9 and _, beginning with a letter.
    pub name: String,
    /// The recipe: one SELECT or WITH query over aliases.
    pub sql: String,
    /// What the user asked for, in their words.
    #[serde(default)]
    pub prompt: Option<String>,
}

/// `catalog_import_source`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportArguments {
    /// The file: .csv, .tsv, .txt, .parquet or .pq.
    pub outside_path: String,
    /// The source alias.
    pub alias: String,
    /// The version that the file must be, from 1.
    #[serde(default)]
    pub pinned_version: Option<u64>,
    /// What the user asked for, in their words.
    #[serde(default)]
    pub prompt: Option<String>,
    /// Types: {"column": "type"} by name, or [["name", "type"]] by position; the type "infer"; "&rest" for all others.
    #[serde(default)]
    #[schemars(schema_with = "crate::schemas::column_types")]
    pub schema: Option<Value>,
    /// How the text is read, where that is not found out rightly; recorded for good.
    #[serde(default)]
    #[schemars(schema_with = "crate::schemas::reader_options")]
    pub reader_options: Option<Map<String, Value>>,
}

/// `catalog_query`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryArguments {
    /// One SELECT or WITH query over aliases.
    pub sql: String,
    /// How many rows to show; default 50, at most 1000.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub limit: Option<u64>,
}

/// `catalog_peek`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeekArguments {
    /// An alias, a version such as orders-v2, or a hash.
    #[serde(rename = "ref")]
    pub reference: String,
    /// How many rows to show; default 20, at most 1000.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub limit: Option<u64>,
    /// The first row to show; default 0.
    #[serde(default)]
    pub offset: Option<u64>,
    /// Only these columns, in this order.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
}

/// `catalog_list`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListArguments {
    /// How many entries to show; default 50, at most 500.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    pub limit: Option<u64>,
    /// How many to pass over; default 0.
    #[serde(default)]
    pub offset: Option<u64>,
}

/// `catalog_alias`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AliasArguments {
    /// The entry.
    pub hash: String,
    /// The name to give it.
    pub name: String,
}

/// `catalog_rename`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameArguments {
    /// What it is called.
    pub old_name: String,
    /// What it will be called.
    pub new_name: String,
}

/// `catalog_unalias`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnaliasArguments {
    /// The name to take away.
    pub name: String,
}

/// `catalog_scan_staleness`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StalenessArguments {
    /// Whether to read all stored rows and compare them with their records; default false.
    #[serde(default)]
    pub verify_results: bool,
}

/// `catalog_recalc`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecalcArguments {
    /// Where to begin: aliases or hashes; without it, all that is stale.
    #[serde(default)]
    pub roots: Option<Vec<String>>,
    /// Whether only to say what would be done; default true.
    #[serde(default)]
    pub dry_run: Option<bool>,
}

/// `project_switch`, `project_new`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectArguments {
    /// The project: a-z, 0-9, _ and -.
    pub name: String,
}
