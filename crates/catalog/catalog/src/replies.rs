//! What the operations answer. Absent facts are left out, lists are empty rather than absent.

use std::collections::BTreeMap;

use candor_catalog_store::{AliasKind, EntrySchema, Parent};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its Arrow type.
    #[serde(rename = "type")]
    pub data_type: String,
}

/// The columns of a result, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Schema {
    /// The columns.
    pub fields: Vec<Column>,
}

impl Schema {
    pub(crate) fn of(schema: &EntrySchema) -> Self {
        let fields = schema.fields.iter().map(|field| Column {
            name: field.name.clone(),
            data_type: field.data_type.clone(),
        });
        Self {
            fields: fields.collect(),
        }
    }
}

/// What an entry was computed from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParentEdge {
    /// The entry.
    pub hash: String,
    /// The reference in the recipe.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Whether it follows the alias; a pinned version does not.
    pub follow: bool,
}

impl From<&Parent> for ParentEdge {
    fn from(parent: &Parent) -> Self {
        Self {
            hash: parent.hash.to_string(),
            reference: parent.reference.clone(),
            follow: parent.follow,
        }
    }
}

/// A result that was built, or was there already.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BuildResult {
    /// The project.
    pub project: String,
    /// The entry.
    pub hash: String,
    /// Its name, if it was given one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Which version of that name it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Whether it is new; false when the same recipe over the same data was built before.
    pub created: bool,
    /// How many rows.
    pub row_count: u64,
    /// How long computing took.
    pub execute_seconds: f64,
    /// The columns.
    pub schema: Schema,
    /// What it was computed from.
    pub parents: Vec<ParentEdge>,
    /// Whether its rows are stored; if not, they are computed at each read.
    pub stored: bool,
    /// Why.
    pub stored_why: String,
    /// Whether a second run gives the same rows; absent until that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproducible: Option<bool>,
    /// Columns in which a second run differed.
    pub nonreproducible_columns: Vec<String>,
    /// The folder of its recipe and record.
    pub entry_path: String,
    /// What became of the entries that follow the alias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recalc: Option<RecalcReport>,
    /// The checkpoint of this operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_step: Option<u64>,
    /// What to mind.
    pub warnings: Vec<String>,
}

/// A file that was brought in, or was there already.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ImportResult {
    /// The project.
    pub project: String,
    /// The source alias.
    pub alias: String,
    /// Its version.
    pub version: u64,
    /// The entry.
    pub hash: String,
    /// False when this version was there already; nothing was changed then.
    pub created: bool,
    /// The copy that is kept.
    pub path: String,
    /// BLAKE3 of the file's bytes.
    pub digest: String,
    /// How many rows.
    pub row_count: u64,
    /// The columns.
    pub schema: Schema,
    /// A schema that pins every type as it was found, to paste.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_to_paste: Option<Value>,
    /// How the text was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_as: Option<Value>,
    /// What is worth telling the user about the file.
    pub notes: Vec<ImportRemark>,
    /// What became of the entries that follow the alias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recalc: Option<RecalcReport>,
    /// The checkpoint of this operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_step: Option<u64>,
    /// What to mind.
    pub warnings: Vec<String>,
}

/// Something found in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportRemark {
    /// What it is about, such as `kept_as_text`.
    pub kind: String,
    /// The column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// One sentence.
    pub text: String,
}

/// Rows of an entry or a query.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RowsResult {
    /// The project.
    pub project: String,
    /// The entry; a query has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The columns.
    pub schema: Schema,
    /// How many rows there are in all.
    pub row_count: u64,
    /// The first of the rows shown, from 0.
    pub offset: u64,
    /// The rows: an object each. 64-bit integers, decimals and timestamps are text.
    pub rows: Vec<Map<String, Value>>,
    /// Whether there are more rows than these.
    pub truncated: bool,
    /// Cells that were too long and are shortened.
    #[serde(skip_serializing_if = "is_zero")]
    pub cells_shortened: usize,
    /// What to mind.
    pub warnings: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// An entry in the list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListItem {
    /// The entry.
    pub hash: String,
    /// A name it has or had; scratch entries have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Which version of that name it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Whether it is the newest version.
    pub is_head: bool,
    /// `computed` from a recipe, or a `source`.
    pub kind: String,
    /// When it was made, UTC.
    pub created_at: String,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// How many rows.
    pub row_count: u64,
    /// Its columns: `name:type, …`.
    pub columns: String,
    /// What it was computed from.
    pub parents: Vec<ParentEdge>,
    /// Whether its rows are stored.
    pub stored: bool,
    /// Whether a second run gives the same rows; absent until that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproducible: Option<bool>,
    /// Why its stored rows are never deleted, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<String>,
}

/// A page of the list of entries, the newest first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListResult {
    /// The project.
    pub project: String,
    /// The entries.
    pub items: Vec<ListItem>,
    /// How many there are in all.
    pub total: usize,
    /// Whether there are more; go on at `next_offset`.
    pub truncated: bool,
    /// Where the next page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Entries whose record is damaged; build or import them again.
    pub damaged: Vec<String>,
}

/// A name that was given, changed or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AliasResult {
    /// The project.
    pub project: String,
    /// The name; of a name that was taken away, the one it was.
    pub alias: String,
    /// What it was called before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// The entry it leads to, or led to.
    pub hash: String,
    /// The number of its newest version.
    pub version: u64,
    /// `catalog` or `source`.
    pub kind: String,
    /// The checkpoint of this operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_step: Option<u64>,
    /// What to mind.
    pub warnings: Vec<String>,
}

pub(crate) fn kind_word(kind: AliasKind) -> String {
    kind.as_str().into()
}

/// Why an entry is stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StaleReason {
    /// What moved: always `alias`.
    pub axis: String,
    /// The reference in the recipe.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The entry it was bound to.
    pub was: String,
    /// The entry it would be bound to now.
    pub now: String,
}

/// How an entry stands to what it follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StaleEntry {
    /// The entry.
    pub content_hash: String,
    /// Its names.
    pub aliases: Vec<String>,
    /// Whether an alias it follows has moved.
    pub stale: bool,
    /// Whether something it follows, directly or through others, is stale.
    pub transitively_stale: bool,
    /// Whether it is the newest version of a name; only those can be stale.
    pub live: bool,
    /// What moved.
    pub reasons: Vec<StaleReason>,
    /// References to aliases that were taken away, so that nobody knows.
    pub unknown: Vec<String>,
}

/// A stale entry that automatic recomputing should have taken along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrphanStale {
    /// The entry.
    pub hash: String,
    /// Its name.
    pub alias: String,
    /// What moved.
    pub reasons: Vec<StaleReason>,
    /// Why it was not taken along, as far as is known.
    pub explanation: String,
}

/// Whether stored rows still are what was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct VerifyReport {
    /// For each entry with stored rows, whether they are as recorded.
    pub results: BTreeMap<String, bool>,
    /// Entries whose rows are not those that were recorded first.
    pub unfaithful: Vec<String>,
    /// Entries whose rows are not stored at the moment.
    pub absent: Vec<String>,
    /// Entries that could not be read, and why.
    pub errors: BTreeMap<String, String>,
}

/// What is stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StalenessResult {
    /// The project.
    pub project: String,
    /// Entries whose alias moved.
    pub stale: Vec<String>,
    /// Entries downstream of those.
    pub transitively_stale: Vec<String>,
    /// All of them in detail.
    pub entries: BTreeMap<String, StaleEntry>,
    /// Stale ones that automatic recomputing should have taken along; empty when it is switched off.
    pub orphan_stale: Vec<OrphanStale>,
    /// What comparing stored rows with their records found, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<VerifyReport>,
}

/// What becomes, or became, of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecalcEntry {
    /// The entry as it was.
    pub content_hash: String,
    /// `rebuild`, `cascade` in a dry run; `rebuilt`, `noop`, `failed`, `skipped` otherwise.
    pub action: String,
    /// Whether an alias it follows has moved.
    pub stale: bool,
    /// Whether something it follows is in the cone.
    pub transitively_stale: bool,
    /// The entry that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_hash: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// What moved.
    pub reasons: Vec<StaleReason>,
    /// Why it failed or was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The record of the failure in the journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_id: Option<String>,
}

/// What recomputing did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecalcReport {
    /// The project.
    pub project: String,
    /// The entries it begins with.
    pub roots: Vec<String>,
    /// All entries it reaches, in the order of computing.
    pub cone: Vec<String>,
    /// What becomes of each.
    pub entries: Vec<RecalcEntry>,
    /// Whether nothing was done.
    pub dry_run: bool,
    /// `ok`, `failed` or `cycle`.
    pub status: String,
    /// The new entry for each old one.
    pub remap: BTreeMap<String, String>,
    /// The checkpoint of this operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_step: Option<u64>,
    /// What to mind.
    pub warnings: Vec<String>,
}

/// The projects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectsResult {
    /// The one that this process works on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    /// All.
    pub available: Vec<String>,
}

/// A project that was chosen or made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectResult {
    /// The one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    /// The one that this process works on now.
    pub active: String,
    /// Whether it was made.
    pub created: bool,
}
