//! Nothing is hidden, and what the recipe makes is what the patch made.

use super::patch::recounted;
use super::two_texts;
use mvdiff_render::view::View;
use mvdiff_render::{Screen, terminal};
use mvdiff_text::effective::{
    Contents, EffectiveOptions, EffectiveReport, FileContents, Source, effective, rebuild,
};
use mvdiff_text::patch::{Changeset, FilePatch, parse};
use mvdiff_text::tree::{Entry, TreeOptions, TreePatch, Trees};
use mvdiff_text::verify::verify;

pub(crate) fn law(input: &[u8]) {
    hides_nothing(input);
    hides_nothing(&recounted(input));
}

fn hides_nothing(input: &[u8]) {
    let Ok(sets) = parse(input) else {
        return;
    };
    for set in &sets {
        let report = looked_at(set, &Contents::default());
        for remark in set.remarks() {
            let shown = &report.effective_diff.0;
            assert!(shown.windows(remark.text.len()).any(|w| w == remark.text));
            assert!(!report.complete);
        }
    }
}

/// A report that hides nothing, comes back from its JSON, and can be printed.
fn looked_at(set: &Changeset<'_>, contents: &Contents<'_>) -> EffectiveReport {
    let report = effective(set, contents, &EffectiveOptions::default()).expect("a report");
    let refused = report.notes.iter().any(|note| note.kind == "check");
    if refused {
        // Everything is shown then, which is acceptable only for a contradiction, or
        // where lines between files are not understood: one may read like the head of
        // what is printed behind it.
        let is_odd = set.files.iter().any(contradicts) || !set.remarks().is_empty();
        assert!(is_odd, "{:?}", report.notes);
        let shown = &report.effective_diff.0;
        for hunk in set.files.iter().flat_map(FilePatch::hunks) {
            assert!(shown.windows(hunk.bytes.len()).any(|w| w == hunk.bytes));
        }
    } else {
        assert_eq!(verify(set, contents, &report), Ok(()));
    }
    let json = serde_json::to_vec(&report).expect("JSON");
    let again: EffectiveReport = serde_json::from_slice(&json).expect("its own JSON");
    assert_eq!(again, report);
    let view = View::of_effective(set, contents, &report);
    terminal(&mut Vec::new(), &view, &Screen::default()).expect("memory");
    report
}

/// Whether a file that is not there on a side has lines there, if unseen ones, or its head
/// says two things about its name: then it reads like the head of another file.
fn contradicts(file: &FilePatch<'_>) -> bool {
    let hunks = file.hunks();
    let mut head = file.header.split(|byte| *byte == b'\n');
    let git = head.next().unwrap_or_default();
    let named = head.find_map(|line| line.strip_prefix(b"--- a/"));
    let named = named.filter(|name| !name.is_empty());
    if git.starts_with(b"diff --git ")
        && named.is_some_and(|name| !git.windows(name.len()).any(|part| part == name))
    {
        return true;
    }
    (file.old_path.is_none() && hunks.iter().any(|h| h.old_start + h.old_count > 0))
        || (file.new_path.is_none() && hunks.iter().any(|h| h.new_start + h.new_count > 0))
}

pub(crate) fn with_contents(input: &[u8]) {
    let (old, new) = two_texts(input);
    // A second file gives blocks somewhere to go.
    let cut = old.len() / 2;
    let files = [
        ("a", &old[..], &new[..]),
        ("d/b", &old[..cut], &new[new.len() / 2..]),
    ];
    let entry = |path: &str, bytes| Entry {
        path: path.into(),
        mode: 0o100_644,
        binary: false,
        bytes,
    };
    let trees = Trees::new(
        files
            .iter()
            .map(|(path, old, _)| entry(path, old))
            .collect(),
        files
            .iter()
            .map(|(path, _, new)| entry(path, new))
            .collect(),
    );
    let mut patch = Vec::new();
    let written = TreePatch::new(&trees, &TreeOptions::default()).expect("a patch");
    written.write(&mut patch, 3).expect("memory");
    let sets = parse(&patch).expect("our own patch");
    let Some(set) = sets.first() else {
        assert_eq!(old, new);
        return;
    };
    let text = |path: &[u8]| {
        let mut files = files.iter();
        files
            .find(|(name, ..)| name.as_bytes() == path)
            .expect("a file of it")
    };
    let contents = Contents {
        source: Source::Dirs,
        files: set
            .files
            .iter()
            .map(|file| {
                let (_, old, new) = text(file.path());
                FileContents {
                    old: Some(old),
                    new: Some(new),
                }
            })
            .collect(),
        others: Vec::new(),
    };
    let report = looked_at(set, &contents);
    let recipe = report.recipe.expect("a recipe");
    let look_up = |path: &[u8]| Ok::<_, mvdiff_text::Error>(text(path).1.to_vec());
    for made in rebuild(&recipe, look_up).expect("a recipe of ours") {
        assert_eq!(made.bytes.as_deref(), Some(text(&made.path).2));
    }
}
