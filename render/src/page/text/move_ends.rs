//! The two ends of every move on the page.

use crate::view::{Row, View};
use std::collections::HashMap;

/// A file of a view and a row in it.
pub(super) type Place = (usize, usize);

/// The first row of each end, and the lines that were copied from.
pub(super) struct Ends {
    /// The number of the view's first move among those of the page.
    base: usize,
    /// By move, old and new; `None` where no line of it is shown.
    firsts: Vec<[Option<Place>; 2]>,
    /// Copies by file and old line: the original is still there, and is not marked.
    copied: HashMap<(usize, u32), Vec<usize>>,
}

impl Ends {
    pub(super) fn new(view: &View<'_>, base: usize) -> Self {
        let mut copied: HashMap<(usize, u32), Vec<usize>> = HashMap::new();
        for (index, copy) in view.moves.iter().enumerate().filter(|(_, m)| m.is_copy) {
            let Some(file) = copy.old.file else { continue };
            for line in copy.old.first..=copy.old.last {
                copied.entry((file, line)).or_default().push(index);
            }
        }
        let mut ends = Self {
            base,
            firsts: vec![[None; 2]; view.moves.len()],
            copied,
        };
        for (file, content) in view.files.iter().enumerate() {
            for (at, row) in content.rows.iter().enumerate() {
                let [old, new] = ends.of_row(file, row);
                for (side, blocks) in [old, new].into_iter().enumerate() {
                    for block in blocks {
                        let first = &mut ends.firsts[block][side];
                        *first = first.or(Some((file, at)));
                    }
                }
            }
        }
        ends
    }

    /// The moves of which a row is part, at their old and at their new ends.
    pub(super) fn of_row(&self, file: usize, row: &Row<'_>) -> [Vec<usize>; 2] {
        let Row::Lines { old, new } = row else {
            return Default::default();
        };
        let block = |line: Option<&crate::view::Line<'_>>| line.and_then(|line| line.block);
        let mut at_old: Vec<usize> = block(old.as_ref()).into_iter().collect();
        if !self.copied.is_empty()
            && let Some(line) = old
            && let Some(copies) = self.copied.get(&(file, line.number))
        {
            at_old.extend(copies);
        }
        [at_old, block(new.as_ref()).into_iter().collect()]
    }

    /// Whether an end of a move begins in this row.
    pub(super) fn begins(&self, block: usize, side: usize, place: Place) -> bool {
        self.firsts[block][side] == Some(place)
    }

    /// Whether a line of this end is on the page, so that a link finds it.
    pub(super) fn is_shown(&self, block: usize, side: usize) -> bool {
        self.firsts[block][side].is_some()
    }

    /// The number of a move among all moves of the page.
    pub(super) fn id(&self, block: usize) -> usize {
        self.base + block
    }

    /// What a link to an end names, such as `o3`.
    pub(super) fn anchor(&self, block: usize, side: usize) -> String {
        format!("{}{}", ["o", "n"][side], self.id(block))
    }
}
