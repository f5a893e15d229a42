//! Names as AL compares them, and a table that holds many of them compactly.

use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use candor_al_syntax::ast::unquoted;

/// A name as AL compares it: a hash of its letters without regard to case and quotes.
///
/// Two names of one program are the same name exactly if their keys are equal. A key has 64 well mixed bits; that two of
/// ten million different names share one has a chance of one in 300,000, and then one of them is not found.
/// Keys need no table that all threads share, and they are the same in every process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NameKey(pub u64);

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Makes the ASCII letters among eight bytes lower case; all eight at once.
#[inline]
fn lower_case(bytes: u64) -> u64 {
    let low = bytes & (ONES * 0x7F);
    // Z is 0x5A, A is 0x41.
    let behind_z = low + ONES * (0x7F - 0x5A);
    let from_a = low + ONES * (0x80 - 0x41);
    let is_upper = !bytes & (ONES * 0x80) & (from_a ^ behind_z);
    bytes | (is_upper >> 2)
}

fn hash(bytes: &[u8]) -> u64 {
    let mut state = (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = mix(state ^ lower_case(u64::from_le_bytes(word)));
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        state = mix(state ^ lower_case(u64::from_le_bytes(word)));
    }
    state ^ (state >> 29)
}

#[inline]
fn mix(value: u64) -> u64 {
    let product = u128::from(value ^ 0x2D35_8DCC_AA6C_78A5) * u128::from(MULTIPLIER | 1);
    (product as u64) ^ ((product >> 64) as u64)
}

impl NameKey {
    /// The key of a name as written, in quotes or not.
    pub fn of(text: &str) -> Self {
        if text.starts_with('"') {
            Self::of_unquoted(&unquoted(text))
        } else {
            Self::of_unquoted(text)
        }
    }

    /// The key of a name without quotes.
    pub fn of_unquoted(name: &str) -> Self {
        if name.is_ascii() {
            Self(hash(name.as_bytes()))
        } else {
            Self(hash(name.to_lowercase().as_bytes()))
        }
    }
}

impl fmt::Debug for NameKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// Hashes keys by leaving them as they are: they are hashes.
#[derive(Clone, Copy, Default, Debug)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(23) ^ value;
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = mix(self.0 ^ u64::from(value));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u32(u32::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u32(value as u32);
    }

    fn write_isize(&mut self, value: isize) {
        self.write(&value.to_ne_bytes());
    }
}

/// A map from keys of names, or from what holds one.
pub type KeyMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<KeyHasher>>;
/// A set of keys of names.
pub type KeySet<K> = std::collections::HashSet<K, BuildHasherDefault<KeyHasher>>;

/// The number of a name in its [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NameId(pub u32);

/// Names with their spelling, each spelling once.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Names {
    text: String,
    /// Where each name ends; it starts where the one before ends.
    ends: Vec<u32>,
    keys: Vec<NameKey>,
}

impl Names {
    /// How the name is spelled, without quotes.
    pub fn text(&self, name: NameId) -> &str {
        let index = name.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    /// The name as AL compares it.
    pub fn key(&self, name: NameId) -> NameKey {
        self.keys[name.0 as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.keys.shrink_to_fit();
    }
}

/// Fills a [`Names`].
#[derive(Default, Debug)]
pub(crate) struct NamesBuilder {
    pub(crate) names: Names,
    /// The first name of each key; other spellings are found by comparison, of which there are few.
    known: KeyMap<NameKey, NameId>,
}

impl NamesBuilder {
    /// The number of a name as written, in quotes or not.
    pub(crate) fn add(&mut self, written: &str) -> NameId {
        self.add_unquoted(&unquoted(written))
    }

    pub(crate) fn add_unquoted(&mut self, name: &str) -> NameId {
        let key = NameKey::of_unquoted(name);
        if let Some(&known) = self.known.get(&key)
            && self.names.text(known) == name
        {
            return known;
        }
        let id = NameId(self.names.keys.len() as u32);
        self.names.text.push_str(name);
        self.names.ends.push(self.names.text.len() as u32);
        self.names.keys.push(key);
        self.known.entry(key).or_insert(id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_or_quotes_are_the_same() {
        for (left, right) in [
            ("Customer", "CUSTOMER"),
            ("\"No.\"", "No."),
            ("\"A \"\"B\"\"\"", "a \"b\""),
            ("Größe", "GRÖSSE".replace("SS", "ß").as_str()),
            ("[@`{Z", "[@`{z"),
            ("Sell-to Customer No.", "sell-TO customer nO."),
        ] {
            assert_eq!(NameKey::of(left), NameKey::of(right), "{left} {right}");
        }
    }

    #[test]
    fn other_names_are_others() {
        let names = [
            "",
            "a",
            "b",
            "ab",
            "ba",
            "a ",
            "aaaaaaaa",
            "aaaaaaaaa",
            "@",
            "`",
            "[",
            "{",
            "No.",
            "No",
        ];
        let keys: std::collections::BTreeSet<_> = names.iter().map(|name| NameKey::of(name)).collect();
        assert_eq!(keys.len(), names.len());
    }

    #[test]
    fn a_table_keeps_each_spelling_once() {
        let mut builder = NamesBuilder::default();
        let first = builder.add("\"No.\"");
        assert_eq!(builder.add("No."), first);
        let other = builder.add("NO.");
        assert_ne!(other, first);
        assert_eq!(builder.names.text(other), "NO.");
        assert_eq!(builder.names.key(other), builder.names.key(first));
    }
}
