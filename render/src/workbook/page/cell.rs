//! A cell of the page.

use crate::page::escaped;
use crate::workbook::edits::Edit;
use crate::workbook::value::{pair, plain, shorten};
use crate::workbook::view::{CellFate, CellShow, SheetShow};
use mvdiff_grid::Value;
use std::fmt::Write as _;

/// Characters of a cell that are shown.
const MOST: usize = 400;

/// The classes of a cell, its fate first.
pub(super) fn classes(shown: &CellShow<'_>, edited: bool) -> String {
    let fate = match shown.fate {
        _ if edited => "e",
        CellFate::Kept => "",
        CellFate::Added => "a",
        CellFate::Removed => "d",
        CellFate::Moved(_) => "m",
        CellFate::Left(_) => "l",
    };
    let numeric = shown.cell.is_some_and(|cell| {
        matches!(
            cell.value,
            Value::Number(_) | Value::Date(_) | Value::Duration(_)
        )
    });
    match (fate, numeric) {
        (fate, false) => fate.to_owned(),
        ("", true) => "n".to_owned(),
        (fate, true) => format!("{fate} n"),
    }
}

/// The content of a cell.
pub(super) fn write<'v>(html: &mut String, sheet: &SheetShow<'v>, shown: &CellShow<'v>) {
    match shown.edit {
        Some(edit) if shown.is_covered(sheet) => {
            current(html, sheet, shown);
            let _ = write!(
                html,
                " <small>over <del>{}</del></small>",
                escaped(&shorten(&pair(edit.from, edit.to, MOST).0, MOST))
            );
        }
        Some(edit) if edit.only_stands_still() => {
            current(html, sheet, shown);
            let said = match sheet.uncalculated(shown) {
                // The formula itself is seen.
                Some(_) => "not adjusted".to_owned(),
                None => edit.stands_still(),
            };
            let _ = write!(html, " <small>{}</small>", escaped(&said));
        }
        Some(edit) => both(html, &edit),
        None if shown.fate == CellFate::Removed => {
            html.push_str("<del>");
            current(html, sheet, shown);
            html.push_str("</del>");
        }
        None => current(html, sheet, shown),
    }
}

/// A value, and the formula that it came from, of which one is seen.
fn current<'v>(html: &mut String, sheet: &SheetShow<'v>, shown: &CellShow<'v>) {
    let Some(cell) = shown.cell else {
        return;
    };
    if let Some(formula) = sheet.uncalculated(shown) {
        let formula = cut(formula);
        let _ = write!(
            html,
            "<i class=\"u\" title=\"no stored value\">{formula}</i>"
        );
        return;
    }
    let value = cut(&plain(&cell.value));
    match cell.formula {
        None => html.push_str(&value),
        Some(formula) => {
            let formula = cut(formula);
            let _ = write!(
                html,
                "<span class=\"v\">{value}</span><span class=\"f\">{formula}</span>"
            );
        }
    }
}

/// Both versions with what differs between them marked.
fn both(html: &mut String, edit: &Edit<'_>) {
    let (was, is) = pair(edit.from, edit.to, MOST);
    marked(html, &was, &is);
    // Values of formulas are below them.
    let results = [edit.from, edit.to].map(|cell| {
        let calculated = cell.formula.is_some() && !cell.value.is_empty();
        calculated.then(|| shorten(&plain(&cell.value), MOST))
    });
    if edit.from.formula == edit.to.formula {
        return;
    }
    match results {
        [None, None] => {}
        [Some(was), Some(is)] if was != is => {
            let (was, is) = (escaped(&was), escaped(&is));
            let _ = write!(html, " <small>came to {was}, comes to {is}</small>");
        }
        [Some(was), None] => {
            let _ = write!(html, " <small>came to {}</small>", escaped(&was));
        }
        [_, Some(is)] => {
            let _ = write!(html, " <small>comes to {}</small>", escaped(&is));
        }
    }
}

fn marked(html: &mut String, was: &str, is: &str) {
    let (old, new) = mvdiff_text::changed_words(was.as_bytes(), is.as_bytes());
    html.push_str("<del>");
    with_marks(html, was, &old);
    html.push_str("</del> <span class=\"to\" aria-hidden=\"true\">→</span> <ins>");
    with_marks(html, is, &new);
    html.push_str("</ins>");
}

fn with_marks(html: &mut String, text: &str, stretches: &[(usize, usize)]) {
    let chars: Vec<char> = text.chars().collect();
    let slice = |start: usize, end: usize| -> String {
        let (start, end) = (start.min(chars.len()), end.min(chars.len()));
        escaped(&chars[start..end.max(start)].iter().collect::<String>())
    };
    let whole: usize = stretches.iter().map(|(start, end)| end - start).sum();
    // What differs as a whole needs no mark inside.
    if whole >= chars.len() {
        html.push_str(&slice(0, chars.len()));
        return;
    }
    let mut at = 0;
    for &(start, end) in stretches {
        let _ = write!(
            html,
            "{}<mark>{}</mark>",
            slice(at, start),
            slice(start, end)
        );
        at = end;
    }
    html.push_str(&slice(at, chars.len()));
}

/// The beginning of a text, with how much more there is.
fn cut(text: &str) -> String {
    let count = text.chars().count();
    if count <= MOST {
        return escaped(text);
    }
    let begin: String = text.chars().take(MOST).collect();
    let more = count - MOST;
    format!("{}<small>… {more} more characters</small>", escaped(&begin))
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn only_what_differs_is_marked() {
        let html = |was: &str, is: &str| {
            let mut html = String::new();
            marked(&mut html, was, is);
            html.replace(" <span class=\"to\" aria-hidden=\"true\">→</span> ", "|")
        };
        assert_eq!(html("42", "43"), "<del>42</del>|<ins>43</ins>");
        assert_eq!(
            html("cedar <b> wood", "cedar <i> wood"),
            "<del>cedar &lt;<mark>b</mark>&gt; wood</del>|<ins>cedar &lt;<mark>i</mark>&gt; wood</ins>"
        );
    }
}
