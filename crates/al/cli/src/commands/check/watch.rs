//! `--watch`: checks again whenever something changes.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use candor_al_session::check::{CheckMemory, CheckReport};
use candor_al_session::{Cancellation, Incident};

use super::settings::CheckSettings;
use super::{Checked, check_once};
use crate::arguments::CheckFormat;
use crate::commands::{Outcome, Surroundings};
use crate::failure::Failure;
use crate::journal;
use crate::watcher::{Watcher, Woken, matters};

/// Clears the screen and goes to its first line. What was there before stays in the terminal's memory.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// A file that is being replaced is gone for a moment; after this it is either there again or gone for good.
const REPLACING: Duration = Duration::from_millis(100);

/// Checks until somebody ends it, and then ends as the last report did.
pub(super) fn watch(
    settings: &CheckSettings,
    surroundings: &Surroundings,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let cancellation = Cancellation::default();
    let cancelled = cancellation.clone();
    let mut watch = Watch {
        settings,
        surroundings,
        memory: Arc::default(),
        watcher: Watcher::start(settings.is_polling, move || cancelled.cancel()),
        cancellation,
        recorded: HashSet::new(),
        is_terminal: io::stdout().is_terminal(),
    };
    watch.run(out)
}

struct Watch<'a> {
    settings: &'a CheckSettings,
    surroundings: &'a Surroundings,
    memory: Arc<CheckMemory>,
    watcher: Watcher,
    cancellation: Cancellation,
    /// Code and message of the incidents in the journal: what lasts is recorded once.
    recorded: HashSet<(String, String)>,
    is_terminal: bool,
}

impl Watch<'_> {
    fn run(&mut self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let roots = self.roots();
        // Before the first look, so that no change falls in between.
        self.watcher.watch(&roots, &std::collections::BTreeSet::new());
        let mut last = None;
        loop {
            let started = Instant::now();
            match self.check() {
                _ if self.watcher.stop().is_wanted() => return Ok(last.unwrap_or(Outcome::Interrupted)),
                Ok(checked) => {
                    last = Some(self.tell(checked, last.is_none(), out)?);
                }
                // A command line that means nothing ends at once; paths that are gone later may come back.
                Err(failure) if last.is_none() => return Err(failure),
                Err(failure) => {
                    self.surroundings.messages.failure(&failure);
                    last = Some(Outcome::Incomplete);
                }
            }
            let cost = started.elapsed();
            let places = self.memory.places();
            if self.watcher.watch(&roots, &places) {
                // It may have changed before it was watched.
                continue;
            }
            if let Some(trouble) = self.watcher.take_trouble() {
                let text = format!("{trouble}, so the files are looked at every few seconds");
                self.surroundings.messages.hint(&text);
            }
            if self.watcher.wait(cost, |path| matters(path, &places)) == Woken::Stopped {
                return Ok(last.unwrap_or(Outcome::Interrupted));
            }
        }
    }

    /// The folders that were asked for, and those of the files that were asked for.
    fn roots(&self) -> Vec<PathBuf> {
        let absolute = |path: &PathBuf| std::path::absolute(path).ok();
        let paths = &self.settings.paths;
        let mut roots: Vec<PathBuf> = match paths.as_slice() {
            [] => vec![self.settings.folder.clone()],
            paths => paths.iter().filter_map(absolute).collect(),
        };
        roots.retain(|root| root.is_dir());
        roots
    }

    /// Checks. What a file that vanished in between left behind is no answer, so then once more.
    fn check(&self) -> Result<Checked, Failure> {
        let checked = self.check_now()?;
        let is_vanished = |incident: &Incident| {
            incident.code == "unreadable_file"
                && incident
                    .file_path
                    .as_ref()
                    .is_some_and(|path| !std::path::Path::new(path).exists())
        };
        if !checked.report.incidents.iter().any(is_vanished) {
            return Ok(checked);
        }
        std::thread::sleep(REPLACING);
        self.check_now()
    }

    fn check_now(&self) -> Result<Checked, Failure> {
        let mut buffer = Vec::new();
        let memory = Some(Arc::clone(&self.memory));
        let mut checked = check_once(
            self.settings,
            self.surroundings,
            &self.cancellation,
            memory,
            &mut buffer,
        )?;
        checked.output = buffer;
        Ok(checked)
    }

    /// Writes a report, unless it is the one before.
    fn tell(&mut self, checked: Checked, is_first: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let Checked {
            report,
            output,
            outcome,
        } = checked;
        if report.is_unchanged && !is_first {
            return Ok(outcome);
        }
        let is_human = self.settings.format == CheckFormat::Human;
        if is_human && self.is_terminal && !self.settings.quiet {
            out.write_all(CLEAR.as_bytes())?;
        }
        out.write_all(&output)?;
        out.flush()?;
        let messages = self.surroundings.messages;
        if is_human {
            report.warnings.iter().for_each(|warning| messages.warning(warning));
        }
        self.record(&report);
        if !self.settings.quiet && (self.surroundings.terminal.watched || is_first) {
            messages.hint("waiting for changes; Ctrl-C ends");
        }
        Ok(outcome)
    }

    fn record(&mut self, report: &CheckReport) {
        let mut is_new = |incident: &&Incident| {
            let key = (incident.code.clone(), incident.message.clone());
            self.recorded.insert(key)
        };
        let incidents: Vec<Incident> = report.incidents.iter().filter(&mut is_new).cloned().collect();
        journal::record(&incidents, "check", self.surroundings.messages);
    }
}
