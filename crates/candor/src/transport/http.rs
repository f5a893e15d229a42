//! A server behind streamable HTTP.
//!
//! Every message is a POST of its own, made by a thread of its own; a reply is
//! one JSON body or a stream of events, and all end up in one queue.

use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use candor_contract::shortened;
use ureq::http::header::{ACCEPT, CONTENT_TYPE};
use ureq::{Agent, Body, http};

use super::{Closing, ConnectError, Incoming, Outgoing, Transport};
use crate::limits::{FLOOD_BYTES, MESSAGE_BYTES};

const SESSION: &str = "Mcp-Session-Id";

/// How long a request may take as a whole. Who waits for the reply gives up
/// earlier; this only ends the thread.
const REQUEST_TIME: Duration = Duration::from_secs(300);

/// How many characters of a body that is no message are kept.
const SHOWN_BODY: usize = 500;

pub(super) struct Http {
    agent: Agent,
    url: String,
    headers: Vec<(String, String)>,
    session: Arc<Mutex<Option<String>>>,
    sender: Sender<Incoming>,
    events: Receiver<Incoming>,
    since_reply: Arc<AtomicUsize>,
}

impl Http {
    pub(super) fn new(url: &str, headers: &[(String, String)]) -> Result<Self, ConnectError> {
        let refuse = |why: String| ConnectError::Address {
            url: url.to_owned(),
            why,
        };
        let parsed: http::Uri = url
            .parse()
            .map_err(|error: http::uri::InvalidUri| refuse(error.to_string()))?;
        if !matches!(parsed.scheme_str(), Some("http" | "https")) || parsed.host().is_none() {
            return Err(refuse(
                "it must begin with http:// or https:// and name a host".to_owned(),
            ));
        }
        for (name, value) in headers {
            if http::HeaderName::try_from(name.as_str()).is_err()
                || http::HeaderValue::try_from(value.as_str()).is_err()
            {
                return Err(refuse(format!("`{name}` is no header that can be sent")));
            }
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(REQUEST_TIME))
            .timeout_connect(Some(Duration::from_secs(20)))
            .build()
            .new_agent();
        let (sender, events) = channel();
        Ok(Self {
            agent,
            url: url.to_owned(),
            headers: headers.to_vec(),
            session: Arc::default(),
            sender,
            events,
            since_reply: Arc::default(),
        })
    }

    fn request(&self, message: &Outgoing) -> http::request::Builder {
        let mut request = http::Request::builder()
            .method("POST")
            .uri(&self.url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream");
        if let Some(session) = &*self.session.lock().unwrap_or_else(PoisonError::into_inner) {
            request = request.header(SESSION, session);
        }
        if let Some(revision) = message.revision {
            request = request.header("MCP-Protocol-Version", revision.as_str());
            if !revision.has_initialize() {
                if let Some(method) = &message.method {
                    request = request.header("Mcp-Method", method);
                }
                if let Some(name) = &message.name
                    && http::HeaderValue::try_from(name).is_ok()
                {
                    request = request.header("Mcp-Name", name);
                }
            }
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request
    }
}

impl Transport for Http {
    fn send(&mut self, message: &Outgoing) {
        let id = message.id;
        let request = match self.request(message).body(message.text.clone()) {
            Ok(request) => request,
            Err(error) => {
                let _ = self.sender.send(Incoming::Closed(error.to_string()));
                return;
            }
        };
        let exchange = Exchange {
            id,
            session: Arc::clone(&self.session),
            sender: self.sender.clone(),
            since_reply: Arc::clone(&self.since_reply),
        };
        let agent = self.agent.clone();
        std::thread::spawn(move || match agent.run(request) {
            Ok(response) => exchange.read(response),
            Err(error) => exchange.failed(&error.to_string()),
        });
    }

    fn receive(&mut self, deadline: Instant) -> Option<Incoming> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.events.recv_timeout(left).ok()
    }

    fn hears_notifications(&self) -> bool {
        false
    }

    fn replied(&mut self) {
        self.since_reply.store(0, Ordering::Relaxed);
    }

    fn stderr_tail(&self) -> String {
        String::new()
    }

    fn close(&mut self) -> Closing {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(session) = session {
            let mut request = self.agent.delete(&self.url).header(SESSION, &session);
            for (name, value) in &self.headers {
                request = request.header(name, value);
            }
            // A server may refuse to end sessions; the session is of no use
            // any more in any case.
            let _ = request
                .config()
                .timeout_global(Some(Duration::from_secs(3)))
                .build()
                .call();
        }
        Closing::Gracefully
    }

    fn abort(&mut self) {
        self.close();
    }
}

struct Exchange {
    id: Option<u64>,
    session: Arc<Mutex<Option<String>>>,
    sender: Sender<Incoming>,
    since_reply: Arc<AtomicUsize>,
}

impl Exchange {
    fn message(&self, text: Vec<u8>) -> Incoming {
        Incoming::Message { text, to: self.id }
    }

    fn failed(&self, why: &str) {
        // A notification that failed is nothing anybody waits for.
        if self.id.is_some() {
            let _ = self.sender.send(Incoming::Closed(format!("the request failed: {why}")));
        }
    }

    fn read(&self, response: http::Response<Body>) {
        let (parts, body) = response.into_parts();
        if let Some(session) = parts.headers.get(SESSION).and_then(|value| value.to_str().ok()) {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.to_owned());
        }
        let status = parts.status.as_u16();
        let kind = parts
            .headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        if kind.starts_with("text/event-stream") {
            self.read_events(body);
        } else {
            self.read_body(status, body);
        }
    }

    fn read_body(&self, status: u16, body: Body) {
        let mut text = Vec::new();
        let limit = (MESSAGE_BYTES + 1) as u64;
        if let Err(error) = body.into_reader().take(limit).read_to_end(&mut text) {
            return self.failed(&error.to_string());
        }
        let event = if text.len() > MESSAGE_BYTES {
            Incoming::Oversized
        } else if text
            .trim_ascii_start()
            .first()
            .is_some_and(|byte| matches!(byte, b'{' | b'['))
        {
            self.message(text)
        } else if self.id.is_some() || !(200..300).contains(&status) {
            let body = shortened(String::from_utf8_lossy(&text).trim(), SHOWN_BODY).into_owned();
            Incoming::Refused {
                id: self.id,
                status,
                body,
            }
        } else {
            return;
        };
        let _ = self.sender.send(event);
    }

    fn read_events(&self, body: Body) {
        let mut reader = BufReader::new(body.into_reader());
        let mut data = Vec::new();
        loop {
            let mut line = Vec::new();
            match (&mut reader).take(MESSAGE_BYTES as u64).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if self.since_reply.fetch_add(line.len(), Ordering::Relaxed) + line.len() > FLOOD_BYTES {
                let _ = self.sender.send(Incoming::Flooded);
                return;
            }
            let line = line.trim_ascii_end();
            if line.is_empty() {
                if !data.is_empty() && self.sender.send(self.message(std::mem::take(&mut data))).is_err() {
                    return;
                }
            } else if let Some(text) = line.strip_prefix(b"data:") {
                if !data.is_empty() {
                    data.push(b'\n');
                }
                data.extend_from_slice(text.strip_prefix(b" ").unwrap_or(text));
                if data.len() > MESSAGE_BYTES {
                    data = Vec::new();
                    let _ = self.sender.send(Incoming::Oversized);
                }
            }
        }
        if !data.is_empty() {
            let _ = self.sender.send(self.message(data));
        }
        if let Some(id) = self.id {
            let _ = self.sender.send(Incoming::StreamEnded { id });
        }
    }
}
