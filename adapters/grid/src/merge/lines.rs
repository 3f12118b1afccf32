//! Rows, columns or sheets of three versions in one order.

use crate::Error;
use crate::cell_map::{AxisMap, LineMove, Lines};
use std::collections::HashSet;

/// What one side did to the lines of the base.
#[derive(Debug, Default)]
pub(super) struct LineSide {
    /// Where each line of the base is now.
    pub to: Vec<Option<u32>>,
    /// Where each line of this side was.
    pub from: Vec<Option<u32>>,
    /// Blocks that went elsewhere.
    pub moves: Vec<LineMove>,
    /// Lines of the base in which this side wrote something.
    pub touched: HashSet<u32>,
}

impl LineSide {
    /// From a map, as far as the first so many lines of the base.
    pub fn new(map: &AxisMap, lines: &Lines, base: u32, touched: HashSet<u32>) -> Self {
        let end = map.get(base).unwrap_or(base);
        let to: Vec<Option<u32>> = (0..base).map(|line| map.get(line)).collect();
        let mut from = vec![None; end as usize];
        for (line, to) in (0..).zip(&to) {
            if let Some(place) = to.and_then(|to| from.get_mut(to as usize)) {
                *place = Some(line);
            }
        }
        Self {
            to,
            from,
            moves: lines.moves.clone(),
            touched,
        }
    }
}

/// How many lines of the base have to be looked at so that beyond them nothing is left
/// on either side but emptiness: `extents` are those of base, ours and theirs.
pub(super) fn reach(maps: [&AxisMap; 2], extents: [u32; 3]) -> u32 {
    let mut base = extents[0].max(maps[0].end()).max(maps[1].end());
    for (map, extent) in maps.into_iter().zip(&extents[1..]) {
        let end = map.get(base).unwrap_or(base);
        base += extent.saturating_sub(end);
    }
    base
}

/// A line of the result, and where it is in each version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub base: Option<u32>,
    pub ours: Option<u32>,
    pub theirs: Option<u32>,
    /// The move of theirs that brought it to its place.
    pub moved: Option<usize>,
}

/// The lines of the result.
#[derive(Debug, Default)]
pub(super) struct MergedLines {
    pub items: Vec<Item>,
    /// Where the lines of ours and theirs are in the result.
    pub of_ours: Vec<Option<u32>>,
    pub of_theirs: Vec<Option<u32>>,
    /// Lines of the base that ours removed and theirs wrote in; they are there.
    pub ours_removed: Vec<u32>,
    /// Lines of the base that theirs removed and ours wrote in; they are there.
    pub theirs_removed: Vec<u32>,
    /// Moves of theirs of which lines are elsewhere, since ours moved them, too.
    pub both_moved: Vec<usize>,
}

impl MergedLines {
    /// What happens to ours to become the result.
    pub fn steps(&self) -> (Vec<u32>, Vec<u32>, Vec<(LineMove, usize)>) {
        let removed = (0..).zip(&self.of_ours);
        let removed = removed.filter(|(_, to)| to.is_none()).map(|(line, _)| line);
        let added = (0..).zip(&self.items);
        let added = added.filter(|(_, item)| item.ours.is_none());
        let added = added.map(|(line, _)| line);
        let mut moves: Vec<(LineMove, usize)> = Vec::new();
        for (dst, item) in (0..).zip(&self.items) {
            let (Some(by), Some(src)) = (item.moved, item.ours) else {
                continue;
            };
            match moves.last_mut() {
                Some((step, same))
                    if *same == by && (step.src + step.len, step.dst + step.len) == (src, dst) =>
                {
                    step.len += 1;
                }
                _ => moves.push((LineMove { src, len: 1, dst }, by)),
            }
        }
        (removed.collect(), added.collect(), moves)
    }

    /// The map from a side to the result.
    pub fn map(&self, places: &[Option<u32>]) -> AxisMap {
        let pairs = (0..).zip(places);
        let pairs = pairs.filter_map(|(line, to)| Some((line, (*to)?)));
        AxisMap::new(places.len() as u32, self.items.len() as u32, pairs)
    }
}

/// No line.
const NONE: usize = usize::MAX;

/// The lines of the result while they are put in order: a chain from the first entry,
/// which is none of them.
struct Chain {
    items: Vec<Item>,
    next: Vec<usize>,
    prev: Vec<usize>,
}

impl Chain {
    fn push(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.next.push(NONE);
        self.prev.push(NONE);
        self.items.len() - 1
    }

    fn link(&mut self, node: usize, after: usize) {
        let next = self.next[after];
        self.next[after] = node;
        self.prev[node] = after;
        self.next[node] = next;
        if next != NONE {
            self.prev[next] = node;
        }
    }

    fn unlink(&mut self, node: usize) {
        let (prev, next) = (self.prev[node], self.next[node]);
        self.next[prev] = next;
        if next != NONE {
            self.prev[next] = prev;
        }
    }

    fn is_only_ours(&self, node: usize) -> bool {
        let item = self.items[node];
        item.ours.is_some() && item.base.is_none() && item.theirs.is_none()
    }

    /// The nearest line before or behind this one that theirs has, too.
    fn beside(&self, node: usize, along: &[usize]) -> Option<u32> {
        let mut at = along[node];
        while at != NONE && at != 0 {
            if let Some(theirs) = self.items[at].theirs {
                return Some(theirs);
            }
            at = along[at];
        }
        None
    }
}

/// Says which lines of two lists are one, as pairs of indices, in order.
pub(super) type Alike<'f> = dyn Fn(&[u32], &[u32]) -> Result<Vec<(usize, usize)>, Error> + 'f;

/// Puts the lines of three versions in one order: that of ours, with what theirs added,
/// removed and moved. `alike` says which of the lines that both added are one, as pairs of
/// indices into the two lists, in order.
///
/// # Errors
/// When `alike` fails.
pub(super) fn merge_lines(
    ours: &LineSide,
    theirs: &LineSide,
    alike: &Alike<'_>,
) -> Result<MergedLines, Error> {
    let mut found = MergedLines::default();
    let mut chain = Chain {
        items: vec![Item::default()],
        next: vec![NONE],
        prev: vec![NONE],
    };
    let mut of_base = vec![NONE; ours.to.len()];
    let mut dead = Vec::new();
    for (line, base) in (0..).zip(&ours.from) {
        let place = base.and_then(|base| theirs.to[base as usize]);
        let node = chain.push(Item {
            base: *base,
            ours: Some(line),
            theirs: place,
            moved: None,
        });
        chain.link(node, node - 1);
        let Some(base) = *base else { continue };
        of_base[base as usize] = node;
        if place.is_none() {
            if ours.touched.contains(&base) {
                found.theirs_removed.push(base);
            } else {
                dead.push(node);
            }
        }
    }
    for base in 0..ours.to.len() {
        let (None, Some(place)) = (ours.to[base], theirs.to[base]) else {
            continue;
        };
        if theirs.touched.contains(&(base as u32)) {
            let before = of_base[..base].iter().rev().find(|node| **node != NONE);
            let after = before.copied().unwrap_or(0);
            let node = chain.push(Item {
                base: Some(base as u32),
                ours: None,
                theirs: Some(place),
                moved: None,
            });
            chain.link(node, after);
            of_base[base] = node;
            found.ours_removed.push(base as u32);
        }
    }
    let pending = take_out(&mut chain, &of_base, ours, theirs, &mut found);
    put_in(&mut chain, &of_base, (theirs, &pending), alike)?;
    for node in dead {
        chain.unlink(node);
    }
    found.of_ours = vec![None; ours.from.len()];
    found.of_theirs = vec![None; theirs.from.len()];
    let mut at = chain.next[0];
    while at != NONE {
        let (item, place) = (chain.items[at], found.items.len() as u32);
        if let Some(line) = item.ours {
            found.of_ours[line as usize] = Some(place);
        }
        if let Some(line) = item.theirs {
            found.of_theirs[line as usize] = Some(place);
        }
        found.items.push(item);
        at = chain.next[at];
    }
    found.theirs_removed.sort_unstable();
    Ok(found)
}

/// Takes those lines out that theirs moved and ours did not; which they are, by their
/// places in theirs.
fn take_out(
    chain: &mut Chain,
    of_base: &[usize],
    ours: &LineSide,
    theirs: &LineSide,
    found: &mut MergedLines,
) -> HashSet<u32> {
    let moved: HashSet<u32> = ours
        .moves
        .iter()
        .flat_map(|step| step.src..step.src + step.len)
        .collect();
    let mut order: Vec<usize> = (0..theirs.moves.len()).collect();
    order.sort_by_key(|at| theirs.moves[*at].dst);
    let mut going = Vec::new();
    for by in order {
        let step = theirs.moves[by];
        for at in 0..step.len {
            let (base, place) = (step.src + at, step.dst + at);
            let node = of_base[base as usize];
            if node == NONE {
                continue;
            }
            if !moved.contains(&base) {
                going.push((node, place, by));
                continue;
            }
            let neighbour = |mut from: u32, step: i64| loop {
                from = u32::try_from(i64::from(from) + step).ok()?;
                let base = theirs.from.get(from as usize)?;
                if base.is_some_and(|base| of_base[base as usize] != NONE) {
                    return Some(from);
                }
            };
            let same = chain.beside(node, &chain.prev) == neighbour(place, -1)
                || chain.beside(node, &chain.next) == neighbour(place, 1);
            if !same && found.both_moved.last() != Some(&by) {
                found.both_moved.push(by);
            }
        }
    }
    let mut pending = HashSet::new();
    for (node, place, by) in going {
        chain.unlink(node);
        chain.items[node].moved = Some(by);
        pending.insert(place);
    }
    pending
}

/// Puts in what theirs moved and added, behind what is before it in theirs.
fn put_in(
    chain: &mut Chain,
    of_base: &[usize],
    (theirs, pending): (&LineSide, &HashSet<u32>),
    alike: &Alike<'_>,
) -> Result<(), Error> {
    let (mut anchor, mut at) = (0, 0);
    while at < theirs.from.len() {
        if let Some(base) = theirs.from[at] {
            let node = of_base[base as usize];
            if node != NONE {
                if pending.contains(&(at as u32)) {
                    chain.link(node, anchor);
                }
                anchor = node;
            }
            at += 1;
            continue;
        }
        let end = theirs.from[at..].iter().position(Option::is_some);
        let end = end.map_or(theirs.from.len(), |len| at + len);
        let mut gap = Vec::new();
        let mut node = chain.next[anchor];
        while node != NONE && chain.is_only_ours(node) {
            gap.push(node);
            node = chain.next[node];
        }
        let mine: Vec<u32> = gap
            .iter()
            .filter_map(|node| chain.items[*node].ours)
            .collect();
        let other: Vec<u32> = (at as u32..end as u32).collect();
        let pairs = if mine.is_empty() {
            Vec::new()
        } else {
            alike(&mine, &other)?
        };
        // What only ours added comes first.
        let mut pairs = pairs.into_iter().peekable();
        let mut passed = 0;
        for (index, line) in other.iter().enumerate() {
            let until = pairs.peek().map_or(gap.len(), |pair| pair.0);
            if until > passed {
                anchor = gap[until - 1];
                passed = until;
            }
            if let Some((own, _)) = pairs.next_if(|pair| pair.1 == index) {
                anchor = gap[own];
                passed = own + 1;
                chain.items[anchor].theirs = Some(*line);
                continue;
            }
            let node = chain.push(Item {
                theirs: Some(*line),
                ..Item::default()
            });
            chain.link(node, anchor);
            anchor = node;
        }
        at = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LineSide, merge_lines};
    use crate::cell_map::{AxisMap, LineMove, Lines};
    use std::collections::HashSet;

    fn side(base: u32, lines: &Lines, touched: &[u32]) -> LineSide {
        let touched: HashSet<u32> = touched.iter().copied().collect();
        LineSide::new(&AxisMap::read_back(lines), lines, base, touched)
    }

    /// The lines of the result: of the base, or from 100 of ours, from 200 of theirs.
    fn merged(ours: &LineSide, theirs: &LineSide) -> Vec<u32> {
        let found = merge_lines(ours, theirs, &|_, _| Ok(Vec::new())).unwrap();
        let name = |item: &super::Item| match (item.base, item.ours, item.theirs) {
            (Some(base), ..) => base,
            (_, Some(ours), _) => 100 + ours,
            (.., theirs) => 200 + theirs.unwrap(),
        };
        found.items.iter().map(name).collect()
    }

    #[test]
    fn both_sides_add_remove_and_move() {
        let step = |src, len, dst| LineMove { src, len, dst };
        let ours = Lines {
            added: vec![1],
            removed: vec![5],
            ..Lines::default()
        };
        let theirs = Lines {
            added: vec![6],
            moves: vec![step(0, 2, 4)],
            ..Lines::default()
        };
        let (ours, theirs) = (side(6, &ours, &[]), side(6, &theirs, &[]));
        assert_eq!(merged(&ours, &theirs), [101, 2, 3, 4, 0, 1, 206]);
        let nothing = side(6, &Lines::default(), &[]);
        assert_eq!(merged(&nothing, &theirs), [2, 3, 4, 5, 0, 1, 206]);
        assert_eq!(merged(&ours, &nothing), [0, 101, 1, 2, 3, 4]);
    }

    #[test]
    fn a_line_that_one_removed_and_the_other_wrote_in_is_there() {
        let gone = Lines {
            removed: vec![2],
            ..Lines::default()
        };
        let wrote = side(4, &Lines::default(), &[2]);
        let gone = side(4, &gone, &[]);
        for (ours, theirs) in [(&gone, &wrote), (&wrote, &gone)] {
            let found = merge_lines(ours, theirs, &|_, _| Ok(Vec::new())).unwrap();
            assert_eq!(merged(ours, theirs), [0, 1, 2, 3]);
            let kept = [found.ours_removed, found.theirs_removed].concat();
            assert_eq!(kept, [2]);
        }
    }
}
