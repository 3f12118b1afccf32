//! Options of `mvdiff mcp`.

use clap::Parser;
use std::path::PathBuf;

/// Serve apply, diff, effective and score to agents, by the Model Context Protocol
#[derive(Debug, Parser)]
#[command(after_help = "\
Speaks the Model Context Protocol on standard input and output. Tools: apply_edits
(with a dry run), undo_edits, effective_diff, diff, diff_workbooks, score. What they
answer is the JSON of the commands; see docs/schemas.

Files are read and written below the roots only: those that the client names, else
those of --root, else the working directory.

Examples:
  mvdiff mcp                        the working directory
  mvdiff mcp --root ~/src/project   another one")]
pub(crate) struct McpArgs {
    /// A directory that files may be in; may be given several times
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
}
