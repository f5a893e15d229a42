//! `candor-al check --fix` and `--diff`: what becomes of the files.

use insta::assert_snapshot;

use crate::place::{CODEUNIT, Place, TABLE};

const FIXED_CAPTION: &str = "    Caption = '', Locked = true;";

#[test]
fn the_safe_fixes_are_made_and_told_and_the_rest_is_reported() {
    let place = Place::example();
    assert_snapshot!(place.run(&["check", "--fix", "--quiet"]), @r"
        exit code 1
        -- stdout
        src/OverdueCheck.Codeunit.al:21:21: error AC0012: Nobody outside this extension can subscribe to the integration event `OnToolOverdue`, because its codeunit is internal. Make it an `InternalEvent`, or the codeunit public.
        src/ToolLending.Codeunit.al:11:9: warning AC0020: `LentTok` calls itself a token, a text that programs read, but it can be translated. Add `Locked = true`, or rename it if people read it.
        src/ToolLending.Codeunit.al:24:100: warning LC0095: Callers of `Lend` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
        src/ToolLending.Codeunit.al:60:15: info AC0024: Other extensions can raise the event `OnAfterLend` themselves, when its subscribers do not expect it. Make it `local`, or `internal` if other objects of this extension raise it; anybody can still subscribe.
        src/ToolLibraryInstall.Codeunit.al:4:16: warning AC0007: Every extension that depends on this one can run this install codeunit outside of an installation. Set `Access = Internal`.
    ");
    assert_snapshot!(place.text("src/Tool.Table.al").lines().skip(43).take(6).collect::<Vec<_>>().join("\n"), @r#"
        field(6; "Row Style"; Text[30])
        {
            // AC0018: nothing to translate here, so translators should not see it.
            Caption = '', Locked = true;
            Editable = false;
        }
    "#);
}

#[test]
fn fixing_says_what_it_did_by_file_and_rule() {
    let place = Place::project(&[("Tool.Table.al", TABLE), ("Lending.Codeunit.al", CODEUNIT)]);
    assert_snapshot!(place.run(&["check", "--fix"]), @r"
        exit code 1
        -- stdout
        ── Lending.Codeunit.al ── 1 finding

        Lending.Codeunit.al:3:22 warning LC0095
          Callers of `Remind` have to pass `Silent`, but its body never uses it. Use it or remove it; keep it if other extensions call the procedure.
            3 │     procedure Remind(Silent: Boolean)
              │                      ^^^^^^^^^^^^^^^
          fix: candor-al check --fix --unsafe-fixes · page: candor-al rule LC0095

        Fixed 1 finding in 1 file
          Tool.Table.al
            AC0018 ×1  ALCops: Set Locked property to true (safe)
        1 finding left (1 warning) in 1 of 2 files, [time]
        1 fixable with --unsafe-fixes
    ");
}

#[test]
fn fixing_twice_changes_nothing_the_second_time() {
    let place = Place::example();
    place.run(&["check", "--fix", "--unsafe-fixes"]);
    let files = [
        "Tool.Table.al",
        "ToolLending.Codeunit.al",
        "ToolLibraryInstall.Codeunit.al",
        "ToolList.Page.al",
    ];
    let once = files.map(|file| place.text(&format!("src/{file}")));
    assert_snapshot!(place.run(&["check", "--fix", "--unsafe-fixes"]), @r"
        exit code 1
        -- stdout
        ── src/OverdueCheck.Codeunit.al ── 1 finding

        src/OverdueCheck.Codeunit.al:21:21 error AC0012
          Nobody outside this extension can subscribe to the integration event `OnToolOverdue`, because its codeunit is internal. Make it an `InternalEvent`, or the codeunit public.
           21 │     local procedure OnToolOverdue(Tool: Record Tool)
              │                     ^^^^^^^^^^^^^
          2 fixes: choose with --fix-with AC0012=KEY · page: candor-al rule AC0012

        Fixed nothing
        1 finding left (1 error) in 1 of 8 files, 1 more suppressed by pragmas, [time]
        AC0012 has several fixes to choose from: --fix-with AC0012=KEY, where KEY is one of
          IntegrationEventInInternalCodeunitRemoveAccessInternalFixProvider: ALCops: Remove property Access = Internal
          IntegrationEventInInternalCodeunitConvertToInternalEventFixProvider: ALCops: Refactor from IntegrationEvent to InternalEvent
    ");
    assert_eq!(files.map(|file| place.text(&format!("src/{file}"))), once);
}

#[test]
fn unsafe_fixes_need_their_flag() {
    let place = Place::project(&[("Lending.Codeunit.al", CODEUNIT)]);
    assert_eq!(place.exit_code(&["check", "--fix"]), 1);
    assert_eq!(place.text("Lending.Codeunit.al"), CODEUNIT);
    assert_eq!(place.exit_code(&["check", "--fix", "--unsafe-fixes"]), 0);
    assert_eq!(
        place.text("Lending.Codeunit.al"),
        CODEUNIT.replace("Silent: Boolean", "")
    );
}

#[test]
fn a_difference_is_a_patch_and_writes_nothing() {
    let place = Place::project(&[("src/Tool.Table.al", TABLE), ("src/Lending.Codeunit.al", CODEUNIT)]);
    // An empty line of a patch is a space, which nobody sees here.
    let run = |arguments: &[&str]| place.run(arguments).replace("\n \n", "\n[space]\n");
    assert_snapshot!(run(&["check", "--diff", "--unsafe-fixes"]), @r"
        exit code 1
        -- stdout
        --- a/src/Lending.Codeunit.al
        +++ b/src/Lending.Codeunit.al
        @@ -1,6 +1,6 @@
         codeunit 50100 Lending
         {
        -    procedure Remind(Silent: Boolean)
        +    procedure Remind()
             begin
             end;
         }
        --- a/src/Tool.Table.al
        +++ b/src/Tool.Table.al
        @@ -2,7 +2,7 @@
         {
             DataClassification = CustomerContent;
             // A name for the table is missing.
        -    Caption = '';
        +    Caption = '', Locked = true;
        [space]
             fields
             {
        -- stderr
        Would fix 2 findings in 2 files
          src/Lending.Codeunit.al
            LC0095 ×1  ALCops: Remove unreferenced parameter (unsafe)
          src/Tool.Table.al
            AC0018 ×1  ALCops: Set Locked property to true (safe)
    ");
    assert_snapshot!(run(&["check", "--diff", "--fix", "--quiet"]), @r"
        exit code 1
        -- stdout
        --- a/src/Tool.Table.al
        +++ b/src/Tool.Table.al
        @@ -2,7 +2,7 @@
         {
             DataClassification = CustomerContent;
             // A name for the table is missing.
        -    Caption = '';
        +    Caption = '', Locked = true;
        [space]
             fields
             {
    ");
    assert_eq!(place.text("src/Tool.Table.al"), TABLE);
    assert_eq!(place.text("src/Lending.Codeunit.al"), CODEUNIT);
}

#[test]
fn a_pending_change_counts_even_when_its_finding_is_not_grave() {
    let place = Place::project(&[(
        "A.Codeunit.al",
        "codeunit 50100 A\n{\n    Permissions = tabledata Tool = R;\n}\n",
    )]);
    assert_eq!(place.exit_code(&["check"]), 0, "an info does not count by itself");
    assert_eq!(place.exit_code(&["check", "--diff"]), 1);
    assert_eq!(place.exit_code(&["check", "--diff", "--fail-on", "never"]), 0);
    assert_eq!(place.exit_code(&["check", "--fix"]), 0);
    assert_eq!(place.exit_code(&["check", "--diff"]), 0);
}

#[test]
fn line_ends_are_kept() {
    let place = Place::project(&[]);
    place.write("Tool.Table.al", TABLE.replace('\n', "\r\n"));
    place.run(&["check", "--fix"]);
    assert_eq!(
        place.text("Tool.Table.al"),
        TABLE.replace("    Caption = '';", FIXED_CAPTION).replace('\n', "\r\n")
    );
}

#[test]
fn the_byte_order_mark_is_kept() {
    let place = Place::project(&[]);
    place.write("Tool.Table.al", format!("\u{feff}{TABLE}"));
    place.run(&["check", "--fix"]);
    assert_eq!(
        place.text("Tool.Table.al"),
        format!("\u{feff}{}", TABLE.replace("    Caption = '';", FIXED_CAPTION))
    );
}

#[test]
fn a_difference_holds_the_byte_order_mark_as_the_file_does() {
    let place = Place::project(&[]);
    place.write("Lending.Codeunit.al", format!("\u{feff}{CODEUNIT}"));
    let output = place.output(&["check", "--diff", "--unsafe-fixes"]);
    let patch = String::from_utf8(output.stdout).unwrap();
    assert!(
        patch.contains("@@ -1,6 +1,6 @@\n \u{feff}codeunit 50100 Lending\n"),
        "{patch}"
    );
}

#[test]
fn utf16_is_kept() {
    let utf16 = |text: &str| -> Vec<u8> {
        [0xff, 0xfe]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect()
    };
    let place = Place::project(&[]);
    place.write("Tool.Table.al", utf16(TABLE));
    place.run(&["check", "--fix"]);
    assert_eq!(
        place.bytes("Tool.Table.al"),
        utf16(&TABLE.replace("    Caption = '';", FIXED_CAPTION))
    );
}

#[test]
fn a_file_in_no_known_encoding_is_never_written() {
    let place = Place::project(&[]);
    // An umlaut as Windows-1252 writes it is no UTF-8.
    let bytes = [b"// \xdc\n".as_slice(), TABLE.as_bytes()].concat();
    place.write("Tool.Table.al", &bytes);
    assert_snapshot!(place.run(&["check", "--fix"]), @r"
        exit code 2
        -- stdout
        ── Tool.Table.al ── 1 finding

        Tool.Table.al:6:5 warning AC0018
          The caption of `Tool` is empty, yet translators are asked to translate it. Add `Locked = true`, or give it a text.
            6 │     Caption = '';
              │     ^^^^^^^
          fix: candor-al check --fix · page: candor-al rule AC0018

        Fixed nothing
        1 finding left (1 warning) in 1 of 1 file, [time]
        -- stderr
        warning: [folder]/Tool.Table.al: the file holds bytes that are not valid UTF-8; they are read as U+FFFD and the file will not be changed
        warning: [folder]/Tool.Table.al was not changed: it was read as UTF-8 but holds bytes that are invalid there; convert the file to UTF-8 first.
        hint: 1 incident was recorded: `candor-al errors` shows it
    ");
    assert_eq!(place.bytes("Tool.Table.al"), bytes);
}

#[test]
fn nothing_is_left_beside_the_files() {
    let place = Place::project(&[("Tool.Table.al", TABLE)]);
    place.run(&["check", "--fix"]);
    let mut names: Vec<String> = std::fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["Tool.Table.al", "app.json"]);
}

#[test]
fn of_several_fixes_one_is_chosen_by_its_key() {
    const KEY: &str = "AC0012=IntegrationEventInInternalCodeunitConvertToInternalEventFixProvider";
    let place = Place::example();
    let select = "--select=AC0012";
    let fix = |more: &[&str]| {
        let arguments: Vec<_> = ["check", select, "--fix"].iter().chain(more).copied().collect();
        place.exit_code(&arguments)
    };
    assert_eq!(fix(&["--unsafe-fixes"]), 1, "nobody has chosen");
    assert_eq!(fix(&["--fix-with", KEY]), 2, "it is unsafe");
    assert_eq!(fix(&["--unsafe-fixes", "--fix-with", "AC0012=Nonsense"]), 2);
    assert_eq!(
        place.exit_code(&["check", select, "--fix-with", KEY]),
        2,
        "there is no --fix"
    );
    assert_eq!(fix(&["--unsafe-fixes", "--fix-with", KEY]), 0);
    assert!(
        place
            .text("src/OverdueCheck.Codeunit.al")
            .contains("[InternalEvent(false")
    );
}
