//! Which hunks can hold a move at all, where there are very many.
//!
//! A move is anchored by lines that went and came a few times each; a hunk
//! without such a line need not be looked at. Lines are counted by their hash
//! without white space at their ends, in tables without the lines themselves:
//! two lines that share a place make a hunk be looked at in vain, never be
//! overlooked, but where both are rare and their sum is not.

use crate::patch::{Changeset, FilePatch, Hunk, LineKind};
use xxhash_rust::xxh3::xxh3_64;

/// Lines of hunks up to which every hunk is looked at.
const ALL: usize = 1 << 16;
/// Lines that occur more often anchor nothing; see
/// [`Options::max_repeat`](mvdiff_core::Options::max_repeat). Higher, since a
/// place in the table may be shared.
const MOST: u8 = 12;
/// Lines as long as this say enough by themselves.
const LONG: usize = 48;
/// Shorter lines say too little.
const SHORTEST: usize = 4;

/// Whether a line went and came, and rarely.
#[derive(Clone, Copy, Default)]
struct Met {
    both: bool,
    rarely: bool,
}

/// How often lines went and came.
pub(super) struct Rare {
    /// By the low bits of the hash: removed, added.
    counts: Vec<[u8; 2]>,
}

impl Rare {
    /// Counts, if there is so much that it pays.
    pub fn of(changeset: &Changeset<'_>) -> Option<Self> {
        let hunks = || changeset.files.iter().flat_map(FilePatch::hunks);
        let lines: usize = hunks().map(|hunk| hunk.lines.len()).sum();
        if lines <= ALL {
            return None;
        }
        let mut rare = Self {
            counts: vec![[0; 2]; (lines * 2).next_power_of_two()],
        };
        for (side, text) in hunks().flat_map(changes) {
            let slot = rare.slot(text);
            let count = &mut rare.counts[slot][side];
            *count = count.saturating_add(1);
        }
        Some(rare)
    }

    /// Whether a line of the hunk went and came, rarely, and is not alone among
    /// others that did not: so little would be no move (see
    /// [`Options::embedded`](mvdiff_core::Options::embedded)).
    pub fn may_move(&self, hunk: &Hunk<'_>) -> bool {
        let runs = hunk.lines.chunk_by(|a, b| a.kind == b.kind);
        let mut runs = runs.filter(|run| run[0].kind != LineKind::Context);
        runs.any(|run| {
            // A brace or a blank line between two is no neighbour.
            let texts = run.iter().map(|line| line.text.trim_ascii());
            let mut texts = texts.filter(|text| text.len() >= SHORTEST);
            let mut before = Met::default();
            texts.any(|text| {
                let met = self.met(text);
                let moves = (met.rarely && (before.both || text.len() >= LONG))
                    || (met.both && before.rarely);
                before = met;
                moves || (met.rarely && run.len() == 1)
            })
        })
    }

    fn met(&self, text: &[u8]) -> Met {
        let counts = self.counts[self.slot(text)];
        let both = counts.iter().all(|count| *count > 0);
        Met {
            both,
            rarely: both && counts.iter().all(|count| *count <= MOST),
        }
    }

    fn slot(&self, text: &[u8]) -> usize {
        xxh3_64(text) as usize & (self.counts.len() - 1)
    }
}

/// The changed lines of a hunk that could anchor a move, with their sides.
fn changes<'h>(hunk: &'h Hunk<'_>) -> impl Iterator<Item = (usize, &'h [u8])> {
    hunk.lines.iter().filter_map(|line| {
        let side = match line.kind {
            LineKind::Context => return None,
            LineKind::Removed => 0,
            LineKind::Added => 1,
        };
        let text = line.text.trim_ascii();
        (text.len() >= SHORTEST).then_some((side, text))
    })
}
