//! Two versions of a playlist: which songs moved?
//!
//! `cargo run -p mvdiff-core --example playlist`

use mvdiff_core::{Options, Slices, diff};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let old = ["Intro", "Harbour", "Kelp", "Lumen", "Quartz", "Outro"];
    let new = ["Intro", "Quartz", "Harbour", "Kelp", "Lumen", "Coda"];
    let script = diff(&Slices::new(&old, &new)?, &Options::default())?.script;

    let mut out = std::io::stdout().lock();
    for moved in script.moves() {
        let songs = &old[moved.old.start as usize..moved.old.end as usize];
        writeln!(
            out,
            "{songs:?} moved from {} to {}",
            moved.old.start, moved.new.start
        )?;
    }
    Ok(())
}
