//! Schemas as they are published: small, closed on the way in, open on the way
//! out, and without the keywords that clients disagree about.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The property of every reply that carries failures nobody asked about.
pub const NEW_ERRORS: &str = "new_errors";

/// The property that says how many more of them there were.
pub const NEW_ERRORS_OMITTED: &str = "new_errors_omitted";

/// A default that the type of the arguments declares.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentedDefault {
    /// The path of the parameter: `limit`, `options.depth`.
    pub parameter: String,
    /// The value that holds when the parameter is absent.
    pub value: Value,
}

/// The published schema of a tool's arguments.
///
/// JSON Schema 2020-12 of an object, without `$schema`; closed at every level;
/// no `default`, `$ref`, `title`, null type or integer `format` on any node.
pub fn input_schema<T: JsonSchema>() -> Map<String, Value> {
    input_schema_with_defaults::<T>().0
}

/// The published schema of the arguments, and the defaults that were taken out
/// of it: null, empty lists and empty objects are no defaults worth a word.
pub(crate) fn input_schema_with_defaults<T: JsonSchema>() -> (Map<String, Value>, Vec<DocumentedDefault>) {
    let mut schema = generated::<T>(SchemaSettings::draft2020_12());
    let mut defaults = Vec::new();
    collect_defaults(&schema, "", &mut defaults);
    normalise(&mut schema, Closing::Closed, Nulls::Dropped);
    schema.shift_remove("description");
    let mut root = object_first(schema);
    root.insert("additionalProperties".into(), false.into());
    (root, defaults)
}

/// The published schema of a tool's answers: an open object in which
/// `new_errors` and `new_errors_omitted` are optional properties.
pub fn output_schema<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = generated::<T>(SchemaSettings::draft2020_12().for_serialize());
    normalise(&mut schema, Closing::Open, Nulls::Dropped);
    schema.shift_remove("description");
    schema.shift_remove("additionalProperties");
    let mut root = object_first(schema);
    let properties = root.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert(
            NEW_ERRORS.into(),
            json!({
                "type": "array",
                "description": "Failures met elsewhere since the last reply, newest first",
                "items": {"type": "object"}
            }),
        );
        properties.insert(NEW_ERRORS_OMITTED.into(), json!({"type": "integer", "minimum": 1}));
    }
    root
}

fn generated<T: JsonSchema>(settings: SchemaSettings) -> Map<String, Value> {
    let generator = settings
        .with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        })
        .into_generator();
    match generator.into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

fn object_first(schema: Map<String, Value>) -> Map<String, Value> {
    let mut root = Map::new();
    root.insert("type".into(), "object".into());
    root.extend(schema.into_iter().filter(|(key, _)| key != "type"));
    root
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    Closed,
    Open,
}

/// Calls `visit` for every schema directly below `schema`, with the keyword
/// under which it stands. Only schema positions are walked, so that a property
/// *named* `default` or `format` is never taken for the keyword.
fn children_mut(schema: &mut Map<String, Value>, visit: &mut dyn FnMut(&str, &mut Value)) {
    for (keyword, value) in schema.iter_mut() {
        match SchemaKeyword::of(keyword) {
            SchemaKeyword::One => visit(keyword, value),
            SchemaKeyword::List => {
                for child in value.as_array_mut().into_iter().flatten() {
                    visit(keyword, child);
                }
            }
            SchemaKeyword::Named => {
                let children = value.as_object_mut().into_iter().flat_map(Map::values_mut);
                for child in children {
                    visit(keyword, child);
                }
            }
            SchemaKeyword::Other => {}
        }
    }
}

/// As [`children_mut`], for reading, with the path of each schema.
pub(crate) fn children<'a>(schema: &'a Map<String, Value>, path: &str, visit: &mut dyn FnMut(&str, &'a Value)) {
    for (keyword, value) in schema {
        match SchemaKeyword::of(keyword) {
            SchemaKeyword::One => visit(&format!("{path}/{keyword}"), value),
            SchemaKeyword::List => {
                for (index, child) in value.as_array().into_iter().flatten().enumerate() {
                    visit(&format!("{path}/{keyword}/{index}"), child);
                }
            }
            SchemaKeyword::Named => {
                for (name, child) in value.as_object().into_iter().flatten() {
                    visit(&format!("{path}/{keyword}/{name}"), child);
                }
            }
            SchemaKeyword::Other => {}
        }
    }
}

enum SchemaKeyword {
    One,
    List,
    Named,
    Other,
}

impl SchemaKeyword {
    fn of(keyword: &str) -> Self {
        match keyword {
            "items"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else" => Self::One,
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => Self::List,
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => Self::Named,
            _ => Self::Other,
        }
    }
}

/// Whether a null that a type allows may be left out of its schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Dropped,
    Kept,
}

fn normalise(schema: &mut Map<String, Value>, closing: Closing, nulls: Nulls) {
    if closing == Closing::Open {
        require_what_is_sent(schema);
    }
    schema.shift_remove("$schema");
    schema.shift_remove("default");
    schema.shift_remove("title");
    if nulls == Nulls::Dropped {
        drop_null_alternatives(schema);
    }
    flatten_constants(schema);
    if is_number(schema) {
        schema.shift_remove("format");
    }
    if closing == Closing::Closed && schema.contains_key("properties") && !schema.contains_key("additionalProperties") {
        schema.insert("additionalProperties".into(), false.into());
    }
    children_mut(schema, &mut |keyword, child| match child {
        Value::Object(child) => {
            // A null element of a list is sent, so its schema has to say so
            // (and the policy complains).
            let is_sent_element = closing == Closing::Open && keyword == "items";
            let nulls = if is_sent_element { Nulls::Kept } else { Nulls::Dropped };
            normalise(child, closing, nulls);
        }
        // The same in the form that all clients accept.
        Value::Bool(true) => *child = Value::Object(Map::new()),
        _ => {}
    });
}

/// Members that would be null are left out of a reply, so what may be null is
/// not required in it.
fn require_what_is_sent(schema: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return;
    };
    let nullable: Vec<String> = properties
        .iter()
        .filter(|(_, property)| may_be_null(property))
        .map(|(name, _)| name.clone())
        .collect();
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !nullable.iter().any(|nullable| name == nullable));
        if required.is_empty() {
            schema.shift_remove("required");
        }
    }
}

fn may_be_null(schema: &Value) -> bool {
    let names_null = |value: &Value| match value {
        Value::String(name) => name == "null",
        Value::Array(names) => names.iter().any(|name| name == "null"),
        _ => false,
    };
    let lists_null = |keyword: &str| {
        let alternatives = schema.get(keyword).and_then(Value::as_array);
        alternatives.is_some_and(|alternatives| alternatives.iter().any(may_be_null))
    };
    match schema {
        // No constraint, or none but words: any JSON value.
        Value::Bool(allowed) => *allowed,
        Value::Object(members) => {
            members
                .keys()
                .all(|keyword| keyword == "description" || keyword == "title")
                || members.get("type").is_some_and(names_null)
                || lists_null("anyOf")
                || lists_null("oneOf")
        }
        _ => false,
    }
}

fn is_number(schema: &Map<String, Value>) -> bool {
    let is_number = |name: &str| name == "integer" || name == "number";
    match schema.get("type") {
        Some(Value::String(name)) => is_number(name),
        Some(Value::Array(names)) => names.iter().any(|name| name.as_str().is_some_and(is_number)),
        _ => false,
    }
}

/// An optional value is one that need not be given, not one that may be null.
fn drop_null_alternatives(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(names)) = schema.get_mut("type") {
        names.retain(|name| name != "null");
        if let [only] = names.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(alternatives)) = schema.get_mut(keyword) else {
            continue;
        };
        alternatives.retain(|alternative| alternative.get("type") != Some(&json!("null")));
        if let [only] = alternatives.as_slice() {
            let only = only.as_object().cloned().unwrap_or_default();
            // What stands beside the alternatives (a description, most of
            // all) says more about this place than the type's own words.
            schema.shift_remove(keyword);
            for (key, value) in only {
                schema.entry(key).or_insert(value);
            }
        }
    }
}

/// A choice of documented constants becomes a plain `enum`: the description of
/// the parameter is the place for words.
fn flatten_constants(schema: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = schema.get("oneOf") else {
        return;
    };
    let mut names = Vec::new();
    for alternative in alternatives {
        let is_string = alternative.get("type") == Some(&json!("string"));
        match (alternative.get("const"), alternative.get("enum")) {
            (Some(name), _) if is_string => names.push(name.clone()),
            (None, Some(Value::Array(several))) if is_string => names.extend(several.clone()),
            _ => return,
        }
    }
    schema.shift_remove("oneOf");
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), names.into());
}

fn collect_defaults(schema: &Map<String, Value>, path: &str, found: &mut Vec<DocumentedDefault>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, child) in properties.into_iter().flatten() {
        let Value::Object(child) = child else { continue };
        let parameter = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        if let Some(value) = child.get("default").filter(|value| says_something(value)) {
            found.push(DocumentedDefault {
                parameter: parameter.clone(),
                value: value.clone(),
            });
        }
        collect_defaults(child, &parameter, found);
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};

    use super::*;

    fn ten() -> u32 {
        10
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        /// How deep.
        depth: Option<u8>,
    }

    /// Words about the type, which nobody needs in the published schema.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arguments {
        /// The file.
        file_path: String,
        /// How many; default 10.
        #[serde(default = "ten")]
        limit: u32,
        /// A parameter that is named like a keyword.
        #[serde(default)]
        default: Option<i64>,
        /// Which severity.
        severity: Option<Severity>,
        /// More.
        inner: Option<Inner>,
        /// Several.
        #[serde(default)]
        inners: Vec<Inner>,
        /// Any names.
        labels: Option<BTreeMap<String, String>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    enum Severity {
        /// A fault.
        Error,
        /// A doubt.
        Warning,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Nothing {}

    #[derive(Serialize, JsonSchema)]
    struct Answer {
        count: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        severity: Option<Severity>,
        note: Option<String>,
        inner: Option<Nested>,
        anything: Value,
        holes: Vec<Option<String>>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Nested {
        name: Option<String>,
    }

    #[test]
    fn an_input_schema_is_closed_and_free_of_noise() {
        assert_eq!(
            Value::Object(input_schema::<Arguments>()),
            json!({
                "type": "object",
                "properties": {
                    "filePath": {"description": "The file.", "type": "string"},
                    "limit": {"description": "How many; default 10.", "type": "integer", "minimum": 0},
                    "default": {"description": "A parameter that is named like a keyword.", "type": "integer"},
                    "severity": {"description": "Which severity.", "type": "string", "enum": ["Error", "Warning"]},
                    "inner": {
                        "description": "More.",
                        "type": "object",
                        "properties": {"depth": {"description": "How deep.", "type": "integer", "minimum": 0, "maximum": 255}},
                        "additionalProperties": false
                    },
                    "inners": {
                        "description": "Several.",
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"depth": {"description": "How deep.", "type": "integer", "minimum": 0, "maximum": 255}},
                            "additionalProperties": false
                        }
                    },
                    "labels": {"description": "Any names.", "type": "object", "additionalProperties": {"type": "string"}}
                },
                "required": ["filePath"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn no_parameters_make_the_recommended_closed_form() {
        assert_eq!(
            Value::Object(input_schema::<Nothing>()),
            json!({"type": "object", "additionalProperties": false})
        );
    }

    #[test]
    fn defaults_are_taken_out_and_kept_for_the_policy() {
        let (_, defaults) = input_schema_with_defaults::<Arguments>();
        assert_eq!(
            defaults,
            [DocumentedDefault {
                parameter: "limit".into(),
                value: json!(10)
            }]
        );
    }

    #[test]
    fn an_output_schema_is_open_and_declares_new_errors() {
        let schema = Value::Object(output_schema::<Answer>());
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["required"], json!(["count", "holes"]));
        assert_eq!(schema.get("additionalProperties"), None);
        assert_eq!(schema["properties"]["note"], json!({"type": "string"}));
        assert_eq!(
            schema["properties"]["inner"],
            json!({"type": "object", "properties": {"name": {"type": "string"}}})
        );
        assert_eq!(schema["properties"]["anything"], json!({}));
        assert_eq!(
            schema["properties"]["holes"]["items"],
            json!({"type": ["string", "null"]})
        );
        assert_eq!(schema["properties"]["count"], json!({"type": "integer", "minimum": 0}));
        assert_eq!(
            schema["properties"]["severity"],
            json!({"type": "string", "enum": ["Error", "Warning"]})
        );
        assert_eq!(schema["properties"]["new_errors"]["type"], "array");
        assert_eq!(schema["properties"]["new_errors_omitted"]["type"], "integer");
    }
}
