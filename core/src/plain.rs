//! The plain view: a script as deletions and insertions only, placed where
//! people expect them.

use crate::align::Aligner;
use crate::slide::slide;
use crate::{Options, Outcome, Problem, Relation, Role, Script, Side};
use std::ops::Range;

/// Old elements replaced by new ones; either range may be empty. Elements between
/// hunks are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The deleted elements.
    pub old: Range<u32>,
    /// The inserted elements.
    pub new: Range<u32>,
}

/// The hunks of a script between partner segments, in old order of partners.
/// Moves appear as deletions and insertions, and elements equal only at a coarser
/// level as changes.
///
/// Hunks are slid to where people expect them (by [`Problem::layout`], as
/// `git diff` does with its indent heuristic), but never so far that an element of
/// a move would count as kept. Segments without a partner have no hunks.
///
/// ```
/// use mvdiff_core::{Options, Slices, diff, plain};
///
/// let (old, new) = (["a", "b", "c"], ["a", "x", "c"]);
/// let problem = Slices::new(&old, &new)?;
/// let script = diff(&problem, &Options::default())?.script;
/// let hunks = plain(&problem, &script, &Options::default());
/// assert_eq!((hunks[0].old.clone(), hunks[0].new.clone()), (1..2, 1..2));
/// # Ok::<(), mvdiff_core::Error>(())
/// ```
#[must_use]
pub fn plain<P: Problem + ?Sized>(problem: &P, script: &Script, options: &Options) -> Vec<Hunk> {
    let sides = [Side::Old, Side::New];
    let tokens = sides.map(|side| problem.tokens(side));
    let segments = sides.map(|side| problem.segments(side));
    let mut partners = problem.partners();
    partners.sort_unstable();

    let mut changed = sides.map(|side| vec![true; problem.tokens(side).len()]);
    let mut moved = sides.map(|side| vec![false; problem.tokens(side).len()]);
    for run in script.runs() {
        let ([old, new], value) = match (run.role, run.relation) {
            (Role::Kept, Relation::EXACT) => (&mut changed, false),
            (Role::Moved(_), _) => (&mut moved, true),
            (Role::Kept, _) => continue,
        };
        old[to_usize(&run.old_range())].fill(value);
        new[to_usize(&run.new_range())].fill(value);
    }
    let highest = tokens
        .iter()
        .flat_map(|t| t.iter())
        .max()
        .map_or(0, |t| t.0 as usize + 1);
    let mut aligner = Aligner::new(options, highest);
    let mut hunks = Vec::new();
    for (s, t) in partners {
        let [old, new] = [
            segments[0][s as usize].clone(),
            segments[1][t as usize].clone(),
        ];
        let range = [to_usize(&old), to_usize(&new)];
        let part = [&tokens[0][range[0].clone()], &tokens[1][range[1].clone()]];
        let mut changed = parts(&mut changed, &range);
        let moved = parts(&mut moved, &range);
        // Without moves, a moved element may still be the best common line of a
        // gap.
        for gap in hunks_of(&changed) {
            let (o, n) = (to_usize(&gap.old), to_usize(&gap.new));
            if !moved[0][o.clone()].contains(&true) && !moved[1][n.clone()].contains(&true) {
                continue;
            }
            let found = aligner.align(
                &part[0][o.clone()],
                &part[1][n.clone()],
                None,
                &mut Outcome::default(),
            );
            for block in found.kept {
                let len = block.len as usize;
                let (old, new) = (o.start + block.old as usize, n.start + block.new as usize);
                changed[0][old..old + len].fill(false);
                changed[1][new..new + len].fill(false);
                moved[0][old..old + len].fill(false);
                moved[1][new..new + len].fill(false);
            }
        }
        let base = [old.start, new.start];
        slide(
            part,
            &mut changed,
            |side, index| moved[side][index],
            |side, index| problem.layout(sides[side], base[side] + index as u32),
        );
        hunks.extend(hunks_of(&changed).into_iter().map(|hunk| Hunk {
            old: hunk.old.start + old.start..hunk.old.end + old.start,
            new: hunk.new.start + new.start..hunk.new.end + new.start,
        }));
    }
    hunks
}

fn parts<'f>(flags: &'f mut [Vec<bool>; 2], range: &[Range<usize>; 2]) -> [&'f mut [bool]; 2] {
    let [old, new] = flags;
    [&mut old[range[0].clone()], &mut new[range[1].clone()]]
}

fn to_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Stretches with a change on either side.
fn hunks_of(changed: &[&mut [bool]; 2]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let (mut o, mut n) = (0, 0);
    let skip = |flags: &[bool], from: usize| {
        flags[from..]
            .iter()
            .position(|c| !c)
            .map_or(flags.len(), |at| from + at)
    };
    loop {
        let (old_end, new_end) = (skip(changed[0], o), skip(changed[1], n));
        if old_end > o || new_end > n {
            hunks.push(Hunk {
                old: o as u32..old_end as u32,
                new: n as u32..new_end as u32,
            });
        }
        if old_end == changed[0].len() || new_end == changed[1].len() {
            debug_assert_eq!((old_end, new_end), (changed[0].len(), changed[1].len()));
            return hunks;
        }
        // Equal elements pair in order: walk on to the next change.
        let equal = changed[0][old_end..]
            .iter()
            .zip(changed[1][new_end..].iter())
            .take_while(|(a, b)| !**a && !**b)
            .count();
        (o, n) = (old_end + equal, new_end + equal);
        if o == changed[0].len() && n == changed[1].len() {
            return hunks;
        }
    }
}
