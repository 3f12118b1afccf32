//! Whether a block means a place that has what it changes, but not all of its context.
//!
//! The context that is there speaks for the place, rare lines more than others. Against
//! it speak context lines that are missing, more so if all of one side are, or if the
//! text has an adapted copy of them there (`put` where the block has `patch`), a place
//! inside of something with another [head](crate::heads), and
//! surroundings that the text has [a second time](crate::twins): then the block may mean
//! the other copy, where the lines have changed. All of it is counted in letters and digits.

use crate::anchored::{AROUND, Anchor, Finder};
use crate::fold;
use crate::heads::{self, Head};
use crate::indent;
use crate::problem::{is_informative, similarity};
use crate::twins;
use std::ops::Range;

/// What speaks for every place that has the lines right beside the changes.
const BASE: f64 = 12.0;
/// For each context line that is not there.
const MISSING: f64 = 6.0;
/// For each line of a side of which none is there.
const SILENT_SIDE: f64 = 16.0;
/// For a side of which none is there, but an adapted copy.
const ADAPTED_SIDE: f64 = 30.0;
/// If lines are missing above and below.
const BOTH_SIDES: f64 = 10.0;
/// If the block has nothing above, or nothing below.
const OPEN_SIDE: f64 = 30.0;
/// If everything around the place is elsewhere, too.
const TWIN: f64 = 220.0;
/// The same where the block names what the place is in, and the text has that once.
const TWIN_NAMED: f64 = 120.0;
/// If the place is in something else than the block says.
const OTHER_HEAD: f64 = 60.0;
/// What lines that go can say: a copy would lose the same.
const MOST_OF_GONE: f64 = 40.0;
/// What a definition says that the text has only once, at its outermost level.
const DEFINITION: f64 = 40.0;
/// What the head says that the place is in, if the text has it only once.
const HEAD: f64 = 20.0;
/// What a line says at least that imports something, if another one does, too.
const IMPORT: f64 = 15.0;

/// How alike a line is that may have been edited, or copied and adapted.
const ALIKE: Range<f32> = 0.55..0.999;
/// Lines in which such a line is looked for.
const NEAR: usize = 64;
/// Letters and digits of a head that can be told from others.
const NAMES: usize = 6;

/// What became of a line of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// The text has another line there that is like it, word for word another.
    Adapted,
    Missing,
    /// The text has it with more words or with fewer.
    Edited,
    /// It is there, but not in one stretch with a change. Nothing less deep is between.
    Near,
    Here,
}

/// What is known about a place of a block.
pub(crate) struct Evidence {
    /// For each line that has letters or digits.
    fates: Vec<(usize, Fate)>,
    /// Lines of the block that go.
    gone: Vec<Range<usize>>,
    /// What the block says that the place is in.
    head: Head,
}

impl Evidence {
    pub(crate) fn new(finder: &Finder<'_>, anchors: &[Anchor]) -> Self {
        let told = (0..finder.search.len()).filter(|own| letters(&finder.search[*own]) > 0);
        let fate = |own: usize| (own, fate(finder, anchors, own));
        Self {
            fates: told.map(fate).collect(),
            gone: anchors.iter().map(Anchor::old).collect(),
            head: heads::head(finder, anchors),
        }
    }

    /// Whether everything that is at another place is here, too, and more.
    pub(crate) fn has_more_than(&self, other: &Self) -> bool {
        let there = |fate: Fate| fate.max(Fate::Missing);
        let fates = || {
            let both = self.fates.iter().zip(&other.fates);
            both.map(|((_, own), (_, other))| (there(*own), there(*other)))
        };
        fates().all(|(own, other)| own >= other) && fates().any(|(own, other)| own > other)
    }

    /// Whether more speaks for the place than against it.
    pub(crate) fn is_enough(&self, finder: &Finder<'_>, lines: &Range<usize>) -> bool {
        let left = self.speaks_for(finder) - self.speaks_against();
        let twin = match self.head {
            Head::Same(own) if finder.places(own).len() == 1 => TWIN_NAMED,
            _ => TWIN,
        };
        left >= 0.0 && left >= twin * twins::share(finder.ground, lines, finder.search.len())
    }

    fn goes(&self, own: usize) -> bool {
        self.gone.iter().any(|gone| gone.contains(&own))
    }

    /// Whether a change takes nothing away, so that only context says where it goes.
    fn only_adds(&self) -> bool {
        let told = |gone: &Range<usize>| self.fates.iter().any(|(own, _)| gone.contains(own));
        !self.gone.iter().all(told)
    }

    fn speaks_for(&self, finder: &Finder<'_>) -> f64 {
        let (mut context, mut gone) = (0.0, 0.0);
        let mut defines = false;
        let once = |own: usize| finder.places(own).len() == 1;
        let imports = |own: usize| once(own) && is_import(&finder.search[own]);
        let here = self.fates.iter().filter(|(_, fate)| *fate == Fate::Here);
        let imported = here.filter(|(own, _)| imports(*own)).count() > 1;
        for (own, fate) in &self.fates {
            let line = &finder.search[*own];
            let times = finder.places(*own).len();
            let least = if imported && imports(*own) {
                IMPORT
            } else {
                0.0
            };
            let says = least.max(letters(line) as f64) / times.max(1) as f64;
            match fate {
                Fate::Here if self.goes(*own) => gone += says,
                Fate::Here => context += says,
                Fate::Near => context += says / 2.0,
                _ => {}
            }
            defines |= *fate == Fate::Here && times == 1 && is_definition(line);
        }
        let named = match self.head {
            Head::Other => -OTHER_HEAD,
            Head::Same(own) if once(own) && letters(&finder.search[own]) >= NAMES => HEAD,
            _ => 0.0,
        };
        let named = if defines {
            DEFINITION + named.min(0.0)
        } else {
            named
        };
        context + gone.min(MOST_OF_GONE) + named
    }

    fn speaks_against(&self) -> f64 {
        let start = self.gone.iter().map(|gone| gone.start).min();
        let end = self.gone.iter().map(|gone| gone.end).max();
        let (Some(start), Some(end)) = (start, end) else {
            return f64::INFINITY;
        };
        let context = || self.fates.iter().filter(|(own, _)| !self.goes(*own));
        let of = |side: Range<usize>| -> Vec<Fate> {
            let side = context().filter(|(own, _)| side.contains(own));
            side.map(|(_, fate)| *fate).collect()
        };
        let sides = [of(0..start), of(end..usize::MAX)];
        let lost = |fate: &Fate| *fate <= Fate::Missing;
        let missing = context().filter(|(_, fate)| lost(fate)).count();
        let drifted = context().any(|(_, fate)| *fate < Fate::Near);
        let mut against = BASE + MISSING * missing as f64;
        for side in &sides {
            if side.is_empty() && drifted && self.only_adds() {
                return f64::INFINITY;
            } else if side.is_empty() {
                against += OPEN_SIDE;
            } else if side.iter().all(|fate| *fate < Fate::Near) {
                let edited = if side.contains(&Fate::Edited) {
                    0.5
                } else {
                    0.0
                };
                against += SILENT_SIDE * (side.len() as f64 - edited);
                if side.contains(&Fate::Adapted) {
                    against += ADAPTED_SIDE;
                }
            }
        }
        if sides.iter().all(|side| side.iter().any(lost)) {
            against += BOTH_SIDES;
        }
        against
    }

    /// How much of the block is there.
    pub(crate) fn share(&self, finder: &Finder<'_>) -> f64 {
        let said = |least: Fate| -> usize {
            let there = self.fates.iter().filter(|(_, fate)| *fate >= least);
            there.map(|(own, _)| letters(&finder.search[*own])).sum()
        };
        (said(Fate::Here) as f64 / said(Fate::Adapted).max(1) as f64).min(0.99)
    }
}

fn fate(finder: &Finder<'_>, anchors: &[Anchor], own: usize) -> Fate {
    if anchors.iter().any(|anchor| anchor.own.contains(&own)) {
        return Fate::Here;
    }
    let text = &finder.ground.lines;
    let beyond = finder.search.len() + AROUND;
    let above = anchors.iter().rev().find(|anchor| anchor.own.end <= own);
    let below = anchors.iter().find(|anchor| anchor.own.start > own);
    let start = above.map(Anchor::end);
    let start = start.or(below.map(|anchor| anchor.at.saturating_sub(beyond)));
    let end = below.map(|anchor| anchor.at);
    let end = end.or(above.map(|anchor| (anchor.end() + beyond).min(text.len())));
    let (Some(start), Some(end)) = (start, end) else {
        return Fate::Missing;
    };
    let within = |line: &&usize| (start..end).contains(*line) && finder.is_same(own, **line);
    let mut there = finder.places(own).iter().filter(within);
    let (first, last) = (there.next(), there.next_back());
    // What is less deep, and in between, ends what the line is in.
    let deep = |line: usize| indent::of(text.get(line)).len();
    let reaches = |line: usize, between: Range<usize>| {
        let told = |at: &usize| finder.ground.sums[*at].len > 0;
        let mut between = between.take(NEAR).filter(told);
        between.all(|at| deep(at) >= deep(line))
    };
    let from_above = first.filter(|line| above.is_some() && reaches(**line, start..**line));
    let from_below = last.or(first);
    let from_below = from_below.filter(|line| below.is_some() && reaches(**line, **line + 1..end));
    if from_above.or(from_below).is_some() {
        return Fate::Near;
    }
    // Where it should be.
    let due = above.map(|anchor| anchor.end() + own - anchor.own.end);
    let due = due.or(below.map(|anchor| anchor.at.saturating_sub(anchor.own.start - own)));
    let due = due.unwrap_or(start);
    let near = start.max(due.saturating_sub(NEAR / 2))..end.min(due + NEAR / 2);
    let line = fold::trim(&finder.search[own]);
    let others = near.map(|at| fold::trim(text.get(at)));
    let alike = others.map(|other| (similarity(line, other), other));
    let best = alike.max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((alike, other)) if ALIKE.contains(&alike) && is_substituted(line, other) => {
            Fate::Adapted
        }
        Some((alike, _)) if alike >= ALIKE.start => Fate::Edited,
        _ => Fate::Missing,
    }
}

/// Whether each of two lines has a word that the other lacks. A line that only
/// gained words, or only lost some, was edited.
fn is_substituted(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (words(a), words(b));
    let lacks = |of: &[Vec<u8>], word: &Vec<u8>| !of.contains(word);
    a.iter().any(|word| lacks(&b, word)) && b.iter().any(|word| lacks(&a, word))
}

/// The words of a line, in small letters.
pub(crate) fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let words = line.split(|byte| !is_informative(*byte) && *byte != b'_');
    let words = words.filter(|word| !word.is_empty());
    words.map(<[u8]>::to_ascii_lowercase).collect()
}

/// Whether a line that is not indented defines something with a name.
fn is_definition(line: &[u8]) -> bool {
    const BEFORE: [&[u8]; 10] = [
        b"export",
        b"default",
        b"pub",
        b"async",
        b"public",
        b"static",
        b"abstract",
        b"final",
        b"declare",
        b"crate",
    ];
    const DEFINES: [&[u8]; 18] = [
        b"def",
        b"class",
        b"fn",
        b"func",
        b"function",
        b"struct",
        b"enum",
        b"trait",
        b"interface",
        b"type",
        b"const",
        b"impl",
        b"mod",
        b"module",
        b"var",
        b"let",
        b"describe",
        b"test",
    ];
    let words = words(line);
    let mut words = words.iter().map(Vec::as_slice);
    let indented = line.first().is_none_or(|byte| !is_informative(*byte));
    let word = words.find(|word| !BEFORE.contains(word));
    !indented
        && word.is_some_and(|word| DEFINES.contains(&word))
        && words.next().is_some()
        && letters(line) >= 8
}

/// Whether a line says what a file uses of others.
fn is_import(line: &[u8]) -> bool {
    const FIRST: [&[u8]; 6] = [
        b"import ",
        b"from ",
        b"use ",
        b"using ",
        b"#include",
        b"mod ",
    ];
    let line = fold::trim(line);
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    if FIRST.iter().any(|word| line.starts_with(word)) || has(b" require(") {
        return true;
    }
    // As in Go: a path between quotes, perhaps below another name.
    let quoted = |byte: u8| byte == b'"' || byte == b'\'';
    let marks = line.iter().filter(|byte| quoted(**byte)).count();
    let spaces = memchr::memchr_iter(b' ', line).count();
    let closed = line.last().is_some_and(|byte| quoted(*byte));
    let opened = line.first().is_some_and(|byte| quoted(*byte));
    let mut name = line.iter().take_while(|byte| **byte != b' ');
    let named = spaces == 1 && name.all(|byte| is_informative(*byte));
    marks == 2 && closed && (opened && spaces == 0 || named)
}

/// Letters and digits of a line.
pub(crate) fn letters(line: &[u8]) -> usize {
    line.iter().filter(|byte| is_informative(**byte)).count()
}
