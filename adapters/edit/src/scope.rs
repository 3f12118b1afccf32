//! Which of several places is meant, by the lines above it, or by the end of the
//! file.

use crate::blocks::Block;
use crate::fold::{self, Sum};
use crate::ground::Ground;
use crate::indent;
use crate::match_site::Place;

/// The only place that lies in what the block names, if it names something.
pub(crate) fn choose<'p>(
    block: &Block,
    places: &[&'p Place],
    ground: &Ground<'_>,
) -> Option<&'p Place> {
    let only = |chosen: Vec<&'p Place>| match chosen[..] {
        [place] => Some(place),
        _ => None,
    };
    if block.at_end {
        let last = |place: &&&Place| {
            let mut behind = ground.sums[place.lines.end..].iter();
            behind.all(|sum| sum.len == 0)
        };
        if let Some(place) = only(places.iter().filter(last).copied().collect()) {
            return Some(place);
        }
    }
    if block.within.is_empty() {
        return None;
    }
    let inside = |place: &&&Place| is_inside(&block.within, place.lines.start, ground);
    only(places.iter().filter(inside).copied().collect())
}

/// Whether a line lies in the blocks that lines above it open, the nearest last.
fn is_inside(within: &[Vec<u8>], line: usize, ground: &Ground<'_>) -> bool {
    let Some((nearest, farther)) = within.split_last() else {
        return true;
    };
    let sum = Sum::of(nearest);
    let is_it = |above: &usize| {
        let told = ground.lines.get(*above);
        // Headings of hunks are cut off.
        ground.sums[*above] == sum || fold::trim(told).starts_with(fold::trim(nearest))
    };
    let Some(above) = (0..line).rev().find(is_it) else {
        return false;
    };
    let depth = |line: usize| indent::of(ground.lines.get(line)).len();
    let mut between = (above + 1..line).filter(|line| ground.sums[*line].len > 0);
    between.all(|line| depth(line) > depth(above)) && is_inside(farther, above, ground)
}
