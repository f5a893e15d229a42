//! Several processes at one project. The test binary starts itself again to get them.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use candor_catalog_store::{LOCK_WAIT, StoreError};

use crate::fixture::{TestHome, assert_recorded, create, revise, versions};

/// Runs one of the ignored tests below in a process of its own.
pub(crate) fn child(test: &str, home: &TestHome, variables: &[(&str, String)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("STORE_TEST_HOME", home.folder.path())
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .spawn()
        .unwrap()
}

/// The home that a parent process prepared.
pub(crate) fn home_of_parent() -> candor_catalog_store::Home {
    let folder = std::env::var_os("STORE_TEST_HOME").expect("run by another test");
    candor_catalog_store::Home::with_hook(folder, std::sync::Arc::new(crate::fixture::NoSync))
}

#[test]
#[ignore = "run by revisions_of_two_processes_lose_nothing"]
fn child_revises() {
    let project = home_of_parent().project(&crate::fixture::project_name("shop")).unwrap();
    let first: u64 = std::env::var("STORE_TEST_FIRST").unwrap().parse().unwrap();
    for number in first..first + 100 {
        revise(&project, "sales", number);
    }
}

#[test]
fn revisions_of_two_processes_lose_nothing() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let children = ["1000", "2000"].map(|first| {
        child(
            "concurrency::child_revises",
            &home,
            &[("STORE_TEST_FIRST", first.to_string())],
        )
    });
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let project = home.shop();
    let found = versions(&project, "sales");
    assert_eq!(found.len(), 201);
    for first in [1000, 2000] {
        let own: Vec<u64> = found
            .iter()
            .copied()
            .filter(|number| (first..first + 100).contains(number))
            .collect();
        assert_eq!(own, (first..first + 100).collect::<Vec<_>>(), "each in its own order");
    }
    assert_eq!(project.entries(0, 10).unwrap().total, 201);
    let steps: Vec<u64> = project
        .revisions()
        .unwrap()
        .iter()
        .map(|revision| revision.step)
        .collect();
    assert_eq!(steps, (0..=201).rev().collect::<Vec<_>>(), "one checkpoint each");
    assert_recorded(&project);
}

#[test]
#[ignore = "run by a_process_that_hangs_is_named_and_a_dead_one_blocks_nobody"]
fn child_holds_the_lock() {
    let project = home_of_parent().project(&crate::fixture::project_name("shop")).unwrap();
    let _lock = project.lock("catalog_revise", LOCK_WAIT).unwrap();
    std::fs::write(project.layout().root().join("held"), "").unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn a_process_that_hangs_is_named_and_a_dead_one_blocks_nobody() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let mut holder = child("concurrency::child_holds_the_lock", &home, &[]);
    while !project.layout().root().join("held").exists() {
        assert!(holder.try_wait().unwrap().is_none(), "the holder ended early");
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = project.lock("catalog_alias", Duration::from_millis(20)).unwrap_err();
    let StoreError::Busy {
        holder: Some(named), ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((named.pid, named.tool.as_str()), (holder.id(), "catalog_revise"));
    assert_eq!(versions(&project, "sales"), [1], "reading needs no lock");
    holder.kill().unwrap();
    holder.wait().unwrap();
    revise(&project, "sales", 2);
    assert_recorded(&project);
}

#[test]
fn threads_of_one_process_take_turns() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    std::thread::scope(|scope| {
        for first in [100, 200, 300] {
            let project = project.clone();
            scope.spawn(move || (first..first + 10).for_each(|number| _ = revise(&project, "sales", number)));
        }
    });
    assert_eq!(versions(&home.shop(), "sales").len(), 31);
    assert_recorded(&project);
}
