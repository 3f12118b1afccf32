//! The fate of every line: the patch's own alignment where nothing moved, the
//! engine's where something did.

use super::blocks::LineBlock;
use super::windows::{Window, Windows};
use super::{EffectiveOptions, MoveKind};
use crate::line::is_blank;
use mvdiff_core::{Relation, Role, Script};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// No counterpart, no block.
pub(super) const NONE: u32 = u32::MAX;

/// How many rounds of dropping unprofitable moves to run: dropping one may make
/// its neighbours unprofitable, too.
const ROUNDS: u32 = 4;

/// The fate of every line of the windows.
pub(super) struct LineFates {
    /// For each line, its kept counterpart, or [`NONE`].
    pub counterpart: [Vec<u32>; 2],
    /// For each line, the move whose range contains it, or [`NONE`].
    pub moved: [Vec<u32>; 2],
    /// For each new line, the copy that contains it, or [`NONE`].
    pub copied: Vec<u32>,
    /// For each new line, the old line it was moved or copied from, or [`NONE`].
    pub source: Vec<u32>,
    /// The moves, in old order.
    pub moves: Vec<LineBlock>,
    /// The copies, in new order.
    pub copies: Vec<LineBlock>,
    /// For each old line, the merge that contains it, or [`NONE`].
    pub merged: Vec<u32>,
    /// The merges, in old order.
    pub merges: Vec<LineBlock>,
    /// Kept lines that are shown nevertheless, in old order.
    pub stayed: Vec<LineBlock>,
}

/// Blocks that may explain lines.
#[derive(Clone, Default)]
struct Blocks {
    moves: Vec<LineBlock>,
    copies: Vec<LineBlock>,
    merges: Vec<LineBlock>,
}

impl Blocks {
    fn len(&self) -> usize {
        self.moves.len() + self.copies.len() + self.merges.len()
    }
}

impl LineFates {
    /// The patch's own alignment, without moves.
    pub fn plain(windows: &Windows<'_>) -> Self {
        let mut fates = Self::of_blocks(windows, Blocks::default());
        for &(old, new, len) in &windows.given {
            for i in 0..len {
                fates.keep((old + i, new + i));
            }
        }
        fates
    }

    /// Starts with no counterparts.
    fn of_blocks(windows: &Windows<'_>, blocks: Blocks) -> Self {
        Self {
            counterpart: [0, 1].map(|side| vec![NONE; windows.lines[side].len()]),
            moved: [0, 1].map(|side| vec![NONE; windows.lines[side].len()]),
            copied: vec![NONE; windows.lines[1].len()],
            source: vec![NONE; windows.lines[1].len()],
            merged: vec![NONE; windows.lines[0].len()],
            moves: blocks.moves,
            copies: blocks.copies,
            merges: blocks.merges,
            stayed: Vec::new(),
        }
    }

    /// All blocks, in order of their numbers.
    pub fn blocks(&self) -> impl Iterator<Item = &LineBlock> {
        self.moves.iter().chain(&self.copies).chain(&self.merges)
    }

    /// Applies a script to the windows, without moves that leave as much to read
    /// as the patch itself.
    pub fn new(windows: &Windows<'_>, script: &Script, options: &EffectiveOptions) -> Self {
        let mut blocks = Blocks {
            moves: LineBlock::moves(windows, script, options),
            copies: LineBlock::copies(windows, script, MoveKind::Copy, options),
            merges: LineBlock::copies(windows, script, MoveKind::Merge, options),
        };
        blocks
            .moves
            .extend(LineBlock::indents(windows, script, options));
        let mut fates = Self::with(windows, script, blocks.clone(), options);
        for _ in 0..ROUNDS {
            let in_vain = fates.windows_in_vain(windows);
            let count = blocks.len();
            let stays = |side: usize, block: &LineBlock| {
                let window = windows.number_of(side, block.range(side).start);
                !in_vain.contains(&window)
            };
            blocks
                .moves
                .retain(|block| stays(0, block) && stays(1, block));
            blocks.copies.retain(|block| stays(1, block));
            blocks.merges.retain(|block| stays(0, block));
            if blocks.len() == count {
                break;
            }
            fates = Self::with(windows, script, blocks.clone(), options);
        }
        fates.stayed = LineBlock::stayed(windows, script, &fates, options);
        fates
    }

    /// Windows of moves that leave no less to read than the patch itself: there
    /// the other alignment gains nothing.
    fn windows_in_vain(&self, windows: &Windows<'_>) -> BTreeSet<usize> {
        // What remains inside blocks, and whether one of them moved unedited: a
        // block with edits is worth naming even if all of it remains.
        let mut left: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
        for block in &self.moves {
            for side in [0, 1] {
                let window = windows.number_of(side, block.range(side).start);
                let inside = block.changes.iter().map(|change| match side {
                    0 => change.0.len(),
                    _ => change.1.len(),
                });
                let entry = left.entry(window).or_default();
                entry.0 += inside.sum::<usize>();
                entry.1 |= block.edited.is_empty();
            }
        }
        let copies = self.copies.iter().map(|block| (1, block));
        for (side, block) in copies.chain(self.merges.iter().map(|block| (0, block))) {
            let window = windows.number_of(side, block.range(side).start);
            left.entry(window).or_default().1 = true;
        }
        let in_vain = left.into_iter().filter(|(number, (inside, unedited))| {
            let window = &windows.list[*number];
            let lines: usize = window.elements.iter().map(ExactSizeIterator::len).sum();
            let given = &windows.given[window.given.clone()];
            let shown = lines - 2 * given.iter().map(|run| run.2 as usize).sum::<usize>();
            let unmatched = |side: usize| {
                let elements = window.elements[side].clone();
                elements
                    .filter(move |i| self.is_unmatched(side, *i))
                    .count()
            };
            let left = inside + unmatched(0) + unmatched(1);
            left > shown || (left == shown && *unedited)
        });
        in_vain.map(|(number, _)| number).collect()
    }

    fn with(
        windows: &Windows<'_>,
        script: &Script,
        blocks: Blocks,
        options: &EffectiveOptions,
    ) -> Self {
        let mut fates = Self::of_blocks(windows, blocks);
        for (id, block) in fates.moves.iter().enumerate() {
            for (old, new) in &block.parts {
                for (side, range) in [old, new].into_iter().enumerate() {
                    fates.moved[side][range.start as usize..range.end as usize].fill(id as u32);
                }
            }
            for &(old, new) in &block.pairs {
                fates.source[new as usize] = old;
                fates.moved[0][old as usize] = id as u32;
                fates.moved[1][new as usize] = id as u32;
            }
        }
        for (id, block) in fates.copies.iter().enumerate() {
            for &(old, new) in &block.pairs {
                fates.copied[new as usize] = id as u32;
                fates.source[new as usize] = old;
            }
        }
        for (id, block) in fates.merges.iter().enumerate() {
            for &(old, _) in &block.pairs {
                fates.merged[old as usize] = id as u32;
            }
        }
        fates.align(windows, script);
        fates.take_blank_edges(windows, options);
        fates
    }

    /// Adds blank lines next to a block to it, as white space at its edges.
    fn take_blank_edges(&mut self, windows: &Windows<'_>, options: &EffectiveOptions) {
        if options.show_whitespace {
            return;
        }
        for id in 0..self.moves.len() {
            if self.moves[id].kind != MoveKind::Move {
                continue;
            }
            for (part, side) in (0..self.moves[id].parts.len()).flat_map(|p| [(p, 0), (p, 1)]) {
                let (old, new) = &self.moves[id].parts[part];
                let range = [old, new][side].clone();
                let window = &windows.window_of(side, range.start).elements[side];
                let unmatched = |i: &u32| {
                    self.is_unmatched(side, *i) && is_blank(windows.lines[side][*i as usize])
                };
                let before = (window.start..range.start)
                    .rev()
                    .take_while(unmatched)
                    .count() as u32;
                let behind = (range.end..window.end).take_while(unmatched).count() as u32;
                let grown = range.start - before..range.end + behind;
                for edge in [grown.start..range.start, range.end..grown.end] {
                    self.moved[side][edge.start as usize..edge.end as usize].fill(id as u32);
                }
                let block = &mut self.moves[id];
                block.whitespace += before + behind;
                let own = if side == 0 {
                    &mut block.old
                } else {
                    &mut block.new
                };
                *own = own.start.min(grown.start)..own.end.max(grown.end);
            }
        }
    }

    /// Whether a line remains outside moves.
    pub fn is_unmatched(&self, side: usize, element: u32) -> bool {
        let at = element as usize;
        self.counterpart[side][at] == NONE
            && self.moved[side][at] == NONE
            && [&self.merged, &self.copied][side][at] == NONE
    }

    fn align(&mut self, windows: &Windows<'_>, script: &Script) {
        let kept: Vec<(u32, u32, u32)> = script
            .runs()
            .iter()
            .filter(|run| run.role == Role::Kept && run.relation == Relation::EXACT)
            .map(|run| (run.old, run.new, run.len))
            .collect();
        let mut from = 0;
        for window in &windows.list {
            let end = window.elements[0].end;
            let to = from + kept[from..].partition_point(|run| run.0 < end);
            let given = &windows.given[window.given.clone()];
            self.align_window(window, given, &kept[from..to]);
            from = to;
        }
    }

    /// Between two pairs that both alignments share, uses the patch's alignment
    /// where nothing moved, or where it is as good: it keeps no moved line, and
    /// no fewer lines than the engine's.
    fn align_window(
        &mut self,
        window: &Window,
        given: &[(u32, u32, u32)],
        found: &[(u32, u32, u32)],
    ) {
        let mut at = [window.elements[0].start, window.elements[1].start];
        let end = (window.elements[0].end, window.elements[1].end, 0);
        for (old, new, len) in in_both(given, found).into_iter().chain([end]) {
            let region = at[0]..old;
            let any = |ids: &[u32], range: Range<u32>| {
                let ids = &ids[range.start as usize..range.end as usize];
                ids.iter().any(|id| *id != NONE)
            };
            let touched = any(&self.moved[0], region.clone())
                || any(&self.merged, region.clone())
                || any(&self.moved[1], at[1]..new)
                || any(&self.copied, at[1]..new);
            let stays = |pair: &(u32, u32)| {
                let [old, new] = [pair.0 as usize, pair.1 as usize];
                [self.moved[0][old], self.merged[old]] == [NONE; 2]
                    && [self.moved[1][new], self.copied[new]] == [NONE; 2]
            };
            let keeps = |runs| pairs_within(runs, &region);
            let as_given = !touched
                || (keeps(given).all(|pair| stays(&pair))
                    && keeps(given).count() >= keeps(found).count()
                    && self.crosses_no_indent(&region, keeps(given)));
            let runs = if as_given { given } else { found };
            let kept: Vec<(u32, u32)> = pairs_within(runs, &region).collect();
            let both = (old..old + len).zip(new..);
            kept.into_iter()
                .chain(both)
                .for_each(|pair| self.keep(pair));
            at = [old + len, new + len];
        }
    }

    /// Whether the pairs a region would keep are in order with the blocks
    /// reindented there.
    fn crosses_no_indent(
        &self,
        region: &Range<u32>,
        kept: impl Iterator<Item = (u32, u32)>,
    ) -> bool {
        let mut stayed: Vec<(u32, u32)> = kept.collect();
        for old in region.clone() {
            let id = self.moved[0][old as usize];
            let block = self.moves.get(id as usize);
            if let Some(block) = block.filter(|block| block.kind == MoveKind::Indent) {
                let at = block.pairs.binary_search_by_key(&old, |pair| pair.0);
                stayed.extend(at.ok().map(|at| block.pairs[at]));
            }
        }
        stayed.sort_unstable();
        stayed.is_sorted_by_key(|pair| pair.1)
    }

    fn keep(&mut self, (old, new): (u32, u32)) {
        self.counterpart[0][old as usize] = new;
        self.counterpart[1][new as usize] = old;
    }
}

/// The pairs of increasing runs whose old line lies in a range.
fn pairs_within(
    runs: &[(u32, u32, u32)],
    range: &Range<u32>,
) -> impl Iterator<Item = (u32, u32)> + Clone {
    let from = runs.partition_point(|(old, _, len)| old + len <= range.start);
    let to = runs.partition_point(|(old, ..)| *old < range.end).max(from);
    let (start, end) = (range.start, range.end);
    runs[from..to].iter().flat_map(move |&(old, new, len)| {
        let skipped = start.saturating_sub(old);
        let last = (old + len).min(end);
        (old + skipped..last).zip(new + skipped..)
    })
}

/// The pairs common to both lists of increasing runs.
fn in_both(a: &[(u32, u32, u32)], b: &[(u32, u32, u32)]) -> Vec<(u32, u32, u32)> {
    let mut both = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(&(ao, an, al)), Some(&(bo, bn, bl))) = (a.get(i), b.get(j)) {
        let start = ao.max(bo);
        let end = (ao + al).min(bo + bl);
        if start < end && an + (start - ao) == bn + (start - bo) {
            both.push((start, an + (start - ao), end - start));
        }
        if ao + al <= bo + bl {
            i += 1;
        } else {
            j += 1;
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_in_both_are_cut_to_what_they_share() {
        let a = [(0, 0, 5), (7, 9, 3)];
        let b = [(2, 2, 4), (6, 7, 1), (8, 10, 9)];
        assert_eq!(in_both(&a, &b), [(2, 2, 3), (8, 10, 2)]);
        assert_eq!(in_both(&a, &[(0, 1, 5)]), []);
    }

    #[test]
    fn pairs_within_a_range_are_those_of_its_old_lines() {
        let runs = [(0, 10, 3), (5, 20, 2)];
        let within = |range: Range<u32>| pairs_within(&runs, &range).collect::<Vec<_>>();
        assert_eq!(within(1..6), [(1, 11), (2, 12), (5, 20)]);
        assert_eq!(within(3..5), []);
        assert_eq!(within(6..9), [(6, 21)]);
        assert_eq!(within(4..4), []);
    }
}
