//! Windows, stated as a problem for the core.

use super::windows::Windows;
use crate::likeness::likeness;
use crate::line;
use mvdiff_core::{Layout, Problem, Side, Token};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Each window is a segment with the same window of the other side as its
/// partner: only there can a line have stayed.
pub(super) struct PatchProblem<'w, 'p>(pub &'w Windows<'p>);

impl<'p> PatchProblem<'_, 'p> {
    fn line(&self, side: Side, index: u32) -> &'p [u8] {
        self.0.lines[side as usize][index as usize]
    }

    fn trimmed(&self, side: Side, index: u32) -> &'p [u8] {
        self.line(side, index).trim_ascii()
    }
}

impl Problem for PatchProblem<'_, '_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.0.tokens[side as usize]
    }

    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        let windows = self.0.list.iter().filter(|window| !window.inert);
        windows.map(|w| w.elements[side as usize].clone()).collect()
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        line::weight(self.line(side, index))
    }

    fn coarser_levels(&self) -> u8 {
        1
    }

    fn key(&self, _level: u8, side: Side, index: u32) -> u64 {
        xxh3_64(self.trimmed(side, index))
    }

    fn same(&self, _level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        self.trimmed(a.0, a.1) == self.trimmed(b.0, b.1)
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        line::features(self.line(side, index), out);
    }

    fn likeness(&self, old: u32, new: u32) -> f32 {
        likeness(self.trimmed(Side::Old, old), self.trimmed(Side::New, new))
    }

    fn layout(&self, side: Side, index: u32) -> Layout {
        line::layout(self.line(side, index))
    }
}
