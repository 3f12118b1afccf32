//! Replay (old + script = new) and inversion.

use super::{Copied, Move, Relation, Run, Script, Step};

/// Why a script could not be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The old elements do not match the script.
    #[error("the script is for {expected} old elements, got {got}")]
    WrongOld {
        /// Number of elements in the script.
        expected: u32,
        /// Number of elements supplied.
        got: usize,
    },
    /// Too few or too many fresh elements.
    #[error("the script wants {expected} fresh elements, got {got}")]
    WrongFresh {
        /// Number of elements needed.
        expected: usize,
        /// Number of elements supplied.
        got: usize,
    },
}

impl Script {
    /// The new elements that old does not contain verbatim (inserted, edited, or
    /// equal only at a coarser level), in new order: the elements a report must
    /// carry so that [`replay`](Self::replay) can rebuild the new side.
    pub fn fresh(&self) -> impl Iterator<Item = u32> {
        self.in_new_order().flat_map(|step| match step {
            Step::Inserted(range) => range,
            Step::Pair(run) if run.relation != Relation::EXACT => run.new_range(),
            _ => 0..0,
        })
    }

    /// Rebuilds the new side from the old one and the
    /// [`fresh`](Self::fresh) elements.
    ///
    /// # Errors
    /// [`ReplayError`] if `old` or `fresh` does not have the expected length.
    ///
    /// ```
    /// use mvdiff_core::{Options, Slices, diff};
    ///
    /// let (old, new) = (["x", "y", "a", "b"], ["a", "b", "c", "x", "y"]);
    /// let script = diff(&Slices::new(&old, &new)?, &Options::default())?.script;
    /// let fresh: Vec<&str> = script.fresh().map(|n| new[n as usize]).collect();
    /// assert_eq!(fresh, ["c"]);
    /// assert_eq!(script.replay(&old, &fresh)?, new);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay<T: Clone>(&self, old: &[T], fresh: &[T]) -> Result<Vec<T>, ReplayError> {
        if old.len() != self.old_len as usize {
            let (expected, got) = (self.old_len, old.len());
            return Err(ReplayError::WrongOld { expected, got });
        }
        let expected = self.fresh().count();
        if fresh.len() != expected {
            let got = fresh.len();
            return Err(ReplayError::WrongFresh { expected, got });
        }
        let mut fresh = fresh.iter();
        let mut new = Vec::with_capacity(self.new_len as usize);
        for step in self.in_new_order() {
            match step {
                Step::Pair(run) if run.relation == Relation::EXACT => {
                    new.extend_from_slice(&old[run.old as usize..(run.old + run.len) as usize]);
                }
                Step::Pair(run) => new.extend(fresh.by_ref().take(run.len as usize).cloned()),
                Step::Inserted(range) => {
                    new.extend(fresh.by_ref().take(range.len()).cloned());
                }
                Step::Deleted(_) => {}
            }
        }
        Ok(new)
    }

    /// Inverts the script, from new to old, without further input: moves go back,
    /// insertions become deletions, copies become [`merged`](Self::merged).
    #[must_use]
    pub fn invert(&self) -> Self {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_key(|&m| (self.moves[m].new.start, self.moves[m].new.end, m));
        let mut number = vec![0; order.len()];
        for (id, &m) in order.iter().enumerate() {
            number[m] = id as u32;
        }
        let runs = self.new_order.iter().map(|&r| {
            let run = self.runs[r as usize];
            let role = match run.role {
                super::Role::Moved(id) => super::Role::Moved(number[id as usize]),
                kept @ super::Role::Kept => kept,
            };
            Run {
                old: run.new,
                new: run.old,
                role,
                ..run
            }
        });
        let moves = order.iter().map(|&m| {
            let forward = &self.moves[m];
            Move {
                old: forward.new.clone(),
                new: forward.old.clone(),
                similarity: forward.similarity,
                twins: forward
                    .twins
                    .iter()
                    .map(|(side, range)| (side.other(), range.clone()))
                    .collect(),
                evidence: forward.evidence.invert(),
            }
        });
        let lens = (self.new_len, self.old_len);
        let mut script = Self::new(lens, runs.collect(), moves.collect());
        script.copies = self.merged.iter().map(Copied::invert).collect();
        script.merged = self.copies.iter().map(Copied::invert).collect();
        script
    }
}

impl Copied {
    fn invert(&self) -> Self {
        Self {
            old: self.new.clone(),
            new: self.old.clone(),
            runs: self
                .runs
                .iter()
                .map(|&(old, new, len)| (new, old, len))
                .collect(),
            similarity: self.similarity,
        }
    }
}
