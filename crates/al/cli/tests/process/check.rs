//! `candor-al check`: what it finds, and how it ends.

use insta::assert_snapshot;

use crate::place::{CODEUNIT, Place, TABLE};

#[test]
fn the_example_app_shows_a_finding_of_each_rule() {
    assert_snapshot!(Place::example().run(&["check"]), @r#"
        exit code 1
        -- stdout
        ── src/OverdueCheck.Codeunit.al ── 1 finding

        src/OverdueCheck.Codeunit.al:21:21 error AC0012
          Nobody outside this extension can subscribe to the integration event `OnToolOverdue`, because its codeunit is internal. Make it an `InternalEvent`, or the codeunit public.
           21 │     local procedure OnToolOverdue(Tool: Record Tool)
              │                     ^^^^^^^^^^^^^
          2 fixes: choose with --fix-with AC0012=KEY · page: candor-al rule AC0012

        ── src/Tool.Table.al ── 1 finding

        src/Tool.Table.al:47:13 warning AC0018
          The caption of `Row Style` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
           47 │             Caption = '';
              │             ^^^^^^^
          fix: candor-al check --fix · page: candor-al rule AC0018

        ── src/ToolLending.Codeunit.al ── 4 findings

        src/ToolLending.Codeunit.al:7:5 info FC0006
          Upper-case letters promise direct permissions, but here their case has no effect: the permissions of an object are always indirect. Write them in lower case.
            7 │     Permissions = tabledata Tool = RM;
              │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          fix: candor-al check --fix · page: candor-al rule FC0006

        src/ToolLending.Codeunit.al:11:9 warning AC0020
          `LentTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
           11 │         LentTok: Label 'LENT-%1';
              │         ^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule AC0020

        src/ToolLending.Codeunit.al:24:100 warning LC0095
          Callers of `Lend` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
           24 │ …procedure Lend(var Tool: Record Tool; Borrower: Text[100]; Policy: Interface "Lending Policy"; Silent: Boolean)
              │                                                                                                 ^^^^^^^^^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule LC0095

        src/ToolLending.Codeunit.al:60:15 info AC0024
          Other extensions can raise the event `OnAfterLend` themselves, when its subscribers do not expect it. Make it `local`, or `internal` if other objects of this extension raise it; anybody can still subscribe.
           60 │     procedure OnAfterLend(Tool: Record Tool)
              │               ^^^^^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule AC0024

        ── src/ToolLibrary.PermissionSet.al ── 1 finding

        src/ToolLibrary.PermissionSet.al:8:5 warning AC0009
          The name of a permission set holds 30 characters, and nothing keeps translations of this caption from being longer and cut. Add `MaxLength = 30`, or `Locked = true` if it is not to be translated.
            8 │     Caption = 'Tool Library';
              │     ^^^^^^^^^^^^^^^^^^^^^^^^^
          fix: candor-al check --fix · page: candor-al rule AC0009

        ── src/ToolLibraryInstall.Codeunit.al ── 2 findings

        src/ToolLibraryInstall.Codeunit.al:4:16 warning AC0007
          Every extension that depends on this one can run this install codeunit outside of an installation. Set `Access = Internal`.
            4 │ codeunit 50103 "Tool Library Install" // AC0007: nobody else has to run this.
              │                ^^^^^^^^^^^^^^^^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule AC0007

        src/ToolLibraryInstall.Codeunit.al:8:37 warning FC0001
          A semicolon behind the head of a trigger with a body means nothing. Remove it.
            8 │     trigger OnInstallAppPerCompany();  // FC0001: this semicolon ends nothing.
              │                                     ^
          fix: candor-al check --fix · page: candor-al rule FC0001

        ── src/ToolList.Page.al ── 1 finding

        src/ToolList.Page.al:22:21 warning LC0020
          The page already says `ApplicationArea = All`, and its controls take that over. Remove the line here.
           22 │                     ApplicationArea = All;
              │                     ^^^^^^^^^^^^^^^^^^^^^^
          fix: candor-al check --fix · page: candor-al rule LC0020

        10 findings (1 error, 7 warnings, 2 info) in 6 of 8 files, 1 more suppressed by pragmas, [time]
        5 fixable with candor-al check --fix
        4 more fixable with --unsafe-fixes
        AC0012 has several fixes to choose from: --fix-with AC0012=KEY, where KEY is one of
          IntegrationEventInInternalCodeunitRemoveAccessInternalFixProvider: ALCops: Remove property Access = Internal
          IntegrationEventInInternalCodeunitConvertToInternalEventFixProvider: ALCops: Refactor from IntegrationEvent to InternalEvent
    "#);
}

#[test]
fn one_file_is_checked_as_part_of_its_project() {
    // The ruleset of the project makes this an error.
    assert_snapshot!(Place::example().run(&["check", "src/OverdueCheck.Codeunit.al", "--quiet"]), @r"
        exit code 1
        -- stdout
        src/OverdueCheck.Codeunit.al:21:21: error AC0012: Nobody outside this extension can subscribe to the integration event `OnToolOverdue`, because its codeunit is internal. Make it an `InternalEvent`, or the codeunit public.
    ");
}

#[test]
fn several_projects_below_a_folder_are_checked_in_order() {
    let place = Place::empty();
    for project in ["warehouse", "sales/app", "sales/test"] {
        place.write(&format!("{project}/app.json"), crate::place::MANIFEST);
        place.write(&format!("{project}/Tool.Table.al"), TABLE);
    }
    assert_snapshot!(place.run(&["check", "--quiet"]), @r"
        exit code 1
        -- stdout
        sales/app/Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
        sales/test/Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
        warehouse/Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
    ");
    assert_snapshot!(place.run(&["check", "--quiet", "warehouse", "sales/app"]), @r"
        exit code 1
        -- stdout
        warehouse/Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
        sales/app/Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
    ");
}

#[test]
fn a_file_in_no_project_is_checked_on_its_own() {
    let place = Place::empty();
    place.write("Tool.Table.al", TABLE);
    assert_snapshot!(place.run(&["check", "Tool.Table.al", "--quiet"]), @"
    exit code 1
    -- stdout
    Tool.Table.al:1:13: info DC0007: Every extension can use `Tool`, but nothing tells what it is for. Describe it in a `///` comment above the object, or give it `Access = Internal`.
    Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
    ");
}

#[test]
fn a_clean_project_ends_with_zero() {
    let place = Place::project(&[("A.Codeunit.al", "codeunit 50100 A\n{\n}\n")]);
    assert_snapshot!(place.run(&["check"]), @r"
        exit code 0
        -- stdout
        No findings in 1 file, [time]
    ");
    assert_snapshot!(place.run(&["check", "--quiet"]), @"exit code 0");
}

#[test]
fn what_is_not_al_is_an_error() {
    let place = Place::project(&[(
        "Broken.Codeunit.al",
        "codeunit 50100 Broken\n{\n    procedure P()\n    begin\n        x := ;\n    end;\n}\n",
    )]);
    assert_snapshot!(place.run(&["check"]), @r"
        exit code 1
        -- stdout
        ── Broken.Codeunit.al ── 1 finding

        Broken.Codeunit.al:5:14 error CN0001
          Expected an expression, found `;`
            5 │         x := ;
              │              ^
          page: candor-al rule CN0001

        1 finding (1 error) in 1 of 1 file, [time]
    ");
}

#[test]
fn symbols_decide_what_is_looked_at() {
    let text = "codeunit 50100 A\n{\n#if CLEAN27\n    procedure P(Unused: Integer)\n    begin\n    end;\n#endif\n}\n";
    let place = Place::project(&[("A.Codeunit.al", text)]);
    assert_eq!(place.exit_code(&["check"]), 0);
    assert_snapshot!(place.run(&["check", "--quiet", "--symbols", "CLEAN26,CLEAN27"]), @r"
        exit code 1
        -- stdout
        A.Codeunit.al:4:17: warning LC0095: Callers of `P` have to pass `Unused`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
    ");
}

#[test]
fn select_and_ignore_name_rules_cops_or_all() {
    let place = Place::project(&[("Tool.Table.al", TABLE), ("Lending.Codeunit.al", CODEUNIT)]);
    let ids = |arguments: &[&str]| {
        let mut all = vec!["check", "--quiet"];
        all.extend(arguments);
        let output = place.output(&all);
        let text = String::from_utf8(output.stdout).unwrap();
        let ids: Vec<String> = text
            .lines()
            .map(|line| line.split(": ").nth(1).unwrap().rsplit(' ').next().unwrap().to_owned())
            .collect();
        ids.join(" ")
    };
    assert_eq!(ids(&[]), "LC0095 AC0018");
    assert_eq!(ids(&["--select", "AC0018"]), "AC0018");
    assert_eq!(ids(&["--select", "lc0095,ac0018"]), "LC0095 AC0018");
    assert_eq!(ids(&["--select", "LinterCop"]), "LC0095");
    assert_eq!(ids(&["--ignore", "ALCops.LinterCop"]), "AC0018");
    let all = ids(&["--select", "ALL", "--ignore", "ALCops.LinterCop"]);
    assert!(
        all.contains("AC0018") && all.contains("DC0007") && !all.contains("LC0"),
        "{all}"
    );
    assert_eq!(ids(&["--ignore", "AC0018", "--ignore", "LC0095"]), "");
}

#[test]
fn hidden_findings_are_counted_but_not_shown() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    place.write(
        "app.ruleset.json",
        r#"{"name": "r", "rules": [{"id": "AC0018", "action": "Hidden"}]}"#,
    );
    assert_snapshot!(place.run(&["check"]), @r"
        exit code 0
        -- stdout
        1 finding (1 hidden) in 0 of 1 file, [time]
        1 fixable with candor-al check --fix
    ");
}

#[test]
fn select_disregards_the_ruleset() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    place.write(
        "app.ruleset.json",
        r#"{"name": "r", "rules": [{"id": "AC0018", "action": "None"}]}"#,
    );
    assert_eq!(place.exit_code(&["check"]), 0);
    assert_eq!(place.exit_code(&["check", "--select", "AC0018"]), 1);
}

#[test]
fn fail_on_decides_about_the_exit_code() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    assert_eq!(place.exit_code(&["check"]), 1);
    assert_eq!(place.exit_code(&["check", "--fail-on", "error"]), 0);
    assert_eq!(place.exit_code(&["check", "--fail-on", "info"]), 1);
    assert_eq!(place.exit_code(&["check", "--fail-on", "never"]), 0);
    assert_eq!(place.exit_code(&["check", "--statistics"]), 1);
}

#[test]
fn a_path_that_leads_nowhere_ends_with_two() {
    assert_snapshot!(Place::empty().run(&["check", "nowhere"]), @r"
        exit code 2
        -- stderr
        error: [folder]/nowhere does not exist.
    ");
    let place = Place::empty();
    place.write("notes.txt", "");
    assert_snapshot!(place.run(&["check", "notes.txt"]), @r"
        exit code 2
        -- stderr
        error: [folder]/notes.txt is neither a folder nor an .al file.
    ");
    assert_snapshot!(place.run(&["check"]), @r"
        exit code 2
        -- stderr
        error: [folder] holds no AL project (a folder with app.json) and no .al file.
    ");
}

#[test]
fn an_unknown_rule_ends_with_two_and_names_its_neighbours() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    assert_snapshot!(place.run(&["check", "--select", "AC0997"]), @r#"
    exit code 2
    -- stderr
    error: "AC0997" is neither a rule, a cop nor ALL. Did you mean AC0007 or AC0017 or AC0027?
    "#);
    assert_snapshot!(place.run(&["check", "--ignore", "LintCop"]), @r#"
        exit code 2
        -- stderr
        error: "LintCop" is neither a rule, a cop nor ALL. Did you mean LinterCop?
    "#);
}

#[test]
fn a_wrong_flag_ends_with_two() {
    let place = Place::empty();
    assert_snapshot!(place.run(&["check", "--formt", "json"]), @r"
        exit code 2
        -- stderr
        error: unexpected argument '--formt' found

          tip: a similar argument exists: '--format'

        Usage: candor-al check --format <FORMAT> [PATH]...

        For more information, try '--help'.
    ");
    assert_snapshot!(place.run(&["check", "--format", "xml"]), @r"
        exit code 2
        -- stderr
        error: invalid value 'xml' for '--format <FORMAT>'
          [possible values: human, json, sarif, github, azure, errorlog]

        For more information, try '--help'.
    ");
    assert_snapshot!(place.run(&["check", "--unsafe-fixes"]), @r"
        exit code 2
        -- stderr
        error: `--unsafe-fixes` does nothing without `--fix` or `--diff`
    ");
}

#[test]
fn a_cop_that_is_not_there_is_a_warning_beside_the_result() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    place.write(
        ".vscode/settings.json",
        r#"{ "al.codeAnalyzers": ["${CodeCop}", "${analyzerFolder}ALCops.LinterCop.dll"] }"#,
    );
    assert_snapshot!(place.run(&["check"]), @r"
        exit code 0
        -- stdout
        No findings in 1 file, [time]
        -- stderr
        warning: [folder]/.vscode/settings.json:1:24: the analyzer ${CodeCop} names the cop CodeCop, which is not available; it is left out
    ");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_said_recorded_and_ends_with_two() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    std::os::unix::fs::symlink("gone.al", place.path().join("Lost.Table.al")).unwrap();
    assert_snapshot!(place.run(&["check", "--quiet"]), @r"
        exit code 2
        -- stdout
        Tool.Table.al:5:5: warning AC0018: The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
        -- stderr
        warning: [folder]/Lost.Table.al: the file could not be read (No such file or directory (os error 2)); it is left out
        hint: 1 incident was recorded: `candor-al errors` shows it
    ");
    let journal = std::fs::read_to_string(place.journal()).unwrap();
    assert_eq!(journal.lines().count(), 1);
    assert!(journal.contains(r#""code":"unreadable_file""#), "{journal}");
}

#[test]
fn tabs_wide_characters_and_long_lines_keep_the_carets_in_place() {
    let long_name = "A rather long name ".repeat(7);
    let long = format!(
        "codeunit 50101 B\n{{\n\tprocedure P(\"{long_name}\": Text; Größe: Integer)\n\tbegin\n\t\tMessage(\"{long_name}\");\n\tend;\n}}\n"
    );
    let place = Place::project(&[
        (
            "A.Codeunit.al",
            "codeunit 50100 A\n{\n\tvar\n\t\tGrößeTok: Label '尺寸😀';\tNr: Integer;\n}\n",
        ),
        ("B.Codeunit.al", &long),
    ]);
    assert_snapshot!(place.run(&["check", "--ignore", "AC0018"]), @r#"
        exit code 1
        -- stdout
        ── A.Codeunit.al ── 1 finding

        A.Codeunit.al:4:3 warning AC0020
          `GrößeTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
            4 │         GrößeTok: Label '尺寸😀';    Nr: Integer;
              │         ^^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule AC0020

        ── B.Codeunit.al ── 1 finding

        B.Codeunit.al:3:157 warning LC0095
          Callers of `P` have to pass `Größe`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
            3 │ … long name A rather long name A rather long name A rather long name A rather long name ": Text; Größe: Integer)
              │                                                                                                  ^^^^^^^^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule LC0095

        2 findings (2 warnings) in 2 of 2 files, [time]
        2 fixable with --unsafe-fixes
    "#);
}

#[cfg(unix)]
#[test]
fn a_reader_who_goes_away_is_no_failure() {
    use std::io::Read;
    use std::process::Stdio;

    let procedure = "    procedure P(Unused: Integer)\n    begin\n    end;\n\n";
    let body = procedure.repeat(3_000);
    let place = Place::project(&[("A.Codeunit.al", &format!("codeunit 50100 A\n{{\n{body}}}\n"))]);
    let mut child = place
        .command(&["check"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Read a little, then close, as `head` does.
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0; 64]).unwrap();
    drop(output);
    let rest = child.wait_with_output().unwrap();
    assert_eq!(rest.status.code(), Some(0));
    assert_eq!(String::from_utf8(rest.stderr).unwrap(), "");
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    let coloured = |variables: &[(&str, &str)]| {
        let output = place
            .command(&["check"])
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[]), "standard output is no terminal here");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn a_file_that_is_no_text_has_one_finding() {
    let place = Place::project(&[]);
    let bytes: Vec<u8> = (0..20_000_u32).map(|number| (number * 7_919 % 251) as u8).collect();
    place.write("Picture.al", bytes);
    let output = place.output(&["check", "--quiet", "--select=CN0001"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("This file is not AL text"), "{text}");
}

#[test]
fn very_many_syntax_errors_are_not_all_told() {
    let statements = "        x := ;\n".repeat(500);
    let text = format!("codeunit 1 A\n{{\n    procedure B()\n    begin\n{statements}    end;\n}}\n");
    let place = Place::project(&[("Soup.al", &text)]);
    let output = place.output(&["check", "--quiet", "--select=CN0001"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 101, "{text}");
    assert!(text.contains("are not told one by one"), "{text}");
}

#[test]
fn a_symbol_that_no_condition_can_name_is_refused() {
    let place = Place::project(&[("Tool.al", TABLE)]);
    for symbols in ["CLEAN 25", "not-a-symbol", "25"] {
        assert_eq!(place.exit_code(&["check", "--symbols", symbols]), 2, "{symbols}");
    }
    assert_eq!(
        place.exit_code(&["check", "--symbols", " CLEAN25, _X1,", "--fail-on", "none"]),
        0
    );
}
