//! Schemas: by name, by position, total, and kept to.

use super::{csv_with, import_named, try_csv_with};
use candor_catalog_tables::import::{ImportError, ImportOptions, SchemaSpec};
use serde_json::{Value, json};

fn refusal(text: &str, schema: Value) -> String {
    try_csv_with(text, schema, Value::Null)
        .err()
        .expect("refused")
        .to_string()
}

#[test]
fn a_map_gives_types_by_name_and_pairs_by_position() {
    let text = "id,when,zip\n1,2024-01-01,01234\n";
    let named = csv_with(
        text,
        json!({"zip": "string", "id": "int16", "when": "infer"}),
        Value::Null,
    );
    assert_eq!(named.types(), "id: int16, when: date, zip: string");
    let renamed = csv_with(
        text,
        json!([["key", "uint8"], ["day", "date"], ["postcode", "string"]]),
        Value::Null,
    );
    assert_eq!(renamed.types(), "key: uint8, day: date, postcode: string");
    let rest = csv_with(text, json!({"id": "float32", "&rest": "string"}), Value::Null);
    assert_eq!(rest.types(), "id: float32, when: string, zip: string");
    let last = csv_with(text, json!([["key", "int64"], ["&rest", "infer"]]), Value::Null);
    assert_eq!(last.types(), "key: int64, when: date, zip: string");
}

#[test]
fn a_schema_must_account_for_every_column() {
    let text = "a,b\n1,x\n";
    assert_eq!(
        refusal(text, json!({"a": "int64"})),
        "the schema does not fit the file: it says nothing of [\"b\"]; name them or add \"&rest\": \"infer\"; its \
         columns are \"a\", \"b\". A schema to paste: {\"a\":\"int64\",\"b\":\"string\"}"
    );
    assert!(
        refusal(text, json!({"a": "int64", "c": "string"}))
            .contains("\"c\": the header has no such column; to rename columns give [name, type] pairs")
    );
    assert!(refusal(text, json!([["a", "int64"]])).contains("it has 1 pairs for 2 columns; add the others"));
    assert!(
        refusal(text, json!([["a", "int64"], ["b", "string"], ["c", "string"]]))
            .contains("it has 3 pairs for 2 columns")
    );
    assert!(refusal(text, json!([["b", "int64"], ["&rest", "infer"]])).contains("two columns would be named \"b\""));
}

#[test]
fn a_schema_that_is_none_is_told_why() {
    for (schema, said) in [
        (
            json!({"a": "strng"}),
            "schema: column \"a\": \"strng\" is no type; the types are int8",
        ),
        (json!({"a": 5}), "schema: the type of \"a\" is 5, not a string"),
        (json!(["a"]), "schema: item 1 is \"a\", not a pair [name, type]"),
        (
            json!([["&rest", "infer"], ["a", "int8"]]),
            "schema: \"&rest\" must be the last pair",
        ),
        (
            json!([["a", "int8"], ["a", "int8"]]),
            "schema: two pairs are named \"a\"",
        ),
        (json!(5), "schema: 5 is no schema"),
    ] {
        let error = SchemaSpec::from_json(&schema).expect_err("refused").to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn a_value_that_is_none_of_the_type_is_told_with_a_schema_to_paste() {
    let text = "id,n\n1,5\n2,3.7\n";
    let error = try_csv_with(text, json!({"id": "int64", "n": "int64"}), Value::Null)
        .err()
        .expect("refused");
    assert_eq!(
        error.to_string(),
        "line 3, column \"n\": \"3.7\" is no int64: it is not a whole number. A schema to paste: \
         {\"id\":\"int64\",\"n\":\"float64\"}"
    );
    let ImportError::BadValue(bad) = error else {
        panic!("{error}");
    };
    assert_eq!((bad.column.as_str(), bad.line, bad.row), ("n", 3, 2));
    assert_eq!(
        csv_with(text, bad.suggestion.to_json(), Value::Null).types(),
        "id: int64, n: float64"
    );
}

#[test]
fn nothing_is_rounded_wrapped_or_cut_to_fit() {
    for (data_type, value, why) in [
        ("int8", "128", "beyond what int8 can hold"),
        ("uint8", "-1", "beyond what uint8 can hold"),
        ("int64", "9223372036854775808", "beyond what int64 can hold"),
        ("int64", "1e3", "not a whole number"),
        ("int64", "1,000", "not a whole number"),
        ("int64", "x", "not a number"),
        ("float64", "1e400", "beyond what float64 can hold"),
        ("float64", "1.234,5", "not a number as they are written here"),
        ("float32", "1e39", "beyond what float32 can hold"),
        (
            "decimal(4, 2)",
            "1.234",
            "3 digits behind the point and would be rounded to 2",
        ),
        ("decimal(4, 2)", "123.45", "beyond what decimal(4, 2) can hold"),
        ("decimal(4, 2)", "1e1", "without an exponent"),
        ("boolean", "maybe", "true or false"),
        ("date", "31/12/2023", "year-month-day"),
        ("date", "2023-02-29", "year-month-day"),
        ("date", "2024-01-01 00:00:00", "year-month-day"),
        ("time(0)", "10:00:00.5", "the type keeps no fraction"),
        (
            "timestamp(3)",
            "2024-01-01 10:00:00.1234",
            "has 4 digits behind the point, the type keeps 3 digits",
        ),
        (
            "timestamp(6)",
            "2024-01-01 10:00:00+01:00",
            "has an offset, which a timestamp without a zone would lose",
        ),
        (
            "timestamp(9)",
            "1600-01-01 00:00:00",
            "beyond what 64 bits of this unit can hold",
        ),
        (
            "timestamp(6, 'Europe/Berlin')",
            "2024-03-31 02:30:00",
            "the clocks of the zone skipped it",
        ),
        (
            "timestamp(6, 'Europe/Berlin')",
            "2024-10-27 02:30:00",
            "the clocks of the zone showed it twice",
        ),
    ] {
        let error = refusal(&format!("c;d\n{value};x\n"), json!({"c": data_type, "d": "string"}));
        assert!(error.contains(why), "{data_type} {value}: {error}");
        assert!(error.contains("line 2, column \"c\""), "{error}");
    }
}

#[test]
fn what_fits_is_kept_exactly() {
    for (data_type, value, cell) in [
        ("int8", " -128 ", json!(-128)),
        ("int64", "007", json!("7")),
        ("int64", "+5", json!("5")),
        ("float32", "0.1", json!(0.1)),
        ("float64", "5", json!(5.0)),
        ("float64", "nan", json!("NaN")),
        ("decimal(4, 2)", "1.5000", json!("1.50")),
        (
            "decimal(38, 0)",
            "-12345678901234567890123456789012345678",
            json!("-12345678901234567890123456789012345678"),
        ),
        ("decimal", "1.25", json!("1.25")),
        ("string", " 007 ", json!(" 007 ")),
        ("boolean", "Y", json!(true)),
        ("date", "2024-02-29", json!("2024-02-29")),
        ("time(3)", "10:00", json!("10:00:00")),
        ("timestamp(0)", "2024-01-01 10:00", json!("2024-01-01T10:00:00")),
        (
            "timestamp(6, 'Europe/Berlin')",
            "2024-07-01 12:00:00",
            json!("2024-07-01T12:00:00+02:00"),
        ),
        (
            "timestamp(6, 'Europe/Berlin')",
            "2024-10-27T02:30:00+01:00",
            json!("2024-10-27T02:30:00+01:00"),
        ),
        (
            "timestamp(3, 'UTC')",
            "2024-01-01T00:00:00-05:00",
            json!("2024-01-01T05:00:00Z"),
        ),
    ] {
        let imported = csv_with(
            format!("c;d\n{value};x\n"),
            json!({"c": data_type, "d": "string"}),
            Value::Null,
        );
        assert_eq!(imported.cells()[0][0], cell, "{data_type} {value:?}");
    }
    // A fraction behind a comma is found for pinned types as well.
    let comma = csv_with(
        "c;d\n1,5;x\n",
        json!({"c": "decimal(4, 2)", "d": "string"}),
        Value::Null,
    );
    assert_eq!(comma.cells()[0][0], json!("1.50"));
}

#[test]
fn missing_values_of_pinned_columns_are_null() {
    let imported = csv_with("a,b\n,\n1,\"\"\n", json!({"a": "int32", "b": "date"}), Value::Null);
    assert_eq!(imported.cells(), [json!([null, null]), json!([1, null])]);
}

#[test]
fn parquet_takes_neither_schema_nor_options() {
    let options = ImportOptions::from_json(Some(&json!({"a": "int64"})), None).expect("a schema");
    let refused = import_named("x.parquet", b"PAR1", &options).err().expect("refused");
    assert!(matches!(refused, ImportError::BadOption { option, .. } if option == "schema"));
    let options = ImportOptions::from_json(None, Some(&json!({"delimiter": ";"}))).expect("options");
    let refused = import_named("x.pq", b"PAR1", &options).err().expect("refused");
    assert!(matches!(refused, ImportError::BadOption { option, .. } if option == "reader_options"));
}

mod parquet_files {
    use super::super::import_named;
    use candor_catalog_tables::import::ImportOptions;
    use parquet::basic::Compression;
    use parquet::data_type::{Int96, Int96Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use serde_json::json;
    use std::sync::Arc;

    /// A file with a column `t` of 96-bit time stamps: days since 1970 and nanoseconds of the day.
    fn old_stamps(stamps: &[(u32, u64)]) -> Vec<u8> {
        let schema = Arc::new(parse_message_type("message m { required int96 t; }").expect("a schema"));
        let properties = WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .build();
        let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("begun");
        let mut group = file.next_row_group().expect("begun");
        let mut column = group.next_column().expect("readable").expect("one column");
        let values: Vec<Int96> = stamps
            .iter()
            .map(|(day, nanos)| {
                let mut value = Int96::new();
                // Days are counted from the Julian day 0.
                value.set_data(*nanos as u32, (*nanos >> 32) as u32, day + 2_440_588);
                value
            })
            .collect();
        column
            .typed::<Int96Type>()
            .write_batch(&values, None, None)
            .expect("written");
        column.close().expect("written");
        group.close().expect("written");
        file.into_inner().expect("written")
    }

    #[test]
    fn old_time_stamps_never_wrap() {
        let import = |stamps: &[(u32, u64)]| import_named("x.parquet", &old_stamps(stamps), &ImportOptions::default());
        let near = import(&[(0, 1), (19_782, 0)]).expect("imported");
        assert_eq!(near.types(), "t: timestamp(9)");
        assert_eq!(
            near.column(),
            [json!("1970-01-01T00:00:00.000000001"), json!("2024-02-29T00:00:00")]
        );
        let far = import(&[(2_932_896, 1_000), (0, 0)]).expect("imported");
        assert_eq!(far.types(), "t: timestamp(6)");
        assert_eq!(
            far.column(),
            [json!("9999-12-31T00:00:00.000001"), json!("1970-01-01T00:00:00")]
        );
        assert!(far.notes()[0].starts_with("t: its days reach beyond the years 1677 to 2262"));
        let both = import(&[(2_932_896, 0), (0, 1)]).err().expect("refused").to_string();
        assert!(
            both.starts_with("column \"t\" has the type timestamp of 96 bits, with days beyond"),
            "{both}"
        );
    }
}
