//! Making, listing and choosing projects.

use std::fs;

use candor_catalog_store::{Home, LOCK_WAIT, StoreError};

use crate::fixture::{TestHome, assert_recorded, copy_folder, create, project_name, tracked, versions};

#[test]
fn a_new_project_is_empty_and_has_its_first_checkpoint() {
    let (_home, project) = TestHome::with_shop();
    assert_recorded(&project);
    let revisions = project.revisions().unwrap();
    assert_eq!(revisions.len(), 1);
    assert_eq!((revisions[0].step, revisions[0].message.as_str()), (0, "genesis"));
    assert!(revisions[0].is_current);
    assert!(project.config().auto_recalc);
    assert_eq!(
        tracked(&project).keys().collect::<Vec<_>>(),
        [".gitignore", "config.json"]
    );
}

#[test]
fn projects_are_listed_by_name_and_only_real_ones() {
    let home = TestHome::new();
    assert_eq!(home.home.projects().unwrap(), []);
    for name in ["zoo", "shop"] {
        home.home.create(&project_name(name), "test", LOCK_WAIT).unwrap();
    }
    fs::create_dir(home.folder.path().join("projects/Not a project")).unwrap();
    fs::create_dir(home.folder.path().join("projects/empty")).unwrap();
    assert_eq!(
        home.home.projects().unwrap(),
        [project_name("shop"), project_name("zoo")]
    );
    let error = home.home.create(&project_name("shop"), "test", LOCK_WAIT).unwrap_err();
    assert_eq!(error.to_string(), "There is a project `shop` already.");
    let StoreError::NoSuchProject { known, .. } = home.home.project(&project_name("shot")).unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(known, ["shop", "zoo"]);
}

#[test]
fn the_active_project_is_a_choice_that_is_seeded_once() {
    let home = TestHome::new();
    let active = |seed| home.home.active(seed).unwrap().map(|name| name.to_string());
    assert_eq!(
        active(Some("shop")),
        None,
        "a project that does not exist seeds nothing"
    );
    for name in ["shop", "zoo"] {
        home.home.create(&project_name(name), "test", LOCK_WAIT).unwrap();
    }
    assert_eq!(active(None), None);
    assert_eq!(active(Some("../zoo")), None);
    assert_eq!(active(Some("shop")).as_deref(), Some("shop"));
    assert_eq!(active(Some("zoo")).as_deref(), Some("shop"), "the seed counts once");
    home.home.set_active(&project_name("zoo"), "test", LOCK_WAIT).unwrap();
    assert_eq!(active(None).as_deref(), Some("zoo"));
    let text = fs::read_to_string(home.folder.path().join("active_project")).unwrap();
    assert_eq!(text, "zoo\n");
    assert!(matches!(
        home.home.set_active(&project_name("none"), "test", LOCK_WAIT),
        Err(StoreError::NoSuchProject { .. })
    ));
    fs::write(home.folder.path().join("active_project"), "../x").unwrap();
    assert!(matches!(home.home.active(None), Err(StoreError::Damaged { .. })));
}

#[test]
fn a_project_that_was_copied_elsewhere_works_under_its_new_name() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let elsewhere = tempfile::tempdir().unwrap();
    copy_folder(
        &home.folder.path().join("projects/shop"),
        &elsewhere.path().join("projects/branch"),
    );
    drop(home);
    let copy = Home::at(elsewhere.path()).project(&project_name("branch")).unwrap();
    assert_eq!(versions(&copy, "sales"), [1]);
    create(&copy, "costs", 2);
    assert_recorded(&copy);
    assert_eq!(copy.entries(0, 10).unwrap().total, 2);
}
