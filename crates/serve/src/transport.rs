//! JSON-RPC, one message a line, such that every message that wants an answer
//! gets one.
//!
//! The library's own transport says nothing to a line that is no JSON or holds
//! no request, and stops waiting for calls five seconds after the input ended.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::handler::kind;

/// The longest line that is read; a longer one is refused and skipped.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// How long calls in flight may still take when the input has ended.
const DRAINING: Duration = Duration::from_secs(25);

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

pub(crate) struct LineTransport<R, W> {
    reader: BufReader<R>,
    line: Vec<u8>,
    skipping: bool,
    writer: Arc<tokio::sync::Mutex<Option<W>>>,
    waiting: Arc<Waiting>,
    begun: bool,
    input_ended: Option<Instant>,
}

/// What has been asked and not yet been answered.
#[derive(Default)]
struct Waiting {
    state: Mutex<WaitingState>,
    changed: Notify,
}

#[derive(Default)]
struct WaitingState {
    requests: HashSet<RequestId>,
    refusals: usize,
}

impl Waiting {
    fn change(&self, change: impl FnOnce(&mut WaitingState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_waiters();
    }

    fn is_over(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.is_empty() && state.refusals == 0
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(reader: R, writer: W) -> Self {
        Self {
            reader: BufReader::new(reader),
            line: Vec::new(),
            skipping: false,
            writer: Arc::new(tokio::sync::Mutex::new(Some(writer))),
            waiting: Arc::default(),
            begun: false,
            input_ended: None,
        }
    }

    /// Reads one line into `self.line`, without its end. Can be dropped at any
    /// await and called again: what was read stays.
    async fn read_line(&mut self) -> io::Result<Line> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // A last line without an end may hold a request all the same.
                return Ok(if std::mem::take(&mut self.skipping) {
                    Line::TooLong
                } else if self.line.is_empty() {
                    Line::End
                } else {
                    Line::Whole
                });
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            let fits = self.line.len() + taken <= LONGEST_LINE;
            if fits && !self.skipping {
                self.line.extend_from_slice(&available[..end.unwrap_or(taken)]);
            } else {
                self.skipping = true;
                self.line.clear();
            }
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(if std::mem::take(&mut self.skipping) {
                    Line::TooLong
                } else {
                    Line::Whole
                });
            }
        }
    }

    /// Answers a line that holds no message. Does not wait, since reading may
    /// be dropped at any await.
    fn refuse(&self, refusal: &Refusal) {
        self.waiting.change(|state| state.refusals += 1);
        let mut line = json!({
            "jsonrpc": "2.0",
            "id": refusal.id,
            "error": {"code": refusal.code, "message": refusal.message},
        })
        .to_string();
        line.push('\n');
        let (writer, waiting) = (Arc::clone(&self.writer), Arc::clone(&self.waiting));
        tokio::spawn(async move {
            // When the peer no longer reads, there is nobody to tell.
            let _ = write(&writer, line.as_bytes()).await;
            waiting.change(|state| state.refusals -= 1);
        });
    }

    async fn next(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.read_line().await {
                Ok(Line::Whole) => {}
                Ok(Line::TooLong) => {
                    self.refuse(&Refusal {
                        code: INVALID_REQUEST,
                        message: format!("the line is longer than {LONGEST_LINE} bytes"),
                        id: Value::Null,
                    });
                    continue;
                }
                Ok(Line::End) | Err(_) => return None,
            }
            let parsed = parse(&self.line);
            self.line.clear();
            match parsed {
                Parsed::Message(message) => match self.admit(&message) {
                    Admission::Let => return Some(*message),
                    Admission::Keep => {}
                    Admission::Refuse(refusal) => self.refuse(&refusal),
                },
                Parsed::Nothing => {}
                Parsed::Refused(refusal) => self.refuse(&refusal),
            }
        }
    }

    /// Keeps count of requests, refuses one whose id is still in use (the
    /// library would answer only one of the two), and keeps back notifications
    /// that come before the first request (the library ends on one).
    fn admit(&mut self, message: &ClientJsonRpcMessage) -> Admission {
        match message {
            ClientJsonRpcMessage::Request(request) => {
                self.begun |= begins(message);
                let mut is_free = true;
                self.waiting.change(|state| {
                    is_free = state.requests.insert(request.id.clone());
                });
                if is_free {
                    return Admission::Let;
                }
                let id = request.id.clone().into_json_value();
                Admission::Refuse(Refusal {
                    code: INVALID_REQUEST,
                    message: format!("a request with the id {id} is not answered yet"),
                    id,
                })
            }
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.waiting.change(|state| {
                        state.requests.remove(id);
                    });
                }
                self.begun.into()
            }
            _ => self.begun.into(),
        }
    }
}

/// What becomes of a message.
enum Admission {
    Let,
    Keep,
    Refuse(Refusal),
}

impl From<bool> for Admission {
    fn from(is_let: bool) -> Self {
        if is_let { Self::Let } else { Self::Keep }
    }
}

/// Whether the library leaves its waiting for a beginning with this request.
fn begins(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else {
        return false;
    };
    match &request.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        other => other.get_meta().protocol_version().is_some(),
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (writer, waiting) = (Arc::clone(&self.writer), Arc::clone(&self.waiting));
        async move {
            let answered = match &message {
                ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
                ServerJsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let written = write(&writer, &line).await;
            if let Some(id) = answered {
                waiting.change(|state| {
                    state.requests.remove(&id);
                });
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        if self.input_ended.is_none() {
            if let Some(message) = self.next().await {
                return Some(message);
            }
            self.input_ended = Some(Instant::now());
        }
        let until = self.input_ended? + DRAINING;
        let waiting = Arc::clone(&self.waiting);
        loop {
            let changed = waiting.changed.notified();
            if waiting.is_over() || tokio::time::timeout_at(until, changed).await.is_err() {
                return None;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.take();
        Ok(())
    }
}

async fn write<W: AsyncWrite + Unpin>(writer: &tokio::sync::Mutex<Option<W>>, line: &[u8]) -> io::Result<()> {
    let mut writer = writer.lock().await;
    let writer = writer
        .as_mut()
        .ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))?;
    writer.write_all(line).await?;
    writer.flush().await
}

#[derive(Debug, PartialEq)]
struct Refusal {
    code: i32,
    message: String,
    id: Value,
}

enum Parsed {
    Message(Box<ClientJsonRpcMessage>),
    Refused(Refusal),
    Nothing,
}

fn parse(line: &[u8]) -> Parsed {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Parsed::Nothing;
    }
    match serde_json::from_slice(line) {
        Ok(message) => match misread_list(line, &message) {
            Some(refusal) => Parsed::Refused(refusal),
            None => Parsed::Message(Box::new(message)),
        },
        Err(problem) => explain(line, &problem),
    }
}

/// The library reads a `tools/list` whose parameters do not fit as one without
/// parameters, which would answer a broken cursor with the first page.
fn misread_list(line: &[u8], message: &ClientJsonRpcMessage) -> Option<Refusal> {
    let ClientJsonRpcMessage::Request(request) = message else {
        return None;
    };
    let ClientRequest::ListToolsRequest(list) = &request.request else {
        return None;
    };
    if list.params.is_some() {
        return None;
    }
    let line: Value = serde_json::from_slice(line).ok()?;
    let cursor = line.get("params")?.get("cursor")?;
    (!cursor.is_null()).then(|| Refusal {
        code: INVALID_PARAMS,
        message: format!("tools/list: `cursor` must be a string, but is {}", kind(cursor)),
        id: line["id"].clone(),
    })
}

/// Says why a line holds no message. Notifications and responses are never
/// answered, whatever is wrong with them.
fn explain(line: &[u8], problem: &serde_json::Error) -> Parsed {
    let refused = |code, message: String, id: &Value| {
        Parsed::Refused(Refusal {
            code,
            message,
            id: id.clone(),
        })
    };
    let members = match serde_json::from_slice(line) {
        Ok(Value::Object(members)) => members,
        Ok(Value::Array(_)) => {
            let message = "batches are not supported: send one message a line".into();
            return refused(INVALID_REQUEST, message, &Value::Null);
        }
        Ok(_) => {
            let message = "a message must be a JSON object".into();
            return refused(INVALID_REQUEST, message, &Value::Null);
        }
        Err(error) => {
            return refused(PARSE_ERROR, format!("not JSON: {error}"), &Value::Null);
        }
    };
    let id = members.get("id");
    let method = members.get("method");
    let is_response = members.contains_key("result") || members.contains_key("error");
    if method.is_none() && is_response || method.is_some_and(Value::is_string) && id.is_none() {
        return Parsed::Nothing;
    }
    let known_id = id
        .filter(|id| id.is_string() || id.is_i64() || id.is_u64())
        .unwrap_or(&Value::Null);
    let message = if members.get("jsonrpc") != Some(&"2.0".into()) {
        "`jsonrpc` must be \"2.0\"".into()
    } else if method.is_none() {
        "`method` is missing".into()
    } else if !method.is_some_and(Value::is_string) {
        "`method` must be a string".into()
    } else if known_id.is_null() {
        "`id` must be a string or an integer".into()
    } else if let (Some(method), Some(params)) = (method.and_then(Value::as_str), members.get("params"))
        && !params.is_object()
    {
        let message = format!("{method}: `params` must be an object, but is {}", kind(params));
        return refused(INVALID_PARAMS, message, known_id);
    } else if let (Some(method), Some(meta)) = (
        method.and_then(Value::as_str),
        members.get("params").and_then(|params| params.get("_meta")),
    ) && !meta.is_object()
    {
        let message = format!("{method}: `_meta` must be an object, but is {}", kind(meta));
        return refused(INVALID_PARAMS, message, known_id);
    } else {
        problem.to_string()
    };
    refused(INVALID_REQUEST, message, known_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expect_refused(line: &str, code: i32, id: Value, words: &str) {
        match parse(line.as_bytes()) {
            Parsed::Refused(refusal) => {
                assert_eq!((refusal.code, refusal.id), (code, id), "{line}");
                assert!(refusal.message.contains(words), "{}", refusal.message);
            }
            Parsed::Message(message) => panic!("{line} was taken for {message:?}"),
            Parsed::Nothing => panic!("{line} was passed over"),
        }
    }

    #[test]
    fn what_is_no_request_is_refused_with_the_reason() {
        expect_refused("hello", PARSE_ERROR, Value::Null, "not JSON");
        expect_refused("{\"id\":1", PARSE_ERROR, Value::Null, "not JSON");
        expect_refused(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}"#,
            INVALID_PARAMS,
            json!(1),
            "`cursor`",
        );
        expect_refused(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#,
            INVALID_PARAMS,
            json!(1),
            "`params` must be an object, but is an array",
        );
        expect_refused(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":5}}"#,
            INVALID_PARAMS,
            json!(1),
            "`_meta` must be an object, but is a number",
        );
        expect_refused("[]", INVALID_REQUEST, Value::Null, "batches");
        expect_refused("7", INVALID_REQUEST, Value::Null, "JSON object");
        expect_refused(
            r#"{"jsonrpc":"2.0","id":1}"#,
            INVALID_REQUEST,
            json!(1),
            "`method` is missing",
        );
        expect_refused(
            r#"{"jsonrpc":"2.0","id":"a","method":7}"#,
            INVALID_REQUEST,
            json!("a"),
            "must be a string",
        );
        expect_refused(r#"{"id":1,"method":"ping"}"#, INVALID_REQUEST, json!(1), "jsonrpc");
        expect_refused(
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            INVALID_REQUEST,
            Value::Null,
            "`id`",
        );
        expect_refused(
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            INVALID_REQUEST,
            Value::Null,
            "`id`",
        );
    }

    #[test]
    fn what_wants_no_answer_gets_none() {
        for line in [
            "",
            "  \r",
            r#"{"method":"notifications/x"}"#,
            r#"{"jsonrpc":"2.0","id":[],"result":{}}"#,
        ] {
            assert!(matches!(parse(line.as_bytes()), Parsed::Nothing), "{line}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_a_carriage_return_do_no_harm() {
        let line = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(parse(line.as_bytes()), Parsed::Message(_)));
    }
}
