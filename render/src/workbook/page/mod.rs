//! The workbook page: both versions of every sheet in one table, in one file.
//!
//! Rows are in the HTML itself, and folding and the switch to formulas need no
//! script; the script adds tabs, filters, keys and the line between both ends of a
//! move.

mod cell;
mod fold;
mod list;
mod table;

use super::view::{SheetKind, SheetShow, WorkbookView};
use crate::page::{Shell, escaped};
use std::fmt::Write as _;
use std::io::{self, Write};

/// What is added to what every page has.
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Columns for which paper is surely wide enough.
const PAPER: usize = 12;

impl WorkbookView<'_> {
    /// Writes the page: a part for each sheet with the list of what happened and a
    /// table of old and new rows. From about `limit` bytes on rows are left out, and
    /// the page says so.
    ///
    /// # Errors
    /// What the writer returns.
    pub fn write_html(&self, out: &mut dyn Write, limit: u64) -> io::Result<()> {
        let mut left = usize::try_from(limit).unwrap_or(usize::MAX);
        let sheets = self.sheets.iter().zip(1..);
        let shown = sheets.filter(|(sheet, _)| sheet.kind != SheetKind::NotCompared);
        let mut parts = Vec::new();
        for (sheet, id) in shown {
            let part = section(sheet, id, &mut left);
            parts.push((sheet, id, part));
        }
        let (old, new) = self.names;
        let shell = Shell {
            title: &format!("{old} → {new}"),
            style: STYLE,
            script: SCRIPT,
        };
        shell.write(out, |out| {
            list::write_head(out, self)?;
            writeln!(out, "<nav class=\"no-print\" aria-label=\"Sheets\"><div class=\"tabs\">")?;
            for (sheet, id, _) in &parts {
                let (mark, word) = tab_mark(sheet.kind);
                let hidden = if sheet.hidden { " <small>hidden</small>" } else { "" };
                writeln!(
                    out,
                    "<a href=\"#s{id}\" id=\"t{id}\">{}{hidden}<span class=\"tab-mark {word}\" title=\"{word}\">{mark}</span></a>",
                    escaped(sheet.name)
                )?;
            }
            writeln!(out, "</div></nav>\n<main>")?;
            for (_, _, part) in &parts {
                out.write_all(part.as_bytes())?;
            }
            list::write_names(out, "Names", &self.defined)?;
            list::write_names(out, "Workbook", &self.whole)?;
            writeln!(out, "</main>")
        })
    }
}

/// The remark next to the name of a sheet in its tab.
fn tab_mark(kind: SheetKind) -> (&'static str, &'static str) {
    match kind {
        SheetKind::Changed => ("~", "changed"),
        SheetKind::Added => ("+", "added"),
        SheetKind::Removed => ("−", "removed"),
        SheetKind::Unchanged | SheetKind::NotCompared => ("=", "unchanged"),
    }
}

/// One sheet.
fn section(sheet: &SheetShow<'_>, id: usize, left: &mut usize) -> String {
    let table = table::table(sheet, id, *left);
    let list = list::of_sheet(sheet, id, &table);
    let name = escaped(sheet.name);
    let about = escaped(&sheet.about);
    let mut html = format!(
        "<section class=\"sheet\" id=\"s{id}\" aria-labelledby=\"h{id}\">\n\
         <h2 id=\"h{id}\">{name} <span class=\"about\">{about}</span></h2>\n{list}"
    );
    if sheet.has_cells && sheet.rows.len() > 0 && sheet.cols.len() > 0 {
        if table.width() > PAPER {
            let _ = writeln!(
                html,
                "<p class=\"note print-only\">The table has {} columns; paper may be too narrow for all \
                 of them.</p>",
                table.width()
            );
        }
        let _ = write!(
            html,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Cells of {name}\">\n{}</div>\n",
            table.html
        );
    } else if sheet.has_cells {
        html.push_str("<p class=\"empty\">It holds nothing.</p>\n");
    } else {
        html.push_str(
            "<p class=\"empty\">It is byte for byte the same in both, and was not read.</p>\n",
        );
    }
    html.push_str("</section>\n");
    *left = left.saturating_sub(html.len());
    html
}
