//! Reading a snapshot: a page, a stream, a proof.

use super::SnapshotError;
use crate::ROW_ORDER;
use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::compute::concat_batches;
use arrow::datatypes::{Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection,
    RowSelector,
};
use parquet::basic::Type as PhysicalType;
use parquet::file::metadata::PageIndexPolicy;
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of a batch when nothing else is asked for.
const BATCH: usize = 65_536;

/// A snapshot that is open for reading. Cheap to keep: it holds the file's footer, not the file, and may be shared
/// between threads.
#[derive(Debug, Clone)]
pub struct SnapshotReader {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    /// Without `__row_order`.
    schema: SchemaRef,
    bytes: u64,
}

impl SnapshotReader {
    /// Reads footer and page index of the file at `path`.
    ///
    /// # Errors
    /// [`Missing`](SnapshotError::Missing) when there is no file, [`Damaged`](SnapshotError::Damaged) when it is no
    /// Parquet file.
    pub fn open(path: &Path) -> Result<Self, SnapshotError> {
        Self::open_as(path, None)
    }

    /// Like [`open`](Self::open); with a schema, columns are read as its types, which must be ways to read them.
    pub(crate) fn open_as(path: &Path, schema: Option<SchemaRef>) -> Result<Self, SnapshotError> {
        let file = File::open(path).map_err(SnapshotError::io(path, "read"))?;
        let bytes = file.metadata().map_err(SnapshotError::io(path, "read"))?.len();
        let mut options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        if let Some(schema) = schema {
            options = options.with_schema(schema);
        }
        let metadata = guarded(path, || ArrowReaderMetadata::load(&file, options))?;
        let fields: Vec<_> = metadata
            .schema()
            .fields()
            .iter()
            .filter(|field| field.name() != ROW_ORDER)
            .cloned()
            .collect();
        Ok(Self {
            path: path.to_owned(),
            schema: Arc::new(Schema::new(fields)),
            metadata,
            bytes,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its columns, without `__row_order`.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Columns with values in the 96-bit form of time stamps, and whether they are the whole column or lie inside it.
    pub(crate) fn old_timestamps(&self) -> Vec<(String, bool)> {
        let columns = self.metadata.parquet_schema().columns().iter();
        let old = columns.filter(|column| column.physical_type() == PhysicalType::INT96);
        old.map(|column| (column.path().parts()[0].clone(), column.path().parts().len() == 1))
            .collect()
    }

    /// Every column of the file as it is read, `__row_order` among them.
    pub(crate) fn file_schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    /// Whether it has a column `__row_order`.
    pub fn has_row_order(&self) -> bool {
        self.metadata.schema().fields().len() > self.schema.fields().len()
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        u64::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The rows `offset..offset + limit`, fewer at the end, none beyond it. What comes before is not decoded: row groups
    /// are left out by their row counts and pages by the page index.
    ///
    /// `columns` are given in the order asked for; `None` is every column but `__row_order`, which may be named.
    ///
    /// # Errors
    /// [`NoSuchColumn`](SnapshotError::NoSuchColumn), or the file is missing or damaged.
    pub fn page(&self, offset: u64, limit: usize, columns: Option<&[&str]>) -> Result<RecordBatch, SnapshotError> {
        let places = self.places(columns)?;
        let schema = Arc::new(
            self.metadata
                .schema()
                .project(&places)
                .map_err(|error| self.damaged(error))?,
        );
        let end = self.rows().min(offset.saturating_add(limit as u64));
        if offset >= end {
            return Ok(RecordBatch::new_empty(schema));
        }
        let count = usize::try_from(end - offset).map_err(|error| self.damaged(error))?;
        let (groups, before) = self.groups(offset, end);
        let selection = RowSelection::from(vec![RowSelector::skip(before), RowSelector::select(count)]);
        let reader = self
            .builder(&places)?
            .with_row_groups(groups)
            .with_row_selection(selection)
            .with_batch_size(count.min(BATCH));
        let stream = self.start(reader, &places)?;
        let batches = stream.collect::<Result<Vec<_>, _>>()?;
        let page = concat_batches(&schema, &batches).map_err(|error| self.damaged(error))?;
        if page.num_rows() == count {
            Ok(page)
        } else {
            Err(self.damaged("rows are missing"))
        }
    }

    /// Every row in order, in batches of at most `batch_size` rows. `columns` as for [`page`](Self::page).
    ///
    /// # Errors
    /// As for [`page`](Self::page); damage further on is reported by the stream.
    pub fn stream(&self, columns: Option<&[&str]>, batch_size: usize) -> Result<RowStream, SnapshotError> {
        let places = self.places(columns)?;
        let builder = self.builder(&places)?.with_batch_size(batch_size.max(1));
        self.start(builder, &places)
    }

    /// Every row and column, `__row_order` last.
    pub(super) fn everything(&self) -> Result<RowStream, SnapshotError> {
        let places: Vec<usize> = (0..self.metadata.schema().fields().len()).collect();
        let builder = self.builder(&places)?.with_batch_size(BATCH);
        self.start(builder, &places)
    }

    /// Checks the file's bytes against the BLAKE3 recorded when it was written.
    ///
    /// # Errors
    /// [`Damaged`](SnapshotError::Damaged) when they differ.
    pub fn verify(&self, blake3: &str) -> Result<(), SnapshotError> {
        let (_, found) = file_blake3(&self.path)?;
        if found.eq_ignore_ascii_case(blake3) {
            return Ok(());
        }
        Err(self.damaged(format!("its BLAKE3 is {found}, {blake3} was recorded")))
    }

    pub(super) fn damaged(&self, why: impl ToString) -> SnapshotError {
        SnapshotError::damaged(&self.path, why)
    }

    /// Which columns of the file are asked for, in the order asked for.
    fn places(&self, columns: Option<&[&str]>) -> Result<Vec<usize>, SnapshotError> {
        let fields = self.metadata.schema().fields();
        let Some(columns) = columns else {
            return Ok((0..fields.len())
                .filter(|place| fields[*place].name() != ROW_ORDER)
                .collect());
        };
        let place = |column: &&str| {
            fields
                .iter()
                .position(|field| field.name() == column)
                .ok_or_else(|| SnapshotError::NoSuchColumn {
                    column: (*column).to_owned(),
                    known: self.schema.fields().iter().map(|field| field.name().clone()).collect(),
                })
        };
        columns.iter().map(place).collect()
    }

    fn builder(&self, places: &[usize]) -> Result<ParquetRecordBatchReaderBuilder<File>, SnapshotError> {
        // Opened anew each time: clones of one handle share its position, which threads would move for each other.
        let file = File::open(&self.path).map_err(SnapshotError::io(&self.path, "read"))?;
        let bytes = file.metadata().map_err(SnapshotError::io(&self.path, "read"))?.len();
        if bytes != self.bytes {
            return Err(self.damaged(format!(
                "it had {} bytes when it was opened and has {bytes} now",
                self.bytes
            )));
        }
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), places.iter().copied());
        Ok(builder.with_projection(mask))
    }

    fn start(
        &self,
        builder: ParquetRecordBatchReaderBuilder<File>,
        places: &[usize],
    ) -> Result<RowStream, SnapshotError> {
        let schema = self
            .metadata
            .schema()
            .project(places)
            .map_err(|error| self.damaged(error))?;
        // The reader gives columns in the order of the file, each once.
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let order = places
            .iter()
            .map(|place| sorted.iter().position(|other| other == place).unwrap_or(0))
            .collect();
        let reader = guarded(&self.path, || builder.build())?;
        Ok(RowStream {
            path: self.path.clone(),
            reader: Some(reader),
            order,
            schema: Arc::new(schema),
        })
    }

    /// The row groups that hold rows of `offset..end`, and how many of their rows come before `offset`.
    fn groups(&self, offset: u64, end: u64) -> (Vec<usize>, usize) {
        let mut groups = Vec::new();
        let mut before = 0;
        let mut start = 0_u64;
        for (place, group) in self.metadata.metadata().row_groups().iter().enumerate() {
            let next = start + u64::try_from(group.num_rows()).unwrap_or(0);
            if next > offset && start < end {
                if groups.is_empty() {
                    before = usize::try_from(offset - start).unwrap_or(usize::MAX);
                }
                groups.push(place);
            }
            start = next;
        }
        (groups, before)
    }
}

/// The rows of a snapshot, batch by batch.
pub struct RowStream {
    path: PathBuf,
    /// `None` after an error: what comes behind damage is not to be trusted.
    reader: Option<ParquetRecordBatchReader>,
    order: Vec<usize>,
    schema: SchemaRef,
}

impl RowStream {
    /// The columns of every batch.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn arranged(&self, batch: &RecordBatch) -> Result<RecordBatch, SnapshotError> {
        let columns = self.order.iter().map(|place| batch.column(*place).clone()).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|error| SnapshotError::damaged(&self.path, error))
    }
}

impl Iterator for RowStream {
    type Item = Result<RecordBatch, SnapshotError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = self.reader.take()?;
        let next = guarded(&self.path, || Ok::<_, std::convert::Infallible>(reader.next()));
        match next {
            Ok(None) => None,
            Ok(Some(Ok(batch))) => {
                let batch = self.arranged(&batch);
                if batch.is_ok() {
                    self.reader = Some(reader);
                }
                Some(batch)
            }
            Ok(Some(Err(error))) => Some(Err(SnapshotError::damaged(&self.path, error))),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Size and BLAKE3 (hexadecimal) of a file's bytes.
///
/// # Errors
/// When the file is missing or cannot be read.
pub fn file_blake3(path: &Path) -> Result<(u64, String), SnapshotError> {
    let mut file = File::open(path).map_err(SnapshotError::io(path, "read"))?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    let mut bytes = 0;
    loop {
        let count = file.read(&mut buffer).map_err(SnapshotError::io(path, "read"))?;
        if count == 0 {
            return Ok((bytes, hasher.finalize().to_hex().to_string()));
        }
        hasher.update(&buffer[..count]);
        bytes += count as u64;
    }
}

/// Runs Parquet's decoder, which panics on some damaged files instead of saying so.
pub(crate) fn guarded<T, E: ToString>(path: &Path, decode: impl FnOnce() -> Result<T, E>) -> Result<T, SnapshotError> {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(SnapshotError::damaged(path, error)),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(SnapshotError::damaged(path, said.unwrap_or("its decoder gave up")))
        }
    }
}
