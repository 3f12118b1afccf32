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
use crate::problem::{is_informative, similarity};
use crate::readings::Reading;
use crate::resolve::{Found, Target};
use std::collections::HashMap;
use std::ops::Range;

/// Letters and digits needed around each change. A line that occurs n times in the
/// text counts as an nth.
const ENOUGH: f64 = 24.0;
/// The same for a place that is certain whatever is around it.
const MUCH: f64 = 60.0;
/// Letters and digits of a line that is hardly there by chance.
const RARE: usize = 10;
/// The share of a block that must be there, unless what goes says enough.
const MOST_OF_IT: f64 = 0.5;
/// The same where nothing else could be meant.
const MUCH_OF_IT: f64 = 0.4;
/// Lines that may look adapted around a place that is certain.
const FEW: usize = 2;
/// How alike a line is that may have been copied and adapted.
const ADAPTED: Range<f32> = 0.55..0.999;
/// Lines beyond the block's height in which context is looked for.
const AROUND: usize = 8;
/// Places of a line that are tried.
const MOST_PLACES: usize = 64;
/// Places of a change among which another change decides, and changes of a block up
/// to which that is tried: it costs for each of both.
const RIVALS: usize = 4;
const FEW_CHANGES: usize = 64;

/// The place of a block whose changes are certain one by one.
pub(crate) fn anchored(reading: &Reading, change: &Change, ground: &Ground<'_>) -> Option<Found> {
    let finder = Finder::new(reading, ground);
    let mut anchors: Vec<Anchor> = Vec::new();
    let hunks = change.hunks();
    for anchor in finder.chosen(&hunks)? {
        match anchors.last() {
            // One stretch holds both changes.
            Some(last) if last.own.end > anchor.own.start => {
                if *last != anchor {
                    return None;
                }
            }
            Some(last) if last.end() > anchor.at => return None,
            _ => anchors.push(anchor),
        }
    }
    let lines = anchors.first()?.at..anchors.last()?.end();
    let certain = finder.is_enough(&hunks, &anchors) && finder.agrees(&hunks, &anchors, &lines);
    if !certain || finder.is_made(&hunks, &lines) {
        return None;
    }
    let pairs = pairs(&anchors, reading.search.len(), lines.start);
    Some(Found {
        place: Target::Lines(Place {
            tier: Tier::Fuzzy,
            similarity: finder.share(&anchors),
            lines,
            pairs,
        }),
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        already: None,
        runner_up: None,
    })
}

/// Consecutive lines of the block that are consecutive in the text, too.
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

    fn places(&self, own: usize) -> &[usize] {
        let found = self.lines.get(&Sum::of(&self.search[own]));
        found.map_or(&[], Vec::as_slice)
    }

    /// Whether a line of the text is this line of the block, blanks at its end aside.
    fn is_same(&self, own: usize, line: usize) -> bool {
        let trimmed = |line: &'f [u8]| &line[..fold::trimmed_len(line)];
        trimmed(&self.search[own]) == trimmed(self.ground.lines.get(line))
    }

    fn weight(&self, own: usize) -> f64 {
        letters(&self.search[own]) as f64 / self.places(own).len().max(1) as f64
    }

    /// The place of each change: the only one that it has, or the only one beside a
    /// change that has no other.
    fn chosen(&self, hunks: &[Hunk]) -> Option<Vec<Anchor>> {
        let most = if hunks.len() <= FEW_CHANGES {
            RIVALS
        } else {
            1
        };
        let places = hunks.iter().map(|hunk| self.anchors(hunk, most));
        let places: Vec<Vec<Anchor>> = places.collect();
        let known: Vec<&Anchor> = places
            .iter()
            .filter_map(|places| match &places[..] {
                [only] if only.weight >= ENOUGH => Some(only),
                _ => None,
            })
            .collect();
        let beside = |anchor: &Anchor| {
            known.iter().any(|known| {
                let due = (known.at + anchor.own.start).checked_sub(known.own.start);
                due.is_some_and(|due| due.abs_diff(anchor.at) <= AROUND)
            })
        };
        let choose = |places: &Vec<Anchor>| {
            // It is known, or in one stretch with a change that is.
            let sure = places.iter().find(|anchor| known.contains(anchor));
            let only = || {
                let mut near = places.iter().filter(|anchor| beside(anchor));
                near.next().filter(|_| near.next().is_none())
            };
            sure.or_else(only).cloned()
        };
        places.iter().map(choose).collect()
    }

    /// The places where a change can be made, unless they are more than `most`.
    fn anchors(&self, hunk: &Hunk, most: usize) -> Vec<Anchor> {
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
        let starts: Vec<usize> = starts.take(most + 1).collect();
        if starts.len() > most {
            return Vec::new();
        }
        starts.iter().map(|at| self.grown(&core, *at)).collect()
    }

    /// A change with as much of the context around it as the text has, too.
    fn grown(&self, core: &Range<usize>, at: usize) -> Anchor {
        let height = self.ground.lines.len();
        let above =
            (1..=core.start.min(at)).take_while(|up| self.is_same(core.start - up, at - up));
        let above = above.count();
        let room = (self.search.len() - core.end).min(height - at - core.len());
        let below =
            (0..room).take_while(|down| self.is_same(core.end + down, at + core.len() + down));
        let own = core.start - above..core.end + below.count();
        Anchor {
            weight: own.clone().map(|own| self.weight(own)).sum(),
            own,
            at: at - above,
        }
    }

    /// Whether so much of the block is there that it can be no other place.
    fn is_enough(&self, hunks: &[Hunk], anchors: &[Anchor]) -> bool {
        let most = self.share(anchors) >= MOST_OF_IT;
        hunks.iter().all(|hunk| {
            let mut gone = hunk
                .old
                .clone()
                .filter(|own| self.has_letters(*own))
                .peekable();
            if gone.peek().is_some() {
                return most || gone.map(|own| self.weight(own)).sum::<f64>() >= ENOUGH;
            }
            // Nothing goes: what is above and what is below must say where it is.
            let above = (0..hunk.old.start).rev().find(|own| self.has_letters(*own));
            let below = (hunk.old.end..self.search.len()).find(|own| self.has_letters(*own));
            let known = |own: Option<usize>| {
                own.is_some_and(|own| anchors.iter().any(|anchor| anchor.own.contains(&own)))
            };
            most && known(above) && known(below)
        })
    }

    /// Whether a line has letters or digits.
    fn has_letters(&self, own: usize) -> bool {
        letters(&self.search[own]) > 0
    }

    /// Whether the lines further out can be those of this place.
    fn agrees(&self, hunks: &[Hunk], anchors: &[Anchor], lines: &Range<usize>) -> bool {
        let adapted = self.adapted(hunks, anchors, lines);
        // Much of a long block agrees, whatever one of its lines says.
        let told = (0..self.search.len())
            .filter(|own| self.has_letters(*own))
            .count();
        adapted * 8 <= told || adapted <= FEW && self.is_unmistakable(hunks, anchors)
    }

    /// Whether each change takes away a line that the text has only once, among
    /// others that say much.
    fn is_unmistakable(&self, hunks: &[Hunk], anchors: &[Anchor]) -> bool {
        let heavy = anchors.iter().map(|anchor| anchor.weight).sum::<f64>() >= MUCH;
        let rare = |own: usize| self.places(own).len() == 1 && letters(&self.search[own]) >= RARE;
        heavy
            && self.share(anchors) >= MUCH_OF_IT
            && hunks.iter().all(|hunk| hunk.old.clone().any(rare))
    }

    /// How many of the lines further out look copied and adapted.
    fn adapted(&self, hunks: &[Hunk], anchors: &[Anchor], lines: &Range<usize>) -> usize {
        // Where nothing goes, less says that this is the place.
        let adds = |hunk: &Hunk| !hunk.old.clone().any(|own| self.has_letters(own));
        let adds = hunks.iter().any(adds);
        let beyond = self.search.len() + AROUND;
        let end = (lines.end + beyond).min(self.ground.lines.len());
        let near = lines.start.saturating_sub(beyond)..end;
        let anchored = |own: &usize| anchors.iter().any(|anchor| anchor.own.contains(own));
        let mut adapted = 0;
        for own in (0..self.search.len()).filter(|own| self.has_letters(*own) && !anchored(own)) {
            if near.clone().any(|line| self.is_same(own, line)) {
                continue;
            }
            let line = fold::trim(&self.search[own]);
            let outside = near.clone().filter(|line| !lines.contains(line));
            let outside = outside.map(|at| fold::trim(self.ground.lines.get(at)));
            let alike = outside.map(|there| (similarity(line, there), there));
            let best = alike.max_by(|a, b| a.0.total_cmp(&b.0));
            adapted += usize::from(best.is_some_and(|(alike, there)| {
                ADAPTED.contains(&alike) && (adds || is_substituted(line, there))
            }));
        }
        adapted
    }

    /// Whether the new lines of a change are already there.
    fn is_made(&self, hunks: &[Hunk], lines: &Range<usize>) -> bool {
        let height = self.replace.len();
        let end = (lines.end + height).min(self.ground.lines.len());
        let near = &self.ground.sums[lines.start.saturating_sub(height)..end];
        hunks.iter().any(|hunk| {
            let mut new = hunk
                .new
                .clone()
                .filter(|new| letters(&self.replace[*new]) > 0)
                .peekable();
            new.peek().is_some() && new.all(|new| near.contains(&Sum::of(&self.replace[new])))
        })
    }

    /// How much of the block is there.
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
        let words = line.split(|byte| !is_informative(*byte) && *byte != b'_');
        let mut words: Vec<Vec<u8>> = words.map(<[u8]>::to_ascii_lowercase).collect();
        words.retain(|word| !word.is_empty());
        words
    };
    let (a, b) = (words(a), words(b));
    let lacks = |of: &[Vec<u8>], word: &Vec<u8>| !of.contains(word);
    a.iter().any(|word| lacks(&b, word)) && b.iter().any(|word| lacks(&a, word))
}

fn letters(line: &[u8]) -> usize {
    line.iter().filter(|byte| is_informative(**byte)).count()
}

/// All lines of the block and of the place, in order.
fn pairs(anchors: &[Anchor], height: usize, start: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut push = |search: Range<usize>, text: Range<usize>, similarity| {
        if !search.is_empty() || !text.is_empty() {
            pairs.push(Pair {
                search,
                text,
                similarity,
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
