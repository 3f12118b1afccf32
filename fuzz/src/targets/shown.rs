//! Reports of strangers on a patch and on two trees are refused, or right and shown.

use super::patch;
use mvdiff_render::view::View;
use mvdiff_render::{Names, PageOptions, Screen, page, terminal};
use mvdiff_text::Error;
use mvdiff_text::effective::{
    Contents, EffectiveOptions, EffectiveReport, FileContents, Source, effective, rebuild,
};
use mvdiff_text::patch::{Changeset, parse};
use mvdiff_text::tree::{Entry, TreeOptions, TreePatch, TreeReport, Trees};
use mvdiff_text::verify::verify;

const OLD: [(&str, &[u8]); 3] = [
    (
        "a",
        b"fn one(order) {\n    sum(order.items)\n}\n\nfn two(page) {\n    page.name\n}\nend\n",
    ),
    ("b", b"one\n\ttwo\nthree\nfour\nfive"),
    ("c", b"x\n"),
];
const NEW: [(&str, &[u8]); 3] = [
    ("a", b"fn two(page) {\n    page.title\n}\n\nend\n"),
    ("b", b"one\ntwo\nfour\nfive\n"),
    ("d", b"x\nfn one(order) {\n    sum(order.items)\n}\n"),
];

fn trees() -> Trees<'static> {
    let entry = |&(path, bytes): &(&str, &'static [u8])| Entry {
        path: path.into(),
        mode: 0o100_644,
        binary: false,
        bytes,
    };
    Trees::new(
        OLD.iter().map(entry).collect(),
        NEW.iter().map(entry).collect(),
    )
}

fn patch_of_trees() -> Vec<u8> {
    let trees = trees();
    let patch = TreePatch::new(&trees, &TreeOptions::default()).expect("a patch");
    let mut out = Vec::new();
    patch.write(&mut out, 3).expect("memory");
    out
}

fn contents(set: &Changeset<'_>) -> Contents<'static> {
    let find = |files: &[(&str, &'static [u8])], path: Option<&[u8]>| {
        let mut files = files.iter();
        files
            .find(|file| Some(file.0.as_bytes()) == path)
            .map(|file| file.1)
    };
    let files = set.files.iter().map(|file| FileContents {
        old: find(&OLD, file.old_path.as_deref()),
        new: find(&NEW, file.new_path.as_deref()),
    });
    Contents {
        source: Source::Dirs,
        files: files.collect(),
        others: Vec::new(),
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let patch = patch_of_trees();
    let sets = parse(&patch).expect("our own patch");
    let options = EffectiveOptions::default();
    let mut all = Vec::new();
    for contents in [contents(&sets[0]), Contents::default()] {
        let report = effective(&sets[0], &contents, &options).expect("a report");
        all.push(serde_json::to_vec(&report).expect("JSON"));
    }
    for seed in patch::SEEDS {
        for set in parse(seed.as_bytes()).iter().flatten() {
            let report = effective(set, &Contents::default(), &options).expect("a report");
            all.push(serde_json::to_vec(&report).expect("JSON"));
        }
    }
    let report = TreeReport::new(&trees(), &TreeOptions::default()).expect("a report");
    all.push(serde_json::to_vec(&report).expect("JSON"));
    all
}

fn look_up(path: &[u8]) -> Result<Vec<u8>, Error> {
    let found = OLD.iter().find(|file| file.0.as_bytes() == path);
    let none = Error::NotReplayable("no such file");
    found.map(|file| file.1.to_vec()).ok_or(none)
}

pub(crate) fn law(input: &[u8]) {
    if let Ok(report) = serde_json::from_slice::<EffectiveReport>(input) {
        let patch = patch_of_trees();
        let sets = parse(&patch).expect("our own patch");
        for contents in [contents(&sets[0]), Contents::default()] {
            if verify(&sets[0], &contents, &report).is_err() {
                continue;
            }
            is_shown(View::of_effective(&sets[0], &contents, &report));
            is_shown(View::of_effective_near(&sets[0], &contents, &report, 3));
        }
        if let Some(recipe) = &report.recipe {
            let _ = rebuild(recipe, look_up);
        }
    }
    if let Ok(report) = serde_json::from_slice::<TreeReport>(input) {
        let names = Names {
            old: "old".to_owned(),
            new: "new".to_owned(),
        };
        if is_about(&report) {
            is_shown(View::of_tree(&names, &trees(), &report));
            report.invert(look_up).expect("it was carried out");
        }
    }
}

/// Whether a report makes the new tree of the old one.
fn is_about(report: &TreeReport) -> bool {
    let Ok(made) = report.replay(look_up) else {
        return false;
    };
    made.iter().all(|file| {
        let new = NEW.iter().find(|(path, _)| path.as_bytes() == file.path);
        file.bytes.as_deref() == new.map(|(_, bytes)| *bytes)
    })
}

fn is_shown(view: View<'_>) {
    terminal(&mut Vec::new(), &view, &Screen::default()).expect("memory");
    let options = PageOptions {
        syntax: false,
        ..PageOptions::default()
    };
    page(&mut Vec::new(), &[view], &options).expect("memory");
}
