//! Queries, set operations, `SELECT` and its lists.

use sqlparser::ast::{
    Cte, CteAsMaterialized, Distinct, ExceptSelectItem, ExcludeSelectItem, Expr, GroupByExpr, IlikeSelectItem,
    LimitClause, NamedWindowDefinition, NamedWindowExpr, Offset, OffsetRows, OrderBy, OrderByExpr, OrderByKind,
    OrderByOptions, Query, RenameSelectItem, ReplaceSelectElement, ReplaceSelectItem, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, SetOperator, SetQuantifier, TableWithJoins, Values,
    WildcardAdditionalOptions, With,
};

use super::Walk;
use crate::error::Result;

impl Walk {
    pub(super) fn query(&mut self, query: &Query) -> Result<()> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        self.refuse_if(fetch.is_some(), "FETCH FIRST", "Write LIMIT")?;
        self.refuse_if(
            !locks.is_empty(),
            "FOR UPDATE or FOR SHARE",
            "Leave it out: entries never change",
        )?;
        self.refuse_if(for_clause.is_some(), "FOR XML or FOR JSON", "Leave it out")?;
        self.refuse_if(
            settings.is_some(),
            "SETTINGS",
            "Leave it out: every recipe runs with the same fixed settings",
        )?;
        self.refuse_if(format_clause.is_some(), "FORMAT", "Leave it out")?;
        // The planner drops ORDER BY ALL after a set operation without a word.
        self.refuse_if(
            !matches!(**body, SetExpr::Select(_))
                && matches!(
                    order_by,
                    Some(OrderBy {
                        kind: OrderByKind::All(_),
                        ..
                    })
                ),
            "ORDER BY ALL after UNION, EXCEPT or INTERSECT",
            "Name the columns",
        )?;
        self.refuse_if(
            !pipe_operators.is_empty(),
            "the pipe operator |>",
            "Write common table expressions (WITH)",
        )?;

        self.scopes.push(Vec::new());
        self.node("query", |walk| {
            walk.optional(with.as_ref(), Self::with)?;
            walk.set_expression(body)?;
            walk.optional(order_by.as_ref(), Self::order_by)?;
            walk.optional(limit_clause.as_ref(), Self::limit)
        })?;
        self.scopes.pop();
        Ok(())
    }

    fn with(&mut self, with: &With) -> Result<()> {
        let With {
            with_token: _,
            recursive,
            cte_tables,
        } = with;
        self.node(if *recursive { "recursive" } else { "with" }, |walk| {
            for cte in cte_tables {
                walk.cte(cte, *recursive)?;
            }
            Ok(())
        })
    }

    fn cte(&mut self, cte: &Cte, recursive: bool) -> Result<()> {
        let Cte {
            alias,
            query,
            from,
            materialized,
            closing_paren_token: _,
        } = cte;
        self.refuse_if(from.is_some(), "FROM after a common table expression", "Leave it out")?;
        self.node("cte", |walk| {
            walk.table_alias(alias)?;
            match materialized {
                None => walk.absent(),
                Some(CteAsMaterialized::Materialized) => walk.leaf("materialized"),
                Some(CteAsMaterialized::NotMaterialized) => walk.leaf("inline"),
            }
            let name = alias.name.value.clone();
            let is_union = matches!(
                &*query.body,
                SetExpr::SetOperation {
                    op: SetOperator::Union,
                    ..
                }
            );
            if recursive && is_union {
                // The planner would drop these silently.
                walk.refuse_if(
                    query.with.is_some() || query.order_by.is_some() || query.limit_clause.is_some(),
                    "WITH, ORDER BY or LIMIT directly inside a recursive common table expression",
                    "Put it into the query that reads the expression",
                )?;
                // Only the second arm may read the expression itself; in the first the name means an alias.
                walk.scopes.push(Vec::new());
                walk.node("query", |walk| {
                    let SetExpr::SetOperation {
                        op: _,
                        set_quantifier,
                        left,
                        right,
                    } = &*query.body
                    else {
                        return Ok(());
                    };
                    walk.node("union", |walk| {
                        walk.quantifier(*set_quantifier);
                        walk.set_expression(left)?;
                        walk.scopes.push(vec![name.clone()]);
                        walk.set_expression(right)?;
                        walk.scopes.pop();
                        Ok(())
                    })
                })?;
                walk.scopes.pop();
            } else {
                walk.query(query)?;
            }
            walk.scopes
                .last_mut()
                .expect("a WITH stands in a query, which opened a scope")
                .push(name);
            Ok(())
        })
    }

    pub(super) fn set_expression(&mut self, expression: &SetExpr) -> Result<()> {
        match expression {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.node("nested", |walk| walk.query(query)),
            SetExpr::SetOperation {
                op,
                set_quantifier,
                left,
                right,
            } => {
                let tag = match op {
                    SetOperator::Union => "union",
                    SetOperator::Except => "except",
                    SetOperator::Intersect => "intersect",
                    SetOperator::Minus => return Err(self.unsupported("MINUS", "Write EXCEPT")),
                };
                self.node(tag, |walk| {
                    walk.quantifier(*set_quantifier);
                    walk.set_expression(left)?;
                    walk.set_expression(right)
                })
            }
            SetExpr::Values(values) => {
                let Values {
                    explicit_row,
                    value_keyword: _,
                    rows,
                } = values;
                self.node("values", |walk| {
                    walk.flag(*explicit_row);
                    walk.list(rows, |walk, row| walk.list(&row.content, Self::expression))
                })
            }
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => Err(self.unsupported(
                "statements that change data",
                "Entries never change; describe the changed rows with a SELECT",
            )),
            SetExpr::Table(_) => Err(self.unsupported("TABLE", "Write SELECT * FROM the_alias")),
        }
    }

    fn quantifier(&mut self, quantifier: SetQuantifier) {
        self.leaf(match quantifier {
            SetQuantifier::All => "all",
            SetQuantifier::Distinct => "distinct",
            SetQuantifier::ByName => "by-name",
            SetQuantifier::AllByName => "all-by-name",
            SetQuantifier::DistinctByName => "distinct-by-name",
            SetQuantifier::None => "plain",
        });
    }

    fn select(&mut self, select: &Select) -> Result<()> {
        let Select {
            select_token: _,
            optimizer_hints,
            distinct,
            select_modifiers,
            top,
            top_before_distinct: _,
            projection,
            exclude,
            into,
            from,
            lateral_views,
            prewhere,
            selection,
            connect_by,
            group_by,
            cluster_by,
            distribute_by,
            sort_by,
            having,
            named_window,
            qualify,
            // Whether WINDOW stood before QUALIFY says nothing about either.
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        self.refuse_if(!optimizer_hints.is_empty(), "optimizer hints", "Leave them out")?;
        self.refuse_if(
            select_modifiers
                .as_ref()
                .is_some_and(sqlparser::ast::SelectModifiers::is_any_set),
            "modifiers of SELECT",
            "Leave them out",
        )?;
        self.refuse_if(top.is_some(), "TOP", "Write ORDER BY … LIMIT n")?;
        self.refuse_if(
            exclude.is_some(),
            "EXCLUDE after the list of columns",
            "Write SELECT * EXCLUDE (a, b)",
        )?;
        self.refuse_if(
            into.is_some(),
            "SELECT INTO",
            "Store a query under a name with catalog_create(name, sql)",
        )?;
        self.refuse_if(!lateral_views.is_empty(), "LATERAL VIEW", "Write unnest(column)")?;
        self.refuse_if(prewhere.is_some(), "PREWHERE", "Write WHERE")?;
        self.refuse_if(!connect_by.is_empty(), "CONNECT BY", "Write WITH RECURSIVE")?;
        self.refuse_if(
            !cluster_by.is_empty() || !distribute_by.is_empty() || !sort_by.is_empty(),
            "CLUSTER BY, DISTRIBUTE BY and SORT BY",
            "Write ORDER BY",
        )?;
        self.refuse_if(
            value_table_mode.is_some(),
            "SELECT AS STRUCT or AS VALUE",
            "Write named_struct('name', value, …)",
        )?;

        self.node("select", |walk| {
            // `FROM t` alone has no list; the other two orders of the clauses mean the same.
            walk.flag(matches!(flavor, SelectFlavor::FromFirstNoSelect));
            match distinct {
                None => walk.absent(),
                Some(Distinct::All) => walk.leaf("all"),
                Some(Distinct::Distinct) => walk.leaf("distinct"),
                Some(Distinct::On(expressions)) => {
                    walk.node("distinct-on", |walk| walk.list(expressions, Self::expression))?;
                }
            }
            walk.list(projection, Self::select_item)?;
            walk.list(from, Self::table_with_joins)?;
            walk.optional(selection.as_ref(), Self::expression)?;
            walk.group_by(group_by)?;
            walk.optional(having.as_ref(), Self::expression)?;
            walk.list(named_window, Self::named_window)?;
            walk.optional(qualify.as_ref(), Self::expression)
        })
    }

    pub(super) fn table_with_joins(&mut self, tables: &TableWithJoins) -> Result<()> {
        let TableWithJoins { relation, joins } = tables;
        self.node("from", |walk| {
            walk.table_factor(relation)?;
            walk.list(joins, Self::join)
        })
    }

    fn group_by(&mut self, group_by: &GroupByExpr) -> Result<()> {
        let modifiers = match group_by {
            GroupByExpr::All(modifiers) => {
                self.leaf("group-all");
                modifiers
            }
            GroupByExpr::Expressions(expressions, modifiers) => {
                self.node("group", |walk| walk.list(expressions, Self::expression))?;
                modifiers
            }
        };
        self.refuse_if(
            !modifiers.is_empty(),
            "WITH ROLLUP, WITH CUBE and WITH TOTALS",
            "Write GROUP BY ROLLUP (a, b)",
        )
    }

    fn named_window(&mut self, definition: &NamedWindowDefinition) -> Result<()> {
        let NamedWindowDefinition(name, expression) = definition;
        self.node("window", |walk| {
            walk.ident(name)?;
            match expression {
                NamedWindowExpr::NamedWindow(other) => walk.node("same", |walk| walk.ident(other)),
                NamedWindowExpr::WindowSpec(specification) => walk.window_specification(specification),
            }
        })
    }

    fn select_item(&mut self, item: &SelectItem) -> Result<()> {
        match item {
            SelectItem::UnnamedExpr(expression) => self.node("column", |walk| walk.expression(expression)),
            SelectItem::ExprWithAlias { expr, alias } => self.node("as", |walk| {
                walk.expression(expr)?;
                walk.ident(alias)
            }),
            SelectItem::ExprWithAliases { .. } => Err(self.unsupported(
                "several names for one expression",
                "Give each column its own expression",
            )),
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options) => {
                self.node("all-of", |walk| {
                    walk.object_name(name)?;
                    walk.wildcard_options(options)
                })
            }
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(_), _) => {
                Err(self.unsupported(".* after an expression", "Name the fields: (expression)['field']"))
            }
            SelectItem::Wildcard(options) => self.node("all", |walk| walk.wildcard_options(options)),
        }
    }

    pub(super) fn wildcard_options(&mut self, options: &WildcardAdditionalOptions) -> Result<()> {
        let WildcardAdditionalOptions {
            wildcard_token: _,
            opt_ilike,
            opt_exclude,
            opt_except,
            opt_replace,
            opt_rename,
            opt_alias,
        } = options;
        if let Some(IlikeSelectItem { .. }) = opt_ilike {
            return Err(self.unsupported("* ILIKE", "Name the columns"));
        }
        if let Some(RenameSelectItem::Single(_) | RenameSelectItem::Multiple(_)) = opt_rename {
            return Err(self.unsupported("* RENAME", "Write SELECT * EXCLUDE (a), a AS b"));
        }
        self.refuse_if(opt_alias.is_some(), "a name for *", "Name the columns")?;
        self.optional(opt_exclude.as_ref(), |walk, exclude| {
            walk.node("exclude", |walk| match exclude {
                ExcludeSelectItem::Single(name) => walk.list([name], Self::object_name),
                ExcludeSelectItem::Multiple(names) => walk.list(names, Self::object_name),
            })
        })?;
        self.optional(opt_except.as_ref(), |walk, except| {
            let ExceptSelectItem {
                first_element,
                additional_elements,
            } = except;
            walk.node("except", |walk| {
                walk.ident(first_element)?;
                walk.idents(additional_elements)
            })
        })?;
        self.optional(opt_replace.as_ref(), |walk, replace| {
            let ReplaceSelectItem { items } = replace;
            walk.node("replace", |walk| {
                walk.list(items, |walk, item| {
                    let ReplaceSelectElement {
                        expr,
                        column_name,
                        as_keyword: _,
                    } = &**item;
                    walk.expression(expr)?;
                    walk.ident(column_name)
                })
            })
        })
    }

    fn order_by(&mut self, order_by: &OrderBy) -> Result<()> {
        let OrderBy { kind, interpolate } = order_by;
        self.refuse_if(interpolate.is_some(), "INTERPOLATE", "Leave it out")?;
        match kind {
            OrderByKind::All(options) => self.node("order-all", |walk| {
                walk.order_options(*options);
                Ok(())
            }),
            OrderByKind::Expressions(expressions) => self.order_expressions(expressions),
        }
    }

    pub(super) fn order_expressions(&mut self, expressions: &[OrderByExpr]) -> Result<()> {
        self.node("order", |walk| {
            walk.list(expressions, |walk, item| {
                let OrderByExpr {
                    expr,
                    options,
                    with_fill,
                } = item;
                walk.refuse_if(
                    with_fill.is_some(),
                    "WITH FILL",
                    "Join with a list of the values that must appear",
                )?;
                walk.expression(expr)?;
                walk.order_options(*options);
                Ok(())
            })
        })
    }

    fn order_options(&mut self, options: OrderByOptions) {
        let OrderByOptions { asc, nulls_first } = options;
        self.optional_flag(asc);
        self.optional_flag(nulls_first);
    }

    fn limit(&mut self, limit: &LimitClause) -> Result<()> {
        match limit {
            LimitClause::LimitOffset {
                limit,
                offset,
                limit_by,
            } => {
                self.refuse_if(
                    !limit_by.is_empty(),
                    "LIMIT … BY",
                    "Write QUALIFY row_number() OVER (PARTITION BY … ORDER BY …) <= n",
                )?;
                self.node("limit", |walk| {
                    walk.optional(limit.as_ref(), Self::expression)?;
                    walk.optional(offset.as_ref(), |walk, offset| {
                        let Offset { value, rows } = offset;
                        match rows {
                            OffsetRows::None | OffsetRows::Row | OffsetRows::Rows => walk.expression(value),
                        }
                    })
                })
            }
            LimitClause::OffsetCommaLimit { offset, limit } => self.limit_and_offset(offset, limit),
        }
    }

    fn limit_and_offset(&mut self, offset: &Expr, limit: &Expr) -> Result<()> {
        self.node("limit", |walk| {
            walk.expression(limit)?;
            walk.expression(offset)
        })
    }
}
