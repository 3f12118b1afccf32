//! Writes a page about two files.
//!
//! `cargo run -p mvdiff-render --example page -- OLD NEW > diff.html`

use mvdiff_render::view::View;
use mvdiff_render::{Names, PageOptions, page};
use mvdiff_text::{Lines, diff_lines, options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [old_name, new_name] = paths.as_slice() else {
        return Err("usage: page OLD NEW".into());
    };
    let (old, new) = (std::fs::read(old_name)?, std::fs::read(new_name)?);
    let report = diff_lines(&old, &new, &options())?;

    let names = Names {
        old: old_name.clone(),
        new: new_name.clone(),
    };
    let lines = (&Lines::new(&old)?, &Lines::new(&new)?);
    let view = View::of_lines(&names, lines, &report);
    page(
        &mut std::io::stdout().lock(),
        &[view],
        &PageOptions::default(),
    )?;
    Ok(())
}
