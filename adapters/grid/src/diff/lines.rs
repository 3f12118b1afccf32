//! From the core's script to what became of lines.

use crate::maps::{LineMove, Lines};
use mvdiff_core::{Role, Run, Script};

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
        removed: loose(script.old_len(), script.runs().iter().map(Run::old_range)),
        added: {
            let mut ranges: Vec<_> = script.runs().iter().map(Run::new_range).collect();
            ranges.sort_by_key(|range| range.start);
            loose(script.new_len(), ranges)
        },
        moves,
    }
}

/// What no range covers; ranges come in order.
fn loose(len: u32, ranges: impl IntoIterator<Item = std::ops::Range<u32>>) -> Vec<u32> {
    let mut loose = Vec::new();
    let mut at = 0;
    for range in ranges {
        loose.extend(at..range.start);
        at = range.end;
    }
    loose.extend(at..len);
    loose
}

/// Stretches of lines between two neighbours that stayed, as many gone as came:
/// `(old, new)` in order.
///
/// The engine calls two lines one, edited, when enough of it survives. Where as
/// many went as came between the same neighbours, less is enough: asked for each
/// pair, `same` decides.
pub(crate) fn pair_leftovers(lines: &mut Lines, script: &Script, same: impl Fn(u32, u32) -> bool) {
    let mut paired: Vec<(u32, u32)> = Vec::new();
    let (mut removed, mut added) = (
        lines.removed.iter().peekable(),
        lines.added.iter().peekable(),
    );
    let kept = script.runs().iter().filter(|run| run.role == Role::Kept);
    let ends = kept.map(|run| (run.old, run.new));
    for (old_end, new_end) in ends.chain([(lines.old_len, lines.new_len)]) {
        let take = |from: &mut std::iter::Peekable<std::slice::Iter<'_, u32>>, end: u32| {
            let mut taken = Vec::new();
            while let Some(&&line) = from.peek().filter(|line| ***line < end) {
                taken.push(line);
                from.next();
            }
            taken
        };
        let (old, new) = (take(&mut removed, old_end), take(&mut added, new_end));
        if old.len() == new.len() {
            let both = old.into_iter().zip(new);
            paired.extend(both.filter(|&(old, new)| same(old, new)));
        }
    }
    let gone: Vec<u32> = paired.iter().map(|pair| pair.0).collect();
    let came: Vec<u32> = paired.iter().map(|pair| pair.1).collect();
    lines
        .removed
        .retain(|line| gone.binary_search(line).is_err());
    lines.added.retain(|line| came.binary_search(line).is_err());
}
