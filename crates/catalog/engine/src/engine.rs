//! The engine: what can be done with a recipe and its bindings.

use std::path::Path;
use std::time::Instant;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::SchemaRef;
use candor_catalog_tables::digest::{Comparison, Digester, TableDigest};
use candor_catalog_tables::snapshot::{SnapshotKind, SnapshotWriter, StagedSnapshot};
use candor_catalog_tables::{Progress, Stage};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};

use crate::bindings::{Bindings, FrozenRecipe, snapshot_error};
use crate::error::{EngineError, ErrorKind, Result};
use crate::facts::{Facts, facts};
use crate::recipe::Recipe;
use crate::run::{Flow, run, stored_schema};
use crate::session::{self, EngineOptions};
use crate::{order, planner, stack};

/// Plans and runs recipes. Cheap to share between threads; holds no files and no threads while nothing runs.
pub struct Engine {
    state: SessionState,
}

/// A result on its way to becoming a snapshot.
#[derive(Debug)]
pub struct Materialised {
    /// The file, under a temporary name until it is published, and what is known of it.
    pub snapshot: StagedSnapshot,
    /// How long planning, running and writing took together, in seconds.
    pub seconds: f64,
    /// The first attempt ran out of memory; the second used joins that can spill.
    pub retried_with_spilling_joins: bool,
}

/// What a second run says about a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// How the second run differs from the recorded digest.
    pub comparison: Comparison,
    /// Columns that differ, for `nonreproducible_columns`; every one when only the order or the number of rows does.
    pub columns: Vec<String>,
}

impl Verdict {
    /// Whether the second run gave the same rows in the same order.
    pub fn is_reproducible(&self) -> bool {
        self.comparison == Comparison::Same
    }
}

/// Rows of a result that was not stored.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The columns.
    pub schema: SchemaRef,
    /// The first rows, in the order the stored entry would have.
    pub rows: RecordBatch,
    /// How many rows there are in all.
    pub row_count: u64,
}

impl Rows {
    /// Whether there are more rows than these.
    pub fn is_truncated(&self) -> bool {
        self.row_count > self.rows.num_rows() as u64
    }
}

impl Engine {
    /// An engine with the given limits.
    ///
    /// # Errors
    /// `Internal` when the query engine cannot be set up, for instance without a folder to spill to.
    pub fn new(options: &EngineOptions) -> Result<Self> {
        Ok(Self {
            state: session::state(options)?,
        })
    }

    /// Versions of what results may depend on, for the record: (crate, version).
    pub fn versions() -> Vec<(&'static str, &'static str)> {
        vec![
            ("datafusion", datafusion::DATAFUSION_VERSION),
            ("arrow", arrow::ARROW_VERSION),
            ("candor", env!("CARGO_PKG_VERSION")),
        ]
    }

    /// Plans a recipe without running it.
    ///
    /// # Errors
    /// `UnknownReference`, `UnknownColumn`, `UnknownFunction`, `BadPlan`, `DataDamaged` for a missing snapshot.
    pub fn facts(&self, recipe: &Recipe, bindings: &Bindings) -> Result<Facts> {
        stack::run(|| facts(&planner::plan(&self.state, recipe, bindings)?))
    }

    /// Runs a recipe and writes its result as a snapshot that will be named `path` when it is published.
    ///
    /// # Errors
    /// Failures of planning and running; `LimitExceeded` when memory does not suffice even with joins that spill;
    /// `WriteFailed`; `Cancelled`. No file is left behind.
    pub fn materialise(
        &self,
        recipe: &Recipe,
        bindings: &Bindings,
        path: &Path,
        progress: &(dyn Progress + Sync),
    ) -> Result<Materialised> {
        let start = Instant::now();
        let plan = self.ordered_plan(recipe, bindings)?;
        let schema = stored_schema(&plan);
        let write = |state: &SessionState| {
            let mut writer = SnapshotWriter::create(path, &schema, SnapshotKind::Computed).map_err(snapshot_error)?;
            run(state, &plan, recipe.sql(), progress, &mut |batch| {
                writer.write(&batch).map_err(snapshot_error)?;
                progress.rows_done(Stage::Writing, writer.rows());
                Ok(Flow::Continue)
            })?;
            writer.stage(&Shared(progress)).map_err(snapshot_error)
        };
        let (snapshot, retried_with_spilling_joins) = self.with_retry(write)?;
        Ok(Materialised {
            snapshot,
            seconds: start.elapsed().as_secs_f64(),
            retried_with_spilling_joins,
        })
    }

    /// Runs a recipe again and compares with what was recorded when it was stored. Writes nothing.
    ///
    /// # Errors
    /// As [`Engine::materialise`].
    pub fn verify(
        &self,
        recipe: &Recipe,
        bindings: &Bindings,
        recorded: &TableDigest,
        progress: &(dyn Progress + Sync),
    ) -> Result<Verdict> {
        let plan = self.ordered_plan(recipe, bindings)?;
        let schema = stored_schema(&plan);
        let digest = |state: &SessionState| {
            let mut digester = Digester::new(&schema);
            let mut rows = 0;
            run(state, &plan, recipe.sql(), progress, &mut |batch| {
                rows += batch.num_rows() as u64;
                progress.rows_done(Stage::Verifying, rows);
                digester
                    .update(&batch)
                    .map_err(|error| EngineError::new(ErrorKind::Internal, error.to_string()))?;
                Ok(Flow::Continue)
            })?;
            Ok(digester.finish())
        };
        let (digest, _) = self.with_retry(digest)?;
        let comparison = recorded.compare(&digest);
        let columns = match &comparison {
            Comparison::Same => Vec::new(),
            Comparison::Different { columns, .. } if !columns.is_empty() => columns.clone(),
            _ => schema.fields().iter().map(|field| field.name().clone()).collect(),
        };
        Ok(Verdict { comparison, columns })
    }

    /// Runs a recipe, keeps the first `limit` rows and counts all. Stores nothing.
    ///
    /// # Errors
    /// As [`Engine::materialise`].
    pub fn query(
        &self,
        recipe: &Recipe,
        bindings: &Bindings,
        limit: usize,
        progress: &(dyn Progress + Sync),
    ) -> Result<Rows> {
        let plan = self.ordered_plan(recipe, bindings)?;
        let schema = stored_schema(&plan);
        let collect = |state: &SessionState| {
            let mut kept = Vec::new();
            let mut row_count = 0_u64;
            run(state, &plan, recipe.sql(), progress, &mut |batch| {
                let missing = limit.saturating_sub(usize::try_from(row_count).unwrap_or(usize::MAX));
                if missing > 0 {
                    kept.push(batch.slice(0, missing.min(batch.num_rows())));
                }
                row_count += batch.num_rows() as u64;
                Ok(Flow::Continue)
            })?;
            Ok((kept, row_count))
        };
        let ((kept, row_count), _) = self.with_retry(collect)?;
        Ok(Rows {
            rows: concatenate(&schema, &kept)?,
            schema,
            row_count,
        })
    }

    /// Runs a cheap entry once from end to end, keeping nothing: a cast that fails on some row fails here, when the
    /// entry is made, and not at a later read. Gives the number of rows.
    ///
    /// # Errors
    /// As [`Engine::materialise`].
    pub fn check(&self, recipe: &Recipe, bindings: &Bindings, progress: &(dyn Progress + Sync)) -> Result<u64> {
        Ok(self.query(recipe, bindings, 0, progress)?.row_count)
    }

    /// Rows `offset..offset + limit` of a cheap entry, planned again from its frozen recipe. All columns, or those named
    /// in `columns`.
    ///
    /// # Errors
    /// As [`Engine::materialise`]; `UnknownColumn` for a name in `columns` that is no column.
    pub fn page(
        &self,
        entry: &FrozenRecipe,
        offset: u64,
        limit: usize,
        columns: Option<&[&str]>,
        progress: &(dyn Progress + Sync),
    ) -> Result<RecordBatch> {
        let recipe = Recipe::parse(&entry.sql)?;
        let plan = self.ordered_plan(&recipe, &entry.bindings)?;
        let plan = stack::run(|| paged(plan, offset, limit, columns))?;
        let schema = stored_schema(&plan);
        let mut kept = Vec::new();
        run(&self.state, &plan, recipe.sql(), progress, &mut |batch| {
            kept.push(batch);
            Ok(Flow::Continue)
        })?;
        concatenate(&schema, &kept)
    }

    /// Hands every batch of a cheap entry, in order, to `receive`, until it says `false`.
    ///
    /// # Errors
    /// As [`Engine::materialise`], and what `receive` returns.
    pub fn stream(
        &self,
        entry: &FrozenRecipe,
        progress: &(dyn Progress + Sync),
        receive: &mut dyn FnMut(RecordBatch) -> Result<bool>,
    ) -> Result<()> {
        let recipe = Recipe::parse(&entry.sql)?;
        let plan = self.ordered_plan(&recipe, &entry.bindings)?;
        run(&self.state, &plan, recipe.sql(), progress, &mut |batch| {
            Ok(if receive(batch)? { Flow::Continue } else { Flow::Enough })
        })
    }

    /// The plan as it is run, for people: indented text.
    ///
    /// # Errors
    /// As [`Engine::facts`].
    pub fn explain(&self, recipe: &Recipe, bindings: &Bindings) -> Result<String> {
        let plan = self.ordered_plan(recipe, bindings)?;
        stack::run(|| {
            let optimised = self
                .state
                .optimize(&plan)
                .map_err(|error| crate::hints::explain(&error, recipe.sql(), &[]))?;
            Ok(optimised.display_indent().to_string())
        })
    }

    fn ordered_plan(&self, recipe: &Recipe, bindings: &Bindings) -> Result<LogicalPlan> {
        stack::run(|| {
            let plan = planner::plan(&self.state, recipe, bindings)?;
            facts(&plan)?;
            order::in_order(plan).map_err(|error| crate::hints::explain(&error, recipe.sql(), &[]))
        })
    }

    /// Runs out of memory at most twice.
    fn with_retry<T>(&self, mut attempt: impl FnMut(&SessionState) -> Result<T>) -> Result<(T, bool)> {
        match attempt(&self.state) {
            Err(error) if error.kind == ErrorKind::LimitExceeded => {
                attempt(&session::with_spilling_joins(&self.state)).map(|done| (done, true))
            }
            other => other.map(|done| (done, false)),
        }
    }
}

/// Passes on whether to stop, so that a shared progress can be used where a plain one is asked for.
struct Shared<'a>(&'a (dyn Progress + Sync));

impl Progress for Shared<'_> {
    fn rows_done(&self, stage: Stage, rows: u64) {
        self.0.rows_done(stage, rows);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

fn concatenate(schema: &SchemaRef, batches: &[RecordBatch]) -> Result<RecordBatch> {
    concat_batches(schema, batches).map_err(|error| {
        EngineError::new(
            ErrorKind::Internal,
            format!("The rows could not be put together: {error}"),
        )
    })
}

/// The part of a plan that is asked for.
fn paged(plan: LogicalPlan, offset: u64, limit: usize, columns: Option<&[&str]>) -> Result<LogicalPlan> {
    let internal = |error: datafusion::error::DataFusionError| EngineError::new(ErrorKind::Internal, error.to_string());
    let mut builder = LogicalPlanBuilder::from(plan);
    if let Some(columns) = columns {
        let mut chosen = Vec::with_capacity(columns.len());
        for name in columns {
            let found = builder
                .schema()
                .iter()
                .find(|(_, field)| field.name() == name)
                .map(datafusion::common::Column::from);
            let Some(column) = found else {
                let known: Vec<&str> = builder
                    .schema()
                    .fields()
                    .iter()
                    .map(|field| field.name().as_str())
                    .collect();
                return Err(
                    EngineError::new(ErrorKind::UnknownColumn, format!("There is no column `{name}`"))
                        .near(crate::nearest::nearest(name, known.iter().copied()))
                        .hint(format!("The columns are: {}", known.join(", "))),
                );
            };
            chosen.push(datafusion::logical_expr::Expr::Column(column));
        }
        builder = builder.project(chosen).map_err(internal)?;
    }
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    builder
        .limit(skip, Some(limit))
        .and_then(LogicalPlanBuilder::build)
        .map_err(internal)
}
