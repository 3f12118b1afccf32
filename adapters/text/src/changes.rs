//! Converts a script to the changes of a report: changes in place, changes inside
//! moves, and lines that were edited.

mod pieces;

use crate::LineProblem;
use crate::ignore::Space;
use crate::indent::Indent;
use crate::line::without_newline;
use crate::report::{BlockTwin, Change, MoveKind, MovedBlock, Stats, Text, TwinSide};
use crate::shifted::{Stayed, Together, shifted};
use crate::words::inner_changes;
use mvdiff_core::{Copied, Move, Role, Script, Side, Step};
use pieces::{Base, Link, Piece, outside, within};
use std::ops::Range;

/// The reported content of a script, file by file.
pub(crate) struct Found<'f, 't> {
    problem: &'f LineProblem<'t>,
    script: &'f Script,
    /// Old lines without a counterpart and in no move.
    deleted: Vec<Range<u32>>,
    /// New lines without a counterpart and in no move.
    inserted: Vec<Range<u32>>,
    /// Kept runs in old order, without reindented blocks.
    kept: Vec<Link>,
    /// Blocks reindented in place: old and new lines, and their runs.
    indents: Vec<(Range<u32>, Range<u32>, Vec<Link>)>,
}

/// Changes in one file outside moves.
#[derive(Default)]
pub(crate) struct InPlace {
    pub stats: Stats,
    pub changes: Vec<Change>,
    /// Differences that the options ignore.
    pub ignored: Vec<Change>,
}

/// A block and its old and new file.
pub(crate) struct Carried {
    pub block: MovedBlock,
    pub files: (usize, usize),
}

impl<'f, 't> Found<'f, 't> {
    pub(crate) fn new(problem: &'f LineProblem<'t>, script: &'f Script) -> Self {
        let kept = script.runs().iter().filter(|r| r.role == Role::Kept);
        let (kept, indents) = apart(problem, script, kept.map(Link::from).collect());
        let unmatched = |steps: &mut dyn Iterator<Item = Step<'_>>| -> Vec<Range<u32>> {
            steps
                .filter_map(|step| match step {
                    Step::Deleted(range) | Step::Inserted(range) => Some(range),
                    Step::Pair(_) => None,
                })
                .collect()
        };
        let ends = |end: fn(&Move) -> &Range<u32>, stayed: Vec<Range<u32>>| {
            let moved = script.moves().iter().map(|m| end(m).clone());
            let mut ends: Vec<Range<u32>> = moved.chain(stayed).collect();
            ends.sort_by_key(|r| r.start);
            ends.into_iter()
        };
        let old = indents.iter().map(|indent| indent.0.clone()).collect();
        let new = indents.iter().map(|indent| indent.1.clone()).collect();
        Self {
            problem,
            script,
            deleted: outside(unmatched(&mut script.in_old_order()), ends(|m| &m.old, old)),
            inserted: outside(unmatched(&mut script.in_new_order()), ends(|m| &m.new, new)),
            kept,
            indents,
        }
    }

    /// Changes between an old file and its new version. If one of the two is
    /// missing, the changes that delete or add the other.
    pub(crate) fn in_place(&self, old: Option<usize>, new: Option<usize>) -> InPlace {
        let lines = |side: Side, file: Option<usize>| {
            file.map_or(0..0, |file| self.problem.range(side, file))
        };
        let (old, new) = (lines(Side::Old, old), lines(Side::New, new));
        let (deleted, inserted) = (within(&self.deleted, &old), within(&self.inserted, &new));
        let first = self.kept.partition_point(|link| link.old < old.start);
        let kept = &self.kept[first..];
        let kept = &kept[..kept.partition_point(|link| link.old < old.end)];
        let base = Base(old.start, new.start);
        let (changes, ignored) = self.sifted(&deleted, &inserted, kept, None, base);
        let mut stats = Stats {
            deletions: deleted.iter().map(|r| r.len() as u32).sum(),
            additions: inserted.iter().map(|r| r.len() as u32).sum(),
            modified: kept.iter().filter(|l| !l.exact).map(|l| l.len).sum(),
            moved: 0,
            reindented: 0,
        };
        if self.problem.ignore().blank_lines {
            stats = Stats::of_changes(&changes);
        }
        InPlace {
            stats,
            changes,
            ignored,
        }
    }

    /// Moves and blocks reindented in place, in old order.
    pub(crate) fn moves(&self) -> Vec<Carried> {
        let moves = self.script.moves().iter().zip(0..);
        let moves = moves.map(|(m, id)| {
            let links = self.script.runs_of(id).map(Link::from).collect();
            let trust = (m.similarity, m.evidence.confidence());
            let carried = self.block((id, MoveKind::Move), (&m.old, &m.new), trust, links);
            (m.old.start, self.with_twins(m, carried))
        });
        let indents = self.indents.iter().map(|(old, new, links)| {
            // Only blocks that are equal byte for byte get a similarity of 1.
            let trust = (0.99, 1.0);
            let carried = self.block((0, MoveKind::Indent), (old, new), trust, links.clone());
            (old.start, carried)
        });
        let mut all: Vec<(u32, Carried)> = moves.chain(indents).collect();
        all.sort_by_key(|(start, _)| *start);
        for ((_, carried), id) in all.iter_mut().zip(1..) {
            carried.block.id = id;
        }
        all.into_iter().map(|(_, carried)| carried).collect()
    }

    /// Adds the blocks that could have been one end of a move.
    fn with_twins(&self, moved: &Move, mut carried: Carried) -> Carried {
        let twins = moved.twins.iter().map(|(side, lines)| {
            let (file, first) = self.problem.place(*side, lines.start);
            BlockTwin {
                side: TwinSide::from(*side),
                path: None,
                lines: [first as u32 + 1, first as u32 + lines.len() as u32],
                file,
            }
        });
        carried.block.twins = twins.collect();
        carried
    }

    /// The copies.
    pub(crate) fn copies(&self) -> Vec<Carried> {
        self.extra(self.script.copies(), MoveKind::Copy)
    }

    /// The merges: deleted blocks that remain as an equal block.
    pub(crate) fn merges(&self) -> Vec<Carried> {
        self.extra(self.script.merged(), MoveKind::Merge)
    }

    fn extra(&self, copies: &[Copied], kind: MoveKind) -> Vec<Carried> {
        copies
            .iter()
            .zip(1..)
            .map(|(copy, id)| {
                let runs = copy.runs.iter();
                let pairs = runs.flat_map(|&(old, new, len)| (old..old + len).zip(new..));
                let links = pairs.map(|(old, new)| self.pair(old, new)).collect();
                let trust = (copy.similarity, copy.similarity);
                self.block((id, kind), (&copy.old, &copy.new), trust, links)
            })
            .collect()
    }

    /// A pair of lines as a run of length one.
    fn pair(&self, old: u32, new: u32) -> Link {
        Link {
            old,
            new,
            len: 1,
            exact: self.problem.is_same(old, new),
        }
    }

    /// Builds a moved or copied block from `links`.
    fn block(
        &self,
        (id, kind): (u32, MoveKind),
        (old, new): (&Range<u32>, &Range<u32>),
        (similarity, confidence): (f32, f32),
        mut links: Vec<Link>,
    ) -> Carried {
        let indent = self.follow_indent(&mut links);
        let between = |range: &Range<u32>, taken: Vec<Range<u32>>| {
            outside(vec![range.clone()], taken.into_iter())
        };
        let deleted = between(old, links.iter().map(|l| l.old..l.old + l.len).collect());
        let inserted = between(new, links.iter().map(|l| l.new..l.new + l.len).collect());
        let files = (
            self.problem.place(Side::Old, old.start).0,
            self.problem.place(Side::New, new.start).0,
        );
        let base = Base(
            self.problem.range(Side::Old, files.0).start,
            self.problem.range(Side::New, files.1).start,
        );
        let (changes, ignored) = self.sifted(&deleted, &inserted, &links, indent.as_ref(), base);
        let block = MovedBlock {
            id,
            kind,
            original_line_start: old.start - base.0 + 1,
            original_line_end: old.end - base.0,
            modified_line_start: new.start - base.1 + 1,
            modified_line_end: new.end - base.1,
            similarity,
            confidence,
            indent,
            twins: Vec::new(),
            changes,
            ignored,
        };
        Carried { block, files }
    }

    /// The indentation shift that most pairs follow. Pairs that follow it then
    /// count as exact, and exact pairs that should have followed it do not.
    fn follow_indent(&self, links: &mut Vec<Link>) -> Option<Indent> {
        let line = |side: Side, index: u32| without_newline(self.problem.line(side, index));
        if links.iter().all(|link| link.exact) {
            return None;
        }
        let shift = Indent::of_pairs(
            links
                .iter()
                .flat_map(Link::pairs)
                .map(|(o, n)| (line(Side::Old, o), line(Side::New, n))),
        )?;
        let is_exact = self.problem.ignore().is_exact();
        let singles = links.iter().flat_map(Link::pairs).map(|(old, new)| {
            let follows = shift.apply(line(Side::Old, old)) == line(Side::New, new);
            Link {
                exact: follows || (!is_exact && self.problem.is_same(old, new)),
                ..self.pair(old, new)
            }
        });
        *links = singles.collect();
        Some(shift)
    }

    /// Splits changes into reported and ignored ones.
    fn sifted(
        &self,
        deleted: &[Range<u32>],
        inserted: &[Range<u32>],
        links: &[Link],
        shift: Option<&Indent>,
        base: Base,
    ) -> (Vec<Change>, Vec<Change>) {
        let pieces = Piece::all(deleted, inserted, links, base);
        let ignore = self.problem.ignore();
        let (mut pieces, mut ignored) = (pieces, Vec::new());
        if !ignore.is_exact() {
            ignored = self.spaced(links, shift);
        }
        if ignore.blank_lines {
            let (blank, rest): (Vec<Piece>, Vec<Piece>) =
                pieces.into_iter().partition(|piece| self.is_blank(piece));
            pieces = rest;
            ignored.extend(blank);
            ignored.sort_by_key(|piece| (piece.at.1, piece.at.0));
        }
        let changes = |pieces: Vec<Piece>| {
            let changes = pieces.into_iter().map(|piece| self.change(piece, base));
            let changes = changes.filter(|change| !change.is_empty());
            changes.collect()
        };
        (changes(pieces), changes(ignored))
    }

    /// Whether a change affects blank lines only.
    fn is_blank(&self, piece: &Piece) -> bool {
        let ignore = self.problem.ignore();
        let all = |side: Side, range: &Option<Range<u32>>| {
            let mut lines = range.clone().into_iter().flatten();
            lines.all(|line| ignore.is_blank(self.problem.line(side, line)))
        };
        all(Side::Old, &piece.old) && all(Side::New, &piece.new)
    }

    /// Runs of lines that differ only in ignored white space. They are recorded
    /// because a report must replay byte for byte.
    fn spaced(&self, links: &[Link], shift: Option<&Indent>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let exact = links.iter().filter(|link| link.exact);
        for (old, new) in exact.flat_map(Link::pairs) {
            let [was, is] = [(Side::Old, old), (Side::New, new)]
                .map(|(side, index)| without_newline(self.problem.line(side, index)));
            let same = match shift {
                Some(shift) => shift.apply(was) == is,
                None => was == is,
            };
            if same {
                continue;
            }
            match pieces.last_mut() {
                Some(Piece {
                    old: Some(o),
                    new: Some(n),
                    ..
                }) if (o.end, n.end) == (old, new) => (o.end, n.end) = (old + 1, new + 1),
                _ => pieces.push(Piece {
                    old: Some(old..old + 1),
                    new: Some(new..new + 1),
                    pairs: Vec::new(),
                    at: (old, new),
                }),
            }
        }
        pieces
    }

    /// Converts a piece to a change with line numbers of its files.
    fn change(&self, piece: Piece, base: Base) -> Change {
        let line = |side: Side, index: u32| without_newline(self.problem.line(side, index));
        let number = |old: u32, new: u32| (old - base.0 + 1, new - base.1 + 1);
        let inner = piece.pairs.iter().flat_map(|&(o, n)| {
            let lines = (line(Side::Old, o), line(Side::New, n));
            inner_changes(lines, number(o, n))
        });
        // An empty side is placed where its lines would be.
        let at = |range: Option<Range<u32>>, touching: u32| range.unwrap_or(touching..touching);
        let (original, modified) = (at(piece.old, piece.at.0), at(piece.new, piece.at.1));
        let text = modified.clone().map(|n| Text(line(Side::New, n).to_vec()));
        let (first, last) = (
            number(original.start, modified.start),
            number(original.end, modified.end),
        );
        Change {
            inner: inner.collect(),
            text: text.collect(),
            original: [first.0, last.0],
            modified: [first.1, last.1],
            pairs: piece.pairs.iter().map(|&(o, n)| number(o, n)).collect(),
        }
    }
}

/// Splits kept runs into those that stayed as they were and reindented blocks.
#[allow(clippy::type_complexity, reason = "a block is two ranges and its runs")]
fn apart(
    problem: &LineProblem<'_>,
    script: &Script,
    kept: Vec<Link>,
) -> (Vec<Link>, Vec<(Range<u32>, Range<u32>, Vec<Link>)>) {
    // If white space is ignored, so is indentation.
    if problem.ignore().space != Space::Counts || kept.iter().all(|link| link.exact) {
        return (kept, Vec::new());
    }
    // A block contains nothing that moved: two lines are in one place if the same
    // number of moves begins before both.
    let starts = |end: fn(&Move) -> &Range<u32>| {
        let mut starts: Vec<u32> = script.moves().iter().map(|m| end(m).start).collect();
        starts.sort_unstable();
        starts
    };
    let (olds, news) = (starts(|m| &m.old), starts(|m| &m.new));
    let lines = kept.iter().flat_map(|link| {
        let before = |starts: &[u32], at: u32| starts.partition_point(|start| *start < at);
        let place = (
            problem.place(Side::Old, link.old).0,
            before(&olds, link.old),
            before(&news, link.new),
        );
        link.pairs().map(move |pair| Stayed {
            pair,
            old: problem.line(Side::Old, pair.0),
            new: problem.line(Side::New, pair.1),
            place,
        })
    });
    let blocks = shifted(lines, Together::Shifted)
        .into_iter()
        .filter_map(|block| {
            let (first, last) = (*block.pairs.first()?, *block.pairs.last()?);
            Some((first.0..last.0 + 1, first.1..last.1 + 1, Vec::new()))
        });
    let mut blocks: Vec<(Range<u32>, Range<u32>, Vec<Link>)> = blocks.collect();
    let mut rest = Vec::new();
    for link in kept {
        let first = blocks.partition_point(|block| block.0.end <= link.old);
        let near = blocks[first..]
            .iter()
            .take_while(|block| block.0.start < link.old + link.len);
        for piece in link.cut(near.map(|block| &block.0)) {
            let at = blocks.partition_point(|block| block.0.end <= piece.old);
            match blocks.get_mut(at) {
                Some(block) if block.0.contains(&piece.old) => block.2.push(piece),
                _ => rest.push(piece),
            }
        }
    }
    (rest, blocks)
}
