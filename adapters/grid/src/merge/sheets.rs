//! Which sheets the result has, what they are called, and in which order.

use super::conflict::{Conflict, ConflictKind};
use super::lines::{Item, LineSide, MergedLines, merge_lines};
use super::{MergeError, Version, Work};
use crate::cell_map::{CellMap, LineMove};
use crate::replay::Applied;
use crate::workbook_map::{WorkbookMap, fold};
use crate::{Content, DiffOp, Sheet, Workbook};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashSet};

/// A sheet of the result: where it is in base, ours and theirs, and its name.
#[derive(Clone, Debug)]
pub(super) struct Tab {
    pub base: Option<usize>,
    pub ours: Option<usize>,
    pub theirs: Option<usize>,
    pub name: String,
    /// Its name in theirs.
    pub other_name: String,
    pub position: u32,
}

/// The sheets of the result.
#[derive(Debug, Default)]
pub(super) struct Tabs {
    /// Those that ours and theirs both have.
    pub both: Vec<Tab>,
    /// Those that only ours has: their names in ours and in the result.
    only_ours: Vec<(String, String)>,
    /// Those that theirs has and ours has not.
    pub came: Vec<Tab>,
    /// Names of those that are not in the result, in ours and in theirs.
    gone: [Vec<String>; 2],
}

impl Tabs {
    /// Adds the sheets to the maps that only one side has.
    pub fn others(&self, ours: &mut WorkbookMap, theirs: &mut WorkbookMap) {
        for (was, is) in &self.only_ours {
            ours.add(was, Some(is), CellMap::default());
        }
        for tab in &self.came {
            theirs.add(&tab.other_name, Some(&tab.name), CellMap::default());
        }
        for (map, gone) in [ours, theirs].into_iter().zip(&self.gone) {
            for name in gone {
                map.add(name, None, CellMap::default());
            }
        }
    }
}

/// Where the sheets of the base are in a side, by their numbers.
fn places(base: &Workbook, book: &Workbook, applied: &Applied) -> Vec<Option<u32>> {
    let mut to = vec![None; base.sheets.len()];
    for (old, name, _) in &applied.sheets {
        let at = book.sheets.iter().position(|sheet| sheet.name == *name);
        to[*old] = at.map(|at| at as u32);
    }
    to
}

/// The numbers of base sheets that a side changed.
fn touched(base: &Workbook, version: &Version<'_>) -> HashSet<u32> {
    let names: HashSet<&str> = version
        .report
        .ops
        .iter()
        .filter(|op| !op.is_about_the_sheet() || matches!(op, DiffOp::SheetRenamed { .. }))
        .filter_map(DiffOp::sheet)
        .collect();
    let sheets = version.applied.sheets.iter();
    let touched = sheets.filter(|(_, name, _)| names.contains(&name[..]));
    let touched = touched.map(|(old, ..)| *old as u32);
    touched
        .filter(|old| (*old as usize) < base.sheets.len())
        .collect()
}

impl<'a> Work<'a> {
    /// Settles which sheets there are.
    ///
    /// # Errors
    /// When the core refuses them.
    pub(super) fn sheets(&mut self) -> Result<Tabs, MergeError> {
        let (base, ours, theirs) = (self.base, self.ours.book, self.theirs.book);
        let mut to = [
            places(base, ours, &self.ours.applied),
            places(base, theirs, &self.theirs.applied),
        ];
        let real = base.sheets.len();
        // What both added under one name is one sheet.
        for (at, sheet) in ours.sheets.iter().enumerate() {
            let same = |other: &Sheet| fold(&other.name) == fold(&sheet.name);
            let other = theirs.sheets.iter().position(same);
            let is_new = |side: usize, at: usize| !to[side].contains(&Some(at as u32));
            if let Some(other) = other.filter(|other| is_new(0, at) && is_new(1, *other)) {
                to[0].push(Some(at as u32));
                to[1].push(Some(other as u32));
            }
        }
        let [mine, other] = to;
        let ours_side = side(
            &self.ours,
            mine,
            touched(base, &self.ours),
            ours.sheets.len(),
        );
        let theirs_side = side(
            &self.theirs,
            other,
            touched(base, &self.theirs),
            theirs.sheets.len(),
        );
        let found = merge_lines(&ours_side, &theirs_side, &|_, _| Ok(Vec::new()))?;
        let mut found = self.without_charts(found);
        let positions = found.items.clone();
        for item in &mut found.items {
            item.base = item.base.filter(|base| (*base as usize) < real);
        }
        let names = self.names_of_sheets(&found.items);
        let tabs = self.tabs(&found, &names);
        self.say_sheets(&found, &names);
        debug_assert_eq!(positions.len(), found.items.len());
        Ok(tabs)
    }

    /// A sheet without cells that theirs added cannot be brought over.
    fn without_charts(&mut self, mut found: MergedLines) -> MergedLines {
        let book = self.theirs.book;
        let mut left: Vec<Item> = Vec::new();
        for item in &found.items {
            let sheet = item.theirs.map(|at| &book.sheets[at as usize]);
            match sheet {
                Some(sheet)
                    if item.ours.is_none() && !matches!(sheet.content, Content::Cells(_)) =>
                {
                    self.conflicts.push(Conflict {
                        sheet: Some(sheet.name.clone()),
                        theirs: Json::String(sheet.name.clone()),
                        ..Conflict::new(
                            ConflictKind::Sheet,
                            "theirs has a sheet of charts or macros that ours has not; copy it by hand",
                        )
                    });
                    self.mark_sheet_op(&sheet.name, true);
                }
                _ => left.push(*item),
            }
        }
        found.items = left;
        found.of_ours.fill(None);
        for (place, item) in (0..).zip(&found.items) {
            if let Some(ours) = item.ours {
                found.of_ours[ours as usize] = Some(place);
            }
        }
        found
    }

    fn mark_sheet_op(&mut self, name: &str, conflict: bool) {
        for (at, op) in self.theirs.ops_in(name) {
            if matches!(op, DiffOp::SheetAdded { .. }) {
                let fate = &mut self.theirs.fates[at];
                (fate.conflict, fate.done) = (conflict, !conflict);
            }
        }
    }

    /// The names that sheets have in the result.
    fn names_of_sheets(&mut self, items: &[Item]) -> Vec<String> {
        let (base, ours, theirs) = (self.base, self.ours.book, self.theirs.book);
        let name =
            |book: &Workbook, at: Option<u32>| at.map(|at| book.sheets[at as usize].name.clone());
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        let mut names = vec![String::new(); items.len()];
        for (at, item) in items.iter().enumerate() {
            if let Some(own) = name(ours, item.ours) {
                used.insert(fold(&own), at);
                names[at] = own;
            }
        }
        for (at, item) in items.iter().enumerate() {
            let (Some(own), Some(other)) = (name(ours, item.ours), name(theirs, item.theirs))
            else {
                continue;
            };
            let was = name(base, item.base);
            let renames = self.rename_ops(&own, &other);
            if own == other || was.as_ref() == Some(&other) {
                if own == other {
                    for op in &renames.1 {
                        self.theirs.fates[*op].same = true;
                    }
                }
                continue;
            }
            let free = used.get(&fold(&other)).is_none_or(|taken| *taken == at);
            if was.as_ref() == Some(&own) && free {
                used.remove(&fold(&own));
                used.insert(fold(&other), at);
                names[at] = other;
                for op in &renames.1 {
                    self.theirs.fates[*op].done = true;
                }
                continue;
            }
            for op in &renames.0 {
                self.ours.fates[*op].conflict = true;
            }
            for op in &renames.1 {
                self.theirs.fates[*op].conflict = true;
            }
            let message = if free {
                format!("the sheet is called {own:?} in ours and {other:?} in theirs")
            } else {
                format!("theirs calls the sheet {other:?}, which is another sheet of ours")
            };
            self.conflicts.push(Conflict {
                sheet: Some(own.clone()),
                base: json!(was),
                ours: json!(own),
                theirs: json!(other),
                ..Conflict::new(ConflictKind::Sheet, message)
            });
        }
        for (at, item) in items.iter().enumerate() {
            let (None, Some(other)) = (item.ours, name(theirs, item.theirs)) else {
                continue;
            };
            names[at] = free_name(&other, &used);
            used.insert(fold(&names[at]), at);
            if names[at] != other {
                self.conflicts.push(Conflict {
                    sheet: Some(names[at].clone()),
                    ours: json!(other),
                    theirs: json!(other),
                    ..Conflict::new(
                        ConflictKind::Sheet,
                        format!("ours and theirs each have a sheet {other:?} of their own; that of theirs is called {:?}", names[at]),
                    )
                });
            }
        }
        names
    }

    /// The renames of a sheet, by its names in ours and theirs.
    fn rename_ops(&self, own: &str, other: &str) -> (Vec<usize>, Vec<usize>) {
        let of = |version: &Version<'a>, name: &str| {
            let ops = version.ops_in(name).into_iter();
            let ops = ops.filter(|(_, op)| matches!(op, DiffOp::SheetRenamed { .. }));
            ops.map(|(at, _)| at).collect()
        };
        (of(&self.ours, own), of(&self.theirs, other))
    }

    /// Sorts the sheets by who has them; those that are there though one side removed
    /// them are conflicts.
    fn tabs(&mut self, found: &MergedLines, names: &[String]) -> Tabs {
        let (ours, theirs) = (self.ours.book, self.theirs.book);
        let mut tabs = Tabs::default();
        for ((position, item), name) in (0..).zip(&found.items).zip(names) {
            let tab = Tab {
                base: item.base.map(|at| at as usize),
                ours: item.ours.map(|at| at as usize),
                theirs: item.theirs.map(|at| at as usize),
                name: name.clone(),
                other_name: item
                    .theirs
                    .map(|at| theirs.sheets[at as usize].name.clone())
                    .unwrap_or_default(),
                position,
            };
            match (tab.ours, tab.theirs) {
                (Some(_), Some(_)) => tabs.both.push(tab),
                (Some(own), None) => {
                    let was = ours.sheets[own].name.clone();
                    if let Some(base) = tab.base {
                        self.removed(base, name, true);
                    }
                    tabs.only_ours.push((was, name.clone()));
                }
                _ => {
                    if let Some(base) = tab.base {
                        self.removed(base, name, false);
                    }
                    tabs.came.push(tab);
                }
            }
        }
        let there = |side: usize, at: usize| {
            let mut items = found.items.iter();
            let at = Some(at as u32);
            items.any(|item| [item.ours, item.theirs][side] == at)
        };
        for (side, book) in [ours, theirs].into_iter().enumerate() {
            for (at, sheet) in book.sheets.iter().enumerate() {
                if !there(side, at) {
                    tabs.gone[side].push(sheet.name.clone());
                }
            }
        }
        tabs
    }

    /// A sheet of the base that one side removed and the other changed.
    fn removed(&mut self, base: usize, name: &str, by_theirs: bool) {
        let was = &self.base.sheets[base].name;
        let (who, other) = if by_theirs {
            ("theirs", "ours")
        } else {
            ("ours", "theirs")
        };
        let version = if by_theirs {
            &mut self.theirs
        } else {
            &mut self.ours
        };
        for (at, op) in version.report.ops.iter().enumerate() {
            if matches!(op, DiffOp::SheetRemoved { sheet, .. } if sheet == was) {
                version.fates[at].conflict = true;
            }
        }
        if !by_theirs {
            let now = |(old, ..): &&(usize, String, CellMap)| *old == base;
            let now = self.theirs.applied.sheets.iter().find(now);
            let now = now.map(|(_, now, _)| now.clone()).unwrap_or_default();
            for (at, _) in self.theirs.ops_in(&now) {
                self.theirs.fates[at].conflict = true;
            }
        }
        let there = json!(name);
        self.conflicts.push(Conflict {
            sheet: Some(name.to_owned()),
            base: json!(was),
            ours: if by_theirs { there.clone() } else { Json::Null },
            theirs: if by_theirs { Json::Null } else { there },
            keeps_removed: true,
            ..Conflict::new(
                ConflictKind::Sheet,
                format!("{who} removed the sheet, and {other} changed it; it is in the result"),
            )
        });
    }
}

/// What a side did to the order of the sheets; those that both added are the last of
/// the base.
fn side(
    version: &Version<'_>,
    to: Vec<Option<u32>>,
    touched: HashSet<u32>,
    count: usize,
) -> LineSide {
    let mut from = vec![None; count];
    for (line, to) in (0..).zip(&to) {
        if let Some(to) = to {
            from[*to as usize] = Some(line);
        }
    }
    let moves = version.report.ops.iter().filter_map(|op| match op {
        DiffOp::SheetMoved {
            from_position,
            position,
            ..
        } => Some(LineMove {
            src: *from_position,
            len: 1,
            dst: *position,
        }),
        _ => None,
    });
    LineSide {
        moves: moves.collect(),
        to,
        from,
        touched,
    }
}

/// A name that no other sheet has, as long as programs allow.
fn free_name(name: &str, used: &BTreeMap<String, usize>) -> String {
    if !used.contains_key(&fold(name)) {
        return name.to_owned();
    }
    let names = (1..=u32::MAX).map(|number| {
        let mark = match number {
            1 => " (theirs)".to_owned(),
            number => format!(" (theirs {number})"),
        };
        let room = 31 - mark.chars().count();
        let stem: String = name.chars().take(room).collect();
        format!("{stem}{mark}")
    });
    let mut free = names.filter(|name| !used.contains_key(&fold(name)));
    free.next().unwrap_or_else(|| name.to_owned())
}
