//! Waits until something changes on the disk, or until somebody ends the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// So long nothing more may happen until a change counts as done: editors write a file in several steps, and tools
/// many files at once.
const QUIET: Duration = Duration::from_millis(80);

/// So long a change is waited for at most, while there is no end of it.
const LONGEST_UNREST: Duration = Duration::from_secs(1);

/// How often the disk is looked at when the system does not tell of changes, if that costs nothing.
const SHORTEST_POLL: Duration = Duration::from_secs(1);

/// One look takes at most this part of the time.
const POLL_SHARE: u32 = 20;

/// Folders, in lower case, in which nothing is of interest: there is no source in them.
const EXCLUDED_FOLDERS: [&str; 7] = [".alpackages", ".git", ".vs", "bin", "node_modules", "obj", "packages"];

/// What ends a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Woken {
    /// Something may have changed.
    Changed,
    /// The program is to end.
    Stopped,
}

enum Signal {
    Event(notify::Result<notify::Event>),
    Stop,
}

/// Set once somebody wants the program to end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells of changes of files and folders: through the system if it can, otherwise by asking to look again every now and
/// then.
pub(crate) struct Watcher {
    signals: Receiver<Signal>,
    /// None when the disk has to be looked at.
    native: Option<RecommendedWatcher>,
    watched: BTreeMap<PathBuf, RecursiveMode>,
    stop: Stop,
    /// Why the disk has to be looked at, if somebody wants to know.
    trouble: Option<String>,
}

impl Watcher {
    /// Starts. `on_stop` is called as soon as somebody wants the program to end; when they want it again, it ends at once.
    pub(crate) fn start(is_polling: bool, on_stop: impl Fn() + Send + 'static) -> Self {
        let (sender, signals) = mpsc::channel();
        let stop = Stop::default();
        handle_interrupts(sender.clone(), stop.clone(), on_stop);
        let mut watcher = Self {
            signals,
            native: None,
            watched: BTreeMap::new(),
            stop,
            trouble: None,
        };
        if !is_polling {
            let tell = move |event| {
                // Nobody waits any more when the program ends.
                let _ = sender.send(Signal::Event(event));
            };
            match notify::recommended_watcher(tell) {
                Ok(native) => watcher.native = Some(native),
                Err(error) => watcher.give_up(&error),
            }
        }
        watcher
    }

    /// Whether somebody wants the program to end.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Why the disk has to be looked at instead of being told; only once.
    pub(crate) fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    /// Watches what is below `roots`, and the folders of `places` elsewhere. Tells whether there is something new among
    /// them, that may have changed before it was watched.
    pub(crate) fn watch(&mut self, roots: &[PathBuf], places: &BTreeSet<PathBuf>) -> bool {
        let Some(native) = &mut self.native else { return false };
        let wanted = wanted(roots, places);
        for gone in self.watched.keys().filter(|path| !wanted.contains_key(*path)) {
            // What is gone is not watched anyway.
            let _ = native.unwatch(gone);
        }
        let mut is_new = false;
        let mut failed = None;
        for (path, mode) in &wanted {
            if self.watched.get(path) == Some(mode) {
                continue;
            }
            match native.watch(path, *mode) {
                Ok(()) => is_new = true,
                // It was there a moment ago; the folder above it tells of its return.
                Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => {}
                Err(error) => failed = Some(error),
            }
        }
        self.watched = wanted;
        if let Some(error) = failed {
            self.give_up(&error);
        }
        is_new
    }

    /// Waits until something has changed that `is_relevant`, and then until nothing more changes for a moment. `cost` is
    /// what a look at the disk takes.
    pub(crate) fn wait(&mut self, cost: Duration, is_relevant: impl Fn(&Path) -> bool) -> Woken {
        let poll = SHORTEST_POLL.max(cost * POLL_SHARE);
        let mut begin = None::<Instant>;
        loop {
            let now = Instant::now();
            let patience = match begin {
                Some(begin) => QUIET.min(LONGEST_UNREST.saturating_sub(now - begin)),
                None if self.native.is_none() => poll,
                // Nothing has to be done until there is a signal.
                None => Duration::from_secs(3600),
            };
            match self.signals.recv_timeout(patience) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Woken::Stopped,
                Ok(Signal::Event(Ok(event))) => {
                    if is_change(&event) && (event.need_rescan() || event.paths.iter().any(|path| is_relevant(path))) {
                        begin.get_or_insert(now);
                    }
                }
                Ok(Signal::Event(Err(error))) => {
                    if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) {
                        self.give_up(&error);
                    }
                    begin.get_or_insert(now);
                }
                Err(RecvTimeoutError::Timeout) if begin.is_none() && self.native.is_some() => {}
                Err(RecvTimeoutError::Timeout) => return Woken::Changed,
            }
            if begin.is_some_and(|begin| begin.elapsed() >= LONGEST_UNREST) {
                return Woken::Changed;
            }
        }
    }

    /// Looks at the disk from now on.
    fn give_up(&mut self, error: &notify::Error) {
        self.native = None;
        self.watched.clear();
        self.trouble = Some(match error.kind {
            notify::ErrorKind::MaxFilesWatch => {
                "there are more folders than the system watches for one user (fs.inotify.max_user_watches)".to_owned()
            }
            _ => format!("the system does not tell of changes ({error})"),
        });
    }
}

fn handle_interrupts(sender: Sender<Signal>, stop: Stop, on_stop: impl Fn() + Send + 'static) {
    let handler = move || {
        if stop.0.swap(true, Ordering::Relaxed) {
            // Whoever asks twice does not want to wait: 130 is what a shell says of an interrupted program.
            std::process::exit(130);
        }
        on_stop();
        let _ = sender.send(Signal::Stop);
    };
    // Without a handler the system ends the program, as it ends any other.
    let _ = ctrlc::set_handler(handler);
}

/// Whether an event is a change, and not merely a look.
fn is_change(event: &notify::Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

/// What has to be watched, and how: what is below `roots`, and the folders of `places` elsewhere that are there.
fn wanted(roots: &[PathBuf], places: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut wanted = BTreeMap::new();
    for root in roots {
        if root.is_dir() {
            wanted.insert(root.clone(), RecursiveMode::Recursive);
        }
    }
    let covered: Vec<PathBuf> = wanted.keys().cloned().collect();
    for place in places {
        if covered.iter().any(|root| place.starts_with(root)) {
            continue;
        }
        // A file is replaced by renaming another, so its folder has to be watched; a folder that is not there yet shows
        // in the one above.
        if let Some(folder) = place.ancestors().skip(1).find(|folder| folder.is_dir()) {
            wanted.entry(folder.to_owned()).or_insert(RecursiveMode::NonRecursive);
        }
    }
    wanted
}

/// Whether a change at `path` may change what is found. `places` are those that were looked at.
pub(crate) fn matters(path: &Path, places: &BTreeSet<PathBuf>) -> bool {
    if places.contains(path) || has_place_below(path, places) {
        return !is_listing(path, places);
    }
    let is_excluded = |part: &std::ffi::OsStr| EXCLUDED_FOLDERS.iter().any(|name| part.eq_ignore_ascii_case(name));
    if path.iter().any(is_excluded) {
        return false;
    }
    let ends_in = |extension: &str| {
        path.extension()
            .is_some_and(|found| found.eq_ignore_ascii_case(extension))
    };
    ends_in("al") || ends_in("code-workspace") || path.is_dir()
}

/// Whether something was looked at below `path`, which may be a folder that is gone.
fn has_place_below(path: &Path, places: &BTreeSet<PathBuf>) -> bool {
    places
        .range(path.to_owned()..)
        .next()
        .is_some_and(|place| place.starts_with(path))
}

/// Whether `path` is a folder that is still there: that something in it has changed is told by another event.
fn is_listing(path: &Path, places: &BTreeSet<PathBuf>) -> bool {
    path.is_dir() && has_place_below(path, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(paths: &[&str]) -> BTreeSet<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn sources_and_what_was_looked_for_matter() {
        let places = places(&[
            "/code/app/app.json",
            "/code/app/.vscode/settings.json",
            "/code/app/src/A.al",
        ]);
        for path in [
            "/code/app/src/B.al",
            "/code/app/src/B.AL",
            "/code/app/app.json",
            "/code/app/.vscode/settings.json",
            "/code/team.code-workspace",
        ] {
            assert!(matters(Path::new(path), &places), "{path}");
        }
    }

    #[test]
    fn a_folder_that_is_gone_matters_when_something_in_it_was_looked_at() {
        let places = places(&["/code/app/src/A.al"]);
        assert!(matters(Path::new("/code/app/src"), &places));
        assert!(!matters(Path::new("/code/app/sr"), &places));
    }

    #[test]
    fn what_a_check_does_not_read_does_not_matter() {
        let places = places(&["/code/app/app.json"]);
        for path in [
            "/code/app/findings.json",
            "/code/app/README.md",
            "/code/app/.git/index",
            "/code/app/.git/B.al",
            "/code/app/.alpackages/x/B.al",
            "/code/app/src/B.al.candor-tmp",
        ] {
            assert!(!matters(Path::new(path), &places), "{path}");
        }
    }

    #[test]
    fn folders_outside_are_watched_for_settings_that_may_come() {
        let folder = tempfile::TempDir::new().unwrap();
        let app = folder.path().join("app");
        std::fs::create_dir(&app).unwrap();
        let places = [
            app.join("app.json"),
            folder.path().join(".vscode").join("settings.json"),
            folder.path().join("alcops.json"),
        ]
        .into();
        assert_eq!(
            wanted(std::slice::from_ref(&app), &places)
                .into_iter()
                .collect::<Vec<_>>(),
            [
                (folder.path().to_owned(), RecursiveMode::NonRecursive),
                (app, RecursiveMode::Recursive),
            ]
        );
    }
}
