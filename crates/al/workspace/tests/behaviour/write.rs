//! Guarded writes: nothing is overwritten that was not seen, nothing is half written.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use candor_al_workspace::Cancellation;
use candor_al_workspace::faults::{Effect, Fault, FaultyFileSystem, Operation};
use candor_al_workspace::file_system::{Disk, FileSystem};
use candor_al_workspace::write::{
    ConflictKind, FileChange, WriteError, WriteOutcome, sweep_temporary_files, write_file, write_files,
};
use proptest::prelude::*;

use crate::support::Tree;

/// Writes `new_text` to one file that is expected to hold `expected`.
fn write(files: &dyn FileSystem, tree: &Tree, path: &str, expected: &str, new_text: &str) -> Result<bool, WriteError> {
    let change = FileChange {
        path: &tree.path(path),
        expected,
        new_text,
    };
    write_file(files, change, &Cancellation::new())
}

/// The kind and the message of the conflict that a write ended in.
fn conflict(tree: &Tree, result: Result<bool, WriteError>) -> (ConflictKind, String) {
    match result {
        Err(WriteError::Conflict(conflict)) => (conflict.kind, tree.plain(&conflict)),
        other => panic!("no conflict: {other:?}"),
    }
}

/// Three files `a`, `b` and `c`, which say `old`.
fn three() -> Tree {
    Tree::new(&[("a.al", "old"), ("b.al", "old"), ("c.al", "old")])
}

/// Writes `new` to all three.
fn write_three(files: &dyn FileSystem, tree: &Tree) -> WriteOutcome {
    let paths = ["a.al", "b.al", "c.al"].map(|name| tree.path(name));
    let changes: Vec<_> = paths
        .iter()
        .map(|path| FileChange {
            path,
            expected: "old",
            new_text: "new",
        })
        .collect();
    write_files(files, &changes, &Cancellation::new())
}

fn kinds(tree: &Tree, outcome: &WriteOutcome) -> Vec<String> {
    let conflicts = outcome.conflicts.iter();
    conflicts
        .map(|conflict| format!("{} {}", tree.plain(&conflict.path.display()), conflict.kind))
        .collect()
}

fn contents(tree: &Tree) -> [String; 3] {
    ["a.al", "b.al", "c.al"].map(|name| String::from_utf8(tree.read(name)).unwrap())
}

fn fail(operation: Operation, path: &str) -> Fault {
    Fault::new(operation, path, Effect::Fail(ErrorKind::PermissionDenied))
}

#[test]
fn encoding_byte_order_mark_and_line_ends_stay() {
    let tree = Tree::new(&[]);
    for (before, after) in [
        (b"A\r\n".to_vec(), "é\r\n".as_bytes().to_vec()),
        (b"\xEF\xBB\xBFA\r\n".to_vec(), "\u{FEFF}é\r\n".as_bytes().to_vec()),
        (b"\xFF\xFEA\0\r\0\n\0".to_vec(), b"\xFF\xFE\xE9\0\r\0\n\0".to_vec()),
        (b"\xFE\xFF\0A\0\r\0\n".to_vec(), b"\xFE\xFF\0\xE9\0\r\0\n".to_vec()),
        (
            b"\xFF\xFE\0\0A\0\0\0\r\0\0\0\n\0\0\0".to_vec(),
            b"\xFF\xFE\0\0\xE9\0\0\0\r\0\0\0\n\0\0\0".to_vec(),
        ),
    ] {
        tree.write("x.al", before);
        assert_eq!(write(&Disk, &tree, "x.al", "A\r\n", "é\r\n"), Ok(true));
        assert_eq!(tree.read("x.al"), after);
    }
    assert_eq!(tree.names(), ["x.al"]);
}

#[test]
fn a_text_that_does_not_change_is_not_written() {
    let tree = Tree::new(&[("x.al", "same")]);
    let files = FaultyFileSystem::new(Disk, []);
    assert_eq!(write(&files, &tree, "x.al", "same", "same"), Ok(false));
    assert_eq!(files.count(Operation::Create), 0);
}

#[test]
fn a_file_that_changed_or_went_away_is_stale() {
    let tree = Tree::new(&[("x.al", "edited")]);
    let (kind, message) = conflict(&tree, write(&Disk, &tree, "x.al", "old", "new"));
    assert_eq!(kind, ConflictKind::StaleFile);
    assert!(message.starts_with("x.al was changed on disk since"), "{message}");
    assert_eq!(tree.read("x.al"), b"edited");
    for gone in ["gone.al", "gone/x.al", "x.al/y.al"] {
        let (kind, message) = conflict(&tree, write(&Disk, &tree, gone, "old", "new"));
        assert_eq!(kind, ConflictKind::StaleFile);
        assert!(message.starts_with(&format!("{gone} was deleted since")), "{message}");
    }
    assert_eq!(tree.names(), ["x.al"]);
}

#[test]
fn an_edit_of_equal_length_with_its_time_set_back_is_stale_all_the_same() {
    let tree = Tree::new(&[("x.al", "old")]);
    let time = fs::metadata(tree.path("x.al")).unwrap().modified().unwrap();
    tree.write("x.al", "odd");
    let file = File::options().write(true).open(tree.path("x.al")).unwrap();
    file.set_modified(time).unwrap();
    let (kind, _) = conflict(&tree, write(&Disk, &tree, "x.al", "old", "new"));
    assert_eq!(kind, ConflictKind::StaleFile);
    assert_eq!(tree.read("x.al"), b"odd");
}

#[test]
fn a_file_in_another_encoding_is_never_encoded_again() {
    let tree = Tree::new(&[]);
    tree.write("x.al", b"// Gr\xFC\xDFe");
    let result = write(&Disk, &tree, "x.al", "// Gr\u{FFFD}\u{FFFD}e", "// Gr");
    let (kind, message) = conflict(&tree, result);
    assert_eq!(kind, ConflictKind::UnsupportedEncoding);
    assert_eq!(
        message,
        "x.al was not changed: it was read as UTF-8 but holds bytes that are invalid there; convert the file to UTF-8 first."
    );
    assert_eq!(tree.read("x.al"), b"// Gr\xFC\xDFe");
}

#[test]
fn a_file_that_cannot_be_read_is_no_stale_one() {
    let tree = Tree::new(&[("x.al", "old")]);
    let files = FaultyFileSystem::new(Disk, [fail(Operation::Read, "x.al")]);
    let (kind, message) = conflict(&tree, write(&files, &tree, "x.al", "old", "new"));
    assert_eq!(kind, ConflictKind::ReadFailed);
    assert_eq!(
        message,
        "x.al could not be read (injected fault); nothing was written to it."
    );
}

#[test]
fn the_mode_stays_and_a_link_is_followed_to_its_file() {
    let tree = Tree::new(&[("real/x.al", "old"), ("link/readme", "")]);
    let mode = |path| fs::metadata(tree.path(path)).unwrap().permissions().mode() & 0o7777;
    fs::set_permissions(tree.path("real/x.al"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../real/x.al", tree.path("link/x.al")).unwrap();
    assert_eq!(write(&Disk, &tree, "link/x.al", "old", "new"), Ok(true));
    assert_eq!(tree.read("real/x.al"), b"new");
    assert_eq!(mode("real/x.al"), 0o640);
    assert_eq!(
        fs::read_link(tree.path("link/x.al")).unwrap(),
        PathBuf::from("../real/x.al")
    );
    assert_eq!(tree.names(), ["link/readme", "link/x.al", "real/x.al"]);
}

#[test]
fn a_name_as_long_as_a_name_can_be_is_written_too() {
    let name = format!("{}é.al", "x".repeat(250));
    let tree = Tree::new(&[(&name, "old")]);
    assert_eq!(write(&Disk, &tree, &name, "old", "new"), Ok(true));
    assert_eq!(tree.names(), [name]);
}

#[test]
fn content_and_folder_reach_the_disk_before_success_is_reported() {
    let tree = three();
    let files = FaultyFileSystem::new(Disk, []);
    let outcome = write_three(&files, &tree);
    assert_eq!(outcome.changed.len(), 3);
    assert_eq!(outcome.message, None);
    let calls = files.calls();
    let last_rename = calls.iter().rposition(|call| call.0 == Operation::Rename);
    let synced = calls.iter().position(|call| call.0 == Operation::SyncFolder);
    assert!(last_rename < synced);
    assert_eq!(files.count(Operation::SyncFolder), 1, "one folder, one wait");
}

#[test]
fn a_write_that_fails_at_any_step_leaves_the_file_as_it_was_and_nothing_beside_it() {
    for fault in [
        fail(Operation::Create, "x.al"),
        Fault::new(Operation::Create, "x.al", Effect::FailHalfway(ErrorKind::StorageFull)),
        Fault::new(Operation::Create, "x.al", Effect::FailAfterwards(ErrorKind::Other)),
        fail(Operation::Rename, "x.al"),
        Fault::new(Operation::Rename, "x.al", Effect::FailAfterwards(ErrorKind::TimedOut)),
        fail(Operation::SyncFolder, ""),
    ] {
        let tree = Tree::new(&[("x.al", "old")]);
        let description = format!("{fault:?}");
        let files = FaultyFileSystem::new(Disk, [fault]);
        let (kind, message) = conflict(&tree, write(&files, &tree, "x.al", "old", "new"));
        assert_eq!(kind, ConflictKind::WriteFailed, "{description}");
        assert_eq!(
            message,
            "x.al could not be written (injected fault); the file is unchanged."
        );
        assert_eq!(tree.read("x.al"), b"old", "{description}");
        assert_eq!(tree.names(), ["x.al"], "{description}");
    }
}

#[test]
fn a_write_protected_file_is_not_replaced_behind_its_owners_back() {
    let tree = Tree::new(&[("x.al", "old")]);
    let path = tree.path("x.al");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let may_write_anyway = File::options().write(true).open(&path).is_ok();
    let result = write(&Disk, &tree, "x.al", "old", "new");
    if may_write_anyway {
        assert_eq!(result, Ok(true), "a privileged user may");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o444);
    } else {
        assert_eq!(conflict(&tree, result).0, ConflictKind::WriteFailed);
        assert_eq!(tree.read("x.al"), b"old");
    }
}

#[test]
fn an_edit_between_the_check_and_the_rename_survives() {
    let tree = Tree::new(&[("x.al", "old")]);
    let path = tree.path("x.al");
    let edit = Effect::First(Arc::new(move || fs::write(&path, "theirs").unwrap()));
    let files = FaultyFileSystem::new(Disk, [Fault::new(Operation::Create, "x.al", edit)]);
    let (kind, message) = conflict(&tree, write(&files, &tree, "x.al", "old", "new"));
    assert_eq!(kind, ConflictKind::StaleFile);
    assert!(message.starts_with("x.al was changed on disk just before"), "{message}");
    assert_eq!(tree.read("x.al"), b"theirs");
    assert_eq!(tree.names(), ["x.al"]);
}

#[test]
fn files_that_cannot_be_changed_drop_out_and_the_others_are_written() {
    let tree = three();
    tree.write("a.al", "edited");
    tree.write("b.al", b"\xFFold");
    let outcome = write_three(&Disk, &tree);
    assert_eq!(tree.relative(&outcome.changed), ["c.al"]);
    assert_eq!(kinds(&tree, &outcome), ["a.al StaleFile", "b.al UnsupportedEncoding"]);
    assert_eq!(
        outcome.message.unwrap(),
        "2 files were skipped: changed on disk, unreadable or not in a supported encoding; see conflicts. Repeat the call to fix what is left."
    );
}

#[test]
fn one_file_under_two_names_is_changed_once() {
    let tree = three();
    fs::remove_file(tree.path("b.al")).unwrap();
    symlink("a.al", tree.path("b.al")).unwrap();
    let outcome = write_three(&Disk, &tree);
    assert_eq!(tree.relative(&outcome.changed), ["a.al", "c.al"]);
    assert_eq!(kinds(&tree, &outcome), ["b.al StaleFile"]);
    assert!(outcome.conflicts[0].message.contains("is the same file as"));
}

#[test]
fn when_the_second_of_three_fails_all_are_as_they_were() {
    let tree = three();
    let files = FaultyFileSystem::new(Disk, [fail(Operation::Rename, "b.al")]);
    let outcome = write_three(&files, &tree);
    assert_eq!(contents(&tree), ["old", "old", "old"]);
    assert!(outcome.changed.is_empty());
    assert_eq!(
        kinds(&tree, &outcome),
        ["a.al RolledBack", "b.al WriteFailed", "c.al NotWritten"]
    );
    assert_eq!(outcome.conflicts[1].cause, Some(ErrorKind::PermissionDenied));
    assert_eq!(
        tree.plain(&outcome.message.unwrap()),
        "b.al could not be written (PermissionDenied: injected fault). 1 file was restored to the original bytes."
    );
    assert_eq!(tree.names(), ["a.al", "b.al", "c.al"]);
}

#[test]
fn a_file_that_cannot_be_set_back_is_named() {
    let tree = three();
    let files = FaultyFileSystem::new(
        Disk,
        [
            fail(Operation::Rename, "b.al"),
            fail(Operation::Rename, "a.al").after(1),
        ],
    );
    let outcome = write_three(&files, &tree);
    assert_eq!(contents(&tree), ["new", "old", "old"]);
    assert_eq!(tree.relative(&outcome.changed), ["a.al"]);
    assert_eq!(kinds(&tree, &outcome), ["b.al WriteFailed", "c.al NotWritten"]);
    assert_eq!(
        tree.plain(&outcome.message.unwrap()),
        "b.al could not be written (PermissionDenied: injected fault). 0 files were restored to the original bytes. Rollback failed for a.al (injected fault); it holds the new text."
    );
}

#[test]
fn a_rename_that_took_place_but_was_reported_as_failed_is_seen_for_what_it_is() {
    let tree = three();
    let lies = |count| {
        let effect = Effect::FailAfterwards(ErrorKind::TimedOut);
        Fault::new(Operation::Rename, "", effect).after(count)
    };
    let files = FaultyFileSystem::new(Disk, [lies(1), lies(1)]);
    let outcome = write_three(&files, &tree);
    assert_eq!(contents(&tree), ["old", "old", "old"]);
    assert!(outcome.changed.is_empty());
    assert_eq!(
        kinds(&tree, &outcome),
        ["a.al RolledBack", "b.al WriteFailed", "c.al NotWritten"]
    );
}

#[test]
fn a_file_edited_after_it_was_written_is_left_alone_and_named() {
    let tree = three();
    let path = tree.path("a.al");
    let edit = Effect::First(Arc::new(move || fs::write(&path, "theirs").unwrap()));
    let files = FaultyFileSystem::new(
        Disk,
        [
            Fault::new(Operation::Create, "b.al", edit),
            fail(Operation::Rename, "b.al"),
        ],
    );
    let outcome = write_three(&files, &tree);
    assert_eq!(contents(&tree), ["theirs", "old", "old"]);
    assert_eq!(tree.relative(&outcome.changed), ["a.al"]);
    let message = tree.plain(&outcome.message.unwrap());
    assert!(message.contains("a.al was modified afterwards"), "{message}");
}

#[test]
fn a_cancelled_batch_is_set_back() {
    let tree = three();
    let cancellation = Cancellation::new();
    let raised = cancellation.clone();
    let cancel = Effect::First(Arc::new(move || raised.cancel()));
    let files = FaultyFileSystem::new(Disk, [Fault::new(Operation::Create, "b.al", cancel)]);
    let paths = ["a.al", "b.al", "c.al"].map(|name| tree.path(name));
    let changes = paths.each_ref().map(|path| FileChange {
        path,
        expected: "old",
        new_text: "new",
    });
    let outcome = write_files(&files, &changes, &cancellation);
    assert!(outcome.cancelled);
    assert_eq!(contents(&tree), ["old", "old", "old"]);
    assert_eq!(
        kinds(&tree, &outcome),
        ["a.al RolledBack", "b.al NotWritten", "c.al NotWritten"]
    );
    assert_eq!(tree.names(), ["a.al", "b.al", "c.al"]);
    let again = write_file(&Disk, changes[0], &cancellation);
    assert!(matches!(again, Err(WriteError::Cancelled(_))));
    assert_eq!(contents(&tree), ["old", "old", "old"]);
}

#[test]
fn only_old_temporary_files_of_our_own_are_swept() {
    const DIGITS: &str = "0123456789abcdef0123456789abcdef";
    let old = format!("src/x.al.{DIGITS}.candor-tmp");
    let young = format!("src/y.al.{DIGITS}.candor-tmp");
    let kept = [
        format!(".alpackages/x.{DIGITS}.candor-tmp"),
        format!("{DIGITS}.candor-tmp"),
        format!("inner/x.al.{DIGITS}.candor-tmp"),
        "inner/app.json".to_owned(),
        format!("src/x.al.{}.candor-tmp", &DIGITS[1..]),
        format!("src/x.al.{}.candor-tmp", DIGITS.to_uppercase()),
        format!("src/x.al.{DIGITS}.alcops.tmp"),
        "src/x.al".to_owned(),
    ];
    let tree = Tree::new(&[(&old, ""), (&young, "")]);
    for path in &kept {
        tree.write(path, "");
    }
    let long_ago = SystemTime::now() - Duration::from_secs(31);
    for path in kept.iter().chain([&old]) {
        let file = File::options().write(true).open(tree.path(path)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let sweep = sweep_temporary_files(&Disk, tree.root());
    assert_eq!(tree.relative(&sweep.removed), [old]);
    assert!(sweep.warnings.is_empty());
    let mut left = kept.to_vec();
    left.push(young);
    left.sort();
    assert_eq!(tree.names(), left);
}

fn any_fault() -> impl Strategy<Value = Fault> {
    let operation = prop_oneof![
        Just(Operation::Read),
        Just(Operation::Resolve),
        Just(Operation::Create),
        Just(Operation::Rename),
        Just(Operation::SyncFolder),
        Just(Operation::Remove),
    ];
    let effect = prop_oneof![
        Just(Effect::Fail(ErrorKind::PermissionDenied)),
        Just(Effect::FailHalfway(ErrorKind::StorageFull)),
        Just(Effect::FailAfterwards(ErrorKind::TimedOut)),
    ];
    (operation, effect, 0..6_usize).prop_map(|(operation, effect, skip)| Fault::new(operation, "", effect).after(skip))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 120,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever fails, every file holds its old or its new text, and the outcome says which.
    #[test]
    fn every_file_is_old_or_new_and_reported_as_such(
        faults in proptest::collection::vec(any_fault(), 0..3),
    ) {
        let tree = three();
        let files = FaultyFileSystem::new(Disk, faults);
        let outcome = write_three(&files, &tree);
        for name in ["a.al", "b.al", "c.al"] {
            let path = tree.path(name);
            let is_changed = outcome.changed.contains(&path);
            let in_conflict = outcome.conflicts.iter().any(|conflict| conflict.path == path);
            prop_assert!(is_changed != in_conflict, "{name} is changed or in conflict: {outcome:?}");
            let expected: &[u8] = if is_changed { b"new" } else { b"old" };
            prop_assert_eq!(tree.read(name), expected, "{:?}", outcome);
        }
        let failed = outcome.conflicts.iter().any(|c| c.kind == ConflictKind::WriteFailed);
        if failed {
            let message = outcome.message.unwrap_or_default();
            prop_assert!(message.contains("could not be written"), "{}", message);
        }
    }
}
