//! What the query engine's failures mean and what to do about them.

use datafusion::common::{DataFusionError, SchemaError};

use crate::error::{EngineError, ErrorKind, Place};
use crate::nearest::nearest;
use crate::recipe;

/// Parts of messages and what to do, most special first. A message must hold every part of a row, in any case.
const HINTS: &[(&[&str], ErrorKind, &str)] = &[
    (
        &["divide by zero"],
        ErrorKind::ExecutionFailed,
        "Write x / nullif(y, 0): a null instead of a failure",
    ),
    (
        &["overflow"],
        ErrorKind::ExecutionFailed,
        "Widen the values first: CAST(x AS BIGINT), CAST(x AS DOUBLE) or CAST(x AS DECIMAL(38, 0))",
    ),
    (
        &["cast", "string"],
        ErrorKind::ExecutionFailed,
        "Write TRY_CAST(x AS type): a null where the text is no such value. Look at the values with WHERE TRY_CAST(x AS type) IS NULL AND x IS NOT NULL",
    ),
    (
        &["error parsing timestamp"],
        ErrorKind::ExecutionFailed,
        "Give the format: to_timestamp(x, '%d.%m.%Y %H:%M'), or TRY_CAST(x AS TIMESTAMP) for a null where it does not fit",
    ),
    (
        &["parser error"],
        ErrorKind::ExecutionFailed,
        "Write TRY_CAST(x AS type): a null where the value does not fit",
    ),
    (
        &["cast", "value"],
        ErrorKind::ExecutionFailed,
        "Write TRY_CAST(x AS type): a null where the value does not fit",
    ),
    (
        &["cast error"],
        ErrorKind::ExecutionFailed,
        "Write TRY_CAST(x AS type): a null where the value does not fit",
    ),
    (
        &["regular expression"],
        ErrorKind::ExecutionFailed,
        "Look-around and back-references are not supported; brackets and signs need a backslash",
    ),
    (
        &["more than one row"],
        ErrorKind::ExecutionFailed,
        "A subquery in the place of a value has to give one row: add max(…), min(…) or LIMIT 1 with ORDER BY",
    ),
    (
        &["must appear in the group by"],
        ErrorKind::BadPlan,
        "Add the column to GROUP BY, or put it into an aggregate such as max(column)",
    ),
    (
        &["could not be resolved from available columns"],
        ErrorKind::BadPlan,
        "Add the column to GROUP BY, or put it into an aggregate such as max(column)",
    ),
    (
        &["window function", "where"],
        ErrorKind::BadPlan,
        "Filter on a window function with QUALIFY, or in an outer query",
    ),
    (
        &["number of columns", "union"],
        ErrorKind::BadPlan,
        "Every arm of a UNION needs the same number of columns",
    ),
    (
        &["union", "columns"],
        ErrorKind::BadPlan,
        "Every arm of a UNION needs the same columns in the same order; add NULL AS column where one is missing",
    ),
    (
        &["specified more than once"],
        ErrorKind::BadPlan,
        "Give each common table expression and each table its own name",
    ),
    (
        &["ambiguous"],
        ErrorKind::BadPlan,
        "Say which table the column is of: table.column",
    ),
    (
        &["unique expression names"],
        ErrorKind::BadPlan,
        "Give each column its own name: expression AS name",
    ),
    (
        &["duplicate"],
        ErrorKind::BadPlan,
        "Give each column its own name: expression AS name; for a table joined with itself give each an alias",
    ),
    (
        &["same name"],
        ErrorKind::BadPlan,
        "Give each column its own name: expression AS name",
    ),
    (
        &["cannot coerce"],
        ErrorKind::BadPlan,
        "Make both sides of one type: CAST(x AS type)",
    ),
    (
        &["cannot infer common argument type"],
        ErrorKind::BadPlan,
        "Make both sides of one type: CAST(x AS type)",
    ),
    (
        &["failed to coerce"],
        ErrorKind::BadPlan,
        "Make the arguments of the expected types: CAST(x AS type)",
    ),
    (
        &["no function matches"],
        ErrorKind::BadPlan,
        "Make the arguments of the expected types and number: CAST(x AS type)",
    ),
    (
        &["coercion"],
        ErrorKind::BadPlan,
        "Make the arguments of the expected types: CAST(x AS type)",
    ),
    (
        &["expects", "argument"],
        ErrorKind::BadPlan,
        "Check the number of arguments",
    ),
    (
        &["correlated"],
        ErrorKind::BadPlan,
        "Write the subquery as a join with a grouped subquery",
    ),
    (
        &["outer_ref"],
        ErrorKind::BadPlan,
        "Write the subquery as a join with a grouped subquery",
    ),
    (
        &["physical plan does not support"],
        ErrorKind::BadPlan,
        "Write the subquery as a join with a grouped subquery",
    ),
    (&["not implemented"], ErrorKind::BadPlan, "Write it another way"),
];

/// Functions of other dialects and what they are called here.
const FUNCTIONS: &[(&str, &str)] = &[
    ("ifnull", "Write coalesce(a, b)"),
    ("isnull", "Write x IS NULL"),
    ("if", "Write CASE WHEN condition THEN a ELSE b END"),
    ("iif", "Write CASE WHEN condition THEN a ELSE b END"),
    ("getdate", "Write now(); the entry is then marked as not reproducible"),
    ("strftime", "Write to_char(value, '%Y-%m')"),
    ("date_format", "Write to_char(value, '%Y-%m')"),
    ("strptime", "Write to_timestamp(text, '%Y-%m-%d')"),
    ("to_number", "Write CAST(text AS DOUBLE)"),
    (
        "datediff",
        "Subtract the dates: to_date(b) - to_date(a), or date_part('day', b - a)",
    ),
    ("date_diff", "Subtract the dates: b - a, or date_part('day', b - a)"),
    ("dateadd", "Write value + INTERVAL '1 day'"),
    ("date_add", "Write value + INTERVAL '1 day'"),
    ("year", "Write date_part('year', value)"),
    ("month", "Write date_part('month', value)"),
    ("day", "Write date_part('day', value)"),
    ("hour", "Write date_part('hour', value)"),
    ("len", "Write length(text)"),
    ("list", "Write array_agg(value ORDER BY …)"),
    ("group_concat", "Write string_agg(text, ',' ORDER BY …)"),
    ("listagg", "Write string_agg(text, ',' ORDER BY …)"),
    ("countif", "Write count(*) FILTER (WHERE condition)"),
    ("count_if", "Write count(*) FILTER (WHERE condition)"),
    ("sumif", "Write sum(value) FILTER (WHERE condition)"),
    ("arg_max", "Write first_value(value ORDER BY by DESC)"),
    ("arg_min", "Write first_value(value ORDER BY by)"),
    ("max_by", "Write first_value(value ORDER BY by DESC)"),
    ("min_by", "Write first_value(value ORDER BY by)"),
    ("quantile", "Write percentile_cont(0.5) WITHIN GROUP (ORDER BY value)"),
    (
        "quantile_cont",
        "Write percentile_cont(0.5) WITHIN GROUP (ORDER BY value)",
    ),
    (
        "ref",
        "Write the alias itself as the table: FROM orders, or FROM \"orders-v2\"",
    ),
];

/// What to write instead of a function of another dialect.
pub(crate) fn function_hint(name: &str) -> Option<&'static str> {
    FUNCTIONS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, hint)| *hint)
}

/// A failure of planning or running, in our terms. `columns` are those of the tables the recipe reads.
pub(crate) fn explain(error: &DataFusionError, sql: &str, columns: &[String]) -> EngineError {
    let mut explained = explain_plainly(error, sql);
    explained.place = explained.place.or_else(|| {
        error
            .diagnostic()
            .and_then(|diagnostic| diagnostic.span)
            .and_then(|span| recipe::place(sqlparser::tokenizer::Location::new(span.start.line, span.start.column)))
    });
    if explained.kind.is_recipe_fault() && explained.kind != ErrorKind::ExecutionFailed {
        let unquoted = recipe::unquoted_columns(sql, columns.iter().map(String::as_str));
        if !unquoted.is_empty() {
            explained.hint = Some(format!(
                "Names with spaces or signs need double quotes: write {}",
                unquoted.join(", ")
            ));
            for name in unquoted {
                if !explained.candidates.contains(&name) {
                    explained.candidates.insert(0, name);
                }
            }
        }
    }
    explained
}

fn explain_plainly(error: &DataFusionError, sql: &str) -> EngineError {
    match error.find_root() {
        DataFusionError::SchemaError(schema_error, _) => return explain_schema(schema_error, sql),
        DataFusionError::ResourcesExhausted(message) => return exhausted(message),
        _ => {}
    }
    let message = clean(error);
    let lower = message.to_lowercase();
    // A nested loop join that cannot even hold one batch of its left side ends with an internal error of the engine.
    if lower.contains("resources exhausted")
        || lower.contains("failed to allocate")
        || lower.contains("no data to spill")
    {
        return exhausted(&message);
    }
    if lower.contains("invalid function") || (lower.contains("function") && lower.contains("did you mean")) {
        return EngineError::new(ErrorKind::UnknownFunction, message);
    }
    let default_kind = match error.find_root() {
        DataFusionError::ArrowError(..) | DataFusionError::Execution(_) => ErrorKind::ExecutionFailed,
        DataFusionError::ParquetError(_) | DataFusionError::ObjectStore(_) => ErrorKind::DataDamaged,
        DataFusionError::IoError(_) => ErrorKind::WriteFailed,
        DataFusionError::Internal(_) | DataFusionError::ExecutionJoin(_) => ErrorKind::Internal,
        DataFusionError::SQL(..) => ErrorKind::BadSyntax,
        _ => ErrorKind::BadPlan,
    };
    if matches!(default_kind, ErrorKind::DataDamaged | ErrorKind::WriteFailed) {
        return EngineError::new(default_kind, message);
    }
    match HINTS.iter().find(|(parts, ..)| parts.iter().all(|part| lower.contains(part))) {
        Some((_, kind, hint)) => {
            let kind = if default_kind == ErrorKind::ExecutionFailed { default_kind } else { *kind };
            EngineError::new(kind, message).hint(*hint)
        }
        None if default_kind == ErrorKind::Internal => {
            EngineError::new(default_kind, message).hint("The query engine met a case it does not handle. Write the query another way, for example with fewer nested subqueries")
        }
        None => EngineError::new(default_kind, message),
    }
}

fn exhausted(message: &str) -> EngineError {
    let first = message
        .split("The top memory consumers")
        .next()
        .unwrap_or(message)
        .trim()
        .trim_end_matches([':', ',']);
    EngineError::new(ErrorKind::LimitExceeded, format!("The query needs more memory than it may use: {first}"))
        .hint("Filter or aggregate before joining, join on fewer rows, select fewer columns, or split the recipe into entries that are stored")
}

fn explain_schema(error: &SchemaError, sql: &str) -> EngineError {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let name = field.name();
            let mut valid: Vec<&str> = valid_fields.iter().map(|column| column.name()).filter(|name| !name.starts_with(crate::canon::HIDDEN_PREFIX)).collect();
            valid.sort_unstable();
            valid.dedup();
            let near = nearest(name, valid.iter().copied());
            let full = match &field.relation {
                Some(relation) => format!("{}.{}", relation.table(), name),
                None => name.to_owned(),
            };
            let all = valid.iter().take(60).map(|name| recipe::quoted(name)).collect::<Vec<_>>().join(", ");
            let more = if valid.len() > 60 { format!(" and {} more", valid.len() - 60) } else { String::new() };
            let hint = if valid.is_empty() { "No table in scope has columns".to_owned() } else { format!("The columns are: {all}{more}") };
            EngineError::new(ErrorKind::UnknownColumn, format!("There is no column `{full}`"))
                .at(place_of_word(sql, name))
                .near(near.iter().map(|name| recipe::quoted(name)).collect())
                .hint(hint)
        }
        SchemaError::AmbiguousReference { field } => {
            EngineError::new(ErrorKind::BadPlan, format!("The column `{}` is in several tables", field.name()))
                .at(place_of_word(sql, field.name()))
                .hint(format!("Say which table it is of: table.{}", recipe::quoted(field.name())))
        }
        SchemaError::DuplicateQualifiedField { name, .. } | SchemaError::DuplicateUnqualifiedField { name } => {
            EngineError::new(ErrorKind::BadPlan, format!("Two columns are named `{name}`"))
                .at(place_of_word(sql, name))
                .hint("Give each column its own name: expression AS name; for a table joined with itself give each an alias")
        }
    }
}

/// The engine's message without its prefixes and backtrace.
fn clean(error: &DataFusionError) -> String {
    let text = error.strip_backtrace();
    let mut text = text.as_str();
    // A chain of contexts ends in the cause.
    if let Some((_, cause)) = text.rsplit_once("\ncaused by\n") {
        text = cause;
    }
    for prefix in [
        "Error during planning: ",
        "Execution error: ",
        "Arrow error: ",
        "External error: ",
        "SQL error: ",
    ] {
        text = text.strip_prefix(prefix).unwrap_or(text);
    }
    text.chars().take(1_500).collect::<String>().trim().to_owned()
}

/// Where a word stands first in the text, as a whole word.
pub(crate) fn place_of_word(sql: &str, word: &str) -> Option<Place> {
    if word.is_empty() {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (start, _) = sql.match_indices(word).find(|(start, found)| {
        !sql[..*start].chars().next_back().is_some_and(is_part)
            && !sql[start + found.len()..].chars().next().is_some_and(is_part)
    })?;
    let before = &sql[..start];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
    Some(Place { line, column })
}
