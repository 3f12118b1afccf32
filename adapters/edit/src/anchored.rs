//! Blocks whose context drifted away while what they change did not.
//!
//! Each change of the block is looked for by itself: the lines that go, with the
//! lines right above and below, to the letter and in one place only. The lines
//! further out may have been edited since, or may not be there yet. They must not
//! say that this is another place that merely looks the same: code that was copied
//! and adapted is full of such places.

use crate::change::{Change, Hunk};
use crate::fold::{self, Sum};
use crate::ground::Ground;
use crate::match_site::{Pair, Place, Tier};
use crate::problem::{is_telling, likeness};
use crate::readings::Reading;
use crate::resolve::{Found, Target};
use std::collections::HashMap;
use std::ops::Range;

/// Letters and digits that must stand around each change. A line that the text
/// has n times counts as an nth.
const ENOUGH: f64 = 24.0;
/// How alike a line is that may have been copied and adapted.
const ADAPTED: Range<f32> = 0.55..0.999;
/// Lines beyond the block's height in which context is looked for.
const AROUND: usize = 8;
/// Places of a line that are tried.
const MOST_PLACES: usize = 64;

/// The place of a block whose changes are certain one by one.
pub(crate) fn anchored(reading: &Reading, change: &Change, ground: &Ground<'_>) -> Option<Found> {
    let finder = Finder::new(reading, ground);
    let mut anchors: Vec<Anchor> = Vec::new();
    for hunk in &change.hunks() {
        let anchor = finder.anchor(hunk)?;
        match anchors.last() {
            // One stretch holds both changes.
            Some(last) if last.own.end >= anchor.own.start => {
                if *last != anchor {
                    return None;
                }
            }
            Some(last) if last.end() > anchor.at => return None,
            _ => anchors.push(anchor),
        }
    }
    let lines = anchors.first()?.at..anchors.last()?.end();
    if !finder.agrees(&anchors, &lines) || finder.is_made(change, &lines) {
        return None;
    }
    let pairs = pairs(&anchors, reading.search.len(), lines.start);
    Some(Found {
        place: Target::Lines(Place {
            tier: Tier::Fuzzy,
            likeness: finder.share(&anchors),
            lines,
            pairs,
        }),
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        already: None,
        runner_up: None,
    })
}

/// Lines of the block that stand in the text one after the other.
#[derive(Clone, Debug, PartialEq)]
struct Anchor {
    own: Range<usize>,
    /// The line of the text where they begin.
    at: usize,
    /// What they say, by how rare it is.
    weight: f64,
}

impl Anchor {
    fn end(&self) -> usize {
        self.at + self.own.len()
    }
}

struct Finder<'f> {
    search: &'f [Vec<u8>],
    replace: &'f [Vec<u8>],
    ground: &'f Ground<'f>,
    /// Where the text has lines that say what a line of the block says.
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

    fn places(&self, own: usize) -> &[usize] {
        let found = self.lines.get(&Sum::of(&self.search[own]));
        found.map_or(&[], Vec::as_slice)
    }

    /// Whether a line of the block stands there, blanks at its end aside.
    fn is_same(&self, own: usize, line: usize) -> bool {
        let trimmed = |line: &'f [u8]| &line[..fold::trimmed_len(line)];
        trimmed(&self.search[own]) == trimmed(self.ground.lines.get(line))
    }

    fn weight(&self, own: usize) -> f64 {
        letters(&self.search[own]) as f64 / self.places(own).len().max(1) as f64
    }

    /// The one place where a change can be made.
    fn anchor(&self, hunk: &Hunk) -> Option<Anchor> {
        let core = hunk.old.start.saturating_sub(1)..(hunk.old.end + 1).min(self.search.len());
        let told = core
            .clone()
            .filter(|own| !fold::is_blank(&self.search[*own]));
        let rarest = told.min_by_key(|own| self.places(*own).len())?;
        let places = self.places(rarest);
        if places.len() > MOST_PLACES {
            return None;
        }
        let height = self.ground.lines.len();
        let starts = places
            .iter()
            .filter_map(|at| at.checked_sub(rarest - core.start));
        let mut starts = starts.filter(|start| {
            let fits = start + core.len() <= height;
            fits && core
                .clone()
                .zip(*start..)
                .all(|(own, line)| self.is_same(own, line))
        });
        let (at, None) = (starts.next()?, starts.next()) else {
            return None;
        };
        // As much of the context as stands there, too.
        let above =
            (1..=core.start.min(at)).take_while(|up| self.is_same(core.start - up, at - up));
        let above = above.count();
        let room = (self.search.len() - core.end).min(height - at - core.len());
        let below =
            (0..room).take_while(|down| self.is_same(core.end + down, at + core.len() + down));
        let own = core.start - above..core.end + below.count();
        let weight = own.clone().map(|own| self.weight(own)).sum();
        (weight >= ENOUGH).then_some(Anchor {
            own,
            at: at - above,
            weight,
        })
    }

    /// Whether the lines further out can be those of this place.
    fn agrees(&self, anchors: &[Anchor], lines: &Range<usize>) -> bool {
        let beyond = self.search.len() + AROUND;
        let end = (lines.end + beyond).min(self.ground.lines.len());
        let near = lines.start.saturating_sub(beyond)..end;
        let anchored = |own: &usize| anchors.iter().any(|anchor| anchor.own.contains(own));
        let told = |own: &usize| letters(&self.search[*own]) > 0;
        let mut adapted = 0;
        for own in (0..self.search.len()).filter(|own| told(own) && !anchored(own)) {
            if near.clone().any(|line| self.is_same(own, line)) {
                continue;
            }
            let line = fold::trim(&self.search[own]);
            let outside = near.clone().filter(|line| !lines.contains(line));
            let outside = outside.map(|at| fold::trim(self.ground.lines.get(at)));
            let alike = outside.map(|there| (likeness(line, there), there));
            let best = alike.max_by(|a, b| a.0.total_cmp(&b.0));
            adapted += usize::from(best.is_some_and(|(alike, there)| {
                ADAPTED.contains(&alike) && is_substituted(line, there)
            }));
        }
        // Much of a long block agrees, whatever one of its lines says.
        adapted * 8 <= (0..self.search.len()).filter(told).count()
    }

    /// Whether the new lines of a change stand there already.
    fn is_made(&self, change: &Change, lines: &Range<usize>) -> bool {
        let height = self.replace.len();
        let end = (lines.end + height).min(self.ground.lines.len());
        let near = &self.ground.sums[lines.start.saturating_sub(height)..end];
        change.hunks().into_iter().any(|hunk| {
            let mut new = hunk
                .new
                .filter(|new| letters(&self.replace[*new]) > 0)
                .peekable();
            new.peek().is_some() && new.all(|new| near.contains(&Sum::of(&self.replace[new])))
        })
    }

    /// How much of the block stands there.
    fn share(&self, anchors: &[Anchor]) -> f64 {
        let said = |own: Range<usize>| -> usize { own.map(|own| letters(&self.search[own])).sum() };
        let there: usize = anchors.iter().map(|anchor| said(anchor.own.clone())).sum();
        (there as f64 / said(0..self.search.len()).max(1) as f64).min(0.99)
    }
}

/// Whether each of two lines has a word that the other lacks. A line that only
/// gained words, or only lost some, was edited.
fn is_substituted(a: &[u8], b: &[u8]) -> bool {
    let words = |line: &[u8]| -> Vec<Vec<u8>> {
        let words = line.split(|byte| !is_telling(*byte) && *byte != b'_');
        let mut words: Vec<Vec<u8>> = words.map(<[u8]>::to_ascii_lowercase).collect();
        words.retain(|word| !word.is_empty());
        words
    };
    let (a, b) = (words(a), words(b));
    let lacks = |of: &[Vec<u8>], word: &Vec<u8>| !of.contains(word);
    a.iter().any(|word| lacks(&b, word)) && b.iter().any(|word| lacks(&a, word))
}

fn letters(line: &[u8]) -> usize {
    line.iter().filter(|byte| is_telling(**byte)).count()
}

/// All lines of the block and of the place, in order.
fn pairs(anchors: &[Anchor], height: usize, start: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut push = |search: Range<usize>, text: Range<usize>, likeness| {
        if !search.is_empty() || !text.is_empty() {
            pairs.push(Pair {
                search,
                text,
                likeness,
            });
        }
    };
    let (mut own, mut line) = (0, start);
    for anchor in anchors {
        push(own..anchor.own.start, line..line, 0.0);
        push(anchor.own.start..anchor.own.start, line..anchor.at, 0.0);
        for (own, line) in anchor.own.clone().zip(anchor.at..) {
            push(own..own + 1, line..line + 1, 1.0);
        }
        (own, line) = (anchor.own.end, anchor.end());
    }
    push(own..height, line..line, 0.0);
    pairs
}
