//! Fixed tables and their digests. These values are recorded in catalogs: when a test here fails, a new definition with
//! a new prefix is needed, not a new value.

use super::{digest, in_batches, table};
use arrow::array::*;
use arrow::buffer::NullBuffer;
use arrow::compute::cast;
use arrow::datatypes::*;
use std::sync::Arc;

/// Every type, with a null in each.
fn every_type() -> RecordBatch {
    let decimal = Decimal128Array::from(vec![Some(150), None, Some(-7)])
        .with_precision_and_scale(10, 2)
        .expect("fits");
    let wide = Decimal256Array::from(vec![
        Some(i256::MAX.wrapping_div(i256::from_i128(1000))),
        None,
        Some(i256::MINUS_ONE),
    ])
    .with_precision_and_scale(76, 3)
    .expect("fits");
    let nested = Field::new("x", DataType::Utf8, true);
    let structure = StructArray::new(
        vec![Arc::new(nested)].into(),
        vec![Arc::new(StringArray::from(vec![Some("p"), None, None]))],
        Some(NullBuffer::from(vec![true, true, false])),
    );
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int64Builder::new());
    map.keys().append_value("k");
    map.values().append_value(1);
    map.append(true).expect("as many keys as values");
    map.append(true).expect("as many keys as values");
    map.append(false).expect("as many keys as values");
    let list = ListArray::from_iter_primitive::<Int16Type, _, _>(vec![Some(vec![Some(1), None]), None, Some(vec![])]);
    table(vec![
        ("null", Arc::new(NullArray::new(3))),
        (
            "bool",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ),
        ("int8", Arc::new(Int8Array::from(vec![Some(-128), None, Some(127)]))),
        (
            "int64",
            Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX)])),
        ),
        (
            "uint64",
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), None, Some(1)])),
        ),
        (
            "float32",
            Arc::new(Float32Array::from(vec![Some(0.1), None, Some(-0.0)])),
        ),
        (
            "float64",
            Arc::new(Float64Array::from(vec![Some(f64::NAN), None, Some(1e300)])),
        ),
        ("decimal", Arc::new(decimal)),
        ("wide", Arc::new(wide)),
        ("date", Arc::new(Date32Array::from(vec![Some(-1), None, Some(20_000)]))),
        (
            "time",
            Arc::new(Time64MicrosecondArray::from(vec![Some(0), None, Some(86_399_999_999)])),
        ),
        (
            "wall",
            Arc::new(TimestampMillisecondArray::from(vec![Some(-1), None, Some(5)])),
        ),
        (
            "instant",
            Arc::new(TimestampMicrosecondArray::from(vec![Some(-1), None, Some(5)]).with_timezone("Asia/Tokyo")),
        ),
        (
            "duration",
            Arc::new(DurationSecondArray::from(vec![Some(-1), None, Some(5)])),
        ),
        (
            "interval",
            Arc::new(IntervalYearMonthArray::from(vec![Some(-1), None, Some(5)])),
        ),
        (
            "text",
            Arc::new(StringArray::from(vec![Some("Zürich"), None, Some("")])),
        ),
        (
            "bytes",
            Arc::new(BinaryArray::from(vec![Some(&[0, 255][..]), None, Some(&[][..])])),
        ),
        ("list", Arc::new(list)),
        ("struct", Arc::new(structure)),
        ("map", Arc::new(map.finish())),
    ])
}

const ROWS: &str = "rows1:58619eae2b8be412099b0f068a3122bf";
const SEQUENCE: &str = "seq1:d4aeda1dd7ee5fd31a24dec813e45e5ef4b8dde39ed57c794abdecba8187a6c2";
const SCHEMA: &str = "schema1:b5152e682d3e0bb7cb971d8cff9ff97999a12a07195a0a003d517c26b8f4d3bb";

#[test]
fn every_type_has_its_recorded_digest() {
    let digest = digest(&every_type());
    let found = (digest.rows1(), digest.seq1(), digest.schema1());
    assert_eq!(found, (ROWS.to_owned(), Some(SEQUENCE.to_owned()), SCHEMA.to_owned()));
}

#[test]
fn columns_of_every_type_have_their_recorded_sums() {
    let digest = digest(&every_type());
    let found: Vec<String> = digest
        .columns
        .iter()
        .map(|column| format!("{} {} {}", column.name, column.data_type, column.cols1()))
        .collect();
    insta::assert_snapshot!(found.join("\n"), @r"
    null null cols1:d6ddf2b4460135e7c29a97bdbb38af07
    bool bool cols1:66cb4aae3b80464fca85c9af83d0b5d2
    int8 int8 cols1:ec409ee2eae789ce784edaba096ba379
    int64 int64 cols1:8deadfc65651d1560bf27c5229fbfe7e
    uint64 uint64 cols1:42c1b01d0b2f02a1e3dbb7e35dfb91bf
    float32 float32 cols1:d89eacdaee8800c0ce1708685dc42138
    float64 float64 cols1:4afb06effd78ea4c3ecf79ca36165677
    decimal decimal(10,2) cols1:c453b191df7bcd2cfe8daa6747fe88fe
    wide decimal(76,3) cols1:e1f0b34b2c95ede735c8d5482dd51150
    date date cols1:8ee305dbe5911492bc113211b2b542bd
    time time(us) cols1:8c59e4c27cc08a357294fb2dfc8ea84f
    wall timestamp(ms) cols1:7490ed9b15f5fe715d8760fe4a632873
    instant timestamp(us,'Asia/Tokyo') cols1:27eaee55794ce9344678b5251ffbfbd7
    duration duration(s) cols1:8c1e1918ae45a84ce0cb16b48c0835c7
    interval interval(months) cols1:2f8bf9ed7a5869331ff33ef738b17d95
    text text cols1:58ffb600c92466cf2964e18f805c609c
    bytes bytes cols1:ae93409bcf96725a46364ec1b0706f44
    list list<int16> cols1:f0dd1f3fed9356427b34d1a3a30bde7b
    struct struct<1'x':text> cols1:f57ff4331b0271b89ac0a359438844ef
    map map<text,int64> cols1:567d7602f3ddbe4732fdc3e4f5cbecf4
    ");
}

#[test]
fn other_batches_and_layouts_have_the_same() {
    let table = every_type();
    assert_eq!(in_batches(&table, 1), digest(&table));
    assert_eq!(in_batches(&table, 2), digest(&table));
    let columns: Vec<(String, ArrayRef)> = table
        .schema_ref()
        .fields()
        .iter()
        .zip(table.columns())
        .map(|(field, column)| {
            let other = match field.data_type() {
                DataType::Utf8 => DataType::Utf8View,
                DataType::Binary => DataType::LargeBinary,
                DataType::Int64 | DataType::Date32 => {
                    DataType::Dictionary(Box::new(DataType::Int32), Box::new(field.data_type().clone()))
                }
                other => other.clone(),
            };
            (field.name().clone(), cast(column, &other).expect("castable"))
        })
        .collect();
    let other = super::table(
        columns
            .iter()
            .map(|(name, column)| (name.as_str(), column.clone()))
            .collect(),
    );
    assert_eq!(digest(&other), digest(&table));
}
