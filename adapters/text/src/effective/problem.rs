//! Windows as a problem for the core.

use super::windows::Windows;
use crate::line;
use mvdiff_core::{Companion, Problem, Side, Token};
use std::borrow::Cow;
use std::ops::Range;

/// Each window is a segment whose partner is the same window on the other side:
/// only there can a line be kept.
pub(super) struct PatchProblem<'w, 'p>(pub &'w Windows<'p>);

impl<'p> PatchProblem<'_, 'p> {
    fn line(&self, side: Side, index: u32) -> &'p [u8] {
        self.0.lines[side as usize][index as usize]
    }

    fn core(&self, side: Side, index: u32) -> Cow<'p, [u8]> {
        Cow::Borrowed(self.line(side, index).trim_ascii())
    }
}

impl Problem for PatchProblem<'_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.0.tokens[side as usize]
    }

    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        let segments = self.0.segments.iter();
        segments
            .map(|(_, elements)| elements[side as usize].clone())
            .collect()
    }

    fn file(&self, _side: Side, segment: u32) -> u32 {
        self.0.segments[segment as usize].0 as u32
    }

    fn companion(&self, side: Side, index: u32) -> Companion {
        line::companion(self.line(side, index))
    }

    line::knowledge!();
}
