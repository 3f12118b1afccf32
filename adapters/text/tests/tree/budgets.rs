//! Exhausted budgets are reported.

use crate::{block, files, replayed, trees};
use mvdiff_core::Budget;
use mvdiff_text::tree::{FileStatus, TreeOptions, TreePatch, TreeReport};
use mvdiff_text::{diff_lines, options};

#[test]
fn files_that_could_not_all_be_compared() {
    let old = files(&[("a", &(block("a") + "x\n"))]);
    let new = files(&[("b", &(block("a") + "y\n"))]);
    let options = TreeOptions {
        rename_steps: 5,
        ..TreeOptions::default()
    };
    let trees = trees(&old, &new);
    let report = TreeReport::new(&trees, &options).unwrap();
    assert!(report.hit_timeout && !report.complete);
    assert_eq!(report.notes[0].kind, "budget");
    assert!(report.notes[0].message.contains("rename_steps"));
    let statuses: Vec<FileStatus> = report.files.iter().map(|file| file.status).collect();
    assert_eq!(statuses, [FileStatus::Removed, FileStatus::Added]);
    assert_eq!(replayed(&old, &report).unwrap(), new, "coarser, not wrong");
    assert_eq!(
        TreePatch::new(&trees, &options).unwrap().notes(),
        &report.notes[..1]
    );
}

#[test]
fn lines_that_could_not_all_be_compared() {
    // No unique anchors, and a budget too small for all of it.
    let text = |step: u32| -> String {
        let line = |i: u32| {
            format!(
                "{}\n",
                ["alpha", "beta", "gamma"][(i * i / step % 3) as usize]
            )
        };
        (0..200).map(line).collect()
    };
    let (old, new) = (text(5), text(7));
    let budget = Budget {
        gap_area: 16,
        ..Budget::default()
    };
    let options = options().with(|o| o.budget = budget);
    let report = diff_lines(old.as_bytes(), new.as_bytes(), &options).unwrap();
    assert!(report.hit_timeout && !report.complete);
    assert_eq!(report.notes[0].kind, "budget");
    assert!(
        report.notes[0].message.contains("GapArea"),
        "{:?}",
        report.notes
    );
    assert_eq!(report.replay(old.as_bytes()).unwrap(), new.as_bytes());
}
