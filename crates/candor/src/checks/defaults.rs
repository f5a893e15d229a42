//! D: defaults, in schemas and in prose.

use serde_json::Value;

use super::{Check, Group};
use crate::published::Tool;
use crate::schema::judge::violation_of_part;
use crate::schema::{Node, Role, nodes};
use crate::{Finding, Published, Severity};

pub(super) static GROUP: Group = Group {
    letter: 'D',
    title: "Defaults",
    checks: &[&DEFAULT_KEYWORD, &DEFAULT_UNSAID, &DEFAULT_MISSTATED, &DEFAULT_UNFIT],
};

static DEFAULT_KEYWORD: Check = Check {
    id: "D001",
    name: "default-keyword",
    severity: Severity::Warning,
    title: "an input schema has the keyword `default`",
    reason: "the Gemini API and VS Code with GPT-5 refuse the keyword, and clients that strip it leave the model without the default",
    advice: "say the default in the parameter's description and leave the keyword out",
    documentation: "\
Reported once for a tool, with the number of places. Only the keyword counts: a parameter that is named `default` is a
parameter.",
    evidence: &[
        "godot-mcp#60",
        "google-gemini/gemini-cli#22210",
        "zendev-sh/goai#108",
        "promptfoo/promptfoo#6902",
    ],
};

static DEFAULT_UNSAID: Check = Check {
    id: "D002",
    name: "default-unsaid",
    severity: Severity::Warning,
    title: "a default is not said in prose",
    reason: "clients strip `default` from schemas, so a model that reads the description never learns the value",
    advice: "say it in the description right beside the word: `default 10`",
    documentation: "\
For every `default` of a parameter that is neither null nor empty: looks in the parameter's description, then in the
tool's, for a sentence with the word default (defaults, defaulted, defaulting) and the value near it: `default 500`,
`defaults to false`, `500 by default`, `the default number of lines is 500`. Numbers may have thousands separators,
`off` and `disabled` stand for false. Objects as defaults are not judged. Inside of parameters one finding stands for
all of a tool.",
    evidence: &["7 of 62 defaults of 13 public servers are said"],
};

static DEFAULT_MISSTATED: Check = Check {
    id: "D003",
    name: "default-misstated",
    severity: Severity::Warning,
    title: "prose and schema give different defaults",
    reason: "the model believes the description, the server does something else",
    advice: "correct the one that is wrong",
    documentation: "\
Reported when the parameter's own description says `default` followed by a value of the same kind, and the schema's
`default` is another.",
    evidence: &[],
};

static DEFAULT_UNFIT: Check = Check {
    id: "D004",
    name: "default-unfit",
    severity: Severity::Warning,
    title: "a default does not fit its own schema",
    reason: "a client that fills in defaults, or a model that repeats the value, sends a call that its own schema forbids",
    advice: "leave the keyword out, or correct it",
    documentation: "\
Reported when the value of `default` certainly violates the schema it stands in: `\"default\": null` beside
`\"type\": \"string\"`, a value that is not in `enum` or out of bounds.",
    evidence: &["longbridge/longbridge-mcp#156"],
};

/// Looks at every default of every tool.
pub(super) fn check(published: &Published, findings: &mut Vec<Finding>) {
    for tool in published.tools() {
        let Some(schema) = tool.raw.get("inputSchema").filter(|schema| schema.is_object()) else {
            continue;
        };
        let nodes = nodes(schema, "inputSchema");
        let with_default: Vec<(&Node<'_>, &Value)> = nodes
            .iter()
            .filter_map(|node| Some((node, node.members()?.get("default")?)))
            .collect();
        if let Some((first, _)) = with_default.first() {
            findings.push(
                Finding::new(
                    &DEFAULT_KEYWORD,
                    format!("has `default`{}", super::input::and_more(with_default.len())),
                )
                .tool(tool.name)
                .at(format!("{}/default", first.path)),
            );
        }
        let mut below = Vec::new();
        for (node, default) in with_default {
            if let Some(finding) = prose(tool, node, default) {
                match node.role {
                    Role::Property { is_top: true, .. } => findings.push(finding),
                    _ => below.push(finding),
                }
            }
            if let Some(violation) = violation_of_part(schema, node.schema, default) {
                findings.push(
                    Finding::new(
                        &DEFAULT_UNFIT,
                        format!("the default {default} does not fit: it {}", violation.problem),
                    )
                    .tool(tool.name)
                    .at(format!("{}/default", node.path)),
                );
            }
        }
        // Inside of parameters one finding stands for all.
        let count = below.len();
        if let Some(mut first) = below.into_iter().next() {
            first.message.push_str(&super::input::and_more(count));
            findings.push(first);
        }
    }
}

/// What is wrong with how prose says the default of a property.
fn prose(tool: Tool<'_>, node: &Node<'_>, default: &Value) -> Option<Finding> {
    let Role::Property { name, .. } = node.role else {
        return None;
    };
    let is_empty = match default {
        Value::Null | Value::Object(_) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    };
    let own = node
        .schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if is_empty || says_default(own, default) || says_default(tool.description(), default) {
        return None;
    }
    let finding = match other_default(own, default) {
        Some(other) => Finding::new(
            &DEFAULT_MISSTATED,
            format!("the description of `{name}` says `{other}`, the schema says {default}"),
        ),
        None => Finding::new(
            &DEFAULT_UNSAID,
            format!("the default {default} of `{name}` is not said in prose"),
        ),
    };
    Some(finding.tool(tool.name).at(format!("{}/default", node.path)))
}

/// How many words may stand between `default` and a value after it.
const WORDS_AFTER: usize = 6;

/// How many words may stand between a value and `default` after it.
const WORDS_BEFORE: usize = 3;

/// Whether a sentence of `text` has the word default and `value` near it.
fn says_default(text: &str, value: &Value) -> bool {
    let ways = ways_to_say(value);
    sentences(text).iter().any(|words| {
        let is_near = |way: &Vec<String>| {
            defaults(words).any(|at| {
                let after = &words[at + 1..];
                let last_start = after.len().min(WORDS_AFTER + 1);
                let follows = (0..last_start).any(|start| after[start..].starts_with(way));
                let earliest = at.saturating_sub(WORDS_BEFORE + way.len());
                let precedes = (earliest..at).any(|start| words[start..at].starts_with(way));
                follows || precedes
            })
        };
        ways.iter().any(is_near)
    })
}

/// The value that the first words after `default` name instead of `value`, if
/// it is of the same kind.
fn other_default(text: &str, value: &Value) -> Option<String> {
    const SMALL: [&str; 6] = ["to", "is", "value", "the", "of", "are"];
    sentences(text).iter().find_map(|words| {
        defaults(words).find_map(|at| {
            let next = words[at + 1..].iter().find(|word| !SMALL.contains(&word.as_str()))?;
            let is_same_kind = match value {
                Value::Number(_) => next.parse::<f64>().is_ok(),
                Value::Bool(_) => matches!(next.as_str(), "true" | "false"),
                _ => false,
            };
            is_same_kind.then(|| next.clone())
        })
    })
}

fn defaults(words: &[String]) -> impl Iterator<Item = usize> {
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| matches!(word.as_str(), "default" | "defaults" | "defaulted" | "defaulting"))
        .map(|(index, _)| index)
}

fn ways_to_say(value: &Value) -> Vec<Vec<String>> {
    let words = |text: &str| sentences(text).concat();
    let one = |texts: &[&str]| texts.iter().map(|text| vec![(*text).to_owned()]).collect();
    match value {
        Value::Bool(true) => one(&["true", "on", "yes", "enabled", "1"]),
        Value::Bool(false) => one(&["false", "off", "no", "disabled", "0", "not"]),
        Value::Number(number) => {
            let mut ways = vec![vec![number.to_string()]];
            // 30.0 is said as 30.
            if let Some(whole) = number.to_string().strip_suffix(".0") {
                ways.push(vec![whole.to_owned()]);
            }
            ways
        }
        Value::String(text) => {
            let spoken = words(text);
            let mut ways = vec![spoken];
            // A default that is punctuation only stands in the text as it is.
            ways.retain(|way| !way.is_empty());
            ways
        }
        Value::Array(elements) => {
            let all: Vec<String> = elements
                .iter()
                .flat_map(|element| match element {
                    Value::String(text) => words(text),
                    other => words(&other.to_string()),
                })
                .collect();
            if all.is_empty() { Vec::new() } else { vec![all] }
        }
        _ => Vec::new(),
    }
}

/// The words of each sentence, in small letters.
fn sentences(text: &str) -> Vec<Vec<String>> {
    let letters: Vec<char> = text.chars().collect();
    let mut sentences = vec![Vec::new()];
    let mut word = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let next = letters.get(index + 1);
        let is_digit = |letter: Option<&char>| letter.is_some_and(char::is_ascii_digit);
        let ends = matches!(letter, '.' | ';' | '!' | '?') && next.is_none_or(|next| next.is_whitespace())
            || *letter == '\n' && next == Some(&'\n');
        let is_separator_of_thousands =
            *letter == ',' && is_digit(next) && word.chars().last().is_some_and(|last| last.is_ascii_digit());
        if is_separator_of_thousands {
            continue;
        }
        let is_inside = letter.is_alphanumeric()
            || *letter == '_'
            || (matches!(letter, '.' | '-' | '/' | ':' | '@')
                && !ends
                && next.is_some_and(|next| next.is_alphanumeric())
                && !word.is_empty())
            || (*letter == '-' && word.is_empty() && is_digit(next));
        if is_inside {
            word.extend(letter.to_lowercase());
            continue;
        }
        if !word.is_empty()
            && let Some(sentence) = sentences.last_mut()
        {
            sentence.push(std::mem::take(&mut word));
        }
        if ends {
            sentences.push(Vec::new());
        }
    }
    if !word.is_empty()
        && let Some(sentence) = sentences.last_mut()
    {
        sentence.push(word);
    }
    // `default:10` and `default=10` are two words.
    sentences
        .into_iter()
        .map(|sentence| {
            sentence
                .into_iter()
                .flat_map(|word| match word.split_once(':') {
                    Some((first, rest)) if first.starts_with("default") => vec![first.to_owned(), rest.to_owned()],
                    _ => vec![word],
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::checks::tests::found_in_input;

    #[test]
    fn ways_of_saying_a_default() {
        for (text, value) in [
            ("default 500", json!(500)),
            ("Max results (Default: 500).", json!(500)),
            ("default:500", json!(500)),
            ("Limit, defaults to 1,000 lines", json!(1000)),
            ("the default number of lines is `500`", json!(500)),
            ("500 by default", json!(500)),
            ("Timeout in seconds. Default is 30.", json!(30.0)),
            ("A factor (default 0.5)", json!(0.5)),
            ("Verbose output is off by default", json!(false)),
            ("defaults to `by name`", json!("by name")),
            ("The encoding; default UTF-8", json!("utf-8")),
            ("default: [\"a\", \"b\"]", json!(["a", "b"])),
            ("starts at -1 (default -1)", json!(-1)),
        ] {
            assert!(says_default(text, &value), "{text}");
        }
        for (text, value) in [
            ("default 5000", json!(500)),
            ("500 entries. There is a default.", json!(500)),
            ("At most 500.", json!(500)),
            ("", json!(true)),
        ] {
            assert!(!says_default(text, &value), "{text}");
        }
    }

    #[test]
    fn defaults_of_parameters() {
        let found = found_in_input(
            check,
            &json!({"type": "object", "properties": {
                "default": {"type": "string", "description": "A parameter named like a keyword."},
                "said": {"type": "integer", "description": "How many; default 10.", "default": 10},
                "unsaid": {"type": "integer", "description": "How many.", "default": 10},
                "other": {"type": "integer", "description": "How many (default 20).", "default": 10},
                "empty": {"type": "string", "description": "A filter.", "default": ""},
                "null": {"type": "string", "description": "A filter.", "default": null},
                "nullable": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "A filter.", "default": null}
            }}),
        );
        assert_eq!(
            found,
            [
                "D001 inputSchema/properties/said/default: has `default` (and 5 more places in this tool)",
                "D002 inputSchema/properties/unsaid/default: the default 10 of `unsaid` is not said in prose",
                "D003 inputSchema/properties/other/default: the description of `other` says `20`, the schema says 10",
                "D004 inputSchema/properties/null/default: the default null does not fit: it is null, not \"string\"",
            ]
        );
    }
}
