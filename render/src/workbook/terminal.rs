//! A report on a workbook, for a terminal.

use super::acts;
use super::counts::some;
use super::edits::{self, Edit};
use super::lines::{Along, Run, columns, nth, preview, rows, runs, telling};
use super::macros::{self, Code};
use super::moves::{print_moves, unchanged};
use super::non_cell::{Described, told};
use super::pages::{Page, PageKind, beside, is_name, pages};
use super::summary::{about, sentence};
use super::value::{escaped, readable, shorten};
use crate::styles::{FAINT, MOVED, NAME, NEW, OLD, visible_name};
use anstyle::Style;
use mvdiff_grid::{DiffOp, DiffReport, FormulaDiff, Labels, Note, PlacedCell, SheetReport};
use std::io::{self, Write};

/// Prints a report sheet by sheet: what moved with what was edited inside it, what
/// came, went and was edited, and a sentence that sums it up. Rows and columns are
/// named as spreadsheet programs show them.
///
/// # Errors
/// What the writer returns.
pub fn workbook_terminal(out: &mut dyn Write, report: &DiffReport) -> io::Result<()> {
    let beside: Vec<&Note> = beside(report).collect();
    if report.ops.is_empty() && beside.is_empty() {
        return Ok(());
    }
    let plain = report.unfolded();
    let (pages, names) = pages(&plain, &report.ops);
    let (changed, unchanged): (Vec<_>, Vec<_>) =
        pages.iter().partition(|page| !page.ops.is_empty());
    for page in &changed {
        print_page(out, page)?;
    }
    if names.iter().any(|op| is_name(op)) {
        writeln!(out, "{NAME}Names{NAME:#}")?;
        for op in &names {
            print_name(out, op)?;
        }
    }
    if !names.iter().all(|op| is_name(op)) {
        writeln!(out, "{NAME}Workbook{NAME:#}")?;
        for op in &names {
            print_whole(out, op)?;
        }
    }
    if !beside.is_empty() {
        writeln!(out, "{NAME}Beside the cells{NAME:#}")?;
        for note in beside {
            writeln!(out, "  {}", visible_name(&note.message))?;
        }
    }
    if report.ops.is_empty() {
        return Ok(());
    }
    print_unchanged(out, &unchanged)?;
    writeln!(out, "\n{}", sentence(&pages, &names))
}

/// A line that says what happened, where, and more in faint letters behind it.
pub(super) fn line(
    out: &mut dyn Write,
    (verb, style): (&str, Style),
    what: &str,
    more: &str,
) -> io::Result<()> {
    write!(out, "  {style}{verb:8}{style:#} {what}")?;
    if !more.is_empty() {
        let pad = 37usize.saturating_sub(what.chars().count()).max(3);
        write!(out, "{:pad$}{FAINT}{more}{FAINT:#}", "")?;
    }
    writeln!(out)
}

const ADDED: (&str, Style) = ("added", NEW.1);
const REMOVED: (&str, Style) = ("removed", OLD.1);
pub(super) const MOVE: (&str, Style) = ("moved", MOVED);

fn print_page(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    print_head(out, page)?;
    let PageKind::Both(sheet) = page.kind else {
        return print_copy(out, page);
    };
    print_columns(out, page)?;
    let inside = print_moves(out, page)?;
    print_rows(out, page)?;
    print_acts(out, page)?;
    let edits = edits::of(page);
    let outside: Vec<Edit<'_>> = edits
        .iter()
        .zip(&inside)
        .filter(|(_, inside)| !**inside)
        .map(|(edit, _)| *edit)
        .collect();
    edits::print(out, &outside)?;
    for op in &page.ops {
        print_other(out, op)?;
    }
    print_beside(out, page)?;
    print_formulas(out, page, sheet)
}

fn print_acts(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    for act in &page.acts {
        if let Some(told) = acts::told(act, page.name) {
            let style = match told.verb {
                "removed" | "cleared" => OLD.1,
                "entered" => NEW.1,
                _ => MOVED,
            };
            line(out, (told.verb, style), &told.what, &told.more)?;
        }
    }
    Ok(())
}

/// What is different in a sheet that is a copy of another.
fn print_copy(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    for act in &page.acts {
        let DiffOp::SheetCopied(act) = act else {
            continue;
        };
        let cells = act.edits.iter().map(|cell| Edit {
            at: cell.addr.0,
            was: cell.from_addr.0,
            from: &cell.from,
            to: &cell.to,
            names: (cell.header.as_deref(), cell.key.as_deref()),
        });
        edits::print(out, &cells.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Changes beside the cells that are listed of a sheet; more are counted.
const BESIDE: usize = 40;

fn print_beside(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    let all: Vec<Described> = page.ops.iter().filter_map(|op| told(op)).collect();
    for told in all.iter().take(BESIDE) {
        print_told(out, told)?;
    }
    if let Some(more) = all.len().checked_sub(BESIDE).filter(|more| *more > 0) {
        writeln!(
            out,
            "           {FAINT}… {more} more changes beside the cells; --format text lists them all{FAINT:#}"
        )?;
    }
    Ok(())
}

fn print_told(out: &mut dyn Write, told: &Described) -> io::Result<()> {
    let style = match told.verb {
        "added" => NEW.1,
        "removed" => OLD.1,
        _ => Style::new(),
    };
    let what = format!("{} {}", told.noun, told.place);
    let more = shorten(&told.more.replace(" -> ", " → "), 100);
    line(out, (told.verb, style), what.trim_end(), &more)
}

fn print_head(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    let name = visible_name(page.name);
    writeln!(out, "{NAME}Sheet {name}{NAME:#}   {}", about(page))
}

fn print_columns(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    let removed = runs(&page.rest, |op| match op {
        DiffOp::ColumnRemoved { col_idx, cells, .. } => Some((*col_idx, &cells[..])),
        _ => None,
    });
    let added = runs(&page.rest, |op| match op {
        DiffOp::ColumnAdded { col_idx, cells, .. } => Some((*col_idx, &cells[..])),
        _ => None,
    });
    for (verb, runs) in [(REMOVED, &removed), (ADDED, &added)] {
        for run in runs {
            print_column_run(out, verb, run, page.labels())?;
        }
    }
    for op in &page.rest {
        let DiffOp::BlockMovedColumns {
            src_start_col,
            col_count,
            dst_start_col,
            cell_count,
            similarity,
            ..
        } = op
        else {
            continue;
        };
        let noun = if *col_count == 1 { "column" } else { "columns" };
        let (from, to) = (
            columns(*src_start_col, *col_count),
            columns(*dst_start_col, *col_count),
        );
        let size = some(*col_count as usize, "column", "columns");
        let more = unchanged(&size, *cell_count, *similarity);
        line(out, MOVE, &format!("{noun} {from} → {to}"), &more)?;
    }
    Ok(())
}

/// Neighbouring columns as one range, and the first of them one by one.
fn print_column_run(
    out: &mut dyn Write,
    verb: (&str, Style),
    run: &Run<'_>,
    labels: Option<&Labels>,
) -> io::Result<()> {
    let count = run.lines.len();
    let names = labels.map(|labels| {
        if verb.0 == REMOVED.0 {
            &labels.old_columns
        } else {
            &labels.columns
        }
    });
    let name = |at: u32| names.and_then(|names| names.get(&at)).cloned();
    if count == 1 {
        let cells = preview(run.lines[0], Along::Column);
        let what = format!("column {}   {cells}", columns(run.start, 1));
        return line(out, verb, &what, "");
    }
    let names: Vec<String> = (run.start..).take(count).filter_map(name).collect();
    let more = if names.is_empty() {
        format!("({count} columns)")
    } else {
        let names = shorten(&visible_name(&names.join(", ")), 80);
        format!("({count} columns: {names})")
    };
    let what = format!("columns {}", columns(run.start, count as u32));
    line(out, verb, &what, &more)?;
    let listed = if count > ROWS + 1 { ROWS } else { count };
    for (at, cells) in (run.start..).zip(&run.lines[..listed]) {
        let cells = preview(cells, Along::Column);
        let letters = columns(at, 1);
        writeln!(out, "           {FAINT}{letters:3}{FAINT:#}   {cells}")?;
    }
    if count > listed {
        let more = count - listed;
        writeln!(out, "           {FAINT}… {more} more columns{FAINT:#}")?;
    }
    Ok(())
}

/// Rows of a run that are shown.
const ROWS: usize = 5;

fn print_rows(out: &mut dyn Write, page: &Page<'_>) -> io::Result<()> {
    let removed = runs(&page.rest, |op| match op {
        DiffOp::RowRemoved { row_idx, cells, .. } => Some((*row_idx, &cells[..])),
        _ => None,
    });
    let added = runs(&page.rest, |op| match op {
        DiffOp::RowAdded { row_idx, cells, .. } => Some((*row_idx, &cells[..])),
        _ => None,
    });
    print_runs(out, REMOVED, &removed)?;
    print_runs(out, ADDED, &added)
}

/// Runs that are listed; more are counted.
const RUNS: usize = 50;

fn print_runs(out: &mut dyn Write, verb: (&str, Style), runs: &[Run<'_>]) -> io::Result<()> {
    for run in runs.iter().take(RUNS) {
        let count = run.lines.len();
        if count == 1 {
            let cells = preview(run.lines[0], Along::Row);
            line(out, verb, &format!("row {}   {cells}", nth(run.start)), "")?;
            continue;
        }
        let more = format!("({count} rows)");
        let what = format!("rows {}", rows(run.start, count as u32));
        line(out, verb, &what, &more)?;
        // A line that says "1 more row" says no more than the row itself.
        let listed = if count > ROWS + 1 { ROWS } else { count };
        let width = (run.start as usize + count).to_string().len();
        let telling = telling(&run.lines);
        for (row, cells) in (nth(run.start)..).zip(&run.lines[..listed]) {
            let cells: Vec<PlacedCell> = cells
                .iter()
                .filter(|cell| telling.contains(&cell.addr.0.col))
                .cloned()
                .collect();
            print_row(out, row, width, &cells)?;
        }
        if count > listed {
            let more = count - listed;
            writeln!(out, "           {FAINT}… {more} more rows{FAINT:#}")?;
        }
    }
    if runs.len() > RUNS {
        let rest = &runs[RUNS..];
        let rows: usize = rest.iter().map(|run| run.lines.len()).sum();
        writeln!(
            out,
            "           {FAINT}… {} {} in {} more places; --format text lists them all{FAINT:#}",
            some(rows, "row", "rows"),
            verb.0,
            rest.len()
        )?;
    }
    Ok(())
}

fn print_row(out: &mut dyn Write, row: u64, width: usize, cells: &[PlacedCell]) -> io::Result<()> {
    let cells = preview(cells, Along::Row);
    writeln!(out, "           {FAINT}{row:width$}{FAINT:#}   {cells}")
}

/// Merged cells and keys.
fn print_other(out: &mut dyn Write, op: &DiffOp) -> io::Result<()> {
    match op {
        DiffOp::MergeAdded { area, .. } => line(out, ("merged", NEW.1), &visible_name(area), ""),
        DiffOp::MergeRemoved { area, .. } => {
            line(out, ("unmerged", OLD.1), &visible_name(area), "")
        }
        DiffOp::DuplicateKeyCluster {
            key,
            old_rows,
            new_rows,
            ..
        } => {
            let key: Vec<String> = key.iter().map(|c| shorten(&readable(c), 24)).collect();
            let numbers = |rows: &[u32]| {
                let rows: Vec<String> = rows.iter().map(|row| nth(*row).to_string()).collect();
                rows.join(", ")
            };
            let more = format!("(rows {} → {})", numbers(old_rows), numbers(new_rows));
            let what = format!("used more than once: {}", key.join(" │ "));
            line(out, ("key", MOVED), &what, &more)
        }
        _ => Ok(()),
    }
}

fn print_formulas(out: &mut dyn Write, page: &Page<'_>, sheet: &SheetReport) -> io::Result<()> {
    let changed = |op: &&&DiffOp| {
        let semantic = Some(FormulaDiff::Semantic);
        matches!(op, DiffOp::CellEdited { formula_diff, .. } if *formula_diff == semantic)
    };
    let changed = page.ops.iter().filter(changed).count();
    if sheet.formulas_followed == 0 && changed == 0 {
        return Ok(());
    }
    let followed = sheet.formulas_followed;
    let noun = if followed == 1 {
        "its cells"
    } else {
        "their cells"
    };
    let what = format!("{followed} followed {noun}, {changed} changed");
    line(out, ("formulas", FAINT), &what, "")
}

/// Lines of a module or a query that are shown; more are counted.
const CODE: usize = 60;

/// Something that belongs to no sheet and is not a name.
fn print_whole(out: &mut dyn Write, op: &DiffOp) -> io::Result<()> {
    let Some(told) = told(op) else { return Ok(()) };
    print_told(out, &told)?;
    let Some((_, change)) = macros::of(op) else {
        return Ok(());
    };
    let lines = Code::new(change).lines;
    for text in lines.iter().take(CODE) {
        let style = match text.chars().next() {
            Some('+') => NEW.1,
            Some('-') => OLD.1,
            Some('@') => FAINT,
            _ => MOVED,
        };
        writeln!(out, "           {style}{text}{style:#}")?;
    }
    if lines.len() > CODE {
        let more = lines.len() - CODE;
        writeln!(
            out,
            "           {FAINT}… {more} more lines; --format text lists them all{FAINT:#}"
        )?;
    }
    Ok(())
}

fn print_name(out: &mut dyn Write, op: &DiffOp) -> io::Result<()> {
    let scoped = |name: &str, sheet: Option<&String>| match sheet {
        Some(sheet) => format!("{}!{}", visible_name(sheet), visible_name(name)),
        None => visible_name(name),
    };
    let short = |text: &str| shorten(&escaped(text), 60);
    match op {
        DiffOp::NameAdded {
            name,
            sheet,
            refers_to,
        } => {
            let what = format!("{} = {}", scoped(name, sheet.as_ref()), short(refers_to));
            line(out, ADDED, &what, "")
        }
        DiffOp::NameRemoved {
            name,
            sheet,
            refers_to,
        } => {
            let what = format!("{} = {}", scoped(name, sheet.as_ref()), short(refers_to));
            line(out, REMOVED, &what, "")
        }
        DiffOp::NameChanged {
            name,
            from_name,
            sheet,
            from,
            to,
        } => {
            let name = scoped(name, sheet.as_ref());
            let what = match from_name {
                Some(was) if from == to => format!("{name}   was spelled {}", short(was)),
                _ => format!("{name}   {} → {}", short(from), short(to)),
            };
            line(out, ("changed", Style::new()), &what, "")
        }
        _ => Ok(()),
    }
}

/// Sheets that are named at the end.
const NAMED: usize = 10;

fn print_unchanged(out: &mut dyn Write, pages: &[&Page<'_>]) -> io::Result<()> {
    if pages.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = pages
        .iter()
        .take(NAMED)
        .map(|page| visible_name(page.name))
        .collect();
    let more = match pages.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names.join(", ");
    writeln!(out, "{FAINT}Unchanged: {names}{more}{FAINT:#}")
}
