//! The expected operations, derived from the edits.

use crate::editor::{Editor, RectMoved, keys};
use crate::model::{Content, Sheet, SheetId, Span};
use crate::positions::Positions;
use mvdiff_grid::{Address, Area, CellData, DiffOp, FormulaDiff, Placed, PlacedCell, Refs};
use std::collections::{BTreeSet, HashMap};

/// How rows are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// By where they went.
    Positions,
    /// By a key; their order is nothing.
    Keys,
}

/// The operations, sheet by sheet. Similarity and hashes of moves are left at 1 and
/// nothing: they are for the engine to say.
#[must_use]
pub fn operations(editor: &Editor, matching: Matching) -> Vec<DiffOp> {
    let truth = Truth {
        editor,
        was: Positions::new(&editor.old, &editor.old),
        is: Positions::new(&editor.new, &editor.old),
    };
    let mut ops = truth.sheets();
    for new in &editor.new.sheets {
        if let Some(old) = editor.old.get(new.id) {
            SheetTruth::new(&truth, old, new).operations(matching, &mut ops);
        }
    }
    ops.extend(truth.names());
    ops
}

struct Truth<'e> {
    editor: &'e Editor,
    was: Positions<'e>,
    is: Positions<'e>,
}

impl Truth<'_> {
    fn sheets(&self) -> Vec<DiffOp> {
        let Editor { old, new, .. } = self.editor;
        let mut ops = Vec::new();
        for (position, sheet) in (0..).zip(&old.sheets) {
            if new.get(sheet.id).is_none() {
                ops.push(DiffOp::SheetRemoved {
                    sheet: sheet.name.clone(),
                    position,
                    visibility: sheet.visibility,
                    cells: all_cells(sheet, &self.was),
                    merges: merges(sheet.id, &sheet.merges, &self.was),
                    whole: None,
                });
            }
        }
        for (position, sheet) in (0..).zip(&new.sheets) {
            let name = || sheet.name.clone();
            let Some((from_position, from)) = (0..).zip(&old.sheets).find(|s| s.1.id == sheet.id)
            else {
                ops.push(DiffOp::SheetAdded {
                    sheet: name(),
                    position,
                    visibility: sheet.visibility,
                    cells: all_cells(sheet, &self.is),
                    merges: merges(sheet.id, &sheet.merges, &self.is),
                    whole: None,
                });
                continue;
            };
            if from.name != sheet.name {
                ops.push(DiffOp::SheetRenamed {
                    sheet: name(),
                    from: from.name.clone(),
                });
            }
            if self.editor.moved_sheets.contains(&sheet.id) {
                ops.push(DiffOp::SheetMoved {
                    sheet: name(),
                    from_position,
                    position,
                });
            }
            if from.visibility != sheet.visibility {
                ops.push(DiffOp::SheetVisibility {
                    sheet: name(),
                    from: from.visibility,
                    to: sheet.visibility,
                });
            }
        }
        ops
    }

    fn names(&self) -> Vec<DiffOp> {
        let Editor { old, new, .. } = self.editor;
        let mut ops = Vec::new();
        // A name means its sheets by name, so any sheet will do to print it from.
        let text = |formula: &crate::formula::Formula, places: &Positions<'_>| {
            formula.render(places, SheetId(0))[1..].to_owned()
        };
        for name in &old.names {
            let refers_to = text(&name.refers_to, &self.was);
            let op = match new.names.iter().find(|n| n.name == name.name) {
                Some(is) if is.refers_to == name.refers_to => continue,
                Some(is) => DiffOp::NameChanged {
                    name: name.name.clone(),
                    from_name: None,
                    sheet: None,
                    from: refers_to,
                    to: text(&is.refers_to, &self.is),
                },
                None => DiffOp::NameRemoved {
                    name: name.name.clone(),
                    sheet: None,
                    refers_to,
                },
            };
            ops.push(op);
        }
        let added = new.names.iter();
        for name in added.filter(|n| old.names.iter().all(|o| o.name != n.name)) {
            ops.push(DiffOp::NameAdded {
                name: name.name.clone(),
                sheet: None,
                refers_to: text(&name.refers_to, &self.is),
            });
        }
        ops
    }
}

/// One sheet that is there before and after.
struct SheetTruth<'t, 'e> {
    truth: &'t Truth<'e>,
    old: &'e Sheet,
    new: &'e Sheet,
    old_rows: HashMap<u32, u32>,
    old_cols: HashMap<u32, u32>,
    new_rows: HashMap<u32, u32>,
    new_cols: HashMap<u32, u32>,
}

fn index(ids: &[u32]) -> HashMap<u32, u32> {
    ids.iter().copied().zip(0..).collect()
}

impl<'t, 'e> SheetTruth<'t, 'e> {
    fn new(truth: &'t Truth<'e>, old: &'e Sheet, new: &'e Sheet) -> Self {
        Self {
            truth,
            old,
            new,
            old_rows: index(&old.rows),
            old_cols: index(&old.cols),
            new_rows: index(&new.rows),
            new_cols: index(&new.cols),
        }
    }

    fn operations(&self, matching: Matching, ops: &mut Vec<DiffOp>) {
        let sheet = || self.new.name.clone();
        let (old_extent, new_extent) = (self.old.extent(), self.new.extent());
        // A removed sheet has the old numbers, an added one the new.
        for (row, at) in lines(&self.old.rows, old_extent.0, &self.new_rows) {
            let cells = self.old_cells(|key| key.0 == row);
            ops.push(DiffOp::RowRemoved {
                sheet: sheet(),
                row_idx: at,
                cells,
            });
        }
        for (row, at) in lines(&self.new.rows, new_extent.0, &self.old_rows) {
            let cells = self.new_cells(|key| key.0 == row);
            ops.push(DiffOp::RowAdded {
                sheet: sheet(),
                row_idx: at,
                cells,
            });
        }
        for (col, at) in lines(&self.old.cols, old_extent.1, &self.new_cols) {
            let cells = self.old_cells(|key| key.1 == col && self.new_rows.contains_key(&key.0));
            ops.push(DiffOp::ColumnRemoved {
                sheet: sheet(),
                col_idx: at,
                cells,
            });
        }
        for (col, at) in lines(&self.new.cols, new_extent.1, &self.old_cols) {
            let cells = self.new_cells(|key| key.1 == col && self.old_rows.contains_key(&key.0));
            ops.push(DiffOp::ColumnAdded {
                sheet: sheet(),
                col_idx: at,
                cells,
            });
        }
        if matching == Matching::Positions {
            ops.extend(self.row_moves());
        }
        ops.extend(self.col_moves());
        let rects = self.truth.editor.rects.iter();
        for rect in rects.filter(|rect| rect.sheet == self.new.id) {
            ops.push(self.rect_move(rect));
            ops.extend(self.covered(rect));
        }
        ops.extend(self.edits());
        ops.extend(self.merges());
    }

    fn row_moves(&self) -> Vec<DiffOp> {
        let editor = self.truth.editor;
        let moved = ids_of(&editor.moved_rows, self.new.id);
        let sorted = ids_of(&editor.sorted, self.new.id);
        let op = |refs| {
            move |(src, count, dst)| DiffOp::BlockMovedRows {
                sheet: self.new.name.clone(),
                src_start_row: src,
                row_count: count,
                dst_start_row: dst,
                block_hash: None,
                similarity: 1.0,
                cell_count: 0,
                refs,
            }
        };
        let went = displaced(&sorted, &self.old_rows, &self.new_rows);
        let sorted = runs(&went, &self.old_rows, &self.new_rows).map(op(Refs::Relative));
        let copied = ids_of(&editor.copied, self.new.id);
        let (copied, cut): (Vec<u32>, Vec<u32>) =
            moved.into_iter().partition(|row| copied.contains(row));
        let cut = runs(&cut, &self.old_rows, &self.new_rows).map(op(Refs::Follow));
        let copied = runs(&copied, &self.old_rows, &self.new_rows).map(op(Refs::Relative));
        cut.chain(copied).chain(sorted).collect()
    }

    fn col_moves(&self) -> Vec<DiffOp> {
        let moved = ids_of(&self.truth.editor.moved_cols, self.new.id);
        let runs = runs(&moved, &self.old_cols, &self.new_cols);
        let op = |(src, count, dst)| DiffOp::BlockMovedColumns {
            sheet: self.new.name.clone(),
            src_start_col: src,
            col_count: count,
            dst_start_col: dst,
            block_hash: None,
            similarity: 1.0,
            cell_count: 0,
            refs: Refs::Follow,
        };
        runs.map(op).collect()
    }

    fn rect_move(&self, rect: &RectMoved) -> DiffOp {
        DiffOp::BlockMovedRect {
            sheet: self.new.name.clone(),
            src_start_row: self.old_rows[&rect.from.0[0]],
            row_count: rect.from.0.len() as u32,
            src_start_col: self.old_cols[&rect.from.1[0]],
            col_count: rect.from.1.len() as u32,
            dst_start_row: self.new_rows[&rect.to.0[0]],
            dst_start_col: self.new_cols[&rect.to.1[0]],
            block_hash: None,
            similarity: 1.0,
            cell_count: 0,
            refs: Refs::Follow,
        }
    }

    /// What a rectangle covered is reported as what its cells held before; what came or
    /// went as well is reported with its row or column.
    fn covered(&self, rect: &RectMoved) -> Vec<DiffOp> {
        let was_there = |key: &(u32, u32)| {
            let there = |rows: &HashMap<u32, u32>, cols: &HashMap<u32, u32>| {
                rows.contains_key(&key.0) && cols.contains_key(&key.1)
            };
            there(&self.old_rows, &self.old_cols) && there(&self.new_rows, &self.new_cols)
        };
        let covered = rect.covered.iter().filter(|(key, _)| was_there(key));
        let ops = covered.map(|(key, from)| DiffOp::CellEdited {
            sheet: self.new.name.clone(),
            addr: Placed(address(*key, &self.new_rows, &self.new_cols)),
            from_addr: Placed(address(*key, &self.old_rows, &self.old_cols)),
            from: from.render(&self.truth.was, self.old.id),
            to: self.cell(self.new.cells.get(key), &self.truth.is),
            formula_diff: None,
        });
        ops.collect()
    }

    /// Where the cell that is here now was before: rectangles take cells along.
    fn origin(&self, key: (u32, u32)) -> (u32, u32) {
        let rects = self.truth.editor.rects.iter().rev();
        rects
            .filter(|rect| rect.sheet == self.new.id)
            .fold(key, |key, rect| {
                let mut pairs = keys(&rect.from).zip(keys(&rect.to));
                pairs
                    .find(|(_, to)| *to == key)
                    .map_or(key, |(from, _)| from)
            })
    }

    fn edits(&self) -> Vec<DiffOp> {
        let empty = HashMap::new();
        let followed = self
            .truth
            .editor
            .followed
            .get(&self.new.id)
            .unwrap_or(&empty);
        let covered: BTreeSet<(u32, u32)> = self
            .truth
            .editor
            .rects
            .iter()
            .filter(|rect| rect.sheet == self.new.id)
            .flat_map(|rect| rect.covered.iter().map(|(key, _)| *key))
            .collect();
        let here = |(row, col): &&(u32, u32)| {
            self.new_rows.contains_key(row)
                && self.new_cols.contains_key(col)
                && self.old_rows.contains_key(row)
                && self.old_cols.contains_key(col)
                && !covered.contains(&(*row, *col))
        };
        let changed = |key: &&(u32, u32)| {
            let is_there = |content: &&Content| !content.is_empty();
            followed.get(*key).filter(is_there) != self.new.cells.get(*key).filter(is_there)
        };
        let all = followed.keys().chain(self.new.cells.keys());
        let edited: BTreeSet<(Address, (u32, u32))> = all
            .filter(here)
            .filter(changed)
            .map(|key| (address(*key, &self.new_rows, &self.new_cols), *key))
            .collect();
        let op = |(at, key): (Address, (u32, u32))| {
            let from_key = self.origin(key);
            let from = followed
                .get(&key)
                .and_then(|_| self.old.cells.get(&from_key));
            let from = self.cell(from, &self.truth.was);
            let to = self.cell(self.new.cells.get(&key), &self.truth.is);
            let formula_diff = match (&from.formula, &to.formula) {
                (None, None) => None,
                (None, Some(_)) => Some(FormulaDiff::Added),
                (Some(_), None) => Some(FormulaDiff::Removed),
                (Some(_), Some(_)) => Some(FormulaDiff::Semantic),
            };
            DiffOp::CellEdited {
                sheet: self.new.name.clone(),
                addr: Placed(at),
                from_addr: Placed(address(from_key, &self.old_rows, &self.old_cols)),
                from,
                to,
                formula_diff,
            }
        };
        edited.into_iter().map(op).collect()
    }

    fn merges(&self) -> Vec<DiffOp> {
        let (was, is) = (&self.old.merges, &self.new.merges);
        let op = |span: &Span, places: &Positions<'_>| {
            merges(self.new.id, std::slice::from_ref(span), places).pop()
        };
        let sheet = || self.new.name.clone();
        let gone = was.iter().filter(|span| !is.contains(span));
        let came = is.iter().filter(|span| !was.contains(span));
        let gone = gone.filter_map(|span| op(span, &self.truth.was));
        let came = came.filter_map(|span| op(span, &self.truth.is));
        gone.map(|area| DiffOp::MergeRemoved {
            sheet: sheet(),
            area,
        })
        .chain(came.map(|area| DiffOp::MergeAdded {
            sheet: sheet(),
            area,
        }))
        .collect()
    }

    fn cell(&self, content: Option<&Content>, places: &Positions<'_>) -> CellData {
        let content = content.filter(|content| !content.is_empty());
        content.map_or_else(CellData::default, |content| {
            content.render(places, self.new.id)
        })
    }

    fn old_cells(&self, wanted: impl Fn((u32, u32)) -> bool) -> Vec<PlacedCell> {
        cells(self.old, &self.truth.was, wanted)
    }

    fn new_cells(&self, wanted: impl Fn((u32, u32)) -> bool) -> Vec<PlacedCell> {
        cells(self.new, &self.truth.is, wanted)
    }
}

fn ids_of(all: &BTreeSet<(SheetId, u32)>, sheet: SheetId) -> Vec<u32> {
    let of = all.iter().filter(|(s, _)| *s == sheet);
    of.map(|(_, id)| *id).collect()
}

fn address(key: (u32, u32), rows: &HashMap<u32, u32>, cols: &HashMap<u32, u32>) -> Address {
    Address::new(rows[&key.0], cols[&key.1])
}

/// The lines within the extent that are not on the other side, with their places.
fn lines(ids: &[u32], extent: usize, other: &HashMap<u32, u32>) -> Vec<(u32, u32)> {
    let here = ids.iter().copied().zip(0..).take(extent);
    here.filter(|(id, _)| !other.contains_key(id)).collect()
}

/// Maximal stretches of lines that went together: old place, count, new place.
fn runs<'m>(
    moved: &[u32],
    old: &'m HashMap<u32, u32>,
    new: &'m HashMap<u32, u32>,
) -> impl Iterator<Item = (u32, u32, u32)> {
    let there = |id: &u32| Some((*old.get(id)?, *new.get(id)?));
    let mut pairs: Vec<(u32, u32)> = moved.iter().filter_map(there).collect();
    pairs.sort_unstable();
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    for (src, dst) in pairs {
        match runs.last_mut() {
            Some((s, n, d)) if *s + *n == src && *d + *n == dst => *n += 1,
            _ => runs.push((src, 1, dst)),
        }
    }
    runs.into_iter()
}

/// Of lines that were put in another order, a smallest set that has to move.
fn displaced(ids: &[u32], old: &HashMap<u32, u32>, new: &HashMap<u32, u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids
        .iter()
        .copied()
        .filter(|id| new.contains_key(id))
        .collect();
    ids.sort_unstable_by_key(|id| old.get(id));
    let mut best: Vec<(usize, Option<usize>)> = Vec::new();
    for i in 0..ids.len() {
        let before = (0..i).filter(|j| new[&ids[*j]] < new[&ids[i]]);
        let from = before.max_by_key(|j| (best[*j].0, usize::MAX - j));
        best.push((from.map_or(1, |j| best[j].0 + 1), from));
    }
    let mut kept = BTreeSet::new();
    let mut at = (0..ids.len()).max_by_key(|i| (best[*i].0, usize::MAX - i));
    while let Some(i) = at {
        kept.insert(ids[i]);
        at = best[i].1;
    }
    ids.retain(|id| !kept.contains(id));
    ids
}

fn cells(
    sheet: &Sheet,
    places: &Positions<'_>,
    wanted: impl Fn((u32, u32)) -> bool,
) -> Vec<PlacedCell> {
    let mut found: Vec<PlacedCell> = sheet
        .cells
        .iter()
        .filter(|(key, content)| wanted(**key) && !content.is_empty())
        .filter_map(|((row, col), content)| {
            let at = Address::new(places.row(sheet.id, *row)?, places.col(sheet.id, *col)?);
            Some(PlacedCell {
                addr: Placed(at),
                cell: content.render(places, sheet.id),
            })
        })
        .collect();
    found.sort_by_key(|cell| cell.addr);
    found
}

fn all_cells(sheet: &Sheet, places: &Positions<'_>) -> Vec<PlacedCell> {
    cells(sheet, places, |_| true)
}

/// Merged regions as they are in a book.
pub(crate) fn merges(sheet: SheetId, spans: &[Span], places: &Positions<'_>) -> Vec<String> {
    areas(sheet, spans, places)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Merged regions as they are in a book.
pub(crate) fn areas(sheet: SheetId, spans: &[Span], places: &Positions<'_>) -> Vec<Area> {
    let area = |span: &Span| {
        let (top, bottom) = places.rows(sheet, span.first.0, span.last.0)?;
        let (left, right) = places.cols(sheet, span.first.1, span.last.1)?;
        Some(Area {
            first: Address::new(top.min(bottom), left.min(right)),
            last: Address::new(top.max(bottom), left.max(right)),
        })
    };
    spans.iter().filter_map(area).collect()
}
