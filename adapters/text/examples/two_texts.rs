//! Compares two texts, and rebuilds the new one from the report.
//!
//! `cargo run -p mvdiff-text --example two_texts`

use mvdiff_text::{diff_lines, options};
use std::io::Write;

const OLD: &[u8] = b"\
fn total(order: &Order) {
    sum(order.items)
}
fn name(page: &Page) {
    title(page)
}
";
const NEW: &[u8] = b"\
fn name(page: &Page) {
    title(page)
}
fn total(order: &Order) {
    sum(order.lines)
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let report = diff_lines(OLD, NEW, &options())?;
    for moved in &report.moves {
        writeln!(
            out,
            "lines {}-{} moved to {}-{}, {:.0} % unchanged",
            moved.original_line_start,
            moved.original_line_end,
            moved.modified_line_start,
            moved.modified_line_end,
            moved.similarity * 100.0
        )?;
    }
    assert_eq!(report.replay(OLD)?, NEW);
    Ok(())
}
