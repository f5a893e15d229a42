use serde_json::json;

use super::*;
use crate::checks::tests::found;

#[test]
fn a_tool_that_says_everything_has_no_findings() {
    let tool = json!({
        "name": "list_rules", "title": "List rules", "description": "Lists the rules.",
        "inputSchema": {"type": "object", "additionalProperties": false},
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
    });
    assert_eq!(found(check, &[tool]), Vec::<String>::new());
}

#[test]
fn names_titles_and_hints() {
    let tools = [
        json!({"name": "a b", "title": "A", "description": "x", "inputSchema": {}}),
        json!({"name": "a.b", "annotations": {"title": "A", "readOnlyHint": true, "destructiveHint": true, "openWorldHint": true},
            "description": "x", "inputSchema": {}}),
        json!({"name": "deleteAll", "title": "A", "description": " ", "inputSchema": {},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": false, "openWorldHint": true}}),
        json!({"name": "deleteAll", "title": "A", "description": "x", "inputSchema": {},
            "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": false}}),
    ];
    assert_eq!(
        found(check, &tools),
        [
            "T002 a b name: the name has ' '",
            "T010 a b annotations: has no hints at all",
            "T003 a.b name: the name has a dot",
            "T007 a.b title: has its title in `annotations` only",
            "T011 a.b annotations: leaves out idempotentHint",
            "T012 a.b annotations: readOnlyHint and destructiveHint are both true",
            "T008 deleteAll description: has no description",
            "T013 deleteAll annotations: readOnlyHint is true and idempotentHint false",
            "T014 deleteAll annotations/readOnlyHint: the name begins with `delete`, readOnlyHint is true",
            "T005 deleteAll name: is listed more than once",
            "T010 deleteAll annotations: leaves out openWorldHint",
        ]
    );
}

#[test]
fn a_list_of_anything_is_borne() {
    let tools = [
        json!(7),
        json!({}),
        json!({"name": 1}),
        json!({"name": "x", "title": null, "description": 3, "annotations": {"readOnlyHint": "yes"}, "outputSchema": []}),
    ];
    let found = found(check, &tools);
    for wanted in [
        "T001 - tools/0: entry 0 of the list is a number",
        "T001 - tools/1: entry 1 of the list has no `name`",
        "T001 - tools/2: the name of entry 2 is a number",
        "T001 x title: `title` is null",
        "T001 x description: `description` is a number",
        "T001 x annotations/readOnlyHint: `readOnlyHint` is a string",
        "T001 x inputSchema: has no `inputSchema`",
        "T001 x outputSchema: `outputSchema` is an array",
    ] {
        assert!(found.iter().any(|line| line == wanted), "{wanted}\n{found:#?}");
    }
}

#[test]
fn verbs_are_whole_words() {
    assert_eq!(destroying_verb("deleteFile"), Some("delete"));
    assert_eq!(destroying_verb("delete-file"), Some("delete"));
    assert_eq!(destroying_verb("deleted_files"), None);
    assert_eq!(destroying_verb("undelete"), None);
}

#[test]
fn flags_are_no_hidden_characters() {
    assert_eq!(hidden_character("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F} ok"), None);
    assert_eq!(hidden_character("ok\u{E0041}"), Some('\u{E0041}'));
    assert_eq!(hidden_character("a\u{202E}b"), Some('\u{202E}'));
}
