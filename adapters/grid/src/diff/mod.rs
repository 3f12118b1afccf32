//! Two workbooks to what happened.

mod cells;
mod columns;
mod dense;
mod extras;
mod gaps;
mod header;
mod hints;
mod keyed;
mod line_looks;
mod line_styles;
mod lines;
mod links;
mod looks;
mod names;
mod objects;
mod ops;
mod parts;
mod rects;
mod repeats;
mod report_budget;
mod rows;
mod sheet;
mod sheets;
mod simpler;
mod sort;
mod tolerances;
mod walk;

pub(crate) use header::header_row;
pub(crate) use links::Links;
pub(crate) use names::follow as follow_name;

use crate::cell_map::CellMap;
use crate::keys::mix;
use crate::report::{DiffReport, ReportMode, SheetReport};
use crate::workbook_map::{WorkbookMap, fold};
use crate::{
    Content, DiffOp, Error, Grid, Mode, Note, Options, Sheet, Workbook, acts, check, labels,
    string_pool,
};
use cells::Cells;
use keyed::Cluster;
use mvdiff_core::Limit;
use report_budget::ReportBudget;
use sheet::{Aligned, align};
use sheets::{SheetPair, pair_sheets};
use std::collections::{BTreeSet, HashMap};

/// Says what happened to a workbook.
///
/// ```
/// use mvdiff_grid::{DiffOp, Grid, Options, Sheet, Value, Workbook, diff_workbooks};
///
/// let book = |rows: &[[f64; 3]]| {
///     let row = |row: &[f64; 3]| row.iter().map(|n| Value::Number(*n)).collect();
///     let grid = Grid::from_rows(rows.iter().map(row));
///     Workbook { sheets: vec![Sheet::new("Data", grid)], ..Workbook::default() }
/// };
/// let old = book(&[[1001.0, 2.5, 170.0], [1002.0, 3.5, 180.0], [1003.0, 4.5, 190.0]]);
/// let new = book(&[[1001.0, 2.5, 170.0], [1003.0, 4.5, 195.0]]);
/// let report = diff_workbooks(&old, &new, &Options::default())?;
/// assert!(matches!(report.ops[0], DiffOp::RowRemoved { row_idx: 1, .. }));
/// assert!(matches!(&report.ops[1], DiffOp::CellEdited { addr, .. } if addr.0.to_string() == "C2"));
/// # Ok::<(), mvdiff_grid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if a sheet or column that was asked for is not there, or an option is
/// out of range.
pub fn diff_workbooks(
    old: &Workbook,
    new: &Workbook,
    options: &Options,
) -> Result<DiffReport, Error> {
    wanted_sheets(old, new, options)?;
    wanted_columns(old, new, options)?;
    let mut report = checked(old, new, options)?;
    if options.hints {
        hints::noise(&mut report);
        hints::keys(&mut report, [old, new], options)?;
    }
    if options.labels {
        labels::find(&mut report, [old, new], options);
    }
    if options.acts {
        acts::fold(&mut report, [old, new]);
    }
    Ok(report)
}

/// The report, or a plain one if it would not have made the new workbook.
fn checked(old: &Workbook, new: &Workbook, options: &Options) -> Result<DiffReport, Error> {
    let report = compare(old, new, options, false)?;
    if !check::is_due(options) {
        return Ok(report);
    }
    match check::check(old, new, &report) {
        Ok(()) => Ok(report),
        Err(what) => {
            let mut plain = compare(old, new, options, true)?;
            let message = format!(
                "the report would not have made the new workbook ({what}), so cells are compared by address"
            );
            plain.notes.push(Note::new("check", message));
            Ok(plain)
        }
    }
}

/// Compares two workbooks; `plain` cells are compared where they are.
fn compare(
    old: &Workbook,
    new: &Workbook,
    options: &Options,
    plain: bool,
) -> Result<DiffReport, Error> {
    let pairs: Vec<SheetPair> = pair_sheets(old, new, options)
        .into_iter()
        .filter(|pair| is_wanted(old, new, *pair, options))
        .collect();
    let mut report = DiffReport::new();
    report
        .notes
        .extend(old.notes.iter().chain(&new.notes).cloned());
    let budget = ReportBudget::new(options.max_report);
    ops::sheets([old, new], &pairs, &budget, &mut report)?;
    let numbers = numbers(old, new, &pairs);
    let mut compared = Vec::new();
    for pair in &pairs {
        let (Some(o), Some(n)) = (pair.old, pair.new) else {
            continue;
        };
        let sheets = [&old.sheets[o], &new.sheets[n]];
        let aligned = match (sheets[0].grid(), sheets[1].grid()) {
            (Some(a), Some(b)) if plain => Compared {
                aligned: Aligned::in_place([a, b]),
                ..Compared::default()
            },
            (Some(a), Some(b)) => {
                let name = |side: usize| {
                    let known = &numbers[side];
                    move |name: &str| {
                        let number = known.get(&fold(name)).copied();
                        number.unwrap_or_else(|| string_pool::hash(name))
                    }
                };
                by_key_or_not(&sheets[1].name, [a, b], options, [&name(0), &name(1)])?
            }
            _ => Compared::default(),
        };
        compared.push((sheets, aligned));
    }
    if let Mode::Keyed(_) = options.mode {
        a_sheet_with_the_key(&compared)?;
    }
    let (mut workbook_map, mut back) = workbook_maps(old, new, &pairs, &compared);
    let links = Links::new(&old.links, &new.links);
    links.renumber(&mut workbook_map, &mut back);
    links.tell(options, &mut report);
    let still = workbook_map.is_identity();
    for (sheets, found) in compared {
        let aligned = &found.aligned;
        sheet_report(sheets, &found, &mut report);
        report.notes.extend(found.notes);
        let beside = extras::Beside {
            sheets,
            map: &aligned.map,
            workbook_map: &workbook_map,
            back: &back,
            budget: &budget,
            options,
        };
        let (Some(was), Some(is)) = (sheets[0].grid(), sheets[1].grid()) else {
            beside.tell(&mut report);
            other_content(sheets, &mut report);
            continue;
        };
        let cells = Cells {
            names: [&sheets[0].name, &sheets[1].name],
            grids: [was, is],
            aligned,
            workbook_map: &workbook_map,
            back: &back,
            still,
            budget: &budget,
            options,
            tolerances: tolerances::Tolerances::find(is, options),
        };
        let changes = cells.changes();
        ops::clusters(&sheets[1].name, found.clusters, &mut report);
        ops::cells(&sheets[1].name, aligned, changes, &mut report);
        ops::merges(sheets, aligned, &mut report);
        beside.tell(&mut report);
    }
    along(&pairs, [old, new], &budget, options, &mut report);
    let said = whole_sheets([old, new], &pairs);
    parts::book([old, new], &said, options, &budget, &mut report);
    names::diff([old, new], [&workbook_map, &back], &mut report);
    if budget.is_spent() {
        return Err(Error::TooMuchToReport(options.max_report));
    }
    Ok(report)
}

/// What sheets that went or came hold besides their cells.
fn along(
    pairs: &[SheetPair],
    [old, new]: [&Workbook; 2],
    budget: &ReportBudget,
    options: &Options,
    report: &mut DiffReport,
) {
    for pair in pairs {
        match (pair.old, pair.new) {
            (Some(at), None) => {
                let found = extras::alone(&old.sheets[at], budget, options);
                report.with_removed.extend(found.ops);
            }
            (None, Some(at)) => {
                let found = extras::alone(&new.sheets[at], budget, options);
                report.with_added.extend(found.ops);
                // What of it a report does not carry.
                let loud = found.notes.into_iter().filter(|note| note.kind == "part");
                report.notes.extend(loud);
            }
            _ => {}
        }
    }
}

/// The parts of sheets without cells that went or came, and are carried with them.
fn whole_sheets([old, new]: [&Workbook; 2], pairs: &[SheetPair]) -> [BTreeSet<String>; 2] {
    let parts = |sheets: &mut dyn Iterator<Item = &Sheet>| {
        let whole = |sheet: &&Sheet| {
            let whole = sheet.extras.whole.as_ref();
            whole.is_some_and(|whole| whole.parts.is_some())
        };
        let parts = sheets.filter(whole);
        parts.map(|sheet| sheet.extras.part.to_string()).collect()
    };
    let went = pairs.iter().filter(|pair| pair.new.is_none());
    let came = pairs.iter().filter(|pair| pair.old.is_none());
    [
        parts(&mut went.filter_map(|pair| old.sheets.get(pair.old?))),
        parts(&mut came.filter_map(|pair| new.sheets.get(pair.new?))),
    ]
}

/// What a sheet holds besides its cells, as what brings it.
pub(crate) fn alone(sheet: &Sheet) -> Vec<DiffOp> {
    let options = Options::default();
    extras::alone(sheet, &ReportBudget::new(u64::MAX), &options).ops
}

/// Says what happened to one sheet.
///
/// # Errors
/// As [`diff_workbooks`].
pub fn diff_grids(
    sheet: &str,
    old: &Grid,
    new: &Grid,
    options: &Options,
) -> Result<DiffReport, Error> {
    let book = |grid: &Grid| Workbook {
        sheets: vec![Sheet::new(sheet, grid.clone())],
        ..Workbook::default()
    };
    diff_workbooks(&book(old), &book(new), options)
}

/// Says what happened to a table whose rows are known by the cells of some columns,
/// wherever they are.
///
/// # Errors
/// As [`diff_workbooks`].
pub fn diff_grids_database_mode(
    sheet: &str,
    old: &Grid,
    new: &Grid,
    keys: &[&str],
    options: &Options,
) -> Result<DiffReport, Error> {
    let options = Options {
        mode: Mode::Keyed(keys.iter().map(|&key| key.to_owned()).collect()),
        ..options.clone()
    };
    diff_grids(sheet, old, new, &options)
}

/// Two sheets, aligned in one way or the other.
#[derive(Default)]
struct Compared {
    aligned: Aligned,
    clusters: Vec<Cluster>,
    notes: Vec<Note>,
    /// The columns that rows were matched by.
    keyed_by: Vec<String>,
    sorted_by: Vec<String>,
    /// The column that was asked for as a key and is not there.
    no_column: Option<Error>,
}

/// Aligns by key where one is wanted and there, else as a spreadsheet.
fn by_key_or_not(
    sheet: &str,
    grids: [&Grid; 2],
    options: &Options,
    names: [&(dyn Fn(&str) -> u64 + Sync); 2],
) -> Result<Compared, Error> {
    let mut compared = Compared::default();
    if options.mode != Mode::Grid {
        match keyed::align(sheet, grids, options, names) {
            Ok(Some(found)) => {
                return Ok(Compared {
                    aligned: found.aligned,
                    clusters: found.clusters,
                    notes: found.notes,
                    keyed_by: found.keyed_by,
                    ..compared
                });
            }
            Ok(None) => {
                let message = format!(
                    "sheet {sheet:?}: no column has a different value in every row, so rows are compared by content and position"
                );
                compared.notes.push(Note::new("key", message));
            }
            Err(error @ Error::NoColumn { .. }) => {
                let message = format!("{error}; its rows are compared by content and position");
                compared.notes.push(Note::new("key", message));
                compared.no_column = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    compared.aligned = align(grids[0], grids[1], options, names)?;
    if let Some(columns) = sort::sorted_by(grids[0], grids[1], &compared.aligned) {
        let words: Vec<String> = columns
            .iter()
            .map(|column| match column.strip_prefix('-') {
                Some(column) => format!("{column} (descending)"),
                None => column.clone(),
            })
            .collect();
        let message = format!("sheet {sheet:?}: rows sorted by {}", words.join(", "));
        compared.notes.push(Note::new("sort", message));
        compared.sorted_by = columns;
    }
    Ok(compared)
}

/// A key that no sheet has was misspelt.
fn a_sheet_with_the_key(compared: &[([&Sheet; 2], Compared)]) -> Result<(), Error> {
    let errors = compared.iter().map(|(_, found)| &found.no_column);
    let all = errors.clone().all(Option::is_some);
    match errors.flatten().next() {
        Some(error) if all => Err(error.clone()),
        _ => Ok(()),
    }
}

/// Refuses names of sheets that neither workbook has.
fn wanted_sheets(old: &Workbook, new: &Workbook, options: &Options) -> Result<(), Error> {
    let all = || {
        old.sheets
            .iter()
            .chain(&new.sheets)
            .map(|sheet| sheet.name.as_str())
    };
    for name in options.only_sheets.iter().chain(&options.ignore_sheets) {
        if !all().any(|other| fold(other) == fold(name)) {
            let mut names: Vec<String> = all().map(|name| format!("{name:?}")).collect();
            names.sort();
            names.dedup();
            return Err(Error::NoSheet(name.clone(), names.join(", ")));
        }
    }
    Ok(())
}

/// Columns with a tolerance of their own have to be in some sheet: a name that is spelt wrong
/// would count for nothing. What was not read may have any.
fn wanted_columns(old: &Workbook, new: &Workbook, options: &Options) -> Result<(), Error> {
    let sheets = || old.sheets.iter().chain(&new.sheets);
    let has = |sheet: &Sheet, name: &str| match &sheet.content {
        Content::Cells(grid) => {
            let header = options.header_row.or_else(|| header::header_row(grid));
            let col = header::named_column(grid, header, name);
            col.is_some_and(|col| col < grid.col_count())
        }
        Content::Unread => true,
        Content::Other(_) => false,
    };
    for (name, _) in &options.column_tolerances {
        let first = sheets().find(|sheet| sheet.grid().is_some());
        if let Some(first) = first.filter(|_| !sheets().any(|sheet| has(sheet, name))) {
            return Err(Error::NoColumn {
                sheet: first.name.clone(),
                column: name.clone(),
            });
        }
    }
    Ok(())
}

fn is_wanted(old: &Workbook, new: &Workbook, pair: SheetPair, options: &Options) -> bool {
    let names = [
        pair.old.map(|at| &old.sheets[at].name),
        pair.new.map(|at| &new.sheets[at].name),
    ];
    let is_in = |list: &[String]| {
        let mut names = names.iter().flatten();
        names.any(|name| list.iter().any(|other| fold(other) == fold(name)))
    };
    (options.only_sheets.is_empty() || is_in(&options.only_sheets))
        && !is_in(&options.ignore_sheets)
}

/// One number for a sheet and its partner, by name on either side.
fn numbers(old: &Workbook, new: &Workbook, pairs: &[SheetPair]) -> [HashMap<String, u64>; 2] {
    let mut numbers = [HashMap::new(), HashMap::new()];
    for (number, pair) in (0..).zip(pairs) {
        let number = mix(number, 99);
        if let Some(at) = pair.old {
            numbers[0].insert(fold(&old.sheets[at].name), number);
        }
        if let Some(at) = pair.new {
            numbers[1].insert(fold(&new.sheets[at].name), number);
        }
    }
    numbers
}

/// Where the cells of all sheets went, and where they came from.
fn workbook_maps(
    old: &Workbook,
    new: &Workbook,
    pairs: &[SheetPair],
    compared: &[([&Sheet; 2], Compared)],
) -> (WorkbookMap, WorkbookMap) {
    let (mut workbook_map, mut back) = (WorkbookMap::default(), WorkbookMap::default());
    for ([was, is], found) in compared {
        let map = &found.aligned.map;
        workbook_map.add(&was.name, Some(&is.name), map.clone());
        back.add(&is.name, Some(&was.name), map.inverse());
    }
    for pair in pairs {
        match (pair.old, pair.new) {
            (Some(at), None) => {
                workbook_map.add(&old.sheets[at].name, None, CellMap::default());
            }
            (None, Some(at)) => {
                back.add(&new.sheets[at].name, None, CellMap::default());
            }
            _ => {}
        }
    }
    (workbook_map, back)
}

/// Sheets of which at least one has no cells to compare.
fn other_content([old, new]: [&Sheet; 2], report: &mut DiffReport) {
    match (&old.content, &new.content) {
        (Content::Unread, Content::Unread) => {}
        // It was compared whole.
        (Content::Other(a), Content::Other(b))
            if a == b && old.extras.whole.is_some() && new.extras.whole.is_some() => {}
        (Content::Other(a), Content::Other(b)) if a == b => {
            let message = format!("sheet {:?} has no cells, and is not compared", new.name);
            report.notes.push(Note::new("sheet", message));
        }
        _ => {
            report.complete = false;
            let message = format!(
                "sheet {:?} has cells in one workbook and none in the other, and is not compared",
                new.name
            );
            report.notes.push(Note::new("sheet", message));
        }
    }
}

/// Rows matched by key, as runs.
fn keyed_rows(found: &Compared) -> Vec<[u32; 3]> {
    let mut runs: Vec<[u32; 3]> = Vec::new();
    if found.aligned.keyed {
        for (old, new) in found.aligned.map.rows.pairs(found.aligned.rows.old_len) {
            match runs.last_mut() {
                Some([o, n, len]) if (*o + *len, *n + *len) == (old, new) => *len += 1,
                _ => runs.push([old, new, 1]),
            }
        }
    }
    runs
}

/// How two sheets were compared.
fn sheet_report(sheets: [&Sheet; 2], found: &Compared, report: &mut DiffReport) {
    let aligned = &found.aligned;
    let extent = sheets.map(|sheet| {
        let grid = sheet.grid();
        grid.map_or((0, 0), |grid| (grid.row_count(), grid.col_count()))
    });
    let mut ran = Vec::new();
    let mut why = Vec::new();
    if matches!(sheets[1].content, Content::Unread) {
        why.push("both files hold the same bytes for this sheet, so it was not read".to_owned());
    }
    if let [Some(_), Some(_)] = sheets.map(Sheet::grid) {
        let rows = if aligned.keyed { "keys" } else { "rows" };
        ran.extend(["columns", rows].map(str::to_owned));
    }
    if !found.keyed_by.is_empty() {
        report.mode = ReportMode::Keyed;
    }
    if aligned.guessed {
        why.push(
            "few cells are rare, so columns were compared row by row, in the same place".to_owned(),
        );
    }
    if !aligned.rows.moves.is_empty() || !aligned.cols.moves.is_empty() {
        ran.push("moves".to_owned());
    }
    if !aligned.rects.is_empty() {
        ran.push("rectangles".to_owned());
    }
    if aligned.ambiguous() > 0 {
        let count = aligned.ambiguous();
        why.push(format!(
            "{count} blocks of rows could have gone either way and are not called moved"
        ));
    }
    for limit in aligned.outcome.limits() {
        report.complete = false;
        let cause = match limit {
            Limit::EditArea => "very many rows changed in one place, and not every pair was tried",
            _ => "rows repeat very often, and not every pairing was tried",
        };
        let message = format!(
            "sheet {:?}: {cause}; moves and edits may be shown as removed and added",
            sheets[1].name
        );
        report.notes.push(Note::new("budget", message));
    }
    if aligned.no_rects {
        report.complete = false;
        let message = format!(
            "sheet {:?}: very many cells changed; moved rectangles may be shown as edits",
            sheets[1].name
        );
        report.notes.push(Note::new("budget", message));
    }
    report.sheets.push(SheetReport {
        sheet: sheets[1].name.clone(),
        old_sheet: sheets[0].name.clone(),
        old_rows: extent[0].0,
        old_cols: extent[0].1,
        new_rows: extent[1].0,
        new_cols: extent[1].1,
        ran,
        why: why.join("; "),
        keyed_by: found.keyed_by.clone(),
        keyed_rows: keyed_rows(found),
        sorted_by: found.sorted_by.clone(),
        ..SheetReport::default()
    });
}
