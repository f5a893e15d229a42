//! One test for each rule of what counts and what does not.

use super::{column, digest, in_batches, table};
use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::compute::{cast, concat_batches, take_record_batch};
use arrow::datatypes::*;
use candor_catalog_tables::digest::{Comparison, DigestError, Digester, TableDigest};
use proptest::prelude::*;
use std::sync::Arc;

/// The rows are the same in the same order; names and types need not be.
fn same_rows(one: &TableDigest, other: &TableDigest) -> bool {
    (one.rows, one.row_sum, one.sequence) == (other.rows, other.row_sum, other.sequence)
}

#[expect(clippy::needless_pass_by_value, reason = "called with what was just made")]
fn assert_same(one: ArrayRef, other: ArrayRef) {
    let (one_digest, other_digest) = (digest(&column(one.clone())), digest(&column(other.clone())));
    assert!(same_rows(&one_digest, &other_digest), "{one:?}\nand\n{other:?}");
    assert_eq!(one_digest.columns[0].sum, other_digest.columns[0].sum);
}

#[expect(clippy::needless_pass_by_value, reason = "called with what was just made")]
fn assert_different(one: ArrayRef, other: ArrayRef) {
    let (one_digest, other_digest) = (digest(&column(one.clone())), digest(&column(other.clone())));
    assert_ne!(
        one_digest.row_sum, other_digest.row_sum,
        "rows1 of {one:?}\nand\n{other:?}"
    );
    assert_ne!(
        one_digest.sequence, other_digest.sequence,
        "seq1 of {one:?}\nand\n{other:?}"
    );
    assert_ne!(
        one_digest.columns[0].sum, other_digest.columns[0].sum,
        "cols1 of {one:?}\nand\n{other:?}"
    );
}

#[test]
fn negative_zero_is_zero_and_every_nan_is_one() {
    let payload = f64::from_bits(0xfff8_0000_dead_beef);
    assert_same(
        Arc::new(Float64Array::from(vec![-0.0, payload])),
        Arc::new(Float64Array::from(vec![0.0, f64::NAN])),
    );
    assert_same(
        Arc::new(Float32Array::from(vec![-0.0, 0.5])),
        Arc::new(Float64Array::from(vec![0.0, 0.5])),
    );
    assert_different(
        Arc::new(Float32Array::from(vec![0.1])),
        Arc::new(Float64Array::from(vec![0.1])),
    );
}

#[test]
fn null_is_neither_zero_nor_empty_nor_nan() {
    assert_different(
        Arc::new(Int64Array::from(vec![None])),
        Arc::new(Int64Array::from(vec![0])),
    );
    assert_different(
        Arc::new(StringArray::from(vec![None::<&str>])),
        Arc::new(StringArray::from(vec![""])),
    );
    assert_different(
        Arc::new(Float64Array::from(vec![None])),
        Arc::new(Float64Array::from(vec![f64::NAN])),
    );
    assert_different(
        Arc::new(BooleanArray::from(vec![None])),
        Arc::new(BooleanArray::from(vec![false])),
    );
}

#[test]
fn what_stands_behind_a_null_does_not_count() {
    let nulls = || Some(NullBuffer::from(vec![true, false]));
    let numbers = |garbage| Arc::new(Int64Array::new(ScalarBuffer::from(vec![1, garbage]), nulls()));
    assert_same(numbers(0), numbers(99));
    let text = |bytes: &'static [u8]| {
        let offsets = OffsetBuffer::from_lengths([1, bytes.len() - 1]);
        Arc::new(StringArray::new(offsets, bytes.to_vec().into(), nulls()))
    };
    assert_same(text(b"a"), text(b"abc"));
    let list = |items: Vec<i64>| {
        let offsets = OffsetBuffer::from_lengths([1, items.len() - 1]);
        let field = Arc::new(Field::new_list_field(DataType::Int64, true));
        Arc::new(ListArray::new(
            field,
            offsets,
            Arc::new(Int64Array::from(items)),
            nulls(),
        ))
    };
    assert_same(list(vec![7]), list(vec![7, 8, 9]));
    let structure = |garbage| {
        let field = Arc::new(Field::new("x", DataType::Int64, true));
        Arc::new(StructArray::new(
            vec![field].into(),
            vec![Arc::new(Int64Array::from(vec![1, garbage]))],
            nulls(),
        ))
    };
    assert_same(structure(0), structure(5));
}

#[test]
fn a_validity_that_is_all_set_is_as_good_as_none() {
    let values = ScalarBuffer::from(vec![1_i64, 2]);
    let all_set = Int64Array::new(values.clone(), Some(NullBuffer::new_valid(2)));
    assert_same(Arc::new(Int64Array::new(values, None)), Arc::new(all_set));
}

#[test]
fn strings_are_the_same_in_every_layout() {
    let plain: ArrayRef = Arc::new(StringArray::from(vec![
        Some("b"),
        None,
        Some(""),
        Some("b"),
        Some("a long string of text"),
    ]));
    for data_type in [
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
        DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::LargeUtf8)),
    ] {
        let other = cast(&plain, &data_type).expect("castable");
        assert_same(plain.clone(), other.clone());
        let (one, other) = (digest(&column(plain.clone())), digest(&column(other)));
        assert_eq!(one.schema, other.schema, "{data_type} is text");
        assert_eq!(one.compare(&other), Comparison::Same);
    }
    let binary: ArrayRef = Arc::new(BinaryArray::from(vec![Some(&b"x"[..]), None]));
    assert_same(binary.clone(), cast(&binary, &DataType::BinaryView).expect("castable"));
    assert_different(cast(&binary, &DataType::Utf8).expect("castable"), binary);
}

#[test]
fn a_dictionary_may_hold_nulls_among_its_values() {
    let keys = Int8Array::from(vec![Some(0), Some(1), None]);
    let values = Arc::new(StringArray::from(vec![Some("a"), None]));
    let dictionary = Arc::new(DictionaryArray::new(keys, values));
    assert_same(dictionary, Arc::new(StringArray::from(vec![Some("a"), None, None])));
}

#[test]
fn runs_are_the_values_they_stand_for() {
    let ends = Int32Array::from(vec![2, 3, 6]);
    let runs = RunArray::try_new(&ends, &Int64Array::from(vec![Some(5), None, Some(7)])).expect("sound");
    let plain = Int64Array::from(vec![Some(5), Some(5), None, Some(7), Some(7), Some(7)]);
    assert_same(Arc::new(runs.clone()), Arc::new(plain.clone()));
    assert_same(Arc::new(runs.slice(1, 3)), Arc::new(plain.slice(1, 3)));
}

#[test]
fn a_wider_integer_is_another_schema_but_the_same_rows() {
    let narrow: ArrayRef = Arc::new(Int32Array::from(vec![Some(-1), None, Some(7)]));
    let wide = cast(&narrow, &DataType::Int64).expect("castable");
    assert_same(narrow.clone(), wide.clone());
    let said = digest(&column(narrow)).compare(&digest(&column(wide))).to_string();
    assert_eq!(
        said,
        "column c was int32 and is int64; no value of a shared column differs"
    );
    let unsigned: ArrayRef = Arc::new(UInt64Array::from(vec![1, 9]));
    assert_same(unsigned.clone(), Arc::new(Int8Array::from(vec![1, 9])));
    // 2^64 - 1 has the bits of -1.
    assert_different(
        Arc::new(UInt64Array::from(vec![u64::MAX])),
        Arc::new(Int64Array::from(vec![-1])),
    );
}

#[test]
fn decimals_are_equal_when_the_numbers_are() {
    let decimal = |digits: Vec<i128>, scale| -> ArrayRef {
        Arc::new(
            Decimal128Array::from(digits)
                .with_precision_and_scale(20, scale)
                .expect("fits"),
        )
    };
    assert_same(decimal(vec![150, 0, -2000], 2), decimal(vec![15, 0, -200], 1));
    assert_different(decimal(vec![150], 2), decimal(vec![150], 1));
    let small = Arc::new(
        Decimal32Array::from(vec![15])
            .with_precision_and_scale(5, 1)
            .expect("fits"),
    );
    let large = Decimal256Array::from(vec![i256::from_i128(1500)])
        .with_precision_and_scale(50, 3)
        .expect("fits");
    assert_same(small, Arc::new(large));
    let huge = |text: &str| -> ArrayRef {
        let digits = i256::from_string(text).expect("256 bits");
        Arc::new(
            Decimal256Array::from(vec![digits])
                .with_precision_and_scale(76, 4)
                .expect("fits"),
        )
    };
    assert_different(
        huge("123456789012345678901234567890123456789012340000"),
        huge("12345678901234567890123456789012345678901234000"),
    );
}

#[test]
fn timestamps_are_equal_in_every_unit_and_an_instant_is_no_wall_time() {
    let seconds = || TimestampSecondArray::from(vec![Some(5), None, Some(-1)]);
    let nanoseconds = TimestampNanosecondArray::from(vec![Some(5_000_000_000), None, Some(-1_000_000_000)]);
    assert_same(Arc::new(seconds()), Arc::new(nanoseconds));
    assert_same(
        Arc::new(seconds().with_timezone("UTC")),
        Arc::new(seconds().with_timezone("Europe/Berlin")),
    );
    assert_different(Arc::new(seconds()), Arc::new(seconds().with_timezone("UTC")));
    // Beyond what 64 bits of nanoseconds hold.
    assert_different(
        Arc::new(TimestampSecondArray::from(vec![i64::MAX])),
        Arc::new(TimestampSecondArray::from(vec![i64::MIN])),
    );
    assert_same(
        Arc::new(Date32Array::from(vec![3])),
        Arc::new(Date64Array::from(vec![3 * 86_400_000])),
    );
    assert_different(
        Arc::new(Date32Array::from(vec![3])),
        Arc::new(Date64Array::from(vec![3 * 86_400_000 + 1])),
    );
    assert_same(
        Arc::new(Time32SecondArray::from(vec![9])),
        Arc::new(Time64NanosecondArray::from(vec![9_000_000_000])),
    );
    assert_same(
        Arc::new(DurationSecondArray::from(vec![9])),
        Arc::new(DurationMillisecondArray::from(vec![9_000])),
    );
}

#[test]
fn intervals_are_months_days_and_nanoseconds() {
    let parts = |months, days, nanoseconds| -> ArrayRef {
        Arc::new(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNano::new(
            months,
            days,
            nanoseconds,
        )]))
    };
    assert_same(parts(14, 0, 0), Arc::new(IntervalYearMonthArray::from(vec![14])));
    assert_same(
        parts(0, 2, 3_000_000),
        Arc::new(IntervalDayTimeArray::from(vec![IntervalDayTime::new(2, 3)])),
    );
    assert_different(parts(1, 0, 0), parts(0, 30, 0));
}

#[test]
fn lists_are_their_items_in_order() {
    let list = |rows: Vec<Option<Vec<Option<i32>>>>| -> ArrayRef {
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(rows))
    };
    let rows = vec![Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(2)])];
    let plain = list(rows.clone());
    for data_type in [
        DataType::LargeList(Arc::new(Field::new("element", DataType::Int32, true))),
        DataType::ListView(Arc::new(Field::new("item", DataType::Int32, true))),
    ] {
        let other = cast(&plain, &data_type).expect("castable");
        assert_same(plain.clone(), other.clone());
        assert_eq!(digest(&column(plain.clone())).schema, digest(&column(other)).schema);
    }
    assert_same(plain.slice(1, 3), list(rows[1..].to_vec()));
    assert_different(list(vec![None]), list(vec![Some(vec![])]));
    assert_different(list(vec![Some(vec![])]), list(vec![Some(vec![None])]));
    assert_different(
        list(vec![Some(vec![Some(1), Some(2)])]),
        list(vec![Some(vec![Some(2), Some(1)])]),
    );
    // The same items, dealt to other rows.
    assert_different(
        list(vec![Some(vec![Some(1), Some(2)]), Some(vec![Some(3)])]),
        list(vec![Some(vec![Some(1)]), Some(vec![Some(2), Some(3)])]),
    );
    let fixed = FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1), Some(2)]), None], 2);
    assert_same(Arc::new(fixed), list(vec![Some(vec![Some(1), Some(2)]), None]));
}

#[test]
fn a_null_struct_is_not_one_of_nulls() {
    let field = Arc::new(Field::new("x", DataType::Int64, true));
    let structure = |nulls: Option<NullBuffer>| -> ArrayRef {
        Arc::new(StructArray::new(
            vec![field.clone()].into(),
            vec![Arc::new(Int64Array::from(vec![None]))],
            nulls,
        ))
    };
    assert_different(structure(None), structure(Some(NullBuffer::new_null(1))));
}

#[test]
fn the_order_of_a_maps_entries_does_not_count() {
    let map = |entries: &[(&str, i64)]| -> ArrayRef {
        let mut builder = MapBuilder::new(None, StringBuilder::new(), Int64Builder::new());
        for (key, value) in entries {
            builder.keys().append_value(key);
            builder.values().append_value(*value);
        }
        builder.append(true).expect("as many keys as values");
        Arc::new(builder.finish())
    };
    assert_same(map(&[("a", 1), ("b", 2)]), map(&[("b", 2), ("a", 1)]));
    assert_different(map(&[("a", 1), ("b", 2)]), map(&[("a", 2), ("b", 1)]));
    assert_different(map(&[]), map(&[("a", 1)]));
}

#[test]
fn a_union_is_its_field_and_that_fields_value() {
    let fields = UnionFields::try_new(
        [0, 1],
        [
            Field::new("i", DataType::Int64, true),
            Field::new("s", DataType::Utf8, true),
        ],
    )
    .expect("two fields");
    let union = |kinds: Vec<i8>| -> ArrayRef {
        let children: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(vec![1, 1])),
            Arc::new(StringArray::from(vec!["1", "1"])),
        ];
        Arc::new(UnionArray::try_new(fields.clone(), kinds.into(), None, children).expect("sound"))
    };
    assert_same(union(vec![0, 1]), union(vec![0, 1]));
    assert_different(union(vec![0, 0]), union(vec![0, 1]));
}

#[test]
fn without_values_columns_or_rows_count_and_schema_decide() {
    let nulls = |rows| column(Arc::new(NullArray::new(rows)));
    assert_ne!(digest(&nulls(1)).row_sum, digest(&nulls(2)).row_sum);
    let no_columns = |rows| {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options).expect("no columns")
    };
    assert_eq!(digest(&no_columns(0)).rows, 0);
    assert_ne!(digest(&no_columns(2)), digest(&no_columns(3)));
    let (ints, text) = (Int64Array::from(vec![0_i64; 0]), StringArray::from(vec![""; 0]));
    let (ints, text) = (digest(&column(Arc::new(ints))), digest(&column(Arc::new(text))));
    assert_ne!(ints.schema, text.schema);
    assert_eq!(
        ints.compare(&text).to_string(),
        "column c was int64 and is text; no value of a shared column differs"
    );
}

#[test]
fn text_is_not_normalised() {
    assert_different(
        Arc::new(StringArray::from(vec!["\u{e9}"])),
        Arc::new(StringArray::from(vec!["e\u{301}"])),
    );
    assert_different(
        Arc::new(StringArray::from(vec!["ab", "c"])),
        Arc::new(StringArray::from(vec!["a", "bc"])),
    );
}

#[test]
fn names_and_places_of_columns_count() {
    let ints = |values: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(values)) };
    let one = digest(&table(vec![("a", ints(vec![1])), ("b", ints(vec![2]))]));
    let renamed = digest(&table(vec![("a", ints(vec![1])), ("c", ints(vec![2]))]));
    assert_ne!(one.schema, renamed.schema);
    assert_eq!(one.row_sum, renamed.row_sum);
    let swapped = digest(&table(vec![("a", ints(vec![2])), ("b", ints(vec![1]))]));
    assert_eq!(one.compare(&swapped).to_string(), "columns a, b differ");
    let moved = digest(&table(vec![("b", ints(vec![2])), ("a", ints(vec![1]))]));
    assert_eq!(
        one.compare(&moved).to_string(),
        "the columns stand in another order; no value of a shared column differs"
    );
    // No separator can be imitated by a name.
    let tricky = |first: &str, second: &str| digest(&table(vec![(first, ints(vec![])), (second, ints(vec![]))])).schema;
    assert_ne!(tricky("a", "int64b"), tricky("aint64", "b"));
}

#[test]
fn row_order_is_not_part_of_it() {
    let ints = |values: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(values)) };
    let bare = digest(&table(vec![("a", ints(vec![5, 6]))]));
    let numbered = digest(&table(vec![("a", ints(vec![5, 6])), ("__row_order", ints(vec![0, 1]))]));
    assert_eq!(bare, numbered);
}

#[test]
fn the_comparison_names_what_differs() {
    let cities: ArrayRef = Arc::new(StringArray::from(vec!["Rome", "Oslo"]));
    let of = |city: ArrayRef, rev: Vec<f64>| {
        digest(&table(vec![("city", city), ("rev", Arc::new(Float64Array::from(rev)))]))
    };
    let before = of(cities.clone(), vec![1.0, 2.0]);
    assert_eq!(before.compare(&before).to_string(), "same rows in the same order");
    let reversed: ArrayRef = Arc::new(StringArray::from(vec!["Oslo", "Rome"]));
    assert_eq!(
        before.compare(&of(reversed.clone(), vec![2.0, 1.0])).to_string(),
        "same rows in another order"
    );
    assert_eq!(
        before.compare(&of(cities.clone(), vec![1.0, 2.0 + 4e-16])).to_string(),
        "column rev differs"
    );
    assert_eq!(
        before.compare(&of(reversed, vec![1.0, 2.0])).to_string(),
        "every column holds the same values, but the rows combine them differently"
    );
    let fewer = of(cities.slice(0, 1), vec![1.0]);
    assert_eq!(
        before.compare(&fewer).to_string(),
        "2 rows became 1; columns city, rev differ"
    );
    let one_column = digest(&column(cities));
    assert_eq!(
        one_column.compare(&before).to_string(),
        "column c (text) was removed; column city (text) was added; column rev (float64) was added; \
         no value of a shared column differs"
    );
}

#[test]
fn duplicate_rows_do_not_cancel() {
    let ints = |values: Vec<i64>| digest(&column(Arc::new(Int64Array::from(values)))).row_sum;
    assert_ne!(ints(vec![4, 4]), ints(vec![5, 5]));
    assert_ne!(ints(vec![4, 4]), ints(vec![]));
}

#[test]
fn parts_add_up_in_any_order() {
    let whole = column(Arc::new(Int64Array::from((0..100).collect::<Vec<i64>>())));
    let mut one = Digester::unordered(whole.schema_ref());
    one.update(&whole.slice(60, 40)).expect("fits");
    let mut other = Digester::new(whole.schema_ref());
    other.update(&whole.slice(0, 60)).expect("fits");
    one.merge(&other).expect("the same columns");
    let (merged, expected) = (one.finish(), digest(&whole));
    assert_eq!(
        (merged.row_sum, merged.rows, merged.sequence),
        (expected.row_sum, 100, None)
    );
    assert_eq!(merged.columns, expected.columns);
    assert_eq!(expected.compare(&merged), Comparison::SameRows);
}

#[test]
fn rows_of_other_columns_are_refused() {
    let ints = column(Arc::new(Int64Array::from(vec![1])));
    let text = column(Arc::new(StringArray::from(vec!["1"])));
    let mut digester = Digester::new(ints.schema_ref());
    let error = digester.update(&text).expect_err("another type");
    assert!(matches!(error, DigestError::SchemaMismatch { position: 1, .. }));
    assert_eq!(
        error.to_string(),
        "column 1 is \"c\" of type text where the digest was begun with \"c\" of type int64"
    );
}

#[test]
fn text_and_json_come_back_as_they_were() {
    let digest = digest(&column(Arc::new(Int64Array::from(vec![Some(1), None]))));
    let json = serde_json::to_value(&digest).expect("serialisable");
    assert_eq!(json["columns"][0]["type"], "int64");
    assert_eq!(serde_json::from_value::<TableDigest>(json).expect("readable"), digest);
    let line: TableDigest = digest.to_string().parse().expect("readable");
    assert_eq!(line.compare(&digest), Comparison::Same);
    let error = "rows2:00 seq1:00 schema1:00 rows:1"
        .parse::<TableDigest>()
        .expect_err("another definition");
    assert_eq!(error.to_string(), "the digest has no rows1");
    assert!(format!("{digest}x").parse::<TableDigest>().is_err());
}

type Row = (Option<i64>, Option<String>, Option<f64>, Option<Vec<Option<i32>>>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let list = prop::option::of(prop::collection::vec(prop::option::of(any::<i32>()), 0..4));
    prop::collection::vec(
        (
            any::<Option<i64>>(),
            any::<Option<String>>(),
            any::<Option<f64>>(),
            list,
        ),
        0..40,
    )
}

fn batch_of(rows: &[Row]) -> RecordBatch {
    let dictionary: StringDictionaryArray = rows.iter().map(|row| row.1.as_deref()).collect();
    table(vec![
        ("i", Arc::new(rows.iter().map(|row| row.0).collect::<Int64Array>())),
        ("s", Arc::new(dictionary)),
        ("f", Arc::new(rows.iter().map(|row| row.2).collect::<Float64Array>())),
        (
            "l",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(
                rows.iter().map(|row| row.3.clone()),
            )),
        ),
    ])
}

type StringDictionaryArray = DictionaryArray<Int32Type>;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn neither_batches_nor_slices_nor_order_matter(rows in rows(), size in 1_usize..9, cut in 0_usize..40) {
        let batch = batch_of(&rows);
        let whole = digest(&batch);
        prop_assert_eq!(&in_batches(&batch, size), &whole);
        let cut = cut.min(rows.len());
        let rejoined = concat_batches(batch.schema_ref(), &[batch_of(&rows[..cut]), batch_of(&rows[cut..])]).expect("one schema");
        prop_assert_eq!(&digest(&rejoined), &whole);
        let backwards: UInt32Array = (0..rows.len() as u32).rev().collect();
        let reversed = digest(&take_record_batch(&batch, &backwards).expect("in range"));
        prop_assert_eq!(reversed.row_sum, whole.row_sum);
        prop_assert!(matches!(whole.compare(&reversed), Comparison::Same | Comparison::OtherOrder));
    }

    #[test]
    fn one_changed_cell_changes_the_digest(rows in rows(), place in any::<prop::sample::Index>(), value in any::<i64>()) {
        prop_assume!(!rows.is_empty());
        let mut other = rows.clone();
        let row = place.index(rows.len());
        prop_assume!(other[row].0 != Some(value));
        other[row].0 = Some(value);
        let (one, other) = (digest(&batch_of(&rows)), digest(&batch_of(&other)));
        prop_assert_ne!(one.row_sum, other.row_sum);
        prop_assert_eq!(one.compare(&other).to_string(), "column i differs");
    }
}
