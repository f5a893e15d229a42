//! `alcops.json`: one file, found upwards, used wholly or not at all.

use candor_al_workspace::configuration::{
    AlcopsSettings, ConfigurationOptions, ScopeLeaving, SequentialGuidScope, load_configuration,
};
use candor_al_workspace::file_system::Disk;

use crate::support::Tree;

/// The settings of the project `w/app`, and what is wrong with them.
fn load(tree: &Tree) -> (AlcopsSettings, Vec<String>) {
    let options = ConfigurationOptions::default();
    let configuration = load_configuration(&Disk, &tree.path("w/app"), &options);
    for warning in &configuration.warnings {
        assert!(warning.problem.concerns_alcops(), "{warning}");
    }
    let warnings = configuration.warnings.iter();
    let warnings = warnings.map(|warning| tree.plain(warning)).collect();
    (configuration.alcops, warnings)
}

fn settings(text: &str) -> (AlcopsSettings, Vec<String>) {
    let tree = Tree::new(&[("w/app/app.json", "{}"), ("w/app/alcops.json", text)]);
    let (settings, warnings) = load(&tree);
    assert_eq!(settings.path, Some(tree.path("w/app/alcops.json")));
    (AlcopsSettings { path: None, ..settings }, warnings)
}

#[test]
fn without_a_file_and_with_an_empty_one_every_setting_has_its_default() {
    let defaults = AlcopsSettings::default();
    assert_eq!(defaults.cognitive_complexity_threshold, 15);
    assert_eq!(defaults.cyclomatic_complexity_threshold, 8);
    assert_eq!(defaults.maintainability_index_threshold, 20);
    let tree = Tree::new(&[("w/app/app.json", "{}")]);
    assert_eq!(load(&tree), (defaults.clone(), vec![]));
    for text in ["", " // nothing\n", "null", "{}"] {
        assert_eq!(settings(text), (defaults.clone(), vec![]), "{text:?}");
    }
}

#[test]
fn every_setting_is_read_in_any_case() {
    let (settings, warnings) = settings(
        r#"{
  "$schema": "x", // comment
  "cognitivecomplexitythreshold": 5, "CyclomaticComplexityThreshold": 6, "MaintainabilityIndexThreshold": 7,
  "LanguagesToTranslate": ["da-DK"],
  "NamingPatterns": {"Procedure": {"AllowPattern": "^[A-Z]", "disallowDescription": "no"}, "Field": null},
  "UseSequentialGuidScope": "allguidfields",
  "SubscriberNameTemplate": "{Event Name}",
  "KnownAcronyms": ["VAT"],
  "ToolTipAllowedPunctuations": [{"Character": "!"}, {"Character": " "}],
  "StatementBlockSpacing": {"ControlFlowAfter": false, "ScopeLeavingMode": "ExitOnly", "OneLinerMode": "All"},
}"#,
    );
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(settings.cognitive_complexity_threshold, 5);
    assert_eq!(settings.cyclomatic_complexity_threshold, 6);
    assert_eq!(settings.maintainability_index_threshold, 7);
    assert_eq!(settings.languages_to_translate, Some(vec!["da-DK".to_owned()]));
    let [(target, pattern)] = settings.naming_patterns.as_slice() else {
        panic!("{:?}", settings.naming_patterns);
    };
    assert_eq!(target, "Procedure");
    assert_eq!(pattern.allow_pattern.as_deref(), Some("^[A-Z]"));
    assert_eq!(pattern.disallow_description.as_deref(), Some("no"));
    assert_eq!(settings.sequential_guid_scope, SequentialGuidScope::AllGuidFields);
    assert_eq!(settings.subscriber_naming_pattern.as_deref(), Some("{Event Name}"));
    assert_eq!(settings.known_acronyms, ["VAT"]);
    assert_eq!(settings.tool_tip_punctuations[0].name, "!");
    assert_eq!(settings.tool_tip_punctuations.len(), 1);
    let spacing = settings.statement_block_spacing;
    assert!(spacing.control_flow_before && !spacing.control_flow_after && spacing.one_liners);
    assert_eq!(spacing.scope_leaving, ScopeLeaving::ExitOnly);
}

#[test]
fn a_value_that_does_not_fit_makes_all_of_them_default() {
    for (text, warning) in [
        (
            r#"{"KnownAcronyms": ["A"], "CyclomaticComplexityThreshold": "9"}"#,
            "w/app/alcops.json:1:59: CyclomaticComplexityThreshold must be a whole number that is not negative; every setting takes its default",
        ),
        (
            r#"{"CyclomaticComplexityThreshold": 1.5}"#,
            "w/app/alcops.json:1:35: CyclomaticComplexityThreshold must be a whole number that is not negative; every setting takes its default",
        ),
        (
            r#"{"StatementBlockSpacing": {"ScopeLeavingMode": "Some"}}"#,
            "w/app/alcops.json:1:48: ScopeLeavingMode must be Off, ExitOnly, ErrorOnly or ExitAndError; every setting takes its default",
        ),
        (
            "[]",
            "w/app/alcops.json:1:1: the file must be an object; every setting takes its default",
        ),
    ] {
        assert_eq!(settings(text), (AlcopsSettings::default(), vec![warning.to_owned()]));
    }
    let (found, warnings) = settings("{");
    assert_eq!(found, AlcopsSettings::default());
    assert!(
        warnings[0].starts_with("w/app/alcops.json:1:1: it is not valid JSON"),
        "{warnings:?}"
    );
}

#[test]
fn an_unknown_key_is_reported_and_the_known_ones_work() {
    let (settings, warnings) = settings("{\"Cognitive\": 1,\n\"CognitiveComplexityThreshold\": 3}");
    assert_eq!(settings.cognitive_complexity_threshold, 3);
    assert_eq!(
        warnings,
        ["w/app/alcops.json:1:2: the setting Cognitive does not exist; it is ignored"]
    );
}

#[test]
fn the_nearest_file_counts_even_if_it_is_broken() {
    let tree = Tree::new(&[
        ("w/app/app.json", "{}"),
        ("w/ALCops.json", r#"{"CognitiveComplexityThreshold": 1}"#),
        ("alcops.json", r#"{"CognitiveComplexityThreshold": 2}"#),
    ]);
    let (settings, _) = load(&tree);
    assert_eq!(settings.cognitive_complexity_threshold, 1);
    assert_eq!(settings.path, Some(tree.path("w/ALCops.json")));
    tree.write("w/app/alcops.json", "{");
    let (settings, warnings) = load(&tree);
    assert_eq!(settings.cognitive_complexity_threshold, 15);
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_file_extends_another_one_for_one_level() {
    let tree = Tree::new(&[("w/app/app.json", "{}")]);
    let base = tree.path("base.json");
    tree.write(
        "base.json",
        r#"{"CognitiveComplexityThreshold": 1, "CyclomaticComplexityThreshold": 2, "KnownAcronyms": ["A"],
            "StatementBlockSpacing": {"ControlFlowAfter": false}}"#,
    );
    let local = |source: &str| {
        format!(
            r#"{{"Extends": {{"Source": "{source}"}}, "CognitiveComplexityThreshold": 9, "KnownAcronyms": ["B"],
                "StatementBlockSpacing": {{"OneLinerMode": "All"}}}}"#
        )
    };
    tree.write("w/app/alcops.json", local(base.to_str().unwrap()));
    let (settings, warnings) = load(&tree);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(settings.cognitive_complexity_threshold, 9);
    assert_eq!(settings.cyclomatic_complexity_threshold, 2);
    assert_eq!(settings.known_acronyms, ["B"]);
    let spacing = settings.statement_block_spacing;
    assert!(spacing.one_liners && !spacing.control_flow_after, "objects are merged");

    for (source, reason) in [
        (
            "base.json",
            "Extends names base.json, which is neither an absolute path nor an http(s) address",
        ),
        ("/nowhere/x.json", "Extends names /nowhere/x.json, which does not exist"),
        (
            "https://me:secret@example.org/x",
            "Extends names an address with credentials",
        ),
        (
            "https://example.org/x",
            "Extends names https://example.org/x, and external files are off (al.enableExternalRulesets)",
        ),
    ] {
        tree.write("w/app/alcops.json", local(source));
        let (settings, warnings) = load(&tree);
        assert_eq!(settings.cognitive_complexity_threshold, 15, "local values are gone too");
        assert_eq!(
            warnings,
            [format!(
                "w/app/alcops.json:1:13: {reason}; every setting takes its default"
            )]
        );
    }
    tree.write("base.json", r#"{"Extends": {"Source": "/x"}}"#);
    tree.write("w/app/alcops.json", local(base.to_str().unwrap()));
    assert!(load(&tree).1[0].contains("only one level is possible"));
}
