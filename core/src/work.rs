//! The state of a diff in progress.

use crate::align::{Block, NONE};
use crate::edits::Edited;
use crate::options::MOST_GAP;
use crate::positions::{PositionMap, PositionSet};
use crate::problem::check_len;
use crate::{Error, Interner, Occurrences, Options, Outcome, Problem, Side, Token};
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

/// Role of a kept element in [`Work::role`]; other values are draft numbers.
pub(crate) const KEPT: u32 = u32::MAX;

/// How much less informative an element is for every other one equal to it. The
/// total number of elements plays no part, so that common text around a change
/// does not affect how the change is reported.
const COMMON: f32 = 0.3;

pub(crate) const OLD: usize = 0;
pub(crate) const NEW: usize = 1;
pub(crate) const SIDES: [Side; 2] = [Side::Old, Side::New];

/// Everything known so far about every element.
pub(crate) struct Work<'p, P: ?Sized> {
    pub problem: &'p P,
    pub options: &'p Options,
    pub tokens: [&'p [Token]; 2],
    /// One more than the highest token.
    pub distinct: usize,
    pub segments: [Vec<Range<u32>>; 2],
    /// For each old segment, its new partner, or [`NONE`].
    pub partner: Vec<u32>,
    /// For each element, its counterpart, or [`NONE`].
    pub counterpart: [Vec<u32>; 2],
    /// For each paired old element, [`KEPT`] or the number of its draft.
    pub role: Vec<u32>,
    /// Unpaired elements inside a move: deleted from it or inserted into it.
    pub held: [Vec<bool>; 2],
    /// The gaps of the alignment: stretches of both sides between kept pairs, in
    /// old order of partners, then segments without a partner.
    pub open: Vec<[Range<u32>; 2]>,
    /// Pairs kept since `open` was computed.
    pub added: Vec<(u32, u32)>,
    /// The elements that were paired as edited in place, in old order.
    pub edited: Vec<Edited>,
    /// Old and new files between which much moved.
    pub related: PositionSet<(u32, u32)>,
    coarse: Coarse,
    features: RefCell<Features>,
    /// Similarities of pairs that were measured for moves.
    alike: RefCell<PositionMap<(u32, u32), f32>>,
    /// For each token, its weight, computed on first use.
    weights: OnceCell<Vec<Cell<f32>>>,
    /// For each token, its number of occurrences on each side.
    often: [Vec<u32>; 2],
    pub outcome: Outcome,
}

/// Tokens at the coarsest level, computed once per exact token.
#[derive(Default)]
struct Coarse {
    interner: Option<Interner>,
    /// The element that each coarse token was created for.
    first: Vec<(usize, u32)>,
    /// For each exact token, its coarse one + 1, or 0.
    of: Vec<u32>,
}

/// The features of elements, computed once.
#[derive(Default)]
struct Features {
    /// For each element, where its features are in `parts`, or 0.
    at: [Vec<u32>; 2],
    /// For each element, the number of its features, and their high halves.
    parts: Vec<u32>,
}

/// Most features that are remembered.
const REMEMBERED: usize = 1 << 23;

impl<'p, P: Problem + ?Sized> Work<'p, P> {
    pub(crate) fn new(problem: &'p P, options: &'p Options) -> Result<Self, Error> {
        options.check()?;
        let tokens = SIDES.map(|side| problem.tokens(side));
        let segments = SIDES.map(|side| problem.segments(side));
        for s in [OLD, NEW] {
            check_len(SIDES[s], tokens[s].len())?;
            let mut at = 0;
            for segment in &segments[s] {
                if segment.start != at || segment.end < at {
                    return Err(Error::Inconsistent("segments must cover a side in order"));
                }
                at = segment.end;
            }
            if at as usize != tokens[s].len() {
                return Err(Error::Inconsistent("segments must cover a side in order"));
            }
        }
        let mut partner = vec![NONE; segments[OLD].len()];
        let mut taken = vec![false; segments[NEW].len()];
        for (old, new) in problem.partners() {
            let fits =
                partner.get(old as usize) == Some(&NONE) && taken.get(new as usize) == Some(&false);
            if !fits {
                return Err(Error::Inconsistent("a segment has one partner at most"));
            }
            partner[old as usize] = new;
            taken[new as usize] = true;
        }
        let highest = tokens.iter().flat_map(|tokens| tokens.iter()).max();
        let counterpart = [OLD, NEW].map(|s| vec![NONE; tokens[s].len()]);
        let role = vec![KEPT; tokens[OLD].len()];
        Ok(Self {
            problem,
            options,
            tokens,
            distinct: highest.map_or(0, |token| token.0 as usize + 1),
            segments,
            partner,
            counterpart,
            role,
            held: [OLD, NEW].map(|s| vec![false; tokens[s].len()]),
            open: Vec::new(),
            added: Vec::new(),
            edited: Vec::new(),
            related: PositionSet::default(),
            coarse: Coarse::default(),
            features: RefCell::default(),
            alike: RefCell::default(),
            weights: OnceCell::new(),
            often: [Vec::new(), Vec::new()],
            outcome: Outcome::default(),
        })
    }

    /// The index of the segment that contains an element.
    pub(crate) fn segment(&self, side: usize, index: u32) -> usize {
        match &self.segments[side][..] {
            [_] => 0,
            segments => segments.partition_point(|s| s.end <= index),
        }
    }

    /// Most unmatched elements in a row inside a move.
    pub(crate) fn gap(&self) -> u32 {
        self.options.gap.min(MOST_GAP)
    }

    /// Longest distance between two blocks of one move, on both sides.
    pub(crate) fn reach(&self) -> u32 {
        self.options.reach.max(self.options.gap).min(MOST_GAP)
    }

    pub(crate) fn weight(&self, side: usize, index: u32) -> f32 {
        let weights = self
            .weights
            .get_or_init(|| vec![Cell::new(f32::NAN); self.distinct]);
        let known = &weights[self.tokens[side][index as usize].0 as usize];
        if known.get().is_nan() {
            known.set(self.problem.weight(SIDES[side], index));
        }
        known.get()
    }

    pub(crate) fn exact(&self, old: u32, new: u32) -> bool {
        self.tokens[OLD][old as usize] == self.tokens[NEW][new as usize]
    }

    /// The finest level at which two elements are equal, if any.
    pub(crate) fn level(&self, old: u32, new: u32) -> Option<u8> {
        let (old_token, new_token) = (
            self.tokens[OLD][old as usize],
            self.tokens[NEW][new as usize],
        );
        if old_token == new_token {
            return Some(0);
        }
        let known = |token: Token| self.coarse.of.get(token.0 as usize).copied().unwrap_or(0);
        let coarse = (known(old_token), known(new_token));
        if coarse.0 != 0 && coarse.1 != 0 && coarse.0 != coarse.1 {
            return None; // not even equal at the coarsest level
        }
        (1..=self.problem.coarser_levels())
            .find(|&level| self.problem.same(level, (Side::Old, old), (Side::New, new)))
    }

    /// The share of an element that survives in its counterpart.
    pub(crate) fn similarity(&self, old: u32, new: u32) -> f32 {
        match self.level(old, new) {
            Some(level) => 1.0 - f32::from(level) * 0.01,
            None => self.edited_similarity(old, new).min(0.99),
        }
    }

    /// The same, measured anew: for pairs that are hardly asked for twice.
    pub(crate) fn fresh_similarity(&self, old: u32, new: u32) -> f32 {
        match self.level(old, new) {
            Some(level) => 1.0 - f32::from(level) * 0.01,
            None => self.problem.similarity(old, new).min(0.99),
        }
    }

    /// The similarity of unequal elements, measured once if they have any.
    pub(crate) fn edited_similarity(&self, old: u32, new: u32) -> f32 {
        if let Some(known) = self.alike.borrow().get(&(old, new)) {
            return *known;
        }
        let similarity = self.problem.similarity(old, new);
        if similarity > 0.0 {
            self.alike.borrow_mut().insert((old, new), similarity);
        }
        similarity
    }

    /// The share of an element that need not be read again in its counterpart:
    /// all of it at the first levels, and beyond them the unchanged part.
    pub(crate) fn survives(&self, old: u32, new: u32) -> f32 {
        match self.level(old, new) {
            Some(level @ ..2) => 1.0 - f32::from(level) * 0.01,
            _ => self.edited_similarity(old, new).min(0.98),
        }
    }

    pub(crate) fn is_unpaired(&self, side: usize, index: u32) -> bool {
        self.counterpart[side][index as usize] == NONE
    }

    /// Whether an element is neither paired nor inside a move.
    pub(crate) fn is_free(&self, side: usize, index: u32) -> bool {
        self.is_unpaired(side, index) && !self.held[side][index as usize]
    }

    /// Whether `index + 1` is the next element of the same segment.
    pub(crate) fn touches(&self, side: usize, index: u32) -> bool {
        let segment = &self.segments[side][self.segment(side, index)];
        index + 1 < segment.end
    }

    pub(crate) fn pair(&mut self, block: Block, role: u32) {
        for i in 0..block.len {
            let (old, new) = (block.old + i, block.new + i);
            self.counterpart[OLD][old as usize] = new;
            self.counterpart[NEW][new as usize] = old;
            self.role[old as usize] = role;
        }
    }

    pub(crate) fn unpair_old(&mut self, old: u32) {
        let new = std::mem::replace(&mut self.counterpart[OLD][old as usize], NONE);
        if new != NONE {
            self.counterpart[NEW][new as usize] = NONE;
        }
        self.role[old as usize] = KEPT;
    }

    /// Pushes the high halves of the element's features to `out`.
    pub(crate) fn features(&self, side: usize, index: u32, out: &mut Vec<u64>) {
        let Features { at, parts } = &mut *self.features.borrow_mut();
        if at[side].is_empty() {
            at[side] = vec![0; self.tokens[side].len()];
        }
        let at = &mut at[side][index as usize];
        if *at != 0 {
            let (start, count) = (*at as usize + 1, parts[*at as usize] as usize);
            let known = parts[start..start + count].iter();
            out.extend(known.map(|&half| u64::from(half) << 32));
            return;
        }
        let first = out.len();
        self.problem.features(SIDES[side], index, out);
        if parts.len() < REMEMBERED {
            // Nothing is at 0.
            parts.resize(parts.len().max(1), 0);
            *at = parts.len() as u32;
            parts.push((out.len() - first) as u32);
            parts.extend(out[first..].iter().map(|feature| (feature >> 32) as u32));
        }
    }

    /// The token of an element at the coarsest level.
    pub(crate) fn coarse(&mut self, side: usize, index: u32) -> Token {
        let exact = self.tokens[side][index as usize];
        let level = self.problem.coarser_levels();
        if level == 0 {
            return exact;
        }
        let Coarse {
            interner,
            first,
            of,
        } = &mut self.coarse;
        let at = exact.0 as usize;
        if of.len() <= at {
            *of = vec![0; self.distinct];
        }
        if of[at] == 0 {
            let problem = self.problem;
            // Growing costs more than memory that stays untouched.
            let interner = interner.get_or_insert_with(|| Interner::with_capacity(self.distinct));
            let key = problem.key(level, SIDES[side], index);
            let token = interner.intern(key, |seen| {
                let (s, i) = first[seen.0 as usize];
                problem.same(level, (SIDES[s], i), (SIDES[side], index))
            });
            if token.0 as usize == first.len() {
                first.push((side, index));
            }
            of[at] = token.0 + 1;
        }
        Token(of[at] - 1)
    }

    /// One more than the highest coarse token so far.
    pub(crate) fn count_coarse(&self) -> usize {
        match self.problem.coarser_levels() {
            0 => self.distinct,
            _ => self.coarse.first.len(),
        }
    }

    /// Counts how often every element occurs, for [`info`](Self::info).
    pub(crate) fn count_occurrences(&mut self) {
        let mut counts = [vec![0u32; self.distinct], vec![0u32; self.distinct]];
        for side in [OLD, NEW] {
            for token in self.tokens[side] {
                counts[side][token.0 as usize] += 1;
            }
        }
        self.often = counts;
    }

    /// Number of occurrences of an element on a side, if counted.
    fn often(&self, on: usize, (side, index): (usize, u32)) -> u32 {
        let token = self.tokens[side][index as usize].0 as usize;
        self.often[on].get(token).copied().unwrap_or(1)
    }

    /// How often an element occurs where it may have come from. Within a file, that
    /// is the file, and the side where it occurs more often counts. Between files,
    /// that is all files; the side where it occurs less often counts, so that equal
    /// elements that became one, or one that became several, are not common for
    /// that.
    fn recurs(&self, side: usize, index: u32, is_away: bool) -> u32 {
        match self.problem.occurrences(SIDES[side], index) {
            Some(Occurrences { anywhere, .. }) if is_away => anywhere[OLD].min(anywhere[NEW]),
            Some(Occurrences { in_file, .. }) => in_file[OLD].max(in_file[NEW]),
            None => {
                let [old, new] = [OLD, NEW].map(|on| self.often(on, (side, index)));
                old.max(new)
            }
        }
    }

    /// The information of an element: its weight, reduced the more often it
    /// occurs.
    pub(crate) fn info(&self, side: usize, index: u32, is_away: bool) -> f32 {
        let often = self.recurs(side, index, is_away);
        self.weight(side, index) / (1.0 + COMMON * often.saturating_sub(1) as f32)
    }

    /// Whether two elements occur once on one side and at most twice on the
    /// other, as when two equal fields become one.
    pub(crate) fn is_rare(&self, old: u32, new: u32) -> bool {
        let most = |on: usize| {
            let old = self.often(on, (OLD, old));
            old.max(self.often(on, (NEW, new)))
        };
        let (olds, news) = (most(OLD), most(NEW));
        olds.min(news) <= 1 && olds.max(news) <= 2
    }

    /// Whether two elements belong to versions of one file or sheet.
    pub(crate) fn is_same_file(&self, old: u32, new: u32) -> bool {
        let (s, t) = (self.segment(OLD, old), self.segment(NEW, new));
        let file = |side: usize, segment: usize| self.problem.file(SIDES[side], segment as u32);
        self.partner[s] == t as u32 || file(OLD, s) == file(NEW, t)
    }

    /// The files of an old and a new element.
    pub(crate) fn files(&self, old: u32, new: u32) -> (u32, u32) {
        let file = |side: usize, index: u32| {
            let segment = self.segment(side, index) as u32;
            self.problem.file(SIDES[side], segment)
        };
        (file(OLD, old), file(NEW, new))
    }

    /// Whether much moved between the files of two elements.
    pub(crate) fn is_related(&self, old: u32, new: u32) -> bool {
        !self.related.is_empty() && self.related.contains(&self.files(old, new))
    }

    /// Whether all elements of a range are free and adjacent to each other and to
    /// the one before.
    pub(crate) fn is_open(&self, side: usize, start: u32, end: u32) -> bool {
        (start..=end).all(|i| i == 0 || self.touches(side, i - 1))
            && (start..end).all(|i| self.is_free(side, i))
    }

    /// Computes the gaps between kept pairs.
    pub(crate) fn open_gaps(&mut self) {
        let mut open = Vec::new();
        let mut partnered = vec![false; self.segments[NEW].len()];
        for (s, segment) in self.segments[OLD].iter().enumerate() {
            let Some(partner) = self.segments[NEW].get(self.partner[s] as usize) else {
                open.push([segment.clone(), 0..0]);
                continue;
            };
            partnered[self.partner[s] as usize] = true;
            self.gaps_within(segment.clone(), partner.clone(), &mut open);
        }
        for (segment, _) in self.segments[NEW]
            .iter()
            .zip(partnered)
            .filter(|(_, partnered)| !partnered)
        {
            open.push([0..0, segment.clone()]);
        }
        self.open = open;
        self.added.clear();
    }

    /// Divides the gaps where pairs in them are kept now. Enough where no kept pair
    /// was released.
    pub(crate) fn divide_gaps(&mut self) {
        let mut open = Vec::with_capacity(self.open.len());
        for [old, new] in &self.open {
            self.gaps_within(old.clone(), new.clone(), &mut open);
        }
        self.open = open;
        self.added.clear();
    }

    /// Appends the gaps between kept pairs of two stretches.
    fn gaps_within(&self, old: Range<u32>, new: Range<u32>, open: &mut Vec<[Range<u32>; 2]>) {
        // Kept pairs increase, so following the old side finds those of both.
        let (mut o, mut n) = (old.start, new.start);
        let pairs = self.counterpart[OLD][old.start as usize..old.end as usize].iter();
        let roles = &self.role[old.start as usize..old.end as usize];
        for (at, (&there, &role)) in (old.start..).zip(pairs.zip(roles)) {
            if there == NONE || role != KEPT {
                continue;
            }
            if o < at || n < there {
                open.push([o..at, n..there]);
            }
            (o, n) = (at + 1, there + 1);
        }
        if o < old.end || n < new.end {
            open.push([o..old.end, n..new.end]);
        }
    }

    /// Elements without a counterpart, with the number of their gap: an old and a
    /// new element share a gap if no kept pair separates them.
    pub(crate) fn leftovers(&self) -> [Vec<Leftover>; 2] {
        let mut unmatched = [Vec::new(), Vec::new()];
        let mut base = 0;
        for open in &self.open {
            let mut highest = base;
            for side in [OLD, NEW] {
                let mut gap = base;
                let range = open[side].start as usize..open[side].end as usize;
                let counterparts = self.counterpart[side][range.clone()].iter();
                let elements = counterparts.zip(&self.held[side][range]);
                for (index, (&counterpart, &is_held)) in (open[side].start..).zip(elements) {
                    if counterpart == NONE && !is_held {
                        unmatched[side].push(Leftover { index, gap });
                    } else if self.is_kept(side, index) {
                        gap += 1;
                    }
                }
                highest = highest.max(gap);
            }
            base = highest + 1;
        }
        // The order of partners may differ from the order of segments.
        for side in &mut unmatched {
            if !side.is_sorted_by_key(|l| l.index) {
                side.sort_unstable_by_key(|l| l.index);
            }
        }
        unmatched
    }

    /// Whether an element is paired and stayed.
    pub(crate) fn is_kept(&self, side: usize, index: u32) -> bool {
        let counterpart = self.counterpart[side][index as usize];
        counterpart != NONE
            && self.role[if side == OLD { index } else { counterpart } as usize] == KEPT
    }
}

/// An element without a counterpart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leftover {
    pub index: u32,
    /// The gap between kept pairs that contains it.
    pub gap: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slices;

    #[test]
    fn divided_gaps_are_those_between_all_kept_pairs() {
        let elements: Vec<u32> = (0..30).collect();
        let slices = Slices::new(&elements, &elements).expect("few elements");
        let options = Options::default();
        let mut work = Work::new(&slices, &options).expect("a plain problem");
        let block = |old, new, len| Block { old, new, len };
        work.pair(block(5, 8, 2), KEPT);
        work.open_gaps();
        work.pair(block(0, 2, 1), KEPT);
        work.pair(block(12, 12, 3), KEPT);
        work.pair(block(20, 25, 2), 0); // a move
        work.divide_gaps();
        let divided = std::mem::take(&mut work.open);
        work.open_gaps();
        assert_eq!(divided, work.open);
        assert_eq!(divided.len(), 4);
    }
}
