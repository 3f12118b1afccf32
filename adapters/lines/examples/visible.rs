//! What a line weighs, and what it hides.
//!
//! `cargo run -p mvdiff-lines --example visible`

use mvdiff_lines::{decode, split, visible, weight};
use std::io::Write;

fn main() -> std::io::Result<()> {
    let text = b"if access_level != \"user\xe2\x80\xae\":\n}\ncaf\xe9\n";
    let mut out = std::io::stdout().lock();
    for line in split(text) {
        writeln!(out, "{:.2}  {}", weight(line), visible(&decode(line)))?;
    }
    Ok(())
}
