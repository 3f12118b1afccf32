//! The changes of a sheet as a list with links to their places.

use super::moves::{Move, MoveKind};
use super::sheet::SheetShow;
use crate::styles::visible;
use crate::workbook::acts;
use crate::workbook::counts::some;
use crate::workbook::edits::Edit;
use crate::workbook::lines::{Along, nth, preview, rows, runs};
use crate::workbook::macros;
use crate::workbook::non_cell::{Described, told};
use crate::workbook::pages::{Page, PageKind};
use crate::workbook::summary;
use crate::workbook::value::{escaped, pair, readable, shorten};
use mvdiff_grid::{Area, CellData, DiffOp, column_name};

/// One thing that happened.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub kind: EntryKind,
    /// What happened: `added`, `M1 moved`.
    pub verb: String,
    /// To what.
    pub what: String,
    pub more: String,
    /// Row and column in which it is shown.
    pub at: Option<(u32, u32)>,
    /// The number of a move.
    pub number: Option<usize>,
    /// Changed lines of code.
    pub code: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EntryKind {
    Moved,
    Added,
    Removed,
    Edited,
    Formula,
    Other,
}

impl Entry {
    fn new(kind: EntryKind, verb: &str, what: impl Into<String>) -> Self {
        Self {
            kind,
            verb: verb.to_owned(),
            what: what.into(),
            more: String::new(),
            at: None,
            number: None,
            code: Vec::new(),
        }
    }

    fn more(self, more: impl Into<String>) -> Self {
        Self {
            more: more.into(),
            ..self
        }
    }

    fn at(self, row: Option<u32>, col: Option<u32>) -> Self {
        Self {
            at: row.zip(col),
            ..self
        }
    }
}

/// How wide the two versions of a cell are shown.
const VALUE: usize = 60;

/// What happened in a sheet.
pub(super) fn of_sheet(page: &Page<'_>, show: &SheetShow<'_>) -> Vec<Entry> {
    use EntryKind::{Added, Moved, Other, Removed};
    let mut entries = Vec::new();
    let top = (show.rows.len() > 0 && show.cols.len() > 0).then_some(0);
    for op in &page.ops {
        let entry = match op {
            DiffOp::SheetAdded { .. } => Entry::new(Added, "added", "sheet"),
            DiffOp::SheetRemoved { .. } => Entry::new(Removed, "removed", "sheet"),
            DiffOp::SheetRenamed { from, .. } => {
                Entry::new(Other, "renamed", "sheet").more(format!("was {}", visible(from)))
            }
            DiffOp::SheetMoved {
                from_position,
                position,
                ..
            } => Entry::new(Other, "moved", "sheet").more(format!(
                "from place {} to {}",
                nth(*from_position),
                nth(*position)
            )),
            DiffOp::SheetVisibility { from, to, .. } => {
                let shown = crate::workbook::text::shown;
                let more = format!("was {}", shown(*from));
                Entry::new(Other, shown(*to), "sheet").more(more)
            }
            _ => continue,
        };
        entries.push(entry.at(top, top));
    }
    if let Some((what, more)) = summary::sort(page) {
        let entry = Entry::new(Moved, "sorted", what).more(more);
        entries.push(entry.at(top, top));
    }
    entries.extend(show.moves.iter().map(|step| of_move(step, show)));
    lines(&mut entries, page, show);
    for act in &page.acts {
        entries.extend(of_act(act, page, show));
    }
    let mut edits: Vec<(Edit<'_>, bool)> = Vec::new();
    for op in &page.rest {
        if let (Some(edit), DiffOp::CellEdited { formula_diff, .. }) = (Edit::of(op), op) {
            edits.push((edit.named(page.labels()), formula_diff.is_some()));
        }
    }
    edits.sort_by_key(|(edit, _)| edit.at);
    entries.extend(
        edits
            .iter()
            .map(|(edit, formula)| of_edit(edit, *formula, show)),
    );
    for op in &page.ops {
        let at = show.merge_note(op).map(|(at, _)| at);
        entries.extend(of_other(op).map(|entry| Entry { at, ..entry }));
        entries.extend(told(op).map(|told| of_beside(&told, show)));
    }
    if let PageKind::Both(told) = page.kind
        && told.formulas_followed > 0
    {
        let count = told.formulas_followed as usize;
        let what = some(count, "formula", "formulas");
        entries.push(Entry::new(Other, "unchanged", what).more("followed their cells"));
    }
    entries
}

/// An act, at the first of its cells.
fn of_act(act: &DiffOp, page: &Page<'_>, show: &SheetShow<'_>) -> Option<Entry> {
    let told = acts::told(act, page.name)?;
    let kind = match act {
        DiffOp::FormulaFilled(_) | DiffOp::RangesExtended(_) => EntryKind::Formula,
        DiffOp::BlockMovedAcross(_) | DiffOp::RangeTransposed(_) => EntryKind::Moved,
        DiffOp::RowsFiltered(_) => EntryKind::Removed,
        _ => EntryKind::Edited,
    };
    let entry = Entry::new(kind, told.verb, told.what).more(told.more);
    let at = match act {
        DiffOp::RowsFiltered(act) => {
            let first = act.rows.first()?;
            return Some(entry.at(show.rows.at_old(first.row_idx), Some(0)));
        }
        DiffOp::BlockMovedAcross(act) if act.sheet != page.name => {
            let first = act.from_range.split(' ').next()?;
            let first = first.parse::<Area>().ok()?.first;
            let place = (show.rows.at_old(first.row), show.cols.at_old(first.col));
            return Some(entry.at(place.0, place.1));
        }
        DiffOp::BlockMovedAcross(act) => &act.range,
        DiffOp::RangeTransposed(act) => &act.range,
        _ => &act.range_act()?.range,
    };
    let first = at.split(' ').next()?.parse::<Area>().ok()?.first;
    Some(entry.at(show.rows.at_new(first.row), show.cols.at_new(first.col)))
}

fn of_move(step: &Move, show: &SheetShow<'_>) -> Entry {
    let (row, col) = match step.kind {
        MoveKind::Rows { dst, .. } => (show.rows.at_new(dst), Some(0)),
        MoveKind::Cols { dst, .. } => (Some(0), show.cols.at_new(dst)),
        MoveKind::Rect { to, .. } => (
            show.rows.at_new(to.first.row),
            show.cols.at_new(to.first.col),
        ),
    };
    // The noun once: `rows 5-8 → 13-16`.
    let to = step.to.rsplit(' ').next().unwrap_or(&step.to);
    let what = format!("{} → {to}", step.from);
    let entry = Entry::new(EntryKind::Moved, &format!("{} moved", step.name()), what);
    Entry {
        number: Some(step.number),
        ..entry.more(&*step.more).at(row, col)
    }
}

/// Rows and columns that came or went.
fn lines(entries: &mut Vec<Entry>, page: &Page<'_>, show: &SheetShow<'_>) {
    use EntryKind::{Added, Removed};
    for op in &page.rest {
        let (kind, verb, col, cells) = match op {
            DiffOp::ColumnAdded { col_idx, cells, .. } => (Added, "added", *col_idx, cells),
            DiffOp::ColumnRemoved { col_idx, cells, .. } => (Removed, "removed", *col_idx, cells),
            _ => continue,
        };
        let at = match kind {
            Added => show.cols.at_new(col),
            _ => show.cols.at_old(col),
        };
        let entry = Entry::new(kind, verb, format!("column {}", column_name(col)));
        entries.push(entry.more(preview(cells, Along::Column)).at(Some(0), at));
    }
    let removed = runs(&page.rest, |op| match op {
        DiffOp::RowRemoved { row_idx, cells, .. } => Some((*row_idx, &cells[..])),
        _ => None,
    });
    let added = runs(&page.rest, |op| match op {
        DiffOp::RowAdded { row_idx, cells, .. } => Some((*row_idx, &cells[..])),
        _ => None,
    });
    let removed = removed.iter().map(|run| (Removed, "removed", run));
    for (kind, verb, run) in removed.chain(added.iter().map(|run| (Added, "added", run))) {
        let at = match kind {
            Added => show.rows.at_new(run.start),
            _ => show.rows.at_old(run.start),
        };
        let count = run.lines.len();
        let noun = if count == 1 { "row" } else { "rows" };
        let what = format!("{noun} {}", rows(run.start, count as u32));
        let more = match &run.lines[..] {
            [cells] => preview(cells, Along::Row),
            _ => format!("({count} rows)"),
        };
        entries.push(Entry::new(kind, verb, what).more(more).at(at, Some(0)));
    }
}

fn of_edit(edit: &Edit<'_>, formula: bool, show: &SheetShow<'_>) -> Entry {
    let kind = if formula {
        EntryKind::Formula
    } else {
        EntryKind::Edited
    };
    let (row, col) = (show.rows.at_new(edit.at.row), show.cols.at_new(edit.at.col));
    let lines = row
        .and_then(|row| show.rows.line(row))
        .zip(col.and_then(|col| show.cols.line(col)));
    if lines.is_some_and(|(row, col)| show.cell(row, col).is_covered(show)) {
        let held = shorten(&readable(edit.from), VALUE);
        let entry = Entry::new(EntryKind::Edited, "overwritten", edit.at.to_string());
        return entry.more(format!("held {held}")).at(row, col);
    }
    let mut more = if edit.only_stands_still() {
        edit.stands_still()
    } else {
        let (was, is) = pair(edit.from, edit.to, VALUE);
        format!("{was} → {is}")
    };
    if edit.at != edit.was {
        more = format!("{more}   was {}", edit.was);
    }
    let names = edit.names();
    if !names.is_empty() {
        more = format!("{more}   {names}");
    }
    let entry = Entry::new(kind, "edited", edit.at.to_string());
    entry.more(more).at(row, col)
}

/// Something that belongs to no sheet and is not a name.
pub(super) fn of_whole(op: &DiffOp) -> Option<Entry> {
    let entry = of_told(&told(op)?);
    let code = macros::of(op).map(|(_, change)| macros::Code::new(change).lines);
    Some(Entry {
        code: code.unwrap_or_default(),
        ..entry
    })
}

/// Something beside the cells.
fn of_beside(told: &Described, show: &SheetShow<'_>) -> Entry {
    let at = told.at;
    of_told(told).at(
        at.and_then(|at| show.rows.at_new(at.row)),
        at.and_then(|at| show.cols.at_new(at.col)),
    )
}

fn of_told(told: &Described) -> Entry {
    let kind = match told.verb {
        "added" => EntryKind::Added,
        "removed" => EntryKind::Removed,
        _ => EntryKind::Other,
    };
    let what = format!("{} {}", told.noun, told.place);
    let more = shorten(&told.more.replace(" -> ", " → "), 2 * VALUE);
    Entry::new(kind, told.verb, what.trim_end()).more(more)
}

fn of_other(op: &DiffOp) -> Option<Entry> {
    use EntryKind::Other;
    Some(match op {
        DiffOp::MergeAdded { area, .. } => Entry::new(Other, "merged", visible(area)),
        DiffOp::MergeRemoved { area, .. } => Entry::new(Other, "unmerged", visible(area)),
        DiffOp::DuplicateKeyCluster {
            key,
            old_rows,
            new_rows,
            ..
        } => {
            let key: Vec<String> = key
                .iter()
                .map(|cell: &CellData| shorten(&readable(cell), 24))
                .collect();
            let numbers = |rows: &[u32]| {
                let rows: Vec<String> = rows.iter().map(|row| nth(*row).to_string()).collect();
                rows.join(", ")
            };
            let more = format!("(rows {} → {})", numbers(old_rows), numbers(new_rows));
            let what = format!("key {}", key.join(" │ "));
            Entry::new(Other, "used more than once", what).more(more)
        }
        _ => return None,
    })
}

/// What happened to a name.
pub(super) fn of_name(op: &DiffOp) -> Option<Entry> {
    use EntryKind::{Added, Edited, Removed};
    let scoped = |name: &str, sheet: Option<&String>| match sheet {
        Some(sheet) => format!("{}!{}", visible(sheet), visible(name)),
        None => visible(name),
    };
    let short = |text: &str| shorten(&escaped(text), VALUE);
    Some(match op {
        DiffOp::NameAdded {
            name,
            sheet,
            refers_to,
        } => Entry::new(Added, "added", scoped(name, sheet.as_ref())).more(short(refers_to)),
        DiffOp::NameRemoved {
            name,
            sheet,
            refers_to,
        } => Entry::new(Removed, "removed", scoped(name, sheet.as_ref())).more(short(refers_to)),
        DiffOp::NameChanged {
            name,
            from_name,
            sheet,
            from,
            to,
        } => {
            let more = match from_name {
                Some(was) if from == to => format!("was spelled {}", short(was)),
                _ => format!("{} → {}", short(from), short(to)),
            };
            Entry::new(Edited, "changed", scoped(name, sheet.as_ref())).more(more)
        }
        _ => return None,
    })
}
