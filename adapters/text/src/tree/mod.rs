//! Compares two trees of files: pairs their files, and finds changes and moves
//! within and between them.
//!
//! ```
//! use mvdiff_text::tree::{Entry, TreeOptions, TreeReport, Trees};
//!
//! let total = b"def total(order):\n    return sum(order.items)\n";
//! let file = |path: &str, bytes| Entry { path: path.into(), mode: 0o100_644, binary: false, bytes };
//! let trees = Trees::new(
//!     vec![file("orders.py", b"import shop\n\n\ndef total(order):\n    return sum(order.items)\n")],
//!     vec![file("orders.py", b"import shop\n"), file("prices.py", total)],
//! );
//! let report = TreeReport::new(&trees, &TreeOptions::default())?;
//! assert_eq!(report.moves[0].modified_path.0, b"prices.py");
//!
//! let new = report.replay(|_| Ok::<_, mvdiff_text::Error>(trees.old[0].bytes.to_vec()))?;
//! assert_eq!(new[1].bytes.as_deref(), Some(&total[..]));
//! # Ok::<(), mvdiff_text::Error>(())
//! ```
//!
//! Reading and writing files is up to the caller. Files that are equal on both
//! sides cost only a comparison.

mod alike;
mod build;
mod invert;
mod pairs;
mod patch;
mod replay;
mod report;
mod texts;

pub use patch::TreePatch;
pub use report::{FileReport, FileStats, FileStatus, MovedBetween, SCHEMA, TreeReport, TreeStats};

use crate::Ignore;
use mvdiff_core::Options;

/// A file of a tree.
#[derive(Clone, Debug)]
pub struct Entry<'t> {
    /// Its path below the root, with `/` as separator.
    pub path: Vec<u8>,
    /// Its mode as in git: `0o100644`, `0o100755`, or `0o120000` for a symbolic
    /// link, whose bytes are its target.
    pub mode: u32,
    /// Whether to compare it as a whole instead of line by line.
    pub binary: bool,
    /// Its content.
    pub bytes: &'t [u8],
}

impl Entry<'_> {
    fn is_link(&self) -> bool {
        self.mode & 0o170_000 == 0o120_000
    }

    /// The last component of its path.
    fn name(&self) -> &[u8] {
        let mut parts = self.path.rsplit(|byte| *byte == b'/');
        parts.next().unwrap_or_default()
    }
}

/// Two trees, with files sorted by path.
#[derive(Clone, Debug)]
pub struct Trees<'t> {
    /// The old files.
    pub old: Vec<Entry<'t>>,
    /// The new files.
    pub new: Vec<Entry<'t>>,
    /// Number of equal files that the caller left out.
    pub same: u32,
}

impl<'t> Trees<'t> {
    /// Builds two trees from files in any order; for duplicate paths the first
    /// one counts.
    #[must_use]
    pub fn new(mut old: Vec<Entry<'t>>, mut new: Vec<Entry<'t>>) -> Self {
        for side in [&mut old, &mut new] {
            side.sort_by(|a, b| a.path.cmp(&b.path));
            side.dedup_by(|b, a| a.path == b.path);
        }
        Self { old, new, same: 0 }
    }
}

/// Options for comparing trees.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// Options for comparing lines and finding moves.
    pub lines: Options,
    /// Which differences between lines to ignore.
    pub ignore: Ignore,
    /// Least similarity of a deleted and an added file that count as a rename.
    /// Default 0.5, as in git.
    pub rename_similarity: f32,
    /// Most steps for comparing removed with added files, in pieces of files.
    /// Default 2^30.
    pub rename_steps: u64,
    /// Most bytes of binary files to include in a report, so that it can be
    /// replayed. Default 16 MiB.
    pub binary_bytes: u64,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            lines: crate::options(),
            ignore: Ignore::default(),
            rename_similarity: 0.5,
            rename_steps: 1 << 30,
            binary_bytes: 16 << 20,
        }
    }
}
