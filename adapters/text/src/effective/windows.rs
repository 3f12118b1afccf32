//! The lines of a changeset that the engine examines.
//!
//! A window is a stretch of one file, old and new: a hunk, with some lines around
//! it if the file is known. Lines outside windows are equal on both sides and far
//! from any change, so omitting them only saves time.

use super::prefilter::Rare;
use super::{Contents, FileContents};
use crate::patch::{Changeset, FilePatch, Hunk, HunkLine, LineKind, Status};
use crate::{Error, Lines};
use mvdiff_core::{Interner, Token};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// All windows of a changeset, with their lines numbered consecutively on each
/// side.
pub(super) struct Windows<'p> {
    /// One for each file of the changeset.
    pub files: Vec<View<'p>>,
    pub list: Vec<Window>,
    /// The files and elements of the windows that the engine examines.
    pub segments: Vec<(usize, [Range<u32>; 2])>,
    /// The lines of all windows, old and new.
    pub lines: [Vec<&'p [u8]>; 2],
    pub tokens: [Vec<Token>; 2],
    /// Runs `(old, new, length)` of lines that the patch keeps, in order.
    pub given: Vec<(u32, u32, u32)>,
    /// Whether the patch is so large that inert windows were omitted.
    pub sifted: bool,
}

/// The known parts of one file.
pub(super) struct View<'p> {
    /// Old and new contents, where known and consistent with the patch.
    pub contents: Option<[Lines<'p>; 2]>,
    /// Its windows.
    pub windows: Range<usize>,
    /// Why the file is printed verbatim, if the engine must not see it.
    pub untouchable: Option<Untouchable>,
}

/// Why a file is printed verbatim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Untouchable {
    /// It has no lines, or is a copy whose origin stays.
    ByKind,
    /// Its hunks contradict each other, or another file has one of its paths, so
    /// its lines are not well defined.
    Unclear,
}

/// A stretch of one file.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Index of the file; beyond the files of the changeset, a file that may only
    /// be copied from.
    pub file: usize,
    /// Elements of both sides.
    pub elements: [Range<u32>; 2],
    /// Line of the first element in its file, zero-based.
    pub first: [u32; 2],
    /// The line after the last.
    pub end: [u32; 2],
    /// Whether nothing in it can have moved; it then has no elements.
    pub inert: bool,
    /// Its hunks, as a range of the file's hunks.
    pub hunks: Range<usize>,
    /// The lines of its hunk, if it is a part of one.
    pub part: Option<Range<usize>>,
    /// Its part of [`Windows::given`].
    pub given: Range<usize>,
}

impl Window {
    /// The line of an element in its file, zero-based.
    pub fn line(&self, side: usize, element: u32) -> u32 {
        self.first[side] + (element - self.elements[side].start)
    }

    /// Its lines of a hunk.
    pub fn lines_of<'h, 'p>(&self, hunk: &'h Hunk<'p>) -> &'h [HunkLine<'p>] {
        match &self.part {
            Some(part) => &hunk.lines[part.clone()],
            None => &hunk.lines,
        }
    }
}

impl<'p> Windows<'p> {
    pub fn new(
        changeset: &Changeset<'p>,
        contents: &Contents<'p>,
        extend: u32,
        sift: bool,
    ) -> Result<Self, Error> {
        let mut builder = Builder::new(changeset);
        if sift {
            builder.rare = Rare::of(changeset);
            builder.windows.sifted = builder.rare.is_some();
        }
        if !builder.windows.sifted {
            builder.interner = Interner::with_capacity(lines_of(changeset));
        }
        let shared = shared(changeset);
        for (number, file) in changeset.files.iter().enumerate() {
            let known = contents.files.get(number).copied().unwrap_or_default();
            builder.file(number, (file, shared[number]), known, extend)?;
        }
        for (number, other) in contents.others.iter().enumerate() {
            builder.other(changeset.files.len() + number, other.text)?;
        }
        Ok(builder.windows)
    }

    /// The window that contains an element.
    pub fn window_of(&self, side: usize, element: u32) -> &Window {
        &self.list[self.number_of(side, element)]
    }

    /// The index of the window that contains an element.
    pub fn number_of(&self, side: usize, element: u32) -> usize {
        self.list
            .partition_point(|w| w.elements[side].end <= element)
    }
}

/// The lines of a hunk, zero-based.
pub(super) fn place(hunk: &Hunk<'_>) -> [Range<u32>; 2] {
    // An empty side has the number of the line before.
    let range = |start: u32, count: u32| {
        let first = if count == 0 {
            start
        } else {
            start.saturating_sub(1)
        };
        first..first.saturating_add(count)
    };
    [
        range(hunk.old_start, hunk.old_count),
        range(hunk.new_start, hunk.new_count),
    ]
}

/// The lines of a file's hunks, if they are consistent: increasing, and as far
/// apart in the old as in the new file.
fn places(file: &FilePatch<'_>) -> Option<Vec<[Range<u32>; 2]>> {
    let mut end = [0, 0];
    let mut places = Vec::with_capacity(file.hunks().len());
    for hunk in file.hunks() {
        let [old, new] = place(hunk);
        let apart = old.start.checked_sub(end[0])?;
        if new.start.checked_sub(end[1])? != apart {
            return None;
        }
        end = [old.end, new.end];
        places.push([old, new]);
    }
    Some(places)
}

/// For each file, whether another one has its old or new path. A file that git
/// calls a copy leaves its origin in place and shares nothing.
fn shared(changeset: &Changeset<'_>) -> Vec<bool> {
    let mut shared = vec![false; changeset.files.len()];
    for side in [0, 1] {
        let path = |file: &'_ FilePatch<'_>| -> Option<Vec<u8>> {
            let path = [&file.old_path, &file.new_path][side].as_deref();
            path.map(<[u8]>::to_vec)
        };
        let files = changeset.files.iter().enumerate();
        let mut named: Vec<(Vec<u8>, usize)> = files
            .filter(|(_, file)| side == 1 || file.status != Status::Copied)
            .filter_map(|(number, file)| Some((path(file)?, number)))
            .collect();
        named.sort_unstable();
        for same in named.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 1) {
            for (_, number) in same {
                shared[*number] = true;
            }
        }
    }
    shared
}

fn lines_of(changeset: &Changeset<'_>) -> usize {
    let hunks = changeset.files.iter().flat_map(FilePatch::hunks);
    hunks.map(|hunk| hunk.lines.len()).sum()
}

struct Builder<'p> {
    windows: Windows<'p>,
    /// Line counts for skipping hunks of a very large patch.
    rare: Option<Rare>,
    interner: Interner,
    /// The line that each token was created for.
    known: Vec<&'p [u8]>,
}

impl<'p> Builder<'p> {
    fn new(changeset: &Changeset<'_>) -> Self {
        Self {
            windows: Windows {
                files: Vec::with_capacity(changeset.files.len()),
                list: Vec::new(),
                segments: Vec::new(),
                lines: [Vec::new(), Vec::new()],
                tokens: [Vec::new(), Vec::new()],
                given: Vec::new(),
                sifted: false,
            },
            rare: None,
            // It grows, if few of the lines are examined.
            interner: Interner::with_capacity(0),
            known: Vec::new(),
        }
    }

    fn file(
        &mut self,
        number: usize,
        (file, is_shared): (&FilePatch<'p>, bool),
        known: FileContents<'p>,
        extend: u32,
    ) -> Result<(), Error> {
        let first = self.windows.list.len();
        let mut view = View {
            contents: None,
            windows: first..first,
            untouchable: None,
        };
        if file.is_binary() {
            view.untouchable = Some(Untouchable::ByKind);
            self.windows.files.push(view);
            return Ok(());
        }
        let Some(places) = places(file).filter(|_| !is_shared) else {
            view.untouchable = Some(Untouchable::Unclear);
            self.windows.files.push(view);
            return Ok(());
        };
        view.contents = fitting(file, known, &places)?;
        if file.status == Status::Copied {
            view.untouchable = Some(Untouchable::ByKind);
            self.windows.files.push(view);
            return Ok(());
        }
        let old = view.contents.as_ref().map(|[old, _]| old);
        let extend = if old.is_some() { extend } else { 0 };
        let length = old.map_or(u32::MAX, |lines| lines.len() as u32);
        let hunks: Vec<_> = file.hunks().iter().zip(&places).collect();
        if old.is_none() && self.rare.is_some() {
            for (at, (hunk, place)) in hunks.into_iter().enumerate() {
                self.parts(number, at, hunk, place)?;
            }
            view.windows.end = self.windows.list.len();
            self.windows.files.push(view);
            return Ok(());
        }
        let mut next = 0;
        for cluster in hunks.chunk_by(|(_, a), (_, b)| {
            u64::from(b[0].start) <= u64::from(a[0].end) + 2 * u64::from(extend)
        }) {
            let (start, end) = (&cluster[0].1, &cluster[cluster.len() - 1].1);
            let lead = extend.min(start[0].start);
            let tail = extend.min(length.saturating_sub(end[0].end));
            let numbers = next..next + cluster.len();
            next = numbers.end;
            let first = [start[0].start - lead, start[1].start - lead];
            let ends = [end[0].end + tail, end[1].end + tail];
            self.open(number, first, numbers);
            let rare = self.rare.as_ref();
            if rare.is_some_and(|rare| !cluster.iter().any(|(hunk, _)| rare.may_move(hunk))) {
                self.close(ends, true)?;
                continue;
            }
            let mut at = start[0].start - lead;
            for (hunk, place) in cluster {
                self.around(old, at..place[0].start);
                self.lines(&hunk.lines);
                at = place[0].end;
            }
            self.around(old, at..at + tail);
            self.close(ends, false)?;
        }
        view.windows.end = self.windows.list.len();
        self.windows.files.push(view);
        Ok(())
    }

    /// The parts of a hunk, each in a window.
    fn parts(
        &mut self,
        file: usize,
        number: usize,
        hunk: &Hunk<'p>,
        place: &[Range<u32>; 2],
    ) -> Result<(), Error> {
        let parts = self.rare.as_ref().map(|rare| rare.parts(hunk));
        let parts = parts.unwrap_or_default();
        let is_whole = parts.len() == 1;
        if is_whole && parts.iter().all(|(_, may_move)| !may_move) && self.joins(file, number) {
            if let Some(window) = self.windows.list.last_mut() {
                window.hunks.end += 1;
                window.end = [place[0].end, place[1].end];
            }
            return Ok(());
        }
        let mut first = [place[0].start, place[1].start];
        for (part, may_move) in parts {
            let lines = &hunk.lines[part.clone()];
            let without = |kind: LineKind| lines.iter().filter(|l| l.kind != kind).count() as u32;
            let end = [
                first[0] + without(LineKind::Added),
                first[1] + without(LineKind::Removed),
            ];
            self.open(file, first, number..number + 1);
            if let Some(window) = self.windows.list.last_mut() {
                window.part = (!is_whole).then_some(part);
            }
            if may_move {
                self.lines(lines);
            }
            self.close(end, !may_move)?;
            first = end;
        }
        Ok(())
    }

    /// Whether a hunk in which nothing can have moved may go with those before it: a patch
    /// may have a million of them.
    fn joins(&self, file: usize, hunk: usize) -> bool {
        let last = self.windows.list.last();
        last.is_some_and(|window| {
            window.inert && window.file == file && window.part.is_none() && window.hunks.end == hunk
        })
    }

    /// A file that the patch does not touch, as a source of copies.
    fn other(&mut self, number: usize, text: &'p [u8]) -> Result<(), Error> {
        let lines = Lines::new(text)?;
        self.open(number, [0, 0], 0..0);
        let len = lines.len() as u32;
        self.around(Some(&lines), 0..len);
        self.close([len, len], false)
    }

    fn open(&mut self, file: usize, first: [u32; 2], hunks: Range<usize>) {
        let at = [0, 1].map(|side| self.windows.lines[side].len() as u32);
        let given = self.windows.given.len();
        self.windows.list.push(Window {
            file,
            elements: at.map(|at| at..at),
            first,
            end: first,
            inert: false,
            hunks,
            part: None,
            given: given..given,
        });
    }

    fn close(&mut self, end: [u32; 2], inert: bool) -> Result<(), Error> {
        let ends = [0, 1].map(|side| self.windows.lines[side].len());
        if let Some(too_many) = ends.iter().find(|e| **e >= u32::MAX as usize / 2) {
            return Err(Error::TooLarge { bytes: *too_many });
        }
        let given = self.windows.given.len();
        if let Some(window) = self.windows.list.last_mut() {
            for (elements, end) in window.elements.iter_mut().zip(ends) {
                elements.end = end as u32;
            }
            window.given.end = given;
            window.end = end;
            window.inert = inert;
            if !inert {
                let segment = (window.file, window.elements.clone());
                self.windows.segments.push(segment);
            }
        }
        Ok(())
    }

    /// Adds lines of the old file that are in no hunk.
    fn around(&mut self, old: Option<&Lines<'p>>, range: Range<u32>) {
        let Some(old) = old else { return };
        for index in range {
            self.context(old.get(index as usize));
        }
    }

    fn lines(&mut self, lines: &[HunkLine<'p>]) {
        for line in lines {
            match line.kind {
                LineKind::Context => self.context(line.text),
                LineKind::Removed => self.push(0, line.text),
                LineKind::Added => self.push(1, line.text),
            }
        }
    }

    fn context(&mut self, text: &'p [u8]) {
        let [old, new] = [0, 1].map(|side| self.windows.lines[side].len() as u32);
        self.push(0, text);
        self.windows.lines[1].push(text);
        let token = self.windows.tokens[0][old as usize];
        self.windows.tokens[1].push(token);
        let first = self.windows.list.last().map_or(0, |w| w.given.start);
        match self.windows.given[first..].last_mut() {
            Some((o, n, len)) if *o + *len == old && *n + *len == new => *len += 1,
            _ => self.windows.given.push((old, new, 1)),
        }
    }

    fn push(&mut self, side: usize, text: &'p [u8]) {
        let known = &self.known;
        let token = self
            .interner
            .intern(xxh3_64(text), |seen| known[seen.0 as usize] == text);
        if token.0 as usize == self.known.len() {
            self.known.push(text);
        }
        self.windows.lines[side].push(text);
        self.windows.tokens[side].push(token);
    }
}

/// Both contents as lines, if they match the patch.
fn fitting<'p>(
    file: &FilePatch<'p>,
    known: FileContents<'p>,
    places: &[[Range<u32>; 2]],
) -> Result<Option<[Lines<'p>; 2]>, Error> {
    let side = |path: bool, text: Option<&'p [u8]>| match (path, text) {
        (_, Some(text)) => Some(text),
        // A side that does not exist is known to be empty.
        (false, None) => Some(&[][..]),
        (true, None) => None,
    };
    let (Some(old), Some(new)) = (
        side(file.old_path.is_some(), known.old),
        side(file.new_path.is_some(), known.new),
    ) else {
        return Ok(None);
    };
    if known.old.is_none() && known.new.is_none() {
        return Ok(None);
    }
    let (old, new) = (Lines::new(old)?, Lines::new(new)?);
    let mut at = [0, 0];
    let equal = |a: Range<usize>, b: Range<usize>| {
        a.end <= old.len() && b.end <= new.len() && old.range(a) == new.range(b)
    };
    for (hunk, place) in file.hunks().iter().zip(places) {
        let starts = [place[0].start as usize, place[1].start as usize];
        if !equal(at[0]..starts[0], at[1]..starts[1]) {
            return Ok(None);
        }
        at = starts;
        for line in &hunk.lines {
            let sides = match line.kind {
                LineKind::Context => [true, true],
                LineKind::Removed => [true, false],
                LineKind::Added => [false, true],
            };
            for (side, lines) in [&old, &new].into_iter().enumerate() {
                if sides[side] {
                    if at[side] >= lines.len() || lines.get(at[side]) != line.text {
                        return Ok(None);
                    }
                    at[side] += 1;
                }
            }
        }
    }
    Ok(equal(at[0]..old.len(), at[1]..new.len()).then_some([old, new]))
}
