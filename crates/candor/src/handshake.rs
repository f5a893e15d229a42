//! Finds the newest revision that both sides know.
//!
//! A server of 2026-07-28 answers `server/discover`; an older one refuses it
//! (any error will do), and then `initialize` is the way to talk.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::published::Handshake;
use crate::revision::Revision;
use crate::session::{Answer, Session, Silence, client_info};

/// How long a server that says nothing to `server/discover` is waited for
/// before `initialize` is tried as well: as long as the Rust SDK's client does.
const DISCOVER_PATIENCE: Duration = Duration::from_secs(10);

/// `UnsupportedProtocolVersion`, whose data lists what is supported.
const UNSUPPORTED_VERSION: i64 = -32022;

/// A conversation that has begun.
#[derive(Debug, Clone, PartialEq)]
pub struct Begun {
    /// How.
    pub handshake: Handshake,
    /// The revision; `None` when the server named one that nobody knows.
    pub revision: Option<Revision>,
    /// The result of `initialize` or `server/discover`.
    pub introduction: Map<String, Value>,
}

/// Why a conversation could not begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// No reply.
    #[error("{0}")]
    Silence(#[from] Silence),
    /// An error instead of a result.
    #[error("`{method}` was refused: {message} ({code})")]
    Refused {
        /// The request.
        method: &'static str,
        /// The code of the error.
        code: i64,
        /// Its message.
        message: String,
    },
    /// A result that is no object.
    #[error("`{0}` was answered with something that is no object")]
    NoObject(&'static str),
}

/// Begins a conversation, at `wanted` or at the newest revision possible.
///
/// # Errors
/// When the server does not take part. After [`Silence::Closed`] it may be
/// started anew and asked for an older revision.
pub fn begin(session: &mut Session, wanted: Option<Revision>, time: Duration) -> Result<Begun, HandshakeError> {
    let ends = Instant::now() + time;
    let left = || ends.saturating_duration_since(Instant::now());
    if let Some(revision) = wanted.filter(|revision| revision.has_initialize()) {
        return initialize(session, revision, time);
    }
    let is_open = wanted.is_none();
    let discover = send_discover(session);
    let patience = if is_open { DISCOVER_PATIENCE.min(time / 2) } else { time };
    // Whichever wait it is that ends: the limit is the one for the start.
    let limited = |silence| match silence {
        Silence::TimedOut(_) => Silence::TimedOut(time),
        other => other,
    };
    let answer = match session.wait(discover, patience) {
        // The server is slow, or one that drops what it does not know: the
        // next request tells. Its reply to the first may still come.
        Err(Silence::TimedOut(_)) if is_open => {
            let first = send_initialize(session, Revision::NEWEST_WITH_INITIALIZE);
            match session.wait_either(discover, first, left()).map_err(limited)? {
                (id, answer) if id == first => return introduced(session, Revision::NEWEST_WITH_INITIALIZE, answer),
                (_, Answer::Error(_)) => {
                    let answer = session.wait(first, left()).map_err(limited)?;
                    return introduced(session, Revision::NEWEST_WITH_INITIALIZE, answer);
                }
                (_, answer) => answer,
            }
        }
        answer => answer?,
    };
    match answer {
        // A server that answers everything with an empty result says nothing
        // about revisions.
        Answer::Result(Value::Object(introduction)) if is_open && !introduction.contains_key("supportedVersions") => {
            initialize(session, Revision::NEWEST_WITH_INITIALIZE, left())
        }
        Answer::Result(Value::Object(introduction)) => match newest(introduction.get("supportedVersions")) {
            Some(revision) if revision.has_initialize() && is_open => initialize(session, revision, left()),
            revision => {
                session.speak(Revision::July2026);
                Ok(Begun {
                    handshake: Handshake::Discover,
                    revision,
                    introduction,
                })
            }
        },
        Answer::Result(_) if !is_open => Err(HandshakeError::NoObject("server/discover")),
        Answer::Error(error) if !is_open => Err(HandshakeError::Refused {
            method: "server/discover",
            code: error.code,
            message: error.message,
        }),
        Answer::Error(error) if error.code == UNSUPPORTED_VERSION => {
            let supported = error.data.as_ref().and_then(|data| data.get("supported"));
            let revision = newest(supported)
                .filter(|revision| revision.has_initialize())
                .unwrap_or(Revision::NEWEST_WITH_INITIALIZE);
            initialize(session, revision, left())
        }
        // Anything else is how older servers say that they do not know it.
        _ => initialize(session, Revision::NEWEST_WITH_INITIALIZE, left()),
    }
}

fn newest(names: Option<&Value>) -> Option<Revision> {
    names?
        .as_array()?
        .iter()
        .filter_map(|name| Revision::parse(name.as_str()?))
        .max()
}

fn send_discover(session: &mut Session) -> u64 {
    session.speak(Revision::July2026);
    session.send_request("server/discover", json!({}))
}

fn send_initialize(session: &mut Session, revision: Revision) -> u64 {
    session.forget_revision();
    let params = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": {},
        "clientInfo": client_info(),
    });
    session.send_request("initialize", params)
}

/// Begins a conversation with `initialize`.
///
/// # Errors
/// When the server does not take part.
pub fn initialize(session: &mut Session, revision: Revision, time: Duration) -> Result<Begun, HandshakeError> {
    let id = send_initialize(session, revision);
    let answer = session.wait(id, time)?;
    introduced(session, revision, answer)
}

fn introduced(session: &mut Session, asked: Revision, answer: Answer) -> Result<Begun, HandshakeError> {
    match answer {
        Answer::Result(Value::Object(introduction)) => {
            let agreed = introduction
                .get("protocolVersion")
                .and_then(Value::as_str)
                .and_then(Revision::parse);
            session.speak(agreed.unwrap_or(asked));
            session.notify("notifications/initialized", Value::Null);
            Ok(Begun {
                handshake: Handshake::Initialize,
                revision: agreed,
                introduction,
            })
        }
        Answer::Result(_) => Err(HandshakeError::NoObject("initialize")),
        Answer::Error(error) => Err(HandshakeError::Refused {
            method: "initialize",
            code: error.code,
            message: error.message,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::session;

    const TIME: Duration = Duration::from_secs(5);
    const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}"#;

    #[track_caller]
    fn expect(lines: &[&str], handshake: Handshake, revision: Option<Revision>, methods: &[&str]) {
        let (mut session, sent) = session(lines);
        let begun = begin(&mut session, None, TIME).unwrap();
        assert_eq!((begun.handshake, begun.revision), (handshake, revision));
        let said: Vec<String> = sent
            .borrow()
            .iter()
            .map(|text| {
                serde_json::from_str::<Value>(text).unwrap()["method"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(said, methods);
    }

    #[test]
    fn a_server_of_the_newest_revision_needs_no_initialize() {
        expect(
            &[
                r#"{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{}}}"#,
            ],
            Handshake::Discover,
            Some(Revision::July2026),
            &["server/discover"],
        );
    }

    #[test]
    fn an_older_server_is_initialised() {
        for refusal in [
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2025-06-18"]}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] {
            expect(
                &[refusal, INITIALIZED],
                Handshake::Initialize,
                Some(Revision::June2025),
                &["server/discover", "initialize", "notifications/initialized"],
            );
        }
    }

    #[test]
    fn a_revision_that_nobody_knows_is_none() {
        expect(
            &[
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
                r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2099-01-01"}}"#,
            ],
            Handshake::Initialize,
            None,
            &["server/discover", "initialize", "notifications/initialized"],
        );
    }

    #[test]
    fn who_says_nothing_ends_in_the_time_for_the_start() {
        let (mut session, _) = session(&[]);
        let error = begin(&mut session, None, TIME).unwrap_err();
        assert_eq!(error.to_string(), "no reply within 5 s");
    }
}
