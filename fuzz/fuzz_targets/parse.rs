//! Any bytes: decoded, parsed, and the same again.
#![no_main]

use candor_al_syntax::text::SourceText;
use candor_al_syntax::{Symbols, configurations, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let source = SourceText::decode(bytes);
    assert_eq!(source.to_bytes(), bytes, "the bytes of the file");
    if source.is_lossless() {
        assert_eq!(
            source.encode(source.text()).as_deref(),
            Ok(bytes),
            "the bytes written back"
        );
    }
    let text = source.text();
    check(text, &Symbols::none());
    // The last configuration has every symbol on and so reads what the first one skips.
    if let Some(symbols) = configurations(text).last() {
        check(text, symbols);
    }
});

fn check(text: &str, symbols: &Symbols) {
    let tree = parse(text, symbols);
    let mut behind = 0;
    for token in tree.tokens() {
        let range = token.range();
        assert_eq!(range.start, behind, "a token begins where the one before ends");
        behind = range.end;
    }
    assert_eq!(behind as usize, text.len(), "the tokens are the text");
    assert_eq!(tree.text(), text);
    for node in tree.nodes() {
        let range = node.range();
        let mut behind = range.start;
        for child in node.children() {
            assert!(
                child.range().start >= behind && child.range().end <= range.end,
                "{child:?} in {node:?}"
            );
            behind = child.range().end;
        }
    }
    for error in tree.errors() {
        assert!(text.get(error.range.as_usize()).is_some(), "{error:?} lies in the text");
        let found = tree.token_at(error.range.start).text();
        assert!(!error.kind.message(found).is_empty());
    }
}
