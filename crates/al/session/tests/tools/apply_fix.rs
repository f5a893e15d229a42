//! What `apply_fix` promises.

use std::fs::File;
use std::time::{Duration, SystemTime};

use candor_al_session::tools::ApplyFixArguments;

use crate::fixture::{FIXED_PAGE, PAGE, PUBLISHER, Project, kind};

#[test]
fn the_only_fix_is_applied_without_a_key() {
    let project = Project::new(&[("src/a.al", PAGE)]);
    let result = project.apply_fix(&project.apply("src/a.al", "LC0020", 11, 17)).unwrap();
    assert!(result.applied && !result.dry_run);
    assert_eq!(project.text("src/a.al"), FIXED_PAGE);
    assert_eq!(result.files_changed, [project.path("src/a.al")]);
    assert_eq!(result.equivalence_key, "ApplicationAreaRedundancyCodeFixProvider");
    assert_eq!(
        result.changes[0].diff,
        "--- a/src/a.al\n+++ b/src/a.al\n@@ -8,7 +8,6 @@\n             field(Name; Name)\n             {\n                 \
         Caption = 'Name';\n-                ApplicationArea = All;\n             }\n         }\n     }\n"
    );
    assert_eq!(
        result.content_version,
        project.version(),
        "the version is the one after the write"
    );
    assert_eq!(project.names("src"), ["a.al"], "no temporary file is left");
}

#[test]
fn a_dry_run_shows_the_difference_and_writes_nothing() {
    let project = Project::new(&[("a.al", PAGE)]);
    let before = project.version();
    let arguments = ApplyFixArguments {
        dry_run: true,
        ..project.apply("a.al", "LC0020", 11, 17)
    };
    let result = project.apply_fix(&arguments).unwrap();
    assert!(!result.applied && result.dry_run);
    assert_eq!(result.changes.len(), 1);
    assert_eq!(result.content_version, before);
    assert_eq!(project.text("a.al"), PAGE);
}

#[test]
fn every_advertised_key_is_accepted_and_several_need_one() {
    let project = Project::new(&[("a.al", PUBLISHER)]);
    let plain = project.apply("a.al", "AC0012", 6, 21);
    let ambiguous = project.apply_fix(&plain);
    assert_eq!(kind(&ambiguous), "Ambiguous");
    let envelope = ambiguous.unwrap_err().to_envelope();
    let advertised: Vec<String> = project
        .get_fixes("a.al", "AC0012", 6, 21)
        .unwrap()
        .fixes
        .into_iter()
        .map(|fix| fix.equivalence_key)
        .collect();
    let candidates: Vec<_> = envelope.fields()["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate| candidate["equivalenceKey"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(candidates, advertised);
    for key in advertised {
        let arguments = ApplyFixArguments {
            equivalence_key: Some(key),
            dry_run: true,
            ..plain.clone()
        };
        assert_eq!(project.apply_fix(&arguments).unwrap().changes.len(), 1);
    }
    for key in ["nope", "", "removeaccessinternal"] {
        let arguments = ApplyFixArguments {
            equivalence_key: Some(key.into()),
            ..plain.clone()
        };
        let result = project.apply_fix(&arguments);
        assert_eq!(kind(&result), "NotFound/NoFixForEquivalenceKey");
        let keys: Vec<_> = result.unwrap_err().to_envelope().fields().keys().cloned().collect();
        assert_eq!(
            keys,
            ["error", "message", "reason", "candidates", "filePath", "diagnosticId"]
        );
    }
    assert_eq!(project.text("a.al"), PUBLISHER);
}

#[test]
fn encoding_mark_and_line_ends_are_kept() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let utf16 = |text: &str| -> Vec<u8> {
        [0xFF, 0xFE]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect()
    };
    let bom = |text: &str| -> Vec<u8> { [b"\xEF\xBB\xBF", text.as_bytes()].concat() };
    for (before, after) in [
        (crlf(PAGE).into_bytes(), crlf(FIXED_PAGE).into_bytes()),
        (bom(PAGE), bom(FIXED_PAGE)),
        (utf16(&crlf(PAGE)), utf16(&crlf(FIXED_PAGE))),
    ] {
        let project = Project::new(&[]);
        project.write("a.al", &before);
        project.apply_fix(&project.apply("a.al", "LC0020", 11, 17)).unwrap();
        assert_eq!(project.read("a.al"), after);
    }
}

#[test]
fn a_file_that_is_no_valid_text_is_not_rewritten() {
    let project = Project::new(&[]);
    let marked = PAGE.replace("'Name'", "'N~me'");
    let bytes: Vec<u8> = marked
        .bytes()
        .map(|byte| if byte == b'~' { 0xE4 } else { byte })
        .collect();
    project.write("a.al", &bytes);
    let result = project.apply_fix(&project.apply("a.al", "LC0020", 11, 17));
    assert_eq!(kind(&result), "Faulted/UnsupportedEncoding");
    assert_eq!(project.read("a.al"), bytes);
}

#[test]
fn an_edit_that_the_stamp_hides_is_stale_once_and_seen_from_then_on() {
    let project = Project::new(&[("a.al", PAGE)]);
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let set_back = || {
        let file = File::options().append(true).open(project.path("a.al")).unwrap();
        file.set_modified(hour_ago).unwrap();
    };
    set_back();
    project.version();
    let renamed = |text: &str| text.replace("'Name'", "'Nome'");
    project.write("a.al", renamed(PAGE));
    set_back();
    let arguments = project.apply("a.al", "LC0020", 11, 17);
    assert_eq!(kind(&project.apply_fix(&arguments)), "Stale");
    assert_eq!(project.text("a.al"), renamed(PAGE));
    assert!(project.apply_fix(&arguments).unwrap().applied);
    assert_eq!(project.text("a.al"), renamed(FIXED_PAGE));
}

#[test]
fn a_version_is_stale_only_where_it_matters() {
    let project = Project::new(&[("a.al", PAGE), ("b.al", PUBLISHER)]);
    let version = Some(project.version());
    project.write("b.al", format!("// edited\n{PUBLISHER}"));
    let a = ApplyFixArguments {
        content_version: version.clone(),
        ..project.apply("a.al", "LC0020", 11, 17)
    };
    assert!(project.apply_fix(&a).unwrap().applied, "another file changed");

    let b = ApplyFixArguments {
        content_version: version.clone(),
        ..project.apply("b.al", "AC0012", 6, 21)
    };
    let result = project.apply_fix(&b);
    assert_eq!(kind(&result), "Stale");
    let keys: Vec<_> = result.unwrap_err().to_envelope().fields().keys().cloned().collect();
    assert_eq!(keys, ["error", "message", "filePath", "diagnosticId"]);

    std::fs::remove_file(project.root().join("b.al")).unwrap();
    assert_eq!(kind(&project.apply_fix(&b)), "Stale", "deleted is changed");
    let unknown = ApplyFixArguments {
        content_version: Some("0".repeat(16)),
        ..project.apply("a.al", "LC0020", 11, 17)
    };
    assert_eq!(kind(&project.apply_fix(&unknown)), "Stale");
}

#[test]
fn a_second_call_finds_nothing_more() {
    let project = Project::new(&[("a.al", PAGE)]);
    let arguments = project.apply("a.al", "LC0020", 11, 17);
    project.apply_fix(&arguments).unwrap();
    assert_eq!(kind(&project.apply_fix(&arguments)), "NotFound/NoDiagnosticAtPosition");
    assert_eq!(project.text("a.al"), FIXED_PAGE);
}
