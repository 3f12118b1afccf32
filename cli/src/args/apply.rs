//! Options of `mvdiff apply`.

use super::Format;
use clap::{Parser, ValueEnum};
use mvdiff_edit::forms::Form;
use std::path::PathBuf;

/// Apply search/replace blocks where they fit, or not at all
#[derive(Debug, Parser)]
#[command(after_help = "\
BLOCKS holds blocks for FILE:

  <<<<<<< SEARCH
  :start_line:42          (optional; ranks the places that fit)
  -------                 (optional)
  lines to look for
  =======
  lines to put there
  >>>>>>> REPLACE

or edits in another form: blocks below the names of their files, unified diffs,
*** Begin Patch, JSON with old and new strings, and others; see --form and
docs/apply.md. Prose around them is left alone. Files that the input names are
taken below --root. A backslash before a line that looks like a marker makes it
text.

Each block is looked for exactly, then ignoring line ends, white space and
typographic characters. If its context drifted, it still applies where the lines
it removes and their neighbours are found, in one place only; --threshold lowers
what is asked of a place. If two places fit equally well, that is an error. Lines
that a block does not change keep their bytes.

By default all blocks of all files apply, or nothing is written. The next run
finishes or undoes a run that was killed. The journal, which --undo needs, is in
$XDG_STATE_HOME/mvdiff (~/.local/state/mvdiff).

Exit status: 0 if all blocks are in the files, 1 if some do not fit, 2 on
trouble: blocks that cannot be read, a path outside of the root.

Examples:
  mvdiff apply edit.txt src/total.py               one file
  mvdiff apply --dry-run edit.txt src/total.py     only show the diff
  mvdiff apply --root project edits.json           several files, all or none
  git diff main | mvdiff apply --root ../other -   a diff whose lines drifted
  mvdiff apply --undo src/total.py                 take the last run back")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct ApplyArgs {
    /// The blocks, or - for standard input
    #[arg(value_name = "BLOCKS", required_unless_present = "undo")]
    pub blocks: Option<PathBuf>,
    /// The file to edit; without it the blocks name their files
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Take the paths that the blocks name below DIR, and never outside of it
    /// [default: .]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The form of the blocks [default: detected]
    #[arg(long, value_enum, value_name = "FORM")]
    pub form: Option<FormArg>,
    /// Fuzzy matching: least similarity of a place, 0 to 1 [default: off; only white
    /// space, typographic characters and certain slips may differ]
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = share)]
    pub threshold: f64,
    /// The line to start at, for blocks that name none
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub start_line: Option<u32>,
    /// Read &lt; and the like in the blocks as what they mean, where the file
    /// does not have them as they are
    #[arg(long)]
    pub unescape_html: bool,
    /// Apply the blocks that fit, and leave out the others
    #[arg(long)]
    pub partial: bool,
    /// Write nothing, print what would change as a unified diff
    #[arg(long, conflicts_with_all = ["stdout", "undo"])]
    pub dry_run: bool,
    /// Write nothing, print the new content of the one file
    #[arg(long, conflicts_with = "undo")]
    pub stdout: bool,
    /// Undo the last run on FILE, or in --root
    #[arg(long)]
    pub undo: bool,
    /// Keep no journal: a killed run is not finished later, and cannot be undone
    #[arg(long, conflicts_with = "undo")]
    pub no_journal: bool,
    /// Give the answers of Roo Code's multi-search-replace, block for block, its
    /// faults included; implies --partial
    #[arg(long)]
    pub compat: bool,
    /// With --compat: lines around a start line that are searched
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub buffer_lines: u32,
    /// How to print [default: terminal; with --dry-run unified]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Show the lines around places that do not fit
    #[arg(short, long)]
    pub verbose: bool,
}

/// How edits are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormArg {
    /// <<<<<<< SEARCH blocks; also as JSON or in tags
    Roo,
    /// ------- SEARCH blocks
    Cline,
    /// Blocks below the names of their files
    Aider,
    /// A unified diff; its counts may be wrong or missing
    Udiff,
    /// *** Begin Patch
    #[value(name = "apply_patch", aliases = ["codex", "apply-patch"])]
    ApplyPatch,
    /// JSON with old and new strings
    Strings,
    /// Tags around the old and the new text
    Zed,
    /// <<<<<<< old lines, as in a conflict
    Conflict,
}

impl FormArg {
    pub(crate) fn form(self) -> Form {
        match self {
            Self::Roo => Form::Roo,
            Self::Cline => Form::Cline,
            Self::Aider => Form::Aider,
            Self::Udiff => Form::Udiff,
            Self::ApplyPatch => Form::ApplyPatch,
            Self::Strings => Form::Strings,
            Self::Zed => Form::Zed,
            Self::Conflict => Form::Conflict,
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".into()),
    }
}
