//! Source files as text: their encoding, kept so that a file can be written
//! back as it was, and the index from offsets to lines and columns.

mod line_index;

pub use line_index::{LineIndex, Position};

use std::borrow::Cow;
use std::fmt;

/// The character U+FEFF, which at the start of a file is a byte order mark.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// How the characters of a file are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// UTF-8, the encoding of a file that starts with no byte order mark.
    #[default]
    Utf8,
    /// UTF-16, least significant byte first.
    Utf16Le,
    /// UTF-16, most significant byte first.
    Utf16Be,
    /// UTF-32, least significant byte first.
    Utf32Le,
    /// UTF-32, most significant byte first.
    Utf32Be,
}

impl Encoding {
    /// The bytes of this encoding's byte order mark.
    pub const fn byte_order_mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => &[0xEF, 0xBB, 0xBF],
            Self::Utf16Le => &[0xFF, 0xFE],
            Self::Utf16Be => &[0xFE, 0xFF],
            Self::Utf32Le => &[0xFF, 0xFE, 0x00, 0x00],
            Self::Utf32Be => &[0x00, 0x00, 0xFE, 0xFF],
        }
    }

    /// The encoding that the first bytes of a file announce, and whether they do
    /// so with a byte order mark. Without one the answer is UTF-8; nothing is guessed.
    pub fn detect(bytes: &[u8]) -> (Self, bool) {
        // UTF-32 comes first: its little-endian mark starts with that of UTF-16.
        [Self::Utf32Le, Self::Utf32Be, Self::Utf8, Self::Utf16Le, Self::Utf16Be]
            .into_iter()
            .find(|encoding| bytes.starts_with(encoding.byte_order_mark()))
            .map_or((Self::Utf8, false), |encoding| (encoding, true))
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16 LE",
            Self::Utf16Be => "UTF-16 BE",
            Self::Utf32Le => "UTF-32 LE",
            Self::Utf32Be => "UTF-32 BE",
        })
    }
}

/// Why a text cannot be written in the encoding of the file it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EncodeError {
    /// The file held bytes that are invalid in its encoding (a Windows-1252 file,
    /// say), so its text is not the whole truth and must not replace it.
    Lossy {
        /// The encoding the file was read as.
        encoding: Encoding,
        /// Whether a byte order mark announced it.
        byte_order_mark: bool,
    },
    /// The new text starts with a character that would be read back as part of a
    /// byte order mark: U+FEFF in a file without one, or U+0000 after that of UTF-16 LE.
    StartsLikeByteOrderMark {
        /// The encoding of the file.
        encoding: Encoding,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lossy {
                encoding,
                byte_order_mark,
            } => {
                let mark = if *encoding == Encoding::Utf8 && *byte_order_mark {
                    " with BOM"
                } else {
                    ""
                };
                write!(
                    formatter,
                    "the file holds bytes that are not valid {encoding}{mark}; convert it to UTF-8 first"
                )
            }
            Self::StartsLikeByteOrderMark { encoding } => write!(
                formatter,
                "the new text starts with a character that {encoding} would read back as a byte order mark"
            ),
        }
    }
}

impl std::error::Error for EncodeError {}

/// The text of a file together with what is needed to write it back unchanged.
///
/// ```
/// use candor_al_syntax::text::SourceText;
///
/// let source = SourceText::decode(b"\xEF\xBB\xBFcodeunit 1 A { }");
/// assert_eq!(source.text(), "codeunit 1 A { }");
/// assert_eq!(source.encode("enum 1 A { }").unwrap(), b"\xEF\xBB\xBFenum 1 A { }");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceText {
    text: String,
    encoding: Encoding,
    byte_order_mark: bool,
    /// The bytes themselves when the text alone cannot reproduce them.
    undecodable: Option<Box<[u8]>>,
}

impl SourceText {
    /// Reads `bytes` as text. Never fails: a byte order mark decides the encoding
    /// (none: UTF-8) and is not part of the text; what is invalid becomes U+FFFD, and
    /// the value then keeps the bytes (see [`SourceText::is_lossless`]).
    pub fn decode(bytes: &[u8]) -> Self {
        Self::decode_vec(bytes.to_vec())
    }

    /// Like [`SourceText::decode`], without copying a UTF-8 file that has no mark.
    pub fn decode_vec(bytes: Vec<u8>) -> Self {
        let (encoding, byte_order_mark) = Encoding::detect(&bytes);
        let mark_length = if byte_order_mark {
            encoding.byte_order_mark().len()
        } else {
            0
        };
        if encoding == Encoding::Utf8 && mark_length == 0 {
            return match String::from_utf8(bytes) {
                Ok(text) => Self::whole(text, encoding, byte_order_mark),
                Err(error) => {
                    let bytes = error.into_bytes();
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    Self {
                        undecodable: Some(bytes.into_boxed_slice()),
                        ..Self::whole(text, encoding, byte_order_mark)
                    }
                }
            };
        }
        let (text, lossless) = decode_content(&bytes[mark_length..], encoding);
        Self {
            undecodable: (!lossless).then(|| bytes.into_boxed_slice()),
            ..Self::whole(text, encoding, byte_order_mark)
        }
    }

    /// A text that comes from no file: UTF-8 without byte order mark. A leading
    /// U+FEFF counts as the mark, as it would in a file.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self::decode_vec(text.into().into_bytes())
    }

    fn whole(text: String, encoding: Encoding, byte_order_mark: bool) -> Self {
        Self {
            text,
            encoding,
            byte_order_mark,
            undecodable: None,
        }
    }

    /// The text, without byte order mark. A second U+FEFF at its start stays in it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text alone, when the encoding no longer matters.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The encoding the file was read as.
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether the file starts with a byte order mark.
    pub const fn has_byte_order_mark(&self) -> bool {
        self.byte_order_mark
    }

    /// Whether the text is all there was: no byte had to be replaced.
    pub const fn is_lossless(&self) -> bool {
        self.undecodable.is_none()
    }

    /// The bytes of the file, exactly as they were decoded.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match &self.undecodable {
            Some(bytes) => Cow::Borrowed(bytes),
            None if self.encoding == Encoding::Utf8 && !self.byte_order_mark => Cow::Borrowed(self.text.as_bytes()),
            None => Cow::Owned(self.encode_unchecked(&self.text)),
        }
    }

    /// The bytes of a file like this one (same encoding, same byte order mark) that
    /// holds `new_text`.
    ///
    /// # Errors
    /// [`EncodeError::Lossy`] when this file itself could not be decoded faithfully,
    /// [`EncodeError::StartsLikeByteOrderMark`] when the bytes would read back differently.
    pub fn encode(&self, new_text: &str) -> Result<Vec<u8>, EncodeError> {
        if !self.is_lossless() {
            return Err(EncodeError::Lossy {
                encoding: self.encoding,
                byte_order_mark: self.byte_order_mark,
            });
        }
        let reads_back_differently = match (self.encoding, self.byte_order_mark) {
            (_, false) => new_text.starts_with(BYTE_ORDER_MARK),
            (Encoding::Utf16Le, true) => new_text.starts_with('\0'),
            (_, true) => false,
        };
        if reads_back_differently {
            return Err(EncodeError::StartsLikeByteOrderMark {
                encoding: self.encoding,
            });
        }
        Ok(self.encode_unchecked(new_text))
    }

    fn encode_unchecked(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len() + 4);
        if self.byte_order_mark {
            bytes.extend_from_slice(self.encoding.byte_order_mark());
        }
        match self.encoding {
            Encoding::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            Encoding::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Encoding::Utf16Be => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Encoding::Utf32Le => {
                bytes.extend(text.chars().map(u32::from).flat_map(u32::to_le_bytes));
            }
            Encoding::Utf32Be => {
                bytes.extend(text.chars().map(u32::from).flat_map(u32::to_be_bytes));
            }
        }
        bytes
    }
}

/// The text of `content` (no byte order mark) and whether nothing had to be replaced.
fn decode_content(content: &[u8], encoding: Encoding) -> (String, bool) {
    match encoding {
        Encoding::Utf8 => match String::from_utf8_lossy(content) {
            Cow::Borrowed(text) => (text.to_owned(), true),
            Cow::Owned(text) => (text, false),
        },
        Encoding::Utf16Le => decode_utf16(content, u16::from_le_bytes),
        Encoding::Utf16Be => decode_utf16(content, u16::from_be_bytes),
        Encoding::Utf32Le => decode_utf32(content, u32::from_le_bytes),
        Encoding::Utf32Be => decode_utf32(content, u32::from_be_bytes),
    }
}

fn decode_utf16(content: &[u8], unit: fn([u8; 2]) -> u16) -> (String, bool) {
    let (pairs, rest) = content.as_chunks::<2>();
    let mut lossless = rest.is_empty();
    let mut text = String::with_capacity(content.len() / 2 + 1);
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        lossless &= decoded.is_ok();
        text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, lossless)
}

fn decode_utf32(content: &[u8], unit: fn([u8; 4]) -> u32) -> (String, bool) {
    let (quads, rest) = content.as_chunks::<4>();
    let mut lossless = rest.is_empty();
    let mut text = String::with_capacity(content.len() / 4 + 1);
    for quad in quads {
        let decoded = char::from_u32(unit(*quad));
        lossless &= decoded.is_some();
        text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, lossless)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bytes of `text` in UTF-16 or UTF-32, by hand.
    fn bytes_of(mark: &[u8], units: &[&[u8]]) -> Vec<u8> {
        [&[mark], units].concat().concat()
    }

    #[test]
    fn a_byte_order_mark_decides_the_encoding_and_is_no_part_of_the_text() {
        for (bytes, encoding, mark) in [
            (b"A\xC3\xA9".to_vec(), Encoding::Utf8, false),
            (b"\xEF\xBB\xBFA\xC3\xA9".to_vec(), Encoding::Utf8, true),
            (b"\xFF\xFEA\0\xE9\0".to_vec(), Encoding::Utf16Le, true),
            (b"\xFE\xFF\0A\0\xE9".to_vec(), Encoding::Utf16Be, true),
            (
                bytes_of(b"\xFF\xFE\0\0", &[b"A\0\0\0", b"\xE9\0\0\0"]),
                Encoding::Utf32Le,
                true,
            ),
            (
                bytes_of(b"\0\0\xFE\xFF", &[b"\0\0\0A", b"\0\0\0\xE9"]),
                Encoding::Utf32Be,
                true,
            ),
        ] {
            let source = SourceText::decode(&bytes);
            assert_eq!(source.text(), "Aé", "{encoding}");
            assert_eq!(source.encoding(), encoding);
            assert_eq!(source.has_byte_order_mark(), mark);
            assert!(source.is_lossless());
            assert_eq!(source.to_bytes(), bytes);
            assert_eq!(source.encode("Aé").unwrap(), bytes);
        }
    }

    #[test]
    fn a_second_byte_order_mark_stays_in_the_text() {
        let bytes = b"\xEF\xBB\xBF\xEF\xBB\xBFA";
        let source = SourceText::decode(bytes);
        assert_eq!(source.text(), "\u{FEFF}A");
        assert_eq!(source.encode("\u{FEFF}A").unwrap(), bytes);
    }

    #[test]
    fn utf_16_without_a_byte_order_mark_is_not_guessed() {
        let source = SourceText::decode(b"A\0B\0");
        assert_eq!(source.text(), "A\0B\0");
        assert_eq!(source.encoding(), Encoding::Utf8);
    }

    #[test]
    fn invalid_bytes_are_replaced_remembered_and_never_encoded_again() {
        for (bytes, text, message) in [
            (
                b"Gr\xFC\xDFe".to_vec(),
                "Gr\u{FFFD}\u{FFFD}e",
                "the file holds bytes that are not valid UTF-8; convert it to UTF-8 first",
            ),
            (
                b"\xEF\xBB\xBFGr\xFC".to_vec(),
                "Gr\u{FFFD}",
                "the file holds bytes that are not valid UTF-8 with BOM; convert it to UTF-8 first",
            ),
            (
                b"\xFF\xFEA\0\x00\xD8B\0\x01".to_vec(),
                "A\u{FFFD}B\u{FFFD}",
                "the file holds bytes that are not valid UTF-16 LE; convert it to UTF-8 first",
            ),
            (
                b"\0\0\xFE\xFF\xFF\xFF\xFF\xFF\0\0".to_vec(),
                "\u{FFFD}\u{FFFD}",
                "the file holds bytes that are not valid UTF-32 BE; convert it to UTF-8 first",
            ),
        ] {
            let source = SourceText::decode(&bytes);
            assert_eq!(source.text(), text);
            assert!(!source.is_lossless());
            assert_eq!(source.to_bytes(), bytes);
            assert_eq!(source.encode("A").unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn a_text_that_would_read_back_differently_is_refused() {
        let plain = SourceText::decode(b"A");
        let error = plain.encode("\u{FEFF}A").unwrap_err();
        assert_eq!(
            error,
            EncodeError::StartsLikeByteOrderMark {
                encoding: Encoding::Utf8
            }
        );
        let utf_16 = SourceText::decode(b"\xFF\xFEA\0");
        assert!(utf_16.encode("\0A").is_err());
        assert!(utf_16.encode("A\0").is_ok());
    }

    /// Bytes that meet marks, surrogates and invalid sequences often.
    fn tricky_bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\xEF\xBB\xBF".to_vec()),
            Just(b"\xFF\xFE".to_vec()),
            Just(b"\xFE\xFF".to_vec()),
            Just(b"\0\0".to_vec()),
            Just(b"\xD8\x3D".to_vec()),
            Just("é😀".as_bytes().to_vec()),
            proptest::collection::vec(any::<u8>(), 0..6),
        ];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    fn tricky_text() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![Just("ab\r\n"), Just("é€😀"), Just("\u{FEFF}"), Just("\0")],
            0..8,
        )
        .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn bytes_in_are_bytes_out(bytes in tricky_bytes()) {
            let source = SourceText::decode(&bytes);
            let written = source.to_bytes();
            prop_assert_eq!(written.as_ref(), bytes.as_slice());
            if source.is_lossless() {
                prop_assert_eq!(source.encode(source.text()).unwrap(), bytes);
            } else {
                prop_assert!(source.text().contains(char::REPLACEMENT_CHARACTER));
            }
        }

        #[test]
        fn what_is_encoded_reads_back_the_same(bytes in tricky_bytes(), new_text in tricky_text()) {
            let source = SourceText::decode(&bytes);
            if let Ok(encoded) = source.encode(&new_text) {
                let again = SourceText::decode(&encoded);
                prop_assert_eq!(again.text(), new_text.as_str());
                prop_assert_eq!(again.encoding(), source.encoding());
                prop_assert_eq!(again.has_byte_order_mark(), source.has_byte_order_mark());
            }
        }

    }
}
