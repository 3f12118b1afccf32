//! A problem with its sides swapped.

use mvdiff_core::{Layout, Problem, Side, Token};
use std::ops::Range;

pub struct Swapped<'p, P: ?Sized>(pub &'p P);

fn other(side: Side) -> Side {
    match side {
        Side::Old => Side::New,
        Side::New => Side::Old,
    }
}

impl<P: Problem + ?Sized> Problem for Swapped<'_, P> {
    fn tokens(&self, side: Side) -> &[Token] {
        self.0.tokens(other(side))
    }

    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        self.0.segments(other(side))
    }

    fn partners(&self) -> Vec<(u32, u32)> {
        self.0
            .partners()
            .into_iter()
            .map(|(old, new)| (new, old))
            .collect()
    }

    fn weight(&self, side: Side, index: u32) -> f32 {
        self.0.weight(other(side), index)
    }

    fn coarser_levels(&self) -> u8 {
        self.0.coarser_levels()
    }

    fn key(&self, level: u8, side: Side, index: u32) -> u64 {
        self.0.key(level, other(side), index)
    }

    fn same(&self, level: u8, a: (Side, u32), b: (Side, u32)) -> bool {
        self.0.same(level, (other(a.0), a.1), (other(b.0), b.1))
    }

    fn features(&self, side: Side, index: u32, out: &mut Vec<u64>) {
        self.0.features(other(side), index, out);
    }

    fn similarity(&self, old: u32, new: u32) -> f32 {
        self.0.similarity(new, old)
    }

    fn layout(&self, side: Side, index: u32) -> Layout {
        self.0.layout(other(side), index)
    }
}
