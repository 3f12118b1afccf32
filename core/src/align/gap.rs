//! Bounded diff of a gap without anchors.

use super::Block;
use crate::Token;
use similar::DiffOp;
use similar::algorithms::{Algorithm, Capture, diff_slices};

/// Diffs a gap and appends equal runs in order. Returns whether the area exceeds
/// `max_area`, in which case the diff is coarser.
pub(crate) fn diff(old: &[Token], new: &[Token], max_area: u64, out: &mut Vec<Block>) -> bool {
    let (prefix, suffix) = super::common_ends(old, new);
    let ends = (old.len() - suffix as usize, new.len() - suffix as usize);
    if prefix > 0 {
        out.push(Block {
            old: 0,
            new: 0,
            len: prefix,
        });
    }
    let inner = (&old[prefix as usize..ends.0], &new[prefix as usize..ends.1]);
    let coarse = inside(inner.0, inner.1, (prefix, max_area), out);
    if suffix > 0 {
        push(
            out,
            Block {
                old: ends.0 as u32,
                new: ends.1 as u32,
                len: suffix,
            },
        );
    }
    coarse
}

/// Diffs the part between the common ends, which starts at offset `at`.
fn inside(old: &[Token], new: &[Token], (at, max_area): (u32, u64), out: &mut Vec<Block>) -> bool {
    let fits =
        |old: &[Token], new: &[Token]| old.len() as u64 * new.len() as u64 <= max_area.max(1);
    if fits(old, new) {
        whole(old, new, (at, at), out);
        return false;
    }
    // Elements that occur on one side only cannot match; often nothing else is
    // left.
    let (old_at, new_at) = (shared(old, new), shared(new, old));
    if old_at.is_empty() {
        return false;
    }
    let pick = |at: &[u32], of: &[Token]| at.iter().map(|&i| of[i as usize]).collect::<Vec<_>>();
    let (old, new) = (pick(&old_at, old), pick(&new_at, new));
    let mut found = Vec::new();
    if fits(&old, &new) {
        whole(&old, &new, (0, 0), &mut found);
    } else {
        tiles(&old, &new, max_area, &mut found);
    }
    for (o, n) in found.iter().flat_map(|b| (b.old..b.old_end()).zip(b.new..)) {
        push(
            out,
            Block {
                old: at + old_at[o as usize],
                new: at + new_at[n as usize],
                len: 1,
            },
        );
    }
    true
}

/// Cuts both sides at the same fractions, so that the work is linear and
/// matches stay near the diagonal.
fn tiles(old: &[Token], new: &[Token], max_area: u64, out: &mut Vec<Block>) {
    let mut count = 2;
    while (old.len() / count + 1) as u64 * (new.len() / count + 1) as u64 > max_area
        && count < old.len().max(new.len())
    {
        count *= 2;
    }
    // Small tiles: the diff inside one is quadratic at worst.
    while (old.len() / count).max(new.len() / count) > TILE {
        count *= 2;
    }
    let cut = |len: usize, t: usize| (len as u64 * t as u64 / count as u64) as usize;
    for t in 0..count {
        let (o, n) = (cut(old.len(), t), cut(new.len(), t));
        let old = &old[o..cut(old.len(), t + 1)];
        let new = &new[n..cut(new.len(), t + 1)];
        whole(old, new, (o as u32, n as u32), out);
    }
}

/// Longest side of a tile.
const TILE: usize = 256;

fn whole(old: &[Token], new: &[Token], at: (u32, u32), out: &mut Vec<Block>) {
    match (old, new) {
        ([], _) | (_, []) => {}
        ([o], _) => {
            if let Some(n) = new.iter().position(|n| n == o) {
                push(out, shift(0, n, 1, at));
            }
        }
        (_, [n]) => {
            if let Some(o) = old.iter().position(|o| o == n) {
                push(out, shift(o, 0, 1, at));
            }
        }
        _ => {
            let mut capture = Capture::new();
            let Ok(()) = diff_slices(Algorithm::Histogram, &mut capture, old, new);
            for op in capture.ops() {
                if let DiffOp::Equal {
                    old_index,
                    new_index,
                    len,
                } = *op
                {
                    push(out, shift(old_index, new_index, len, at));
                }
            }
        }
    }
}

fn shift(old: usize, new: usize, len: usize, at: (u32, u32)) -> Block {
    Block {
        old: old as u32 + at.0,
        new: new as u32 + at.1,
        len: len as u32,
    }
}

/// Appends a block, merging it with the last one if it continues it.
pub(crate) fn push(out: &mut Vec<Block>, block: Block) {
    match out.last_mut() {
        Some(last) if last.old_end() == block.old && last.new_end() == block.new => {
            last.len += block.len;
        }
        _ => out.push(block),
    }
}

/// Positions in `of` whose token occurs in `other`.
fn shared(of: &[Token], other: &[Token]) -> Vec<u32> {
    let highest = other.iter().max().map_or(0, |token| token.0 as usize);
    let mut there = vec![false; highest + 1];
    for token in other {
        there[token.0 as usize] = true;
    }
    let hits = of
        .iter()
        .enumerate()
        .filter(|(_, token)| there.get(token.0 as usize) == Some(&true));
    hits.map(|(i, _)| i as u32).collect()
}
