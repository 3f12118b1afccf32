//! Options of `mvdiff apply`.

use super::Format;
use clap::{Parser, ValueEnum};
use mvdiff_edit::forms::Form;
use std::path::PathBuf;

/// Apply search/replace blocks, patches and other edits that a model wrote
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

or edits in another format: blocks below the names of their files, unified diffs,
*** Begin Patch, JSON with old and new strings, and others; see --form and
docs/apply.md. Prose around them is ignored. Paths in the input are relative to
--root. To write a line that looks like a marker, put a backslash before it.

Each block is looked for exactly, then ignoring line ends, white space and
typographic characters. If the context has changed, a block still applies where
the lines it removes and their neighbours occur, if that is one place only;
--threshold also accepts similar places. If two places fit equally well, that is
an error. Lines that a block does not change keep their bytes.

Unless all blocks of all files apply, nothing is written. If a run is killed, the
next one finishes or undoes it. The journal, which --undo needs, is in
$XDG_STATE_HOME/mvdiff (~/.local/state/mvdiff).

Exit status: 0 if all blocks were applied, 1 if some do not fit, 2 on trouble,
such as unreadable blocks or a path outside the root.

Examples:
  mvdiff apply edit.txt src/total.py               one file
  mvdiff apply --dry-run edit.txt src/total.py     show the diff, write nothing
  mvdiff apply --root project reply.txt            all files that the input names
  git diff main | mvdiff apply --root ../other -   a diff made for another version
  mvdiff apply --undo src/total.py                 undo the last run")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct ApplyArgs {
    /// The blocks, or - for standard input
    #[arg(value_name = "BLOCKS", required_unless_present = "undo")]
    pub blocks: Option<PathBuf>,
    /// The file to edit; not needed if the blocks name their files
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Directory of the files that the blocks name; nothing outside is touched
    /// [default: .]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The format of the blocks [default: detected]
    #[arg(long, value_enum, value_name = "FORM")]
    pub form: Option<FormArg>,
    /// Fuzzy matching: minimum similarity of a place, 0 to 1; 1 is off, so that only white
    /// space, typographic characters and some typos may differ
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = share)]
    pub threshold: f64,
    /// The start line of blocks that do not name one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub start_line: Option<u32>,
    /// Decode &lt; and other entities in the blocks, unless the file has them
    /// literally
    #[arg(long)]
    pub unescape_html: bool,
    /// Apply the blocks that fit and skip the others
    #[arg(long)]
    pub partial: bool,
    /// Print a unified diff of what would change, and write nothing
    #[arg(long, conflicts_with_all = ["stdout", "undo"])]
    pub dry_run: bool,
    /// Print the new content of the file, and write nothing
    #[arg(long, conflicts_with = "undo")]
    pub stdout: bool,
    /// Undo the last run on FILE, or below --root
    #[arg(long)]
    pub undo: bool,
    /// Keep no journal; the run cannot be undone, nor finished if it is killed
    #[arg(long, conflicts_with = "undo")]
    pub no_journal: bool,
    /// Behave exactly like Roo Code's multi-search-replace, faults included; implies
    /// --partial
    #[arg(long)]
    pub compat: bool,
    /// With --compat: how many lines around a start line are searched
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub buffer_lines: u32,
    /// Output format [default: terminal; unified with --dry-run]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Show the lines around places where a block does not fit
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
