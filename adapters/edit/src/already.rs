//! Whether a block's edit was made before.
//!
//! That its new lines occur somewhere is not enough: a line that is there by
//! chance is not evidence. They must be where the block's own lines say, and
//! what it takes away must be gone from there.

use crate::change::{Change, Hunk};
use crate::fold::{self, Sum};
use crate::ground::Ground;
use crate::match_site::{Place, Tier};
use crate::problem;
use crate::readings::Reading;
use std::ops::Range;

/// How alike a line and what became of it must be, where nothing but the line
/// itself says that it is the place.
const SAME_PLACE: f32 = 0.7;
/// How alike a line must be to be one that should be gone.
const STILL_THERE: f32 = 0.6;

/// Where the new lines of a block are, if they are there because the block
/// was applied; found no worse than so.
pub(crate) fn stands(reading: &Reading, ground: &Ground<'_>, worst: Tier) -> Option<Range<usize>> {
    if !is_told(reading.replace.iter().map(Vec::as_slice)) {
        return None;
    }
    let hint = reading.hint.map(|line| line as usize - 1);
    let places = ground.places(&reading.replace).into_iter();
    let change = Change::new(&reading.search, &reading.replace);
    let stays = change.stays();
    // White space and blank lines may be all that a block is about: what it adds
    // must be unchanged, in its place, and as deep as it says if that is new.
    let gone = (0..change.kept.len()).filter(|index| change.kept[*index].is_none());
    let gone: Vec<Sum> = gone.map(|index| Sum::of(&reading.search[index])).collect();
    let to_the_letter = |place: &Place| {
        place.pairs.iter().all(|pair| {
            let (1, 1) = (pair.search.len(), pair.text.len()) else {
                return false;
            };
            let index = pair.search.start;
            let (own, there) = (&reading.replace[index], ground.lines.get(pair.text.start));
            let same = if fold::is_blank(own) || gone.contains(&Sum::of(own)) {
                own == there
            } else {
                without_indent(own) == without_indent(there)
            };
            stays[index] || same
        })
    };
    let mut places = places.filter(|place| place.tier <= worst && to_the_letter(place));
    let lines = match (places.next(), places.next()) {
        (Some(only), None) => only.lines,
        (Some(first), Some(second)) => [first, second]
            .into_iter()
            .chain(places)
            .map(|place| place.lines)
            .find(|lines| Some(lines.start) == hint)?,
        _ => return None,
    };
    is_made(reading, &change, &lines, ground).then_some(lines)
}

/// A line without the white space that it starts with.
pub(crate) fn without_indent(line: &[u8]) -> &[u8] {
    &line[fold::leading_space(line)..]
}

/// Whether lines hold a letter or a digit.
pub(crate) fn is_told<'l>(mut lines: impl Iterator<Item = &'l [u8]>) -> bool {
    lines.any(|line| line.iter().any(|b| problem::is_informative(*b)))
}

fn is_made(reading: &Reading, change: &Change, there: &Range<usize>, ground: &Ground<'_>) -> bool {
    let told = |line: &[u8]| is_told([line].into_iter());
    let search = |index: usize| &reading.search[index][..];
    let kept = |index: usize| change.kept[index].is_some();
    let context = (0..change.kept.len()).any(|index| kept(index) && told(search(index)));
    let proven = |Hunk { old, new }: &Hunk| {
        let adds = new.clone().any(|index| told(&reading.replace[index]));
        if !adds {
            // That nothing is between two lines means something only if
            // both are known.
            let both = old.start > 0 && old.end < change.kept.len();
            return both && context;
        }
        context || old.clone().all(|index| is_edited(reading, change, index))
    };
    if !change.hunks().iter().all(proven) {
        return false;
    }
    let mut gone = (0..change.kept.len())
        .filter(|index| !kept(*index) && change.became[*index].is_none())
        .map(search)
        .filter(|line| told(line));
    let height = reading.search.len();
    let near = there.start.saturating_sub(height)..(there.end + height).min(ground.lines.len());
    let beside: Vec<usize> = near.filter(|line| !there.contains(line)).collect();
    !gone.any(|line| {
        let sum = Sum::of(line);
        let still = |at: &usize| {
            ground.sums[*at] == sum
                || problem::similarity(fold::trim(line), fold::trim(ground.lines.get(*at)))
                    >= STILL_THERE
        };
        beside.iter().any(still)
    })
}

/// Whether a line that goes comes back as one that is much like it.
fn is_edited(reading: &Reading, change: &Change, index: usize) -> bool {
    let line = fold::trim(&reading.search[index]);
    if line.is_empty() {
        return true;
    }
    let became = change.became[index].map(|new| fold::trim(&reading.replace[new]));
    became.is_some_and(|new| problem::similarity(line, new) >= SAME_PLACE)
}
