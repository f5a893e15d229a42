//! How far a long run is, for someone who watches.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use candor_al_session::check::CheckProgress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Terminal;

/// How often the bar is drawn.
const PERIOD: Duration = Duration::from_millis(100);

/// A bar on standard error, drawn only on a terminal.
pub(crate) struct Progress {
    counter: Arc<CheckProgress>,
    drawing: Option<Drawing>,
}

struct Drawing {
    bar: ProgressBar,
    stop: Sender<()>,
    thread: JoinHandle<()>,
    /// Whether the result goes to a terminal too, probably the same.
    shares_terminal: bool,
}

impl Progress {
    pub(crate) fn start(terminal: &Terminal, quiet: bool) -> Self {
        let counter = Arc::new(CheckProgress::default());
        let drawing = (terminal.watched && !quiet).then(|| Drawing::start(Arc::clone(&counter)));
        Self { counter, drawing }
    }

    /// What the check counts its files in.
    pub(crate) fn counter(&self) -> Arc<CheckProgress> {
        Arc::clone(&self.counter)
    }

    /// Does something that writes to the terminal, with the bar out of the way.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.drawing {
            Some(drawing) if drawing.shares_terminal => drawing.bar.suspend(write),
            _ => write(),
        }
    }

    /// Makes what was written appear before the bar is drawn again.
    pub(crate) fn flush(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.drawing {
            Some(drawing) if drawing.shares_terminal => out.flush(),
            _ => Ok(()),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        if let Some(drawing) = self.drawing {
            drop(drawing.stop);
            // It ends at once; there is nothing to do when it has failed.
            let _ = drawing.thread.join();
            drawing.bar.finish_and_clear();
        }
    }
}

impl Drawing {
    fn start(counter: Arc<CheckProgress>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} files {elapsed}") {
            bar.set_style(style);
        }
        let (stop, stopped) = mpsc::channel();
        let drawn = bar.clone();
        let thread = std::thread::spawn(move || {
            // The first period passes without a bar: most runs are shorter.
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(PERIOD) {
                let total = counter.total() as u64;
                if total == 0 {
                    continue;
                }
                if drawn.length() != Some(total) {
                    drawn.set_length(total);
                    drawn.set_draw_target(ProgressDrawTarget::stderr());
                }
                drawn.set_position(counter.done() as u64);
            }
        });
        Self {
            bar,
            stop,
            thread,
            shares_terminal: io::stdout().is_terminal(),
        }
    }
}
