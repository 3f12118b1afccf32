//! Moved blocks: their surviving lines and the changes that remain.

use super::crossing::Crossing;
use super::windows::Windows;
use super::{EffectiveOptions, MoveKind};
use crate::Indent;
use crate::line::{self, TRIMMED, is_blank, without_newline};
use crate::similarity::is_same_line;
use crate::statement::is_same_statement;
use mvdiff_core::{Companion, Evidence, Relation, Script, Side};
use std::ops::Range;

/// A pair of lines, and how they relate.
type Link = ((u32, u32), Relation);

/// A moved or copied block. Lines are elements of the windows.
#[derive(Clone)]
pub(super) struct LineBlock {
    pub kind: MoveKind,
    /// The old and new stretches that it consists of. Lines between two stretches
    /// are not part of it.
    pub parts: Vec<(Range<u32>, Range<u32>)>,
    /// Old position.
    pub old: Range<u32>,
    /// New position.
    pub new: Range<u32>,
    /// Its uniform change of indentation.
    pub indent: Option<Indent>,
    /// Lines that are equal up to white space.
    pub pairs: Vec<(u32, u32)>,
    /// Pairs of edited lines.
    pub edited: Vec<(u32, u32)>,
    /// Remaining changes, old and new lines facing each other.
    pub changes: Vec<(Range<u32>, Range<u32>)>,
    /// Lines omitted although their white space changed.
    pub whitespace: u32,
    pub score: f32,
    pub evidence: Option<Evidence>,
    /// Equal blocks that could have been one of its ends.
    pub twins: Vec<(Side, Range<u32>)>,
}

impl LineBlock {
    /// The moves of a script with a sufficient score.
    pub fn moves(windows: &Windows<'_>, script: &Script, options: &EffectiveOptions) -> Vec<Self> {
        let ids = 0..script.moves().len() as u32;
        let crossing = Crossing::new(script);
        let blocks = ids.flat_map(|id| {
            let found = &script.moves()[id as usize];
            let score = found.evidence.confidence();
            let links = script.runs_of(id).flat_map(|run| {
                let pairs = run.old_range().zip(run.new_range());
                pairs.map(|pair| (pair, run.relation))
            });
            let links: Vec<_> = links.filter(|_| score >= options.min_score).collect();
            let stretches = if options.show_whitespace {
                vec![&links[..]]
            } else {
                by_shift(windows, &links)
            };
            let blocks = stretches.into_iter().filter_map(|links| {
                let mut block = Self::of_links(windows, MoveKind::Move, links, options)?;
                block.score = score;
                block.evidence = Some(found.evidence.clone());
                block.twins.clone_from(&found.twins);
                crossing.tells(windows, &block).then_some(block)
            });
            blocks.collect::<Vec<_>>()
        });
        let mut blocks = Self::joined(windows, blocks.collect(), options.engine.reach);
        blocks.retain(|block| block.is_worth_reporting(windows));
        blocks
    }

    /// Joins moves that are really one: adjacent on both sides, in the same
    /// order, with the same shift.
    fn joined(windows: &Windows<'_>, mut blocks: Vec<Self>, reach: u32) -> Vec<Self> {
        let window = |side: usize, block: &Self| windows.number_of(side, block.range(side).start);
        blocks.sort_by_key(|block| {
            let windows = [0, 1].map(|side| window(side, block));
            (windows, block.old.start, block.new.start)
        });
        let mut joined: Vec<Self> = Vec::with_capacity(blocks.len());
        for block in blocks {
            let near = |end: u32, start: u32| start >= end && start - end <= reach;
            let last = joined.last_mut().filter(|last| {
                near(last.old.end, block.old.start)
                    && near(last.new.end, block.new.start)
                    && [0, 1].map(|side| window(side, last))
                        == [0, 1].map(|side| window(side, &block))
                    && last.indent == block.indent
            });
            match last {
                Some(last) => last.append(block),
                None => joined.push(block),
            }
        }
        joined.sort_by_key(|block| (block.old.start, block.new.start));
        joined
    }

    /// Appends a block.
    fn append(&mut self, block: Self) {
        self.old.end = block.old.end;
        self.new.end = block.new.end;
        self.parts.extend(block.parts);
        self.pairs.extend(block.pairs);
        self.edited.extend(block.edited);
        self.changes.extend(block.changes);
        self.twins.extend(block.twins);
        self.whitespace += block.whitespace;
        self.score = self.score.max(block.score);
        if let (Some(own), Some(more)) = (&mut self.evidence, block.evidence) {
            own.weight += more.weight;
            own.size = own.weight / (own.weight + 1.0);
        }
    }

    /// The copies or merges of a script with a sufficient score. Only their equal
    /// lines count: the lines of the other side have a place of their own.
    pub fn copies(
        windows: &Windows<'_>,
        script: &Script,
        kind: MoveKind,
        options: &EffectiveOptions,
    ) -> Vec<Self> {
        let found = match kind {
            MoveKind::Merge => script.merged(),
            _ => script.copies(),
        };
        let copies = found.iter().filter_map(|copy| {
            if copy.similarity < options.min_score {
                return None;
            }
            let pairs = copy.runs.iter().flat_map(|&(old, new, len)| {
                let pairs = (old..old + len).zip(new..);
                // Equal, but possibly with a different indentation.
                pairs.map(|pair| (pair, Relation::Same { level: TRIMMED }))
            });
            let pairs: Vec<_> = pairs.collect();
            let mut block = Self::of_links(windows, kind, &pairs, options)?;
            block.score = copy.similarity;
            block.edited.clear();
            block.changes.clear();
            (!block.pairs.is_empty()).then_some(block)
        });
        copies.collect()
    }

    /// The old (side 0) or new (side 1) range.
    pub fn range(&self, side: usize) -> Range<u32> {
        if side == 0 {
            self.old.clone()
        } else {
            self.new.clone()
        }
    }

    fn of_links(
        windows: &Windows<'_>,
        kind: MoveKind,
        links: &[Link],
        options: &EffectiveOptions,
    ) -> Option<Self> {
        let line = |(old, new): (u32, u32)| {
            let [olds, news] = &windows.lines;
            (
                without_newline(olds[old as usize]),
                without_newline(news[new as usize]),
            )
        };
        let same = links
            .iter()
            .filter(|(_, relation)| matches!(relation, Relation::Same { level: ..=TRIMMED }));
        let exact = same
            .clone()
            .all(|(_, relation)| *relation == Relation::EXACT);
        // If white space is shown, no shift is hidden.
        let indent = if exact || options.show_whitespace {
            None
        } else {
            Indent::of_pairs(same.map(|(pair, _)| line(*pair)))
        };
        // A single line does not establish a shift of the block.
        let informative = |pair: &(u32, u32)| line::weight(line(*pair).0) > 0.0;
        let follows = |shift: &Indent, pair: (u32, u32)| {
            let (old, new) = line(pair);
            informative(&pair) && survives(old, new, Some(shift))
        };
        let indent = indent.filter(|shift| {
            let pairs = links.iter().map(|(pair, _)| *pair);
            pairs.filter(|pair| follows(shift, *pair)).nth(0).is_some()
        });
        let survives = |pair: (u32, u32)| {
            let (old, new) = line(pair);
            if options.show_whitespace {
                old == new
            } else {
                survives(old, new, indent.as_ref())
            }
        };
        let links: Vec<((u32, u32), bool)> = links
            .iter()
            .map(|(pair, _)| (*pair, survives(*pair)))
            .collect();
        let links = trimmed(&links, options.trim);
        let (first, last) = (links.first()?.0, links.last()?.0);
        let mut block = Self {
            kind,
            parts: vec![(first.0..last.0 + 1, first.1..last.1 + 1)],
            old: first.0..last.0 + 1,
            new: first.1..last.1 + 1,
            indent: indent.clone(),
            pairs: Vec::new(),
            edited: Vec::new(),
            changes: Vec::new(),
            whitespace: 0,
            score: 0.0,
            evidence: None,
            twins: Vec::new(),
        };
        for (pair, survived) in links {
            if *survived {
                block.pairs.push(*pair);
            } else {
                block.edited.push(*pair);
            }
        }
        if kind == MoveKind::Move {
            block.close_up(&survives);
        }
        let changed = |pair: &&(u32, u32)| {
            let (old, new) = line(**pair);
            old != new
        };
        block.whitespace = block.pairs.iter().filter(changed).count() as u32;
        block.find_changes(windows, options);
        Some(block)
    }

    /// Adds equal lines next to surviving ones that the engine left unpaired,
    /// such as a brace, which is not informative enough to be searched.
    fn close_up(&mut self, survives: &dyn Fn((u32, u32)) -> bool) {
        let mut pairs = Vec::with_capacity(self.pairs.len());
        let mut at = (self.old.start, self.new.start);
        let end = (self.old.end, self.new.end);
        for &(old, new) in self.pairs.iter().chain([&end]) {
            let gap = at.0..old;
            let mut edited = self.edited.iter().filter(|pair| gap.contains(&pair.0));
            let (first, last) = (edited.clone().next(), edited.next_back());
            // Up to the first edited pair, and after the last.
            let stop = first.copied().unwrap_or((old, new));
            let ahead = (at.0..stop.0).zip(at.1..stop.1);
            let ahead: Vec<_> = ahead.take_while(|pair| survives(*pair)).collect();
            let count = ahead.len() as u32;
            let from = last.map_or((at.0 + count, at.1 + count), |&(o, n)| (o + 1, n + 1));
            let behind = (from.0..old).rev().zip((from.1..new).rev());
            let mut behind: Vec<_> = behind.take_while(|pair| survives(*pair)).collect();
            behind.reverse();
            pairs.extend(ahead);
            pairs.extend(behind);
            if (old, new) != end {
                pairs.push((old, new));
            }
            at = (old + 1, new + 1);
        }
        self.pairs = pairs;
    }

    /// Whether an informative line survived, or several less informative ones.
    /// Imports and comments count only along with code.
    fn is_worth_reporting(&self, windows: &Windows<'_>) -> bool {
        let file = |side: usize| windows.window_of(side, self.range(side).start).file;
        let is_away = file(0) != file(1);
        let (mut comments, mut edited) = (0, 0);
        let pairs = self.pairs.iter().map(|pair| (pair, true));
        let all = pairs.chain(self.edited.iter().map(|pair| (pair, false)));
        for (pair, survived) in all {
            let line = windows.lines[0][pair.0 as usize];
            let weight = line::weight(line);
            let survived = survived || is_same_statement(line, windows.lines[1][pair.1 as usize]);
            match line::companion(line) {
                Companion::Never if survived && weight >= INFORMATIVE => return true,
                Companion::Never => edited += u32::from(weight > 0.0),
                Companion::AcrossFiles => comments += u32::from(weight > 0.0 && !is_away),
                Companion::Always => {}
            }
        }
        edited >= EDITED || comments >= COMMENTS
    }

    /// Finds the changes between surviving lines, without blank lines at their
    /// edges.
    fn find_changes(&mut self, windows: &Windows<'_>, options: &EffectiveOptions) {
        let mut at = (self.old.start, self.new.start);
        let end = (self.old.end, self.new.end);
        let mut facing = Vec::new();
        for &(old, new) in self.pairs.iter().chain([&end]) {
            let sides = [at.0..old, at.1..new];
            let mut shown = sides.clone();
            if sides[0].len() == sides[1].len() {
                facing.extend(sides[0].clone().zip(sides[1].clone()));
            }
            if !options.show_whitespace {
                for (side, range) in shown.iter_mut().enumerate() {
                    *range = without_blank_edges(&windows.lines[side], range.clone());
                    self.whitespace += (sides[side].len() - range.len()) as u32;
                }
            }
            let [old_shown, new_shown] = shown;
            if !old_shown.is_empty() || !new_shown.is_empty() {
                self.changes.push((old_shown, new_shown));
            }
            at = (old + 1, new + 1);
        }
        // If the same number of lines face each other between surviving lines,
        // each pair is an edited line if the two have anything in common.
        let [olds, news] = &windows.lines;
        let is_paired = |pair: &(u32, u32)| {
            let edited = &self.edited;
            edited.iter().any(|e| e.0 == pair.0 || e.1 == pair.1)
        };
        facing.retain(|pair| {
            let (old, new) = (olds[pair.0 as usize], news[pair.1 as usize]);
            // A blank line is white space, not a version of another line.
            let is_informative = !is_blank(old) && !is_blank(new);
            is_informative && !is_paired(pair) && is_same_line(old, new)
        });
        // Keep only pairs that preserve the order of the others.
        facing.retain(|pair| {
            let in_order = |e: &(u32, u32)| (e.0 < pair.0) == (e.1 < pair.1);
            self.edited.iter().all(in_order)
        });
        self.edited.extend(facing);
        self.edited.sort_unstable();
    }
}

/// Cuts the links of a move where its lines were shifted differently, such as a part of
/// a moved function that was wrapped in an `if`. A few lines do not make a stretch of
/// their own: their indentation is an edit.
fn by_shift<'l>(windows: &Windows<'_>, links: &'l [Link]) -> Vec<&'l [Link]> {
    let [olds, news] = &windows.lines;
    // The stretches: where each starts, its shift, and its weight.
    let mut stretches: Vec<(usize, Indent, f32)> = Vec::new();
    for (at, ((old, new), _)) in links.iter().enumerate() {
        let (old, new) = (olds[*old as usize], news[*new as usize]);
        let Some(shift) = Indent::between(old.trim_ascii_end(), new.trim_ascii_end()) else {
            continue;
        };
        let weight = line::weight(old);
        match stretches.last_mut() {
            Some((_, last, sum)) if *last == shift => *sum += weight,
            _ => stretches.push((at, shift, weight)),
        }
    }
    stretches.retain(|(.., weight)| *weight >= STRETCH);
    stretches.dedup_by(|next, before| next.1 == before.1);
    let mut cuts: Vec<usize> = stretches.iter().skip(1).map(|stretch| stretch.0).collect();
    cuts.push(links.len());
    let mut start = 0;
    let pieces = cuts.into_iter().map(|end| {
        let piece = &links[start..end];
        start = end;
        piece
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// Minimum weight of a surviving line that justifies a move: more than
/// `@Override`.
const INFORMATIVE: f32 = 0.45;
/// Weight from which lines of a move that were shifted in another way are a move of their
/// own: reporting it costs less than showing them.
const STRETCH: f32 = 3.0;
/// Number of informative lines, edited or short, that justify a move without one.
const EDITED: u32 = 3;
/// Number of comment lines that justify a move on their own.
const COMMENTS: u32 = 5;

/// Whether a line is equal after the block's shift, ignoring trailing white
/// space.
pub(super) fn survives(old: &[u8], new: &[u8], indent: Option<&Indent>) -> bool {
    if is_blank(old) || is_blank(new) {
        return is_blank(old) && is_blank(new);
    }
    let (from, to) = indent.map_or((&b""[..], &b""[..]), |i| {
        (i.from.as_bytes(), i.to.as_bytes())
    });
    let (Some(old), Some(new)) = (old.strip_prefix(from), new.strip_prefix(to)) else {
        return false;
    };
    old.trim_ascii_end() == new.trim_ascii_end()
}

/// The links from `trim` lines before the first surviving line to as many after
/// the last; all of them if no line survived unchanged.
fn trimmed(links: &[((u32, u32), bool)], trim: u32) -> &[((u32, u32), bool)] {
    let first = links.iter().find(|(_, survived)| *survived);
    let last = links.iter().rfind(|(_, survived)| *survived);
    let (Some((first, _)), Some((last, _))) = (first, last) else {
        return links;
    };
    let near = |((old, new), _): &((u32, u32), bool)| {
        let before = first
            .0
            .saturating_sub(*old)
            .max(first.1.saturating_sub(*new));
        let behind = old.saturating_sub(last.0).max(new.saturating_sub(last.1));
        before.max(behind) <= trim
    };
    let start = links.iter().position(near).unwrap_or(0);
    let end = links
        .iter()
        .rposition(near)
        .map_or(links.len(), |at| at + 1);
    &links[start..end]
}

/// A range without the blank lines at both of its ends.
fn without_blank_edges(lines: &[&[u8]], range: Range<u32>) -> Range<u32> {
    let informative = |i: &u32| !is_blank(lines[*i as usize]);
    let Some(start) = range.clone().find(informative) else {
        return range.start..range.start;
    };
    let end = range.rev().find(informative).map_or(start, |last| last + 1);
    start..end
}
