//! The laws of a script, checked against the problem it answers.

use super::{Relation, Role, Run, Script};
use crate::{Problem, Side};
use std::ops::Range;

/// A law that a script breaks. The engine's own scripts break none; a script that
/// was stored, edited or built elsewhere may.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The script is for sequences of different lengths.
    #[error("the script is for {0} old and {1} new elements")]
    Lengths(u32, u32),
    /// An element is in two runs, or a run exceeds its side.
    #[error("{0:?} overlaps another run or leaves its side")]
    NotAPartition(Run),
    /// A pair does not hold at its stated level or similarity.
    #[error("old {0} and new {1} are not what their pair says")]
    UntruePair(u32, u32),
    /// A kept pair crosses another one or joins segments that are not partners.
    #[error("kept {0:?} crosses another kept run or joins strangers")]
    NotKept(Run),
    /// A run lies outside its move, or a move spans segments.
    #[error("{0:?} lies outside its move, or the move spans segments")]
    StrayMove(Run),
    /// Two moves overlap, or a foreign pair lies inside a move.
    #[error("something other than its own lies inside the move {0:?} to {1:?}")]
    SharedMove(Range<u32>, Range<u32>),
}

impl Script {
    /// Checks every law: each element occurs once; pairs hold; kept pairs are
    /// strictly increasing between partners; moves lie within one segment on each
    /// side.
    ///
    /// # Errors
    /// The first [`Violation`] found.
    pub fn check<P: Problem + ?Sized>(&self, problem: &P) -> Result<(), Violation> {
        let (old, new) = (problem.tokens(Side::Old), problem.tokens(Side::New));
        if self.old_len as usize != old.len() || self.new_len as usize != new.len() {
            return Err(Violation::Lengths(self.old_len, self.new_len));
        }
        self.check_partition()?;
        for run in &self.runs {
            for (o, n) in run.old_range().zip(run.new_range()) {
                let true_pair = match run.relation {
                    Relation::Same { level: 0 } => old[o as usize] == new[n as usize],
                    Relation::Same { level } => problem.same(level, (Side::Old, o), (Side::New, n)),
                    Relation::Edited { similarity } => problem.similarity(o, n) >= similarity,
                };
                if !true_pair {
                    return Err(Violation::UntruePair(o, n));
                }
            }
        }
        self.check_places(problem)
    }

    fn check_partition(&self) -> Result<(), Violation> {
        let mut at = 0;
        for run in &self.runs {
            if run.old < at || run.len == 0 || run.len > self.old_len.saturating_sub(run.old) {
                return Err(Violation::NotAPartition(*run));
            }
            at = run.old + run.len;
        }
        at = 0;
        for &r in &self.new_order {
            let run = &self.runs[r as usize];
            if run.new < at || run.len > self.new_len.saturating_sub(run.new) {
                return Err(Violation::NotAPartition(*run));
            }
            at = run.new + run.len;
        }
        Ok(())
    }

    fn check_places<P: Problem + ?Sized>(&self, problem: &P) -> Result<(), Violation> {
        let (old, new) = (problem.segments(Side::Old), problem.segments(Side::New));
        let mut partner = vec![None; old.len()];
        for (o, n) in problem.partners() {
            partner[o as usize] = Some(n as usize);
        }
        let mut last_new: Vec<u32> = new.iter().map(|segment| segment.start).collect();
        for run in &self.runs {
            let at_old = segment_of(&old, &run.old_range());
            let at_new = segment_of(&new, &run.new_range());
            let (Some(s), Some(t)) = (at_old, at_new) else {
                return Err(Violation::StrayMove(*run));
            };
            match run.role {
                Role::Kept => {
                    if partner[s] != Some(t) || run.new < last_new[t] {
                        return Err(Violation::NotKept(*run));
                    }
                    last_new[t] = run.new + run.len;
                }
                Role::Moved(id) => {
                    let inside = self.moves.get(id as usize).is_some_and(|m| {
                        contains(&m.old, &run.old_range())
                            && contains(&m.new, &run.new_range())
                            && contains(&old[s], &m.old)
                            && contains(&new[t], &m.new)
                    });
                    if !inside {
                        return Err(Violation::StrayMove(*run));
                    }
                }
            }
        }
        self.check_moves()
    }

    /// Checks that moves do not overlap and contain only their own pairs.
    fn check_moves(&self) -> Result<(), Violation> {
        let mut owner = [
            vec![None; self.old_len as usize],
            vec![None; self.new_len as usize],
        ];
        for (id, m) in self.moves.iter().enumerate() {
            for (side, range) in [m.old.clone(), m.new.clone()].into_iter().enumerate() {
                for index in range {
                    if owner[side][index as usize].replace(id as u32).is_some() {
                        return Err(Violation::SharedMove(m.old.clone(), m.new.clone()));
                    }
                }
            }
        }
        for run in &self.runs {
            let own = match run.role {
                Role::Kept => None,
                Role::Moved(id) => Some(id),
            };
            for (side, range) in [run.old_range(), run.new_range()].into_iter().enumerate() {
                for index in range {
                    if let Some(id) = owner[side][index as usize].filter(|id| Some(*id) != own) {
                        let m: &super::Move = &self.moves[id as usize];
                        return Err(Violation::SharedMove(m.old.clone(), m.new.clone()));
                    }
                }
            }
        }
        Ok(())
    }
}

fn segment_of(segments: &[Range<u32>], range: &Range<u32>) -> Option<usize> {
    let at = segments.partition_point(|s| s.end <= range.start);
    segments.get(at).filter(|s| contains(s, range)).map(|_| at)
}

fn contains(outer: &Range<u32>, inner: &Range<u32>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
