//! The line report: what changed and what moved between two texts, as the
//! contract's JSON has it. Lines count from one.

use crate::indent::Indent;
use crate::words::inner_changes;
use crate::{Error, LineProblem, Lines};
use mvdiff_core::{Diff, Guard, Options, Outcome, Relation, Role, Run, Script, Side, Step};
use serde::{Serialize, Serializer};
use std::ops::Range;

/// The changes and moves between two texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineReport {
    /// Name and version of this document's form.
    pub schema: &'static str,
    /// Whether no work budget ran out.
    pub complete: bool,
    /// What was cut short or left open.
    pub notes: Vec<Note>,
    /// Whether a work budget ran out; the field is named as editors name it.
    pub hit_timeout: bool,
    /// Lines in the old and in the new text.
    pub lines: [u32; 2],
    /// Whether the new text ends without a newline.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_eol: bool,
    /// Counts of lines.
    pub stats: Stats,
    /// What changed in place, in order. No line of a move is in it.
    pub changes: Vec<Change>,
    /// What moved, in old order.
    pub moves: Vec<MovedBlock>,
    /// What was copied, where copies were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<MovedBlock>,
}

/// A remark on the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// `budget` or `ambiguous`.
    pub kind: &'static str,
    /// The remark in words.
    pub message: String,
}

/// Counts of lines; lines in a move count as moved only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// New lines without a counterpart.
    pub additions: u32,
    /// Old lines without a counterpart.
    pub deletions: u32,
    /// Lines edited in place.
    pub modified: u32,
    /// Old lines that moved.
    pub moved: u32,
}

/// Old lines replaced by new ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Old lines, half open.
    pub original: [u32; 2],
    /// New lines, half open.
    pub modified: [u32; 2],
    /// What changed inside lines that are the same line, edited.
    pub inner: Vec<Inner>,
    /// The new lines, without their newlines.
    pub text: Vec<Text>,
    /// Pairs (old, new) of lines that are the same line, edited.
    #[serde(skip)]
    pub pairs: Vec<(u32, u32)>,
}

/// A change inside a line: `[line, column, end line, end column]`, columns in
/// characters, the end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Inner {
    /// In the old text.
    pub original: [u32; 4],
    /// In the new text.
    pub modified: [u32; 4],
}

/// A block that moved (or was copied), its lines inclusive.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovedBlock {
    /// Number of the move, from one.
    pub id: u32,
    /// First old line.
    pub original_line_start: u32,
    /// Last old line.
    pub original_line_end: u32,
    /// First new line.
    pub modified_line_start: u32,
    /// Last new line.
    pub modified_line_end: u32,
    /// The share of the block that survived, 0 to 1; 1 only when exact.
    pub similarity: f32,
    /// How sure the engine is, 0 to 1.
    pub confidence: f32,
    /// The one change of indentation that the block underwent as a whole; lines
    /// that only follow it are in no change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indent: Option<Indent>,
    /// What changed inside the block.
    pub changes: Vec<Change>,
}

/// A line's bytes: a string where they are UTF-8, else base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub Vec<u8>);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use base64::Engine as _;
        use serde::ser::SerializeMap as _;
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        let encoded = base64::engine::general_purpose::STANDARD.encode(&self.0);
        map.serialize_entry("base64", &encoded)?;
        map.end()
    }
}

/// Diffs two texts into a report.
///
/// ```
/// let old = b"alpha one two three\nbeta one two three\ngamma 1\ndelta 1\n";
/// let new = b"gamma 1\ndelta 1\nalpha one two three\nbeta one two three\n";
/// let report = mvdiff_text::diff_lines(old, new, &mvdiff_text::options())?;
/// assert_eq!(report.moves.len(), 1);
/// assert!(report.changes.is_empty());
/// assert_eq!(report.replay(old)?, new);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if a text is too large or an option out of range.
pub fn diff_lines(old: &[u8], new: &[u8], options: &Options) -> Result<LineReport, Error> {
    let problem = LineProblem::of_texts(old, new)?;
    let diff = mvdiff_core::diff(&problem, options)?;
    Ok(LineReport::new(&problem, &diff))
}

impl LineReport {
    /// The report of a finished diff of two texts.
    #[must_use]
    pub fn new(problem: &LineProblem<'_>, diff: &Diff) -> Self {
        let script = &diff.script;
        let new = problem.file(Side::New, 0);
        let mut writer = Writer {
            problem,
            stats: Stats::default(),
        };
        let changes = writer.changes_in_place(script);
        let moves: Vec<MovedBlock> = (0..script.moves().len() as u32)
            .map(|id| writer.moved(script, id))
            .collect();
        let copies = script.copies().iter().zip(1..).map(|(copy, id)| {
            let pairs = copy
                .runs
                .iter()
                .flat_map(|&(old, new, len)| (old..old + len).zip(new..));
            let links = pairs
                .map(|(old, new)| Link::of_pair(problem, old, new))
                .collect();
            writer.block(
                id,
                (&copy.old, &copy.new),
                (copy.likeness, copy.likeness),
                links,
            )
        });
        let copies = copies.collect();
        Self {
            schema: "mvdiff.lines/1",
            complete: diff.outcome.is_complete(),
            notes: notes(&diff.outcome),
            hit_timeout: !diff.outcome.is_complete(),
            lines: [script.old_len(), script.new_len()],
            no_eol: !new.is_empty() && !new.get(new.len() - 1).ends_with(b"\n"),
            stats: writer.stats,
            changes,
            moves,
            copies,
        }
    }

    /// Remarks on a diff, for formats that have no place for them.
    #[must_use]
    pub fn notes_of(diff: &Diff) -> Vec<Note> {
        notes(&diff.outcome)
    }

    /// Whether the texts are the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.moves.is_empty()
    }

    /// Rebuilds the new text from the old one and this report alone.
    ///
    /// # Errors
    /// [`Error::NotReplayable`] if `old` is not the text the report is about.
    pub fn replay(&self, old: &[u8]) -> Result<Vec<u8>, Error> {
        crate::replay::replay(self, &Lines::new(old)?)
    }
}

fn notes(outcome: &Outcome) -> Vec<Note> {
    let mut notes: Vec<Note> = outcome
        .limits()
        .iter()
        .map(|limit| Note {
            kind: "budget",
            message: format!(
                "the work budget {limit:?} ran out: the answer is right but may be coarser"
            ),
        })
        .collect();
    let lines = |r: &Range<u32>| match r.len() {
        1 => format!("line {}", r.end),
        _ => format!("lines {}-{}", r.start + 1, r.end),
    };
    let ambiguous = outcome
        .refusals()
        .iter()
        .filter(|r| r.guard == Guard::Ambiguous);
    notes.extend(ambiguous.map(|refusal| {
        let rival = refusal
            .rival
            .as_ref()
            .map_or_else(String::new, |(old, new)| {
                format!(" and old {} to new {}", lines(old), lines(new))
            });
        Note {
            kind: "ambiguous",
            message: format!(
                "old {} to new {}{rival} are as good as each other: not called a move",
                lines(&refusal.old),
                lines(&refusal.new),
            ),
        }
    }));
    notes
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

/// A line without its newline; a carriage return stays.
pub(crate) fn without_newline(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}
