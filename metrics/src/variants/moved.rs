//! Text-IoU that treats a block that both edits moved as a unit.
//!
//! To Text-IoU a moved block is a deletion in one place and an insertion in
//! another. Moving it to the next gap earns nothing for its lines and pays for
//! them twice, so deleting the block outright scores better. Here, the lines that
//! both edits moved are taken out of the three texts and judged separately; the
//! rest is scored as usual, so that without common moves the score equals
//! Text-IoU.

use super::place::Place;
use super::problem::{LineProblem, options};
use crate::lines::{Lines, Triple};
use crate::score::ratio;
use crate::{Error, Options, Scorer};
use mvdiff_core::Role;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Text-IoU that treats a block that both edits moved as a unit.
///
/// Each of its lines weighs 2, like a deleted and an inserted line: 1 for
/// leaving, which both did, and up to 1 for its content `c` times its place,
/// `(1 + 1 / (1 + d)) / 2`, where `d` is the distance in lines from the other
/// edit's place. So the right place earns everything, any other at least three
/// quarters, a deletion half, and leaving the block in place nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveAware {
    /// The score.
    pub score: f64,
    /// Blocks that both edits moved.
    pub moves: u32,
    /// Their contribution to the union.
    pub union: u64,
    /// The amount they earned.
    pub earned: f64,
    /// Whether the search for moves stayed within its budgets.
    pub complete: bool,
}

/// The move of a base line in one edit, and the line's new place.
type Moved = Option<(u32, u32)>;

/// Lines of the base that moved together in both edits.
#[derive(Debug, Default)]
struct Unit {
    /// Lines in the base, in `a` and in `b`.
    lines: Vec<[u32; 3]>,
}

impl Scorer {
    pub(super) fn move_aware(
        &mut self,
        lines: &Triple<'_>,
        options: Options,
    ) -> Result<MoveAware, Error> {
        let (of_a, whole_a) = moved(&lines.base, &lines.a)?;
        let (of_b, whole_b) = moved(&lines.base, &lines.b)?;
        let units = units(&of_a, &of_b);
        let mut found = MoveAware {
            score: 1.0,
            moves: units.len() as u32,
            union: 0,
            earned: 0.0,
            complete: whole_a && whole_b,
        };
        let taken = |side: usize, lines: &Lines<'_>| {
            let mut taken = vec![false; lines.token.len()];
            let of_units = units.iter().flat_map(|unit| &unit.lines);
            of_units.for_each(|line| taken[line[side] as usize] = true);
            taken
        };
        let taken = [
            taken(0, &lines.base),
            taken(1, &lines.a),
            taken(2, &lines.b),
        ];
        let rest = Triple {
            base: lines.base.without(&taken[0]),
            a: lines.a.without(&taken[1]),
            b: lines.b.without(&taken[2]),
        };
        let opcodes =
            [&rest.a, &rest.b].map(|edit| self.matcher.opcodes(&rest.base.token, &edit.token));
        for unit in &units {
            let [a, b] = [1, 2].map(|side| {
                let at = unit.lines.iter().map(|line| line[side]).min().unwrap_or(0) as usize;
                let before = &taken[side][..at];
                let others = before.iter().rev().take_while(|taken| **taken).count();
                let left = before.iter().filter(|taken| !**taken).count();
                Place::new(&opcodes[side - 1], left as u32, others as u32)
            });
            let place = f64::midpoint(1.0, 1.0 / (1.0 + a.distance(&b)));
            for &[_, a, b] in &unit.lines {
                let (a, b) = (a as usize, b as usize);
                let content = match options.similarity {
                    _ if lines.a.token[a] == lines.b.token[b] => 1.0,
                    true => ratio(lines.a.text[a], lines.b.text[b]),
                    false => 0.0,
                };
                found.union += 2;
                found.earned += 1.0 + content * place;
            }
        }
        let parts = self.measure(&rest, options, &mut ());
        let union = parts.union() + found.union;
        if lines.a.token != lines.b.token && union > 0 {
            found.score = (parts.earned() + found.earned) / union as f64;
        }
        Ok(found)
    }
}

/// For each line of the base, the move that contains it; and whether the search
/// stayed within its budgets.
fn moved(base: &Lines<'_>, edit: &Lines<'_>) -> Result<(Vec<Moved>, bool), Error> {
    let mut moved = vec![None; base.token.len()];
    let diff = mvdiff_core::diff(&LineProblem([base, edit]), &options())?;
    for run in diff.script.runs() {
        if let Role::Moved(id) = run.role {
            for (old, new) in run.old_range().zip(run.new_range()) {
                moved[old as usize] = Some((id, new));
            }
        }
    }
    Ok((moved, diff.outcome.is_complete()))
}

/// Lines that moved in both edits, grouped by their moves.
fn units(of_a: &[Moved], of_b: &[Moved]) -> Vec<Unit> {
    let mut units: BTreeMap<(u32, u32), Unit> = BTreeMap::new();
    for (base, both) in (0..).zip(of_a.iter().zip(of_b)) {
        if let (Some((move_a, a)), Some((move_b, b))) = both {
            let unit = units.entry((*move_a, *move_b)).or_default();
            unit.lines.push([base, *a, *b]);
        }
    }
    units.into_values().collect()
}
