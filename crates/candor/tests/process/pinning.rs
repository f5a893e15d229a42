use std::fs;

use super::{Ended, candor, on_stand_in, write};

#[test]
fn a_pinned_contract_has_no_difference_from_itself() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join("candor.lock");
    let lock = lock.to_str().unwrap();
    let pinned = on_stand_in("pin", &["-o", lock], "plain");
    assert_eq!(pinned.code, 0, "{pinned:?}");
    assert!(pinned.out.contains("written: 1 tool"), "{pinned:?}");
    insta::assert_snapshot!(fs::read_to_string(lock).unwrap(), @r#"
    {
      "candorLock": 1,
      "server": "stand-in",
      "tools": {
        "price": {
          "title": "Price of an item",
          "description": "Returns the price of one item in cents; an unknown item is an error.",
          "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false
          },
          "inputSchema": {
            "type": "object",
            "properties": {
              "item": {
                "type": "string",
                "description": "The name of the item."
              }
            },
            "required": [
              "item"
            ],
            "additionalProperties": false
          }
        }
      }
    }
    "#);
    let again = on_stand_in("pin", &["-o", lock], "plain");
    assert!(again.out.contains("is as it was"), "{again:?}");
    let same = on_stand_in("diff", &[lock, "--fail-on", "additive"], "plain");
    assert_eq!(same.code, 0, "{same:?}");
    assert_eq!(same.out, "The contract is as it was pinned.\n");
}

#[test]
fn a_new_argument_is_additive_and_its_loss_is_breaking() {
    let folder = tempfile::tempdir().unwrap();
    let pin = |manner: &str| {
        let path = folder.path().join(manner);
        let path = path.to_str().unwrap().to_owned();
        assert_eq!(on_stand_in("pin", &["-o", &path], manner).code, 0);
        path
    };
    let (plain, changed) = (pin("plain"), pin("changed"));
    let added = on_stand_in("diff", &[&plain], "changed");
    assert_eq!(added.code, 0, "{added:?}");
    insta::assert_snapshot!(added.out, @r#"
    additive    tools/price inputSchema/properties/currency: is new
                + {"type":"string","description":"As ISO 4217."}
    1 difference: 0 breaking, 0 behavioural, 1 additive; `candor pin` accepts them
    "#);
    let strict = on_stand_in("diff", &[&plain, "--fail-on", "additive"], "changed");
    assert_eq!(strict.code, 1);

    let lost = Ended::of(
        &candor()
            .args(["diff", &changed, &plain, "--format", "json"])
            .output()
            .unwrap(),
    );
    assert_eq!(lost.code, 1);
    insta::assert_snapshot!(lost.out, @r#"{"count":1,"breaking":1,"behavioural":0,"additive":0,"differences":[{"class":"breaking","subject":"tools/price","path":"inputSchema/properties/currency","message":"is gone","before":"{\"type\":\"string\",\"description\":\"As ISO 4217.\"}"}]}"#);
    let annotated = Ended::of(
        &candor()
            .args(["diff", &changed, &plain, "--format", "github"])
            .output()
            .unwrap(),
    );
    assert!(annotated.out.starts_with("::error file="), "{annotated:?}");
}

#[test]
fn a_lock_that_is_missing_or_of_another_kind_is_a_wrong_command_line() {
    let missing = on_stand_in("diff", &["no-such.lock"], "plain");
    assert_eq!(missing.code, 2);
    assert!(missing.errors.contains("`candor pin -o no-such.lock"), "{missing:?}");
    let folder = tempfile::tempdir().unwrap();
    let strange = write(folder.path(), "Cargo.lock", "version = 4\n");
    let strange = on_stand_in("diff", &[strange.to_str().unwrap()], "plain");
    assert_eq!(strange.code, 2);
    assert!(strange.errors.contains("is no JSON"), "{strange:?}");
}

#[test]
fn a_list_without_end_is_not_pinned() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join("candor.lock");
    let ended = on_stand_in("pin", &["-o", lock.to_str().unwrap()], "floods-pages");
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(
        ended.errors.contains("`tools/list` could not be read to its end"),
        "{ended:?}"
    );
    assert!(!lock.exists());
}
