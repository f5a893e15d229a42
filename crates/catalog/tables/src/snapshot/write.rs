//! Writing a snapshot: to a temporary name, synced, read back, renamed.

use super::{SnapshotError, SnapshotFacts, SnapshotReader};
use crate::digest::Digester;
use crate::{Progress, ROW_ORDER, Stage};
use arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch};
use arrow::compute::BatchCoalescer;
use arrow::datatypes::{DataType, Field, Fields, Int64Type, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// Where the rows come from; it decides the size of row groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotKind {
    /// An imported file: row groups of 122,880 rows.
    Source,
    /// A recipe's result: row groups of 1,048,576 rows.
    Computed,
}

impl SnapshotKind {
    fn row_group(self) -> usize {
        match self {
            Self::Source => 122_880,
            Self::Computed => 1_048_576,
        }
    }

    /// Rows handed to the encoder at once. A divisor of the row group, so that pages are cut at the same rows
    /// whatever the size of the batches that came in, without keeping a whole row group unencoded.
    fn chunk(self) -> usize {
        match self {
            Self::Source => 61_440,
            Self::Computed => 65_536,
        }
    }
}

/// Writes a snapshot batch by batch. Dropped before [`finish`](Self::finish), it leaves nothing behind.
///
/// ```
/// use arrow::array::{ArrayRef, Int64Array, RecordBatch};
/// use candor_catalog_tables::Unobserved;
/// use candor_catalog_tables::snapshot::{SnapshotKind, SnapshotReader, SnapshotWriter};
/// use std::sync::Arc;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("numbers.parquet");
/// let rows = RecordBatch::try_from_iter([("n", Arc::new(Int64Array::from(vec![7, 8, 9])) as ArrayRef)])?;
///
/// let mut writer = SnapshotWriter::create(&path, &rows.schema(), SnapshotKind::Computed)?;
/// writer.write(&rows)?;
/// let facts = writer.finish(&Unobserved)?;
/// assert_eq!(facts.rows, 3);
///
/// let page = SnapshotReader::open(&path)?.page(1, 1, None)?;
/// assert_eq!(page.columns(), rows.slice(1, 1).columns());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SnapshotWriter {
    path: PathBuf,
    temporary: NamedTempFile,
    /// With `__row_order`.
    schema: SchemaRef,
    writer: ArrowWriter<Hashing>,
    pending: BatchCoalescer,
    rows: u64,
}

impl SnapshotWriter {
    /// Begins the snapshot that will stand at `path`. A column `__row_order` of `schema` is left out: the writer
    /// numbers the rows itself.
    ///
    /// # Errors
    /// [`UnsupportedType`](SnapshotError::UnsupportedType) and [`DuplicateColumn`](SnapshotError::DuplicateColumn)
    /// name the column; [`Io`](SnapshotError::Io) when the folder cannot be written to.
    pub fn create(path: &Path, schema: &Schema, kind: SnapshotKind) -> Result<Self, SnapshotError> {
        let schema = Arc::new(numbered(schema)?);
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let temporary = temporary_file(folder, &name).map_err(SnapshotError::io(folder, "write to"))?;
        let file = temporary
            .as_file()
            .try_clone()
            .map_err(SnapshotError::io(path, "write"))?;
        let writer =
            ArrowWriter::try_new_with_options(Hashing::new(file), schema.clone(), options(kind)).map_err(|error| {
                // Types were tried one by one above; what is left is the system.
                unwritable(path, error)
            })?;
        let pending = BatchCoalescer::new(schema.clone(), kind.chunk());
        Ok(Self {
            path: path.to_owned(),
            temporary,
            schema,
            writer,
            pending,
            rows: 0,
        })
    }

    /// Columns of the snapshot without `__row_order`.
    pub fn data_fields(&self) -> &[Arc<Field>] {
        let fields = self.schema.fields();
        &fields[..fields.len() - 1]
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends the rows of `batch`. Its columns are those of the schema, in its order; `__row_order` may be among them
    /// or not.
    ///
    /// # Errors
    /// When columns differ, or the rows cannot be encoded or written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), SnapshotError> {
        if batch.num_rows() == 0 {
            return self.matched(batch).map(|_| ());
        }
        let mut columns = self.matched(batch)?;
        let end = self.rows + batch.num_rows() as u64;
        let order: Int64Array = (self.rows..end).map(|row| i64::try_from(row).ok()).collect();
        columns.push(Arc::new(order));
        let numbered = RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| self.unwritable(error))?;
        self.pending
            .push_batch(numbered)
            .map_err(|error| unwritable(&self.path, error))?;
        self.rows = end;
        self.drain()
    }

    /// Writes what is left, syncs, reads everything back and gives the file its name.
    ///
    /// # Errors
    /// As for [`stage`](Self::stage), or when the file cannot be renamed.
    pub fn finish(self, progress: &dyn Progress) -> Result<SnapshotFacts, SnapshotError> {
        self.stage(progress)?.publish()
    }

    /// Like [`finish`](Self::finish), but the file keeps its temporary name until
    /// [`publish`](StagedSnapshot::publish), so that a lock need not be held while writing.
    ///
    /// # Errors
    /// When the rows cannot be written, or when reading back does not give what was written.
    pub fn stage(mut self, progress: &dyn Progress) -> Result<StagedSnapshot, SnapshotError> {
        self.pending
            .finish_buffered_batch()
            .map_err(|error| unwritable(&self.path, error))?;
        self.drain()?;
        let hashing = self
            .writer
            .into_inner()
            .map_err(|error| unwritable(&self.path, error))?;
        let (bytes, blake3) = hashing.finish().map_err(SnapshotError::io(&self.path, "write"))?;
        let reader = SnapshotReader::open(self.temporary.path())?;
        let digest = read_back(&reader, self.rows, progress)?;
        let facts = SnapshotFacts {
            rows: self.rows,
            bytes,
            blake3,
            digest,
            schema: reader.schema().clone(),
        };
        Ok(StagedSnapshot {
            path: self.path,
            temporary: self.temporary,
            facts,
        })
    }

    fn drain(&mut self) -> Result<(), SnapshotError> {
        while let Some(chunk) = self.pending.next_completed_batch() {
            self.writer
                .write(&chunk)
                .map_err(|error| unwritable(&self.path, error))?;
        }
        Ok(())
    }

    /// The columns of `batch` that are data, when they are those of the snapshot.
    fn matched(&self, batch: &RecordBatch) -> Result<Vec<ArrayRef>, SnapshotError> {
        let schema = batch.schema_ref();
        let mut expected = self.data_fields().iter();
        let mut columns = Vec::with_capacity(batch.num_columns() + 1);
        let describe = |field: Option<&Arc<Field>>| match field {
            Some(field) => format!("\"{}\" of type {}", field.name(), field.data_type()),
            None => "no column".to_owned(),
        };
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            if field.name() == ROW_ORDER {
                continue;
            }
            let wanted = expected.next();
            let fits =
                wanted.is_some_and(|wanted| wanted.name() == field.name() && wanted.data_type() == field.data_type());
            if !fits {
                return Err(SnapshotError::SchemaMismatch {
                    expected: describe(wanted),
                    found: describe(Some(field)),
                });
            }
            columns.push(column.clone());
        }
        match expected.next() {
            None => Ok(columns),
            wanted => Err(SnapshotError::SchemaMismatch {
                expected: describe(wanted),
                found: describe(None),
            }),
        }
    }

    fn unwritable(&self, why: impl ToString) -> SnapshotError {
        unwritable(&self.path, why)
    }
}

/// A whole and proven snapshot under a temporary name. Dropped, it is gone.
#[derive(Debug)]
pub struct StagedSnapshot {
    path: PathBuf,
    temporary: NamedTempFile,
    facts: SnapshotFacts,
}

impl StagedSnapshot {
    /// What is known of it.
    pub fn facts(&self) -> &SnapshotFacts {
        &self.facts
    }

    /// Where it is for now.
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives it the name it was created for; a file of that name is replaced in one step.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn publish(self) -> Result<SnapshotFacts, SnapshotError> {
        let path = self.path.clone();
        self.publish_at(&path)
    }

    /// Gives it another name on the same file system.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn publish_at(self, path: &Path) -> Result<SnapshotFacts, SnapshotError> {
        self.temporary
            .persist(path)
            .map_err(|failed| SnapshotError::io(path, "rename")(failed.error))?;
        if let Some(folder) = path.parent() {
            sync_folder(folder).map_err(SnapshotError::io(folder, "sync"))?;
        }
        Ok(self.facts)
    }
}

/// The schema of the file: checked, nullable, ending with `__row_order`.
fn numbered(schema: &Schema) -> Result<Schema, SnapshotError> {
    let mut fields: Vec<Field> = Vec::with_capacity(schema.fields().len() + 1);
    for field in schema.fields().iter().filter(|field| field.name() != ROW_ORDER) {
        if fields.iter().any(|other| other.name() == field.name()) {
            return Err(SnapshotError::DuplicateColumn {
                column: field.name().clone(),
            });
        }
        let field = field.as_ref().clone().with_nullable(true);
        let alone = Arc::new(Schema::new(vec![field.clone()]));
        if ArrowWriter::try_new(io::sink(), alone, None).is_err() || !is_writable(field.data_type()) {
            return Err(SnapshotError::UnsupportedType {
                column: field.name().clone(),
                data_type: field.data_type().to_string(),
            });
        }
        fields.push(field);
    }
    fields.push(Field::new(ROW_ORDER, DataType::Int64, false));
    Ok(Schema::new(Fields::from(fields)))
}

/// Types whose values the Parquet writer refuses, or gives another type when read back, although it takes their schema.
fn is_writable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Interval(arrow::datatypes::IntervalUnit::MonthDayNano) | DataType::Union(..) => false,
        DataType::Dictionary(_, values) => is_writable(values),
        DataType::RunEndEncoded(_, values) => is_writable(values.data_type()),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => is_writable(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| is_writable(field.data_type())),
        _ => true,
    }
}

fn options(kind: SnapshotKind) -> ArrowWriterOptions {
    let order = ColumnPath::from(ROW_ORDER);
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("candor-catalog".to_owned())
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(kind.row_group()))
        .set_statistics_enabled(EnabledStatistics::Page)
        // Consecutive numbers: a few bytes a page instead of eight bytes a row.
        .set_column_dictionary_enabled(order.clone(), false)
        .set_column_encoding(order, Encoding::DELTA_BINARY_PACKED)
        .build();
    ArrowWriterOptions::new().with_properties(properties)
}

fn temporary_file(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".candor-tmp");
    // A snapshot is as readable as any other file of its folder; the default is for secrets.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn read_back(
    reader: &SnapshotReader,
    rows: u64,
    progress: &dyn Progress,
) -> Result<crate::digest::TableDigest, SnapshotError> {
    let mut digester = Digester::new(reader.schema());
    let mut next = 0_u64;
    for batch in reader.everything()? {
        if progress.is_cancelled() {
            return Err(SnapshotError::Cancelled);
        }
        let batch = batch?;
        let order = batch.column(batch.num_columns() - 1).as_primitive::<Int64Type>();
        for number in order.values() {
            if u64::try_from(*number).ok() != Some(next) {
                return Err(reader.damaged(format!("row {next} is numbered {number}")));
            }
            next += 1;
        }
        digester.update(&batch)?;
        progress.rows_done(Stage::Verifying, next);
    }
    if next != rows {
        return Err(reader.damaged(format!("{rows} rows were written, {next} are in it")));
    }
    Ok(digester.finish())
}

#[expect(clippy::needless_pass_by_value, reason = "handed over by map_err")]
fn unwritable(path: &Path, why: impl ToString) -> SnapshotError {
    SnapshotError::Unwritable {
        path: path.to_owned(),
        why: why.to_string(),
    }
}

/// After a rename: without this, a crash may leave the folder without the new name.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// A file that is hashed while it is written.
struct Hashing {
    file: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Hashing {
    fn new(file: File) -> Self {
        Self {
            file: BufWriter::with_capacity(1 << 18, file),
            hasher: blake3::Hasher::new(),
            bytes: 0,
        }
    }

    fn finish(self) -> io::Result<(u64, String)> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok((self.bytes, self.hasher.finalize().to_hex().to_string()))
    }
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
