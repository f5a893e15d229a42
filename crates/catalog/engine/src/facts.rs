//! What a plan says about its entry before anything is run: what it reads, whether it has to be stored, whether it will
//! give the same rows again.
//!
//! All of it is read off the unoptimised plan, so that a new version of the optimiser changes nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction, WindowFunctionParams};
use datafusion::logical_expr::{
    Aggregate, Distinct, Expr, ExprSchemable, LogicalPlan, TableSource, Volatility, WindowFrameUnits,
    WindowFunctionDefinition,
};

use crate::bindings::EntrySource;
use crate::error::{EngineError, ErrorKind, Result};

/// How many cheap entries may be read one through the other before one is stored after all.
const MAX_CHEAP_CHAIN: usize = 16;

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its Arrow type.
    pub data_type: DataType,
}

/// Whether an entry is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worth {
    /// Only filters and computed columns over one entry: run again at each read.
    Cheap,
    /// Anything else: stored as a snapshot.
    Worthy {
        /// Why, in short: `ops:Aggregate,Sort`, `volatile:now`, `reads:0`, `chain:17`.
        why: String,
    },
}

/// A function whose result may differ from run to run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct VolatileFunction {
    /// Its name.
    pub name: String,
    /// True when it may differ from row to row (`random`, `uuid`), false when only from run to run (`now`).
    pub per_row: bool,
}

/// What is known of a recipe once it is planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The columns of the result.
    pub columns: Vec<Column>,
    /// The references that are really read, as written and sorted: the edges. A common table expression nobody uses
    /// reads nothing.
    pub parents: Vec<String>,
    /// Whether the entry is stored.
    pub worth: Worth,
    /// Functions of the recipe itself that may give something else next time.
    pub volatile_functions: Vec<VolatileFunction>,
    /// Parents that may be different if they were made again.
    pub volatile_parents: Vec<String>,
    /// Why it cannot be shown that a second run gives the same rows; empty when it can.
    pub unproven: Vec<String>,
}

impl Facts {
    /// Whether another run may give other rows by what the recipe says. The flag children inherit.
    pub fn is_volatile(&self) -> bool {
        !self.volatile_functions.is_empty() || !self.volatile_parents.is_empty()
    }

    /// Whether the plan shows that a second run gives the same rows, so that none has to be made.
    pub fn is_proven(&self) -> bool {
        self.unproven.is_empty()
    }
}

/// Every reference a plan reads, subqueries included, in the order of the plan. All are [`EntrySource`]s.
pub(crate) fn reads(plan: &LogicalPlan) -> Result<Vec<Arc<dyn TableSource>>> {
    let mut found = Vec::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && EntrySource::of(&scan.source).is_some()
        {
            found.push(Arc::clone(&scan.source));
        }
        Ok(TreeNodeRecursion::Continue)
    })
    .map_err(|error| EngineError::new(ErrorKind::Internal, format!("The plan could not be walked: {error}")))?;
    Ok(found)
}

/// How many cheap entries are read one through the other to get at the rows of a plan.
pub(crate) fn chain(plan: &LogicalPlan) -> Result<usize> {
    Ok(reads(plan)?
        .iter()
        .filter_map(EntrySource::of)
        .map(|source| source.chain)
        .max()
        .unwrap_or(0))
}

/// Reads the facts off a plan.
///
/// # Errors
/// `BadPlan` when two columns of the result have one name; `Internal` when the plan cannot be walked.
pub(crate) fn facts(plan: &LogicalPlan) -> Result<Facts> {
    let columns = columns(plan)?;
    let mut scan = Scan::default();
    plan.apply_with_subqueries(|node| {
        scan.node(node)?;
        Ok(TreeNodeRecursion::Continue)
    })
    .map_err(|error| EngineError::new(ErrorKind::Internal, format!("The plan could not be walked: {error}")))?;

    let reads = reads(plan)?;
    let sources: Vec<&EntrySource> = reads.iter().filter_map(EntrySource::of).collect();
    let parents: BTreeSet<String> = sources.iter().map(|source| source.reference.clone()).collect();
    let volatile_parents: BTreeSet<String> = sources
        .iter()
        .filter(|source| source.volatile)
        .map(|source| source.reference.clone())
        .collect();
    let chain = sources.iter().map(|source| source.chain).max().unwrap_or(0) + 1;

    let why = if !scan.operators.is_empty() {
        Some(format!(
            "ops:{}",
            scan.operators.iter().copied().collect::<Vec<_>>().join(",")
        ))
    } else if !scan.volatile.is_empty() {
        Some(format!(
            "volatile:{}",
            scan.volatile
                .iter()
                .map(|function| function.name.as_str())
                .collect::<Vec<_>>()
                .join(",")
        ))
    } else if sources.len() != 1 {
        Some(format!("reads:{}", sources.len()))
    } else if chain > MAX_CHEAP_CHAIN {
        Some(format!("chain:{chain}"))
    } else {
        None
    };
    for function in &scan.volatile {
        scan.unproven
            .insert(format!("{}() may give something else at each run", function.name));
    }
    Ok(Facts {
        columns,
        parents: parents.into_iter().collect(),
        worth: why.map_or(Worth::Cheap, |why| Worth::Worthy { why }),
        volatile_functions: scan.volatile.into_iter().collect(),
        volatile_parents: volatile_parents.into_iter().collect(),
        unproven: scan.unproven.into_iter().collect(),
    })
}

/// The columns of a result, whose names have to be unique.
fn columns(plan: &LogicalPlan) -> Result<Vec<Column>> {
    let mut seen = BTreeSet::new();
    let mut columns = Vec::new();
    for field in plan.schema().fields() {
        if !seen.insert(field.name()) {
            return Err(EngineError::new(
                ErrorKind::BadPlan,
                format!("Two columns of the result are named `{}`", field.name()),
            )
            .hint(format!(
                "Give one another name with AS, or leave one out: SELECT a.*, b.* EXCLUDE ({})",
                crate::recipe::quoted(field.name())
            )));
        }
        columns.push(Column {
            name: field.name().clone(),
            data_type: stored_type(field.data_type()),
        });
    }
    if columns.is_empty() {
        return Err(EngineError::new(ErrorKind::BadPlan, "The result has no columns")
            .hint("Name at least one column after SELECT"));
    }
    Ok(columns)
}

/// The type a column is stored with: text and bytes in the plain form, whatever form the engine computes with.
pub(crate) fn stored_type(data_type: &DataType) -> DataType {
    let inner = |field: &Arc<arrow::datatypes::Field>| {
        Arc::new(field.as_ref().clone().with_data_type(stored_type(field.data_type())))
    };
    match data_type {
        DataType::Utf8View | DataType::LargeUtf8 => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary => DataType::Binary,
        DataType::Dictionary(_, value) => stored_type(value),
        DataType::List(field) => DataType::List(inner(field)),
        DataType::LargeList(field) => DataType::LargeList(inner(field)),
        DataType::FixedSizeList(field, size) => DataType::FixedSizeList(inner(field), *size),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect()),
        DataType::Map(field, sorted) => DataType::Map(inner(field), *sorted),
        other => other.clone(),
    }
}

/// What one walk over the plan gathers.
#[derive(Default)]
struct Scan {
    operators: BTreeSet<&'static str>,
    volatile: BTreeSet<VolatileFunction>,
    unproven: BTreeSet<String>,
}

impl Scan {
    fn node(&mut self, node: &LogicalPlan) -> datafusion::error::Result<()> {
        let operator = match node {
            LogicalPlan::Projection(_) | LogicalPlan::Filter(_) | LogicalPlan::SubqueryAlias(_) => None,
            LogicalPlan::TableScan(scan) => EntrySource::of(&scan.source).is_none().then_some("Recursive"),
            LogicalPlan::Aggregate(aggregate) => {
                self.aggregates(aggregate)?;
                Some("Aggregate")
            }
            LogicalPlan::Window(window) => {
                for expression in &window.window_expr {
                    self.windows(expression, node)?;
                }
                Some("Window")
            }
            LogicalPlan::Sort(_) => Some("Sort"),
            LogicalPlan::Limit(_) => Some("Limit"),
            LogicalPlan::Join(_) => Some("Join"),
            LogicalPlan::Union(_) => Some("Union"),
            LogicalPlan::Distinct(Distinct::All(_)) => Some("Distinct"),
            LogicalPlan::Distinct(Distinct::On(_)) => {
                self.unproven.insert("DISTINCT ON keeps one of several rows".to_owned());
                Some("Distinct")
            }
            LogicalPlan::Unnest(_) => Some("Unnest"),
            LogicalPlan::Values(_) | LogicalPlan::EmptyRelation(_) => Some("Values"),
            LogicalPlan::Subquery(_) => Some("Subquery"),
            LogicalPlan::RecursiveQuery(_) => {
                self.unproven.insert("a recursive query".to_owned());
                Some("Recursive")
            }
            other => {
                self.unproven.insert(format!("the operator {}", other.display()));
                Some("Other")
            }
        };
        self.operators.extend(operator);
        node.apply_expressions(|expression| {
            expression.apply(|expression| {
                self.functions(expression);
                Ok(TreeNodeRecursion::Continue)
            })
        })?;
        Ok(())
    }

    fn functions(&mut self, expression: &Expr) {
        let (name, volatility) = match expression {
            Expr::ScalarFunction(call) => (call.name(), call.func.signature().volatility),
            Expr::AggregateFunction(call) => (call.func.name(), call.func.signature().volatility),
            Expr::WindowFunction(call) => match &call.fun {
                WindowFunctionDefinition::AggregateUDF(function) => (function.name(), function.signature().volatility),
                WindowFunctionDefinition::WindowUDF(function) => (function.name(), function.signature().volatility),
            },
            Expr::HigherOrderFunction(_) => {
                self.operators.insert("Lambda");
                return;
            }
            _ => return,
        };
        let per_row = match volatility {
            Volatility::Immutable => return,
            Volatility::Stable => false,
            Volatility::Volatile => true,
        };
        self.volatile.insert(VolatileFunction {
            name: name.to_owned(),
            per_row,
        });
    }

    fn aggregates(&mut self, aggregate: &Aggregate) -> datafusion::error::Result<()> {
        for expression in &aggregate.aggr_expr {
            expression.apply(|expression| {
                if let Expr::AggregateFunction(AggregateFunction { func, params }) = expression {
                    let types = params
                        .args
                        .iter()
                        .map(|argument| argument.get_type(aggregate.input.schema()))
                        .collect::<Result<Vec<_>, _>>()?;
                    self.reduction(func.name(), types.first(), !params.order_by.is_empty());
                    return Ok(TreeNodeRecursion::Jump);
                }
                Ok(TreeNodeRecursion::Continue)
            })?;
        }
        Ok(())
    }

    /// Whether an aggregate gives the same for the same rows in whatever order.
    fn reduction(&mut self, name: &str, argument: Option<&DataType>, ordered: bool) {
        let exact = argument.is_some_and(|data_type| data_type.is_integer() || is_decimal(data_type));
        let reason = match name {
            "count" | "min" | "max" | "bool_and" | "bool_or" | "bit_and" | "bit_or" | "bit_xor" | "median"
            | "grouping" => return,
            "percentile_cont" | "approx_distinct" => return,
            "sum" if exact => return,
            "avg" if argument.is_some_and(is_decimal) => return,
            "sum" | "avg" | "mean" | "stddev" | "stddev_pop" | "var" | "var_pop" | "corr" | "covar_samp"
            | "covar_pop" => {
                format!("{name}() of floating-point numbers depends on the order of addition")
            }
            "array_agg" | "string_agg" | "first_value" | "last_value" | "nth_value" if ordered => {
                format!("{name}() with ORDER BY may meet ties")
            }
            "array_agg" | "string_agg" | "first_value" | "last_value" | "nth_value" => {
                format!("{name}() without ORDER BY depends on the order of rows")
            }
            other => format!("{other}() is not known to be independent of the order of rows"),
        };
        self.unproven.insert(reason);
    }

    fn windows(&mut self, expression: &Expr, node: &LogicalPlan) -> datafusion::error::Result<()> {
        let LogicalPlan::Window(window) = node else {
            return Ok(());
        };
        expression.apply(|expression| {
            let Expr::WindowFunction(function) = expression else {
                return Ok(TreeNodeRecursion::Continue);
            };
            let WindowFunction { fun, params } = function.as_ref();
            let WindowFunctionParams {
                args,
                order_by,
                window_frame,
                ..
            } = params;
            match fun {
                WindowFunctionDefinition::AggregateUDF(aggregate) => {
                    let types = args
                        .iter()
                        .map(|argument| argument.get_type(window.input.schema()))
                        .collect::<Result<Vec<_>, _>>()?;
                    self.reduction(aggregate.name(), types.first(), false);
                    if !order_by.is_empty() && window_frame.units == WindowFrameUnits::Rows {
                        self.unproven
                            .insert(format!("{}() over ROWS depends on the order of ties", aggregate.name()));
                    }
                }
                WindowFunctionDefinition::WindowUDF(function) => {
                    if !matches!(function.name(), "rank" | "dense_rank" | "percent_rank" | "cume_dist") {
                        self.unproven
                            .insert(format!("{}() depends on the order of ties", function.name()));
                    }
                }
            }
            Ok(TreeNodeRecursion::Jump)
        })?;
        Ok(())
    }
}

fn is_decimal(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..)
    )
}
