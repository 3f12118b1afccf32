//! Pages in a real browser. `tests/run` runs these with all the others;
//! `cargo test -p mvdiff --features browser --test browser` alone, once `tests/setup`
//! has installed the browser.

mod driver;
mod eval;
mod pictures;
mod text;
mod workbook;
