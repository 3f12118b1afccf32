//! The one change of indentation of a block.

use serde::{Deserialize, Serialize};

/// White space at the start of every line of a block, replaced by other white
/// space. Blank lines have no indentation and stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Indent {
    /// What the old lines begin with.
    pub from: String,
    /// What the new lines begin with instead.
    pub to: String,
}

impl Indent {
    /// The shift that most pairs (old line, new line) follow, if they are not
    /// just where they were.
    pub(crate) fn of_pairs<'l>(pairs: impl Iterator<Item = (&'l [u8], &'l [u8])>) -> Option<Self> {
        let mut shifts: Vec<(Self, usize)> = Vec::new();
        for (old, new) in pairs {
            let Some(shift) = Self::between(old, new) else {
                continue;
            };
            match shifts.iter_mut().find(|(seen, _)| *seen == shift) {
                Some((_, count)) => *count += 1,
                None => shifts.push((shift, 1)),
            }
        }
        // The earliest of equals, for one answer on every run.
        let most = shifts.iter().map(|(_, count)| *count).max()?;
        let (shift, _) = shifts.into_iter().find(|(_, count)| *count == most)?;
        (shift.from != shift.to).then_some(shift)
    }

    /// The shift between two versions of one line; `None` if one is blank or
    /// they differ in more.
    fn between(old: &[u8], new: &[u8]) -> Option<Self> {
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

    /// How one line was shifted, white space at its end aside; `None` if it was
    /// not, or if more than that changed.
    pub(crate) fn of_line(old: &[u8], new: &[u8]) -> Option<Self> {
        let shift = Self::between(old.trim_ascii_end(), new.trim_ascii_end())?;
        (shift.from != shift.to).then_some(shift)
    }

    /// The line after the shift; a line that does not begin with `from`, or is
    /// blank, stays as it is.
    #[must_use]
    pub fn apply(&self, line: &[u8]) -> Vec<u8> {
        match line.strip_prefix(self.from.as_bytes()) {
            Some(rest) if !line.trim_ascii().is_empty() => [self.to.as_bytes(), rest].concat(),
            _ => line.to_vec(),
        }
    }
}
