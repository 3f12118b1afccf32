//! An edit as a three-way merge by line: the block's two sides tell what is to
//! change, the place in the text keeps everything else as it is.

use crate::fold;
use crate::indent::{self, Anchor, Style};
use crate::place::{Pair, Place};
use crate::problem::{LineProblem, SAME_LINE};
use crate::text::Lines;
use mvdiff_core::{Options, Relation, Script};
use std::ops::Range;

/// Bytes of the text to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Splice {
    pub bytes: Range<usize>,
    pub with: Vec<u8>,
    /// Whether whole lines are replaced or put in.
    pub lines: bool,
    /// Of something put in: whether it goes with the line before it.
    pub after: bool,
}

/// Lines of the text that the block does not know and that its edit would take
/// away, or lines that it edits and the text lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub lines: Range<usize>,
}

/// Which lines of a block stay, and which became which.
struct Change {
    /// For each line to look for the new line that it is, unchanged.
    kept: Vec<Option<usize>>,
    /// For each new line the line that it was, if it is an edit of one.
    was: Vec<Option<usize>>,
}

impl Change {
    fn new(search: &[Vec<u8>], replace: &[Vec<u8>]) -> Self {
        let mut change = Self {
            kept: vec![None; search.len()],
            was: vec![None; replace.len()],
        };
        let problem = LineProblem::of_bytes(search, replace);
        let options = Options {
            moves: false,
            edit_likeness: SAME_LINE,
            ..Options::default()
        };
        let script = mvdiff_core::diff(&problem, &options).map(|diff| diff.script);
        for run in script.iter().flat_map(Script::runs) {
            for i in 0..run.len as usize {
                let (old, new) = (run.old as usize + i, run.new as usize + i);
                match run.relation {
                    Relation::Same { .. } => change.kept[old] = Some(new),
                    Relation::Edited { .. } => change.was[new] = Some(old),
                }
            }
        }
        change.pair_equals(search, replace);
        change
    }

    /// Where as many lines went as came, they correspond one by one.
    fn pair_equals(&mut self, search: &[Vec<u8>], replace: &[Vec<u8>]) {
        let (mut old, mut new) = (0, 0);
        let kept: Vec<_> = self.kept.iter().enumerate().collect();
        let anchors = kept.iter().filter_map(|(old, new)| Some((*old, (**new)?)));
        let anchors: Vec<_> = anchors.chain([(search.len(), replace.len())]).collect();
        for (to_old, to_new) in anchors {
            if to_old - old == to_new - new {
                for (old, new) in (old..to_old).zip(new..to_new) {
                    self.was[new].get_or_insert(old);
                }
            }
            (old, new) = (to_old + 1, to_new + 1);
        }
    }
}

/// What has to be replaced at a place. `literal` lines are not brought into the
/// text's style where the place does not show another indentation.
pub(crate) fn merge(
    (search, replace): (&[Vec<u8>], &[Vec<u8>]),
    place: &Place,
    lines: &Lines<'_>,
    literal: bool,
) -> Result<Vec<Splice>, Conflict> {
    let change = Change::new(search, replace);
    let mut writer = Writer::new(search, replace, &change, place, lines);
    if literal {
        writer.style = Style::default();
    }
    let mut splices = Vec::new();
    let mut open = Open::default();
    for pair in &place.pairs {
        match stays(pair, &change) {
            Some(new) => {
                splices.extend(writer.close(&open, new.start, Some(pair))?);
                open = Open::after(pair, new.end);
            }
            None => open.pairs.push(pair),
        }
    }
    splices.extend(writer.close(&open, replace.len(), None)?);
    Ok(splices)
}

/// The new lines that a pair's lines are, if all of them stay.
fn stays(pair: &Pair, change: &Change) -> Option<Range<usize>> {
    let first = change.kept[pair.search.clone()].first().copied()??;
    let mut kept = change.kept[pair.search.clone()].iter().zip(first..);
    let all = kept.all(|(new, due)| *new == Some(due));
    all.then(|| first..first + pair.search.len())
}

/// What lies between two pairs that stay.
#[derive(Default)]
struct Open<'p> {
    /// Where the text of the pair before ends, if there is one.
    before: Option<usize>,
    /// The first new line that belongs here.
    new: usize,
    pairs: Vec<&'p Pair>,
}

impl Open<'_> {
    fn after(pair: &Pair, new: usize) -> Self {
        Self {
            before: Some(pair.text.end),
            new,
            pairs: Vec::new(),
        }
    }
}

/// Writes new lines as the text would have them.
struct Writer<'w> {
    search: &'w [Vec<u8>],
    replace: &'w [Vec<u8>],
    change: &'w Change,
    lines: &'w Lines<'w>,
    /// For each line to look for the line of the text that it stands for.
    stands: Vec<Option<usize>>,
    style: Style,
    start: usize,
}

impl<'w> Writer<'w> {
    fn new(
        search: &'w [Vec<u8>],
        replace: &'w [Vec<u8>],
        change: &'w Change,
        place: &Place,
        lines: &'w Lines<'w>,
    ) -> Self {
        let mut stands = vec![None; search.len()];
        for pair in &place.pairs {
            if pair.search.len() == pair.text.len() {
                for (own, line) in pair.search.clone().zip(pair.text.clone()) {
                    stands[own] = Some(line);
                }
            } else if let (Some(own), false) = (pair.search.clone().next(), pair.text.is_empty()) {
                stands[own] = Some(pair.text.start);
            }
        }
        let block = search.iter().chain(replace).map(Vec::as_slice);
        Self {
            style: Style::new(lines, place.lines.start, block),
            start: place.lines.start,
            search,
            replace,
            change,
            lines,
            stands,
        }
    }

    /// The splice between two pairs that stay, if something changes there.
    fn close(
        &self,
        open: &Open<'_>,
        new_end: usize,
        next: Option<&Pair>,
    ) -> Result<Option<Splice>, Conflict> {
        let new = open.new..new_end;
        let own = |pair: &&&Pair| !pair.search.is_empty();
        let changed: Vec<&Pair> = open.pairs.iter().filter(own).copied().collect();
        let (Some(first), Some(last)) = (changed.first(), changed.last()) else {
            if new.is_empty() {
                return Ok(None);
            }
            let after = open.before.is_some();
            let at = open.before.or(next.map(|pair| pair.text.start));
            let at = at.unwrap_or(self.start);
            return Ok(Some(self.splice(at..at, new, after)));
        };
        let range = first.text.start..last.text.end.max(first.text.start);
        // Lines in the midst that the block does not know would be lost.
        for pair in &open.pairs {
            let inside = range.start <= pair.text.start && pair.text.end <= range.end;
            let foreign = pair.search.is_empty() && inside;
            let told = |line| !fold::is_blank(self.lines.get(line));
            if foreign && pair.text.clone().any(told) {
                return Err(Conflict {
                    lines: pair.text.clone(),
                });
            }
        }
        if range.is_empty() {
            // Nothing of it is there: then there is nothing to take away, and
            // what should come in its stead has lost its place.
            let blank = |pair: &&Pair| {
                let mut own = self.search[pair.search.clone()].iter();
                own.all(|line| fold::is_blank(line))
            };
            if new.is_empty() {
                return Ok(None);
            }
            if !changed.iter().all(blank) {
                return Err(Conflict { lines: range });
            }
        }
        Ok(Some(self.splice(range, new, open.before.is_some())))
    }

    fn splice(&self, range: Range<usize>, new: Range<usize>, after: bool) -> Splice {
        let bytes = self.lines.start(range.start)..self.lines.start(range.end);
        let near = self.anchors(&range);
        let mut with = Vec::new();
        for index in new {
            let was = self.change.was[index];
            let own = was.and_then(|old| Some((old, self.stands[old]?)));
            with.extend(self.line(index, own, &near));
            let at = own.map_or(range.start, |(_, line)| line);
            with.extend_from_slice(line_end(self.lines, at));
        }
        Splice {
            bytes,
            with,
            lines: true,
            after,
        }
    }

    /// A new line, indented as the text is; `own` is the line of the block that
    /// it was, and the line of the text that that stands for.
    fn line(&self, index: usize, own: Option<(usize, usize)>, near: &[Anchor<'_>]) -> Vec<u8> {
        let line = &self.replace[index];
        let indent = indent::of(line);
        if indent.len() == line.len() {
            // Blank lines are indented only where the block is taken as it is.
            let same = near.iter().all(|anchor| anchor.block == anchor.text);
            return if same { line.clone() } else { Vec::new() };
        }
        let own = own.map(|pair| self.anchor(pair));
        let mut written = indent::carry(indent, own, near, self.style);
        written.extend_from_slice(&line[indent.len()..]);
        written
    }

    fn anchor(&self, (own, line): (usize, usize)) -> Anchor<'w> {
        Anchor {
            block: indent::of(&self.search[own]),
            text: indent::of(self.lines.get(line)),
        }
    }

    /// Lines of block and text that stand for each other, those near the splice
    /// first.
    fn anchors(&self, range: &Range<usize>) -> Vec<Anchor<'w>> {
        let pairs = self.stands.iter().enumerate();
        let pairs = pairs.filter_map(|(own, line)| Some((own, (*line)?)));
        let telling = |(own, _): &(usize, usize)| !fold::is_blank(&self.search[*own]);
        let mut pairs: Vec<(usize, usize)> = pairs.filter(telling).collect();
        pairs.sort_by_key(|(own, line)| (line.abs_diff(range.start), *own));
        pairs.into_iter().map(|pair| self.anchor(pair)).collect()
    }
}

/// The end that a line put at this place gets: that of the line there, of the
/// one before it, or of any.
pub(crate) fn line_end<'t>(lines: &Lines<'t>, at: usize) -> &'t [u8] {
    let there = [Some(at), at.checked_sub(1), Some(0)];
    let ends = there.into_iter().flatten().filter(|at| *at < lines.len());
    let mut ends = ends.map(|at| lines.end(at)).filter(|end| !end.is_empty());
    ends.next().unwrap_or(b"\n")
}
