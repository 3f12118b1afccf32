//! What is left of a patch once moved code is recognised.
//!
//! `cargo run -p mvdiff-text --example effective`

use mvdiff_text::effective::{Contents, EffectiveOptions, effective};
use mvdiff_text::patch;
use std::io::Write;

const PATCH: &[u8] = b"\
--- a/utils.py
+++ b/utils.py
@@ -1,3 +0,0 @@
-def calculate_total(items):
-    subtotal = sum(item.price for item in items)
-    return subtotal * TAX
--- a/helpers.py
+++ b/helpers.py
@@ -0,0 +1,3 @@
+def calculate_total(items):
+    subtotal = sum(item.price for item in items)
+    return subtotal * TAX_RATE
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for change in &patch::parse(PATCH)? {
        let report = effective(change, &Contents::default(), &EffectiveOptions::default())?;
        for moved in &report.moves {
            let ([first, last], [to_first, to_last]) = (moved.source_lines, moved.target_lines);
            writeln!(out, "lines {first}-{last} moved to {to_first}-{to_last}")?;
        }
        out.write_all(&report.effective_diff.0)?;
    }
    Ok(())
}
