//! One failure in the journal.

use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::{Map, Value};

/// A failure as it stands in the journal. What is not known is `None` and left
/// out of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalRecord {
    /// Twelve hexadecimal digits; empty when another writer gave none.
    pub id: String,
    /// When it was met: UTC with microseconds, as in RFC 3339.
    pub created_at: Option<String>,
    /// A short kind such as `unfaithful_heal`, or a reason of a vocabulary.
    pub code: Option<String>,
    /// What happened, in full.
    pub message: String,
    /// What met it: a tool, or another surface.
    pub tool: Option<String>,
    /// The entry it concerns.
    pub hash: Option<String>,
    /// The project it concerns; without one it concerns all.
    pub project: Option<String>,
    /// The file it concerns.
    pub file_path: Option<String>,
    /// The line in that file, from 1.
    pub line: Option<u64>,
    /// The column in that line, from 1.
    pub column: Option<u64>,
    /// What a person had asked for.
    pub prompt: Option<String>,
    /// Where in the program it was met.
    pub traceback: Option<String>,
}

impl JournalRecord {
    /// The record in a line; `None` when the line holds no JSON object.
    /// A field of an unexpected kind counts as not known.
    pub fn from_line(line: &[u8]) -> Option<Self> {
        let Ok(Value::Object(fields)) = serde_json::from_slice(line) else {
            return None;
        };
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(String::from);
        let number = |name: &str| fields.get(name).and_then(Value::as_u64);
        Some(Self {
            id: text("id").unwrap_or_default(),
            created_at: text("created_at"),
            code: text("code"),
            message: text("message").unwrap_or_default(),
            tool: text("tool"),
            hash: text("hash"),
            project: text("project"),
            file_path: text("filePath"),
            line: number("line"),
            column: number("column"),
            prompt: text("prompt"),
            traceback: text("traceback"),
        })
    }

    /// The record as compact JSON, without a line end.
    pub fn to_line(&self) -> String {
        Value::Object(self.to_map()).to_string()
    }

    /// The record as JSON members, in the order of the file.
    pub fn to_map(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("id".into(), self.id.as_str().into());
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                fields.insert(name.into(), value);
            }
        };
        let text = |value: &Option<String>| value.as_deref().map(Value::from);
        put("created_at", text(&self.created_at));
        put("code", text(&self.code));
        put("message", Some(self.message.as_str().into()));
        put("tool", text(&self.tool));
        put("hash", text(&self.hash));
        put("project", text(&self.project));
        put("filePath", text(&self.file_path));
        put("line", self.line.map(Value::from));
        put("column", self.column.map(Value::from));
        put("prompt", text(&self.prompt));
        put("traceback", text(&self.traceback));
        fields
    }

    /// When the record was made, if it says so in a form that can be read.
    pub(crate) fn created(&self) -> Option<Timestamp> {
        self.created_at.as_deref()?.parse().ok()
    }
}

/// A failure that is about to be written; [`Journal::record`] and
/// [`CallScope::record`] add its id and the time.
///
/// [`Journal::record`]: crate::Journal::record
/// [`CallScope::record`]: crate::CallScope::record
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalDraft {
    record: JournalRecord,
}

impl JournalDraft {
    /// A failure that is told by `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            record: JournalRecord {
                message: message.into(),
                ..JournalRecord::default()
            },
        }
    }

    /// A short kind such as `unfaithful_heal`, or a reason of a vocabulary.
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.record.code = Some(code.into());
        self
    }

    /// What met it. A [`CallScope`](crate::CallScope) fills in its own tool
    /// when nothing was said.
    pub fn tool(mut self, tool: impl Into<String>) -> Self {
        self.record.tool = Some(tool.into());
        self
    }

    /// The entry it concerns.
    pub fn hash(mut self, hash: impl Into<String>) -> Self {
        self.record.hash = Some(hash.into());
        self
    }

    /// The project it concerns.
    pub fn project(mut self, project: impl Into<String>) -> Self {
        self.record.project = Some(project.into());
        self
    }

    /// The file it concerns.
    pub fn file_path(mut self, path: impl Into<String>) -> Self {
        self.record.file_path = Some(path.into());
        self
    }

    /// The place in that file, both from 1.
    pub fn position(mut self, line: u64, column: u64) -> Self {
        self.record.line = Some(line);
        self.record.column = Some(column);
        self
    }

    /// What a person had asked for.
    pub fn prompt(mut self, prompt: impl Into<String>) -> Self {
        self.record.prompt = Some(prompt.into());
        self
    }

    /// Where in the program it was met.
    pub fn traceback(mut self, traceback: impl Into<String>) -> Self {
        self.record.traceback = Some(traceback.into());
        self
    }

    pub(crate) fn tool_or(mut self, tool: &str) -> Self {
        self.record.tool.get_or_insert_with(|| tool.into());
        self
    }

    pub(crate) fn finish(self) -> JournalRecord {
        JournalRecord {
            id: random_id(),
            created_at: Some(timestamp(SystemTime::now())),
            ..self.record
        }
    }
}

/// Twelve random hexadecimal digits.
pub(crate) fn random_id() -> String {
    let mut bytes = [0_u8; 6];
    if getrandom::fill(&mut bytes).is_err() {
        // Without the system's randomness, time and process still make ids
        // differ; a failure must be recorded even then.
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos() as u64);
        let mixed = now.rotate_left(17) ^ u64::from(std::process::id());
        bytes.copy_from_slice(&mixed.to_le_bytes()[..6]);
    }
    let number = bytes
        .iter()
        .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    format!("{number:012x}")
}

/// UTC with microseconds, as in RFC 3339.
fn timestamp(time: SystemTime) -> String {
    let timestamp = Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{timestamp:.6}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_record_is_written_in_order_and_without_what_is_not_known() {
        let record = JournalRecord {
            id: "0123456789ab".into(),
            created_at: Some("2026-11-30T12:00:00.000001Z".into()),
            code: Some("Panicked".into()),
            message: "It broke.\nBadly.".into(),
            tool: Some("analyze".into()),
            hash: None,
            project: Some("/p".into()),
            file_path: Some("/p/a.al".into()),
            line: Some(3),
            column: Some(7),
            prompt: None,
            traceback: Some("here".into()),
        };
        let line = r#"{"id":"0123456789ab","created_at":"2026-11-30T12:00:00.000001Z","code":"Panicked","message":"It broke.\nBadly.","tool":"analyze","project":"/p","filePath":"/p/a.al","line":3,"column":7,"traceback":"here"}"#;
        assert_eq!(record.to_line(), line);
        assert_eq!(JournalRecord::from_line(line.as_bytes()), Some(record));
    }

    #[test]
    fn a_line_that_is_no_object_is_no_record() {
        for line in ["[1,2]", "", "7", "null", "{\"id\":", "not json"] {
            assert_eq!(JournalRecord::from_line(line.as_bytes()), None, "{line}");
        }
        assert_eq!(JournalRecord::from_line(b"{\"id\":\"\xff\"}"), None);
    }

    #[test]
    fn a_field_of_another_kind_is_not_known() {
        let record = JournalRecord::from_line(br#"{"id":7,"message":"m","line":"x","code":null}"#).unwrap();
        assert_eq!(
            record,
            JournalRecord {
                message: "m".into(),
                ..JournalRecord::default()
            }
        );
    }

    #[test]
    fn a_finished_draft_has_an_id_and_a_time_in_microseconds() {
        let record = JournalDraft::new("m").finish();
        assert_eq!(record.id.len(), 12);
        assert!(
            record
                .id
                .bytes()
                .all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
        );
        assert!(record.created().is_some());
        assert_eq!(
            timestamp(SystemTime::UNIX_EPOCH + Duration::from_millis(1500)),
            "1970-01-01T00:00:01.500000Z"
        );
    }

    #[test]
    fn both_ways_of_writing_utc_are_read() {
        let at = |text: &str| {
            JournalRecord {
                created_at: Some(text.into()),
                ..JournalRecord::default()
            }
            .created()
        };
        assert_eq!(
            at("2026-11-30T12:00:00.000001+00:00"),
            at("2026-11-30T12:00:00.000001Z")
        );
        assert!(at("2026-11-30T12:00:00Z").is_some());
        assert_eq!(at("yesterday"), None);
    }
}
