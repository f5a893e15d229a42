//! A folder of snapshots and an engine over them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use candor_catalog_engine::{
    Binding, Bindings, Engine, EngineError, EngineOptions, Facts, FrozenRecipe, Recipe, RowsOf, Worth,
};
use candor_catalog_tables::Unobserved;
use candor_catalog_tables::snapshot::{SnapshotFacts, SnapshotKind, SnapshotReader, SnapshotWriter};
use tempfile::TempDir;

/// Entries by the names recipes call them.
pub(crate) struct Shop {
    folder: TempDir,
    pub(crate) engine: Engine,
    pub(crate) bindings: Bindings,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self::with(&EngineOptions::default())
    }

    pub(crate) fn with(options: &EngineOptions) -> Self {
        Self {
            folder: TempDir::new().expect("a temporary folder"),
            engine: Engine::new(options).expect("an engine"),
            bindings: Bindings::new(),
        }
    }

    /// Two small tables: `orders` with ties in `city`, `cities` with one row per name.
    pub(crate) fn small() -> Self {
        let mut shop = Self::new();
        shop.table(
            "orders",
            &[
                ("id", integers(&[4, 2, 6, 1, 5, 3])),
                ("city", texts(&["Oslo", "Bern", "Oslo", "Rome", "Bern", "Oslo"])),
                ("price", floats(&[1.5, 2.5, 3.5, 4.5, 5.5, 6.5])),
            ],
        );
        shop.table(
            "cities",
            &[
                ("name", texts(&["Rome", "Oslo", "Bern"])),
                ("country", texts(&["IT", "NO", "CH"])),
            ],
        );
        shop
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.parquet"))
    }

    /// A source entry.
    pub(crate) fn table(&mut self, name: &str, columns: &[(&str, ArrayRef)]) {
        let batch = RecordBatch::try_from_iter(columns.iter().map(|(name, array)| (*name, Arc::clone(array))))
            .expect("a batch");
        self.batches(name, &[batch]);
    }

    pub(crate) fn batches(&mut self, name: &str, batches: &[RecordBatch]) {
        let path = self.path(name);
        let mut writer = SnapshotWriter::create(&path, &batches[0].schema(), SnapshotKind::Source).expect("a writer");
        for batch in batches {
            writer.write(batch).expect("written");
        }
        writer.finish(&Unobserved).expect("finished");
        self.bind(name, RowsOf::Snapshot(path), false);
    }

    fn bind(&mut self, name: &str, rows: RowsOf, volatile: bool) {
        self.bindings.insert(
            name.to_owned(),
            Binding {
                hash: format!("{:012x}", self.bindings.len() + 1),
                rows,
                volatile,
            },
        );
    }

    /// A computed entry under a name: cheap or stored, as its facts say.
    pub(crate) fn entry(&mut self, name: &str, sql: &str) -> Facts {
        let facts = self.facts(sql);
        let rows = match facts.worth {
            Worth::Cheap => RowsOf::Recipe(Box::new(FrozenRecipe {
                sql: sql.to_owned(),
                bindings: self.bindings.clone(),
            })),
            Worth::Worthy { .. } => {
                let path = self.path(name);
                self.store(sql, &path);
                RowsOf::Snapshot(path)
            }
        };
        self.bind(name, rows, facts.is_volatile());
        facts
    }

    pub(crate) fn store(&self, sql: &str, path: &Path) -> SnapshotFacts {
        self.try_store(sql, path)
            .unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub(crate) fn try_store(&self, sql: &str, path: &Path) -> Result<SnapshotFacts, EngineError> {
        let done = self
            .engine
            .materialise(&Recipe::parse(sql)?, &self.bindings, path, &Unobserved)?;
        Ok(done.snapshot.publish().expect("published"))
    }

    pub(crate) fn facts(&self, sql: &str) -> Facts {
        self.try_facts(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub(crate) fn try_facts(&self, sql: &str) -> Result<Facts, EngineError> {
        self.engine.facts(&Recipe::parse(sql)?, &self.bindings)
    }

    /// The rows of a query, cells joined by `|`.
    pub(crate) fn rows(&self, sql: &str) -> Vec<String> {
        self.try_rows(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    pub(crate) fn try_rows(&self, sql: &str) -> Result<Vec<String>, EngineError> {
        let result = self
            .engine
            .query(&Recipe::parse(sql)?, &self.bindings, 10_000, &Unobserved)?;
        Ok(lines(&result.rows))
    }

    pub(crate) fn error(&self, sql: &str) -> EngineError {
        match self.try_rows(sql) {
            Ok(rows) => panic!("{sql}: no error but {rows:?}"),
            Err(error) => error,
        }
    }

    /// The rows of a snapshot, read back from its file.
    pub(crate) fn stored_rows(&self, path: &Path) -> Vec<String> {
        let reader = SnapshotReader::open(path).expect("a snapshot");
        lines(&reader.page(0, 10_000, None).expect("a page"))
    }
}

pub(crate) fn lines(batch: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::default().with_null("null");
    let columns: Vec<ArrayFormatter<'_>> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column, &options).expect("a formatter"))
        .collect();
    (0..batch.num_rows())
        .map(|row| {
            columns
                .iter()
                .map(|column| column.value(row).to_string())
                .collect::<Vec<_>>()
                .join("|")
        })
        .collect()
}

pub(crate) fn integers(values: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

pub(crate) fn floats(values: &[f64]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

pub(crate) fn texts(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}
