//! The bytes of a file as UTF-8, a piece at a time, hashed on the way.

use super::error::ImportError;
use encoding_rs::{CoderResult, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes read at once.
const PIECE: usize = 1 << 17;

/// How the bytes of a file become text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextEncoding {
    pub(super) encoding: &'static Encoding,
    /// Bytes of the byte order mark, which is no text.
    pub(super) mark: usize,
}

impl TextEncoding {
    /// The encoding asked for, or the one the file shows: by its byte order mark, or UTF-16 by its zero bytes, or UTF-8.
    pub(super) fn of(path: &Path, asked: Option<&str>) -> Result<Self, ImportError> {
        let mut start = Vec::new();
        let file = File::open(path).map_err(ImportError::io(path))?;
        file.take(4096).read_to_end(&mut start).map_err(ImportError::io(path))?;
        if start.starts_with(&[0xff, 0xfe, 0, 0]) || start.starts_with(&[0, 0, 0xfe, 0xff]) {
            return Err(ImportError::NotText {
                path: path.to_owned(),
                kind: "UTF-32; save it as UTF-8",
            });
        }
        let marked = Encoding::for_bom(&start);
        if let Some(asked) = asked {
            let Some(encoding) = known(asked) else {
                let problem = format!("\"{asked}\" is no encoding; for example utf-8, utf-16, windows-1252, shift_jis");
                return Err(ImportError::option("encoding", problem));
            };
            let both_utf_16 = |one: &'static Encoding| one == UTF_16LE || one == UTF_16BE;
            return Ok(match marked {
                Some((found, mark)) if found == encoding || both_utf_16(found) && both_utf_16(encoding) => {
                    Self { encoding: found, mark }
                }
                _ => Self { encoding, mark: 0 },
            });
        }
        if let Some(kind) = other_kind(&start) {
            return Err(ImportError::NotText {
                path: path.to_owned(),
                kind,
            });
        }
        if let Some((encoding, mark)) = marked {
            return Ok(Self { encoding, mark });
        }
        let encoding = if looks_like_utf_16(&start, 1) {
            UTF_16LE
        } else if looks_like_utf_16(&start, 0) {
            UTF_16BE
        } else {
            UTF_8
        };
        Ok(Self { encoding, mark: 0 })
    }
}

/// The encoding of that name. Names that stand for replacing what cannot be read are not known here.
fn known(name: &str) -> Option<&'static Encoding> {
    let name = name.trim();
    let label = match name.to_ascii_lowercase().as_str() {
        "utf16" => "utf-16",
        "utf16le" | "utf_16_le" => "utf-16le",
        "utf16be" | "utf_16_be" => "utf-16be",
        "cp1252" | "windows_1252" => "windows-1252",
        "latin-1" => "latin1",
        other => return Encoding::for_label_no_replacement(other.as_bytes()),
    };
    Encoding::for_label_no_replacement(label.as_bytes())
}

/// What files that are no text begin with.
fn other_kind(start: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 9] = [
        (b"PAR1", "a Parquet file; give it the suffix .parquet"),
        (
            b"PK\x03\x04",
            "a ZIP archive (an Excel workbook is one); export the sheet as CSV",
        ),
        (b"\xd0\xcf\x11\xe0", "an old Excel workbook; export the sheet as CSV"),
        (b"\x1f\x8b", "gzip; decompress it first"),
        (b"\x28\xb5\x2f\xfd", "zstd; decompress it first"),
        (b"BZh", "bzip2; decompress it first"),
        (b"ARROW1", "an Arrow file; write it as Parquet"),
        (b"SQLite format 3", "an SQLite database"),
        (b"%PDF-", "a PDF"),
    ];
    KINDS
        .iter()
        .find(|(magic, _)| start.starts_with(magic))
        .map(|(_, kind)| *kind)
}

/// Text of few scripts has a zero in every second byte; in UTF-8 a zero byte is next to unknown.
fn looks_like_utf_16(start: &[u8], zeros_at: usize) -> bool {
    let pairs = start.len() / 2;
    let zeros = start
        .chunks_exact(2)
        .filter(|pair| pair[zeros_at] == 0 && pair[1 - zeros_at] != 0)
        .count();
    pairs >= 2 && zeros * 10 >= pairs * 9
}

/// What a call for more text came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// More text was appended.
    Text,
    /// There is no more.
    End,
    /// What comes next is no text; these are the first of its bytes.
    Invalid(Vec<u8>),
}

/// A file being read as text.
pub(super) struct TextSource {
    path: PathBuf,
    file: File,
    encoding: TextEncoding,
    /// `None` for UTF-8, which is only checked.
    decoder: Option<encoding_rs::Decoder>,
    raw: Vec<u8>,
    /// The bytes of `raw` from here on are not decoded yet.
    at: usize,
    hasher: blake3::Hasher,
    bytes: u64,
    ended: bool,
    /// What the next call has to tell.
    pending: Option<Piece>,
}

impl TextSource {
    pub(super) fn open(path: &Path, encoding: TextEncoding) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(ImportError::io(path))?;
        let decoder = (encoding.encoding != UTF_8).then(|| encoding.encoding.new_decoder_without_bom_handling());
        Ok(Self {
            path: path.to_owned(),
            file,
            encoding,
            decoder,
            raw: Vec::new(),
            at: 0,
            hasher: blake3::Hasher::new(),
            bytes: 0,
            ended: false,
            pending: None,
        })
    }

    pub(super) fn encoding_name(&self) -> &'static str {
        self.encoding.encoding.name()
    }

    /// Size and BLAKE3 of what was read so far.
    pub(super) fn fingerprint(&self) -> (u64, String) {
        (self.bytes, self.hasher.finalize().to_hex().to_string())
    }

    /// Appends more text to `text`, always whole characters.
    pub(super) fn more(&mut self, text: &mut Vec<u8>) -> Result<Piece, ImportError> {
        loop {
            match self.pending.take() {
                // A decoder must not be asked again after its end.
                Some(Piece::End) => {
                    self.pending = Some(Piece::End);
                    return Ok(Piece::End);
                }
                Some(piece) => return Ok(piece),
                None => {}
            }
            if self.at == self.raw.len() && !self.ended {
                self.raw.clear();
                self.at = 0;
                self.read()?;
            }
            let before = text.len();
            let problem = match self.decoder {
                None => self.check(text)?,
                Some(_) => self.decode(text),
            };
            self.pending = match problem {
                Some(bytes) => Some(Piece::Invalid(bytes)),
                None if self.ended && self.at == self.raw.len() => Some(Piece::End),
                None => None,
            };
            if text.len() > before {
                // A problem behind this text is told by the next call, when the text before it has been placed.
                return Ok(Piece::Text);
            }
        }
    }

    fn read(&mut self) -> Result<(), ImportError> {
        let kept = self.raw.len();
        self.raw.resize(kept + PIECE, 0);
        let count = loop {
            match self.file.read(&mut self.raw[kept..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.map_err(ImportError::io(&self.path))?,
            }
        };
        self.raw.truncate(kept + count);
        self.hasher.update(&self.raw[kept..]);
        if self.bytes == 0 {
            // A mark of three bytes is always in the first piece, unless the file is shorter.
            self.at = self.encoding.mark.min(count);
        }
        self.bytes += count as u64;
        self.ended = count == 0;
        Ok(())
    }

    fn check(&mut self, text: &mut Vec<u8>) -> Result<Option<Vec<u8>>, ImportError> {
        match std::str::from_utf8(&self.raw[self.at..]) {
            Ok(valid) => {
                text.extend_from_slice(valid.as_bytes());
                self.at = self.raw.len();
                Ok(None)
            }
            Err(error) => {
                let valid = self.at + error.valid_up_to();
                text.extend_from_slice(&self.raw[self.at..valid]);
                self.at = valid;
                if error.error_len().is_none() && !self.ended {
                    // A character is cut by the end of the piece: keep its beginning and read on.
                    self.raw.drain(..valid);
                    self.at = 0;
                    self.read()?;
                    return Ok(None);
                }
                let length = error.error_len().unwrap_or(self.raw.len() - valid).max(1);
                let end = (valid + length).min(self.raw.len());
                Ok(Some(self.raw[valid..end].to_vec()))
            }
        }
    }

    fn decode(&mut self, text: &mut Vec<u8>) -> Option<Vec<u8>> {
        let decoder = self.decoder.as_mut()?;
        let input = &self.raw[self.at..];
        let room = decoder
            .max_utf8_buffer_length_without_replacement(input.len())
            .unwrap_or(input.len() * 3 + 16);
        let start = text.len();
        text.resize(start + room, 0);
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(input, &mut text[start..], self.ended);
        text.truncate(start + written);
        let before = self.at;
        self.at += read;
        match result {
            DecoderResult::InputEmpty | DecoderResult::OutputFull => None,
            DecoderResult::Malformed(length, _) => {
                let from = self.at.saturating_sub(usize::from(length)).max(before);
                Some(self.raw[from..self.at].to_vec())
            }
        }
    }
}

/// What bytes that are not UTF-8 would be in the encoding most often used without saying so.
pub(super) fn as_windows_1252(bytes: &[u8]) -> String {
    let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
    let mut text = String::with_capacity(bytes.len() * 3 + 16);
    let (result, ..) = decoder.decode_to_string(bytes, &mut text, true);
    debug_assert!(
        matches!(result, CoderResult::InputEmpty),
        "the buffer has room for every byte"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8], asked: Option<&str>) -> (String, Piece) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("writable");
        let encoding = TextEncoding::of(file.path(), asked).expect("text");
        let mut source = TextSource::open(file.path(), encoding).expect("readable");
        let mut text = Vec::new();
        loop {
            match source.more(&mut text).expect("readable") {
                Piece::Text => {}
                end => return (String::from_utf8(text).expect("checked"), end),
            }
        }
    }

    #[test]
    fn a_mark_decides_and_is_no_text() {
        assert_eq!(all(b"\xef\xbb\xbfa\xc3\xa9", None), ("aé".to_owned(), Piece::End));
        assert_eq!(all(b"\xff\xfea\0\xe9\0", None), ("aé".to_owned(), Piece::End));
        assert_eq!(all(b"\xfe\xff\0a\0\xe9", Some("utf-16")), ("aé".to_owned(), Piece::End));
        assert_eq!(all(b"a\0,\0b\0\n\0", None), ("a,b\n".to_owned(), Piece::End));
    }

    #[test]
    fn what_is_no_text_is_told_behind_the_text_before_it() {
        assert_eq!(all(b"abc\xe9def", None), ("abc".to_owned(), Piece::Invalid(vec![0xe9])));
        assert_eq!(
            all(b"abc\xe2\x82", None),
            ("abc".to_owned(), Piece::Invalid(vec![0xe2, 0x82]))
        );
        assert_eq!(all(b"\xff\xfea\0\0\xd8b\0", None).0, "a");
        assert_eq!(all(b"caf\xe9", Some("latin1")), ("café".to_owned(), Piece::End));
    }

    #[test]
    fn a_character_cut_by_a_piece_is_whole() {
        let mut bytes = vec![b'x'; PIECE - 1];
        bytes.extend_from_slice("é€😀".as_bytes());
        let (text, end) = all(&bytes, None);
        assert_eq!((text.len(), end), (bytes.len(), Piece::End));
        assert!(text.ends_with("é€😀"));
    }
}
