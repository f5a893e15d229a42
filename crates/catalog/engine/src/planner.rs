//! From text to a logical plan over references.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use arrow::datatypes::{DataType, SchemaRef};
use datafusion::common::{DataFusionError, TableReference, plan_datafusion_err};
use datafusion::config::ConfigOptions;
use datafusion::datasource::cte_worktable::CteWorkTable;
use datafusion::datasource::provider_as_source;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::planner::{ContextProvider, ExprPlanner, TypePlanner};
use datafusion::logical_expr::{AggregateUDF, HigherOrderUDF, LogicalPlan, ScalarUDF, TableSource, WindowUDF};
use datafusion::sql::planner::{ParserOptions, SqlToRel};

use crate::bindings::{Binding, Bindings, EntrySource, PlannedRows, RowsOf, snapshot_table};
use crate::error::{EngineError, ErrorKind, Result};
use crate::hints;
use crate::nearest::nearest;
use crate::recipe::{self, Recipe};

/// How many cheap entries may read one another before one has to be stored.
pub(crate) const MAX_CHAIN_OF_READS: usize = 64;

/// The unoptimised plan of a recipe, whose tables are [`EntrySource`]s.
///
/// # Errors
/// `UnknownReference` for what is not bound, `DataDamaged` for a missing snapshot, and the failures of planning.
pub(crate) fn plan(state: &SessionState, recipe: &Recipe, bindings: &Bindings) -> Result<LogicalPlan> {
    plan_at(state, recipe, bindings, 0)
}

fn plan_at(state: &SessionState, recipe: &Recipe, bindings: &Bindings, chain: usize) -> Result<LogicalPlan> {
    if chain > MAX_CHAIN_OF_READS {
        return Err(EngineError::new(
            ErrorKind::TooLarge,
            format!("More than {MAX_CHAIN_OF_READS} entries that are not stored read one another"),
        ));
    }
    let mut tables = HashMap::new();
    for reference in recipe.references() {
        let Some(binding) = bindings.get(&reference.name) else {
            return Err(reference.unknown(bindings.keys().map(String::as_str)));
        };
        tables.insert(
            reference.name.clone(),
            entry_source(state, &reference.name, binding, chain)?,
        );
    }
    let statement = recipe::parse_statement(recipe.sql())?;
    let context = RecipeContext {
        state,
        tables,
        missed: Mutex::new(BTreeSet::new()),
    };
    let options = ParserOptions::from(&state.config_options().sql_parser);
    let planned = SqlToRel::new_with_options(&context, options).sql_statement_to_plan(statement);
    planned.map_err(|error| context.explain(&error, recipe.sql()))
}

fn entry_source(state: &SessionState, name: &str, binding: &Binding, chain: usize) -> Result<Arc<dyn TableSource>> {
    let (rows, schema, chain) = match &binding.rows {
        RowsOf::Snapshot(path) => {
            let (table, schema) = snapshot_table(path)?;
            (PlannedRows::Snapshot(table), schema, 0)
        }
        RowsOf::Recipe(frozen) => {
            let recipe = Recipe::parse(&frozen.sql)?;
            let plan = plan_at(state, &recipe, &frozen.bindings, chain + 1)?;
            let schema = Arc::clone(plan.schema().inner());
            let below = crate::facts::chain(&plan)?;
            (PlannedRows::Plan(Box::new(plan)), schema, below + 1)
        }
    };
    Ok(Arc::new(EntrySource {
        reference: name.to_owned(),
        schema,
        rows,
        volatile: binding.volatile,
        chain,
    }))
}

/// What the planner may look up: the references of one recipe and the built-in functions. No table functions, no files,
/// no variables.
struct RecipeContext<'a> {
    state: &'a SessionState,
    tables: HashMap<String, Arc<dyn TableSource>>,
    /// Functions that were looked up and not found.
    missed: Mutex<BTreeSet<String>>,
}

impl RecipeContext<'_> {
    fn explain(&self, error: &DataFusionError, sql: &str) -> EngineError {
        let columns: Vec<String> = self
            .tables
            .values()
            .flat_map(|table| {
                table
                    .schema()
                    .fields()
                    .iter()
                    .map(|field| field.name().clone())
                    .collect::<Vec<_>>()
            })
            .collect();
        let explained = hints::explain(error, sql, &columns);
        // The planner looks a function up under every kind; only a message about a function is about the missed ones.
        if explained.kind == ErrorKind::UnknownFunction {
            let missed = self.missed.lock().map(|missed| missed.clone()).unwrap_or_default();
            let named = explained.message.split('\'').nth(1).unwrap_or_default();
            if let Some(name) = missed.get(named) {
                let known = self
                    .udf_names()
                    .into_iter()
                    .chain(self.udaf_names())
                    .chain(self.udwf_names())
                    .collect::<BTreeSet<_>>();
                let near = nearest(name, known.iter().map(String::as_str));
                return EngineError::new(ErrorKind::UnknownFunction, format!("There is no function `{name}`"))
                    .at(explained.place.or_else(|| hints::place_of_word(sql, name)))
                    .near(near)
                    .hint(
                        hints::function_hint(name)
                            .unwrap_or("Write one of the nearest, or build it from operators and CASE"),
                    );
            }
        }
        explained
    }

    fn looked_up<T>(&self, name: &str, found: Option<T>) -> Option<T> {
        if found.is_none()
            && let Ok(mut missed) = self.missed.lock()
        {
            missed.insert(name.to_owned());
        }
        found
    }
}

impl ContextProvider for RecipeContext<'_> {
    fn get_table_source(&self, name: TableReference) -> datafusion::error::Result<Arc<dyn TableSource>> {
        match &name {
            TableReference::Bare { table } => self.tables.get(table.as_ref()).cloned(),
            _ => None,
        }
        .ok_or_else(|| plan_datafusion_err!("table '{name}' not found"))
    }

    fn create_cte_work_table(&self, name: &str, schema: SchemaRef) -> datafusion::error::Result<Arc<dyn TableSource>> {
        Ok(provider_as_source(Arc::new(CteWorkTable::new(name, schema))))
    }

    fn get_expr_planners(&self) -> &[Arc<dyn ExprPlanner>] {
        self.state.expr_planners()
    }

    fn get_type_planner(&self) -> Option<Arc<dyn TypePlanner>> {
        None
    }

    fn get_function_meta(&self, name: &str) -> Option<Arc<ScalarUDF>> {
        self.looked_up(name, self.state.scalar_functions().get(name).cloned())
    }

    fn get_higher_order_meta(&self, name: &str) -> Option<Arc<HigherOrderUDF>> {
        self.state.higher_order_functions().get(name).cloned()
    }

    fn get_aggregate_meta(&self, name: &str) -> Option<Arc<AggregateUDF>> {
        self.state.aggregate_functions().get(name).cloned()
    }

    fn get_window_meta(&self, name: &str) -> Option<Arc<WindowUDF>> {
        self.state.window_functions().get(name).cloned()
    }

    fn get_variable_type(&self, _: &[String]) -> Option<DataType> {
        None
    }

    fn options(&self) -> &ConfigOptions {
        self.state.config_options()
    }

    fn udf_names(&self) -> Vec<String> {
        self.state.scalar_functions().keys().cloned().collect()
    }

    fn higher_order_function_names(&self) -> Vec<String> {
        self.state.higher_order_functions().keys().cloned().collect()
    }

    fn udaf_names(&self) -> Vec<String> {
        self.state.aggregate_functions().keys().cloned().collect()
    }

    fn udwf_names(&self) -> Vec<String> {
        self.state.window_functions().keys().cloned().collect()
    }
}
