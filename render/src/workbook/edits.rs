//! Edited cells on a terminal: each on its line, or folded where there are very
//! many.

use super::pages::Page;
use super::value::{pair, readable, shorten};
use crate::styles::{FAINT, NEW, OLD, visible_name};
use mvdiff_grid::{Address, CellData, DiffOp, Labels, column_name};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// One edited cell.
#[derive(Clone, Copy)]
pub(crate) struct Edit<'r> {
    pub at: Address,
    pub was: Address,
    pub from: &'r CellData,
    pub to: &'r CellData,
    /// The name of its column, and the key of its row.
    pub names: (Option<&'r str>, Option<&'r str>),
}

impl<'r> Edit<'r> {
    pub(super) fn of(op: &'r DiffOp) -> Option<Self> {
        match op {
            DiffOp::CellEdited {
                addr,
                from_addr,
                from,
                to,
                ..
            } => Some(Self {
                at: addr.0,
                was: from_addr.0,
                from,
                to,
                names: (None, None),
            }),
            _ => None,
        }
    }

    /// The same with the names of its column and row.
    pub(super) fn named(self, labels: Option<&'r Labels>) -> Self {
        Self {
            names: labels.map_or((None, None), |labels| labels.of_cell(self.at)),
            ..self
        }
    }

    /// `Price, 1010`; empty if nothing is known.
    pub(super) fn names(&self) -> String {
        let names = [self.names.0, self.names.1].into_iter().flatten();
        let names: Vec<String> = names.map(|name| shorten(&visible_name(name), 32)).collect();
        names.join(", ")
    }

    /// A formula that reads as before and came to the same, and is an edit only
    /// because the cells that it names went elsewhere: rows that were sorted inside
    /// of a range.
    pub(super) fn only_stands_still(&self) -> bool {
        self.from.formula.is_some() && self.from == self.to
    }

    /// The remark about such a formula: `not adjusted: still =C21*2`.
    pub(super) fn stands_still(&self) -> String {
        let formula = shorten(&readable(self.to), Self::VALUE);
        format!("not adjusted: still {formula}")
    }

    /// How wide its values are shown.
    const VALUE: usize = 40;

    /// Prints it, its address padded to `width`.
    pub(super) fn print(&self, out: &mut dyn Write, width: usize) -> io::Result<()> {
        let (was, is) = pair(self.from, self.to, Self::VALUE);
        let (old, new) = (OLD.1, NEW.1);
        write!(
            out,
            "  edited   {:width$}   {old}{was}{old:#} → {new}{is}{new:#}",
            self.at.to_string()
        )?;
        let mut more = self.names();
        if self.at != self.was {
            let was = format!("was {}", self.was);
            more = if more.is_empty() {
                was
            } else {
                format!("{was}, {more}")
            };
        }
        if !more.is_empty() {
            let shown = width.max(self.at.to_string().len()) + 17;
            let shown = shown + was.chars().count() + is.chars().count();
            let pad = 48usize.saturating_sub(shown).max(3);
            write!(out, "{:pad$}{FAINT}{more}{FAINT:#}", "")?;
        }
        writeln!(out)
    }
}

/// The edits of a sheet that are in no act.
pub(super) fn of<'r>(page: &Page<'r>) -> Vec<Edit<'r>> {
    let edits = page.rest.iter().filter_map(|op| Edit::of(op));
    edits.map(|edit| edit.named(page.labels())).collect()
}

/// As wide as the widest of their addresses.
pub(super) fn width(edits: &[Edit<'_>]) -> usize {
    let widths = edits.iter().map(|edit| edit.at.to_string().len());
    widths.max().unwrap_or(0)
}

/// More edits than these are folded, column by column.
pub(super) const LISTED: usize = 50;
/// Edits of a column that are shown of one that is folded.
const SHOWN: usize = 3;
/// Columns that are shown.
const COLUMNS: usize = 24;

/// Prints edits, very many of them folded.
pub(super) fn print(out: &mut dyn Write, edits: &[Edit<'_>]) -> io::Result<()> {
    let (still, edits): (Vec<Edit<'_>>, Vec<Edit<'_>>) =
        edits.iter().partition(|edit| edit.only_stands_still());
    told(out, &edits)?;
    if let Some(first) = still.first() {
        let count = match still.len() {
            1 => String::new(),
            more => format!(" and {} more", more - 1),
        };
        let said = first.stands_still();
        writeln!(
            out,
            "  edited   {}{count}   {FAINT}{said}{FAINT:#}",
            first.at
        )?;
    }
    Ok(())
}

fn told(out: &mut dyn Write, edits: &[Edit<'_>]) -> io::Result<()> {
    let width = width(edits);
    if edits.len() <= LISTED {
        return edits.iter().try_for_each(|edit| edit.print(out, width));
    }
    let mut columns: BTreeMap<u32, Vec<&Edit<'_>>> = BTreeMap::new();
    for edit in edits {
        columns.entry(edit.at.col).or_default().push(edit);
    }
    for (col, edits) in columns.iter().take(COLUMNS) {
        // A line that says "1 more" says no more than the edit itself.
        let shown = if edits.len() > SHOWN + 1 {
            SHOWN
        } else {
            edits.len()
        };
        for edit in &edits[..shown] {
            edit.print(out, width)?;
        }
        if let Some(last) = edits[shown..].last() {
            let more = edits.len() - shown;
            let col = column_name(*col);
            writeln!(
                out,
                "           {FAINT}… {more} more in column {col}, down to {}{FAINT:#}",
                last.at
            )?;
        }
    }
    if columns.len() > COLUMNS {
        let rest = columns.values().skip(COLUMNS);
        let (cells, more) = (rest.map(Vec::len).sum::<usize>(), columns.len() - COLUMNS);
        writeln!(
            out,
            "           {FAINT}… {cells} more in {more} more columns; --format text lists them all{FAINT:#}"
        )?;
    }
    Ok(())
}
