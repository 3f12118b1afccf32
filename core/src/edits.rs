//! Pairing edited elements where they stand, by likeness.

use crate::align::{Block, NONE, push};
use crate::work::{KEPT, Loose, NEW, OLD, Work};
use crate::{Limit, Problem, Strategy};

/// Pairs what is alike between two kept neighbours, in order, as edited in
/// place.
pub(crate) fn in_place<P: Problem + ?Sized>(work: &mut Work<'_, P>) {
    let loose = work.loose();
    let mut news = &loose[NEW][..];
    let mut pairs = Vec::new();
    let mut by_gap: Vec<(u32, &[Loose])> = Vec::new();
    while let Some(first) = news.first() {
        let (gap, rest) = news.split_at(news.partition_point_gap(first.gap));
        by_gap.push((first.gap, gap));
        news = rest;
    }
    by_gap.sort_unstable_by_key(|(gap, _)| *gap);
    let mut olds = &loose[OLD][..];
    while let Some(first) = olds.first() {
        let (gap, rest) = olds.split_at(olds.partition_point_gap(first.gap));
        olds = rest;
        if first.gap == NONE {
            continue;
        }
        let Ok(at) = by_gap.binary_search_by_key(&first.gap, |(gap, _)| *gap) else {
            continue;
        };
        let old: Vec<u32> = gap.iter().map(|l| l.index).collect();
        let new: Vec<u32> = by_gap[at].1.iter().map(|l| l.index).collect();
        let mut found = Vec::new();
        if pair_alike(work, &old, &new, &mut found) {
            work.outcome.spent(Limit::EditArea);
        }
        pairs.extend(found);
    }
    if !pairs.is_empty() {
        work.outcome.ran(Strategy::EditsInPlace);
    }
    for block in pairs {
        work.pair(block, KEPT);
    }
}

trait GapSlice {
    /// How many leading items lie in this gap.
    fn partition_point_gap(&self, gap: u32) -> usize;
}

impl GapSlice for [Loose] {
    fn partition_point_gap(&self, gap: u32) -> usize {
        self.iter().position(|l| l.gap != gap).unwrap_or(self.len())
    }
}

/// Appends the increasing pairs of the highest total likeness; whether the
/// budget confined them to a band around the diagonal.
pub(crate) fn pair_alike<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    old: &[u32],
    new: &[u32],
    out: &mut Vec<Block>,
) -> bool {
    let floor = work.options.edit_likeness;
    if let ([o], [n]) = (old, new) {
        if work.likeness(*o, *n) >= floor {
            push(out, Block { old: *o, new: *n, len: 1 });
        }
        return false;
    }
    let (rows, cols) = (old.len(), new.len());
    let area = rows as u64 * cols as u64;
    let banded = area > work.options.budget.edit_area;
    let longer = rows.max(cols).max(1) as u64;
    let half = (work.options.budget.edit_area / longer).clamp(1, longer) as usize / 2;
    let band = |row: usize| {
        if !banded {
            return 0..cols;
        }
        let middle = row * cols / rows;
        middle.saturating_sub(half)..(middle + half + 1).min(cols)
    };
    // best[r][c]: the highest total of the first r old and c new elements,
    // stored for the band of each row; outside it the neighbouring row rules.
    let width = if banded { 2 * half + 1 } else { cols };
    let mut like = vec![0.0f32; rows * width];
    for row in 0..rows {
        let band = band(row);
        for col in band.clone() {
            let likeness = work.likeness(old[row], new[col]);
            if likeness >= floor {
                like[row * width + col - band.start] = likeness;
            }
        }
    }
    let mut above = vec![0.0f32; cols + 1];
    let mut choice = vec![0u8; rows * width];
    for row in 0..rows {
        let band = band(row);
        let mut current = above.clone();
        for col in band.clone() {
            let cell = row * width + col - band.start;
            let with = above[col] + like[cell];
            let (skip_old, skip_new) = (above[col + 1], current[col]);
            current[col + 1] = if like[cell] > 0.0 && with > skip_old && with > skip_new {
                choice[cell] = 1;
                with
            } else if skip_old >= skip_new {
                choice[cell] = 2;
                skip_old
            } else {
                choice[cell] = 3;
                skip_new
            };
        }
        for col in band.end..cols {
            current[col + 1] = current[col + 1].max(current[col]);
        }
        above = current;
    }
    let mut found = Vec::new();
    let (mut row, mut col) = (rows, cols);
    while row > 0 && col > 0 {
        let band = band(row - 1);
        if col > band.end {
            col -= 1;
            continue;
        }
        if col <= band.start {
            row -= 1;
            continue;
        }
        match choice[(row - 1) * width + col - 1 - band.start] {
            1 => {
                found.push((old[row - 1], new[col - 1]));
                row -= 1;
                col -= 1;
            }
            2 => row -= 1,
            _ => col -= 1,
        }
    }
    for (old, new) in found.into_iter().rev() {
        push(out, Block { old, new, len: 1 });
    }
    banded
}
