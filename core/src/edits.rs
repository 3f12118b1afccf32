//! Pairs elements that were edited in place, by similarity.

use crate::align::Block;
use crate::work::{KEPT, Leftover, NEW, OLD, Work};
use crate::{Limit, Problem, Strategy};

/// Pairs similar elements between two kept neighbours, in order, as edited in
/// place. Returns all elements that were unmatched before, whether paired now or
/// not.
pub(crate) fn in_place<P: Problem + ?Sized>(work: &mut Work<'_, P>) -> [Vec<Leftover>; 2] {
    let unmatched = work.leftovers();
    if !work.options.edits {
        return unmatched;
    }
    let mut news = &unmatched[NEW][..];
    let mut found = Vec::new();
    let mut by_gap: Vec<(u32, &[Leftover])> = Vec::new();
    while let Some(first) = news.first() {
        let (gap, rest) = news.split_at(news.partition_point_gap(first.gap));
        by_gap.push((first.gap, gap));
        news = rest;
    }
    by_gap.sort_unstable_by_key(|(gap, _)| *gap);
    let mut olds = &unmatched[OLD][..];
    while let Some(first) = olds.first() {
        let (gap, rest) = olds.split_at(olds.partition_point_gap(first.gap));
        olds = rest;
        let Ok(at) = by_gap.binary_search_by_key(&first.gap, |(gap, _)| *gap) else {
            continue;
        };
        let old: Vec<u32> = gap.iter().map(|l| l.index).collect();
        let new: Vec<u32> = by_gap[at].1.iter().map(|l| l.index).collect();
        if pair_alike(work, &old, &new, &mut found) {
            work.outcome.spent(Limit::EditArea);
        }
    }
    if !found.is_empty() {
        work.outcome.ran(Strategy::EditsInPlace);
    }
    for edited in &found {
        work.pair(edited.pair(), KEPT);
        work.added.push((edited.old, edited.new));
    }
    work.edited = found;
    unmatched
}

/// Two elements that are one, edited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edited {
    pub old: u32,
    pub new: u32,
    pub similarity: f32,
}

impl Edited {
    pub(crate) fn pair(self) -> Block {
        Block {
            old: self.old,
            new: self.new,
            len: 1,
        }
    }
}

trait GapSlice {
    /// How many leading items lie in this gap.
    fn partition_point_gap(&self, gap: u32) -> usize;
}

impl GapSlice for [Leftover] {
    fn partition_point_gap(&self, gap: u32) -> usize {
        self.iter().position(|l| l.gap != gap).unwrap_or(self.len())
    }
}

/// Appends the increasing pairs of the highest total similarity. Returns whether
/// the budget confined the search to a band around the diagonal.
pub(crate) fn pair_alike<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    old: &[u32],
    new: &[u32],
    out: &mut Vec<Edited>,
) -> bool {
    let floor = work.options.edit_similarity;
    let edited = |old: u32, new: u32, similarity: f32| Edited {
        old,
        new,
        similarity,
    };
    match (old, new) {
        ([], _) | (_, []) => return false,
        ([o], [n]) => {
            let alike = work.fresh_similarity(*o, *n);
            if alike >= floor {
                out.push(edited(*o, *n, alike));
            }
            return false;
        }
        _ => {}
    }
    let band = Band::new(old.len(), new.len(), work.options.budget.edit_area);
    let marks = Marks::new(work, old, new);
    let mut choice = vec![Choice::SkipOld; band.cells()];
    // The pairs that were chosen in some row, in order.
    let mut paired: Vec<Edited> = Vec::new();
    // Totals of the previous row, for the columns of its band; past the end of
    // the band the last total applies.
    let mut above: Vec<f32> = vec![0.0];
    let mut above_start = 0;
    let mut totals: Vec<f32> = Vec::with_capacity(band.width + 1);
    for (row, choices) in choice.chunks_exact_mut(band.width).enumerate() {
        let columns = band.columns(row);
        let before = |col: usize| above[(col - above_start).min(above.len() - 1)];
        let mut skip_new = before(columns.start);
        totals.clear();
        totals.push(skip_new);
        for (col, chosen) in columns.clone().zip(choices) {
            let may_match = if band.cuts() {
                marks.share_half(row, col)
            } else {
                marks.may_match(row, col)
            };
            let alike = if may_match {
                work.fresh_similarity(old[row], new[col])
            } else {
                0.0
            };
            let with = if alike >= floor {
                before(col) + alike
            } else {
                -1.0
            };
            let skip_old = before(col + 1);
            (skip_new, *chosen) = if with > skip_old && with > skip_new {
                paired.push(edited(old[row], new[col], alike));
                (with, Choice::Pair)
            } else if skip_old >= skip_new {
                (skip_old, Choice::SkipOld)
            } else {
                (skip_new, Choice::SkipNew)
            };
            totals.push(skip_new);
        }
        std::mem::swap(&mut above, &mut totals);
        above_start = columns.start;
    }
    let first = out.len();
    let (mut row, mut col) = (old.len(), new.len());
    while row > 0 && col > 0 {
        let columns = band.columns(row - 1);
        if col > columns.end {
            col = columns.end;
        } else if col <= columns.start {
            row -= 1;
        } else {
            match choice[(row - 1) * band.width + (col - 1 - columns.start)] {
                Choice::Pair => {
                    (row, col) = (row - 1, col - 1);
                    let is_other = |pair: &Edited| (pair.old, pair.new) != (old[row], new[col]);
                    while paired.pop_if(|pair| is_other(pair)).is_some() {}
                    out.extend(paired.pop());
                }
                Choice::SkipOld => row -= 1,
                Choice::SkipNew => col -= 1,
            }
        }
    }
    out[first..].reverse();
    band.cuts()
}

#[derive(Clone, Copy)]
enum Choice {
    Pair,
    SkipOld,
    SkipNew,
}

/// The cells of a table to examine: all, or those near the diagonal.
struct Band {
    rows: usize,
    cols: usize,
    width: usize,
}

impl Band {
    fn new(rows: usize, cols: usize, area: u64) -> Self {
        let whole = rows as u64 * cols as u64 <= area;
        let narrow = (area / rows as u64).clamp(3, cols.max(3) as u64) as usize;
        Self {
            rows,
            cols,
            width: if whole { cols } else { narrow.min(cols) },
        }
    }

    fn cuts(&self) -> bool {
        self.width < self.cols
    }

    fn cells(&self) -> usize {
        self.rows * self.width
    }

    fn columns(&self, row: usize) -> std::ops::Range<usize> {
        let middle = row * self.cols / self.rows;
        let start = middle
            .saturating_sub(self.width / 2)
            .min(self.cols - self.width);
        start..start + self.width
    }
}

/// Bit sets of element features, so that in a large gap only elements with common
/// features are compared.
pub(crate) struct Marks {
    old: Vec<u64>,
    new: Vec<u64>,
}

impl Marks {
    /// Largest area for which comparing every pair is cheaper than building bit
    /// sets.
    const SMALL: usize = 4;

    pub(crate) fn new<P: Problem + ?Sized>(work: &Work<'_, P>, old: &[u32], new: &[u32]) -> Self {
        if old.len() * new.len() <= Self::SMALL {
            return Self {
                old: Vec::new(),
                new: Vec::new(),
            };
        }
        let mut features = Vec::new();
        let mut mark = |side: usize, elements: &[u32]| -> Vec<u64> {
            let marks = elements.iter().map(|&index| {
                features.clear();
                work.features(side, index, &mut features);
                features
                    .iter()
                    .fold(0, |bits, feature| bits | 1 << (feature >> 58))
            });
            marks.collect()
        };
        Self {
            old: mark(OLD, old),
            new: mark(NEW, new),
        }
    }

    /// Whether at least half of the smaller feature set may occur in the other
    /// one. In a gap too large to try every pair, most neighbours have nothing in
    /// common.
    fn share_half(&self, row: usize, col: usize) -> bool {
        let (Some(&old), Some(&new)) = (self.old.get(row), self.new.get(col)) else {
            return true;
        };
        let fewer = old.count_ones().min(new.count_ones());
        2 * (old & new).count_ones() >= fewer
    }

    /// Whether two elements are worth comparing. True without features or in a
    /// small gap.
    pub(crate) fn may_match(&self, row: usize, col: usize) -> bool {
        let (Some(&old), Some(&new)) = (self.old.get(row), self.new.get(col)) else {
            return true;
        };
        old & new != 0 || old == 0 || new == 0
    }
}
