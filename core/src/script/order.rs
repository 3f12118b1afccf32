//! Iterates over a script in old or new order.

use super::{Run, Script};
use std::ops::Range;

/// One step along a side of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<'s> {
    /// Paired elements.
    Pair(&'s Run),
    /// Old elements without a counterpart.
    Deleted(Range<u32>),
    /// New elements without a counterpart.
    Inserted(Range<u32>),
}

impl Script {
    /// Pairs and deletions, in old order: every old element once.
    pub fn in_old_order(&self) -> impl Iterator<Item = Step<'_>> {
        let runs = self.runs.iter().map(|run| (run.old, run));
        walk(runs, self.old_len, Step::Deleted)
    }

    /// Pairs and insertions, in new order: every new element once.
    pub fn in_new_order(&self) -> impl Iterator<Item = Step<'_>> {
        let runs = self.new_order.iter().map(|&r| {
            let run = &self.runs[r as usize];
            (run.new, run)
        });
        walk(runs, self.new_len, Step::Inserted)
    }
}

/// Runs and the uncovered ranges between them.
fn walk<'s>(
    runs: impl Iterator<Item = (u32, &'s Run)>,
    len: u32,
    unpaired: impl Fn(Range<u32>) -> Step<'s>,
) -> impl Iterator<Item = Step<'s>> {
    let mut runs = runs.peekable();
    let mut at = 0;
    std::iter::from_fn(move || match runs.peek() {
        Some(&(start, run)) if start == at => {
            runs.next();
            at += run.len;
            Some(Step::Pair(run))
        }
        next => {
            let end = next.map_or(len, |&(start, _)| start);
            let step = (at < end).then(|| unpaired(at..end));
            at = end;
            step
        }
    })
}
