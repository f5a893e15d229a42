//! `candor-al check` in a project whose texts are to be translated.

use serde_json::Value;

use crate::place::Place;

const MANIFEST: &str = r#"{
  "id": "0d2a5e0e-7d0c-4f6e-9c56-7c1c8f3f0b11",
  "name": "App",
  "publisher": "Candor",
  "version": "1.0.0.0",
  "runtime": "15.0",
  "features": ["TranslationFile"],
  "suppressWarnings": ["DC0003", "DC0004", "DC0005", "DC0007", "DC0009"]
}
"#;

/// A codeunit with three labels, in the lines 4, 5 and 6.
const LABELS: &str = "\
codeunit 50100 MyReport
{
    var
        MyReport: Label 'Report';
        Caption: Label 'Caption';
        MyReportLabel: Label 'Label';
        CodeTok: Label 'CODE', Locked = true;
}
";

/// The units of the labels, each with a target or without one.
fn xliff(language: &str, targets: [&str; 3]) -> String {
    let numbers = ["2858589782", "2879900210", "973805576"];
    let units = numbers.iter().zip(targets).map(|(number, target)| {
        format!("<trans-unit id=\"Codeunit 2858589782 - NamedType {number}\">\n<source/>\n{target}\n</trans-unit>\n")
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<xliff version=\"1.2\" \
         xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n<file source-language=\"en-US\" target-language=\"{language}\" \
         original=\"App\"><body>\n{}</body></file>\n</xliff>\n",
        units.collect::<String>()
    )
}

fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::project(&[("Labels.Codeunit.al", LABELS)]);
    place.write("app.json", MANIFEST);
    for (path, text) in files {
        place.write(path, text);
    }
    place
}

const CHECK: &[&str] = &["check", "--format", "json", "--select", "LC0091"];

/// What a check says: line, column and first sentence of each finding, and the warnings.
fn told(place: &Place) -> (Vec<String>, Vec<String>) {
    let output = place.output(CHECK);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    let finding = |found: &Value| {
        let message = found["message"].as_str().unwrap();
        let sentence = message.split(". ").next().unwrap();
        format!(
            "{}:{} {} {sentence}",
            found["line"],
            found["column"],
            found["id"].as_str().unwrap()
        )
    };
    let warning = |warning: &Value| place.steady(warning.as_str().unwrap());
    (
        list("diagnostics").iter().map(finding).collect(),
        list("warnings").iter().map(warning).collect(),
    )
}

const DONE: &str = "<target>x</target>";

#[test]
fn a_text_is_flagged_when_its_unit_is_missing_blank_or_waiting() {
    let german = xliff(
        "de-DE",
        [
            DONE,
            "<target> </target>",
            "<target state=\"needs-translation\">x</target>",
        ],
    );
    let french = xliff("fr-FR", [DONE, DONE, DONE]).replace("973805576", "1");
    let place = place(&[
        ("Translations/App.g.xlf", &xliff("en-US", [""; 3])),
        ("Translations/App.de-DE.xlf", &german),
        ("Translations/App.fr-FR.xlf", &french),
    ]);
    let (found, warnings) = told(&place);
    assert_eq!(
        found,
        [
            "5:9 LC0091 The label `Caption` is not translated into de-DE",
            "6:9 LC0091 The label `MyReportLabel` is not translated into de-DE, fr-FR",
        ]
    );
    assert_eq!(warnings, [""; 0]);
    place.write("Translations/App.de-DE.xlf", xliff("de-DE", [DONE; 3]));
    place.write("Translations/App.fr-FR.xlf", xliff("fr-FR", [DONE; 3]));
    assert_eq!(place.exit_code(CHECK), 0);
}

#[test]
fn a_language_in_the_settings_needs_no_file() {
    let place = place(&[
        ("alcops.json", r#"{"LanguagesToTranslate": ["fr-FR", "da-DK"]}"#),
        ("Translations/App.de-DE.xlf", &xliff("de-DE", ["", "", ""])),
        ("Translations/App.fr-FR.xlf", &xliff("fr-FR", [DONE, DONE, ""])),
    ]);
    let (found, warnings) = told(&place);
    assert_eq!(
        found,
        [
            "4:9 LC0091 The label `MyReport` is not translated into da-DK",
            "5:9 LC0091 The label `Caption` is not translated into da-DK",
            "6:9 LC0091 The label `MyReportLabel` is not translated into da-DK, fr-FR",
        ]
    );
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn a_broken_file_is_a_warning_and_a_record_and_silences_its_language() {
    let broken = xliff("de-DE", [DONE, "", ""]).replacen("</trans-unit>", "</trans>", 1);
    let place = place(&[
        ("Translations/App.de-DE.xlf", &broken),
        ("Translations/App.fr-FR.xlf", &xliff("fr-FR", [DONE, DONE, ""])),
    ]);
    let (found, warnings) = told(&place);
    assert_eq!(
        found,
        ["6:9 LC0091 The label `MyReportLabel` is not translated into fr-FR"]
    );
    let place_and_fault =
        "[folder]/Translations/App.de-DE.xlf:7:1: is no translation file (XLIFF 1.2) that can be used";
    assert!(
        warnings.len() == 1 && warnings[0].starts_with(place_and_fault),
        "{warnings:?}"
    );
    let journal = std::fs::read_to_string(place.journal()).unwrap();
    assert!(journal.contains("invalid_translation"), "{journal}");
}

#[test]
fn a_project_without_the_feature_is_not_asked() {
    let place = place(&[("Translations/App.de-DE.xlf", "broken")]);
    place.write("app.json", MANIFEST.replace("TranslationFile", "NoImplicitWith"));
    assert_eq!(place.exit_code(CHECK), 0);
    assert!(!place.journal().exists(), "its translation files are not even read");
}
