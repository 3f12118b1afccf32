//! Progress on a terminal, of work that takes longer than a moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long to wait before a bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error that appears after a second, if that is a terminal.
pub(crate) struct Progress {
    total: Option<u64>,
    what: &'static str,
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(total: Option<u64>, what: &'static str) -> Self {
        Self {
            total,
            what,
            started: Instant::now(),
            bar: OnceLock::new(),
        }
    }

    /// So much is done.
    pub(crate) fn at(&self, done: u64) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        self.bar.get_or_init(|| self.start()).set_position(done);
    }

    fn start(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(self.total, ProgressDrawTarget::stderr());
        let form = match self.total {
            Some(_) => "{wide_bar} {human_pos} of {human_len} {msg}, {eta} left",
            None => "{spinner} {human_pos} {msg}, {elapsed}",
        };
        let style = ProgressStyle::with_template(form);
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_message(self.what)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
