//! A formula after the cells that it names went elsewhere.

use super::reference::{self, Line, Span, Target, corners};
use super::scan::{Kind, Scanner};
use super::sheet;
use crate::maps::{AxisMap, CellMap, RectMove};
use crate::{Address, MAX_COLS, MAX_ROWS};
use std::borrow::Cow;

/// What is written where a reference has nothing left to name.
const LOST: &str = "#REF!";

/// Knows what became of the sheets that formulas name.
pub(crate) trait Places {
    /// What became of this sheet; none is the one in which the formula stands.
    fn place(&self, sheet: Option<&str>) -> Where<'_>;
}

/// What became of a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Where<'a> {
    /// It is there, under this name, and its cells went by this map.
    Mapped { map: &'a CellMap, name: &'a str },
    /// It was removed.
    Gone,
    /// There never was one, as far as is known: what is said about it is text.
    Unknown,
}

/// How far relative references go with their formula instead of following the
/// cells that they named. None on an axis: there they follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    pub rows: Option<i64>,
    pub cols: Option<i64>,
}

pub(super) fn follow<'t>(text: &'t str, places: &impl Places, shift: Shift) -> Cow<'t, str> {
    let mut out = String::new();
    let mut copied = 0;
    for token in Scanner::new(text) {
        let now = match token.kind {
            Kind::Here(target) => here(target, places, shift),
            Kind::There(mark, target) => there(token.text, mark, target, places, shift),
            Kind::Verbatim | Kind::Word | Kind::Intersection => continue,
        };
        if let Some(now) = now {
            out.push_str(&text[copied..token.start]);
            now.write(&mut out);
            copied = token.start + token.text.len();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// A reference that stands otherwise than before.
struct Now<'a> {
    sheet: Prefix<'a>,
    rest: Rest<'a>,
}

enum Prefix<'a> {
    None,
    AsWritten(&'a str),
    Renamed(&'a str, Option<&'a str>),
}

enum Rest<'a> {
    AsWritten(&'a str),
    To(Target),
    Lost,
}

impl Now<'_> {
    fn write(&self, out: &mut String) {
        match self.sheet {
            Prefix::None => {}
            Prefix::AsWritten(prefix) => out.push_str(prefix),
            Prefix::Renamed(first, last) => sheet::write(first, last, out),
        }
        match &self.rest {
            Rest::AsWritten(rest) => out.push_str(rest),
            Rest::To(target) => reference::write(target, out),
            Rest::Lost => out.push_str(LOST),
        }
    }
}

/// How a reference in the formula's own sheet stands now; none if as before.
fn here<'a>(target: Target, places: &'a impl Places, shift: Shift) -> Option<Now<'a>> {
    let rest = match places.place(None) {
        Where::Mapped { map, .. } => match place(target, map, shift) {
            Some(now) if now == target => return None,
            Some(now) => Rest::To(now),
            None => Rest::Lost,
        },
        Where::Gone => Rest::Lost,
        Where::Unknown => return None,
    };
    let sheet = Prefix::None;
    Some(Now { sheet, rest })
}

/// The same for a reference that names its sheet.
fn there<'a>(
    written: &'a str,
    mark: usize,
    target: Target,
    places: &'a impl Places,
    shift: Shift,
) -> Option<Now<'a>> {
    let ((first, last), behind) = sheet::split(written, mark);
    if let Some(last) = last {
        return several([&first, &last], behind, places);
    }
    let (map, name) = match places.place(Some(&first)) {
        Where::Mapped { map, name } => (map, name),
        Where::Gone => {
            let (sheet, rest) = (Prefix::None, Rest::Lost);
            return Some(Now { sheet, rest });
        }
        Where::Unknown => return None,
    };
    let stays = sheet::same(&first, name);
    let sheet = if stays {
        Prefix::AsWritten(&written[..=mark])
    } else {
        Prefix::Renamed(name, None)
    };
    let rest = match place(target, map, shift) {
        Some(now) if now == target && stays => return None,
        Some(now) if now == target => Rest::AsWritten(behind),
        Some(now) => Rest::To(now),
        None => Rest::Lost,
    };
    Some(Now { sheet, rest })
}

/// Cells in all sheets from one to another. Each has a map of its own, so the cells
/// stay as written; only the names follow.
fn several<'a>(ends: [&str; 2], behind: &'a str, places: &'a impl Places) -> Option<Now<'a>> {
    let name = |end: &str| match places.place(Some(end)) {
        Where::Mapped { name, .. } => Some(name),
        Where::Gone | Where::Unknown => None,
    };
    let (first, last) = (name(ends[0])?, name(ends[1])?);
    if sheet::same(ends[0], first) && sheet::same(ends[1], last) {
        return None;
    }
    let (sheet, rest) = (Prefix::Renamed(first, Some(last)), Rest::AsWritten(behind));
    Some(Now { sheet, rest })
}

/// What a reference names after its cells went by the map; none if they are gone.
fn place(target: Target, map: &CellMap, shift: Shift) -> Option<Target> {
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
                let to = map.get(Address::new(row.at, col.at))?;
                return (to.row < MAX_ROWS && to.col < MAX_COLS).then_some(Target::Cell {
                    row: Line { at: to.row, ..row },
                    col: Line { at: to.col, ..col },
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
    let line = |line: Line| Line {
        at: (i64::from(line.at) + by) as u32,
        ..line
    };
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
        self.shift.is_some() && !line.fixed
    }

    fn shifted(&self, line: Line) -> Option<Option<u32>> {
        let by = self.shift.filter(|_| !line.fixed)?;
        let to = u32::try_from(i64::from(line.at).checked_add(by)?).ok();
        Some(to.filter(|&at| at < self.len))
    }

    fn line(&self, line: Line) -> Option<Line> {
        let at = self
            .shifted(line)
            .unwrap_or_else(|| self.map.get(line.at))?;
        (at < self.len).then_some(Line { at, ..line })
    }

    /// An end that is gone gives way to the next line inside that is there; ends that
    /// would cross change places, and their marks go with them. An end beyond the
    /// last line stays on it.
    fn span(&self, span: Span) -> Option<Span> {
        if span.is_all(self.len) {
            return Some(span);
        }
        let backwards = span.first.at > span.last.at;
        let (low, high) = if backwards {
            (span.last, span.first)
        } else {
            (span.first, span.last)
        };
        let inside = low.at..high.at + 1;
        let first = self
            .shifted(low)
            .unwrap_or_else(|| self.map.first_in(inside.clone()))?;
        let last = self
            .shifted(high)
            .unwrap_or_else(|| self.map.last_in(inside))?;
        let mut low = Line { at: first, ..low };
        let mut high = Line { at: last, ..high };
        if low.at > high.at {
            (low, high) = (high, low);
        }
        if low.at >= self.len {
            return None;
        }
        high.at = high.at.min(self.len - 1);
        Some(if backwards {
            Span {
                first: high,
                last: low,
            }
        } else {
            Span {
                first: low,
                last: high,
            }
        })
    }
}
