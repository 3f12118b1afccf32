//! `calamine-pass FILE...`: reads workbooks one after the other as calamine does in
//! one pass, values and formulas, and keeps nothing. The limit for `bench/grids.py`.

use anyhow::Context as _;
use calamine::{Reader as _, Xlsx, open_workbook};
use std::io::Write as _;

fn main() -> anyhow::Result<()> {
    let mut seen = 0_u64;
    for path in std::env::args_os().skip(1) {
        let shown = path.to_string_lossy().into_owned();
        let mut book: Xlsx<_> = open_workbook(&path).with_context(|| shown.clone())?;
        for name in book.sheet_names() {
            let mut cells = book.worksheet_cells_reader(&name)?;
            while cells.next_cell_with_formula()?.is_some() {
                seen += 1;
            }
        }
    }
    writeln!(std::io::stdout(), "{seen} cells")?;
    Ok(())
}
