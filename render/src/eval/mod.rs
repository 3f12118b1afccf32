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
