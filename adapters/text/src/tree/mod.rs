//! Two trees of files: which files are one, what changed in them, and what moved
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
//! Bytes in, a report out: reading and writing files is the caller's. Files that
//! are the same on both sides cost a comparison and nothing else.

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
    /// Its path below the root, with `/` between its parts.
    pub path: Vec<u8>,
    /// Its mode as git has it: `0o100644`, `0o100755`, or `0o120000` for a link,
    /// whose bytes are the path that it names.
    pub mode: u32,
    /// Whether it is to be compared as a whole instead of line by line.
    pub binary: bool,
    /// What is in it.
    pub bytes: &'t [u8],
}

impl Entry<'_> {
    fn is_link(&self) -> bool {
        self.mode & 0o170_000 == 0o120_000
    }

    /// The last part of its path.
    fn name(&self) -> &[u8] {
        let mut parts = self.path.rsplit(|byte| *byte == b'/');
        parts.next().unwrap_or_default()
    }
}

/// Two trees, their files in order of their paths.
#[derive(Clone, Debug)]
pub struct Trees<'t> {
    /// The old files.
    pub old: Vec<Entry<'t>>,
    /// The new files.
    pub new: Vec<Entry<'t>>,
    /// Files that are the same on both sides and were left out by the caller;
    /// they only count.
    pub same: u32,
}

impl<'t> Trees<'t> {
    /// Two trees of files in any order; of several at one path the first counts.
    #[must_use]
    pub fn new(mut old: Vec<Entry<'t>>, mut new: Vec<Entry<'t>>) -> Self {
        for side in [&mut old, &mut new] {
            side.sort_by(|a, b| a.path.cmp(&b.path));
            side.dedup_by(|b, a| a.path == b.path);
        }
        Self { old, new, same: 0 }
    }
}

/// How trees are compared.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// How lines are compared, and what counts as a move.
    pub lines: Options,
    /// Which differences between lines do not count.
    pub ignore: Ignore,
    /// Least share of a file that another has in common with it to be called the
    /// same one, renamed. Default 0.5, as git has it.
    pub rename_likeness: f32,
    /// Steps that comparing removed with added files may take: pieces of files
    /// looked at. Default 2^30.
    pub rename_steps: u64,
    /// Bytes of binary files that a report holds so that it replays. Default
    /// 16 MiB.
    pub binary_bytes: u64,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            lines: crate::options(),
            ignore: Ignore::default(),
            rename_likeness: 0.5,
            rename_steps: 1 << 30,
            binary_bytes: 16 << 20,
        }
    }
}
