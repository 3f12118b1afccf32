//! Pairs files: by path, then as renames.

use super::alike::{Pieces, Share};
use super::{Entry, TreeOptions, Trees};
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

/// The paired files of two trees.
pub(super) struct Pairs {
    /// Sorted by path. If a path holds different files on both sides, the
    /// deletion comes before the addition.
    pub list: Vec<Pair>,
    pub unchanged: u32,
    /// Whether the step budget did not suffice to compare all files.
    pub spent: bool,
}

/// Indices into the two trees; at least one is present.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub old: Option<usize>,
    pub new: Option<usize>,
    /// Similarity of both versions, if the file was renamed.
    pub renamed: Option<Share>,
}

impl Pair {
    /// The entries themselves.
    pub(super) fn entries<'e, 't>(
        self,
        trees: &'e Trees<'t>,
    ) -> (Option<&'e Entry<'t>>, Option<&'e Entry<'t>>) {
        (
            self.old.map(|old| &trees.old[old]),
            self.new.map(|new| &trees.new[new]),
        )
    }
}

impl Pairs {
    pub(super) fn new(trees: &Trees<'_>, options: &TreeOptions) -> Self {
        let mut list = Vec::new();
        let mut unchanged = trees.same;
        let mut unpaired = Unpaired {
            trees,
            gone: Vec::new(),
            come: Vec::new(),
        };
        let (mut o, mut n) = (0, 0);
        while o < trees.old.len() || n < trees.new.len() {
            let (old, new) = (trees.old.get(o), trees.new.get(n));
            let order = match (old, new) {
                (Some(old), Some(new)) => old.path.cmp(&new.path),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let both = old.zip(new).filter(|_| order.is_eq());
            match both {
                Some((old, new)) if old.bytes == new.bytes && old.mode == new.mode => {
                    unchanged += 1;
                }
                Some((old, new)) if old.is_link() == new.is_link() => list.push(Pair {
                    old: Some(o),
                    new: Some(n),
                    renamed: None,
                }),
                _ => {
                    unpaired.gone.extend(order.is_le().then_some(o));
                    unpaired.come.extend(order.is_ge().then_some(n));
                }
            }
            o += usize::from(order.is_le());
            n += usize::from(order.is_ge());
        }
        unpaired.pair_equal(&mut list);
        let spent = unpaired.pair_alike(options, &mut list);
        let lone = |old, new| Pair {
            old,
            new,
            renamed: None,
        };
        list.extend(unpaired.gone.into_iter().map(|old| lone(Some(old), None)));
        list.extend(unpaired.come.into_iter().map(|new| lone(None, Some(new))));
        list.sort_by_key(|pair| {
            let (old, new) = pair.entries(trees);
            let path = new.or(old).map_or(&[][..], |entry| &entry.path);
            (path, pair.new.is_some())
        });
        Self {
            list,
            unchanged,
            spent,
        }
    }
}

/// Files without a counterpart so far.
struct Unpaired<'l, 't> {
    trees: &'l Trees<'t>,
    gone: Vec<usize>,
    come: Vec<usize>,
}

impl Unpaired<'_, '_> {
    /// Pairs identical files, preferring those with a common end of their paths.
    fn pair_equal(&mut self, list: &mut Vec<Pair>) {
        // Number of trailing path components that must agree.
        const PARTS: [usize; 4] = [3, 2, 1, 0];
        let hashes = |entries: &[Entry<'_>], files: &[usize]| -> HashMap<usize, u64> {
            let hash = |file: &usize| (*file, xxh3_64(entries[*file].bytes));
            files.iter().map(hash).collect()
        };
        let gone = hashes(&self.trees.old, &self.gone);
        let come = hashes(&self.trees.new, &self.come);
        for parts in PARTS {
            let mut waiting: HashMap<(u64, bool, &[u8]), Vec<usize>> = HashMap::new();
            for old in self.gone.iter().rev() {
                let entry = &self.trees.old[*old];
                let key = (gone[old], entry.is_link(), tail(&entry.path, parts));
                waiting.entry(key).or_default().push(*old);
            }
            let mut found: Vec<Pair> = Vec::new();
            for new in &self.come {
                let entry = &self.trees.new[*new];
                let key = (come[new], entry.is_link(), tail(&entry.path, parts));
                let Some(same) = waiting.get_mut(&key) else {
                    continue;
                };
                let equal = |old: &mut usize| self.trees.old[*old].bytes == entry.bytes;
                if let Some(old) = same.pop_if(equal) {
                    found.push(Pair {
                        old: Some(old),
                        new: Some(*new),
                        renamed: Some(Share::ALL),
                    });
                }
            }
            self.take(&found);
            list.extend(found);
        }
    }

    /// Pairs text files that are similar enough. Returns whether the budget left
    /// some uncompared.
    fn pair_alike(&mut self, options: &TreeOptions, list: &mut Vec<Pair>) -> bool {
        let able = |entry: &Entry<'_>| !entry.binary && !entry.is_link() && !entry.bytes.is_empty();
        let pieces = |entries: &[Entry<'_>], files: &[usize]| -> Vec<(usize, Pieces)> {
            let able = files.iter().filter(|file| able(&entries[**file]));
            able.map(|file| (*file, Pieces::of(entries[*file].bytes)))
                .collect()
        };
        if self.gone.is_empty() || self.come.is_empty() {
            return false;
        }
        let gone = pieces(&self.trees.old, &self.gone);
        let come = pieces(&self.trees.new, &self.come);
        let mut measure = Measure {
            least: options.rename_similarity,
            steps: options.rename_steps,
            spent: false,
        };
        // A file that keeps a unique name need not be compared with all others,
        // if the two are similar.
        let mut found = Vec::new();
        let sure = f32::midpoint(1.0, options.rename_similarity);
        let (old_names, new_names) = (
            lone_names(&self.trees.old, &gone),
            lone_names(&self.trees.new, &come),
        );
        for (new, there) in &come {
            let name = self.trees.new[*new].name();
            let (Some(&old), Some(_)) = (old_names.get(name), new_names.get(name)) else {
                continue;
            };
            let share = measure.share(&gone[old].1, there);
            if let Some(share) = share.filter(|share| share.reaches(sure)) {
                found.push(Pair {
                    old: Some(gone[old].0),
                    new: Some(*new),
                    renamed: Some(share),
                });
            }
        }
        self.take(&found);
        list.append(&mut found);
        let mut candidates: Vec<(Share, bool, usize, usize)> = Vec::new();
        let unpaired = |files: &[usize], file: usize| files.binary_search(&file).is_ok();
        for (new, there) in come.iter().filter(|(new, _)| unpaired(&self.come, *new)) {
            for (old, here) in gone.iter().filter(|(old, _)| unpaired(&self.gone, *old)) {
                if let Some(share) = measure.share(here, there) {
                    let named = self.trees.old[*old].name() == self.trees.new[*new].name();
                    candidates.push((share, named, *old, *new));
                }
            }
        }
        candidates.sort_by(|a, b| {
            let best_first = (b.0, b.1).cmp(&(a.0, a.1));
            best_first.then((a.2, a.3).cmp(&(b.2, b.3)))
        });
        let mut taken = [
            vec![false; self.trees.old.len()],
            vec![false; self.trees.new.len()],
        ];
        for (share, _, old, new) in candidates {
            if taken[0][old] || taken[1][new] {
                continue;
            }
            (taken[0][old], taken[1][new]) = (true, true);
            found.push(Pair {
                old: Some(old),
                new: Some(new),
                renamed: Some(share),
            });
        }
        self.take(&found);
        list.append(&mut found);
        measure.spent
    }

    /// Removes the paired files.
    fn take(&mut self, pairs: &[Pair]) {
        for (files, end) in [
            (&mut self.gone, (|p: &Pair| p.old) as fn(&Pair) -> _),
            (&mut self.come, |p| p.new),
        ] {
            let mut paired: Vec<usize> = pairs.iter().filter_map(end).collect();
            paired.sort_unstable();
            files.retain(|file| paired.binary_search(file).is_err());
        }
    }
}

/// Compares files while steps are left.
struct Measure {
    least: f32,
    steps: u64,
    spent: bool,
}

impl Measure {
    /// Similarity of two files, if it is high enough.
    fn share(&mut self, a: &Pieces, b: &Pieces) -> Option<Share> {
        if !a.bound(b).reaches(self.least) {
            return None;
        }
        let Some(left) = self.steps.checked_sub(a.steps(b)) else {
            self.spent = true;
            return None;
        };
        self.steps = left;
        let share = a.share(b);
        share.reaches(self.least).then_some(share)
    }
}

/// File names that occur once, with their index in the list.
fn lone_names<'e>(entries: &'e [Entry<'_>], files: &[(usize, Pieces)]) -> HashMap<&'e [u8], usize> {
    let mut names: HashMap<&[u8], Option<usize>> = HashMap::new();
    for (at, (file, _)) in files.iter().enumerate() {
        names
            .entry(entries[*file].name())
            .and_modify(|seen| *seen = None)
            .or_insert(Some(at));
    }
    let lone = names.into_iter();
    lone.filter_map(|(name, at)| Some((name, at?))).collect()
}

/// The last components of a path.
fn tail(path: &[u8], parts: usize) -> &[u8] {
    let mut cuts = path.iter().enumerate().rev().filter(|(_, b)| **b == b'/');
    match parts.checked_sub(1) {
        None => &[],
        Some(more) => cuts.nth(more).map_or(path, |(at, _)| &path[at + 1..]),
    }
}
