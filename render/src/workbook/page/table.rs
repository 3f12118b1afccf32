//! The table of a sheet.

use super::cell;
use super::fold::{self, Column, Stretch};
use crate::effective::grouped;
use crate::page::escaped;
use crate::workbook::view::{CellFate, CellShow, Line, LineFate, Move, MoveKind, SheetShow};
use mvdiff_grid::column_name;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

/// Folded rows that are kept in the page; what is unchanged over a longer stretch
/// is left out.
const FOLDED: u32 = 300;

/// The table, and how far it goes.
pub(super) struct Table {
    pub html: String,
    /// The first row that is left out because the page is full.
    end: u32,
    cols: Vec<Column>,
    /// Ends of moves that are in it.
    ends: HashSet<End>,
}

/// One end of the move of this number: where it is, or where it was.
type End = (usize, bool);

impl Table {
    /// Whether the new place of a move is in the page.
    pub(super) fn has_move(&self, number: usize) -> bool {
        self.ends.contains(&(number, true))
    }

    /// How many columns it has.
    pub(super) fn width(&self) -> usize {
        self.cols.len()
    }

    /// Whether a cell is in the page.
    pub(super) fn has(&self, (row, col): (u32, u32)) -> bool {
        row < self.end && self.cols.contains(&Column::At(col))
    }
}

/// The id of a cell that is linked to.
pub(super) fn cell_id(sheet: usize, (row, col): (u32, u32)) -> String {
    format!("s{sheet}-{row}-{col}")
}

/// Makes the table in about so many bytes.
pub(super) fn table(sheet: &SheetShow<'_>, id: usize, limit: usize) -> Table {
    let mut maker = Maker {
        sheet,
        id,
        cols: fold::columns(sheet),
        html: String::new(),
        limit,
        ends: HashSet::new(),
    };
    maker.head();
    let stretches = fold::rows(sheet);
    let mut end = sheet.rows.len();
    for stretch in &stretches {
        let done = match stretch {
            Stretch::Shown(rows) => maker.shown(rows.clone()),
            Stretch::Folded(rows) => {
                maker.folded(rows.clone());
                None
            }
        };
        if let Some(at) = done {
            end = at;
            break;
        }
    }
    if end < sheet.rows.len() {
        let rows = sheet.rows.len() - end;
        let text = format!(
            "{rows} more rows are left out: the page reached its limit; --page-limit sets it"
        );
        maker.note_row("cut", &text);
    }
    maker.html.push_str("</table>\n");
    maker.unlink();
    Table {
        html: maker.html,
        end,
        cols: maker.cols,
        ends: maker.ends,
    }
}

struct Maker<'m, 'v> {
    sheet: &'m SheetShow<'v>,
    id: usize,
    cols: Vec<Column>,
    html: String,
    limit: usize,
    ends: HashSet<End>,
}

impl<'v> Maker<'_, 'v> {
    fn head(&mut self) {
        self.html.push_str(
            "<table>\n<thead><tr><th scope=\"col\" class=\"corner\"><span class=\"o\">old</span>\
             <span class=\"w\">new</span><span class=\"s\">what</span></th>",
        );
        for column in self.cols.clone() {
            match column {
                Column::Gap(count) => {
                    let _ = write!(
                        self.html,
                        "<td class=\"gap\"><span title=\"{count} unchanged columns left out\">…{count}</span></td>"
                    );
                }
                Column::At(at) => self.column(at),
            }
        }
        self.html.push_str("</tr></thead>\n");
    }

    fn column(&mut self, at: u32) {
        let Some(line) = self.sheet.cols.line(at) else {
            return;
        };
        let name = line.new.or(line.old).map(column_name).unwrap_or_default();
        let was = match (line.old, line.new) {
            (Some(old), Some(new)) if old != new => {
                format!(" <small>was {}</small>", column_name(old))
            }
            _ => String::new(),
        };
        let (class, text) = match line.became {
            LineFate::Kept => ("", format!("{name}{was}")),
            LineFate::Added => ("a stop", format!("<b>+</b> {name}")),
            LineFate::Removed => ("d stop", format!("<b>−</b> <del>{name}</del>")),
            LineFate::Moved(number) => {
                let mark = self.ends(number, line);
                ("m", format!("{mark} {name}{was}"))
            }
            LineFate::Left(number) => ("l", self.ends(number, line)),
        };
        let stop = is_first_of(self.sheet, line);
        let class = match (class, stop) {
            ("m", true) => "m stop",
            (class, _) => class,
        };
        let _ = write!(
            self.html,
            "<th scope=\"col\"{}{}{}>{text}</th>",
            attribute("class", class),
            data_move(line),
            self.id_of_column(at, line)
        );
    }

    /// Columns that came or went are led to by their heads.
    fn id_of_column(&self, at: u32, line: Line) -> String {
        match line.became {
            LineFate::Added | LineFate::Removed => {
                format!(" id=\"s{}-c{at}\" tabindex=\"-1\"", self.id)
            }
            LineFate::Moved(_) if is_first_of(self.sheet, line) => " tabindex=\"-1\"".to_owned(),
            _ => String::new(),
        }
    }

    /// The mark of a move: a link from either end to the other.
    fn ends(&mut self, number: usize, line: Line) -> String {
        let Some(step) = self.sheet.step(number) else {
            return String::new();
        };
        if matches!(line.became, LineFate::Left(_)) {
            self.ends.insert((number, false));
            return link_to(step);
        }
        if is_first_of(self.sheet, line) {
            self.ends.insert((number, true));
            return link_from(step);
        }
        step.name()
    }

    /// Takes back the links to ends of moves that were left out.
    fn unlink(&mut self) {
        let mut lonely: Vec<End> = self.ends.iter().copied().collect();
        lonely.retain(|&(number, new)| !self.ends.contains(&(number, !new)));
        if lonely.is_empty() {
            return;
        }
        let dead: HashSet<String> = lonely
            .iter()
            .map(|&(number, new)| format!("m{number}{}", if new { "-from" } else { "" }))
            .collect();
        let mut kept = String::with_capacity(self.html.len());
        let mut parts = self.html.split(" href=\"#");
        kept.push_str(parts.next().unwrap_or_default());
        for part in parts {
            match part.split_once('"') {
                Some((to, rest)) if dead.contains(to) => kept.push_str(rest),
                _ => {
                    kept.push_str(" href=\"#");
                    kept.push_str(part);
                }
            }
        }
        self.html = kept;
    }

    /// Rows that are shown; gives back where the page became full.
    fn shown(&mut self, rows: Range<u32>) -> Option<u32> {
        self.html.push_str("<tbody>\n");
        let mut full = None;
        for at in rows {
            if self.html.len() > self.limit {
                full = Some(at);
                break;
            }
            self.row(at);
        }
        self.html.push_str("</tbody>\n");
        full
    }

    /// Rows that are folded, or left out where they are many.
    fn folded(&mut self, rows: Range<u32>) {
        let count = rows.end - rows.start;
        let rows_of = match (self.sheet.sorted, count) {
            (true, _) => "reordered rows",
            (false, 1) => "unchanged row",
            (false, _) => "unchanged rows",
        };
        // Half of the page is for what happened.
        if count > FOLDED || self.html.len() > self.limit / 2 {
            self.note_row("fold", &format!("… {} {rows_of}, left out", grouped(count)));
            return;
        }
        let columns = self.cols.len() + 1;
        let _ = write!(
            self.html,
            "<tbody class=\"fold\"><tr><td colspan=\"{columns}\"><label><input type=\"checkbox\"> … {count} {rows_of}</label></td></tr></tbody>\n<tbody class=\"folded\">\n"
        );
        for at in rows {
            self.row(at);
        }
        self.html.push_str("</tbody>\n");
    }

    fn note_row(&mut self, class: &str, text: &str) {
        let columns = self.cols.len() + 1;
        let _ = writeln!(
            self.html,
            "<tbody class=\"{class}\"><tr><td colspan=\"{columns}\"><span class=\"note\">{text}</span></td></tr></tbody>"
        );
    }

    fn row(&mut self, at: u32) {
        let Some(line) = self.sheet.rows.line(at) else {
            return;
        };
        if let LineFate::Left(number) = line.became {
            self.left_row(at, number);
            return;
        }
        let cells = self.sheet.cells(line);
        let kinds = kinds(self.sheet, line);
        let class = match line.became {
            LineFate::Kept | LineFate::Left(_) => "",
            LineFate::Added => "a",
            LineFate::Removed => "d",
            LineFate::Moved(_) => "m",
        };
        let _ = write!(
            self.html,
            "<tr{}{}{}>",
            attribute("class", class),
            data_move(line),
            attribute("data-kinds", &kinds)
        );
        self.row_head(at, line);
        for column in self.cols.clone() {
            match column {
                Column::Gap(_) => self.html.push_str("<td class=\"gap\"></td>"),
                Column::At(col) => self.cell((at, col), line, cells.get(&col)),
            }
        }
        self.html.push_str("</tr>\n");
    }

    /// Numbers of a row, and what happened to it.
    fn row_head(&mut self, at: u32, line: Line) {
        let number = |line: Option<u32>| line.map_or(String::new(), |line| (line + 1).to_string());
        let mark = match line.became {
            LineFate::Kept | LineFate::Left(_) => String::new(),
            LineFate::Added => "<b>+</b><span class=\"vh\"> added</span>".to_owned(),
            LineFate::Removed => "<b>−</b><span class=\"vh\"> removed</span>".to_owned(),
            LineFate::Moved(number) => self.ends(number, line),
        };
        // Only the first of several rows with one fate is a step.
        let before = at.checked_sub(1).and_then(|at| self.sheet.rows.line(at));
        let first = before.is_none_or(|before| before.became != line.became);
        let stop = if line.became != LineFate::Kept && first {
            " class=\"stop\" tabindex=\"-1\""
        } else {
            ""
        };
        let mut mark = mark;
        for name in rect_names(self.sheet, line) {
            if !mark.is_empty() {
                mark.push(' ');
            }
            mark.push_str(&name);
        }
        let edited = if self.sheet.has_edits(line) {
            " <b>~</b><span class=\"vh\"> edited</span>"
        } else {
            ""
        };
        let _ = write!(
            self.html,
            "<th scope=\"row\" id=\"s{}-{at}\"{stop}><span class=\"o\">{}</span><span class=\"w\">{}</span><span class=\"s\">{mark}{edited}</span></th>",
            self.id,
            number(line.old),
            number(line.new)
        );
    }

    /// The place that moved rows left.
    fn left_row(&mut self, at: u32, number: usize) {
        let Some(step) = self.sheet.step(number) else {
            return;
        };
        self.ends.insert((number, false));
        let columns = self.cols.len();
        let (name, from, to) = (step.name(), &step.from, &step.to);
        let _ = writeln!(
            self.html,
            "<tr class=\"l\" data-m=\"{number}\" data-kinds=\"moved\"><th scope=\"row\" id=\"s{}-{at}\"><span class=\"s\">{name}</span></th><td colspan=\"{columns}\"><span class=\"note\">{name}: {from} moved to <a href=\"#m{number}\" id=\"m{number}-from\">{to}</a></span></td></tr>",
            self.id
        );
    }

    fn cell(&mut self, place: (u32, u32), row: Line, shown: Option<&CellShow<'v>>) {
        let Some(col) = self.sheet.cols.line(place.1) else {
            return;
        };
        let merged = self.sheet.merged_at(place);
        let merged = merged.map_or(String::new(), |note| {
            format!(" <small>{}</small>", escaped(note))
        });
        let Some(shown) = shown else {
            // Nothing in it, but its column may have come or moved.
            let class = match (row.became, col.became) {
                (_, LineFate::Left(_)) => "l",
                (LineFate::Removed, _) | (_, LineFate::Removed) => "d",
                (LineFate::Added, _) | (_, LineFate::Added) => "a",
                (LineFate::Moved(_), _) | (_, LineFate::Moved(_)) => "m",
                _ => "",
            };
            let _ = write!(
                self.html,
                "<td{}{}>{merged}</td>",
                attribute("class", class),
                data_move(col)
            );
            return;
        };
        let edited = shown.edit.is_some() && !shown.is_covered(self.sheet);
        let mut class = cell::classes(shown, edited);
        let mut id = String::new();
        if edited {
            class = format!("{class} stop");
        }
        if shown.edit.is_some() {
            id = format!(" id=\"{}\" tabindex=\"-1\"", cell_id(self.id, place));
        }
        let (moved, mark) = match shown.fate {
            CellFate::Moved(number) | CellFate::Left(number) => {
                self.rect(number, (row, col), shown)
            }
            _ => (data_move(col), String::new()),
        };
        if !mark.is_empty() && matches!(shown.fate, CellFate::Moved(_)) && !edited {
            class = format!("{class} stop");
            if id.is_empty() {
                id.push_str(" tabindex=\"-1\"");
            }
        }
        let _ = write!(
            self.html,
            "<td{}{moved}{id}>{mark}",
            attribute("class", &class)
        );
        cell::write(&mut self.html, self.sheet, shown);
        self.html.push_str(&merged);
        self.html.push_str("</td>");
    }

    /// The mark in the first cell of a moved rectangle, and of the place that it left.
    fn rect(
        &mut self,
        number: usize,
        (row, col): (Line, Line),
        shown: &CellShow<'_>,
    ) -> (String, String) {
        let Some(step) = self.sheet.step(number) else {
            return (String::new(), String::new());
        };
        let MoveKind::Rect { from, to } = step.kind else {
            return (data_move(col), String::new());
        };
        let came = matches!(shown.fate, CellFate::Moved(_));
        let (first, here) = if came {
            (to.first, (row.new, col.new))
        } else {
            (from.first, (row.old, col.old))
        };
        let mut mark = String::new();
        if here == (Some(first.row), Some(first.col)) {
            self.ends.insert((number, came));
            let link = if came { link_from } else { link_to };
            mark = format!("{} ", link(step));
        }
        (format!(" data-m=\"{number}\""), mark)
    }
}

/// At the new place: where it was.
fn link_from(step: &Move) -> String {
    let number = step.number;
    format!(
        "<a class=\"end\" id=\"m{number}\" href=\"#m{number}-from\" title=\"{} moved from {}\">{} <small>from {}</small></a>",
        step.name(),
        step.from,
        step.name(),
        short(&step.from)
    )
}

/// At the old place: where it is now.
fn link_to(step: &Move) -> String {
    let number = step.number;
    format!(
        "<a class=\"end\" id=\"m{number}-from\" href=\"#m{number}\" title=\"{}: {} moved to {}\">{} <small>to {}</small></a>",
        step.name(),
        step.from,
        step.to,
        step.name(),
        short(&step.to)
    )
}

/// `rows 5-8` without its noun.
fn short(place: &str) -> &str {
    place.rsplit(' ').next().unwrap_or(place)
}

/// Whether a line is the first of those that moved with it.
fn is_first_of(sheet: &SheetShow<'_>, line: Line) -> bool {
    let LineFate::Moved(number) = line.became else {
        return false;
    };
    let kind = sheet.step(number).map(|step| step.kind);
    matches!(kind, Some(MoveKind::Rows { dst, .. } | MoveKind::Cols { dst, .. }) if line.new == Some(dst))
}

/// The rectangles that came into a row or left it, each once.
fn rect_names(sheet: &SheetShow<'_>, line: Line) -> Vec<String> {
    let mut names: Vec<String> = sheet.rects_in(line).map(|(step, _)| step.name()).collect();
    names.dedup();
    names
}

/// What the filters know a row by.
fn kinds(sheet: &SheetShow<'_>, line: Line) -> String {
    let mut kinds = Vec::new();
    match line.became {
        LineFate::Kept => {}
        LineFate::Added => kinds.push("added"),
        LineFate::Removed => kinds.push("removed"),
        LineFate::Moved(_) | LineFate::Left(_) => kinds.push("moved"),
    }
    if sheet.rects_in(line).next().is_some() && !kinds.contains(&"moved") {
        kinds.push("moved");
    }
    for edit in sheet.edits_in(line) {
        let formula = edit.from.formula.is_some() || edit.to.formula.is_some();
        let kind = if formula { "formula" } else { "edited" };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.join(" ")
}

fn data_move(line: Line) -> String {
    match line.became {
        LineFate::Moved(number) | LineFate::Left(number) => format!(" data-m=\"{number}\""),
        _ => String::new(),
    }
}

fn attribute(name: &str, value: &str) -> String {
    match value {
        "" => String::new(),
        value => format!(" {name}=\"{}\"", escaped(value)),
    }
}
