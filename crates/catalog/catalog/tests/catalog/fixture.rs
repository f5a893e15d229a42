//! A catalog in a temporary folder, and short ways to call it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use candor_catalog_facade::{
    AliasArguments, BuildResult, Call, Catalog, CatalogError, CatalogOptions, ImportArguments, ImportResult,
    ListArguments, ListResult, NamedRecipeArguments, PeekArguments, Project, ProjectArguments, QueryArguments,
    RecalcArguments, RecalcReport, RenameArguments, RowsResult, RunArguments, StalenessArguments, StalenessResult,
    UnaliasArguments, Unobserved,
};
use candor_catalog_store::{Interference, Operation, StepHook};
use candor_contract::{CallScope, JournalRecord, OwnRecords, REPLY_BYTES, json_bytes};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Tests end processes, not the power: what is written need not reach the disk.
#[derive(Debug)]
pub(crate) struct NoSync;

impl StepHook for NoSync {
    fn before(&self, _operation: Operation, _path: &Path) -> Interference {
        Interference::SkipSync
    }
}

/// A catalog with the project `shop`.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) catalog: Catalog,
}

pub(crate) const ORDERS: &str = "id,customer,amount\n1,ann,10\n2,bob,20\n3,ann,30\n";

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = Self {
            catalog: catalog_at(folder.path(), Arc::new(NoSync)),
            folder,
        };
        let scope = scope("project_new");
        world
            .catalog
            .project_new(
                &Call::new(&scope, &Unobserved),
                &ProjectArguments { name: "shop".into() },
            )
            .unwrap();
        world
    }

    /// With the file [`ORDERS`] imported as `orders`.
    pub(crate) fn with_orders() -> Self {
        let world = Self::new();
        world.import("orders", ORDERS).unwrap();
        world
    }

    /// The same home, as another process would open it.
    pub(crate) fn again(&self) -> Catalog {
        catalog_at(self.folder.path(), Arc::new(NoSync))
    }

    pub(crate) fn project(&self) -> Project {
        self.catalog.project().unwrap()
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn import(&self, alias: &str, text: &str) -> Result<ImportResult, CatalogError> {
        let path = self.file(&format!("{alias}.csv"), text);
        self.import_with(&ImportArguments {
            outside_path: path.display().to_string(),
            alias: alias.into(),
            ..ImportArguments::default()
        })
    }

    pub(crate) fn import_with(&self, arguments: &ImportArguments) -> Result<ImportResult, CatalogError> {
        let scope = scope("catalog_import_source");
        self.catalog.import_source(&Call::new(&scope, &Unobserved), arguments)
    }

    pub(crate) fn run(&self, sql: &str) -> Result<BuildResult, CatalogError> {
        let scope = scope("catalog_run");
        let arguments = RunArguments {
            sql: sql.into(),
            prompt: None,
        };
        self.catalog.run(&Call::new(&scope, &Unobserved), &arguments)
    }

    pub(crate) fn create(&self, name: &str, sql: &str) -> Result<BuildResult, CatalogError> {
        let scope = scope("catalog_create");
        self.catalog.create(&Call::new(&scope, &Unobserved), &named(name, sql))
    }

    pub(crate) fn revise(&self, name: &str, sql: &str) -> Result<BuildResult, CatalogError> {
        let scope = scope("catalog_revise");
        self.catalog.revise(&Call::new(&scope, &Unobserved), &named(name, sql))
    }

    pub(crate) fn query(&self, sql: &str) -> Result<RowsResult, CatalogError> {
        let scope = scope("catalog_query");
        let arguments = QueryArguments {
            sql: sql.into(),
            limit: None,
        };
        self.catalog.query(&Call::new(&scope, &Unobserved), &arguments)
    }

    pub(crate) fn peek(&self, reference: &str) -> Result<RowsResult, CatalogError> {
        peek(&self.catalog, reference)
    }

    pub(crate) fn list(&self) -> ListResult {
        self.catalog.list(&ListArguments::default()).unwrap()
    }

    pub(crate) fn alias(&self, hash: &str, name: &str) -> Result<(), CatalogError> {
        let scope = scope("catalog_alias");
        let arguments = AliasArguments {
            hash: hash.into(),
            name: name.into(),
        };
        self.catalog
            .alias(&Call::new(&scope, &Unobserved), &arguments)
            .map(|_| ())
    }

    pub(crate) fn rename(&self, old_name: &str, new_name: &str) -> Result<(), CatalogError> {
        let scope = scope("catalog_rename");
        let arguments = RenameArguments {
            old_name: old_name.into(),
            new_name: new_name.into(),
        };
        self.catalog
            .rename(&Call::new(&scope, &Unobserved), &arguments)
            .map(|_| ())
    }

    pub(crate) fn unalias(&self, name: &str) -> Result<(), CatalogError> {
        let scope = scope("catalog_unalias");
        let arguments = UnaliasArguments { name: name.into() };
        self.catalog
            .unalias(&Call::new(&scope, &Unobserved), &arguments)
            .map(|_| ())
    }

    pub(crate) fn stale(&self) -> StalenessResult {
        let scope = scope("catalog_scan_staleness");
        self.catalog
            .scan_staleness(&Call::new(&scope, &Unobserved), &StalenessArguments::default())
            .unwrap()
    }

    pub(crate) fn recalc(&self, roots: Option<&[&str]>, dry_run: bool) -> Result<RecalcReport, CatalogError> {
        let scope = scope("catalog_recalc");
        let arguments = RecalcArguments {
            roots: roots.map(|roots| roots.iter().map(ToString::to_string).collect()),
            dry_run: Some(dry_run),
        };
        self.catalog.recalc(&Call::new(&scope, &Unobserved), &arguments)
    }

    pub(crate) fn switch_followers_off(&self) {
        let project = self.project();
        let lock = project.lock("test", Duration::from_secs(10)).unwrap();
        lock.change_config(|config| config.auto_recalc = false).unwrap();
    }

    /// The journal, the newest record first.
    pub(crate) fn records(&self) -> Vec<JournalRecord> {
        self.catalog.journal(&self.project()).list(100).unwrap()
    }

    /// Waits for what goes on after replies.
    pub(crate) fn settle(&self) {
        assert!(self.catalog.wait_for_background(Duration::from_secs(120)));
    }
}

pub(crate) fn catalog_at(home: &Path, hook: Arc<dyn StepHook>) -> Catalog {
    Catalog::new(CatalogOptions {
        hook: Some(hook),
        ..CatalogOptions::at(home)
    })
}

pub(crate) fn scope(tool: &str) -> CallScope {
    CallScope::new(tool, OwnRecords::default())
}

pub(crate) fn named(name: &str, sql: &str) -> NamedRecipeArguments {
    NamedRecipeArguments {
        name: name.into(),
        sql: sql.into(),
        prompt: None,
    }
}

pub(crate) fn peek(catalog: &Catalog, reference: &str) -> Result<RowsResult, CatalogError> {
    let scope = scope("catalog_peek");
    let arguments = PeekArguments {
        reference: reference.into(),
        ..PeekArguments::default()
    };
    let reply = catalog.peek(&Call::new(&scope, &Unobserved), &arguments)?;
    assert!(json_bytes(&reply) < REPLY_BYTES);
    Ok(reply)
}

/// The values of rows, without the names of the columns.
pub(crate) fn values(rows: &RowsResult) -> Value {
    let row = |row: &serde_json::Map<String, Value>| Value::Array(row.values().cloned().collect());
    Value::Array(rows.rows.iter().map(row).collect())
}

/// `NotFound/NoSuchAlias`
pub(crate) fn kind<T: std::fmt::Debug>(result: Result<T, CatalogError>) -> String {
    let error = result.unwrap_err();
    match error.reason() {
        Some(reason) => format!("{}/{reason}", error.code()),
        None => error.code().to_string(),
    }
}

#[track_caller]
pub(crate) fn expect_rows(rows: &RowsResult, expected: Value) {
    assert_eq!(values(rows), expected);
    assert_eq!(json!(rows.row_count), json!(expected.as_array().unwrap().len()));
}
