//! Rows as JSON: one test for each line of the table in the module's documentation.

use arrow::array::*;
use arrow::datatypes::*;
use candor_catalog_tables::cells::{CellOptions, NotANumber, column_types, rows_to_json};
use serde_json::{Value, json};
use std::sync::Arc;

fn cells_with(values: ArrayRef, options: &CellOptions) -> (Vec<Value>, usize) {
    let batch = RecordBatch::try_from_iter_with_nullable([("c", values, true)]).expect("one column");
    let rows = rows_to_json(&batch, options);
    (rows.rows.into_iter().map(|mut row| row["c"].take()).collect(), rows.cut)
}

fn cells(values: impl Array + 'static) -> Vec<Value> {
    cells_with(Arc::new(values), &CellOptions::default()).0
}

#[test]
fn integers_beyond_what_floating_point_holds_are_strings() {
    assert_eq!(
        cells(Int64Array::from(vec![Some(9_007_199_254_740_993), None, Some(-1)])),
        [json!("9007199254740993"), Value::Null, json!("-1")]
    );
    assert_eq!(
        cells(UInt64Array::from(vec![u64::MAX])),
        [json!("18446744073709551615")]
    );
    assert_eq!(cells(Int32Array::from(vec![-5])), [json!(-5)]);
    assert_eq!(cells(UInt32Array::from(vec![u32::MAX])), [json!(4_294_967_295_u32)]);
}

#[test]
fn decimals_keep_their_digits() {
    let decimals = Decimal128Array::from(vec![150, -5])
        .with_precision_and_scale(10, 2)
        .expect("fits");
    assert_eq!(cells(decimals), [json!("1.50"), json!("-0.05")]);
}

#[test]
fn floating_point_is_the_shortest_number_that_reads_back() {
    assert_eq!(cells(Float32Array::from(vec![0.1])), [json!(0.1)]);
    assert_eq!(
        cells(Float64Array::from(vec![
            0.1,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e300
        ])),
        [json!(0.1), Value::Null, json!("inf"), json!("-inf"), json!(1e300)]
    );
    let text = CellOptions {
        not_a_number: NotANumber::Text,
        ..CellOptions::default()
    };
    assert_eq!(
        cells_with(Arc::new(Float64Array::from(vec![f64::NAN])), &text).0,
        [json!("NaN")]
    );
}

#[test]
fn dates_and_times_are_iso_8601() {
    assert_eq!(
        cells(Date32Array::from(vec![19_782, -1, i32::MAX])),
        [json!("2024-02-29"), json!("1969-12-31"), json!("2147483647 days")]
    );
    assert_eq!(
        cells(Time64MicrosecondArray::from(vec![86_399_500_000])),
        [json!("23:59:59.500")]
    );
    assert_eq!(
        cells(TimestampSecondArray::from(vec![0, i64::MAX])),
        [json!("1970-01-01T00:00:00"), json!("9223372036854775807 s")]
    );
    assert_eq!(
        cells(TimestampMicrosecondArray::from(vec![1]).with_timezone("UTC")),
        [json!("1970-01-01T00:00:00.000001Z")]
    );
    let summer = TimestampSecondArray::from(vec![1_729_987_200, 1_729_990_800]).with_timezone("Europe/Berlin");
    assert_eq!(
        cells(summer),
        [json!("2024-10-27T02:00:00+02:00"), json!("2024-10-27T02:00:00+01:00")]
    );
    assert_eq!(
        cells(TimestampSecondArray::from(vec![0]).with_timezone("+05:30")),
        [json!("1970-01-01T05:30:00+05:30")]
    );
}

#[test]
fn spans_are_iso_8601() {
    assert_eq!(
        cells(DurationMillisecondArray::from(vec![5_400_000, -1_500, 0])),
        [json!("PT1H30M"), json!("-PT1.5S"), json!("PT0S")]
    );
    let intervals = IntervalMonthDayNanoArray::from(vec![
        IntervalMonthDayNano::new(1, 2, 3_000_000_000),
        IntervalMonthDayNano::new(-1, 0, -60_000_000_000),
        IntervalMonthDayNano::new(0, 0, 0),
    ]);
    assert_eq!(cells(intervals), [json!("P1M2DT3S"), json!("P-1MT-1M"), json!("PT0S")]);
}

#[test]
fn bytes_are_text_when_they_are_and_counted_when_not() {
    assert_eq!(
        cells(BinaryArray::from(vec!["héllo".as_bytes(), &[0, 159]])),
        [json!("héllo"), json!("<2 bytes>")]
    );
}

#[test]
fn nested_values_stay_nested() {
    let list = ListArray::from_iter_primitive::<Int64Type, _, _>(vec![Some(vec![Some(1), None]), None]);
    assert_eq!(cells(list), [json!(["1", null]), Value::Null]);
    let fields = vec![
        Arc::new(Field::new("x", DataType::Int32, true)),
        Arc::new(Field::new("y", DataType::Utf8, true)),
    ];
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![1])),
        Arc::new(StringArray::from(vec![None::<&str>])),
    ];
    assert_eq!(
        cells(StructArray::new(fields.into(), columns, None)),
        [json!({"x": 1, "y": null})]
    );
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    map.keys().append_value("k");
    map.values().append_value(1);
    map.append(true).expect("as many keys as values");
    assert_eq!(cells(map.finish()), [json!([{"key": "k", "value": 1}])]);
}

#[test]
fn encodings_do_not_show() {
    let dictionary: DictionaryArray<Int8Type> = [Some("a"), None, Some("b"), Some("a")].into_iter().collect();
    assert_eq!(cells(dictionary), [json!("a"), Value::Null, json!("b"), json!("a")]);
    let runs =
        RunArray::try_new(&Int32Array::from(vec![2, 3]), &StringArray::from(vec![Some("r"), None])).expect("sound");
    assert_eq!(cells(runs), [json!("r"), json!("r"), Value::Null]);
}

#[test]
fn a_long_cell_is_cut_at_a_letter_and_counted() {
    let options = CellOptions {
        max_bytes: 5,
        ..CellOptions::default()
    };
    let (values, cut) = cells_with(Arc::new(StringArray::from(vec!["ééé", "short"])), &options);
    assert_eq!(values, [json!("éé… (6 bytes)"), json!("short")]);
    assert_eq!(cut, 1);
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some((0..100).map(Some))]);
    let (values, cut) = cells_with(Arc::new(list), &options);
    assert_eq!(values, [json!([0, 1, "… (98 more)"])]);
    assert_eq!(cut, 1);
}

#[test]
fn keys_stand_in_the_order_of_the_columns_and_types_beside_them() {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("z", Arc::new(Int8Array::from(vec![1]))),
        ("a", Arc::new(StringViewArray::from(vec!["x"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("two columns");
    let rows = rows_to_json(&batch, &CellOptions::default());
    assert_eq!(serde_json::to_string(&rows.rows).expect("JSON"), r#"[{"z":1,"a":"x"}]"#);
    let types = serde_json::to_string(&column_types(batch.schema_ref())).expect("JSON");
    assert_eq!(types, r#"[{"name":"z","type":"int8"},{"name":"a","type":"string"}]"#);
}
