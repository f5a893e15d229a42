//! The parts of the user guide that are made from the code: they say what the code says.
//!
//! When a change is meant, run the tests with `UPDATE_GOLDEN=1`.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use candor_catalog_facade::CatalogVocabulary;
use candor_catalog_mcp::descriptions;
use candor_contract::vocabulary_markdown;
use serde_json::Value;

#[track_caller]
fn check(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../docs/catalog")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "{name} is out of date");
}

#[test]
fn the_table_of_errors_is_that_of_the_code() {
    let text = format!(
        "# Errors of the catalog\n\n\
         A failing call answers with one JSON object: `error`, `message`, and where they are known `reason`, \
         `candidates`, `ref`, `error_id` (the record in the journal), `project`, `detail`.\n\n{}",
        vocabulary_markdown::<CatalogVocabulary>()
    );
    check("errors.md", &text);
}

#[test]
fn the_page_of_tools_is_that_of_the_code() {
    let mut text = String::from(
        "# Tools of the catalog's server\n\n\
         Every reply names its `project`; after a switch it carries a `warning`. `new_errors` holds failures met elsewhere \
         since the last reply.\n",
    );
    for tool in descriptions() {
        let hints = tool.hints();
        let mut words = Vec::new();
        words.push(if hints.read_only { "only reads" } else { "writes" });
        if hints.destructive {
            words.push("destroys");
        }
        if hints.idempotent && !hints.read_only {
            words.push("may be repeated");
        }
        write!(
            text,
            "\n## `{}`: {}\n\nHints: {}.\n\n",
            tool.name(),
            tool.title(),
            words.join(", ")
        )
        .unwrap();
        for line in tool.description().lines() {
            writeln!(text, "{line}").unwrap();
        }
        let required = tool.input_schema().get("required").and_then(Value::as_array);
        let properties = tool.input_schema().get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            continue;
        };
        text.push_str("\n| parameter | |\n| --- | --- |\n");
        for (name, schema) in properties {
            let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
            let mark = if is_required { " (required)" } else { "" };
            let words = schema["description"]
                .as_str()
                .unwrap_or_default()
                .replace('|', "\\|")
                .replace('\n', " ");
            writeln!(text, "| `{name}`{mark} | {words} |").unwrap();
        }
    }
    check("tools.md", &text);
}
