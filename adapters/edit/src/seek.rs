//! Which place of a text a block means.

use crate::blocks::{Block, is_numbered, strip, strip_loosely, unescape};
use crate::fold::{self, Sum};
use crate::near::{self, MARGIN, Near};
use crate::place::{Pair, Place, Tier};
use crate::problem::is_telling;
use crate::text::Lines;
use crate::{ErrorKind, Options, whole};
use memchr::memmem;
use std::ops::Range;

/// Characters other than space from which on a text is searched for inside of
/// lines: less occurs by chance.
const WITHIN_LINE: usize = 6;

/// A text that blocks are looked for in.
pub(crate) struct Ground<'t> {
    pub lines: Lines<'t>,
    pub sums: Vec<Sum>,
}

impl<'t> Ground<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        let lines = Lines::new(text);
        let sums = whole::sums(&lines);
        Self { lines, sums }
    }

    fn places(&self, search: &[Vec<u8>]) -> Vec<Place> {
        whole::places(search, &self.lines, &self.sums)
    }
}

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
    /// To bytes inside of lines.
    Bytes(Range<usize>),
}

impl Target {
    pub(crate) fn tier(&self) -> Tier {
        match self {
            Self::Lines(place) => place.tier,
            Self::Bytes(_) => Tier::WithinLine,
        }
    }

    pub(crate) fn likeness(&self) -> f64 {
        match self {
            Self::Lines(place) => place.likeness,
            Self::Bytes(_) => 1.0,
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
    /// Places that are like it, or, if it is ambiguous, those that fit.
    pub places: Vec<(Near, Tier)>,
    /// Lines in which the text stands, but more than once.
    pub within: Vec<usize>,
}

impl Missed {
    fn new(kind: ErrorKind) -> Self {
        Self {
            kind,
            places: Vec::new(),
            within: Vec::new(),
        }
    }
}

/// A way to read a block.
struct Reading {
    search: Vec<Vec<u8>>,
    replace: Vec<Vec<u8>>,
    hint: Option<u32>,
}

/// Looks for a block.
pub(crate) fn seek(block: &Block, ground: &Ground<'_>, options: &Options) -> Sought {
    if block.search == block.replace {
        return Sought::Missed(Missed::new(ErrorKind::Identical));
    }
    let hint = block.start_line.or(options.start_line);
    if block.search.iter().all(|line| fold::is_blank(line)) {
        return seek_blank(block, ground, hint);
    }
    let readings = readings(block, hint, options);
    for reading in &readings {
        if reading.search == reading.replace {
            return Sought::Missed(Missed::new(ErrorKind::Identical));
        }
        let places = ground.places(&reading.search);
        if !places.is_empty() {
            return choose(reading, places, ground);
        }
    }
    let mut within = Vec::new();
    for reading in &readings {
        match inside(reading, ground) {
            Inside::Once(found) => return Sought::Found(found),
            Inside::Often(lines) => within = lines,
            Inside::Never => {}
        }
    }
    let reading = readings.last().unwrap_or(&readings[0]);
    let done = readings
        .iter()
        .find_map(|reading| stands(reading, ground, Tier::Typographic));
    let near = near::near(&reading.search, &ground.lines, &ground.sums);
    let taken = like(reading, &near, ground, options);
    match (done, taken) {
        // What is like the block's old lines is its new ones.
        (Some(done), Some(Ok(found))) if !lies_on(&found.place, &done) => Sought::Found(found),
        (Some(done), _) => Sought::Already(done),
        (None, Some(Ok(found))) => Sought::Found(found),
        (None, Some(Err(missed))) => Sought::Missed(missed),
        (None, None) => Sought::Missed(Missed {
            places: near.into_iter().map(|near| (near, Tier::Fuzzy)).collect(),
            within,
            ..Missed::new(ErrorKind::NoMatch)
        }),
    }
}

fn lies_on(target: &Target, lines: &Range<usize>) -> bool {
    match target {
        Target::Lines(place) => place.overlaps(lines),
        Target::Bytes(_) => false,
    }
}

/// The ways to read a block, the most literal first: numbers in front of its
/// lines and entities are taken for what they are only if nothing else fits.
fn readings(block: &Block, hint: Option<u32>, options: &Options) -> Vec<Reading> {
    let mut readings = vec![Reading {
        search: block.search.clone(),
        replace: block.replace.clone(),
        hint,
    }];
    if block.literal {
        return readings;
    }
    if options.unescape_html {
        let unescaped = |lines: &[Vec<u8>]| lines.iter().map(|line| unescape(line)).collect();
        let (search, replace) = (unescaped(&block.search), unescaped(&block.replace));
        if search != block.search {
            readings.push(Reading {
                search,
                replace,
                hint,
            });
        }
    }
    let last = readings.len() - 1;
    let (search, replace) = (&readings[last].search, &readings[last].replace);
    let numbered = |lines: &[Vec<u8>]| {
        let mut telling = lines.iter().filter(|line| !fold::is_blank(line)).peekable();
        telling.peek().is_some() && telling.all(|line| is_numbered(line))
    };
    let all = numbered(search) && (replace.is_empty() || numbered(replace));
    if all {
        let (texts, first) = strip(search);
        readings.push(Reading {
            search: texts,
            replace: strip(replace).0,
            hint: hint.or(first.filter(|line| *line > 0)),
        });
        return readings;
    }
    if numbered(replace) && !search.iter().any(|line| is_numbered(line)) {
        // Numbers that only the new lines have were not meant to be written.
        let replace = strip(replace).0;
        readings[last].replace = replace;
        return readings;
    }
    let hint = hint.or(strip(search).1.filter(|line| numbered(search) && *line > 0));
    let (search, replace) = (strip_loosely(search), strip_loosely(replace));
    if search != readings[last].search {
        readings.push(Reading {
            search,
            replace,
            hint,
        });
    }
    readings
}

/// A block that looks for nothing, or for blank lines: it goes where its start
/// line says, and into an empty text.
fn seek_blank(block: &Block, ground: &Ground<'_>, hint: Option<u32>) -> Sought {
    let lines = &ground.lines;
    let at = match hint {
        Some(line) => (line as usize - 1).min(lines.len()),
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
        likeness: 1.0,
    };
    let there = ground.places(&block.replace);
    let telling = is_told(block.replace.iter().map(Vec::as_slice));
    let here = |place: &&Place| telling && place.lines.start == at;
    Sought::Found(Found {
        search: block.search.clone(),
        replace: block.replace.clone(),
        place: Target::Lines(Place {
            tier: Tier::Exact,
            pairs: (0..).zip(range.clone()).map(pair).collect(),
            lines: range,
            likeness: 1.0,
        }),
        already: there.iter().find(here).map(|place| place.lines.clone()),
        runner_up: None,
    })
}

/// Chooses among places that say the same.
fn choose(reading: &Reading, mut places: Vec<Place>, ground: &Ground<'_>) -> Sought {
    let hint = reading.hint.map(|line| line as usize - 1);
    let away = |place: &Place| hint.map_or(0, |hint| place.lines.start.abs_diff(hint));
    // How a line ends says nothing about which line was meant, and white space
    // says less than the very line that was named.
    let rank = |place: &Place| place.tier.max(Tier::LineEnds);
    places.sort_by_key(|place| {
        let named = hint.is_some() && away(place) == 0;
        (!named, rank(place), away(place), place.lines.start)
    });
    // What was looked for is not there to the letter, and its new lines are: it
    // was replaced before, and these are other places.
    if places[0].tier > Tier::LineEnds
        && let Some(done) = stands(reading, ground, Tier::LineEnds)
        && !places[0].overlaps(&done)
    {
        return Sought::Already(done);
    }
    let equal = |a: &Place, b: &Place| rank(a) == rank(b) && away(a) == away(b);
    if let [first, second, ..] = &places[..]
        && equal(first, second)
    {
        let near = |place: &Place| {
            let near = Near {
                lines: place.lines.clone(),
                likeness: 1.0,
            };
            (near, place.tier)
        };
        let equals = places.iter().take_while(|place| equal(place, &places[0]));
        return Sought::Missed(Missed {
            places: equals.map(near).collect(),
            ..Missed::new(ErrorKind::Ambiguous)
        });
    }
    let runner_up = places.get(1).map(|p| (p.lines.start, p.tier, 1.0));
    let place = places.swap_remove(0);
    Sought::Found(Found {
        already: around(reading, &place, ground),
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        place: Target::Lines(place),
        runner_up,
    })
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

/// Whether lines hold a letter or a digit.
fn is_told<'l>(mut lines: impl Iterator<Item = &'l [u8]>) -> bool {
    lines.any(|line| line.iter().any(|b| is_telling(*b)))
}

/// Where the new lines of a block stand, found no worse than so, if they stand in
/// one place only or where they should.
fn stands(reading: &Reading, ground: &Ground<'_>, worst: Tier) -> Option<Range<usize>> {
    if !is_told(reading.replace.iter().map(Vec::as_slice)) {
        return None;
    }
    let hint = reading.hint.map(|line| line as usize - 1);
    let places = ground.places(&reading.replace).into_iter();
    let mut places = places.filter(|place| place.tier <= worst);
    match (places.next(), places.next()) {
        (Some(only), None) => Some(only.lines),
        (Some(first), Some(second)) => [first, second]
            .into_iter()
            .chain(places)
            .map(|place| place.lines)
            .find(|lines| Some(lines.start) == hint),
        _ => None,
    }
}

/// What came of looking inside of lines.
enum Inside {
    Once(Found),
    Often(Vec<usize>),
    Never,
}

/// Looks for a text inside of lines, byte for byte, between words.
fn inside(reading: &Reading, ground: &Ground<'_>) -> Inside {
    let text = ground.lines.bytes;
    let joined = |lines: &[Vec<u8>]| lines.join(&b'\n');
    let search = joined(&reading.search);
    let telling = search.iter().filter(|b| !b.is_ascii_whitespace()).count();
    if telling < WITHIN_LINE || reading.replace.is_empty() {
        return Inside::Never;
    }
    let word = |b: &u8| is_telling(*b) || *b == b'_';
    let whole_words = |at: &usize| {
        let end = at + search.len();
        let joins = |a: Option<&u8>, b: Option<&u8>| a.is_some_and(word) && b.is_some_and(word);
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        !joins(before, search.first()) && !joins(search.last(), text.get(end))
    };
    let found: Vec<usize> = memmem::find_iter(text, &search)
        .filter(whole_words)
        .take(9)
        .collect();
    match found[..] {
        [] => Inside::Never,
        [at] => {
            let replace = joined(&reading.replace);
            let range = at..at + search.len();
            let first = ground.lines.line_of(at);
            let last = ground.lines.line_of(range.end - 1);
            // The new text may stand around the old one already.
            let mut offsets = memmem::find_iter(&replace, &search);
            let done = |offset: usize| {
                let start = at.checked_sub(offset)?;
                (text.get(start..start + replace.len())? == replace).then_some(())
            };
            let already = offsets.find_map(done).map(|()| first..last + 1);
            Inside::Once(Found {
                search: reading.search.clone(),
                replace: reading.replace.clone(),
                place: Target::Bytes(range),
                already,
                runner_up: None,
            })
        }
        _ => Inside::Often(found.iter().map(|at| ground.lines.line_of(*at)).collect()),
    }
}

/// The place that is like the block, if one is, and by enough.
fn like(
    reading: &Reading,
    near: &[Near],
    ground: &Ground<'_>,
    options: &Options,
) -> Option<Result<Found, Missed>> {
    let best = near.first().filter(|n| n.likeness >= options.threshold)?;
    let close = |near: &&Near| near.likeness > best.likeness - MARGIN;
    let mut rivals: Vec<&Near> = near.iter().filter(close).collect();
    if let Some(hint) = reading.hint {
        let hint = hint as usize - 1;
        let able = |near: &&Near| near.likeness >= options.threshold;
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
            places: rivals.collect(),
            ..Missed::new(ErrorKind::Ambiguous)
        }));
    }
    let chosen = rivals.first()?;
    let other = near.iter().find(|near| near.lines != chosen.lines);
    Some(Ok(Found {
        search: reading.search.clone(),
        replace: reading.replace.clone(),
        place: Target::Lines(near::aligned(
            &reading.search,
            &ground.lines,
            chosen,
            &ground.sums,
        )),
        already: None,
        runner_up: other.map(|near| (near.lines.start, Tier::Fuzzy, near.likeness)),
    }))
}
