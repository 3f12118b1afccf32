//! Selects candidates greedily by gain. Candidates that overlap a selected one
//! are priced again without the elements it took.

use super::candidates::Chain;
use super::cover::{Cover, Gaps};
use super::price::{Content, EXCHANGED, Price, Way};
use super::{MoveCandidate, MoveCandidates};
use crate::positions::{PositionMap, PositionSet, highest_first, order_by};
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
    let gaps = Gaps::new(work, left);
    let mut offers: Vec<Offer> = Vec::with_capacity(chains.len());
    for chain in chains {
        let gap = gaps.shared(&chain);
        let way = gap.map_or(Way::Moved, |_| Way::Stayed);
        let offer = kind.offer(work, chain, way);
        if way == Way::Moved && !offer.price.is_worth_it() {
            work.outcome
                .refuse(Guard::LittleEvidence, offer.chain.ends(), None);
        }
        offers.push(offer);
    }
    let first = best_first(&offers);
    let cover = Cover::new(work, &offers.iter().map(|offer| &offer.chain));
    let mut selection = Selection {
        offers,
        cover,
        gaps,
        queue: BinaryHeap::new(),
        kept: BTreeMap::new(),
        locked: [OLD, NEW].map(|_| PositionSet::default()),
        kind,
    };
    for id in first {
        selection.consider_better(work, drafts, Some(Rank::of(&selection.offers[id as usize])));
        selection.consider(work, drafts, id, None);
    }
    selection.consider_better(work, drafts, None);
    if kind == CandidateKind::Equal && relate(work, drafts) {
        for id in 0..selection.offers.len() as u32 {
            let offer = &selection.offers[id as usize];
            let first = offer.chain.blocks[0];
            if offer.way == Way::Moved && work.is_related(first.old, first.new) {
                for piece in offer.chain.free_pieces(work) {
                    selection.offer_again(work, id, piece, Way::Moved);
                }
            }
        }
        selection.consider_better(work, drafts, None);
    }
    if !selection.kept.is_empty() {
        work.divide_gaps();
    }
}

/// The offers that are worth it, in the order of their ranks.
fn best_first(offers: &[Offer]) -> Vec<u32> {
    let rank = |id: &u32| Rank::of(&offers[*id as usize]);
    let mut ids = order_by(offers.len(), |id| offers[id].chain.blocks[0].old);
    ids.retain(|&id| offers[id as usize].price.is_worth_it());
    for same in ids.chunk_by_mut(|a, b| rank(a).place.0 == rank(b).place.0) {
        if same.len() > 1 {
            same.sort_by_key(|id| rank(id).place);
        }
    }
    let order = order_by(ids.len(), |at| highest_first(rank(&ids[at]).gain));
    order.into_iter().map(|at| ids[at as usize]).collect()
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
    fn offer<P: Problem + ?Sized>(self, work: &Work<'_, P>, chain: Chain, way: Way) -> Offer {
        let price = self.price(work, &chain, way);
        Offer { chain, way, price }
    }

    fn price<P: Problem + ?Sized>(self, work: &Work<'_, P>, chain: &Chain, way: Way) -> Price {
        match self {
            Self::Equal => {
                let content = chain.content;
                let content = content.unwrap_or_else(|| Content::of(work, &chain.blocks));
                Price::of_content(work, chain.blocks[0], way, &content)
            }
            Self::Alike => Price::of_alike(work, &chain.blocks),
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

/// The rank of an offer: a higher gain is higher, and of equal gains the one that
/// starts first, for a deterministic result.
#[derive(Clone, Copy)]
struct Rank {
    gain: f32,
    place: (u32, u32),
}

impl Rank {
    fn of(offer: &Offer) -> Self {
        Self::new(&offer.chain, offer.price)
    }

    fn new(chain: &Chain, price: Price) -> Self {
        let first = chain.blocks[0];
        Self {
            gain: price.gain,
            place: (first.old, first.new),
        }
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Rank {}
impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let gain = self.gain.total_cmp(&other.gain);
        gain.then_with(|| other.place.cmp(&self.place))
    }
}

/// A candidate offered again: the rest of one, or one that lies beside a move.
struct Again {
    rank: Rank,
    /// The number of the offer it comes from.
    id: u32,
    offer: Offer,
}

impl PartialEq for Again {
    fn eq(&self, other: &Self) -> bool {
        self.rank == other.rank
    }
}
impl Eq for Again {}
impl PartialOrd for Again {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Again {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

struct Selection {
    /// All candidates as first offered.
    offers: Vec<Offer>,
    cover: Cover,
    gaps: Gaps,
    /// Candidates offered again.
    queue: BinaryHeap<Again>,
    /// Starts of the candidates accepted as kept: old to new.
    kept: BTreeMap<u32, u32>,
    /// Elements of ambiguous candidates, which no weaker candidate may take.
    locked: [PositionSet<u32>; 2],
    kind: CandidateKind,
}

impl Selection {
    /// Considers the candidates offered again that rank higher than `than`.
    fn consider_better<P: Problem + ?Sized>(
        &mut self,
        work: &mut Work<'_, P>,
        drafts: &mut MoveCandidates,
        than: Option<Rank>,
    ) {
        while let Some(top) = self.queue.peek() {
            if than.is_some_and(|than| top.rank <= than) {
                return;
            }
            if let Some(again) = self.queue.pop() {
                self.consider(work, drafts, again.id, Some(&again.offer));
            }
        }
    }

    /// Offers a candidate again, if it is worth it.
    fn offer_again<P: Problem + ?Sized>(
        &mut self,
        work: &Work<'_, P>,
        id: u32,
        chain: Chain,
        way: Way,
    ) {
        let offer = self.kind.offer(work, chain, way);
        if offer.price.is_worth_it() {
            let rank = Rank::of(&offer);
            self.queue.push(Again { rank, id, offer });
        }
    }

    /// Accepts or refuses an offer, or offers parts of it again.
    fn consider<P: Problem + ?Sized>(
        &mut self,
        work: &mut Work<'_, P>,
        drafts: &mut MoveCandidates,
        id: u32,
        again: Option<&Offer>,
    ) {
        let offer = again.unwrap_or(&self.offers[id as usize]);
        if !offer.chain.is_all_free(work) {
            // The rest of a block beside a move may no longer be beside it.
            let way = match offer.way {
                Way::Beside => Way::Moved,
                way => way,
            };
            for piece in offer.chain.free_pieces(work) {
                self.offer_again(work, id, piece, way);
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
                for block in offer.chain.blocks.clone() {
                    self.offer_again(work, id, Chain::from(vec![block]), way);
                }
                return;
            }
            for &block in &offer.chain.blocks {
                work.pair(block, KEPT);
                self.kept.insert(block.old, block.new);
            }
            return;
        }
        let contested = self.contested_start(work, id, &offer.chain);
        if contested > 0 {
            let (rest, way) = (offer.chain.clone().without_start(contested), offer.way);
            self.offer_again(work, id, rest, way);
            return;
        }
        let is_locked = [OLD, NEW].into_iter().any(|side| {
            let mut range = offer.chain.range(side);
            !self.locked[side].is_empty() && range.any(|i| self.locked[side].contains(&i))
        });
        if is_locked {
            return;
        }
        let rivals = self.rivals(work, id, &offer.chain);
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
        self.offer_neighbours(work, &ends);
    }

    /// Number of elements at the start of a candidate that belong to the
    /// preceding one: on both sides another candidate that begins earlier has
    /// them, so that taking them would cost two pairs for one. An element that
    /// closes a block belongs to it.
    fn contested_start<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        own: u32,
        chain: &Chain,
    ) -> u32 {
        let is_contested = |side: usize, element: u32| {
            let is_open = element > 0 && work.is_free(side, element - 1);
            is_open
                && self.cover.of(side, element).any(|id| {
                    let other = &self.offers[id as usize].chain;
                    id != own && other.range(side).start < element
                })
        };
        let first = chain.blocks[0];
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
    fn rivals<P: Problem + ?Sized>(
        &self,
        work: &Work<'_, P>,
        own: u32,
        chain: &Chain,
    ) -> Vec<&Offer> {
        let mut ids: Vec<u32> = [OLD, NEW]
            .into_iter()
            .flat_map(|side| self.cover.around(side, chain))
            .filter(|&id| id != own)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter()
            .map(|id| &self.offers[id as usize])
            .filter(|other| other.chain.is_partly_free(work))
            .collect()
    }

    /// Offers the continuations of an accepted move, which need no report of
    /// their own.
    fn offer_neighbours<P: Problem + ?Sized>(
        &mut self,
        work: &Work<'_, P>,
        ends: &(Range<u32>, Range<u32>),
    ) {
        if self.kind != CandidateKind::Equal {
            return;
        }
        let Self {
            offers,
            cover,
            queue,
            kind,
            ..
        } = self;
        for id in cover.beside(ends, work.gap()) {
            let offer = &offers[id as usize];
            if offer.way != Way::Moved {
                continue;
            }
            let price = kind.price(work, &offer.chain, Way::Beside);
            if price.is_worth_it() {
                let rank = Rank::new(&offer.chain, price);
                let offer = Offer {
                    chain: offer.chain.clone(),
                    way: Way::Beside,
                    price,
                };
                queue.push(Again { rank, id, offer });
            }
        }
    }
}
