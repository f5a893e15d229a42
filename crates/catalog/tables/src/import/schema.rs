//! The schema a caller gives for a file of text: which type each column has.

use super::error::ImportError;
use crate::types::{parse_type, type_name};
use arrow::datatypes::DataType;
use serde_json::{Map, Value};
use std::fmt;

/// The key that stands for all columns not named.
const REST: &str = "&rest";
/// The type that stands for the one found in the values.
const INFER: &str = "infer";

/// The type asked for one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeSpec {
    /// The one its values have.
    Infer,
    /// This one; a value that is none of it is an error.
    Pinned(DataType),
}

/// Which types the columns of a file are to have.
///
/// In JSON: absent or `null`, every type is found in the values; an object gives types by the names of columns; an
/// array of `[name, type]` pairs gives them by position and renames the columns. A type may be `"infer"`. A schema must
/// account for every column: by naming it, or with `"&rest"` as a key of the object or as the last pair.
///
/// ```
/// use candor_catalog_tables::import::SchemaSpec;
///
/// let schema = SchemaSpec::from_json(&serde_json::json!({ "id": "int64", "&rest": "infer" }))?;
/// assert_eq!(schema.to_string(), r#"{"id":"int64","&rest":"infer"}"#);
/// # Ok::<(), candor_catalog_tables::import::ImportError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SchemaSpec {
    /// Every type is found in the values.
    #[default]
    Infer,
    /// By name.
    ByName {
        /// Names as they stand in the header, with their types.
        columns: Vec<(String, TypeSpec)>,
        /// For all others.
        rest: Option<TypeSpec>,
    },
    /// By position, renaming.
    ByPosition {
        /// New names with their types.
        columns: Vec<(String, TypeSpec)>,
        /// For all that follow; they keep their names.
        rest: Option<TypeSpec>,
    },
}

impl SchemaSpec {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`ImportError::BadOption`] says what is wrong and where.
    pub fn from_json(value: &Value) -> Result<Self, ImportError> {
        let wrong = |problem: String| ImportError::option("schema", problem);
        match value {
            Value::Null => Ok(Self::Infer),
            Value::String(word) if word == INFER => Ok(Self::Infer),
            Value::Object(columns) => {
                let mut named = Vec::new();
                let mut rest = None;
                for (name, data_type) in columns {
                    let spec = type_spec(name, data_type)?;
                    if name == REST {
                        rest = Some(spec);
                    } else {
                        named.push((name.clone(), spec));
                    }
                }
                Ok(Self::ByName { columns: named, rest })
            }
            Value::Array(pairs) => {
                let mut placed: Vec<(String, TypeSpec)> = Vec::new();
                let mut rest = None;
                for (place, pair) in pairs.iter().enumerate() {
                    let Some([Value::String(name), data_type]) = pair.as_array().map(Vec::as_slice) else {
                        return Err(wrong(format!("item {} is {pair}, not a pair [name, type]", place + 1)));
                    };
                    let spec = type_spec(name, data_type)?;
                    if name == REST {
                        if place + 1 < pairs.len() {
                            return Err(wrong(format!("\"{REST}\" must be the last pair")));
                        }
                        rest = Some(spec);
                    } else if placed.iter().any(|(other, _)| other == name) {
                        return Err(wrong(format!("two pairs are named \"{name}\"")));
                    } else {
                        placed.push((name.clone(), spec));
                    }
                }
                Ok(Self::ByPosition { columns: placed, rest })
            }
            other => Err(wrong(format!(
                "{other} is no schema; give an object {{\"column\": \"type\", …}} or an array [[\"name\", \"type\"], …]"
            ))),
        }
    }

    /// The JSON form; `null` for [`Infer`](Self::Infer).
    pub fn to_json(&self) -> Value {
        match self {
            Self::Infer => Value::Null,
            Self::ByName { columns, rest } => {
                let mut object: Map<String, Value> = columns
                    .iter()
                    .map(|(name, spec)| (name.clone(), spec.to_json()))
                    .collect();
                if let Some(rest) = rest {
                    object.insert(REST.to_owned(), rest.to_json());
                }
                Value::Object(object)
            }
            Self::ByPosition { columns, rest } => {
                let pair = |name: &str, spec: &TypeSpec| Value::Array(vec![name.into(), spec.to_json()]);
                let pairs = columns.iter().map(|(name, spec)| pair(name, spec));
                Value::Array(pairs.chain(rest.iter().map(|rest| pair(REST, rest))).collect())
            }
        }
    }

    /// One name and type for each column of the file, whose names are `header` (`found`, when they stand in a header).
    pub(super) fn applied(
        &self,
        header: &[String],
        found: bool,
        suggestion: impl FnOnce() -> Self,
    ) -> Result<Vec<(String, TypeSpec)>, ImportError> {
        let problem = match self {
            Self::Infer => return Ok(header.iter().map(|name| (name.clone(), TypeSpec::Infer)).collect()),
            Self::ByName { columns, rest } => {
                let unknown: Vec<_> = columns.iter().filter(|(name, _)| !header.contains(name)).collect();
                let spec = |name: &String| {
                    let named = columns.iter().find(|(other, _)| other == name).map(|(_, spec)| spec);
                    named.or(rest.as_ref()).map(|spec| (name.clone(), spec.clone()))
                };
                let missing: Vec<_> = header.iter().filter(|name| spec(name).is_none()).collect();
                if let Some((name, _)) = unknown.first() {
                    let names = if found {
                        "the header has no such column"
                    } else {
                        "the file has no header"
                    };
                    format!("\"{name}\": {names}; to rename columns give [name, type] pairs in their order")
                } else if missing.is_empty() {
                    return Ok(header.iter().filter_map(spec).collect());
                } else {
                    format!("it says nothing of {missing:?}; name them or add \"{REST}\": \"{INFER}\"")
                }
            }
            Self::ByPosition { columns, rest } => {
                if columns.len() > header.len() {
                    format!("it has {} pairs for {} columns", columns.len(), header.len())
                } else if let (true, None) = (columns.len() < header.len(), rest) {
                    format!(
                        "it has {} pairs for {} columns; add the others or [\"{REST}\", \"{INFER}\"]",
                        columns.len(),
                        header.len()
                    )
                } else {
                    let others = header[columns.len()..].iter();
                    let others = others.map(|name| (name.clone(), rest.clone().unwrap_or(TypeSpec::Infer)));
                    let all: Vec<_> = columns.iter().cloned().chain(others).collect();
                    match all
                        .iter()
                        .enumerate()
                        .find(|(place, (name, _))| all[..*place].iter().any(|(o, _)| o == name))
                    {
                        None => return Ok(all),
                        Some((_, (name, _))) => format!("two columns would be named \"{name}\""),
                    }
                }
            }
        };
        Err(ImportError::SchemaMismatch {
            header: header.to_vec(),
            problem,
            suggestion: suggestion(),
        })
    }
}

/// The JSON form on one line, to be pasted into a call.
impl fmt::Display for SchemaSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.to_json())
    }
}

impl TypeSpec {
    fn to_json(&self) -> Value {
        match self {
            Self::Infer => INFER.into(),
            Self::Pinned(DataType::Decimal128(0, _)) => "decimal".into(),
            Self::Pinned(data_type) => type_name(data_type).into(),
        }
    }
}

fn type_spec(column: &str, value: &Value) -> Result<TypeSpec, ImportError> {
    let Value::String(name) = value else {
        return Err(ImportError::option(
            "schema",
            format!("the type of \"{column}\" is {value}, not a string"),
        ));
    };
    if name.trim() == INFER {
        return Ok(TypeSpec::Infer);
    }
    let data_type =
        parse_type(name).map_err(|error| ImportError::option("schema", format!("column \"{column}\": {error}")))?;
    Ok(TypeSpec::Pinned(data_type))
}
