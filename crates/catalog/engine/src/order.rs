//! The order of rows: carried through cheap plans, made canonical for everything else.
//!
//! Recipes never see `__row_order`. This rewrite takes the references out of a plan, puts the tables they are bound to
//! in, and carries hidden columns up from them that say in which order the rows belong:
//!
//! * a snapshot brings its `__row_order`, a cheap entry whatever its own plan carries;
//! * filters, projections, windows and limits pass the order on, a sort puts its own keys in front, a join has the keys
//!   of both sides, an aggregate is ordered by its group keys;
//! * where nothing orders the rows (a union, a distinct), every sortable column of the result does.
//!
//! As soon as the keys hold a unique key (row orders, group keys), no more are needed: sorting a result of ten million
//! rows by one or two integers is much cheaper than sorting it by every column. And a limit is always taken from rows
//! in a total order, so `ORDER BY x LIMIT 10` gives the same rows among ties each time.
//!
//! INVARIANT: one partition. Then a scan hands out the rows of a file in the file's order, and filters, projections and
//! limits keep it; a plan made of nothing else needs no sort at all.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchemaRef, JoinType, TableReference};
use datafusion::datasource::provider_as_source;
use datafusion::error::Result;
use datafusion::logical_expr::expr::Sort as SortExpr;
use datafusion::logical_expr::{
    Aggregate, Distinct, DistinctOn, Expr, ExprSchemable, Filter, Join, Limit, LogicalPlan, LogicalPlanBuilder,
    Projection, Sort, SubqueryAlias, TableScan, Window,
};

use crate::bindings::{EntrySource, PlannedRows};
use crate::canon::{HIDDEN_PREFIX, ROW_ORDER};

/// A plan over real tables whose rows come out in the order that counts.
///
/// # Errors
/// What the plan's own constructors refuse.
pub(crate) fn in_order(plan: LogicalPlan) -> Result<LogicalPlan> {
    let columns = columns_of(plan.schema());
    let ordered = Carrier::default().carry(plan)?;
    project(sorted(ordered)?, columns)
}

/// One key of an order.
#[derive(Debug, Clone)]
struct Key {
    column: Column,
    ascending: bool,
    nulls_first: bool,
}

impl Key {
    fn ascending(column: Column) -> Self {
        Self {
            column,
            ascending: true,
            nulls_first: false,
        }
    }

    fn sort(&self) -> SortExpr {
        SortExpr::new(Expr::Column(self.column.clone()), self.ascending, self.nulls_first)
    }
}

/// A plan and what is known of the order of its rows.
struct Ordered {
    /// May have more columns than the plan it came from: hidden ones, at the end or in the middle.
    plan: LogicalPlan,
    keys: Vec<Key>,
    /// No two rows are equal in all keys.
    total: bool,
    /// The rows come out in the order that counts without a sort.
    in_place: bool,
    /// The author wrote a sort that is only in the keys so far.
    sort_pending: bool,
}

impl Ordered {
    fn unordered(plan: LogicalPlan) -> Self {
        Self {
            plan,
            keys: Vec::new(),
            total: false,
            in_place: false,
            sort_pending: false,
        }
    }
}

/// The rewrite. Names of hidden columns are unique in the whole plan, so they are never ambiguous.
#[derive(Default)]
struct Carrier {
    hidden: usize,
}

impl Carrier {
    fn hidden_name(&mut self) -> String {
        self.hidden += 1;
        format!("{HIDDEN_PREFIX}{}", self.hidden)
    }

    /// Takes the references out and carries the order up.
    fn carry(&mut self, plan: LogicalPlan) -> Result<Ordered> {
        // Subqueries in the node's own expressions come first: they have an order of their own.
        let plan = plan
            .map_subqueries(|subquery| self.subquery(subquery).map(Transformed::yes))?
            .data;
        match plan {
            LogicalPlan::TableScan(scan) => self.scan(scan),
            LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => {
                let ordered = self.carry(unwrap(input))?;
                alias_ordered(ordered, alias)
            }
            LogicalPlan::Filter(Filter { predicate, input, .. }) => {
                let mut ordered = self.carry(unwrap(input))?;
                ordered.plan = LogicalPlan::Filter(Filter::try_new(predicate, Arc::new(ordered.plan))?);
                Ok(ordered)
            }
            LogicalPlan::Projection(Projection { expr, input, .. }) => {
                let ordered = self.carry(unwrap(input))?;
                self.projection(expr, ordered)
            }
            LogicalPlan::Window(Window { input, window_expr, .. }) => {
                let mut ordered = author_sorted(self.carry(unwrap(input))?)?;
                ordered.plan = LogicalPlan::Window(Window::try_new(window_expr, Arc::new(ordered.plan))?);
                // Windows sort by their partitions.
                ordered.in_place = false;
                Ok(ordered)
            }
            LogicalPlan::Sort(Sort { expr, input, fetch }) => {
                let ordered = self.carry(unwrap(input))?;
                let ordered = self.author_order(expr, ordered)?;
                let Some(fetch) = fetch else { return Ok(ordered) };
                let (keys, total) = (ordered.keys.clone(), ordered.total);
                let plan = LogicalPlanBuilder::from(sorted(ordered)?)
                    .limit(0, Some(fetch))?
                    .build()?;
                Ok(Ordered {
                    plan,
                    keys,
                    total,
                    in_place: true,
                    sort_pending: false,
                })
            }
            LogicalPlan::Limit(Limit { skip, fetch, input }) => {
                let ordered = self.carry(unwrap(input))?;
                let (keys, total) = (ordered.keys.clone(), ordered.total);
                let plan = LogicalPlan::Limit(Limit {
                    skip,
                    fetch,
                    input: Arc::new(sorted(ordered)?),
                });
                Ok(Ordered {
                    plan,
                    keys,
                    total,
                    in_place: true,
                    sort_pending: false,
                })
            }
            LogicalPlan::Join(join) => self.join(join),
            LogicalPlan::Aggregate(Aggregate {
                input,
                group_expr,
                aggr_expr,
                ..
            }) => {
                let input = self.plain(unwrap(input))?;
                aggregate(input, group_expr, aggr_expr)
            }
            LogicalPlan::Distinct(Distinct::All(input)) => {
                let plan = self.plain(unwrap(input))?;
                Ok(Ordered::unordered(LogicalPlan::Distinct(Distinct::All(Arc::new(plan)))))
            }
            LogicalPlan::Distinct(Distinct::On(distinct)) => self.distinct_on(distinct),
            LogicalPlan::Unnest(_) => self.unnest(plan),
            LogicalPlan::Values(_) | LogicalPlan::EmptyRelation(_) => Ok(Ordered {
                in_place: true,
                ..Ordered::unordered(plan)
            }),
            other => {
                let plan = other
                    .map_children(|child| self.plain(child).map(Transformed::yes))?
                    .data;
                Ok(Ordered::unordered(plan))
            }
        }
    }

    /// A plan with exactly the columns it had, for places where a hidden column would change the result or where only
    /// the rows count and not their order. Nothing is carried when no limit or sort below needs it, so that the
    /// optimiser sees the plan as the author wrote it.
    fn plain(&mut self, plan: LogicalPlan) -> Result<LogicalPlan> {
        if !needs_order(&plan)? {
            return self.bound(plan);
        }
        let columns = columns_of(plan.schema());
        let ordered = author_sorted(self.carry(plan)?)?;
        project(ordered.plan, columns)
    }

    /// The plan over real tables, without any order.
    fn bound(&mut self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let bound = plan.transform_up_with_subqueries(|node| {
            let LogicalPlan::TableScan(scan) = &node else {
                return Ok(Transformed::no(node));
            };
            let Some(source) = EntrySource::of(&scan.source) else {
                return Ok(Transformed::no(node));
            };
            let plan = match &source.rows {
                PlannedRows::Snapshot(table) => {
                    let plan =
                        LogicalPlanBuilder::scan(scan.table_name.clone(), provider_as_source(Arc::clone(table)), None)?
                            .build()?;
                    project(plan, columns_of(&scan.projected_schema))?
                }
                PlannedRows::Plan(plan) => {
                    let plan = self.plain(plan.as_ref().clone())?;
                    LogicalPlan::SubqueryAlias(SubqueryAlias::try_new(Arc::new(plan), scan.table_name.clone())?)
                }
            };
            Ok(Transformed::yes(plan))
        })?;
        Ok(bound.data)
    }

    fn subquery(&mut self, plan: LogicalPlan) -> Result<LogicalPlan> {
        match plan {
            LogicalPlan::Subquery(mut subquery) => {
                subquery.subquery = Arc::new(self.plain(unwrap(subquery.subquery))?);
                Ok(LogicalPlan::Subquery(subquery))
            }
            other => self.plain(other),
        }
    }

    /// What a reference is bound to, in its place.
    fn scan(&mut self, scan: TableScan) -> Result<Ordered> {
        let Some(source) = EntrySource::of(&scan.source) else {
            return Ok(Ordered::unordered(LogicalPlan::TableScan(scan)));
        };
        match &source.rows {
            PlannedRows::Snapshot(table) => {
                let plan =
                    LogicalPlanBuilder::scan(scan.table_name.clone(), provider_as_source(Arc::clone(table)), None)?
                        .build()?;
                let order = Column::new(Some(scan.table_name.clone()), ROW_ORDER);
                let hidden = self.hidden_name();
                let mut expressions: Vec<Expr> = columns_of(&scan.projected_schema)
                    .into_iter()
                    .map(Expr::Column)
                    .collect();
                expressions.push(Expr::Column(order).alias(&hidden));
                let plan = LogicalPlan::Projection(Projection::try_new(expressions, Arc::new(plan))?);
                let keys = vec![Key::ascending(Column::from_name(hidden))];
                Ok(Ordered {
                    plan,
                    keys,
                    total: true,
                    in_place: true,
                    sort_pending: false,
                })
            }
            PlannedRows::Plan(plan) => {
                let ordered = self.carry(plan.as_ref().clone())?;
                alias_ordered(ordered, scan.table_name)
            }
        }
    }

    /// Passes the keys through a projection: as columns of it where it has them, hidden where it does not.
    fn projection(&mut self, mut expressions: Vec<Expr>, ordered: Ordered) -> Result<Ordered> {
        let mut keys = Vec::with_capacity(ordered.keys.len());
        for key in ordered.keys {
            let kept = expressions.iter().find(|expression| is_column(expression, &key.column));
            let column = match kept {
                Some(expression) => {
                    let (relation, name) = expression.qualified_name();
                    Column::new(relation, name)
                }
                None => {
                    let hidden = self.hidden_name();
                    expressions.push(Expr::Column(key.column).alias(&hidden));
                    Column::from_name(hidden)
                }
            };
            keys.push(Key { column, ..key });
        }
        let plan = LogicalPlan::Projection(Projection::try_new(expressions, Arc::new(ordered.plan))?);
        Ok(Ordered {
            plan,
            keys,
            ..ordered_flags(ordered.total, ordered.in_place, ordered.sort_pending)
        })
    }

    /// Puts the author's keys before those there are; the sort itself is made where it is needed.
    fn author_order(&mut self, expressions: Vec<SortExpr>, ordered: Ordered) -> Result<Ordered> {
        let mut plan = ordered.plan;
        let mut keys: Vec<Key> = Vec::new();
        let mut computed = Vec::new();
        for SortExpr { expr, asc, nulls_first } in expressions {
            let column = match expr {
                Expr::Column(column) => column,
                expression => {
                    let hidden = self.hidden_name();
                    computed.push(expression.alias(&hidden));
                    Column::from_name(hidden)
                }
            };
            keys.push(Key {
                column,
                ascending: asc,
                nulls_first,
            });
        }
        if !computed.is_empty() {
            let all = columns_of(plan.schema())
                .into_iter()
                .map(Expr::Column)
                .chain(computed)
                .collect();
            plan = LogicalPlan::Projection(Projection::try_new(all, Arc::new(plan))?);
        }
        for key in ordered.keys {
            if !keys.iter().any(|known| known.column == key.column) {
                keys.push(key);
            }
        }
        Ok(Ordered {
            plan,
            keys,
            total: ordered.total,
            in_place: false,
            sort_pending: true,
        })
    }

    fn join(&mut self, join: Join) -> Result<Ordered> {
        let Join {
            left,
            right,
            on,
            filter,
            join_type,
            join_constraint,
            null_equality,
            null_aware,
            schema: _,
        } = join;
        let left = self.carry(unwrap(left))?;
        let right = self.carry(unwrap(right))?;
        let (keys, total) = match join_type {
            JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => (left.keys, left.total),
            JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => (right.keys, right.total),
            JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full => {
                let total = left.total && right.total;
                (left.keys.into_iter().chain(right.keys).collect(), total)
            }
        };
        let plan = Join::try_new(
            Arc::new(left.plan),
            Arc::new(right.plan),
            on,
            filter,
            join_type,
            join_constraint,
            null_equality,
            null_aware,
        )?;
        Ok(Ordered {
            keys,
            total,
            ..Ordered::unordered(LogicalPlan::Join(plan))
        })
    }

    /// Keeps, among the rows that are equal in the named expressions, the first in a total order.
    fn distinct_on(&mut self, distinct: DistinctOn) -> Result<Ordered> {
        let DistinctOn {
            on_expr,
            select_expr,
            sort_expr,
            input,
            schema: _,
        } = distinct;
        let ordered = author_sorted(self.carry(unwrap(input))?)?;
        let mut sort = sort_expr.unwrap_or_else(|| {
            on_expr
                .iter()
                .map(|expression| SortExpr::new(expression.clone(), true, false))
                .collect()
        });
        sort.extend(ordered.keys.iter().map(Key::sort));
        let keys: Vec<Option<Key>> = on_expr
            .iter()
            .map(|on| {
                let kept = select_expr
                    .iter()
                    .find(|selected| (*selected).clone().unalias() == on.clone().unalias())?;
                let (relation, name) = kept.qualified_name();
                let direction = sort
                    .iter()
                    .find(|sort| sort.expr.clone().unalias() == on.clone().unalias());
                Some(Key {
                    column: Column::new(relation, name),
                    ascending: direction.is_none_or(|sort| sort.asc),
                    nulls_first: direction.is_some_and(|sort| sort.nulls_first),
                })
            })
            .collect();
        let plan = LogicalPlan::Distinct(Distinct::On(DistinctOn::try_new(
            on_expr,
            select_expr,
            Some(sort),
            Arc::new(ordered.plan),
        )?));
        let keys: Option<Vec<Key>> = keys.into_iter().collect();
        Ok(Ordered {
            total: keys.is_some(),
            keys: keys.unwrap_or_default(),
            ..Ordered::unordered(plan)
        })
    }

    /// The elements of a list stay in its order, since nothing here moves rows.
    fn unnest(&mut self, plan: LogicalPlan) -> Result<Ordered> {
        let inputs = plan.inputs();
        let [input] = inputs.as_slice() else {
            return Ok(Ordered::unordered(plan));
        };
        let ordered = author_sorted(self.carry((*input).clone())?)?;
        let rebuilt = plan.with_new_exprs(plan.expressions(), vec![ordered.plan])?;
        // No longer unique, but in place: see the module's invariant.
        Ok(Ordered {
            plan: rebuilt,
            keys: ordered.keys,
            total: false,
            in_place: ordered.in_place,
            sort_pending: false,
        })
    }
}

/// Whether the expression is that column, under whatever name.
fn is_column(expression: &Expr, wanted: &Column) -> bool {
    match expression {
        Expr::Alias(alias) => is_column(&alias.expr, wanted),
        Expr::Column(column) => column == wanted,
        _ => false,
    }
}

/// Whether something in the plan picks rows by their order.
fn needs_order(plan: &LogicalPlan) -> Result<bool> {
    let mut needed = false;
    plan.apply_with_subqueries(|node| {
        needed |= matches!(
            node,
            LogicalPlan::Limit(_)
                | LogicalPlan::Sort(_)
                | LogicalPlan::Distinct(Distinct::On(_))
                | LogicalPlan::Window(_)
        );
        Ok(if needed {
            TreeNodeRecursion::Stop
        } else {
            TreeNodeRecursion::Continue
        })
    })?;
    Ok(needed)
}

/// Group keys are unique; without any there is one row.
fn aggregate(input: LogicalPlan, group_expr: Vec<Expr>, aggr_expr: Vec<Expr>) -> Result<Ordered> {
    let sets = group_expr
        .iter()
        .any(|expression| matches!(expression, Expr::GroupingSet(_)));
    let groups = group_expr.len();
    let plan = LogicalPlan::Aggregate(Aggregate::try_new(Arc::new(input), group_expr, aggr_expr)?);
    if sets {
        return Ok(Ordered::unordered(plan));
    }
    let keys: Vec<Key> = columns_of(plan.schema())
        .into_iter()
        .take(groups)
        .map(Key::ascending)
        .collect();
    let total = plan
        .schema()
        .fields()
        .iter()
        .take(groups)
        .all(|field| is_sortable(field.data_type()));
    let keys = if total { keys } else { Vec::new() };
    Ok(Ordered {
        keys,
        total,
        in_place: groups == 0,
        ..Ordered::unordered(plan)
    })
}

/// Gives the columns another table's name.
fn alias_ordered(ordered: Ordered, alias: TableReference) -> Result<Ordered> {
    let plan = LogicalPlan::SubqueryAlias(SubqueryAlias::try_new(Arc::new(ordered.plan), alias.clone())?);
    let keys = ordered
        .keys
        .into_iter()
        .map(|key| Key {
            column: Column::new(Some(alias.clone()), key.column.name),
            ..key
        })
        .collect();
    Ok(Ordered {
        plan,
        keys,
        ..ordered_flags(ordered.total, ordered.in_place, ordered.sort_pending)
    })
}

fn ordered_flags(total: bool, in_place: bool, sort_pending: bool) -> Ordered {
    Ordered {
        total,
        in_place,
        sort_pending,
        ..Ordered::unordered(LogicalPlan::default())
    }
}

/// Makes the sort the author wrote, where something above depends on the order of its input.
fn author_sorted(ordered: Ordered) -> Result<Ordered> {
    if !ordered.sort_pending {
        return Ok(ordered);
    }
    let (keys, total) = (ordered.keys.clone(), ordered.total);
    Ok(Ordered {
        plan: sorted(ordered)?,
        keys,
        total,
        in_place: true,
        sort_pending: false,
    })
}

/// Sorts until a unique key is covered, or by everything that can be sorted.
fn sorted(ordered: Ordered) -> Result<LogicalPlan> {
    if ordered.in_place {
        return Ok(ordered.plan);
    }
    let mut sort: Vec<SortExpr> = Vec::new();
    let mut seen: Vec<Column> = Vec::new();
    let rest = if ordered.total {
        Vec::new()
    } else {
        columns_of(ordered.plan.schema())
    };
    for key in ordered.keys.into_iter().chain(rest.into_iter().map(Key::ascending)) {
        let sortable = key_type(&ordered.plan, &key.column).is_some_and(|data_type| is_sortable(&data_type));
        if sortable && !seen.contains(&key.column) {
            seen.push(key.column.clone());
            sort.push(key.sort());
        }
    }
    if sort.is_empty() {
        return Ok(ordered.plan);
    }
    Ok(LogicalPlan::Sort(Sort {
        expr: sort,
        input: Arc::new(ordered.plan),
        fetch: None,
    }))
}

fn key_type(plan: &LogicalPlan, column: &Column) -> Option<DataType> {
    Expr::Column(column.clone()).get_type(plan.schema()).ok()
}

/// Nested values have no order.
fn is_sortable(data_type: &DataType) -> bool {
    !matches!(
        data_type,
        DataType::List(_)
            | DataType::LargeList(_)
            | DataType::ListView(_)
            | DataType::LargeListView(_)
            | DataType::FixedSizeList(..)
            | DataType::Struct(_)
            | DataType::Map(..)
            | DataType::Union(..)
            | DataType::Null
            | DataType::Interval(_)
            | DataType::RunEndEncoded(..)
    )
}

fn columns_of(schema: &DFSchemaRef) -> Vec<Column> {
    schema.iter().map(Column::from).collect()
}

/// Exactly these columns.
fn project(plan: LogicalPlan, columns: Vec<Column>) -> Result<LogicalPlan> {
    if columns_of(plan.schema()) == columns {
        return Ok(plan);
    }
    let expressions = columns.into_iter().map(Expr::Column).collect();
    Ok(LogicalPlan::Projection(Projection::try_new(
        expressions,
        Arc::new(plan),
    )?))
}

fn unwrap(plan: Arc<LogicalPlan>) -> LogicalPlan {
    Arc::unwrap_or_clone(plan)
}
