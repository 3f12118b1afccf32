//! Checks the kept lines in a report.

use super::hidden::Hidden;
use super::input::{Input, Role, Spot};
use super::texts::KEPT;
use crate::Text;
use crate::effective::{EffectiveReport, KeptRun};
use mvdiff_core::Side;
use std::sync::Arc;

/// Reads and checks the kept lines.
pub(super) fn check(input: &mut Input<'_>, report: &EffectiveReport) -> Result<(), Hidden> {
    let mut ends = vec![[1u32; 2]; input.files.len()];
    // The runs of a file share its paths, which are looked up once.
    let mut last: Option<([&Arc<Text>; 2], usize)> = None;
    for KeptRun(old_path, old, new_path, new, len) in &report.kept {
        let partners = || Hidden::NotPartners {
            old: old_path.0.clone(),
            new: new_path.0.clone(),
        };
        let is_last =
            |[old, new]: [&Arc<Text>; 2]| Arc::ptr_eq(old, old_path) && Arc::ptr_eq(new, new_path);
        let file = if let Some((_, file)) = last.filter(|(paths, _)| is_last(*paths)) {
            file
        } else {
            let file = input.find(Side::New, &new_path.0).ok_or_else(partners)?;
            let known = &input.files[file];
            let makes_sense = known.role != Role::Verbatim || !known.spans.is_empty();
            if known.patch.old_path.as_deref() != Some(&old_path.0) || !makes_sense {
                return Err(partners());
            }
            file
        };
        last = Some(([old_path, new_path], file));
        let [old_end, new_end] = ends[file];
        let (Some(old_last), Some(new_last)) = (old.checked_add(*len), new.checked_add(*len))
        else {
            return Err(Hidden::NoSuchLine(input.place(Side::Old, file, *old)));
        };
        if *len == 0 || *old < old_end || *new < new_end {
            return Err(Hidden::KeptOutOfOrder {
                old: input.place(Side::Old, file, *old),
                new: input.place(Side::New, file, *new),
            });
        }
        ends[file] = [old_last, new_last];
        if input.files[file].role == Role::Whole {
            stands(input, file, [*old, *new, *len])?;
            continue;
        }
        keep(input, file, [*old, *new, *len])?;
        input.files[file].kept.push([*old, *new, *len]);
    }
    Ok(())
}

/// Checks that a run is part of its file's own alignment.
fn stands(input: &Input<'_>, file: usize, [old, new, len]: [u32; 3]) -> Result<(), Hidden> {
    let runs = &input.files[file].kept;
    let next = runs.partition_point(|run| run[0] <= old);
    let run = next.checked_sub(1).map(|before| runs[before]);
    let part = run.is_some_and(|[o, n, l]| {
        let into = old - o;
        new.checked_sub(n) == Some(into) && into.checked_add(len).is_some_and(|end| end <= l)
    });
    if part {
        return Ok(());
    }
    Err(Hidden::KeptUnequal {
        old: input.place(Side::Old, file, old),
        new: input.place(Side::New, file, new),
    })
}

/// Checks a run of kept lines, and marks them.
fn keep(input: &mut Input<'_>, file: usize, [old, new, len]: [u32; 3]) -> Result<(), Hidden> {
    let known = &mut input.files[file];
    let mut done = 0;
    let wrong = loop {
        if done == len {
            return Ok(());
        }
        if known.role == Role::Still && old != new {
            break done;
        }
        let (o, n) = (old + done, new + done);
        match (known.spot(Side::Old, o), known.spot(Side::New, n)) {
            // A pair in two different stretches would cross the unseen lines
            // between them.
            (Spot::Known(span, old_at, old_left), Spot::Known(other, new_at, new_left))
                if span == other =>
            {
                let count = (len - done).min(old_left).min(new_left);
                let [old_side, new_side] = &mut known.sides;
                let mut same = (0..count as usize)
                    .map(|i| old_side.text(old_at + i) == new_side.text(new_at + i));
                if let Some(i) = same.position(|same| !same) {
                    break done + i as u32;
                }
                let count_here = count as usize;
                for (side, at) in [(old_side, old_at), (new_side, new_at)] {
                    for mark in &mut side.marks[at..at + count_here] {
                        *mark |= KEPT;
                    }
                }
                done += count;
            }
            (Spot::Unseen(before, old_left), Spot::Unseen(other, new_left))
                if before == other && known.implies(before, o, n) =>
            {
                done += (len - done).min(old_left).min(new_left).max(1);
            }
            _ => break done,
        }
    };
    Err(Hidden::KeptUnequal {
        old: input.place(Side::Old, file, old + wrong),
        new: input.place(Side::New, file, new + wrong),
    })
}
