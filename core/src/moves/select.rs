//! Selects candidates greedily by gain. Candidates that overlap a selected one
//! are priced again without the elements it took.

use super::candidates::Chain;
use super::price::{EXCHANGED, Price, Way};
use super::{MoveCandidate, MoveCandidates};
use crate::positions::{PositionMap, PositionSet};
use crate::work::{KEPT, Leftover, NEW, OLD, Work};
use crate::{Guard, Problem, Side, Strategy};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

/// Most elements at the start of a candidate that may belong to its neighbours.
const MOST_CONTESTED: u32 = 8;
/// A candidate is ambiguous if a rival has at least this share of its
/// information.
const AMBIGUOUS: f32 = 0.95;

/// Selects candidates, one-to-one. A candidate between the same kept neighbours
/// on both sides stayed; the others moved, if they are worth the cost of
/// reporting.
pub(super) fn select<P: Problem + ?Sized>(
    work: &mut Work<'_, P>,
    drafts: &mut MoveCandidates,
    (chains, left): (Vec<Chain>, &[Vec<Leftover>; 2]),
    kind: CandidateKind,
) {
    let gaps = Gaps { left };
    let mut queue = BinaryHeap::new();
    let mut offers: Vec<Offer> = Vec::with_capacity(chains.len());
    for (id, chain) in chains.into_iter().enumerate() {
        let gap = gaps.shared(&chain);
        let way = gap.map_or(Way::Moved, |_| Way::Stayed);
        let offer = kind.offer(work, chain, way, id as u32);
        if offer.price.is_worth_it() {
            queue.push(offer.clone());
        } else if way == Way::Moved {
            work.outcome
                .refuse(Guard::LittleEvidence, offer.chain.ends(), None);
        }
        offers.push(offer);
    }
    let cover = Cover::new(&offers);
    let mut selection = Selection {
        offers,
        cover,
        gaps,
        kept: BTreeMap::new(),
        locked: [OLD, NEW].map(|_| PositionSet::default()),
        kind,
    };
    while let Some(offer) = queue.pop() {
        selection.consider(work, drafts, offer, &mut queue);
    }
    if kind == CandidateKind::Equal && relate(work, drafts) {
        for offer in &selection.offers {
            let first = offer.chain.blocks[0];
            if offer.way == Way::Moved && work.is_related(first.old, first.new) {
                let pieces = offer.chain.free_pieces(work).into_iter();
                let offers = pieces.map(|piece| kind.offer(work, piece, Way::Moved, offer.id));
                queue.extend(offers.filter(|offer| offer.price.is_worth_it()));
            }
        }
        while let Some(offer) = queue.pop() {
            selection.consider(work, drafts, offer, &mut queue);
        }
    }
    if !selection.kept.is_empty() {
        work.open_gaps();
    }
}

/// Records the pairs of files between which much moved. Returns whether there are
/// any.
fn relate<P: Problem + ?Sized>(work: &mut Work<'_, P>, drafts: &MoveCandidates) -> bool {
    let mut exchanged: PositionMap<(u32, u32), f32> = PositionMap::default();
    for (_, draft) in drafts.standing() {
        let first = draft.blocks[0];
        if !work.is_same_file(first.old, first.new) {
            let price = Price::of(work, &draft.blocks, Way::Moved);
            *exchanged
                .entry(work.files(first.old, first.new))
                .or_default() += price.content;
        }
    }
    exchanged.retain(|_, content| *content >= EXCHANGED);
    work.related = exchanged.into_keys().collect();
    !work.related.is_empty()
}

/// A candidate with its price.
#[derive(Clone, Debug)]
struct Offer {
    chain: Chain,
    way: Way,
    price: Price,
    /// The chain it comes from.
    id: u32,
}

/// What the candidates are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CandidateKind {
    /// Equal elements.
    Equal,
    /// Similar elements.
    Alike,
}

impl CandidateKind {
    fn offer<P: Problem + ?Sized>(
        self,
        work: &Work<'_, P>,
        chain: Chain,
        way: Way,
        id: u32,
    ) -> Offer {
        let price = match self {
            Self::Equal => Price::of(work, &chain.blocks, way),
            Self::Alike => Price::of_alike(work, &chain.blocks),
        };
        Offer {
            chain,
            way,
            price,
            id,
        }
    }

    fn strategy<P: Problem + ?Sized>(self, work: &Work<'_, P>) -> Strategy {
        match (self, work.problem.coarser_levels()) {
            (Self::Alike, _) => Strategy::FuzzyMoves,
            (Self::Equal, 0) => Strategy::ExactMoves,
            (Self::Equal, _) => Strategy::CoarseMoves,
        }
    }
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Offer {}
impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Offer {
    /// Higher gain first; ties are broken by position, for a deterministic
    /// result.
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |c: &Self| (c.chain.range(OLD).start, c.chain.range(NEW).start);
        self.price
            .gain
            .total_cmp(&other.price.gain)
            .then_with(|| place(other).cmp(&place(self)))
    }
}

struct Selection<'l> {
    /// All candidates as first offered.
    offers: Vec<Offer>,
    cover: Cover,
    gaps: Gaps<'l>,
    /// Starts of the candidates accepted as kept: old to new.
    kept: BTreeMap<u32, u32>,
    /// Elements of ambiguous candidates, which no weaker candidate may take.
    locked: [PositionSet<u32>; 2],
    kind: CandidateKind,
}

impl Selection<'_> {
    fn consider<P: Problem + ?Sized>(
        &mut self,
        work: &mut Work<'_, P>,
        drafts: &mut MoveCandidates,
        offer: Offer,
        queue: &mut BinaryHeap<Offer>,
    ) {
        let kind = self.kind;
        let mut again = |work: &Work<'_, P>, chain: Chain, way: Way| {
            let offer = kind.offer(work, chain, way, offer.id);
            if offer.price.is_worth_it() {
                queue.push(offer);
            }
        };
        let pieces = offer.chain.free_pieces(work);
        let intact = matches!(&pieces[..], [piece] if piece.len() == offer.chain.len());
        if !intact {
            // The rest of a block beside a move may no longer be beside it.
            let way = match offer.way {
                Way::Beside => Way::Moved,
                way => way,
            };
            for piece in pieces {
                again(work, piece, way);
            }
            return;
        }
        if offer.way == Way::Stayed {
            if !self.is_in_order(&offer.chain) {
                // If a chain is interrupted, each of its blocks may still have
                // stayed.
                let way = match &offer.chain.blocks[..] {
                    [_] => Way::Moved,
                    _ => Way::Stayed,
                };
                for block in offer.chain.blocks {
                    let blocks = vec![block];
                    again(work, Chain { blocks }, way);
                }
                return;
            }
            for &block in &offer.chain.blocks {
                work.pair(block, KEPT);
                self.kept.insert(block.old, block.new);
            }
            return;
        }
        let contested = self.contested_start(work, &offer);
        if contested > 0 {
            again(work, offer.chain.without_start(contested), offer.way);
            return;
        }
        let is_locked = [OLD, NEW].into_iter().any(|side| {
            let mut range = offer.chain.range(side);
            range.any(|i| self.locked[side].contains(&i))
        });
        if is_locked {
            return;
        }
        let rivals = self.rivals(work, &offer);
        let ends = offer.chain.ends();
        let best = rivals
            .iter()
            .max_by(|a, b| a.price.content.total_cmp(&b.price.content));
        // Blocks that are merely similar are never guessed.
        let guesses = work.options.twins && self.kind == CandidateKind::Equal;
        if let Some(rival) =
            best.filter(|rival| !guesses && rival.price.content >= offer.price.content * AMBIGUOUS)
        {
            let rival = Some(rival.chain.ends());
            work.outcome.refuse(Guard::Ambiguous, ends.clone(), rival);
            self.locked[OLD].extend(ends.0);
            self.locked[NEW].extend(ends.1);
            return;
        }
        let runner_up = best.map(|rival| {
            let share = rival.price.content / offer.price.content;
            (rival.chain.ends(), share.min(1.0))
        });
        let twins = rivals
            .iter()
            .filter(|rival| rival.price.content >= offer.price.content * AMBIGUOUS)
            .filter_map(|rival| {
                let twin = rival.chain.ends();
                match (twin.0 == ends.0, twin.1 == ends.1) {
                    (true, false) => Some((Side::New, twin.1)),
                    (false, true) => Some((Side::Old, twin.0)),
                    _ => None,
                }
            })
            .collect();
        let strategy = self.kind.strategy(work);
        work.outcome.ran(strategy);
        drafts.accept(
            work,
            MoveCandidate {
                blocks: offer.chain.blocks.clone(),
                runner_up,
                twins,
                similarity: None,
            },
        );
        self.offer_neighbours(work, &ends, queue);
    }

    /// Number of elements at the start of a candidate that belong to the
    /// preceding one: on both sides another candidate that begins earlier has
    /// them, so that taking them would cost two pairs for one. An element that
    /// closes a block belongs to it.
    fn contested_start<P: Problem + ?Sized>(&self, work: &Work<'_, P>, offer: &Offer) -> u32 {
        let is_contested = |side: usize, element: u32| {
            let is_open = element > 0 && work.is_free(side, element - 1);
            is_open
                && self.cover.of(side, element).any(|id| {
                    let other = &self.offers[id as usize].chain;
                    id != offer.id && other.range(side).start < element
                })
        };
        let first = offer.chain.blocks[0];
        let most = MOST_CONTESTED.min(first.len.saturating_sub(1));
        let starts = (0..most).map(|i| (first.old + i, first.new + i));
        starts
            .take_while(|&(old, new)| is_contested(OLD, old) && is_contested(NEW, new))
            .count() as u32
    }

    /// Whether a chain crosses nothing that was kept in its gap since.
    fn is_in_order(&self, chain: &Chain) -> bool {
        let (old, new) = chain.ends();
        let gap = self.gaps.of(OLD, old.start);
        let before = self.kept.range(..old.start).next_back();
        let after = self.kept.range(old.start..).next();
        let same_gap = |kept: u32| self.gaps.of(OLD, kept) == gap;
        before.is_none_or(|(o, n)| !same_gap(*o) || *n < new.start)
            && after.is_none_or(|(o, n)| !same_gap(*o) || (*o >= old.end && *n >= new.end))
    }

    /// Other candidates for the same elements that are still available.
    fn rivals<P: Problem + ?Sized>(&self, work: &Work<'_, P>, offer: &Offer) -> Vec<&Offer> {
        let mut ids: Vec<u32> = [OLD, NEW]
            .into_iter()
            .flat_map(|side| self.cover.around(side, &offer.chain))
            .filter(|&id| id != offer.id)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter()
            .map(|id| &self.offers[id as usize])
            .filter(|other| !other.chain.free_pieces(work).is_empty())
            .collect()
    }

    /// Offers the continuations of an accepted move, which need no report of
    /// their own.
    fn offer_neighbours<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        (old, new): &(Range<u32>, Range<u32>),
        queue: &mut BinaryHeap<Offer>,
    ) {
        let gap = work.gap();
        let beside = self.cover.beside(old, gap).filter(|&id| {
            let other = self.offers[id as usize].chain.range(NEW);
            let behind = other.start >= new.end && other.start - new.end <= gap;
            let before = other.end <= new.start && new.start - other.end <= gap;
            let old_behind = self.offers[id as usize].chain.range(OLD).start >= old.end;
            if old_behind { behind } else { before }
        });
        for id in beside {
            let offer = &self.offers[id as usize];
            if offer.way == Way::Moved && self.kind == CandidateKind::Equal {
                let offer = self.kind.offer(work, offer.chain.clone(), Way::Beside, id);
                if offer.price.is_worth_it() {
                    queue.push(offer);
                }
            }
        }
    }
}

/// The gaps between kept elements that leftovers lie in.
struct Gaps<'l> {
    left: &'l [Vec<Leftover>; 2],
}

impl Gaps<'_> {
    fn of(&self, side: usize, index: u32) -> Option<u32> {
        let left = &self.left[side];
        let at = left.binary_search_by_key(&index, |l| l.index).ok()?;
        Some(left[at].gap)
    }

    /// The gap that both sides of a chain lie in, if they share one.
    fn shared(&self, chain: &Chain) -> Option<u32> {
        let first = chain.blocks[0];
        let old = self.of(OLD, first.old)?;
        (self.of(NEW, first.new)? == old).then_some(old)
    }
}

/// An index of candidates by position.
struct Cover {
    /// The blocks of candidates by the stretches that they overlap, sorted.
    by_stretch: [Vec<Covered>; 2],
    /// Where candidates start and end on the old side, sorted.
    starts: Vec<(u32, u32)>,
    ends: Vec<(u32, u32)>,
}

/// Elements per stretch: few enough to scan, and enough that a long block
/// overlaps few stretches.
const STRETCH: u32 = 16;

/// A block of a candidate that overlaps a stretch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Covered {
    stretch: u32,
    start: u32,
    end: u32,
    id: u32,
}

impl Cover {
    fn new(offers: &[Offer]) -> Self {
        let by_stretch = [OLD, NEW].map(|side| {
            let mut cover: Vec<Covered> = Vec::new();
            for (id, offer) in offers.iter().enumerate() {
                for block in &offer.chain.blocks {
                    let start = [block.old, block.new][side];
                    let end = start + block.len;
                    let stretches = start / STRETCH..=(end - 1) / STRETCH;
                    cover.extend(stretches.map(|stretch| Covered {
                        stretch,
                        start,
                        end,
                        id: id as u32,
                    }));
                }
            }
            cover.sort_unstable();
            cover
        });
        let sorted = |place: fn(Range<u32>) -> u32| {
            let places = offers.iter().enumerate();
            let mut places: Vec<(u32, u32)> = places
                .map(|(id, offer)| (place(offer.chain.range(OLD)), id as u32))
                .collect();
            places.sort_unstable();
            places
        };
        Self {
            by_stretch,
            starts: sorted(|range| range.start),
            ends: sorted(|range| range.end),
        }
    }

    /// Candidates that contain the middle element of a chain: all that share more
    /// than half of it, and few others.
    fn around(&self, side: usize, chain: &Chain) -> impl Iterator<Item = u32> {
        let half = chain.len() as usize / 2;
        let middle = chain.elements(side).nth(half).unwrap_or_default();
        self.of(side, middle)
    }

    /// Candidates that contain an element.
    fn of(&self, side: usize, element: u32) -> impl Iterator<Item = u32> {
        let cover = &self.by_stretch[side];
        let stretch = element / STRETCH;
        let first = cover.partition_point(|block| block.stretch < stretch);
        let here = cover[first..]
            .iter()
            .take_while(move |block| block.stretch == stretch);
        here.filter(move |block| (block.start..block.end).contains(&element))
            .map(|block| block.id)
    }

    /// Candidates that start directly after a range of the old side, or end
    /// directly before it.
    fn beside(&self, range: &Range<u32>, gap: u32) -> impl Iterator<Item = u32> {
        let within = |places: &[(u32, u32)], from: u32, to: u32| {
            let start = places.partition_point(|&(place, _)| place < from);
            let end = places.partition_point(|&(place, _)| place <= to);
            (start, end.max(start))
        };
        let (a, b) = within(&self.starts, range.end, range.end.saturating_add(gap));
        let (c, d) = within(&self.ends, range.start.saturating_sub(gap), range.start);
        let both = self.starts[a..b].iter().chain(&self.ends[c..d]);
        both.map(|&(_, id)| id)
    }
}
