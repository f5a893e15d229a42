//! What settings say about a project.

use candor_al_workspace::configuration::{
    Configuration, ConfigurationOptions, IdRange, load_configuration, load_loose_configuration,
};
use candor_al_workspace::file_system::Disk;

use crate::support::Tree;

fn options() -> ConfigurationOptions {
    let cops = ["ALCops.FormattingCop", "ALCops.LinterCop", "CodeCop"];
    ConfigurationOptions {
        available_cops: cops.map(str::to_owned).into(),
        external_cache: None,
    }
}

fn load(tree: &Tree, project: &str) -> Configuration {
    load_configuration(&Disk, &tree.path(project), &options())
}

fn warnings(tree: &Tree, configuration: &Configuration) -> Vec<String> {
    let warnings = configuration.warnings.iter();
    warnings.map(|warning| tree.plain(warning)).collect()
}

#[test]
fn the_manifest_is_read_with_places() {
    let tree = Tree::new(&[(
        "app/app.json",
        r#"// an app
{
  "id": "11111111-2222-3333-4444-555555555555", "Name": "My App",
  "publisher": "Me", "version": "1.2.3.4",
  "runtime": "15.0", "target": "OnPrem",
  "features": ["TranslationFile", "NoImplicitWith"],
  "preprocessorSymbols": ["CLEAN25"],
  "suppressWarnings": ["aa0001"],
  "idRanges": [{"from": 50000, "to": 50099}],
  "dependencies": [{"id": "d", "name": "Base", "publisher": "P", "version": "1.0"}, {"appId": "old"}],
  "internalsVisibleTo": [
    {"id": "t", "name": "Tests", "publisher": "Me"},
  ],
}"#,
    )]);
    let configuration = load(&tree, "app");
    let manifest = &configuration.manifest;
    assert_eq!(manifest.id, "11111111-2222-3333-4444-555555555555");
    assert_eq!(manifest.name, "My App");
    assert_eq!(manifest.version, "1.2.3.4");
    let runtime = manifest.runtime.as_ref().unwrap();
    assert_eq!(
        (runtime.value.as_str(), runtime.position.to_string()),
        ("15.0", "5:14".to_owned())
    );
    assert!(manifest.has_feature("translationfile"));
    assert!(!manifest.has_feature("GenerateCaptions"));
    assert!(manifest.suppresses("AA0001"));
    assert_eq!(manifest.preprocessor_symbols[0].value, "CLEAN25");
    assert_eq!(
        manifest.id_ranges[0].value,
        IdRange {
            from: 50_000,
            to: 50_099
        }
    );
    assert_eq!(manifest.dependencies[0].value.name, "Base");
    assert_eq!(manifest.dependencies[1].value.id, "old");
    assert_eq!(manifest.internals_visible_to[0].position.to_string(), "12:5");
    let position = manifest.internals_visible_to_position.unwrap();
    assert_eq!(position.to_string(), "11:3");
    assert!(configuration.warnings.is_empty());
}

#[test]
fn a_manifest_with_faults_is_read_as_far_as_it_goes() {
    let tree = Tree::new(&[(
        "app/app.json",
        r#"{"name": 7, "features": ["A", 1], "idRange": {"from": "50000", "to": 50001},
"idRanges": [{"from": -1, "to": 3}], "dependencies": {}, "runtime": null}"#,
    )]);
    let configuration = load(&tree, "app");
    assert_eq!(configuration.manifest.name, "");
    assert_eq!(configuration.manifest.features.len(), 1);
    assert_eq!(configuration.manifest.runtime, None);
    let ranges = &configuration.manifest.id_ranges;
    assert_eq!(
        ranges[0].value,
        IdRange {
            from: 50_000,
            to: 50_001
        }
    );
    assert_eq!(
        warnings(&tree, &configuration),
        [
            "app/app.json:1:10: name must be a text; this value is ignored",
            "app/app.json:1:31: features must be a list of texts; this value is ignored",
            "app/app.json:2:14: idRanges must be a list of objects with the numbers from and to; this value is ignored",
            "app/app.json:2:54: dependencies must be a list; this value is ignored",
        ]
    );
}

#[test]
fn broken_and_missing_files_are_warnings_with_a_place() {
    let tree = Tree::new(&[
        ("app/app.json", "{\n  \"name\": }"),
        ("app/.vscode/settings.json", "[]"),
        ("app/AppSourceCop.json", "{"),
        ("none/readme.md", ""),
    ]);
    let found = warnings(&tree, &load(&tree, "app"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].starts_with("app/app.json:2:11: is not valid JSON: "),
        "{found:?}"
    );
    assert_eq!(
        found[1],
        "app/.vscode/settings.json:1:1: the value must be an object; this value is ignored"
    );
    assert!(found[2].starts_with("app/AppSourceCop.json:1:1: is not valid JSON: "));
    assert_eq!(
        warnings(&tree, &load(&tree, "none")),
        ["none/app.json: app.json is missing; the project has no name, symbols or runtime"]
    );
}

#[test]
fn the_projects_analyzers_choose_the_cops() {
    for (analyzers, cops, is_chosen) in [
        (
            r#"["${CodeCop}", "${analyzerFolder}ALCops.LinterCop.dll", "LinterCop"]"#,
            vec!["CodeCop", "ALCops.LinterCop"],
            true,
        ),
        // The usual project names only Microsoft's; it must not get silence.
        (
            r#"["${UICop}"]"#,
            vec!["ALCops.FormattingCop", "ALCops.LinterCop"],
            false,
        ),
        ("[]", vec!["ALCops.FormattingCop", "ALCops.LinterCop"], false),
    ] {
        let settings = format!("{{\"al.codeAnalyzers\": {analyzers}}}");
        let tree = Tree::new(&[("app/app.json", "{}"), ("app/.vscode/settings.json", &settings)]);
        let configuration = load(&tree, "app");
        assert_eq!(configuration.cops.cops, cops, "{analyzers}");
        assert_eq!(configuration.cops.is_chosen, is_chosen);
    }
}

#[test]
fn a_cop_that_is_not_there_is_named() {
    let tree = Tree::new(&[
        ("app/app.json", "{}"),
        (
            "app/.vscode/settings.json",
            "{\n\"al.codeAnalyzers\": [\n\"${UICop}\",\n\"./BusinessCentral.LinterCop.dll\",\n\"\"]}",
        ),
    ]);
    assert_eq!(
        warnings(&tree, &load(&tree, "app")),
        [
            "app/.vscode/settings.json:3:1: the analyzer ${UICop} names the cop UICop, which is not available; it is left out",
            "app/.vscode/settings.json:4:1: the analyzer ./BusinessCentral.LinterCop.dll names the cop BusinessCentral.LinterCop, which is not available; it is left out",
        ]
    );
}

#[test]
fn what_is_nearer_to_the_project_wins() {
    let tree = Tree::new(&[
        ("repo/.git", "gitdir: elsewhere"),
        ("repo/app/app.json", "{}"),
        (
            "repo/app/.vscode/settings.json",
            r#"{"al.packageCachePath": "./near", // comment
            }"#,
        ),
        (
            "repo/all.code-workspace",
            r#"{"folders": [{"path": "app"}], "settings": {
                "al.packageCachePath": ["far"], "al.codeAnalyzers": ["${CodeCop}"]}}"#,
        ),
        (
            "repo/other.code-workspace",
            r#"{"folders": [{"path": "other"}], "settings": {"al.ruleSetPath": "wrong.json"}}"#,
        ),
        (
            "repo/.vscode/settings.json",
            r#"{"al.ruleSetPath": "..\\my.ruleset.json"}"#,
        ),
        (
            "repo/my.ruleset.json",
            r#"{"rules": [{"id": "LC0001", "action": "None"}]}"#,
        ),
        (
            ".vscode/settings.json",
            r#"{"al.enableExternalRulesets": "not read, outside"}"#,
        ),
    ]);
    let configuration = load(&tree, "repo/app");
    assert_eq!(configuration.package_cache_folders, [tree.path("repo/app/near")]);
    assert_eq!(configuration.cops.cops, ["CodeCop"]);
    assert_eq!(configuration.ruleset.path, Some(tree.path("repo/my.ruleset.json")));
    assert!(configuration.ruleset.is_suppressed("LC0001"));
    assert!(configuration.warnings.is_empty(), "{:?}", configuration.warnings);
}

#[test]
fn packages_lie_in_the_usual_folder_unless_settings_say_where() {
    let tree = Tree::new(&[("app/app.json", "{}"), ("b/app.json", "{}")]);
    tree.write(
        "b/.vscode/settings.json",
        r#"{"al.packageCachePath": ["${workspaceFolder}/../cache", " ", "/opt/packages"]}"#,
    );
    assert_eq!(load(&tree, "app").package_cache_folders, [tree.path("app/.alpackages")]);
    assert_eq!(
        load(&tree, "b").package_cache_folders,
        [tree.path("cache"), "/opt/packages".into()]
    );
}

#[test]
fn the_ruleset_is_looked_for_in_a_fixed_order() {
    let tree = Tree::new(&[("repo/.git/HEAD", ""), ("repo/app/app.json", "{}")]);
    let ruleset_of = |tree: &Tree| {
        let configuration = load(tree, "repo/app");
        let path = configuration.ruleset.path.clone();
        let path = path.map(|path| tree.relative(&[path]).remove(0));
        (path.unwrap_or_default(), warnings(tree, &configuration))
    };
    assert_eq!(ruleset_of(&tree), (String::new(), vec![]));
    // Every step adds a file that comes before all earlier ones.
    let steps: [(&str, &str, &str); 8] = [
        (
            "repo/.codeAnalysis/app.ruleset.json",
            "{}",
            "repo/.codeAnalysis/app.ruleset.json",
        ),
        ("repo/app.ruleset.json", "{}", "repo/app.ruleset.json"),
        ("repo/custom.ruleset.json", "{}", "repo/custom.ruleset.json"),
        ("repo/app/app.ruleset.json", "{}", "repo/app/app.ruleset.json"),
        ("repo/app/x.json", "{}", "repo/app/app.ruleset.json"),
        (
            "repo/app/.AL-Go/settings.json",
            r#"{"rulesetFile": "x.json"}"#,
            "repo/app/x.json",
        ),
        ("repo/y.json", "{}", "repo/app/x.json"),
        (
            "repo/.AL-Go/settings.json",
            r#"{"rulesetFile": "y.json"}"#,
            "repo/y.json",
        ),
    ];
    for (path, content, expected) in steps {
        tree.write(path, content);
        assert_eq!(ruleset_of(&tree), (expected.to_owned(), vec![]), "after {path}");
    }
    tree.write("repo/app/.vscode/settings.json", r#"{"al.ruleSetPath": "./x.json"}"#);
    assert_eq!(ruleset_of(&tree).0, "repo/app/x.json");
    tree.write("repo/app/.vscode/settings.json", r#"{"al.ruleSetPath": "./gone.json"}"#);
    let (path, found) = ruleset_of(&tree);
    assert_eq!(path, "");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("repo/app/.vscode/settings.json:1:20: the ruleset "),
        "{found:?}"
    );
    assert!(found[0].ends_with("gone.json does not exist; none of its rules apply"));
}

#[test]
fn files_of_no_project_have_settings_all_the_same() {
    let tree = Tree::new(&[
        ("loose/.vscode/settings.json", r#"{"al.codeAnalyzers": ["CodeCop"]}"#),
        ("alcops.json", r#"{"CyclomaticComplexityThreshold": 3}"#),
    ]);
    let configuration = load_loose_configuration(&Disk, &tree.path("loose"), &options());
    assert_eq!(configuration.cops.cops, ["CodeCop"]);
    assert_eq!(configuration.alcops.cyclomatic_complexity_threshold, 3);
    assert_eq!(configuration.warnings, []);
}

#[test]
fn al_go_chooses_cops_when_the_editor_is_not_told() {
    let tree = Tree::new(&[
        ("repo/.git/HEAD", ""),
        ("repo/app/app.json", "{}"),
        (
            "repo/.AL-Go/settings.json",
            r#"{"enableCodeCop": true, "enableUICop": false, "customCodeCops": ["https://example.org/ALCops.LinterCop.dll"]}"#,
        ),
    ]);
    let configuration = load(&tree, "repo/app");
    assert_eq!(configuration.cops.cops, ["ALCops.LinterCop", "CodeCop"]);
    tree.write(
        "repo/app/.vscode/settings.json",
        r#"{"al.codeAnalyzers": ["FormattingCop"]}"#,
    );
    let configuration = load(&tree, "repo/app");
    assert_eq!(configuration.cops.cops, ["ALCops.FormattingCop"]);
}

#[test]
fn affixes_come_from_the_app_source_settings() {
    let tree = Tree::new(&[
        ("app/app.json", "{}"),
        (
            "app/AppSourceCop.json",
            r#"{"mandatoryPrefix": "ABC", "mandatorySuffix": " ", "mandatoryAffixes": ["DEF", "GHI"]}"#,
        ),
    ]);
    let affixes = load(&tree, "app").affixes;
    assert_eq!(affixes.all().collect::<Vec<_>>(), ["ABC", "DEF", "GHI"]);
}
