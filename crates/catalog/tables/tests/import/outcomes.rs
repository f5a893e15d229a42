//! Headers, widths, line ends, encodings: one outcome each.

use super::{csv, csv_with, failure, import_named, try_csv, try_csv_with};
use candor_catalog_tables::import::{ImportError, ImportOptions};
use serde_json::{Value, json};

#[test]
fn an_empty_file_is_refused_and_a_header_alone_is_not() {
    for text in ["", "\n\n", "  \r\n", "\u{feff}"] {
        assert!(matches!(try_csv(text), Err(ImportError::Empty { .. })), "{text:?}");
    }
    let header = csv("a,b\n");
    assert_eq!(
        (header.types().as_str(), header.outcome.facts.rows),
        ("a: string, b: string", 0)
    );
}

#[test]
fn short_and_long_rows_are_refused_with_their_line() {
    assert_eq!(
        failure("a,b,c\n1,2,3\n4,5\n6\n"),
        "line 3 has 2 values where the header has 3: \"4,5\" (and one more line). No value is made up or dropped: \
         correct the line"
    );
    assert!(failure("a,b\n1,2\n\n3,4,5\n").starts_with("line 4 has 3 values where the header has 2: \"3,4,5\"."));
    assert!(failure("a,b\n1,2\n3,4,\n5,6\n").starts_with("line 3 has 3 values where the header has 2"));
    assert!(failure("a,b\n#x\n1,2\n").ends_with("or pass the reader option comment \"#\" when such lines are no rows"));
    let title = failure("My report\na,b\n1,2\n");
    assert!(
        title.contains("when it is a title, pass the reader option skip_rows 1"),
        "{title}"
    );
    let told = csv_with("My report\na,b\n1,2\n", Value::Null, json!({"skip_rows": 1}));
    assert_eq!(told.cells(), [json!(["1", "2"])]);
}

#[test]
fn a_delimiter_at_the_end_of_every_line_hides_nothing() {
    for text in ["a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n", "a,b,\n1,2\n3,4\n"] {
        let imported = csv(text);
        assert_eq!(imported.types(), "a: int64, b: int64", "{text:?}");
        assert_eq!(imported.cells(), [json!(["1", "2"]), json!(["3", "4"])]);
        assert_eq!(imported.notes().len(), 1, "{:?}", imported.notes());
    }
    // A value behind it is a column.
    let value = csv("a,b,\n1,2,\n3,4,x\n");
    assert_eq!(value.types(), "a: int64, b: int64, column_3: string");
}

#[test]
fn headers_are_kept_and_made_unique() {
    let twice = csv("a,b,a,a_2,a\n1,2,3,4,5\n");
    assert_eq!(twice.types(), "a: int64, b: int64, a_3: int64, a_2: int64, a_4: int64");
    assert_eq!(
        twice.notes(),
        [
            "a_3: column 3 is named a_3: \"a\" occurs before it",
            "a_4: column 5 is named a_4: \"a\" occurs before it"
        ]
    );
    let blank = csv(",b,  \n1,2,3\n");
    assert_eq!(blank.types(), "column_1: int64, b: int64, column_3: int64");
    let odd = csv(" id ,Größe,名前,\"a,b\",\"x\"\"y\",a A\n1,2,3,4,5,6\n");
    assert_eq!(
        odd.types(),
        "id: int64, Größe: int64, 名前: int64, a,b: int64, x\"y: int64, a A: int64"
    );
    // Letter case and composed letters make different names.
    assert_eq!(csv("A,a,\u{e9},e\u{301}\n1,2,3,4\n").outcome.report.columns.len(), 4);
    let taken = csv("column_2,\n1,2\n");
    assert_eq!(taken.types(), "column_2: int64, column_2_2: int64");
}

#[test]
fn a_missing_header_is_found_out() {
    let numbers = csv("1,x,2024-01-01\n2,y,2024-01-02\n");
    assert_eq!(numbers.types(), "column_1: int64, column_2: string, column_3: date");
    assert_eq!(numbers.outcome.facts.rows, 2);
    assert!(numbers.notes()[0].contains("it is a row"));
    let years = csv("country,2019,2020\nDE,83,84\nFR,67,68\n");
    assert_eq!(years.types(), "country: string, 2019: int64, 2020: int64");
    let named = csv("id,2019\n1,5\n");
    assert_eq!(named.types(), "id: int64, 2019: int64");
    let text = csv("Berlin,DE\nParis,FR\n");
    assert_eq!(
        (text.types().as_str(), text.outcome.facts.rows),
        ("Berlin: string, DE: string", 1)
    );
    assert!(text.notes()[0].contains("pass has_header false"));
    let told = csv_with("Berlin,DE\nParis,FR\n", Value::Null, json!({"has_header": false}));
    assert_eq!(told.cells(), [json!(["Berlin", "DE"]), json!(["Paris", "FR"])]);
    let line = csv("1,2,3\n");
    assert_eq!(
        (line.types().as_str(), line.outcome.facts.rows),
        ("column_1: int64, column_2: int64, column_3: int64", 1)
    );
    let told = csv_with("1,2\n3,4\n", Value::Null, json!({"has_header": true}));
    assert_eq!(
        (told.types().as_str(), told.outcome.facts.rows),
        ("1: int64, 2: int64", 1)
    );
}

#[test]
fn line_ends_may_be_mixed_and_are_kept_inside_quotes() {
    let mixed = csv("a,b\r\n1,\"x\r\ny\"\n2,\"p\nq\"\r3,z");
    assert_eq!(
        mixed.cells(),
        [json!(["1", "x\r\ny"]), json!(["2", "p\nq"]), json!(["3", "z"])]
    );
}

#[test]
fn blank_lines_are_no_rows_but_nulls_in_a_single_column() {
    let table = csv("\na,b\n\n1,2\n   \n3,4\n\n");
    assert_eq!(table.cells(), [json!(["1", "2"]), json!(["3", "4"])]);
    assert_eq!(table.notes(), ["-: 4 blank lines are no rows: 1, 3, 5, 7"]);
    let single = csv("a\n1\n\n2\n\n\n");
    assert_eq!(single.column(), [json!("1"), Value::Null, json!("2")]);
    assert_eq!(csv("a\n\"\"\n\nx\n").column(), [json!(""), Value::Null, json!("x")]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    assert_eq!(csv("\u{feff}a,b\n1,2\n").types(), "a: int64, b: int64");
    assert_eq!(csv("\u{feff}\"a\",b\n1,2\n").types(), "a: int64, b: int64");
}

#[test]
fn utf_16_is_read() {
    let text = "a;b\n1;Größe €😀\n";
    let mut little = vec![0xff, 0xfe];
    little.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let mut big = vec![0xfe, 0xff];
    big.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    let unmarked: Vec<u8> = "a;b\n1;text\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(csv(little).cells(), [json!(["1", "Größe €😀"])]);
    assert_eq!(csv(big).cells(), [json!(["1", "Größe €😀"])]);
    assert_eq!(csv(unmarked).cells(), [json!(["1", "text"])]);
}

#[test]
fn other_encodings_are_refused_with_what_to_pass() {
    let bytes = b"id,name\n1,ok\n2,Caf\xe9\n";
    assert_eq!(
        failure(bytes),
        "line 3, column \"name\": 0xE9 is not UTF-8; if the file is windows-1252, the value begins \"Café\": then pass \
         the reader option encoding \"windows-1252\""
    );
    let told = csv_with(bytes, Value::Null, json!({"encoding": "windows-1252"}));
    assert_eq!(told.cells(), [json!(["1", "ok"]), json!(["2", "Café"])]);
    assert!(told.notes().contains(&"-: the file is windows-1252".to_owned()));
    let japanese = csv_with(b"a,b\n1,\x93\xfa\x96{\n", Value::Null, json!({"encoding": "Shift_JIS"}));
    assert_eq!(japanese.cells(), [json!(["1", "日本"])]);
    assert!(matches!(
        try_csv_with("a\n1\n", Value::Null, json!({"encoding": "utf-9"})),
        Err(ImportError::BadOption { option, .. }) if option == "encoding"
    ));
}

#[test]
fn files_that_are_no_text_are_named() {
    for (bytes, kind) in [
        (&b"PK\x03\x04rest"[..], "ZIP"),
        (b"PAR1....PAR1", "Parquet"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\xff\xfe\0\0a\0\0\0", "UTF-32"),
    ] {
        let error = try_csv(bytes).err().expect("refused").to_string();
        assert!(error.contains(kind), "{error}");
    }
}

#[test]
fn delimiters_quotes_and_escapes_are_found() {
    assert_eq!(csv("a\tb\n1\tx y\n").cells(), [json!(["1", "x y"])]);
    assert_eq!(csv("a|b\n1|x,y\n").cells(), [json!(["1", "x,y"])]);
    assert_eq!(csv("sep=;\na;b\n1;2\n").cells(), [json!(["1", "2"])]);
    assert_eq!(
        csv("'a','b'\n'1','x,y'\n'2','it''s'\n").cells(),
        [json!(["1", "x,y"]), json!(["2", "it's"])]
    );
    assert_eq!(
        csv("a,b\n1,\"say \\\"hi\\\", now\"\n").cells(),
        [json!(["1", "say \"hi\", now"])]
    );
    assert_eq!(
        csv("a,b\n1,5\" pipe\n2,O'Neil\n").cells(),
        [json!(["1", "5\" pipe"]), json!(["2", "O'Neil"])]
    );
    assert_eq!(csv("a, b\n1, \"x, y\"\n").cells(), [json!(["1", "x, y"])]);
    assert_eq!(
        csv("name\nsmith, john\nx\n").column(),
        [json!("smith, john"), json!("x")]
    );
    let tabs = import_named("data.tsv", b"a\tb,c\n1\t2,3\n", &ImportOptions::default()).expect("imported");
    assert_eq!(tabs.types(), "a: int64, b,c: float64");
    let remarks = csv("# made today, by hand\n# x\nid,name,n\n1,x,2\n");
    assert_eq!(remarks.types(), "id: int64, name: string, n: int64");
    assert_eq!(csv("#id,name\n1,x\n").types(), "#id: int64, name: string");
}

#[test]
fn quotes_that_end_wrongly_are_refused_with_their_line() {
    let behind = failure("a,b\n1,x\n2,\"Big\" Lebowski\n");
    assert!(
        behind.starts_with("line 3, column \"b\": there is text behind the closing quote;"),
        "{behind}"
    );
    let open = failure("a,b\n1,x\n2,\"open\n3,y\n");
    assert!(
        open.starts_with("line 3, column \"b\": the quote opened here is never closed;"),
        "{open}"
    );
    let told = csv_with("a,b\n2,\"Big\" Lebowski\n", Value::Null, json!({"quote": ""}));
    assert_eq!(told.cells(), [json!(["2", "\"Big\" Lebowski"])]);
}

#[test]
fn an_escape_beyond_the_sample_is_found() {
    let mut lines = vec!["a,b".to_owned()];
    lines.extend((0..40_000).map(|n| format!("{n},\"plain text\"")));
    lines.push("1,\"now \\\"quoted\\\", yes\"".to_owned());
    let imported = csv(lines.join("\n"));
    assert_eq!(imported.outcome.facts.rows, 40_001);
    assert_eq!(
        imported.outcome.report.read_as.expect("text").escape.as_deref(),
        Some("\\")
    );
}

#[test]
fn an_inherited_row_order_is_replaced() {
    let imported = csv("a,__row_order\n5,9\n6,8\n");
    assert_eq!(
        (imported.types().as_str(), imported.cells()),
        ("a: int64", vec![json!(["5"]), json!(["6"])])
    );
    assert!(imported.notes()[0].starts_with("__row_order: the column is left out"));
}

#[test]
fn files_that_are_not_there_or_not_files_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("t.parquet");
    let import = |name: &str| {
        let options = ImportOptions::default();
        candor_catalog_tables::import::import_file(&folder.path().join(name), &target, &options, &|| false).err()
    };
    assert!(matches!(import("no.csv"), Some(ImportError::Missing { .. })));
    assert!(matches!(import(""), Some(ImportError::Folder { .. })));
    std::fs::write(folder.path().join("x.xlsx"), "x").expect("writable");
    assert!(matches!(import("x.xlsx"), Some(ImportError::UnknownSuffix { .. })));
}

#[test]
fn options_that_cannot_be_are_refused_by_name() {
    for (reader, said) in [
        (
            json!({"delimeter": ";"}),
            "delimeter: there is no such reader option; there are delimiter, quote",
        ),
        (
            json!({"delimiter": ";;"}),
            "delimiter: \";;\" is not a single ASCII sign in quotes",
        ),
        (json!({"decimal": "x"}), "decimal: \"x\" is not \".\" or \",\""),
        (json!({"has_header": "yes"}), "has_header: \"yes\" is not true or false"),
        (json!({"skip_rows": -1}), "skip_rows: -1 is not a number of lines"),
        (
            json!({"delimiter": "\"", "quote": "\""}),
            "delimiter: it is the same sign as quote",
        ),
        (json!([1]), "reader_options: [1] is no object"),
    ] {
        let error = ImportOptions::from_json(None, Some(&reader))
            .expect_err("refused")
            .to_string();
        assert!(error.starts_with(said), "{error}");
    }
    let options =
        ImportOptions::from_json(None, Some(&json!({"separator": "\\t", "skip_rows": 2.0}))).expect("understood");
    assert_eq!(options.reader_json(), json!({"delimiter": "\t", "skip_rows": 2}));
}
