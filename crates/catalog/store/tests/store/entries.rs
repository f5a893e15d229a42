//! Publishing entries, listing them, and what may change about them.

use std::fs;

use candor_catalog_store::{AliasKind, LOCK_WAIT, Published, Reference, StoreError};

use crate::fixture::{
    TestHome, alias, assert_recorded, assert_sound, computed, create, hash, publish, publish_staged, revise, versions,
};

#[test]
fn a_published_entry_reads_as_it_was_given() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let entry = home.shop().entry(&hash(1)).unwrap();
    let given = computed(1, &[]);
    assert_eq!(entry.recipe, given.recipe);
    assert_eq!(entry.schema, given.schema);
    assert_eq!(entry.manifest.sequence, 1);
    assert_eq!(entry.manifest.project, "shop");
    assert!(entry.manifest.created_at.ends_with('Z'));
    assert!(project.has_snapshot(&hash(1)));
    let prompts = project.prompts(&hash(1)).unwrap();
    assert_eq!(
        prompts.iter().map(|prompt| prompt.prompt.as_str()).collect::<Vec<_>>(),
        ["make it"]
    );
    assert_recorded(&project);
}

#[test]
fn an_entry_that_exists_stays_as_it_is() {
    let (_home, project) = TestHome::with_shop();
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    assert_eq!(publish(&lock, 1, &[]), Published::Created);
    let before = project.entry(&hash(1)).unwrap();
    let mut again = computed(1, &[]);
    again.manifest.row_count = 99;
    let staged = project.stage(again).unwrap();
    assert_eq!(publish_staged(&lock, staged).unwrap(), Published::Existing);
    assert_eq!(project.entry(&hash(1)).unwrap(), before);
    assert_eq!(project.entries(0, 10).unwrap().total, 1);
}

#[test]
fn what_is_staged_and_given_up_leaves_nothing() {
    let (_home, project) = TestHome::with_shop();
    drop(project.stage(computed(1, &[])).unwrap());
    let staging = project.layout().catalog().join(".staging");
    assert_eq!(fs::read_dir(staging).unwrap().count(), 0);
    assert!(!project.has_entry(&hash(1)));
    assert!(matches!(project.entry(&hash(1)), Err(StoreError::NoSuchEntry { .. })));
}

#[test]
fn pages_hold_the_newest_entries_first_whatever_the_clock_said() {
    let (home, project) = TestHome::with_shop();
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    for number in 1..=5 {
        let mut entry = computed(number, &[]);
        // The clock jumps back with each entry.
        entry.manifest.created_at = format!("20{:02}-01-01T00:00:00.000000Z", 90 - number);
        let staged = project.stage(entry).unwrap();
        publish_staged(&lock, staged).unwrap();
    }
    let page = |offset, limit| home.shop().entries(offset, limit).unwrap();
    assert_eq!(page(0, 2).hashes, [hash(5), hash(4)]);
    assert_eq!(page(4, 2).hashes, [hash(1)]);
    assert_eq!(page(5, 2).hashes, []);
    assert_eq!(page(9, 2).total, 5);
    let before = page(0, 10);
    let index = project.layout().catalog().join("compute_cache/entries.index");
    for damage in [
        "",
        "candor-entries 1\n3 00000000",
        "\u{0}\u{1}",
        "candor-entries 1\n9 00000000000f\n",
    ] {
        fs::write(&index, damage).unwrap();
        assert_eq!(page(0, 10), before, "{damage:?}");
    }
    fs::remove_dir_all(project.layout().catalog().join("compute_cache")).unwrap();
    assert_eq!(page(0, 10), before);
    drop(lock);
    create(&project, "sales", 6);
    assert_eq!(page(0, 1).hashes, [hash(6)]);
}

#[test]
fn an_alias_never_leads_to_nothing() {
    let (_home, project) = TestHome::with_shop();
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    let result = lock.change_aliases(|book| book.create(alias("sales"), AliasKind::Catalog, hash(1)).map(|_| ()));
    assert!(matches!(result, Err(StoreError::NoSuchEntry { .. })));
    assert!(project.aliases().unwrap().is_empty());
}

#[test]
fn several_heads_move_in_one_step_or_not_at_all() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    create(&project, "report", 2);
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    publish(&lock, 3, &[]);
    publish(&lock, 4, &[3]);
    let kind = AliasKind::Catalog;
    let result = lock.change_aliases(|book| {
        book.advance(&alias("sales"), kind, hash(3), None)?;
        book.advance(&alias("report"), kind, hash(4), Some(&hash(9)))
            .map(|_| ())
    });
    assert!(matches!(result, Err(StoreError::VersionMoved { .. })));
    assert_eq!(versions(&home.shop(), "sales"), [1]);
    lock.change_aliases(|book| {
        book.advance(&alias("sales"), kind, hash(3), None)?;
        book.advance(&alias("report"), kind, hash(4), Some(&hash(2)))
            .map(|_| ())
    })
    .unwrap();
    assert_eq!(versions(&home.shop(), "sales"), [1, 3]);
    assert_eq!(versions(&home.shop(), "report"), [2, 4]);
}

#[test]
fn references_lead_to_entries() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    revise(&project, "sales", 2);
    let resolve = |text: &str| project.resolve(&Reference::parse(text).unwrap());
    assert_eq!(resolve("sales").unwrap(), hash(2));
    assert_eq!(resolve("sales-v1").unwrap(), hash(1));
    assert_eq!(resolve(hash(1).as_str()).unwrap(), hash(1));
    assert!(matches!(
        resolve("sales-v3"),
        Err(StoreError::NoSuchVersion { count: 2, .. })
    ));
    assert!(matches!(resolve("costs"), Err(StoreError::NoSuchAlias { .. })));
    assert!(matches!(resolve("00000000000f"), Err(StoreError::NoSuchEntry { .. })));
}

#[test]
fn facts_found_later_are_recorded_and_seen_at_once() {
    let (home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    assert_eq!(project.manifest(&hash(1)).unwrap().reproducible, None);
    let lock = project.lock("verification", LOCK_WAIT).unwrap();
    lock.change_manifest(&hash(1), |manifest| {
        manifest.reproducible = Some(false);
        manifest.nonreproducible_columns = vec!["total".into()];
    })
    .unwrap();
    assert_eq!(project.manifest(&hash(1)).unwrap().reproducible, Some(false));
    assert_eq!(
        home.shop().manifest(&hash(1)).unwrap().nonreproducible_columns,
        ["total"]
    );
    lock.checkpoint("candor: verification").unwrap();
    drop(lock);
    assert_recorded(&project);
}

#[test]
fn what_a_newer_version_recorded_survives_a_change() {
    let (_home, project) = TestHome::with_shop();
    create(&project, "sales", 1);
    let path = project.layout().entry(&hash(1)).join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\n  \"from_the_future\": [1, 2],", 1)).unwrap();
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    lock.change_manifest(&hash(1), |manifest| manifest.reproducible = Some(true))
        .unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains("from_the_future"));
    drop(lock);
    assert_sound(&project);
}

#[test]
fn switches_are_kept() {
    let (home, project) = TestHome::with_shop();
    let lock = project.lock("test", LOCK_WAIT).unwrap();
    lock.change_config(|config| config.auto_recalc = false).unwrap();
    assert!(!home.shop().config().auto_recalc);
}
