//! What the replies of one tool to calls that must fail are worth.

use candor_contract::shortened;
use serde_json::{Map, Value};

use super::{Call, Fault, text_of};
use crate::Finding;
use crate::checks::{Check, failure};
use crate::published::Tool;
use crate::revision::Revision;
use crate::schema::judge::violation;
use crate::session::{Answer, RpcError};

/// How many characters of a reply a finding quotes.
const QUOTED: usize = 120;

/// Judges the replies of one tool.
pub(super) fn judge(tool: Tool<'_>, revision: Option<Revision>, replies: &[(Call, Answer)]) -> Vec<Finding> {
    let mut judge = Judge {
        tool,
        findings: Vec::new(),
        prose: Vec::new(),
        failures: 0,
        unnamed: Vec::new(),
        traced: false,
    };
    for (call, answer) in replies {
        match answer {
            Answer::Error(error) => judge.protocol_error(call, error, revision),
            Answer::Result(result) if result.get("isError") == Some(&Value::Bool(true)) => judge.failure(call, result),
            Answer::Result(result) => judge.success(call, result),
        }
    }
    judge.sum_up();
    judge.findings
}

struct Judge<'a> {
    tool: Tool<'a>,
    findings: Vec<Finding>,
    prose: Vec<(Fault, String)>,
    failures: usize,
    unnamed: Vec<(Fault, String)>,
    traced: bool,
}

impl Judge<'_> {
    fn report(&mut self, check: &'static Check, fault: Fault, message: impl Into<String>) {
        self.findings.push(
            Finding::new(check, message)
                .tool(self.tool.name)
                .at(format!("probe/{}", fault.name())),
        );
    }

    fn protocol_error(&mut self, call: &Call, error: &RpcError, revision: Option<Revision>) {
        if revision.is_none_or(|revision| revision >= Revision::November2025) {
            self.report(
                &failure::FAILURE_AS_PROTOCOL_ERROR,
                call.fault,
                format!("{}: {}", error.code, quoted(&error.message)),
            );
        }
        let data = error.data.as_ref().map(Value::to_string).unwrap_or_default();
        self.naming(call, &format!("{} {data}", error.message), &error.message);
    }

    fn failure(&mut self, call: &Call, result: &Value) {
        self.failures += 1;
        let text = text_of(result);
        let structured = result.get("structuredContent");
        if text.trim().is_empty() && structured.is_none() {
            self.report(&failure::FAILURE_EMPTY, call.fault, "the failure has no text");
            return;
        }
        if let (Some(structured), Some(schema)) = (structured, self.tool.raw.get("outputSchema"))
            && let Some(violation) = violation(schema, structured)
        {
            self.report(
                &failure::STRUCTURED_FAILURE,
                call.fault,
                format!("`structuredContent`{}: {}", violation.place, violation.problem),
            );
        }
        let is_readable = serde_json::from_str::<Value>(text.trim()).is_ok_and(|value| has_code(&value))
            || structured.is_some_and(has_code);
        if !is_readable {
            self.prose.push((call.fault, text.clone()));
        }
        let all = format!("{text} {}", structured.map(Value::to_string).unwrap_or_default());
        self.naming(call, &all, &text);
        if !self.traced && has_stack_trace(&text) {
            self.traced = true;
            self.report(&failure::STACK_TRACE, call.fault, format!("says {}", quoted(&text)));
        }
    }

    fn naming(&mut self, call: &Call, all: &str, text: &str) {
        // With an unknown argument something else may have been wrong as well.
        let is_certain = call.fault != Fault::Unknown;
        if is_certain && !call.to_blame.iter().any(|name| all.contains(name.as_str())) {
            self.unnamed.push((call.fault, text.to_owned()));
        }
    }

    fn success(&mut self, call: &Call, result: &Value) {
        let text = text_of(result);
        let structured = result.get("structuredContent");
        if looks_like_failure(&text, structured) {
            // Beside an unknown argument the others were plausible: the text
            // may be what the tool says of them, and no failure at all.
            if call.fault == Fault::Unknown && !text.contains(super::plan::UNKNOWN_ARGUMENT) {
                return;
            }
            self.report(
                &failure::FAILURE_UNFLAGGED,
                call.fault,
                format!("answered without `isError`: {}", quoted(&text)),
            );
            return;
        }
        let check = match call.fault {
            Fault::Missing => &failure::REQUIRED_IGNORED,
            Fault::WrongType => &failure::TYPE_IGNORED,
            Fault::Null => &failure::NULL_TAKEN,
            Fault::Unknown => &failure::UNKNOWN_IGNORED,
        };
        let what = match call.fault {
            Fault::Missing => format!("succeeds without {}", listed(&call.to_blame)),
            Fault::WrongType => {
                let sent = call.to_blame.first().and_then(|name| call.arguments.get(name));
                format!(
                    "succeeds with {} as `{}`",
                    sent.map(Value::to_string).unwrap_or_default(),
                    call.to_blame.first().map(String::as_str).unwrap_or_default()
                )
            }
            Fault::Null => format!("succeeds with null as {}", listed(&call.to_blame)),
            Fault::Unknown => "succeeds with an argument it does not have".to_owned(),
        };
        self.report(check, call.fault, what);
        self.halves(call, result, &text, structured);
    }

    fn halves(&mut self, call: &Call, result: &Value, text: &str, structured: Option<&Value>) {
        if let Some(schema) = self.tool.raw.get("outputSchema") {
            match structured {
                None => {
                    self.report(
                        &failure::STRUCTURED_MISSING,
                        call.fault,
                        "has an output schema and sends no structured content",
                    );
                }
                Some(structured) => {
                    if let Some(violation) = violation(schema, structured) {
                        self.report(
                            &failure::STRUCTURED_VIOLATES,
                            call.fault,
                            format!("`structuredContent`{}: {}", violation.place, violation.problem),
                        );
                    }
                }
            }
        }
        let Some(structured) = structured else { return };
        let blocks = result.get("content").and_then(Value::as_array);
        let values: Vec<Value> = blocks
            .into_iter()
            .flatten()
            .filter_map(|block| serde_json::from_str(block.get("text")?.as_str()?).ok())
            .filter(|value: &Value| value.is_object() || value.is_array())
            .collect();
        if values.is_empty() {
            // A single value is often wrapped as `{"result": …}` for the
            // structured half; then the text is the value itself.
            let wrapped = structured.as_object().filter(|members| members.len() == 1);
            let is_wrapped = wrapped
                .and_then(|members| members.values().next())
                .is_some_and(|value| match value {
                    Value::String(inner) => inner.trim() == text.trim(),
                    other => serde_json::from_str::<Value>(text.trim()).is_ok_and(|value| value == *other),
                });
            if !is_wrapped {
                self.report(
                    &failure::TEXT_NOT_JSON,
                    call.fault,
                    format!("the text is {}", quoted(text)),
                );
            }
        } else if !values.contains(structured) && !is_wrapping(structured, &values) {
            self.report(
                &failure::HALVES_DIFFER,
                call.fault,
                format!(
                    "the text is {}, the structured content {}",
                    quoted(text),
                    quoted(&structured.to_string())
                ),
            );
        }
    }

    fn sum_up(&mut self) {
        if let Some((fault, text)) = self.prose.first().cloned() {
            let count = self.prose.len();
            let message = format!("{count} of {} failures are prose: {}", self.failures, quoted(&text));
            self.report(&failure::FAILURE_PROSE, fault, message);
        }
        if let Some((fault, text)) = self.unnamed.first().cloned() {
            let faults: Vec<&str> = self.unnamed.iter().map(|(fault, _)| fault.name()).collect();
            let message = format!("does not name it ({}): {}", faults.join(", "), quoted(&text));
            self.report(&failure::ARGUMENT_UNNAMED, fault, message);
        }
    }
}

/// `{"result": value}` around what the text says, or a list of which every
/// element is a text block of its own.
fn is_wrapping(structured: &Value, values: &[Value]) -> bool {
    let Some(inner) = structured
        .as_object()
        .filter(|members| members.len() == 1)
        .and_then(|members| members.values().next())
    else {
        return false;
    };
    values.contains(inner) || inner.as_array().is_some_and(|elements| elements == values)
}

fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

pub(super) fn quoted(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}`", shortened(&one_line, QUOTED))
}

/// Whether JSON says in a member of its own what kind of failure it is.
fn has_code(value: &Value) -> bool {
    const CODES: [&str; 9] = [
        "error",
        "code",
        "reason",
        "type",
        "kind",
        "status",
        "errorCode",
        "error_code",
        "errors",
    ];
    let says = |members: &Map<String, Value>| {
        CODES.iter().any(|name| match members.get(*name) {
            // A sentence is no code.
            Some(Value::String(text)) => !text.is_empty() && !text.contains(' '),
            Some(Value::Number(_)) => true,
            _ => false,
        })
    };
    let Some(members) = value.as_object() else { return false };
    says(members)
        || ["error", "errors"].iter().any(|name| match members.get(*name) {
            Some(Value::Object(inner)) => says(inner),
            Some(Value::Array(inner)) => inner.first().and_then(Value::as_object).is_some_and(says),
            _ => false,
        })
}

/// Whether a reply that is no failure by its flag is one by its text.
pub(super) fn looks_like_failure(text: &str, structured: Option<&Value>) -> bool {
    const BEGINNINGS: [&str; 16] = [
        "error",
        "failed",
        "failure",
        "exception",
        "traceback",
        "invalid",
        "missing",
        "cannot",
        "can't",
        "could not",
        "unable to",
        "unknown tool",
        "unknown argument",
        "typeerror",
        "valueerror",
        "keyerror",
    ];
    let has_error = |value: &Value| {
        let error = value.get("error");
        error.is_some_and(|error| match error {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(elements) => !elements.is_empty(),
            _ => true,
        }) || value.get("success") == Some(&Value::Bool(false))
    };
    let beginning: String = text
        .trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '{')
        .chars()
        .take(40)
        .flat_map(char::to_lowercase)
        .collect();
    let begins = BEGINNINGS.iter().any(|word| {
        beginning
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
    });
    begins
        || serde_json::from_str::<Value>(text.trim()).is_ok_and(|value| has_error(&value))
        || structured.is_some_and(has_error)
}

fn has_stack_trace(text: &str) -> bool {
    let line_begins = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    text.contains("Traceback (most recent call last)")
        || (line_begins("File \"") && text.contains(", line "))
        // JavaScript, Java and .NET.
        || text
            .lines()
            .any(|line| line.trim_start().starts_with("at ") && line.contains('(') && line.contains(':'))
        || text.contains("goroutine ") && text.contains(".go:")
        || text.contains("stack backtrace:")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(fault: Fault) -> Call {
        Call {
            fault,
            arguments: Map::new(),
            to_blame: vec!["path".to_owned()],
        }
    }

    #[track_caller]
    fn expect(fault: Fault, answer: Value, wanted: &[&str]) {
        let tool = json!({"name": "t", "outputSchema": {"type": "object", "required": ["n"]}});
        let found = judge(Tool::of(&tool).unwrap(), None, &[(call(fault), Answer::Result(answer))]);
        let found: Vec<String> = found
            .iter()
            .map(|finding| format!("{} {}", finding.id(), finding.message))
            .collect();
        assert_eq!(found, wanted);
    }

    fn failure(text: &str) -> Value {
        json!({"isError": true, "content": [{"type": "text", "text": text}]})
    }

    #[test]
    fn failures() {
        expect(
            Fault::Missing,
            failure(r#"{"error":"Invalid","message":"path is missing"}"#),
            &[],
        );
        expect(
            Fault::Missing,
            failure("missing field `path`"),
            &["F006 1 of 1 failures are prose: `missing field `path``"],
        );
        expect(
            Fault::WrongType,
            failure("Oops"),
            &[
                "F006 1 of 1 failures are prose: `Oops`",
                "F007 does not name it (wrong-type): `Oops`",
            ],
        );
        expect(Fault::Missing, failure("  "), &["F004 the failure has no text"]);
        expect(
            Fault::Missing,
            json!({"isError": true, "structuredContent": {"code": "E1", "path": 1}, "content": []}),
            &["F005 `structuredContent`: must have `n`"],
        );
    }

    #[test]
    fn successes() {
        let result = |text: &str, structured: Value| json!({"content": [{"type": "text", "text": text}], "structuredContent": structured});
        expect(
            Fault::Missing,
            json!({"content": [{"type": "text", "text": "Error: no path"}]}),
            &["F001 answered without `isError`: `Error: no path`"],
        );
        expect(
            Fault::Missing,
            result("{\"n\":1}", json!({"n": 1})),
            &["F009 succeeds without `path`"],
        );
        expect(
            Fault::Null,
            json!({"content": [{"type": "text", "text": "Errors found: 0"}]}),
            &[
                "F012 succeeds with null as `path`",
                "F014 has an output schema and sends no structured content",
            ],
        );
        expect(
            Fault::Unknown,
            result("{\"n\":1}", json!({"n": 2})),
            &[
                "F011 succeeds with an argument it does not have",
                "F016 the text is `{\"n\":1}`, the structured content `{\"n\":2}`",
            ],
        );
    }

    #[test]
    fn what_a_tool_says_of_plausible_arguments_is_not_judged() {
        let text = |text: &str| json!({"content": [{"type": "text", "text": text}], "structuredContent": {"n": 1}});
        expect(Fault::Unknown, text("Error: no such file"), &[]);
        expect(
            Fault::Unknown,
            text("Error: candor_unknown_argument is not known"),
            &["F001 answered without `isError`: `Error: candor_unknown_argument is not known`"],
        );
    }

    #[test]
    fn what_a_code_is() {
        assert!(has_code(&json!({"error": {"code": -1}})));
        assert!(has_code(&json!({"reason": "NoSuchFile"})));
        assert!(!has_code(&json!({"error": "File not found"})));
        assert!(!has_code(&json!({"message": "x"})));
    }
}
