//! Everything around the tables: the head of the page, lists of changes.

use super::table::{Table, cell_id};
use crate::effective::grouped;
use crate::page::escaped;
use crate::workbook::counts::some;
use crate::workbook::view::{Entry, EntryKind, SheetShow, WorkbookView};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Things that are listed of a sheet.
const LISTED: usize = 200;

/// What can be filtered: the class, the mark, the word.
const KINDS: [(&str, &str, &str); 5] = [
    ("added", "+", "added"),
    ("removed", "−", "removed"),
    ("edited", "~", "edited"),
    ("moved", "M", "moved"),
    ("formula", "ƒ", "formulas"),
];

fn kind_class(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Moved => "moved",
        EntryKind::Added => "added",
        EntryKind::Removed => "removed",
        EntryKind::Edited => "edited",
        EntryKind::Formula => "formula",
        EntryKind::Other => "other",
    }
}

/// More notes than these are folded: a workbook of many sheets has one for each.
const NOTES: usize = 6;

/// The title, the sentence, the notes, the switches and the legend.
pub(super) fn write_head(out: &mut dyn Write, view: &WorkbookView<'_>) -> io::Result<()> {
    let (old, new) = view.names;
    writeln!(
        out,
        "<header class=\"top\">\n<h1>{} <span aria-hidden=\"true\">→</span><span class=\"vh\">became</span> {}</h1>\n<p class=\"summary\">{}</p>",
        escaped(old),
        escaped(new),
        escaped(&view.summary)
    )?;
    let notes = view.notes.iter().filter(|note| note.kind != "sort");
    let notes: Vec<String> = notes
        .map(|note| format!("<li>{}</li>", escaped(&note.message)))
        .collect();
    if notes.len() > NOTES {
        writeln!(
            out,
            "<details><summary>{} notes</summary><ul class=\"notes\">{}</ul></details>",
            notes.len(),
            notes.concat()
        )?;
    } else if !notes.is_empty() {
        writeln!(out, "<ul class=\"notes\">{}</ul>", notes.concat())?;
    }
    write!(
        out,
        "<div class=\"tools no-print\">\n<label class=\"switch\"><input type=\"checkbox\" id=\"formulas\"> Show formulas</label>\n\
         <span class=\"needs-script filters\" role=\"group\" aria-label=\"Show\">"
    )?;
    for (class, mark, word) in KINDS {
        write!(
            out,
            "<button type=\"button\" class=\"k-{class}\" data-filter=\"{class}\" aria-pressed=\"true\"><b aria-hidden=\"true\">{mark}</b> {word}</button> "
        )?;
    }
    writeln!(
        out,
        "</span>\n<span class=\"needs-script\"><button type=\"button\" data-step=\"-1\">Previous <kbd>p</kbd></button> \
         <button type=\"button\" data-step=\"1\">Next <kbd>n</kbd></button> \
         <button type=\"button\" data-theme-toggle aria-pressed=\"false\">Light or dark</button></span>\n</div>"
    )?;
    writeln!(
        out,
        "<details class=\"legend\"><summary>Legend</summary><ul>\
         <li><span class=\"a\"><b>+</b> added</span></li>\
         <li><span class=\"d\"><b>−</b> <del>removed</del></span> shown in its old place</li>\
         <li><span class=\"e\"><del>old</del> → <ins>new</ins></span> edited, what differs marked</li>\
         <li><span class=\"m\">M1 from 5-8</span> moved, and where it was; point at either end to see both</li>\
         <li><span class=\"l\">M1 to 13-16</span> where it was, and where it is now</li>\
         <li>Numbers at the left are the old and the new row; letters are the new columns.</li>\
         </ul></details>\n<p class=\"vh\" role=\"status\" id=\"said\"></p>\n</header>"
    )
}

/// What happened in a sheet, each a link to its place.
pub(super) fn of_sheet(sheet: &SheetShow<'_>, id: usize, table: &Table) -> String {
    if sheet.entries.is_empty() {
        return String::new();
    }
    let count = sheet.entries.len();
    let open = if count <= 12 { " open" } else { "" };
    let mut html = format!(
        "<details class=\"list\"{open}><summary>What happened: {}<span class=\"shown\"></span></summary>\n<ol>\n",
        some(count, "entry", "entries")
    );
    for entry in sheet.entries.iter().take(LISTED) {
        line(&mut html, entry, id, table);
    }
    html.push_str("</ol>\n");
    if count > LISTED {
        let more = grouped((count - LISTED) as u32);
        let _ = writeln!(
            html,
            "<p class=\"note\">… {more} more, marked in the table; --format text lists them all</p>"
        );
    }
    html.push_str("</details>\n");
    html
}

fn line(html: &mut String, entry: &Entry, id: usize, table: &Table) {
    let there = entry.at.filter(|at| table.has(*at));
    let target = match (entry.number, entry.kind, there) {
        (Some(number), ..) => table.has_move(number).then(|| format!("m{number}")),
        (None, EntryKind::Edited | EntryKind::Formula, Some(at)) => Some(cell_id(id, at)),
        (None, EntryKind::Added | EntryKind::Removed, Some((_, col)))
            if entry.what.starts_with("column") =>
        {
            Some(format!("s{id}-c{col}"))
        }
        (None, _, Some((row, _))) => Some(format!("s{id}-{row}")),
        (None, _, None) => None,
    };
    let what = format!("{} {}", escaped(&entry.verb), escaped(&entry.what));
    let what = match target {
        Some(target) => format!("<a href=\"#{target}\">{what}</a>"),
        None => what,
    };
    let _ = writeln!(
        html,
        "<li class=\"k-{}\">{what} <span class=\"more\">{}</span></li>",
        kind_class(entry.kind),
        escaped(&entry.more)
    );
}

/// Changed lines of a module or a query.
fn code(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text: String = lines
        .iter()
        .take(CODE)
        .flat_map(|line| [escaped(line), "\n".to_owned()])
        .collect();
    if lines.len() > CODE {
        let more = grouped((lines.len() - CODE) as u32);
        let _ = writeln!(text, "… {more} more lines; --format text lists them all");
    }
    format!("<pre>{text}</pre>")
}

/// Lines of a module or a query that are shown.
const CODE: usize = 400;

/// What happened to names, or to what else belongs to no sheet.
pub(super) fn write_names(out: &mut dyn Write, title: &str, entries: &[Entry]) -> io::Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"names\"><h2>{title}</h2>\n<ul>")?;
    for entry in entries.iter().take(LISTED) {
        writeln!(
            out,
            "<li class=\"k-{}\">{} {} <span class=\"more\">{}</span>{}</li>",
            kind_class(entry.kind),
            escaped(&entry.verb),
            escaped(&entry.what),
            escaped(&entry.more),
            code(&entry.code)
        )?;
    }
    if entries.len() > LISTED {
        let more = grouped((entries.len() - LISTED) as u32);
        writeln!(out, "<li>… {more} more; --format text lists them all</li>")?;
    }
    writeln!(out, "</ul></section>")
}
