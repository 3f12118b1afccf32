//! The whole workbook: sheets in order, names, merged regions.

use crate::cell_map::CellMap;
use crate::diff::follow_name;
use crate::replay::plan::{Plan, parse_area};
use crate::replay::{ApplyError, grids};
use crate::workbook_map::{WorkbookMap, fold};
use crate::{
    Content, DiffOp, DiffReport, Grid, GridBuilder, Name, PlacedCell, Sheet, Visibility, Workbook,
};
use std::collections::{BTreeMap, BTreeSet};

/// A new workbook, and where the cells of the old one are in it.
pub(crate) struct Applied {
    pub book: Workbook,
    pub map: WorkbookMap,
    /// Sheets that are still there: the old index, the new name, where cells went.
    pub sheets: Vec<(usize, String, CellMap)>,
}

pub(crate) fn apply_mapped(old: &Workbook, report: &DiffReport) -> Result<Applied, ApplyError> {
    let report = &*report.unfolded();
    let tabs = Tabs::new(old, report)?;
    let mut workbook_map = WorkbookMap::default();
    workbook_map.renumber(report.links.iter().map(|[old, new]| (*old, *new)));
    let mut planned = Vec::new();
    for (sheet, name) in old.sheets.iter().zip(&tabs.names) {
        let Some(name) = name else {
            workbook_map.add(&sheet.name, None, CellMap::default());
            continue;
        };
        let wrong = |what| ApplyError::Contradiction {
            sheet: name.clone(),
            what,
        };
        let mine = report.ops.iter().filter(|op| op.sheet() == Some(name));
        let mut plan = Plan::new(mine)?;
        let extent = sheet
            .grid()
            .map_or((0, 0), |g| (g.row_count(), g.col_count()));
        let told = report.sheets.iter().find(|told| told.sheet == *name);
        let keyed = told.filter(|told| !told.keyed_by.is_empty());
        plan.kept = told
            .iter()
            .flat_map(|told| &told.kept)
            .map(|area| parse_area(area))
            .collect::<Result<_, _>>()?;
        let map = plan.map(extent.0, extent.1, keyed).map_err(wrong)?;
        workbook_map.add(&sheet.name, Some(name), map.clone());
        planned.push((sheet, name, plan, map));
    }
    let mut there = BTreeMap::new();
    let mut sheets = Vec::new();
    for (sheet, name, plan, map) in planned {
        let at = old.sheets.iter().position(|other| other.name == sheet.name);
        sheets.push((at.unwrap_or(0), name.clone(), map.clone()));
        let new = apply_sheet(sheet, name, &plan, &map, &workbook_map, report)?;
        there.insert(fold(name), new);
    }
    let book = Workbook {
        names: names(old, &workbook_map, report),
        sheets: tabs.in_order(there)?,
        ..Workbook::default()
    };
    Ok(Applied {
        book,
        map: workbook_map,
        sheets,
    })
}

fn apply_sheet(
    sheet: &Sheet,
    name: &str,
    plan: &Plan<'_>,
    map: &CellMap,
    workbook_map: &WorkbookMap,
    report: &DiffReport,
) -> Result<Sheet, ApplyError> {
    let content = match &sheet.content {
        Content::Cells(grid) => {
            let places = workbook_map.seen_from(Some(&sheet.name));
            let grid = grids::apply(grid, plan, map, &places);
            Content::Cells(grid.map_err(|what| ApplyError::Contradiction {
                sheet: name.to_owned(),
                what,
            })?)
        }
        other => other.clone(),
    };
    let stay = sheet
        .merges
        .iter()
        .filter(|area| !plan.merges_removed.contains(area));
    let merges: BTreeSet<_> = stay
        .filter_map(|area| map.area(*area))
        .chain(plan.merges_added.iter().copied())
        .collect();
    let shown = report.ops.iter().rev().find_map(|op| match op {
        DiffOp::SheetVisibility { sheet, to, .. } if sheet == name => Some(*to),
        _ => None,
    });
    Ok(Sheet {
        name: name.to_owned(),
        visibility: shown.unwrap_or(sheet.visibility),
        content,
        merges: merges.into_iter().collect(),
        ..Sheet::default()
    })
}

/// The sheets by name and place.
struct Tabs {
    /// For each old sheet its new name, if it is still there.
    names: Vec<Option<String>>,
    added: Vec<(u32, Sheet)>,
    /// New names of sheets that moved, and where to.
    moved: Vec<(u32, String)>,
}

impl Tabs {
    fn new(old: &Workbook, report: &DiffReport) -> Result<Self, ApplyError> {
        let mut names: Vec<Option<String>> = old
            .sheets
            .iter()
            .map(|sheet| Some(sheet.name.clone()))
            .collect();
        let find = |name: &str| {
            let at = old.sheets.iter().position(|sheet| sheet.name == name);
            at.ok_or_else(|| ApplyError::NoSheet(name.to_owned()))
        };
        let (mut added, mut moved) = (Vec::new(), Vec::new());
        for op in &report.ops {
            match op {
                DiffOp::SheetRemoved { sheet, .. } => names[find(sheet)?] = None,
                DiffOp::SheetRenamed { sheet, from } => names[find(from)?] = Some(sheet.clone()),
                DiffOp::SheetMoved {
                    sheet, position, ..
                } => moved.push((*position, sheet.clone())),
                DiffOp::SheetAdded {
                    sheet,
                    position,
                    visibility,
                    cells,
                    merges,
                    whole,
                } => {
                    let mut new = added_sheet(sheet, *visibility, cells, merges)?;
                    if let Some(whole) = whole {
                        new.content = Content::Other(whole.holds);
                    }
                    added.push((*position, new));
                }
                _ => {}
            }
        }
        let tabs = Self {
            names,
            added,
            moved,
        };
        for op in &report.ops {
            if let Some(sheet) = op.sheet()
                && !op.is_about_the_sheet()
                && !tabs.names.iter().flatten().any(|name| name == sheet)
            {
                return Err(ApplyError::NoSheet(sheet.to_owned()));
            }
        }
        Ok(tabs)
    }

    /// Sheets that came or moved are where they say; the others fill the places
    /// that are left, in their order.
    fn in_order(self, mut there: BTreeMap<String, Sheet>) -> Result<Vec<Sheet>, ApplyError> {
        let total = there.len() + self.added.len();
        let mut places: Vec<Option<Sheet>> = vec![None; total];
        let mut put = |position: u32, sheet: Sheet| {
            let place = places
                .get_mut(position as usize)
                .filter(|place| place.is_none());
            let name = sheet.name.clone();
            match place {
                Some(place) => {
                    *place = Some(sheet);
                    Ok(())
                }
                None => Err(ApplyError::Contradiction {
                    sheet: name,
                    what: format!("place {position} is taken or beyond the last"),
                }),
            }
        };
        for (position, sheet) in self.added {
            put(position, sheet)?;
        }
        for (position, name) in self.moved {
            let sheet = there.remove(&fold(&name));
            put(position, sheet.ok_or(ApplyError::NoSheet(name))?)?;
        }
        let rest = self.names.iter().flatten();
        let mut rest = rest.filter_map(|name| there.remove(&fold(name)));
        Ok(places
            .into_iter()
            .filter_map(|place| place.or_else(|| rest.next()))
            .collect())
    }
}

fn added_sheet(
    name: &str,
    visibility: Visibility,
    cells: &[PlacedCell],
    merges: &[String],
) -> Result<Sheet, ApplyError> {
    let merges: Result<Vec<_>, _> = merges.iter().map(|area| parse_area(area)).collect();
    let grid = grid_of(cells).map_err(|what| ApplyError::Contradiction {
        sheet: name.to_owned(),
        what,
    })?;
    Ok(Sheet {
        name: name.to_owned(),
        visibility,
        content: Content::Cells(grid),
        merges: merges?,
        ..Sheet::default()
    })
}

fn grid_of(cells: &[PlacedCell]) -> Result<Grid, String> {
    let mut grid = GridBuilder::default();
    for PlacedCell { addr, cell } in cells {
        grid.push(addr.0, cell.value.as_str(), cell.formula.as_deref());
        if let Some(area) = cell.array {
            grid.array(addr.0, area);
        }
    }
    grid.finish().map_err(|error| error.to_string())
}

fn names(old: &Workbook, workbook_map: &WorkbookMap, report: &DiffReport) -> Vec<Name> {
    let key = |name: &str, sheet: Option<&str>| (fold(name), sheet.map(fold));
    let mut gone = BTreeSet::new();
    let mut new = Vec::new();
    for op in &report.ops {
        match op {
            DiffOp::NameRemoved { name, sheet, .. } => {
                let sheet = sheet.as_deref();
                let is = sheet.map(|sheet| workbook_map.name(sheet).unwrap_or(sheet));
                gone.insert(key(name, is));
            }
            DiffOp::NameAdded {
                name,
                sheet,
                refers_to,
            } => new.push((name, sheet, refers_to)),
            DiffOp::NameChanged {
                name, sheet, to, ..
            } => {
                gone.insert(key(name, sheet.as_deref()));
                new.push((name, sheet, to));
            }
            _ => {}
        }
    }
    let stay = old.names.iter().filter_map(|name| {
        let sheet = name.sheet.as_deref();
        let sheet = sheet.map(|sheet| workbook_map.name(sheet).unwrap_or(sheet));
        (!gone.contains(&key(&name.name, sheet))).then(|| Name {
            name: name.name.clone(),
            sheet: sheet.map(str::to_owned),
            refers_to: follow_name(name, workbook_map),
        })
    });
    let mut names: Vec<Name> = stay
        .chain(new.into_iter().map(|(name, sheet, refers_to)| Name {
            name: name.clone(),
            sheet: sheet.clone(),
            refers_to: refers_to.clone(),
        }))
        .collect();
    names.sort();
    names
}
