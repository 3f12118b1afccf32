//! An evaluation: a table, a page, and tests for CI servers.

mod junit;
mod page;
mod table;

pub use junit::junit;
pub use page::page;
pub use table::table;

/// A score in three digits, but never a whole one for what is less.
fn shown(score: f64) -> String {
    let short = format!("{score:.3}");
    if short == "1.000" && score < 1.0 {
        "0.999…".to_owned()
    } else {
        short
    }
}

/// Text for a page or for XML: what would be markup escaped, and characters that
/// XML has no place for made visible.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control()
                || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}
