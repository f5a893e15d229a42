//! How far long work is, for someone who watches.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use candor_catalog_facade::{Progress, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is shorter than this is over before anybody asks how far it is.
const SHORT: Duration = Duration::from_millis(500);

/// A line on standard error, drawn only on a terminal.
pub(crate) struct Watch {
    bar: Option<ProgressBar>,
    started: Instant,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{pos} rows {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar
        });
        Self {
            bar,
            started: Instant::now(),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Watch {
    fn rows_done(&self, stage: Stage, rows: u64) {
        let Some(bar) = &self.bar else { return };
        if self.started.elapsed() < SHORT {
            return;
        }
        bar.set_message(match stage {
            Stage::Scanning => "scanned",
            Stage::Writing => "written",
            Stage::Verifying => "verified",
        });
        bar.set_position(rows);
    }
}
