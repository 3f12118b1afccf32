//! Windows as a problem for the core.

use super::occurrences::{Counts, Words};
use super::windows::Windows;
use crate::line;
use crate::patch::Changeset;
use mvdiff_core::{Companion, Occurrences, Problem, Side, Token};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// Each window is a segment whose partner is the same window on the other side:
/// only there can a line be kept.
pub(super) struct PatchProblem<'w, 'p> {
    changeset: &'w Changeset<'p>,
    windows: &'w Windows<'p>,
    /// Counted when first asked for.
    counts: OnceCell<Counts>,
    /// Words of the lines that the patch does not keep, and of all lines where one
    /// of the others is asked for.
    words: [OnceCell<Words>; 2],
}

impl<'w, 'p> PatchProblem<'w, 'p> {
    pub fn new(changeset: &'w Changeset<'p>, windows: &'w Windows<'p>) -> Self {
        Self {
            changeset,
            windows,
            counts: OnceCell::new(),
            words: [OnceCell::new(), OnceCell::new()],
        }
    }

    fn line(&self, side: Side, index: u32) -> &'p [u8] {
        self.windows.lines[side as usize][index as usize]
    }

    fn core(&self, side: Side, index: u32) -> Cow<'p, [u8]> {
        Cow::Borrowed(self.line(side, index).trim_ascii())
    }
}

impl Problem for PatchProblem<'_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.windows.tokens[side as usize]
    }

    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        let segments = self.windows.segments.iter();
        segments
            .map(|(_, elements)| elements[side as usize].clone())
            .collect()
    }

    fn file(&self, _side: Side, segment: u32) -> u32 {
        self.windows.segments[segment as usize].0 as u32
    }

    fn occurrences(&self, side: Side, index: u32) -> Option<Occurrences> {
        let count = || Counts::new(self.changeset, self.windows);
        let counts = self.counts.get_or_init(count);
        let token = self.windows.tokens[side as usize][index as usize];
        let window = self.windows.window_of(side as usize, index);
        Some(counts.of(token, window.file))
    }

    fn spread(&self, side: Side, index: u32) -> Option<u32> {
        // A word of a block that moved from one file to another is in two at least.
        if self.windows.files.len() <= 2 {
            return Some(2);
        }
        let [changed, all] = &self.words;
        let words = if Words::is_changed(self.windows, side as usize, index) {
            changed.get_or_init(|| Words::of_changed(self.windows))
        } else {
            all.get_or_init(|| Words::of_all(self.windows))
        };
        words.spread(self.line(side, index))
    }

    fn companion(&self, side: Side, index: u32) -> Companion {
        line::companion(self.line(side, index))
    }

    line::knowledge!();
}
