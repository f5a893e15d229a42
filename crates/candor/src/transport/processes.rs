//! Ends a server and everything it started.
//!
//! A server is started in a process group of its own, which gets the signals.
//! A process that left the group (a daemon) is found by a mark in its
//! environment, where the system shows one (Linux).

use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The variable that marks the processes of one server.
const MARK: &str = "CANDOR_CHECK_SERVER";

/// How long a process may take to end after it was asked to.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The servers that run now, for [`end_all_processes`].
static RUNNING: Mutex<Vec<Family>> = Mutex::new(Vec::new());

/// A server process and its descendants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Family {
    process: u32,
    mark: String,
}

/// The name and value of the variable for a server that is about to start.
pub(super) fn new_mark() -> (&'static str, String) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    (MARK, format!("{}-{count}", std::process::id()))
}

impl Family {
    pub(super) fn new(child: &Child, mark: String) -> Self {
        let family = Self {
            process: child.id(),
            mark,
        };
        RUNNING
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(family.clone());
        family
    }

    /// Asks all to end, and ends those that do not.
    pub(super) fn end(&self, child: &mut Child) {
        let is_leader_there = matches!(child.try_wait(), Ok(None));
        // The group may outlive its leader.
        signal_group(self.process, Signal::Terminate);
        if is_leader_there {
            let patience_ends = Instant::now() + PATIENCE;
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < patience_ends {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        signal_group(self.process, Signal::Kill);
        // Already gone is as good.
        let _ = child.kill();
        let _ = child.wait();
        self.end_marked();
        self.forget();
    }

    /// Ends what is left of a server that ended by itself.
    pub(super) fn sweep(&self) {
        signal_group(self.process, Signal::Kill);
        self.end_marked();
        self.forget();
    }

    fn forget(&self) {
        RUNNING
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|running| running != self);
    }

    fn end_marked(&self) {
        let needle = format!("{MARK}={}", self.mark);
        // A process may start another while we look; a few rounds see them all.
        for _ in 0..5 {
            let found = marked(&needle);
            if found.is_empty() {
                break;
            }
            for process in found {
                kill(process);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Ends every server that this process started and that still runs. For a
/// process that is itself about to be ended.
pub fn end_all_processes() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for family in running {
        signal_group(family.process, Signal::Kill);
        family.end_marked();
    }
}

#[derive(Clone, Copy)]
enum Signal {
    Terminate,
    Kill,
}

#[cfg(unix)]
fn signal_group(process: u32, signal: Signal) {
    let signal = match signal {
        Signal::Terminate => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    if let Some(group) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
        // No such group is what we want.
        let _ = rustix::process::kill_process_group(group, signal);
    }
}

#[cfg(unix)]
fn kill(process: i32) {
    if let Some(process) = rustix::process::Pid::from_raw(process) {
        let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn signal_group(_process: u32, _signal: Signal) {}

#[cfg(not(unix))]
fn kill(_process: i32) {}

/// Processes whose environment has the mark, as far as the system shows it.
/// Those that have ended and wait to be collected show none.
fn marked(needle: &str) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|process| {
            std::fs::read(format!("/proc/{process}/environ")).is_ok_and(|environment| {
                environment
                    .split(|byte| *byte == 0)
                    .any(|entry| entry == needle.as_bytes())
            })
        })
        .collect()
}
