//! The cost model of moves.
//!
//! The information of an element is its weight, reduced the more often it occurs.
//! A deleted and inserted element has to be read in full; a kept one costs
//! nothing. A moved block costs a fixed price to report, whatever its size, so it
//! is worth reporting when its information exceeds that price.

use crate::align::{Block, NONE, Strength};
use crate::work::{KEPT, NEW, OLD, Work};
use crate::{Companion, Problem, Side};

/// Surcharge for a single element that moved: one line recurs by chance where two
/// in a row do not.
const LONE: f32 = 0.25;
/// How many elements away counts as nearby.
pub(crate) const NEARBY: u32 = 8;
/// Discount for a single element that only passed its neighbours: lines are swapped
/// more often than they recur nearby by chance.
const NEAR: f32 = -0.4;
/// Cost of a uniform change of indentation.
const SHIFT: f32 = 0.05;
/// Cost of moving to another file.
const AWAY: f32 = 0.1;
/// The share of these costs that remains between two files that already exchanged
/// much: a further move is less surprising.
const RELATED: f32 = 0.5;
/// Weight that must have moved between two files for that.
pub(super) const EXCHANGED: f32 = 3.0;
/// Cost of an element that a move skips.
const SKIP: f32 = 0.2;
/// The share at which companion elements count.
const COMPANION: f32 = 0.15;
/// How much less informative a block between files is for every further file that
/// its rarest part occurs in: a block of words that every file uses was written
/// again rather than moved.
const WIDESPREAD: f32 = 0.15;
/// Information from which a block is not doubted for that.
const CERTAIN: f32 = 8.0;
/// Longer blocks are priced by this many evenly spaced elements.
const PRICED: u32 = 256;
/// Elements at the start of a block that may say enough for all of it.
const SOME: u32 = 16;

/// The information of a candidate, and what remains after the cost of reporting
/// it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Price {
    pub content: f32,
    pub gain: f32,
}

/// Position of a candidate relative to kept elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Between the same kept neighbours on both sides.
    Stayed,
    /// Adjacent to an accepted move, along with it.
    Beside,
    /// Elsewhere.
    Moved,
}

impl Price {
    pub(super) fn of<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block], way: Way) -> Self {
        Self::of_content(work, blocks[0], way, &Content::of(work, blocks))
    }

    /// The price of a candidate whose content is known.
    pub(super) fn of_content<P: Problem + ?Sized>(
        work: &Work<'_, P>,
        first: Block,
        way: Way,
        content: &Content,
    ) -> Self {
        let said = content.said(way);
        let shift = if content.shifted { SHIFT } else { 0.0 };
        let cost = match way {
            Way::Stayed => 0.0,
            Way::Beside => shift,
            Way::Moved => {
                let lone = match content.informative {
                    1 if is_near(work, first) => NEAR,
                    1 => LONE,
                    _ => 0.0,
                };
                let away = if content.is_away { AWAY } else { 0.0 };
                let share = if content.is_expected(work, first) {
                    RELATED
                } else {
                    1.0
                };
                share * (work.options.announce + lone + shift + away)
            }
        };
        Self {
            content: said,
            gain: said - cost,
        }
    }

    /// The price of a finished move, which may contain edited elements. One that
    /// says enough, whatever else it contains, is not priced as a whole.
    pub(super) fn of_move<P: Problem + ?Sized>(
        work: &Work<'_, P>,
        blocks: &[Block],
        is_embedded: bool,
    ) -> Self {
        let first = blocks[0];
        if first.len > SOME {
            let some = Block { len: SOME, ..first };
            let content = Content::of_pairs(work, &[some]);
            let price = Self::of_content(work, first, Way::Moved, &content);
            if content.own >= CERTAIN && price.gain >= work.options.embedded {
                return price;
            }
        }
        let content = Content::of(work, blocks);
        let mut price = Self::of_content(work, first, Way::Moved, &content);
        if is_embedded && !content.is_expected(work, first) {
            let share = if content.is_away { 1.0 } else { 0.5 };
            // The surcharge applies to blocks with little information and does
            // not add to that of a lone element.
            price.gain = price
                .gain
                .min(price.content - share * work.options.embedded);
        }
        price
    }

    /// Cost of continuing a block with another: a cost for every skipped element,
    /// but no more than that of reporting a new move.
    pub(super) fn of_link<P: Problem + ?Sized>(
        work: &Work<'_, P>,
        before: Block,
        block: Block,
    ) -> f32 {
        let old = block.old.saturating_sub(before.old_end());
        let new = block.new.saturating_sub(before.new_end());
        (SKIP * (old + new) as f32).min(work.options.announce + LONE)
    }

    /// The price of a block without an unedited element: it must be twice as
    /// informative as an equal one, and enough of it must survive.
    pub(super) fn of_alike<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> Self {
        let (mut said, mut survived) = (0.0, 0.0);
        for (old, new) in super::similarity::pairs(blocks) {
            let weight = f32::midpoint(work.weight(OLD, old), work.weight(NEW, new));
            said += weight;
            survived += weight * work.similarity(old, new);
        }
        let alike = survived >= work.options.threshold * said;
        Self {
            content: if alike { survived } else { 0.0 },
            gain: survived - 2.0 * (work.options.announce + LONE),
        }
    }

    /// Whether it is cheaper to report the candidate than to show its elements.
    pub(super) fn is_worth_it(self) -> bool {
        self.gain > -1e-4 && self.content > 0.0
    }
}

/// The information in the pairs of a candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Content {
    own: f32,
    companions: f32,
    informative: u32,
    shifted: bool,
    is_away: bool,
    /// Whether at least one element occurs hardly anywhere else.
    is_rare: bool,
    /// Number of elements that no longer need to be read.
    hidden: u32,
}

impl Content {
    pub(super) fn of<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> Self {
        let mut content = Self::of_pairs(work, blocks);
        let is_doubtful = content.is_away && content.own > 0.0 && content.own < CERTAIN;
        if is_doubtful && !work.is_related(blocks[0].old, blocks[0].new) {
            // Two files share every block that moved from one to the other.
            let further = spread(work, blocks).saturating_sub(2);
            content.own /= 1.0 + WIDESPREAD * further as f32;
        }
        content
    }

    fn of_pairs<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> Self {
        let mut content = Self {
            is_away: !work.is_same_file(blocks[0].old, blocks[0].new),
            ..Self::default()
        };
        for &block in blocks {
            let step = block.len.div_ceil(PRICED).max(1);
            let priced = (step / 2..block.len).step_by(step as usize);
            let scale = block.len as f32 / priced.clone().count() as f32;
            for i in priced {
                content.add(work, (block.old + i, block.new + i), scale);
            }
        }
        content
    }

    /// Whether the block went where much else went and hardly resembles anything
    /// else. Only blocks that are read anyway are accepted so easily: two
    /// functions, one deleted here and one inserted there, may have a line in
    /// common.
    fn is_expected<P: Problem + ?Sized>(&self, work: &Work<'_, P>, first: Block) -> bool {
        let is_likely = self.is_away && self.is_rare && self.hidden == 0;
        is_likely && work.is_related(first.old, first.new)
    }

    fn add<P: Problem + ?Sized>(&mut self, work: &Work<'_, P>, (old, new): (u32, u32), scale: f32) {
        if work.weight(OLD, old).min(work.weight(NEW, new)) <= 0.0 {
            return;
        }
        let is_exact = work.exact(old, new);
        let mut info = work.info(OLD, old, self.is_away);
        if !is_exact {
            info = info.min(work.info(NEW, new, self.is_away));
            info *= work.survives(old, new);
        }
        let goes_along = match work.problem.companion(Side::Old, old) {
            Companion::Never => false,
            Companion::AcrossFiles => self.is_away,
            Companion::Always => true,
        };
        if goes_along {
            self.companions += info * scale;
            return;
        }
        self.informative += 1;
        // Needed between files only.
        if self.is_away {
            self.is_rare = self.is_rare || work.is_rare(old, new);
            self.hidden += u32::from(is_exact || work.level(old, new) < Some(2));
        }
        self.own += info * scale;
        self.shifted |= !is_exact;
    }

    /// Companions alone are never a move. They count little next to others, and
    /// in full where they stayed.
    pub(super) fn said(&self, way: Way) -> f32 {
        match way {
            Way::Stayed => self.own + self.companions,
            Way::Moved if self.informative == 0 && self.is_away => 0.0,
            _ => self.own + COMPANION * self.companions,
        }
    }
}

/// The number of files that the rarest part of a block occurs in; 2 if unknown,
/// since it left one for another.
fn spread<P: Problem + ?Sized>(work: &Work<'_, P>, blocks: &[Block]) -> u32 {
    let mut least = u32::MAX;
    for (old, new) in super::similarity::pairs(blocks) {
        let is_evidence = work.weight(OLD, old) > 0.0
            && work.problem.companion(Side::Old, old) == Companion::Never;
        if !is_evidence {
            continue;
        }
        let sides = (
            work.problem.spread(Side::Old, old),
            work.problem.spread(Side::New, new),
        );
        let (Some(here), Some(there)) = sides else {
            continue;
        };
        least = least.min(here.max(there));
        if least <= 2 {
            break;
        }
    }
    if least == u32::MAX { 2 } else { least }
}

/// How informative blocks are, before it is known where they went: weight
/// decides, not length.
pub(crate) fn strength<P: Problem + ?Sized>(
    work: &Work<'_, P>,
    blocks: impl IntoIterator<Item = Block>,
) -> Strength {
    let announce = work.options.announce;
    let mut weight = 0.0;
    let mut informative = 0;
    for old in blocks.into_iter().flat_map(|b| b.old..b.old_end()) {
        let w = work.weight(OLD, old);
        weight += w;
        informative += u32::from(w > 0.0);
        if informative > 1 && weight >= announce {
            return Strength::Strong;
        }
    }
    if informative == 1 && weight >= announce + LONE {
        Strength::Strong
    } else if informative == 1 && weight >= announce + NEAR {
        Strength::Near
    } else {
        Strength::Weak
    }
}

/// Whether a block is close to the position its kept neighbours imply.
fn is_near<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> bool {
    way_of(work, block).is_some_and(|way| way <= NEARBY)
}

/// Distance of a block from the position its kept neighbours imply; `None`
/// without such a neighbour nearby.
fn way_of<P: Problem + ?Sized>(work: &Work<'_, P>, block: Block) -> Option<u32> {
    let s = work.segment(OLD, block.old);
    if work.partner[s] != work.segment(NEW, block.new) as u32 {
        return None;
    }
    let start = work.segments[OLD][s].start;
    let nearby = start.max(block.old.saturating_sub(4 * NEARBY)) as usize..block.old as usize;
    let counterparts = work.counterpart[OLD][nearby.clone()].iter();
    let mut pairs = counterparts.zip(&work.role[nearby]).rev().zip(1..);
    let expected = pairs.find_map(|((&new, &role), back)| {
        let kept = new != NONE && role == KEPT;
        kept.then(|| new + back)
    });
    // Without a neighbour, use the start of the segment: partners begin together.
    let begin = work.segments[NEW][work.partner[s] as usize].start;
    let near_start = block.old - start <= 4 * NEARBY;
    let expected = expected.or(near_start.then(|| begin + (block.old - start)));
    expected.map(|expected| expected.abs_diff(block.new))
}
