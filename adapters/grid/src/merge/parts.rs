//! Macros, queries and other parts that belong to no sheet: a part goes as a whole.

use super::Work;
use super::conflict::{Conflict, ConflictKind};
use crate::{DiffOp, PartChange};
use serde_json::{Value as Json, json};

impl Work<'_> {
    /// Takes parts over that only theirs changed.
    pub(super) fn whole_parts(&mut self) {
        let (ours, theirs) = (self.ours.report, self.theirs.report);
        for (at, op) in theirs.ops.iter().enumerate() {
            if op.sheet().is_some() || op.aspect().is_none() {
                continue;
            }
            let mut own = ours.ops.iter().filter(|own| is_about(own, op));
            let Some(twin) = own.next() else {
                self.out.ops.push(op.clone());
                self.theirs.fates[at].done = true;
                continue;
            };
            if ours.ops.contains(op) || to_the_same(twin, op) {
                self.theirs.fates[at].same = true;
                continue;
            }
            self.theirs.fates[at].conflict = true;
            let (name, ours, theirs) = match (twin, op) {
                (_, DiffOp::ModuleChanged(code) | DiffOp::QueryChanged(code)) => {
                    (code.name.clone(), Json::Null, json!(code.to))
                }
                (DiffOp::PartChanged(own), DiffOp::PartChanged(part)) => {
                    (part_name(part), json!(own.change.to), json!(part.change.to))
                }
                _ => continue,
            };
            self.conflict(Conflict {
                ours,
                theirs,
                part: Some(name.clone()),
                ..Conflict::new(
                    ConflictKind::Part,
                    format!("ours and theirs changed {name} in different ways; it is as in ours"),
                )
            });
        }
    }
}

/// Whether an operation of ours is about the part that one of theirs is about.
fn is_about(ours: &DiffOp, theirs: &DiffOp) -> bool {
    let DiffOp::PartChanged(own) = ours else {
        return false;
    };
    if ours.sheet().is_some() || ours.aspect() != theirs.aspect() {
        return false;
    }
    match theirs {
        DiffOp::PartChanged(part) => match (&own.from_parts, &part.from_parts) {
            (Some(a), Some(b)) => a == b,
            (None, None) => relation(own) == relation(part),
            _ => false,
        },
        // Modules and queries are in one part.
        _ => own.listed,
    }
}

fn to_the_same(ours: &DiffOp, theirs: &DiffOp) -> bool {
    match (ours, theirs) {
        (DiffOp::PartChanged(a), DiffOp::PartChanged(b)) => {
            (&a.from_parts, &a.to_parts) == (&b.from_parts, &b.to_parts)
        }
        _ => false,
    }
}

fn relation(part: &PartChange) -> Option<&str> {
    let parts = part.from_parts.as_ref().or(part.to_parts.as_ref())?;
    Some(&parts.relation)
}

fn part_name(part: &PartChange) -> String {
    let parts = part.from_parts.as_ref().or(part.to_parts.as_ref());
    let first = parts.and_then(|parts| parts.parts.first());
    first.map_or_else(|| part.what.clone(), |part| part.name.clone())
}
