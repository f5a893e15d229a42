//! Bringing files in: the case table, refusals, what is recorded.

use std::fs;

use candor_catalog_facade::ImportArguments;
use serde_json::{Map, json};

use crate::fixture::{ORDERS, World, expect_rows, kind};

const MORE: &str = "id,customer,amount\n1,ann,10\n";
const MOST: &str = "id,customer,amount\n9,zoe,90\n";

fn pinned(
    world: &World,
    text: &str,
    version: u64,
) -> Result<candor_catalog_facade::ImportResult, candor_catalog_facade::CatalogError> {
    let path = world.file("orders.csv", text);
    world.import_with(&ImportArguments {
        outside_path: path.display().to_string(),
        alias: "orders".into(),
        pinned_version: Some(version),
        ..ImportArguments::default()
    })
}

#[test]
fn a_file_becomes_the_first_version() {
    let world = World::new();
    let imported = world.import("orders", ORDERS).unwrap();
    assert_eq!((imported.version, imported.created, imported.row_count), (1, true, 3));
    assert_eq!(fs::read_to_string(&imported.path).unwrap(), ORDERS);
    let types: Vec<_> = imported
        .schema
        .fields
        .iter()
        .map(|field| field.data_type.as_str())
        .collect();
    assert_eq!(types, ["int64", "string", "int64"]);
    expect_rows(
        &world.peek("orders").unwrap(),
        json!([["1", "ann", "10"], ["2", "bob", "20"], ["3", "ann", "30"]]),
    );
    let project = world.project();
    let entry = project.entry(&imported.hash.parse().unwrap()).unwrap();
    let provenance = entry.manifest.provenance.unwrap();
    assert_eq!((provenance.alias.as_str(), provenance.version), ("orders", 1));
    assert_eq!(provenance.digest, imported.digest);
}

#[test]
fn the_case_table() {
    let world = World::with_orders();
    let steps = || world.project().revisions().unwrap().len();
    // The same bytes: nothing happens.
    let before = steps();
    let same = world.import("orders", ORDERS).unwrap();
    assert_eq!((same.version, same.created, same.checkpoint_step), (1, false, None));
    let same = pinned(&world, ORDERS, 1).unwrap();
    assert_eq!((same.version, same.created), (1, false));
    assert_eq!(steps(), before);
    // Other bytes under the pin of an existing version, or a version that leaves one out.
    assert_eq!(kind(pinned(&world, MORE, 1)), "Invalid/BadVersion");
    assert_eq!(kind(pinned(&world, MORE, 3)), "Invalid/BadVersion");
    assert_eq!(kind(pinned(&world, MORE, 0)), "Invalid/BadVersion");
    assert_eq!(kind(pinned(&world, ORDERS, 2)), "Invalid/BadVersion");
    // The next one.
    assert_eq!(pinned(&world, MORE, 2).unwrap().version, 2);
    assert_eq!(world.import("orders", MOST).unwrap().version, 3);
    // An older one.
    let error = world.import("orders", MORE).unwrap_err();
    assert!(error.message().contains("`orders-v2`, an older version"), "{error}");
    assert_eq!(
        pinned(&world, MORE, 2).unwrap().version,
        2,
        "to say which it is, is no import"
    );
    // A version of another alias.
    let error = world.import("others", MOST).unwrap_err();
    assert!(error.message().contains("`orders-v3` already"), "{error}");
    assert_eq!(kind::<()>(Err(error)), "Invalid/BadVersion");
    // A new alias begins with version 1.
    let path = world.file("new.csv", "a\n1\n");
    let skipping = ImportArguments {
        outside_path: path.display().to_string(),
        alias: "fresh".into(),
        pinned_version: Some(2),
        ..ImportArguments::default()
    };
    assert_eq!(kind(world.import_with(&skipping)), "Invalid/BadVersion");
}

#[test]
fn what_cannot_be_brought_in_is_refused_and_leaves_nothing() {
    let world = World::with_orders();
    let copies = || {
        fs::read_dir(world.project().layout().root().join("data/.cas"))
            .unwrap()
            .count()
    };
    let before = (copies(), world.list().total);
    let import = |path: &str, alias: &str| {
        world.import_with(&ImportArguments {
            outside_path: path.into(),
            alias: alias.into(),
            ..ImportArguments::default()
        })
    };
    let folder = world.folder.path().display().to_string();
    assert_eq!(
        kind(import(&format!("{folder}/nowhere.csv"), "a")),
        "NotFound/NoSuchSource"
    );
    assert_eq!(kind(import(&folder, "a")), "Invalid/BadFile");
    let other = world.file("image.png", "x").display().to_string();
    assert_eq!(kind(import(&other, "a")), "Invalid/BadFile");
    let empty = world.file("empty.csv", "").display().to_string();
    assert_eq!(kind(import(&empty, "a")), "Invalid/BadFile");
    let ragged = world.file("ragged.csv", "a,b\n1,2\n3\n").display().to_string();
    let error = import(&ragged, "a").unwrap_err();
    assert!(error.message().contains("line 3"), "{error}");
    assert_eq!(kind::<()>(Err(error)), "Invalid/BadFile");
    assert_eq!(kind(import(&ragged, "a-v2")), "Invalid/BadName");
    assert_eq!((copies(), world.list().total), before);
    assert_eq!(world.records()[0].tool.as_deref(), Some("catalog_import_source"));
}

#[test]
fn a_catalog_alias_takes_no_file() {
    let world = World::with_orders();
    world.create("totals", "SELECT 1 AS one").unwrap();
    assert_eq!(kind(world.import("totals", MORE)), "Invalid/WrongKind");
}

#[test]
fn the_way_a_file_is_read_is_part_of_what_it_is() {
    let world = World::new();
    let path = world.file("codes.csv", "code;n\n007;1\n008;2\n").display().to_string();
    let import = |schema| {
        world.import_with(&ImportArguments {
            outside_path: path.clone(),
            alias: "codes".into(),
            schema,
            reader_options: Some(Map::from_iter([("delimiter".to_string(), json!(";"))])),
            ..ImportArguments::default()
        })
    };
    let first = import(Some(json!({"code": "string", "n": "int32"}))).unwrap();
    let same = import(Some(json!({"n": "int32", "code": "string"}))).unwrap();
    assert_eq!((same.hash.as_str(), same.created), (first.hash.as_str(), false));
    let second = import(Some(json!({"code": "int64", "n": "int32"}))).unwrap();
    assert_eq!((second.version, second.created), (2, true));
    let error = import(Some(json!({"code": "date", "n": "int32"}))).unwrap_err();
    assert_eq!(kind::<()>(Err(error)), "Invalid/BadFile");
    let error = import(Some(json!({"cod": "string"}))).unwrap_err();
    assert_eq!(kind::<()>(Err(error)), "Invalid/BadSchema");
}
