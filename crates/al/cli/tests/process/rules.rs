//! `candor-al rules` and `candor-al rule ID`.

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::Place;

#[test]
fn rules_are_listed_by_cop() {
    // Some of them: a new rule changes nothing here.
    assert_snapshot!(Place::empty().run(&["rules", "AC0008", "AC0012", "AC0018", "CN0001"]), @r"
        exit code 0
        -- stdout
        ALCops.ApplicationCop ── 3 rules
        id      severity  default  fix     title
        AC0008  info      off              Tables should state DataPerCompany
        AC0012  warning   on       unsafe  No integration events in internal codeunits
        AC0018  warning   on       safe    Empty captions must be locked

        Candor ── 1 rule
        id      severity  default  fix     title
        CN0001  error     on               The text is not AL

        candor-al rule ID shows what a rule flags, why, and what its fix does.
    ");
}

#[test]
fn rules_as_json_have_every_fact() {
    let output = Place::empty().output(&["rules", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let rules: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rule = rules
        .as_array()
        .unwrap()
        .iter()
        .find(|rule| rule["id"] == "AC0012")
        .expect("a rule");
    assert_snapshot!(serde_json::to_string_pretty(rule).unwrap(), @r#"
        {
          "id": "AC0012",
          "title": "No integration events in internal codeunits",
          "description": "A procedure with the attribute `IntegrationEvent` in a codeunit with `Access = Internal`.",
          "severity": "Warning",
          "category": "Design",
          "copName": "ALCops.ApplicationCop",
          "enabledByDefault": true,
          "fixes": [
            {
              "equivalenceKey": "IntegrationEventInInternalCodeunitRemoveAccessInternalFixProvider",
              "title": "ALCops: Remove property Access = Internal",
              "providerName": "IntegrationEventInInternalCodeunitRemoveAccessInternalFixProvider",
              "safety": "unsafe"
            },
            {
              "equivalenceKey": "IntegrationEventInInternalCodeunitConvertToInternalEventFixProvider",
              "title": "ALCops: Refactor from IntegrationEvent to InternalEvent",
              "providerName": "IntegrationEventInInternalCodeunitConvertToInternalEventFixProvider",
              "safety": "unsafe"
            }
          ],
          "helpUri": "https://alcops.dev/docs/analyzers/applicationcop/ac0012/"
        }
    "#);
}

#[test]
fn a_rule_has_a_page_under_its_id_in_any_case() {
    let place = Place::empty();
    let page = place.run(&["rule", "FC0001"]);
    assert_eq!(place.run(&["rule", "fc0001"]), page);
    for section in [
        "# FC0001: ",
        "## What it flags",
        "## Why",
        "## Example",
        "## Better",
        "## Fix",
        "## Origin",
    ] {
        assert!(page.contains(section), "{section} in\n{page}");
    }
}

#[test]
fn every_rule_that_is_listed_has_a_page() {
    let place = Place::empty();
    let output = place.output(&["rules", "--format", "json"]);
    let rules: Value = serde_json::from_slice(&output.stdout).unwrap();
    for rule in rules.as_array().unwrap() {
        assert_eq!(place.exit_code(&["rule", rule["id"].as_str().unwrap()]), 0, "{rule}");
    }
}

#[test]
fn an_unknown_rule_names_its_neighbours() {
    assert_snapshot!(Place::empty().run(&["rule", "FC0099"]), @"
    exit code 2
    -- stderr
    error: there is no rule `FC0099`
    hint: did you mean `LC0099` or `AC0009` or `AC0019`? `candor-al rules` lists all rules
    ");
    assert_snapshot!(Place::empty().run(&["rule", "whatever"]), @r"
        exit code 2
        -- stderr
        error: there is no rule `whatever`
        hint: `candor-al rules` lists all rules
    ");
}

#[test]
fn the_list_can_be_narrowed_to_rules_cops_and_fixes() {
    let place = Place::empty();
    let ids = |arguments: &[&str]| -> Vec<String> {
        let arguments: Vec<_> = ["rules", "--format", "json"].iter().chain(arguments).copied().collect();
        let output = place.output(&arguments);
        let rules: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rules = rules.as_array().unwrap().clone();
        rules
            .iter()
            .map(|rule| rule["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&["ac0018", "CN0001"]), ["AC0018", "CN0001"]);
    assert!(ids(&["lintercop"]).iter().all(|id| id.starts_with("LC")));
    assert_eq!(ids(&["LinterCop"]), ids(&["ALCops.LinterCop"]));
    let fixable = ids(&["--fixable"]);
    assert!(fixable.contains(&"AC0018".to_owned()) && !fixable.contains(&"CN0001".to_owned()));
    let output = place.output(&["rules", "LinterCopp"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("did you mean `LinterCop`?"), "{errors}");
}

#[test]
fn a_rule_as_json_has_its_facts_and_its_page() {
    let output = Place::empty().output(&["rule", "ac0018", "--format", "json"]);
    let rule: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rule["id"], "AC0018");
    assert_eq!(rule["fixes"][0]["safety"], "safe");
    assert!(rule["page"].as_str().unwrap().starts_with("# AC0018: "));
}
