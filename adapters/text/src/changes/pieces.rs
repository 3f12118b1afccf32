//! Joins runs of pairs and the lines between them into changes.

use mvdiff_core::{Relation, Run};
use std::ops::Range;

/// Offsets of two files within their sides.
#[derive(Clone, Copy)]
pub(super) struct Base(pub u32, pub u32);

/// A run of pairs, and whether the lines are unchanged.
#[derive(Clone)]
pub(super) struct Link {
    pub old: u32,
    pub new: u32,
    pub len: u32,
    pub exact: bool,
}

impl Link {
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        (self.old..self.old + self.len).zip(self.new..)
    }
}

impl Link {
    /// Cuts the run where the given ranges of old lines begin and end. The ranges
    /// are sorted.
    pub(super) fn cut<'r>(&self, ranges: impl Iterator<Item = &'r Range<u32>>) -> Vec<Self> {
        let end = self.old + self.len;
        let edges = ranges.flat_map(|range| [range.start, range.end]);
        let inside = edges.filter(|edge| (self.old + 1..end).contains(edge));
        let mut pieces = Vec::new();
        let mut at = self.old;
        for edge in inside.chain([end]) {
            if edge > at {
                pieces.push(Self {
                    old: at,
                    new: self.new + (at - self.old),
                    len: edge - at,
                    exact: self.exact,
                });
                at = edge;
            }
        }
        pieces
    }
}

impl From<&Run> for Link {
    fn from(run: &Run) -> Self {
        Self {
            old: run.old,
            new: run.new,
            len: run.len,
            exact: run.relation == Relation::EXACT,
        }
    }
}

/// A change under construction.
pub(super) struct Piece {
    pub old: Option<Range<u32>>,
    pub new: Option<Range<u32>>,
    pub pairs: Vec<(u32, u32)>,
    /// Position of an empty side.
    pub at: (u32, u32),
}

impl Piece {
    /// Builds changes from unpaired lines and from pairs, which increase on both
    /// sides. Adjacent pieces between two exact runs form one change.
    pub(super) fn all(
        deleted: &[Range<u32>],
        inserted: &[Range<u32>],
        links: &[Link],
        base: Base,
    ) -> Vec<Self> {
        let (mut deleted, mut inserted) = (deleted.iter().peekable(), inserted.iter().peekable());
        let mut pieces: Vec<Self> = Vec::new();
        let mut fenced = true;
        let mut at = (base.0, base.1); // the end of what came before, on both sides
        if let Some(first) = links.first() {
            let old = deleted.peek().map_or(first.old, |r| r.start.min(first.old));
            let new = inserted
                .peek()
                .map_or(first.new, |r| r.start.min(first.new));
            at = (old, new);
        }
        let end = Link {
            old: u32::MAX,
            new: u32::MAX,
            len: 0,
            exact: true,
        };
        for link in links.iter().chain(std::iter::once(&end)) {
            loop {
                let old = deleted.next_if(|r| r.start < link.old).cloned();
                let new = inserted.next_if(|r| r.start < link.new).cloned();
                if old.is_none() && new.is_none() {
                    break;
                }
                let next = (
                    old.as_ref().map_or(at.0, |r| r.end),
                    new.as_ref().map_or(at.1, |r| r.end),
                );
                Self::add(
                    &mut pieces,
                    Self {
                        old,
                        new,
                        pairs: Vec::new(),
                        at,
                    },
                    &mut fenced,
                );
                at = next;
            }
            if link.exact {
                fenced = true;
            } else {
                Self::add(&mut pieces, Self::paired(link), &mut fenced);
            }
            at = (
                link.old.saturating_add(link.len),
                link.new.saturating_add(link.len),
            );
        }
        pieces
    }

    fn paired(link: &Link) -> Self {
        Self {
            old: Some(link.old..link.old + link.len),
            new: Some(link.new..link.new + link.len),
            pairs: (0..link.len)
                .map(|i| (link.old + i, link.new + i))
                .collect(),
            at: (link.old, link.new),
        }
    }

    /// Appends a piece, joining it with the last one if they are adjacent.
    fn add(pieces: &mut Vec<Self>, piece: Self, fenced: &mut bool) {
        let touches = |a: &Option<Range<u32>>, b: &Option<Range<u32>>| match (a, b) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => true,
        };
        let both = |a: &Option<Range<u32>>, b: &Option<Range<u32>>| match (a, b) {
            (Some(a), Some(b)) => Some(a.start..b.end),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        match pieces.last_mut() {
            Some(last)
                if !*fenced && touches(&last.old, &piece.old) && touches(&last.new, &piece.new) =>
            {
                last.old = both(&last.old, &piece.old);
                last.new = both(&last.new, &piece.new);
                last.pairs.extend(piece.pairs);
            }
            _ => pieces.push(piece),
        }
        *fenced = false;
    }
}

/// The parts of sorted `ranges` within one range.
pub(super) fn within(ranges: &[Range<u32>], range: &Range<u32>) -> Vec<Range<u32>> {
    let first = ranges.partition_point(|r| r.end <= range.start);
    let inside = ranges[first..].iter().take_while(|r| r.start < range.end);
    let cut = inside.map(|r| r.start.max(range.start)..r.end.min(range.end));
    cut.collect()
}

/// `ranges` without the parts that `holes` cover; both are sorted.
pub(super) fn outside(
    ranges: Vec<Range<u32>>,
    holes: impl Iterator<Item = Range<u32>>,
) -> Vec<Range<u32>> {
    let mut left = Vec::new();
    let mut holes = holes.peekable();
    let mut reach = 0; // holes may nest: how far they cover
    for range in ranges {
        let mut at = range.start;
        loop {
            at = at.max(reach.min(range.end));
            match holes.next_if(|hole| hole.start < range.end) {
                Some(hole) => {
                    if hole.start > at {
                        left.push(at..hole.start);
                    }
                    reach = reach.max(hole.end);
                }
                None => break,
            }
        }
        if at < range.end {
            left.push(at..range.end);
        }
    }
    left
}
