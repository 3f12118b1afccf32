//! Selects the hunks of a very large patch that may contain a move.
//!
//! A move is anchored by lines that were removed and added a few times each; a
//! hunk without such a line can be skipped. Lines are counted by hash, without
//! white space at their ends, in tables that do not hold the lines themselves. If
//! two lines share a slot, a hunk may be examined in vain. A hunk is missed only
//! if both lines are rare and their sum is not.

use crate::patch::{Changeset, FilePatch, Hunk, LineKind};
use xxhash_rust::xxh3::xxh3_64;

/// Up to this many lines, every hunk is examined.
const ALL: usize = 1 << 16;
/// Lines that occur more often do not anchor a move; see
/// [`Options::max_repeat`](mvdiff_core::Options::max_repeat). Higher, because
/// lines may share a slot of the table.
const MOST: u8 = 12;
/// Lines of at least this length are informative on their own.
const LONG: usize = 48;
/// Shorter lines are not informative.
const SHORTEST: usize = 4;

/// Whether a line was both removed and added, and rarely.
#[derive(Clone, Copy, Default)]
struct Met {
    both: bool,
    rarely: bool,
}

/// How often lines were removed and added.
pub(super) struct Rare {
    /// By the low bits of the hash: removed, added.
    counts: Vec<[u8; 2]>,
}

impl Rare {
    /// Counts the lines, if there are enough to be worth it.
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

    /// Whether the hunk has a line that was removed and added, rarely, and that
    /// is not alone among other changes: a single line would not be a move (see
    /// [`Options::embedded`](mvdiff_core::Options::embedded)).
    pub fn may_move(&self, hunk: &Hunk<'_>) -> bool {
        let runs = hunk.lines.chunk_by(|a, b| a.kind == b.kind);
        let mut runs = runs.filter(|run| run[0].kind != LineKind::Context);
        runs.any(|run| {
            // A brace or a blank line between two does not separate them.
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
