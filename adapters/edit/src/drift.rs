//! Blocks whose place drifted from what they say, and is certain all the same.
//!
//! A block is taken without being asked for likeness where all that it changes
//! stands to the letter, and the lines beside that, and nothing else in the text
//! can be meant. Lines that merely stand around may differ, be missing, or have
//! others between them. A slip of the pen in a word counts as the word.

use crate::already::{is_told, without_indent};
use crate::change::{Change, Hunk};
use crate::fold::{self, Sum};
use crate::ground::Ground;
use crate::indent;
use crate::near::{self, Near};
use crate::place::{Place, Tier};
use crate::readings::Reading;
use crate::seek::{Found, Missed, Target};
use crate::typo::{self, Slip};
use crate::whole;
use std::ops::Range;

/// How alike a block and its place must be in all.
const ALIKE: f64 = 0.8;
/// Share of a block's letters that must stand as they are.
const CERTAIN: f64 = 0.5;
/// Lines that must stand as they are.
const CERTAIN_LINES: usize = 2;

/// How a line of a block stands in the text.
#[derive(Clone, Debug, PartialEq)]
enum State {
    /// As the block has it, white space and typography aside.
    Same(usize),
    /// With a slip.
    Slipped(usize, Slip),
    /// As another version of it, so much alike.
    Alike(usize, f64),
    /// The new line stands there, for which the block has something else.
    Done(usize),
    Missing,
}

impl State {
    fn line(&self) -> Option<usize> {
        match self {
            Self::Same(line) | Self::Slipped(line, _) | Self::Alike(line, _) | Self::Done(line) => {
                Some(*line)
            }
            Self::Missing => None,
        }
    }

    fn is_sure(&self) -> bool {
        matches!(self, Self::Same(_) | Self::Slipped(..) | Self::Done(_))
    }
}

/// A place that a block fits.
struct Fit {
    reading: Reading,
    place: Place,
    /// Whether all lines stand there, slips aside.
    clean: bool,
}

/// The place that a block means, if it is certain.
pub(crate) fn drifted(
    reading: &Reading,
    near: &[Near],
    ground: &Ground<'_>,
) -> Option<Result<Found, Missed>> {
    let change = Change::new(&reading.search, &reading.replace);
    let mut fits: Vec<Fit> = Vec::new();
    for near in near {
        let fit = fit(reading, &change, near, ground);
        fits.extend(fit.filter(|fit| {
            !fits
                .iter()
                .any(|known| known.place.overlaps(&fit.place.lines))
        }));
    }
    if fits.iter().filter(|fit| fit.clean).count() == 1 {
        fits.retain(|fit| fit.clean);
    }
    if let Some(hint) = reading.hint {
        let named = |fit: &Fit| fit.place.lines.start == hint as usize - 1;
        if fits.iter().any(named) {
            fits.retain(named);
        }
    }
    if fits.len() > 1 {
        let near = |fit: Fit| {
            let near = Near {
                likeness: fit.place.likeness,
                lines: fit.place.lines,
            };
            (near, Tier::Fuzzy)
        };
        return Some(Err(Missed {
            reading: Some(reading.clone()),
            ..Missed::ambiguous(fits.into_iter().map(near).collect())
        }));
    }
    let Fit { reading, place, .. } = fits.pop()?;
    let other = near.iter().find(|near| !place.overlaps(&near.lines));
    Some(Ok(Found {
        search: reading.search,
        replace: reading.replace,
        place: Target::Lines(place),
        already: None,
        runner_up: other.map(|near| (near.lines.start, Tier::Fuzzy, near.likeness)),
    }))
}

/// Holds a block against a place that is like it, and if it does not fit, against
/// the lines around it, too.
fn fit(reading: &Reading, change: &Change, near: &Near, ground: &Ground<'_>) -> Option<Fit> {
    let more = reading.search.len() / 2 + 3;
    let start = near.lines.start.saturating_sub(more);
    let end = (near.lines.end + more).min(ground.lines.len());
    fit_to(reading, change, near, ground).or_else(|| {
        let around = Near {
            lines: start..end,
            likeness: near.likeness,
        };
        fit_to(reading, change, &around, ground)
    })
}

fn fit_to(reading: &Reading, change: &Change, around: &Near, ground: &Ground<'_>) -> Option<Fit> {
    let search = &reading.search;
    let place = near::aligned(search, &ground.lines, around, &ground.sums);
    let place = cropped(place)?;
    if !whole::is_even(search, &ground.lines, &place.pairs) {
        return None;
    }
    let states = states(reading, change, &place, ground);
    let told = |index: usize| is_told([&search[index][..]].into_iter());
    let weight = |index: usize| fold::trim(&search[index]).len() as f64;
    let all: f64 = (0..search.len()).map(weight).sum();
    let share = |of: &dyn Fn(&State) -> f64| -> f64 {
        let lines = states.iter().enumerate();
        lines
            .map(|(index, state)| weight(index) * of(state))
            .sum::<f64>()
            / all.max(1.0)
    };
    let likeness = share(&|state| match state {
        State::Same(_) | State::Done(_) => 1.0,
        State::Slipped(_, slip) => slip.likeness,
        State::Alike(_, likeness) => *likeness,
        State::Missing => 0.0,
    });
    let certain = share(&|state| f64::from(u8::from(matches!(state, State::Same(_)))));
    let sure_lines = (0..search.len())
        .filter(|index| told(*index) && matches!(states[*index], State::Same(_)))
        .count();
    let foreign = place.pairs.iter().filter(|pair| pair.search.is_empty());
    let foreign = foreign.flat_map(|pair| pair.text.clone());
    let foreign = foreign.filter(|line| ground.sums[*line].len > 0).count();
    let slips = states
        .iter()
        .filter(|state| matches!(state, State::Slipped(..)));
    let slips = slips.count();
    let blank = |index: usize| fold::is_blank(&search[index]);
    let all_there = (0..search.len()).all(|index| states[index].is_sure() || blank(index));
    let clean = foreign == 0 && all_there;
    // What differs is little, or it is another place like it.
    let unsure = (0..search.len()).filter(|index| !states[*index].is_sure() && !blank(*index));
    if unsure.count() > (search.len() / 8).max(1) {
        return None;
    }
    // Slips are few, or the lines are other lines.
    if slips > (search.len() / 4).max(1) || foreign > (search.len() / 3).max(1) {
        return None;
    }
    let same = (0..search.len())
        .filter(|index| !blank(*index) && matches!(states[*index], State::Same(_)))
        .count();
    let enough = if clean {
        same > 0
    } else {
        likeness >= ALIKE && certain >= CERTAIN && sure_lines >= CERTAIN_LINES
    };
    // New lines that stand there are not put there twice.
    let new = (0..reading.replace.len()).filter(|index| change.was[*index].is_none());
    let new = new.filter(|index| !change.kept.contains(&Some(*index)));
    let new: Vec<Sum> = new.map(|index| Sum::of(&reading.replace[index])).collect();
    let unknown = place.pairs.iter().filter(|pair| pair.search.is_empty());
    let mut unknown = unknown.flat_map(|pair| pair.text.clone());
    if unknown.any(|line| ground.sums[line].len > 0 && new.contains(&ground.sums[line])) {
        return None;
    }
    let beside = Beside {
        reading,
        change,
        states: &states,
        ground,
        all_there,
    };
    if !enough || !change.hunks().iter().all(|hunk| beside.is_certain(hunk)) {
        return None;
    }
    Some(Fit {
        reading: corrected(reading, change, &states, ground),
        place: Place {
            likeness: likeness.min(0.99),
            ..place
        },
        clean,
    })
}

/// A place without lines at its ends that the block does not have.
fn cropped(mut place: Place) -> Option<Place> {
    let foreign = |pair: &crate::place::Pair| pair.search.is_empty();
    let missing = |pair: &crate::place::Pair| pair.text.is_empty();
    let first = place
        .pairs
        .iter()
        .position(|p| !foreign(p) && !missing(p))?;
    let last = place
        .pairs
        .iter()
        .rposition(|p| !foreign(p) && !missing(p))?;
    place.lines = place.pairs[first].text.start..place.pairs[last].text.end;
    let (start, end) = (place.lines.start, place.lines.end);
    let mut index = 0;
    place.pairs.retain_mut(|pair| {
        let at = index;
        index += 1;
        if at < first || at > last {
            // Lines that the block has and the text lacks stay in the account.
            let edge = if at < first { start } else { end };
            pair.text = edge..edge;
            return !pair.search.is_empty();
        }
        true
    });
    Some(place)
}

/// How every line of the block stands.
fn states(reading: &Reading, change: &Change, place: &Place, ground: &Ground<'_>) -> Vec<State> {
    let mut states = vec![State::Missing; reading.search.len()];
    for pair in &place.pairs {
        let (1, 1) = (pair.search.len(), pair.text.len()) else {
            continue;
        };
        let (index, line) = (pair.search.start, pair.text.start);
        let (own, there) = (&reading.search[index][..], ground.lines.get(line));
        states[index] = if same(own, there) {
            State::Same(line)
        } else if let Some(new) = change.became[index]
            && without_indent(&reading.replace[new]) == without_indent(there)
            && indent::of(&reading.replace[new]) == indent::of(own)
        {
            State::Done(line)
        } else if let Some(slip) = typo::slip(own, there) {
            State::Slipped(line, slip)
        } else {
            State::Alike(line, pair.likeness)
        };
    }
    states
}

fn same(a: &[u8], b: &[u8]) -> bool {
    fold::same_words([a].into_iter(), [b].into_iter(), fold::Typography::Folded)
}

/// What stands beside a change.
struct Beside<'b> {
    reading: &'b Reading,
    change: &'b Change,
    states: &'b [State],
    ground: &'b Ground<'b>,
    /// Whether all lines of the block are in the text, slips aside.
    all_there: bool,
}

impl Beside<'_> {
    fn is_blank(&self, index: usize) -> bool {
        fold::is_blank(&self.reading.search[index])
    }

    /// Whether what goes stands there, and what stays beside it.
    fn is_certain(&self, hunk: &Hunk) -> bool {
        let gone = hunk.old.clone().filter(|index| !self.is_blank(*index));
        for index in gone.clone() {
            let there = match &self.states[index] {
                State::Same(_) | State::Done(_) => true,
                // A word that the block believes in comes back in its new lines.
                State::Slipped(_, slip) => {
                    let mut new = self.reading.replace[hunk.new.clone()].iter();
                    !new.any(|line| slip.is_in(line))
                }
                _ => false,
            };
            if !there {
                return false;
            }
        }
        let stays = |index: &usize| self.change.kept[*index].is_some() && !self.is_blank(*index);
        let above = (0..hunk.old.start).rev().find(stays);
        let below = (hunk.old.end..self.reading.search.len()).find(stays);
        let sure = |index: Option<usize>| index.is_none_or(|index| self.states[index].is_sure());
        if !sure(above) || !sure(below) {
            return false;
        }
        // Where the block lacks something and the text lacks something, the
        // neighbours must be neighbours there, too.
        let first = gone.clone().next().or(below);
        let last = gone.clone().next_back().or(above);
        let adjoin = self.are_neighbours(above, first) && self.are_neighbours(last, below);
        let marked = || self.is_marked(gone.clone(), above, below);
        if !self.all_there && (!adjoin || !marked()) {
            return false;
        }
        // Somewhere beside it something must stand as the block has it.
        let same = |index: usize| matches!(self.states[index], State::Same(_));
        gone.chain(above).chain(below).any(same)
    }

    /// Whether something that goes, or stands on both sides, is nowhere else: what
    /// differs around it would not tell it from another place like it.
    fn is_marked(
        &self,
        gone: impl Iterator<Item = usize>,
        above: Option<usize>,
        below: Option<usize>,
    ) -> bool {
        let told = |index: usize| is_told([&self.reading.search[index][..]].into_iter());
        let same = |index: usize| match self.states[index] {
            State::Same(line) if told(index) => Some(line),
            _ => None,
        };
        let only = |index: usize| same(index).is_some_and(|line| self.ground.is_only(line));
        let mut gone = gone.peekable();
        if gone.peek().is_some() {
            return gone.any(only);
        }
        let (Some(above), Some(below)) = (above, below) else {
            return false;
        };
        match (same(above), same(below)) {
            (Some(above), Some(below)) => self.ground.are_only(above, below),
            _ => false,
        }
    }

    /// Whether nothing but blank lines stands between two lines of the block.
    fn are_neighbours(&self, above: Option<usize>, below: Option<usize>) -> bool {
        let line = |index: Option<usize>| index.and_then(|index| self.states[index].line());
        match (line(above), line(below)) {
            (Some(above), Some(below)) => {
                let mut between = (above + 1..below).map(|line| self.ground.sums[line].len);
                above <= below && between.all(|len| len == 0)
            }
            _ => true,
        }
    }
}

/// The block as it would have been written by somebody who saw the place.
fn corrected(reading: &Reading, change: &Change, states: &[State], ground: &Ground<'_>) -> Reading {
    let mut reading = reading.clone();
    for (index, state) in states.iter().enumerate() {
        let Some(line) = state.line().filter(|_| !matches!(state, State::Same(_))) else {
            continue;
        };
        let there = ground.lines.get(line).to_vec();
        if let Some(new) = change.kept[index].or(match state {
            State::Done(_) => change.became[index],
            _ => None,
        }) {
            reading.replace[new].clone_from(&there);
        }
        reading.search[index] = there;
    }
    reading
}

/// A line of the text by its number, what the block has there and what the text
/// has.
pub(crate) type Difference = (Option<usize>, Option<Vec<u8>>, Option<Vec<u8>>);

/// How the lines of a block differ from those of a place.
pub(crate) fn mismatches(
    search: &[Vec<u8>],
    lines: &Range<usize>,
    ground: &Ground<'_>,
) -> Vec<Difference> {
    let near = Near {
        lines: lines.clone(),
        likeness: 0.0,
    };
    let place = near::aligned(search, &ground.lines, &near, &ground.sums);
    let told = |text: &[u8]| !fold::is_blank(text);
    let mut found = Vec::new();
    // What differs between two lines that are the same.
    let (mut own, mut there): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut flush = |own: &mut Vec<usize>, there: &mut Vec<usize>| {
        own.retain(|index| told(&search[*index]));
        there.retain(|line| told(ground.lines.get(*line)));
        for index in 0..own.len().max(there.len()) {
            let line = there.get(index).copied();
            let yours = own.get(index).map(|index| search[*index].clone());
            let theirs = line.map(|line| ground.lines.get(line).to_vec());
            found.push((line, yours, theirs));
        }
        own.clear();
        there.clear();
    };
    for pair in &place.pairs {
        let pairs = (pair.search.len(), pair.text.len()) == (1, 1);
        if pairs
            && same(
                &search[pair.search.start],
                ground.lines.get(pair.text.start),
            )
        {
            flush(&mut own, &mut there);
        } else {
            own.extend(pair.search.clone());
            there.extend(pair.text.clone());
        }
    }
    flush(&mut own, &mut there);
    found
}
