//! `--format text`: one line per operation.

use super::acts;
use super::counts::{Counts, some};
use super::lines::{Along, area, exact_line, nth, sheet_name};
use super::macros::{self, Code};
use super::non_cell::{Described, told};
use super::pages::{Page, PageKind, beside, is_name, pages};
use super::value::{escaped, exact, exact_value};
use mvdiff_grid::{
    CellData, DiffOp, DiffReport, Grid, Labels, Name, OtherSheet, Refs, Sheet, Visibility,
    WholeSheet, column_name,
};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Prints a report line by line: an address, a tab, what happened, and more behind
/// further tabs. Addresses are those of the new workbook, of what was removed
/// those of the old one. A line that begins with `#` sums a sheet up.
///
/// # Errors
/// What the writer returns.
pub fn workbook_text(out: &mut dyn Write, report: &DiffReport) -> io::Result<()> {
    let plain = report.unfolded();
    let (pages, names) = pages(&plain, &report.ops);
    for page in pages.iter().filter(|page| !page.ops.is_empty()) {
        writeln!(out, "{}", summary(page))?;
        let sorted = sort_line(out, page)?;
        for act in &page.acts {
            act_line(out, act, page.name)?;
        }
        for op in &page.ops {
            if !(sorted && matches!(op, DiffOp::BlockMovedRows { .. })) {
                line(out, op, page.labels())?;
            }
        }
    }
    let (names, whole): (Vec<&DiffOp>, Vec<&DiffOp>) =
        names.into_iter().partition(|op| is_name(op));
    for (title, ops) in [("names", names), ("workbook", whole)] {
        if !ops.is_empty() {
            writeln!(out, "# {title}: {}", in_words(&ops))?;
        }
        ops.iter().try_for_each(|op| line(out, op, None))?;
    }
    for note in beside(report) {
        let sheet = note
            .sheet
            .as_deref()
            .map(|name| format!("{}!", sheet_name(name)));
        let what = note.what.as_deref().unwrap_or("other");
        writeln!(
            out,
            "{}\t{} changed\t{}",
            sheet.unwrap_or_else(|| "(workbook)".to_owned()),
            escaped(what),
            escaped(&note.message)
        )?;
    }
    Ok(())
}

/// Prints a sheet, one cell a line: address, tab, formula or value.
///
/// # Errors
/// What the writer returns.
pub fn sheet_lines(out: &mut dyn Write, sheet: &Sheet) -> io::Result<()> {
    let name = sheet_name(&sheet.name);
    match sheet.visibility {
        Visibility::Visible => writeln!(out, "{name}!\tsheet")?,
        hidden => writeln!(out, "{name}!\tsheet, {}", shown(hidden))?,
    }
    for cell in sheet.grid().into_iter().flat_map(Grid::cells) {
        let data = exact(&cell.to_data());
        writeln!(out, "{name}!{}\t{data}", cell.address)?;
    }
    for area in &sheet.merges {
        writeln!(out, "{name}!{area}\tmerged")?;
    }
    Ok(())
}

/// Prints a name and what it refers to on a line.
///
/// # Errors
/// What the writer returns.
pub fn name_line(out: &mut dyn Write, name: &Name) -> io::Result<()> {
    let to = escaped(&name.refers_to);
    writeln!(
        out,
        "{}\tname\t{to}",
        scoped(&name.name, name.sheet.as_deref())
    )
}

fn in_words(ops: &[&DiffOp]) -> String {
    let mut counts = Counts::default();
    for op in ops {
        counts.add(op);
    }
    counts.in_words()
}

fn summary(page: &Page<'_>) -> String {
    let name = sheet_name(page.name);
    let mut counts = Counts::default();
    for op in page.told() {
        counts.add(op);
    }
    let PageKind::Both(sheet) = page.kind else {
        return format!("# {name}: {}", counts.in_words());
    };
    if !sheet.sorted_by.is_empty() {
        let is = |op: &&&DiffOp| matches!(op, DiffOp::BlockMovedRows { .. });
        counts.sort(page.rest.iter().filter(is).count());
    }
    let words = counts.in_words();
    let (was, is) = (
        format!("{} x {}", sheet.old_rows, sheet.old_cols),
        format!("{} x {}", sheet.new_rows, sheet.new_cols),
    );
    let extent = if was == is {
        was
    } else {
        format!("{was} -> {is}")
    };
    let mut text = format!("# {name}: {extent}: {words}");
    if sheet.formulas_followed > 0 {
        let _ = write!(text, "; {} formulas followed", sheet.formulas_followed);
    }
    if !sheet.keyed_by.is_empty() {
        let _ = write!(text, "; rows matched by {}", sheet.keyed_by.join(", "));
    }
    text
}

/// One line instead of the moves of a sort; says whether there was one.
fn sort_line(out: &mut dyn Write, page: &Page<'_>) -> io::Result<bool> {
    let PageKind::Both(sheet) = page.kind else {
        return Ok(false);
    };
    if sheet.sorted_by.is_empty() {
        return Ok(false);
    }
    let counts = page.ops.iter().filter_map(|op| match op {
        DiffOp::BlockMovedRows { row_count, .. } => Some(*row_count),
        _ => None,
    });
    let (rows, blocks) = (counts.clone().sum::<u32>(), counts.count());
    writeln!(
        out,
        "{}!\trows sorted\tby {}\t{rows} rows in {blocks} blocks",
        sheet_name(page.name),
        sheet.sorted_by.join(", ")
    )?;
    Ok(true)
}

fn line(out: &mut dyn Write, op: &DiffOp, labels: Option<&Labels>) -> io::Result<()> {
    match op {
        DiffOp::NameAdded {
            name,
            sheet,
            refers_to,
        } => {
            let to = escaped(refers_to);
            writeln!(out, "{}\tname added\t{to}", scoped(name, sheet.as_deref()))
        }
        DiffOp::NameRemoved {
            name,
            sheet,
            refers_to,
        } => {
            let was = escaped(refers_to);
            writeln!(
                out,
                "{}\tname removed\t{was}",
                scoped(name, sheet.as_deref())
            )
        }
        DiffOp::NameChanged {
            name,
            from_name,
            sheet,
            from,
            to,
        } => {
            let (from, to) = (escaped(from), escaped(to));
            let name = scoped(name, sheet.as_deref());
            if let Some(was) = from_name {
                writeln!(out, "{name}\tname spelled anew\twas {}", escaped(was))?;
                if from == to {
                    return Ok(());
                }
            }
            writeln!(out, "{name}\tname changed\t{from} -> {to}")
        }
        DiffOp::SheetAdded { .. }
        | DiffOp::SheetRemoved { .. }
        | DiffOp::SheetRenamed { .. }
        | DiffOp::SheetMoved { .. }
        | DiffOp::SheetVisibility { .. } => sheet_line(out, op),
        DiffOp::BlockMovedRows { .. }
        | DiffOp::BlockMovedColumns { .. }
        | DiffOp::BlockMovedRect { .. } => move_line(out, op),
        _ => match told(op) {
            Some(told) => beside_line(out, op, &told),
            None if matches!(op, DiffOp::PartChanged(_)) => Ok(()),
            None => content_line(out, op, labels),
        },
    }
}

/// An act; its cells follow one by one.
fn act_line(out: &mut dyn Write, act: &DiffOp, page: &str) -> io::Result<()> {
    let sheet = sheet_name(page);
    match act {
        DiffOp::SheetCopied(act) => {
            let turned = if act.transposed { " transposed" } else { "" };
            writeln!(
                out,
                "{sheet}!\tsheet copied{turned}\tfrom {}\t{} different",
                sheet_name(&act.from_sheet),
                some(act.edits.len(), "cell", "cells")
            )
        }
        _ => match acts::told(act, page) {
            Some(told) => {
                let more = told.more.replace(" → ", " -> ");
                let what = told.what.replace(" → ", " -> ");
                writeln!(out, "{sheet}!{what}\t{}\t{more}", told.verb)
            }
            None => Ok(()),
        },
    }
}

/// Something beside the cells.
fn beside_line(out: &mut dyn Write, op: &DiffOp, told: &Described) -> io::Result<()> {
    match (op.sheet(), &told.place[..]) {
        (Some(sheet), place) => write!(out, "{}!{place}", sheet_name(sheet))?,
        (None, "") => write!(out, "(workbook)")?,
        (None, place) => write!(out, "{place}")?,
    }
    write!(out, "\t{} {}", told.noun, told.verb)?;
    if !told.more.is_empty() {
        write!(out, "\t{}", told.more)?;
    }
    writeln!(out)?;
    if let Some((_, change)) = macros::of(op) {
        for line in Code::new(change).lines {
            writeln!(out, "{}\t{line}", told.place)?;
        }
    }
    Ok(())
}

fn scoped(name: &str, sheet: Option<&str>) -> String {
    match sheet {
        Some(sheet) => format!("{}!{}", sheet_name(sheet), escaped(name)),
        None => escaped(name),
    }
}

/// A sheet itself: its name with nothing behind the mark.
fn sheet_line(out: &mut dyn Write, op: &DiffOp) -> io::Result<()> {
    match op {
        DiffOp::SheetAdded {
            sheet,
            position,
            cells,
            whole,
            ..
        } => writeln!(
            out,
            "{}!\tsheet added\tat {}\t{}",
            sheet_name(sheet),
            nth(*position),
            held(whole.as_deref(), cells.len())
        ),
        DiffOp::SheetRemoved {
            sheet,
            position,
            cells,
            whole,
            ..
        } => writeln!(
            out,
            "{}!\tsheet removed\twas at {}\t{}",
            sheet_name(sheet),
            nth(*position),
            held(whole.as_deref(), cells.len())
        ),
        DiffOp::SheetRenamed { sheet, from } => writeln!(
            out,
            "{}!\tsheet renamed\twas {}",
            sheet_name(sheet),
            sheet_name(from)
        ),
        DiffOp::SheetMoved {
            sheet,
            from_position,
            position,
        } => writeln!(
            out,
            "{}!\tsheet moved\tto {}\twas {}",
            sheet_name(sheet),
            nth(*position),
            nth(*from_position)
        ),
        DiffOp::SheetVisibility { sheet, from, to } => writeln!(
            out,
            "{}!\tsheet {}\twas {}",
            sheet_name(sheet),
            shown(*to),
            shown(*from)
        ),
        _ => Ok(()),
    }
}

/// What is in a sheet that came or went.
fn held(whole: Option<&WholeSheet>, cells: usize) -> String {
    match whole.map(|whole| whole.holds) {
        None => format!("{cells} cells"),
        Some(OtherSheet::Chart) => "a chart".to_owned(),
        Some(OtherSheet::Dialog) => "a dialog".to_owned(),
        Some(OtherSheet::Macro) => "macros".to_owned(),
    }
}

pub(super) fn shown(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Visible => "visible",
        Visibility::Hidden => "hidden",
        Visibility::VeryHidden => "very hidden",
    }
}

fn move_line(out: &mut dyn Write, op: &DiffOp) -> io::Result<()> {
    let rows = |start: u32, count: u32| {
        let (start, count) = (u64::from(start), u64::from(count));
        format!("{}:{}", start + 1, start + count)
    };
    let cols = |start: u32, count: u32| {
        let last = start.saturating_add(count.saturating_sub(1));
        format!("{}:{}", column_name(start), column_name(last))
    };
    let (sheet, to, from, what, similarity, refs) = match op {
        DiffOp::BlockMovedRows {
            sheet,
            src_start_row,
            row_count,
            dst_start_row,
            similarity,
            refs,
            ..
        } => {
            let ends = (
                rows(*dst_start_row, *row_count),
                rows(*src_start_row, *row_count),
            );
            (sheet, ends.0, ends.1, "rows", similarity, refs)
        }
        DiffOp::BlockMovedColumns {
            sheet,
            src_start_col,
            col_count,
            dst_start_col,
            similarity,
            refs,
            ..
        } => {
            let ends = (
                cols(*dst_start_col, *col_count),
                cols(*src_start_col, *col_count),
            );
            (sheet, ends.0, ends.1, "columns", similarity, refs)
        }
        DiffOp::BlockMovedRect {
            sheet,
            src_start_row,
            row_count,
            src_start_col,
            col_count,
            dst_start_row,
            dst_start_col,
            similarity,
            refs,
            ..
        } => {
            let size = |row: u32, col: u32| area(row, *row_count, col, *col_count);
            let ends = (
                size(*dst_start_row, *dst_start_col),
                size(*src_start_row, *src_start_col),
            );
            (sheet, ends.0, ends.1, "cells", similarity, refs)
        }
        _ => return Ok(()),
    };
    let sheet = sheet_name(sheet);
    write!(out, "{sheet}!{to}\t{what} moved\twas {from}\t{similarity}")?;
    if *refs == Refs::Relative {
        write!(out, "\treferences relative")?;
    }
    writeln!(out)
}

fn content_line(out: &mut dyn Write, op: &DiffOp, labels: Option<&Labels>) -> io::Result<()> {
    match op {
        DiffOp::RowAdded {
            sheet,
            row_idx,
            cells,
        }
        | DiffOp::RowRemoved {
            sheet,
            row_idx,
            cells,
        } => {
            let (sheet, row) = (sheet_name(sheet), nth(*row_idx));
            let cells = exact_line(cells, Along::Row);
            let verb = if matches!(op, DiffOp::RowAdded { .. }) {
                "added"
            } else {
                "removed"
            };
            writeln!(out, "{sheet}!{row}:{row}\trow {verb}\t{cells}")
        }
        DiffOp::ColumnAdded {
            sheet,
            col_idx,
            cells,
        }
        | DiffOp::ColumnRemoved {
            sheet,
            col_idx,
            cells,
        } => {
            let (sheet, col) = (sheet_name(sheet), column_name(*col_idx));
            let cells = exact_line(cells, Along::Column);
            let verb = if matches!(op, DiffOp::ColumnAdded { .. }) {
                "added"
            } else {
                "removed"
            };
            writeln!(out, "{sheet}!{col}:{col}\tcolumn {verb}\t{cells}")
        }
        DiffOp::CellEdited {
            sheet,
            addr,
            from_addr,
            from,
            to,
            ..
        } => {
            let (was, is) = edit(from, to);
            let sheet = sheet_name(sheet);
            write!(out, "{sheet}!{}\tedited\t{was} -> {is}", addr.0)?;
            if addr != from_addr {
                write!(out, "\twas {}", from_addr.0)?;
            }
            let names = labels.map_or((None, None), |labels| labels.of_cell(addr.0));
            let names: Vec<String> = [names.0, names.1]
                .into_iter()
                .flatten()
                .map(escaped)
                .collect();
            if !names.is_empty() {
                write!(out, "\t({})", names.join(", "))?;
            }
            writeln!(out)
        }
        DiffOp::MergeAdded { sheet, area } => {
            writeln!(out, "{}!{}\tmerged", sheet_name(sheet), escaped(area))
        }
        DiffOp::MergeRemoved { sheet, area } => {
            writeln!(out, "{}!{}\tunmerged", sheet_name(sheet), escaped(area))
        }
        DiffOp::DuplicateKeyCluster {
            sheet,
            key,
            old_rows,
            new_rows,
        } => {
            let key: Vec<String> = key.iter().map(exact).collect();
            let numbers = |rows: &[u32]| {
                let rows: Vec<String> = rows.iter().map(|row| nth(*row).to_string()).collect();
                rows.join(",")
            };
            writeln!(
                out,
                "{}!\tkey used more than once\t{}\told rows {}\tnew rows {}",
                sheet_name(sheet),
                key.join(" "),
                numbers(old_rows),
                numbers(new_rows)
            )
        }
        _ => Ok(()),
    }
}

/// Both versions of a cell; of the same formula what it came to.
fn edit(from: &CellData, to: &CellData) -> (String, String) {
    if from.formula.is_some() && from.formula == to.formula {
        let value = |cell: &CellData| format!("{} ({})", exact(cell), exact_value(&cell.value));
        (value(from), value(to))
    } else {
        (exact(from), exact(to))
    }
}
