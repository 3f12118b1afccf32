//! Remarks in a marked-up workbook about rows, columns and cells.

use super::styles::Look;
use crate::workbook::edits::Edit;
use crate::workbook::value::{exact_value, pair, shorten};
use crate::workbook::view::{Line, LineFate, MoveKind, SheetShow};
use mvdiff_grid::column_name;
use rust_xlsxwriter::Note;

/// Characters of each version of a cell in a note.
pub(super) const NOTED: usize = 2_000;

/// How a row or a column with this fate looks.
pub(super) fn row_look(became: LineFate) -> Look {
    match became {
        LineFate::Kept => Look::Plain,
        LineFate::Added => Look::Added,
        LineFate::Removed => Look::Removed,
        LineFate::Moved(_) => Look::Moved,
        LineFate::Left(_) => Look::Left,
    }
}

/// The mark of a row in the first column: `+`, `-`, `~`, `M1 from 5-8`, `M1 to 13-16`.
pub(super) fn status(sheet: &SheetShow<'_>, line: Line, touched: bool) -> String {
    let numbers = |place: &str| place.rsplit(' ').next().unwrap_or_default().to_owned();
    let mut status = match line.became {
        LineFate::Kept => String::new(),
        LineFate::Added => "+".to_owned(),
        LineFate::Removed => "-".to_owned(),
        LineFate::Moved(number) => match sheet.step(number) {
            Some(step) => format!("{} from {}", step.name(), numbers(&step.from)),
            None => String::new(),
        },
        LineFate::Left(number) => match sheet.step(number) {
            Some(step) => format!("{} to {}", step.name(), numbers(&step.to)),
            None => String::new(),
        },
    };
    let mut say = |what: &str| {
        if !status.is_empty() {
            status.push(' ');
        }
        status.push_str(what);
    };
    if touched {
        for (step, came) in sheet.rects_in(line) {
            say(&if came {
                format!("{} from {}", step.name(), step.from)
            } else {
                format!("{} to {}", step.name(), step.to)
            });
        }
        if sheet.has_edits(line) {
            say("~");
        }
    }
    status
}

/// How a column is called: `C`, `C (was D)`, `+ C`, `- D`, `M2 C (was D)`.
pub(super) fn column_head(sheet: &SheetShow<'_>, line: Line) -> (Look, String) {
    let was = match (line.old, line.new) {
        (Some(old), Some(new)) if old != new => format!(" (was {})", column_name(old)),
        _ => String::new(),
    };
    let name = line.new.or(line.old).map(column_name).unwrap_or_default();
    let text = match line.became {
        LineFate::Kept => format!("{name}{was}"),
        LineFate::Added => format!("+ {name}"),
        LineFate::Removed => format!("- {name}"),
        LineFate::Moved(number) => format!("M{number} {name}{was}"),
        LineFate::Left(number) => {
            let to = sheet.step(number).map_or("", |step| &step.to);
            format!("M{number} to {}", to.rsplit(' ').next().unwrap_or_default())
        }
    };
    (row_look(line.became), text)
}

/// Whether a line is the first of the block that it moved with, or marks its place.
pub(super) fn is_first(line: Line, kind: MoveKind) -> bool {
    match kind {
        MoveKind::Rows { dst, .. } | MoveKind::Cols { dst, .. } => {
            line.new.is_none_or(|new| new == dst)
        }
        MoveKind::Rect { .. } => false,
    }
}

/// What a cell held before.
pub(crate) fn was(edit: &Edit<'_>, covered: bool) -> String {
    if edit.only_stands_still() {
        return edit.stands_still();
    }
    let (from, to) = pair(edit.from, edit.to, NOTED);
    if covered {
        return format!("here was {from}");
    }
    let mut said = match (&edit.from.formula, &edit.to.formula) {
        (None, None) => format!("was {from}"),
        _ => format!("was {from}\nis {to}"),
    };
    if let (Some(_), value) = (&edit.from.formula, &edit.from.value)
        && edit.from.formula != edit.to.formula
        && !value.is_empty()
    {
        said = format!("{said}\ncame to {}", shorten(&exact_value(value), NOTED));
    }
    if edit.at != edit.was {
        said = format!("{said}\nwas at {}", edit.was);
    }
    said
}

pub(super) fn note(text: &str) -> Note {
    let lines = text.lines().count() as u32;
    let longest = text
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0) as u32;
    let wrapped = lines + longest / 30;
    Note::new(text)
        .add_author_prefix(false)
        .set_author("mvdiff")
        .set_height((24 + 18 * wrapped).min(400))
        .set_width(if longest > 24 { 260 } else { 160 })
}
