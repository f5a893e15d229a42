//! What the tools say about themselves.

use candor_catalog_facade::{
    AliasArguments, AliasResult, BuildResult, ImportArguments, ImportResult, ListArguments, ListResult,
    NamedRecipeArguments, PeekArguments, ProjectArguments, ProjectResult, ProjectsResult, QueryArguments,
    RecalcArguments, RecalcReport, RenameArguments, RowsResult, RunArguments, StalenessArguments, StalenessResult,
    UnaliasArguments,
};
use candor_contract::{Hints, Tool, ToolDescription};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::reply::Reply;

/// `project_list` takes nothing.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArguments {}

// Only looks. Reading rows may bring a missing snapshot back, which is a cache: no answer of any tool changes by it but
// in how long it takes. Nothing is named, moved, built or recorded as a step.
const READS: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
};

// Adds: entries never change and old versions stay, so nothing is destroyed. Not idempotent: every call takes a
// checkpoint and keeps its prompt; a second `catalog_create` or `catalog_alias` is refused, a second `project_new` too.
const ADDS: Hints = Hints {
    read_only: false,
    destructive: false,
    idempotent: false,
    open_world: false,
};

// Changes something once: the same file again is recognised and nothing is recorded; what was recomputed is no longer
// stale; the project that was switched to is active already. Imported files are the user's own: no open world.
const SETTLES: Hints = Hints {
    read_only: false,
    destructive: false,
    idempotent: true,
    open_world: false,
};

// Takes a name and its numbered history away. The entries stay and a checkpoint holds the name, but no tool here brings
// it back. A second call finds nothing and is refused.
const REMOVES: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: false,
    open_world: false,
};

const RUN: &str = "\
Builds a recipe as a scratch entry; returns hash, schema, row_count. See rows: catalog_peek(ref=hash); name it: \
catalog_alias. To only look: catalog_query.
A recipe is ONE SELECT or WITH query. Tables are references: FROM orders follows the alias (its new version \
recomputes what reads it); FROM \"orders-v2\" pins a version.
Double-quote columns with capitals or spaces; '...' is text. Integers divide whole: CAST(a AS DOUBLE) / b. A \
top-level ORDER BY leads, else the input's order; ties break the same way.
Refused, naming the call that helps: files (catalog_import_source), several statements, writes, hashes as tables \
(catalog_alias), its own name. now() and random() make it not reproducible.
Any reply may carry new_errors: failures met elsewhere since the last; tell the user what matters.
Errors: Invalid: NotOneQuery, BadQuery, NotAReference, TooLarge; NotFound (pick from candidates): NoSuchAlias, \
NoSuchVersion, NoSuchColumn, NoSuchFunction; Faulted: BuildFailed, LimitExceeded; error_id names the record.";

const CREATE: &str = "\
Builds a recipe (see catalog_run) under a new name, version 1. Returns as catalog_run, with alias and version. Errors: as \
catalog_run; Invalid: NameTaken (use catalog_revise), BadName, SelfReference. Next: catalog_peek(ref=name).";

const REVISE: &str = "\
Builds a recipe (see catalog_run) as the next version of a name; entries that follow the name are recomputed in the same \
step, and recalc tells what became of each. Old versions stay readable as \"name-v1\". An unchanged recipe makes no new \
version. See first what would move: catalog_recalc(roots=[name]) is a dry run. Errors: as catalog_run; NotFound/NoSuchAlias \
(use catalog_create); Invalid: WrongKind (a source: import again), SelfReference; Stale/VersionMoved.";

const IMPORT: &str = "\
Brings in a CSV or Parquet file as a version of a source alias, copies it, and recomputes what follows the alias. Types \
come from the whole file; no value is ever changed: what fits no type stays text, and notes says so. Returns \
schema_to_paste (pins every type) and read_as (delimiter, encoding, header). The same file again changes nothing \
(created: false). Look at the file's first lines before; date-only columns are date32, not timestamps. Errors: \
NotFound/NoSuchSource; Invalid: BadFile (line, column and value in message), BadSchema (paste the suggested schema), \
BadVersion, WrongKind, BadName; Stale/SourceChanged. Next: catalog_peek.";

const QUERY: &str = "\
Runs a recipe (see catalog_run) and shows its first rows; stores nothing. Returns schema, row_count of the whole result, \
rows. 64-bit integers, decimals and timestamps are text, with types in schema. Errors: as catalog_run. Next: \
catalog_create to keep it.";

const PEEK: &str = "\
Shows rows of an alias, a version (orders-v2) or a hash, in the entry's order; page with offset. Returns schema, \
row_count, rows, truncated. Errors: NotFound: NoSuchAlias, NoSuchVersion, NoSuchEntry, NoSuchColumn; \
Faulted/DataDamaged.";

const LIST: &str = "\
Lists entries, newest first: hash, alias, version, is_head, kind (source or computed), columns, parents. Returns items and \
total; when truncated, go on with offset = next_offset. Errors: NotFound/NoSuchProject.";

const ALIAS: &str = "\
Names a scratch entry, so that recipes can read it. Returns alias, hash, version. Errors: NotFound/NoSuchEntry; Invalid: \
NameTaken, BadName, WrongKind (an imported file has its name).";

const RENAME: &str = "\
Renames an alias. Versions and followers stay as they are: recorded recipes keep resolving, new ones use the new name. \
Returns alias, old_name. Errors: NotFound/NoSuchAlias; Invalid: NameTaken, BadName.";

const UNALIAS: &str = "\
Takes a name and its version history away. Entries stay under their hashes, and what was built on them. Returns what it \
was. Ask the user first. Errors: NotFound/NoSuchAlias.";

const STALENESS: &str = "\
Tells which entries follow something that has moved since they were built. Returns stale, transitively_stale and reasons; \
orphan_stale with an explanation for each that should have been recomputed. Errors: NotFound/NoSuchProject. Next: \
catalog_recalc.";

const RECALC: &str = "\
Recomputes stale entries and everything downstream, in order; a dry run first. Returns cone and the action for each entry: \
rebuild, cascade (dry run); rebuilt, noop, failed, skipped. status is ok, failed or cycle. Errors: NotFound: NoSuchAlias, \
NoSuchEntry; Unavailable/ProjectBusy.";

const PROJECTS: &str =
    "Lists the projects and the active one. Each is a catalog of its own. Returns active, available.";

const SWITCH: &str = "\
Works on another project from now on. Returns previous, active. Errors: NotFound/NoSuchProject: pick from candidates; \
Invalid/BadName.";

const NEW: &str = "\
Makes an empty project and works on it. Returns previous, active. Errors: Invalid: NameTaken, BadName. Next: \
catalog_import_source.";

/// `catalog_run`.
pub(crate) fn run() -> Tool<RunArguments, Reply<BuildResult>> {
    Tool::new("catalog_run", "Run a recipe", RUN, ADDS)
}

/// `catalog_create`.
pub(crate) fn create() -> Tool<NamedRecipeArguments, Reply<BuildResult>> {
    Tool::new("catalog_create", "Create a named result", CREATE, ADDS)
}

/// `catalog_revise`.
pub(crate) fn revise() -> Tool<NamedRecipeArguments, Reply<BuildResult>> {
    Tool::new("catalog_revise", "Revise a named result", REVISE, ADDS)
}

/// `catalog_import_source`.
pub(crate) fn import_source() -> Tool<ImportArguments, Reply<ImportResult>> {
    Tool::new("catalog_import_source", "Import a file", IMPORT, SETTLES)
}

/// `catalog_query`.
pub(crate) fn query() -> Tool<QueryArguments, Reply<RowsResult>> {
    Tool::new("catalog_query", "Query without storing", QUERY, READS).default_of("limit", 50)
}

/// `catalog_peek`.
pub(crate) fn peek() -> Tool<PeekArguments, Reply<RowsResult>> {
    Tool::new("catalog_peek", "Look at rows", PEEK, READS)
        .default_of("limit", 20)
        .default_of("offset", 0)
}

/// `catalog_list`.
pub(crate) fn list() -> Tool<ListArguments, Reply<ListResult>> {
    Tool::new("catalog_list", "List entries", LIST, READS)
        .default_of("limit", 50)
        .default_of("offset", 0)
}

/// `catalog_alias`.
pub(crate) fn alias() -> Tool<AliasArguments, Reply<AliasResult>> {
    Tool::new("catalog_alias", "Name an entry", ALIAS, ADDS)
}

/// `catalog_rename`. Renaming destroys nothing: the name can be given back.
pub(crate) fn rename() -> Tool<RenameArguments, Reply<AliasResult>> {
    Tool::new("catalog_rename", "Rename an alias", RENAME, ADDS)
}

/// `catalog_unalias`.
pub(crate) fn unalias() -> Tool<UnaliasArguments, Reply<AliasResult>> {
    Tool::new("catalog_unalias", "Remove an alias", UNALIAS, REMOVES)
}

/// `catalog_scan_staleness`.
pub(crate) fn scan_staleness() -> Tool<StalenessArguments, Reply<StalenessResult>> {
    Tool::new("catalog_scan_staleness", "Find stale entries", STALENESS, READS)
}

/// `catalog_recalc`.
pub(crate) fn recalc() -> Tool<RecalcArguments, Reply<RecalcReport>> {
    Tool::new("catalog_recalc", "Recompute stale entries", RECALC, SETTLES).default_of("dry_run", true)
}

/// `project_list`.
pub(crate) fn project_list() -> Tool<NoArguments, Reply<ProjectsResult>> {
    Tool::new("project_list", "List projects", PROJECTS, READS)
}

/// `project_switch`.
pub(crate) fn project_switch() -> Tool<ProjectArguments, Reply<ProjectResult>> {
    Tool::new("project_switch", "Switch project", SWITCH, SETTLES)
}

/// `project_new`.
pub(crate) fn project_new() -> Tool<ProjectArguments, Reply<ProjectResult>> {
    Tool::new("project_new", "Make a project", NEW, ADDS)
}

/// All of them, sorted by name.
pub fn descriptions() -> Vec<ToolDescription> {
    vec![
        alias().into_description(),
        create().into_description(),
        import_source().into_description(),
        list().into_description(),
        peek().into_description(),
        query().into_description(),
        recalc().into_description(),
        rename().into_description(),
        revise().into_description(),
        run().into_description(),
        scan_staleness().into_description(),
        unalias().into_description(),
        project_list().into_description(),
        project_new().into_description(),
        project_switch().into_description(),
    ]
}
