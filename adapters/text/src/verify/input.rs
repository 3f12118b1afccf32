//! The contents of the input: which lines of each file are known, and which
//! others must be equal.

use super::hidden::{Hidden, Place};
use super::texts::{KEPT, Known, Texts};
use crate::effective::{Contents, FileContents, MoveDetail};
use crate::patch::{Body, Changeset, FilePatch, Hunk, LineKind, Status};
use mvdiff_core::Side;
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// The files of a changeset.
pub(super) struct Input<'a> {
    pub files: Vec<File<'a>>,
    by_path: [HashMap<&'a [u8], usize>; 2],
}

/// One file of a changeset.
pub(super) struct File<'a> {
    pub patch: &'a FilePatch<'a>,
    pub role: Role,
    /// Stretches of known lines, in order, separated by unseen lines.
    pub spans: Vec<Span>,
    /// Whether all lines are known.
    pub whole: bool,
    pub sides: [Known<'a>; 2],
    /// The alignment that the report claims, as runs of old, new and length; for
    /// a file that must be verbatim, its own alignment.
    pub kept: Vec<[u32; 3]>,
}

/// Files that the changeset does not touch, as patches without changes: they may
/// be the source of copies.
pub(super) fn others<'a>(contents: &Contents<'a>) -> Vec<FilePatch<'a>> {
    let still = contents.others.iter().map(|other| FilePatch {
        old_path: Some(Cow::Borrowed(other.path)),
        new_path: Some(Cow::Borrowed(other.path)),
        status: Status::Modified,
        old_mode: None,
        new_mode: None,
        ids: None,
        header: b"",
        body: Body::Text(Vec::new()),
        trailer: b"",
    });
    still.collect()
}

/// How a file may appear in an effective diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its lines may move.
    Lines,
    /// It has lines, but no block moved from or to it: it must be verbatim, with
    /// its own alignment.
    Whole,
    /// It has no changed lines: only its header matters.
    Still,
    /// It must be verbatim: binary, a copy, or inconsistent.
    Verbatim,
}

/// Known lines on both sides, between unseen ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    sides: [Stretch; 2],
}

/// One side of a [`Span`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The first line, one-based; where it would be if the side is empty.
    pub first: u32,
    pub count: u32,
    /// The first line's index among the known ones.
    pub at: usize,
}

impl Stretch {
    fn end(self) -> u32 {
        self.first + self.count
    }
}

impl Span {
    pub(super) fn side(&self, side: Side) -> Stretch {
        self.sides[side as usize]
    }

    /// Number of lines between the end of this span and the start of the next;
    /// `None` if the sides disagree.
    fn gap(&self, next: &Self) -> Option<u32> {
        let [old, new] =
            [Side::Old, Side::New].map(|s| next.side(s).first.checked_sub(self.side(s).end()));
        old.filter(|_| old == new)
    }
}

/// The location of a line.
pub(super) enum Spot {
    /// Known: its span, its index, and how many lines of the span follow from
    /// there.
    Known(usize, usize, u32),
    /// Unseen: the next span, and how many further lines are unseen.
    Unseen(usize, u32),
}

impl<'a> Input<'a> {
    pub(super) fn new(
        changeset: &'a Changeset<'a>,
        contents: &'a Contents<'a>,
        others: &'a [FilePatch<'a>],
        moves: Option<&[MoveDetail]>,
    ) -> Self {
        let look_at_all = moves.is_none();
        let moves = moves.unwrap_or_default();
        let sources = moves.iter().map(|block| &block.source_file.0[..]);
        let targets = moves.iter().map(|block| &block.target_file.0[..]);
        let named: [HashSet<&[u8]>; 2] = [sources.collect(), targets.collect()];
        let is_named = |patch: &FilePatch<'_>| {
            [Side::Old, Side::New].into_iter().any(|side| {
                let path = path(patch, side);
                path.is_some_and(|path| named[side as usize].contains(path))
            })
        };
        let files = changeset.files.iter().enumerate();
        let files = files.map(|(i, patch)| {
            let known = contents.files.get(i);
            // If the whole file is known, so is its end.
            let is_known = known.is_some_and(|known| known.old.is_some() || known.new.is_some());
            if look_at_all || is_known || is_named(patch) {
                File::new(patch, known)
            } else {
                File::untouched(patch).unwrap_or_else(|| File::new(patch, known))
            }
        });
        let mut input = Self {
            files: files.collect(),
            by_path: [HashMap::new(), HashMap::new()],
        };
        for side in [Side::Old, Side::New] {
            for i in 0..input.files.len() {
                input.name(side, i);
            }
        }
        for (patch, other) in others.iter().zip(&contents.others) {
            let both = FileContents {
                old: Some(other.text),
                new: Some(other.text),
            };
            let entry = input.by_path[Side::Old as usize].entry(other.path);
            if let Entry::Vacant(entry) = entry {
                entry.insert(input.files.len());
                input.files.push(File::new(patch, Some(&both)));
            }
        }
        input
    }

    /// Registers a file under its path. A path claimed by two files identifies
    /// neither: both must be verbatim.
    fn name(&mut self, side: Side, i: usize) {
        let file = &self.files[i];
        let Some(path) = path(file.patch, side) else {
            return;
        };
        // The origin of a copy stays, and is often a file of its own.
        if side == Side::Old && file.patch.status == Status::Copied {
            return;
        }
        match self.by_path[side as usize].entry(path) {
            Entry::Vacant(entry) => {
                entry.insert(i);
            }
            Entry::Occupied(entry) => {
                for twin in [*entry.get(), i] {
                    self.files[twin].role = Role::Verbatim;
                    self.files[twin].spans.clear();
                    self.files[twin].kept.clear();
                }
            }
        }
    }

    /// The file with a path.
    pub(super) fn find(&self, side: Side, path: &[u8]) -> Option<usize> {
        self.by_path[side as usize].get(path).copied()
    }

    /// The file with a path, if the report may refer to its lines.
    pub(super) fn lines_of(&self, side: Side, path: &[u8]) -> Result<usize, Hidden> {
        self.find(side, path)
            .filter(|&i| !matches!(self.files[i].role, Role::Verbatim | Role::Whole))
            .ok_or_else(|| Hidden::NoSuchFile {
                file: path.to_vec(),
            })
    }

    pub(super) fn place(&self, side: Side, file: usize, line: u32) -> Place {
        let patch = self.files[file].patch;
        Place {
            side,
            file: path(patch, side).unwrap_or_default().to_vec(),
            line,
        }
    }
}

pub(super) fn path<'a>(patch: &'a FilePatch<'_>, side: Side) -> Option<&'a [u8]> {
    match side {
        Side::Old => patch.old_path.as_deref(),
        Side::New => patch.new_path.as_deref(),
    }
}

impl<'a> File<'a> {
    fn new(patch: &'a FilePatch<'a>, contents: Option<&FileContents<'a>>) -> Self {
        let spans = match &patch.body {
            Body::Text(hunks) => spans(hunks),
            Body::Binary(_) => None,
        };
        let role = match &spans {
            None => Role::Verbatim,
            Some(_) if patch.status == Status::Copied => Role::Verbatim,
            Some(_) if patch.hunks().is_empty() => Role::Still,
            Some(_) => Role::Lines,
        };
        let spans = spans.unwrap_or_default();
        let parts = parts(patch.hunks());
        let whole = contents.and_then(|c| whole(patch, &spans, &parts, c));
        let is_whole = whole.is_some();
        let sides = whole.unwrap_or(parts);
        let mut file = Self {
            patch,
            role,
            spans: if is_whole { one(&sides) } else { spans },
            whole: is_whole,
            sides: sides.map(Known::new),
            kept: Vec::new(),
        };
        if role == Role::Still {
            for side in &mut file.sides {
                side.marks.fill(KEPT);
            }
        }
        file
    }

    /// A file that no move refers to; `None` if it is not a plain change of
    /// lines.
    fn untouched(patch: &'a FilePatch<'a>) -> Option<Self> {
        let ordinary = patch.status != Status::Copied && !patch.hunks().is_empty();
        Some(Self {
            patch,
            role: Role::Whole,
            spans: Vec::new(),
            whole: false,
            sides: parts(&[]).map(Known::new),
            kept: implied(patch.hunks()).filter(|_| ordinary)?,
        })
    }

    pub(super) fn side(&self, side: Side) -> &Known<'a> {
        &self.sides[side as usize]
    }

    /// The location of a line, one-based.
    pub(super) fn spot(&self, side: Side, line: u32) -> Spot {
        let spans = &self.spans;
        let next = spans.partition_point(|s| s.side(side).first <= line);
        if let Some(before) = next.checked_sub(1) {
            let stretch = spans[before].side(side);
            if line < stretch.end() {
                let offset = line - stretch.first;
                return Spot::Known(before, stretch.at + offset as usize, stretch.count - offset);
            }
        }
        let end = spans.get(next).map_or(u32::MAX, |s| s.side(side).first);
        Spot::Unseen(next, end.saturating_sub(line))
    }

    /// Index of a line among the known ones.
    pub(super) fn index(&self, side: Side, line: u32) -> Option<usize> {
        match self.spot(side, line) {
            Spot::Known(_, at, _) => Some(at),
            Spot::Unseen(..) => None,
        }
    }

    /// Whether the patch implies that two unseen lines before a span are equal.
    pub(super) fn implies(&self, before: usize, old: u32, new: u32) -> bool {
        if self.whole || self.patch.old_path.is_none() || self.patch.new_path.is_none() {
            return false;
        }
        let starts = match before.checked_sub(1).map(|i| &self.spans[i]) {
            Some(span) => match self.spans.get(before) {
                Some(next) if span.gap(next).is_none() => return false,
                _ => [Side::Old, Side::New].map(|s| span.side(s).end()),
            },
            None => match self.spans.first() {
                Some(next) if next.side(Side::Old).first != next.side(Side::New).first => {
                    return false;
                }
                _ => [1, 1],
            },
        };
        i64::from(old) - i64::from(starts[0]) == i64::from(new) - i64::from(starts[1])
    }
}

/// The stretches known from hunks; `None` if they are out of order or have wrong
/// counts.
fn spans(hunks: &[Hunk<'_>]) -> Option<Vec<Span>> {
    let mut spans: Vec<Span> = Vec::with_capacity(hunks.len());
    let mut at = [0; 2];
    for hunk in hunks {
        let mut counts = [0u32; 2];
        for line in &hunk.lines {
            counts[0] += u32::from(line.kind != LineKind::Added);
            counts[1] += u32::from(line.kind != LineKind::Removed);
        }
        if counts != [hunk.old_count, hunk.new_count] {
            return None;
        }
        let first = |start: u32, count: u32| {
            let first = start.checked_add(u32::from(count == 0))?;
            first
                .checked_add(count)
                .filter(|_| first > 0)
                .map(|_| first)
        };
        let firsts = [
            first(hunk.old_start, counts[0])?,
            first(hunk.new_start, counts[1])?,
        ];
        let span = Span {
            sides: [0, 1].map(|s| Stretch {
                first: firsts[s],
                count: counts[s],
                at: at[s],
            }),
        };
        for s in [0, 1] {
            at[s] += counts[s] as usize;
        }
        // Unseen stretches must have the same length on both sides.
        let apart = match spans.last() {
            Some(last) => last.gap(&span).is_some(),
            None => firsts[0] == firsts[1],
        };
        if !apart {
            return None;
        }
        match spans.last_mut() {
            // No unseen lines between them: merge.
            Some(last) if last.gap(&span) == Some(0) => {
                for s in [0, 1] {
                    last.sides[s].count += counts[s];
                }
            }
            Some(last) if (0..2).any(|s| last.sides[s].end() > firsts[s]) => return None,
            _ => spans.push(span),
        }
    }
    Some(spans)
}

/// The runs of lines that hunks imply to be equal, with adjacent ones joined;
/// `None` if the hunks contradict each other. The last one is unbounded.
fn implied(hunks: &[Hunk<'_>]) -> Option<Vec<[u32; 3]>> {
    const NO_END: u32 = u32::MAX / 2;
    let mut runs: Vec<[u32; 3]> = Vec::new();
    let mut add = |old: u32, new: u32, len: u32| match runs.last_mut() {
        _ if len == 0 => {}
        Some([o, n, l]) if *o + *l == old && *n + *l == new => *l += len,
        _ => runs.push([old, new, len]),
    };
    let mut at = [1u32; 2];
    for hunk in hunks {
        let first = |start: u32, count: u32| start.checked_add(u32::from(count == 0));
        let starts = [
            first(hunk.old_start, hunk.old_count)?,
            first(hunk.new_start, hunk.new_count)?,
        ];
        let between = starts[0].checked_sub(at[0])?;
        if starts[1].checked_sub(at[1])? != between {
            return None;
        }
        add(at[0], at[1], between);
        at = starts;
        for line in &hunk.lines {
            if line.kind == LineKind::Context {
                add(at[0], at[1], 1);
            }
            at[0] = at[0].checked_add(u32::from(line.kind != LineKind::Added))?;
            at[1] = at[1].checked_add(u32::from(line.kind != LineKind::Removed))?;
        }
        let said = [
            starts[0].checked_add(hunk.old_count)?,
            starts[1].checked_add(hunk.new_count)?,
        ];
        if at != said || at.iter().any(|line| *line >= NO_END) {
            return None;
        }
    }
    add(at[0], at[1], NO_END);
    Some(runs)
}

/// The lines of hunks, by side.
fn parts<'a>(hunks: &'a [Hunk<'a>]) -> [Texts<'a>; 2] {
    [LineKind::Added, LineKind::Removed].map(|other| Texts::without(other, hunks))
}

/// Both versions of a file, if both are given and match the patch.
fn whole<'a>(
    patch: &'a FilePatch<'a>,
    spans: &[Span],
    parts: &[Texts<'a>; 2],
    contents: &FileContents<'a>,
) -> Option<[Texts<'a>; 2]> {
    let bytes = |side, given: Option<&'a [u8]>| match path(patch, side) {
        Some(_) => given,
        None => Some(&[][..]),
    };
    let old = Texts::whole(bytes(Side::Old, contents.old)?)?;
    let new = Texts::whole(bytes(Side::New, contents.new)?)?;
    let mut at = [0, 0];
    for span in spans {
        let stretches = [Side::Old, Side::New].map(|s| span.side(s));
        let starts = stretches.map(|s| s.first as usize - 1);
        let same = starts[0] <= old.len()
            && starts[1] <= new.len()
            && starts[0] - at[0] == starts[1] - at[1]
            && old.slice(at[0]..starts[0]) == new.slice(at[1]..starts[1])
            && agree(&old, &parts[0], stretches[0])
            && agree(&new, &parts[1], stretches[1]);
        if !same {
            return None;
        }
        at = stretches.map(|s| s.end() as usize - 1);
    }
    let rest = [at[0]..old.len(), at[1]..new.len()];
    let same =
        rest[0].len() == rest[1].len() && old.slice(rest[0].clone()) == new.slice(rest[1].clone());
    same.then_some([old, new])
}

fn agree(whole: &Texts<'_>, known: &Texts<'_>, stretch: Stretch) -> bool {
    let first = stretch.first as usize - 1;
    let count = stretch.count as usize;
    first + count <= whole.len()
        && (0..count).all(|i| whole.get(first + i) == known.get(stretch.at + i))
}

/// A single span for all lines.
fn one(sides: &[Texts<'_>; 2]) -> Vec<Span> {
    let stretch = |texts: &Texts<'_>| Stretch {
        first: 1,
        count: texts.len() as u32,
        at: 0,
    };
    vec![Span {
        sides: [stretch(&sides[0]), stretch(&sides[1])],
    }]
}
