//! Lines that both sides moved, each to a different place. Taking either place
//! would lose the change of the other side, and taking both would duplicate the
//! lines, so both places are conflicts.

use super::chunks::{Chunk, Clash, Hunk};
use super::sides::Aligned;
use crate::Lines;
use std::collections::{HashMap, HashSet};

/// Lines that both sides moved to different places.
#[derive(Debug, Default)]
pub(super) struct Torn {
    /// Lines of the base.
    base: HashSet<u32>,
    /// The corresponding lines of each side.
    sides: [HashSet<u32>; 2],
}

impl Torn {
    /// Finds them: moved as a block, or deleted in one place and inserted in
    /// another.
    pub fn new(lines: &[Lines<'_>; 3], sides: &[Aligned; 2]) -> Self {
        let once = single(&lines[0], |_| true);
        let went = [0, 1].map(|at| {
            let side = &sides[at];
            let came = single(&lines[at + 1], |line| side.from[line as usize].is_none());
            let mut went: HashMap<u32, Option<u32>> = HashMap::new();
            for block in &side.moves {
                went.extend(block.old.clone().map(|line| (line, None)));
            }
            for (text, line) in &once {
                if side.to[*line as usize].is_none()
                    && let Some(now) = came.get(text)
                {
                    went.insert(*line, Some(*now));
                }
            }
            went
        });
        let mut torn = Self::default();
        for (line, mine) in &went[0] {
            let Some(other) = went[1].get(line) else {
                continue;
            };
            // A block that both moved to the same place is one move.
            if mine.is_some() || other.is_some() {
                torn.base.insert(*line);
                torn.sides[0].extend(mine);
                torn.sides[1].extend(other);
            }
        }
        torn
    }

    /// Turns one-sided changes of such lines into conflicts.
    pub fn part(&self, order: &[u32], sides: &[Aligned; 2], chunks: Vec<Chunk>) -> Vec<Chunk> {
        if self.base.is_empty() {
            return chunks;
        }
        let concerns = |side: usize, hunk: &Hunk| {
            let mut ids = order[hunk.place.clone()].iter();
            hunk.lines
                .iter()
                .any(|line| self.sides[side].contains(line))
                || ids.any(|line| self.base.contains(line))
        };
        let still = |side: usize, hunk: &Hunk| -> Vec<u32> {
            let ids = order[hunk.place.clone()].iter();
            ids.filter_map(|line| sides[side].to[*line as usize])
                .collect()
        };
        let parted = chunks.into_iter().map(|chunk| match chunk {
            Chunk::Ours(hunk) if concerns(0, &hunk) => Chunk::Conflict(Clash {
                theirs: still(1, &hunk),
                ours: hunk.lines,
                place: hunk.place,
            }),
            Chunk::Theirs(hunk) if concerns(1, &hunk) => Chunk::Conflict(Clash {
                ours: still(0, &hunk),
                theirs: hunk.lines,
                place: hunk.place,
            }),
            chunk => chunk,
        });
        parted.collect()
    }
}

/// Informative lines that occur once, among those that count.
fn single<'t>(lines: &Lines<'t>, counts: impl Fn(u32) -> bool) -> HashMap<&'t [u8], u32> {
    let mut found: HashMap<&[u8], Option<u32>> = HashMap::new();
    for (line, text) in (0..).zip(lines.iter()) {
        if text
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .count()
            >= LEAST
        {
            found
                .entry(text)
                .and_modify(|twice| *twice = None)
                .or_insert(Some(line));
        }
    }
    let once = found
        .into_iter()
        .filter_map(|(text, line)| Some((text, line?)));
    once.filter(|(_, line)| counts(*line)).collect()
}

/// Minimum number of letters and digits for recognising a line.
const LEAST: usize = 3;
