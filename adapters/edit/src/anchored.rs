//! Blocks whose context drifted away while what they change did not.
//!
//! Each change of the block is looked for by itself: the lines that go, with the
//! lines right above and below, to the letter. Of several places, the one beside the
//! block's other changes is meant, or the one that has everything the others have and
//! more. [`Evidence`] decides whether it is this place or one that merely looks the
//! same: code that was copied and adapted is full of such places.

use crate::change::{Change, Hunk};
use crate::evidence::{Evidence, letters};
use crate::fold::{self, Sum};
use crate::ground::Ground;
use crate::match_site::{Pair, Place, Tier};
use crate::readings::Reading;
use crate::resolve::{Found, Target};
use std::collections::HashMap;
use std::ops::Range;

/// Lines by which changes may be farther from each other than in the block.
pub(crate) const AROUND: usize = 8;
/// Places of a line that are tried.
const MOST_PLACES: usize = 64;
/// Lines by which a change is slid up and down.
const SLIDES: usize = 16;
/// Places of a block that are weighed against each other.
const RIVALS: usize = 8;

/// The place of a block whose changes are certain one by one.
pub(crate) fn anchored(reading: &Reading, change: &Change, ground: &Ground<'_>) -> Option<Found> {
    let finder = Finder::new(reading, ground);
    let layouts = finder.layouts(&change.hunks());
    let mut weighed: Vec<(Vec<Anchor>, Evidence)> = Vec::new();
    for layout in layouts {
        let evidence = Evidence::new(&finder, &layout);
        weighed.push((layout, evidence));
    }
    let best = (0..weighed.len()).find(|best| {
        let mut others = (0..weighed.len()).filter(|other| other != best);
        others.all(|other| weighed[*best].1.has_more_than(&weighed[other].1))
    })?;
    let (anchors, evidence) = weighed.swap_remove(best);
    let lines = anchors.first()?.at..anchors.last()?.end();
    if finder.is_made(&anchors, &lines) || !evidence.is_enough(&finder, &lines) {
        return None;
    }
    // The block as it would have been written by somebody who saw the place.
    let there = |lines: Range<usize>| lines.map(|line| ground.lines.get(line).to_vec());
    let mut replace = Vec::new();
    let mut at = lines.start;
    for anchor in &anchors {
        let gone = anchor.gone();
        replace.extend(there(at..gone.start));
        replace.extend_from_slice(&reading.replace[anchor.hunk.new.clone()]);
        at = gone.end;
    }
    replace.extend(there(at..lines.end));
    let pair = |(own, line): (usize, usize)| Pair {
        search: own..own + 1,
        text: line..line + 1,
        similarity: 1.0,
    };
    Some(Found {
        search: there(lines.clone()).collect(),
        replace,
        place: Target::Lines(Place {
            tier: Tier::Fuzzy,
            similarity: evidence.share(&finder),
            pairs: (0..).zip(lines.clone()).map(pair).collect(),
            lines,
        }),
        already: None,
        runner_up: None,
    })
}

/// A change, and the lines of the block around it that are in the text as they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Anchor {
    hunk: Hunk,
    pub own: Range<usize>,
    /// The line of the text where they begin.
    pub at: usize,
}

impl Anchor {
    pub(crate) fn end(&self) -> usize {
        self.at + self.own.len()
    }

    /// The lines of the block that go.
    pub(crate) fn old(&self) -> Range<usize> {
        self.hunk.old.clone()
    }

    /// The lines of the block that come.
    pub(crate) fn comes(&self) -> Range<usize> {
        self.hunk.new.clone()
    }

    /// The lines of the text that go.
    pub(crate) fn gone(&self) -> Range<usize> {
        let start = self.at + self.hunk.old.start - self.own.start;
        start..start + self.hunk.old.len()
    }

    /// By how much it is farther down in the text than in the block.
    fn shift(&self) -> i64 {
        self.at as i64 - self.own.start as i64
    }
}

pub(crate) struct Finder<'f> {
    pub search: &'f [Vec<u8>],
    pub replace: &'f [Vec<u8>],
    pub ground: &'f Ground<'f>,
    /// For each line of the block, the lines of the text that say the same.
    lines: HashMap<Sum, Vec<usize>>,
}

impl<'f> Finder<'f> {
    fn new(reading: &'f Reading, ground: &'f Ground<'f>) -> Self {
        let wanted = reading
            .search
            .iter()
            .map(|line| (Sum::of(line), Vec::new()));
        let mut lines: HashMap<Sum, Vec<usize>> = wanted.collect();
        for (line, sum) in ground.sums.iter().enumerate() {
            if let Some(found) = lines.get_mut(sum).filter(|_| sum.len > 0) {
                found.push(line);
            }
        }
        Self {
            search: &reading.search,
            replace: &reading.replace,
            ground,
            lines,
        }
    }

    /// The lines of the text that say the same as a line of the block.
    pub(crate) fn places(&self, own: usize) -> &[usize] {
        let found = self.lines.get(&Sum::of(&self.search[own]));
        found.map_or(&[], Vec::as_slice)
    }

    /// Whether a line of the text is this line of the block, blanks at its end aside.
    pub(crate) fn is_same(&self, own: usize, line: usize) -> bool {
        let trimmed = |line: &'f [u8]| &line[..fold::trimmed_len(line)];
        trimmed(&self.search[own]) == trimmed(self.ground.lines.get(line))
    }

    /// The places of the block: one for each place of the change that has the fewest,
    /// with the other changes as near to it as they are.
    fn layouts(&self, hunks: &[Hunk]) -> Vec<Vec<Anchor>> {
        let places = (0..hunks.len()).map(|index| self.anchors(hunks, index));
        let places: Vec<Vec<Anchor>> = places.collect();
        let rarest = places.iter().min_by_key(|places| places.len());
        let rarest = rarest.filter(|places| places.len() <= RIVALS);
        let layout = |first: &Anchor| {
            let mut layout: Vec<Anchor> = Vec::new();
            for places in &places {
                let away = |anchor: &&Anchor| anchor.shift().abs_diff(first.shift());
                let mut near: Vec<&Anchor> = places.iter().collect();
                near.sort_by_key(away);
                let nearest = *near.first()?;
                let tie = near.get(1).is_some_and(|next| away(next) == away(&nearest));
                let close = away(&nearest) <= AROUND as u64;
                let ordered = |last: &Anchor| last.gone().end <= nearest.gone().start;
                if tie || !close || !layout.last().is_none_or(ordered) {
                    return None;
                }
                layout.push(self.grown(nearest));
            }
            Some(layout)
        };
        let layouts = rarest.into_iter().flatten().filter_map(layout);
        layouts.collect()
    }

    /// The places where a change can be made, nothing grown yet.
    fn anchors(&self, hunks: &[Hunk], index: usize) -> Vec<Anchor> {
        let mut anchors: Vec<Anchor> = Vec::new();
        for hunk in self.slid(hunks, index) {
            for anchor in self.anchors_of(&hunk) {
                let known = |other: &Anchor| other.shift() == anchor.shift();
                if anchors.len() < MOST_PLACES && !anchors.iter().any(known) {
                    anchors.push(anchor);
                }
            }
        }
        anchors
    }

    /// A change, and the changes that come to the same: of lines that are only added
    /// or only go, the first may be the line behind them, too.
    fn slid(&self, hunks: &[Hunk], index: usize) -> Vec<Hunk> {
        let hunk = &hunks[index];
        let mut slid = vec![hunk.clone()];
        let (side, lines) = match (hunk.old.is_empty(), hunk.new.is_empty()) {
            (true, false) => (self.replace, &hunk.new),
            (false, true) => (self.search, &hunk.old),
            _ => return slid,
        };
        let moved = |by: i64| {
            let by = |at: usize| (at as i64 + by) as usize;
            Hunk {
                old: by(hunk.old.start)..by(hunk.old.end),
                new: by(hunk.new.start)..by(hunk.new.end),
            }
        };
        // Up to the changes above and below it.
        let above = index.checked_sub(1).map(|above| &hunks[above]);
        let (old, new) = above.map_or((0, 0), |above| (above.old.end, above.new.end));
        let room = (hunk.old.start - old).min(hunk.new.start - new);
        let up = (1..=room).take_while(|up| {
            let (old, new) = (hunk.old.start - up, hunk.new.start - up);
            self.search[old] == self.replace[new] && side[lines.start - up] == side[lines.end - up]
        });
        slid.extend(up.take(SLIDES).map(|up| moved(-(up as i64))));
        let height = (self.search.len(), self.replace.len());
        let below = hunks.get(index + 1);
        let (old, new) = below.map_or(height, |below| (below.old.start, below.new.start));
        let room = (old - hunk.old.end).min(new - hunk.new.end);
        let down = (0..room).take_while(|down| {
            let (old, new) = (hunk.old.end + down, hunk.new.end + down);
            self.search[old] == self.replace[new]
                && side[lines.start + down] == side[lines.end + down]
        });
        slid.extend(down.take(SLIDES).map(|down| moved(down as i64 + 1)));
        slid
    }

    /// The places of a change as it is.
    fn anchors_of(&self, hunk: &Hunk) -> Vec<Anchor> {
        let core = hunk.old.start.saturating_sub(1)..(hunk.old.end + 1).min(self.search.len());
        let told = core
            .clone()
            .filter(|own| !fold::is_blank(&self.search[*own]));
        let Some(rarest) = told.min_by_key(|own| self.places(*own).len()) else {
            return Vec::new();
        };
        let places = self.places(rarest);
        if places.len() > MOST_PLACES {
            return Vec::new();
        }
        let height = self.ground.lines.len();
        let starts = places
            .iter()
            .filter_map(|at| at.checked_sub(rarest - core.start));
        let starts = starts.filter(|start| {
            let fits = start + core.len() <= height;
            fits && core
                .clone()
                .zip(*start..)
                .all(|(own, line)| self.is_same(own, line))
        });
        let anchor = |at| Anchor {
            hunk: hunk.clone(),
            own: core.clone(),
            at,
        };
        starts.map(anchor).collect()
    }

    /// A change with as much of the context around it as the text has, too.
    fn grown(&self, anchor: &Anchor) -> Anchor {
        let Anchor { hunk, own, at } = anchor;
        let above = (1..=own.start.min(*at)).take_while(|up| self.is_same(own.start - up, at - up));
        let above = above.count();
        let room = (self.search.len() - own.end).min(self.ground.lines.len() - anchor.end());
        let below = (0..room).take_while(|down| self.is_same(own.end + down, anchor.end() + down));
        Anchor {
            hunk: hunk.clone(),
            own: own.start - above..own.end + below.count(),
            at: at - above,
        }
    }

    /// Whether the new lines of a change are already there.
    fn is_made(&self, anchors: &[Anchor], lines: &Range<usize>) -> bool {
        let height = self.replace.len();
        let end = (lines.end + height).min(self.ground.lines.len());
        let near = &self.ground.sums[lines.start.saturating_sub(height)..end];
        anchors.iter().any(|anchor| {
            let new = anchor.hunk.new.clone();
            let mut new = new
                .filter(|new| letters(&self.replace[*new]) > 0)
                .peekable();
            new.peek().is_some() && new.all(|new| near.contains(&Sum::of(&self.replace[new])))
        })
    }
}
