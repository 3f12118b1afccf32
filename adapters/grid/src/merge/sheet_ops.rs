//! What both sides did to whole sheets, put into ours or into a conflict.

use super::conflict::{Conflict, ConflictKind};
use super::lines::MergedLines;
use super::sheets::{Tab, Tabs};
use super::{Work, sheet};
use crate::workbook_map::{WorkbookMap, fold};
use crate::{DiffOp, PlacedCell, Sheet};
use serde_json::json;
use std::collections::HashSet;

impl Work<'_> {
    /// What happens to the sheets of ours, as operations.
    pub(super) fn say_sheets(&mut self, found: &MergedLines, names: &[String]) {
        let (ours, theirs) = (self.ours.book, self.theirs.book);
        for (sheet, to) in ours.sheets.iter().zip(&found.of_ours) {
            if to.is_none() {
                self.out.ops.push(DiffOp::SheetRemoved {
                    sheet: sheet.name.clone(),
                    position: 0,
                    visibility: sheet.visibility,
                    cells: Vec::new(),
                    merges: Vec::new(),
                    whole: None,
                });
            }
        }
        for (item, name) in found.items.iter().zip(names) {
            let Some(own) = item.ours.map(|at| &ours.sheets[at as usize]) else {
                continue;
            };
            if own.name != *name {
                self.out.ops.push(DiffOp::SheetRenamed {
                    sheet: name.clone(),
                    from: own.name.clone(),
                });
            }
            if let Some(other) = item.theirs.map(|at| &theirs.sheets[at as usize]) {
                self.visibility((item.base, own, other), name);
            }
        }
        let (_, _, moves) = found.steps();
        for (step, _) in moves {
            for at in 0..step.len {
                self.out.ops.push(DiffOp::SheetMoved {
                    sheet: names[(step.dst + at) as usize].clone(),
                    from_position: step.src + at,
                    position: step.dst + at,
                });
            }
        }
        self.sheet_fates(found);
    }

    fn visibility(&mut self, (base, own, other): (Option<u32>, &Sheet, &Sheet), name: &str) {
        let was = base.map(|at| self.base.sheets[at as usize].visibility);
        let is_one = |op: &DiffOp| matches!(op, DiffOp::SheetVisibility { .. });
        let ops = self.theirs.ops_in(&other.name).into_iter();
        let ops: Vec<usize> = ops.filter(|(_, op)| is_one(op)).map(|(at, _)| at).collect();
        if other.visibility == own.visibility {
            for at in &ops {
                self.theirs.fates[*at].same = true;
            }
        } else if was == Some(own.visibility) {
            for at in &ops {
                self.theirs.fates[*at].done = true;
            }
            self.out.ops.push(DiffOp::SheetVisibility {
                sheet: name.to_owned(),
                from: own.visibility,
                to: other.visibility,
            });
        } else if was != Some(other.visibility) {
            for at in &ops {
                self.theirs.fates[*at].conflict = true;
            }
            self.conflicts.push(Conflict {
                sheet: Some(name.to_owned()),
                base: json!(was),
                ours: json!(own.visibility),
                theirs: json!(other.visibility),
                ..Conflict::new(
                    ConflictKind::Sheet,
                    "the sheet is shown or hidden otherwise in ours and theirs",
                )
            });
        }
    }

    /// What became of the operations of theirs on whole sheets.
    fn sheet_fates(&mut self, found: &MergedLines) {
        let removed: HashSet<&str> = self
            .ours
            .report
            .ops
            .iter()
            .filter(|op| matches!(op, DiffOp::SheetRemoved { .. }))
            .filter_map(DiffOp::sheet)
            .collect();
        let ours = self.ours.book;
        let mut moves: Vec<usize> = Vec::new();
        for (at, op) in self.theirs.report.ops.iter().enumerate() {
            let fate = &mut self.theirs.fates[at];
            match op {
                DiffOp::SheetRemoved { sheet, .. } if !fate.conflict => {
                    (fate.same, fate.done) = if removed.contains(&sheet[..]) {
                        (true, false)
                    } else {
                        (false, true)
                    };
                }
                DiffOp::SheetAdded { sheet, .. } if !fate.conflict => {
                    let known = |own: &Sheet| fold(&own.name) == fold(sheet);
                    let known = ours.sheets.iter().any(known);
                    (fate.same, fate.done) = (known, !known);
                }
                DiffOp::SheetMoved { .. } => moves.push(at),
                _ => {}
            }
        }
        for (by, at) in moves.into_iter().enumerate() {
            let op = &self.theirs.report.ops[at];
            let name = op.sheet().unwrap_or_default();
            if found.both_moved.contains(&by) {
                self.theirs.fates[at].conflict = true;
                self.conflicts.push(Conflict {
                    sheet: Some(name.to_owned()),
                    theirs: json!(name),
                    ours: json!(name),
                    ..Conflict::new(
                        ConflictKind::Sheet,
                        "ours and theirs moved the sheet to different places; it is where ours has it",
                    )
                });
            } else if found.items.iter().any(|item| item.moved == Some(by)) {
                self.theirs.fates[at].done = true;
            } else {
                // It is there already, or the sheet is gone.
                self.theirs.fates[at].same = true;
            }
        }
    }

    /// Brings the sheets over that ours has not.
    pub(super) fn came(&mut self, tabs: &Tabs, tm: &WorkbookMap) {
        for tab in &tabs.came {
            let Some(sheet) = tab.theirs.map(|at| &self.theirs.book.sheets[at]) else {
                continue;
            };
            let cells = sheet.grid().into_iter().flat_map(crate::Grid::cells);
            let cells = cells.map(|cell| PlacedCell {
                addr: crate::Placed(cell.address),
                cell: sheet::follow(cell.to_data(), tm, &sheet.name, None),
            });
            self.out.ops.push(DiffOp::SheetAdded {
                sheet: tab.name.clone(),
                position: tab.position,
                visibility: sheet.visibility,
                cells: cells.collect(),
                merges: sheet.merges.iter().map(ToString::to_string).collect(),
                whole: sheet.whole().map(|mut whole| {
                    if let Some(parts) = &mut whole.parts {
                        crate::package::follow_charts(parts, &tm.seen_from(Some(&sheet.name)));
                    }
                    Box::new(whole)
                }),
            });
            self.with_came(tab, &sheet.name);
        }
    }

    /// What a sheet that came has besides its cells.
    fn with_came(&mut self, tab: &Tab, name: &str) {
        let alone = crate::diff::alone(&self.theirs.book.sheets[tab.theirs.unwrap_or(0)]);
        for mut op in alone {
            if super::beside::rename(&mut op, &tab.name) {
                self.out.with_added.push(op);
            } else {
                self.conflicts.push(Conflict {
                    sheet: Some(name.to_owned()),
                    theirs: serde_json::to_value(&op).unwrap_or_default(),
                    ..Conflict::new(
                        ConflictKind::Part,
                        "something of a sheet that theirs added cannot be carried over",
                    )
                });
            }
        }
    }
}
