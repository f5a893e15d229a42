//! Checkpoints, labels, and going back and forth between them.

use std::fs;

use candor_catalog_store::{AliasKind, LOCK_WAIT, Project, StepReference, StoreError};

use crate::fixture::{
    TestHome, alias, assert_recorded, create, hash, project_name, revise, source, tracked, versions, write,
};

fn reset(project: &Project, to: &str) {
    project
        .lock("reset", LOCK_WAIT)
        .unwrap()
        .reset(&StepReference::parse(to).unwrap())
        .unwrap();
}

#[test]
fn every_operation_is_one_step() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    revise(&project, "sales", 2);
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    let nothing = lock.checkpoint("candor: catalog_import_source").unwrap();
    assert_eq!(nothing.step, 3, "an operation that changed nothing is a step, too");
    lock.label(&StepReference::Step(1), "first").unwrap();
    drop(lock);
    let revisions = project.revisions().unwrap();
    let shown: Vec<_> = revisions
        .iter()
        .map(|revision| (revision.step, revision.message.as_str(), revision.labels.len()))
        .collect();
    assert_eq!(
        shown,
        [
            (3, "candor: catalog_import_source", 0),
            (2, "candor: catalog_revise", 0),
            (1, "candor: catalog_create", 1),
            (0, "genesis", 0),
        ]
    );
    assert_eq!(revisions.iter().filter(|revision| revision.is_current).count(), 1);
    assert_recorded(&project);
}

#[test]
fn the_number_of_a_step_is_never_given_twice() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let counter = project.layout().catalog().join(".git/candor-step");
    for text in ["0", "nonsense", ""] {
        fs::write(&counter, text).unwrap();
        project.lock("test", LOCK_WAIT).unwrap().checkpoint("again").unwrap();
    }
    fs::remove_file(&counter).unwrap();
    let last = project.lock("test", LOCK_WAIT).unwrap().checkpoint("again").unwrap();
    assert_eq!(last.step, 5);
    assert_eq!(project.revisions().unwrap().len(), 6);
}

#[test]
fn going_back_and_forth_ends_where_it_began() {
    let (home, project) = TestHome::with_shop();
    let original = write(home.folder.path(), "orders.csv", "a\n1\n");
    create(&project, "sales", 1);
    let at_one = tracked(&project);
    let clone = project.clone_file(&original).unwrap();
    let lock = project.lock("catalog_import_source", LOCK_WAIT).unwrap();
    let staged = project.stage(source(7, &clone.digest, &clone.suffix)).unwrap();
    lock.publish(staged, None).unwrap();
    lock.change_aliases(|book| book.create(alias("orders"), AliasKind::Source, hash(7)).map(|_| ()))
        .unwrap();
    lock.checkpoint("candor: catalog_import_source").unwrap();
    drop(lock);
    revise(&project, "sales", 2);
    let at_three = tracked(&project);

    for _ in 0..2 {
        reset(&project, "1");
        assert_eq!(tracked(&project), at_one);
        assert_eq!(versions(&home.shop(), "sales"), [1]);
        assert!(!project.has_entry(&hash(2)) && !project.has_entry(&hash(7)));
        assert!(!clone.path.exists(), "the copy is parked");
        assert!(project.has_snapshot(&hash(2)), "caches stay");
        assert_recorded(&project);
        assert_eq!(project.entries(0, 10).unwrap().total, 1);

        reset(&project, "step-003");
        assert_eq!(tracked(&project), at_three);
        assert!(clone.path.exists());
        assert_recorded(&project);
        assert_eq!(project.entries(0, 10).unwrap().hashes, [hash(2), hash(7), hash(1)]);
    }
    reset(&project, "0");
    assert!(project.aliases().unwrap().is_empty());
    create(&project, "costs", 9);
    assert_eq!(project.revisions().unwrap()[0].step, 4, "numbers go on");
    assert_recorded(&project);
}

#[test]
fn what_was_in_no_checkpoint_is_not_lost_by_a_reset() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    crate::fixture::publish(&lock, 2, &[]);
    lock.change_aliases(|book| {
        book.advance(&alias("sales"), AliasKind::Catalog, hash(2), None)
            .map(|_| ())
    })
    .unwrap();
    drop(lock);
    reset(&project, "1");
    assert_eq!(versions(&project, "sales"), [1]);
    reset(&project, "2");
    assert_eq!(versions(&project, "sales"), [1, 2]);
    assert_eq!(project.revisions().unwrap()[0].message, "candor: before reset");
}

#[test]
fn what_was_found_out_about_an_entry_survives_a_reset() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    revise(&project, "sales", 2);
    let lock = project.lock("verification", LOCK_WAIT).unwrap();
    lock.change_manifest(&hash(1), |manifest| manifest.reproducible = Some(false))
        .unwrap();
    lock.checkpoint("candor: verification").unwrap();
    drop(lock);
    reset(&project, "1");
    assert_eq!(project.manifest(&hash(1)).unwrap().reproducible, Some(false));
    create(&project, "costs", 3);
    assert_recorded(&project);
}

#[test]
fn an_entry_that_is_gone_comes_back_from_the_history() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let before = tracked(&project);
    fs::remove_dir_all(project.layout().entry(&hash(1))).unwrap();
    reset(&project, "1");
    assert_eq!(tracked(&project), before);
}

#[test]
fn git_finds_nothing_to_do_after_a_checkpoint() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    revise(&project, "sales", 2);
    reset(&project, "1");
    create(&project, "costs", 3);
    let repository = git2::Repository::open(project.layout().catalog()).unwrap();
    let mut options = git2::StatusOptions::new();
    options.include_untracked(true).recurse_untracked_dirs(true);
    let statuses = repository.statuses(Some(&mut options)).unwrap();
    let names: Vec<String> = statuses.iter().map(|entry| entry.path().unwrap().to_string()).collect();
    assert_eq!(names, [] as [&str; 0]);
}

#[test]
fn labels_and_steps_that_do_not_exist_are_refused() {
    let (_home, project) = TestHome::with_shop();
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    for text in ["9", "nothing"] {
        let reference = StepReference::parse(text).unwrap();
        assert!(
            matches!(lock.reset(&reference), Err(StoreError::NoSuchStep { .. })),
            "{text}"
        );
    }
    for label in ["--force", "a b", "HEAD^", "7", "step-1", "../x", ""] {
        let result = lock.label(&StepReference::Step(0), label);
        assert!(matches!(result, Err(StoreError::BadName { .. })), "{label}");
    }
}

#[test]
fn a_project_inside_someones_repository_keeps_to_its_own() {
    let outer = tempfile::tempdir().unwrap();
    let repository = git2::Repository::init(outer.path()).unwrap();
    let home = candor_catalog_store::Home::at(outer.path().join("home"));
    let project = home.create(&project_name("shop"), "test", LOCK_WAIT).unwrap();
    fs::remove_dir_all(project.layout().catalog().join(".git")).unwrap();
    let error = project.lock("test", LOCK_WAIT).unwrap().checkpoint("x").unwrap_err();
    assert!(matches!(error, StoreError::History { .. }), "{error}");
    assert!(repository.head().is_err(), "the outer repository has no commit");
}
