//! The first sheet of a marked-up workbook: the changes, with links.

use super::styles::{Look, head};
use super::{LEFT, ROOM, TOP};
use crate::workbook::value::escaped;
use crate::workbook::view::{Entry, EntryKind, WorkbookView};
use mvdiff_grid::Address;
use rust_xlsxwriter::{Color, Format, FormatUnderline, Url, Worksheet, XlsxError};

/// Things that are listed; a program opens no more than 65,530 links.
const LISTED: usize = 10_000;

/// What the colours and marks mean.
const LEGEND: [(Look, &str, &str); 5] = [
    (Look::Edited, "~", "edited: a note says what it was"),
    (Look::Added, "+", "added"),
    (
        Look::Removed,
        "-",
        "removed: struck through in its old place",
    ),
    (Look::Moved, "M1 from 5-8", "moved, and where it was"),
    (
        Look::Left,
        "M1 to 13-16",
        "where it was, and where it is now",
    ),
];

pub(super) fn write(
    page: &mut Worksheet,
    view: &WorkbookView<'_>,
    called: &[String],
    left_out: &[String],
) -> Result<(), XlsxError> {
    let (bold, faint) = (
        Format::new().set_bold().set_font_size(14),
        Format::new().set_font_color(Color::RGB(0x59_63_6E)),
    );
    let (old, new) = view.names;
    let title = format!("{} → {}", escaped(old), escaped(new));
    page.write_string_with_format(0, 0, title, &bold)?;
    page.write_string(1, 0, &view.summary)?;
    let mut row = 3;
    for (look, mark, meaning) in LEGEND {
        page.write_string_with_format(row, 0, mark, &legend(look))?;
        page.write_string(row, 1, meaning)?;
        row += 1;
    }
    let about = "Rows and columns are numbered as in the workbooks: see the first row and the \
                 columns at the left of each sheet, not the frame of the window.";
    page.write_string_with_format(row, 0, about, &faint)?;
    row += 1;
    let notes = view.notes.iter().filter(|note| note.kind != "sort");
    let notes = notes.map(|note| format!("Note: {}", escaped(&note.message)));
    let left_out = left_out.iter().map(|what| format!("Left out: {what}"));
    for text in notes.chain(left_out) {
        page.write_string(row, 0, text)?;
        row += 1;
    }
    row += 1;
    let top = row;
    for (col, text) in (0..).zip(["what", "where", "sheet", "more"]) {
        page.write_string_with_format(row, col, text, &head(Look::Plain))?;
    }
    let sheets = view.sheets.iter().zip(called);
    let entries = sheets.flat_map(|(sheet, called)| {
        let entries = sheet.entries.iter();
        entries.map(move |entry| (entry, called))
    });
    let names = view.defined.iter().map(|entry| (entry, "names"));
    let whole = view.whole.iter().map(|entry| (entry, "workbook"));
    let all = entries
        .map(|(entry, called)| (entry, Some(called), ""))
        .chain(
            names
                .chain(whole)
                .map(|(entry, about)| (entry, None, about)),
        );
    let count = all.clone().count();
    for (entry, called, about) in all.take(LISTED) {
        row += 1;
        line(page, row, entry, (called, about))?;
    }
    if count > LISTED {
        row += 1;
        let more = format!("… {} more; --format text lists them all", count - LISTED);
        page.write_string_with_format(row, 0, more, &faint)?;
    } else if count == 0 {
        row += 1;
        page.write_string_with_format(row, 0, "nothing", &faint)?;
    }
    page.autofilter(top, 0, row, 2)?;
    for (col, width) in (0..).zip([17, 24, 22, 80]) {
        page.set_column_width(col, width)?;
    }
    page.set_landscape().set_print_fit_to_pages(1, 0);
    Ok(())
}

fn line(
    page: &mut Worksheet,
    row: u32,
    entry: &Entry,
    (called, about): (Option<&String>, &str),
) -> Result<(), XlsxError> {
    let look = match entry.kind {
        EntryKind::Moved => Look::Moved,
        EntryKind::Added => Look::Added,
        EntryKind::Removed => Look::Removed,
        EntryKind::Edited | EntryKind::Formula => Look::Edited,
        EntryKind::Other => Look::Plain,
    };
    page.write_string_with_format(row, 0, &entry.verb, &legend(look))?;
    let sheet = called.map_or(about, |name| name);
    match (entry.at, called) {
        (Some((at, col)), Some(name)) if at < ROOM.0 && col < ROOM.1 => {
            let place = Address::new(TOP + at, LEFT + col);
            let link = format!("internal:'{}'!{place}", name.replace('\'', "''"));
            let format = Format::new()
                .set_font_color(Color::RGB(0x05_50_AE))
                .set_underline(FormatUnderline::Single);
            let url = Url::new(link).set_text(&entry.what);
            page.write_url_with_format(row, 1, url, &format)?;
        }
        _ => {
            page.write_string(row, 1, &entry.what)?;
        }
    }
    page.write_string(row, 2, sheet)?;
    page.write_string(row, 3, &entry.more)?;
    Ok(())
}

/// The format of cells of this kind, without the line through removed ones.
fn legend(look: Look) -> Format {
    match look.colours() {
        Some((ink, paper)) => Format::new()
            .set_font_color(Color::RGB(ink))
            .set_background_color(Color::RGB(paper)),
        None => Format::new(),
    }
}
