#![expect(
    clippy::needless_pass_by_value,
    reason = "JSON reads best when it stands in the call"
)]

use serde_json::json;

use super::*;

/// The differences of two forms of one tool, a line each.
fn said(before: Value, after: Value) -> Vec<String> {
    let contract = |tool: Value| {
        let mut contract = Contract::default();
        let tool = tool.as_object().expect("a tool is an object").clone();
        contract.tools.insert("t".to_owned(), tool);
        contract
    };
    compare(&contract(before), &contract(after))
        .into_iter()
        .map(|found| format!("{} {}: {}", found.class, found.path, found.message))
        .collect()
}

fn input(before: Value, after: Value) -> Vec<String> {
    said(json!({"inputSchema": before}), json!({"inputSchema": after}))
}

fn output(before: Value, after: Value) -> Vec<String> {
    said(json!({"outputSchema": before}), json!({"outputSchema": after}))
}

#[test]
fn nothing_differs_when_only_the_order_of_members_does() {
    assert_eq!(
        input(
            json!({"type": "object", "required": ["a", "b"]}),
            json!({"required": ["b", "a"], "type": "object"})
        ),
        Vec::<String>::new()
    );
}

#[test]
fn tools_come_and_go() {
    let mut before = Contract::default();
    before.tools.insert("old".to_owned(), Map::new());
    let mut after = Contract::default();
    after.tools.insert("new".to_owned(), Map::new());
    let found: Vec<_> = compare(&before, &after)
        .into_iter()
        .map(|found| (found.class, found.subject, found.message))
        .collect();
    assert_eq!(
        found,
        [
            (Class::Breaking, "tools/old".to_owned(), "the tool is gone".to_owned()),
            (Class::Additive, "tools/new".to_owned(), "the tool is new".to_owned()),
        ]
    );
}

#[test]
fn what_a_model_is_told_is_behaviour() {
    assert_eq!(
        said(
            json!({"description": "Sells.", "annotations": {"readOnlyHint": true}}),
            json!({"description": "Buys.", "annotations": {"readOnlyHint": false, "openWorldHint": true}})
        ),
        [
            "behavioural annotations/openWorldHint: the hint `openWorldHint` is new",
            "behavioural annotations/readOnlyHint: the hint `readOnlyHint` changed",
            "behavioural description: the description changed",
        ]
    );
    assert_eq!(
        input(
            json!({"properties": {"a": {"type": "string", "description": "one"}}}),
            json!({"properties": {"a": {"type": "string", "description": "two", "default": "x"}}})
        ),
        [
            "behavioural inputSchema/properties/a/default: `default` is new",
            "behavioural inputSchema/properties/a/description: `description` changed",
        ]
    );
}

#[test]
fn arguments_may_only_accept_more() {
    let one = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 1, "enum": [1, 2]}}, "required": ["a"]});
    let other = json!({"type": "object", "properties": {
        "a": {"type": "number", "minimum": 0, "enum": [1, 2, 3]}, "b": {}}, "required": []});
    assert_eq!(
        input(one.clone(), other.clone()),
        [
            "additive inputSchema/properties/a: is optional now",
            "additive inputSchema/properties/a/enum: a value now: 3",
            "additive inputSchema/properties/a/minimum: `minimum` changed",
            "additive inputSchema/properties/a/type: the type changed",
            "additive inputSchema/properties/b: is new",
        ]
    );
    assert_eq!(
        input(other, one),
        [
            "breaking inputSchema/properties/a: is required now",
            "breaking inputSchema/properties/a/enum: no longer a value: 3",
            "breaking inputSchema/properties/a/minimum: `minimum` changed",
            "breaking inputSchema/properties/a/type: the type changed",
            "breaking inputSchema/properties/b: is gone",
        ]
    );
}

#[test]
fn results_may_only_promise_more() {
    assert_eq!(
        output(
            json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}),
            json!({"properties": {"a": {"type": ["string", "null"]}, "b": {}}, "required": ["b"]})
        ),
        [
            "breaking outputSchema/properties/a: is optional now",
            "breaking outputSchema/properties/a/type: the type changed",
            "additive outputSchema/properties/b: is new",
        ]
    );
    assert_eq!(
        said(json!({}), json!({"outputSchema": {"type": "object"}})),
        ["additive outputSchema: the schema is new"]
    );
    assert_eq!(
        said(json!({"outputSchema": {"type": "object"}}), json!({})),
        ["breaking outputSchema: the schema is gone"]
    );
}

#[test]
fn a_required_argument_that_is_new_is_told_once() {
    assert_eq!(
        input(
            json!({"properties": {}}),
            json!({"properties": {"a": {}}, "required": ["a"]})
        ),
        ["breaking inputSchema/properties/a: is new and required"]
    );
}

#[test]
fn closing_an_object_breaks_and_opening_it_does_not() {
    assert_eq!(
        input(
            json!({"type": "object"}),
            json!({"type": "object", "additionalProperties": false})
        ),
        ["breaking inputSchema/additionalProperties: the schema is another one"]
    );
    assert_eq!(
        input(
            json!({"type": "object", "additionalProperties": false}),
            json!({"type": "object"})
        ),
        ["additive inputSchema/additionalProperties: the schema is another one"]
    );
}

#[test]
fn alternatives_are_compared_as_a_set() {
    assert_eq!(
        input(
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "null"}, {"type": "string"}, {"type": "integer"}]})
        ),
        ["additive inputSchema/anyOf: an alternative is new"]
    );
}

#[test]
fn what_cannot_be_compared_counts_as_breaking() {
    let found = input(json!({"not": {"type": "string"}}), json!({"not": {"type": "null"}}));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("breaking inputSchema/not:"), "{found:?}");
}

#[test]
fn a_change_very_deep_inside_is_still_seen() {
    let deep = |inner: Value| (0..120).fold(inner, |inner, _| json!({"items": inner}));
    let found = input(deep(json!({"type": "string"})), deep(json!({"type": "null"})));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("breaking"), "{found:?}");
    assert!(found[0].ends_with("too deep inside to say how"), "{found:?}");
}

#[test]
fn prompts_are_compared_by_their_arguments() {
    let contract = |arguments: Value| {
        let mut contract = Contract::default();
        let prompt = Map::from_iter([("arguments".to_owned(), arguments)]);
        contract.prompts.insert("p".to_owned(), prompt);
        contract
    };
    let found: Vec<_> = compare(
        &contract(json!([{"name": "a"}, {"name": "b", "required": true}])),
        &contract(json!([{"name": "a", "required": true}, {"name": "c"}])),
    )
    .into_iter()
    .map(|found| format!("{} {}: {}", found.class, found.path, found.message))
    .collect();
    assert_eq!(
        found,
        [
            "breaking arguments/a: the argument is required now",
            "breaking arguments/b: the argument is gone",
            "additive arguments/c: an optional argument is new",
        ]
    );
}
