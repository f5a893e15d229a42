//! A conversation with a server, in JSON-RPC that we write ourselves.
//!
//! A session may also say what no library would: [`Session::send_text`] sends
//! any text. Whatever comes that nobody asked for is remembered in
//! [`Observed`]; nothing is trusted and nothing is waited for without a limit.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use candor_contract::shortened;
use serde_json::{Map, Value, json};

use crate::revision::Revision;
use crate::transport::{Closing, Incoming, Outgoing, Transport};

/// How many samples of what should not have come are kept.
const SAMPLES: usize = 3;

/// How many characters of a sample are kept.
const SAMPLE_CHARACTERS: usize = 160;

/// How long a reply is waited for after a message that was too long to keep.
const AFTER_OVERSIZED: Duration = Duration::from_secs(2);

/// What a request was answered with.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A result.
    Result(Value),
    /// A JSON-RPC error.
    Error(RpcError),
}

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The code; 0 when there is none.
    pub code: i64,
    /// The message; empty when there is none.
    pub message: String,
    /// Whatever else was sent.
    pub data: Option<Value>,
}

/// Why a request was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Silence {
    /// The time was up.
    #[error("no reply within {}", seconds(*.0))]
    TimedOut(Duration),
    /// The connection is at its end, with what is known about it.
    #[error("{0}")]
    Closed(String),
    /// The server sent too much that was no reply.
    #[error("no reply, but more than {} MiB of other output", crate::limits::FLOOD_BYTES >> 20)]
    Flooded,
    /// HTTP refused the request.
    #[error("HTTP status {status}{}", if .body.is_empty() { String::new() } else { format!(": {body}") })]
    Refused {
        /// The status.
        status: u16,
        /// The beginning of the body.
        body: String,
    },
    /// The reply was too long to be kept.
    #[error("a message of more than {} MiB instead of a reply", crate::limits::MESSAGE_BYTES >> 20)]
    Oversized,
}

fn seconds(time: Duration) -> String {
    let text = format!("{:.1}", time.as_secs_f64());
    format!("{} s", text.strip_suffix(".0").unwrap_or(&text))
}

impl Silence {
    /// Whether nothing more can come on this connection.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Closed(_) | Self::Flooded)
    }
}

/// What came that nobody asked for.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// Lines that are no JSON.
    pub noise: Samples,
    /// JSON that is no JSON-RPC message.
    pub strangers: Samples,
    /// Replies whose id nobody used.
    pub unknown_ids: Samples,
    /// Replies to requests that had one already.
    pub repeated: Samples,
    /// Replies whose id came back as another type (`"1"` for `1`).
    pub retyped_ids: Samples,
    /// Replies that came after they were given up.
    pub late: usize,
    /// Messages that were too long to be kept.
    pub oversized: usize,
    /// Messages that were nested more than 128 levels deep.
    pub too_deep: usize,
    /// Whether the server sent so much that reading was stopped.
    pub flooded: bool,
    /// Notifications, by method.
    pub notifications: BTreeMap<String, usize>,
    /// Requests of the server, by method.
    pub requests: BTreeMap<String, usize>,
}

/// Some of what came, and how many there were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Samples {
    /// How many.
    pub count: usize,
    /// The first few, shortened.
    pub first: Vec<String>,
}

impl Observed {
    /// Adds what another session of the same run observed.
    pub fn absorb(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.noise, &other.noise),
            (&mut self.strangers, &other.strangers),
            (&mut self.unknown_ids, &other.unknown_ids),
            (&mut self.repeated, &other.repeated),
            (&mut self.retyped_ids, &other.retyped_ids),
        ] {
            mine.count += theirs.count;
            let room = SAMPLES.saturating_sub(mine.first.len());
            mine.first.extend(theirs.first.iter().take(room).cloned());
        }
        self.late += other.late;
        self.oversized += other.oversized;
        self.too_deep += other.too_deep;
        self.flooded |= other.flooded;
        for (mine, theirs) in [
            (&mut self.notifications, &other.notifications),
            (&mut self.requests, &other.requests),
        ] {
            for (method, count) in theirs {
                *mine.entry(method.clone()).or_default() += count;
            }
        }
    }
}

impl Samples {
    fn add(&mut self, text: &str) {
        self.count += 1;
        if self.first.len() < SAMPLES {
            self.first.push(shortened(text.trim(), SAMPLE_CHARACTERS).into_owned());
        }
    }
}

/// A conversation.
pub struct Session {
    transport: Box<dyn Transport>,
    next_id: u64,
    /// Requests that were given up, whose replies may still come.
    given_up: BTreeSet<u64>,
    answered: BTreeSet<u64>,
    revision: Option<Revision>,
    end: Option<Silence>,
    nameless: usize,
    /// The id of the reply that was returned last.
    last_matched: u64,
    /// Whether something was sent that can only be answered without an id.
    sent_unreadable: bool,
    observed: Observed,
}

/// Which message is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Id(u64),
    /// The reply to one of two requests.
    Either(u64, u64),
    /// An error without an id: the reply to what could not be read.
    Nameless,
}

impl Session {
    /// Begins to talk.
    pub fn new(transport: Box<dyn Transport>) -> Self {
        Self {
            transport,
            next_id: 1,
            given_up: BTreeSet::new(),
            answered: BTreeSet::new(),
            revision: None,
            end: None,
            nameless: 0,
            last_matched: 0,
            sent_unreadable: false,
            observed: Observed::default(),
        }
    }

    /// Says which revision is spoken from now on.
    pub fn speak(&mut self, revision: Revision) {
        self.revision = Some(revision);
    }

    /// Says that no revision is agreed on.
    pub(crate) fn forget_revision(&mut self) {
        self.revision = None;
    }

    /// The revision that is spoken, once it is known.
    pub fn revision(&self) -> Option<Revision> {
        self.revision
    }

    /// What came that nobody asked for.
    pub fn observed(&self) -> &Observed {
        &self.observed
    }

    /// Why the conversation is over, if it is.
    pub fn end(&self) -> Option<&Silence> {
        self.end.as_ref()
    }

    /// The end of what the server wrote to its standard error.
    pub fn stderr_tail(&self) -> String {
        self.transport.stderr_tail()
    }

    /// Ends the connection and all processes of the server. A server that has
    /// shown that it does not end a conversation as it should is not waited for.
    pub fn close(&mut self) -> Closing {
        if self.end == Some(Silence::Flooded) {
            self.transport.abort();
            return Closing::Gracefully;
        }
        self.transport.close()
    }

    /// Ends a conversation that is of no use any more, at once.
    pub fn abort(&mut self) {
        self.transport.abort();
    }

    /// Whether what the server says unasked is heard.
    pub fn hears_notifications(&self) -> bool {
        self.transport.hears_notifications()
    }

    /// How many errors without an id came, over HTTP also as a status.
    pub fn nameless_errors(&self) -> usize {
        self.nameless
    }

    /// Sends a request and waits for its reply.
    ///
    /// # Errors
    /// When there is none.
    pub fn request(&mut self, method: &str, params: Value, time: Duration) -> Result<Answer, Silence> {
        let id = self.send_request(method, params);
        self.wait(id, time)
    }

    /// Sends a request and waits for nothing. Returns its id.
    pub fn send_request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.new_id();
        let params = self.with_metadata(params);
        let name = params
            .get("name")
            .or_else(|| params.get("uri"))
            .and_then(Value::as_str)
            .map(str::to_owned);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(message.to_string(), Some(id), Some(method), name);
        id
    }

    /// An id that no request has used.
    pub fn new_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// `params` with what the revision wants in every request.
    pub fn with_metadata(&self, params: Value) -> Value {
        let Some(revision) = self.revision.filter(|revision| !revision.has_initialize()) else {
            return params;
        };
        let mut members = match params {
            Value::Object(members) => members,
            Value::Null => Map::new(),
            other => return other,
        };
        members.insert("_meta".into(), metadata(revision));
        Value::Object(members)
    }

    /// Sends any text as if it were a message. `id` is the id in it, if a
    /// reply can be expected.
    pub fn send_text(&mut self, text: impl Into<String>, id: Option<u64>, method: Option<&str>) {
        self.sent_unreadable |= id.is_none();
        self.send(text.into(), id, method, None);
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        let params = self.with_metadata(params);
        let message = if params.is_null() {
            json!({"jsonrpc": "2.0", "method": method})
        } else {
            json!({"jsonrpc": "2.0", "method": method, "params": params})
        };
        self.send(message.to_string(), None, Some(method), None);
    }

    fn send(&mut self, text: String, id: Option<u64>, method: Option<&str>, name: Option<String>) {
        self.transport.send(&Outgoing {
            text,
            id,
            method: method.map(str::to_owned),
            name,
            revision: self.revision,
        });
    }

    /// Waits for the reply to a request.
    ///
    /// # Errors
    /// When there is none. A request whose time is up is given up; a reply
    /// that comes later is no surprise then.
    pub fn wait(&mut self, id: u64, time: Duration) -> Result<Answer, Silence> {
        let answer = self.wait_for(Awaited::Id(id), time);
        match &answer {
            Ok(_) => {
                self.answered.insert(id);
            }
            Err(_) => {
                self.given_up.insert(id);
            }
        }
        answer
    }

    /// Waits for the reply to either of two requests, and says which it is.
    ///
    /// # Errors
    /// When there is none.
    pub fn wait_either(&mut self, one: u64, other: u64, time: Duration) -> Result<(u64, Answer), Silence> {
        let answer = self.wait_for(Awaited::Either(one, other), time)?;
        let id = self.last_matched;
        self.answered.insert(id);
        Ok((id, answer))
    }

    /// Waits for an error without an id, as a message that could not be read
    /// is answered with.
    ///
    /// # Errors
    /// When there is none.
    pub fn wait_nameless(&mut self, time: Duration) -> Result<Answer, Silence> {
        self.wait_for(Awaited::Nameless, time)
    }

    /// Says that the reply to a request is not wanted any more.
    pub fn cancel(&mut self, id: u64) {
        self.notify(
            "notifications/cancelled",
            json!({"requestId": id, "reason": "the checker does not wait for it"}),
        );
    }

    /// Cancels the request that was sent last.
    pub fn cancel_last(&mut self) {
        if let Some(id) = self.next_id.checked_sub(1).filter(|id| *id > 0) {
            self.cancel(id);
        }
    }

    /// Takes what comes until the reply to a request that was given up is
    /// there, but no longer than `time`.
    pub fn listen_for(&mut self, id: u64, time: Duration) {
        let deadline = Instant::now() + time;
        while self.end.is_none() && self.given_up.contains(&id) && Instant::now() < deadline {
            let Some(incoming) = self.transport.receive(deadline) else {
                break;
            };
            let _ = self.take(incoming, Awaited::Id(0));
        }
    }

    /// Whether a request that was given up was answered after all.
    pub fn take_late(&mut self, id: u64) -> bool {
        self.answered.contains(&id)
    }

    /// Takes what comes for a while, without waiting for anything.
    pub fn listen(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while self.end.is_none() && Instant::now() < deadline {
            let Some(incoming) = self.transport.receive(deadline) else {
                break;
            };
            // A request without an id: nothing can be the reply to it.
            let _ = self.take(incoming, Awaited::Id(0));
        }
    }

    fn wait_for(&mut self, awaited: Awaited, time: Duration) -> Result<Answer, Silence> {
        let mut deadline = Instant::now() + time;
        let mut silence = Silence::TimedOut(time);
        loop {
            if let Some(end) = &self.end {
                return Err(end.clone());
            }
            let Some(incoming) = self.transport.receive(deadline) else {
                return Err(silence);
            };
            match self.take(incoming, awaited) {
                // It may have been the reply, or not: what comes soon tells.
                Some(Err(Silence::Oversized)) => {
                    silence = Silence::Oversized;
                    deadline = deadline.min(Instant::now() + AFTER_OVERSIZED);
                }
                Some(outcome) => return outcome,
                None => {}
            }
            // Who sends without pause must not keep us here.
            if Instant::now() >= deadline {
                return Err(silence);
            }
        }
    }

    fn take(&mut self, incoming: Incoming, awaited: Awaited) -> Option<Result<Answer, Silence>> {
        match incoming {
            Incoming::Message { text, to } => self.take_message(&text, to, awaited).map(Ok),
            Incoming::Oversized => {
                self.observed.oversized += 1;
                Some(Err(Silence::Oversized))
            }
            Incoming::Flooded => {
                self.observed.flooded = true;
                self.end = Some(Silence::Flooded);
                None
            }
            Incoming::Refused { id, status, body } => {
                self.nameless += usize::from(id.is_none());
                let concerns = match awaited {
                    Awaited::Id(wanted) => id == Some(wanted),
                    Awaited::Either(one, other) => id == Some(one) || id == Some(other),
                    Awaited::Nameless => id.is_none(),
                };
                concerns.then_some(Err(Silence::Refused { status, body }))
            }
            Incoming::StreamEnded { id } => (awaited == Awaited::Id(id)).then(|| {
                Err(Silence::Refused {
                    status: 200,
                    body: "the stream of events ended without the reply".to_owned(),
                })
            }),
            Incoming::Closed(why) => {
                self.end = Some(Silence::Closed(why));
                None
            }
        }
    }

    fn take_message(&mut self, text: &[u8], to: Option<u64>, awaited: Awaited) -> Option<Answer> {
        if text.trim_ascii().is_empty() {
            return None;
        }
        let message = match serde_json::from_slice::<Value>(text) {
            Ok(message) => message,
            // The one fault that lies with the reader and not with the text.
            Err(error) if error.to_string().starts_with("recursion limit exceeded") => {
                self.observed.too_deep += 1;
                return None;
            }
            Err(_) => {
                self.observed.noise.add(&String::from_utf8_lossy(text));
                return None;
            }
        };
        match message {
            Value::Object(members) => self.take_object(members, to, awaited),
            // Batches existed in one revision; each part is a message.
            Value::Array(parts) => {
                let mut answer = None;
                for part in parts {
                    match part {
                        Value::Object(members) => answer = answer.or(self.take_object(members, to, awaited)),
                        other => self.observed.strangers.add(&other.to_string()),
                    }
                }
                answer
            }
            other => {
                self.observed.strangers.add(&other.to_string());
                None
            }
        }
    }

    fn take_object(&mut self, mut members: Map<String, Value>, to: Option<u64>, awaited: Awaited) -> Option<Answer> {
        if let Some(method) = members.get("method").and_then(Value::as_str) {
            let method = method.to_owned();
            match members.get("id") {
                Some(id) if !id.is_null() => {
                    let id = id.clone();
                    *self.observed.requests.entry(method.clone()).or_default() += 1;
                    self.answer_server(&method, &id);
                }
                _ => *self.observed.notifications.entry(method).or_default() += 1,
            }
            return None;
        }
        let is_reply = members.contains_key("result") || members.get("error").is_some_and(Value::is_object);
        if !is_reply {
            self.observed.strangers.add(&Value::Object(members).to_string());
            return None;
        }
        let id = match members.get("id") {
            // Over HTTP it is known all the same what is answered.
            None | Some(Value::Null) => to,
            Some(Value::Number(number)) => number.as_u64(),
            Some(Value::String(text)) => text.parse().ok().inspect(|_| {
                self.observed.retyped_ids.add(text);
            }),
            Some(_) => None,
        };
        let is_nameless = id.is_none() && members.get("id").is_none_or(Value::is_null);
        self.nameless += usize::from(is_nameless);
        let matches = match awaited {
            Awaited::Id(wanted) => id == Some(wanted),
            Awaited::Either(one, other) => id == Some(one) || id == Some(other),
            Awaited::Nameless => is_nameless,
        };
        if !matches {
            match id {
                Some(id) if self.given_up.remove(&id) => {
                    self.observed.late += 1;
                    self.answered.insert(id);
                }
                Some(id) if self.answered.contains(&id) => self.observed.repeated.add(&id.to_string()),
                Some(id) if id < self.next_id => {
                    // Another request of ours, whose reply is taken later:
                    // only tests of cancellation have two in flight.
                    self.observed.late += 1;
                }
                _ if is_nameless && self.sent_unreadable => {}
                _ if is_nameless => self.observed.unknown_ids.add("null"),
                _ => self.observed.unknown_ids.add(&members["id"].to_string()),
            }
            return None;
        }
        self.transport.replied();
        self.last_matched = id.unwrap_or_default();
        Some(match members.remove("error") {
            Some(Value::Object(error)) => Answer::Error(RpcError {
                code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
                message: error
                    .get("message")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                data: error.get("data").cloned(),
            }),
            _ => Answer::Result(members.remove("result").unwrap_or_default()),
        })
    }

    /// A server may ask too; it gets an answer, so that it does not wait.
    fn answer_server(&mut self, method: &str, id: &Value) {
        let reply = if method == "ping" {
            json!({"jsonrpc": "2.0", "id": id, "result": {}})
        } else {
            let message = format!("this client does not offer {method}");
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": message}})
        };
        self.send(reply.to_string(), None, None, None);
    }
}

/// What every request of a revision without `initialize` carries.
pub fn metadata(revision: Revision) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision.as_str(),
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": client_info(),
    })
}

/// Who we are.
pub fn client_info() -> Value {
    json!({"name": "candor", "version": env!("CARGO_PKG_VERSION")})
}

#[cfg(test)]
pub(crate) mod tests;
