//! JSON as people write it in settings files: comments, trailing commas and a byte order
//! mark are accepted, and every value knows its place.

use std::path::Path;

use candor_al_syntax::text::{LineIndex, Position, SourceText};
use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::warning::{Problem, Warning};

/// A value with the place where it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where its text starts in its file.
    pub position: Position,
    /// Just behind its text.
    pub end: Position,
}

/// A JSON value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) position: Position,
    pub(crate) end: Position,
    pub(crate) value: Json,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Boolean(bool),
    /// A number as written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) position: Position,
    pub(crate) name_end: Position,
    pub(crate) node: Node,
}

impl Node {
    /// The members of an object, none for any other value.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.value {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    /// The member of that name, whatever its case; the last one counts, and null counts
    /// as absent.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.members()
            .iter()
            .rfind(|member| member.name.eq_ignore_ascii_case(name))
            .map(|member| &member.node)
            .filter(|node| node.value != Json::Null)
    }
}

/// Parses the content of the file at `path`; blank text and text of comments only is `None`.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Option<Node>, Warning> {
    let source = SourceText::decode(bytes);
    let text = source.text();
    let index = LineIndex::new(text);
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let position = index.position(error.range().start as u32);
        let cause = error.kind().to_string();
        Warning::at(path, position, Problem::InvalidJson { cause })
    })?;
    Ok(parsed.value.map(|value| node(value, &index)))
}

fn node(value: Value<'_>, index: &LineIndex) -> Node {
    let position = index.position(value.range().start as u32);
    let end = index.position(value.range().end as u32);
    let value = match value {
        Value::NullKeyword(_) => Json::Null,
        Value::BooleanLit(literal) => Json::Boolean(literal.value),
        Value::NumberLit(literal) => Json::Number(literal.value.to_owned()),
        Value::StringLit(literal) => Json::Text(literal.value.into_owned()),
        Value::Array(array) => {
            let elements = array.elements.into_iter();
            Json::List(elements.map(|element| node(element, index)).collect())
        }
        Value::Object(object) => {
            let properties = object.properties.into_iter();
            Json::Object(
                properties
                    .map(|property| Member {
                        position: index.position(property.name.range().start as u32),
                        name_end: index.position(property.name.range().end as u32),
                        name: match property.name {
                            ObjectPropName::String(name) => name.value.into_owned(),
                            ObjectPropName::Word(name) => name.value.to_owned(),
                        },
                        node: node(property.value, index),
                    })
                    .collect(),
            )
        }
    };
    Node { position, end, value }
}

/// Reads values of an expected kind and reports the others.
pub(crate) struct Fields<'a> {
    pub(crate) path: &'a Path,
    pub(crate) node: &'a Node,
    pub(crate) warnings: &'a mut Vec<Warning>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(path: &'a Path, node: &'a Node, warnings: &'a mut Vec<Warning>) -> Self {
        let mut fields = Self { path, node, warnings };
        if !matches!(node.value, Json::Object(_)) {
            fields.wrong_kind(node.position, "the value", "an object");
        }
        fields
    }

    /// The same for an object inside this one.
    pub(crate) fn inside<'b>(&'b mut self, node: &'b Node) -> Fields<'b> {
        Fields::new(self.path, node, self.warnings)
    }

    pub(crate) fn wrong_kind(&mut self, position: Position, setting: &str, expected: &str) {
        let problem = Problem::WrongKind {
            setting: setting.to_owned(),
            expected: expected.to_owned(),
        };
        self.warnings.push(Warning::at(self.path, position, problem));
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<Located<String>> {
        let node = self.node.get(name)?;
        if let Json::Text(text) = &node.value {
            return Some(located(text, node));
        }
        self.wrong_kind(node.position, name, "a text");
        None
    }

    /// The text of a member, empty when there is none.
    pub(crate) fn plain_text(&mut self, name: &str) -> String {
        self.text(name).map_or_else(String::new, |text| text.value)
    }

    pub(crate) fn boolean(&mut self, name: &str) -> Option<bool> {
        let node = self.node.get(name)?;
        if let Json::Boolean(value) = node.value {
            return Some(value);
        }
        self.wrong_kind(node.position, name, "true or false");
        None
    }

    pub(crate) fn list(&mut self, name: &str) -> Option<&'a [Node]> {
        let node = self.node.get(name)?;
        if let Json::List(elements) = &node.value {
            return Some(elements);
        }
        self.wrong_kind(node.position, name, "a list");
        None
    }

    /// A list of texts; elements of another kind are reported and left out.
    pub(crate) fn texts(&mut self, name: &str) -> Option<Vec<Located<String>>> {
        let elements = self.list(name)?;
        let mut texts = Vec::with_capacity(elements.len());
        for element in elements {
            if let Json::Text(text) = &element.value {
                texts.push(located(text, element));
            } else {
                self.wrong_kind(element.position, name, "a list of texts");
            }
        }
        Some(texts)
    }
}

fn located(text: &str, node: &Node) -> Located<String> {
    Located {
        value: text.to_owned(),
        position: node.position,
        end: node.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Option<Node>, String> {
        parse(Path::new("x.json"), text.as_bytes()).map_err(|warning| warning.to_string())
    }

    #[test]
    fn comments_trailing_commas_and_a_byte_order_mark_are_accepted() {
        let node = parse_text("\u{FEFF}// c\n{ /* d */ \"a\": [1, 2,],\r\n \"é\": \"x\", }\n");
        let node = node.unwrap().unwrap();
        assert!(matches!(&node.get("A").unwrap().value, Json::List(list) if list.len() == 2));
        let text = node.get("é").unwrap();
        assert_eq!(text.value, Json::Text("x".to_owned()));
        assert_eq!(text.position.to_string(), "3:7");
    }

    #[test]
    fn the_last_of_two_members_counts_and_null_is_absent() {
        let node = parse_text(r#"{"a": 1, "A": 2, "b": null}"#).unwrap().unwrap();
        assert_eq!(node.get("a").unwrap().value, Json::Number("2".to_owned()));
        assert_eq!(node.get("b"), None);
    }

    #[test]
    fn blank_text_is_nothing_and_broken_text_has_a_place() {
        assert_eq!(parse_text("  // only this\n"), Ok(None));
        assert_eq!(parse_text(""), Ok(None));
        for (text, message) in [
            ("{\n  \"a\" 1\n}", "x.json:2:7: is not valid JSON: "),
            ("{\"a\": 1 \"b\": 2}", "x.json:1:8: is not valid JSON: "),
            ("{'a': 1}", "x.json:1:2: is not valid JSON: "),
            ("{} {}", "x.json:1:4: is not valid JSON: "),
        ] {
            let error = parse_text(text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }

    #[test]
    fn endless_nesting_is_an_error_and_no_crash() {
        let error = parse_text(&"[".repeat(100_000)).unwrap_err();
        assert!(error.contains("nesting depth"), "{error}");
        assert!(parse_text(&"{\"a\":".repeat(100_000)).is_err());
    }
}
