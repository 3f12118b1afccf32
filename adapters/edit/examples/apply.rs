//! Applies a search/replace block to a text that is indented with tabs.
//!
//! `cargo run -p mvdiff-edit --example apply`

use mvdiff_edit::{Edits, Options, edit};
use std::io::Write;

const TEXT: &[u8] = b"class Kettle:\n\tdef boil(self):\n\t\tself.hot = True\n";
const BLOCKS: &[u8] = b"\
<<<<<<< SEARCH
    def boil(self):
        self.hot = True
=======
    def boil(self):
        if self.litres:
            self.hot = True
>>>>>>> REPLACE
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let edited = edit(TEXT, &Edits::Text(BLOCKS.to_vec()), &Options::default())?;
    match edited.text {
        Some(text) => out.write_all(&text)?,
        None => {
            for block in &edited.blocks {
                writeln!(out, "{}", serde_json::to_string_pretty(block)?)?;
            }
        }
    }
    Ok(())
}
