//! Lines that went and lines that came in the same place.
//!
//! The engine calls two lines one, edited, when enough of it survives. What it
//! leaves over between two neighbours that stayed is looked at once more here, by
//! rules of which each caller has its own.

use crate::cell_map::Lines;
use mvdiff_core::{Role, Script};

/// What went and what came between two neighbours that stayed, each in order.
pub(crate) struct Gap {
    pub old: Vec<u32>,
    pub new: Vec<u32>,
}

/// The gaps in which something both went and came.
pub(crate) fn gaps(lines: &Lines, script: &Script) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let (mut removed, mut added) = (&lines.removed[..], &lines.added[..]);
    let kept = script.runs().iter().filter(|run| run.role == Role::Kept);
    let ends = kept.map(|run| (run.old, run.new));
    for (old_end, new_end) in ends.chain([(lines.old_len, lines.new_len)]) {
        let (old, rest) = removed.split_at(removed.partition_point(|line| *line < old_end));
        removed = rest;
        let (new, rest) = added.split_at(added.partition_point(|line| *line < new_end));
        added = rest;
        if !old.is_empty() && !new.is_empty() {
            gaps.push(Gap {
                old: old.to_vec(),
                new: new.to_vec(),
            });
        }
    }
    gaps
}

impl Gap {
    /// What is left between pairs, which come in order on both sides.
    pub fn between(&self, pairs: &[(u32, u32)]) -> Vec<Self> {
        let mut left = Vec::new();
        let (mut old, mut new) = (&self.old[..], &self.new[..]);
        let ends = pairs.iter().copied().map(Some).chain([None]);
        for end in ends {
            let cut = |lines: &[u32], end: Option<u32>| match end {
                Some(end) => lines.partition_point(|line| *line < end),
                None => lines.len(),
            };
            let (o, n) = (
                cut(old, end.map(|pair| pair.0)),
                cut(new, end.map(|pair| pair.1)),
            );
            if o > 0 && n > 0 {
                left.push(Self {
                    old: old[..o].to_vec(),
                    new: new[..n].to_vec(),
                });
            }
            (old, new) = (
                old.get(o + 1..).unwrap_or_default(),
                new.get(n + 1..).unwrap_or_default(),
            );
        }
        left
    }
}

/// Calls the lines of each pair one.
pub(crate) fn call_one(lines: &mut Lines, mut paired: Vec<(u32, u32)>) {
    if paired.is_empty() {
        return;
    }
    let came: std::collections::HashSet<u32> = paired.iter().map(|pair| pair.1).collect();
    paired.sort_unstable();
    let gone = |line: &u32| paired.binary_search_by_key(line, |pair| pair.0).is_ok();
    lines.removed.retain(|line| !gone(line));
    lines.added.retain(|line| !came.contains(line));
}

/// The longest list of pairs in which both sides count up; pairs come in order of
/// their old lines.
pub(crate) fn in_order(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // The last pair of the best list of each length, and who came before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let len = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(len.checked_sub(1).map(|len| ends[len]));
        if len == ends.len() {
            ends.push(at);
        } else {
            ends[len] = at;
        }
    }
    let mut found = Vec::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        found.push(pairs[at]);
        next = before[at];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::{Gap, in_order};

    #[test]
    fn the_longest_list_in_order_is_taken() {
        let pairs = [(0, 5), (1, 1), (2, 2), (3, 0), (4, 3)];
        assert_eq!(in_order(&pairs), [(1, 1), (2, 2), (4, 3)]);
        assert!(in_order(&[]).is_empty());
    }

    #[test]
    fn what_lies_between_pairs_is_left() {
        let gap = Gap {
            old: vec![1, 2, 3, 4],
            new: vec![10, 11, 12],
        };
        let left = gap.between(&[(2, 11)]);
        let left: Vec<_> = left.into_iter().map(|gap| (gap.old, gap.new)).collect();
        assert_eq!(left, [(vec![1], vec![10]), (vec![3, 4], vec![12])]);
    }
}
