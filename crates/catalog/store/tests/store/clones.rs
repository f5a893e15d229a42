//! Copies of imported files.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use candor_catalog_store::{CloneState, Interference, Operation, StepHook, StoreError};

use crate::fixture::{TestHome, write};

#[test]
fn a_copy_is_named_by_its_bytes_and_made_once() {
    let (home, project) = TestHome::with_shop();
    let first = write(home.folder.path(), "Orders.CSV", "a,b\n1,2\n");
    let second = write(home.folder.path(), "again.csv", "a,b\n1,2\n");
    let clone = project.clone_file(&first).unwrap();
    assert_eq!(clone.suffix, ".csv");
    assert_eq!(clone.bytes, 8);
    assert_eq!(clone.digest, blake3::hash(b"a,b\n1,2\n").to_hex().to_string());
    assert_eq!(clone.path, project.layout().clone_of(&clone.digest, ".csv"));
    assert_eq!(fs::read(&clone.path).unwrap(), b"a,b\n1,2\n");
    assert!(clone.is_new);
    let again = project.clone_file(&second).unwrap();
    assert_eq!((again.path, again.is_new), (clone.path.clone(), false));
    let names = fs::read_dir(clone.path.parent().unwrap()).unwrap();
    assert_eq!(names.count(), 1, "no temporary file is left");
}

#[test]
fn a_copy_whose_bytes_changed_is_found_out_and_repaired_by_the_next_import() {
    let (home, project) = TestHome::with_shop();
    let original = write(home.folder.path(), "orders.csv", "a,b\n1,2\n");
    let clone = project.clone_file(&original).unwrap();
    let check = || project.check_clone(&clone.digest, &clone.suffix).unwrap();
    assert_eq!(check(), CloneState::Intact(clone.path.clone()));
    fs::write(&clone.path, "a,b\n1,3\n").unwrap();
    assert_eq!(check(), CloneState::Damaged(clone.path.clone()));
    assert_eq!(project.clone_file(&original).unwrap(), clone);
    assert_eq!(check(), CloneState::Intact(clone.path.clone()));
    fs::remove_file(&clone.path).unwrap();
    assert_eq!(check(), CloneState::Missing(clone.path.clone()));
}

#[test]
fn only_regular_files_are_copied() {
    let (home, project) = TestHome::with_shop();
    let refused = |path: &Path| project.clone_file(path).unwrap_err();
    let nowhere = home.folder.path().join("nowhere.csv");
    assert!(matches!(refused(&nowhere), StoreError::NoSuchFile { .. }));
    assert!(matches!(refused(home.folder.path()), StoreError::UnusableFile { .. }));
    #[cfg(unix)]
    assert!(matches!(
        refused(Path::new("/dev/zero")),
        StoreError::UnusableFile { .. }
    ));
    let odd = write(home.folder.path(), "name.with a space", "x");
    assert_eq!(project.clone_file(&odd).unwrap().suffix, "");
}

/// Changes the original when the copy is about to be synced.
#[derive(Debug)]
struct Meddler(std::path::PathBuf);

impl StepHook for Meddler {
    fn before(&self, operation: Operation, path: &Path) -> Interference {
        if operation == Operation::Sync && path.to_string_lossy().contains("import") {
            fs::write(&self.0, "something else").unwrap();
        }
        Interference::SkipSync
    }
}

#[test]
fn a_file_that_changes_meanwhile_is_not_taken() {
    let (home, _project) = TestHome::with_shop();
    let original = write(home.folder.path(), "orders.csv", "a,b\n1,2\n");
    let project = home.shop_with(Arc::new(Meddler(original.clone())));
    let error = project.clone_file(&original).unwrap_err();
    assert!(matches!(error, StoreError::SourceChanged { .. }), "{error}");
    let folder = home.folder.path().join("projects/shop/data/.cas");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}

#[derive(Debug)]
struct FullDisk;

impl StepHook for FullDisk {
    fn before(&self, operation: Operation, _path: &Path) -> Interference {
        match operation {
            Operation::Write => Interference::Fail(io::ErrorKind::StorageFull.into()),
            _ => Interference::SkipSync,
        }
    }
}

#[test]
fn a_full_disk_leaves_no_half_a_copy() {
    let (home, _project) = TestHome::with_shop();
    let original = write(home.folder.path(), "orders.csv", "a,b\n1,2\n");
    let project = home.shop_with(Arc::new(FullDisk));
    let error = project.clone_file(&original).unwrap_err();
    let StoreError::WriteFailed { source, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(source.kind(), io::ErrorKind::StorageFull);
    let folder = home.folder.path().join("projects/shop/data/.cas");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}
