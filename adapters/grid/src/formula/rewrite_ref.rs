//! What a reference names after rows, columns and rectangles went elsewhere.

use super::reference::{Line, Span, Target, corners};
use crate::cell_map::{AxisMap, CellMap, RectMove};
use crate::{Address, MAX_COLS, MAX_ROWS};

/// How far relative references go with their formula instead of following the
/// cells that they named. None on an axis: there they follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    pub rows: Option<i64>,
    pub cols: Option<i64>,
}

/// What a reference names after its cells went by the map; none if they are gone.
pub(super) fn rewrite_ref(target: Target, map: &CellMap, shift: Shift) -> Option<Target> {
    let rows = Axis {
        map: &map.rows,
        shift: shift.rows,
        len: MAX_ROWS,
    };
    let cols = Axis {
        map: &map.cols,
        shift: shift.cols,
        len: MAX_COLS,
    };
    Some(match target {
        Target::Cell { row, col } => {
            if !rows.shifts(row) && !cols.shifts(col) {
                let to = map.get(Address::new(row.at(), col.at()))?;
                return (to.row < MAX_ROWS && to.col < MAX_COLS).then_some(Target::Cell {
                    row: row.to(to.row),
                    col: col.to(to.col),
                });
            }
            Target::Cell {
                row: rows.line(row)?,
                col: cols.line(col)?,
            }
        }
        Target::Range {
            rows: high,
            cols: wide,
        } => {
            let ends = [(rows, high), (cols, wide)];
            let shifted = ends
                .iter()
                .any(|(axis, s)| axis.shifts(s.first) || axis.shifts(s.last));
            if !shifted && let Some((down, right)) = with_rect(map, high, wide) {
                return Some(Target::Range {
                    rows: moved(high, down),
                    cols: moved(wide, right),
                });
            }
            Target::Range {
                rows: rows.span(high)?,
                cols: cols.span(wide)?,
            }
        }
        Target::Rows(span) => Target::Rows(rows.span(span)?),
        Target::Cols(span) => Target::Cols(cols.span(span)?),
        Target::Other => Target::Other,
    })
}

/// How far down and right a range went that lies in a moved rectangle as a whole.
fn with_rect(map: &CellMap, rows: Span, cols: Span) -> Option<(i64, i64)> {
    let (first, last) = corners(rows, cols);
    let inside = |rect: &&RectMove| rect.from.contains(first) && rect.from.contains(last);
    let rect = map.rects.iter().find(inside)?;
    let down = i64::from(rect.to.row) - i64::from(rect.from.first.row);
    let right = i64::from(rect.to.col) - i64::from(rect.from.first.col);
    Some((down, right))
}

fn moved(span: Span, by: i64) -> Span {
    let line = |line: Line| line.to((i64::from(line.at()) + by) as u32);
    Span {
        first: line(span.first),
        last: line(span.last),
    }
}

/// One axis of a sheet, and what became of its lines.
#[derive(Clone, Copy)]
struct Axis<'a> {
    map: &'a AxisMap,
    shift: Option<i64>,
    len: u32,
}

impl Axis<'_> {
    fn shifts(&self, line: Line) -> bool {
        self.shift.is_some() && !line.is_fixed()
    }

    /// Where a line is now: as far from the formula as before, or where it went.
    fn now(&self, line: Line, went: impl FnOnce() -> Option<u32>) -> Option<Line> {
        let at = match self.shift {
            Some(by) if !line.is_fixed() => {
                let at = i64::from(line.at()).checked_add(by)?;
                u32::try_from(at).ok().filter(|&at| at < self.len)?
            }
            _ => went()?,
        };
        Some(line.to(at))
    }

    fn line(&self, line: Line) -> Option<Line> {
        let now = self.now(line, || self.map.get(line.at()));
        now.filter(|now| now.at() < self.len)
    }

    /// An end that is gone gives way to the next line inside that is there; ends that
    /// would cross change places, and their marks go with them. An end beyond the
    /// last line stays on it.
    fn span(&self, span: Span) -> Option<Span> {
        if span.is_all(self.len) {
            return Some(span);
        }
        let backwards = span.first.at() > span.last.at();
        let (low, high) = if backwards {
            (span.last, span.first)
        } else {
            (span.first, span.last)
        };
        let inside = low.at()..high.at() + 1;
        let mut low = self.now(low, || self.map.first_in(inside.clone()))?;
        let mut high = self.now(high, || self.map.last_in(inside.clone()))?;
        if low.at() > high.at() {
            (low, high) = (high, low);
        }
        if low.at() >= self.len {
            return None;
        }
        high = high.to(high.at().min(self.len - 1));
        let (first, last) = if backwards { (high, low) } else { (low, high) };
        Some(Span { first, last })
    }
}
