//! What a reply says about failures that nobody asked about.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::position::{Position, Stamp};
use super::predecessor::OwnPosition;
use super::{Cursor, Journal, JournalError, JournalRecord, OwnRecords};
use crate::{NEW_ERRORS, NEW_ERRORS_OMITTED, shortened};

/// How many failures a reply shows at most.
const SHOWN: usize = 10;

/// How many characters of a message a reply shows at most.
const MESSAGE_CHARACTERS: usize = 300;

/// How far two clocks may be apart before a record counts as older than the
/// start of this process.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(5);

/// Decides which records concern a server.
#[derive(Clone)]
pub struct RecordFilter(Arc<dyn Fn(&JournalRecord) -> bool + Send + Sync>);

impl RecordFilter {
    /// Every record.
    pub fn all() -> Self {
        Self::by(|_| true)
    }

    /// Those for which `decide` says so.
    pub fn by(decide: impl Fn(&JournalRecord) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(decide))
    }

    /// Those of one of `projects`, and those that name no project. A separator
    /// at the end of a path does not count.
    pub fn for_projects<I>(projects: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<Path>,
    {
        // Paths compare by their components, which have no trailing separator.
        let projects: HashSet<_> = projects
            .into_iter()
            .map(|project| project.as_ref().components().collect::<std::path::PathBuf>())
            .collect();
        Self::by(move |record| {
            record.project.as_ref().is_none_or(|project| {
                projects.contains(&Path::new(project).components().collect::<std::path::PathBuf>())
            })
        })
    }
}

impl Default for RecordFilter {
    fn default() -> Self {
        Self::all()
    }
}

impl fmt::Debug for RecordFilter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RecordFilter")
    }
}

/// Fields that a product adds to what is shown of a record.
type Decoration = Arc<dyn Fn(&JournalRecord) -> Map<String, Value> + Send + Sync>;

/// How a [`Reporter`] works.
#[derive(Clone)]
pub struct ReporterOptions {
    started_at: SystemTime,
    audience: String,
    filter: RecordFilter,
    decoration: Option<Decoration>,
}

impl ReporterOptions {
    /// For a process that starts now, and for everyone.
    pub fn new() -> Self {
        Self {
            started_at: SystemTime::now(),
            audience: String::new(),
            filter: RecordFilter::all(),
            decoration: None,
        }
    }

    /// When the process started, if that was before now: what was recorded
    /// since then is reported.
    pub fn started_at(mut self, time: SystemTime) -> Self {
        self.started_at = time;
        self
    }

    /// For whom it reports. A server takes over the position of a dead one
    /// only when both have the same audience: the same projects, say.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = audience.into();
        self
    }

    /// Which records concern this server. The others are passed over.
    pub fn filter(mut self, filter: RecordFilter) -> Self {
        self.filter = filter;
        self
    }

    /// Fields to add to what is shown of a record, such as the alias of its
    /// entry. Asked only for records that are shown.
    pub fn decoration(
        mut self,
        decorate: impl Fn(&JournalRecord) -> Map<String, Value> + Send + Sync + 'static,
    ) -> Self {
        self.decoration = Some(Arc::new(decorate));
        self
    }
}

impl Default for ReporterOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ReporterOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ReporterOptions")
            .field("started_at", &self.started_at)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}

/// Tells each record of one journal once.
///
/// Its position is kept beside the journal, so that a server that starts after
/// this one ended, however it ended, goes on where this one stopped. Without
/// such a predecessor it begins with what was recorded since its process
/// started. An unchanged journal costs one look at its metadata.
#[derive(Debug)]
pub struct Reporter {
    journal: Journal,
    options: ReporterOptions,
    reading: Mutex<Reading>,
    opened: AtomicU64,
    gave_cursors: AtomicBool,
}

#[derive(Debug)]
struct Reading {
    position: Position,
    stamp: Option<Stamp>,
    /// Records older than this are none of this server's; asked only until the
    /// first read, since a clock is a poor judge of order.
    not_before: Option<Timestamp>,
    own_position: Option<OwnPosition>,
}

impl Reporter {
    /// Begins to follow `journal`.
    ///
    /// Never fails: a journal that cannot be read now is reported by the first
    /// [`report`](Self::report), and a position that cannot be kept is kept in
    /// memory only.
    pub fn start(journal: Journal, options: ReporterOptions) -> Self {
        let (mut own_position, left) = match OwnPosition::take(&journal, &options.audience) {
            Ok((own, left)) => (Some(own), left),
            Err(_) => (None, None),
        };
        let started = Timestamp::try_from(options.started_at).unwrap_or(Timestamp::UNIX_EPOCH);
        let mut not_before = None;
        let position = left.unwrap_or_else(|| {
            not_before = Some(started.saturating_sub(CLOCK_TOLERANCE).unwrap_or(started));
            File::open(journal.path())
                .and_then(|mut file| Position::at_start(&mut file, started))
                .unwrap_or_default()
        });
        keep(&mut own_position, position);
        Self {
            journal,
            options,
            reading: Mutex::new(Reading {
                position,
                stamp: None,
                not_before,
                own_position,
            }),
            opened: AtomicU64::new(0),
            gave_cursors: AtomicBool::new(false),
        }
    }

    /// The journal it follows.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// How often the journal was opened to be read. For tests of what a reply
    /// costs.
    pub fn times_opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// What has been recorded since the last report. To be called when the
    /// reply is about to be sent, since what it returns counts as told.
    ///
    /// Left out are records in `own`, and those whose id stands in `reply`
    /// under a key `id` or `error_id`, at any depth.
    ///
    /// # Errors
    /// When the journal exists and cannot be read; nothing counts as told then.
    pub fn report(&self, own: &OwnRecords, reply: &Map<String, Value>) -> Result<NewErrors, JournalError> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stamp) = self.stamp()? else {
            return Ok(NewErrors::default());
        };
        if reading.stamp == Some(stamp) {
            return Ok(NewErrors::default());
        }
        let may_forget = !self.gave_cursors.load(Ordering::Relaxed);
        let mut collected = Collected::new(&self.options.filter, own, reply);
        collected.not_before = reading.not_before;
        let position = self.read_on(reading.position, &mut collected)?;
        if may_forget {
            collected.passed_own.iter().for_each(|id| own.forget(id));
        }
        let report = self.shown(&collected);
        if position != reading.position {
            reading.position = position;
            keep(&mut reading.own_position, position);
        }
        reading.not_before = None;
        reading.stamp = Some(stamp);
        Ok(report)
    }

    /// What has been recorded since `cursor`, for a client that keeps the
    /// position itself because it shares the server with others. Without a
    /// cursor this is [`report`](Self::report). The new cursor is for the next
    /// call.
    ///
    /// # Errors
    /// As [`report`](Self::report).
    pub fn report_since(
        &self,
        cursor: Option<Cursor>,
        own: &OwnRecords,
        reply: &Map<String, Value>,
    ) -> Result<(NewErrors, Cursor), JournalError> {
        self.gave_cursors.store(true, Ordering::Relaxed);
        let Some(cursor) = cursor else {
            let report = self.report(own, reply)?;
            let reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok((report, Cursor(reading.position)));
        };
        if self.stamp()?.is_none() {
            return Ok((NewErrors::default(), cursor));
        }
        let mut collected = Collected::new(&self.options.filter, own, reply);
        let position = self.read_on(cursor.0, &mut collected)?;
        Ok((self.shown(&collected), Cursor(position)))
    }

    fn stamp(&self) -> Result<Option<Stamp>, JournalError> {
        match fs::metadata(self.journal.path()) {
            Ok(metadata) => Ok(Some(Stamp::of(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.journal.error("read", error)),
        }
    }

    fn read_on(&self, position: Position, collected: &mut Collected<'_>) -> Result<Position, JournalError> {
        self.opened.fetch_add(1, Ordering::Relaxed);
        match File::open(self.journal.path()) {
            Ok(mut file) => position
                .read_on(&mut file, &mut |line, _| collected.add(line))
                .map_err(|error| self.journal.error("read", error)),
            // Cleared since it was looked at.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(position),
            Err(error) => Err(self.journal.error("read", error)),
        }
    }

    fn shown(&self, collected: &Collected<'_>) -> NewErrors {
        let omitted = collected.count - collected.newest_first.len();
        let items = collected.newest_first.iter().map(|record| self.item(record)).collect();
        NewErrors { items, omitted }
    }

    fn item(&self, record: &JournalRecord) -> Map<String, Value> {
        let mut item = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                item.insert(name.into(), value);
            }
        };
        let text = |value: &Option<String>| value.as_deref().map(Value::from);
        put(
            "id",
            Some(record.id.as_str()).filter(|id| !id.is_empty()).map(Value::from),
        );
        put("created_at", text(&record.created_at));
        put(
            "code",
            record.code.as_deref().filter(|code| is_kind(code)).map(Value::from),
        );
        put("hash", text(&record.hash));
        if let Some(decorate) = &self.options.decoration {
            for (name, value) in decorate(record) {
                put(&name, Some(value).filter(|value| !value.is_null()));
            }
        }
        put("tool", text(&record.tool));
        put("message", Some(shortened(&record.message, MESSAGE_CHARACTERS).into()));
        put("project", text(&record.project));
        put("filePath", text(&record.file_path));
        put("line", record.line.map(Value::from));
        put("column", record.column.map(Value::from));
        item
    }
}

/// A position that cannot be kept costs a successor some repetition, which is
/// no reason to withhold a reply.
fn keep(own_position: &mut Option<OwnPosition>, position: Position) {
    if let Some(own) = own_position
        && own.keep(position).is_err()
    {
        *own_position = None;
    }
}

/// Whether a code says what kind of failure it was: a `snake_case` word such as
/// `unfaithful_heal`, or a `PascalCase` reason such as `WriteFailed`. Some
/// writers put whole recipes there, which say nothing in a reply.
fn is_kind(code: &str) -> bool {
    let mut letters = code.chars();
    let rest_is = |allowed: fn(char) -> bool, rest: std::str::Chars<'_>| rest.clone().all(allowed);
    if code.len() > 40 {
        return false;
    }
    match letters.next() {
        Some('a'..='z') => rest_is(|letter| matches!(letter, 'a'..='z' | '0'..='9' | '_'), letters),
        Some('A'..='Z') => {
            code.contains(|letter: char| letter.is_ascii_lowercase())
                && rest_is(|letter| letter.is_ascii_alphanumeric(), letters)
        }
        _ => false,
    }
}

struct Collected<'a> {
    filter: &'a RecordFilter,
    own: &'a OwnRecords,
    in_reply: HashSet<String>,
    not_before: Option<Timestamp>,
    passed_own: Vec<String>,
    newest_first: VecDeque<JournalRecord>,
    count: usize,
}

impl<'a> Collected<'a> {
    fn new(filter: &'a RecordFilter, own: &'a OwnRecords, reply: &Map<String, Value>) -> Self {
        let mut in_reply = HashSet::new();
        collect_ids(reply, &mut in_reply);
        Self {
            filter,
            own,
            in_reply,
            not_before: None,
            passed_own: Vec::new(),
            newest_first: VecDeque::new(),
            count: 0,
        }
    }

    fn add(&mut self, line: &[u8]) {
        let Some(record) = JournalRecord::from_line(line) else {
            return;
        };
        if self.own.contains(&record.id) {
            self.passed_own.push(record.id);
            return;
        }
        let is_older = self
            .not_before
            .is_some_and(|start| record.created().is_some_and(|created| created < start));
        if is_older || self.in_reply.contains(&record.id) || !(self.filter.0)(&record) {
            return;
        }
        self.count += 1;
        self.newest_first.push_front(record);
        self.newest_first.truncate(SHOWN);
    }
}

fn collect_ids(members: &Map<String, Value>, ids: &mut HashSet<String>) {
    for (name, value) in members {
        match value {
            Value::String(id) if name == "id" || name == "error_id" => {
                ids.insert(id.clone());
            }
            other => collect_ids_below(other, ids),
        }
    }
}

fn collect_ids_below(value: &Value, ids: &mut HashSet<String>) {
    match value {
        Value::Object(members) => collect_ids(members, ids),
        Value::Array(elements) => {
            for element in elements {
                collect_ids_below(element, ids);
            }
        }
        _ => {}
    }
}

/// What a reply says about failures that nobody asked about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewErrors {
    /// The newest failures, newest first, at most ten.
    pub items: Vec<Map<String, Value>>,
    /// How many more there were. They count as told.
    pub omitted: usize,
}

impl NewErrors {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds `new_errors` and, if some were left out, `new_errors_omitted` as
    /// the last members of a reply; nothing when there is nothing to say.
    pub fn add_to(self, reply: &mut Map<String, Value>) {
        if self.is_empty() {
            return;
        }
        let items = self.items.into_iter().map(Value::Object).collect();
        reply.insert(NEW_ERRORS.into(), Value::Array(items));
        if self.omitted > 0 {
            reply.insert(NEW_ERRORS_OMITTED.into(), self.omitted.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_when_it_is_a_kind_or_a_reason() {
        for code in [
            "unfaithful_heal",
            "a",
            "x9_",
            "WriteFailed",
            "Panicked",
            &"a".repeat(40),
        ] {
            assert!(is_kind(code), "{code}");
        }
        for code in [
            "",
            "SELECT",
            "SELECT 1",
            "select 1",
            "9a",
            "_a",
            "Write_Failed",
            "a-b",
            "é",
            &"a".repeat(41),
        ] {
            assert!(!is_kind(code), "{code}");
        }
    }
}
