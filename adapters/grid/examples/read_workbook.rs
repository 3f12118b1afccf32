//! Reads workbooks and says what is in them, one line each:
//! `cargo run --release -p mvdiff-grid --example read_workbook -- FILE…`

use mvdiff_grid::{Content, ReadOptions, open_workbook};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args_os().skip(1) {
        let path = std::path::PathBuf::from(path);
        let line = match open_workbook(&path, &ReadOptions::default()) {
            Ok(workbook) => {
                let sheets = workbook.sheets.iter().map(|sheet| match &sheet.content {
                    Content::Cells(grid) => format!(
                        "{:?} {}x{} {} cells {} merges",
                        sheet.name,
                        grid.row_count(),
                        grid.col_count(),
                        grid.cell_count(),
                        sheet.merges.len()
                    ),
                    other => format!("{:?} {other:?}", sheet.name),
                });
                let sheets = sheets.collect::<Vec<_>>().join("; ");
                let notes: Vec<&str> = workbook.notes.iter().map(|n| n.message.as_str()).collect();
                let notes = notes.join("; ");
                format!("{sheets}; {} names; {notes}", workbook.names.len())
            }
            Err(error) => {
                code = ExitCode::from(2);
                format!("error: {error}")
            }
        };
        if writeln!(out, "{}: {line}", path.display()).is_err() {
            return ExitCode::FAILURE;
        }
    }
    code
}
