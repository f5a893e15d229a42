//! Snapshots: what is written is what is read, a page at a time, and damage is never mistaken for data.

use arrow::array::*;
use arrow::compute::concat_batches;
use arrow::datatypes::*;
use candor_catalog_tables::digest::Digester;
use candor_catalog_tables::snapshot::{
    SnapshotError, SnapshotFacts, SnapshotKind, SnapshotReader, SnapshotWriter, file_blake3,
};
use candor_catalog_tables::{Progress, ROW_ORDER, Unobserved};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn numbers(range: std::ops::Range<i64>) -> RecordBatch {
    let text: StringArray = range
        .clone()
        .map(|n| (n % 7 != 0).then(|| format!("text {}", n % 1000)))
        .collect();
    RecordBatch::try_from_iter_with_nullable([
        ("n", Arc::new(Int64Array::from_iter_values(range)) as ArrayRef, true),
        ("text", Arc::new(text), true),
    ])
    .expect("two columns of one length")
}

fn write(path: &Path, kind: SnapshotKind, batches: &[RecordBatch]) -> Result<SnapshotFacts, SnapshotError> {
    let mut writer = SnapshotWriter::create(path, batches[0].schema_ref(), kind)?;
    for batch in batches {
        writer.write(batch)?;
    }
    writer.finish(&Unobserved)
}

fn files(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("readable");
    entries
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn facts_are_those_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let rows = numbers(0..1000);
    let facts = write(
        &path,
        SnapshotKind::Computed,
        &[rows.slice(0, 300), rows.slice(300, 700)],
    )
    .expect("written");
    let mut digester = Digester::new(rows.schema_ref());
    digester.update(&rows).expect("the same columns");
    assert_eq!(facts.rows, 1000);
    assert_eq!(facts.digest, digester.finish());
    assert_eq!((facts.bytes, facts.blake3), file_blake3(&path).expect("readable"));
    assert_eq!(facts.schema, rows.schema());
    assert_eq!(files(&folder), ["s.parquet"]);
}

#[test]
fn the_last_column_numbers_the_rows_and_an_inherited_one_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let inherited = RecordBatch::try_from_iter([
        (ROW_ORDER, Arc::new(Int64Array::from(vec![7, 5])) as ArrayRef),
        ("a", Arc::new(Int64Array::from(vec![1, 2]))),
    ])
    .expect("two columns");
    write(&path, SnapshotKind::Computed, &[inherited.clone(), inherited]).expect("written");
    let reader = SnapshotReader::open(&path).expect("readable");
    let page = reader.page(0, 10, Some(&[ROW_ORDER, "a"])).expect("readable");
    assert_eq!(page.column(0).as_primitive::<Int64Type>().values(), &[0, 1, 2, 3]);
    assert_eq!(page.column(1).as_primitive::<Int64Type>().values(), &[1, 2, 1, 2]);
    let names: Vec<_> = reader
        .schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn a_page_at_any_offset_is_that_slice_of_the_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let rows = numbers(0..300_000);
    write(&path, SnapshotKind::Source, std::slice::from_ref(&rows)).expect("written");
    let reader = SnapshotReader::open(&path).expect("readable");
    // Row groups end at 122,880 and 245,760.
    for (offset, limit) in [
        (0, 1),
        (0, 20_001),
        (122_879, 2),
        (122_880, 5),
        (100_000, 200_000),
        (299_999, 50),
        (20_000, 1),
    ] {
        let page = reader.page(offset as u64, limit, None).expect("readable");
        assert_eq!(
            page,
            rows.slice(offset, limit.min(300_000 - offset)),
            "{offset} + {limit}"
        );
    }
    assert_eq!(reader.page(300_000, 10, None).expect("nothing is there").num_rows(), 0);
    assert_eq!(
        reader
            .page(u64::MAX, usize::MAX, None)
            .expect("nothing is there")
            .num_rows(),
        0
    );
    assert_eq!(reader.page(5, 0, None).expect("nothing is asked for").num_rows(), 0);
    let one = reader.page(5, 2, Some(&["text", "n", "text"])).expect("readable");
    assert_eq!(one, rows.project(&[1, 0, 1]).expect("in range").slice(5, 2));
    let batches: Vec<_> = reader
        .stream(None, 1000)
        .expect("readable")
        .map(|batch| batch.expect("sound"))
        .collect();
    assert!(batches.iter().all(|batch| batch.num_rows() <= 1000));
    assert_eq!(concat_batches(rows.schema_ref(), &batches).expect("one schema"), rows);
}

#[test]
fn the_file_does_not_depend_on_the_incoming_batches() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = numbers(0..150_000);
    let facts = [999, 8192, 150_000].map(|size| {
        let path = folder.path().join(format!("{size}.parquet"));
        let batches: Vec<_> = (0..150_000_usize)
            .step_by(size)
            .map(|start| rows.slice(start, size.min(150_000 - start)))
            .collect();
        write(&path, SnapshotKind::Source, &batches).expect("written").blake3
    });
    assert_eq!(facts[0], facts[1]);
    assert_eq!(facts[0], facts[2]);
}

#[test]
fn types_come_back_as_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let text: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("null", Arc::new(NullArray::new(2))),
        ("f16", Arc::new(Float16Array::from(vec![None, Some(half_of_one())]))),
        ("u64", Arc::new(UInt64Array::from(vec![u64::MAX, 0]))),
        (
            "dec",
            Arc::new(
                Decimal256Array::from(vec![i256::ONE, i256::ZERO])
                    .with_precision_and_scale(76, 3)
                    .expect("fits"),
            ),
        ),
        ("date64", Arc::new(Date64Array::from(vec![86_400_000, 86_400_001]))),
        ("seconds", Arc::new(TimestampSecondArray::from(vec![1, -1]))),
        (
            "zoned",
            Arc::new(TimestampNanosecondArray::from(vec![1, -1]).with_timezone("Europe/Berlin")),
        ),
        ("time", Arc::new(Time32SecondArray::from(vec![1, 2]))),
        ("duration", Arc::new(DurationMicrosecondArray::from(vec![1, -2]))),
        (
            "interval",
            Arc::new(IntervalDayTimeArray::from(vec![
                IntervalDayTime::new(1, -2),
                IntervalDayTime::ZERO,
            ])),
        ),
        (
            "view",
            arrow::compute::cast(&text, &DataType::Utf8View).expect("castable"),
        ),
        (
            "dict",
            arrow::compute::cast(
                &text,
                &DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            )
            .expect("castable"),
        ),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int8Type, _, _>(vec![
                Some(vec![Some(1), None]),
                None,
            ])),
        ),
    ];
    let rows = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .expect("columns of one length");
    let facts = write(&path, SnapshotKind::Computed, std::slice::from_ref(&rows)).expect("written");
    let page = SnapshotReader::open(&path)
        .expect("readable")
        .page(0, 2, None)
        .expect("readable");
    assert_eq!(page, rows);
    let mut digester = Digester::new(rows.schema_ref());
    digester.update(&rows).expect("the same columns");
    assert_eq!(facts.digest, digester.finish());
}

fn half_of_one() -> <Float16Type as ArrowPrimitiveType>::Native {
    <Float16Type as ArrowPrimitiveType>::Native::from_f32(0.5)
}

#[test]
fn no_rows_and_no_columns_are_a_table_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let facts = write(&path, SnapshotKind::Computed, &[numbers(0..0)]).expect("written");
    assert_eq!(facts.rows, 0);
    assert_eq!(
        SnapshotReader::open(&path)
            .expect("readable")
            .page(0, 9, None)
            .expect("readable"),
        numbers(0..0)
    );
    let options = RecordBatchOptions::new().with_row_count(Some(3));
    let bare = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options).expect("no columns");
    let facts = write(&path, SnapshotKind::Computed, &[bare]).expect("written");
    assert_eq!(facts.rows, 3);
    let reader = SnapshotReader::open(&path).expect("readable");
    assert_eq!(reader.page(1, 9, None).expect("readable").num_rows(), 2);
}

#[test]
fn what_cannot_be_held_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let interval = Schema::new(vec![Field::new(
        "i",
        DataType::Interval(IntervalUnit::MonthDayNano),
        true,
    )]);
    let error = SnapshotWriter::create(&path, &interval, SnapshotKind::Computed)
        .err()
        .expect("refused");
    assert!(
        matches!(&error, SnapshotError::UnsupportedType { column, .. } if column == "i"),
        "{error}"
    );
    let nothing = Schema::new(vec![Field::new("s", DataType::Struct(Fields::empty()), true)]);
    let error = SnapshotWriter::create(&path, &nothing, SnapshotKind::Computed)
        .err()
        .expect("refused");
    assert!(
        matches!(&error, SnapshotError::UnsupportedType { column, .. } if column == "s"),
        "{error}"
    );
    let twice = Schema::new(vec![
        Field::new("a", DataType::Int8, true),
        Field::new("a", DataType::Int8, true),
    ]);
    let error = SnapshotWriter::create(&path, &twice, SnapshotKind::Computed)
        .err()
        .expect("refused");
    assert!(
        matches!(&error, SnapshotError::DuplicateColumn { column } if column == "a"),
        "{error}"
    );
    let mut writer = SnapshotWriter::create(&path, numbers(0..1).schema_ref(), SnapshotKind::Computed).expect("begun");
    let error = writer
        .write(&numbers(0..1).project(&[0]).expect("in range"))
        .expect_err("a column is missing");
    assert_eq!(
        error.to_string(),
        "a batch has no column where the snapshot has \"text\" of type Utf8"
    );
    drop(writer);
    assert!(files(&folder).is_empty());
}

#[test]
fn a_column_that_is_not_there_is_named_with_those_that_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    write(&path, SnapshotKind::Computed, &[numbers(0..1)]).expect("written");
    let reader = SnapshotReader::open(&path).expect("readable");
    let error = reader.page(0, 1, Some(&["N"])).expect_err("refused");
    assert_eq!(error.to_string(), "there is no column \"N\"; the columns are n, text");
}

#[test]
fn nothing_is_left_of_a_snapshot_that_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let mut writer = SnapshotWriter::create(&path, numbers(0..1).schema_ref(), SnapshotKind::Computed).expect("begun");
    writer.write(&numbers(0..10)).expect("written");
    let stop: &dyn Progress = &|| true;
    assert!(matches!(writer.finish(stop), Err(SnapshotError::Cancelled)));
    assert!(files(&folder).is_empty());
}

#[test]
fn a_staged_snapshot_shows_itself_only_when_published() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let mut writer = SnapshotWriter::create(&path, numbers(0..1).schema_ref(), SnapshotKind::Computed).expect("begun");
    writer.write(&numbers(0..10)).expect("written");
    let staged = writer.stage(&Unobserved).expect("staged");
    assert!(!path.exists());
    assert!(staged.temporary_path().to_string_lossy().ends_with(".candor-tmp"));
    assert_eq!(staged.facts().rows, 10);
    staged.publish().expect("renamed");
    assert_eq!(files(&folder), ["s.parquet"]);
}

#[test]
fn damage_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.parquet");
    let missing = SnapshotReader::open(&path).expect_err("nothing is there");
    assert!(matches!(missing, SnapshotError::Missing { .. }), "{missing}");
    let facts = write(&path, SnapshotKind::Source, &[numbers(0..200_000)]).expect("written");
    let sound = std::fs::read(&path).expect("readable");
    SnapshotReader::open(&path)
        .expect("readable")
        .verify(&facts.blake3)
        .expect("sound");
    // Cut at many places: never a panic, never success.
    for length in (0..sound.len()).step_by(sound.len() / 40 + 1) {
        std::fs::write(&path, &sound[..length]).expect("writable");
        let error = SnapshotReader::open(&path).expect_err("cut");
        assert!(
            matches!(&error, SnapshotError::Damaged { path: named, .. } if *named == path),
            "{error}"
        );
    }
    // One bit in many places: reading may fail or not, but the recorded hash always tells.
    for place in (0..sound.len()).step_by(sound.len() / 60 + 1) {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x10;
        std::fs::write(&path, &damaged).expect("writable");
        match SnapshotReader::open(&path) {
            Err(SnapshotError::Damaged { .. }) => {}
            Err(error) => panic!("{error}"),
            Ok(reader) => {
                assert!(matches!(
                    reader.verify(&facts.blake3),
                    Err(SnapshotError::Damaged { .. })
                ));
                for batch in reader.stream(None, 10_000).into_iter().flatten() {
                    assert!(matches!(batch, Ok(_) | Err(SnapshotError::Damaged { .. })));
                }
            }
        }
    }
    std::fs::write(&path, &sound).expect("writable");
    let reader = SnapshotReader::open(&path).expect("sound again");
    std::fs::write(&path, &sound[..100]).expect("writable");
    assert!(matches!(reader.page(0, 1, None), Err(SnapshotError::Damaged { .. })));
}
