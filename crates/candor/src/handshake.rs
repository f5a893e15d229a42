//! Finds the newest revision that both sides know.
//!
//! A server of 2026-07-28 answers `server/discover`; an older one refuses it
//! (any error will do), and then `initialize` is the way to talk.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::published::Handshake;
use crate::revision::Revision;
use crate::session::{Answer, Session, Silence, client_info, metadata};

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
    match wanted {
        Some(revision) if revision.has_initialize() => return initialize(session, revision, time),
        _ => {}
    }
    let params = json!({"_meta": metadata(Revision::July2026)});
    session.speak(Revision::July2026);
    let id = session.send_request("server/discover", params);
    match session.wait(id, time.min(DISCOVER_PATIENCE)) {
        Ok(Answer::Result(Value::Object(introduction))) => {
            let names = introduction.get("supportedVersions").and_then(Value::as_array);
            let newest = names
                .into_iter()
                .flatten()
                .filter_map(|name| Revision::parse(name.as_str()?))
                .max();
            match newest {
                Some(revision) if revision.has_initialize() => {
                    initialize(session, revision, ends.saturating_duration_since(Instant::now()))
                }
                newest => Ok(Begun {
                    handshake: Handshake::Discover,
                    revision: newest,
                    introduction,
                }),
            }
        }
        Ok(Answer::Result(_)) if wanted.is_some() => Err(HandshakeError::NoObject("server/discover")),
        Ok(Answer::Error(error)) if wanted.is_some() => Err(HandshakeError::Refused {
            method: "server/discover",
            code: error.code,
            message: error.message,
        }),
        Err(silence) if wanted.is_some() => Err(silence.into()),
        Err(silence) if silence.is_end() => Err(silence.into()),
        Ok(Answer::Error(error)) if error.code == UNSUPPORTED_VERSION => {
            let newest = error
                .data
                .as_ref()
                .and_then(|data| data.get("supported")?.as_array())
                .into_iter()
                .flatten()
                .filter_map(|name| Revision::parse(name.as_str()?))
                .filter(|revision| revision.has_initialize())
                .max()
                .unwrap_or(Revision::NEWEST_WITH_INITIALIZE);
            initialize(session, newest, ends.saturating_duration_since(Instant::now()))
        }
        // Anything else is how older servers say that they do not know it.
        _ => initialize(
            session,
            Revision::NEWEST_WITH_INITIALIZE,
            ends.saturating_duration_since(Instant::now()),
        ),
    }
}

/// Begins a conversation with `initialize`.
///
/// # Errors
/// When the server does not take part.
pub fn initialize(session: &mut Session, revision: Revision, time: Duration) -> Result<Begun, HandshakeError> {
    session.forget_revision();
    let params = json!({
        "protocolVersion": revision.as_str(),
        "capabilities": {},
        "clientInfo": client_info(),
    });
    match session.request("initialize", params, time)? {
        Answer::Result(Value::Object(introduction)) => {
            let agreed = introduction
                .get("protocolVersion")
                .and_then(Value::as_str)
                .and_then(Revision::parse);
            session.speak(agreed.unwrap_or(revision));
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
