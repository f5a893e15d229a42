//! The error of a tool, and the envelope in which it travels.

use std::fmt;

use serde_json::{Map, Value};

use crate::{ErrorCode, Place, Reason, Vocabulary};

/// Why a call of a tool failed, in the vocabulary `V`.
///
/// The constructors are the only way to make one, so its reason always belongs
/// to its code. The optional parts are added by [`detail`](Self::detail),
/// [`candidates`](Self::candidates) and [`place`](Self::place).
pub struct ToolError<V: Vocabulary> {
    code: ErrorCode,
    reason: Option<&'static str>,
    // Boxed together: an error is the rare case, and a result must stay small.
    parts: Box<Parts<V>>,
}

struct Parts<V: Vocabulary> {
    message: String,
    candidates: Vec<V::Candidate>,
    place: V::Place,
    detail: Option<String>,
}

impl<V: Vocabulary> ToolError<V> {
    fn new<R: Reason>(code: ErrorCode, reason: Option<R>, message: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.map(Reason::as_str),
            parts: Box::new(Parts {
                message: message.into(),
                candidates: Vec::new(),
                place: V::Place::default(),
                detail: None,
            }),
        }
    }

    /// The arguments are unusable as given.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new::<V::Invalid>(ErrorCode::Invalid, None, message)
    }

    /// The arguments are unusable for a reason of the vocabulary.
    pub fn invalid_because(reason: V::Invalid, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Invalid, Some(reason), message)
    }

    /// Nothing matched.
    pub fn not_found(reason: V::NotFound, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::NotFound, Some(reason), message)
    }

    /// Several things matched; `candidates` are what the caller may pass.
    pub fn ambiguous(candidates: Vec<V::Candidate>, message: impl Into<String>) -> Self {
        Self::new::<V::Ambiguous>(ErrorCode::Ambiguous, None, message).candidates(candidates)
    }

    /// Several things matched, for a reason of the vocabulary.
    pub fn ambiguous_because(reason: V::Ambiguous, candidates: Vec<V::Candidate>, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Ambiguous, Some(reason), message).candidates(candidates)
    }

    /// The world changed since the answer was computed; nothing was written.
    pub fn stale(message: impl Into<String>) -> Self {
        Self::new::<V::Stale>(ErrorCode::Stale, None, message)
    }

    /// The world changed, for a reason of the vocabulary.
    pub fn stale_because(reason: V::Stale, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Stale, Some(reason), message)
    }

    /// Something the call depends on is down or busy.
    pub fn unavailable(reason: V::Unavailable, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Unavailable, Some(reason), message)
    }

    /// An unexpected failure.
    pub fn faulted(message: impl Into<String>) -> Self {
        Self::new::<V::Faulted>(ErrorCode::Faulted, None, message)
    }

    /// A failure for a reason of the vocabulary, such as a write that failed.
    pub fn faulted_because(reason: V::Faulted, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Faulted, Some(reason), message)
    }

    /// Adds what a program may want to know besides the message, such as the
    /// path of an argument or the text of a child process.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.parts.detail = Some(detail.into());
        self
    }

    /// Sets what the caller may choose from. An empty list is not written.
    pub fn candidates(mut self, candidates: Vec<V::Candidate>) -> Self {
        self.parts.candidates = candidates;
        self
    }

    /// Sets what the failure is about.
    pub fn place(mut self, place: V::Place) -> Self {
        self.parts.place = place;
        self
    }

    /// The code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The reason, as it is written in the envelope.
    pub fn reason(&self) -> Option<&'static str> {
        self.reason
    }

    /// The message for people and agents.
    pub fn message(&self) -> &str {
        &self.parts.message
    }

    /// What the failure is about.
    pub fn place_ref(&self) -> &V::Place {
        &self.parts.place
    }

    /// The envelope: what a reply carries.
    pub fn to_envelope(&self) -> Envelope {
        let mut fields = Map::new();
        fields.insert("error".into(), self.code.as_str().into());
        fields.insert("message".into(), self.parts.message.as_str().into());
        if let Some(reason) = self.reason {
            fields.insert("reason".into(), reason.into());
        }
        if !self.parts.candidates.is_empty() {
            let candidates = self.parts.candidates.iter().map(|candidate| {
                // A candidate that cannot be written as JSON must not hide the
                // failure it belongs to; it is named by what it is to Rust.
                serde_json::to_value(candidate).unwrap_or_else(|_| Value::String(format!("{candidate:?}")))
            });
            fields.insert("candidates".into(), candidates.collect());
        }
        for (key, value) in self.parts.place.fields() {
            fields.insert(key.into(), value.into());
        }
        if let Some(detail) = &self.parts.detail {
            fields.insert("detail".into(), detail.as_str().into());
        }
        crate::reply::drop_nulls_in(&mut fields);
        Envelope { fields }
    }

    /// The envelope as compact JSON.
    pub fn to_json(&self) -> String {
        self.to_envelope().to_json()
    }
}

impl<V: Vocabulary> Clone for ToolError<V> {
    fn clone(&self) -> Self {
        Self {
            code: self.code,
            reason: self.reason,
            parts: Box::new(Parts {
                message: self.parts.message.clone(),
                candidates: self.parts.candidates.clone(),
                place: self.parts.place.clone(),
                detail: self.parts.detail.clone(),
            }),
        }
    }
}

impl<V: Vocabulary> fmt::Debug for ToolError<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ToolError({})", self.to_json())
    }
}

impl<V: Vocabulary> fmt::Display for ToolError<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code.as_str())?;
        if let Some(reason) = self.reason {
            write!(formatter, "/{reason}")?;
        }
        write!(formatter, ": {}", self.parts.message)
    }
}

impl<V: Vocabulary> std::error::Error for ToolError<V> {}

impl<V: Vocabulary> From<ToolError<V>> for Envelope {
    fn from(error: ToolError<V>) -> Self {
        error.to_envelope()
    }
}

/// The one JSON object that a failing call answers with.
///
/// Keys stand in this order, and what is not known is left out: `error`,
/// `message`, `reason`, `candidates`, the product's place fields, `detail`.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    fields: Map<String, Value>,
}

impl Envelope {
    fn without_reason(code: ErrorCode, message: &str, detail: Option<&str>) -> Self {
        let mut fields = Map::new();
        fields.insert("error".into(), code.as_str().into());
        fields.insert("message".into(), message.into());
        if let Some(detail) = detail {
            fields.insert("detail".into(), detail.into());
        }
        Self { fields }
    }

    /// An `Invalid` envelope without a reason, for what is decided before a
    /// tool's own vocabulary comes into play.
    pub fn invalid(message: &str, detail: Option<&str>) -> Self {
        Self::without_reason(ErrorCode::Invalid, message, detail)
    }

    /// A `Faulted` envelope without a reason, for what goes wrong around a
    /// tool: a panic, an answer that cannot be sent.
    pub fn faulted(message: &str, detail: Option<&str>) -> Self {
        Self::without_reason(ErrorCode::Faulted, message, detail)
    }

    /// The fields in the order in which they are written.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// The fields, to be sent or to be added to.
    pub fn into_fields(self) -> Map<String, Value> {
        self.fields
    }

    /// Compact JSON.
    pub fn to_json(&self) -> String {
        Value::Object(self.fields.clone()).to_string()
    }
}
