//! What is recorded about an entry.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::EntryHash;

/// How an entry came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// The result of a recipe.
    Computed,
    /// The rows of an imported file.
    Source,
}

/// What an entry was computed from: one reference of its recipe, bound to an entry for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The entry that was read.
    pub hash: EntryHash,
    /// The reference as it stands in the recipe: `sales` or `sales-v2`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Whether the recipe follows the alias (`sales`) or pins a version (`sales-v2`).
    pub follow: bool,
    /// The alias, by the id that a rename does not change.
    pub alias_id: String,
    /// The version that a pinned reference names, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<u64>,
}

/// Where the rows of a source entry came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The alias at the time of the import; never rewritten.
    pub alias: String,
    /// The version of that alias, from 1.
    pub version: u64,
    /// The path of the file that was imported, as given. The file is not looked at again: its copy is.
    pub path: String,
    /// BLAKE3 of the file's bytes, 64 hexadecimal digits; the name of the copy.
    pub digest: String,
    /// The suffix of the file's name with its dot, in lower case; part of the copy's name.
    pub suffix: String,
    /// How many bytes the file had.
    pub bytes: u64,
    /// Everything that decides how the bytes are read: schema and reader options.
    pub reader: Value,
    /// When: UTC, RFC 3339.
    pub imported_at: String,
}

/// The record of an entry, the last file of its folder to be written.
///
/// What identifies the entry and says how it was computed never changes. Only the facts that are found out later
/// do: whether it is reproducible, and what a heal found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this record, 1.
    pub manifest_version: u32,
    /// The entry.
    pub content_hash: EntryHash,
    /// The order in which the entries of a project appeared, from 1. A clock that jumps does not change it.
    pub sequence: u64,
    /// The project in which the entry was made; a copied project keeps it.
    pub project: String,
    /// When it was made: UTC, RFC 3339.
    pub created_at: String,
    /// The tool or command that made it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// What was asked for when it was made first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prompt: Option<String>,
    /// How it came to be.
    pub kind: EntryKind,
    /// The entries it was computed from, one for each reference of its recipe.
    #[serde(default)]
    pub parents: Vec<Parent>,
    /// References of its recipe that nothing is read through, such as those of a subquery nobody uses. They are bound
    /// like the others, and make nothing stale.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unread: Vec<Parent>,
    /// Whether its rows are kept in a snapshot, or computed at each read.
    pub cache_worthy: bool,
    /// Why: `ops:Aggregate`.
    pub cache_worthy_why: String,
    /// The bytes of its snapshot when it was made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cache_bytes: Option<u64>,
    /// BLAKE3 of its snapshot file, by which damage is noticed; says nothing about sameness of rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub snapshot_blake3: Option<String>,
    /// How many rows it has.
    pub row_count: u64,
    /// How long computing took, in seconds.
    pub execute_seconds: f64,
    /// How long planning took, in seconds.
    pub compile_seconds: f64,
    /// The digest of its rows in their order; of entries with a snapshot only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result_digest: Option<String>,
    /// The whole digest as the engine wrote it, by which a difference is named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub digest: Option<Value>,
    /// Whether a second run gave the same rows; absent as long as nobody knows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reproducible: Option<bool>,
    /// How that is known: `proven` from the plan, `verified` by a second run, `heal`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reproducible_by: Option<String>,
    /// The columns in which a second run differed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub nonreproducible_columns: Vec<String>,
    /// Functions of its recipe, or of an ancestor's, whose result depends on when or how often they run.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub volatile_functions: Vec<String>,
    /// The digest that a heal found instead of the recorded one. Its snapshot is pinned since then.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unfaithful_heal_digest: Option<String>,
    /// The version of the form of snapshots.
    pub snapshot_format: u32,
    /// The versions of the crates that computed it.
    #[serde(default)]
    pub engine_versions: Map<String, Value>,
    /// Where a source entry came from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provenance: Option<Provenance>,
    /// What a newer version of this program recorded besides; kept as it is.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The version of [`Manifest`] that this program writes.
pub(crate) const MANIFEST_VERSION: u32 = 1;

impl Manifest {
    /// Everything the references of its recipe are bound to, read or not.
    pub fn bound(&self) -> impl Iterator<Item = &Parent> {
        self.parents.iter().chain(&self.unread)
    }

    /// The record of a new entry. What the store gives (its place in the sequence, the time) is filled in when it is
    /// published.
    pub fn new(content_hash: EntryHash, kind: EntryKind) -> Self {
        Self {
            manifest_version: MANIFEST_VERSION,
            content_hash,
            sequence: 0,
            project: String::new(),
            created_at: String::new(),
            tool: None,
            prompt: None,
            kind,
            parents: Vec::new(),
            unread: Vec::new(),
            cache_worthy: true,
            cache_worthy_why: String::new(),
            cache_bytes: None,
            snapshot_blake3: None,
            row_count: 0,
            execute_seconds: 0.0,
            compile_seconds: 0.0,
            result_digest: None,
            digest: None,
            reproducible: None,
            reproducible_by: None,
            nonreproducible_columns: Vec::new(),
            volatile_functions: Vec::new(),
            unfaithful_heal_digest: None,
            snapshot_format: 1,
            engine_versions: Map::new(),
            provenance: None,
            more: Map::new(),
        }
    }
}

/// A column of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its Arrow type, as text.
    #[serde(rename = "type")]
    pub data_type: String,
}

/// The columns of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EntrySchema {
    /// The columns in their order, without the row order.
    pub fields: Vec<Field>,
    /// How many rows there are.
    pub row_count: u64,
}
