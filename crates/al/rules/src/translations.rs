//! What is known of the translations of a project, and the numbers by which its texts are known.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What is translated in a project: all that LC0091 has to know of its translation files.
///
/// Sets of keys are shared and may be very large; each is sorted, and has no key twice. See [`translation_key`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translations {
    languages: Arc<[Language]>,
    objects: Arc<[u64]>,
    fingerprint: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Language {
    name: String,
    translated: Arc<[u64]>,
}

impl Translations {
    /// These languages, each with the keys of the ids that are translated into it; the keys of the first segments of all
    /// ids that are known (`Table 4117274083`); and a number that stands for all of this.
    pub fn new(
        languages: impl IntoIterator<Item = (String, Arc<[u64]>)>,
        objects: Arc<[u64]>,
        fingerprint: u64,
    ) -> Self {
        let mut languages: Vec<Language> = languages
            .into_iter()
            .map(|(name, translated)| Language { name, translated })
            .collect();
        languages.sort_by(|one, other| one.name.cmp(&other.name));
        Self {
            languages: languages.into(),
            objects,
            fingerprint,
        }
    }

    /// Whether some id begins with this segment.
    pub(crate) fn knows_object(&self, key: u64) -> bool {
        self.objects.binary_search(&key).is_ok()
    }

    /// The languages, in the order of their names, into which a text is not translated under any of these ids.
    pub(crate) fn missing(&self, ids: &[u64]) -> Vec<&str> {
        let lacks = |language: &&Language| !ids.iter().any(|id| language.translated.binary_search(id).is_ok());
        self.languages
            .iter()
            .filter(lacks)
            .map(|language| language.name.as_str())
            .collect()
    }
}

impl Hash for Translations {
    /// The number that stands for them: with a million keys, hashing these would take longer than most analyses.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint.hash(state);
    }
}

/// The number by which an id of a translation unit, or the first segment of one, is known: FNV-1a of its bytes, 64 bits.
/// Among a million ids the chance that two have the same is one in thirty million.
pub fn translation_key(id: &str) -> u64 {
    let mut key = IdKey::default();
    // Writing to a number cannot fail.
    let _ = key.write_str(id);
    key.0
}

/// The key of an id that is written piece by piece.
#[derive(Clone, Copy)]
pub(crate) struct IdKey(u64);

impl Default for IdKey {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl fmt::Write for IdKey {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl IdKey {
    /// Begins an id with a segment: the kind of an object and its name.
    pub(crate) fn object(kind: &str, name: &str) -> Self {
        let mut key = Self::default();
        let _ = write!(key, "{kind} {}", name_number(name));
        key
    }

    /// Adds a segment.
    pub(crate) fn then(mut self, kind: &str, name: &str) -> Self {
        let _ = write!(self, " - {kind} {}", name_number(name));
        self
    }

    /// The key.
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

/// The number that stands for a name in an id: FNV-1a of its UTF-16 code units, low byte first, 32 bits with a sign,
/// moved up so that it is (almost) never negative. The case of the name counts.
fn name_number(name: &str) -> i64 {
    let mut hash: u32 = 2_166_136_261;
    for byte in name.encode_utf16().flat_map(u16::to_le_bytes) {
        hash = (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    }
    i64::from(hash.cast_signed()) + i64::from(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_that_public_translation_files_show() {
        for (name, number) in [
            ("Caption", 2_879_900_210),
            ("ToolTip", 1_295_455_071),
            ("OptionCaption", 62_802_879),
            ("MyReport", 2_858_589_782),
            ("MyReportLabel", 973_805_576),
            ("MyPage", 2_931_038_265),
            ("RequestOptionsPage", 2_516_438_534),
            ("Assessee Code", 4_117_274_083),
            ("OnAction", 1_377_591_017),
        ] {
            assert_eq!(name_number(name), number, "{name}");
        }
    }

    #[test]
    fn an_id_has_the_same_key_whole_and_in_pieces() {
        let pieces = IdKey::object("Report", "MyReport").then("ReportLabel", "MyReportLabel");
        assert_eq!(
            pieces.number(),
            translation_key("Report 2858589782 - ReportLabel 973805576")
        );
    }

    #[test]
    fn a_text_is_missing_where_none_of_its_ids_is_translated() {
        let languages = [
            ("de-DE".to_owned(), vec![1, 5].into()),
            ("da-DK".to_owned(), vec![5].into()),
        ];
        let translations = Translations::new(languages, vec![7].into(), 0);
        assert_eq!(translations.missing(&[1]), ["da-DK"]);
        assert_eq!(translations.missing(&[2, 3]), ["da-DK", "de-DE"]);
        assert_eq!(translations.missing(&[2, 5]), [""; 0]);
        assert!(translations.knows_object(7) && !translations.knows_object(8));
    }
}
