//! `catalog_query`, `catalog_peek`: looking at rows.

use candor_catalog_tables::cells::{CellOptions, column_types, rows_to_json};
use serde_json::{Map, Value};

use crate::binding::bind_by_name;
use crate::build::parse;
use crate::catalog::{Call, Catalog, resolve};
use crate::failure::{Explained, about};
use crate::replies::{Column, RowsResult, Schema};
use crate::requests::{PeekArguments, QueryArguments};
use crate::rows::{ShownRows, fitting};
use crate::vocabulary::{CatalogError, CatalogNotFound, Result};

/// How many rows are shown at most.
const ROWS: u64 = 1_000;

impl Catalog {
    /// Runs a recipe and stores nothing: the first rows of what [`run`](Self::run) would build, and their number.
    ///
    /// # Errors
    /// As [`run`](Self::run), without records.
    pub fn query(&self, call: &Call<'_>, arguments: &QueryArguments) -> Result<RowsResult> {
        let project = self.project()?;
        let limit = limit_of(arguments.limit, 50);
        let book = project.aliases().explained()?;
        let bound = bind_by_name(parse(&arguments.sql)?, &book)?;
        let bindings = self.bindings(&project, call, &bound.references)?;
        let result = self
            .engine()?
            .query(&bound.recipe, &bindings, limit, call.progress)
            .explained()?;
        let shown = rows_to_json(&result.rows, &CellOptions::default());
        let fields = column_types(&result.schema).into_iter().map(|column| Column {
            name: column.name,
            data_type: column.data_type,
        });
        let schema = Schema {
            fields: fields.collect(),
        };
        let rows = fitting(shown.rows, shown.cut);
        Ok(reply(project.name().as_str(), None, schema, result.row_count, 0, rows))
    }

    /// The rows of an entry, in its order.
    ///
    /// # Errors
    /// `NotFound/NoSuchAlias`, `NoSuchVersion`, `NoSuchEntry`, `NoSuchColumn`; `Faulted/DataDamaged` when the rows are
    /// gone and cannot be made again.
    pub fn peek(&self, call: &Call<'_>, arguments: &PeekArguments) -> Result<RowsResult> {
        let project = self.project()?;
        let hash = resolve(&project, &arguments.reference)?;
        let mut schema = Schema::of(&project.schema(&hash).explained()?);
        let columns: Option<Vec<&str>> = arguments
            .columns
            .as_ref()
            .map(|columns| columns.iter().map(String::as_str).collect());
        if let Some(columns) = &columns {
            schema = chosen(&schema, columns).map_err(|error| about(error, &arguments.reference))?;
        }
        let offset = arguments.offset.unwrap_or(0);
        let limit = limit_of(arguments.limit, 20);
        let rows = self.page(&project, call, &hash, offset, limit, columns.as_deref())?;
        let row_count = project.manifest(&hash).explained()?.row_count;
        Ok(reply(
            project.name().as_str(),
            Some(hash.to_string()),
            schema,
            row_count,
            offset,
            rows,
        ))
    }
}

fn limit_of(given: Option<u64>, usual: u64) -> usize {
    usize::try_from(given.unwrap_or(usual).min(ROWS)).unwrap_or(usize::MAX)
}

fn chosen(schema: &Schema, columns: &[&str]) -> Result<Schema> {
    let mut fields: Vec<Column> = Vec::with_capacity(columns.len());
    for name in columns {
        let Some(field) = schema.fields.iter().find(|field| field.name == *name) else {
            let known: Vec<&str> = schema.fields.iter().map(|field| field.name.as_str()).collect();
            let near = candor_contract::nearest_names(name, known.iter().copied());
            let near: Vec<String> = near.into_iter().map(String::from).collect();
            let message = format!("There is no column `{name}`. The columns are: {}.", known.join(", "));
            return Err(CatalogError::not_found(CatalogNotFound::NoSuchColumn, message).candidates(near));
        };
        fields.push(field.clone());
    }
    Ok(Schema { fields })
}

fn reply(
    project: &str,
    hash: Option<String>,
    schema: Schema,
    row_count: u64,
    offset: u64,
    shown: ShownRows,
) -> RowsResult {
    let mut warnings = Vec::new();
    if shown.cut {
        warnings.push(format!(
            "Only {} rows fit in a reply; name fewer columns, or go on at offset {}.",
            shown.rows.len(),
            offset + shown.rows.len() as u64
        ));
    }
    let truncated = offset + (shown.rows.len() as u64) < row_count;
    RowsResult {
        project: project.into(),
        hash,
        schema,
        row_count,
        offset,
        rows: shown.rows.into_iter().map(object).collect(),
        truncated,
        cells_shortened: shown.cells_cut,
        warnings,
    }
}

fn object(row: Value) -> Map<String, Value> {
    match row {
        Value::Object(row) => row,
        other => Map::from_iter([("value".to_string(), other)]),
    }
}
