//! Translation files, edited while the server runs.

use std::fs;

use serde_json::{Value, json};

use crate::client::{MANIFEST, World};

const CODEUNIT: &str = "\
codeunit 50100 MyReport
{
    var
        MyReportLabel: Label 'Label';
}
";

fn xliff(target: &str) -> String {
    format!(
        "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n<file source-language=\"en-US\" \
         target-language=\"de-DE\"><body>\n<trans-unit id=\"Codeunit 2858589782 - NamedType 973805576\">\n{target}\n\
         </trans-unit></body></file></xliff>\n"
    )
}

fn manifest() -> String {
    MANIFEST.replacen('{', r#"{"features": ["TranslationFile"], "#, 1)
}

/// Where LC0091 is found, and the warnings.
fn told(answer: &Value) -> (Vec<String>, Vec<String>) {
    let texts = |list: &Value, text: fn(&Value) -> String| list.as_array().into_iter().flatten().map(text).collect();
    (
        texts(&answer["diagnostics"], |entry| {
            format!(
                "{}:{} {}",
                entry["line"],
                entry["column"],
                entry["message"].as_str().unwrap()
            )
        }),
        texts(&answer["warnings"], |warning| warning.as_str().unwrap().to_owned()),
    )
}

const MISSING: &str = "4:9 The label `MyReportLabel` is not translated into de-DE. Translate it in the XLIFF files, or add \
                       `Locked = true` if it is the same in every language.";

#[test]
fn a_translation_counts_as_soon_as_it_is_written() {
    let world = World::new(&[
        ("Labels.al", CODEUNIT),
        ("app.json", &manifest()),
        ("Translations/App.de-DE.xlf", &xliff("")),
    ]);
    let mut client = world.server();
    let mut analyze = || told(&client.succeed("analyze", &json!({"ruleIds": ["LC0091"]})));
    let nothing: Vec<String> = Vec::new();
    assert_eq!(analyze(), (vec![MISSING.to_owned()], nothing.clone()));
    world.write("Translations/App.de-DE.xlf", xliff("<target>Beschriftung</target>"));
    assert_eq!(analyze(), (nothing.clone(), nothing.clone()));
    world.write("Translations/App.de-DE.xlf", xliff("<target>Beschriftung</tarjet>"));
    let (found, warnings) = analyze();
    assert_eq!(found, nothing, "nothing is known of the language any more");
    let place = format!(
        "{}:4:21: is no translation file",
        world.path("Translations/App.de-DE.xlf")
    );
    assert!(warnings[0].starts_with(&place), "{warnings:?}");
    assert!(warnings[1].contains("rule LC0091 finds nothing in"), "{warnings:?}");
    world.write(
        "Translations/App.de-DE.xlf",
        xliff("<target state=\"needs-translation\">x</target>"),
    );
    assert_eq!(analyze(), (vec![MISSING.to_owned()], nothing.clone()));
    fs::remove_file(world.path("Translations/App.de-DE.xlf")).unwrap();
    world.write("alcops.json", r#"{"LanguagesToTranslate": ["de-DE"]}"#);
    assert_eq!(analyze(), (vec![MISSING.to_owned()], nothing.clone()));
    world.write("app.json", MANIFEST);
    let (found, warnings) = analyze();
    assert_eq!(found, nothing);
    assert!(
        warnings[0].contains("does not switch on the feature TranslationFile"),
        "{warnings:?}"
    );
    let journal = fs::read_to_string(world.home().join("al").join("errors.jsonl")).unwrap();
    assert_eq!(journal.matches("invalid_translation").count(), 1, "{journal}");
}
