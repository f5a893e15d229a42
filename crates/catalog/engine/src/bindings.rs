//! What the references of a recipe are bound to, and the tables made of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::logical_expr::{LogicalPlan, TableSource};

use crate::canon::ROW_ORDER;
use crate::error::{EngineError, ErrorKind, Result};
use candor_catalog_tables::snapshot::{SnapshotError, SnapshotReader};

/// What every reference of a recipe stands for, by the name as written.
pub type Bindings = BTreeMap<String, Binding>;

/// One entry a recipe reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The content hash of the entry.
    pub hash: String,
    /// Where its rows come from.
    pub rows: RowsOf,
    /// Whether its rows may differ from run to run (volatile or time-dependent functions in it or in what it reads).
    pub volatile: bool,
}

/// Where the rows of an entry come from.
#[derive(Debug, Clone, PartialEq)]
pub enum RowsOf {
    /// A snapshot, which ends in `__row_order`.
    Snapshot(PathBuf),
    /// A cheap entry: its recipe, run at each read.
    Recipe(Box<FrozenRecipe>),
}

/// A recipe with everything it reads bound for good.
#[derive(Debug, Clone, PartialEq)]
pub struct FrozenRecipe {
    /// The text.
    pub sql: String,
    /// What its references were bound to when it was built.
    pub bindings: Bindings,
}

/// A reference while it is planned: a table that knows what will take its place.
pub(crate) struct EntrySource {
    /// The name as written.
    pub(crate) reference: String,
    pub(crate) schema: SchemaRef,
    pub(crate) rows: PlannedRows,
    pub(crate) volatile: bool,
    /// How many cheap entries are read one through the other to get at the rows.
    pub(crate) chain: usize,
}

/// What takes the place of a reference.
pub(crate) enum PlannedRows {
    /// The table of a snapshot, `__row_order` last.
    Snapshot(Arc<dyn TableProvider>),
    /// The plan of a cheap entry, over references of its own.
    Plan(Box<LogicalPlan>),
}

impl TableSource for EntrySource {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl EntrySource {
    /// The reference behind a table of a plan, or `None` for the work table of a recursive query.
    pub(crate) fn of(source: &Arc<dyn TableSource>) -> Option<&Self> {
        source.as_ref().downcast_ref::<Self>()
    }
}

/// The table of a snapshot and its schema without `__row_order`.
///
/// # Errors
/// `DataDamaged` when the file is missing or unreadable.
pub(crate) fn snapshot_table(path: &std::path::Path) -> Result<(Arc<dyn TableProvider>, SchemaRef)> {
    let reader = SnapshotReader::open(path).map_err(snapshot_error)?;
    let mut fields: Vec<Field> = reader.schema().fields().iter().map(|field| with_views(field)).collect();
    let visible = Arc::new(Schema::new(fields.clone()));
    fields.push(Field::new(ROW_ORDER, DataType::Int64, true));
    let path = std::path::absolute(path).map_err(|error| {
        EngineError::new(
            ErrorKind::DataDamaged,
            format!("The path {} cannot be used: {error}", path.display()),
        )
    })?;
    let url = ListingTableUrl::parse(file_url(&path)).map_err(|error| damaged(&path, error))?;
    let options = ListingOptions::new(Arc::new(ParquetFormat::default())).with_file_extension("");
    let config = ListingTableConfig::new(url)
        .with_listing_options(options)
        .with_schema(Arc::new(Schema::new(fields)));
    let table = ListingTable::try_new(config).map_err(|error| damaged(&path, error))?;
    Ok((Arc::new(table), visible))
}

/// Text and bytes as views: the engine groups and joins them faster, and reads them without copying.
fn with_views(field: &Field) -> Field {
    let data_type = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        other => other.clone(),
    };
    field.clone().with_data_type(data_type).with_nullable(true)
}

/// A file's address, in which no character means anything but itself: a path may hold `*`, `?`, `%` and spaces.
fn file_url(path: &std::path::Path) -> String {
    use std::fmt::Write as _;
    let mut url = String::from("file://");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => url.push(char::from(*byte)),
            other => write!(url, "%{other:02X}").expect("writing to a string cannot fail"),
        }
    }
    url
}

fn damaged(path: &std::path::Path, error: impl std::fmt::Display) -> EngineError {
    EngineError::new(
        ErrorKind::DataDamaged,
        format!("{} cannot be read: {error}", path.display()),
    )
}

/// A failure of the files' side as one of ours.
pub(crate) fn snapshot_error(error: SnapshotError) -> EngineError {
    let kind = match &error {
        SnapshotError::Missing { .. } | SnapshotError::Damaged { .. } => ErrorKind::DataDamaged,
        SnapshotError::UnsupportedType { .. } | SnapshotError::DuplicateColumn { .. } => ErrorKind::BadPlan,
        SnapshotError::NoSuchColumn { .. } => ErrorKind::UnknownColumn,
        SnapshotError::Cancelled => ErrorKind::Cancelled,
        SnapshotError::SchemaMismatch { .. } => ErrorKind::Internal,
        _ => ErrorKind::WriteFailed,
    };
    EngineError::new(kind, error.to_string())
}
