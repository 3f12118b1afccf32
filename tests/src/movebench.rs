//! Two trees of files as one problem: movebench's predictions.

use mvdiff_core::{Options, Relation, Role, Side, diff};
use mvdiff_text::LineProblem;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Files of a tree by relative path.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Reads a tree; an absent folder is an empty one.
///
/// # Errors
/// When a file cannot be read.
pub fn read_tree(root: &Path) -> anyhow::Result<Tree> {
    let mut tree = Tree::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_dir() {
                todo.push(path);
            } else {
                let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
                tree.insert(name, std::fs::read(&path)?);
            }
        }
    }
    Ok(tree)
}

/// Files that are versions of one: by name, then the most alike of the rest.
fn partners(old: &Tree, new: &Tree) -> Vec<(u32, u32)> {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let mut pairs = Vec::new();
    let mut free: Vec<(usize, &[u8])> = new
        .iter()
        .enumerate()
        .filter(|(_, (name, _))| !old.contains_key(*name))
        .map(|(n, (_, text))| (n, &text[..]))
        .collect();
    for (o, (name, text)) in old.iter().enumerate() {
        if let Some(n) = new.keys().position(|other| other == name) {
            pairs.push((o as u32, n as u32));
            continue;
        }
        let mine = lines(text);
        let shared = |other: &[u8]| {
            let theirs = lines(other);
            let common = mine
                .iter()
                .filter(|l| theirs.binary_search(l).is_ok())
                .count();
            (common * 2 > mine.len().max(theirs.len())).then_some(common)
        };
        let best = free
            .iter()
            .enumerate()
            .filter_map(|(i, (_, t))| shared(t).map(|s| (s, i)))
            .max();
        if let Some((_, i)) = best {
            pairs.push((o as u32, free.remove(i).0 as u32));
        }
    }
    pairs
}

/// The prediction for one case, as movebench's scorer reads it.
///
/// # Errors
/// When the core refuses the trees, or its script breaks a law.
pub fn predict(old: &Tree, new: &Tree, options: &Options) -> anyhow::Result<Value> {
    let texts = |tree: &'_ Tree| -> Vec<Vec<u8>> { tree.values().cloned().collect() };
    let (old_texts, new_texts) = (texts(old), texts(new));
    let old_slices: Vec<&[u8]> = old_texts.iter().map(Vec::as_slice).collect();
    let new_slices: Vec<&[u8]> = new_texts.iter().map(Vec::as_slice).collect();
    let problem = LineProblem::of_files(&old_slices, &new_slices, partners(old, new))?;
    let script = diff(&problem, options)?.script;
    script.check(&problem)?;
    let names = [
        old.keys().collect::<Vec<_>>(),
        new.keys().collect::<Vec<_>>(),
    ];
    let at = |side: Side, index: u32| {
        let (file, line) = problem.place(side, index);
        (names[side as usize][file].clone(), line + 1)
    };
    let mut kept = Vec::new();
    let mut pairs: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for run in script.runs() {
        let ((src, o), (dst, n)) = (at(Side::Old, run.old), at(Side::New, run.new));
        match (run.role, run.relation) {
            (Role::Kept, Relation::EXACT) => kept.push(json!([src, o, dst, n, run.len])),
            (Role::Moved(id), Relation::Same { .. }) => {
                let run = (0..run.len as usize).map(|i| (o + i, n + i));
                pairs.entry(id).or_default().extend(run);
            }
            // Indented in place: survived, and shown as such.
            (Role::Kept, Relation::Same { .. }) => {
                kept.push(json!([src, o, dst, n, run.len]));
            }
            _ => {}
        }
    }
    let ranges = script.moves().iter().enumerate().map(|(id, m)| {
        (
            m.old.clone(),
            m.new.clone(),
            pairs.remove(&(id as u32)).unwrap_or_default(),
        )
    });
    let copies = script.copies().iter().map(|c| {
        let runs = c.runs.iter().flat_map(|&(o, n, len)| {
            let (o, n) = (at(Side::Old, o).1, at(Side::New, n).1);
            (0..len as usize).map(move |i| (o + i, n + i))
        });
        (c.old.clone(), c.new.clone(), runs.collect())
    });
    let moves: Vec<Value> = ranges
        .chain(copies.collect::<Vec<_>>())
        .map(|(old, new, pairs)| {
            let ((src, first), (_, last)) = (at(Side::Old, old.start), at(Side::Old, old.end - 1));
            let ((dst, start), (_, end)) = (at(Side::New, new.start), at(Side::New, new.end - 1));
            json!({"src_file": src, "src_start": first, "src_end": last,
                   "dst_file": dst, "dst_start": start, "dst_end": end, "pairs": pairs})
        })
        .collect();
    Ok(json!({"moves": moves, "kept": kept}))
}
