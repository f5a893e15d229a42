use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    rule: String,
    #[schemars(range(min = 1))]
    limit: Option<i32>,
    severity: Option<Severity>,
    #[serde(default)]
    rule_ids: Vec<String>,
    range: Option<Range>,
    choice: Option<Choice>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Severity {
    Error,
    Warning,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Range {
    from: u32,
    ratio: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Choice {
    Name(String),
    Number(u8),
}

fn parse(arguments: Value) -> Result<Arguments, ArgumentError> {
    let Value::Object(arguments) = arguments else {
        panic!("the test gives no object");
    };
    parse_arguments(arguments)
}

#[track_caller]
fn expect_problem(arguments: Value, path: &str, message: &str) {
    let error = parse(arguments).unwrap_err();
    assert_eq!((error.path(), error.to_string().as_str()), (path, message));
}

#[test]
fn good_arguments_arrive() {
    assert_eq!(
            parse(json!({"rule": "LC0001", "limit": 2, "severity": "Error", "ruleIds": ["a"], "range": {"from": 3}, "choice": 7})).unwrap(),
            Arguments {
                rule: "LC0001".into(),
                limit: Some(2),
                severity: Some(Severity::Error),
                rule_ids: vec!["a".into()],
                range: Some(Range { from: 3, ratio: None }),
                choice: Some(Choice::Number(7)),
            }
        );
}

#[test]
fn a_whole_number_with_a_point_is_an_integer_at_any_depth() {
    let read = parse(json!({"rule": "r", "limit": 2.0, "range": {"from": 3.0}, "choice": 4.0})).unwrap();
    assert_eq!(read.limit, Some(2));
    assert_eq!(read.range.unwrap().from, 3);
    assert_eq!(read.choice, Some(Choice::Number(4)));
    expect_problem(
        json!({"rule": "r", "limit": 2.5}),
        "limit",
        "Argument `limit` must be an integer of at least 1, but is the number 2.5.",
    );
}

#[test]
fn what_was_given_is_echoed_only_as_far_as_it_takes_to_recognise_it() {
    let long = "x".repeat(10_000);
    let shown = format!("{}…", "x".repeat(60));
    expect_problem(
        json!({"rule": "r", "limit": long}),
        "limit",
        &format!("Argument `limit` must be an integer of at least 1, but is the string \"{shown}\"."),
    );
    let error = parse(json!({"rule": "r", long: 1})).unwrap_err();
    assert_eq!(error.path(), shown);
}

#[test]
fn a_word_of_a_closed_set_counts_in_any_letter_case() {
    let read = parse(json!({"rule": "r", "severity": "wARNING"})).unwrap();
    assert_eq!(read.severity, Some(Severity::Warning));
}

#[test]
fn null_is_the_same_as_absent() {
    let read =
        parse(json!({"rule": "r", "limit": null, "ruleIds": null, "range": {"from": 1, "ratio": null}})).unwrap();
    assert_eq!((read.limit, read.rule_ids.len()), (None, 0));
    expect_problem(
        json!({"rule": null}),
        "rule",
        "Argument `rule` is missing: it must be a string.",
    );
}

#[test]
fn an_unknown_argument_is_named_with_the_nearest_known_ones() {
    expect_problem(
        json!({"rule": "r", "rule_ids": []}),
        "rule_ids",
        "Unknown argument `rule_ids`. Did you mean `ruleIds`? Known are `rule`, `limit`, `severity`, `ruleIds`, `range`, `choice`.",
    );
    expect_problem(
        json!({"rule": "r", "range": {"from": 1, "until": 2}}),
        "range.until",
        "Unknown argument `range.until`. Known are `from`, `ratio`.",
    );
}

#[test]
fn an_unknown_argument_given_as_null_is_still_unknown() {
    expect_problem(
        json!({"rule": "r", "colour": null}),
        "colour",
        "Unknown argument `colour`. Known are `rule`, `limit`, `severity`, `ruleIds`, `range`, `choice`.",
    );
}

#[test]
fn a_missing_argument_is_named_with_what_it_should_be() {
    expect_problem(json!({}), "rule", "Argument `rule` is missing: it must be a string.");
    expect_problem(
        json!({"rule": "r", "range": {}}),
        "range.from",
        "Argument `range.from` is missing: it must be an integer of at least 0.",
    );
}

#[test]
fn an_unfit_argument_is_named_with_what_was_expected_and_given() {
    expect_problem(
        json!({"rule": 7}),
        "rule",
        "Argument `rule` must be a string, but is the number 7.",
    );
    expect_problem(
        json!({"rule": "r", "limit": 0}),
        "limit",
        "Argument `limit` must be an integer of at least 1, but is the number 0.",
    );
    expect_problem(
        json!({"rule": "r", "severity": "erorr"}),
        "severity",
        "Argument `severity` must be one of \"Error\", \"Warning\", but is the string \"erorr\".",
    );
    expect_problem(
        json!({"rule": "r", "ruleIds": ["a", 5]}),
        "ruleIds[1]",
        "Argument `ruleIds[1]` must be a string, but is the number 5.",
    );
    expect_problem(
        json!({"rule": "r", "ruleIds": "a"}),
        "ruleIds",
        "Argument `ruleIds` must be an array, each a string, but is the string \"a\".",
    );
    expect_problem(
        json!({"rule": "r", "choice": []}),
        "choice",
        "Argument `choice` must be a string or an integer from 0 to 255, but is an array of 0.",
    );
}

#[test]
fn numbers_out_of_any_range_are_refused_not_wrapped() {
    expect_problem(
        json!({"rule": "r", "limit": 3_000_000_000_u32}),
        "limit",
        "Argument `limit` cannot be used: invalid value: integer `3000000000`, expected i32.",
    );
}

#[test]
fn the_envelope_names_the_argument_in_detail() {
    let error = parse(json!({"rule": 7})).unwrap_err();
    assert_eq!(
        Envelope::from(error).to_json(),
        r#"{"error":"Invalid","message":"Argument `rule` must be a string, but is the number 7.","detail":"rule"}"#
    );
}
