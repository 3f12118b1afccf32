//! From the core's script to what became of lines.

use crate::cell_map::{LineMove, Lines};
use mvdiff_core::{Run, Script};

/// What a script says of rows or columns. A block into which something was
/// inserted, or out of which something was taken, is as many blocks as are left.
pub(crate) fn lines(script: &Script) -> Lines {
    let mut moves: Vec<LineMove> = Vec::new();
    for id in 0..script.moves().len() as u32 {
        let first = moves.len();
        for run in script.runs_of(id) {
            match moves[first..].last_mut() {
                Some(last) if (last.src + last.len, last.dst + last.len) == (run.old, run.new) => {
                    last.len += run.len;
                }
                _ => moves.push(LineMove {
                    src: run.old,
                    len: run.len,
                    dst: run.new,
                }),
            }
        }
    }
    moves.sort_unstable();
    Lines {
        old_len: script.old_len(),
        new_len: script.new_len(),
        removed: unmatched(script.old_len(), script.runs().iter().map(Run::old_range)),
        added: {
            let mut ranges: Vec<_> = script.runs().iter().map(Run::new_range).collect();
            ranges.sort_by_key(|range| range.start);
            unmatched(script.new_len(), ranges)
        },
        moves,
    }
}

/// What no range covers; ranges come in order.
fn unmatched(len: u32, ranges: impl IntoIterator<Item = std::ops::Range<u32>>) -> Vec<u32> {
    let mut unmatched = Vec::new();
    let mut at = 0;
    for range in ranges {
        unmatched.extend(at..range.start);
        at = range.end;
    }
    unmatched.extend(at..len);
    unmatched
}
