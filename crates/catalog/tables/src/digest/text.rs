//! Digests as text: every one carries the name of its definition, so that two definitions never mix.

use super::{ColumnDigest, TableDigest};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The text is no digest of this definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DigestTextError {
    /// It has another prefix, so another definition (a later one, perhaps) made it.
    #[error(transparent)]
    Prefix(#[from] WrongPrefix),
    /// What follows the prefix is not what it should be.
    #[error("\"{text}\" is no value of {prefix}")]
    Value {
        /// The prefix, such as `rows1`.
        prefix: &'static str,
        /// What follows it.
        text: String,
    },
    /// A part of the line is missing.
    #[error("the digest has no {prefix}")]
    Missing {
        /// The prefix of what is missing.
        prefix: &'static str,
    },
}

/// A digest of another definition than the one asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" does not begin with \"{expected}:\"; another version of the definition made it")]
pub struct WrongPrefix {
    /// The prefix asked for, such as `rows1`.
    pub expected: &'static str,
    /// The text as given.
    pub text: String,
}

impl TableDigest {
    /// `rows1:` and 32 hexadecimal digits.
    pub fn rows1(&self) -> String {
        format!("rows1:{:032x}", self.row_sum)
    }

    /// `seq1:` and 64 hexadecimal digits, when known.
    pub fn seq1(&self) -> Option<String> {
        self.sequence.map(|digest| format!("seq1:{}", hex(&digest)))
    }

    /// `schema1:` and 64 hexadecimal digits.
    pub fn schema1(&self) -> String {
        format!("schema1:{}", hex(&self.schema))
    }
}

impl ColumnDigest {
    /// `cols1:` and 32 hexadecimal digits.
    pub fn cols1(&self) -> String {
        format!("cols1:{:032x}", self.sum)
    }
}

/// One line: `rows1:… seq1:… schema1:… rows:N`, without the columns.
impl fmt::Display for TableDigest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", self.rows1())?;
        if let Some(sequence) = self.seq1() {
            write!(out, "{sequence} ")?;
        }
        write!(out, "{} rows:{}", self.schema1(), self.rows)
    }
}

/// Reads the line `Display` writes. The columns are then unknown, so a comparison names none of them.
impl FromStr for TableDigest {
    type Err = DigestTextError;

    fn from_str(text: &str) -> Result<Self, DigestTextError> {
        let part = |prefix: &'static str| {
            let mut parts = text.split_ascii_whitespace();
            parts.find(|part| part.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(':')))
        };
        let needed = |prefix| part(prefix).ok_or(DigestTextError::Missing { prefix });
        let rows = behind("rows", needed("rows")?)?;
        Ok(Self {
            rows: rows.parse().map_err(|_| DigestTextError::Value {
                prefix: "rows",
                text: rows.to_owned(),
            })?,
            row_sum: sum_of("rows1", needed("rows1")?)?,
            sequence: part("seq1").map(|part| hash_of("seq1", part)).transpose()?,
            schema: hash_of("schema1", needed("schema1")?)?,
            columns: Vec::new(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct TableForm {
    rows: u64,
    rows1: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seq1: Option<String>,
    schema1: String,
    columns: Vec<ColumnForm>,
}

#[derive(Serialize, Deserialize)]
struct ColumnForm {
    name: String,
    #[serde(rename = "type")]
    data_type: String,
    nulls: u64,
    cols1: String,
}

impl Serialize for TableDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = self.columns.iter().map(|column| ColumnForm {
            name: column.name.clone(),
            data_type: column.data_type.clone(),
            nulls: column.nulls,
            cols1: column.cols1(),
        });
        TableForm {
            rows: self.rows,
            rows1: self.rows1(),
            seq1: self.seq1(),
            schema1: self.schema1(),
            columns: columns.collect(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TableDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = TableForm::deserialize(deserializer)?;
        let columns = form.columns.into_iter().map(|column| {
            Ok(ColumnDigest {
                sum: sum_of("cols1", &column.cols1)?,
                name: column.name,
                data_type: column.data_type,
                nulls: column.nulls,
            })
        });
        let columns = columns
            .collect::<Result<_, DigestTextError>>()
            .map_err(D::Error::custom)?;
        Ok(Self {
            rows: form.rows,
            row_sum: sum_of("rows1", &form.rows1).map_err(D::Error::custom)?,
            sequence: form
                .seq1
                .map(|text| hash_of("seq1", &text))
                .transpose()
                .map_err(D::Error::custom)?,
            schema: hash_of("schema1", &form.schema1).map_err(D::Error::custom)?,
            columns,
        })
    }
}

fn behind<'a>(expected: &'static str, text: &'a str) -> Result<&'a str, WrongPrefix> {
    text.strip_prefix(expected)
        .and_then(|rest| rest.strip_prefix(':'))
        .ok_or_else(|| WrongPrefix {
            expected,
            text: text.to_owned(),
        })
}

fn sum_of(prefix: &'static str, text: &str) -> Result<u128, DigestTextError> {
    let digits = behind(prefix, text)?;
    let wrong = || DigestTextError::Value {
        prefix,
        text: digits.to_owned(),
    };
    if digits.len() != 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    u128::from_str_radix(digits, 16).map_err(|_| wrong())
}

fn hash_of(prefix: &'static str, text: &str) -> Result<[u8; 32], DigestTextError> {
    let digits = behind(prefix, text)?;
    blake3::Hash::from_hex(digits)
        .map(|hash| *hash.as_bytes())
        .map_err(|_| DigestTextError::Value {
            prefix,
            text: digits.to_owned(),
        })
}

fn hex(bytes: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*bytes).to_hex().to_string()
}
