//! Alignment of one side with the base: kept lines and moved blocks.

use crate::{Error, LineProblem};
use mvdiff_core::{Options, Relation, Role, diff, plain};
use std::ops::Range;

/// A moved block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MovedRange {
    /// Its place in the base, including deleted lines.
    pub old: Range<u32>,
    /// Its new place, including inserted lines.
    pub new: Range<u32>,
    /// Runs of equal lines: base, side, count.
    pub runs: Vec<(u32, u32, u32)>,
}

/// One side, line by line.
#[derive(Clone, Debug)]
pub(super) struct Aligned {
    /// For every base line, its place on the side, if it is there unchanged.
    pub to: Vec<Option<u32>>,
    /// For every line of the side, its base line.
    pub from: Vec<Option<u32>>,
    pub moves: Vec<MovedRange>,
    pub complete: bool,
    /// `to` with moves as deletions and insertions.
    plain_to: Vec<Option<u32>>,
}

impl Aligned {
    pub fn new(base: &[u8], side: &[u8], options: &Options) -> Result<Self, Error> {
        let problem = LineProblem::of_texts(base, side)?;
        let found = diff(&problem, options)?;
        let script = &found.script;
        let count = script.old_len() as usize;
        let mut plain_to = vec![None; count];
        let (mut old, mut new) = (0, 0);
        for hunk in plain(&problem, script, options) {
            for (line, to) in (old..hunk.old.start).zip(new..) {
                plain_to[line as usize] = Some(to);
            }
            (old, new) = (hunk.old.end, hunk.new.end);
        }
        for (line, to) in (old..script.old_len()).zip(new..) {
            plain_to[line as usize] = Some(to);
        }
        let mut moves = Vec::new();
        for (id, step) in (0..).zip(script.moves()) {
            let same = script
                .runs_of(id)
                .filter(|run| run.relation == Relation::EXACT);
            moves.push(MovedRange {
                old: step.old.clone(),
                new: step.new.clone(),
                runs: same.map(|run| (run.old, run.new, run.len)).collect(),
            });
        }
        let mut to = vec![None; count];
        for run in script.runs() {
            if run.role == Role::Kept && run.relation == Relation::EXACT {
                for (line, place) in run.old_range().zip(run.new_range()) {
                    to[line as usize] = Some(place);
                }
            }
        }
        let mut aligned = Self {
            to,
            from: vec![None; script.new_len() as usize],
            moves,
            complete: found.outcome.is_complete(),
            plain_to,
        };
        for block in &aligned.moves {
            for &(old, new, len) in &block.runs {
                for (line, place) in (old..old + len).zip(new..) {
                    aligned.to[line as usize] = Some(place);
                }
            }
        }
        aligned.settle();
        Ok(aligned)
    }

    /// Drops a move: its lines count as deleted and inserted.
    pub fn drop_move(&mut self, at: usize) {
        let block = self.moves.remove(at);
        for (old, _, len) in block.runs {
            self.to[old as usize..(old + len) as usize].fill(None);
        }
        self.settle();
    }

    /// Drops all moves.
    pub fn drop_moves(&mut self) {
        self.moves.clear();
        self.settle();
    }

    /// Pairs lines as a plain diff does if no moves are left.
    fn settle(&mut self) {
        if self.moves.is_empty() {
            self.to.clone_from(&self.plain_to);
        }
        self.from.fill(None);
        for (line, to) in (0..).zip(&self.to) {
            if let Some(to) = to {
                self.from[*to as usize] = Some(line);
            }
        }
    }
}
