//! What rulesets and those they include decide.

use candor_al_workspace::configuration::{Action, Configuration, ConfigurationOptions, Ruleset, load_configuration};
use candor_al_workspace::file_system::Disk;

use crate::support::Tree;

/// A project whose ruleset is `main.json`, with more files in its folder.
fn project(main: &str, others: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(&[
        ("app.json", "{}"),
        (".vscode/settings.json", r#"{"al.ruleSetPath": "main.json"}"#),
        ("main.json", main),
    ]);
    for (path, content) in others {
        tree.write(path, content);
    }
    tree
}

fn load(tree: &Tree) -> Configuration {
    load_configuration(&Disk, tree.root(), &ConfigurationOptions::default())
}

fn warnings(tree: &Tree) -> Vec<String> {
    let warnings = load(tree).warnings;
    warnings.iter().map(|warning| tree.plain(warning)).collect()
}

/// A ruleset of one rule.
fn rule(id: &str, action: &str) -> String {
    format!(r#"{{"rules": [{{"id": "{id}", "action": "{action}"}}]}}"#)
}

/// A ruleset that includes others.
fn including(includes: &[(&str, &str)], rest: &str) -> String {
    let includes: Vec<_> = includes
        .iter()
        .map(|(path, action)| format!(r#"{{"path": "{path}", "action": "{action}"}}"#))
        .collect();
    format!(r#"{{"includedRuleSets": [{}]{rest}}}"#, includes.join(","))
}

fn ruleset(main: &str, others: &[(&str, &str)]) -> Ruleset {
    let tree = project(main, others);
    let configuration = load(&tree);
    assert_eq!(configuration.warnings, [], "no warnings");
    configuration.ruleset
}

#[test]
fn an_entry_decides_and_the_case_of_ids_and_words_is_free() {
    let rules = ruleset(
        r#"{"Name": "x", "rules": [ // comment
            {"id": "LC0001", "action": "none", "justification": "why"},
            {"id": "lc0002", "Action": "ERROR"},
            {"id": "LC0003", "action": "Hidden"},
            {"id": "LC0004", "action": "Default"},
        ]}"#,
        &[],
    );
    assert!(rules.is_suppressed("lc0001"));
    assert_eq!(rules.severity("LC0001"), None);
    assert_eq!(rules.severity("LC0002"), Some(Action::Error));
    assert_eq!(rules.severity("LC0003"), Some(Action::Hidden));
    assert_eq!(rules.action("LC0004"), None);
    assert_eq!(rules.action("LC0005"), None);
    assert!(!rules.is_suppressed("LC0003"));
}

#[test]
fn naming_a_rule_with_an_active_action_switches_it_on() {
    let rules = ruleset(
        r#"{"generalAction": "Error", "rules": [
            {"id": "A", "action": "Info"}, {"id": "B", "action": "None"}, {"id": "C", "action": "Default"}]}"#,
        &[],
    );
    assert!(rules.switches_on("A"));
    assert!(!rules.switches_on("B"));
    assert!(!rules.switches_on("C"));
    assert!(!rules.switches_on("D"), "a general action names nothing");
}

#[test]
fn the_general_action_is_for_rules_without_entry_or_with_the_entry_default() {
    let rules = ruleset(
        r#"{"generalAction": "None", "rules": [{"id": "A", "action": "Info"}, {"id": "B", "action": "Default"}]}"#,
        &[],
    );
    assert_eq!(rules.action("A"), Some(Action::Info));
    assert!(rules.is_suppressed("B"));
    assert!(rules.is_suppressed("C"));
}

#[test]
fn the_stricter_general_action_wins_wherever_it_stands() {
    for (outer, inner, expected) in [
        ("Warning", "Error", Action::Error),
        ("Error", "Hidden", Action::Error),
        ("Info", "None", Action::Info),
    ] {
        let main = including(&[("a.json", "Default")], &format!(r#", "generalAction": "{outer}""#));
        let inner = format!(r#"{{"generalAction": "{inner}"}}"#);
        let rules = ruleset(&main, &[("a.json", &inner)]);
        assert_eq!(rules.general_action(), Some(expected));
    }
}

#[test]
fn own_entries_beat_included_ones_and_among_these_the_stricter_wins() {
    let own = r#", "rules": [{"id": "A", "action": "None"}]"#;
    let main = including(&[("a.json", "Default"), ("b.json", "Default")], own);
    let a =
        r#"{"rules": [{"id": "A", "action": "Error"}, {"id": "B", "action": "Error"}, {"id": "C", "action": "None"}]}"#;
    let b = r#"{"rules": [{"id": "B", "action": "Info"}, {"id": "C", "action": "Hidden"}]}"#;
    let rules = ruleset(&main, &[("a.json", a), ("b.json", b)]);
    assert_eq!(rules.action("A"), Some(Action::None));
    assert_eq!(rules.action("B"), Some(Action::Error));
    assert_eq!(rules.action("C"), Some(Action::Hidden));
}

#[test]
fn the_action_of_an_include_maps_everything_that_is_active() {
    let inner = r#"{"generalAction": "Error", "rules": [{"id": "A", "action": "Error"},
        {"id": "B", "action": "Hidden"}, {"id": "C", "action": "None"}, {"id": "D", "action": "Info"}]}"#;
    let action = |include: &str| {
        let main = including(&[("a.json", include)], "");
        let rules = ruleset(&main, &[("a.json", inner)]);
        ["A", "B", "C", "D", "E"].map(|id| rules.action(id).map_or("-", Action::name))
    };
    assert_eq!(action("Default"), ["Error", "Hidden", "None", "Info", "Error"]);
    assert_eq!(action("Warning"), ["Warning", "Hidden", "None", "Warning", "Warning"]);
    assert_eq!(action("None"), ["None", "Hidden", "None", "None", "-"]);
}

#[test]
fn a_mapping_reaches_through_all_levels() {
    let rules = ruleset(
        &including(&[("one/a.json", "Warning")], ""),
        &[
            ("one/a.json", &including(&[("../two/b.json", "Error")], "")),
            ("two/b.json", &rule("A", "Info")),
        ],
    );
    assert_eq!(rules.action("A"), Some(Action::Warning));
}

#[test]
fn includes_of_the_first_file_are_relative_to_the_project_or_to_the_file() {
    let tree = Tree::new(&[
        ("app.json", "{}"),
        (".vscode/settings.json", r#"{"al.ruleSetPath": "rules/main.json"}"#),
        (
            "rules/main.json",
            &including(&[("a.json", "Default"), (r".\\b.json", "Default")], ""),
        ),
        ("a.json", &rule("A", "Info")),
        ("rules/a.json", &rule("A", "Error")),
        ("rules/b.json", &rule("B", "Error")),
    ]);
    let configuration = load(&tree);
    assert_eq!(configuration.ruleset.action("A"), Some(Action::Info));
    assert_eq!(configuration.ruleset.action("B"), Some(Action::Error));
}

#[test]
fn a_cycle_is_cut_and_reported_and_a_file_included_twice_is_no_cycle() {
    let tree = project(
        &including(&[("a.json", "Default"), ("b.json", "Default")], ""),
        &[
            ("a.json", &including(&[("b.json", "Default")], "")),
            (
                "b.json",
                &including(
                    &[("./a.json", "Default")],
                    r#", "rules": [{"id": "B", "action": "Error"}]"#,
                ),
            ),
        ],
    );
    assert_eq!(
        warnings(&tree),
        ["b.json:1:32: the included ruleset a.json leads back to itself; the second visit is ignored"]
    );
    assert_eq!(load(&tree).ruleset.action("B"), Some(Action::Error));
    let twice = including(&[("a.json", "Default"), ("b.json", "Default")], "");
    let shared = including(&[("c.json", "Default")], "");
    let rules = ruleset(
        &twice,
        &[("a.json", &shared), ("b.json", &shared), ("c.json", &rule("C", "Info"))],
    );
    assert_eq!(rules.action("C"), Some(Action::Info));
}

#[test]
fn what_is_wrong_is_reported_with_its_place_and_the_rest_counts() {
    let tree = project(
        r#"{
"generalAction": "Loud",
"includedRuleSets": [
  {"path": "gone.json", "action": "Default"},
  {"path": "broken.json", "action": "Default"},
  {"action": "Error"}],
"rules": [
  {"id": "A", "action": "Shout"},
  {"id": "B", "action": "Info"},
  {"id": "b", "action": "Error"},
  {"action": "None"},
  "C"]}"#,
        &[("broken.json", "{\n\"rules\": [}")],
    );
    let found = warnings(&tree);
    assert_eq!(
        found,
        [
            "main.json:2:18: the action \"Loud\" does not exist (Error, Warning, Info, Hidden, None and Default do); Default is taken",
            "main.json:6:3: path must be the path of a ruleset; this value is ignored",
            "main.json:8:25: the action \"Shout\" does not exist (Error, Warning, Info, Hidden, None and Default do); Default is taken",
            "main.json:10:10: the rule b has two different actions in this ruleset; the last one counts",
            "main.json:11:3: id must be the id of a rule; this value is ignored",
            "main.json:12:3: the value must be an object; this value is ignored",
            "main.json:4:12: the ruleset gone.json does not exist; none of its rules apply",
            &found[7],
        ]
    );
    assert!(
        found[7].starts_with("broken.json:2:11: is not valid JSON: "),
        "{found:?}"
    );
    assert_eq!(load(&tree).ruleset.action("B"), Some(Action::Error));
}

#[test]
fn a_ruleset_on_the_web_is_read_from_the_cache_if_allowed_and_never_fetched() {
    const ADDRESS: &str = "https://example.org/team.ruleset.json";
    let tree = project(&including(&[(ADDRESS, "Default")], ""), &[]);
    assert_eq!(
        warnings(&tree),
        [
            "main.json:1:32: the ruleset https://example.org/team.ruleset.json is not read: external rulesets are off (al.enableExternalRulesets)"
        ]
    );
    tree.write(
        ".vscode/settings.json",
        r#"{"al.ruleSetPath": "main.json", "al.enableExternalRulesets": true}"#,
    );
    let options = ConfigurationOptions {
        external_cache: Some(tree.path("cache")),
        ..ConfigurationOptions::default()
    };
    let load = || load_configuration(&Disk, tree.root(), &options);
    let warning = tree.plain(&load().warnings[0]);
    let file = warning
        .split_once("save it as ")
        .and_then(|(_, rest)| rest.strip_suffix(" to use it"))
        .unwrap();
    assert!(file.starts_with("cache/"), "{warning}");
    tree.write(file, rule("A", "Error"));
    assert_eq!(load().warnings, []);
    assert_eq!(load().ruleset.action("A"), Some(Action::Error));
}

#[test]
fn a_forest_of_includes_ends() {
    // Each of 20 files includes the next twice: a million visits without memory.
    let files: Vec<_> = (0..20)
        .map(|number| {
            let next = format!("{}.json", number + 1);
            let path = format!("{number}.json");
            (path, including(&[(&next, "Default"), (&next, "Info")], ""))
        })
        .collect();
    let mut others: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let last = rule("A", "Error");
    others.push(("20.json", &last));
    let rules = ruleset(&including(&[("0.json", "Default")], ""), &others);
    assert_eq!(rules.action("A"), Some(Action::Error));
    // A chain longer than anybody's is cut.
    let files: Vec<_> = (0..300)
        .map(|number| {
            (
                format!("{number}.json"),
                including(&[(&format!("{}.json", number + 1), "Default")], ""),
            )
        })
        .collect();
    let others: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let tree = project(&including(&[("0.json", "Default")], ""), &others);
    assert_eq!(
        warnings(&tree),
        ["254.json:1:32: more than 256 rulesets are included; the rest is ignored"]
    );
}

/// What the ruleset decides about one rule, and how many warnings there are.
fn decided(main: &str, others: &[(&str, &str)], id: &str) -> (&'static str, usize) {
    let tree = project(main, others);
    let configuration = load(&tree);
    let action = configuration.ruleset.action(id).map_or("-", Action::name);
    (action, configuration.warnings.len())
}

#[test]
fn the_table_of_actions() {
    for (action, decision, warnings) in [
        ("Error", "Error", 0),
        ("Warning", "Warning", 0),
        ("Info", "Info", 0),
        ("Hidden", "Hidden", 0),
        ("None", "None", 0),
        // As if the rule had no entry: its own severity, or the general action.
        ("Default", "-", 0),
        ("hIDDEN", "Hidden", 0),
        (" Error ", "Error", 0),
        ("Suggestion", "-", 1),
        ("", "-", 1),
    ] {
        assert_eq!(decided(&rule("A", action), &[], "a"), (decision, warnings), "{action}");
        let main = format!(r#"{{"generalAction": "{action}"}}"#);
        assert_eq!(decided(&main, &[], "A"), (decision, warnings), "general {action}");
    }
}

#[test]
fn the_table_of_includes() {
    let own = |action: &str| format!(r#", "rules": [{{"id": "A", "action": "{action}"}}]"#);
    let general = |action: &str| format!(r#", "generalAction": "{action}""#);
    let (a_error, a_info, a_none, a_default) = (
        rule("A", "Error"),
        rule("A", "Info"),
        rule("A", "None"),
        rule("A", "Default"),
    );
    let any_error = r#"{"generalAction": "Error"}"#;
    let broken = "{";
    for (what, main, others, decision, warnings) in [
        (
            "an own rule over an included one",
            including(&[("x.json", "Default")], &own("Info")),
            &[("x.json", a_error.as_str())][..],
            "Info",
            0,
        ),
        (
            "an own None over an included one",
            including(&[("x.json", "Default")], &own("None")),
            &[("x.json", &a_error)],
            "None",
            0,
        ),
        (
            "an own Default leaves it to the general action",
            including(&[("x.json", "Default")], &(own("Default") + &general("Hidden"))),
            &[("x.json", &a_error)],
            "Hidden",
            0,
        ),
        (
            "an own rule over the action of an include",
            including(&[("x.json", "Error")], &own("Info")),
            &[("x.json", &a_info)],
            "Info",
            0,
        ),
        (
            "the stricter of two includes",
            including(&[("x.json", "Default"), ("y.json", "Default")], ""),
            &[("x.json", &a_info), ("y.json", &a_error)],
            "Error",
            0,
        ),
        (
            "in whatever order",
            including(&[("y.json", "Default"), ("x.json", "Default")], ""),
            &[("x.json", &a_info), ("y.json", &a_error)],
            "Error",
            0,
        ),
        (
            "None is the least strict",
            including(&[("x.json", "Default"), ("y.json", "Default")], ""),
            &[("x.json", &a_none), ("y.json", &a_info)],
            "Info",
            0,
        ),
        (
            "an included rule over the own general action",
            including(&[("x.json", "Default")], &general("Error")),
            &[("x.json", &a_info)],
            "Info",
            0,
        ),
        (
            "the general action of an include, if it is the stricter one",
            including(&[("x.json", "Default")], &general("Info")),
            &[("x.json", any_error)],
            "Error",
            0,
        ),
        (
            "the action of an include raises",
            including(&[("x.json", "Error")], ""),
            &[("x.json", &a_info)],
            "Error",
            0,
        ),
        (
            "the action of an include lowers",
            including(&[("x.json", "Hidden")], ""),
            &[("x.json", &a_error)],
            "Hidden",
            0,
        ),
        (
            "the action of an include wakes nothing that is off",
            including(&[("x.json", "Error")], ""),
            &[("x.json", &a_none)],
            "None",
            0,
        ),
        (
            "an included Default takes the action of its include",
            including(&[("x.json", "Error")], ""),
            &[("x.json", &a_default)],
            "Error",
            0,
        ),
        (
            "an include of None switches off what it names",
            including(&[("x.json", "None")], ""),
            &[("x.json", &a_error)],
            "None",
            0,
        ),
        (
            "an include that is missing",
            including(&[("gone.json", "Default"), ("x.json", "Default")], ""),
            &[("x.json", &a_error)],
            "Error",
            1,
        ),
        (
            "an include that is broken",
            including(&[("broken.json", "Default"), ("x.json", "Default")], ""),
            &[("x.json", &a_error), ("broken.json", broken)],
            "Error",
            1,
        ),
        (
            "a file that includes itself",
            including(&[("main.json", "Default")], &own("Error")),
            &[],
            "Error",
            1,
        ),
        (
            "an include on the web, while those are off",
            including(&[("http://example.org/x.json", "Default"), ("x.json", "Default")], ""),
            &[("x.json", &a_info)],
            "Info",
            1,
        ),
        (
            "an include without an action",
            r#"{"includedRuleSets": [{"path": "x.json"}]}"#.to_owned(),
            &[("x.json", &a_error)],
            "Error",
            0,
        ),
        (
            "an include with an action that is none",
            including(&[("x.json", "Loud")], ""),
            &[("x.json", &a_error)],
            "Error",
            1,
        ),
        ("a file that is broken", "{".to_owned(), &[], "-", 1),
        ("a file that is empty", String::new(), &[], "-", 0),
        ("a file that is no object", "[]".to_owned(), &[], "-", 1),
    ] {
        assert_eq!(decided(&main, others, "A"), (decision, warnings), "{what}");
    }
}

#[test]
fn a_ruleset_may_allow_external_ones_itself_unless_the_settings_forbid_it() {
    const ADDRESS: &str = "https://example.org/team.ruleset.json";
    let main = including(&[(ADDRESS, "Default")], r#", "enableExternalRulesets": true"#);
    let tree = project(&main, &[]);
    let options = ConfigurationOptions {
        external_cache: Some(tree.path("cache")),
        ..ConfigurationOptions::default()
    };
    let warning = || tree.plain(&load_configuration(&Disk, tree.root(), &options).warnings[0]);
    assert!(warning().contains("is not in the cache"), "{}", warning());
    tree.write(
        ".vscode/settings.json",
        r#"{"al.ruleSetPath": "main.json", "al.enableExternalRulesets": false}"#,
    );
    assert!(warning().contains("external rulesets are off"), "{}", warning());
}
