//! Rows worked on by several threads, and answered in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Rows that a thread takes at once.
const STRIDE: usize = 16;

/// Answers rows `0..count`, on `threads` threads, each with a state of its own. A row
/// that panics is answered with an error, so that no batch is lost to one row.
///
/// Threads live as long as the call: a pool would not survive the fork that some
/// engines start their workers with.
pub(crate) fn each<S: Default, A: Send>(
    count: usize,
    threads: usize,
    answer: impl Fn(&mut S, usize) -> Result<A, String> + Sync,
) -> Vec<Result<A, String>> {
    let guarded = |state: &mut S, row: usize| {
        catch_unwind(AssertUnwindSafe(|| answer(state, row))).unwrap_or_else(|_| {
            *state = S::default();
            Err("internal error: please report this row".to_owned())
        })
    };
    let threads = threads.min(count.div_ceil(STRIDE));
    if threads <= 1 {
        let mut state = S::default();
        return (0..count).map(|row| guarded(&mut state, row)).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count.div_ceil(STRIDE)));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut state = S::default();
                loop {
                    let start = next.fetch_add(STRIDE, Ordering::Relaxed);
                    if start >= count {
                        return;
                    }
                    let rows = start..count.min(start + STRIDE);
                    let answers: Vec<_> = rows.map(|row| guarded(&mut state, row)).collect();
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((start, answers));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(start, _)| *start);
    done.into_iter().flat_map(|(_, answers)| answers).collect()
}

/// How many threads are meant: all cores by default.
pub(crate) fn threads(wanted: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    wanted.unwrap_or_else(cores).max(1)
}
