//! The edits of each kind of pair.

use super::RandomKind;
use super::draft::{Draft, Unlucky};
use crate::formula::Formula;
use crate::model::{Book, Content, SheetId};
use crate::rng::Rng;
use crate::table::{Formulas, TableSpec};
use mvdiff_grid::Visibility;

fn spec(rng: &mut Rng) -> TableSpec {
    TableSpec {
        seed: rng.below(1 << 40) as u64,
        rows: rng.between(26, 110),
        cols: rng.between(6, 13),
        header: true,
        title_rows: 0,
        blank_every: 0,
        distinct: 0,
        dull: false,
        formulas: Formulas::None,
    }
}

/// The table that a kind begins with.
fn table(kind: RandomKind, rng: &mut Rng) -> TableSpec {
    let spec = spec(rng);
    match kind {
        RandomKind::Narrow => TableSpec {
            cols: rng.between(2, 3),
            ..spec
        },
        RandomKind::Wide => TableSpec {
            cols: 60,
            rows: rng.between(20, 50),
            ..spec
        },
        RandomKind::NoHeader => TableSpec {
            header: false,
            ..spec
        },
        RandomKind::Sparse => TableSpec {
            blank_every: rng.between(4, 9),
            ..spec
        },
        RandomKind::Duplicates => TableSpec {
            distinct: rng.between(3, 8),
            ..spec
        },
        RandomKind::Dull => TableSpec { dull: true, ..spec },
        RandomKind::FewRows => TableSpec {
            rows: rng.between(5, 8),
            cols: rng.between(20, 40),
            ..spec
        },
        RandomKind::Titles => TableSpec {
            title_rows: rng.between(2, 5),
            ..spec
        },
        RandomKind::FormulasInsert
        | RandomKind::FormulasRemove
        | RandomKind::FormulasMove
        | RandomKind::FormulasCopied
        | RandomKind::FormulasCols
        | RandomKind::FormulasEverything => TableSpec {
            formulas: Formulas::Mixed,
            cols: spec.cols.max(8),
            ..spec
        },
        RandomKind::ManyMoves | RandomKind::Heavy => TableSpec {
            rows: rng.between(90, 160),
            ..spec
        },
        RandomKind::Sort
        | RandomKind::SortWithEdits
        | RandomKind::Sheets
        | RandomKind::Everything => TableSpec {
            formulas: Formulas::OwnRow,
            ..spec
        },
        _ => spec,
    }
}

/// Does to a table what the kind is about.
#[allow(clippy::too_many_lines, reason = "a list: one arm a kind")]
pub fn recipe(kind: RandomKind, mut rng: Rng) -> Result<Draft, Unlucky> {
    let spec = table(kind, &mut rng);
    let (a, b) = (rng.between(3, 7), rng.between(3, 6));
    let few = rng.between(1, 3);
    let percent = rng.between(5, 25);
    let column = rng.between(1, 4);
    let coin = rng.percent(50);
    let more_sheets = matches!(kind, RandomKind::Sheets | RandomKind::Everything);
    let mut draft = Draft::new(&spec, rng, |book, data| {
        if more_sheets {
            beside(book, data);
        }
    });
    let d = &mut draft;
    match kind {
        RandomKind::RowsMoved => {
            d.move_rows(a, 1)?;
            d.move_rows(b, 0)?;
        }
        RandomKind::OneRow => {
            for _ in 0..few {
                d.move_rows(1, 0)?;
            }
        }
        RandomKind::ToTheEnds => {
            d.move_to_end(a, true)?;
            d.move_to_end(b, false)?;
        }
        RandomKind::SwappedRows => d.swap_rows(a, b)?,
        RandomKind::SplitBlocks => d.move_and_split(a.max(4), coin)?,
        RandomKind::ManyMoves => {
            for _ in 0..6 {
                d.move_rows(few + 1, 0)?;
            }
        }
        RandomKind::Heavy => {
            d.insert_rows(2 * a)?;
            d.remove_rows(2 * b)?;
            d.edit(6 * a);
            d.move_rows(b, 1)?;
        }
        RandomKind::InsertRemove => {
            d.insert_rows(a)?;
            d.remove_rows(b)?;
        }
        RandomKind::Resized => d.resize(if coin { a as isize } else { -(a as isize) })?,
        RandomKind::InPlace => d.edit(2 * a),
        RandomKind::ColumnEdited => d.edit_column()?,
        RandomKind::ColMove => d.move_cols(1, 0)?,
        RandomKind::ColMoveAndNoise => {
            d.move_cols(1, 0)?;
            d.move_rows(a, 1)?;
            d.insert_rows(few)?;
            d.remove_rows(few)?;
            d.edit(b);
        }
        RandomKind::ColsMoved => {
            d.move_cols(1, 0)?;
            d.move_cols(if coin { 2 } else { 1 }, 0)?;
        }
        RandomKind::ColMovedAndEdited => d.move_cols(1, percent)?,
        RandomKind::ColRemoved => {
            d.remove_col(true)?;
            d.edit(few);
        }
        RandomKind::ColsAddedAndRemoved => {
            d.remove_col(true)?;
            d.add_col()?;
            d.insert_rows(few)?;
            d.edit(few);
        }
        RandomKind::HeaderRenamed => {
            d.rename_header()?;
            if coin {
                d.move_cols(1, 0)?;
            }
            d.edit(few);
        }
        RandomKind::Narrow => {
            d.move_rows(a, 1)?;
            d.insert_rows(few)?;
            d.remove_rows(few)?;
        }
        RandomKind::Wide => {
            d.move_rows(a, 2)?;
            d.move_cols(few, 0)?;
            d.edit(b);
        }
        RandomKind::FewRows => {
            d.move_cols(few, 0)?;
            d.add_col()?;
            d.edit(few);
        }
        RandomKind::NoHeader | RandomKind::Titles | RandomKind::Dull => {
            d.move_rows(a, 1)?;
            d.insert_rows(few)?;
            d.edit(few);
        }
        RandomKind::Sparse => {
            d.move_rows(few, 0)?;
            d.insert_rows(few)?;
            d.remove_rows(few)?;
            d.edit(few);
        }
        RandomKind::Duplicates => {
            d.insert_rows(few)?;
            d.remove_rows(few)?;
            d.edit(few);
        }
        RandomKind::Islands => {
            d.part();
            d.move_rows(few, 0)?;
            d.insert_rows(few)?;
            d.edit(few);
        }
        RandomKind::Rect => {
            d.move_rect()?;
            d.edit(few - 1);
        }
        RandomKind::RectAndNoise => {
            d.insert_rows(few)?;
            d.move_rect()?;
            d.edit(few);
        }
        RandomKind::FormulasInsert => {
            d.insert_rows(a)?;
            d.edit(few);
        }
        RandomKind::FormulasRemove => {
            d.remove_rows(b)?;
            d.edit(few);
        }
        RandomKind::FormulasMove => {
            d.move_rows(a, 1)?;
            d.edit(few);
        }
        RandomKind::FormulasCopied => {
            d.as_copy = true;
            d.move_rows(a, 1)?;
        }
        RandomKind::FormulasCols => {
            d.move_cols(1, 0)?;
            d.add_col()?;
            d.insert_rows(few)?;
        }
        RandomKind::FormulasEverything => {
            d.move_cols(1, 0)?;
            d.move_rows(a, 1)?;
            d.remove_rows(few)?;
            d.insert_rows(few)?;
            d.edit(few);
        }
        RandomKind::Sort => d.sort(column, coin)?,
        RandomKind::SortWithEdits => {
            d.sort(column, coin)?;
            d.edit(few);
        }
        RandomKind::Sheets => {
            change_sheets(d, coin)?;
            d.insert_rows(few)?;
            d.edit(few);
        }
        RandomKind::MergesAndNames => {
            d.merge_and_name()?;
            d.insert_rows(few)?;
            d.move_cols(1, 0)?;
        }
        RandomKind::Everything => {
            change_sheets(d, coin)?;
            d.move_cols(1, 0)?;
            d.move_rows(a, 1)?;
            d.move_rows(b, 0)?;
            d.remove_rows(few)?;
            d.insert_rows(few)?;
            d.add_col()?;
            d.edit(b);
            d.rename_header()?;
        }
    }
    Ok(draft)
}

/// Sheets whose formulas look into the table, and one that none of them needs.
fn beside(book: &mut Book, data: SheetId) {
    let rates = book.add_sheet("Rates", 6, 2);
    for at in 0..5 {
        let sheet = book.sheet(rates);
        let (row, name, rate) = (sheet.rows[at], sheet.cols[0], sheet.cols[1]);
        let cells = &mut book.sheet_mut(rates).cells;
        cells.insert((row, name), Content::text(format!("rate {at}")));
        cells.insert((row, rate), Content::number(1.0 + at as f64 / 8.0));
    }
    let summary = book.add_sheet("Summary", 8, 3);
    let last = book.sheet(data).extent().0;
    let texts = [
        format!("SUM(Data!C2:C{last})"),
        "Data!C5*Rates!$B$2".to_owned(),
        "SUM(Data!D:D)".to_owned(),
        format!("AVERAGE(Data!$C$3:$D${})*Rates!B4", last / 2),
        "A1+A2".to_owned(),
    ];
    for (at, text) in texts.iter().enumerate() {
        let formula = Formula::parse(text, book, summary).expect("a formula of ours");
        let sheet = book.sheet_mut(summary);
        let key = (sheet.rows[at], sheet.cols[0]);
        sheet.cells.insert(key, Content::Formula(formula));
        let key = (sheet.rows[at], sheet.cols[1]);
        sheet
            .cells
            .insert(key, Content::text(format!("figure {at}")));
    }
    let notes = book.add_sheet("Old notes", 3, 1);
    let sheet = book.sheet_mut(notes);
    for (at, text) in ["kept for nobody", "to be thrown away"].iter().enumerate() {
        let key = (sheet.rows[at], sheet.cols[0]);
        sheet.cells.insert(key, Content::text(*text));
    }
}

fn change_sheets(draft: &mut Draft, coin: bool) -> Result<(), Unlucky> {
    let editor = &mut draft.editor;
    let find = |name: &str| editor.new.find(name);
    let (data, rates, summary, notes) = (
        find("Data")?,
        find("Rates")?,
        find("Summary")?,
        find("Old notes")?,
    );
    if coin {
        editor.rename_sheet(data, "Data 2026");
        editor.set_visibility(rates, Visibility::Hidden);
        editor.remove_sheet(notes);
    } else {
        editor.rename_sheet(rates, "Rates (old)");
        editor.move_sheet(notes, 0)?;
        editor.set_visibility(summary, Visibility::VeryHidden);
    }
    draft
        .did
        .push("renamed, hid, moved or removed sheets".to_owned());
    Ok(())
}
