//! From a script to the changes of a report: what is in place, what is inside
//! moves, and which lines are the same line, edited.

use crate::LineProblem;
use crate::indent::Indent;
use crate::line::without_newline;
use crate::report::{Change, MovedBlock, Stats, Text};
use crate::words::inner_changes;
use mvdiff_core::{Relation, Role, Run, Script, Side, Step};
use std::ops::Range;

/// What a report tells of a script.
pub(crate) struct Found {
    pub stats: Stats,
    pub changes: Vec<Change>,
    pub moves: Vec<MovedBlock>,
    pub copies: Vec<MovedBlock>,
}

impl Found {
    pub(crate) fn new(problem: &LineProblem<'_>, script: &Script) -> Self {
        let mut writer = Writer {
            problem,
            stats: Stats::default(),
        };
        let changes = writer.changes_in_place(script);
        let moves = 0..script.moves().len() as u32;
        let moves = moves.map(|id| writer.moved(script, id)).collect();
        let copies = script.copies().iter().zip(1..).map(|(copy, id)| {
            let runs = copy.runs.iter();
            let pairs = runs.flat_map(|&(old, new, len)| (old..old + len).zip(new..));
            let links = pairs
                .map(|(old, new)| Link::of_pair(problem, old, new))
                .collect();
            let trust = (copy.likeness, copy.likeness);
            writer.block(id, (&copy.old, &copy.new), trust, links)
        });
        let copies = copies.collect();
        Self {
            stats: writer.stats,
            changes,
            moves,
            copies,
        }
    }
}

/// A run of pairs and whether they are exactly equal.
struct Link {
    old: u32,
    new: u32,
    len: u32,
    exact: bool,
}

impl Link {
    fn of_pair(problem: &LineProblem<'_>, old: u32, new: u32) -> Self {
        let exact = problem.line(Side::Old, old) == problem.line(Side::New, new);
        Self {
            old,
            new,
            len: 1,
            exact,
        }
    }
}

impl From<&Run> for Link {
    fn from(run: &Run) -> Self {
        Self {
            old: run.old,
            new: run.new,
            len: run.len,
            exact: run.relation == Relation::EXACT,
        }
    }
}

struct Writer<'w, 't> {
    problem: &'w LineProblem<'t>,
    stats: Stats,
}

impl Writer<'_, '_> {
    /// Everything outside moves, cut where something was kept exactly.
    fn changes_in_place(&mut self, script: &Script) -> Vec<Change> {
        let kept: Vec<Link> = script
            .runs()
            .iter()
            .filter(|r| r.role == Role::Kept)
            .map(Link::from)
            .collect();
        let loose = |steps: &mut dyn Iterator<Item = Step<'_>>| -> Vec<Range<u32>> {
            steps
                .filter_map(|step| match step {
                    Step::Deleted(range) | Step::Inserted(range) => Some(range),
                    Step::Pair(_) => None,
                })
                .collect()
        };
        let mut in_moves: Vec<(Range<u32>, Range<u32>)> = script
            .moves()
            .iter()
            .map(|m| (m.old.clone(), m.new.clone()))
            .collect();
        in_moves.sort_by_key(|(old, _)| old.start);
        let deleted = outside(
            loose(&mut script.in_old_order()),
            in_moves.iter().map(|m| m.0.clone()),
        );
        let mut new_ends: Vec<Range<u32>> = in_moves.into_iter().map(|m| m.1).collect();
        new_ends.sort_by_key(|r| r.start);
        let inserted = outside(loose(&mut script.in_new_order()), new_ends.into_iter());
        self.stats.deletions += deleted.iter().map(|r| r.len() as u32).sum::<u32>();
        self.stats.additions += inserted.iter().map(|r| r.len() as u32).sum::<u32>();
        self.stats.modified += kept.iter().filter(|l| !l.exact).map(|l| l.len).sum::<u32>();
        self.changes(&deleted, &inserted, &kept)
    }

    fn moved(&mut self, script: &Script, id: u32) -> MovedBlock {
        let m = &script.moves()[id as usize];
        let links: Vec<Link> = script.runs_of(id).map(Link::from).collect();
        self.stats.moved += m.old.len() as u32;
        let trust = (m.likeness, m.evidence.confidence());
        self.block(id + 1, (&m.old, &m.new), trust, links)
    }

    /// A moved or copied block, joined by `links`.
    fn block(
        &self,
        id: u32,
        (old, new): (&Range<u32>, &Range<u32>),
        (similarity, confidence): (f32, f32),
        mut links: Vec<Link>,
    ) -> MovedBlock {
        let indent = self.follow_indent(&mut links);
        let between = |range: &Range<u32>, taken: Vec<Range<u32>>| {
            outside(vec![range.clone()], taken.into_iter())
        };
        let deleted = between(old, links.iter().map(|l| l.old..l.old + l.len).collect());
        let inserted = between(new, links.iter().map(|l| l.new..l.new + l.len).collect());
        MovedBlock {
            id,
            original_line_start: old.start + 1,
            original_line_end: old.end,
            modified_line_start: new.start + 1,
            modified_line_end: new.end,
            similarity,
            confidence,
            indent,
            changes: self.changes(&deleted, &inserted, &links),
        }
    }

    /// The shift in indentation that most pairs follow; those count as exact
    /// then, and exact ones that should have followed do not.
    fn follow_indent(&self, links: &mut Vec<Link>) -> Option<Indent> {
        let line = |side: Side, index: u32| without_newline(self.problem.line(side, index));
        let pairs = |link: &Link| (link.old..link.old + link.len).zip(link.new..);
        if links.iter().all(|link| link.exact) {
            return None;
        }
        let shift = Indent::of_pairs(
            links
                .iter()
                .flat_map(pairs)
                .map(|(o, n)| (line(Side::Old, o), line(Side::New, n))),
        )?;
        let singles = links.iter().flat_map(pairs).map(|(old, new)| {
            let exact = shift.apply(line(Side::Old, old)) == line(Side::New, new);
            Link {
                old,
                new,
                len: 1,
                exact,
            }
        });
        *links = singles.collect();
        Some(shift)
    }

    /// Changes from what is unpaired and from the pairs, which increase on both
    /// sides: between two exact runs, what touches is one change.
    fn changes(
        &self,
        deleted: &[Range<u32>],
        inserted: &[Range<u32>],
        links: &[Link],
    ) -> Vec<Change> {
        let (mut deleted, mut inserted) = (deleted.iter().peekable(), inserted.iter().peekable());
        let mut pieces: Vec<Piece> = Vec::new();
        let mut fenced = true;
        let mut at = (0, 0); // the end of what came before, on both sides
        if let Some(first) = links.first() {
            let old = deleted.peek().map_or(first.old, |r| r.start.min(first.old));
            let new = inserted
                .peek()
                .map_or(first.new, |r| r.start.min(first.new));
            at = (old, new);
        }
        let end = Link {
            old: u32::MAX,
            new: u32::MAX,
            len: 0,
            exact: true,
        };
        for link in links.iter().chain(std::iter::once(&end)) {
            loop {
                let old = deleted.next_if(|r| r.start < link.old).cloned();
                let new = inserted.next_if(|r| r.start < link.new).cloned();
                if old.is_none() && new.is_none() {
                    break;
                }
                let next = (
                    old.as_ref().map_or(at.0, |r| r.end),
                    new.as_ref().map_or(at.1, |r| r.end),
                );
                Piece::add(
                    &mut pieces,
                    Piece {
                        old,
                        new,
                        pairs: Vec::new(),
                        at,
                    },
                    &mut fenced,
                );
                at = next;
            }
            if link.exact {
                fenced = true;
            } else {
                Piece::add(&mut pieces, Piece::paired(link), &mut fenced);
            }
            at = (
                link.old.saturating_add(link.len),
                link.new.saturating_add(link.len),
            );
        }
        pieces.into_iter().map(|piece| self.change(piece)).collect()
    }

    fn change(&self, piece: Piece) -> Change {
        let (old, new) = (
            self.problem.file(Side::Old, 0),
            self.problem.file(Side::New, 0),
        );
        let inner = piece.pairs.iter().flat_map(|&(o, n)| {
            let lines = (
                without_newline(old.get(o as usize)),
                without_newline(new.get(n as usize)),
            );
            inner_changes(lines, (o + 1, n + 1))
        });
        // A side without lines stands where it would be.
        let at = |range: Option<Range<u32>>, touching: u32| range.unwrap_or(touching..touching);
        let (original, modified) = (at(piece.old, piece.at.0), at(piece.new, piece.at.1));
        let text = modified
            .clone()
            .map(|n| Text(without_newline(new.get(n as usize)).to_vec()));
        Change {
            inner: inner.collect(),
            text: text.collect(),
            original: [original.start + 1, original.end + 1],
            modified: [modified.start + 1, modified.end + 1],
            pairs: piece.pairs.iter().map(|&(o, n)| (o + 1, n + 1)).collect(),
        }
    }
}

/// A change in the making.
struct Piece {
    old: Option<Range<u32>>,
    new: Option<Range<u32>>,
    pairs: Vec<(u32, u32)>,
    /// Where an empty side stands.
    at: (u32, u32),
}

impl Piece {
    fn paired(link: &Link) -> Self {
        Self {
            old: Some(link.old..link.old + link.len),
            new: Some(link.new..link.new + link.len),
            pairs: (0..link.len)
                .map(|i| (link.old + i, link.new + i))
                .collect(),
            at: (link.old, link.new),
        }
    }

    /// Appends, joining with the last piece where nothing lies between.
    fn add(pieces: &mut Vec<Self>, piece: Self, fenced: &mut bool) {
        let touches = |a: &Option<Range<u32>>, b: &Option<Range<u32>>| match (a, b) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => true,
        };
        let both = |a: &Option<Range<u32>>, b: &Option<Range<u32>>| match (a, b) {
            (Some(a), Some(b)) => Some(a.start..b.end),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        match pieces.last_mut() {
            Some(last)
                if !*fenced && touches(&last.old, &piece.old) && touches(&last.new, &piece.new) =>
            {
                last.old = both(&last.old, &piece.old);
                last.new = both(&last.new, &piece.new);
                last.pairs.extend(piece.pairs);
            }
            _ => pieces.push(piece),
        }
        *fenced = false;
    }
}

/// `ranges` without what `holes` cover; both sorted.
fn outside(ranges: Vec<Range<u32>>, holes: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut left = Vec::new();
    let mut holes = holes.peekable();
    let mut reach = 0; // holes may nest: how far they cover
    for range in ranges {
        let mut at = range.start;
        loop {
            at = at.max(reach.min(range.end));
            match holes.next_if(|hole| hole.start < range.end) {
                Some(hole) => {
                    if hole.start > at {
                        left.push(at..hole.start);
                    }
                    reach = reach.max(hole.end);
                }
                None => break,
            }
        }
        if at < range.end {
            left.push(at..range.end);
        }
    }
    left
}
