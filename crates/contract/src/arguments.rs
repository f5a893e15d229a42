//! Reading a call's arguments: every mistake is told with the path of the
//! argument, what was expected and what was given.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use crate::{Envelope, ToolError, Vocabulary, input_schema, nearest_names, shortened};

/// How many characters of a name or text from the call a message echoes.
const SHOWN: usize = 60;

/// Why the arguments of a call cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// An argument that the tool does not have.
    #[error("Unknown argument `{path}`.{}", hint(near, known))]
    Unknown {
        /// The path of the argument.
        path: String,
        /// The names it was probably meant to be, nearest first.
        near: Vec<String>,
        /// All names that are known at this place.
        known: Vec<String>,
    },
    /// A required argument is absent or null.
    #[error("Argument `{path}` is missing: it must be {expected}.")]
    Missing {
        /// The path of the argument.
        path: String,
        /// What it should have been.
        expected: String,
    },
    /// An argument is of another kind, out of range or not among the choices.
    #[error("Argument `{path}` must be {expected}, but is {given}.")]
    Unfit {
        /// The path of the argument.
        path: String,
        /// What it should have been.
        expected: String,
        /// What it was.
        given: String,
    },
    /// The argument has the right shape, and its type refused it all the same.
    #[error("Argument `{path}` cannot be used: {problem}.")]
    Refused {
        /// The path of the argument; empty when the arguments as a whole were
        /// refused.
        path: String,
        /// What the type said.
        problem: String,
    },
}

fn hint(near: &[String], known: &[String]) -> String {
    if known.is_empty() {
        return " None is taken here; leave it out.".into();
    }
    let names = |names: &[String]| {
        names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match near {
        [] => format!(" Known are {}.", names(known)),
        [one] => format!(" Did you mean `{one}`? Known are {}.", names(known)),
        several => format!(" Did you mean one of {}? Known are {}.", names(several), names(known)),
    }
}

impl ArgumentError {
    /// The path of the offending argument: `limit`, `ranges[2].from`.
    pub fn path(&self) -> &str {
        match self {
            Self::Unknown { path, .. }
            | Self::Missing { path, .. }
            | Self::Unfit { path, .. }
            | Self::Refused { path, .. } => path,
        }
    }
}

impl From<ArgumentError> for Envelope {
    fn from(error: ArgumentError) -> Self {
        Self::invalid(&error.to_string(), Some(error.path()))
    }
}

impl<V: Vocabulary> From<ArgumentError> for ToolError<V> {
    fn from(error: ArgumentError) -> Self {
        Self::invalid(error.to_string()).detail(error.path())
    }
}

/// Reads the arguments of one tool. Made once per tool, because it holds the
/// schema that the arguments are compared with.
#[derive(Debug)]
pub struct ArgumentParser<T> {
    schema: Map<String, Value>,
    arguments: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + JsonSchema> ArgumentParser<T> {
    /// A reader for arguments of type `T`.
    pub fn new() -> Self {
        Self {
            schema: input_schema::<T>(),
            arguments: PhantomData,
        }
    }

    /// Reads arguments. `1.0` is taken for an integer, a null for an argument
    /// that is not given, and a word of a closed set counts in any letter case.
    ///
    /// # Errors
    /// When an argument is unknown, missing, of the wrong kind, out of range,
    /// or refused by its type.
    pub fn parse(&self, mut arguments: Map<String, Value>) -> Result<T, ArgumentError> {
        fit_object(&self.schema, &mut arguments, "")?;
        serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
            let path = error.path().to_string();
            ArgumentError::Refused {
                path: if path == "." { String::new() } else { path },
                problem: error.inner().to_string(),
            }
        })
    }
}

impl<T: DeserializeOwned + JsonSchema> Default for ArgumentParser<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads arguments once; see [`ArgumentParser::parse`].
///
/// # Errors
/// As [`ArgumentParser::parse`].
pub fn parse_arguments<T: DeserializeOwned + JsonSchema>(arguments: Map<String, Value>) -> Result<T, ArgumentError> {
    ArgumentParser::new().parse(arguments)
}

fn fit_object(schema: &Map<String, Value>, members: &mut Map<String, Value>, path: &str) -> Result<(), ArgumentError> {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let others = schema.get("additionalProperties");
    let closed = others == Some(&Value::Bool(false));
    for name in members.keys() {
        if closed && !properties.contains_key(name) {
            let known = || properties.keys().map(String::as_str);
            return Err(ArgumentError::Unknown {
                path: joined(path, &shortened(name, SHOWN)),
                near: nearest_names(name, known()).into_iter().map(String::from).collect(),
                known: known().map(String::from).collect(),
            });
        }
    }
    let is_required = |name: &str| {
        schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|required| required.iter().any(|known| known == name))
    };
    members.retain(|name, value| !value.is_null() || (others.is_some() && !closed && !properties.contains_key(name)));
    for (name, property) in properties {
        let path = joined(path, name);
        match members.get_mut(name) {
            Some(value) => fit(property, value, &path)?,
            None if is_required(name) => {
                return Err(ArgumentError::Missing {
                    path,
                    expected: expectation(property),
                });
            }
            None => {}
        }
    }
    if let Some(other @ Value::Object(_)) = others {
        for (name, value) in members.iter_mut() {
            if !properties.contains_key(name) {
                fit(other, value, &joined(path, name))?;
            }
        }
    }
    Ok(())
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.into()
    } else {
        format!("{path}.{name}")
    }
}

fn fit(schema: &Value, value: &mut Value, path: &str) -> Result<(), ArgumentError> {
    let Value::Object(schema) = schema else {
        return Ok(());
    };
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = schema.get(keyword) {
            return fit_one_of(schema, alternatives, value, path);
        }
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if kinds.contains(&"integer") {
        accept_whole_number(value);
    }
    let unfit = |value: &Value| ArgumentError::Unfit {
        path: path.into(),
        expected: expectation_of(schema),
        given: described(value),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_of_kind(value, kind)) {
        return Err(unfit(value));
    }
    if let Some(Value::Array(choices)) = schema.get("enum")
        && !choices.contains(value)
    {
        match same_word(choices, value) {
            Some(choice) => *value = choice.clone(),
            None => return Err(unfit(value)),
        }
    }
    if let Some(only) = schema.get("const")
        && only != value
    {
        return Err(unfit(value));
    }
    if let Some(number) = value.as_f64() {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        if limit("minimum").is_some_and(|minimum| number < minimum)
            || limit("maximum").is_some_and(|maximum| number > maximum)
        {
            return Err(unfit(value));
        }
    }
    match value {
        Value::Array(elements) => {
            let count = elements.len() as u64;
            let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
            if limit("minItems").is_some_and(|least| count < least)
                || limit("maxItems").is_some_and(|most| count > most)
            {
                return Err(unfit(value));
            }
            if let Some(items) = schema.get("items") {
                for (index, element) in elements.iter_mut().enumerate() {
                    fit(items, element, &format!("{path}[{index}]"))?;
                }
            }
        }
        Value::Object(members) if schema.contains_key("properties") || schema.contains_key("additionalProperties") => {
            fit_object(schema, members, path)?;
        }
        Value::String(text) => {
            let count = text.chars().count() as u64;
            let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
            if limit("minLength").is_some_and(|least| count < least)
                || limit("maxLength").is_some_and(|most| count > most)
            {
                return Err(unfit(value));
            }
        }
        _ => {}
    }
    Ok(())
}

fn fit_one_of(
    schema: &Map<String, Value>,
    alternatives: &[Value],
    value: &mut Value,
    path: &str,
) -> Result<(), ArgumentError> {
    let mut deepest: Option<ArgumentError> = None;
    for alternative in alternatives {
        let mut candidate = value.clone();
        match fit(alternative, &mut candidate, path) {
            Ok(()) => {
                *value = candidate;
                return Ok(());
            }
            // The alternative that got furthest is the one that was meant.
            Err(error) if error.path().len() > path.len() => {
                if deepest
                    .as_ref()
                    .is_none_or(|known| known.path().len() < error.path().len())
                {
                    deepest = Some(error);
                }
            }
            Err(_) => {}
        }
    }
    Err(deepest.unwrap_or_else(|| ArgumentError::Unfit {
        path: path.into(),
        expected: expectation_of(schema),
        given: described(value),
    }))
}

/// The choice that is the same word in other letter case: what was meant is
/// beyond doubt, and a refusal would only cost a round trip.
fn same_word<'a>(choices: &'a [Value], value: &Value) -> Option<&'a Value> {
    let given = value.as_str()?;
    choices
        .iter()
        .find(|choice| choice.as_str().is_some_and(|word| word.eq_ignore_ascii_case(given)))
}

/// JSON Schema calls `1.0` an integer; Rust's integer types refuse it.
#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "only exactly representable whole numbers are converted"
)]
fn accept_whole_number(value: &mut Value) {
    const LARGEST_EXACT: i64 = 1 << 53;
    let Some(number) = value.as_f64().filter(|_| value.is_f64()) else {
        return;
    };
    if number.fract() == 0.0 && number.abs() <= LARGEST_EXACT as f64 {
        let whole = number as i64;
        debug_assert_eq!(whole as f64, number);
        *value = Value::Number(Number::from(whole));
    }
}

fn is_of_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn expectation(schema: &Value) -> String {
    schema.as_object().map_or_else(|| "a value".into(), expectation_of)
}

fn expectation_of(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(choices)) = schema.get("enum") {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        return match choices.as_slice() {
            [only] => only.clone(),
            _ => format!("one of {}", choices.join(", ")),
        };
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(alternatives)) = schema.get(keyword) {
            let alternatives: Vec<String> = alternatives.iter().map(expectation).collect();
            return alternatives.join(" or ");
        }
    }
    let kinds: Vec<String> = match schema.get("type") {
        Some(Value::String(kind)) => vec![expected_kind(kind, schema)],
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .map(|kind| expected_kind(kind, schema))
            .collect(),
        _ => Vec::new(),
    };
    if kinds.is_empty() {
        "a value".into()
    } else {
        kinds.join(" or ")
    }
}

fn expected_kind(kind: &str, schema: &Map<String, Value>) -> String {
    let bound = |keyword: &str| schema.get(keyword).filter(|value| value.is_number());
    match kind {
        "string" => match (bound("minLength"), bound("maxLength")) {
            (Some(least), None) => format!("a string of at least {least} characters"),
            (None, Some(most)) => format!("a string of at most {most} characters"),
            (Some(least), Some(most)) => format!("a string of {least} to {most} characters"),
            (None, None) => "a string".into(),
        },
        "integer" | "number" => {
            let noun = if kind == "integer" { "an integer" } else { "a number" };
            match (bound("minimum"), bound("maximum")) {
                (Some(least), None) => format!("{noun} of at least {least}"),
                (None, Some(most)) => format!("{noun} of at most {most}"),
                (Some(least), Some(most)) => format!("{noun} from {least} to {most}"),
                (None, None) => noun.into(),
            }
        }
        "boolean" => "true or false".into(),
        "array" => {
            let elements = schema
                .get("items")
                .map_or_else(String::new, |items| format!(", each {}", expectation(items)));
            let count = match (bound("minItems"), bound("maxItems")) {
                (Some(least), None) => format!(" of at least {least}"),
                (None, Some(most)) => format!(" of at most {most}"),
                (Some(least), Some(most)) => format!(" of {least} to {most}"),
                (None, None) => String::new(),
            };
            format!("an array{count}{elements}")
        }
        "object" => "an object".into(),
        other => other.into(),
    }
}

/// A value in words, short enough for a message.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {}", Value::String(shortened(text, SHOWN).into_owned())),
        Value::Array(elements) => format!("an array of {}", elements.len()),
        Value::Object(_) => "an object".into(),
    }
}

#[cfg(test)]
mod tests;
