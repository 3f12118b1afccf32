//! Which place of a text a block means.

use crate::already::{is_told, stands};
use crate::blocks::{Block, Count};
use crate::change::{Change, Hunk};
use crate::elide;
use crate::evidence::letters as letters_of;
use crate::fold;
use crate::fuzzy_match::{self, MARGIN, Near};
use crate::ground::Ground;
use crate::inside::{Inside, inside, occurrences};
use crate::match_site::{Pair, Place, Tier};
use crate::problem::is_informative;
use crate::readings::{Reading, readings};
use crate::{ErrorKind, Options, drift, exact_match, scope};
use memchr::memmem;
use std::ops::Range;

/// A block as it is to be applied, and where.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub search: Vec<Vec<u8>>,
    pub replace: Vec<Vec<u8>>,
    pub place: Target,
    /// Lines of the text that are the block's new lines already, if they are.
    pub already: Option<Range<usize>>,
    /// The next best place, if there is one.
    pub runner_up: Option<(usize, Tier, f64)>,
}

/// Where a block applies.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// To lines.
    Lines(Place),
    /// To lines in each of several places.
    Each(Vec<Place>),
    /// To bytes inside of lines, in one place or several.
    Bytes(Vec<Range<usize>>),
}

impl Target {
    pub(crate) fn tier(&self) -> Tier {
        match self {
            Self::Lines(place) => place.tier,
            Self::Each(places) => places.iter().map(|p| p.tier).max().unwrap_or(Tier::Exact),
            Self::Bytes(_) => Tier::WithinLine,
        }
    }

    /// The lines that it is about.
    pub(crate) fn places(&self) -> &[Place] {
        match self {
            Self::Lines(place) => std::slice::from_ref(place),
            Self::Each(places) => places,
            Self::Bytes(_) => &[],
        }
    }

    /// How many places it is.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(places) => places.len(),
            _ => self.places().len(),
        }
    }

    pub(crate) fn similarity(&self) -> f64 {
        match self {
            Self::Lines(place) => place.similarity,
            Self::Each(_) | Self::Bytes(_) => 1.0,
        }
    }
}

/// What came of looking for a block.
pub(crate) enum Sought {
    Found(Found),
    /// Its new lines are there, what it looks for is not.
    Already(Range<usize>),
    Missed(Missed),
}

/// Why a block was not found.
#[derive(Clone, Debug)]
pub(crate) struct Missed {
    pub kind: ErrorKind,
    /// The reading that was looked for last.
    pub reading: Option<Reading>,
    /// Places that are like it, or, if it is ambiguous, those that fit.
    pub places: Vec<(Near, Tier)>,
    /// Lines in which the text occurs, but more than once, or cut short.
    pub within: Vec<usize>,
    /// Where its new lines are, though nothing shows that it put them there.
    pub elsewhere: Option<Range<usize>>,
    /// Whether it was not looked for what is alike: too much was before.
    pub spent: bool,
    /// How often it should have been there.
    pub due: Option<u32>,
}

impl Missed {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self {
            kind,
            reading: None,
            places: Vec::new(),
            within: Vec::new(),
            elsewhere: None,
            spent: false,
            due: None,
        }
    }

    pub(crate) fn ambiguous(places: Vec<(Near, Tier)>) -> Self {
        Self {
            places,
            ..Self::new(ErrorKind::Ambiguous)
        }
    }
}

/// Looks for a block.
pub(crate) fn seek(block: &Block, ground: &Ground<'_>, options: &Options) -> Sought {
    if let Some(meant) = split(block, ground) {
        return seek(&meant, ground, options);
    }
    if !block.literal
        && let Some(meant) = elide::paired(block, ground)
    {
        return seek(&meant, ground, options);
    }
    if block.search == block.replace {
        return Sought::Missed(Missed::new(ErrorKind::Identical));
    }
    if let Some(count) = block.count
        && let Some(sought) = everywhere(block, count, ground)
    {
        return sought;
    }
    let hint = block.start_line.or(options.start_line);
    if block.search.iter().all(|line| fold::is_blank(line)) {
        return seek_blank(block, ground, hint);
    }
    if let Some(line) = elide::leftover(block, ground) {
        return Sought::Missed(Missed {
            within: vec![line],
            ..Missed::new(ErrorKind::Elided)
        });
    }
    let readings = readings(block, ground, options);
    for reading in &readings {
        if reading.search == reading.replace {
            return Sought::Missed(Missed::new(ErrorKind::Identical));
        }
        let mut places = ground.places(&reading.search);
        if !places.is_empty() {
            let blanks = BlankLines::of(reading);
            places.retain(|place| blanks.stand(place) && !is_vague(reading, place, ground));
        }
        if let Some(count) = block.count.filter(|_| !places.is_empty()) {
            return each(reading, count, places);
        }
        if let Some(missed) = rival(reading, &places, ground) {
            return Sought::Missed(missed);
        }
        if !places.is_empty() {
            return choose(reading, block, places, ground);
        }
    }
    if let Some(Count::Exactly(due)) = block.count
        && due > 1
    {
        // What is alike is found in one place.
        return Sought::Missed(Missed::new(ErrorKind::NoMatch));
    }
    let mut within = Vec::new();
    for reading in &readings {
        match inside(reading, ground) {
            Inside::Once(found) => return Sought::Found(found),
            Inside::Unclear(lines) => within = lines,
            Inside::Never => {}
        }
    }
    if block.string && within.len() > 1 {
        let places = within.iter().map(|line| at_line(*line)).collect();
        return Sought::Missed(Missed::ambiguous(places));
    }
    if !block.literal
        && let Some(sought) = readings.iter().find_map(|r| elide::elided(r, ground))
    {
        return sought;
    }
    seek_alike(&readings, within, ground, options)
}

/// Letters and digits from which on lines say where something is added, whatever their
/// depth.
const VAGUE: usize = 12;

/// Whether lines are only added, beside brackets and little else, at another depth than
/// the block has: `return nil` and a bracket end every other function.
pub(crate) fn is_vague(reading: &Reading, place: &Place, ground: &Ground<'_>) -> bool {
    let search = &reading.search;
    let said: usize = search.iter().map(|line| letters_of(line)).sum();
    let signs = |line: &Vec<u8>| !fold::is_blank(line) && letters_of(line) == 0;
    let adds = || {
        let hunks = Change::new(search, &reading.replace).hunks();
        hunks.iter().all(|hunk| hunk.old.is_empty())
    };
    place.tier >= Tier::Indent
        && said < VAGUE
        && search.iter().any(signs)
        && !exact_match::is_as_deep(search, &ground.lines, &place.pairs)
        && adds()
}

/// Places that are not among those of whole lines, and as good: a string that is inside
/// of other lines, too; a last line that was cut off, before signs that the new lines end
/// with, or behind a blank.
fn rival(reading: &Reading, places: &[Place], ground: &Ground<'_>) -> Option<Missed> {
    let first = places.first()?;
    let (last, new) = (reading.search.last()?, reading.replace.last());
    let bare = fold::trim(last);
    let string = reading.string && reading.search.len() == 1 && reading.hint.is_none();
    let blank = fold::trimmed_len(last) < last.len() && first.tier >= Tier::TrailingSpace;
    let ends_with = |line: &[u8], sign: Option<&u8>| fold::trim(line).last() == sign;
    let sign = new.and_then(|new| fold::trim(new).last());
    let cut = sign.is_some_and(|sign| !is_informative(*sign)) && !ends_with(last, sign);
    if !(string || blank || cut) || !ground.may_look() {
        return None;
    }
    let whole = |at: usize| {
        let line = ground.lines.line_of(at);
        places.iter().any(|place| place.lines.contains(&line))
    };
    let text = ground.lines.bytes;
    let is_cut = |at: usize| {
        let end = at + reading.search.join(&b'\n').len();
        let line = ground.lines.line_of(end - 1);
        let rest = ground.lines.start(line) + ground.lines.get(line).len();
        let tail = text.get(end..rest).map_or(&b""[..], fold::trim);
        let signs = !tail.is_empty() && tail.iter().all(|byte| !is_informative(*byte));
        let new = new.map_or(&b""[..], |line| fold::trim(line));
        signs && (blank || new.ends_with(tail) && !bare.ends_with(tail))
    };
    let found = occurrences(reading, ground);
    let line_of = |at: &usize| ground.lines.line_of(*at);
    if string {
        let places = found.iter().map(|at| at_line(line_of(at))).collect();
        return (found.len() > 1).then(|| Missed::ambiguous(places));
    }
    let inside = found.iter().filter(|at| !whole(**at) && is_cut(**at));
    let within: Vec<usize> = inside.map(line_of).collect();
    (!within.is_empty()).then(|| Missed {
        within,
        ..Missed::new(ErrorKind::NoMatch)
    })
}

/// A place inside of a line.
fn at_line(line: usize) -> (Near, Tier) {
    let near = Near {
        lines: line..line + 1,
        similarity: 1.0,
    };
    (near, Tier::WithinLine)
}

/// Changes that are about blank lines, or that take nothing else away: there they
/// must be as the block has them.
struct BlankLines(Vec<Hunk>);

impl BlankLines {
    fn of(reading: &Reading) -> Self {
        let blank = |lines: &[Vec<u8>]| lines.iter().all(|line| fold::is_blank(line));
        let mut hunks = Change::new(&reading.search, &reading.replace).hunks();
        hunks.retain(|Hunk { old, new }| {
            let replaced = !old.is_empty() || blank(&reading.replace[new.clone()]);
            replaced && blank(&reading.search[old.clone()])
        });
        Self(hunks)
    }

    fn stand(&self, place: &Place) -> bool {
        self.0.iter().all(|Hunk { old, .. }| {
            let touches = |pair: &&Pair| {
                let own = &pair.search;
                let within = own.start < old.end && old.start < own.end;
                within || own.is_empty() && (old.start..=old.end).contains(&own.start)
            };
            let single = |pair: &Pair| pair.search.len() == pair.text.len();
            place.pairs.iter().filter(touches).all(single)
        })
    }
}

/// The block as it is meant, where it can be split in several ways: what it looks
/// for is in the text, and as much as can be.
fn split(block: &Block, ground: &Ground<'_>) -> Option<Block> {
    if block.splits.is_empty() {
        return None;
    }
    let own = (block.search.clone(), block.replace.clone());
    let ways = block.splits.iter().cloned().chain([own]);
    let there = ways.filter(|(search, _)| !ground.places(search).is_empty());
    let meant = there.max_by_key(|(search, _)| search.len());
    let (search, replace) = meant.unwrap_or_else(|| (block.search.clone(), block.replace.clone()));
    Some(Block {
        search,
        replace,
        splits: Vec::new(),
        ..block.clone()
    })
}

/// A block that applies wherever its text occurs, letter by letter.
fn everywhere(block: &Block, count: Count, ground: &Ground<'_>) -> Option<Sought> {
    let text = ground.lines.bytes;
    let found = |end: &[u8]| -> Vec<Range<usize>> {
        let search = block.search.join(end);
        let found = memmem::find_iter(text, &search);
        found.map(|at| at..at + search.len()).collect()
    };
    let mut places = found(b"\n");
    if places.is_empty() && block.search.len() > 1 {
        places = found(b"\r\n");
    }
    if places.is_empty() || block.search.is_empty() {
        return None;
    }
    let lines_of = |place: &Range<usize>| {
        let line = ground.lines.line_of(place.start);
        line..line + block.search.len()
    };
    if let Some(missed) = miscounted(count, places.iter().map(lines_of), Tier::Exact) {
        return Some(missed);
    }
    Some(Sought::Found(Found {
        search: block.search.clone(),
        replace: block.replace.clone(),
        place: Target::Bytes(places),
        already: None,
        runner_up: None,
    }))
}

/// A block that applies wherever its lines are, but for white space.
fn each(reading: &Reading, count: Count, mut places: Vec<Place>) -> Sought {
    if places.len() >= exact_match::most(reading.search.len()) {
        // Not all places are listed.
        let near = |place: Place| {
            let near = Near {
                lines: place.lines,
                similarity: 1.0,
            };
            (near, place.tier)
        };
        return Sought::Missed(Missed {
            spent: true,
            ..Missed::ambiguous(places.into_iter().map(near).collect())
        });
    }
    let mut end = 0;
    places.retain(|place| {
        let apart = place.lines.start >= end;
        end = if apart { place.lines.end } else { end };
        apart
    });
    let lines = places.iter().map(|place| place.lines.clone());
    if let Some(missed) = miscounted(count, lines, places[0].tier) {
        return missed;
    }
    Sought::Found(Found {
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        place: Target::Each(places),
        already: None,
        runner_up: None,
    })
}

/// What is to be said of places that are not as many as they should be.
fn miscounted(
    count: Count,
    places: impl ExactSizeIterator<Item = Range<usize>>,
    tier: Tier,
) -> Option<Sought> {
    let Count::Exactly(due) = count else {
        return None;
    };
    if due as usize == places.len() {
        return None;
    }
    let near = |lines| {
        let near = Near {
            lines,
            similarity: 1.0,
        };
        (near, tier)
    };
    Some(Sought::Missed(Missed {
        due: Some(due),
        ..Missed::ambiguous(places.map(near).collect())
    }))
}

/// A block that occurs nowhere to the letter may occur nearly, or have been
/// replaced before.
fn seek_alike(
    readings: &[Reading],
    within: Vec<usize>,
    ground: &Ground<'_>,
    options: &Options,
) -> Sought {
    let reading = &readings[readings.len() - 1];
    let done = readings
        .iter()
        .find_map(|reading| stands(reading, ground, Tier::Typographic));
    if !ground.spend() {
        return match done {
            Some(done) => Sought::Already(done),
            None => Sought::Missed(Missed {
                within,
                spent: true,
                ..Missed::new(ErrorKind::NoMatch)
            }),
        };
    }
    let near = fuzzy_match::near(&reading.search, &ground.lines, &ground.sums);
    let taken =
        drift::drifted(reading, &near, ground).or_else(|| like(reading, &near, ground, options));
    // What is like the block's old lines may be its new ones; if something else
    // is more like them, that is what it means.
    let done = done.filter(|done| {
        let rival = |near: &&Near| near.lines.end <= done.start || done.end <= near.lines.start;
        let own =
            fuzzy_match::similarity(&reading.search, &ground.lines, done.clone(), &ground.sums);
        near.iter()
            .find(rival)
            .is_none_or(|near| near.similarity < own)
    });
    let missed = |near: Vec<Near>| Missed {
        places: near.into_iter().map(|near| (near, Tier::Fuzzy)).collect(),
        reading: Some(reading.clone()),
        within,
        elsewhere: elsewhere(reading, ground),
        ..Missed::new(ErrorKind::NoMatch)
    };
    match (done, taken) {
        (Some(done), Some(Ok(found))) if !lies_on(&found.place, &done) => Sought::Found(found),
        (Some(done), _) => Sought::Already(done),
        (None, Some(Ok(found))) => Sought::Found(found),
        (None, Some(Err(missed))) => Sought::Missed(missed),
        (None, None) => Sought::Missed(missed(near)),
    }
}

/// Where the new lines of a block are, for whatever reason.
fn elsewhere(reading: &Reading, ground: &Ground<'_>) -> Option<Range<usize>> {
    let told = is_told(reading.replace.iter().map(Vec::as_slice));
    let first = told.then(|| ground.places(&reading.replace).into_iter().next());
    first.flatten().map(|place| place.lines)
}

fn lies_on(target: &Target, lines: &Range<usize>) -> bool {
    match target {
        Target::Lines(place) => place.overlaps(lines),
        Target::Each(_) | Target::Bytes(_) => false,
    }
}

/// A block that looks for nothing, or for blank lines: it goes where its start
/// line says, and into an empty text.
fn seek_blank(block: &Block, ground: &Ground<'_>, hint: Option<u32>) -> Sought {
    let lines = &ground.lines;
    let at = match hint {
        // At the end; lines that are there already are not added twice.
        Some(u32::MAX) if block.search.is_empty() => {
            let last = (0..lines.len())
                .rev()
                .find(|line| ground.sums[*line].len > 0);
            let end = last.map_or(0, |line| line + 1);
            let done = ground.places(&block.replace).into_iter();
            let mut done = done.filter(|place| place.lines.end >= end);
            if let Some(done) = done.next() {
                return Sought::Already(done.lines);
            }
            lines.len()
        }
        // There is nothing behind the last line that something could go behind.
        Some(line) if line as usize > lines.len() + 1 => {
            return Sought::Missed(Missed::new(ErrorKind::NoMatch));
        }
        Some(line) => line as usize - 1,
        None if lines.is_empty() && block.search.is_empty() => 0,
        None => return Sought::Missed(Missed::new(ErrorKind::EmptySearch)),
    };
    let range = at..at + block.search.len();
    let blank = |line: usize| line < lines.len() && ground.sums[line].len == 0;
    if !range.clone().all(blank) {
        return Sought::Missed(Missed::new(ErrorKind::NoMatch));
    }
    let pair = |(own, line): (usize, usize)| Pair {
        search: own..own + 1,
        text: line..line + 1,
        similarity: 1.0,
    };
    let there = ground.places(&block.replace);
    let informative = is_told(block.replace.iter().map(Vec::as_slice));
    let here = |place: &&Place| informative && place.lines.start == at;
    Sought::Found(Found {
        search: block.search.clone(),
        replace: block.replace.clone(),
        place: Target::Lines(Place {
            tier: Tier::Exact,
            pairs: (0..).zip(range.clone()).map(pair).collect(),
            lines: range,
            similarity: 1.0,
        }),
        already: there.iter().find(here).map(|place| place.lines.clone()),
        runner_up: None,
    })
}

/// Chooses among places that say the same.
fn choose(reading: &Reading, block: &Block, mut places: Vec<Place>, ground: &Ground<'_>) -> Sought {
    let hint = reading.hint.map(|line| line as usize - 1);
    let near = |hint: &usize| {
        let mut away = places.iter().map(|place| place.lines.start.abs_diff(*hint));
        !block.vague_line || away.any(|away| away <= OFF)
    };
    let hint = hint.filter(near);
    let away = |place: &Place| hint.map_or(0, |hint| place.lines.start.abs_diff(hint));
    // How a line ends says nothing about which line was meant, nor do blanks at
    // its end that the block does not have; and white space says less than the
    // very line that was named.
    let bare = |line: &Vec<u8>| fold::trimmed_len(line) == line.len();
    let least = if reading.search.iter().all(bare) {
        Tier::TrailingSpace
    } else {
        Tier::LineEnds
    };
    let rank = |place: &Place| place.tier.max(least);
    places.sort_by_key(|place| {
        let named = hint.is_some() && away(place) == 0;
        (!named, rank(place), away(place), place.lines.start)
    });
    let near = |lines: &Range<usize>, tier: Tier| {
        let near = Near {
            lines: lines.clone(),
            similarity: 1.0,
        };
        (near, tier)
    };
    // SEARCH does not occur to the letter, and its new lines do: it
    // may have been replaced before, and these are other places.
    if places[0].tier > Tier::TrailingSpace
        && let Some(done) = letters(reading, ground)
        && !places[0].overlaps(&done)
    {
        let old = near(&places[0].lines, places[0].tier);
        return Sought::Missed(Missed {
            elsewhere: Some(done),
            ..Missed::ambiguous(vec![old])
        });
    }
    let named = |place: &Place| hint.is_some() && away(place) == 0;
    let close = |place: &Place| {
        hint.is_none() || away(place) == away(&places[0]) || {
            // A number that is off by a few lines says nothing between places
            // that are as close to each other.
            !named(&places[0]) && away(place) <= away(&places[0]) + OFF && away(&places[0]) > 0
        }
    };
    let equal = |place: &&Place| rank(place) == rank(&places[0]) && close(place);
    let equals: Vec<&Place> = places.iter().filter(equal).collect();
    // Not all places are listed then, and the one that is meant may be missing.
    let crowded = places.len() >= exact_match::most(reading.search.len());
    let chosen = match &equals[..] {
        [_] if !crowded => Some(equals[0].clone()),
        _ => scope::choose(block, &equals, ground).cloned(),
    };
    let Some(place) = chosen else {
        let shown: Vec<&Place> = if crowded {
            places.iter().collect()
        } else {
            equals
        };
        let shown = shown.iter().map(|place| near(&place.lines, place.tier));
        return Sought::Missed(Missed {
            spent: crowded,
            ..Missed::ambiguous(shown.collect())
        });
    };
    let other = places.iter().find(|other| other.lines != place.lines);
    let runner_up = other.map(|p| (p.lines.start, p.tier, 1.0));
    Sought::Found(Found {
        already: around(reading, &place, ground),
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        place: Target::Lines(place),
        runner_up,
    })
}

/// Lines by which a start line may be off.
const OFF: usize = 5;

/// Where the new lines of a block are to the letter, if in one place only.
fn letters(reading: &Reading, ground: &Ground<'_>) -> Option<Range<usize>> {
    if !is_told(reading.replace.iter().map(Vec::as_slice)) {
        return None;
    }
    let places = ground.places(&reading.replace).into_iter();
    let mut places = places.filter(|place| place.tier <= Tier::LineEnds);
    let first = places.next()?;
    places.next().is_none().then_some(first.lines)
}

/// The lines around a place that are the block's new lines: an addition that
/// was made before.
fn around(reading: &Reading, place: &Place, ground: &Ground<'_>) -> Option<Range<usize>> {
    let inner = |lines: &Range<usize>| {
        let said = |range: Range<usize>| range.filter(|line| ground.sums[*line].len > 0);
        let outside = said(lines.clone()).filter(|line| !place.lines.contains(line));
        let outside = outside.map(|line| ground.lines.get(line));
        let within = said(place.lines.clone()).all(|line| lines.contains(&line));
        within && is_told(outside)
    };
    let mut lines = ground
        .places(&reading.replace)
        .into_iter()
        .map(|place| place.lines);
    lines.find(inner)
}

/// The place that is like the block, if one is, and by enough.
fn like(
    reading: &Reading,
    near: &[Near],
    ground: &Ground<'_>,
    options: &Options,
) -> Option<Result<Found, Missed>> {
    let best = near.first().filter(|n| n.similarity >= options.threshold)?;
    let close = |near: &&Near| near.similarity > best.similarity - MARGIN;
    let mut rivals: Vec<&Near> = near.iter().filter(close).collect();
    if let Some(hint) = reading.hint {
        let hint = hint as usize - 1;
        let able = |near: &&Near| near.similarity >= options.threshold;
        rivals.retain(able);
        rivals.sort_by_key(|near| near.lines.start.abs_diff(hint));
        if let [first, second, ..] = rivals[..]
            && first.lines.start.abs_diff(hint) < second.lines.start.abs_diff(hint)
        {
            rivals.truncate(1);
        }
    }
    if rivals.len() > 1 {
        let rivals = rivals.into_iter().cloned().map(|near| (near, Tier::Fuzzy));
        return Some(Err(Missed {
            reading: Some(reading.clone()),
            ..Missed::ambiguous(rivals.collect())
        }));
    }
    let chosen = rivals.first()?;
    let other = near.iter().find(|near| near.lines != chosen.lines);
    let place = fuzzy_match::aligned(&reading.search, &ground.lines, chosen, &ground.sums);
    let even = || exact_match::is_even(&reading.search, &ground.lines, &place.pairs);
    if chosen.similarity >= 1.0 && (!even() || is_vague(reading, &place, ground)) {
        return None;
    }
    Some(Ok(Found {
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        place: Target::Lines(place),
        already: None,
        runner_up: other.map(|near| (near.lines.start, Tier::Fuzzy, near.similarity)),
    }))
}
