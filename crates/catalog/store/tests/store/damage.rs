//! Files that were damaged, and disks that fail.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use candor_catalog_store::{
    AliasKind, Interference, LOCK_WAIT, Operation, Project, Published, Reference, StepHook, StoreError,
};

use crate::fixture::{
    TestHome, alias, assert_recorded, assert_sound, computed, create, hash, publish_staged, revise, tracked, versions,
};

#[test]
fn a_manifest_cut_in_half_is_named_and_hides_nothing_else() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    create(&project, "costs", 2);
    let path = project.layout().entry(&hash(1)).join("manifest.json");
    let text = fs::read(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let project = home.shop();
    let error = project.entry(&hash(1)).unwrap_err();
    let StoreError::Damaged {
        path: named, advice, ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(named, &path);
    assert!(advice.starts_with("Build the same recipe"), "{advice}");
    fs::remove_dir_all(project.layout().catalog().join("compute_cache")).unwrap();
    let page = project.entries(0, 10).unwrap();
    assert_eq!((page.hashes, page.damaged), (vec![hash(2)], vec![hash(1)]));

    // Building the same recipe again writes the entry anew.
    let lock = project.lock("catalog_run", LOCK_WAIT).unwrap();
    let staged = project.stage(computed(1, &[])).unwrap();
    assert_eq!(publish_staged(&lock, staged).unwrap(), Published::Created);
    lock.checkpoint("candor: catalog_run").unwrap();
    drop(lock);
    assert_recorded(&project);
    assert_eq!(project.resolve(&Reference::parse("sales").unwrap()).unwrap(), hash(1));
}

#[test]
fn a_manifest_of_another_entry_or_of_the_future_is_not_believed() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    create(&project, "costs", 2);
    let path = |number| project.layout().entry(&hash(number)).join("manifest.json");
    fs::copy(path(1), path(2)).unwrap();
    assert!(
        project
            .entry(&hash(2))
            .unwrap_err()
            .to_string()
            .contains("belongs to the entry 000000000001")
    );
    let text = fs::read_to_string(path(1)).unwrap();
    fs::write(
        path(1),
        text.replace("\"manifest_version\": 1", "\"manifest_version\": 2"),
    )
    .unwrap();
    assert!(
        project
            .entry(&hash(1))
            .unwrap_err()
            .to_string()
            .contains("newer version")
    );
}

#[test]
fn aliases_that_lost_their_end_stop_changes_and_come_back_by_reset() {
    let (home, project) = TestHome::with_shop();
    create(&project, "costs", 1);
    create(&project, "sales", 2);
    let path = project.layout().catalog().join("aliases.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let first_line = text.lines().next().unwrap();
    fs::write(&path, format!("{first_line}\n")).unwrap();
    let project = home.shop();
    assert!(matches!(project.aliases(), Err(StoreError::Damaged { .. })));
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    let result = lock.change_aliases(|book| book.remove(&alias("costs")).map(|_| ()));
    assert!(matches!(result, Err(StoreError::Damaged { .. })));
    lock.reset(&candor_catalog_store::StepReference::Step(2)).unwrap();
    assert_eq!(versions(&project, "sales"), [2]);
    assert_eq!(versions(&project, "costs"), [1]);
}

#[test]
fn a_history_whose_last_commit_is_gone_goes_on_from_the_one_before() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "costs", 1);
    create(&project, "sales", 2);
    let revision = project.revisions().unwrap().remove(0);
    let object = project
        .layout()
        .catalog()
        .join(".git/objects")
        .join(&revision.commit[..2])
        .join(&revision.commit[2..]);
    fs::remove_file(&object).unwrap();
    fs::write(&object, "").unwrap();
    create(&project, "profit", 3);
    assert_recorded(&project);
    let steps: Vec<u64> = project
        .revisions()
        .unwrap()
        .iter()
        .map(|revision| revision.step)
        .collect();
    assert_eq!(steps, [3, 1, 0]);
}

/// Fails the step of a number, as a full disk does.
#[derive(Debug)]
struct FailAt {
    step: usize,
    seen: AtomicUsize,
}

impl StepHook for FailAt {
    fn before(&self, _operation: Operation, _path: &Path) -> Interference {
        if self.seen.fetch_add(1, Ordering::Relaxed) == self.step {
            Interference::Fail(io::ErrorKind::StorageFull.into())
        } else {
            Interference::SkipSync
        }
    }
}

fn try_revise(project: &Project, number: u64) -> Result<(), StoreError> {
    let staged = project.stage(computed(number, &[]))?;
    let lock = project.lock("catalog_revise", LOCK_WAIT)?;
    publish_staged(&lock, staged)?;
    lock.change_aliases(|book| {
        book.advance(&alias("sales"), AliasKind::Catalog, hash(number), None)
            .map(|_| ())
    })?;
    lock.add_prompt(&hash(number), "again")?;
    lock.checkpoint("candor: catalog_revise").map(|_| ())
}

#[test]
fn a_disk_that_is_full_at_any_step_costs_the_operation_and_nothing_else() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    drop(project);
    for step in 0.. {
        let hook = Arc::new(FailAt {
            step,
            seen: AtomicUsize::new(0),
        });
        let number = 100 + step as u64;
        let before = versions(&home.shop(), "sales");
        let result = try_revise(&home.shop_with(hook.clone()), number);
        let project = home.shop();
        assert_sound(&project);
        let after = versions(&project, "sales");
        assert!(after.starts_with(&before), "step {step}: nothing is lost");
        if hook.seen.load(Ordering::Relaxed) <= step {
            result.unwrap();
            assert!(step > 20, "{step} steps were tried");
            break;
        }
        if let Err(error) = result {
            assert!(
                matches!(error, StoreError::WriteFailed { .. } | StoreError::History { .. }),
                "step {step}: {error}"
            );
        }
        let staging = project.layout().catalog().join(".staging");
        assert_eq!(
            fs::read_dir(staging).map_or(0, Iterator::count),
            0,
            "step {step}: nothing is left over"
        );
    }
    let project = home.shop();
    revise(&project, "sales", 2);
    assert_recorded(&project);
    assert!(tracked(&project).len() > 5);
}
