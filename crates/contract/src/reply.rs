//! What all replies have in common: no nulls, a bound in bytes.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use serde_json::{Map, Value};

/// How many bytes of compact JSON a reply should stay under, because hosts cut
/// what they show a model at about 25,000 tokens.
pub const REPLY_BYTES: usize = 60_000;

/// Removes every member whose value is null, at any depth. Elements of arrays
/// stay: their position has a meaning.
pub fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => drop_nulls_in(members),
        Value::Array(elements) => elements.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// Removes every member whose value is null, at any depth.
pub fn drop_nulls_in(members: &mut Map<String, Value>) {
    members.retain(|_, value| !value.is_null());
    members.values_mut().for_each(drop_nulls);
}

/// At most the first `characters` of `text`, with an ellipsis when there are
/// more: what a caller sent is echoed so that it is recognised, whatever its
/// length.
pub fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The number of bytes a value takes as compact JSON, without building the
/// text. A value that cannot be written counts as nothing.
pub fn json_bytes<T: Serialize + ?Sized>(value: &T) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        Err(_) => 0,
    }
}

/// Room for a list in a reply: entries are taken as long as they fit.
///
/// ```
/// use candor_contract::ReplyBudget;
/// let mut budget = ReplyBudget::new(12);
/// let shown: Vec<_> = ["alpha", "beta", "gamma"].iter().take_while(|name| budget.take(name)).collect();
/// assert_eq!(shown, [&"alpha"]); // `"alpha",` takes 8 bytes, `"beta",` another 7
/// ```
#[derive(Debug, Clone)]
pub struct ReplyBudget {
    left: usize,
}

impl ReplyBudget {
    /// A budget of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self { left: bytes }
    }

    /// Takes the bytes of `entry` and a comma. Says `false`, and takes
    /// nothing, when they no longer fit.
    pub fn take<T: Serialize + ?Sized>(&mut self, entry: &T) -> bool {
        let needed = json_bytes(entry) + 1;
        match self.left.checked_sub(needed) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// The bytes that are left.
    pub fn left(&self) -> usize {
        self.left
    }
}

impl Default for ReplyBudget {
    fn default() -> Self {
        Self::new(REPLY_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_and_not_bytes() {
        assert_eq!(shortened("short", 300), "short");
        assert_eq!(shortened(&"é".repeat(300), 300), "é".repeat(300));
        assert_eq!(shortened(&"é".repeat(301), 300), "é".repeat(300) + "…");
    }
}
