//! Anchors: elements, or runs of elements, that occur exactly once on each side
//! and so can only match each other.

use super::Block;
use crate::{Interner, Token};

pub(crate) const NONE: u32 = u32::MAX;
const MANY: u32 = u32::MAX - 1;

/// Run lengths to try where single elements repeat. Runs of 4 produce false
/// moves; the longer ones serve alphabets of a few letters.
pub(crate) const RUN_LENGTHS: [usize; 3] = [8, 32, 128];

/// Tables indexed by token. Clearing visits only the filled entries, so that
/// searching a small region costs no more than its size.
pub(crate) struct Occurrences {
    old_at: Vec<u32>,
    new_at: Vec<u32>,
}

impl Occurrences {
    pub(crate) fn new(distinct: usize) -> Self {
        Self {
            old_at: vec![NONE; distinct],
            new_at: vec![NONE; distinct],
        }
    }

    /// Blocks around elements unique on both sides, in old order, each reaching
    /// from its first to its last unique element; and whether the two sides have
    /// any element in common.
    pub(crate) fn unique(&mut self, old: &[Token], new: &[Token]) -> (Vec<Block>, bool) {
        count(&mut self.old_at, old);
        count(&mut self.new_at, new);
        let cores = self.cores(old, new);
        let occurs = |token: &Token| self.new_at[token.0 as usize] != NONE;
        let shares = !cores.is_empty() || old.iter().any(occurs);
        for token in old {
            self.old_at[token.0 as usize] = NONE;
        }
        for token in new {
            self.new_at[token.0 as usize] = NONE;
        }
        (cores, shares)
    }

    fn cores(&self, old: &[Token], new: &[Token]) -> Vec<Block> {
        let mut cores = Vec::new();
        let mut at = 0;
        while at < old.len() {
            let token = old[at].0 as usize;
            let there = self.new_at[token];
            if self.old_at[token] == MANY || there >= MANY {
                at += 1;
                continue;
            }
            // Along the diagonal a unique element can only meet itself, so
            // everything equal here is one block.
            let start = at;
            let mut end = at + 1;
            let rest = old[at..].iter().zip(&new[there as usize..]);
            for (o, n) in rest.skip(1) {
                at += 1;
                if o != n {
                    break;
                }
                let token = o.0 as usize;
                if self.old_at[token] != MANY && self.new_at[token] != MANY {
                    end = at + 1;
                }
            }
            cores.push(Block {
                old: start as u32,
                new: there,
                len: (end - start) as u32,
            });
            at = at.max(end);
        }
        cores
    }
}

fn count(at: &mut [u32], tokens: &[Token]) {
    for (i, token) in tokens.iter().enumerate() {
        let slot = &mut at[token.0 as usize];
        *slot = if *slot == NONE { i as u32 } else { MANY };
    }
}

/// Blocks around runs of `length` elements that occur once on each side, in old
/// order. A block's extent is where such runs start: starts never overlap, and
/// growing recovers the rest.
pub(crate) fn unique_runs(old: &[Token], new: &[Token], length: usize) -> Vec<Block> {
    if old.len() < length || new.len() < length {
        return Vec::new();
    }
    let mut interner = Interner::with_capacity(old.len());
    let mut first: Vec<(u32, u32)> = Vec::new(); // position in old, in new
    let mut seen = Vec::with_capacity(old.len());
    roll(old, length, |i, hash| {
        let run = &old[i..i + length];
        let token = interner.intern(hash, |t| {
            let at = first[t.0 as usize].0 as usize;
            at < MANY as usize && &old[at..at + length] == run
        });
        let slot = token.0 as usize;
        if slot == first.len() {
            first.push((i as u32, NONE));
            seen.push((i as u32, slot as u32));
        } else {
            seen.push((MANY, slot as u32));
        }
    });
    // A second walk marks repeats, so that `first` can serve comparisons above.
    for &(at, slot) in &seen {
        if at == MANY {
            first[slot as usize].1 = MANY;
        }
    }
    // Look up only: inserting runs that old does not have would fill the table,
    // and in a periodic text they would pile up in a few slots.
    roll(new, length, |i, hash| {
        let run = &new[i..i + length];
        let token = interner.get(hash, |t| {
            let at = first[t.0 as usize].0 as usize;
            &old[at..at + length] == run
        });
        if let Some(token) = token {
            let there = &mut first[token.0 as usize].1;
            *there = if *there == NONE { i as u32 } else { MANY };
        }
    });
    let mut cores: Vec<Block> = Vec::new();
    for (i, slot) in seen {
        let there = first[slot as usize].1;
        if i == MANY || there >= MANY {
            continue;
        }
        match cores.last_mut() {
            Some(core) if core.old_end() == i && core.new_end() == there => core.len += 1,
            _ => cores.push(Block {
                old: i,
                new: there,
                len: 1,
            }),
        }
    }
    cores
}

/// Calls `each` with the start and the hash of every run of `length` elements.
fn roll(tokens: &[Token], length: usize, mut each: impl FnMut(usize, u64)) {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |token: &Token| (u64::from(token.0) + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let leaving = (1..length).fold(1u64, |f, _| f.wrapping_mul(FACTOR));
    let mut hash = 0u64;
    for (i, token) in tokens.iter().enumerate() {
        hash = hash.wrapping_mul(FACTOR).wrapping_add(mix(token));
        if i + 1 >= length {
            each(i + 1 - length, hash);
            let gone = mix(&tokens[i + 1 - length]);
            hash = hash.wrapping_sub(gone.wrapping_mul(leaving));
        }
    }
}
