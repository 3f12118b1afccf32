//! What several tests need.

use mvdiff_text::{UnifiedOptions, write_unified};

/// The plain patch between two texts.
pub fn patch(old: &str, new: &str, context: u32) -> Vec<u8> {
    let problem = mvdiff_text::LineProblem::of_texts(old.as_bytes(), new.as_bytes());
    let problem = problem.expect("small texts");
    let options = mvdiff_text::options().with(|o| o.moves = false);
    let diff = mvdiff_core::diff(&problem, &options).expect("valid options");
    let hunks = mvdiff_core::plain(&problem, &diff.script, &options);
    let printing = UnifiedOptions {
        context,
        old_name: b"a/x.py".to_vec(),
        new_name: b"b/x.py".to_vec(),
        ignore: mvdiff_text::Ignore::default(),
    };
    let files = (
        problem.file(mvdiff_core::Side::Old, 0),
        problem.file(mvdiff_core::Side::New, 0),
    );
    let mut out = Vec::new();
    write_unified(&mut out, files, &hunks, &printing).expect("memory takes every byte");
    out
}
