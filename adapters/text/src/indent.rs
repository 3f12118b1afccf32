//! The uniform change of indentation of a block.

use crate::line::weight;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// White space at the start of every line of a block, replaced by other white
/// space. Blank lines have no indentation and stay unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Indent {
    /// Prefix of the old lines.
    pub from: String,
    /// Prefix of the new lines.
    pub to: String,
}

impl Indent {
    /// The shift of the lines (old, new) that say the most; `None` if those were not
    /// shifted.
    pub(crate) fn of_pairs<'l>(pairs: impl Iterator<Item = (&'l [u8], &'l [u8])>) -> Option<Self> {
        let mut shifts: Vec<(Self, f32)> = Vec::new();
        for (old, new) in pairs {
            let Some(shift) = Self::between(old, new) else {
                continue;
            };
            // Braces count only among themselves.
            let weight = weight(old).max(0.001);
            match shifts.iter_mut().find(|(seen, _)| *seen == shift) {
                Some((_, sum)) => *sum += weight,
                None => shifts.push((shift, weight)),
            }
        }
        // Ties prefer the earliest, for a deterministic result.
        let most = shifts.iter().map(|(_, sum)| *sum).max_by(f32::total_cmp)?;
        let (shift, _) = shifts.into_iter().find(|(_, sum)| *sum >= most)?;
        (shift.from != shift.to).then_some(shift)
    }

    /// The shift between two versions of a line; `None` if one is blank or they
    /// differ otherwise.
    pub(crate) fn between(old: &[u8], new: &[u8]) -> Option<Self> {
        let (old_text, new_text) = (old.trim_ascii_start(), new.trim_ascii_start());
        if old_text.is_empty() || old_text != new_text {
            return None;
        }
        let old = &old[..old.len() - old_text.len()];
        let new = &new[..new.len() - new_text.len()];
        let common = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let text =
            |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len() - common]).into_owned();
        Some(Self {
            from: text(old),
            to: text(new),
        })
    }

    /// Applies the shift to a line. A line that does not start with `from`, or is
    /// blank, is returned unchanged.
    #[must_use]
    pub fn apply(&self, line: &[u8]) -> Vec<u8> {
        match line.strip_prefix(self.from.as_bytes()) {
            Some(rest) if !line.trim_ascii().is_empty() => [self.to.as_bytes(), rest].concat(),
            _ => line.to_vec(),
        }
    }
}
