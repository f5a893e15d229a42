use serde_json::json;

use super::*;
use crate::checks::tests::found_in_input;

#[track_caller]
fn expect(schema: &Value, wanted: &[&str]) {
    assert_eq!(found_in_input(check, schema), wanted);
}

#[test]
fn a_closed_and_described_schema_is_silent() {
    expect(
        &json!({"type": "object", "additionalProperties": false, "properties": {
            "limit": {"type": "integer", "description": "How many."},
            "labels": {"type": "object", "description": "Labels.", "additionalProperties": {"type": "string"}}
        }, "required": ["limit"]}),
        &[],
    );
    expect(&json!({"type": "object", "additionalProperties": false}), &[]);
}

#[test]
fn roots() {
    expect(
        &json!({"type": "object"}),
        &["S002 inputSchema: unknown arguments pass"],
    );
    expect(
        &json!({"type": ["object"], "additionalProperties": {"type": "string"}}),
        &["S001 inputSchema: the root's `type` is [\"object\"]"],
    );
    expect(
        &json!({"type": "object", "anyOf": [{"additionalProperties": false}]}),
        &[],
    );
    expect(
        &json!({"type": "object", "additionalProperties": false, "$schema": "http://json-schema.org/draft-07/schema#"}),
        &["S009 inputSchema/$schema: says http://json-schema.org/draft-07/schema#"],
    );
    expect(
        &json!({"type": "object", "additionalProperties": false, "$schema": "draft-99"}),
        &["S010 inputSchema/$schema: says draft-99"],
    );
}

#[test]
fn parameters() {
    expect(
        &json!({"type": "object", "additionalProperties": false, "required": ["a", "z"], "properties": {
            "a": {"type": "string"},
            "b": {"description": "Anything."},
            "c": true,
            "d": {"type": "object", "description": "x", "properties": {"e": {"type": "string"}, "f": {"type": "string"}}}
        }}),
        &[
            "S003 inputSchema/properties/d: unknown members pass",
            "S005 inputSchema: requires `z`, which it does not list",
            "S011 inputSchema/properties/a: `a` has no description",
            "S012 inputSchema/properties/d/properties/e: has no description (and one more place in this tool)",
            "S013 inputSchema/properties/b: says nothing about its type",
            "S014 inputSchema/properties/c: is a bare `true`",
        ],
    );
}

#[test]
fn references() {
    expect(
        &json!({"type": "object", "additionalProperties": false, "properties": {
            "a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B", "description": "x"},
            "c": {"$ref": "https://example.com/c.json", "description": "x"}
        }, "$defs": {"A": {"type": "object", "description": "x", "additionalProperties": false,
            "properties": {"next": {"$ref": "#/$defs/A"}}}}}),
        &[
            "S007 inputSchema/properties/b/$ref: `#/$defs/B` leads nowhere",
            "S007 inputSchema/properties/c/$ref: `https://example.com/c.json` leads nowhere",
            "S006 inputSchema/properties/a/$ref: refers to a definition (and one more place in this tool)",
            "S008 inputSchema: `#/$defs/A` contains itself",
        ],
    );
}

#[test]
fn invalid_keywords() {
    expect(
        &json!({"type": "object", "additionalProperties": false, "properties": {
            "a": {"type": "str", "description": "x", "required": true},
            "b": {"type": "integer", "description": "x", "minimum": "1", "exclusiveMaximum": true},
            "c": {"type": "string", "description": "x", "enum": []},
            "d": "string"
        }}),
        &[
            "S004 inputSchema/properties/a/type: `str` is no type",
            "S004 inputSchema/properties/a/required: `required` must be a list of names, not a boolean",
            "S004 inputSchema/properties/b/minimum: `minimum` must be a number, not a string",
            "S004 inputSchema/properties/b/exclusiveMaximum: `exclusiveMaximum` must be a number, not a boolean",
            "S004 inputSchema/properties/c/enum: `enum` is empty, so that no value fits",
            "S004 inputSchema/properties/d: a schema is an object, not a string",
        ],
    );
}
