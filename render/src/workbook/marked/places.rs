//! Positions of rows and columns in the marked-up sheet.

use crate::workbook::view::{Axis, LineFate};

/// The rows, or the columns, of a marked sheet.
#[derive(Default)]
pub(super) struct Places {
    /// Runs of removed lines that are put back: first old line, count, where they are.
    back: Vec<(u32, u32, u32)>,
    /// Lines of the marked sheet, as far as something is known of them.
    pub len: u32,
}

impl Places {
    /// The new lines, with removed ones in their old place if they are to be put back.
    pub(super) fn new(axis: &Axis, put_back: bool) -> Self {
        let mut places = Self::default();
        for run in axis.runs() {
            let first = run.line(0);
            match (first.old, first.became) {
                (Some(old), LineFate::Removed) if put_back => {
                    places.back.push((old, run.count, places.len));
                }
                _ if first.new.is_none() => continue,
                _ => {}
            }
            places.len += run.count;
        }
        places
    }

    /// Where a new line is.
    pub(super) fn of_new(&self, new: u32) -> u32 {
        let mut at = new;
        for (_, count, start) in &self.back {
            if *start > at {
                break;
            }
            at += count;
        }
        at
    }

    /// Where a removed line is, if it was put back.
    pub(super) fn of_removed(&self, old: u32) -> Option<u32> {
        let mut runs = self.back.iter();
        let run = runs.find(|(first, count, _)| (*first..first + count).contains(&old));
        run.map(|(first, _, start)| start + old - first)
    }

    /// Which lines were put back: old ones, and where they are.
    pub(super) fn put_back(&self) -> impl Iterator<Item = (u32, u32)> {
        let runs = self.back.iter();
        runs.flat_map(|(first, count, start)| (0..*count).map(move |i| (first + i, start + i)))
    }

    /// Runs of lines that were put back: where they begin, and how many.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.back.iter().map(|(_, count, start)| (*start, *count))
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::workbook::view::Axis;

    #[test]
    fn removed_lines_are_put_back_where_they_stood() {
        // Old lines 0-4, of which 1 and 2 went; a line came at the end.
        let to_new = [Some(0), None, None, Some(1), Some(2)];
        let to_old = [Some(0), Some(3), Some(4), None];
        let axis = Axis::new(
            (5, 4),
            |old| to_new[old as usize],
            |new| to_old[new as usize],
            &[],
        );
        let places = Places::new(&axis, true);
        let new: Vec<u32> = (0..5).map(|new| places.of_new(new)).collect();
        assert_eq!(new, [0, 3, 4, 5, 6]);
        assert_eq!(places.of_removed(2), Some(2));
        assert_eq!(places.of_removed(3), None);
        assert_eq!(places.put_back().collect::<Vec<_>>(), [(1, 1), (2, 2)]);
        let without = Places::new(&axis, false);
        assert_eq!((without.of_new(3), without.len), (3, 4));
        assert_eq!(without.of_removed(1), None);
    }
}
