//! Pairs with changes of all kinds at once, and the expected answer for each.

mod draft;
mod recipe;
mod truth_json;

use crate::editor::Editor;
use crate::rng::Rng;
use anyhow::{Context as _, Result};
use draft::Draft;
use recipe::recipe;
use std::path::Path;

/// What a pair is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[allow(missing_docs, reason = "the names say it, and `recipe` does it")]
pub enum RandomKind {
    RowsMoved,
    OneRow,
    ToTheEnds,
    SwappedRows,
    SplitBlocks,
    ManyMoves,
    InsertRemove,
    Heavy,
    Resized,
    InPlace,
    ColumnEdited,
    ColMove,
    ColMoveAndNoise,
    ColsMoved,
    ColMovedAndEdited,
    ColRemoved,
    ColsAddedAndRemoved,
    HeaderRenamed,
    Narrow,
    Wide,
    NoHeader,
    Sparse,
    Duplicates,
    Dull,
    FewRows,
    Titles,
    Islands,
    Rect,
    RectAndNoise,
    FormulasInsert,
    FormulasRemove,
    FormulasMove,
    FormulasCopied,
    FormulasCols,
    FormulasEverything,
    Sort,
    SortWithEdits,
    Sheets,
    MergesAndNames,
    Everything,
}

/// What is to be made.
#[derive(Clone, Debug)]
pub struct Request {
    /// What everything is drawn from.
    pub seed: u64,
    /// Pairs of each kind.
    pub count: usize,
    /// The kinds.
    pub kinds: Vec<RandomKind>,
}

/// Makes the pairs, each in a folder of its own: `old.xlsx`, `new.xlsx` and
/// `truth.json`. Says how many there are.
///
/// # Errors
/// If a file cannot be written.
pub fn write(request: &Request, dir: &Path) -> Result<usize> {
    let mut made = 0;
    for kind in &request.kinds {
        for number in 0..request.count {
            let draft = draw(*kind, request.seed.wrapping_mul(1000) + number as u64)?;
            let folder = dir.join(format!("{}-{number:03}", name(*kind)));
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("{}: cannot be made", folder.display()))?;
            let put = |file: &str, bytes: Vec<u8>| {
                let path = folder.join(file);
                std::fs::write(&path, bytes)
                    .with_context(|| format!("{}: cannot be written", path.display()))
            };
            let (old, new) = (&draft.editor.old, &draft.editor.new);
            put("old.xlsx", crate::xlsx::bytes(old, old)?)?;
            put("new.xlsx", crate::xlsx::bytes(new, old)?)?;
            put("truth.json", truth_json::truth(&draft, *kind)?)?;
            made += 1;
        }
    }
    Ok(made)
}

fn name(kind: RandomKind) -> String {
    let value = clap::ValueEnum::to_possible_value(&kind);
    value.map_or_else(String::new, |value| value.get_name().replace('-', "_"))
}

/// A workbook before and after changes of this kind, drawn from a seed.
///
/// # Errors
/// If no draw of many gives a pair of which only one answer is right.
pub fn editor(kind: RandomKind, seed: u64) -> Result<Editor> {
    Ok(draw(kind, seed)?.editor)
}

/// Draws until the truth is plain.
fn draw(kind: RandomKind, seed: u64) -> Result<Draft> {
    let mut why = String::new();
    for attempt in 0..500 {
        let rng = Rng::named(seed, &format!("{}/{attempt}", name(kind)));
        match recipe(kind, rng) {
            Ok(draft) if draft.is_plain() => return Ok(draft),
            Ok(_) => "what moved is not plain".clone_into(&mut why),
            Err(unlucky) => why = unlucky,
        }
    }
    anyhow::bail!("no pair of kind {} for seed {seed}: {why}", name(kind))
}
