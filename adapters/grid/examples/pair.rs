//! Reads two workbooks as a diff does and says what was left unread:
//! `cargo run --release -p mvdiff-grid --example pair -- OLD NEW`

use mvdiff_grid::{Content, ReadOptions, open_pair};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    let [old, new] = paths.as_slice() else {
        return Err("two files, please".into());
    };
    let (old, new) = open_pair(old, new, &ReadOptions::default())?;
    let mut out = std::io::stdout().lock();
    for workbook in [old, new] {
        for sheet in &workbook.sheets {
            let what = match &sheet.content {
                Content::Cells(grid) => format!("{} cells", grid.cell_count()),
                Content::Unread => "unread, the same in both".to_owned(),
                Content::Other(other) => format!("{other:?}"),
            };
            writeln!(out, "{:?}: {what}", sheet.name)?;
        }
    }
    Ok(())
}
