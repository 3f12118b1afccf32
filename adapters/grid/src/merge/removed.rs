//! Cells that one side wrote in a row or column that the other removed.

use super::Work;
use super::cells::cell;
use super::conflict::{Conflict, ConflictKind, json};
use super::sheet::{SheetMerge, range_of_lines};
use crate::{Address, CellData};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashSet};

impl<'a> SheetMerge<'a> {
    /// The line of a cell of theirs, or of ours, that the other side removed and that is
    /// in the result, in words.
    pub(super) fn removed_line(&self, theirs: bool, at: Address) -> Option<String> {
        let back = &self.back[usize::from(theirs)];
        let gone = |lines: &super::lines::MergedLines, base: Option<u32>| {
            let list = if theirs {
                &lines.ours_removed
            } else {
                &lines.theirs_removed
            };
            base.filter(|base| list.binary_search(base).is_ok())
        };
        let row = gone(&self.rows, back.rows.get(at.row)).map(|_| "row");
        let col = gone(&self.cols, back.cols.get(at.col)).map(|_| "column");
        row.or(col).map(str::to_owned)
    }

    /// A cell that one side wrote in a line that the other removed.
    pub(super) fn removed(
        &self,
        work: &mut Work<'a>,
        place: Address,
        (line, by_theirs): (&str, bool),
        [ours, theirs]: [Option<CellData>; 2],
    ) {
        let base = self.base_of(place);
        let (who, other) = if by_theirs {
            ("theirs", "ours")
        } else {
            ("ours", "theirs")
        };
        work.conflict(Conflict {
            sheet: Some(self.name.clone()),
            addr: Some(place.to_string()),
            base: json(base.and_then(|base| cell(self.base, base))),
            ours: json(ours),
            theirs: json(theirs),
            keeps_removed: true,
            ..Conflict::new(
                ConflictKind::Cell,
                format!("{who} removed the {line}, and {other} wrote in it; it is in the result"),
            )
        });
    }

    /// What ours wrote in lines that theirs removed.
    pub(super) fn ours_in_removed(&self, work: &mut Work<'a>, listed: &mut [HashSet<u32>; 2]) {
        if self.rows.theirs_removed.is_empty() && self.cols.theirs_removed.is_empty() {
            return;
        }
        let wrote: BTreeMap<Address, usize> = self.ours_wrote().into_iter().collect();
        for own in wrote.into_keys() {
            let Some(line) = self.removed_line(false, own) else {
                continue;
            };
            let now = cell(Some(self.ours), own);
            let Some(place) = self.of_ours(own).filter(|_| now.is_some()) else {
                continue;
            };
            let back = &self.back[0];
            listed[0].extend(back.rows.get(own.row));
            listed[1].extend(back.cols.get(own.col));
            self.removed(work, place, (&line, true), [now, None]);
        }
    }

    /// Lines that one side removed and that are there, where no cell says so.
    pub(super) fn removed_lines(&self, work: &mut Work<'a>, listed: &[HashSet<u32>; 2]) {
        for (rows, lines) in [(true, &self.rows), (false, &self.cols)] {
            let known = &listed[usize::from(!rows)];
            let gone = |list: &[u32], by_theirs: bool| -> Vec<(u32, bool)> {
                let list = list.iter().filter(|line| !known.contains(line));
                list.map(|line| (*line, by_theirs)).collect()
            };
            let ours = gone(&lines.ours_removed, false);
            for (base, by_theirs) in [ours, gone(&lines.theirs_removed, true)].concat() {
                let place = lines.items.iter().position(|item| item.base == Some(base));
                let name = json!(range_of_lines(rows, base, 1));
                let (who, other) = if by_theirs {
                    ("theirs", "ours")
                } else {
                    ("ours", "theirs")
                };
                let (kind, what) = if rows {
                    (ConflictKind::Rows, "row")
                } else {
                    (ConflictKind::Columns, "column")
                };
                let there = |removed: bool| if removed { Json::Null } else { name.clone() };
                work.conflict(Conflict {
                    sheet: Some(self.name.clone()),
                    addr: place.map(|place| range_of_lines(rows, place as u32, 1)),
                    ours: there(!by_theirs),
                    theirs: there(by_theirs),
                    base: name.clone(),
                    keeps_removed: true,
                    ..Conflict::new(
                        kind,
                        format!(
                            "{who} removed the {what}, and {other} changed it; it is in the result"
                        ),
                    )
                });
            }
        }
    }
}
