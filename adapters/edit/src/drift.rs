//! Blocks whose place drifted from what they say, and is certain all the same.
//!
//! All lines of the block are in the text, in order. A few may have a slip in a
//! word, and a few others may be between them: the block skipped those. Blocks
//! of which lines are missing are for [`anchored`](crate::anchored).

use crate::already::{is_told, without_indent};
use crate::anchored::anchored;
use crate::change::{Change, Hunk};
use crate::exact_match;
use crate::fold::{self, Sum};
use crate::fuzzy_match::{self, Near};
use crate::ground::Ground;
use crate::indent;
use crate::match_site::{Place, Tier};
use crate::readings::Reading;
use crate::resolve::{Found, Missed, Target, is_vague};
use crate::typo::{self, Slip};
use std::ops::Range;

/// Share of a block's letters that must be unchanged.
const CERTAIN: f64 = 0.5;
/// Lines that must be unchanged.
const CERTAIN_LINES: usize = 2;

/// How a line of a block occurs in the text.
#[derive(Clone, Debug, PartialEq)]
enum State {
    /// As the block has it, white space and typography aside.
    Same(usize),
    /// With a slip.
    Slipped(usize, Slip),
    /// As the new line, for which the block has something else.
    Done(usize),
    Missing,
}

impl State {
    fn line(&self) -> Option<usize> {
        match self {
            Self::Same(line) | Self::Slipped(line, _) | Self::Done(line) => Some(*line),
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
    /// Whether nothing else is between its lines.
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
                similarity: fit.place.similarity,
                lines: fit.place.lines,
            };
            (near, Tier::Fuzzy)
        };
        return Some(Err(Missed {
            reading: Some(reading.clone()),
            ..Missed::ambiguous(fits.into_iter().map(near).collect())
        }));
    }
    let Some(Fit { reading, place, .. }) = fits.pop() else {
        return anchored(reading, &change, ground).map(Ok);
    };
    let other = near.iter().find(|near| !place.overlaps(&near.lines));
    Some(Ok(Found {
        search: reading.search,
        replace: reading.replace,
        place: Target::Lines(place),
        already: None,
        runner_up: other.map(|near| (near.lines.start, Tier::Fuzzy, near.similarity)),
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
            similarity: near.similarity,
        };
        fit_to(reading, change, &around, ground)
    })
}

fn fit_to(reading: &Reading, change: &Change, around: &Near, ground: &Ground<'_>) -> Option<Fit> {
    let search = &reading.search;
    let place = fuzzy_match::aligned(search, &ground.lines, around, &ground.sums);
    let place = cropped(place)?;
    if !exact_match::is_even(search, &ground.lines, &place.pairs)
        || is_vague(reading, &place, ground)
    {
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
    let similarity = share(&|state| match state {
        State::Same(_) | State::Done(_) => 1.0,
        State::Slipped(_, slip) => slip.similarity,
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
    if !(0..search.len()).all(|index| states[index].is_sure() || blank(index)) {
        return None;
    }
    let clean = foreign == 0;
    // The lines between may be what others are nested in now: an `else:` of its own.
    if !clean && !exact_match::is_level(search, &ground.lines, &place.pairs) {
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
        certain >= CERTAIN && sure_lines >= CERTAIN_LINES
    };
    // New lines that are there already are not added twice.
    let stays = change.stays();
    let new = (0..reading.replace.len()).filter(|index| change.was[*index].is_none());
    let new = new.filter(|index| !stays[*index]);
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
    };
    let hunks = change.hunks();
    // A place that is only similar does not show that a change was made before.
    if !enough
        || !hunks.iter().all(|hunk| beside.is_certain(hunk))
        || !clean && !hunks.iter().all(|hunk| beside.is_fixed(hunk))
        || hunks.iter().all(|hunk| beside.is_made(hunk))
    {
        return None;
    }
    Some(Fit {
        reading: corrected(reading, change, &states, ground),
        place: Place {
            similarity: similarity.min(0.99),
            ..place
        },
        clean,
    })
}

/// A place without lines at its ends that the block does not have.
fn cropped(mut place: Place) -> Option<Place> {
    let foreign = |pair: &crate::match_site::Pair| pair.search.is_empty();
    let missing = |pair: &crate::match_site::Pair| pair.text.is_empty();
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

/// How every line of the block occurs.
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
            State::Missing
        };
    }
    states
}

fn same(a: &[u8], b: &[u8]) -> bool {
    fold::same_words([a].into_iter(), [b].into_iter(), fold::Typography::Folded)
}

/// The context of a change.
struct Beside<'b> {
    reading: &'b Reading,
    change: &'b Change,
    states: &'b [State],
    ground: &'b Ground<'b>,
}

impl Beside<'_> {
    fn is_blank(&self, index: usize) -> bool {
        fold::is_blank(&self.reading.search[index])
    }

    /// Whether the new lines of a change are there instead of the old ones, and
    /// nothing else comes.
    fn is_made(&self, hunk: &Hunk) -> bool {
        let done = |index: usize| matches!(self.states[index], State::Done(_));
        hunk.old.len() == hunk.new.len() && hunk.old.clone().all(done)
    }

    /// Whether a slip in a line that goes is not in what comes instead.
    fn is_mended(&self, hunk: &Hunk, index: usize, slip: &Slip) -> bool {
        let stays = self.change.stays();
        let mut new = (0..stays.len()).filter(|new| !stays[*new]);
        match (slip.end, self.change.became[index]) {
            // The new line ends as the old one does.
            (Some(sign), Some(new)) => fold::trim(&self.reading.replace[new]).ends_with(&[sign]),
            (Some(_), None) => hunk.new.is_empty(),
            // A word that the block believes in comes back in its new lines, other
            // than in this very line put elsewhere.
            (None, _) => !new.any(|new| {
                let again = is_put_elsewhere(self.reading, index, new);
                slip.is_in(&self.reading.replace[new]) && !again
            }),
        }
    }

    /// Whether lines that are only added at the start of the block, or at its end, follow
    /// the next line that says something without others in between.
    fn is_fixed(&self, hunk: &Hunk) -> bool {
        let told = |index: &usize| is_told([&self.reading.search[*index][..]].into_iter());
        let at = hunk.old.start;
        let above = (0..at).rev().find(told);
        let below = (at..self.states.len()).find(told);
        if !hunk.old.is_empty() || above.is_some() && below.is_some() {
            return true;
        }
        let (Some(first), Some(last)) = (above.or(Some(at)), below.or(at.checked_sub(1))) else {
            return true;
        };
        let place = |index: usize| self.states.get(index).and_then(State::line);
        let (Some(from), Some(to)) = (place(first), place(last)) else {
            return true;
        };
        let own = (first..=last).filter(|index| !self.is_blank(*index));
        let there = (from..=to).filter(|line| self.ground.sums[*line].len > 0);
        own.count() == there.count()
    }

    /// Whether the removed lines are there, and the context next to them.
    fn is_certain(&self, hunk: &Hunk) -> bool {
        let gone = hunk.old.clone().filter(|index| !self.is_blank(*index));
        // Where nothing but blank lines goes, they must be there.
        let missing = |index: usize| self.states[index] == State::Missing;
        if gone.clone().next().is_none() && hunk.old.clone().any(missing) {
            return false;
        }
        for index in gone.clone() {
            let there = match &self.states[index] {
                State::Same(_) | State::Done(_) => true,
                State::Slipped(_, slip) => self.is_mended(hunk, index, slip),
                State::Missing => false,
            };
            if !there {
                return false;
            }
        }
        // What was done before in part, with more in between, is something else.
        let done = |index: usize| matches!(self.states[index], State::Done(_));
        if gone.clone().any(done) {
            let places = gone.clone().filter_map(|index| self.states[index].line());
            let places: Vec<usize> = places.collect();
            let between = |two: &[usize]| {
                let mut between = two[0] + 1..two[1];
                between.any(|line| self.ground.sums[line].len > 0)
            };
            if places.windows(2).any(between) {
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
        // Something next to it must be as the block has it.
        let same = |index: usize| matches!(self.states[index], State::Same(_));
        gone.chain(above).chain(below).any(same)
    }
}

/// Whether a new line is a line of the block that goes, put elsewhere.
fn is_put_elsewhere(reading: &Reading, index: usize, new: usize) -> bool {
    without_indent(&reading.search[index]) == without_indent(&reading.replace[new])
}

/// The block as it would have been written by somebody who saw the place.
fn corrected(reading: &Reading, change: &Change, states: &[State], ground: &Ground<'_>) -> Reading {
    let mut reading = reading.clone();
    let stays = change.stays();
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
        if let State::Slipped(_, slip) = state
            && slip.end.is_none()
            && change.kept[index].is_none()
        {
            let again = |new: &usize| !stays[*new] && is_put_elsewhere(&reading, index, *new);
            let again: Vec<usize> = (0..stays.len()).filter(again).collect();
            for new in again {
                let depth = indent::of(&reading.replace[new]).len();
                reading.replace[new].truncate(depth);
                reading.replace[new].extend_from_slice(without_indent(&there));
            }
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
        similarity: 0.0,
    };
    let place = fuzzy_match::aligned(search, &ground.lines, &near, &ground.sums);
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
