//! A spinner for work that takes long and cannot be counted.

use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Shown from about a second on, until it is dropped; nothing where standard error
/// is not a terminal.
pub(crate) struct Spinner {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

const PATIENCE: Duration = Duration::from_secs(1);
const BEAT: Duration = Duration::from_millis(120);

impl Spinner {
    pub(crate) fn start(message: String) -> Self {
        if !io::stderr().is_terminal() {
            return Self { running: None };
        }
        let (sender, ended) = mpsc::channel();
        let show = move || {
            if ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let bar = bar
                .with_style(indicatif::ProgressStyle::default_spinner())
                .with_message(message);
            while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
            }
            bar.finish_and_clear();
        };
        Self {
            running: Some((sender, thread::spawn(show))),
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            // It only draws; failing to draw does not matter.
            let _ = thread.join();
        }
    }
}
