//! Grows anchors into blocks and resolves elements claimed by two blocks.

use super::Block;
use crate::Token;
use crate::positions::order_by;

/// A block and how far it could grow along its diagonal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grown {
    pub core: Block,
    pub left: u32,
    pub right: u32,
}

impl Grown {
    /// The block at its largest extent.
    pub(crate) fn claimed(&self) -> Block {
        Block {
            old: self.core.old - self.left,
            new: self.core.new - self.left,
            len: self.core.len + self.left + self.right,
        }
    }
}

/// Cores in old order with their largest extents. The first and the last are the
/// corners of the region and have no length: they collect the rest of a common
/// prefix or suffix that no other block claims.
pub(crate) struct Field {
    pub grown: Vec<Grown>,
    /// Indices into `grown`, in new order.
    new_order: Vec<u32>,
    /// Position of each block in `new_order`.
    place: Vec<u32>,
}

impl Field {
    /// Grows `cores`, which are in old order and overlap on neither side.
    pub(crate) fn new(old: &[Token], new: &[Token], cores: Vec<Block>) -> Self {
        let corner = |old: usize, new: usize| Block {
            old: old as u32,
            new: new as u32,
            len: 0,
        };
        let mut grown = Vec::with_capacity(cores.len() + 2);
        let all = std::iter::once(corner(0, 0))
            .chain(cores)
            .chain(std::iter::once(corner(old.len(), new.len())));
        grown.extend(all.map(|core| Grown {
            core,
            left: 0,
            right: 0,
        }));
        let last = grown.len() as u32 - 1;
        let inner = order_by(last as usize - 1, |g| grown[g + 1].core.new);
        let new_order: Vec<u32> = std::iter::once(0)
            .chain(inner.into_iter().map(|g| g + 1))
            .chain([last])
            .collect();
        let mut place = vec![0; grown.len()];
        for (at, &g) in new_order.iter().enumerate() {
            place[g as usize] = at as u32;
        }
        let mut field = Self {
            grown,
            new_order,
            place,
        };
        // Room up to the neighbouring cores on either side.
        let mut room_new = vec![0; field.grown.len()];
        for pair in field.new_order.windows(2) {
            let (e, f) = (pair[0] as usize, pair[1] as usize);
            room_new[e] = field.grown[f].core.new - field.grown[e].core.new_end();
        }
        let mut room_left = vec![0; field.grown.len()];
        for pair in field.new_order.windows(2) {
            room_left[pair[1] as usize] = room_new[pair[0] as usize];
        }
        for g in 0..field.grown.len() {
            let core = field.grown[g].core;
            if g < last as usize {
                let room = (field.grown[g + 1].core.old - core.old_end()).min(room_new[g]) as usize;
                let (o, n) = (core.old_end() as usize, core.new_end() as usize);
                field.grown[g].right = equal(old[o..o + room].iter(), new[n..n + room].iter());
            }
            if g > 0 {
                let room =
                    (core.old - field.grown[g - 1].core.old_end()).min(room_left[g]) as usize;
                let (o, n) = (core.old as usize, core.new as usize);
                field.grown[g].left =
                    equal(old[o - room..o].iter().rev(), new[n - room..n].iter().rev());
            }
        }
        field
    }

    /// Whether both sides have unclaimed elements before a block, and whether
    /// both have some after it: such elements were replaced.
    pub(crate) fn stands_apart(&self, g: usize) -> (bool, bool) {
        let block = self.grown[g].claimed();
        let (before, behind) = (self.grown[g - 1].claimed(), self.grown[g + 1].claimed());
        let at = self.place[g] as usize;
        let [left, right] =
            [at - 1, at + 1].map(|at| self.grown[self.new_order[at] as usize].claimed());
        (
            before.old_end() < block.old && left.new_end() < block.new,
            behind.old > block.old_end() && right.new > block.new_end(),
        )
    }

    /// Whether a block touches a corner of the region.
    pub(crate) fn at_corner(&self, g: usize) -> bool {
        let (first, last) = (self.grown[0].core, self.grown[self.grown.len() - 1].core);
        let block = self.grown[g].claimed();
        (block.old, block.new) == (first.old, first.new)
            || (block.old_end(), block.new_end()) == (last.old, last.new)
    }

    /// Resolves overlaps: returns blocks that overlap on neither side, in old
    /// order, one per entry of `grown`.
    ///
    /// Neighbours that claim the same elements divide them by what each would
    /// lose. A claim that another block contests on the other side too gives way,
    /// because taking it would cost two pairs for one. Next, the block off the
    /// spine gives way. Otherwise, and where both are contested twice, the later
    /// block does: a closing brace belongs to the code it closes.
    pub(crate) fn settle(&self, on_spine: impl Fn(usize) -> bool) -> Vec<Block> {
        let count = self.grown.len();
        // How much of each extent is contested, counted from its far end.
        let mut right_over = [vec![0; count], vec![0; count]];
        let mut left_over = [vec![0; count], vec![0; count]];
        let old_pairs = (1..count).map(|f| (0, f - 1, f));
        let new_pairs = self
            .new_order
            .windows(2)
            .map(|p| (1, p[0] as usize, p[1] as usize));
        let contested: Vec<(usize, usize, usize, u32)> = old_pairs
            .chain(new_pairs)
            .filter_map(|(side, e, f)| {
                let (ecore, fcore) = (self.grown[e].core, self.grown[f].core);
                let room = match side {
                    0 => fcore.old - ecore.old_end(),
                    _ => fcore.new - ecore.new_end(),
                };
                let claims = self.grown[e].right + self.grown[f].left;
                (claims > room).then(|| (side, e, f, claims - room))
            })
            .collect();
        for &(side, e, f, over) in &contested {
            right_over[side][e] = over;
            left_over[side][f] = over;
        }
        let mut settled = self.grown.clone();
        for &(side, e, f, over) in &contested {
            let other = 1 - side;
            let e_twice = over.min(right_over[other][e]);
            let f_twice = over.min(left_over[other][f]);
            // The first `cut` contested elements go to `e`, the others to `f`.
            let cost = |cut: u32| cut.saturating_sub(over - e_twice) + f_twice.saturating_sub(cut);
            // Where a doubly contested element must be given up anyway, applying
            // one rule everywhere leaves no element unclaimed.
            let to_f = on_spine(f) && !on_spine(e);
            let cuts = [over, f_twice, over - e_twice, 0];
            let cut = cuts
                .into_iter()
                .min_by_key(|&cut| {
                    let cost = cost(cut);
                    (cost, if to_f && cost == 0 { cut } else { over - cut })
                })
                .unwrap_or(over);
            let right = self.grown[e].right - over + cut;
            let left = self.grown[f].left - cut;
            settled[e].right = settled[e].right.min(right);
            settled[f].left = settled[f].left.min(left);
        }
        self.take_leftovers(&mut settled);
        settled.iter().map(Grown::claimed).collect()
    }

    /// Reclaims elements that no block owns any more: the block that won them on
    /// one side may have lost them on the other.
    fn take_leftovers(&self, settled: &mut [Grown]) {
        let last = settled.len() - 1;
        let (mut after, mut before) = (vec![last; last + 1], vec![0; last + 1]);
        for pair in self.new_order.windows(2) {
            let (e, f) = (pair[0] as usize, pair[1] as usize);
            (after[e], before[f]) = (f, e);
        }
        for g in 0..=last {
            let wanted = self.grown[g];
            if g < last && settled[g].right < wanted.right {
                let (next, along) = (settled[g + 1], settled[after[g]]);
                let old = next.core.old - next.left - wanted.core.old_end();
                let new = along.core.new - along.left - wanted.core.new_end();
                settled[g].right = wanted.right.min(old).min(new);
            }
            if g > 0 && settled[g].left < wanted.left {
                let (next, along) = (settled[g - 1], settled[before[g]]);
                let old = wanted.core.old - next.core.old_end() - next.right;
                let new = wanted.core.new - along.core.new_end() - along.right;
                settled[g].left = wanted.left.min(old).min(new);
            }
        }
    }
}

fn equal<'a>(old: impl Iterator<Item = &'a Token>, new: impl Iterator<Item = &'a Token>) -> u32 {
    old.zip(new).take_while(|(o, n)| o == n).count() as u32
}
