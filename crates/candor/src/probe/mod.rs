//! Sends what must fail, and judges how it fails.
//!
//! Nothing here is meant to be carried out: every call is forbidden by the
//! schema of its tool ([`plan`]), and tools that may write get none unless that
//! was asked for. A server that dies or hangs is started again, a few times.

mod messages;
mod plan;
mod slow;
mod verdict;
mod vocabulary;

use std::time::{Duration, Instant};

use candor_contract::shortened;
use serde_json::{Map, Value, json};

use crate::Finding;
use crate::checks::{description, failure, protocol};
use crate::published::{Published, Tool};
use crate::report::{Outcome, ProbedCall, ProbedTool, Probes};
use crate::run::{Options, ProbeScope, open};
use crate::session::{Answer, Observed, Session, Silence};
use crate::transport::{Closing, Target};

pub(crate) use plan::{Call, Fault};

/// How often a server that died or hangs is started again.
const RESTARTS: usize = 5;

/// How many tools may leave a call unanswered before no more are asked.
const UNANSWERED: usize = 5;

/// How many characters of a reply a report shows.
const SHOWN_CHARACTERS: usize = 200;

/// A failure or success that a probe met, kept for the checks of the
/// vocabulary.
#[derive(Debug, Clone)]
pub(crate) struct Met {
    /// The tool that was called; `None` when it was none of the published.
    pub(crate) tool: Option<String>,
    /// The probe.
    pub(crate) probe: &'static str,
    /// The arguments to blame.
    pub(crate) to_blame: Vec<String>,
    /// What came.
    pub(crate) answer: Answer,
}

/// The result of probing.
pub(crate) struct Probed {
    pub(crate) findings: Vec<Finding>,
    pub(crate) probes: Probes,
    pub(crate) notes: Vec<String>,
    pub(crate) observed: Observed,
    pub(crate) closing: Closing,
}

/// Probes a server that was read, and ends it.
pub(crate) fn probe(
    session: Session,
    target: &Target,
    options: &Options,
    published: &Published,
    ends: Instant,
) -> Probed {
    let mut prober = Prober {
        session: Some(session),
        target,
        options,
        published,
        ends,
        restarts: 0,
        unanswered: 0,
        observed: Observed::default(),
        findings: Vec::new(),
        probes: Probes::default(),
        notes: Vec::new(),
        met: Vec::new(),
    };
    prober.all();
    prober.finish()
}

pub(crate) struct Prober<'a> {
    session: Option<Session>,
    target: &'a Target,
    options: &'a Options,
    published: &'a Published,
    ends: Instant,
    restarts: usize,
    unanswered: usize,
    observed: Observed,
    findings: Vec<Finding>,
    probes: Probes,
    notes: Vec<String>,
    met: Vec<Met>,
}

impl Prober<'_> {
    fn all(&mut self) {
        if self.options.probe == ProbeScope::None {
            self.notes.push("nothing was probed, as asked for".to_owned());
            self.leave_all_alone("nothing was to be probed");
        } else {
            self.tools();
            self.messages();
        }
        if let Some(slow) = self.options.slow_call.clone() {
            self.slow_call(&slow);
        }
        self.probes.speaks_vocabulary = vocabulary::is_spoken(&self.met);
        if self.probes.speaks_vocabulary {
            vocabulary::check(self.published, &self.met, &mut self.findings);
        }
    }

    fn finish(mut self) -> Probed {
        let closing = match &mut self.session {
            Some(session) => {
                let closing = session.close();
                self.observed.absorb(session.observed());
                closing
            }
            None => Closing::Gracefully,
        };
        Probed {
            findings: self.findings,
            probes: self.probes,
            notes: self.notes,
            observed: self.observed,
            closing,
        }
    }

    fn leave_all_alone(&mut self, why: &str) {
        for tool in self.published.tools() {
            self.probes.left_alone.push((tool.name.to_owned(), why.to_owned()));
        }
    }

    fn tools(&mut self) {
        let published = self.published;
        let mut seen = std::collections::BTreeSet::new();
        for tool in published.tools() {
            if !seen.insert(tool.name) {
                continue;
            }
            let only_reads = description::only_reads(tool);
            let why = if !only_reads && self.options.probe != ProbeScope::All {
                Some(if tool.hint("readOnlyHint") == Some(true) {
                    "it says that it only reads, and that it destroys (--probe all asks it too)"
                } else {
                    "it does not say `readOnlyHint: true` (--probe all asks it too)"
                })
            } else if self.is_over() {
                Some("the time was up")
            } else if self.unanswered >= UNANSWERED {
                Some("too many tools before it did not answer")
            } else if self.session.is_none() && !self.restart() {
                Some("the server was started again too often")
            } else {
                None
            };
            if let Some(why) = why {
                self.probes.left_alone.push((tool.name.to_owned(), why.to_owned()));
                continue;
            }
            let calls = plan::calls(tool, only_reads);
            if calls.is_empty() {
                let why = if tool.input_schema().is_some() {
                    "its schema forbids nothing that could be sent without harm"
                } else {
                    "it has no input schema"
                };
                self.probes.left_alone.push((tool.name.to_owned(), why.to_owned()));
                continue;
            }
            self.tool(tool, calls);
        }
    }

    fn tool(&mut self, tool: Tool<'_>, calls: Vec<Call>) {
        let mut probed = ProbedTool {
            name: tool.name.to_owned(),
            calls: Vec::new(),
        };
        let mut replies = Vec::new();
        for call in calls {
            if self.is_over() || (self.session.is_none() && !self.restart()) {
                break;
            }
            let started = Instant::now();
            let result = self.call(tool.name, &call.arguments);
            let elapsed = started.elapsed();
            let (outcome, said) = match &result {
                Ok(answer) => shown(answer),
                Err(silence) if silence.is_end() => (Outcome::Died, silence.to_string()),
                Err(silence) => (Outcome::NoReply, silence.to_string()),
            };
            probed.calls.push(ProbedCall {
                probe: call.fault.name(),
                outcome,
                elapsed,
                said,
            });
            match result {
                Ok(answer) => {
                    self.met.push(Met {
                        tool: Some(tool.name.to_owned()),
                        probe: call.fault.name(),
                        to_blame: call.to_blame.clone(),
                        answer: answer.clone(),
                    });
                    replies.push((call, answer));
                }
                // Dropping the argument and carrying the call out takes time.
                Err(Silence::TimedOut(_)) if call.fault == Fault::Unknown => {
                    self.notes.push(format!(
                        "`{}` did not answer a call with an unknown argument in time; whether it carried it out is not known",
                        tool.name
                    ));
                    self.leave_running();
                    break;
                }
                Err(silence) => {
                    let place = format!("probe/{}", call.fault.name());
                    self.unanswered += 1;
                    self.silent(&silence, Some(tool.name), &place, &failure::FAILURE_UNANSWERED);
                    break;
                }
            }
        }
        self.findings
            .extend(verdict::judge(tool, self.published.revision, &replies));
        self.probes.probed.push(probed);
    }

    /// Calls a tool and waits.
    fn call(&mut self, name: &str, arguments: &Map<String, Value>) -> Result<Answer, Silence> {
        let params = json!({"name": name, "arguments": arguments});
        self.ask("tools/call", params)
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Answer, Silence> {
        let time = self.time();
        self.probes.sent += 1;
        match &mut self.session {
            Some(session) => session.request(method, params, time),
            None => Err(Silence::Closed("the server is gone".to_owned())),
        }
    }

    /// Reports a request that was not answered, and sees to it that the
    /// session is one that answers, or gone.
    fn silent(
        &mut self,
        silence: &Silence,
        tool: Option<&str>,
        place: &str,
        unanswered: &'static crate::checks::Check,
    ) {
        let named = |finding: Finding| match tool {
            Some(tool) => finding.tool(tool).at(place),
            None => finding.at(place),
        };
        if silence.is_end() {
            let stderr = self.session.as_ref().map(Session::stderr_tail).unwrap_or_default();
            let check = if tool.is_some() && *silence != Silence::Flooded {
                &failure::FAILURE_ENDS_SERVER
            } else {
                unanswered
            };
            self.findings.push(named(Finding::new(
                check,
                protocol::with_last_words(&silence.to_string(), &stderr),
            )));
            self.drop_session();
            return;
        }
        self.findings.push(named(Finding::new(unanswered, silence.to_string())));
        if let Some(session) = &mut self.session {
            session.cancel_last();
        }
        if let Err(silence) = self.sign_of_life() {
            self.findings.push(named(Finding::new(
                &failure::SERVER_BLOCKED,
                format!("afterwards another request: {silence}"),
            )));
            self.drop_session();
        }
    }

    /// Cancels a call that may be under way, and sees to it that the session
    /// is one that answers, or gone.
    fn leave_running(&mut self) {
        if let Some(session) = &mut self.session {
            session.cancel_last();
        }
        if self.sign_of_life().is_err() {
            self.drop_session();
        }
    }

    /// Asks something that every server must answer.
    fn sign_of_life(&mut self) -> Result<(), Silence> {
        let time = self.time();
        let is_modern = self
            .published
            .revision
            .is_some_and(|revision| !revision.has_initialize());
        let method = if is_modern { "server/discover" } else { "ping" };
        match &mut self.session {
            // An error is a sign of life as well.
            Some(session) => session.request(method, json!({}), time).map(|_| ()),
            None => Err(Silence::Closed("the server is gone".to_owned())),
        }
    }

    fn drop_session(&mut self) {
        if let Some(mut session) = self.session.take() {
            session.abort();
            self.observed.absorb(session.observed());
        }
    }

    fn restart(&mut self) -> bool {
        if self.restarts == RESTARTS {
            return false;
        }
        self.restarts += 1;
        match open(self.target, self.options) {
            Ok(opened) => {
                self.session = Some(opened.session);
                true
            }
            Err(error) => {
                self.notes.push(format!(
                    "the server could not be started again, so the rest was not probed: {error}"
                ));
                self.restarts = RESTARTS;
                false
            }
        }
    }

    fn is_over(&mut self) -> bool {
        let is_over = Instant::now() >= self.ends;
        let note = "the time for the whole run was up; not everything was probed";
        if is_over && !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
        is_over
    }

    fn time(&self) -> Duration {
        let left = self.ends.saturating_duration_since(Instant::now());
        self.options.limits.reply.min(left).max(Duration::from_millis(100))
    }
}

/// What came back, in a few words.
fn shown(answer: &Answer) -> (Outcome, String) {
    let short = |text: &str| shortened(text.trim(), SHOWN_CHARACTERS).into_owned();
    match answer {
        Answer::Error(error) => (Outcome::ProtocolError(error.code), short(&error.message)),
        Answer::Result(result) => {
            let outcome = if result.get("isError") == Some(&Value::Bool(true)) {
                Outcome::ToolError
            } else {
                Outcome::Success
            };
            (outcome, short(&text_of(result)))
        }
    }
}

/// The text blocks of a result.
pub(crate) fn text_of(result: &Value) -> String {
    let blocks = result.get("content").and_then(Value::as_array);
    let texts: Vec<&str> = blocks
        .into_iter()
        .flatten()
        .filter_map(|block| block.get("text")?.as_str())
        .collect();
    texts.join("\n")
}
