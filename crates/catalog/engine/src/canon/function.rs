//! Calls of functions, aggregates and windows.

use sqlparser::ast::{
    DuplicateTreatment, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, Ident, NullTreatment, ObjectName, ObjectNamePart, WindowFrame,
    WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use super::Walk;
use crate::error::Result;
use crate::recipe::place;

/// Functions that are called without brackets. Any other bare word may be a column, whose case counts.
const WITHOUT_BRACKETS: [&str; 3] = ["current_date", "current_time", "current_timestamp"];

impl Walk {
    pub(super) fn function(&mut self, function: &Function) -> Result<()> {
        let Function {
            name,
            uses_odbc_syntax,
            parameters,
            args,
            filter,
            null_treatment,
            over,
            within_group,
        } = function;
        self.refuse_if(*uses_odbc_syntax, "{fn …}", "Write the call alone")?;
        self.refuse_if(
            !matches!(parameters, FunctionArguments::None),
            "a second list of arguments",
            "Write one list",
        )?;
        let ident = self.function_name(name)?;
        self.node("call", |walk| {
            walk.last_place = place(ident.span.start).or(walk.last_place);
            walk.text(&effective_name(ident, matches!(args, FunctionArguments::None)));
            match args {
                FunctionArguments::None => walk.absent(),
                FunctionArguments::Subquery(query) => walk.node("query", |walk| walk.query(query))?,
                FunctionArguments::List(list) => walk.arguments(list)?,
            }
            walk.optional(filter.as_deref(), Self::expression)?;
            match null_treatment {
                None => walk.absent(),
                Some(treatment) => walk.null_treatment(*treatment),
            }
            walk.optional(over.as_ref(), |walk, over| match over {
                WindowType::WindowSpec(specification) => walk.window_specification(specification),
                WindowType::NamedWindow(name) => walk.node("over", |walk| walk.ident(name)),
            })?;
            walk.order_expressions(within_group)
        })
    }

    fn function_name<'a>(&self, name: &'a ObjectName) -> Result<&'a Ident> {
        let ObjectName(parts) = name;
        match parts.as_slice() {
            [ObjectNamePart::Identifier(ident)] => Ok(ident),
            _ => Err(self.unsupported(
                &format!("functions in a schema such as {name}"),
                "Write the function's name alone",
            )),
        }
    }

    fn arguments(&mut self, list: &FunctionArgumentList) -> Result<()> {
        let FunctionArgumentList {
            duplicate_treatment,
            args,
            clauses,
        } = list;
        self.node("arguments", |walk| {
            match duplicate_treatment {
                None => walk.absent(),
                Some(DuplicateTreatment::Distinct) => walk.leaf("distinct"),
                Some(DuplicateTreatment::All) => walk.leaf("all"),
            }
            walk.list(args, Self::argument)?;
            walk.list(clauses, |walk, clause| match clause {
                FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => {
                    walk.null_treatment(*treatment);
                    Ok(())
                }
                FunctionArgumentClause::OrderBy(expressions) => walk.order_expressions(expressions),
                FunctionArgumentClause::Limit(_)
                | FunctionArgumentClause::OnOverflow(_)
                | FunctionArgumentClause::Having(_)
                | FunctionArgumentClause::Separator(_)
                | FunctionArgumentClause::JsonNullClause(_)
                | FunctionArgumentClause::JsonReturningClause(_) => Err(walk.unsupported(
                    "this clause inside a call",
                    "Only DISTINCT, ORDER BY and IGNORE NULLS may stand there",
                )),
            })
        })
    }

    fn argument(&mut self, argument: &FunctionArg) -> Result<()> {
        match argument {
            FunctionArg::Unnamed(expression) => self.argument_expression(expression),
            FunctionArg::Named { name, arg, operator } => self.node("named", |walk| {
                match operator {
                    FunctionArgOperator::RightArrow | FunctionArgOperator::Equals | FunctionArgOperator::Assignment => {
                    }
                    FunctionArgOperator::Colon | FunctionArgOperator::Value => {
                        return Err(walk.unsupported("this way to name an argument", "Write name => value"));
                    }
                }
                walk.ident(name)?;
                walk.argument_expression(arg)
            }),
            FunctionArg::ExprNamed { .. } => Err(self.unsupported("computed argument names", "Write name => value")),
        }
    }

    fn argument_expression(&mut self, expression: &FunctionArgExpr) -> Result<()> {
        match expression {
            FunctionArgExpr::Expr(expression) => self.expression(expression),
            FunctionArgExpr::QualifiedWildcard(name) => self.node("all-of", |walk| walk.object_name(name)),
            FunctionArgExpr::Wildcard => {
                self.leaf("all");
                Ok(())
            }
            FunctionArgExpr::WildcardWithOptions(_) => {
                Err(self.unsupported("* with options inside a call", "Name the columns"))
            }
        }
    }

    fn null_treatment(&mut self, treatment: NullTreatment) {
        self.leaf(match treatment {
            NullTreatment::IgnoreNulls => "ignore-nulls",
            NullTreatment::RespectNulls => "respect-nulls",
        });
    }

    pub(super) fn window_specification(&mut self, specification: &WindowSpec) -> Result<()> {
        let WindowSpec {
            window_name,
            partition_by,
            order_by,
            window_frame,
        } = specification;
        // The planner would leave the named part out without a word.
        self.refuse_if(
            window_name.is_some(),
            "a window built on a named window",
            "Write the whole window in the brackets",
        )?;
        self.node("window", |walk| {
            walk.list(partition_by, Self::expression)?;
            walk.order_expressions(order_by)?;
            walk.optional(window_frame.as_ref(), |walk, frame| {
                let WindowFrame {
                    units,
                    start_bound,
                    end_bound,
                } = frame;
                walk.node(
                    match units {
                        WindowFrameUnits::Rows => "rows",
                        WindowFrameUnits::Range => "range",
                        WindowFrameUnits::Groups => "groups",
                    },
                    |walk| {
                        walk.bound(start_bound)?;
                        walk.optional(end_bound.as_ref(), Self::bound)
                    },
                )
            })
        })
    }

    fn bound(&mut self, bound: &WindowFrameBound) -> Result<()> {
        match bound {
            WindowFrameBound::CurrentRow => {
                self.leaf("current");
                Ok(())
            }
            WindowFrameBound::Preceding(distance) => {
                self.node("preceding", |walk| walk.optional(distance.as_deref(), Self::expression))
            }
            WindowFrameBound::Following(distance) => {
                self.node("following", |walk| walk.optional(distance.as_deref(), Self::expression))
            }
        }
    }
}

/// The name the planner looks up: lower-cased unless it was quoted. A bare word that is no known function may be a
/// column, so its case stays.
fn effective_name(ident: &Ident, without_brackets: bool) -> String {
    let lower = ident.value.to_ascii_lowercase();
    if ident.quote_style.is_some() || (without_brackets && !WITHOUT_BRACKETS.contains(&lower.as_str())) {
        ident.value.clone()
    } else {
        lower
    }
}
