//! An edit as a three-way merge by line: the block's two sides tell what is to
//! change, the place in the text keeps everything else as it is.

use crate::change::Change;
use crate::fold;
use crate::indent::{self, Anchor, Style};
use crate::match_site::{Pair, Place, Tier};
use crate::text::Lines;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

/// Bytes of the text to be replaced.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// What has to be replaced at a place. `literal` lines are not brought into the
/// text's style where the place does not show another indentation; `kept` says which
/// lines stay, if that is known.
pub(crate) fn merge(
    (search, replace): (&[Vec<u8>], &[Vec<u8>]),
    place: &Place,
    lines: &Lines<'_>,
    literal: bool,
    kept: &[(usize, usize)],
) -> Result<Vec<Splice>, Conflict> {
    let change = match kept {
        [] => Change::new(search, replace),
        kept => Change::with_kept(search, replace, kept),
    };
    let mut writer = Writer::new(search, replace, &change, place, lines);
    if literal {
        writer.style = OnceCell::from(Style::default());
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
    /// Typographic characters of the block that are plain ones in the text.
    plain: Vec<(char, char)>,
    /// Known once a line asks for it: looking around costs.
    style: OnceCell<Style>,
    start: usize,
    frame: Frame<'w>,
}

/// What the indentation of new lines is measured from.
#[derive(Clone, Copy)]
enum Frame<'w> {
    /// From the old lines around them.
    Block,
    /// From the text: the old lines were written without their indentation, the new
    /// ones with it.
    Text,
    /// From the first of them, which lacks this: of the old lines only the first does.
    First(&'w [u8]),
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
        // A line that stands for others is indented as it likes.
        for pair in place.pairs.iter().filter(|pair| pair.similarity > 0.0) {
            if pair.search.len() == pair.text.len() {
                for (own, line) in pair.search.clone().zip(pair.text.clone()) {
                    stands[own] = Some(line);
                }
            } else if let (Some(own), false) = (pair.search.clone().next(), pair.text.is_empty()) {
                stands[own] = Some(pair.text.start);
            }
        }
        let mut writer = Self {
            plain: Vec::new(),
            style: OnceCell::new(),
            start: place.lines.start,
            frame: Frame::Block,
            search,
            replace,
            change,
            lines,
            stands,
        };
        writer.frame = writer.frame();
        if place.tier == Tier::Typographic {
            writer.plain = writer.plain_characters();
        }
        writer
    }

    /// What the new lines are measured from, by those that are edits of old ones: all of
    /// them must say the same.
    fn frame(&self) -> Frame<'w> {
        let said = |lines: &[Vec<u8>]| -> Vec<usize> {
            let told = |at: &usize| !fold::is_blank(&lines[*at]);
            (0..lines.len()).filter(told).collect()
        };
        let (old, new) = (said(self.search), said(self.replace));
        let (Some(first_old), Some(first_new)) = (old.first(), new.first()) else {
            return Frame::Block;
        };
        let anchor_of = |at: usize| Some(self.anchor((at, self.stands[at]?)));
        // A line that stays says that the block is indented as it is.
        let kept = |at: &usize| self.change.kept[*at].is_some();
        let edits = || {
            let was = |at: &usize| Some((*at, self.change.was[*at]?));
            let edits = new.iter().filter_map(was);
            edits.filter_map(|(at, old)| Some((at, anchor_of(old)?)))
        };
        let indent = |at: usize| indent::of(&self.replace[at]);
        let trimmed = |lines: &'w [Vec<u8>], at: &usize| fold::trim(&lines[*at]);
        let same = || {
            let old = old.iter().map(|at| trimmed(self.search, at));
            old.eq(new.iter().map(|at| trimmed(self.replace, at)))
        };
        let as_text = |(at, anchor): (usize, Anchor<'_>)| {
            indent(at) == anchor.text && anchor.text != anchor.block
        };
        // A line further out is measured from the block.
        let least = old.iter().filter_map(|at| anchor_of(*at));
        let least = least
            .map(|anchor| anchor.text)
            .min_by_key(|text| text.len());
        let inside = |least: &[u8]| new.iter().all(|at| indent(*at).starts_with(least));
        let all = || edits().next().is_some() && edits().all(as_text);
        if !old.iter().any(kept) && all() && least.is_some_and(inside) && !same() {
            return Frame::Text;
        }
        let Some(first) = anchor_of(*first_old) else {
            return Frame::Block;
        };
        let bare =
            first.block.is_empty() && !first.text.is_empty() && indent(*first_new).is_empty();
        let others = || edits().filter(|(at, _)| at != first_new);
        let from_first = |(at, anchor): (usize, Anchor<'_>)| {
            anchor.block == anchor.text && anchor.block.strip_prefix(first.text) == Some(indent(at))
        };
        let whole = !old[1..].iter().any(kept) && others().next().is_some();
        if bare && whole && others().all(from_first) {
            return Frame::First(first.text);
        }
        Frame::Block
    }

    /// Which characters of the block are other ones wherever the text has its lines:
    /// its author has them in new lines, too.
    fn plain_characters(&self) -> Vec<(char, char)> {
        let (mut plain, mut kept) = (Vec::new(), Vec::new());
        for (own, line) in self.stands.iter().enumerate() {
            let Some(line) = line else { continue };
            let own = String::from_utf8_lossy(&self.search[own]);
            let there = String::from_utf8_lossy(self.lines.get(*line));
            let told =
                |text: &str| -> Vec<char> { text.chars().filter(|c| !c.is_whitespace()).collect() };
            let (own, there) = (told(&own), told(&there));
            for pair in own.iter().copied().zip(there.iter().copied()) {
                match pair {
                    _ if own.len() != there.len() => {}
                    (a, b) if a == b => kept.push(a),
                    (a, b) if !a.is_ascii() && b.is_ascii() => plain.push((a, b)),
                    _ => {}
                }
            }
        }
        plain.sort_unstable();
        plain.dedup();
        let sure = |(a, b): &(char, char)| {
            let other = |(c, d): &(char, char)| c == a && d != b;
            !kept.contains(a) && !plain.iter().any(other)
        };
        plain.iter().filter(|pair| sure(pair)).copied().collect()
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
            let at = match (open.before, next.map(|pair| pair.text.start)) {
                // Lines that the block does not know go with the line before if
                // they are deeper.
                (Some(before), Some(behind)) if self.are_deeper(before, behind) => behind,
                (before, behind) => before.or(behind).unwrap_or(self.start),
            };
            return Ok(Some(self.splice(at..at, new, open.before == Some(at))));
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

    /// Whether all lines between two that the block knows are deeper than the
    /// first.
    fn are_deeper(&self, before: usize, behind: usize) -> bool {
        let Some(above) = before.checked_sub(1) else {
            return false;
        };
        let depth = |line: usize| indent::of(self.lines.get(line)).len();
        let mut unknown = (before..behind).filter(|line| !fold::is_blank(self.lines.get(*line)));
        let Some(first) = unknown.next() else {
            return false;
        };
        depth(first) > depth(above) && unknown.all(|line| depth(line) > depth(above))
    }

    fn splice(&self, range: Range<usize>, new: Range<usize>, after: bool) -> Splice {
        let bytes = self.lines.start(range.start)..self.lines.start(range.end);
        let near = self.anchors(&range);
        let mut with = Vec::new();
        // New lines above, as the block has them indented and as they are written.
        let mut above: Vec<(&[u8], Vec<u8>)> = Vec::new();
        for index in new {
            let was = self.change.was[index];
            let own = was.and_then(|old| Some((old, self.stands[old]?)));
            let indent = indent::of(&self.replace[index]);
            above.retain(|(block, _)| block.len() < indent.len() && indent.starts_with(block));
            let line = match above.last() {
                // What is inside of something new is so much deeper than that.
                Some((block, text)) if own.is_none() => {
                    let parent = Anchor { block, text };
                    self.line(index, None, &[parent])
                }
                _ => self.line(index, own, &near),
            };
            if indent.len() < self.replace[index].len() {
                above.push((indent, indent::of(&line).to_vec()));
            }
            with.extend(line);
            let end = match own.map(|(_, line)| self.lines.end(line)) {
                Some(end) if !end.is_empty() => end,
                _ => line_end(self.lines, own.map_or(range.start, |(_, line)| line)),
            };
            with.extend_from_slice(end);
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
        let own = own.map(|pair| self.anchor(pair));
        let style = || *self.style.get_or_init(|| self.survey());
        // White space on a blank line belongs to no level; only tabs are turned.
        if indent.len() == line.len() && !style().turns(indent) {
            return line.clone();
        }
        let mut written = match self.frame {
            Frame::Block => indent::carry(indent, own, near, style),
            Frame::Text => indent.to_vec(),
            Frame::First(more) => [more, indent].concat(),
        };
        let told = &line[indent.len()..];
        match std::str::from_utf8(told)
            .ok()
            .filter(|_| !self.plain.is_empty())
        {
            None => written.extend_from_slice(told),
            Some(told) => {
                let plain = |c: char| self.plain.iter().find(|(a, _)| *a == c).map_or(c, |p| p.1);
                written.extend(told.chars().map(plain).collect::<String>().into_bytes());
            }
        }
        written
    }

    fn survey(&self) -> Style {
        let block = self.search.iter().chain(self.replace).map(Vec::as_slice);
        let old: HashSet<&[u8]> = self.search.iter().map(Vec::as_slice).collect();
        let new = self.replace.iter().map(Vec::as_slice);
        Style::new(
            self.lines,
            self.start,
            block,
            new.filter(|line| !old.contains(line)),
            self.anchors(&(0..0)).into_iter(),
        )
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
        let informative = |(own, _): &(usize, usize)| !fold::is_blank(&self.search[*own]);
        let mut pairs: Vec<(usize, usize)> = pairs.filter(informative).collect();
        self.drop_stripped(&mut pairs);
        pairs.sort_by_key(|(own, line)| (line.abs_diff(range.start), *own));
        pairs.into_iter().map(|pair| self.anchor(pair)).collect()
    }

    /// White space at the start of a whole text is easily lost, and says nothing
    /// about its other lines, if these agree with each other.
    fn drop_stripped(&self, pairs: &mut Vec<(usize, usize)>) {
        let shift = |pair: &(usize, usize)| {
            let anchor = self.anchor(*pair);
            anchor.text.len() as i64 - anchor.block.len() as i64
        };
        let Some((first, others)) = pairs.split_first() else {
            return;
        };
        let stripped = indent::of(&self.search[first.0]).is_empty();
        let mut shifts = others.iter().map(shift);
        if let Some(common) = shifts.next()
            && stripped
            && shifts.all(|shift| shift == common)
            && shift(first) != common
        {
            pairs.remove(0);
        }
    }
}

/// The end that a line put at this place gets: that of the line there, of the
/// one before it, or of any. A lone `\r` is not taken over: it may as well be inside
/// of a line.
pub(crate) fn line_end<'t>(lines: &Lines<'t>, at: usize) -> &'t [u8] {
    let near = [Some(at), at.checked_sub(1), Some(0)].into_iter().flatten();
    let mut ends = near
        .chain(0..lines.len())
        .filter(|at| *at < lines.len())
        .map(|at| lines.end(at));
    ends.find(|end| end.ends_with(b"\n")).unwrap_or(b"\n")
}
