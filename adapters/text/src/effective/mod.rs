//! From a noisy diff to what really changed.

mod replay;
mod report;

pub use replay::{Rebuilt, rebuild};
pub use report::{
    EffectiveReport, EvidenceParts, InputCounts, KeptRun, MoveDetail, MoveKind, RecipeFile,
    RecipePart, Source,
};

/// Whole files that a patch is about, where they are known: blocks may reach
/// beyond the hunks then, and the report carries a recipe.
#[derive(Clone, Debug, Default)]
pub struct Contents<'c> {
    /// Where they came from.
    pub source: Source,
    /// One for each file of the changeset, in order; empty if there are none.
    pub files: Vec<FileContents<'c>>,
}

/// One file before and after; `None` where it is not known or does not exist.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileContents<'c> {
    /// Before.
    pub old: Option<&'c [u8]>,
    /// After.
    pub new: Option<&'c [u8]>,
}

/// How to look for moves in a patch, and how to print what is left.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectiveOptions {
    /// What counts as a move.
    pub engine: mvdiff_core::Options,
    /// Lines around a hunk that a block may reach into, where contents are
    /// known. Default 20.
    pub extend: u32,
    /// How far beyond its unedited lines a block may reach. Default 3.
    pub trim: u32,
    /// Least score of a move. Default 0.
    pub min_score: f32,
    /// Show white space that changed inside moved blocks. Default false.
    pub show_whitespace: bool,
    /// Lines of context around changes inside moved blocks. Default 0.
    pub context: u32,
}

impl Default for EffectiveOptions {
    fn default() -> Self {
        Self {
            engine: crate::options(),
            extend: 20,
            trim: 3,
            min_score: 0.0,
            show_whitespace: false,
            context: 0,
        }
    }
}
