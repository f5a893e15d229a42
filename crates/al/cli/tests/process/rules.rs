//! `candor-al rules` and `candor-al rule ID`.

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::Place;

#[test]
fn rules_are_listed_by_cop() {
    assert_snapshot!(Place::empty().run(&["rules"]), @"
    exit code 0
    -- stdout
    ALCops.ApplicationCop ── 16 rules
    id      severity  default  fix     title
    AC0007  warning   on       unsafe  Install and upgrade codeunits should be internal
    AC0008  info      off              Tables should state DataPerCompany
    AC0009  warning   on       safe    Permission set captions must be bounded to 30 characters
    AC0012  warning   on       unsafe  No integration events in internal codeunits
    AC0014  info      on               Full stop missing at the end of a ToolTip
    AC0015  info      on               Field ToolTip lacks the opening word Specifies
    AC0016  info      on               No line breaks in ToolTips
    AC0017  info      on               ToolTip longer than 200 characters
    AC0018  warning   on       safe    Empty captions must be locked
    AC0019  info      on               Enum value 0 should be the empty value
    AC0020  warning   on       unsafe  Labels ending in Tok must be locked
    AC0021  info      off              Locked labels must end in Tok
    AC0022  warning   on               Empty enum value must not have a caption
    AC0023  warning   on               Named enum value must not have an empty caption
    AC0024  warning   on       unsafe  Event publishers should be local or internal
    AC0027  info      on               Locked label that repeats its own name is a token: suffix Tok

    ALCops.Common ── 1 rule
    id      severity  default  fix     title
    CM0001  warning   on               alcops.json could not be fully applied

    Candor ── 1 rule
    id      severity  default  fix     title
    CN0001  error     on               The text is not AL

    ALCops.DocumentationCop ── 8 rules
    id      severity  default  fix     title
    DC0003  info      on               Empty statements need a comment
    DC0004  info      on               Public procedures need XML documentation
    DC0005  info      on               param/returns tags and signature disagree
    DC0006  info      off              Internal procedures need XML documentation
    DC0007  info      on               Public objects need XML documentation
    DC0008  info      off              Internal objects need XML documentation
    DC0009  info      on               Integration and business events need XML documentation
    DC0010  info      off              Internal events need XML documentation

    ALCops.FormattingCop ── 4 rules
    id      severity  default  fix     title
    FC0001  warning   on       safe    No semicolon after a procedure or trigger head
    FC0004  info      on       safe    Permissions entries must be sorted
    FC0006  info      on       safe    Permission letters of the Permissions property should be lower case
    FC0007  info      off              Blank lines around statement blocks

    ALCops.LinterCop ── 11 rules
    id      severity  default  fix     title
    LC0007  info      off              Reports the maintainability index of every method
    LC0008  warning   on               Method's maintainability index is at or under the limit
    LC0009  info      off              Reports the cyclomatic complexity of every method
    LC0010  warning   on               Method's cyclomatic complexity reaches the limit
    LC0020  warning   on       safe    Control repeats the page's ApplicationArea
    LC0028  warning   on               Use identifiers rather than strings in EventSubscriber
    LC0033  warning   on               app.json runtime lags behind its application/platform
    LC0054  warning   off              Interface names start with I
    LC0095  warning   on       unsafe  Unused parameter of a non-local procedure
    LC0097  info      off              Don't mix exit() and a named return value
    LC0099  info      on       unsafe  Unused parameter of an event subscriber

    ALCops.PlatformCop ── 2 rules
    id      severity  default  fix     title
    PC0019  warning   on       unsafe  Badly escaped not-empty filter
    PC0032  error     on               Report layout caption/summary too long

    ALCops.TestAutomationCop ── 1 rule
    id      severity  default  fix     title
    TA0001  info      on               Global procedures of test codeunits must be tests

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
    assert_snapshot!(Place::empty().run(&["rule", "FC0002"]), @"
    exit code 2
    -- stderr
    error: there is no rule `FC0002`
    hint: did you mean `FC0001` or `FC0004` or `FC0006`? `candor-al rules` lists all rules
    ");
    assert_snapshot!(Place::empty().run(&["rule", "whatever"]), @r"
        exit code 2
        -- stderr
        error: there is no rule `whatever`
        hint: `candor-al rules` lists all rules
    ");
}
