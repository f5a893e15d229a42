//! The prompt that teaches how to work with a catalog.

use candor_serve::{Prompt, PromptArgument};
use serde_json::{Map, Value};

const WORKFLOW: &str = "\
Work through the catalog, so that every number can be traced and made again.

1. project_list; project_new if there is none for this work. catalog_list shows what is there already: build on it.
2. Bring files in with catalog_import_source. Look at the first lines of a CSV file before. Read `notes` and `read_as`; \
tell the user what stayed text and why. If a type is wrong, import again with the corrected `schema_to_paste`.
3. Explore with catalog_query and catalog_peek. They store nothing.
4. Keep what matters with catalog_create, in small steps that read one another: clean, then join, then summarise. Give \
`prompt` in the user's words. Names are lower case with underscores.
5. Check every step before the next one: catalog_peek it, compare row_count with what you expect, look for rows that a \
join lost or doubled.
6. Correct a step with catalog_revise. What follows it is recomputed; read `recalc`. To see the reach before: \
catalog_recalc(roots=[name]), which is a dry run. Compare versions by reading \"name-v1\" beside name.
7. When an answer is an error, do what its code says: Invalid: correct the call; NotFound: pick from `candidates`; Stale: \
look and repeat; Unavailable: tell the user; Faulted: tell the user, quoting `message`.
8. `new_errors` in a reply are failures met elsewhere. Tell the user those that concern this work before going on.
9. In your answer name the aliases and versions that the numbers come from.";

/// `explore_data`.
pub(crate) fn explore_data() -> Prompt {
    let argument = |name: &str, description: &str| PromptArgument {
        name: name.into(),
        description: description.into(),
        required: false,
    };
    Prompt::new(
        "explore_data",
        "Explore data with the catalog",
        "How to import, build, check and revise results so that they can be traced and made again",
        vec![
            argument("question", "What the user wants to know"),
            argument("data", "The file or alias to begin with"),
        ],
        text,
    )
}

fn text(arguments: &Map<String, Value>) -> String {
    let mut text = WORKFLOW.to_owned();
    let given = |name: &str| {
        let value = arguments.get(name).and_then(Value::as_str).map(str::trim);
        value.filter(|value| !value.is_empty())
    };
    if let Some(question) = given("question") {
        text += &format!("\n\nThe question: {question}");
    }
    if let Some(data) = given("data") {
        text += &format!("\n\nThe data to begin with: {data}");
    }
    text
}
