//! Which type a column gets, and that its values come back.

use super::{assert_text, csv, csv_with, one_column};
use serde_json::{Value, json};

#[test]
fn whole_numbers_grow_until_they_fit() {
    let small = one_column(&["1", "-2", " 3 ", "9223372036854775807"]);
    assert_eq!(small.types(), "c: int64");
    assert_eq!(
        small.column(),
        [json!("1"), json!("-2"), json!("3"), json!("9223372036854775807")]
    );
    let unsigned = one_column(&["0", "18446744073709551615"]);
    assert_eq!(unsigned.types(), "c: uint64");
    assert_eq!(unsigned.column(), [json!("0"), json!("18446744073709551615")]);
    let beyond = one_column(&["-1", "9223372036854775808"]);
    assert_eq!(beyond.types(), "c: decimal(38, 0)");
    assert_eq!(beyond.column(), [json!("-1"), json!("9223372036854775808")]);
    let wide = one_column(&["1", "123456789012345678901234567890"]);
    assert_eq!(wide.types(), "c: decimal(38, 0)");
    assert_eq!(wide.column(), [json!("1"), json!("123456789012345678901234567890")]);
    let lines = ["1", "1234567890123456789012345678901234567890"];
    let too_wide = one_column(&lines);
    assert_text(&too_wide, &lines);
    assert_eq!(
        too_wide.notes(),
        ["c: a number has 40 digits; no type of numbers holds more than 38"]
    );
}

#[test]
fn a_fraction_is_floating_point_when_it_survives() {
    let plain = one_column(&["0.1", "2", "-3.50", "1e3", "1.5E-7", "-0"]);
    assert_eq!(plain.types(), "c: float64");
    assert_eq!(
        plain.column(),
        [
            json!(0.1),
            json!(2.0),
            json!(-3.5),
            json!(1000.0),
            json!(1.5e-7),
            json!(-0.0)
        ]
    );
    let shortest = one_column(&["0.30000000000000004"]);
    assert_eq!(
        (shortest.types().as_str(), &shortest.column()[0]),
        ("c: float64", &json!(0.1 + 0.2))
    );
}

#[test]
fn a_fraction_that_would_be_rounded_is_a_decimal_or_text() {
    let exact = one_column(&["1.5", "12345678901234567.123456789"]);
    assert_eq!(exact.types(), "c: decimal(38, 9)");
    assert_eq!(
        exact.column(),
        [json!("1.500000000"), json!("12345678901234567.123456789")]
    );
    let integer = one_column(&["0.5", "9007199254740993"]);
    assert_eq!(integer.column(), [json!("0.5"), json!("9007199254740993.0")]);
    for lines in [
        ["1.5", "1e400"],
        ["1.5", "0.1234567890123456789012345678901234567890"],
        ["1e-400", "0.5"],
    ] {
        let text = one_column(&lines);
        assert_text(&text, &lines);
        assert!(text.notes()[0].contains("would be rounded by floating point and fits no decimal"));
    }
}

#[test]
fn words_for_numbers_count_beside_numbers_only() {
    let beside = one_column(&["1.5", "NaN", "-inf", "Infinity", "2"]);
    assert_eq!(beside.types(), "c: float64");
    assert_eq!(
        beside.column(),
        [json!(1.5), json!("NaN"), json!("-inf"), json!("inf"), json!(2.0)]
    );
    let names = one_column(&["Nan", "Inf"]);
    assert_text(&names, &["Nan", "Inf"]);
    // A number beside them that floating point would round.
    let lines = ["9007199254740993", "nan"];
    assert_text(&one_column(&lines), &lines);
}

#[test]
fn codes_that_look_like_numbers_stay_text() {
    for lines in [
        &["007", "42"][..],
        &["0123"],
        &["+4915112345", "5"],
        &["-01"],
        &["00"],
        &["1_000"],
        &["0x1F"],
        &["12%"],
    ] {
        assert_text(&one_column(lines), lines);
    }
    assert_eq!(
        one_column(&["007", "042"]).notes(),
        ["c: \"007\" and others begin with a zero that a number would lose"]
    );
}

#[test]
fn the_note_says_why_a_column_is_text() {
    for (lines, why) in [
        (&["42", "007"][..], "\"007\" and others begin with a zero"),
        (&["42", "+49151"], "\"+49151\" and others begin with a plus"),
        (
            &["2023-12-31", "31/12/2023"],
            "\"31/12/2023\" and others are no dates in the order year-month-day",
        ),
        (
            &["1", "2", "x"],
            "2 of 3 values are numbers, but \"x\" in line 4 is not; if it means",
        ),
        (
            &["2024-01-01", "2024-01-02", "2024-01-02 10:00:00"],
            "2 of 3 values are dates, but",
        ),
    ] {
        let notes = one_column(lines).notes();
        assert!(notes.last().is_some_and(|note| note.contains(why)), "{notes:?}");
    }
    let grouped = csv("n,c\n1,\"1,234\"\n2,\"12,345,678\"\n");
    assert_eq!(grouped.cells(), [json!(["1", "1,234"]), json!(["2", "12,345,678"])]);
    assert!(
        grouped.notes()[0].contains("pass the reader option thousands"),
        "{:?}",
        grouped.notes()
    );
}

#[test]
fn digits_in_groups_are_text_until_told() {
    let text = "c;d\n1,234,567;1.234,5\n12;6\n";
    let untold = csv(text);
    assert_eq!(untold.types(), "c: string, d: string");
    assert_eq!(untold.cells(), [json!(["1,234,567", "1.234,5"]), json!(["12", "6"])]);
    let told = csv_with(
        "c\n1,234,567\n12\n",
        Value::Null,
        json!({"thousands": ",", "delimiter": ";"}),
    );
    assert_eq!(
        (told.types().as_str(), told.column()),
        ("c: int64", vec![json!("1234567"), json!("12")])
    );
    let german = csv_with(
        "c;d\n1.234,5;1.234\n",
        Value::Null,
        json!({"decimal": ",", "thousands": "."}),
    );
    assert_eq!(german.types(), "c: float64, d: int64");
    assert_eq!(german.cells(), [json!([1234.5, "1234"])]);
    // What is not grouped in threes is no number.
    let unsound = csv_with("c\n1,23\n", Value::Null, json!({"thousands": ",", "delimiter": ";"}));
    assert_text(&unsound, &["1,23"]);
}

#[test]
fn a_comma_before_the_fraction_is_found_when_it_is_certain() {
    let certain = csv("price;n\n1,5;1\n22,75;2\n3;3\n");
    assert_eq!(certain.types(), "price: float64, n: int64");
    assert_eq!(
        certain.cells(),
        [json!([1.5, "1"]), json!([22.75, "2"]), json!([3.0, "3"])]
    );
    // "1,234" may be a thousand and something.
    let uncertain = csv("n;c\n1;1,234\n2;5,678\n");
    assert_eq!(uncertain.types(), "n: int64, c: string");
    assert_eq!(uncertain.cells(), [json!(["1", "1,234"]), json!(["2", "5,678"])]);
    assert_eq!(
        uncertain.notes(),
        ["c: \"1,234\" may be a fraction or a group of three digits; pass the reader option decimal, or thousands"]
    );
    // Another column settles it.
    let settled = csv("p;c\n1,5;1,234\n");
    assert_eq!(settled.cells(), [json!([1.5, 1.234])]);
    // In a file with commas, "1.234" is most likely a thousand and something.
    let points = csv("p;c\n1,5;1.234\n");
    assert_eq!(points.types(), "p: float64, c: string");
    let told = csv_with("c;d\n1,234;1\n", Value::Null, json!({"decimal": ","}));
    assert_eq!(told.cells(), [json!([1.234, "1"])]);
    let both = csv("c;n\n1,5;1\n2.5;2\n");
    assert_eq!(both.types(), "c: string, n: int64");
}

#[test]
fn truth_is_two_words() {
    let truth = one_column(&["true", "FALSE", "True"]);
    assert_eq!(
        (truth.types().as_str(), truth.column()),
        ("c: boolean", vec![json!(true), json!(false), json!(true)])
    );
    for lines in [["yes", "no"], ["T", "F"], ["true", "1"], ["true", "maybe"]] {
        assert_text(&one_column(&lines), &lines);
    }
    assert_eq!(one_column(&["1", "0"]).types(), "c: int64");
}

#[test]
fn dates_are_those_written_from_the_year_down() {
    let dates = one_column(&["2024-02-29", "0001-01-01", "9999-12-31"]);
    assert_eq!(dates.types(), "c: date");
    assert_eq!(
        dates.column(),
        [json!("2024-02-29"), json!("0001-01-01"), json!("9999-12-31")]
    );
    for lines in [
        &["01/02/2023", "03/04/2023"][..],
        &["31.12.2023"],
        &["2023-02-29", "2023-02-28"],
        &["2023-2-3"],
        &["2024-01-01", "2024-01-01 10:00:00"],
        &["20240101x"],
        &["0000-00-00"],
    ] {
        assert_text(&one_column(lines), lines);
    }
    assert!(one_column(&["01/02/2023"]).notes()[0].contains("no dates in the order year-month-day"));
    assert_eq!(one_column(&["20240101"]).types(), "c: int64");
}

#[test]
fn times_have_seconds() {
    let times = one_column(&["00:00:00", "23:59:59.5"]);
    assert_eq!(
        (times.types().as_str(), times.column()),
        ("c: time(6)", vec![json!("00:00:00"), json!("23:59:59.500")])
    );
    assert_eq!(one_column(&["10:00:00.123456789"]).types(), "c: time(9)");
    for lines in [&["10:30"][..], &["24:00:00"], &["10:00:60"], &["1:00:00"]] {
        assert_text(&one_column(lines), lines);
    }
}

#[test]
fn timestamps_keep_their_digits() {
    let micros = one_column(&["2024-01-01T10:00:00", "2024-01-01 10:00", "2024-01-01 10:00:00.123456"]);
    assert_eq!(micros.types(), "c: timestamp(6)");
    assert_eq!(micros.column()[2], json!("2024-01-01T10:00:00.123456"));
    let nanos = one_column(&["2024-01-01T10:00:00.123456789"]);
    assert_eq!(
        (nanos.types().as_str(), &nanos.column()[0]),
        ("c: timestamp(9)", &json!("2024-01-01T10:00:00.123456789"))
    );
    // Zeros at the end need no room.
    assert_eq!(
        one_column(&["2024-01-01 10:00:00.000000000"]).types(),
        "c: timestamp(6)"
    );
    let lines = ["2024-01-01T10:00:00.123456789", "1600-01-01T00:00:00"];
    assert_text(&one_column(&lines), &lines);
    for lines in [
        &["2024-01-01T10:00:00.1234567891"][..],
        &["2024-01-01T25:00:00"],
        &["2024-13-01T10:00:00"],
    ] {
        assert_text(&one_column(lines), lines);
    }
}

#[test]
fn offsets_make_instants() {
    let utc = one_column(&["2024-01-01T10:00:00Z"]);
    assert_eq!(
        (utc.types().as_str(), &utc.column()[0]),
        ("c: timestamp(6, 'UTC')", &json!("2024-01-01T10:00:00Z"))
    );
    let one = one_column(&["2024-01-01T10:00:00+05:30", "2024-06-01 10:00:00+0530"]);
    assert_eq!(one.types(), "c: timestamp(6, '+05:30')");
    assert_eq!(
        one.column(),
        [json!("2024-01-01T10:00:00+05:30"), json!("2024-06-01T10:00:00+05:30")]
    );
    // The night the clocks in Berlin go back: two o'clock comes twice.
    let change = one_column(&["2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00"]);
    assert_eq!(change.types(), "c: timestamp(6, 'UTC')");
    assert_eq!(
        change.column(),
        [json!("2024-10-27T00:30:00Z"), json!("2024-10-27T01:30:00Z")]
    );
    assert!(change.notes()[0].starts_with("c: its offsets differ (+02:00, +01:00), so it holds the instants in UTC"));
    let lines = ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00"];
    let mixed = one_column(&lines);
    assert_text(&mixed, &lines);
    assert!(mixed.notes()[0].contains("they are not on one clock"));
}

#[test]
fn a_type_that_changes_late_is_seen() {
    let mut lines: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
    lines.push("3.7".to_owned());
    let fraction = csv(format!("c\n{}\n", lines.join("\n")));
    assert_eq!(fraction.types(), "c: float64");
    lines.push("n/a".to_owned());
    let text = csv(format!("c\n{}\n", lines.join("\n")));
    assert_eq!((text.types().as_str(), &text.column()[7]), ("c: string", &json!("7")));
    assert_eq!(
        text.notes(),
        [
            "c: 50001 of 50002 values are numbers, but \"n/a\" in line 50003 is not; if it means that there is no value, \
          pass it in the reader option null_values"
        ]
    );
}

#[test]
fn missing_is_nothing_between_delimiters_and_words_only_when_told() {
    let text = csv("a,b\n1,x\n,\n\"\",\"\"\n  ,  \n");
    assert_eq!(text.types(), "a: int64, b: string");
    assert_eq!(
        text.cells(),
        [
            json!(["1", "x"]),
            json!([null, null]),
            json!([null, ""]),
            json!([null, "  "])
        ]
    );
    let words = csv("a\n1\nNA\n");
    assert_eq!(
        (words.types().as_str(), words.column()),
        ("a: string", vec![json!("1"), json!("NA")])
    );
    let told = csv_with("a,b\n1,NA\nNA,-\n", Value::Null, json!({"null_values": ["NA", "-"]}));
    assert_eq!(told.types(), "a: int64, b: string");
    assert_eq!(told.cells(), [json!(["1", null]), json!([null, null])]);
}

#[test]
fn a_column_without_values_is_text() {
    let empty = csv("a,b\n1,\n2,\n");
    assert_eq!(empty.types(), "a: int64, b: string");
    assert_eq!(empty.cells(), [json!(["1", null]), json!(["2", null])]);
    assert_eq!(empty.notes(), ["b: the column has no value; it is text"]);
}

#[test]
fn quotes_do_not_make_text() {
    assert_eq!(csv("a,b\n\"1\",\"x\"\n").types(), "a: int64, b: string");
}

#[test]
fn nothing_depends_on_the_zone_of_the_machine() {
    let text = "c\n2024-03-31T02:30:00\n2024-10-27T02:30:00\n";
    let here = csv(text);
    assert_eq!(
        here.column(),
        [json!("2024-03-31T02:30:00"), json!("2024-10-27T02:30:00")]
    );
    assert_eq!(here.types(), "c: timestamp(6)");
}
