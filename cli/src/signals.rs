//! Signals leave no temporary files behind, and no tree half written.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static STATE: Mutex<State> = Mutex::new(State {
    is_watched: false,
    temporaries: BTreeSet::new(),
    held: 0,
    arrived: None,
});

struct State {
    is_watched: bool,
    /// What goes when the program ends.
    temporaries: BTreeSet<PathBuf>,
    /// How many want to end by themselves.
    held: u32,
    /// The signal that waits for them.
    arrived: Option<i32>,
}

fn state() -> MutexGuard<'static, State> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if !state.is_watched {
        state.is_watched = true;
        watch();
    }
    state
}

/// A file or directory that goes if a signal ends the program.
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    pub(crate) fn new(path: &Path) -> Self {
        state().temporaries.insert(path.to_path_buf());
        Self(path.to_path_buf())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        state().temporaries.remove(&self.0);
    }
}

/// While it lives, signals wait.
pub(crate) struct Hold(());

impl Hold {
    pub(crate) fn new() -> Self {
        state().held += 1;
        Self(())
    }

    /// Whether a signal waits.
    #[expect(clippy::unused_self, reason = "without a hold, none ever waits")]
    pub(crate) fn is_interrupted(&self) -> bool {
        state().arrived.is_some()
    }

    /// Prints an error that would not be seen: when a signal waits, it ends the program
    /// before the error is printed.
    pub(crate) fn report<T, E: std::fmt::Display>(&self, done: &Result<T, E>) {
        if let Err(error) = done
            && self.is_interrupted()
        {
            let message = crate::output::visible(&format!("{error:#}"));
            let _ = writeln!(std::io::stderr(), "mvdiff: {message}");
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut state = state();
        state.held -= 1;
        if let (0, Some(signal)) = (state.held, state.arrived) {
            end(&state, signal);
        }
    }
}

/// Ends the program as the signal would have.
fn end(state: &State, signal: i32) {
    for path in &state.temporaries {
        // A directory if it is not a file; if that fails, nothing more can be done.
        if std::fs::remove_file(path).is_err() {
            let _ = std::fs::remove_dir_all(path);
        }
    }
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    #[cfg(not(unix))]
    let _ = signal;
}

#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    let wanted = [SIGHUP, SIGINT, SIGTERM, SIGXFSZ];
    let wanted = wanted.into_iter().filter(|signal| !is_ignored(*signal));
    // Where signals cannot be watched, they end the program at once.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // A file may not grow: its writer gets an error as well, and cleans up.
            if signal == SIGXFSZ {
                continue;
            }
            let mut state = state();
            state.arrived = Some(signal);
            if state.held == 0 {
                end(&state, signal);
            }
        }
    });
}

/// Whether the parent process wants a signal ignored, as nohup does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn watch() {}
