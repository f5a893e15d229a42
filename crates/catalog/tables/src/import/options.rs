//! How a file is to be read.

use super::error::ImportError;
use super::schema::SchemaSpec;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with delimiters.
    Csv,
    /// Parquet.
    Parquet,
}

impl Format {
    /// By the suffix, in any letter case: `.csv`, `.tsv`, `.txt`, `.parquet`, `.pq`.
    pub fn of(path: &Path) -> Option<Self> {
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        match suffix.as_str() {
            "csv" | "tsv" | "txt" => Some(Self::Csv),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// The sign around values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Quote {
    /// Found out.
    #[default]
    Detected,
    /// There is none: quotes are part of values.
    Never,
    /// This one: one ASCII sign.
    Sign(char),
}

/// How a file is to be read. What is absent is found out by looking at the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The types of the columns.
    pub schema: SchemaSpec,
    /// The kind of the file, when its suffix does not say.
    pub format: Option<Format>,
    /// The sign between values: one ASCII sign.
    pub delimiter: Option<char>,
    /// The sign around values.
    pub quote: Quote,
    /// The sign that makes a quote inside quotes plain, when it is not doubled.
    pub escape: Option<char>,
    /// Whether the first row holds the names of the columns.
    pub has_header: Option<bool>,
    /// How many lines to leave out at the start.
    pub skip_rows: Option<u64>,
    /// Lines that begin with this sign are left out.
    pub comment: Option<char>,
    /// Words that mean that there is no value, beside the empty one.
    pub null_values: Vec<String>,
    /// The sign before the fraction of a number: `.` or `,`.
    pub decimal: Option<char>,
    /// The sign between groups of three digits, such as `.`, `,`, `'` or a space.
    pub thousands: Option<char>,
    /// The encoding, by any name the web knows.
    pub encoding: Option<String>,
}

/// The names of reader options, for messages and schemas.
pub const READER_OPTIONS: [&str; 10] = [
    "delimiter",
    "quote",
    "escape",
    "has_header",
    "skip_rows",
    "comment",
    "null_values",
    "decimal",
    "thousands",
    "encoding",
];

impl ImportOptions {
    /// Reads the JSON forms of schema and reader options.
    ///
    /// # Errors
    /// [`ImportError::BadOption`] names the option that is unknown or has a value it cannot have.
    pub fn from_json(schema: Option<&Value>, reader_options: Option<&Value>) -> Result<Self, ImportError> {
        let mut options = Self {
            schema: schema.map(SchemaSpec::from_json).transpose()?.unwrap_or_default(),
            ..Self::default()
        };
        let given = match reader_options {
            None | Some(Value::Null) => return Ok(options),
            Some(Value::Object(given)) => given,
            Some(other) => return Err(ImportError::option("reader_options", format!("{other} is no object"))),
        };
        for (name, value) in given {
            match name.as_str() {
                "delimiter" | "separator" | "sep" => options.delimiter = Some(sign(name, value)?),
                "quote" | "quote_char" => {
                    let none = value.is_null() || value.as_str() == Some("");
                    options.quote = if none {
                        Quote::Never
                    } else {
                        Quote::Sign(sign(name, value)?)
                    };
                }
                "escape" => options.escape = Some(sign(name, value)?),
                "comment" => options.comment = Some(sign(name, value)?),
                "has_header" => {
                    let header = value.as_bool().ok_or_else(|| wrong(name, value, "true or false"))?;
                    options.has_header = Some(header);
                }
                "skip_rows" => {
                    // Some clients write every number with a fraction.
                    let whole = value
                        .as_f64()
                        .filter(|number| number.fract() == 0.0 && (0.0..1e9).contains(number));
                    let whole = whole.and_then(|number| format!("{number:.0}").parse().ok());
                    options.skip_rows = Some(whole.ok_or_else(|| wrong(name, value, "a number of lines"))?);
                }
                "null_values" => options.null_values = words(name, value)?,
                "decimal" => {
                    options.decimal = Some(sign(name, value)?);
                    if !matches!(options.decimal, Some('.' | ',')) {
                        return Err(wrong(name, value, "\".\" or \",\""));
                    }
                }
                "thousands" => {
                    options.thousands = Some(sign(name, value)?);
                    if !matches!(options.thousands, Some('.' | ',' | '\'' | ' ' | '_')) {
                        return Err(wrong(name, value, "\".\", \",\", \"'\", \"_\" or a space"));
                    }
                }
                "encoding" => {
                    let encoding = value
                        .as_str()
                        .ok_or_else(|| wrong(name, value, "the name of an encoding"))?;
                    options.encoding = Some(encoding.to_owned());
                }
                _ => {
                    let problem = format!(
                        "there is no such reader option; there are {}",
                        READER_OPTIONS.join(", ")
                    );
                    return Err(ImportError::option(name, problem));
                }
            }
        }
        options.check()?;
        Ok(options)
    }

    /// The reader options that were given, as JSON with sorted names: what an entry records, and what two imports of
    /// the same bytes are told apart by. The schema is not part of it.
    pub fn reader_json(&self) -> Value {
        let mut given = Map::new();
        let sign = |sign: char| json!(sign.to_string());
        given.extend(self.comment.map(|comment| ("comment".to_owned(), sign(comment))));
        given.extend(self.decimal.map(|decimal| ("decimal".to_owned(), sign(decimal))));
        given.extend(
            self.delimiter
                .map(|delimiter| ("delimiter".to_owned(), sign(delimiter))),
        );
        given.extend(
            self.encoding
                .as_ref()
                .map(|encoding| ("encoding".to_owned(), json!(encoding))),
        );
        given.extend(self.escape.map(|escape| ("escape".to_owned(), sign(escape))));
        given.extend(self.has_header.map(|header| ("has_header".to_owned(), json!(header))));
        if !self.null_values.is_empty() {
            given.insert("null_values".to_owned(), json!(self.null_values));
        }
        let quote = match self.quote {
            Quote::Detected => None,
            Quote::Never => Some(json!("")),
            Quote::Sign(given) => Some(sign(given)),
        };
        given.extend(quote.map(|quote| ("quote".to_owned(), quote)));
        given.extend(self.skip_rows.map(|rows| ("skip_rows".to_owned(), json!(rows))));
        given.extend(
            self.thousands
                .map(|thousands| ("thousands".to_owned(), sign(thousands))),
        );
        Value::Object(given)
    }

    /// Whether any reader option was given.
    pub fn has_reader_options(&self) -> bool {
        self.reader_json().as_object().is_some_and(|given| !given.is_empty())
    }

    /// Options that exclude each other, or that only a program can get wrong.
    pub(super) fn check(&self) -> Result<(), ImportError> {
        let quote = if let Quote::Sign(quote) = self.quote {
            Some(quote)
        } else {
            None
        };
        let signs = [
            ("delimiter", self.delimiter),
            ("quote", quote),
            ("escape", self.escape),
            ("comment", self.comment),
            ("decimal", self.decimal),
            ("thousands", self.thousands),
        ];
        for (name, given) in signs {
            if let Some(given) = given
                && (!given.is_ascii() || matches!(given, '\n' | '\r' | '\0'))
            {
                return Err(ImportError::option(name, format!("{given:?} is no single ASCII sign")));
            }
        }
        for (name, other) in [
            ("delimiter", "quote"),
            ("delimiter", "escape"),
            ("delimiter", "comment"),
            ("quote", "comment"),
            ("decimal", "thousands"),
        ] {
            let value = |name: &str| {
                signs
                    .iter()
                    .find(|(other, _)| *other == name)
                    .and_then(|(_, value)| *value)
            };
            if value(name).is_some() && value(name) == value(other) {
                return Err(ImportError::option(name, format!("it is the same sign as {other}")));
            }
        }
        if self.decimal.is_none() && self.thousands == Some('.') {
            return Err(ImportError::option("thousands", "\".\" needs decimal \",\" beside it"));
        }
        Ok(())
    }
}

fn wrong(name: &str, value: &Value, right: &str) -> ImportError {
    ImportError::option(name, format!("{value} is not {right}"))
}

fn sign(name: &str, value: &Value) -> Result<char, ImportError> {
    let text = value.as_str().map(|text| if text == "\\t" { "\t" } else { text });
    let mut signs = text.unwrap_or_default().chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) if sign.is_ascii() => Ok(sign),
        _ => Err(wrong(name, value, "a single ASCII sign in quotes")),
    }
}

fn words(name: &str, value: &Value) -> Result<Vec<String>, ImportError> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let words = match value {
        Value::Array(words) => words.iter().map(text).collect(),
        one => text(one).map(|word| vec![word]),
    };
    words.ok_or_else(|| wrong(name, value, "a word or an array of words"))
}
