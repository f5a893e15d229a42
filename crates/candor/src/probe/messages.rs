//! Messages that no client library would send.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Met, Prober, shown, text_of, verdict};
use crate::Finding;
use crate::checks::{description, failure, listing};
use crate::session::{Answer, Silence};

/// A tool that no server has.
const NO_SUCH_TOOL: &str = "candor_no_such_tool";

/// How long the reply to a line that is no JSON is waited for, after a request
/// sent later was answered.
const NO_JSON_PATIENCE: Duration = Duration::from_millis(500);

const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INVALID_REQUEST: i64 = -32600;
/// Over HTTP the name stands in a header too, where a malformed one cannot.
pub(super) const HEADER_MISMATCH: i64 = -32020;

impl Prober<'_> {
    pub(super) fn messages(&mut self) {
        let steps: [fn(&mut Self); 6] = [
            Self::unknown_tool,
            Self::malformed_calls,
            Self::unknown_method,
            Self::unknown_cursor,
            Self::late_cancellation,
            Self::no_json,
        ];
        for step in steps {
            if self.is_over() || (self.session.is_none() && !self.restart()) {
                return;
            }
            step(self);
        }
    }

    fn unknown_tool(&mut self) {
        const PLACE: &str = "probe/unknown-tool";
        let answer = match self.ask("tools/call", json!({"name": NO_SUCH_TOOL, "arguments": {}})) {
            Ok(answer) => answer,
            Err(silence) => return self.silent(&silence, None, PLACE, &failure::MALFORMED_UNANSWERED),
        };
        self.met.push(Met {
            tool: None,
            probe: "unknown-tool",
            to_blame: vec![NO_SUCH_TOOL.to_owned()],
            answer: answer.clone(),
        });
        let said = match &answer {
            Answer::Error(error) => {
                if error.code != INVALID_PARAMS {
                    self.report(
                        &failure::UNKNOWN_TOOL_MISREPORTED,
                        PLACE,
                        format!("{}: {}", error.code, verdict::quoted(&error.message)),
                    );
                }
                format!("{} {}", error.message, error.data.clone().unwrap_or_default())
            }
            Answer::Result(result) => {
                if result.get("isError") != Some(&Value::Bool(true)) {
                    self.report(
                        &failure::UNKNOWN_TOOL_TAKEN,
                        PLACE,
                        format!("answered with {}", verdict::quoted(&text_of(result))),
                    );
                    return;
                }
                text_of(result)
            }
        };
        if !said.contains(NO_SUCH_TOOL) {
            let said = if said.trim().is_empty() {
                "says nothing".to_owned()
            } else {
                format!("says {}", verdict::quoted(&said))
            };
            self.report(&failure::UNKNOWN_TOOL_UNNAMED, PLACE, said);
        }
    }

    fn malformed_calls(&mut self) {
        let reading_tool = self
            .published
            .tools()
            .find(|tool| description::only_reads(*tool))
            .map(|tool| tool.name.to_owned());
        let mut forms = vec![
            ("call-without-name", json!({"arguments": {}})),
            ("call-with-number-as-name", json!({"name": 7, "arguments": {}})),
        ];
        match reading_tool {
            Some(name) => {
                forms.insert(0, ("arguments-as-text", json!({"name": name, "arguments": "x"})));
                forms.insert(1, ("arguments-as-list", json!({"name": name, "arguments": ["x"]})));
            }
            None => self
                .notes
                .push("malformed arguments were not tried, since no tool says that it only reads".to_owned()),
        }
        for (probe, params) in forms {
            if self.is_over() || (self.session.is_none() && !self.restart()) {
                return;
            }
            let place = format!("probe/{probe}");
            match self.ask("tools/call", params) {
                Ok(answer) => {
                    self.malformed(&place, &answer);
                    self.met.push(Met {
                        tool: None,
                        probe,
                        to_blame: Vec::new(),
                        answer,
                    });
                }
                Err(silence) => self.silent(&silence, None, &place, &failure::MALFORMED_UNANSWERED),
            }
        }
    }

    fn malformed(&mut self, place: &str, answer: &Answer) {
        match answer {
            Answer::Error(error) if matches!(error.code, INVALID_PARAMS | INVALID_REQUEST | HEADER_MISMATCH) => {}
            Answer::Error(error) => self.report(
                &failure::MALFORMED_MISREPORTED,
                place,
                format!("{}: {}", error.code, verdict::quoted(&error.message)),
            ),
            Answer::Result(result) => {
                if result.get("isError") != Some(&Value::Bool(true)) {
                    let (_, said) = shown(answer);
                    self.report(
                        &failure::MALFORMED_TAKEN,
                        place,
                        format!("answered with {}", verdict::quoted(&said)),
                    );
                }
            }
        }
    }

    fn unknown_method(&mut self) {
        const PLACE: &str = "probe/unknown-method";
        match self.ask("candor/no_such_method", json!({})) {
            Ok(Answer::Error(error)) if error.code == METHOD_NOT_FOUND => {}
            Ok(Answer::Error(error)) => self.report(
                &failure::UNKNOWN_METHOD_MISREPORTED,
                PLACE,
                format!("{}: {}", error.code, verdict::quoted(&error.message)),
            ),
            Ok(Answer::Result(result)) => self.report(
                &failure::UNKNOWN_METHOD_MISREPORTED,
                PLACE,
                format!("answered with the result {}", verdict::quoted(&result.to_string())),
            ),
            // Over HTTP a status of its own is a way to say so.
            Err(Silence::Refused { status, .. }) if (400..500).contains(&status) => {}
            Err(silence) => self.silent(&silence, None, PLACE, &failure::MALFORMED_UNANSWERED),
        }
    }

    fn unknown_cursor(&mut self) {
        match self.ask("tools/list", json!({"cursor": "candor-no-such-cursor"})) {
            Ok(Answer::Result(_)) => self.findings.push(listing::cursor_ignored()),
            Ok(Answer::Error(_)) | Err(Silence::Refused { .. }) => {}
            Err(silence) => self.silent(&silence, None, "probe/unknown-cursor", &failure::MALFORMED_UNANSWERED),
        }
    }

    /// Cancels what was answered already.
    fn late_cancellation(&mut self) {
        let Some(session) = &mut self.session else { return };
        self.probes.sent += 1;
        session.cancel_last();
        if let Err(silence) = self.sign_of_life() {
            self.report(
                &failure::CANCELLATION_FATAL,
                "probe/late-cancellation",
                format!("after the cancellation of a request that was answered: {silence}"),
            );
            self.drop_session();
        }
    }

    fn no_json(&mut self) {
        const PLACE: &str = "probe/no-json";
        let Some(session) = &mut self.session else { return };
        self.probes.sent += 1;
        let before = session.nameless_errors();
        session.send_text("candor: this line is no JSON", None, None);
        // The reply to a request sent later tells that the line was read.
        if let Err(silence) = self.sign_of_life() {
            self.report(&failure::NO_JSON_FATAL, PLACE, format!("a request after it: {silence}"));
            return self.drop_session();
        }
        let Some(session) = &mut self.session else { return };
        if session.nameless_errors() > before {
            return;
        }
        match session.wait_nameless(NO_JSON_PATIENCE) {
            Ok(_) | Err(Silence::Refused { .. }) => {}
            Err(silence) if silence.is_end() => {
                self.report(&failure::NO_JSON_FATAL, PLACE, silence.to_string());
                self.drop_session();
            }
            Err(_) => self.report(&failure::NO_JSON_UNANSWERED, PLACE, "no error without an id came"),
        }
    }

    pub(super) fn report(&mut self, check: &'static crate::checks::Check, place: &str, message: impl Into<String>) {
        self.findings.push(Finding::new(check, message).at(place));
    }
}
