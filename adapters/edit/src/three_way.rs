//! Two changes of one text merged by line, where they touch different lines.

use crate::problem::LineProblem;
use mvdiff_core::{Options, Script};
use std::ops::Range;

/// Lines of the base and what became of them.
struct Piece {
    base: Range<usize>,
    new: Range<usize>,
}

/// Does to `ours` what `theirs` did to `base`.
///
/// # Errors
/// The first line of `ours`, counted from zero, that both changed.
pub fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Vec<u8>, usize> {
    let [base, ours, theirs] = [base, ours, theirs].map(lines);
    let (own, other) = (pieces(&base, &ours), pieces(&base, &theirs));
    let mut out = Vec::new();
    let mut at = 0;
    // Where the next line of the base is in ours.
    let mut next = own.iter().peekable();
    let copy = |to: usize,
                next: &mut std::iter::Peekable<std::slice::Iter<'_, Piece>>,
                at: &mut usize,
                out: &mut Vec<u8>| {
        while let Some(piece) = next.next_if(|piece| piece.base.end < to) {
            base[*at..piece.base.start]
                .iter()
                .for_each(|line| out.extend(line));
            ours[piece.new.clone()]
                .iter()
                .for_each(|line| out.extend(line));
            *at = piece.base.end;
        }
        base[*at..to].iter().for_each(|line| out.extend(line));
        *at = to;
    };
    for piece in &other {
        let touches =
            |own: &&Piece| own.base.start <= piece.base.end && piece.base.start <= own.base.end;
        if let Some(rival) = own.iter().find(touches) {
            return Err(rival.new.start);
        }
        copy(piece.base.start, &mut next, &mut at, &mut out);
        theirs[piece.new.clone()]
            .iter()
            .for_each(|line| out.extend(line));
        at = piece.base.end;
    }
    for piece in next {
        base[at..piece.base.start]
            .iter()
            .for_each(|line| out.extend(line));
        ours[piece.new.clone()]
            .iter()
            .for_each(|line| out.extend(line));
        at = piece.base.end;
    }
    base[at..].iter().for_each(|line| out.extend(line));
    Ok(out)
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    mvdiff_lines::split(text).map(<[u8]>::to_vec).collect()
}

/// What differs between two texts, in order.
fn pieces(old: &[Vec<u8>], new: &[Vec<u8>]) -> Vec<Piece> {
    let problem = LineProblem::of_bytes(old, new);
    let options = Options::default().with(|o| {
        o.moves = false;
        o.edits = false;
    });
    let script = mvdiff_core::diff(&problem, &options).map(|diff| diff.script);
    let mut found = Vec::new();
    let (mut o, mut n) = (0, 0);
    let mut up_to = |old: usize, new: usize, found: &mut Vec<Piece>| {
        if old > o || new > n {
            found.push(Piece {
                base: o..old,
                new: n..new,
            });
        }
        (o, n) = (old, new);
    };
    for run in script.iter().flat_map(Script::runs) {
        up_to(run.old as usize, run.new as usize, &mut found);
        let (old, new) = ((run.old + run.len) as usize, (run.new + run.len) as usize);
        // What is the same is not a piece.
        let mut skipped = Vec::new();
        up_to(old, new, &mut skipped);
    }
    up_to(old.len(), new.len(), &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::merge_lines as merge;

    #[test]
    fn changes_of_different_lines_are_put_together() {
        let base = b"a\nb\nc\nd\ne\n";
        let merged = merge(base, b"A\nb\nc\nd\ne\nf\n", b"a\nb\nd\ne\n");
        assert_eq!(merged.unwrap(), b"A\nb\nd\ne\nf\n");
        assert_eq!(merge(base, base, b"x\n").unwrap(), b"x\n");
        assert_eq!(merge(base, b"a\nb\nC\nd\ne\n", b"a\nb\nd\ne\n"), Err(2));
    }
}
