//! How much dearer or cheaper reading is than calamine's own pass over the same
//! file, both on one core: `cargo run --release -p mvdiff-grid --example reading --
//! FILE.xlsx…` prints seconds and the ratio, the best of several runs in turn.

use calamine::{Reader, Xlsx};
use mvdiff_grid::{ReadOptions, read_workbook};
use std::io::{Cursor, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for path in std::env::args_os().skip(1) {
        let bytes = std::fs::read(&path)?;
        let (mut ours, mut theirs) = (f64::MAX, f64::MAX);
        let mut cells = 0;
        for _ in 0..5 {
            let start = Instant::now();
            let workbook = read_workbook(&bytes, None, &ReadOptions::default())?;
            ours = ours.min(start.elapsed().as_secs_f64());
            let grids = workbook.sheets.iter().filter_map(|sheet| sheet.grid());
            cells = grids.map(mvdiff_grid::Grid::cell_count).sum();
            let start = Instant::now();
            calamine_pass(&bytes)?;
            theirs = theirs.min(start.elapsed().as_secs_f64());
        }
        writeln!(
            out,
            "{}: {cells} cells, ours {ours:.3} s, calamine {theirs:.3} s, ratio {:.2}",
            path.display(),
            ours / theirs
        )?;
    }
    Ok(())
}

fn calamine_pass(bytes: &[u8]) -> Result<usize, calamine::XlsxError> {
    let mut book = Xlsx::new(Cursor::new(bytes))?;
    let mut seen = 0;
    for name in book.sheet_names() {
        let mut cells = book.worksheet_cells_reader(&name)?;
        while let Some(cell) = cells.next_cell_with_formula()? {
            seen += usize::from(cell.formula.is_some()) + 1;
        }
    }
    Ok(seen)
}
