//! Lines that both sides took elsewhere, each to another place: as one would lose what the
//! other did, or the lines would be there twice, both places are conflicts.

use super::chunks::{Chunk, Clash, Hunk};
use super::sides::Aligned;
use crate::Lines;
use std::collections::{HashMap, HashSet};

/// The lines that both sides took elsewhere.
#[derive(Debug, Default)]
pub(super) struct Torn {
    /// Lines of the base.
    base: HashSet<u32>,
    /// The lines of each side that they are now.
    sides: [HashSet<u32>; 2],
}

impl Torn {
    /// Looks for them: moved as a block, or gone from one place and come in another.
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
            // A block that both moved to one place is one move.
            if mine.is_some() || other.is_some() {
                torn.base.insert(*line);
                torn.sides[0].extend(mine);
                torn.sides[1].extend(other);
            }
        }
        torn
    }

    /// Makes conflicts of what only one side seems to have done to such lines.
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

/// Lines that say something and are there once, of those that count.
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

/// Letters and digits that a line has to have to be known again.
const LEAST: usize = 3;
