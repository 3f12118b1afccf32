//! Kept lines whose white space changed together.

use crate::Indent;
use crate::line::{is_blank, weight, without_newline};

/// Most lines between two lines of one block.
const REACH: u32 = 20;

/// A block that was reindented in place, or changed at its line ends only.
pub(crate) struct Shifted {
    /// How its indentation changed; from nothing to nothing if it did not.
    pub shift: Indent,
    /// Its lines, old and new.
    pub pairs: Vec<(u32, u32)>,
    /// Blank lines after it, which join it if it continues.
    blank: Vec<(u32, u32)>,
}

/// A kept line.
pub(crate) struct Stayed<'l> {
    pub pair: (u32, u32),
    pub old: &'l [u8],
    pub new: &'l [u8],
    /// Its file or window, and the stretch within it.
    pub place: Place,
}

/// Lines in different places are in different blocks.
type Place = (usize, usize, usize);

/// Which kept lines form a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Together {
    /// Those with the same change of indentation.
    Shifted,
    /// Those, and those that changed only at their ends, as when a file got other
    /// line ends.
    ShiftedOrEnded,
}

/// Blocks of kept lines with the same shift, in order. At least two lines must be
/// informative: a single line remains a change.
pub(crate) fn shifted<'l>(
    lines: impl Iterator<Item = Stayed<'l>>,
    together: Together,
) -> Vec<Shifted> {
    let mut found = Vec::new();
    let mut open: Option<(Shifted, Place, u32)> = None;
    let mut close = |open: &mut Option<(Shifted, Place, u32)>| {
        let says_enough = |(_, _, informative): &(Shifted, Place, u32)| *informative > 1;
        found.extend(open.take().filter(says_enough).map(|(block, ..)| block));
    };
    for line in lines {
        let (old, new) = (without_newline(line.old), without_newline(line.new));
        if old == new {
            if open.is_some() && !is_blank(old) {
                close(&mut open);
            }
            continue;
        }
        if is_blank(old) && is_blank(new) {
            // A blank line has no indentation, but its white space changed along
            // with its block.
            if let Some((block, ..)) = open.as_mut() {
                block.blank.push(line.pair);
            }
            continue;
        }
        // An edited line may be inside a block.
        let Some(shift) = Indent::between(old.trim_ascii_end(), new.trim_ascii_end()) else {
            continue;
        };
        // One that kept its indentation may not.
        if shift.from == shift.to && together == Together::Shifted {
            close(&mut open);
            continue;
        }
        let goes_on = open.as_ref().is_some_and(|(block, place, _)| {
            *place == line.place && block.shift == shift && block.reaches(line.pair)
        });
        if !goes_on {
            close(&mut open);
        }
        let (block, _, informative) = open.get_or_insert_with(|| {
            let block = Shifted {
                shift,
                pairs: Vec::new(),
                blank: Vec::new(),
            };
            (block, line.place, 0)
        });
        block.pairs.append(&mut block.blank);
        block.pairs.push(line.pair);
        *informative += u32::from(weight(old) > 0.0);
    }
    close(&mut open);
    found
}

impl Shifted {
    /// Whether a pair is close enough to belong to the same block.
    fn reaches(&self, (old, new): (u32, u32)) -> bool {
        let near = |last: u32, next: u32| next > last && next - last <= REACH + 1;
        self.pairs
            .last()
            .is_none_or(|last| near(last.0, old) && near(last.1, new))
    }
}
