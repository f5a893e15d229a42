//! What is written keeps everything about a file but the repaired place.

use serde_json::json;

use crate::client::{PAGE, World, fixed_page, with};

fn utf16(text: &str) -> Vec<u8> {
    [0xFF, 0xFE]
        .into_iter()
        .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
        .collect()
}

#[test]
fn encodings_marks_and_line_ends_are_kept_in_one_batch() {
    let world = World::new(&[]);
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let bom = |text: &str| [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let forms: [(&str, Vec<u8>, Vec<u8>); 4] = [
        ("plain.al", PAGE.into(), fixed_page().into()),
        ("crlf.al", crlf(PAGE).into(), crlf(&fixed_page()).into()),
        ("bom.al", bom(&crlf(PAGE)), bom(&crlf(&fixed_page()))),
        ("utf16.al", utf16(PAGE), utf16(&fixed_page())),
    ];
    for (name, before, _) in &forms {
        world.write(name, before);
    }
    let mut client = world.server();
    let all = json!({"projectPath": world.root_text(), "diagnosticId": "LC0020"});
    let result = client.succeed("apply_fix_all", &all);
    assert_eq!(result["filesChanged"].as_array().unwrap().len(), 4);
    for (name, _, after) in &forms {
        assert_eq!(world.read(name), *after, "{name}");
    }
}

#[test]
fn a_preview_can_be_applied_as_it_is() {
    let world = World::new(&[("page.al", PAGE)]);
    let mut client = world.server();
    let preview = client.succeed("apply_fix", &with(&world.at_page(), &json!({"dryRun": true})));
    assert_eq!(preview["applied"], false);
    let apply = json!({"contentVersion": preview["contentVersion"], "equivalenceKey": preview["equivalenceKey"]});
    let applied = client.succeed("apply_fix", &with(&world.at_page(), &apply));
    assert_eq!(applied["changes"], preview["changes"]);
    assert_eq!(world.read("page.al"), fixed_page().into_bytes());
    let after = client.succeed("analyze", &json!({}));
    assert_eq!(
        (&after["totalCount"], &after["contentVersion"]),
        (&json!(0), &applied["contentVersion"])
    );
    client.end();
}
