//! Reading AL files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::Mutex;

use candor_al_workspace::Cancellation;
use candor_al_workspace::faults::{Effect, Fault, FaultyFileSystem, Operation};
use candor_al_workspace::file_system::Disk;
use candor_al_workspace::source::{SOURCE_LIMIT, read_source, stream_sources};

use crate::support::Tree;

#[test]
fn invalid_bytes_are_read_and_reported() {
    let tree = Tree::new(&[]);
    tree.write("a.al", b"// Gr\xFC\xDFe");
    let path = tree.path("a.al");
    let source = read_source(&Disk, &path).unwrap();
    assert_eq!(source.text.text(), "// Gr\u{FFFD}\u{FFFD}e");
    assert_eq!(
        tree.plain(&source.warning(&path).unwrap()),
        "a.al: the file holds bytes that are not valid UTF-8; they are read as U+FFFD and the file will not be changed"
    );
}

#[test]
fn a_file_over_the_limit_is_left_out_unread() {
    let tree = Tree::new(&[("a.al", "")]);
    let file = File::options().write(true).open(tree.path("a.al")).unwrap();
    file.set_len(SOURCE_LIMIT + 1).unwrap();
    let files = FaultyFileSystem::new(Disk, []);
    let warning = read_source(&files, &tree.path("a.al")).unwrap_err();
    assert_eq!(
        tree.plain(&warning),
        "a.al: the file has 16777217 bytes, more than the limit of 16777216; it is left out"
    );
    assert_eq!(files.count(Operation::Read), 0);
}

#[test]
fn what_is_no_file_or_cannot_be_read_is_a_warning() {
    let tree = Tree::new(&[("folder.al/x", ""), ("a.al", "")]);
    let warning = read_source(&Disk, &tree.path("folder.al")).unwrap_err();
    assert_eq!(
        tree.plain(&warning),
        "folder.al: the file could not be read (it is no regular file); it is left out"
    );
    let fault = Fault::new(Operation::Read, "a.al", Effect::Fail(io::ErrorKind::PermissionDenied));
    let files = FaultyFileSystem::new(Disk, [fault]);
    let warning = read_source(&files, &tree.path("a.al")).unwrap_err();
    assert_eq!(warning.problem.code(), "unreadable_file");
}

#[test]
fn a_stream_hands_over_every_file_once_with_its_index() {
    let tree = Tree::new(&[]);
    let names: Vec<String> = (0..300).map(|number| format!("{number}.al")).collect();
    for name in &names {
        tree.write(name, name);
    }
    let mut paths: Vec<_> = names.iter().map(|name| tree.path(name)).collect();
    paths.push(tree.path("missing.al"));
    let seen = Mutex::new(BTreeMap::new());
    stream_sources(&Disk, &paths, &Cancellation::new(), |index, source| {
        let text = source.map(|source| source.text.into_text());
        assert_eq!(seen.lock().unwrap().insert(index, text), None);
    });
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 301);
    for (index, name) in names.iter().enumerate() {
        assert_eq!(seen[&index].as_ref(), Ok(name));
    }
    assert!(seen[&300].is_err());
}

#[test]
fn a_cancelled_stream_ends() {
    let tree = Tree::new(&[("a.al", "")]);
    let paths = vec![tree.path("a.al"); 10_000];
    let cancellation = Cancellation::new();
    let handed_over = Mutex::new(0);
    stream_sources(&Disk, &paths, &cancellation, |_, _| {
        *handed_over.lock().unwrap() += 1;
        cancellation.cancel();
    });
    assert!(*handed_over.lock().unwrap() < 10_000);
}
