//! Holds failures in Candor's envelope to all of its contract.

use std::collections::{BTreeMap, BTreeSet};

use candor_contract::{ErrorCode, NEW_ERRORS, NEW_ERRORS_OMITTED, json_bytes};
use serde_json::{Map, Value};

use super::messages::HEADER_MISMATCH;
use super::{Met, text_of};
use crate::checks::Check;
use crate::checks::vocabulary as entry;
use crate::schema::judge::kind_of;
use crate::session::Answer;
use crate::{Finding, Published};

/// Whether failures come in Candor's envelope.
pub(crate) fn is_spoken(met: &[Met]) -> bool {
    met.iter().any(|met| match &met.answer {
        Answer::Result(result) if is_failure(result) => {
            envelope(result).is_some_and(|envelope| code_of(&envelope).is_some() && envelope.contains_key("message"))
        }
        _ => false,
    })
}

/// Holds everything that was met to the contract.
pub(crate) fn check(published: &Published, met: &[Met], findings: &mut Vec<Finding>) {
    let mut judge = Judge {
        findings,
        reasons: documented_reasons(published),
    };
    for met in met {
        judge.one(met);
    }
    judge.schemas(published);
}

fn is_failure(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

/// The JSON object of the first text block.
fn envelope(result: &Value) -> Option<Map<String, Value>> {
    let text = result.get("content")?.as_array()?.first()?.get("text")?.as_str()?;
    serde_json::from_str(text).ok()
}

fn code_of(envelope: &Map<String, Value>) -> Option<ErrorCode> {
    let name = envelope.get("error")?.as_str()?;
    ErrorCode::ALL.into_iter().find(|code| code.as_str() == name)
}

/// Reasons that descriptions name beside an error: `NotFound/NoSuchFile`.
fn documented_reasons(published: &Published) -> BTreeMap<String, ErrorCode> {
    let mut reasons = BTreeMap::new();
    let mut several = BTreeSet::new();
    for tool in published.tools() {
        for code in ErrorCode::ALL {
            for part in tool.description().split(&format!("{code}/")).skip(1) {
                let reason: String = part.chars().take_while(char::is_ascii_alphanumeric).collect();
                if !reason.is_empty() && reasons.insert(reason.clone(), code).is_some_and(|other| other != code) {
                    several.insert(reason);
                }
            }
        }
    }
    // What the descriptions themselves do not agree on cannot be held against
    // a reply.
    reasons.retain(|reason, _| !several.contains(reason));
    reasons
}

struct Judge<'a> {
    findings: &'a mut Vec<Finding>,
    reasons: BTreeMap<String, ErrorCode>,
}

impl Judge<'_> {
    fn report(&mut self, met: &Met, check: &'static Check, message: impl Into<String>) {
        let finding = Finding::new(check, message).at(format!("probe/{}", met.probe));
        self.findings.push(match &met.tool {
            Some(tool) => finding.tool(tool),
            None => finding,
        });
    }

    fn one(&mut self, met: &Met) {
        let Some(_) = &met.tool else {
            return self.protocol(met);
        };
        match &met.answer {
            Answer::Error(error) => self.report(
                met,
                &entry::ENVELOPE_MISSING,
                format!("is the protocol error {}: {}", error.code, error.message),
            ),
            Answer::Result(result) if is_failure(result) => self.failure(met, result),
            Answer::Result(result) => self.success(met, result),
        }
    }

    fn protocol(&mut self, met: &Met) {
        let problem = match &met.answer {
            Answer::Result(_) => Some("is answered with a result".to_owned()),
            Answer::Error(error) if error.code == HEADER_MISMATCH => None,
            Answer::Error(error) if error.code != -32602 => Some(format!("is answered with {}", error.code)),
            Answer::Error(error) => met
                .to_blame
                .iter()
                .find(|name| !error.message.contains(name.as_str()))
                .map(|name| format!("the message does not name `{name}`: {}", error.message)),
        };
        if let Some(problem) = problem {
            self.report(met, &entry::PROTOCOL_FAILURE, problem);
        }
    }

    fn failure(&mut self, met: &Met, result: &Value) {
        let blocks = result.get("content").and_then(Value::as_array);
        let count = blocks.map_or(0, Vec::len);
        if count != 1 {
            self.report(met, &entry::ENVELOPE_MISSING, format!("has {count} content blocks"));
        }
        if result.get("structuredContent").is_some() {
            self.report(met, &entry::ENVELOPE_MISSING, "has `structuredContent` as well");
        }
        let Some(envelope) = envelope(result) else {
            let text = text_of(result);
            let begin = candor_contract::shortened(&text, 100);
            self.report(
                met,
                &entry::ENVELOPE_MISSING,
                format!("the text is no JSON object: `{begin}`"),
            );
            return;
        };
        match code_of(&envelope) {
            None => {
                let code = envelope.get("error").map_or("missing".to_owned(), Value::to_string);
                self.report(met, &entry::CODE_UNKNOWN, format!("`error` is {code}"));
            }
            Some(code) => self.code(met, code, &envelope),
        }
        let says = envelope.get("message").and_then(Value::as_str);
        if says.is_none_or(|text| text.trim().is_empty()) {
            let what = match envelope.get("message") {
                None => "missing",
                Some(Value::String(_)) => "blank",
                Some(other) => kind_of(other),
            };
            self.report(met, &entry::MESSAGE_BLANK, format!("`message` is {what}"));
        }
        if let Some(candidates) = envelope.get("candidates")
            && candidates.as_array().is_none_or(Vec::is_empty)
        {
            self.report(met, &entry::CANDIDATES_WRONG, format!("`candidates` is {candidates}"));
        }
        self.order(met, &envelope);
        self.common(met, &text_of(result), &envelope);
    }

    fn code(&mut self, met: &Met, code: ErrorCode, envelope: &Map<String, Value>) {
        let is_about_arguments = met.probe != "unknown-tool" && !met.to_blame.is_empty();
        if is_about_arguments && code != ErrorCode::Invalid {
            self.report(met, &entry::CODE_WRONG, format!("is `{code}`"));
        }
        if is_about_arguments && code == ErrorCode::Invalid {
            let detail = envelope.get("detail").and_then(Value::as_str).unwrap_or_default();
            if !met.to_blame.iter().any(|name| detail.contains(name.as_str())) {
                let what = if detail.is_empty() {
                    "is missing".to_owned()
                } else {
                    format!("is `{detail}`")
                };
                self.report(met, &entry::DETAIL_MISSING, format!("`detail` {what}"));
            }
        }
        if code == ErrorCode::Ambiguous && !envelope.contains_key("candidates") {
            self.report(met, &entry::CANDIDATES_WRONG, "`Ambiguous` has no `candidates`");
        }
        let Some(reason) = envelope.get("reason") else {
            if matches!(code, ErrorCode::NotFound | ErrorCode::Unavailable) {
                self.report(met, &entry::REASON_MISSING, format!("`{code}` has no `reason`"));
            }
            return;
        };
        let name = reason.as_str().unwrap_or_default();
        let is_word = name.starts_with(|letter: char| letter.is_ascii_uppercase())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric());
        if !is_word {
            self.report(
                met,
                &entry::REASON_FOREIGN,
                format!("the reason is {reason}, no word in PascalCase"),
            );
            return;
        }
        match self.reasons.get(name) {
            Some(owner) if *owner != code => {
                let message = format!("`{name}` comes with `{code}` and belongs to `{owner}`");
                self.report(met, &entry::REASON_FOREIGN, message);
            }
            Some(_) => {}
            None => {
                self.reasons.insert(name.to_owned(), code);
            }
        }
    }

    fn order(&mut self, met: &Met, envelope: &Map<String, Value>) {
        let rank = |key: &str| match key {
            "error" => 0,
            "message" => 1,
            "reason" => 2,
            "candidates" => 3,
            "detail" => 5,
            NEW_ERRORS => 6,
            NEW_ERRORS_OMITTED => 7,
            _ => 4,
        };
        if !envelope.keys().is_sorted_by_key(|key| rank(key)) {
            let keys: Vec<&str> = envelope.keys().map(String::as_str).collect();
            self.report(met, &entry::KEY_ORDER, format!("the order is {}", keys.join(", ")));
        }
    }

    fn success(&mut self, met: &Met, result: &Value) {
        let text = text_of(result);
        let Some(structured) = result.get("structuredContent").and_then(Value::as_object) else {
            // A server may publish no structure at all.
            if let Ok(Value::Object(members)) = serde_json::from_str(&text) {
                self.common(met, &text, &members);
            }
            return;
        };
        let is_same = serde_json::from_str::<Value>(&text).is_ok_and(|value| value.as_object() == Some(structured));
        if !is_same {
            self.report(met, &entry::SUCCESS_HALVES, "text and `structuredContent` differ");
        }
        self.common(met, &text, structured);
    }

    /// What failures and successes have in common.
    fn common(&mut self, met: &Met, text: &str, members: &Map<String, Value>) {
        if let Some(place) = null_in(members, "") {
            self.report(met, &entry::NULL_SENT, format!("`{place}` is null"));
        }
        if text.len() > json_bytes(members) {
            self.report(
                met,
                &entry::NOT_COMPACT,
                format!("{} bytes where {} are enough", text.len(), json_bytes(members)),
            );
        }
        if text.len() > candor_contract::REPLY_BYTES {
            self.report(met, &entry::REPLY_LARGE, format!("has {} bytes", text.len()));
        }
        for problem in new_errors_problems(members) {
            self.report(met, &entry::NEW_ERRORS_ILL_FORMED, problem);
        }
    }

    fn schemas(&mut self, published: &Published) {
        for tool in published.tools() {
            let Some(schema) = tool.output_schema() else { continue };
            let required = schema.get("required").and_then(Value::as_array);
            let is_optional = |name: &str| {
                let is_declared = schema
                    .get("properties")
                    .is_some_and(|properties| properties.get(name).is_some());
                is_declared && !required.is_some_and(|names| names.iter().any(|required| required == name))
            };
            let missing: Vec<&str> = [NEW_ERRORS, NEW_ERRORS_OMITTED]
                .into_iter()
                .filter(|name| !is_optional(name))
                .collect();
            if !missing.is_empty() {
                self.findings.push(
                    Finding::new(
                        &entry::NEW_ERRORS_UNDECLARED,
                        format!("does not declare {} as optional", missing.join(" and ")),
                    )
                    .tool(tool.name)
                    .at("outputSchema"),
                );
            }
        }
    }
}

/// The place of the first member that is null, at any depth.
fn null_in(members: &Map<String, Value>, path: &str) -> Option<String> {
    members
        .iter()
        .find_map(|(name, value)| null_at(value, &format!("{path}/{name}")))
}

fn null_at(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::Null => Some(path.to_owned()),
        Value::Object(members) => null_in(members, path),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .filter(|(_, element)| !element.is_null())
            .find_map(|(index, element)| null_at(element, &format!("{path}/{index}"))),
        _ => None,
    }
}

fn new_errors_problems(members: &Map<String, Value>) -> Vec<String> {
    let mut problems = Vec::new();
    let (items, omitted) = (members.get(NEW_ERRORS), members.get(NEW_ERRORS_OMITTED));
    let count = match items {
        None => 0,
        Some(Value::Array(items)) => {
            if items.is_empty() {
                problems.push("`new_errors` is empty; it is left out when there is nothing to say".to_owned());
            }
            if items.len() > 10 {
                problems.push(format!("`new_errors` has {} items", items.len()));
            }
            for (index, item) in items.iter().enumerate() {
                if let Some(problem) = item_problem(item) {
                    problems.push(format!("item {index} {problem}"));
                }
            }
            items.len()
        }
        Some(other) => {
            problems.push(format!("`new_errors` is {}", kind_of(other)));
            0
        }
    };
    if let Some(omitted) = omitted {
        if omitted.as_u64().is_none_or(|omitted| omitted == 0) {
            problems.push(format!("`new_errors_omitted` is {omitted}"));
        } else if items.is_some() && count < 10 {
            problems.push(format!("`new_errors_omitted` is {omitted} beside {count} items"));
        } else if items.is_none() {
            problems.push("`new_errors_omitted` comes without `new_errors`".to_owned());
        }
    }
    let last = members
        .keys()
        .skip_while(|key| *key != NEW_ERRORS)
        .any(|key| key != NEW_ERRORS && key != NEW_ERRORS_OMITTED);
    if last {
        problems.push("`new_errors` is not the last member".to_owned());
    }
    problems
}

fn item_problem(item: &Value) -> Option<String> {
    let Some(members) = item.as_object() else {
        return Some(format!("is {}", kind_of(item)));
    };
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    match text("message") {
        None => return Some("has no `message`".to_owned()),
        Some(message) if message.chars().count() > 301 => {
            return Some(format!("has a message of {} characters", message.chars().count()));
        }
        Some(_) => {}
    }
    if let Some(id) = members.get("id") {
        let is_id = id
            .as_str()
            .is_some_and(|id| id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if !is_id {
            return Some(format!("has the id {id}"));
        }
    }
    if let Some(code) = members.get("code") {
        let is_short = code.as_str().is_some_and(|code| {
            code.len() <= 40 && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        if !is_short {
            return Some(format!("has the code {code}"));
        }
    }
    if let Some(created) = members.get("created_at")
        && created
            .as_str()
            .is_none_or(|time| time.len() < 19 || !time.starts_with(|letter: char| letter.is_ascii_digit()))
    {
        return Some(format!("has the time {created}"));
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::checks::tests::shown;
    use crate::published::Listing;

    fn failure(envelope: &str) -> Value {
        json!({"isError": true, "content": [{"type": "text", "text": envelope}]})
    }

    fn met(answer: Value) -> Met {
        Met {
            tool: Some("t".to_owned()),
            probe: "missing-argument",
            to_blame: vec!["path".to_owned()],
            answer: Answer::Result(answer),
        }
    }

    #[track_caller]
    fn expect(answer: Value, wanted: &[&str]) {
        let published = Published {
            tools: Listing {
                entries: vec![json!({"name": "t", "description": "Errors: NotFound/NoSuchFile."})],
                ..Listing::default()
            },
            ..Published::default()
        };
        let mut findings = Vec::new();
        check(&published, &[met(answer)], &mut findings);
        let found: Vec<String> = shown(&findings)
            .iter()
            .map(|line| line.replace(" t probe/missing-argument:", ""))
            .collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_good_envelope() {
        expect(
            failure(r#"{"error":"Invalid","message":"path is missing","filePath":"a","detail":"path"}"#),
            &[],
        );
    }

    #[test]
    fn bad_envelopes() {
        expect(
            failure(r#"{"detail":"path","error":"Invalid","message":" "}"#),
            &["V004 `message` is blank", "V009 the order is detail, error, message"],
        );
        expect(
            failure(r#"{"error":"Invalid","message":"x","reason":"NoSuchFile","detail":"a.path"}"#),
            &["V006 `NoSuchFile` comes with `Invalid` and belongs to `NotFound`"],
        );
        expect(
            failure(r#"{"error": "NotFound", "message": "x", "candidates": [], "detail": null}"#),
            &[
                "V003 is `NotFound`",
                "V005 `NotFound` has no `reason`",
                "V007 `candidates` is []",
                "V010 `/detail` is null",
                "V011 71 bytes where 64 are enough",
            ],
        );
        expect(failure("Oops"), &["V001 the text is no JSON object: `Oops`"]);
        expect(
            failure(r#"{"error":"Oops","message":"x"}"#),
            &["V002 `error` is \"Oops\""],
        );
    }

    #[test]
    fn new_errors() {
        let text = r#"{"error":"Invalid","message":"x","detail":"path","new_errors":[{"id":"0123456789ab","message":"y"},{"id":"x","message":"y"},{}],"new_errors_omitted":2}"#;
        expect(
            failure(text),
            &[
                "V013 item 1 has the id \"x\"",
                "V013 item 2 has no `message`",
                "V013 `new_errors_omitted` is 2 beside 3 items",
            ],
        );
    }

    #[test]
    fn who_speaks_it() {
        assert!(is_spoken(&[met(failure(r#"{"error":"Invalid","message":"x"}"#))]));
        assert!(!is_spoken(&[met(failure(r#"{"error":"ENOENT","message":"x"}"#))]));
        assert!(!is_spoken(&[met(failure("Invalid"))]));
    }
}
