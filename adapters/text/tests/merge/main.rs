//! Merging texts: examples, laws, and comparison with git.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod examples;
mod git;
mod laws;
mod made;

use mvdiff_text::merge::{MergeOptions, MergedText, merge_texts};

fn merge(base: &str, ours: &str, theirs: &str) -> MergedText {
    with(base, ours, theirs, &MergeOptions::default())
}

fn with(base: &str, ours: &str, theirs: &str, options: &MergeOptions) -> MergedText {
    let [base, ours, theirs] = [base, ours, theirs].map(str::as_bytes);
    merge_texts(base, ours, theirs, options).unwrap()
}

fn text(merged: &MergedText) -> String {
    String::from_utf8(merged.bytes.clone()).unwrap()
}

fn cases(default: u32) -> u32 {
    let asked = std::env::var("MVDIFF_CASES").ok();
    asked
        .and_then(|count| count.parse().ok())
        .unwrap_or(default)
}
