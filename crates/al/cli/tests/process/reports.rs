//! Reports for other programs: code scanning and build pipelines.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::place::{CODEUNIT, Place, TABLE};

/// The rules that the files of these tests break, and no rule to come.
const SELECT: &str = "--select=AC0018,LC0095";

/// The document that a format writes.
fn document(place: &Place, arguments: &[&str]) -> Value {
    let output = place.output(arguments);
    serde_json::from_slice(&output.stdout).expect("one JSON document on standard output")
}

fn sarif_results(place: &Place) -> Vec<Value> {
    let document = document(place, &["check", SELECT, "--format", "sarif"]);
    document["runs"][0]["results"].as_array().unwrap().clone()
}

#[test]
fn sarif_tells_places_rules_and_fingerprints() {
    let place = Place::project(&[("src/Tool Table.al", TABLE)]);
    let document = document(&place, &["check", SELECT, "--format", "sarif"]);
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"].as_str().unwrap();
    assert!(root.starts_with("file:///") && root.ends_with('/'), "{root}");
    assert_snapshot!(serde_json::to_string_pretty(&run["results"]).unwrap(), @r#"
        [
          {
            "ruleId": "AC0018",
            "ruleIndex": 0,
            "level": "warning",
            "message": {
              "text": "The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text."
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "src/Tool%20Table.al",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "region": {
                    "startLine": 5,
                    "startColumn": 5,
                    "endLine": 5,
                    "endColumn": 12
                  }
                }
              }
            ],
            "partialFingerprints": {
              "candorRuleAndLine/v1": "fe258175e124fb7a:1"
            }
          }
        ]
    "#);
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "candor-al");
    assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"));
    let mut rule = driver["rules"][0].clone();
    let page = rule["help"].as_object_mut().unwrap().remove("markdown").unwrap();
    assert!(page.as_str().unwrap().starts_with("# AC0018: "), "{page}");
    assert_snapshot!(serde_json::to_string_pretty(&rule).unwrap(), @r#"
        {
          "id": "AC0018",
          "shortDescription": {
            "text": "Empty captions must be locked"
          },
          "fullDescription": {
            "text": "A `Caption` that is empty, or holds nothing but blanks, without `Locked = true`. It looks at objects, fields, controls, actions, views, columns, filters, report layouts and values of enums; not at `CaptionML`."
          },
          "help": {
            "text": "A `Caption` that is empty, or holds nothing but blanks, without `Locked = true`. It looks at objects, fields, controls, actions, views, columns, filters, report layouts and values of enums; not at `CaptionML`.\n\n`candor-al rule AC0018` shows the whole page."
          },
          "defaultConfiguration": {
            "enabled": true,
            "level": "warning"
          },
          "properties": {
            "tags": [
              "ALCops.ApplicationCop",
              "Design"
            ],
            "problem.severity": "warning"
          },
          "helpUri": "https://alcops.dev/docs/analyzers/applicationcop/ac0018/"
        }
    "#);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn sarif_of_the_example_app_points_from_each_result_to_its_rule() {
    let document = document(&Place::example(), &["check", "--format", "sarif"]);
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let lines: Vec<String> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            format!(
                "{} {} {}:{}",
                result["level"].as_str().unwrap(),
                result["ruleId"].as_str().unwrap(),
                place["artifactLocation"]["uri"].as_str().unwrap(),
                place["region"]["startLine"],
            )
        })
        .collect();
    assert_snapshot!(lines.join("\n"), @r"
        error AC0012 src/OverdueCheck.Codeunit.al:21
        warning AC0018 src/Tool.Table.al:47
        note FC0006 src/ToolLending.Codeunit.al:7
        warning AC0020 src/ToolLending.Codeunit.al:11
        warning LC0095 src/ToolLending.Codeunit.al:24
        note AC0024 src/ToolLending.Codeunit.al:60
        warning AC0009 src/ToolLibrary.PermissionSet.al:8
        warning AC0007 src/ToolLibraryInstall.Codeunit.al:4
        warning FC0001 src/ToolLibraryInstall.Codeunit.al:8
        warning LC0020 src/ToolList.Page.al:22
    ");
}

#[test]
fn sarif_lists_suppressed_findings_when_asked() {
    let place = Place::project(&[
        ("A.Table.al", TABLE),
        ("B.Table.al", &format!("#pragma warning disable AC0018\n{TABLE}")),
        ("C.Codeunit.al", CODEUNIT),
        (
            "custom.ruleset.json",
            r#"{"rules": [{"id": "LC0095", "action": "None"}]}"#,
        ),
    ]);
    let results = |arguments: &[&str]| -> Vec<Value> {
        let document = document(&place, &[&["check", "--format", "sarif"], arguments].concat());
        let results = document["runs"][0]["results"].as_array().unwrap().iter();
        let is_ours = |result: &&Value| result["ruleId"] == "AC0018" || result["ruleId"] == "LC0095";
        results.filter(is_ours).cloned().collect()
    };
    let told = results(&["--show-suppressed"]);
    let suppressions: Vec<_> = told.iter().map(|result| &result["suppressions"]).collect();
    assert_eq!(suppressions.len(), 3, "{told:?}");
    assert_eq!(suppressions[0], &Value::Null, "a live one has none");
    assert_eq!(suppressions[1], &json!([{ "kind": "inSource" }]));
    assert_eq!(suppressions[2][0]["kind"], "external");
    let why = suppressions[2][0]["justification"].as_str().unwrap();
    assert!(why.contains("custom.ruleset.json gives it the action None"), "{why}");
    assert_eq!(results(&[]), told[..1], "and the live ones are the same without them");
    assert_eq!(
        place.exit_code(&["check", "--show-suppressed"]),
        2,
        "only sarif can mark them"
    );
}

#[test]
fn sarif_tells_findings_in_the_configuration_with_a_place() {
    let place = Place::project(&[("alcops.json", "{\n  \"Nothing\": 1\n}\n")]);
    let document = document(&place, &["check", "--select=CM0001", "--format", "sarif"]);
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "CM0001");
    let physical = &result["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uri"], "alcops.json");
    assert_eq!(
        physical["region"],
        json!({ "startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 12 })
    );
}

#[test]
fn sarif_of_nothing_is_a_run_without_results() {
    let place = Place::project(&[("A.Codeunit.al", "codeunit 50100 A\n{\n}\n")]);
    let text = String::from_utf8(place.output(&["check", SELECT, "--format", "sarif"]).stdout).unwrap();
    let root = text.split("{\"uri\":\"").nth(1).unwrap().split('"').next().unwrap();
    let text = text
        .replace(root, "[root]")
        .replace(env!("CARGO_PKG_VERSION"), "[version]");
    assert_snapshot!(text, @r#"{"$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","originalUriBaseIds":{"%SRCROOT%":{"uri":"[root]"}},"results":[],"tool":{"driver":{"name":"candor-al","version":"[version]","semanticVersion":"[version]","rules":[]}},"invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}]}]}"#);
}

#[test]
fn sarif_tells_what_limits_the_result() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    place.write(".vscode/settings.json", r#"{ "al.codeAnalyzers": ["${CodeCop}"] }"#);
    let output = place.output(&["check", SELECT, "--format", "sarif"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let notification = &document["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "warning");
    assert!(
        notification["message"]["text"].as_str().unwrap().contains("CodeCop"),
        "{notification}"
    );
}

#[test]
fn a_fingerprint_survives_lines_that_come_before_and_another_indentation() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    let before = sarif_results(&place);
    let changed = format!(
        "// A comment.\n\n{}",
        TABLE.replace("    Caption = ''", "\tCaption  =  ''")
    );
    place.write("Tool.Table.al", changed);
    let after = sarif_results(&place);
    assert_eq!(before.len(), 1);
    assert_ne!(before[0]["locations"], after[0]["locations"]);
    assert_eq!(before[0]["partialFingerprints"], after[0]["partialFingerprints"]);
}

#[test]
fn findings_alike_have_fingerprints_of_their_own() {
    let fields = "field(2; A; Code[20]) {\n Caption = '';\n }\nfield(3; B; Code[20]) {\n Caption = '';\n }\n";
    let table = TABLE.replace("    fields\n    {\n", &format!("    fields\n    {{\n{fields}"));
    let place = Place::project(&[("Tool.Table.al", &table)]);
    let mut fingerprints: Vec<_> = sarif_results(&place)
        .iter()
        .map(|result| result["partialFingerprints"]["candorRuleAndLine/v1"].to_string())
        .collect();
    assert_eq!(fingerprints.len(), 3);
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 3);
}

#[test]
fn places_are_told_from_the_root_of_the_repository() {
    let place = Place::empty();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("apps/tools/app.json", crate::place::MANIFEST);
    place.write("apps/tools/Tool.Table.al", TABLE);
    let output = place
        .command(&["check", SELECT, "--format", "sarif"])
        .current_dir(place.path().join("apps/tools"))
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let location = &document["runs"][0]["results"][0]["locations"][0];
    assert_eq!(
        location["physicalLocation"]["artifactLocation"]["uri"],
        "apps/tools/Tool.Table.al"
    );
}

#[test]
fn reports_for_programs_have_no_room_for_differences_and_statistics() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    assert_snapshot!(place.run(&["check", "--format", "sarif", "--diff"]), @r"
        exit code 2
        -- stderr
        error: `--diff` and `--statistics` are written with `--format human` or `--format json` only
    ");
    assert_eq!(place.exit_code(&["check", "--format", "sarif", "--statistics"]), 2);
}

#[test]
fn github_shows_a_finding_beside_its_line() {
    assert_snapshot!(Place::example().run(&["check", "--format", "github"]), @r"
        exit code 1
        -- stdout
        ::error file=src/OverdueCheck.Codeunit.al,line=21,endLine=21,col=21,endColumn=34,title=AC0012::src/OverdueCheck.Codeunit.al:21:21: AC0012 Nobody outside this extension can subscribe to the integration event `OnToolOverdue`, because its codeunit is internal. Make it an `InternalEvent`, or the codeunit public.
        ::warning file=src/Tool.Table.al,line=47,endLine=47,col=13,endColumn=20,title=AC0018::src/Tool.Table.al:47:13: AC0018 The caption of `Row Style` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
        ::notice file=src/ToolLending.Codeunit.al,line=7,endLine=7,col=5,endColumn=39,title=FC0006::src/ToolLending.Codeunit.al:7:5: FC0006 Upper-case letters promise direct permissions, but here their case has no effect: the permissions of an object are always indirect. Write them in lower case.
        ::warning file=src/ToolLending.Codeunit.al,line=11,endLine=11,col=9,endColumn=16,title=AC0020::src/ToolLending.Codeunit.al:11:9: AC0020 `LentTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
        ::warning file=src/ToolLending.Codeunit.al,line=24,endLine=24,col=100,endColumn=115,title=LC0095::src/ToolLending.Codeunit.al:24:100: LC0095 Callers of `Lend` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
        ::notice file=src/ToolLending.Codeunit.al,line=60,endLine=60,col=15,endColumn=26,title=AC0024::src/ToolLending.Codeunit.al:60:15: AC0024 Other extensions can raise the event `OnAfterLend` themselves, when its subscribers do not expect it. Make it `local`, or `internal` if other objects of this extension raise it; anybody can still subscribe.
        ::warning file=src/ToolLibrary.PermissionSet.al,line=8,endLine=8,col=5,endColumn=30,title=AC0009::src/ToolLibrary.PermissionSet.al:8:5: AC0009 The name of a permission set holds 30 characters, and nothing keeps translations of this caption from being longer and cut. Add `MaxLength = 30`, or `Locked = true` if it is not to be translated.
        ::warning file=src/ToolLibraryInstall.Codeunit.al,line=4,endLine=4,col=16,endColumn=38,title=AC0007::src/ToolLibraryInstall.Codeunit.al:4:16: AC0007 Every extension that depends on this one can run this install codeunit outside of an installation. Set `Access = Internal`.
        ::warning file=src/ToolLibraryInstall.Codeunit.al,line=8,endLine=8,col=37,endColumn=38,title=FC0001::src/ToolLibraryInstall.Codeunit.al:8:37: FC0001 A semicolon behind the head of a trigger with a body means nothing. Remove it.
        ::warning file=src/ToolList.Page.al,line=22,endLine=22,col=21,endColumn=43,title=LC0020::src/ToolList.Page.al:22:21: LC0020 The page already says `ApplicationArea = All`, and its controls take that over. Remove the line here.
    ");
}

#[test]
fn github_is_told_what_limits_the_result() {
    let place = Place::project(&[("A.Codeunit.al", "codeunit 50100 A\n{\n}\n")]);
    place.write(".vscode/settings.json", r#"{ "al.codeAnalyzers": ["${CodeCop}"] }"#);
    let told = place.run(&["check", SELECT, "--format", "github"]);
    assert!(
        told.starts_with("exit code 0\n-- stdout\n::warning title=candor-al::"),
        "{told}"
    );
    assert!(!told.contains("-- stderr"), "{told}");
}

#[test]
fn azure_lists_errors_and_warnings_as_issues() {
    assert_snapshot!(Place::example().run(&["check", "--format", "azure"]), @r"
        exit code 1
        -- stdout
        ##vso[task.logissue type=error;sourcepath=src/OverdueCheck.Codeunit.al;linenumber=21;columnnumber=21;code=AC0012;]Nobody outside this extension can subscribe to the integration event `OnToolOverdue`, because its codeunit is internal. Make it an `InternalEvent`, or the codeunit public.
        ##vso[task.logissue type=warning;sourcepath=src/Tool.Table.al;linenumber=47;columnnumber=13;code=AC0018;]The caption of `Row Style` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
        src/ToolLending.Codeunit.al:7:5: info FC0006: Upper-case letters promise direct permissions, but here their case has no effect: the permissions of an object are always indirect. Write them in lower case.
        ##vso[task.logissue type=warning;sourcepath=src/ToolLending.Codeunit.al;linenumber=11;columnnumber=9;code=AC0020;]`LentTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
        ##vso[task.logissue type=warning;sourcepath=src/ToolLending.Codeunit.al;linenumber=24;columnnumber=100;code=LC0095;]Callers of `Lend` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
        src/ToolLending.Codeunit.al:60:15: info AC0024: Other extensions can raise the event `OnAfterLend` themselves, when its subscribers do not expect it. Make it `local`, or `internal` if other objects of this extension raise it; anybody can still subscribe.
        ##vso[task.logissue type=warning;sourcepath=src/ToolLibrary.PermissionSet.al;linenumber=8;columnnumber=5;code=AC0009;]The name of a permission set holds 30 characters, and nothing keeps translations of this caption from being longer and cut. Add `MaxLength = 30`, or `Locked = true` if it is not to be translated.
        ##vso[task.logissue type=warning;sourcepath=src/ToolLibraryInstall.Codeunit.al;linenumber=4;columnnumber=16;code=AC0007;]Every extension that depends on this one can run this install codeunit outside of an installation. Set `Access = Internal`.
        ##vso[task.logissue type=warning;sourcepath=src/ToolLibraryInstall.Codeunit.al;linenumber=8;columnnumber=37;code=FC0001;]A semicolon behind the head of a trigger with a body means nothing. Remove it.
        ##vso[task.logissue type=warning;sourcepath=src/ToolList.Page.al;linenumber=22;columnnumber=21;code=LC0020;]The page already says `ApplicationArea = All`, and its controls take that over. Remove the line here.
    ");
}

#[test]
fn the_error_log_has_the_shape_of_the_compiler() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    let mut document = document(&place, &["check", SELECT, "--format", "errorlog"]);
    let tool = document.as_object_mut().unwrap().remove("toolInfo").unwrap();
    assert_eq!(tool["toolName"], "candor-al");
    assert_eq!(tool["productVersion"], env!("CARGO_PKG_VERSION"));
    let text = serde_json::to_string_pretty(&document).unwrap();
    assert_snapshot!(place.steady(&text), @r#"
        {
          "version": "0.2",
          "issues": [
            {
              "ruleId": "AC0018",
              "locations": [
                {
                  "analysisTarget": [
                    {
                      "uri": "[folder]/Tool.Table.al",
                      "region": {
                        "startLine": 5,
                        "startColumn": 5,
                        "endLine": 5,
                        "endColumn": 12
                      }
                    }
                  ]
                }
              ],
              "shortMessage": "The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.",
              "fullMessage": "A `Caption` that is empty, or holds nothing but blanks, without `Locked = true`. It looks at objects, fields, controls, actions, views, columns, filters, report layouts and values of enums; not at `CaptionML`.",
              "properties": {
                "severity": "Warning",
                "warningLevel": "1",
                "defaultSeverity": "Warning",
                "title": "Empty captions must be locked",
                "category": "Design",
                "helpLink": "https://alcops.dev/docs/analyzers/applicationcop/ac0018/",
                "isEnabledByDefault": "True",
                "isSuppressedInSource": "False"
              }
            }
          ]
        }
    "#);
}

#[test]
fn the_error_log_of_nothing_has_no_issues() {
    let place = Place::project(&[("A.Codeunit.al", "codeunit 50100 A\n{\n}\n")]);
    let document = document(&place, &["check", SELECT, "--format", "errorlog"]);
    assert_eq!(document["issues"], Value::Array(Vec::new()));
}

#[test]
fn each_issue_of_an_error_log_has_what_its_readers_take_for_granted() {
    // AL-Go reads these without asking whether they are there, and looks the file up by its path.
    let place = Place::example();
    let document = document(&place, &["check", "--format", "errorlog"]);
    let issues = document["issues"].as_array().unwrap();
    assert_eq!(issues.len(), 10);
    for issue in issues {
        for property in ["severity", "category", "helpLink"] {
            assert!(issue["properties"][property].is_string(), "{issue}");
        }
        let target = &issue["locations"][0]["analysisTarget"][0];
        assert!(Path::new(target["uri"].as_str().unwrap()).is_file(), "{issue}");
        assert!(target["region"]["startLine"].as_u64().unwrap() > 0, "{issue}");
    }
}

#[test]
fn an_error_log_has_no_place_for_what_limits_the_result() {
    let place = Place::project(&[("A.Codeunit.al", "codeunit 50100 A\n{\n}\n")]);
    place.write(".vscode/settings.json", r#"{ "al.codeAnalyzers": ["${CodeCop}"] }"#);
    let output = place.output(&["check", SELECT, "--format", "errorlog"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with("warning: ") && stderr.contains("CodeCop"),
        "{stderr}"
    );
}
