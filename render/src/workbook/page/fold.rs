//! Which rows and columns are shown, and which are folded.

use crate::workbook::view::{Axis, LineFate, SheetShow};
use std::collections::BTreeSet;
use std::ops::Range;

/// Rows that are shown around one to which something happened.
const CONTEXT: u32 = 3;
/// Rows that are shown of columns to which something happened.
const TOP: u32 = 10;
/// A fold of fewer rows hides no more than it takes itself.
const SMALLEST: u32 = 3;
/// Sheets with more columns show only those to which something happened.
const WIDE: u32 = 30;
/// Columns that are shown around such a column, and of all.
const BESIDE: u32 = 2;
const MOST: usize = 120;

/// Neighbours that are shown, or folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    Shown(Range<u32>),
    Folded(Range<u32>),
}

/// The rows of a sheet: changes and their context are shown.
pub(super) fn rows(sheet: &SheetShow<'_>) -> Vec<Stretch> {
    let changed = sheet.rows.runs().iter();
    let changed = changed.filter(|run| run.became() != LineFate::Kept);
    let runs = changed.map(|run| run.start..run.start + run.count);
    let mut wanted: Vec<Range<u32>> = runs
        .chain(sheet.touched_rows().into_iter().map(|at| at..at + 1))
        .map(|range| range.start.saturating_sub(CONTEXT)..range.end.saturating_add(CONTEXT))
        .collect();
    // The first row mostly names the columns; those that came, went or moved are
    // shown with some of their cells.
    let mut columns = sheet.cols.runs().iter();
    let columns_stay = columns.all(|run| run.became() == LineFate::Kept);
    wanted.push(0..if columns_stay { 1 } else { TOP });
    stretches(wanted, sheet.rows.len())
}

fn stretches(mut wanted: Vec<Range<u32>>, len: u32) -> Vec<Stretch> {
    wanted.sort_by_key(|range| range.start);
    let mut all: Vec<Stretch> = Vec::new();
    let mut at = 0;
    for range in wanted {
        let (start, end) = (range.start.min(len), range.end.min(len));
        if start >= at + SMALLEST {
            all.push(Stretch::Folded(at..start));
            at = start;
        }
        if end <= at {
            continue;
        }
        match all.last_mut() {
            Some(Stretch::Shown(shown)) => shown.end = end,
            _ => all.push(Stretch::Shown(at..end)),
        }
        at = end;
    }
    if at < len {
        match all.last_mut() {
            Some(Stretch::Shown(shown)) if len - at < SMALLEST => shown.end = len,
            _ => all.push(Stretch::Folded(at..len)),
        }
    }
    all
}

/// A column of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    At(u32),
    /// So many that are left out.
    Gap(u32),
}

/// The columns of a sheet: all of them, or those to which something happened.
pub(super) fn columns(sheet: &SheetShow<'_>) -> Vec<Column> {
    let cols: &Axis = &sheet.cols;
    if cols.len() <= WIDE {
        return (0..cols.len()).map(Column::At).collect();
    }
    let changed = cols.runs().iter();
    let changed = changed.filter(|run| run.became() != LineFate::Kept);
    let changed = changed.flat_map(|run| run.start..run.start + run.count.min(MOST as u32));
    let mut wanted: BTreeSet<u32> = BTreeSet::new();
    for at in changed.chain(sheet.touched_cols()) {
        wanted.extend(at.saturating_sub(BESIDE)..=(at + BESIDE).min(cols.len() - 1));
        if wanted.len() >= MOST {
            break;
        }
    }
    // The first ones mostly say which row it is; if only rows came and went, one
    // column is as good as another.
    let first = if wanted.is_empty() { WIDE } else { BESIDE };
    wanted.extend(0..first);
    let mut shown = Vec::new();
    let mut at = 0;
    for &col in wanted.iter().take(MOST) {
        if col > at {
            shown.push(Column::Gap(col - at));
        }
        shown.push(Column::At(col));
        at = col + 1;
    }
    if at < cols.len() {
        shown.push(Column::Gap(cols.len() - at));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Stretch, stretches};

    #[test]
    fn what_is_far_from_changes_is_folded() {
        use Stretch::{Folded, Shown};
        let wanted = vec![0..1, 10..17, 15..20, 22..23];
        assert_eq!(
            stretches(wanted, 40),
            [Shown(0..1), Folded(1..10), Shown(10..23), Folded(23..40)]
        );
        let head = |len| stretches(std::iter::once(0..1).collect(), len);
        assert_eq!(head(1), [Shown(0..1)]);
        assert_eq!(head(3), [Shown(0..3)]);
        assert_eq!(head(0), []);
        assert_eq!(stretches(vec![0..1, 3..99], 5), [Shown(0..5)]);
    }
}
