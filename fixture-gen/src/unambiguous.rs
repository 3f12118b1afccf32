//! Whether a move is unambiguous.

use crate::editor::Editor;
use crate::model::Sheet;
use std::collections::{BTreeSet, HashMap};

/// Whether, in every sheet, what was moved is the smallest set of rows and columns
/// that explains the new order, and the only one so small. Else another answer
/// would be as right.
#[must_use]
pub fn is_plain(editor: &Editor) -> bool {
    let sheets = editor.new.sheets.iter();
    let mut pairs = sheets.filter_map(|new| Some((editor.old.get(new.id)?, new)));
    pairs.all(|(old, new)| {
        let of = |all: &BTreeSet<(crate::model::SheetId, u32)>| -> BTreeSet<u32> {
            let here = all.iter().filter(|(sheet, _)| *sheet == new.id);
            here.map(|(_, line)| *line).collect()
        };
        unique(&filled_rows(old), &new.rows, &of(&editor.moved_rows))
            && unique(&old.cols, &new.cols, &of(&editor.moved_cols))
    })
}

fn filled_rows(sheet: &Sheet) -> Vec<u32> {
    let filled: BTreeSet<u32> = sheet.cells.keys().map(|key| key.0).collect();
    let rows = sheet.rows.iter().filter(|row| filled.contains(row));
    rows.copied().collect()
}

/// Whether the lines that did not move are the only longest sequence that keeps its
/// order.
fn unique(old: &[u32], new: &[u32], moved: &BTreeSet<u32>) -> bool {
    let place: HashMap<u32, usize> = new.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let order: Vec<usize> = old.iter().filter_map(|id| place.get(id).copied()).collect();
    let there = |id: &&u32| place.contains_key(id) && !moved.contains(id);
    let stayed = old.iter().filter(there).count();
    // The longest sequence that ends at each line, and in how many ways.
    let mut best: Vec<(usize, u64)> = Vec::new();
    for i in 0..order.len() {
        let before = (0..i).filter(|j| order[*j] < order[i]).map(|j| best[j]);
        let mut here = (0, 1);
        for (len, ways) in before {
            match len.cmp(&here.0) {
                std::cmp::Ordering::Greater => here = (len, ways),
                std::cmp::Ordering::Equal => here.1 = u64::min(here.1 + ways, 1 << 40),
                std::cmp::Ordering::Less => {}
            }
        }
        best.push((here.0 + 1, here.1));
    }
    let longest = best.iter().map(|b| b.0).max().unwrap_or(0);
    let ways: u64 = best.iter().filter(|b| b.0 == longest).map(|b| b.1).sum();
    longest == stayed && ways <= 1
}

#[cfg(test)]
mod tests {
    use super::unique;

    #[test]
    fn of_two_neighbours_that_changed_places_either_may_have_moved() {
        let moved = |lines: &[u32]| lines.iter().copied().collect();
        assert!(!unique(&[1, 2], &[2, 1], &moved(&[1])));
        assert!(unique(&[1, 2, 3], &[2, 3, 1], &moved(&[1])));
        assert!(!unique(&[1, 2, 3], &[2, 3, 1], &moved(&[2, 3])));
        assert!(unique(&[1, 2, 3], &[1, 9, 3], &moved(&[])));
    }
}
