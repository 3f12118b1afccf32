//! The place of a block relative to the lines that did not move with it.

use crate::difflib::{Opcode, Tag};

/// A place in one edit, in lines of the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// The lines of the base around it; more than one gap if lines around it were
    /// deleted.
    slots: (f64, f64),
    /// Number of lines inserted into that gap before it.
    behind: u32,
}

impl Place {
    /// The place before line `at` of an edit, after `others` further lines that
    /// are in no opcode. `opcodes` lead from the base to the edit.
    pub(super) fn new(opcodes: &[Opcode], at: u32, others: u32) -> Self {
        let mut slots: Option<(f64, f64)> = None;
        let mut behind = others;
        let mut widen = |slot: f64| {
            let (low, high) = slots.unwrap_or((slot, slot));
            slots = Some((low.min(slot), high.max(slot)));
        };
        for Opcode { tag, old, new } in opcodes {
            if new.start > at {
                break;
            }
            if new.end < at {
                continue;
            }
            if new.start == at {
                widen(f64::from(old.start));
            }
            if new.end == at {
                widen(f64::from(old.end));
            }
            if new.start < at && at < new.end {
                let done = f64::from(at - new.start) / new.len() as f64;
                widen(f64::from(old.start) + done * old.len() as f64);
            }
            if *tag == Tag::Insert {
                behind += at - new.start;
            }
        }
        Self {
            slots: slots.unwrap_or((0.0, 0.0)),
            behind,
        }
    }

    /// Number of lines between two places.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let apart = (self.slots.0 - other.slots.1).max(other.slots.0 - self.slots.1);
        if apart > 0.0 {
            apart
        } else {
            f64::from(self.behind.abs_diff(other.behind))
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "whole lines are meant")]
mod tests {
    use super::*;
    use crate::difflib::opcodes;

    fn place(base: &str, edit: &str, at: u32) -> Place {
        let [base, edit] = [base, edit].map(|text| text.chars().collect::<Vec<_>>());
        Place::new(&opcodes(&base, &edit).unwrap(), at, 0)
    }

    #[test]
    fn the_same_gap_is_the_same_place() {
        let untouched = place("abcd", "abcd", 2);
        assert_eq!(untouched.distance(&place("abcd", "xabcd", 3)), 0.0);
        assert_eq!(untouched.distance(&place("abcd", "ab", 2)), 0.0);
        assert_eq!(untouched.distance(&place("abcd", "bcd", 1)), 0.0);
        assert_eq!(untouched.distance(&place("abcd", "abd", 2)), 0.0);
    }

    #[test]
    fn lines_between_are_counted() {
        let untouched = place("abcd", "abcd", 2);
        assert_eq!(untouched.distance(&place("abcd", "abcd", 0)), 2.0);
        assert_eq!(untouched.distance(&place("abcd", "abxycd", 4)), 2.0);
        assert_eq!(place("", "", 0).distance(&place("", "xy", 1)), 1.0);
    }
}
