//! A work queue: takes items in order, processes them in parallel, returns
//! results in order.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Results waiting for their turn.
pub(super) struct Queue<A> {
    state: Mutex<State<A>>,
    changed: Condvar,
    /// How far work may be ahead of the results handed over.
    window: u64,
    /// Locked while taking work, so that numbers follow the order of the work.
    taken: Mutex<u64>,
}

struct State<A> {
    /// Finished results, by number.
    done: BTreeMap<u64, io::Result<A>>,
    handed_over: u64,
    /// The total, once known.
    total: Option<u64>,
    /// Whether no more results are needed.
    stopped: bool,
}

/// Locks a mutex. Ignores poisoning: a panic in another thread ends the batch
/// anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A> Queue<A> {
    pub(super) fn new(window: u64) -> Self {
        let state = State {
            done: BTreeMap::new(),
            handed_over: 0,
            total: None,
            stopped: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            window,
            taken: Mutex::new(0),
        }
    }

    /// Takes work and stores the results, until there is none left.
    pub(super) fn work<T>(
        &self,
        mut take: impl FnMut() -> io::Result<Option<T>>,
        mut answer: impl FnMut(T) -> A,
    ) {
        // The others must not wait for a worker that panics.
        let _alarm = Alarm(self);
        loop {
            let (number, work) = {
                let mut taken = lock(&self.taken);
                let ahead = |state: &mut State<A>| {
                    !state.stopped && *taken >= state.handed_over + self.window
                };
                let state = self.changed.wait_while(lock(&self.state), ahead);
                let over = |state: &State<A>| state.stopped || state.total.is_some();
                if over(&state.unwrap_or_else(PoisonError::into_inner)) {
                    return;
                }
                let work = take();
                if !matches!(work, Ok(Some(_))) {
                    let failed = u64::from(work.is_err());
                    lock(&self.state).total = Some(*taken + failed);
                }
                *taken += 1;
                (*taken - 1, work)
            };
            let answer = match work {
                Ok(None) => return self.changed.notify_all(),
                Ok(Some(work)) => Ok(answer(work)),
                Err(error) => Err(error),
            };
            lock(&self.state).done.insert(number, answer);
            self.changed.notify_all();
        }
    }

    /// Passes on the results in order, until there are no more or one fails.
    pub(super) fn drain(&self, hand_over: &mut dyn FnMut(A) -> io::Result<()>) -> io::Result<()> {
        let result = loop {
            let waiting = |state: &mut State<A>| {
                let end = state.total == Some(state.handed_over);
                !end && !state.stopped && !state.done.contains_key(&state.handed_over)
            };
            let state = self.changed.wait_while(lock(&self.state), waiting);
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            let next = state.handed_over;
            let Some(answer) = state.done.remove(&next) else {
                break Ok(());
            };
            drop(state);
            if let Err(error) = answer.and_then(&mut *hand_over) {
                break Err(error);
            }
            lock(&self.state).handed_over += 1;
            self.changed.notify_all();
        };
        lock(&self.state).stopped = true;
        self.changed.notify_all();
        result
    }
}

/// Stops the queue if its owner panics.
struct Alarm<'q, A>(&'q Queue<A>);

impl<A> Drop for Alarm<'_, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).stopped = true;
            self.0.changed.notify_all();
        }
    }
}
