//! A server as a child process.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio as Pipe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::processes::{Family, new_mark};
use super::{Closing, ConnectError, Incoming, Outgoing, Transport};
use crate::limits::{FLOOD_BYTES, MESSAGE_BYTES, STDERR_TAIL_BYTES};

/// How long a server may take to end after its input ended, at least. One that
/// took longer to start, on a busy machine say, gets twice that time.
const GRACE: Duration = Duration::from_secs(3);

/// How long it may take at most.
const LONGEST_GRACE: Duration = Duration::from_secs(20);

/// How long after a process ended its last output is waited for: somebody else
/// may hold its standard output open.
const AFTERLIFE: Duration = Duration::from_millis(500);

/// What a kept line costs besides its bytes.
const LINE_OVERHEAD: usize = 64;

pub(super) struct Stdio {
    child: Child,
    family: Family,
    /// Taken when the connection is closed.
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<Incoming>,
    since_reply: Arc<AtomicUsize>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    started: Instant,
    /// How long it took until the first message came.
    start_time: Option<Duration>,
    is_closed: bool,
}

impl Stdio {
    pub(super) fn start(program: &OsStr, arguments: &[OsString], folder: Option<&Path>) -> Result<Self, ConnectError> {
        let (variable, mark) = new_mark();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env(variable, &mark)
            .stdin(Pipe::piped())
            .stdout(Pipe::piped())
            .stderr(Pipe::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|source| ConnectError::Start {
            program: program.to_string_lossy().into_owned(),
            source,
        })?;
        let family = Family::new(&child, mark);
        let (sender, events) = channel();
        let since_reply = Arc::new(AtomicUsize::new(0));
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(output) = child.stdout.take() {
            let since_reply = Arc::clone(&since_reply);
            std::thread::spawn(move || read_lines(output, &sender, &since_reply));
        }
        if let Some(output) = child.stderr.take() {
            let tail = Arc::clone(&stderr);
            std::thread::spawn(move || keep_tail(output, &tail));
        }
        let input = child.stdin.take().map(start_writer);
        Ok(Self {
            child,
            family,
            input,
            events,
            since_reply,
            stderr,
            started: Instant::now(),
            start_time: None,
            is_closed: false,
        })
    }

    fn exit_status(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(Some(status)) => Some(format!("the server ended ({status})")),
            _ => None,
        }
    }
}

impl Transport for Stdio {
    fn send(&mut self, message: &Outgoing) {
        if let Some(input) = &self.input {
            let mut line = message.text.clone().into_bytes();
            line.push(b'\n');
            // A writer that is gone means a server that is gone, which the
            // reader reports.
            let _ = input.send(line);
        }
    }

    fn receive(&mut self, deadline: Instant) -> Option<Incoming> {
        let mut ended_since = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(Duration::from_millis(100))) {
                Ok(Incoming::Closed(why)) => {
                    // The process often ends a moment after its output.
                    std::thread::sleep(Duration::from_millis(20));
                    return Some(Incoming::Closed(self.exit_status().unwrap_or(why)));
                }
                Ok(event) => {
                    if self.start_time.is_none() && matches!(event, Incoming::Message { .. }) {
                        self.start_time = Some(self.started.elapsed());
                    }
                    return Some(event);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let why = "the server closed its standard output".to_owned();
                    return Some(Incoming::Closed(self.exit_status().unwrap_or(why)));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(status) = self.exit_status() {
                        let since = *ended_since.get_or_insert_with(Instant::now);
                        if since.elapsed() >= AFTERLIFE {
                            return Some(Incoming::Closed(status));
                        }
                    }
                    if left.is_zero() {
                        return None;
                    }
                }
            }
        }
    }

    fn hears_notifications(&self) -> bool {
        true
    }

    fn replied(&mut self) {
        self.since_reply.store(0, Ordering::Relaxed);
    }

    fn stderr_tail(&self) -> String {
        let mut tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(tail.make_contiguous()).trim().to_owned()
    }

    fn close(&mut self) -> Closing {
        if self.is_closed {
            return Closing::Gracefully;
        }
        self.is_closed = true;
        if let Some(status) = self.exit_status() {
            self.family.sweep();
            return Closing::Before(status);
        }
        // The writer ends, and with it the server's input.
        self.input = None;
        let start_time = self.start_time.unwrap_or_default();
        let grace = GRACE.max(2 * start_time).min(LONGEST_GRACE);
        let grace_ends = Instant::now() + grace;
        while Instant::now() < grace_ends {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                self.family.sweep();
                return Closing::Gracefully;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.family.end(&mut self.child);
        Closing::ByForce(grace)
    }

    fn abort(&mut self) {
        if !self.is_closed {
            self.is_closed = true;
            self.family.end(&mut self.child);
        }
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.abort();
    }
}

fn start_writer(mut input: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, lines) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for line in lines {
            if input.write_all(&line).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

fn read_lines(mut output: impl Read, events: &Sender<Incoming>, since_reply: &AtomicUsize) {
    let mut buffer = vec![0; 1 << 16];
    let mut line = Vec::new();
    let mut is_oversized = false;
    loop {
        let count = match output.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        for part in buffer[..count].split_inclusive(|byte| *byte == b'\n') {
            let (text, is_whole) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            if line.len() + text.len() > MESSAGE_BYTES {
                is_oversized = true;
                line = Vec::new();
            }
            if !is_oversized {
                line.extend_from_slice(text);
            }
            let cost = text.len() + if is_whole { LINE_OVERHEAD } else { 0 };
            if since_reply.fetch_add(cost, Ordering::Relaxed) + cost > FLOOD_BYTES {
                // Nothing more is read: the pipe fills and the server waits.
                let _ = events.send(Incoming::Flooded);
                return;
            }
            if !is_whole {
                continue;
            }
            let event = if std::mem::take(&mut is_oversized) {
                Incoming::Oversized
            } else {
                message(std::mem::take(&mut line))
            };
            if events.send(event).is_err() {
                return;
            }
        }
    }
    // A last line without its end is what a server that died left behind.
    if !line.is_empty() {
        let _ = events.send(message(line));
    }
    let _ = events.send(Incoming::Closed("the server closed its standard output".to_owned()));
}

fn message(text: Vec<u8>) -> Incoming {
    Incoming::Message { text, to: None }
}

fn keep_tail(mut output: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = vec![0; 1 << 13];
    while let Ok(count) = output.read(&mut buffer) {
        if count == 0 {
            break;
        }
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&buffer[..count]);
        let surplus = tail.len().saturating_sub(STDERR_TAIL_BYTES);
        tail.drain(..surplus);
    }
}
