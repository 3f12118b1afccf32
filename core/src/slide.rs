//! Sliding a group of changed elements along equal ones to where people expect
//! it.
//!
//! `git diff` does this with its indent heuristic, and people have learned to
//! expect its choice, so the rules and figures here are git's; the penalties
//! were fitted by git's authors to thousands of hand-judged diffs.

use crate::{Layout, Token};

/// Farthest distance to try.
const FARTHEST: usize = 100;
/// Most blank elements examined around a border.
const MOST_BLANKS: u32 = 20;
/// Deepest indent that is distinguished.
const DEEPEST: u32 = 200;

/// Slides the groups of both sides, old first. `fixed` elements stay changed.
pub(crate) fn slide(
    tokens: [&[Token]; 2],
    changed: &mut [&mut [bool]; 2],
    fixed: impl Fn(usize, usize) -> bool,
    layout: impl Fn(usize, usize) -> Layout,
) {
    for side in [0, 1] {
        let other = Other::new(changed[1 - side]);
        let mut rail = Rail {
            tokens: tokens[side],
            changed: &mut *changed[side],
            fixed: |index| fixed(side, index),
            layout: |index| layout(side, index),
        };
        rail.settle(&other);
    }
}

/// The opposite side while one is being slid: its groups, by the number of
/// unchanged elements before them.
struct Other {
    grouped: Vec<bool>,
}

impl Other {
    fn new(changed: &[bool]) -> Self {
        let mut grouped = vec![changed.first() == Some(&true)];
        for (i, _) in changed.iter().enumerate().filter(|(_, c)| !**c) {
            grouped.push(changed.get(i + 1) == Some(&true));
        }
        Self { grouped }
    }

    fn has_group(&self, unchanged_before: usize) -> bool {
        self.grouped.get(unchanged_before) == Some(&true)
    }
}

/// One side being slid.
struct Rail<'r, F, L> {
    tokens: &'r [Token],
    changed: &'r mut [bool],
    fixed: F,
    layout: L,
}

/// Consecutive changed elements, and the number of unchanged ones before them.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    unchanged_before: usize,
}

impl Group {
    fn len(&self) -> usize {
        self.end - self.start
    }
}

impl<F: Fn(usize) -> bool, L: Fn(usize) -> Layout> Rail<'_, F, L> {
    fn settle(&mut self, other: &Other) {
        let (mut at, mut unchanged) = (0, 0);
        while at < self.changed.len() {
            if !self.changed[at] {
                at += 1;
                unchanged += 1;
                continue;
            }
            let mut group = Group {
                start: at,
                end: self.end_of(at),
                unchanged_before: unchanged,
            };
            self.place(&mut group, other);
            at = group.end;
            unchanged = group.unchanged_before;
        }
    }

    fn place(&mut self, group: &mut Group, other: &Other) {
        // Sliding may run into a neighbour and merge with it; then start over.
        let (mut earliest, mut beside);
        loop {
            let len = group.len();
            beside = None;
            let mut note = |group: &Group| {
                if other.has_group(group.unchanged_before) {
                    beside = Some(group.end);
                }
            };
            while self.up(group) {}
            earliest = group.end;
            note(group);
            while self.down(group) {
                note(group);
            }
            if group.len() == len {
                break;
            }
        }
        if group.end == earliest {
            return;
        }
        let goal = match beside {
            // Next to a change on the other side, the two read as one.
            Some(end) => end,
            None => self.best_end(group, earliest),
        };
        while group.end > goal && self.up(group) {}
    }

    /// Slides one element towards the start, if the elements allow it.
    fn up(&mut self, group: &mut Group) -> bool {
        let (Some(before), last) = (group.start.checked_sub(1), group.end - 1) else {
            return false;
        };
        if self.tokens[before] != self.tokens[last] || (self.fixed)(last) {
            return false;
        }
        self.changed[before] = true;
        self.changed[last] = false;
        group.end = last;
        group.start = before;
        while group.start > 0 && self.changed[group.start - 1] {
            group.start -= 1;
        }
        group.unchanged_before -= 1;
        true
    }

    /// Slides one element towards the end, if the elements allow it.
    fn down(&mut self, group: &mut Group) -> bool {
        let (first, after) = (group.start, group.end);
        if after == self.tokens.len()
            || self.tokens[first] != self.tokens[after]
            || (self.fixed)(first)
        {
            return false;
        }
        self.changed[first] = false;
        self.changed[after] = true;
        group.start = first + 1;
        group.end = self.end_of(after);
        group.unchanged_before += 1;
        true
    }

    fn end_of(&self, from: usize) -> usize {
        self.changed[from..]
            .iter()
            .position(|c| !c)
            .map_or(self.changed.len(), |len| from + len)
    }

    /// The end at which both borders of the group look best; ties prefer the
    /// latest.
    fn best_end(&self, group: &Group, earliest: usize) -> usize {
        let len = group.len();
        let from = earliest
            .max(group.end.saturating_sub(len + 1))
            .max(group.end.saturating_sub(FARTHEST));
        let mut best: Option<(Badness, usize)> = None;
        for end in from..=group.end {
            let badness = self.border(end).plus(self.border(end - len));
            if best.is_none_or(|(least, _)| badness.compared_to(least) <= 0) {
                best = Some((badness, end));
            }
        }
        best.map_or(group.end, |(_, end)| end)
    }

    /// How bad a border before element `at` would look.
    fn border(&self, at: usize) -> Badness {
        let indent = |index: usize| {
            let layout = (self.layout)(index);
            (!layout.blank).then_some(layout.indent.min(DEEPEST))
        };
        let here = (at < self.tokens.len()).then(|| indent(at)).flatten();
        let (before, blanks_before) = nearest((0..at).rev().map(indent));
        let (after, blanks_after) = nearest((at + 1..self.tokens.len()).map(indent));

        let mut penalty = 0;
        if before.is_none() && blanks_before == 0 {
            penalty += 1; // the border is the start
        }
        if at >= self.tokens.len() {
            penalty += 21; // the border is the end
        }
        let blanks_below = if here.is_some() { 0 } else { 1 + blanks_after };
        let blanks = blanks_before + blanks_below;
        penalty += -30 * blanks as i32 + 6 * blanks_below as i32;
        let spaced = blanks > 0;
        let depth = here.or(after);
        if let (Some(depth), Some(before)) = (depth, before) {
            penalty += match depth.cmp(&before) {
                std::cmp::Ordering::Greater => [-4, 10][usize::from(spaced)],
                std::cmp::Ordering::Equal => 0,
                // Less than before: `else` and the like if what follows is deeper.
                std::cmp::Ordering::Less if after.is_some_and(|a| a > depth) => {
                    [24, 17][usize::from(spaced)]
                }
                std::cmp::Ordering::Less => [23, 17][usize::from(spaced)],
            };
        }
        Badness {
            depth: depth.map_or(-1, |d| d as i32),
            penalty,
        }
    }
}

/// The first indent that is not blank, and the number of blanks before it; too
/// many blanks end the search.
fn nearest(mut indents: impl Iterator<Item = Option<u32>>) -> (Option<u32>, u32) {
    let mut blanks = 0;
    let found = indents.find_map(|indent| match indent {
        Some(indent) => Some(Some(indent)),
        None if blanks + 1 == MOST_BLANKS => {
            blanks += 1;
            Some(Some(0))
        }
        None => {
            blanks += 1;
            None
        }
    });
    (found.flatten(), blanks)
}

/// Penalties of a pair of borders.
#[derive(Clone, Copy)]
struct Badness {
    depth: i32,
    penalty: i32,
}

impl Badness {
    fn plus(self, other: Self) -> Self {
        Self {
            depth: self.depth + other.depth,
            penalty: self.penalty + other.penalty,
        }
    }

    /// Negative if `self` looks better. Depth outweighs all but a large
    /// difference in penalties.
    fn compared_to(self, other: Self) -> i32 {
        60 * (self.depth - other.depth).signum() + self.penalty - other.penalty
    }
}
