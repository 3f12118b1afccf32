//! Current positions of rows and columns, and of the ends of a range.

use crate::model::{Book, Sheet, SheetId};
use std::collections::HashMap;

/// The places of everything in a book, and the order that things had in the book
/// it was made from.
pub struct Positions<'b> {
    now: HashMap<SheetId, (&'b Sheet, Axes)>,
    was: HashMap<SheetId, (&'b Sheet, Axes)>,
}

/// Rows and columns by identity.
struct Axes {
    rows: HashMap<u32, u32>,
    cols: HashMap<u32, u32>,
}

fn places(ids: &[u32]) -> HashMap<u32, u32> {
    ids.iter().copied().zip(0..).collect()
}

fn index(book: &Book) -> HashMap<SheetId, (&Sheet, Axes)> {
    let axes = |sheet: &Sheet| Axes {
        rows: places(&sheet.rows),
        cols: places(&sheet.cols),
    };
    book.sheets.iter().map(|s| (s.id, (s, axes(s)))).collect()
}

impl<'b> Positions<'b> {
    /// The places in `now`, a book that was made from `was`.
    #[must_use]
    pub fn new(now: &'b Book, was: &'b Book) -> Self {
        Self {
            now: index(now),
            was: index(was),
        }
    }

    /// The name of a sheet; `#REF!` if it is gone.
    #[must_use]
    pub fn sheet_name(&self, sheet: SheetId) -> &str {
        self.now.get(&sheet).map_or("#REF!", |(s, _)| &s.name)
    }

    /// Where a row is now.
    #[must_use]
    pub fn row(&self, sheet: SheetId, id: u32) -> Option<u32> {
        self.now.get(&sheet)?.1.rows.get(&id).copied()
    }

    /// Where a column is now.
    #[must_use]
    pub fn col(&self, sheet: SheetId, id: u32) -> Option<u32> {
        self.now.get(&sheet)?.1.cols.get(&id).copied()
    }

    /// Where the rows of a range went, from its first to its last. An end that is
    /// gone gives way to the next one inside that is still there.
    #[must_use]
    pub fn rows(&self, sheet: SheetId, first: u32, last: u32) -> Option<(u32, u32)> {
        let now = &self.now.get(&sheet)?.1.rows;
        let was = self.was.get(&sheet);
        range(now, was.map(|(s, a)| (&s.rows[..], &a.rows)), first, last)
    }

    /// Where the columns of a range went.
    #[must_use]
    pub fn cols(&self, sheet: SheetId, first: u32, last: u32) -> Option<(u32, u32)> {
        let now = &self.now.get(&sheet)?.1.cols;
        let was = self.was.get(&sheet);
        range(now, was.map(|(s, a)| (&s.cols[..], &a.cols)), first, last)
    }
}

fn range(
    now: &HashMap<u32, u32>,
    was: Option<(&[u32], &HashMap<u32, u32>)>,
    first: u32,
    last: u32,
) -> Option<(u32, u32)> {
    if let (Some(a), Some(b)) = (now.get(&first), now.get(&last)) {
        return Some((*a, *b));
    }
    let (order, place) = was?;
    let (a, b) = (*place.get(&first)? as usize, *place.get(&last)? as usize);
    let inside = &order[a.min(b)..=a.max(b)];
    let mut there = inside.iter().filter_map(|id| now.get(id).copied());
    let (top, bottom) = {
        let top = there.next()?;
        (top, there.next_back().unwrap_or(top))
    };
    Some(if a <= b { (top, bottom) } else { (bottom, top) })
}
