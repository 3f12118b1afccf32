//! Which sheets are versions of one: by name, then by what they hold.

use crate::keys::Keyed;
use crate::workbook_map::fold;
use crate::{Content, Options, Sheet, Workbook};
use std::collections::HashMap;

/// Cells of a sheet that stand for all of them.
const SKETCH: usize = 256;
/// Least share of cells that a renamed sheet has in common with its old self.
const LEAST: f32 = 0.5;
/// Pairs of sheets that are compared wherever they are.
const MOST_TRIED: usize = 1 << 18;
/// How far apart sheets are that are compared in any case.
const NEAR: usize = 16;

/// Indices of sheets, old and new; one of them is none where a sheet went or came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SheetPair {
    pub old: Option<usize>,
    pub new: Option<usize>,
}

/// Pairs all sheets: those that are there in new order, then those that went.
pub(crate) fn pair_sheets(old: &Workbook, new: &Workbook, options: &Options) -> Vec<SheetPair> {
    let by_name: HashMap<String, usize> = (0..)
        .zip(&old.sheets)
        .map(|(at, sheet)| (fold(&sheet.name), at))
        .collect();
    let mut from: Vec<Option<usize>> = new
        .sheets
        .iter()
        .map(|sheet| {
            let at = by_name.get(&fold(&sheet.name)).copied();
            at.filter(|at| are_of_one_kind(&old.sheets[*at], sheet))
        })
        .collect();
    let mut taken = vec![false; old.sheets.len()];
    for at in from.iter().flatten() {
        taken[*at] = true;
    }
    let gone: Vec<usize> = (0..old.sheets.len()).filter(|at| !taken[*at]).collect();
    let came: Vec<usize> = (0..new.sheets.len())
        .filter(|at| from[*at].is_none())
        .collect();
    for (o, n) in alike(old, new, &gone, &came, options) {
        from[n] = Some(o);
        taken[o] = true;
    }
    let there = from.iter().enumerate().map(|(new, old)| SheetPair {
        old: *old,
        new: Some(new),
    });
    let gone = (0..old.sheets.len()).filter(|at| !taken[*at]);
    let gone = gone.map(|old| SheetPair {
        old: Some(old),
        new: None,
    });
    there.chain(gone).collect()
}

/// Whether both have cells, or both are a chart.
fn are_of_one_kind(old: &Sheet, new: &Sheet) -> bool {
    match (&old.content, &new.content) {
        (Content::Other(old), Content::Other(new)) => old == new,
        (Content::Other(_), _) | (_, Content::Other(_)) => false,
        _ => true,
    }
}

/// Pairs of sheets that hold much of the same, the most alike first.
fn alike(
    old: &Workbook,
    new: &Workbook,
    gone: &[usize],
    came: &[usize],
    options: &Options,
) -> Vec<(usize, usize)> {
    if gone.is_empty() || came.is_empty() {
        return Vec::new();
    }
    let sketches = |book: &Workbook, which: &[usize]| -> Vec<Vec<u64>> {
        let all = which.iter().map(|at| sketch(&book.sheets[*at], options));
        all.collect()
    };
    let (of_old, of_new) = (sketches(old, gone), sketches(new, came));
    let mut found = Vec::new();
    let (mut used, mut taken) = (vec![false; gone.len()], vec![false; came.len()]);
    // Sheets that hold the same are one after the other the same: a workbook may
    // have thousands that are copies of each other.
    let mut equal: HashMap<&[u64], Vec<usize>> = HashMap::new();
    for (j, sketch) in of_new.iter().enumerate().rev() {
        equal.entry(sketch).or_default().push(j);
    }
    for (i, sketch) in of_old.iter().enumerate() {
        let waiting = equal.get_mut(&sketch[..]).filter(|_| !sketch.is_empty());
        if let Some(j) = waiting.and_then(Vec::pop) {
            (used[i], taken[j]) = (true, true);
            found.push((gone[i], came[j]));
        }
    }
    let mut pairs = Vec::new();
    let mut tried = 0;
    for (i, a) in of_old.iter().enumerate().filter(|(i, _)| !used[*i]) {
        for (j, b) in of_new.iter().enumerate().filter(|(j, _)| !taken[*j]) {
            let (o, n) = (gone[i], came[j]);
            // Of very many those that are near each other.
            tried += 1;
            if tried > MOST_TRIED && o.abs_diff(n) > NEAR {
                continue;
            }
            let similarity = match (&old.sheets[o].content, &new.sheets[n].content) {
                (Content::Cells(_), Content::Cells(_)) => match overlap(a, b) {
                    // Two empty sheets in one place are one that was renamed.
                    None => f32::from(u8::from(o == n)),
                    Some(share) if share < LEAST && tried <= IN_PLACE => {
                        share.max(in_place(&old.sheets[o], &new.sheets[n]))
                    }
                    Some(share) => share,
                },
                (Content::Other(a), Content::Other(b)) if a == b => f32::from(u8::from(o == n)),
                _ => 0.0,
            };
            if similarity >= LEAST {
                pairs.push((similarity, o.abs_diff(n), i, j));
            }
        }
    }
    pairs.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3)))
    });
    for (_, _, i, j) in pairs {
        if !used[i] && !taken[j] {
            (used[i], taken[j]) = (true, true);
            found.push((gone[i], came[j]));
        }
    }
    found
}

/// Pairs of sheets that are compared cell by cell.
const IN_PLACE: usize = 64;

/// The share of cells that hold the same in the same place: a column of new values makes
/// most values of a sheet new, and not most of its cells.
fn in_place(old: &Sheet, new: &Sheet) -> f32 {
    let (Some(old), Some(new)) = (old.grid(), new.grid()) else {
        return 0.0;
    };
    let most = old.cell_count().max(new.cell_count()).max(1);
    if old.cell_count().min(new.cell_count()) * 2 < most {
        return 0.0;
    }
    let same = old.cells().filter(|cell| {
        let now = new.cell(cell.address);
        now.is_some_and(|now| cell.value.same(&now.value) && cell.formula == now.formula)
    });
    same.count() as f32 / most as f32
}

/// The smallest keys of a sheet: the same cells make the same sketch, wherever
/// they stand.
fn sketch(sheet: &Sheet, options: &Options) -> Vec<u64> {
    let Some(grid) = sheet.grid() else {
        let whole = sheet.extras.whole.iter();
        return whole.map(|whole| whole.digest).collect();
    };
    let keyed = Keyed::new(grid, options, &|_| 0);
    let mut keys: Vec<u64> = keyed.cells().map(|cell| cell.2).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.truncate(SKETCH);
    keys
}

/// The share of keys that two sketches have in common; none if both are empty.
fn overlap(a: &[u64], b: &[u64]) -> Option<f32> {
    let mut all: Vec<u64> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(SKETCH);
    let both = all
        .iter()
        .filter(|key| a.binary_search(key).is_ok() && b.binary_search(key).is_ok());
    (!all.is_empty()).then(|| both.count() as f32 / all.len() as f32)
}
