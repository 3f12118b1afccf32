//! Explains the contributions to a score.

use super::{Ledger, Options, Score, Scorer};
use crate::lines::Triple;
use crate::{Edits, Error};
use serde::Serialize;
use std::ops::Range;

/// A score, and the contribution of every place and every pair of lines to it.
///
/// The shares of `blocks` and `slots` sum to the score, and so do those of
/// `pairs`. If neither edit changed anything, there are none and the score is 1.
/// Lines are one-based, in the original texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The score itself.
    #[serde(flatten)]
    pub score: Score,
    /// The stretches of the base that either edit changed.
    pub blocks: Vec<BlockShare>,
    /// The places where either edit inserted lines.
    pub slots: Vec<SlotShare>,
    /// The lines that contributed.
    pub pairs: Vec<PairShare>,
}

/// The contribution of a stretch of the base.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BlockShare {
    /// First and last line in the base.
    pub base: [u32; 2],
    /// The most it could contribute.
    pub union: u64,
    /// The amount it contributed.
    pub earned: f64,
    /// The contribution relative to the whole union.
    pub share: f64,
}

/// The contribution of lines inserted at one place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SlotShare {
    /// The line of the base before which they were inserted; `None` at the end.
    pub before: Option<u32>,
    /// The most they could contribute.
    pub union: u64,
    /// The amount they contributed.
    pub earned: f64,
    /// The contribution relative to the whole union.
    pub share: f64,
}

/// The contribution of two lines, or of one line that both edits deleted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairShare {
    /// The line of the base that both deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
    /// The line of one edit ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<u32>,
    /// ... and the line of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<u32>,
    /// The index of its place in `blocks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<u32>,
    /// The index of its place in `slots`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// Their similarity, which is what they contribute.
    pub earned: f64,
    /// The contribution relative to the whole union.
    pub share: f64,
}

/// Collects an explanation while the score is computed.
struct Gathering<'l, 't> {
    lines: &'l Triple<'t>,
    blocks: Vec<BlockShare>,
    slots: Vec<SlotShare>,
    pairs: Vec<PairShare>,
}

impl Gathering<'_, '_> {
    fn earn(&mut self, base: Option<u32>, edits: Option<(u32, u32)>, earned: f64) {
        let number = |list: usize| list.checked_sub(1).map(|last| last as u32);
        // Slots follow after all blocks.
        let slot = number(self.slots.len());
        let block = if slot.is_some() {
            None
        } else {
            number(self.blocks.len())
        };
        if let Some(slot) = self.slots.last_mut() {
            slot.earned += earned;
        } else if let Some(block) = self.blocks.last_mut() {
            block.earned += earned;
        }
        let Triple { a, b, .. } = self.lines;
        self.pairs.push(PairShare {
            base: base.map(|line| self.lines.base.number[line as usize]),
            a: edits.map(|(line, _)| a.number[line as usize]),
            b: edits.map(|(_, line)| b.number[line as usize]),
            block,
            slot,
            earned,
            share: 0.0,
        });
    }
}

impl Ledger for Gathering<'_, '_> {
    fn block(&mut self, base: Range<u32>, union: u64) {
        let number = |line: u32| self.lines.base.number[line as usize];
        let base = [number(base.start), number(base.end - 1)];
        self.blocks.push(BlockShare {
            base,
            union,
            earned: 0.0,
            share: 0.0,
        });
    }

    fn slot(&mut self, before: u32, union: u64) {
        let before = self.lines.base.number.get(before as usize).copied();
        self.slots.push(SlotShare {
            before,
            union,
            earned: 0.0,
            share: 0.0,
        });
    }

    fn deleted(&mut self, base: u32) {
        self.earn(Some(base), None, 1.0);
    }

    fn pair(&mut self, a: u32, b: u32, earned: f64) {
        self.earn(None, Some((a, b)), earned);
    }
}

impl Scorer {
    /// Scores two edits of one text, and explains the score.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a text has 4 GiB or more.
    pub fn explain(&mut self, edits: &Edits<'_>, options: &Options) -> Result<Explanation, Error> {
        let lines = Triple::new(edits)?;
        let mut gathering = Gathering {
            lines: &lines,
            blocks: Vec::new(),
            slots: Vec::new(),
            pairs: Vec::new(),
        };
        let parts = self.measure(&lines, *options, &mut gathering);
        let Gathering {
            mut blocks,
            mut slots,
            mut pairs,
            ..
        } = gathering;
        let union = parts.union() as f64;
        for block in &mut blocks {
            block.share = block.earned / union;
        }
        for slot in &mut slots {
            slot.share = slot.earned / union;
        }
        for pair in &mut pairs {
            pair.share = pair.earned / union;
        }
        Ok(Explanation {
            score: Score::of(&lines, parts),
            blocks,
            slots,
            pairs,
        })
    }
}
